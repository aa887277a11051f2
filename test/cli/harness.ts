/** Runs a command in this process as `warplens` would, and keeps what it printed. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createClangPool } from '../../src/node/clangPool.ts'
import { runCli } from '../../src/node/cli.ts'

export interface Outcome {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface Workshop {
  readonly folder: string
  write(path: string, text: string): void
  run(...args: string[]): Promise<Outcome>
  /** The same with a folder of the workshop as the working directory. */
  runIn(directory: string, ...args: string[]): Promise<Outcome>
  remove(): void
}

/** One for all commands of a test file; its threads do not keep the process alive. */
const clang = createClangPool()

/** A folder of its own with the files of a test; programs compile once, because all share a cache (sharedCache.ts). */
export function workshop(files: Readonly<Record<string, string>> = {}): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'warplens-cli-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const [path, text] of Object.entries(files)) write(path, text)
  const runIn = async (directory: string, ...args: string[]): Promise<Outcome> => {
    const out: string[] = []
    const err: string[] = []
    const decoder = new TextDecoder()
    const stream = (into: string[]) => ({
      write: (text: string | Uint8Array) => void into.push(typeof text === 'string' ? text : decoder.decode(text)),
      isTerminal: false,
      columns: undefined,
    })
    const exitCode = await runCli(args, {
      stdout: stream(out),
      stderr: stream(err),
      stdin: () => new Uint8Array(0),
      environment: { WARPLENS_CACHE_DIR: process.env.WARPLENS_CACHE_DIR },
      workingDirectory: join(folder, directory),
      clang,
    })
    return { exitCode, stdout: out.join(''), stderr: err.join('') }
  }
  return {
    folder,
    write,
    run: (...args) => runIn('.', ...args),
    runIn,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
