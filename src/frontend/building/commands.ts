/**
 * The command lines of clang and wasm-ld. They follow ../shared/design/FRONTEND.md; where they differ, the reason stands
 * beside the flag. The driver is bypassed (`-cc1`): it asserts in CUDA mode.
 */
import { EXCHANGE_FLAGS, EXCHANGES } from '../passes/exchanges.ts'
import {
  type CommandOptions,
  EXCEPTIONS,
  languageFlags,
  relocatableFlags,
  searchFlags,
  throwsExceptions,
} from './commandFlags.ts'
import { userFlags } from './definitions.ts'

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
    `-ffp-contract=${options.floats?.fmad === false ? 'off' : 'fast'}`,
    // Of the rest of the mode LLVM need not know but what it may not conclude; ir/floatMode.ts has it.
    ...(options.floats?.ftz ? ['-fdenormal-fp-math-f32=preserve-sign,preserve-sign'] : []),
    ...(options.floats?.fastFunctions ? ['-DWARPLENS_FAST_MATH'] : []),
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
    // The C++ library's pointers that own are destroyed by whom they are given to: a kernel with one in an argument would have to, and nvcc's does not.
    '-D__trivial_abi__=__unused__',
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
    // round what it stored, nor makes a second loop for when arrays do not overlap; what it does later is analysis/loops/carryOverRounds.ts.
    '-mllvm',
    '-enable-load-pre=false',
    '-mllvm',
    '-opt-disable=loop-load-elim,infer-alignment',
    // nvcc writes loops out four rounds at a time, also those whose rounds are counted when they run, with the rest in front
    // or behind (readings: scripts/fidelity/cases/machineCompiler). Which loads remain depends on it (analysis/reusing/reuseLoads.ts).
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
    // Of at most 20 rounds, counted when it runs, a loop stays as it is; with `#pragma unroll` it is written out whole (PTX of 60 loops; there up to 64).
    '-mllvm',
    '-unroll-max-upperbound=21',
    // Whatever counting the rounds costs (`i += 33`, a step from an argument).
    '-mllvm',
    '-scev-cheap-expansion-budget=100',
    // A second condition (`a || b`) of up to four operations is computed always, and of two values that a branch chooses from, up to
    // five; nvcc moves what only one branch needs behind it afterwards, and so do we (analysis/branches/sinkValues.ts).
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
    // the rest is analysis/branches/separateStores.ts's and analysis/branches/joinStores.ts's.
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
    // What is copied as a vector stays one (frontend/passes/vectorCopies.ts), until analysis/lowering/takeVectorsApart.ts.
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
    // Lines for messages about a crash of the host program (runtime/host/wasmLines.ts reads DWARF 4).
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

/** Of the C library, that stop a program in plain words where it would go on with address 0, or a broken heap (warplens/host_heap.h). */
const HEAP_CALLS = ['malloc', 'calloc', 'realloc', 'free']
/** The same of those that are handed texts (warplens/host_nulls.h). */
const TEXT_CALLS = [
  ...['atoi', 'atol', 'atoll', 'atof', 'strtol', 'strtoul', 'strtoll', 'strtoull', 'strtof', 'strtod'],
  ...['strlen', 'strcmp', 'strcasecmp', 'strncmp', 'strcpy', 'strcat', 'strdup', 'strchr', 'strstr'],
]

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
    // The C library asks which folder a path lies in; the runtime answers (src/runtime/host/wasi.ts).
    ...['vfprintf', '__wasilibc_find_relpath', ...HEAP_CALLS, ...TEXT_CALLS, ...wrapped].map(name => `--wrap=${name}`),
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
    // Below 0 when the stack has overflown.
    '--export=__stack_pointer',
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

/** WebAssembly's exception instructions, in their first form: what Node 20 and browsers of its time run. */
const WASM_EXCEPTIONS = [
  '-exception-model=wasm',
  '-mllvm',
  '-wasm-use-legacy-eh=true',
  '-target-feature',
  '+exception-handling',
]
