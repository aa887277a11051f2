/**
 * What the commands of both sides have in common: language and warnings, where headers lie, what stands before the first line, what the two
 * call each other. In: what a source is compiled with. Out: arguments in clang's order; both sides must see the same types.
 */
import type { FloatMode } from '../../ir/floatMode.ts'
import { BOTH_SIDES } from '../repairs/repairConditionalSides.ts'
import { WIDE_LONG_DEFINES } from '../sizes/wideLongs.ts'
import { wideSizeDefines } from '../sizes/wideSizes.ts'
import { HEADER_ROOT } from '../sources/virtualFiles.ts'
import { lateDefinitions } from './definitions.ts'

export type Optimization = 0 | 1 | 2 | 3
export type Language = 'cuda' | 'c++' | 'c'

export interface CommandOptions {
  /** Path as the user typed it; it is what diagnostics and debug information show. */
  readonly source: string
  readonly language: Language
  readonly includeDirs: readonly string[]
  /** `NAME` or `NAME=value`. */
  readonly defines: readonly string[]
  /** `-include` files of the user. */
  readonly includes: readonly string[]
  /** For example `c++17`; C files ignore it. */
  readonly standard: string
  readonly optimize: Optimization
  /** `__CUDA_ARCH__ / 10`, 90 for the H200. */
  readonly architecture: number
  /** The program says throw, try or catch. */
  readonly exceptions: boolean
  /** The program names std::filesystem. */
  readonly filesystem: boolean
  /** The program uses setjmp, or what needs it. */
  readonly jumps: boolean
  /** The program sorts with the C library. */
  readonly sorting: boolean
  /** The program has variables of threads, whose destructors run at the end. */
  readonly threadLocals?: boolean
  /** Kernels launch kernels, or the host names variables of other files'. */
  readonly relocatable?: boolean
  readonly floats?: FloatMode | undefined
  /** Templates call functions that are declared behind them. */
  readonly lateTemplates?: boolean
  /** clang does not go beyond reading where a format does not fit: what it makes would be thrown away. */
  readonly stopsAtFormats?: boolean
}

/** All of them, not the first twenty. */
export const STOPPING_AT_FORMATS: readonly string[] = [
  '-Werror=format',
  // The group brings these, which are not told of.
  '-Wno-format-security',
  '-Wno-format-extra-args',
  // nor are these faults of a length.
  '-Wno-error=format-insufficient-args',
  '-Wno-error=format-invalid-specifier',
  '-Wno-error=format-zero-length',
  '-Wno-error=format-truncation',
  '-Wno-error=format-overflow',
  '-Wno-error=nonnull',
  '-ferror-limit',
  '0',
]

/** The command that goes on where a format does not fit; itself where it does. */
export function withoutFormatStops(command: readonly string[]): readonly string[] {
  const place = command.indexOf(STOPPING_AT_FORMATS[0]!)
  return place < 0 ? command : command.toSpliced(place, STOPPING_AT_FORMATS.length)
}

/** Before the first line of a source. GCC's C++ library has <cstdlib> in nearly every header, and programs rely on it. */
const FORCED: Readonly<Record<Language, readonly string[]>> = {
  cuda: [`${HEADER_ROOT}/warplens/runtime.h`],
  // The last two set arrays of variable length (repairArrays.ts) and keep arguments (argumentOrder.ts).
  'c++': [
    `${HEADER_ROOT}/warplens/host_new.h`,
    'stdlib.h',
    `${HEADER_ROOT}/warplens/initialize_array.h`,
    `${HEADER_ROOT}/warplens/argument_order.h`,
  ],
  c: [],
}

export const EXCEPTIONS = ['-fcxx-exceptions', '-fexceptions']

export function throwsExceptions({ exceptions, language }: CommandOptions): boolean {
  return exceptions && language !== 'c'
}

/**
 * clang takes launches by kernels as relocatable code only, and shows a file's variables to other files in such; both sides then
 * name what is static by the same file.
 */
export function relocatableFlags({ relocatable, source }: CommandOptions): string[] {
  return relocatable ? ['-fgpu-rdc', `-cuid=${source.replace(/\W/g, '_')}`] : []
}

/** What standards took out of the C++ library and GCC's still has; std::random_shuffle is in include/__algorithm/shuffle.h. */
const REMOVED_AND_KEPT = [
  'CXX17_REMOVED_AUTO_PTR',
  'CXX17_REMOVED_BINDERS',
  'CXX17_REMOVED_UNARY_BINARY_FUNCTION',
  'CXX20_REMOVED_BINDER_TYPEDEFS',
  'CXX20_REMOVED_NEGATORS',
  'CXX20_REMOVED_RAW_STORAGE_ITERATOR',
  'CXX20_REMOVED_SHARED_PTR_UNIQUE',
  'CXX20_REMOVED_TEMPORARY_BUFFER',
  'CXX20_REMOVED_TYPE_TRAITS',
  'CXX20_REMOVED_UNCAUGHT_EXCEPTION',
]

export function languageFlags(options: CommandOptions): string[] {
  const { language, standard, includes, lateTemplates, stopsAtFormats } = options
  const isOurs = (path: string): boolean => path.startsWith('warplens/') || path === 'x86intrin.h'
  const late = lateDefinitions(options.defines)
  const forced = [
    ...FORCED[language],
    ...includes.filter(isOurs),
    ...(late === undefined ? [] : [late]),
    ...includes.filter(path => !isOurs(path)),
  ]
  return [
    ...(language === 'c' ? ['-std=gnu17'] : ['-fdeprecated-macro', `-std=${standard}`]),
    // Bodies of templates are read at the end of the source: what they call is looked up among everything declared by then.
    ...(lateTemplates && language !== 'c' ? ['-fdelayed-template-parsing'] : []),
    // The front end's own messages only: a caret line as wide as the source, no colours, not the driver's progress.
    '-fmessage-length=0',
    '-fdiagnostics-parseable-fixits',
    '-fgnuc-version=4.2.1',
    '-fskip-odr-check-in-gmf',
    '-disable-free',
    '-clear-ast-before-backend',
    ...WARNINGS,
    ...(stopsAtFormats ? STOPPING_AT_FORMATS : []),
    ...forced.flatMap(path => ['-include', path]),
    // What nvcc's host compiler says on Linux; programs ask before they include what every Unix has.
    '-D__linux__',
    '-D__unix__',
    '-D_GNU_SOURCE',
    '-D_WASI_EMULATED_MMAN',
    '-D_WASI_EMULATED_SIGNAL',
    '-D_WASI_EMULATED_PROCESS_CLOCKS',
    '-D_WASI_EMULATED_GETPID',
    ...[...WIDE_LONG_DEFINES, ...wideSizeDefines(language === 'c')].map(define => `-D${define}`),
    `-D${BOTH_SIDES}=${language === 'cuda' ? '__host__ __device__' : ''}`,
    // As nvcc has it on both sides: CUB's namespace is called after it.
    ...(language === 'cuda' ? [`-D__CUDA_ARCH_LIST__=${options.architecture * 10}`] : []),
    // An older name of the C++ library's namespace, which Thrust's headers use.
    ...(language === 'c' ? [] : ['-D_VSTD=std']),
    ...(language === 'c' ? [] : REMOVED_AND_KEPT.map(part => `-D_LIBCPP_ENABLE_${part}`)),
  ]
}

/**
 * Programs come here compiling cleanly with nvcc; clang's other opinions of them would be noise. What is left: places where
 * 4-byte `long` and pointers (ILP32) change a program's meaning, and plain format mistakes.
 */
const WARNINGS = [
  '-Wno-everything',
  '-Wshift-count-overflow',
  '-Wformat',
  '-Wno-format-security',
  '-Wno-format-extra-args',
  '-Winteger-overflow',
  '-Wconstant-conversion',
  '-Wliteral-range',
  // size_t compared with what it can never reach here.
  '-Wtautological-constant-out-of-range-compare',
]

export function searchFlags({ language, includeDirs }: CommandOptions): string[] {
  const system = [
    HEADER_ROOT,
    ...(language === 'cuda' ? ['/usr/include/cuda_wrappers'] : []),
    ...(language === 'c' ? [] : ['/usr/include/wasm32-wasip1/c++/v1', '/usr/include/c++/v1']),
    '/usr/include',
    '/usr/include/wasm32-wasip1',
  ]
  return [
    '-resource-dir',
    '/usr',
    '-isysroot',
    '/usr',
    ...includeDirs.flatMap(directory => ['-I', directory]),
    ...system.flatMap(directory => ['-internal-isystem', directory]),
  ]
}
