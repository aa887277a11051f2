/**
 * Under which assumptions a program is compiled: whether `size_t` and `long` have 8 bytes and `long` is a type of its own, which standard
 * and which of our headers it takes, whether its code is relocatable. What is right is only known once clang has read it. In: what clang
 * or the linker said under some of them. Out: what else may hold, most likely first; nothing where it is the program that is wrong.
 */
import { type Diagnostic, UserError } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import type { CompileInput } from '../compiledProgram.ts'
import { OTHER_ORDER, withArgumentOrder } from '../repairs/argumentOrder.ts'
import { hideClang } from '../repairs/hideClang.ts'
import { withRedeclaredFunctions } from '../repairs/redeclaredFunctions.ts'
import { repairAddresses } from '../repairs/repairAddresses.ts'
import { repairArchitecture } from '../repairs/repairArchitecture.ts'
import { repairArrays } from '../repairs/repairArrays.ts'
import { repairCommas } from '../repairs/repairCommas.ts'
import { repairConditionalSides } from '../repairs/repairConditionalSides.ts'
import { repairDefaults } from '../repairs/repairDefaults.ts'
import { repairExternShared } from '../repairs/repairExternShared.ts'
import { repairInstantiations } from '../repairs/repairInstantiations.ts'
import { repairMain } from '../repairs/repairMain.ts'
import { repairOperands } from '../repairs/repairOperands.ts'
import { repairRestrict } from '../repairs/repairRestrict.ts'
import { repairSuffixes } from '../repairs/repairSuffixes.ts'
import { repairTemplates } from '../repairs/repairTemplates.ts'
import { GLIBC_DEFINES, showGlibc } from '../repairs/showGlibc.ts'
import { widenMacroFormats } from '../sizes/macroFormats.ts'
import { repairFormats, tellsLongFromLongLong } from '../sizes/repairFormats.ts'
import { withSeenFormats } from '../sizes/seenFormats.ts'
import { withoutTypedefAlignments } from '../sizes/typedefAlignments.ts'
import { tellsLongsApart, widenLongs, widenLongsApart } from '../sizes/wideLongs.ts'
import { hasOwnLibcu, widenSizes } from '../sizes/wideSizes.ts'
import { LIBRARY_DIR } from '../sources/includes.ts'
import { withNewerThrust } from '../sources/newerThrust.ts'
import { isOwn } from '../sources/ownFiles.ts'
import { APART, mentions } from './plan.ts'

export interface Attempt {
  readonly relocatable: boolean
  readonly lateTemplates: boolean
  readonly formats: Formats
  /** What is compiled where the program tells `long` and `long long` apart. */
  readonly apart: Apart | undefined
  readonly narrower: Narrower | undefined
  /** What is compiled where arguments in GCC's order are mistakes. */
  readonly asGiven: CompileInput | undefined
  /** Sources that had errors under other assumptions. */
  readonly suspects: readonly string[]
}

/** What becomes of formats that do not fit. */
interface Formats {
  /** clang goes no further than to read a source with one: what it makes would be thrown away. */
  readonly stop: boolean
  /** They may still be repaired. */
  readonly repair: boolean
  /** Sources that had some, which are repaired. */
  readonly mended: readonly string[]
}
const ALL_FORMATS: Formats = { stop: true, repair: true, mended: [] }

/** Files in which a type keeps the 4 bytes that clang gives it, and which errors call for them. */
interface Narrower {
  readonly files: FileTree
  readonly tells: RegExp
  readonly says: (error: Diagnostic) => Diagnostic
  readonly narrower?: Narrower | undefined
}

/** What changes for another attempt. */
export interface Retry {
  readonly attempt?: Partial<Attempt>
  readonly input?: Partial<CompileInput>
  /** What the user is told where it is the one that holds. */
  readonly warnings?: readonly Diagnostic[]
  /** Where it has errors of its own, the next one is tried. */
  readonly mayFail?: boolean
}

/** An error that the program may not have where `long` is `long`. */
const TELLS_LONGS_APART = /\blong\b/
/** An error that the program may not have where `size_t` is the libraries'. */
const TELLS_SIZES_APART = /\blong\b|\bsize_t\b|\bsizeof\b|\bSIZE_MAX\b/
/** Errors of a program that has one thing for `long` and another for `long long`, where the two are the same. */
const CLASH =
  /^redefinition of|^class member cannot be redeclared|ambiguous|^functions that differ only|^explicit (?:template )?specialization of|^duplicate (?:member|explicit)|^type .* in generic association compatible/
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
  /** Thrust and CUB, which CUDA 12's headers have in C++11 and 14 too (include/warplens/cuda/std.h). */
  { tells: /: error: "Thrust, CUB and libcu\+\+ need C\+\+17/, standard: 'c++17' },
]
/** GCC's word, which it has but where a standard is asked for by its strict name, and nvcc hands none on. */
const GNU_WORD = /^use of undeclared identifier 'typeof'/
/**
 * A template's body calls what is declared behind it: an error by the standard, but nvcc looks where the template is used (CUB's
 * radix sort of version 2.0 relies on it).
 */
const DECLARED_BEHIND = /that is neither visible in the template definition nor found by argument-dependent lookup$/
/** A name that nothing has: nvcc does not look for it in a template that is never used (CGBN's headers rely on it). */
const UNKNOWN_NAME = /^use of undeclared identifier '/
/** Functions that CUDA's headers no longer have (include/warplens/device_first_names.h). */
const FIRST_NAME =
  /^use of undeclared identifier '(?:saturate|mul64hi|(?:float|u?int)_as_(?:float|u?int)|float2u?int|u?int2float|cudaRound\w+)'/
const FIRST_NAMES = 'WARPLENS_FIRST_NAMES'
/** A program defines operator new where our headers have it by another name (include/warplens/host_new.h). */
const OWN_NEW = /^__warplens_new/
const OWN_NEWS = 'WARPLENS_OWN_NEW'
/** A file that is included is not there. */
const MISSING_FILE = /^'[^']+' file not found/
/** The C++ library's headers bring in more than GCC's do, and a program calls something of its own what they have in std. */
const AMBIGUOUS = /^reference to ('\w+') is ambiguous$/
const FEWER_HEADERS = '_LIBCPP_REMOVE_TRANSITIVE_INCLUDES'
/** A call of the other side's, as an error or as a note of what would have been called. */
const OTHER_SIDE = /: call to __(?:device|host)__ function from |^reference to __(?:device|host)__ function /m
const ASKED = /__CUDA_ARCH__/
/** Functions of the other side than the one that is compiled are both sides'. */
const BOTH_SIDES = 'warplens/both_sides.h'
const DEVICE_LAUNCH = /kernel launch from __device__ or __global__ function requires relocatable device code/
const DECLARED_VARIABLE =
  /\bextern\b[^;(){}]*\b__(?:device|constant|managed)__|__(?:device|constant|managed)__\s+extern\b/
const DEVICE_DECLARATION = /[^;(){}]*\b__(?:device|constant|managed)__[^;(){}]*/g

export interface First {
  readonly input: CompileInput
  readonly attempt: Attempt
}

/** What is compiled first. */
export function firstAttempt(asked: CompileInput): First {
  const given = withUnixLines(asked.files)
  const input =
    OLDER_STANDARD.test(asked.standard ?? '') && hasNewLibraries(given) ? { ...asked, standard: 'c++17' } : asked
  const inOrder = withArgumentOrder(given)
  return attemptOf({ ...input, files: inOrder ?? given }, inOrder && { ...input, files: given })
}

/** Thrust and CUB as installed, which CUDA 12 has in these standards too; here they are those of CUDA 13 (include/warplens/cuda/std.h). */
const hasNewLibraries = (files: FileTree): boolean =>
  [`${LIBRARY_DIR}/thrust/version.h`, `${LIBRARY_DIR}/cub/version.cuh`].some(path => files[path] !== undefined)
const OLDER_STANDARD = /^(?:c|gnu)\+\+1[14]$/

/**
 * What is compiled before that where a program's text has two things for `long` and `long long`, as CuTe and libcu++ do: to find it out
 * takes clang as long again. libcu++ defines the standard library's arrays and tuples for size_t, which keeps its 4 bytes.
 */
export function likelierAttempt(files: FileTree, { attempt }: First): First | undefined {
  const { apart } = attempt
  if (!apart || !tellsLongsApart(files)) return undefined
  const { narrower } = apart
  if (narrower && hasOwnLibcu(files))
    return {
      input: { ...apart.input, files: narrower.files },
      attempt: { ...attempt, apart: undefined, narrower: undefined },
    }
  return { input: apart.input, attempt: { ...attempt, apart: undefined, narrower } }
}

function attemptOf(input: CompileInput, asGiven: CompileInput | undefined): First {
  const files = withSeenFormats(withRedeclaredFunctions(withoutTypedefAlignments(withNewerThrust(input.files))))
  const long = widenLongs(files)
  const narrow = long && { files, tells: TELLS_LONGS_APART, says: narrowLongs }
  const size = widenSizes(long ?? files)
  const narrower = size
    ? { files: long ?? files, tells: TELLS_SIZES_APART, says: narrowSizes, narrower: narrow }
    : narrow
  const attempt = {
    relocatable: false,
    lateTemplates: false,
    formats: ALL_FORMATS,
    apart: apartLongs(input, files),
    narrower,
    asGiven,
    suspects: [],
  }
  return { input: { ...input, files: size ?? long ?? files }, attempt }
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

/** What may hold of a program with these errors; a repair is looked for only when it is its turn. */
export function* afterErrors(errors: readonly Diagnostic[], input: CompileInput, attempt: Attempt): Generator<Retry> {
  const { files, workingDirectory = '/work' } = input
  const { narrower, apart } = attempt
  const isTold = (message: RegExp, of = errors) => of.some(error => message.test(error.message))
  // Two things of one name are no matter of sizes, whatever else stands in the lines with the name.
  const names = errors.flatMap(({ message }) => AMBIGUOUS.exec(message)?.[1] ?? [])
  const others = errors.filter(({ message }) => !names.some(name => message.includes(name)))
  if (!attempt.relocatable && isTold(DEVICE_LAUNCH)) yield { attempt: { relocatable: true } }
  if (!attempt.lateTemplates && (isTold(DECLARED_BEHIND) || errors.some(error => isInTemplate(error, files))))
    yield { attempt: { lateTemplates: true } }
  const { standard = 'c++17' } = input
  if (standard.startsWith('c') && isTold(GNU_WORD)) yield { input: { standard: standard.replace('c', 'gnu') } }
  // Nothing that a type's size decides brings a file, and other sizes are a compilation each.
  const lacksFile = isTold(MISSING_FILE)
  const triesApart = apart && !lacksFile && isTold(CLASH, others)
  if (triesApart) {
    const change = { apart: undefined, narrower: apart.narrower, formats: ALL_FORMATS }
    yield { attempt: change, input: apart.input, mayFail: narrower !== undefined }
  }
  const mixed = narrower && !lacksFile && others.find(({ rendered = '' }) => narrower.tells.test(rendered))
  if (mixed) {
    const { attempt: change, ...narrow } = asNarrow(narrower, mixed)
    // What did not compile with long apart does so no sooner with other sizes: the copy is the same.
    yield { ...narrow, attempt: { ...change, ...(triesApart && { apart: undefined }) } }
  }
  const later = LATER_STANDARDS.find(
    ({ tells, standard }) => standard !== input.standard && errors.some(({ rendered = '' }) => tells.test(rendered)),
  )
  if (later) yield { input: { standard: later.standard } }
  for (const [define, message] of [
    [FIRST_NAMES, FIRST_NAME],
    [FEWER_HEADERS, AMBIGUOUS],
  ] as const) {
    if (!input.defines?.includes(define) && isTold(message)) yield defining(input, define)
  }
  for (const repair of REPAIRS) {
    const repaired = repair(files, errors, workingDirectory)
    if (repaired) yield { input: { files: repaired } }
  }
  const isOfSides = errors.some(({ message, notes = [] }) => [message, ...notes].some(text => OTHER_SIDE.test(text)))
  const { includes = [] } = input
  if (isOfSides && !includes.includes(BOTH_SIDES) && Object.entries(files).some(asksSide))
    yield { input: { includes: [BOTH_SIDES, ...includes] }, mayFail: true }
  const helped = repairAddresses(files, errors, workingDirectory) ?? (errors.length > 0 ? hideClang(files) : undefined)
  if (helped) yield { input: { files: helped }, mayFail: true }
  const asGnu = errors.length > 0 ? showGlibc(files) : undefined
  if (asGnu) yield { input: { files: asGnu, defines: [...(input.defines ?? []), ...GLIBC_DEFINES] }, mayFail: true }
  if (errors.length > 0 && attempt.asGiven) {
    const { input: given, attempt: change } = attemptOf(attempt.asGiven, undefined)
    yield { attempt: change, input: { ...given, defines: given.defines ?? [] }, warnings: [OTHER_ORDER] }
  }
}

const REPAIRS = [
  repairArchitecture,
  repairArrays,
  repairCommas,
  repairConditionalSides,
  repairDefaults,
  repairExternShared,
  repairTemplates,
  repairInstantiations,
  repairMain,
  repairOperands,
  repairRestrict,
  repairSuffixes,
] as const

/** What clang said of a program that has no errors but in formats. */
interface FormatMessages {
  /** As printed, of each side of each source. */
  readonly messages: readonly string[]
  /** The source in which clang stopped at formats; those behind it are not compiled. */
  readonly stoppedAt: string | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** Formats in other words, or files in which the types have the formats' sizes. */
export function afterFormats(
  { messages, stoppedAt, diagnostics }: FormatMessages,
  { files, sources, workingDirectory = '/work' }: CompileInput,
  { formats, narrower }: Attempt,
): Retry | undefined {
  const isMended = stoppedAt !== undefined && formats.mended.includes(stoppedAt)
  const repaired = formats.repair && !isMended ? repairFormats(files, messages, workingDirectory) : undefined
  if (stoppedAt !== undefined) {
    const mended = [...formats.mended, stoppedAt]
    const stop = repaired !== undefined && mended.length < sources.length
    const repair = sources.length > 1
    return { attempt: { formats: { stop, repair, mended } }, input: { files: repaired ?? files } }
  }
  if (repaired) return { attempt: { formats: { ...formats, stop: false, repair: false } }, input: { files: repaired } }
  const unrepaired = narrower && diagnostics.find(({ message }) => tellsLongFromLongLong(message))
  const converting = unrepaired && widenMacroFormats(files)
  if (converting) return { input: { files: converting } }
  return unrepaired && asNarrow(narrower, unrepaired)
}

/** Whether nothing but two things of one name was wrong, and what was tried has others' mistakes: they are the program's. */
export function isFurther(errors: readonly Diagnostic[], { diagnostics }: UserError): boolean {
  const told = new Set(errors.map(({ message }) => message))
  return errors.every(({ message }) => CLASH.test(message)) && !diagnostics.some(({ message }) => told.has(message))
}

/** What may hold of a program that does not link. */
export function afterLinking(error: unknown, input: CompileInput, { relocatable }: Attempt): Retry | undefined {
  if (definesNew(error)) return defining(input, OWN_NEWS)
  return !relocatable && lacksDeviceVariable(error, input.files) ? { attempt: { relocatable: true } } : undefined
}

const asNarrow = ({ files, says, narrower }: Narrower, reason: Diagnostic): Retry => ({
  attempt: { narrower, formats: ALL_FORMATS },
  input: { files },
  warnings: [says(reason)],
})

const defining = ({ defines = [] }: CompileInput, name: string): Retry => ({ input: { defines: [...defines, name] } })

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

const asksSide = ([path, text]: [string, string | Uint8Array]): boolean =>
  typeof text === 'string' && isOwn(path, text) && ASKED.test(text)

function definesNew(error: unknown): boolean {
  return (
    error instanceof UserError &&
    error.diagnostics.some(({ code, message }) => code === 'duplicate-symbol' && OWN_NEW.test(message))
  )
}

/** Whether it is a name that nothing has, and a template begins somewhere in front of it. */
function isInTemplate({ message, range }: Diagnostic, files: FileTree): boolean {
  if (!range || !UNKNOWN_NAME.test(message) || FIRST_NAME.test(message)) return false
  return Object.entries(files).some(([name, text]) => {
    if (typeof text !== 'string' || !name.endsWith(range.file)) return false
    const lines = text.split('\n').slice(0, range.line)
    return lines.some(line => /\btemplate\s*</.test(line))
  })
}

/** A host object lacks a symbol that is declared as a device variable, which may be another file's: other objects keep theirs to themselves. */
function lacksDeviceVariable(error: unknown, files: FileTree): boolean {
  const missing = error instanceof UserError ? error.diagnostics.filter(({ code }) => code === 'undefined-symbol') : []
  if (missing.length === 0 || !mentions(files, DECLARED_VARIABLE)) return false
  const texts = Object.values(files).filter(text => typeof text === 'string')
  const declarations = texts.flatMap(text => text.match(DEVICE_DECLARATION) ?? [])
  const declared = new Set(declarations.flatMap(each => each.match(/\w+/g) ?? []))
  return missing.some(({ message }) => declared.has(UNDEFINED_NAME.exec(message)?.[1] ?? ''))
}
/** A function has its parameters behind its name. */
const UNDEFINED_NAME = /^undefined function (?:[\w:<>, ]*::)?(\w+), used in /
