/** Any error as text for a person and an exit code (INTERFACES.md): 2 the user's mistake, 3 the program's (a time limit, too), 70 ours. */
import { InternalError, UserError } from '../diagnostic.ts'
import { renderDiagnostic } from '../report/diagnosticText.ts'
import type { Colors } from '../report/format.ts'
import type { RunResult } from '../runtime/run.ts'
import { TIMEOUT } from './timeLimit.ts'

export const exitCodes = { fine: 0, findings: 1, usage: 2, programFailed: 3, internal: 70 } as const

/** Failures of what would not have ended: a real machine would have gone on for ever. */
const ENDLESS: ReadonlySet<string> = new Set([TIMEOUT, 'kernel-timeout', 'kernel-deadlock'])

/**
 * How the program ended: its own exit code, or 3 where it failed and still returned 0, by a fault of a kernel that it never asked about.
 * One that it knew of, as a failed assertion that it looks for, is its own affair. Time that ran out is 3 whatever it returned:
 * the end is ours, so what it made of the error is no answer of its own.
 */
export function programExitCode({ exitCode, failure, failureSeen }: RunEnd): number {
  if (failure === undefined) return exitCode
  if (ENDLESS.has(failure.code)) return exitCodes.programFailed
  return exitCode === 0 && !failureSeen ? exitCodes.programFailed : exitCode
}

type RunEnd = Pick<RunResult, 'exitCode' | 'failure' | 'failureSeen'>

export interface Failure {
  readonly text: string
  readonly exitCode: number
}

export function describeFailure(error: unknown, version: string, colors: Colors): Failure {
  if (error instanceof UserError) {
    const text = error.diagnostics.map(diagnostic => `${renderDiagnostic(diagnostic, colors)}\n`).join('')
    const isTimeout = error.diagnostics.some(({ code }) => code === TIMEOUT)
    return { text, exitCode: isTimeout ? exitCodes.programFailed : exitCodes.usage }
  }
  const what = error instanceof InternalError ? error.message : `${nameOf(error)}: ${messageOf(error)}`
  const where = placeOf(error)
  const text = `${colors.red('internal error')}: ${what}${where}
This is a bug of Warplens ${version}, not of your program. Please report it with the command
line and, if you can, the source: https://www.npmjs.com/package/warplens
`
  return { text, exitCode: exitCodes.internal }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'thrown value'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The one place in our code that a report needs, never the whole stack. */
function placeOf(error: unknown): string {
  const frame =
    error instanceof Error
      ? /at (?:(\S+) )?\(?(?:file:\/\/)?[^\s()]*?((?:src|dist)\/[^\s():]+:\d+)/.exec(error.stack ?? '')
      : null
  return frame ? ` (${frame[1] ? `${frame[1]}, ` : ''}${frame[2]})` : ''
}
