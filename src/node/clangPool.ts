/**
 * clang on worker threads, so that the device and host sides of a program compile at the same time. Threads start when
 * there is work for them, stay warm (a second compilation takes a fifth of the first), and do not keep the process alive.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Worker } from 'node:worker_threads'
import { InternalError } from '../diagnostic.ts'
import type { Clang, ClangResult, FileTree } from '../frontend/clang/clang.ts'
import { CLANG_PROGRAM } from './clangFiles.ts'
import type { WorkerProgram, WorkerReply, WorkerRequest } from './clangWorker.ts'
import { startWorkerThread } from './workerThread.ts'

export interface ClangPool extends Clang {
  /** Ends the threads; commands under way are rejected. */
  close(): Promise<void>
}

interface Job {
  readonly args: readonly string[]
  readonly files: FileTree
  readonly resolve: (result: ClangResult) => void
  readonly reject: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  job: Job | undefined
}

/** A pool of at most `size` threads; two serve the two sides of one file, and each takes some 300 MB. */
export function createClangPool(size = Math.min(2, availableParallelism())): ClangPool {
  const threads: Thread[] = []
  const waiting: Job[] = []
  let program: Promise<WebAssembly.Module> | undefined
  let closed = false
  let nextId = 0

  function dispatch(): void {
    for (const thread of threads) {
      if (thread.job || waiting.length === 0) continue
      thread.job = waiting.shift()!
      thread.worker.ref()
      const { args, files } = thread.job
      thread.worker.postMessage({ id: nextId++, args, files } satisfies WorkerRequest)
    }
    if (waiting.length > 0 && threads.length < size) start()
  }

  function start(): void {
    const thread: Thread = { worker: startWorkerThread('./clangWorker', import.meta.url, undefined), job: undefined }
    const finish = (settle: (job: Job) => void): void => {
      const job = thread.job
      thread.job = undefined
      thread.worker.unref()
      if (job) settle(job)
      dispatch()
    }
    thread.worker.on('message', (reply: WorkerReply) =>
      finish(job => {
        if ('result' in reply) job.resolve(reply.result)
        else job.reject(new InternalError(`clang failed: ${reply.failure}`))
      }),
    )
    const lose = (error: Error): void => {
      const index = threads.indexOf(thread)
      if (index >= 0) threads.splice(index, 1)
      finish(job => job.reject(error))
    }
    thread.worker.on('error', lose)
    thread.worker.on('exit', () => lose(new InternalError('a compiler thread ended early')))
    thread.worker.unref()
    threads.push(thread)
    dispatch()
    program ??= compileClang()
    program.then(module => thread.worker.postMessage({ program: module } satisfies WorkerProgram), lose)
  }

  function fail(error: unknown): void {
    const reason = error instanceof Error ? error : new Error(String(error))
    for (const job of waiting.splice(0)) job.reject(reason)
  }

  return {
    run(args, files) {
      return new Promise((resolve, reject) => {
        if (closed) return reject(new InternalError('the compiler pool is closed'))
        waiting.push({ args, files, resolve, reject })
        dispatch()
      })
    },
    async close() {
      closed = true
      fail(new InternalError('the compiler pool was closed'))
      await Promise.all(threads.map(thread => thread.worker.terminate()))
    },
  }
}

/**
 * How much a function must have run before V8 compiles it again, optimised. With V8's own value half of clang's time on a usual
 * program goes into optimising clang; with this one only what a long compilation uses is worth it (measured: 8.3 s and 5 s).
 */
const CLANG_TIERING_BUDGET = 300_000_000
const DEFAULT_TIERING_BUDGET = 1_800_000

/**
 * Compiled once and shared: V8's code for it is one for all threads of a process. Functions are validated when they are first
 * called, as they are compiled (a tenth of them ever is; 0.07 s instead of 0.33 s of CPU).
 */
export async function compileClang(): Promise<WebAssembly.Module> {
  const bundle = createRequire(import.meta.url).resolve('@yowasp/clang')
  const bytes = await readFile(join(dirname(bundle), CLANG_PROGRAM))
  setFlagsFromString(`--wasm-tiering-budget=${CLANG_TIERING_BUDGET}`)
  setFlagsFromString('--wasm-lazy-validation')
  try {
    return await WebAssembly.compile(bytes)
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${DEFAULT_TIERING_BUDGET}`)
    setFlagsFromString('--no-wasm-lazy-validation')
  }
}
