/**
 * One thread of the {@link createClangPool | pool}: runs clang on what the main thread posts, one command at a time. It begins by
 * loading clang, for which the main thread compiles the program meanwhile, once for all workers.
 */
import { parentPort } from 'node:worker_threads'
import type { ClangResult, FileTree } from '../frontend/clang/clang.ts'
import { createClang } from '../frontend/clang/clang.ts'
import { readClangFilesAs } from './clangFiles.ts'

export interface WorkerRequest {
  readonly id: number
  readonly args: readonly string[]
  readonly files: FileTree
}
/** Comes first, or not at all. */
export interface WorkerProgram {
  readonly program: WebAssembly.Module
}
export type WorkerReply =
  | { readonly id: number; readonly result: ClangResult }
  | { readonly id: number; readonly failure: string }

const clang = createClang()
const port = parentPort
if (!port) throw new Error('clangWorker.ts runs as a worker thread')
const program = new Promise<WebAssembly.Module>(resolve => {
  port.on('message', (message: WorkerRequest | WorkerProgram) => {
    if ('program' in message) return resolve(message.program)
    const { id, args, files } = message
    clang.run(args, files).then(
      result => port.postMessage({ id, result } satisfies WorkerReply),
      (error: unknown) => {
        const failure = error instanceof Error ? (error.stack ?? error.message) : String(error)
        port.postMessage({ id, failure } satisfies WorkerReply)
      },
    )
  })
})
readClangFilesAs(program)
// A failure is told by the first run.
clang.prepare().catch(() => {})
