/**
 * Programs from LS-CAT (NTNU-HPC-Lab/LS-CAT): 20,000 kernels of public repositories, each with a `main` that says what it is launched
 * with. Those mains allocate as many bytes as there should be elements and leave them as they are, so ours are other ones.
 * In: the data set's folder and the names of kernels (`4901/19`). Out: one program that launches each once, with arrays that are
 * large enough and hold the same values everywhere.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface DatasetKernel {
  /** Repository and number, as in the data set: `4901/19`. */
  readonly id: string
  /** Elements a side of what the kernel works on. */
  readonly size: readonly [x: number, y: number]
}

/** Where the kernels are below the data set's folder. */
const KERNELS = 'data/kernels'
/** Bytes of dynamic shared memory, where a kernel has such. */
const DYNAMIC_SHARED = 16384
/** What the data set gives for each number that is no size: 1 or 2. These make loops of several rounds. */
const SMALL_NUMBERS = [1, 2, 3, 5, 8, 12, 17]

const PRELUDE = `#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <type_traits>
#include <vector>
#include <cuda_runtime.h>
#include <cuda_fp16.h>

static std::vector<void *> arrays;

template <class T> void fill(std::vector<char> &bytes) {
  if constexpr (std::is_arithmetic_v<T>) {
    T *values = reinterpret_cast<T *>(bytes.data());
    for (size_t i = 0; i < bytes.size() / sizeof(T); ++i)
      values[i] = std::is_floating_point_v<T> ? T((i * 37 % 101) / 64.0) : T(i * 13 % 61);
  }
}

/** Eight elements for each that there should be. */
template <class T> void makeArray(T **array, size_t count) {
  using Element = std::conditional_t<std::is_void_v<T>, float, std::remove_const_t<T>>;
  std::vector<char> bytes((8 * count + 4096) * sizeof(Element));
  fill<Element>(bytes);
  void *memory;
  if (cudaMalloc(&memory, bytes.size()) != cudaSuccess) exit(3);
  cudaMemcpy(memory, bytes.data(), bytes.size(), cudaMemcpyHostToDevice);
  arrays.push_back(memory);
  *array = (T *)memory;
}

static void finish(const char *name) {
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) { printf("%s: %s\\n", name, cudaGetErrorString(error)); exit(4); }
  for (void *array : arrays) cudaFree(array);
  arrays.clear();
}
`

/** @throws Error when a kernel is not there, or its `main` is of another form */
export function datasetProgram(folder: string, kernels: readonly DatasetKernel[]): string {
  const parts = kernels.map(kernel => kernelPart(folder, kernel))
  const calls = kernels.map(({ id }, index) => `  if (argc < 2 || atoi(argv[1]) == ${index}) ${spaceOf(id)}::launch();`)
  return `${PRELUDE}\n${parts.join('\n')}\nint main(int argc, char **argv) {\n${calls.join('\n')}\n}\n`
}

/** The kernel with its macros in a namespace of its own, and the function that launches it. */
function kernelPart(folder: string, { id, size }: DatasetKernel): string {
  const home = join(folder, KERNELS, id)
  const read = (file: string) => readFileSync(join(home, file), 'utf8')
  const sources = readdirSync(home).filter(file => file.endsWith('.cu') && file !== 'main.cu')
  const source = withoutIncludes([read('includes.h'), ...sources.map(read)].join('\n'))
  const macros = [...source.matchAll(/^\s*#\s*define\s+(\w+)/gm)].map(([, name]) => `#undef ${name}`)
  const launch = launchFunction(read('main.cu'), source, id, size)
  return `namespace ${spaceOf(id)} {\n${source}\n${launch}\n}\n${[...new Set(macros)].join('\n')}\n`
}

const spaceOf = (id: string): string => `q${id.replace('/', '_')}`

const withoutIncludes = (text: string): string => text.replace(/^\s*#\s*(include|pragma\s+once).*$/gm, '')

function launchFunction(main: string, source: string, id: string, [x, y]: readonly [number, number]): string {
  const declared = /BLOCKY=blocks_\[block_looper\]\[1\];\n([\s\S]*?)int iXSIZE=/.exec(main)?.[1]
  const call = /(\w+)<<<gridBlock,threadBlock>>>\(([^;]*)\);/.exec(main)
  if (declared === undefined || !call) throw new Error(`${id}: the main of another form`)
  const [, kernel, args] = call as unknown as [string, string, string]
  const values = declared
    .replace(/cudaMalloc\(&(\w+), XSIZE\*YSIZE\);/g, 'makeArray(&$1, size_t(XSIZE) * YSIZE);')
    .replace(/(\w+) = [12];/g, (_, name: string) => `${name} = ${smallNumber(id + name)};`)
  return `static void launch() {
const int XSIZE = ${x}, YSIZE = ${y};
${values.trim()}
${kernel}<<<${geometry(source)}>>>(${args});
finish("${kernel}");
}`
}

/** Blocks and grids by the coordinates that the kernel asks for: squares, rows of one line each, or one long row. */
function geometry(source: string): string {
  const uses = (name: string) => new RegExp(`\\b${name}\\b`).test(source)
  const shared = /extern\s+(\w+\s+)*__shared__|extern\s+__shared__/.test(source) ? `, ${DYNAMIC_SHARED}` : ''
  if (uses('threadIdx\\s*\\.\\s*y')) return `dim3((XSIZE + 15) / 16, (YSIZE + 15) / 16), dim3(16, 16)${shared}`
  if (uses('blockIdx\\s*\\.\\s*y')) return `dim3((XSIZE + 127) / 128, YSIZE), 128${shared}`
  return `(XSIZE * YSIZE + 255) / 256, 256${shared}`
}

function smallNumber(name: string): number {
  const sum = [...name].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 65521, 7)
  return SMALL_NUMBERS[sum % SMALL_NUMBERS.length]!
}
