/**
 * The compiler as a function: arguments and files in, standard output and diagnostics out. The only file that imports
 * `@yowasp/clang` (clang and wasm-ld as one WebAssembly program, 27 MB compressed), and it does so on the first call.
 *
 * Results come back through standard output (`-o -`): the package's file system copies a file on each write, which takes
 * minutes for megabytes of IR; see directOutput.ts. It also ignores `..` in paths; see virtualFiles.ts for the way around.
 */
import { OutputBuffer, writeDirectly, writingTo } from './directOutput.ts'
import { decodeUtf8 } from './text.ts'

/** The version of `@yowasp/clang` that this front end is written for; part of every cache key. A test keeps it true. */
export const CLANG_VERSION = '22.0.0-git20542-10'

/** Files by path: relative to the working directory, or absolute. */
export type FileTree = Readonly<Record<string, string | Uint8Array>>

export interface ClangResult {
  /** 0 when it worked, 1 after diagnosed errors, {@link CRASHED}. */
  readonly exitCode: number
  readonly stdout: Uint8Array
  /** Diagnostics, as clang prints them. */
  readonly stderr: string
}

/** Runs one tool of the LLVM program: `clang -cc1 ...` or `wasm-ld ...`. */
export interface Clang {
  /** `files` appear below `/`; a path is relative to it. */
  run(args: readonly string[], files: FileTree): Promise<ClangResult>
}

/** Exit code of a run that ended in a trap or an assertion of clang's own: 128 + SIGABRT, as a shell would tell. */
export const CRASHED = 134

type Tree = { [name: string]: Tree | string | Uint8Array }

/** Without a callback the package prints its progress on the console. */
const fetchProgress = (): void => {}

async function loadClang(): Promise<typeof import('@yowasp/clang')> {
  const clang = await import('@yowasp/clang')
  writeDirectly()
  // Without arguments it only reads what it needs.
  await clang.runLLVM(undefined, {}, { fetchProgress })
  return clang
}

/**
 * Clang on the present thread: what a browser's worker uses, and each thread of the pool in Node. `prepare` loads it; otherwise
 * the first run does.
 */
export function createClang(): Clang & { prepare(): Promise<void> } {
  let loaded: ReturnType<typeof loadClang> | undefined
  return {
    async prepare() {
      await (loaded ??= loadClang())
    },
    async run(args, files) {
      const { runLLVM, Exit } = await (loaded ??= loadClang())
      const output = new OutputBuffer()
      const errors = new OutputBuffer()
      let exitCode = 0
      try {
        await runLLVM([...args], nest(files), {
          stdin: null,
          stdout: writingTo(output),
          stderr: writingTo(errors),
          decodeASCII: false,
          fetchProgress,
        })
      } catch (error) {
        if (error instanceof Exit) exitCode = error.code
        else if (error instanceof WebAssembly.RuntimeError) exitCode = CRASHED
        else throw error
      }
      return { exitCode, stdout: output.bytes(), stderr: decodeUtf8(errors.bytes()) }
    },
  }
}

function nest(files: FileTree): Tree {
  const root: Tree = {}
  for (const [path, contents] of Object.entries(files)) {
    const segments = path.split('/').filter(segment => segment !== '')
    const name = segments.pop()
    if (name === undefined) continue
    let directory = root
    for (const segment of segments) {
      const next = (directory[segment] ??= {})
      if (typeof next === 'string' || next instanceof Uint8Array) throw new TypeError(`${path}: ${segment} is a file`)
      directory = next
    }
    directory[name] = contents
  }
  return root
}
