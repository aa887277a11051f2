/** The generated-code executor on Node: workers on the machine's other cores, started with the first launch worth sharing. */
import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { createGeneratedExecutor, type Helpers, type SharedJob } from '../codegen/executor.ts'
import { forgetNativeFma, hasNativeFma } from '../codegen/operations/nativeFma.ts'
import { JobBoard, type WorkerSetup } from '../codegen/running/workerProtocol.ts'
import type { Device } from '../devices/device.ts'
import { capabilityNumber } from '../devices/devices.ts'
import type { Executor } from '../launch.ts'
import { startWorkerThread } from './workerThread.ts'

export interface NodeExecutorOptions {
  readonly device: Device
  /** Threads that run blocks, this one included. */
  readonly jobs?: number
  /** False: all counters read 0, to see what counting costs. */
  readonly counters?: boolean
  /** True: multiply-adds are rounded twice, where rounding once would have to be emulated. Not what a GPU computes. */
  readonly fastFma?: boolean
  /** Kernels run this long, in ms, before other threads are started for them. */
  readonly threadsAfterMs?: number
  readonly onCompile?: (kernel: string, milliseconds: number, bytes: number) => void
  /** A kernel runs on the slow interpreter, and why. */
  readonly onFallback?: (kernel: string, reason: string) => void
}

/** What it takes to start a thread, on its own core and on this one's (measured: 85 ms of CPU, 50 ms of a short program's 500). */
const THREAD_START_MS = 50

export interface NodeExecutor {
  readonly executor: Executor
  close(): Promise<void>
}

export function createNodeExecutor({
  device,
  jobs = availableParallelism(),
  counters,
  fastFma = false,
  threadsAfterMs = THREAD_START_MS,
  onCompile,
  onFallback,
}: NodeExecutorOptions): NodeExecutor {
  enableRelaxedSimd()
  const crew = jobs > 1 ? new Crew(jobs - 1, device, threadsAfterMs) : undefined
  const executor = createGeneratedExecutor({
    modernRules: capabilityNumber(device) >= 70,
    compileModule: (bytes, _threads, merges) => compileModule(bytes, merges),
    ...(crew && { helpers: crew }),
    ...(counters !== undefined && { counters }),
    ...(fastFma && !hasNativeFma() && { multiplyAdd: 'separate' as const }),
    ...(onCompile && { onCompile }),
    ...(onFallback && { onFallback }),
  })
  return { executor, close: async () => crew?.close() }
}

/**
 * V8's baseline compiler looks at every local wherever control parts or meets, which is most of the time that a kernel takes whose
 * loops are written out and whose threads hold much (a tiled product of CUTLASS: 23,800 locals, 7,000 branches, 24 s). The optimising
 * compiler does not (5 s); the usual kernel, a thousandth of that, it would only delay.
 */
const MANY_MERGES = 10_000_000

/** A kernel's code, by the compiler that is through with it sooner. */
export function compileModule(bytes: Uint8Array, merges: number): WebAssembly.Module {
  if (merges < MANY_MERGES) return new WebAssembly.Module(bytes)
  setFlagsFromString('--no-liftoff')
  setFlagsFromString('--no-wasm-lazy-compilation')
  try {
    return new WebAssembly.Module(bytes)
  } finally {
    setFlagsFromString('--liftoff')
    setFlagsFromString('--wasm-lazy-compilation')
  }
}

/**
 * Node 20 to 22 keep relaxed SIMD behind a flag of V8, which may be set while the process runs. We use its fused
 * multiply-add only, and only after having seen that it rounds once (nativeFma.ts).
 */
function enableRelaxedSimd(): void {
  if (hasNativeFma()) return
  setFlagsFromString('--experimental-wasm-relaxed-simd')
  flagIsSet = true
  forgetNativeFma()
}

let flagIsSet = false

/** Puts the flag back, for the process's end: executors that there still are cannot compile kernels any more. */
export function disableRelaxedSimd(): void {
  if (!flagIsSet) return
  setFlagsFromString('--no-experimental-wasm-relaxed-simd')
  flagIsSet = false
  forgetNativeFma()
}

/** Workers share one device memory; another program's memory needs other workers. */
class Crew implements Helpers {
  readonly size: number
  private readonly device: Device
  /** How long work has to take before threads are started, and how long work that could be theirs has taken. */
  private readonly startMs: number
  private missedMs = 0
  private board: JobBoard | undefined
  private memory: WebAssembly.Memory | undefined
  private threads: { terminate(): Promise<number> }[] = []

  constructor(size: number, device: Device, startMs: number) {
    this.size = size
    this.device = device
    this.startMs = startMs
  }

  areWorth(ms: number): boolean {
    return this.threads.length > 0 || this.missedMs + ms >= this.startMs
  }

  missed(ms: number): void {
    this.missedMs += ms
  }

  start(job: SharedJob): ReturnType<Helpers['start']> {
    if (job.memory !== this.memory || !this.board) this.hire(job.memory)
    return this.board!.start(job)
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map(thread => thread.terminate()))
    this.threads = []
  }

  private hire(memory: WebAssembly.Memory): void {
    for (const thread of this.threads) void thread.terminate()
    this.memory = memory
    const board = new JobBoard(this.size)
    this.board = board
    this.threads = Array.from({ length: this.size }, (_, index) => {
      const setup: WorkerSetup = {
        control: board.control,
        job: board.job,
        results: board.results,
        memory,
        index,
        device: this.device,
      }
      return startWorkerThread('./kernelWorker', import.meta.url, setup)
    })
  }
}
