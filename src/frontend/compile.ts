/**
 * The front end: a CUDA program's files in; one host WebAssembly module and one LLVM IR text for each CUDA file out.
 * Device and host sides of every file compile at the same time when the {@link Clang} has several threads. Results are
 * cached by everything that they depend on; a cached program never loads clang.
 */
import type { Diagnostic } from '../diagnostic.ts'
import { InternalError, UserError, userError } from '../diagnostic.ts'
import { OTHER_ORDER, withArgumentOrder } from './argumentOrder.ts'
import { AS_WRITTEN, NO_PROMOTION, withoutSpeculation } from './asWritten.ts'
import { raiseCastAlignments } from './castAlignments.ts'
import { keepChosenPlaces, openPlaces } from './chosenPlaces.ts'
import { CLANG_VERSION, type Clang, CRASHED, type FileTree } from './clang.ts'
import { parseClangMessages, uniqueDiagnostics } from './clangMessages.ts'
import {
  type CommandOptions,
  definitionFiles,
  definitionsAsWritten,
  deviceCommand,
  GPU_BINARY_STUB,
  hostCommand,
  type Language,
  linkCommand,
  type Optimization,
  optimizeCommand,
  runtimeUnits,
  UNOPTIMIZED,
  wrappedFunctions,
} from './commands.ts'
import { findDataModelHazards } from './dataModel.ts'
import { withBoundExchanges, withFreeExchanges } from './exchanges.ts'
import { dropForwardedShared } from './forwardedShared.ts'
import { hideClang } from './hideClang.ts'
import { hostImports, LINKED_BINARY } from './hostImports.ts'
import { collectFiles, LIBRARY_DIR } from './includes.ts'
import { keepShared, sharedAsWritten } from './keepShared.ts'
import { adaptersFor } from './linkAdapters.ts'
import { parseLinkMessages } from './linkMessages.ts'
import { dataAsWritten, textsAsWritten } from './literals.ts'
import { longDoubleParameters, mayTakeLongDoubles, stubsCommand } from './longDoubles.ts'
import { widenMacroFormats } from './macroFormats.ts'
import { markLoops } from './markedLoops.ts'
import { tellMembersApart } from './memberAliases.ts'
import { tellIncludes } from './missingIncludes.ts'
import { countAccesses, markMixed, unmark } from './mixedIndices.ts'
import { withNewerThrust } from './newerThrust.ts'
import { findNumberedRegions } from './openmpRegions.ts'
import { withOwnLines } from './ownLines.ts'
import { markPaddedCopies, unmarkPaddedCopies } from './paddedCopies.ts'
import { extensionOf } from './paths.ts'
import { findPointerSizes } from './pointerSizes.ts'
import { type HeaderCache, type HeaderSources, runPrecompiled, shipHeaders } from './precompiledHeaders.ts'
import { withRedeclaredFunctions } from './redeclaredFunctions.ts'
import { repairAddresses } from './repairAddresses.ts'
import { repairArrays } from './repairArrays.ts'
import { findUncalledBarriers } from './repairBarriers.ts'
import { repairDefaults } from './repairDefaults.ts'
import { repairFormats, tellsLongFromLongLong } from './repairFormats.ts'
import { repairInstantiations } from './repairInstantiations.ts'
import { repairMain } from './repairMain.ts'
import { repairRestrict } from './repairRestrict.ts'
import { repairTemplates } from './repairTemplates.ts'
import { TIME_STAMP } from './repairTimeStamps.ts'
import { headersAsWritten } from './reservedNames.ts'
import { withScalarHost } from './scalarHost.ts'
import { withSeenFormats } from './seenFormats.ts'
import { setSharedApart } from './sharedApart.ts'
import { type StandardHeaders, standardHeadersOf } from './standardHeaders.ts'
import { showStaticVariables } from './staticVariables.ts'
import { decodeUtf8, encodeUtf8, nowMs } from './text.ts'
import { withoutTexts } from './textEdits.ts'
import { withoutTypedefAlignments } from './typedefAlignments.ts'
import { isOwnSource, type Unit, type UnitCache, unitIdentities } from './unitCache.ts'
import { tellUnsignedIndices } from './unsignedIndices.ts'
import { copyVectors } from './vectorCopies.ts'
import { type VirtualFiles, virtualFiles } from './virtualFiles.ts'
import { apartAsWritten, asWritten, widenLongs, widenLongsApart } from './wideLongs.ts'
import { sizesAsWritten, widenSizes } from './wideSizes.ts'

export interface CompileInput {
  /** Paths in `files`, as the user typed them: .cu, .cpp, .cc, .cxx, .c. */
  readonly sources: readonly string[]
  /** The user's files; `collectFiles` finds them. */
  readonly files: FileTree
  /** Our include/ folder, by path inside it. */
  readonly headers: FileTree
  readonly includeDirs?: readonly string[]
  /** `NAME` or `NAME=value`. */
  readonly defines?: readonly string[]
  /** Files included before the first line of each source. */
  readonly includes?: readonly string[]
  /** Of all sources; default is what their names say. */
  readonly language?: Language | undefined
  /** Default c++17. */
  readonly standard?: string
  /** Default 2. */
  readonly optimize?: Optimization
  /** Compute capability times ten, default 90. */
  readonly architecture?: number
  /** What relative paths are relative to; absolute. Default /work. */
  readonly workingDirectory?: string
  /** There is no host side: the code is compiled while a program runs. */
  readonly deviceOnly?: boolean
  /** Loads are made by the threads that the program says, and no others (asWritten.ts): for those who check what threads do. */
  readonly asWritten?: boolean
}

/** What one CUDA source compiles to on the device side. */
export interface DeviceIr {
  readonly file: string
  readonly text: string
}

export interface CompiledProgram {
  /** Empty where there is only a device side. */
  readonly hostWasm: Uint8Array
  /** One for each CUDA source, in order. */
  readonly deviceIr: readonly DeviceIr[]
  /** Warnings; errors are thrown. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface CompileResult extends CompiledProgram {
  readonly timings: CompileTimings
}

/** Milliseconds of wall time; device and host overlap. */
export interface CompileTimings {
  readonly deviceMs: number
  readonly hostMs: number
  readonly linkMs: number
  readonly totalMs: number
  readonly cached: boolean
}

/** Keeps compiled programs. `identity` is a text that determines the result; implementations hash it. Neither call throws. */
export interface CompileCache {
  load(identity: string): Promise<CompiledProgram | undefined>
  store(identity: string, program: CompiledProgram): Promise<void>
  /** Without it, every compilation reads all headers. */
  readonly headers?: HeaderCache
  /** Without it, a program of several sources is compiled whole. */
  readonly units?: UnitCache
}

/** Changes when the meaning of a cached entry does for a reason that the identity does not show. */
const CACHE_REVISION = 33

/** As many as clang tells by itself. */
const MOST_ERRORS = 20

/** A throw statement or a try block; words in comments cost only time. */
const EXCEPTIONS = /\bthrow\b|\btry\s*\{/
/** An error that the program may not have where `long` is `long`. */
const TELLS_LONGS_APART = /\blong\b/
/** An error that the program may not have where `size_t` is the libraries'. */
const TELLS_SIZES_APART = /\blong\b|\bsize_t\b|\bsizeof\b|\bSIZE_MAX\b/
/** Errors of a program that has one thing for `long` and another for `long long`, where the two are the same. */
const CLASH =
  /^redefinition of|^class member cannot be redeclared|ambiguous|^functions that differ only|^explicit (?:template )?specialization of|^duplicate (?:member|explicit)|^type .* in generic association compatible/
const SAME_LENGTH =
  /^format specifies type '(?:unsigned )?long long(?: \*)?' but the argument has type '.*_BitInt\(64\)/
const APART = 'WARPLENS_APART_LONGS'
/** What nvcc takes in every standard and clang in later ones only, by what clang says of it otherwise. */
const LATER_STANDARDS: readonly { readonly tells: RegExp; readonly standard: string }[] = [
  /** Functions with parameters of type `auto`, which GCC, nvcc's host compiler, has with a warning. */
  { tells: /: error: 'auto' not allowed in function prototype/, standard: 'c++20' },
  /** Negative numbers shifted to the left, as constants (`enum { MASK = -1 << BITS }`). */
  { tells: /: note: left shift of negative value /, standard: 'c++20' },
  /** Static members and functions of parameters by reference, as constants (`const T &a` and `constexpr int n = a.size`; P2280). */
  {
    tells: /: note: function parameter '.*' with unknown value cannot be used in a constant expression$/m,
    standard: 'c++23',
  },
]
/**
 * A template's body calls what is declared behind it: an error by the standard, but nvcc looks where the template is used (CUB's
 * radix sort of version 2.0 relies on it).
 */
const DECLARED_BEHIND = /that is neither visible in the template definition nor found by argument-dependent lookup$/
/** Functions that CUDA's headers no longer have (include/warplens/device_first_names.h). */
const FIRST_NAME =
  /^use of undeclared identifier '(?:saturate|mul64hi|(?:float|u?int)_as_(?:float|u?int)|float2u?int|u?int2float|cudaRound\w+)'/
const FIRST_NAMES = 'WARPLENS_FIRST_NAMES'
/** A program defines operator new where our headers have it by another name (include/warplens/host_new.h). */
const OWN_NEW = /^__warplens_new/
const OWN_NEWS = 'WARPLENS_OWN_NEW'
/** The C++ library's headers bring in more than GCC's do, and a program calls something of its own what they have in std. */
const AMBIGUOUS = /^reference to '\w+' is ambiguous$/
const FEWER_HEADERS = '_LIBCPP_REMOVE_TRANSITIVE_INCLUDES'
const DEVICE_LAUNCH = /kernel launch from __device__ or __global__ function requires relocatable device code/
const DECLARED_VARIABLE =
  /\bextern\b[^;(){}]*\b__(?:device|constant|managed)__|__(?:device|constant|managed)__\s+extern\b/
/** pthread_exit leaves the thread's function by longjmp (include/warplens/host_threads.c). */
const JUMPS = /\b(?:sig)?setjmp\b|\bpthread_exit\b/
const FILESYSTEM = /\bfilesystem\b/
const THREAD_LOCALS = /\bthread_local\b/
const SORTING = /\bqsort(?:_r)?\b/

const LANGUAGES: Readonly<Record<string, Language>> = {
  '.cu': 'cuda',
  '.cpp': 'c++',
  '.cc': 'c++',
  '.cxx': 'c++',
  '.c': 'c',
}

/**
 * Compiles and links a program.
 * @throws UserError with clang's errors, undefined functions, a missing source or an unknown extension.
 */
export async function compileProgram(
  input: CompileInput,
  compiler: Clang,
  cache?: CompileCache,
  inGccOrder = true,
): Promise<CompileResult> {
  const clang = withScalarHost(compiler)
  const given = withUnixLines(input.files)
  const inOrder = inGccOrder ? withArgumentOrder(given) : undefined
  const files = withSeenFormats(withRedeclaredFunctions(withoutTypedefAlignments(withNewerThrust(inOrder ?? given))))
  const long = widenLongs(files)
  const narrow = long && { files, tells: TELLS_LONGS_APART, says: narrowLongs }
  const size = widenSizes(long ?? files)
  const narrower = size
    ? { files: long ?? files, tells: TELLS_SIZES_APART, says: narrowSizes, narrower: narrow }
    : narrow
  const attempt = {
    relocatable: false,
    lateTemplates: false,
    repairsFormats: true,
    apart: apartLongs(input, files),
    narrower,
  }
  const inOwnLines = (diagnostics: readonly Diagnostic[]) =>
    withOwnLines(withApartLongs(diagnostics), input.files, input.workingDirectory ?? '/work')
  try {
    const result = await compileAs({ ...input, files: size ?? long ?? files }, clang, cache, attempt)
    return { ...result, diagnostics: inOwnLines(result.diagnostics) }
  } catch (error) {
    if (inOrder && error instanceof UserError) {
      const result = await compileProgram(input, compiler, cache, false)
      return { ...result, diagnostics: [...result.diagnostics, OTHER_ORDER] }
    }
    throw error instanceof UserError ? new UserError(...inOwnLines(error.diagnostics)) : error
  }
}

/** Windows' ends of lines would hide from all that reads sources here where a macro goes on. */
function withUnixLines(files: FileTree): FileTree {
  const entries = Object.entries(files).map(([path, text]) => [
    path,
    typeof text === 'string' && text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text,
  ])
  return Object.fromEntries(entries) as FileTree
}

interface Apart {
  readonly input: CompileInput
  readonly narrower: Narrower | undefined
}

/** `long` by itself, and `size_t` as it is on Linux; undefined where a program has no `long` that could be. */
function apartLongs(input: CompileInput, files: FileTree): Apart | undefined {
  const long = widenLongsApart(files)
  if (long === undefined) return undefined
  const size = widenSizes(long)
  return {
    input: { ...input, files: size ?? long, defines: [...(input.defines ?? []), APART] },
    narrower: size && { files: long, tells: TELLS_SIZES_APART, says: narrowSizes },
  }
}

/** In the words of the user's files, and without formats of `long long` for a `long` that has as many bytes. */
function withApartLongs(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics
    .filter(({ message }) => !SAME_LENGTH.test(message))
    .map(each => ({
      ...each,
      message: apartAsWritten(each.message),
      ...(each.notes && { notes: each.notes.map(apartAsWritten) }),
      ...(each.rendered !== undefined && { rendered: apartAsWritten(each.rendered) }),
    }))
}

interface Attempt {
  readonly relocatable: boolean
  readonly lateTemplates: boolean
  /** Formats may still be repaired. */
  readonly repairsFormats: boolean
  /** What is compiled where the program tells `long` and `long long` apart. */
  readonly apart: Apart | undefined
  readonly narrower: Narrower | undefined
}

/** Files in which a type keeps the 4 bytes that clang gives it, and which errors call for them. */
interface Narrower {
  readonly files: FileTree
  readonly tells: RegExp
  readonly says: (error: Diagnostic) => Diagnostic
  readonly narrower?: Narrower | undefined
}

/**
 * Whether code must be relocatable (kernels launch kernels, the host names a variable of another file's), whether it is C++20's,
 * whether it names functions that CUDA once had, whether its templates call what is declared behind them, which formats do not fit, and whether `size_t` and `long` can have 8 bytes, is only known once clang has read the program: then all starts again. The result is
 * kept under the first attempt's name too.
 */
async function compileAs(
  input: CompileInput,
  clang: Clang,
  cache: CompileCache | undefined,
  attempt: Attempt,
): Promise<CompileResult> {
  const { relocatable, lateTemplates, repairsFormats, narrower } = attempt
  const start = nowMs()
  const units = input.sources.map(source => ({
    ...commandOptions(input, source),
    relocatable,
    lateTemplates,
    stopsAtFormats: repairsFormats,
  }))
  const plan = planOf(units, input)
  const identity = JSON.stringify(
    [CACHE_REVISION, CLANG_VERSION, plan, input.files, input.headers, input.workingDirectory, repairsFormats],
    bytesAsText,
  )
  const cached = await cache?.load(identity)
  if (cached) {
    return { ...cached, timings: { deviceMs: 0, hostMs: 0, linkMs: 0, totalMs: nowMs() - start, cached: true } }
  }

  const workingDirectory = input.workingDirectory ?? '/work'
  const again = async (
    change: Partial<Attempt>,
    changed: Partial<CompileInput> = {},
    warnings: readonly Diagnostic[] = [],
  ): Promise<CompileResult> => {
    const { diagnostics, ...rest } = await compileAs({ ...input, ...changed }, clang, cache, { ...attempt, ...change })
    const result = { ...rest, diagnostics: [...diagnostics, ...warnings] }
    await cache?.store(identity, result)
    return result
  }
  const asNarrow = ({ files, says, narrower: next }: Narrower, reason: Diagnostic): Promise<CompileResult> =>
    again({ narrower: next, repairsFormats: true }, { files }, [says(reason)])
  const world = virtualFiles(input.files, input.headers, workingDirectory)
  const headers = precompiling(input, cache?.headers)
  const keepUnits = units.length > 1 ? cache?.units : undefined
  const compile = (command: readonly string[]) => runClang(clang, command, world, headers)
  const { passes } = plan
  const compileDevice =
    passes.length === 0 ? withCasts(compile) : markingLoops(compile, clang, input, cache?.headers, passes)
  const compileOwn = keeping(cache?.units, input, command => runClang(clang, command, world))
  const compileUsers = keeping(keepUnits, input, compile)
  const compileHost = (command: readonly string[]) =>
    (isOwnSource(sourceOf(command)) ? compileOwn : compileUsers)(command)
  const [devices, hosts] = await Promise.all([
    timed(
      Promise.all(
        plan.devices.map(keeping(keepUnits, input, compileDevice, plan.asWritten ? [...passes, AS_WRITTEN] : passes)),
      ),
    ),
    timed(Promise.all(plan.hosts.map(compileHost))),
  ])
  const told = [...devices.value, ...hosts.value].flatMap(side => side.diagnostics)
  const hazards = [findDataModelHazards, findPointerSizes, findUncalledBarriers, findNumberedRegions].flatMap(find =>
    find(input.files),
  )
  const diagnostics = uniqueDiagnostics([...told.map(asFormatWarning), ...hazards])
  const errors = diagnostics.filter(each => each.severity === 'error').slice(0, MOST_ERRORS)
  if (!relocatable && errors.some(({ message }) => DEVICE_LAUNCH.test(message))) return again({ relocatable: true })
  if (!lateTemplates && errors.some(({ message }) => DECLARED_BEHIND.test(message)))
    return again({ lateTemplates: true })
  if (attempt.apart && errors.some(({ message }) => CLASH.test(message))) {
    try {
      const { input: changed, narrower: next } = attempt.apart
      return await again({ apart: undefined, narrower: next, repairsFormats: true }, changed)
    } catch (error) {
      if (!(error instanceof UserError) || narrower === undefined) throw error
    }
  }
  const mixed = narrower && errors.find(({ rendered = '' }) => narrower.tells.test(rendered))
  if (mixed) return asNarrow(narrower, mixed)
  const later = LATER_STANDARDS.find(
    ({ tells, standard }) => standard !== input.standard && errors.some(({ rendered = '' }) => tells.test(rendered)),
  )
  if (later) return again({}, { standard: later.standard })
  if (!input.defines?.includes(FIRST_NAMES) && errors.some(({ message }) => FIRST_NAME.test(message)))
    return again({}, { defines: [...(input.defines ?? []), FIRST_NAMES] })
  if (!input.defines?.includes(FEWER_HEADERS) && errors.some(({ message }) => AMBIGUOUS.test(message)))
    return again({}, { defines: [...(input.defines ?? []), FEWER_HEADERS] })
  const initialized = repairArrays(input.files, errors, workingDirectory)
  if (initialized) return again({}, { files: initialized })
  const defaults = repairDefaults(input.files, errors, workingDirectory)
  if (defaults) return again({}, { files: defaults })
  const named = repairTemplates(input.files, errors, workingDirectory)
  if (named) return again({}, { files: named })
  const worded = repairInstantiations(input.files, errors, workingDirectory)
  if (worded) return again({}, { files: worded })
  const typed = repairMain(input.files, errors, workingDirectory)
  if (typed) return again({}, { files: typed })
  const elements = repairRestrict(input.files, errors, workingDirectory)
  if (elements) return again({}, { files: elements })
  const helped =
    repairAddresses(input.files, errors, workingDirectory) ?? (errors.length > 0 ? hideClang(input.files) : undefined)
  try {
    if (helped) return await again({}, { files: helped })
  } catch (error) {
    if (!(error instanceof UserError)) throw error
  }
  const isTold = (each: Diagnostic) =>
    each.severity === 'error' ? errors.includes(each) : !tellsLongFromLongLong(each.message)
  if (errors.length > 0) throw new UserError(...tellIncludes(diagnostics.filter(isTold), input.files, input.headers))
  const messages = [...devices.value, ...hosts.value].map(side => side.messages)
  const repaired = repairsFormats ? repairFormats(input.files, messages, workingDirectory) : undefined
  const isStopped = told.some(({ severity }) => severity === 'error')
  if (repaired || isStopped) return again({ repairsFormats: false }, { files: repaired ?? input.files })
  const unrepaired = narrower && diagnostics.find(({ message }) => tellsLongFromLongLong(message))
  const converting = unrepaired && widenMacroFormats(input.files)
  if (converting) return again({}, { files: converting })
  if (unrepaired) return asNarrow(narrower, unrepaired)
  const cuda = units.filter(({ language }) => language === 'cuda').map(hostCommand)
  const longDoubles = await Promise.all(
    devices.value.map((side, index) => findLongDoubles(clang, cuda[index]!, side, input, world, headers)),
  )
  if (longDoubles.flat().length > 0) throw new UserError(...longDoubles.flat())
  const deviceIr = devices.value.map((side, index) => ({
    file: plan.deviceFiles[index]!,
    text: textsAsWritten(joinStaticNames(decodeUtf8(side.output))),
  }))
  const kept = input.optimize === 0 ? undefined : keepShared(input.files, deviceIr)
  if (kept) return again({}, { files: kept })

  if (input.deviceOnly) {
    const program: CompiledProgram = { hostWasm: new Uint8Array(0), deviceIr, diagnostics }
    await cache?.store(identity, program)
    const timings = { deviceMs: devices.ms, hostMs: 0, linkMs: 0, totalMs: nowMs() - start, cached: false }
    return { ...program, timings }
  }

  const objects = hosts.value.map(side => side.output)
  const link = await timed(linkHost(clang, plan, objects, input, units, world)).catch((error: unknown) => {
    if (definesNew(error)) return 'new'
    if (relocatable || !lacksDeviceVariable(error, input.files)) throw error
    return 'relocatable'
  })
  if (link === 'new') return again({}, { defines: [...(input.defines ?? []), OWN_NEWS] })
  if (link === 'relocatable') return again({ relocatable: true })
  const program: CompiledProgram = {
    hostWasm: dataAsWritten(link.value.wasm),
    deviceIr,
    diagnostics: [...diagnostics, ...link.value.warnings],
  }
  await cache?.store(identity, program)
  const timings = { deviceMs: devices.ms, hostMs: hosts.ms, linkMs: link.ms, totalMs: nowMs() - start, cached: false }
  return { ...program, timings }
}

function definesNew(error: unknown): boolean {
  return (
    error instanceof UserError &&
    error.diagnostics.some(({ code, message }) => code === 'duplicate-symbol' && OWN_NEW.test(message))
  )
}

/** A host object lacks a symbol, and that may be a device variable of another file's: other objects keep theirs to themselves. */
function lacksDeviceVariable(error: unknown, files: FileTree): boolean {
  const isMissing = error instanceof UserError && error.diagnostics.some(({ code }) => code === 'undefined-symbol')
  return isMissing && mentions(files, DECLARED_VARIABLE)
}

/** A fault of a format is an error where clang stops at it (commands.ts). */
function asFormatWarning(diagnostic: Diagnostic): Diagnostic {
  const { code, severity, rendered = '' } = diagnostic
  if (code !== 'compiler-format' || severity !== 'error') return diagnostic
  const words = rendered.replace(/: error: /, ': warning: ').replace('[-Werror,-Wformat]', '[-Wformat]')
  return { ...diagnostic, severity: 'warning', rendered: words }
}

const narrowed =
  (type: string, reason: string) =>
  ({ message, range }: Diagnostic): Diagnostic => ({
    code: 'data-model',
    severity: 'warning',
    message: `${type} has 4 bytes in this program, and 8 on Linux: with 8, this line would not compile`,
    ...(range && { range }),
    notes: [message, reason],
  })

const narrowLongs = narrowed('long', 'size_t has 4 bytes in Warplens, so long cannot stand for it')
const narrowSizes = narrowed(
  'size_t',
  "the C and C++ libraries' size_t has 4 bytes in Warplens; sizes beyond 4 GiB wrap",
)

/**
 * In relocatable code clang gives a static variable that the host knows a longer name, and may leave uses of the short one
 * behind with a declaration of it.
 */
function joinStaticNames(text: string): string {
  let joined = text
  for (const [, name, suffix] of text.matchAll(/^@([\w$.]+?)(__static__[0-9a-f]+) = /gm)) {
    const declaration = new RegExp(`^@${name!.replace(/[$.]/g, '\\$&')} = external .*\n`, 'm')
    if (declaration.test(joined))
      joined = joined
        .replace(declaration, '')
        .replace(new RegExp(`@${name!.replace(/[$.]/g, '\\$&')}(?![\\w$.])`, 'g'), `@${name}${suffix}`)
  }
  return joined
}

/** Every command that a program takes. */
interface Plan {
  readonly devices: readonly string[][]
  /** What the device sides go through next; nothing where they are not optimised. */
  readonly passes: readonly string[]
  readonly asWritten?: true
  readonly deviceFiles: readonly string[]
  readonly hosts: readonly string[][]
  readonly objects: readonly string[]
  readonly link: readonly string[]
}

const ALLOWED_IMPORTS = '/allowed-imports'

function planOf(
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

function commandOptions(input: CompileInput, source: string): CommandOptions {
  if (input.files[source] === undefined) throw userError('no-such-file', `${source}: no such file`)
  const named = input.language ?? LANGUAGES[extensionOf(source)]
  if (named === undefined) {
    const known = Object.keys(LANGUAGES).join(', ')
    throw userError('unknown-source', `${source}: not a source file that can be compiled (known: ${known})`)
  }
  const isCudaInC = named === 'c' && callsLibrariesFromC(input)
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

/** Libraries of NVIDIA's whose kernels are ours, and are compiled with whoever calls them: such a C++ source is CUDA here. */
const KERNEL_LIBRARIES =
  /^[ \t]*#[ \t]*include[ \t]*[<"](?:cublas(?:_v2|_api|Lt)?|cufft(?:Xt)?|cusparse(?:_v2)?|cusolverDn)\.h[>"]/m
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

function mentions(files: FileTree, words: RegExp): boolean {
  return Object.values(files).some(text => typeof text === 'string' && words.test(text))
}

/**
 * Makes what the compilation of any program without options can begin with, for `cache` to keep: a header of the device side, and one of
 * the host's with exceptions and without.
 */
export function shipHeadersOf(own: FileTree, clang: Clang, cache: HeaderCache): Promise<void> {
  const source = 'any.cu'
  const options = commandOptions({ sources: [source], files: { [source]: '' }, headers: own }, source)
  const hosts = [false, true].map(exceptions => hostCommand({ ...options, exceptions }))
  return shipHeaders(clang, [deviceCommand(options), ...hosts], own, cache)
}

/** Makes what programs are linked with, for `units` to keep. @throws InternalError */
export async function shipUnitsOf(own: FileTree, clang: Clang, units: UnitCache): Promise<void> {
  const source = 'any.cu'
  const options = commandOptions({ sources: [source], files: { [source]: '' }, headers: own }, source)
  const search = { includeDirs: [], workingDirectory: '/' }
  const identityOf = unitIdentities({}, own, search, sourceOf)
  const world = virtualFiles({}, own, search.workingDirectory)
  const needsAll = { ...options, exceptions: true, filesystem: true, jumps: true, sorting: true, threadLocals: true }
  const commands = [needsAll, options].flatMap(program => runtimeUnits([program])).map(hostCommand)
  for (const [identity, command] of new Map(commands.map(each => [identityOf(each), each]))) {
    const unit = await runClang(clang, command, world)
    if (hasErrors(unit)) throw new InternalError(`clang does not compile ${sourceOf(command)}: ${unit.messages}`)
    await units.store(identity, { output: unit.output, messages: unit.messages })
  }
}

/** The headers that a command's source includes, where they can be read beforehand. */
interface Precompiling {
  readonly cache: HeaderCache
  readonly sources: HeaderSources
  standard(source: string): StandardHeaders | undefined
}

function precompiling(input: CompileInput, cache: HeaderCache | undefined): Precompiling | undefined {
  if (cache === undefined) return undefined
  const { includeDirs = [], workingDirectory = '/work' } = input
  const search = { ...input, includeDirs, workingDirectory }
  const libraries = Object.fromEntries(
    Object.entries(input.files).filter(([path]) => path.startsWith(`${LIBRARY_DIR}/`)),
  )
  return {
    cache,
    sources: { own: input.headers, libraries },
    standard: source => standardHeadersOf(source, input.files, search),
  }
}

const inUsersWords = (messages: string): string =>
  sizesAsWritten(asWritten(sharedAsWritten(definitionsAsWritten(headersAsWritten(messages)))))

type CompiledUnit = Unit & { readonly diagnostics: Diagnostic[] }
type CompileUnit = (command: readonly string[]) => Promise<CompiledUnit>

/** The same, but for units that are kept; those without errors are kept then. `next`: what `compile` runs behind the command. */
function keeping(
  units: UnitCache | undefined,
  input: CompileInput,
  compile: CompileUnit,
  next: readonly string[] = [],
): CompileUnit {
  if (units === undefined) return compile
  const { files, headers, includeDirs = [], workingDirectory = '/work' } = input
  const identityOf = unitIdentities(files, headers, { ...input, includeDirs, workingDirectory }, sourceOf)
  return async command => {
    const identity = identityOf([...command, ...next])
    const kept = await units.load(identity)
    if (kept) return { ...kept, diagnostics: parseClangMessages(inUsersWords(kept.messages)) }
    const unit = await compile(command)
    const { output, messages } = unit
    if (!hasErrors(unit)) await units.store(identity, { output, messages })
    return unit
  }
}

/** The device side behind LLVM's passes, with loops around loops as nvcc has them; what clang says is of the user's own text. */
function markingLoops(
  compile: CompileUnit,
  clang: Clang,
  input: CompileInput,
  headers: HeaderCache | undefined,
  passes: readonly string[],
): CompileUnit {
  const { workingDirectory = '/work' } = input
  return async command => {
    const before = await compile(command)
    const unit = await optimized(clang, before, passes, input)
    if (hasErrors(unit)) return unit
    const ir = {
      file: sourceOf(command),
      text: decodeUtf8(unit.output),
      unoptimised: () => decodeUtf8(before.output),
    }
    const files = markLoops(input.files, ir, workingDirectory)
    if (files === undefined) return unit
    const world = virtualFiles(files, input.headers, workingDirectory)
    const marked = await runClang(clang, command, world, precompiling({ ...input, files }, headers))
    const again = await optimized(clang, marked, passes, input)
    return hasErrors(again) ? unit : { ...unit, output: again.output }
  }
}

/** The device side without LLVM's passes. */
function withCasts(compile: CompileUnit): CompileUnit {
  return async command => {
    const unit = await compile(command)
    return { ...unit, output: encodeUtf8(raiseCastAlignments(decodeUtf8(unit.output))) }
  }
}

/** Kernels that take what the two sides have different sizes for. `command`: of the host side of what has this device side. */
async function findLongDoubles(
  clang: Clang,
  command: readonly string[],
  { output }: CompiledUnit,
  { files }: CompileInput,
  world: VirtualFiles,
  headers: Precompiling | undefined,
): Promise<Diagnostic[]> {
  if (!mayTakeLongDoubles(files, decodeUtf8(output))) return []
  const stubs = await runClang(clang, stubsCommand(command), world, headers)
  return longDoubleParameters(sourceOf(command), decodeUtf8(stubs.output))
}

/** The same IR behind LLVM's passes; what has errors stays. */
async function optimized(
  clang: Clang,
  unit: CompiledUnit,
  passes: readonly string[],
  { deviceOnly, asWritten }: CompileInput,
): Promise<CompiledUnit> {
  if (hasErrors(unit)) return unit
  const plain = decodeUtf8(unit.output)
  const written = deviceOnly ? showStaticVariables(plain) : plain
  const machine = tellMembersApart(
    markPaddedCopies(copyVectors(keepChosenPlaces(dropForwardedShared(raiseCastAlignments(written))))),
  )
  const shared = setSharedApart(withFreeExchanges(asWritten ? withoutSpeculation(machine) : machine))
  const { text } = shared
  const optimize = async (code: string) => {
    const { exitCode, stdout, stderr } = await clang.run(passes, { [UNOPTIMIZED]: withoutUnsignedSums(code) })
    return { exitCode, stderr, code: decodeUtf8(stdout) }
  }
  const first = await optimize(text)
  const marked = first.exitCode === 0 ? markMixed(text, first.code) : undefined
  const second = marked === undefined ? undefined : await optimize(marked)
  const isOther = second?.exitCode === 0 && countAccesses(second.code) !== countAccesses(first.code)
  const { exitCode, stderr, code } = isOther ? second : first
  const diagnostics = exitCode === 0 ? unit.diagnostics : [...unit.diagnostics, stopped(exitCode, stderr)]
  const behind = tellUnsignedIndices(
    text,
    openPlaces(unmark(unmarkPaddedCopies(shared.restore(withBoundExchanges(code))))),
  )
  return { ...unit, output: encodeUtf8(behind), diagnostics }
}

/**
 * LLVM of today concludes from an index without sign that its sum does not wrap, and that `s[threadIdx.x + 32]` is not `s[3]`; nvcc's does
 * not (PTX of loops that store the one and load the other).
 */
const withoutUnsignedSums = (ir: string): string =>
  ir.replace(/ getelementptr inbounds nuw (?=.* ptr addrspacecast \(ptr addrspace\(3\) )/g, ' getelementptr inbounds ')

const stopped = (exitCode: number, messages: string): Diagnostic => ({
  code: 'compiler',
  severity: 'error',
  message: `clang stopped with status ${exitCode}: ${messages}`,
})

const hasErrors = ({ diagnostics }: CompiledUnit): boolean => diagnostics.some(({ severity }) => severity === 'error')

/** The path of what a `clang -cc1` command compiles. */
const sourceOf = (command: readonly string[]): string => command[command.indexOf('-x') + 2] ?? ''

async function runClang(
  clang: Clang,
  command: readonly string[],
  world: VirtualFiles,
  headers?: Precompiling,
): Promise<CompiledUnit> {
  const [tool = '', mode = '', ...rest] = command
  const files = { ...world.files, ...definitionFiles(command), [GPU_BINARY_STUB]: `${sourceOf(command)}\0` }
  const standard = headers?.standard(sourceOf(command))
  const quick =
    headers &&
    standard &&
    (await runPrecompiled(clang, command, standard, headers.sources, { ...world, files }, headers.cache))
  const { exitCode, stdout, stderr } = quick ?? (await clang.run([tool, mode, ...world.args, ...rest], files))
  const diagnostics = parseClangMessages(inUsersWords(stderr))
  if (stdout.length > LARGEST_OBJECT || (exitCode !== 0 && /^LLVM ERROR: out of memory/m.test(stderr))) {
    return { output: stdout, diagnostics: [tooLarge(sourceOf(command))], messages: stderr }
  }
  if (exitCode === CRASHED) {
    return { output: stdout, diagnostics: [crashed(sourceOf(command), stderr)], messages: stderr }
  }
  if (exitCode !== 0 && !diagnostics.some(({ severity }) => severity === 'error')) {
    diagnostics.push(stopped(exitCode, stderr))
  }
  return { output: stdout, diagnostics, messages: stderr }
}

/** Messages of an assertion name the place in clang's sources. */
const crashed = (file: string, messages: string): Diagnostic => ({
  code: 'compiler-crash',
  severity: 'error',
  message: `clang itself fails over this file, by no mistake of the program; with -O1 or -O0 it may not: ${messages.trim()}`,
  range: { file, line: 1, column: 0 },
})

/** Objects hold static arrays zero by zero, and writing one takes nine times its size: of 700 MB not all of it comes out of clang's 4 GB. */
const LARGEST_OBJECT = 0x2400_0000

const tooLarge = (file: string): Diagnostic => ({
  code: 'static-arrays',
  severity: 'error',
  message:
    'clang runs out of memory: static arrays, of the host and __device__ ones together, can have 512 MB at most; allocate larger ones with malloc, cudaMalloc or cudaMallocManaged',
  range: { file, line: 1, column: 0 },
})

interface LinkResult {
  readonly wasm: Uint8Array
  readonly warnings: readonly Diagnostic[]
}

async function linkHost(
  clang: Clang,
  plan: Plan,
  objects: readonly Uint8Array[],
  { sources, files: userFiles }: CompileInput,
  units: readonly CommandOptions[],
  world: VirtualFiles,
): Promise<LinkResult> {
  if (!objects.some(definesMain)) throw userError('no-main', `the program has no main function: ${sources.join(', ')}`)
  const imports = [...hostImports, ...objects.flatMap(registrations)]
  const files: Record<string, string | Uint8Array> = { [ALLOWED_IMPORTS]: `${imports.join('\n')}\n` }
  plan.objects.forEach((path, index) => {
    files[path] = objects[index]!
  })
  const first = await runLinker(clang, plan.link, files, plan, sources, userFiles)
  const adapters = adaptersFor(first.messages, object => {
    const unit = units[plan.objects.indexOf(object)]
    return { text: String(userFiles[unit?.source ?? ''] ?? ''), isC: unit?.language === 'c' }
  })
  if (adapters === undefined || adapters.defines.size === 0)
    return { wasm: first.wasm, warnings: adapters?.warnings ?? [] }
  for (const [object, defines] of adapters.defines) {
    const unit = units[plan.objects.indexOf(object)]!
    const again = await runClang(clang, hostCommand({ ...unit, defines: [...unit.defines, ...defines] }), world)
    files[object] = again.output
  }
  const plain = { ...units[0]!, source: ADAPTERS, language: 'c', defines: [], includes: [], includeDirs: [] } as const
  const adapting = { files: { ...world.files, [ADAPTERS]: adapters.source }, args: world.args }
  files[ADAPTER_OBJECT] = (await runClang(clang, hostCommand(plain), adapting)).output
  const place = plan.link.indexOf(plan.objects[0]!)
  const command = [...plan.link.slice(0, place), ADAPTER_OBJECT, ...plan.link.slice(place)]
  const second = await runLinker(clang, command, files, plan, sources, userFiles)
  return { wasm: second.wasm, warnings: adapters.warnings }
}

const ADAPTERS = '/adapters.c'
const ADAPTER_OBJECT = '/object/adapters.o'

async function runLinker(
  clang: Clang,
  command: readonly string[],
  files: FileTree,
  plan: Plan,
  sources: readonly string[],
  userFiles: FileTree,
): Promise<{ wasm: Uint8Array; messages: string }> {
  const { exitCode, stdout, stderr } = await clang.run(command, files)
  if (exitCode === 0) return { wasm: stdout, messages: stderr }
  const textOf = (file: string): string | undefined => {
    const text = userFiles[file]
    return typeof text === 'string' ? text : undefined
  }
  const diagnostics = parseLinkMessages(stderr, object => sources[plan.objects.indexOf(object)] ?? object, textOf)
  if (diagnostics.length === 0) diagnostics.push({ code: 'link', severity: 'error', message: `wasm-ld: ${stderr}` })
  throw new UserError(...diagnostics)
}

/**
 * clang names main `__main_void` or `__main_argc_argv` in an object. wasi-libc refers to them weakly, so the linker would
 * make a program of none and trap at its start.
 */
function definesMain(object: Uint8Array): boolean {
  return ['__main_void', '__main_argc_argv'].some(name => includesText(object, name))
}

/** What registers the kernels of a relocatable file has the file's own identity in its name. */
function registrations(object: Uint8Array): string[] {
  if (!includesText(object, LINKED_BINARY)) return []
  return new TextDecoder('latin1').decode(object).match(new RegExp(`${LINKED_BINARY}\\w+`, 'g')) ?? []
}

function includesText(bytes: Uint8Array, text: string): boolean {
  const first = text.charCodeAt(0)
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let length = 1
    while (length < text.length && bytes[at + length] === text.charCodeAt(length)) length++
    if (length === text.length) return true
  }
  return false
}

async function timed<T>(work: Promise<T>): Promise<{ value: T; ms: number }> {
  const start = nowMs()
  const value = await work
  return { value, ms: nowMs() - start }
}

function bytesAsText(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? { bytes: [...value] } : value
}
