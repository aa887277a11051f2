/**
 * What became of a program, and why: from its exit code and output, or from the compiler's errors. Causes are short and the
 * same for the same cause, so that a table can count them.
 */
import type { Diagnostic } from '../../src/diagnostic.ts'
import type { ProgramSettings } from './manifest.ts'
import { compareOutputs, type RecordedRun } from './recorded.ts'

export type Status =
  /** Ran, and its own check or the recorded output agrees. */
  | 'passed'
  /** Ran with exit code 0 and has no check that we recognise. */
  | 'ran'
  /** Says itself that it needs something that this machine has not (a second GPU, a newer one). */
  | 'waived'
  /** Ran, and its own check or the recorded output disagrees. */
  | 'wrong'
  /** Ran, has no check of its own, and prints other text (numbers aside) than on the real GPU. */
  | 'differs'
  /** Ended early: an error of its own, a fault. */
  | 'failed'
  /** Warplens said by name what it does not support. */
  | 'refused'
  | 'compile error'
  | 'time limit'
  /** A bug of ours: exit code 70, or a crash of the tool. */
  | 'internal error'
  | 'excluded'
  /** Not run, because only compilation was asked for. */
  | 'compiled'

export interface Verdict {
  readonly status: Status
  /** Empty for success. */
  readonly cause: string
}

export interface Ending {
  /** Undefined where the process was killed. */
  readonly exitCode: number | undefined
  readonly stdout: string
  readonly stderr: string
  readonly killed: boolean
}

export interface Checks {
  readonly pass: RegExp | undefined
  readonly fail: RegExp | undefined
  readonly expectedOutput: string | undefined
  /** What the program did on a real GPU. */
  readonly recorded: RecordedRun | undefined
}

const PASS =
  /\b(?:test )?pass(?:ed)?\b|\bsuccess(?:ful(?:ly)?)?\b|\bcorrect\b|results? match|arrays match|\bOK\b|verified|= PASS/i
const FAIL =
  /(?<!0 )\bfail(?:ed|ure)?\b(?!\s*[:=]?\s*0\b)|mismatch|do(?:es)? not match|do(?:n't| not) match|incorrect|\bwrong\b|verification error/i

/** What a finished run was. */
export function judgeRun(ending: Ending, settings: ProgramSettings, checks: Checks): Verdict {
  const { exitCode, stdout, stderr, killed } = ending
  const problem = problemIn(stderr)
  if (/internal error/.test(stderr)) return { status: 'internal error', cause: problem }
  if (killed || /time limit|timed out|\btimeout\b/i.test(problem))
    return { status: 'time limit', cause: problem || 'killed' }
  const refusal = exitCode === 0 ? undefined : refusalIn(stderr, problem)
  if (refusal !== undefined) return { status: 'refused', cause: refusal }
  if (exitCode === 2 && /waiv/i.test(stdout + stderr)) return { status: 'waived', cause: lastLine(stdout + stderr) }
  const wanted = checks.recorded?.exitCode ?? 0
  // A program that crashes on the H200 (a bug of 64 bits, say) may well be right here.
  const says = exitCode === 0 && (checks.pass ?? PASS).test(stdout) && complaintIn(stdout, checks) === undefined
  if (exitCode !== wanted && !says && !(settings.exitCodes ?? []).includes(exitCode ?? -1))
    return { status: 'failed', cause: problem || `exit code ${exitCode}: ${lastLine(stderr) || lastLine(stdout)}` }
  if (checks.expectedOutput !== undefined && stdout !== checks.expectedOutput)
    return { status: 'wrong', cause: 'output differs from the recorded one' }
  const complaint = complaintIn(stdout, checks)
  if (checks.recorded) {
    const complainedThere = complaintIn(checks.recorded.stdout, checks) !== undefined
    if (complaint !== undefined && !complainedThere) return { status: 'wrong', cause: `its own check: ${complaint}` }
    const comparison = compareOutputs(stdout, checks.recorded.stdout)
    if (comparison === 'same' || (says && exitCode !== wanted)) return { status: 'passed', cause: '' }
    const passes = (checks.pass ?? PASS).test(stdout)
    if (comparison.difference !== undefined && !passes) return { status: 'differs', cause: comparison.difference }
    return { status: passes ? 'passed' : 'ran', cause: '' }
  }
  if (complaint !== undefined) return { status: 'wrong', cause: `its own check: ${complaint}` }
  if (/\bwaiv/i.test(stdout + stderr)) return { status: 'waived', cause: lastLine(stdout + stderr) }
  return {
    status: checks.expectedOutput !== undefined || (checks.pass ?? PASS).test(stdout) ? 'passed' : 'ran',
    cause: '',
  }
}

/** What we said by name: an error, or what a call of a library told before the program gave up. */
function refusalIn(stderr: string, problem: string): string | undefined {
  const ofCall = /^warplens: (.* (?:is|are) not supported.*)$/m.exec(stderr)?.[1]
  return /(?:not supported|unsupported|not modelled)/i.test(problem) ? problem : ofCall && shorten(ofCall)
}

/** The line in which the program says that its result is wrong. */
function complaintIn(stdout: string, { fail = FAIL }: Checks): string | undefined {
  return stdout
    .split('\n')
    .find(line => fail.test(line))
    ?.trim()
    .slice(0, 100)
}

/** What errors before the run mean. */
export function judgeCompile(diagnostics: readonly Diagnostic[]): Verdict {
  const first = diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0]
  const isRefusal = (text: string): boolean => /(?:is|are) not supported/.test(text)
  const note = first?.code === 'unsupported-header' ? first.notes?.at(-1) : first?.notes?.find(isRefusal)
  const cause = first ? shorten(`${first.message}${note ? `: ${note}` : ''}`) : 'no message'
  const isNamed = first?.code.startsWith('unsupported') || isRefusal(first?.message ?? '') || note !== undefined
  return { status: isNamed ? 'refused' : 'compile error', cause }
}

/** The first error line of standard error, without its place. */
function problemIn(stderr: string): string {
  const line = stderr
    .split('\n')
    .find(text => /(?:^|: |\s)(?:internal )?error: /.test(text) && !/runs on the slow interpreter/.test(text))
  return line ? shorten(line.replace(/^.*?error: /, '')) : ''
}

function lastLine(text: string): string {
  return shorten(text.trimEnd().split('\n').at(-1) ?? '')
}

function shorten(text: string): string {
  return (text.split('\n')[0] ?? '').trim().slice(0, 140)
}
