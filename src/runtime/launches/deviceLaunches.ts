/**
 * Child grids: what kernels launch (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism"). One object serves one running
 * grid. Its children run when it has ended, in the order in which its threads launched them, each with all that it launched
 * itself; then those launched into the tail stream. A kernel that calls cudaDeviceSynchronize, as before CUDA 12, waits: the
 * children so far run at once, over a copy of the memory that the waiting grid works in.
 */
import { offsetOf } from '../../addressSpace.ts'
import type { ChildGrids, Launcher } from '../../launch.ts'
import type { ChildStream } from '../../metrics/deviceCalls/childGrids.ts'
import type { CallResult, CudaContext } from '../context.ts'
import { errorCode } from '../cudaErrors.ts'
import type { KernelCode, KernelState } from '../program/kernelTable.ts'
import { withClusters } from './clusterLaunches.ts'
import type { GridShape } from './gridShapes.ts'

export interface Grid {
  readonly kernel: KernelState
  readonly shape: GridShape
  readonly parameters: Uint8Array
}

export interface ChildGrid extends Grid {
  readonly launcher: Launcher
  readonly stream: ChildStream
}

/** cudaStreamTailLaunch of include/cuda_device_runtime_api.h. */
const TAIL_STREAM = 3
/** The default stream by its handles: a block's children in it run in order. */
const BLOCK_STREAMS: ReadonlySet<number> = new Set([0, 1, 2])

function streamOf(handle: number): ChildStream {
  if (handle === TAIL_STREAM) return 'tail'
  return BLOCK_STREAMS.has(handle) ? 'block' : 'own'
}

export class DeviceLaunches implements ChildGrids {
  readonly pending: ChildGrid[] = []
  readonly tail: ChildGrid[] = []
  #lastError: CallResult = 'cudaSuccess'
  readonly #context: CudaContext
  /** Of the grid that launches. */
  readonly #code: KernelCode
  readonly #check: (kernel: KernelState, shape: GridShape) => CallResult | undefined
  readonly #runNow: (grid: ChildGrid) => void

  constructor(
    context: CudaContext,
    code: KernelCode,
    check: (kernel: KernelState, shape: GridShape) => CallResult | undefined,
    runNow: (grid: ChildGrid) => void,
  ) {
    this.#context = context
    this.#code = code
    this.#check = check
    this.#runNow = runNow
  }

  parameterBuffer(bytes: number): number {
    return this.#context.parts.memory.allocate(Math.max(1, bytes), 'device heap') ?? 0
  }

  launch(functionAddress: number, parameters: number, given: GridShape, stream: number, launcher: Launcher): number {
    const { memory } = this.#context.parts
    const name = [...this.#code.symbols].find(([, address]) => address === functionAddress)?.[0]
    const kernel = name === undefined ? undefined : this.#code.named(name)
    const shape = kernel ? withClusters(kernel, given) : given
    const problem = kernel ? this.#check(kernel, shape) : 'cudaErrorInvalidDeviceFunction'
    if (kernel && problem === undefined) {
      const bytes = new Uint8Array(memory.memory.buffer, offsetOf(parameters), kernel.program.parameterBytes).slice()
      const queue = stream === TAIL_STREAM ? this.tail : this.pending
      queue.push({ kernel, shape, parameters: bytes, launcher, stream: streamOf(stream) })
    }
    memory.free(parameters)
    return this.#finish(problem ?? 'cudaSuccess')
  }

  synchronize(systemBytes: number): number {
    if (this.pending.length === 0) return 0
    const { memory } = this.#context.parts
    const kept = new Uint8Array(memory.memory.buffer, 0, systemBytes).slice()
    for (let next = this.pending.shift(); next; next = this.pending.shift()) this.#runNow(next)
    new Uint8Array(memory.memory.buffer).set(kept)
    return 0
  }

  lastError(clear: boolean): number {
    const error = this.#lastError
    if (clear) this.#lastError = 'cudaSuccess'
    return errorCode(error)
  }

  #finish(result: CallResult): number {
    if (result !== 'cudaSuccess') this.#lastError = result
    return errorCode(result)
  }
}
