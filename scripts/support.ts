/**
 * `npm run support`: writes docs/support.md from what the compiler itself uses: the device and host functions that clang sees
 * in our headers, the runtime's imports, the PTX table, the refusals in the sources, and the results of the corpus
 * (docs/corpus/*.json). `-- --check` only says whether the file is up to date.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deviceCommand, hostCommand } from '../src/frontend/building/commands.ts'
import { virtualFiles } from '../src/frontend/sources/virtualFiles.ts'
import { createClangPool } from '../src/node/clangPool.ts'
import { ownHeaders, packageRoot } from '../src/node/sources.ts'
import { corpusSection } from './support/corpusSection.ts'
import { declaredFunctions, type HeaderFunctions } from './support/declaredFunctions.ts'
import { ptxSection } from './support/ptxSection.ts'
import { refusalSection } from './support/refusalSection.ts'

const root = packageRoot()
const target = join(root, 'docs', 'support.md')
const text = await supportPage()
if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (readFileSync(target, 'utf8') !== text) {
  process.stderr.write('docs/support.md is out of date: npm run support\n')
  process.exitCode = 1
}

async function supportPage(): Promise<string> {
  const { device, host } = await headerFunctions()
  return `# What works

Written by \`npm run support\` from the tables that the compiler uses; do not edit.

- Language: CUDA C++ as clang 22 reads it, \`-std=c++11\` to \`c++20\`. Templates, lambdas, virtual functions, function pointers, recursion, unions, bit fields, \`__int128\`, structures by value, several files.
- Data model: pointers have 4 bytes on both sides, \`long\` and \`size_t\` 8 (4 in programs that need \`size_t\` or \`long\` to be the C and C++ library's, or include CUB's headers of this machine or libcu++'s of their own). Device memory: up to 4 GiB; host memory: up to 4 GiB.
- Host side: the C and C++ library without sockets and processes. Host threads (\`pthread_create\`, \`std::thread\`, OpenMP) run one after another, each to its end. C++ exceptions, setjmp and longjmp work, and arrays of variable length have values as in GCC. Arguments with random numbers are evaluated from right to left as by GCC (where a call has two or more); other arguments, and operators of classes, from left to right.
- Tensor cores: \`nvcuda::wmma\` with m16n16k16, m32n8k16 and m8n32k16 of \`half\`, \`__nv_bfloat16\`, \`signed char\` and \`unsigned char\`, m16n16k8 of \`tf32\`, m8n8k4 of \`double\`; matrices of 4-bit and 1-bit elements are refused. Fragments lie as on 8.0 and later. Products of floats are added one after the other, each rounded once; the machine adds several at once and truncates.
- Kernels launch kernels (into the null, named, tail-launch and fire-and-forget streams; \`cudaDeviceSynchronize\` in a kernel waits for them). Thrust and CUB: with the headers of Debian's \`libthrust-dev\` and \`libcub-dev\`, found by themselves, or from \`-I\` (of version 1 with the vectors of lists that version 2 has); libcu++ (\`cuda::std\`) is part of Warplens. Several devices: \`--devices\`.
- Thread block clusters (compute capability 9.0 and later): \`__cluster_dims__\`, \`cudaLaunchKernelEx\` with cluster dimensions, \`cooperative_groups::this_cluster()\`, the cluster's special registers, \`barrier.cluster\`, \`mapa\`, \`getctarank\`, and \`ld\`, \`st\`, \`atom\` and \`red\` of \`.shared::cluster\`. A block that reads another's shared memory when that has ended, or may have, is an error with the line. Accesses of other blocks' shared memory count as on an H100 (\`smsp__sass_inst_executed_op_dshared_ld.sum\` and its kind) and take no time in predictions; \`mbarrier\`, \`st.async\` and bulk copies between blocks are refused. \`cudaOccupancyMaxActiveClusters\` is modelled.
- Run-time compilation: NVRTC with headers, options, name expressions and logs, and what loads the result: modules, libraries, kernels and variables of both APIs, launches with lists of arguments or buffers, \`cuLink\`. What \`nvrtcGetPTX\` and \`nvrtcGetCUBIN\` give is a text of Warplens's own, with an \`.entry\` for each kernel, which also a later run loads; kernels count line by line under the name that \`nvrtcCreateProgram\` was given. PTX, cubins and fatbins of other compilers are refused, and so is compiling in a browser.
- \`long double\` is a double of 8 bytes in device code, as in nvcc; kernels that take one by value are refused.
- Whatever is not supported stops with its name and the source line; nothing is skipped in silence.

## Device functions

${headerTable(device)}
## Host functions

${headerTable(host)}
${ptxSection()}
${refusalSection(join(root, 'src'))}
${corpusSection(readResults(join(root, 'docs', 'corpus')))}`
}

async function headerFunctions(): Promise<{ device: HeaderFunctions[]; host: HeaderFunctions[] }> {
  const clang = createClangPool()
  try {
    const headers = ownHeaders()
    const main = Object.keys(headers).filter(path =>
      /^(?:cooperative_groups|cuda_fp16|cuda_bf16|cuda_fp8|cuda_fp4|mma|curand|curand_kernel|cublas_v2|cublasLt|cuda|cufft|cufftXt|cusolverDn|cusparse|nvml|nvrtc)\.h$/.test(
        path,
      ),
    )
    const source = 'all.cu'
    const files = { [source]: main.map(path => `#include <${path}>\n`).join('') }
    const world = virtualFiles(files, headers, '/work')
    const options = {
      source,
      language: 'cuda',
      includeDirs: [],
      defines: [],
      includes: [],
      standard: 'c++17',
      optimize: 2,
      architecture: 90,
      exceptions: false,
      filesystem: false,
      jumps: false,
      random: false,
      sorting: false,
    } as const
    const preprocess = async (command: readonly string[]): Promise<string> => {
      const args = command.flatMap(flag => (flag === '-emit-llvm' || flag === '-emit-obj' ? ['-E'] : [flag]))
      const result = await clang.run([...args, ...world.args], world.files)
      return new TextDecoder().decode(result.stdout)
    }
    const [device, host] = await Promise.all([preprocess(deviceCommand(options)), preprocess(hostCommand(options))])
    return { device: declaredFunctions(device, 'device'), host: declaredFunctions(host, 'host') }
  } finally {
    await clang.close()
  }
}

function headerTable(list: readonly HeaderFunctions[]): string {
  const rows = list.map(({ header, names }) => `| \`${header}\` | ${names.map(name => `\`${name}\``).join(' ')} |\n`)
  return `| Header | Functions |\n|---|---|\n${rows.join('')}`
}

function readResults(folder: string): unknown[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .sort()
    .map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown)
}
