/**
 * One thread of the {@link createClangPool | pool}: runs clang on what the main thread posts, one command at a time.
 *
 * The package compiles its 75 MB WebAssembly program on first use. The main thread has done that once for all workers and
 * hands over the module; `WebAssembly.compileStreaming` is wrapped here to give it to the package, recognised by the
 * response's length, because the package offers no way to inject one.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { ClangResult, FileTree } from '../frontend/clang.ts'
import { createClang } from '../frontend/clang.ts'

export interface WorkerRequest {
  readonly id: number
  readonly args: readonly string[]
  readonly files: FileTree
}
export type WorkerReply =
  | { readonly id: number; readonly result: ClangResult }
  | { readonly id: number; readonly failure: string }
export interface WorkerSetup {
  readonly core: WebAssembly.Module
  readonly coreBytes: number
}

interface StreamingCompiler {
  compileStreaming(source: Response | PromiseLike<Response>): Promise<WebAssembly.Module>
}

const setup: WorkerSetup = workerData
const compiler = WebAssembly as typeof WebAssembly & StreamingCompiler
const compileStreaming = compiler.compileStreaming
compiler.compileStreaming = async source => {
  const response = await source
  if (Number(response.headers.get('content-length')) !== setup.coreBytes) return compileStreaming(response)
  await response.body?.cancel()
  return setup.core
}

const clang = createClang()
const port = parentPort
if (!port) throw new Error('clangWorker.ts runs as a worker thread')
port.on('message', ({ id, args, files }: WorkerRequest) => {
  clang.run(args, files).then(
    result => port.postMessage({ id, result } satisfies WorkerReply),
    (error: unknown) => {
      const failure = error instanceof Error ? (error.stack ?? error.message) : String(error)
      port.postMessage({ id, failure } satisfies WorkerReply)
    },
  )
})
