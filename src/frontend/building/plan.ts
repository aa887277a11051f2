/**
 * Every command that a program takes. In: what the front end was given. Out: clang's commands for each side of each source, LLVM's for the
 * device sides, the linker's; they say all that the result depends on beside the files. What a source needs of ours beyond the usual
 * (exceptions, threads' variables, integers of 128 bits) is found in its text: too much costs time, too little does not compile.
 */
import { userError } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import type { CompileInput } from '../compiledProgram.ts'
import { NO_PROMOTION } from '../passes/asWritten.ts'
import { TIME_STAMP } from '../repairs/repairTimeStamps.ts'
import { KERNEL_LIBRARIES } from '../sources/deviceCode.ts'
import { collectFiles } from '../sources/includes.ts'
import { extensionOf } from '../sources/paths.ts'
import { withoutTexts } from '../sources/textEdits.ts'
import type { CommandOptions, Language } from './commandFlags.ts'
import { deviceCommand, hostCommand, linkCommand, optimizeCommand } from './commands.ts'
import { runtimeUnits, wrappedFunctions } from './runtimeUnits.ts'

/** A throw statement or a try block; words in comments cost only time. */
const EXCEPTIONS = /\bthrow\b|\btry\s*\{/
/** pthread_exit leaves the thread's function by longjmp (include/warplens/host_threads.c). */
const JUMPS = /\b(?:sig)?setjmp\b|\bpthread_exit\b/
const FILESYSTEM = /\bfilesystem\b/
const THREAD_LOCALS = /\bthread_local\b/
const SORTING = /\bqsort(?:_r)?\b/
/** Defined where `long` is a type of its own (wideLongs.ts, widenLongsApart). */
export const APART = 'WARPLENS_APART_LONGS'

const LANGUAGES: Readonly<Record<string, Language>> = {
  '.cu': 'cuda',
  '.cpp': 'c++',
  '.cc': 'c++',
  '.cxx': 'c++',
  '.c': 'c',
}

/** Every command that a program takes. */
export interface Plan {
  readonly devices: readonly string[][]
  /** What the device sides go through next; nothing where they are not optimised. */
  readonly passes: readonly string[]
  readonly asWritten?: true
  readonly deviceFiles: readonly string[]
  readonly hosts: readonly string[][]
  readonly objects: readonly string[]
  readonly link: readonly string[]
}

export const ALLOWED_IMPORTS = '/allowed-imports'

export function planOf(
  units: readonly CommandOptions[],
  { headers, optimize = 2, architecture = 90, deviceOnly = false, asWritten }: CompileInput,
): Plan {
  if (units.length === 0) throw userError('no-source', 'no source file given')
  const cuda = units.filter(({ language }) => language === 'cuda')
  const hosts = deviceOnly ? [] : [...units, ...runtimeUnits(units)]
  const objects = hosts.map((_, index) => `/object/${index}.o`)
  return {
    devices: cuda.map(deviceCommand),
    passes: optimize === 0 ? [] : [...optimizeCommand({ optimize, architecture }), ...(asWritten ? NO_PROMOTION : [])],
    ...(asWritten && { asWritten: true as const }),
    deviceFiles: cuda.map(({ source }) => source),
    hosts: hosts.map(hostCommand),
    objects,
    link: linkCommand(objects, ALLOWED_IMPORTS, wrappedFunctions(units, headers)),
  }
}

export function commandOptions(input: CompileInput, source: string): CommandOptions {
  if (input.files[source] === undefined) throw userError('no-such-file', `${source}: no such file`)
  const named = input.language ?? LANGUAGES[extensionOf(source)]
  if (named === undefined) {
    const known = Object.keys(LANGUAGES).join(', ')
    throw userError('unknown-source', `${source}: not a source file that can be compiled (known: ${known})`)
  }
  const isCudaInC = named === 'c' && callsLibrariesFromC(input)
  // Kernels that are ours are compiled with whoever calls them: such a C++ source is CUDA here.
  const language = isCudaInC || (named === 'c++' && includes(input, source, KERNEL_LIBRARIES)) ? 'cuda' : named
  return {
    source,
    language,
    includeDirs: input.includeDirs ?? [],
    defines: input.defines ?? [],
    includes: [
      ...(mentions(input.files, TIME_STAMP) ? ['x86intrin.h'] : []),
      ...(isCudaInC ? ['warplens/c_as_cuda.h'] : []),
      ...(language === 'cuda' && mentions(input.files, INT128) ? ['warplens/device_int128.h'] : []),
      ...(mentions(input.files, TEXTURE_REFERENCE) ? ['warplens/texture_references.h'] : []),
      ...(named !== 'c' && input.defines?.includes(APART) ? ['warplens/apart_longs.h'] : []),
      ...(input.includes ?? []),
    ],
    standard: input.standard ?? 'c++17',
    optimize: input.optimize ?? 2,
    architecture: input.architecture ?? 90,
    floats: input.floats,
    exceptions: mentions(input.files, EXCEPTIONS),
    filesystem: mentions(input.files, FILESYSTEM),
    jumps: mentions(input.files, JUMPS),
    sorting: mentions(input.files, SORTING),
    threadLocals: mentions(input.files, THREAD_LOCALS),
  }
}

/** What has such a name otherwise is the program's own. */
const TEXTURE_REFERENCE = /\b(?:texture|surface)\s*</

const INT128 = /\b__u?int128(?:_t)?\b/

/** Libraries that are C++ here, as those are and cuRAND, and calls of them. */
const LIBRARIES = /^[ \t]*#[ \t]*include[ \t]*[<"](?:cublas|cufft|cusparse|cusolverDn|curand)\w*\.h[>"]/m
const LIBRARY_CALL = /\b(?:cublas|cufft|cusparse|cusolverDn|curand)[A-Z]\w*\s*\(/

/** Whether a source includes one of `headers`, itself or through others. */
function includes(input: CompileInput, source: string, headers: RegExp): boolean {
  if (!mentions(input.files, headers)) return false
  const read = (path: string): string | undefined => {
    const text = input.files[path]
    return typeof text === 'string' ? text : undefined
  }
  const { includeDirs = [], workingDirectory = '/work' } = input
  return mentions(collectFiles({ ...input, sources: [source], includeDirs, workingDirectory, read }), headers)
}

/**
 * A C source that calls such a library could not be linked as C. All C sources are CUDA then: they call each other by C++'s names.
 */
function callsLibrariesFromC(input: CompileInput): boolean {
  return input.sources.some(source => {
    const text = input.files[source]
    const isC = (input.language ?? LANGUAGES[extensionOf(source)]) === 'c'
    return (
      isC && typeof text === 'string' && LIBRARY_CALL.test(withoutTexts(text)) && includes(input, source, LIBRARIES)
    )
  })
}

export function mentions(files: FileTree, words: RegExp): boolean {
  return Object.values(files).some(text => typeof text === 'string' && words.test(text))
}
