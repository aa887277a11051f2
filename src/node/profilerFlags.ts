/**
 * Flags of ncu, nvprof and compute-sanitizer that a line copied from a script brings along: those that change nothing here are passed
 * over, those whose answer has another name here say it. Sources: Nsight Compute CLI, "Command Line Options"; nvprof, "Command Line
 * Options"; Compute Sanitizer, "Command Line Options".
 */
import { userError } from '../diagnostic.ts'

/** Reports are always overwritten, and a program is one process that runs once. */
const ALONE = /^(?:-f|--force-overwrite)$/
const WITH_VALUE = /^--(?:target-processes|replay-mode)(=.*)?$/

/** What to write instead. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [
    /^--(?:query|list)-(?:metrics|events|sets|sections|chips)$/,
    'warplens metrics lists metrics, warplens devices lists GPUs',
  ],
  [/^--kernels$/, 'kernels are chosen by -k NAME or -k regex:EXPR'],
  [/^--(?:events|analysis-metrics)$/, 'what can be counted has a name for --metrics, and warplens metrics lists them'],
  [
    /^--print-gpu-summary$/,
    '--print-summary per-kernel has the launches of each kernel, --print-gpu-trace all in their order',
  ],
  [/^--print-api-(?:trace|summary)$/, 'calls of the CUDA API are not timed: --print-gpu-trace has copies and kernels'],
  [/^--log-file$/, 'the report is on standard output (> FILE), and -o FILE writes .json, .html, .csv or .md'],
  [
    /^(?:-i|--import|--import-profile|--export|--export-profile)$/,
    '-o FILE writes the report, and .html and .json need no import',
  ],
]
/** Of another command, `check`. */
const OF_CHECK = /^--(?:tool|leak-check|error-exitcode|report-api-errors|racecheck-report|destroy-on-device-error)$/

/**
 * The arguments without such flags.
 * @throws UserError for a flag that has another name here
 */
export function withoutProfilerFlags(args: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    const [flag = arg] = arg.split('=', 1)
    const ofCheck = args[0] !== 'check' && OF_CHECK.test(flag) ? 'warplens check is the command that has it' : undefined
    const instead = ofCheck ?? ELSEWHERE.find(([known]) => known.test(flag))?.[1]
    if (instead) throw userError('unsupported-flag', `${flag} is not an option here: ${instead}`)
    const withValue = WITH_VALUE.exec(arg)
    if (withValue) at += withValue[1] === undefined ? 1 : 0
    else if (!ALONE.test(arg)) kept.push(arg)
  }
  return kept
}
