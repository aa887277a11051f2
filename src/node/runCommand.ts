/** `warplens run`: the program and nothing else; its exit code is ours. */
import { programExitCode } from './failure.ts'
import type { CommonOptions } from './options.ts'
import { newProgress, runSession } from './session.ts'
import type { Terminal } from './terminal.ts'

/** Returns the exit code: the program's own, with `programExitCode`'s exceptions. */
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
    return programExitCode(result)
  } finally {
    progress.finish()
    if (options.verbose) terminal.stderr.write(progress.summary())
  }
}
