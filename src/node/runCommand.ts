/** `warplens run`: the program and nothing else; its exit code is ours. */
import { exitCodes } from './failure.ts'
import type { CommonOptions } from './options.ts'
import { newProgress, runSession } from './session.ts'
import type { Terminal } from './terminal.ts'

/** Failures of what would not have ended: a real machine would have gone on for ever. */
const ENDLESS: ReadonlySet<string> = new Set(['timeout', 'kernel-timeout', 'kernel-deadlock'])

/**
 * Returns the exit code: the program's own, or 3 where it failed and still returned 0 (a fault that it never asked about). Time
 * that ran out is 3 whatever it returned: the end is ours, so what it made of the error is no answer of its own.
 */
export async function runCommand(
  files: readonly string[],
  args: readonly string[],
  options: CommonOptions,
  terminal: Terminal,
): Promise<number> {
  const progress = newProgress(options, terminal)
  try {
    // Nobody reads the records of launches here, and a program may make thousands.
    const { result } = await runSession(files, args, options, terminal, terminal.stdout, progress, {
      keepLaunches: false,
    })
    const { exitCode, failure, failureSeen } = result
    if (failure !== undefined && ENDLESS.has(failure.code)) return exitCodes.programFailed
    return exitCode === 0 && failure !== undefined && !failureSeen ? exitCodes.programFailed : exitCode
  } finally {
    progress.finish()
    if (options.verbose) terminal.stderr.write(progress.summary())
  }
}
