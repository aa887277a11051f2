/** What a user reads when a program does not compile: clang's words, the user's file and line, each message once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UserError } from '../../src/diagnostic.ts'
import { type CompileInput, compileProgram } from '../../src/frontend/compile.ts'
import { type ClangPool, createClangPool } from '../../src/node/clangPool.ts'
import { ownHeaders } from '../../src/node/sources.ts'
import { precompiled } from '../precompiled.ts'

let clang: ClangPool
beforeAll(() => {
  clang = createClangPool()
})
afterAll(() => clang.close())

const TIMEOUT = { timeout: 60_000 }

function compile(files: Record<string, string>, options: Partial<CompileInput> = {}) {
  return compileProgram(
    { sources: ['k.cu'], files, headers: ownHeaders(), optimize: 0, ...options },
    clang,
    precompiled,
  )
}

async function failure(files: Record<string, string>, options: Partial<CompileInput> = {}): Promise<UserError> {
  const outcome = await compile(files, options).catch((error: unknown) => error)
  if (!(outcome instanceof UserError)) throw new Error(`expected a UserError, got ${String(outcome)}`)
  return outcome
}

describe('errors', TIMEOUT, () => {
  test('a syntax error keeps file, line, caret and is told once', async () => {
    const source = '__global__ void k(int *p) {\n  p[0] = 1\n}\nint main() { return 0; }\n'
    const error = await failure({ 'dir/k.cu': source }, { sources: ['dir/k.cu'] })
    expect(error.diagnostics).toHaveLength(1)
    const [diagnostic] = error.diagnostics
    expect(diagnostic).toMatchObject({ severity: 'error', range: { file: 'dir/k.cu', line: 2, column: 11 } })
    expect(diagnostic?.message).toBe("expected ';' after expression")
    expect(error.message).toContain('dir/k.cu:2:11: error: ')
    expect(error.message).toMatch(/2 \|\s+p\[0\] = 1\n\s+\|\s+\^/)
  })

  test('a call of a device function by the host is an error, and so is its address beside it', async () => {
    const source = '__device__ int f(int x) { return x; }\nint main() { void *p = (void *)f; return f(1); }\n'
    const error = await failure({ 'k.cu': source })
    expect(error.message).toContain("reference to __device__ function 'f' in __host__ function")
    expect(error.message).not.toContain('WARPLENS')
  })

  test('but nvcc does not look at what only the other side has, so that both may have a function of their own', async () => {
    const declared = (words: string) => `template <class T> ${words}inline void add(T &a, T b) { a += b; }\n`
    const rest = '__global__ void k(int *p) { add(*p, one()); }\nint main() { int x = one(); add(x, 1); return x; }\n'
    const name =
      '#ifdef __CUDA_ARCH__\n#define SIDE __device__\n#else\n#define SIDE\n#endif\nSIDE int one() { return 1; }\n'
    const both = `#ifdef __CUDA_ARCH__\n${declared('__device__ ')}#else\n${declared('')}#endif\n`
    const { diagnostics } = await compile({ 'k.cu': name + both + rest })
    expect(diagnostics).toEqual([])
    const error = await failure({ 'k.cu': name + declared('__device__ ') + rest })
    expect(error.diagnostics.map(({ message }) => message)).toEqual(["no matching function for call to 'add'"])
    const other = await failure({ 'k.cu': name + declared('') + rest })
    expect(other.diagnostics.map(({ message }) => message)).toEqual(["no matching function for call to 'add'"])
  })

  test('nor where a macro makes such a function, with a name that it puts together', async () => {
    const side = '#ifdef __CUDA_ARCH__\n#define SIDE __device__\n#else\n#define SIDE\n#endif\n'
    const macro =
      '#define ALWAYS(f) f __attribute__((always_inline))\n#define MAKE(W) SIDE inline ALWAYS(int get##W(int)); \\\nSIDE inline \\\nint get##W(int a) { return a + W; }\nMAKE(3)\n'
    const rest = '__global__ void k(int *p) { *p = get3(1); }\nint main() { return get3(2); }\n'
    const { diagnostics } = await compile({ 'k.cu': side + macro + rest })
    expect(diagnostics).toEqual([])
    const files = {
      'get.h': side + macro,
      'k.cu': `#include "get.h"\n${rest}`,
      'c.c': '#include "get.h"\nint c = 1;\n',
    }
    expect((await compile(files, { sources: ['k.cu', 'c.c'] })).diagnostics).toEqual([])
  })

  test('nor where a type is one class on the device and another on the host', async () => {
    const named = (side: string, name: string, body: string): string =>
      `struct ${name} { int n; ${side} ${name}(int a) : n(a) {} ${side} int get() const { ${body} } };\n`
    const classes =
      named('__device__', 'Gpu', 'return __shfl_sync(~0u, n, 0);') + named('__host__', 'Cpu', 'return rand() * n;')
    const chosen = '#ifdef __CUDA_ARCH__\ntypedef Gpu Env;\n#else\ntypedef Cpu Env;\n#endif\n'
    const kernel = '__global__ void k(int *p) { Env e(3); *p = e.get(); }\n'
    const main = 'int main() { Env e(4); return e.get(); }\n'
    const source = `#include <cstdlib>\n${classes}${chosen}`
    expect((await compile({ 'k.cu': source + kernel + main })).diagnostics).toEqual([])
    const error = await failure({ 'k.cu': `${source}__global__ void k(int *p) { Cpu e(3); *p = e.n; }\n${main}` })
    expect(error.diagnostics[0]?.message).toMatch(/^no matching constructor for initialization of 'Cpu'/)
  })

  test('typeof is a word where no strict standard is asked for, and nothing else changes for it', async () => {
    const source =
      '#include <cstdlib>\nint main() { int *p; p = (typeof(p))malloc(sizeof(*p) * 2); return p == nullptr; }\n'
    expect((await compile({ 'k.cu': source })).diagnostics).toEqual([])
  })

  test('shared variables that are extern and no arrays are variables of the block', async () => {
    const source =
      '__global__ void k(int *p) { extern __shared__ int last; last = 3; __syncthreads(); *p = last; }\nint main() {}\n'
    const { deviceIr } = await compile({ 'k.cu': source })
    expect(deviceIr[0]?.text).toMatch(/^@.*4last = internal addrspace\(3\) global i32 undef/m)
  })

  test('kernels that take long doubles by value are refused, those that compute with them or point to them are not', async () => {
    const source = `struct S { int a; long double x; };
__global__ void k(long double v, double *p) { *p = v; }
__global__ void s(S v, double *p) { *p = v.x; }
__global__ void fine(double v, long double *p) { *p = (long double)v + 1; }
int main() { k<<<1, 1>>>(1.5L, nullptr); s<<<1, 1>>>(S(), nullptr); fine<<<1, 1>>>(1, nullptr); }
`
    const { diagnostics } = await failure({ 'k.cu': source }, { optimize: 2 })
    expect(diagnostics).toMatchObject([
      { code: 'unsupported-type', range: { file: 'k.cu', line: 2 } },
      { code: 'unsupported-type', range: { file: 'k.cu', line: 3 } },
    ])
    expect(diagnostics[1]?.message).toMatch(/^kernel s takes a long double by value/)
  })

  test('a host-only error is found too, beside a device one', async () => {
    const source = '__global__ void k() { nothing1(); }\nint main() { nothing2(); }\n'
    const error = await failure({ 'k.cu': source })
    expect(error.diagnostics.map(({ message }) => message)).toEqual([
      "use of undeclared identifier 'nothing1'",
      "use of undeclared identifier 'nothing2'",
    ])
  })

  test('static arrays that clang has no memory for are what is told of', async () => {
    const run: ClangPool['run'] = (args, files) =>
      args.includes('-emit-obj') && args.includes('k.cu')
        ? Promise.resolve({
            exitCode: 134,
            stdout: new Uint8Array(),
            stderr: 'LLVM ERROR: out of memory\nAllocation failed\n',
          })
        : clang.run(args, files)
    const files = { 'k.cu': 'float a[1 << 28]; int main() { return a[0] != 0; }\n' }
    const input = { sources: ['k.cu'], files, headers: ownHeaders(), optimize: 0 } as const
    const error: unknown = await compileProgram(input, { ...clang, run }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ diagnostics: [{ code: 'static-arrays', range: { file: 'k.cu' } }] })
  })

  test('what the vectorisers of clang fail over compiles without them; what clang fails over by itself is no mistake of the program', async () => {
    const commands: (readonly string[])[] = []
    const assertion = (file: string): ClangPool['run'] => {
      const stderr = `Assertion failed: a == b (/llvm/lib/Transforms/${file}: f: 7271)\n`
      const crash = { exitCode: 134, stdout: new Uint8Array(), stderr }
      return (args, files) => {
        const isHost = args.includes('-emit-obj') && args.includes('k.cu')
        if (isHost) commands.push(args)
        return isHost && (args.includes('-vectorize-loops') || file.startsWith('Scalar'))
          ? Promise.resolve(crash)
          : clang.run(args, files)
      }
    }
    const files = { 'k.cu': 'int main() { return 0; }\n' }
    const input = { sources: ['k.cu'], files, headers: ownHeaders(), optimize: 2 } as const
    const program = await compileProgram(input, { ...clang, run: assertion('Vectorize/LoopVectorize.cpp') })
    expect(program.hostWasm.length).toBeGreaterThan(0)
    const vectors = commands.map(args => args.filter(arg => arg.startsWith('-vectorize-')).length)
    expect(vectors).toEqual([2, 0])
    const failing = { ...clang, run: assertion('Scalar/GVN.cpp') }
    const error: unknown = await compileProgram(input, failing).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ diagnostics: [{ code: 'compiler-crash', range: { file: 'k.cu' } }] })
    expect(commands).toHaveLength(3)
  })

  test('notes stay with their error', async () => {
    const source = '__global__ void k(int n) {}\n__global__ void k(int *p) {}\nint main() { k<<<1, 1>>>(1, 2); }\n'
    const { diagnostics } = await failure({ 'k.cu': source })
    expect(diagnostics[0]?.message).toContain("no matching function for call to 'k'")
    expect(diagnostics[0]?.notes?.[0]).toMatch(/^k\.cu:2:17: candidate function not viable/)
  })

  test('built-in variables and functions of CUDA are called what CUDA calls them, and our headers are not shown', async () => {
    const source = `__global__ void k(float *p) {
  p[threadIdx.X] = blockDim.q;
  threadIdx.x = 1;
  __syncthread();
  atomicAdd(p, "a");
  float4 v = *p;
}
int main() { return blockIdx.y; }
`
    const { diagnostics, message } = await failure({ 'k.cu': source })
    expect(diagnostics.map(({ message, range }) => `${range?.line}: ${message}`)).toEqual([
      "2: no member named 'X' in 'uint3'",
      "2: no member named 'q' in 'dim3'",
      "3: the built-in variables are read only: nothing can be assigned to their member 'x'",
      "4: use of undeclared identifier '__syncthread'; did you mean '__syncthreads'?",
      "5: no matching function for call to 'atomicAdd'",
      "6: no viable conversion from 'float' to 'float4' (aka 'struct float4')",
      '8: blockIdx.y is there in kernels and device functions only; this is a function of the host',
    ])
    expect(message).not.toMatch(/__cuda_builtin|__fetch_builtin|__WARPLENS|\/inc\/|scratch space/)
    expect(message).toMatch(
      /note: candidate function not viable: no known conversion from 'const char\[2\]' to 'float'/,
    )
    expect(message).toMatch(/note: \d+ more candidates? of this name/)
  })

  test('fragments that there are none of are refused by name', async () => {
    const fragment = (type: string, shape: string) =>
      `#include <mma.h>\nusing namespace nvcuda::wmma;\n__global__ void k() {\n  fragment<matrix_a, ${shape}, ${type}, row_major> f;\n  fill_fragment(f, 0);\n}\nint main() {}\n`
    const narrow = await failure({ 'k.cu': fragment('experimental::precision::u4', '8, 8, 32') })
    expect(narrow.message).toContain('wmma::precision::u4: matrices of 4-bit and 1-bit elements are not supported')
    expect(narrow.message).toContain('k.cu:4:')
    const shaped = await failure({ 'k.cu': fragment('half', '16, 8, 16') })
    expect(shaped.message).toContain('Warplens has no wmma fragment of this shape and type')
  })

  test('the length that long has here is not told beside an error: it is repaired where the program compiles', async () => {
    const printing = '#include <stdio.h>\nint main() { unsigned long x = 1; printf("%lx %d\\n", x, &x); }\n'
    const error = await failure({ 'b.cu': printing, 'k.cu': 'void f() { absent(); }\n' }, { sources: ['b.cu', 'k.cu'] })
    const warnings = error.diagnostics.filter(({ severity }) => severity === 'warning')
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining("specifies type 'int' but")])
  })

  test('a missing header is named, with the include chain', async () => {
    const files = { 'k.cu': '#include "a.h"\nint main() {}\n', 'a.h': '\n#include "absent.h"\n' }
    const error = await failure(files)
    expect(error.diagnostics[0]).toMatchObject({ range: { file: './a.h', line: 2 } })
    expect(error.diagnostics[0]?.message).toContain("'absent.h' file not found")
    expect(error.message).toContain('In file included from k.cu:1:')
  })

  test('a function that no file defines is named', async () => {
    const error = await failure({ 'k.cu': 'void helper(int);\nint main() { helper(1); }\n' })
    expect(error.diagnostics).toHaveLength(1)
    expect(error.diagnostics[0]).toMatchObject({ code: 'undefined-symbol', range: { file: 'k.cu' } })
    expect(error.message).toContain('helper(int)')
  })

  test('a kernel that no file defines is called what the program calls it', async () => {
    const error = await failure({
      'k.cu': 'template <int n> __global__ void work(int *);\nint main() { work<3><<<1, 1>>>(nullptr); }\n',
    })
    expect(error.diagnostics).toHaveLength(1)
    expect(error.diagnostics[0]?.message).toMatch(/^undefined kernel work<3>\(int\*\), used in k\.cu: no given source/)
  })

  test('a kernel that two files define is called what the program calls it', async () => {
    const kernel = (n: number) => `__global__ void work(int *p) { *p = ${n}; }\n`
    const files = { 'k.cu': `${kernel(1)}int main() { work<<<1, 1>>>(nullptr); }\n`, 'b.cu': kernel(2) }
    const error = await failure(files, { sources: ['k.cu', 'b.cu'] })
    expect(error.diagnostics).toHaveLength(1)
    expect(error.diagnostics[0]?.message).toMatch(/^kernel work\(int\*\) is defined more than once/)
    expect(error.diagnostics[0]?.notes).toEqual(['defined in k.cu', 'defined in b.cu'])
  })

  test('two files have a main, one with parameters and one without', async () => {
    const files = { 'k.cu': 'int main() {}\n', 'b.cpp': 'int main(int, char **) {}\n', 'c.cpp': 'void other() {}\n' }
    const error = await failure(files, { sources: ['k.cu', 'c.cpp', 'b.cpp'] })
    expect(error.diagnostics).toHaveLength(1)
    expect(error.diagnostics[0]?.message).toMatch(/^main is defined more than once/)
    expect(error.diagnostics[0]?.notes).toEqual(['defined in k.cu', 'defined in b.cpp'])
  })

  test('a function of the runtime in a C++ file that includes nothing of CUDA is not called unsupported', async () => {
    const error = await failure({ 'm.cpp': 'int main() { return cudaDeviceSynchronize(); }\n' }, { sources: ['m.cpp'] })
    expect(error.diagnostics[0]?.notes).toEqual([
      "'cudaDeviceSynchronize' is of <cuda_runtime.h>, which is included by itself in .cu files only, as with nvcc",
    ])
  })

  test("a name of a library whose header is missing, and one that the library's header has not", async () => {
    const error = await failure({ 'k.cu': 'curandState *s;\nint main() { cublasCreate(0); }\n' })
    expect(error.diagnostics.map(({ notes }) => notes)).toEqual([
      ["'curandState' is of <curand_kernel.h>, which the program does not include"],
      ["'cublasCreate' is of <cublas_v2.h>, which the program does not include"],
    ])
    const absent = await failure({ 'k.cu': '#include <cublas_v2.h>\nint main() { cublasAbsent(0); }\n' })
    expect(absent.diagnostics[0]?.notes).toEqual(['this CUDA library, or this part of it, is not supported'])
  })

  test('many functions that no file defines: the linker stops, and says nothing of its own options', async () => {
    const numbers = Array.from({ length: 40 }, (_, index) => index)
    const source =
      numbers.map(index => `void f${index}();`).join('') +
      `int main() {${numbers.map(index => `f${index}();`).join('')}}`
    const error = await failure({ 'k.cu': source })
    expect(error.message).toContain('there are more errors than these')
    expect(error.message).not.toContain('-error-limit')
  })

  test('a program without main', async () => {
    const error = await failure({ 'k.cu': '__global__ void k() {}\n' })
    expect(error.diagnostics[0]?.code).toBe('no-main')
  })

  test('a library that we do not have', async () => {
    const error = await failure({
      'k.cu': 'extern "C" int cublasCreate_v2(void *);\nint main() { cublasCreate_v2(0); }\n',
    })
    expect(error.message).toMatch(/cublasCreate_v2.*not supported/)
  })

  test('two definitions of one function', async () => {
    const files = { 'k.cu': 'int f() { return 1; }\nint main() { return f(); }\n', 'b.cpp': 'int f() { return 2; }\n' }
    const error = await failure(files, { sources: ['k.cu', 'b.cpp'] })
    expect(error.diagnostics[0]?.code).toBe('duplicate-symbol')
    expect(error.message).toMatch(/f\(\)[\s\S]*k\.cu[\s\S]*b\.cpp/)
  })

  test('files that are not there or not sources', async () => {
    expect((await failure({}, { sources: ['k.cu'] })).message).toContain('k.cu: no such file')
    expect((await failure({ 'k.py': '' }, { sources: ['k.py'] })).message).toContain('k.py: not a source file')
  })
})

describe('warnings', TIMEOUT, () => {
  test('a program that tells long and long long apart has both; where that cannot be, it is told where', async () => {
    const apart = 'int f(long) { return 1; }\nint f(long long) { return 2; }\n'
    expect((await compile({ 'k.cu': `${apart}int main() { return f(1L) + f(2LL); }\n` })).diagnostics).toEqual([])
    // What else is wrong is told of the program as it can be, and not that it has one thing twice.
    const files = { 'a.cu': `${apart}int main() { return f(1L); }\n`, 'b.cu': 'int g() { return nothing; }\n' }
    const other = await failure(files, { sources: ['a.cu', 'b.cu'] })
    expect(other.diagnostics.map(({ message }) => message)).toEqual(["use of undeclared identifier 'nothing'"])
    const source = `${apart}typedef long word;\nenum E : word { one };\nint main() { return f(1L); }\n`
    const { diagnostics } = await compile({ 'k.cu': source })
    expect(diagnostics).toMatchObject([{ code: 'data-model', severity: 'warning', range: { file: 'k.cu', line: 2 } }])
    expect(diagnostics[0]?.message).toContain('long has 4 bytes in this program')
  })

  test('errors beside a long are told in the words and columns of the source', async () => {
    const source = 'int main() {\n  unsigned long a = 1, b = typo;\n}\n'
    const { diagnostics } = await failure({ 'k.cu': source })
    expect(diagnostics).toMatchObject([{ severity: 'error', range: { line: 2, column: 28 } }])
    expect(diagnostics[0]?.rendered).toContain('unsigned long a = 1, b = typo;')
  })

  test('a shift past the 32 bits of size_t is surfaced', async () => {
    const source =
      'typedef decltype(sizeof(0)) word;\nword high(word x) { return x >> 40; }\nint main() { return (int)high(1); }\n'
    const { diagnostics } = await compile({ 'k.cu': source })
    expect(diagnostics).toHaveLength(1)
    expect(diagnostics[0]).toMatchObject({
      code: 'compiler-shift-count-overflow',
      severity: 'warning',
      range: { line: 2 },
    })
  })
})
