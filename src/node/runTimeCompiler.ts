/**
 * Compiles code that a program hands over while it runs (NVRTC). The program is WebAssembly on this thread and waits; so clang runs on
 * a thread of its own, started by the first such call, and this one sleeps until the result is there.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads'
import { InternalError } from '../diagnostic.ts'
import type { RunTimeCode, RunTimeSource } from '../frontend/runTimeCode.ts'
import type { RunTimeCompiler } from '../runtime/calls/nvrtc.ts'
import { outOfTime } from '../runtime/context.ts'
import type { CompilerReply, CompilerRequest, CompilerSetup } from './runTimeCompilerWorker.ts'
import { startWorkerThread } from './workerThread.ts'

export interface NodeRunTimeCompiler {
  readonly compile: RunTimeCompiler
  /** Ends the thread. */
  close(): Promise<void>
}

export interface RunTimeCompilerOptions {
  /** False: compile again, and keep nothing. */
  readonly cache: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** What most programs never need. */
interface CompilerThread {
  readonly worker: Worker
  readonly port: MessagePort
  readonly state: Int32Array
}

/** A thread that says nothing for so long, in ms, has died. */
const LONGEST_WAIT_MS = 300_000
/** The shared word while there is no answer; the other thread changes it. */
const WAITING = 0

export function createRunTimeCompiler({ cache, environment }: RunTimeCompilerOptions): NodeRunTimeCompiler {
  let thread: CompilerThread | undefined

  const start = (): CompilerThread => {
    const { port1: port, port2: theirs } = new MessageChannel()
    const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const { WARPLENS_CACHE_DIR, XDG_CACHE_HOME, LOCALAPPDATA } = environment
    const setup: CompilerSetup = { state, cache, environment: { WARPLENS_CACHE_DIR, XDG_CACHE_HOME, LOCALAPPDATA } }
    const worker = startWorkerThread('./runTimeCompilerWorker', import.meta.url, setup)
    worker.unref()
    worker.postMessage({ port: theirs }, [theirs])
    return { worker, port, state }
  }

  const compile = (source: RunTimeSource, deadline: number): RunTimeCode => {
    thread ??= start()
    const { port, state } = thread
    Atomics.store(state, 0, WAITING)
    port.postMessage({ source } satisfies CompilerRequest)
    const limit = Math.min(LONGEST_WAIT_MS, Math.max(0, deadline - performance.now()))
    Atomics.wait(state, 0, WAITING, limit)
    const reply = receiveMessageOnPort(port)?.message as CompilerReply | undefined
    if (reply === undefined) {
      if (performance.now() >= deadline) throw outOfTime()
      throw new InternalError('the compiler thread for code that is compiled at run time does not answer')
    }
    if ('failure' in reply) throw new InternalError(`compiling at run time failed: ${reply.failure}`)
    return reply.code
  }

  return {
    compile,
    async close() {
      thread?.port.close()
      await thread?.worker.terminate()
    },
  }
}
