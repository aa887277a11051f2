/** `warplens run`: the program and nothing else; its exit code is ours. */
import { exitCodes } from './failure.ts'
import type { CommonOptions } from './options.ts'
import { newProgress, runSession } from './session.ts'
import type { Terminal } from './terminal.ts'

/** Returns the exit code: the program's own, or 3 where it failed and still returned 0 (a fault that it never asked about). */
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
    return exitCode === 0 && failure !== undefined && !failureSeen ? exitCodes.programFailed : exitCode
  } finally {
    progress.finish()
    if (options.verbose) terminal.stderr.write(progress.summary())
  }
}
