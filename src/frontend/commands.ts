/**
 * The command lines of clang and wasm-ld. They follow ../shared/design/FRONTEND.md; where they differ, the reason stands
 * beside the flag. The driver is bypassed (`-cc1`): it asserts in CUDA mode.
 */
import type { FileTree } from './clang.ts'
import { EXCHANGE_FLAGS, EXCHANGES } from './exchanges.ts'
import { HEADER_ROOT } from './virtualFiles.ts'
import { WIDE_LONG_DEFINES } from './wideLongs.ts'
import { wideSizeDefines } from './wideSizes.ts'

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

/** As LLVM counts: 5 for an instruction that computes no address, of which NVPTX may have 11 times as many. */
const LONGEST_FUNCTION = 7250

/** LLVM's size of what a loop of a known number of rounds may become. */
const LONGEST_LOOP = 352

const DEVICE_TRIPLE = 'nvptx-nvidia-cuda'
const HOST_TRIPLE = 'wasm32-unknown-wasip1'
/** Version that clang checks target features against; nothing of that SDK is used. */
const SDK_VERSION = '12.8'

/**
 * What comes back, though LLVM of today does not say so of it: nvcc's takes loads through `const __restrict__` pointers that stay out of loops
 * with barriers, shuffles and votes (machine code of 26 kernels; reading: hec-fdtd3d, five coefficients a round).
 */
const RETURNING = [
  ...['sync', 'sync.aligned'].flatMap(kind => [`barrier.cta.${kind}.all`, `barrier.cta.${kind}.count`]),
  ...['popc', 'and', 'or'].map(kind => `barrier.cta.red.${kind}.aligned.all`),
  ...EXCHANGES,
]

/**
 * Any existing file makes clang emit the calls that register kernels and variables with the runtime, and hand it what the file says:
 * ours says which source registers (a source with neither kernels nor variables does not).
 */
export const GPU_BINARY_STUB = 'gpu-binary-stub'

export function deviceCommand(options: CommandOptions): string[] {
  return [
    'clang',
    '-cc1',
    '-triple',
    DEVICE_TRIPLE,
    '-aux-triple',
    HOST_TRIPLE,
    '-fcuda-is-device',
    '-fcuda-allow-variadic-functions',
    '-fforce-enable-int128',
    ...processorFlags(options.architecture),
    `-target-sdk-version=${SDK_VERSION}`,
    `-O${options.optimize}`,
    ...UNDEFINED_ARGUMENTS,
    // nvcc has none, so that a block behind a branch is empty for it, and `if (i < n) { o[i] = x; if (x < 0) o[i] = 0; }` two stores (machine
    // code of 13 kernels; reading: pb-correlation).
    '-disable-lifetime-markers',
    // nvcc goes on where a function ends without its return; clang takes such an end for one that nothing reaches.
    '-fno-strict-return',
    // nvcc allocates and frees also what nothing reads (reading: readings/heap.json of test/metrics).
    '-fno-builtin-malloc',
    '-fno-builtin-free',
    // Allows fusing and marks what may be fused; a pass of ours decides as nvcc does.
    '-ffp-contract=fast',
    // Rounds are counted, but not by concluding that an unsigned counter does not wrap because loops end (PTX of 30 forms of loops).
    '-fno-finite-loops',
    // The passes run on their own, behind tellMembersApart.
    ...(options.optimize === 0 ? [] : ['-disable-llvm-passes']),
    '-emit-llvm',
    '-debug-info-kind=line-tables-only',
    '-dwarf-version=4',
    '-fdebug-compilation-dir=.',
    // The host's functions may throw. One set of flags for all programs, so that they share their headers; the C++ library's do not
    // throw in any (they could not be called here).
    ...EXCEPTIONS,
    '-U__cpp_exceptions',
    ...languageFlags(options),
    ...relocatableFlags(options),
    // The C library's setjmp.h asks for it; the host side has it from its target feature.
    ...(options.jumps ? ['-D__wasm_exception_handling__=1', '-DWARPLENS_JUMPS'] : []),
    ...searchFlags(options),
    ...userFlags(options),
    '-x',
    'cuda',
    options.source,
    '-o',
    '-',
  ]
}

/** LLVM's passes over the device side: what {@link deviceCommand} made, with its aliasing metadata as nvcc has it (memberAliases.ts). */
export function optimizeCommand({
  optimize,
  architecture,
}: Pick<CommandOptions, 'optimize' | 'architecture'>): string[] {
  return [
    'clang',
    '-cc1',
    '-triple',
    DEVICE_TRIPLE,
    '-fcuda-is-device',
    ...processorFlags(architecture),
    `-O${optimize}`,
    '-ffp-contract=fast',
    // Functions of up to 20,000 instructions are put in their callers, and optimised before they are: from the innermost out, as in nvcc (PTX of
    // functions of 100 to 6,000 products, of which 3,984 is the last; reading: fp16ScalarProduct, whose last step knows the thread's number
    // only while it is a function of its own). nvcc stops at 40,000 of a caller's, which LLVM does not count.
    '-mllvm',
    `-inline-threshold=${LONGEST_FUNCTION}`,
    '-mllvm',
    `-inlinehint-threshold=${LONGEST_FUNCTION}`,
    // nvcc neither moves a load to where it is missing before loops are written out (public readings: gemver, gesummv, adi) nor keeps over a
    // round what it stored, nor makes a second loop for when arrays do not overlap; what it does later is analysis/carryOverRounds.ts.
    '-mllvm',
    '-enable-load-pre=false',
    '-mllvm',
    '-opt-disable=loop-load-elim,infer-alignment',
    // nvcc writes loops out four rounds at a time, also those whose rounds are counted when they run, with the rest in front
    // or behind (readings: scripts/fidelity/cases/machineCompiler). Which loads remain depends on it (analysis/reuseLoads.ts).
    '-mllvm',
    '-unroll-runtime',
    '-mllvm',
    '-unroll-max-count=4',
    // Whole, where that is not longer than about 400 of nvcc's instructions: 350 here, where an index is not widened to 64 bits
    // (PTX of 16 bodies, 5 to 110 rounds).
    '-mllvm',
    `-unroll-threshold=${LONGEST_LOOP}`,
    '-mllvm',
    '-unroll-allow-partial',
    '-mllvm',
    '-unroll-partial-threshold=200',
    // No first round on its own, which LLVM of today makes for conditions that only it decides (`if (k == 0)`; PTX of 14 loops).
    '-mllvm',
    '-unroll-peel-max-count=0',
    // Whatever counting the rounds costs (`i += 33`, a step from an argument).
    '-mllvm',
    '-scev-cheap-expansion-budget=100',
    // A second condition (`a || b`) of up to four operations is computed always, and of two values that a branch chooses from, up to
    // five; nvcc moves what only one branch needs behind it afterwards, and so do we (analysis/sinkValues.ts).
    '-mllvm',
    '-bonus-inst-threshold=4',
    '-mllvm',
    '-two-entry-phi-node-folding-threshold=5',
    '-mllvm',
    '-instcombine-code-sinking=false',
    // nvcc branches where LLVM would load from a table of its own making (PTX of a `switch` with a number for each case).
    '-mllvm',
    '-switch-to-lookup=false',
    // nvcc makes one access of those of two branches only where InstCombine does (PTX of 70 pairs of branches; reading: jacobi);
    // the rest is analysis/separateStores.ts's and analysis/joinStores.ts's.
    '-mllvm',
    '-sink-common-insts=false',
    // No block is copied for a way on which its branch is known: LLVM does none of it for GPUs, whose lanes would run the copies one after the
    // other, nor does nvcc: `if (t > k) o[t] = x; p[t] = y; if (t > k) q[t] = y;` is three stores (machine code of 48 kernels).
    '-mllvm',
    '-jump-threading-threshold=0',
    '-mllvm',
    '-simplifycfg-max-small-block-size=0',
    // What both branches begin with nvcc has in front of them early, so that loads behind it are not joined where branches meet, and
    // only that: nothing passes what differs (PTX of 16 forms; reading: rod-srad_v2).
    '-mllvm',
    '-hoist-common-insts',
    '-mllvm',
    '-simplifycfg-hoist-common-skip-limit=0',
    // nvcc finds an earlier load of the same far above, too (PTX of rows of 17 products: one load of each factor for eight sums).
    '-mllvm',
    '-memdep-block-scan-limit=1000',
    // nvcc drops an overwritten store only where both are in one block (reading: fp16ScalarProduct).
    '-mllvm',
    '-dse-memoryssa-otherbb-cost=1000',
    ...EXCHANGE_FLAGS,
    ...RETURNING.flatMap(name => ['-mllvm', `-force-attribute=llvm.nvvm.${name}:willreturn`]),
    // What is copied as a vector stays one (frontend/vectorCopies.ts), until analysis/takeVectorsApart.ts.
    '-mllvm',
    '-disable-vector-combine',
    '-emit-llvm',
    '-x',
    'ir',
    UNOPTIMIZED,
    '-o',
    '-',
  ]
}

/** Where the second command finds what the first one made. */
export const UNOPTIMIZED = '/unoptimized.ll'

/** FRONTEND.md used sm_75. The readings under truth/ are of sm_90 builds, and programs test __CUDA_ARCH__. */
const processorFlags = (architecture: number) => ['-target-cpu', `sm_${architecture}`, '-target-feature', '+ptx83']

/** What a host command does without where clang fails over it (scalarHost.ts). */
export const VECTORIZERS = ['-vectorize-loops', '-vectorize-slp']

export function hostCommand(options: CommandOptions): string[] {
  const cuda = options.language === 'cuda'
  return [
    'clang',
    '-cc1',
    '-triple',
    HOST_TRIPLE,
    ...(cuda
      ? [
          '-aux-triple',
          DEVICE_TRIPLE,
          `-target-sdk-version=${SDK_VERSION}`,
          '-fcuda-include-gpubinary',
          `/${GPU_BINARY_STUB}`,
        ]
      : []),
    `-O${options.optimize}`,
    ...FORGIVING,
    '-emit-obj',
    '-mrelocation-model',
    'static',
    '-mconstructor-aliases',
    // What programs compute on the host to compare with takes as long as their kernels, or longer.
    ...VECTORIZERS,
    // The greatest difference of two arrays of doubles is a loop that clang's vectoriser fails over, an assertion of its own. WebAssembly has no
    // instruction for fmax: the loop calls it one by one either way.
    '-fno-builtin-fmax',
    '-fno-builtin-fmin',
    // Bulk memory and friends are in every engine that has SIMD, which we need anyway.
    '-target-cpu',
    'generic',
    '-target-feature',
    '+simd128',
    '-target-feature',
    '+bulk-memory',
    '-target-feature',
    '+nontrapping-fptoint',
    '-target-feature',
    '+sign-ext',
    '-fvisibility=hidden',
    // Lines for messages about a crash of the host program (runtime/wasmLines.ts reads DWARF 4).
    '-debug-info-kind=line-tables-only',
    '-dwarf-version=4',
    '-fdebug-compilation-dir=.',
    ...(cuda ? relocatableFlags(options) : []),
    ...languageFlags(options),
    // Only where used: with it the C++ library's headers throw too.
    ...(throwsExceptions(options) ? [...EXCEPTIONS, '-mllvm', '-wasm-enable-eh'] : []),
    ...(options.jumps ? ['-mllvm', '-wasm-enable-sjlj', '-DWARPLENS_JUMPS'] : []),
    ...(throwsExceptions(options) || options.jumps ? WASM_EXCEPTIONS : []),
    ...searchFlags(options),
    ...userFlags(options),
    '-x',
    options.language,
    options.source,
    '-o',
    '-',
  ]
}

/**
 * `objects`: paths; `allowedImports`: path of a file with one symbol a line that the runtime provides; `wrapped`: what of the libraries is
 * ours, beside what every program has of ours (warplens/host_library.cpp).
 */
export function linkCommand(objects: readonly string[], allowedImports: string, wrapped: readonly string[]): string[] {
  return [
    'wasm-ld',
    '-m',
    'wasm32',
    '-L/usr/lib/wasm32-unknown-wasip1',
    '-L/usr/lib/wasm32-wasip1',
    '/usr/lib/wasm32-wasip1/crt1-command.o',
    ...objects,
    // The C library asks which folder a path lies in; the runtime answers (src/runtime/wasi.ts).
    ...['malloc', 'calloc', 'realloc', 'vfprintf', '__wasilibc_find_relpath', ...wrapped].map(name => `--wrap=${name}`),
    '-lc++',
    '-lc++abi',
    '-lwasi-emulated-mman',
    '-lwasi-emulated-signal',
    '-lwasi-emulated-process-clocks',
    '-lwasi-emulated-getpid',
    // Before -lc: its printf and scanf know long double; the C library's own abort the program at `%Lf`.
    '-lc-printscan-long-double',
    '-lsetjmp',
    '-lc',
    '/usr/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a',
    // A list instead of --allow-undefined, which would hide the missing functions of multi-file programs.
    `--allow-undefined-file=${allowedImports}`,
    '-z',
    'stack-size=8388608',
    '--stack-first',
    '--import-memory',
    '--export-memory',
    '--max-memory=4294967296',
    '--export=malloc',
    '--export=free',
    // What the C library still buffers is written before a kernel prints, and when the program crashes.
    '--export=fflush',
    '--export-table',
    '-o',
    '-',
  ]
}

/**
 * A value that was never set may be handed to a function: lanes without one take part in shuffles. clang would conclude that
 * such lanes do not exist.
 */
const UNDEFINED_ARGUMENTS = ['-no-enable-noundef-analysis']

/**
 * nvcc hands the host side to a compiler that does not optimise unless asked to, and programs work there that do what C++
 * leaves undefined: no return at a function's end, memory read as another type, integers that wrap, variables and memory of
 * `malloc` and its kind (and of `new`: include/warplens/host_new.h) read before anything is written there (exercises whose kernel is still to be written), which clang takes to never
 * happen: it ends the program there.
 */
const FORGIVING = [
  ...UNDEFINED_ARGUMENTS,
  '-fno-strict-return',
  '-relaxed-aliasing',
  '-fwrapv',
  ...['malloc', 'realloc', 'aligned_alloc', 'memalign', 'posix_memalign'].map(name => `-fno-builtin-${name}`),
  '-ftrivial-auto-var-init=zero',
  // Bytes: larger arrays would take time.
  '-ftrivial-auto-var-init-max-size=4096',
]

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

const EXCEPTIONS = ['-fcxx-exceptions', '-fexceptions']

function throwsExceptions({ exceptions, language }: CommandOptions): boolean {
  return exceptions && language !== 'c'
}

/** WebAssembly's exception instructions, in their first form: what Node 20 and browsers of its time run. */
const WASM_EXCEPTIONS = [
  '-exception-model=wasm',
  '-mllvm',
  '-wasm-use-legacy-eh=true',
  '-target-feature',
  '+exception-handling',
]

/** Below our headers. */
const FILESYSTEM = 'warplens/host_filesystem.cpp'

/** Functions of the compiled C++ library that a program of these units calls ours for. */
export function wrappedFunctions(units: readonly CommandOptions[], headers: FileTree): string[] {
  const source = headers[FILESYSTEM]
  if (typeof source !== 'string' || !units.some(unit => throwsExceptions(unit) && unit.filesystem)) return []
  const constructors = [...source.matchAll(/"(_ZNSt\w+)", "(E\w+)"/g)].flatMap(([, name, parameters]) =>
    ['C1', 'C2'].map(kind => `${name}${kind}${parameters}`),
  )
  return [...[...source.matchAll(/"(_ZNSt\w+E\w*)"/g)].map(([, name = '']) => name), ...constructors]
}

/** Our parts of the C and C++ libraries, linked into programs that need them. */
const RUNTIME_SOURCES = {
  library: { source: `${HEADER_ROOT}/warplens/host_library.cpp`, language: 'c++' },
  threads: { source: `${HEADER_ROOT}/warplens/host_threads.c`, language: 'c' },
  exceptions: { source: `${HEADER_ROOT}/warplens/host_exceptions.cpp`, language: 'c++', exceptions: true },
  filesystem: { source: `${HEADER_ROOT}/${FILESYSTEM}`, language: 'c++', exceptions: true },
  jumps: { source: `${HEADER_ROOT}/warplens/host_jumps.c`, language: 'c', jumps: true },
  sorting: { source: `${HEADER_ROOT}/warplens/host_sorting.c`, language: 'c' },
  threadLocals: { source: `${HEADER_ROOT}/warplens/host_thread_locals.c`, language: 'c' },
} as const

/** Compiled for all programs alike, so that they come with the package. */
const RUNTIME_OPTIONS = {
  standard: 'c++17',
  optimize: 2,
  architecture: 90,
  includeDirs: [],
  includes: [],
  defines: [],
  exceptions: false,
  filesystem: false,
  jumps: false,
  sorting: false,
} as const

/**
 * clang takes launches by kernels as relocatable code only, and shows a file's variables to other files in such; both sides then
 * name what is static by the same file.
 */
function relocatableFlags({ relocatable, source }: CommandOptions): string[] {
  return relocatable ? ['-fgpu-rdc', `-cuid=${source.replace(/\W/g, '_')}`] : []
}

/** The further units that a program of these units is linked with. */
export function runtimeUnits(units: readonly CommandOptions[]): CommandOptions[] {
  const { library, threads, exceptions, filesystem, jumps, sorting, threadLocals } = RUNTIME_SOURCES
  const hasJumps = units.some(unit => unit.jumps)
  const chosen: readonly (Partial<CommandOptions> & Pick<CommandOptions, 'source' | 'language'>)[] = [
    library,
    { ...threads, jumps: hasJumps },
    ...(units.some(throwsExceptions) ? [exceptions] : []),
    ...(units.some(unit => throwsExceptions(unit) && unit.filesystem) ? [filesystem] : []),
    ...(hasJumps ? [jumps] : []),
    ...(units.some(unit => unit.sorting) ? [sorting] : []),
    ...(units.some(unit => unit.threadLocals) ? [threadLocals] : []),
  ]
  return chosen.map(source => ({ ...RUNTIME_OPTIONS, ...source }))
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

function languageFlags(options: CommandOptions): string[] {
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

function searchFlags({ language, includeDirs }: CommandOptions): string[] {
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

function userFlags({ defines }: CommandOptions): string[] {
  return defines.filter(define => EARLY.test(define)).map(define => `-D${define}`)
}

/** Definitions that headers are read by. */
const EARLY = /^(?:_|NDEBUG\b|WARPLENS_|CUDA|CURAND|CU[BDR]?_|THRUST_|CCCL_|LIBCUDACXX_|NV_)/
/** A file whose contents are its name. */
const DEFINITIONS = '/definitions/'

/**
 * The other definitions of the command line, as a file that comes behind our headers: they say T and N themselves, and `-DT=float`
 * would be read in them. Undefined where there are none.
 */
function lateDefinitions(defines: readonly string[]): string | undefined {
  const lines = defines
    .filter(define => !EARLY.test(define))
    .map(define => {
      const [, name = define, value = ' 1'] = /^([^=]*)(?:=([\s\S]*))?$/.exec(define) ?? []
      return `#define ${name} ${value.trimStart()}\n`
    })
  return lines.length > 0 ? DEFINITIONS + encodeURIComponent(lines.join('')) : undefined
}

/** The files of definitions that a command reads. */
export function definitionFiles(command: readonly string[]): FileTree {
  const paths = command.filter(each => each.startsWith(DEFINITIONS))
  return Object.fromEntries(paths.map(path => [path, decodeURIComponent(path.slice(DEFINITIONS.length))]))
}

/** What clang says, with the place that the user knows. */
export const definitionsAsWritten = (text: string): string =>
  text.replace(/\/definitions\/[^\s:'"]*/g, '<command line>')
