/**
 * wasm-ld's messages as {@link Diagnostic} values: an undefined function is the common one, and is reported once by its
 * source name with the functions that call it.
 */
import type { Diagnostic, SourceRange } from '../../diagnostic.ts'
import { rangeAt, withoutTexts } from '../sources/textEdits.ts'

/** `fileOf`: the source file of an object's path; `textOf`: what a source file says. */
export function parseLinkMessages(
  text: string,
  fileOf: (object: string) => string,
  textOf: (file: string) => string | undefined,
): Diagnostic[] {
  const undefinedIn = new Map<string, Set<string>>()
  const diagnostics: Diagnostic[] = []
  let isCut = false
  for (const line of text.split('\n')) {
    const missing = /^wasm-ld: error: (.+?): undefined symbol: (.+)$/.exec(line)
    const duplicate = /^wasm-ld: error: duplicate symbol: (.+)$/.exec(line)
    const defined = /^>>> defined in (.+)$/.exec(line)
    if (missing) {
      const [, object = '', symbol = ''] = missing
      const files = undefinedIn.get(symbol) ?? new Set<string>()
      undefinedIn.set(symbol, files.add(fileOf(object)))
    } else if (duplicate) {
      const message = `${inUsersWords(duplicate[1]!)} is defined more than once; keep one definition, or make the others static or inline`
      diagnostics.push({ code: 'duplicate-symbol', severity: 'error', message })
    } else if (defined) {
      const last = diagnostics.pop()
      if (last) diagnostics.push({ ...last, notes: [...(last.notes ?? []), `defined in ${fileOf(defined[1]!)}`] })
    } else if (/^wasm-ld: error: too many errors emitted/.test(line)) {
      isCut = true
    } else if (/^wasm-ld: error: /.test(line)) {
      diagnostics.push({ code: 'link', severity: 'error', message: line.slice('wasm-ld: error: '.length) })
    }
  }
  for (const [symbol, files] of undefinedIn) diagnostics.push(undefinedSymbol(symbol, [...files], textOf))
  if (isCut) {
    const message = 'there are more errors than these; most go when all sources of the program are given'
    diagnostics.push({ code: 'link', severity: 'error', message })
  }
  return diagnostics
}

/** What clang calls the host's side of a kernel. */
const KERNEL = /^(?:void )?__device_stub__(.+)$/

const inUsersWords = (symbol: string): string => symbol.replace(KERNEL, 'kernel $1')

/** The last part of a function's name, without what its template was given and its parameters. */
const LAST_PART = /(\w+)(?:<[^()]*>)?(?:\(.*)?$/

/** The linker names files only: where the first of them calls the function first, its first line where a header does. */
function firstCall(symbol: string, file: string, text: string | undefined): SourceRange {
  const name = LAST_PART.exec(symbol.replace(KERNEL, '$1').replace(/\(.*/, ''))?.[1]
  const code = withoutTexts(text ?? '')
  // What stands behind a type, or behind the `*` of one, is a declaration.
  const call = new RegExp(
    String.raw`(?<!\b(?!(?:return|else|do)\b)\w+\s*|[*&>]\s*)(?<!\w)${name}\s*(?:<[^;{}()]*>\s*)?(?:\(|<<<)`,
  )
  const at = name === undefined ? -1 : code.search(call)
  if (at < 0) return { file, line: 1, column: 0 }
  return rangeAt(file, code, at)
}

function undefinedSymbol(
  symbol: string,
  files: readonly string[],
  textOf: (file: string) => string | undefined,
): Diagnostic {
  const where = files.join(', ')
  const isKernel = KERNEL.test(symbol)
  // With its parameters it is a C++ function: the program's own, whatever its name begins with.
  const advice = symbol.includes('(') && !symbol.startsWith('std::') ? undefined : missingLibrary(symbol)
  return {
    code: 'undefined-symbol',
    severity: 'error',
    message: `undefined ${isKernel ? inUsersWords(symbol) : `function ${symbol}`}, used in ${where}: ${advice ?? 'no given source file defines it'}`,
    range: firstCall(symbol, files[0] ?? '', textOf(files[0] ?? '')),
  }
}

/** Why a name is missing, where the name tells. */
export function missingLibrary(name: string): string | undefined {
  return LIBRARIES.find(([pattern]) => pattern.test(name))?.[1]
}

const LIBRARIES: readonly (readonly [RegExp, string])[] = [
  [
    /^curand\w*mtgp32/i,
    "cuRAND's MTGP32 is not supported (its tables come with the CUDA toolkit): take another generator, as curandState or curandStatePhilox4_32_10_t",
  ],
  [
    /^warpSize$/,
    "it is the device's, and nvcc does not link such a program either: on the host take cudaDeviceProp::warpSize, or 32",
  ],
  [
    /^cusparse[SDCZ](?:csrm[vm]2?|bsrmv|hybmv|csrs[vm]2?_|dense2cs[rc]$|cs[rc]2dense$|csr2csc$|doti$|dotci$|axpyi$|gthrz?$|sctr$|roti$)/,
    'the CUDA toolkit has no such function since version 12 at the latest: take the generic ones (cusparseDenseToSparse_convert, cusparseSpMV, cusparseSpMM, cusparseSpSV)',
  ],
  [
    /^cuda(?:Lib)?Xt[A-Z]|^cufftXt(?:SetGPUs|Malloc|Memcpy|Free|ExecDescriptor|QueryPlan)|^CUFFT_(?:XT_FORMAT|COPY)_/,
    'plans of cuFFT for several GPUs (cufftXtSetGPUs) are not supported: take cufftPlan1d and its kin',
  ],
  [/^cu(?:blas|sparse|fft|dnn|solver|rand)[A-Z]/, 'this CUDA library, or this part of it, is not supported'],
  [/^nccl[A-Z]/, 'NCCL is not supported'],
  [/^nvrtc[A-Z]/, 'this part of NVRTC is not supported'],
  [/^nvJitLink[A-Z]/, 'nvJitLink is not supported: the driver API links what NVRTC compiles (cuLinkCreate)'],
  [/^cupti[A-Z]/, 'CUPTI is not supported'],
  [
    /^cudaOcc[A-Z]|^CUDA_OCC_/,
    "the stand-alone calculator of cuda_occupancy.h is not supported: take the runtime's cudaOccupancyMaxActiveBlocksPerMultiprocessor and its kin",
  ],
  [
    /^cuda(?:Lib)?XtDesc/,
    'cuFFT over several devices (cufftXtSetGPUs and its kin) is not supported: take a plan of one device',
  ],
  [/^cuda[A-Z]/, 'this function of the CUDA runtime is not supported'],
  [
    /^cuTensorMap|^CU_TENSOR_MAP_|^cuda::device$/,
    'copies of tensors (TMA: cuTensorMapEncodeTiled, cuda::device::experimental) are not supported: take cuda::memcpy_async or cp.async',
  ],
  [
    /^cu[A-Z]/,
    'this function of the CUDA driver API is not supported; contexts, memory, arrays, textures, streams, events, modules, launches and occupancy are: take the runtime API for the rest (cudaGraphLaunch, cudaMallocFromPoolAsync)',
  ],
  [
    /^cuda::ptx::/,
    'of cuda::ptx there are special registers, fences, barriers of clusters, bits and bytes; barriers in shared memory and bulk copies are not supported: take cuda::barrier and cuda::memcpy_async',
  ],
  [/^(?:__cxa_throw|__cxa_allocate_exception|_Unwind_)/, 'C++ exceptions are not supported'],
  [/^pthread_|^std::.*thread/, 'host threads are not supported'],
  [
    /^_mm(?:256|512)?_|^__m(?:64|128|256|512)/,
    'the vector instructions of x86 are not supported on the host side, which is WebAssembly: leave that part out, or write it as a loop',
  ],
  [/^(?:v?fork|waitpid|exec[lv]p?e?)$/, 'other processes are not supported'],
  [/^dl(?:open|sym|close|error)$/, 'libraries that are loaded while the program runs are not supported'],
]
