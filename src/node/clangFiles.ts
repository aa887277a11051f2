/**
 * How `@yowasp/clang` reads its files on a thread of ours. By itself it reads its WebAssembly program of 75 MB and an archive of
 * 30 MB of headers, and sends them through streams, on every thread: half a second before the first of them can run. It offers no
 * way to hand it anything; but it reads by `readFile`, wraps what comes in a `Response`, and compiles that by `compileStreaming`,
 * and all three can be ours: the program is not read, since another thread has compiled it, and the rest is not copied.
 */
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

export const CLANG_PROGRAM = 'llvm.core.wasm'

/** In the place of the program's bytes. */
const PROGRAM = Buffer.alloc(0)

interface FetchingGlobals {
  Response: unknown
}

/** What the package asks of a response. */
class FileResponse {
  readonly #data: Uint8Array<ArrayBuffer>
  readonly headers = new Map<string, unknown>()
  /** The package counts what it reads by a stream in between. */
  readonly body: { pipeThrough(): Uint8Array<ArrayBuffer> }

  constructor(data: Uint8Array<ArrayBuffer>) {
    this.#data = data
    this.body = { pipeThrough: () => data }
  }

  get isProgram(): boolean {
    return this.#data === PROGRAM
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const { buffer, byteOffset, byteLength } = this.#data
    return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)
  }
}

/** From now on the package's program is `program`, on this thread. */
export function readClangFilesAs(program: Promise<WebAssembly.Module>): void {
  const { readFile } = fs
  const isProgram = (path: unknown) => path instanceof URL && path.pathname.endsWith(`/${CLANG_PROGRAM}`)
  const read = (...args: Parameters<typeof readFile>) => (isProgram(args[0]) ? PROGRAM : readFile(...args))
  Object.assign(fs, { readFile: read })
  syncBuiltinESMExports()
  const globals: FetchingGlobals = globalThis
  globals.Response = FileResponse
  const compileStreaming = async (source: FileResponse | Promise<FileResponse>): Promise<WebAssembly.Module> => {
    const response = await source
    return response.isProgram ? program : WebAssembly.compile(new Uint8Array(await response.arrayBuffer()))
  }
  Object.assign(WebAssembly, { compileStreaming })
}
