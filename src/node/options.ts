/**
 * The flags of the commands as typed values, and the checks of their values. The names are INTERFACES.md's, which follow
 * ncu, nvprof and nvcc.
 */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type CheckTool, checkTools, type FindingSeverity } from '../check/findings.ts'
import type { Language } from '../frontend/building/commandFlags.ts'
import { type FloatMode, floatModeOf } from '../ir/floatMode.ts'
import type { KernelName } from '../report/demangle.ts'
import { type FileFormat, fileFormats, type Page } from '../report/pages.ts'
import { withoutNvccFlags } from './nvccFlags.ts'
import { withoutProfilerFlags } from './profilerFlags.ts'
import type { ColorChoice } from './terminal.ts'

export interface CommonOptions {
  readonly includeDirs: readonly string[]
  readonly defines: readonly string[]
  readonly includes: readonly string[]
  readonly language: Language | undefined
  readonly standard: string
  readonly optimize: 0 | 1 | 2 | 3
  /** As `nvcc -rdc=true` and `-dc`. */
  readonly relocatable: boolean
  /** As nvcc's `-use_fast_math`, `-ftz` and their like say, where they say anything. */
  readonly floats: FloatMode | undefined
  readonly device: string
  readonly executor: 'fast' | 'reference'
  readonly fma: 'exact' | 'fast'
  readonly jobs: number | undefined
  readonly timeoutSeconds: number | undefined
  readonly memoryBytes: number | undefined
  /** Files and folders outside the working directory that the program may read. */
  readonly readable: readonly string[]
  readonly deviceCount: number
  readonly seed: number | undefined
  readonly color: ColorChoice
  readonly quiet: boolean
  readonly verbose: boolean
  readonly cache: boolean
}

export interface OutputFile {
  readonly path: string
  readonly format: FileFormat
  /** By gzip. */
  readonly isCompressed: boolean
}

export interface ProfileOptions extends CommonOptions {
  /** Metric names, sets and sections as typed; all empty for the overview. */
  readonly metrics: readonly string[]
  readonly sets: readonly string[]
  readonly sections: readonly string[]
  readonly kernel: KernelFilter | undefined
  readonly launchSkip: number
  readonly launchCount: number
  readonly page: Page
  readonly csv: boolean
  readonly units: 'base' | 'auto'
  /** A number, or a file with the machine compiler's listing. */
  readonly registers: string | undefined
  /** Predict traffic below L1 and time. */
  readonly time: boolean
  readonly output: readonly OutputFile[]
}

export interface CheckCommandOptions extends CommonOptions {
  readonly tools: readonly CheckTool[]
  readonly errorExitCode: number
  readonly printLimit: number
  readonly printLevel: FindingSeverity
  readonly json: boolean
  readonly leakCheck: 'no' | 'full'
  readonly reportApiErrors: 'no' | 'explicit' | 'all'
  readonly destroyOnDeviceError: 'context' | 'kernel'
  readonly kernel: KernelFilter | undefined
  readonly launchSkip: number
  readonly launchCount: number
}

/** Which kernels `-k` means. */
export interface KernelFilter {
  /** As typed. */
  readonly text: string
  readonly matches: (name: KernelName) => boolean
}

/** Adds the flags of every command that compiles and runs a program. */
export function addCommonOptions(command: Command): Command {
  return command
    .option('-I, --include-dir <dir>', 'search DIR for included files (repeatable)', collect)
    .option('-D, --define <name[=value]>', 'define a macro (repeatable)', collect)
    .option('--include <file>', 'include FILE before each source (repeatable)', collect)
    .addOption(
      new Option('-x, --x <language>', 'what the sources are, whatever their names').choices(Object.keys(languages)),
    )
    .option(
      '--std <c++NN>',
      'C++ standard, also written -std=c++NN (98 and 03 are compiled as 11)',
      languageStandard,
      'c++17',
    )
    .addOption(
      new Option('-O, --optimize <level>', 'optimisation, -O0 to -O3').choices(['0', '1', '2', '3']).default('2'),
    )
    .option(
      '--relocatable-device-code',
      'as nvcc -rdc=true and -dc: device code is linked, and shared arrays are read as they are declared',
    )
    .option('--use_fast_math', 'as nvcc: fast functions, quotients and roots, no subnormal numbers')
    .addOption(trueOrFalse('--ftz', 'subnormal numbers are zeros (default: "false")'))
    .addOption(trueOrFalse('--prec-div', 'quotients are rounded rightly (default: "true")'))
    .addOption(trueOrFalse('--prec-sqrt', 'roots are rounded rightly (default: "true")'))
    .addOption(trueOrFalse('--fmad', 'products and sums are fused (default: "true")'))
    .option('--device <name>', 'the GPU to be', 'H200')
    .addOption(
      new Option('--executor <name>', 'generated code, or the slow interpreter that defines its meaning')
        .choices(['fast', 'reference'])
        .default('fast'),
    )
    .addOption(
      new Option('--fma <how>', 'fast: may round multiply-adds twice, where this machine cannot fuse them')
        .choices(['exact', 'fast'])
        .default('exact'),
    )
    .option('--jobs <n>', 'threads that run blocks (default: the number of cores)', positiveInteger)
    .option('--timeout <seconds>', 'give up after this many seconds of compiling and running', positiveNumber)
    .option(
      '--allow-read <path>',
      'let the program read a file, or what is in a folder, outside the working directory (repeatable)',
      collect,
    )
    .option('--memory <size>', 'memory of the device, as 512M or 4G', byteSize)
    .option('--devices <n>', 'how many devices of that kind the program finds', deviceCount, 1)
    .option('--seed <n>', 'seed of the random numbers that the system gives the program', nonNegativeInteger)
    .addOption(new Option('--color <when>', 'colours').choices(['auto', 'always', 'never']).default('auto'))
    .option('--no-cache', 'compile again, and keep nothing')
    .option('--quiet', 'nothing but what was asked for: no progress, no remarks')
    .option('--verbose', 'print where the time goes')
}

export function addProfileOptions(command: Command): Command {
  return addCommonOptions(command)
    .option(
      '--metrics <names>',
      'metrics by ncu or nvprof name, or regex:EXPR, comma-separated (repeatable)',
      collectList,
    )
    .option('--set <name>', 'a set of metrics: basic, memory, full (repeatable)', collectList)
    .option('--section <name>', 'a section of metrics (repeatable)', collectList)
    .option('-k, --kernel-name <name>', 'only kernels of this name, or regex:EXPR', kernelFilter)
    .option('-s, --launch-skip <n>', 'skip the first N launches that match', nonNegativeInteger, 0)
    .option('-c, --launch-count <n>', 'report at most N launches', nonNegativeInteger)
    .addOption(new Option('--page <name>', 'what to print').choices(['details', 'raw', 'source']).default('details'))
    .option('--csv', "print comma-separated values, in ncu's columns")
    .addOption(new Option('--print-units <how>', 'scale values or not').choices(['base', 'auto']).default('base'))
    .addOption(new Option('--print-summary <what>', 'minimum, maximum and average').choices(['per-kernel']))
    .option('--print-gpu-trace', 'copies and kernels in the order they began, as nvprof')
    .option(
      '--registers <n|file>',
      "registers a thread: a number, or what 'nvcc -Xptxas -v' or 'cuobjdump --dump-resource-usage' printed, in a file",
    )
    .option('--no-time', 'predict neither time nor the traffic below L1')
    .option(
      '-o, --output <file>',
      `write the report, by extension: ${fileFormats.join(', ')}, each also with .gz (repeatable)`,
      collectFile,
      [],
    )
}

export function addCheckOptions(command: Command): Command {
  return addCommonOptions(command)
    .option(
      '--tool <names>',
      `what to look for: ${checkTools.join(', ')}, comma-separated (default: all)`,
      collectTools,
    )
    .option('--error-exitcode <n>', 'exit code where something was found', exitCode, 1)
    .option('--print-limit <n>', 'findings to print at most', nonNegativeInteger, 100)
    .addOption(
      new Option('--print-level <level>', 'the least that is printed')
        .choices(['info', 'warning', 'error'])
        .default('warning'),
    )
    .option('--json', 'print a JSON document; the program writes to standard error then')
    .addOption(
      new Option('--leak-check <how>', 'full: device memory that is never freed').choices(['no', 'full']).default('no'),
    )
    .addOption(
      new Option('--report-api-errors <which>', 'CUDA calls that fail')
        .choices(['no', 'explicit', 'all'])
        .default('explicit'),
    )
    .addOption(
      new Option('--destroy-on-device-error <what>', 'what ends where an address stops a kernel: all, or that kernel')
        .choices(['context', 'kernel'])
        .default('context'),
    )
    .option('-k, --kernel-name <name>', 'only kernels of this name, or regex:EXPR', kernelFilter)
    .option('-s, --launch-skip <n>', 'skip the first N launches that match', nonNegativeInteger, 0)
    .option('-c, --launch-count <n>', 'look at N launches at most', nonNegativeInteger)
}

/** Of singles in kernels, as nvcc names it. */
function trueOrFalse(flag: string, description: string): Option {
  return new Option(`${flag} <true|false>`, description).choices(['true', 'false'])
}

/** What commander hands over for the flags above. */
interface Parsed {
  readonly includeDir?: string[]
  readonly define?: string[]
  readonly include?: string[]
  readonly x?: keyof typeof languages
  readonly std: string
  readonly optimize: '0' | '1' | '2' | '3'
  readonly relocatableDeviceCode?: true
  readonly use_fast_math?: true
  readonly ftz?: 'true' | 'false'
  readonly precDiv?: 'true' | 'false'
  readonly precSqrt?: 'true' | 'false'
  readonly fmad?: 'true' | 'false'
  readonly device: string
  readonly executor: 'fast' | 'reference'
  readonly fma: 'exact' | 'fast'
  readonly jobs?: number
  readonly timeout?: number
  readonly memory?: number
  readonly allowRead?: string[]
  readonly devices: number
  readonly seed?: number
  readonly color: ColorChoice
  readonly cache: boolean
  readonly quiet?: true
  readonly verbose?: true
}

interface ParsedProfile extends Parsed {
  readonly metrics?: string[]
  readonly set?: string[]
  readonly section?: string[]
  readonly kernelName?: KernelFilter
  readonly launchSkip: number
  readonly launchCount?: number
  readonly page: 'details' | 'raw' | 'source'
  readonly csv?: true
  readonly printUnits: 'base' | 'auto'
  readonly printSummary?: 'per-kernel'
  readonly printGpuTrace?: true
  readonly registers?: string
  readonly time: boolean
  readonly output?: OutputFile[]
}

interface ParsedCheck extends Parsed {
  readonly tool?: CheckTool[]
  readonly errorExitcode: number
  readonly printLimit: number
  readonly printLevel: FindingSeverity
  readonly json?: true
  readonly leakCheck: 'no' | 'full'
  readonly reportApiErrors: 'no' | 'explicit' | 'all'
  readonly destroyOnDeviceError: 'context' | 'kernel'
  readonly kernelName?: KernelFilter
  readonly launchSkip: number
  readonly launchCount?: number
}

/** As nvcc names them. */
const languages = { cu: 'cuda', 'c++': 'c++', c: 'c' } as const
const optimizations = { 0: 0, 1: 1, 2: 2, 3: 3 } as const

const isTrue = (choice: 'true' | 'false' | undefined): boolean | undefined =>
  choice === undefined ? undefined : choice === 'true'

export function commonOptions(parsed: Parsed): CommonOptions {
  return {
    includeDirs: parsed.includeDir ?? [],
    defines: parsed.define ?? [],
    includes: parsed.include ?? [],
    language: parsed.x && languages[parsed.x],
    standard: parsed.std,
    optimize: optimizations[parsed.optimize],
    relocatable: parsed.relocatableDeviceCode ?? false,
    floats: floatModeOf({
      useFastMath: parsed.use_fast_math,
      ftz: isTrue(parsed.ftz),
      precDiv: isTrue(parsed.precDiv),
      precSqrt: isTrue(parsed.precSqrt),
      fmad: isTrue(parsed.fmad),
    }),
    device: parsed.device,
    executor: parsed.executor,
    fma: parsed.fma,
    jobs: parsed.jobs,
    timeoutSeconds: parsed.timeout,
    memoryBytes: parsed.memory,
    readable: parsed.allowRead ?? [],
    deviceCount: parsed.devices,
    seed: parsed.seed,
    color: parsed.color,
    quiet: parsed.quiet ?? false,
    verbose: parsed.verbose ?? false,
    cache: parsed.cache,
  }
}

export function profileOptions(parsed: ParsedProfile): ProfileOptions {
  const { metrics = [], set: sets = [], section: sections = [] } = parsed
  const chosen = metrics.length + sets.length + sections.length > 0
  const page: Page = parsed.printGpuTrace
    ? 'gpu-trace'
    : (parsed.printSummary ?? (parsed.page === 'details' && chosen ? 'metrics' : parsed.page))
  return {
    ...commonOptions(parsed),
    metrics,
    sets,
    sections,
    kernel: parsed.kernelName,
    launchSkip: parsed.launchSkip,
    launchCount: parsed.launchCount ?? Number.POSITIVE_INFINITY,
    page,
    csv: parsed.csv ?? false,
    units: parsed.printUnits,
    registers: parsed.registers,
    time: parsed.time,
    output: parsed.output ?? [],
  }
}

export function checkOptions(parsed: ParsedCheck): CheckCommandOptions {
  const { tool = [] } = parsed
  return {
    ...commonOptions(parsed),
    tools: tool.length === 0 ? checkTools : checkTools.filter(known => tool.includes(known)),
    errorExitCode: parsed.errorExitcode,
    printLimit: parsed.printLimit,
    printLevel: parsed.printLevel,
    json: parsed.json ?? false,
    leakCheck: parsed.leakCheck,
    reportApiErrors: parsed.reportApiErrors,
    destroyOnDeviceError: parsed.destroyOnDeviceError,
    kernel: parsed.kernelName,
    launchSkip: parsed.launchSkip,
    launchCount: parsed.launchCount ?? Number.POSITIVE_INFINITY,
  }
}

/** nvcc's `-std=c++17`, `-x=cu` and `-include FILE` in the form that the argument parser reads, without flags of such tools that change nothing here. */
export function normalizeArguments(args: readonly string[]): string[] {
  return withoutProfilerFlags(withoutNvccFlags(args)).map(arg => (/^-(?:std=|x=|include$)/.test(arg) ? `-${arg}` : arg))
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

function collectList(value: string, before: readonly string[] = []): string[] {
  return [...before, ...splitList(value)]
}

/** At commas, but not inside a `regex:` whose braces and classes may hold some. */
function splitList(value: string): string[] {
  if (value.startsWith('regex:')) return [value]
  return value
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
}

function collectTools(value: string, before: readonly CheckTool[] = []): CheckTool[] {
  const named = splitList(value).map(name => {
    const tool = checkTools.find(known => known === name)
    if (tool === undefined) throw new InvalidArgumentError(`There are ${checkTools.join(', ')}.`)
    return tool
  })
  return [...before, ...named]
}

function exitCode(text: string): number {
  const code = nonNegativeInteger(text)
  if (code > 255) throw new InvalidArgumentError('An exit code is at most 255.')
  return code
}

function collectFile(path: string, before: readonly OutputFile[] = []): OutputFile[] {
  const [, extension, compressed] = /\.([^./\\]+?)(\.gz)?$/.exec(path.toLowerCase()) ?? []
  const format = fileFormats.find(known => known === extension)
  if (format === undefined)
    throw new InvalidArgumentError(
      `The extension says the format: ${fileFormats.map(known => `.${known}`).join(', ')}.`,
    )
  return [...before, { path, format, isCompressed: compressed !== undefined }]
}

/** An expression is held against the base name, as ncu's `--kernel-name-base function`; a name may be any that a page shows. */
function kernelFilter(text: string): KernelFilter {
  if (!text.startsWith('regex:'))
    return { text, matches: ({ base, short, full }) => [base, short, full].includes(text) }
  try {
    const expression = new RegExp(text.slice('regex:'.length))
    return { text, matches: ({ base }) => expression.test(base) }
  } catch {
    throw new InvalidArgumentError('Not a regular expression.')
  }
}

function nonNegativeInteger(text: string): number {
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(Number(text))) throw new InvalidArgumentError('Not a whole number.')
  return Number(text)
}

/** nvcc takes the older ones too, and its headers are C++11's all the same. */
const languageStandard = (text: string): string => text.replace(/(?<=^(?:c|gnu)\+\+)(?:98|03)$/, '11')

function positiveInteger(text: string): number {
  const value = nonNegativeInteger(text)
  if (value === 0) throw new InvalidArgumentError('Must be at least 1.')
  return value
}

function positiveNumber(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('Not a positive number.')
  return value
}

const sizeUnits: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }

/** As many as a server has. */
const MOST_DEVICES = 16

function deviceCount(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1 || count > MOST_DEVICES)
    throw new InvalidArgumentError(`Write a number from 1 to ${MOST_DEVICES}.`)
  return count
}

function byteSize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([kmg]?)i?b?$/i.exec(text)
  const unit = sizeUnits[match?.[2]?.toLowerCase() ?? '']
  if (!match || unit === undefined) throw new InvalidArgumentError('Not a size: write bytes, or 512M, or 4G.')
  return Math.floor(Number(match[1]) * unit)
}
