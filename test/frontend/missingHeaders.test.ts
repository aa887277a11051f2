/** Missing headers of libraries that we do not have are refused by name, others stay clang's own error. */
import { expect, it } from 'vitest'
import { parseClangMessages } from '../../src/frontend/messages/clangMessages.ts'
import { parseLinkMessages } from '../../src/frontend/messages/linkMessages.ts'
import { tellIncludes } from '../../src/frontend/messages/missingIncludes.ts'

const parsed = (text: string) => tellIncludes(parseClangMessages(text), {}, {})

it('says why a CUDA library is missing', () => {
  const text =
    "a.cu:3:10: fatal error: 'cudnn.h' file not found\n    3 | #include <cudnn.h>\n      |          ^~~~~~~~~\n"
  const [diagnostic] = parsed(text)
  expect(diagnostic).toMatchObject({
    code: 'unsupported-header',
    severity: 'error',
    range: { file: 'a.cu', line: 3, column: 10 },
    notes: ['this CUDA library is not supported'],
  })
  expect(diagnostic?.rendered).toContain('note: this CUDA library is not supported')
})

it.each(["use of undeclared identifier 'cuTensorMapEncodeTiled'", "no member named 'device' in namespace 'cuda'"])(
  "refuses TMA's copies by name: %s",
  message => {
    const [diagnostic] = parsed(`a.cu:1:10: error: ${message}\n`)
    expect(diagnostic?.notes).toEqual([expect.stringMatching(/^copies of tensors \(TMA.* take cuda::memcpy_async/)])
  },
)

it('refuses the instructions that cuda::ptx does not have by name', () => {
  const [diagnostic] = parsed("a.cu:1:10: error: no member named 'mbarrier_init' in namespace 'cuda::ptx'\n")
  expect(diagnostic?.notes).toEqual([expect.stringMatching(/^of cuda::ptx .* take cuda::barrier/)])
})

it.each([
  ['thrust/sort.h', /libthrust-dev/],
  ['CL/cl.h', /opencl-c-headers/],
  ['helper_cuda.h', /cuda-samples/],
])('says where %s comes from', (name, note) => {
  const [diagnostic] = parsed(`a.cu:1:10: fatal error: '${name}' file not found\n`)
  expect(diagnostic?.notes?.[0]).toMatch(note)
})

it.each([
  ["unknown type name '__m128'", /^the vector instructions of x86/],
  ["use of undeclared identifier '_mm256_add_ps'", /^the vector instructions of x86/],
  ["use of undeclared identifier 'fork'", /^other processes/],
  ["invalid output constraint '=a' in asm", /^assembly is that of PTX in kernels/],
  ['invalid instruction', /^assembly is that of PTX in kernels/],
  ["use of undeclared identifier '_mmap'", undefined],
  ["array is too large (1'073'741'824 elements)", /^host and device memory are 4 GiB each here/],
])('says what a machine has and Warplens has not: %s', (message, note) => {
  const [diagnostic] = parsed(`a.cu:1:10: error: ${message}\n`)
  if (note === undefined) expect(diagnostic?.notes).toBeUndefined()
  else expect(diagnostic?.notes?.[0]).toMatch(note)
})

it("leaves the program's own missing files alone", () => {
  const [diagnostic] = parsed("a.cu:1:10: fatal error: 'helper.h' file not found\n")
  expect(diagnostic).toMatchObject({ code: 'compiler', message: "'helper.h' file not found" })
  expect(diagnostic?.notes).toBeUndefined()
})

it('says of a name that only a missing library has which library that is, and of a misspelt one nothing', () => {
  const of = (name: string, ending = '') =>
    parsed(`a.cu:1:10: error: use of undeclared identifier '${name}'${ending}\n`)[0]
  expect(of('cuTexRefCreate')?.notes).toEqual([
    expect.stringContaining('this function of the CUDA driver API is not supported'),
  ])
  expect(of('cuTexRefCreate')?.rendered).toContain('note: this function of the CUDA driver API')
  expect(of('cuptiActivityEnable')?.notes).toEqual(['CUPTI is not supported'])
  expect(of('cudaMaloc', "; did you mean 'cudaMalloc'?")?.notes).toBeUndefined()
  const another = of('cusolverDnXgeev', "; did you mean 'cusolverDnXsyevdx'?")
  expect(another?.notes).toEqual([expect.stringContaining('this part of it, is not supported')])
  expect(of('cudaOccMaxPotentialOccupancyBlockSize')?.notes).toEqual([
    expect.stringMatching(/^the stand-alone calculator/),
  ])
  expect(of('cusparseSdense2csr')?.notes).toEqual([expect.stringMatching(/^the CUDA toolkit has no such function/)])
  expect(of('cusparseDcsrsv2_solve')?.notes?.[0]).toMatch(/since version 12/)
  expect(of('cusparseSgebsr2csr')?.notes?.[0]).toMatch(/is not supported/)
  for (const name of ['cufftXtSetGPUs', 'cudaLibXtDesc', 'CUFFT_XT_FORMAT_INPLACE'])
    expect(of(name)?.notes?.[0]).toMatch(/^plans of cuFFT for several GPUs/)
  expect(of('cudaOccupancyNone')?.notes).toEqual(['this function of the CUDA runtime is not supported'])
  expect(of('customer')?.notes).toBeUndefined()
  const [type] = parsed("a.cu:1:10: error: unknown type name 'curandStateMtgp32'\n")
  expect(type?.notes?.[0]).toMatch(/MTGP32 is not supported/)
})

it('does not propose another function of a library for one that is missing, nor tell that its arguments are wrong', () => {
  const text = [
    "a.cu:4:9: error: use of undeclared identifier 'cusolverDnXgeev'; did you mean 'cusolverDnXsyevdx'?",
    '    4 |   CHECK(cusolverDnXgeev(handle));',
    '      |         ^~~~~~~~~~~~~~~',
    '      |         cusolverDnXsyevdx',
    "a.cu:4:9: error: no matching function for call to 'cusolverDnXsyevdx'",
    "a.cu:5:9: error: no matching function for call to 'cusolverDnXsyevdx'",
  ].join('\n')
  const [missing, own, ...others] = parsed(text)
  expect(others).toEqual([])
  expect(missing?.message).toBe("use of undeclared identifier 'cusolverDnXgeev'")
  expect(missing?.rendered).not.toContain('cusolverDnXsyevdx')
  expect(missing?.rendered).toContain('^~~~~')
  expect(own?.range?.line).toBe(5)
})

it("says nothing of CUDA about a function of the program's own that no file defines", () => {
  const linked = (symbol: string) =>
    parseLinkMessages(
      `wasm-ld: error: /object/0.o: undefined symbol: ${symbol}`,
      () => 'a.cu',
      () => undefined,
    )[0]?.message
  expect(linked('cudaCheck(cudaError, int)')).toContain('no given source file defines it')
  expect(linked('cudaNoSuchCall')).toContain('this function of the CUDA runtime is not supported')
})

it('shows where a function that no file defines is called', () => {
  const text = [
    'void start(); float *sum(int n); // start()',
    'struct T { void go(); }; template <class U> U twice(U); __global__ void k(int);',
    'int main() { puts("start()"); start();',
    '  T t; t.go(); k<<<1, 1>>>(2);',
    '  return twice<int>(*sum(3)); }',
  ].join('\n')
  const place = (symbol: string) => {
    const message = `wasm-ld: error: /object/0.o: undefined symbol: ${symbol}`
    const { line, column } = parseLinkMessages(
      message,
      () => 'a.cu',
      () => text,
    )[0]!.range!
    return [line, column]
  }
  expect(place('start')).toEqual([3, 31])
  expect(place('T::go()')).toEqual([4, 10])
  expect(place('__device_stub__k(int)')).toEqual([4, 16])
  expect(place('int twice<int>(int)')).toEqual([5, 10])
  expect(place('elsewhere')).toEqual([1, 0])
})

it('says of a kernel in a source that is C++ by its name how it is compiled', () => {
  const noteOf = (text: string) => parsed(text)[0]?.notes?.[0]
  const launch = (file: string) =>
    `${file}:1:13: error: expected expression\n    1 |   k<<<1, 32>>>(p);\n      |            ^\n`
  expect(noteOf("k.cuh:1:31: error: use of undeclared identifier 'threadIdx'\n")).toMatch(/-x cu/)
  expect(noteOf(launch('a.cpp'))).toMatch(/-x cu/)
  expect(noteOf(launch('a.cu'))).toBeUndefined()
})
