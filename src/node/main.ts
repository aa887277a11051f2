/** The command `warplens`: the process's arguments and streams handed to {@link runCli}. The build wraps it in start.ts. */
import { readSync } from 'node:fs'
import { runCli } from './cli.ts'
import { disableRelaxedSimd } from './executor.ts'
import type { Stream } from './terminal.ts'

const NO_INPUT = new Uint8Array(0)

function streamOf(stream: NodeJS.WriteStream): Stream {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that went away (`| head`) ends us quietly, as it ends other commands.
    if (error.code === 'EPIPE') process.exit(0)
    // 1 would say that check has found something.
    if (stream !== process.stderr) process.stderr.write(`error: standard output cannot be written (${error.code})\n`)
    process.exit(2)
  })
  return {
    write: text => void stream.write(text),
    isTerminal: stream.isTTY === true,
    columns: stream.isTTY ? stream.columns : undefined,
  }
}

/** Blocks until there is input: the program that reads it runs on this thread. */
function readInput(size: number): Uint8Array {
  const buffer = new Uint8Array(size)
  for (;;) {
    try {
      return buffer.subarray(0, readSync(0, buffer, 0, size, null))
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'EOF') return NO_INPUT
      if (code !== 'EAGAIN') return NO_INPUT
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

async function main(): Promise<void> {
  // No handler of SIGINT: Node's own ends the process at once, also inside a running kernel.
  process.exitCode = await runCli(process.argv.slice(2), {
    stdout: streamOf(process.stdout),
    stderr: streamOf(process.stderr),
    stdin: readInput,
    environment: process.env,
    workingDirectory: process.cwd(),
  })
  disableRelaxedSimd()
}

/** Then the engine's flags are those of the start, as V8 wants where code is kept. */
export const finished = main()
