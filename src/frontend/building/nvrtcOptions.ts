/**
 * The options of `nvrtcCompileProgram`, as the front end's. Those that change what the machine compiler does and not what is counted
 * here are passed over; those that would change numbers are passed over too, and told of, because nobody but the program's author could
 * leave them out. Source: NVRTC, "Supported Compile Options".
 */
import { type FloatChoices, type FloatMode, floatModeOf } from '../../ir/floatMode.ts'
import { readFloatFlag } from './floatFlags.ts'

export interface NvrtcOptions {
  /** `NAME` or `NAME=value`. */
  readonly defines: readonly string[]
  readonly undefines: readonly string[]
  readonly includeDirs: readonly string[]
  readonly includes: readonly string[]
  readonly standard: string
  /** Compute capability times ten, where the program names one. */
  readonly architecture: number | undefined
  /** `sm_90`, and not `compute_90`: there is machine code. */
  readonly isReal: boolean
  /** Functions without an execution space are the device's. */
  readonly deviceByDefault: boolean
  /** How kernels compute with singles, where an option says. */
  readonly floats: FloatMode | undefined
  /** What is passed over and would change the machine's results or counters. */
  readonly warnings: readonly string[]
}

/** The first option that NVRTC does not have; `-foo`. */
export interface UnknownOption {
  readonly unknown: string
}

/** Options with a value of their own, by the names that they have: the value stands behind `=`, or behind the name, or is the next one. */
const VALUES = {
  define: /^(?:--define-macro|-D)/,
  undefine: /^(?:--undefine-macro|-U)/,
  includeDir: /^(?:--include-path|-I)/,
  include: /^(?:--pre-include|-include)/,
  standard: /^--?std/,
  architecture: /^(?:--gpu-architecture|-arch)/,
} as const
type Valued = keyof typeof VALUES

const DEVICE_BY_DEFAULT = /^(?:--device-as-default-execution-space|-default-device)$/
const CHANGES_NUMBERS = /^--?(?:G|device-debug|maxrregcount(?:=.*)?)$/
const PASSED_OVER = new RegExp(
  `^--?(?:${[
    'device-c|dc|device-w|dw|(?:relocatable-device-code|rdc)=\\w+|extensible-whole-program|ewp',
    'generate-line-info|lineinfo|(?:dopt|Ofast-compile)(?:=\\w+)?|(?:ptxas-options|Xptxas)(?:=.*)?',
    'extra-device-vectorization|modify-stack-limit=\\w+|dlink-time-opt|dlto|gen-opt-lto|(?:jump-table-density|split-compile|time|frandom-seed)=.*',
    'no-source-include|builtin-\\w[\\w-]*=\\w+|pch\\S*|(?:create|use)-pch=.*|minimal|no-cache|device-int128|disable-warnings|w|restrict',
    'optimization-info=\\w+|display-error-number|err-no|no-display-error-number|no-err-no|diag-\\w+=.*|brief-diagnostics=\\w+|version-ident=\\w+',
    'device-stack-protector=\\w+|m64|O[0-3]',
  ].join('|')})$`,
)
/** Their value is the next option. */
const TAKES_NEXT = /^--?(?:ptxas-options|Xptxas|maxrregcount|dopt)$/
const STANDARDS = /^(?:c|gnu)\+\+(?:03|11|14|17|20)$/

export function readNvrtcOptions(options: readonly string[]): NvrtcOptions | UnknownOption {
  const found: Record<Valued, string[]> = {
    define: [],
    undefine: [],
    includeDir: [],
    include: [],
    standard: [],
    architecture: [],
  }
  const warnings: string[] = []
  let choices: FloatChoices = {}
  let deviceByDefault = false
  for (let at = 0; at < options.length; at++) {
    const option = options[at]!.trim()
    const valued = (Object.keys(VALUES) as Valued[]).find(name => VALUES[name].test(option))
    if (valued !== undefined) {
      const attached = option.replace(VALUES[valued], '').replace(/^=/, '').trim()
      const value = attached === '' ? options[++at]?.trim() : attached
      if (value === undefined || !isValue(valued, value)) return { unknown: option }
      found[valued].push(value)
    } else if (readFloatFlag(option)) choices = { ...choices, ...readFloatFlag(option) }
    else if (DEVICE_BY_DEFAULT.test(option)) deviceByDefault = true
    else if (CHANGES_NUMBERS.test(option)) warnings.push(option)
    else if (option !== '' && !PASSED_OVER.test(option)) return { unknown: option }
    if (TAKES_NEXT.test(option)) at++
  }
  const [, kind, number] = ARCHITECTURE.exec(found.architecture.at(-1) ?? '') ?? []
  return {
    defines: found.define,
    undefines: found.undefine,
    includeDirs: found.includeDir,
    includes: found.include,
    standard: (found.standard.at(-1) ?? 'c++17').replace('gnu', 'c').replace('c++03', 'c++11'),
    architecture: number === undefined ? undefined : Number(number),
    isReal: kind === 'sm',
    deviceByDefault,
    floats: floatModeOf(choices),
    warnings,
  }
}

const ARCHITECTURE = /^(sm|compute|lto)_(\d+)[af]?$/

function isValue(name: Valued, value: string): boolean {
  if (name === 'standard') return STANDARDS.test(value)
  return name !== 'architecture' || ARCHITECTURE.test(value)
}
