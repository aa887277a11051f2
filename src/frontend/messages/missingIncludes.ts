/**
 * Names that a program uses and clang knows no declaration of, where their beginning tells whose they are: a library's whose header
 * the program does not include, or a part of one that is not supported. In: clang's errors, the user's files. Out: the same
 * errors, with what to do.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import { editDistance } from '../../nearest.ts'
import type { FileTree } from '../clang/clang.ts'
import { isOwn } from '../sources/ownFiles.ts'
import { withoutProposal } from './headerNotes.ts'
import { missingLibrary } from './linkMessages.ts'

/** Names, the headers that bring them in (the first is proposed), and what else has them. */
const HEADERS: readonly (readonly [names: RegExp, headers: readonly string[]])[] = [
  [
    /^(?:curand(?:State|_|Direction|Discrete|StateXORWOW)\w*)$/,
    ['curand_kernel.h', 'curand_mtgp32_kernel.h', 'curand_philox4x32_x.h'],
  ],
  [/^curand[A-Z]\w*$|^CURAND_\w+$/, ['curand.h']],
  [/^cublasLt\w+$/, ['cublasLt.h']],
  [/^cublas[A-Z]\w*$|^CUBLAS_\w+$/, ['cublas_v2.h', 'cublas.h', 'cublas_api.h', 'cublasLt.h']],
  [/^cufft[A-Z]\w*$|^CUFFT_\w+$/, ['cufft.h', 'cufftXt.h']],
  [/^cusparse[A-Z]\w*$|^CUSPARSE_\w+$/, ['cusparse.h', 'cusparse_v2.h']],
  [/^cusolver(?:Dn)?[A-Z]\w*$|^CUSOLVER_\w+$/, ['cusolverDn.h', 'cusolver_common.h']],
  [
    /^(?:half2?|__half2?|__half_raw|__half2float|__float2half\w*|__h(?:add|sub|mul|fma|div)2?)$/,
    ['cuda_fp16.h', 'cuda_fp16.hpp'],
  ],
  [/^(?:(?:__)?nv_bfloat162?|__float2bfloat16\w*|__bfloat162float)$/, ['cuda_bf16.h', 'cuda_bf16.hpp']],
  [
    /^(?:make_)?cu(?:Float|Double)?Complex$|^cuC(?:add|mul|sub|div|abs|onj|real|imag)f?$/,
    ['cuComplex.h', 'cufft.h', 'cublas_v2.h'],
  ],
  [/^cooperative_groups$/, ['cooperative_groups.h']],
  [/^nvrtc[A-Z]\w*$|^NVRTC_\w+$/, ['nvrtc.h']],
  [/^nvcuda$|^wmma$/, ['mma.h']],
  [
    /^CU(?:device|context|stream|event|deviceptr|result|function|module)\b|^CUDA_(?:SUCCESS|ERROR_\w+)$|^cu[A-Z]\w*$/,
    ['cuda.h', 'cudaTypedefs.h'],
  ],
]

interface UnknownName {
  readonly name: string
  /** What clang takes it for from there on. */
  readonly proposal?: string | undefined
  readonly isMisspelt: boolean
}

/** What clang found no declaration of: a name as written, or a member of namespace `cuda` or `cuda::ptx` with its namespace. */
function unknownName(message: string): UnknownName | undefined {
  const [, name, proposal] =
    /^(?:use of undeclared identifier|unknown type name) '(\w+)'(?:; did you mean '([\w:]+)')?/.exec(message) ?? []
  const [, member, space] = /^no member named '(\w+)' in namespace '(cuda|cuda::ptx)'$/.exec(message) ?? []
  if (member !== undefined) return { name: `${space}::${member}`, isMisspelt: false }
  // clang proposes what differs in up to a third of its letters: another function of a library rather than the one that was meant.
  const isMisspelt = name !== undefined && proposal !== undefined && editDistance(name, proposal) <= SLIPS
  return name === undefined ? undefined : { name, proposal, isMisspelt }
}

/** Letters that a slip of the pen changes. */
const SLIPS = 2

/** @param headers ours: only those that we have are proposed */
export function tellIncludes(diagnostics: readonly Diagnostic[], files: FileTree, headers: FileTree): Diagnostic[] {
  const mistaken: Diagnostic[] = []
  const told = diagnostics.map(diagnostic => {
    const unknown = diagnostic.severity === 'error' ? unknownName(diagnostic.message) : undefined
    const library = unknown && !unknown.isMisspelt ? missingLibrary(unknown.name) : undefined
    const note = unknown && (includeOf(unknown.name, files, headers) ?? library)
    if (note === undefined) return diagnostic
    const { notes = [] } = diagnostic
    if (unknown?.proposal !== undefined && !unknown.isMisspelt)
      mistaken.push(...diagnostics.filter(each => isAbout(unknown.proposal!, each) && isAtPlaceOf(diagnostic, each)))
    const { message, lines } = unknown?.isMisspelt
      ? { message: diagnostic.message, lines: [diagnostic.rendered ?? ''] }
      : withoutProposal(diagnostic.message, (diagnostic.rendered ?? '').split('\n'))
    return { ...diagnostic, message, notes: [...notes, note], rendered: [...lines, `note: ${note}`].join('\n') }
  })
  return told.filter((_, index) => !mistaken.includes(diagnostics[index]!))
}

/** An error of arguments that another function than the program's does not take: clang goes on with what it proposes. */
const isAbout = (proposal: string, { message }: Diagnostic): boolean =>
  message.startsWith('no matching function for call to ') && message.includes(`'${proposal}'`)

const isAtPlaceOf = ({ range: one }: Diagnostic, { range: other }: Diagnostic): boolean =>
  one?.file === other?.file && one?.line === other?.line && one?.column === other?.column

function includeOf(name: string, files: FileTree, headers: FileTree): string | undefined {
  const known = HEADERS.find(([names, [first = '']]) => names.test(name) && headers[first] !== undefined)?.[1]
  if (known !== undefined && !includesOneOf(files, known))
    return `'${name}' is of <${known[0]}>, which the program does not include`
  // What the runtime's headers declare is unknown only where nobody includes them.
  const isRuntime =
    /^cuda[A-Z]\w*$/.test(name) &&
    RUNTIME_HEADERS.some(header => new RegExp(`\\b${name}\\b`).test(String(headers[header] ?? '')))
  return isRuntime
    ? `'${name}' is of <cuda_runtime.h>, which is included by itself in .cu files only, as with nvcc`
    : undefined
}

const RUNTIME_HEADERS = ['cuda_runtime_api.h', 'driver_types.h']

const includesOneOf = (files: FileTree, headers: readonly string[]): boolean => {
  const names = headers.map(name => name.replace(/\./g, '\\.')).join('|')
  const includes = new RegExp(`^[ \\t]*#[ \\t]*include[ \\t]*[<"](?:\\w+/)*(?:${names})[>"]`, 'm')
  return Object.entries(files).some(([path, text]) => isOwn(path, text) && includes.test(text))
}
