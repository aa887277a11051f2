/**
 * Runs one launch: the host's grid with all that it launches, its children, theirs, and so on. In: a kernel, a shape and arguments.
 * Out: one record, kept, with a place on the timeline; a fault of any of the grids is the launch's.
 */
import type { AccessObserver, LaunchOutcome } from '../../launch.ts'
import { familyMicroseconds } from '../../metrics/deviceCalls/childGrids.ts'
import { countAggregated } from '../../trace.ts'
import type { ArrayTable } from '../calls/cudaArrays.ts'
import { type CallResult, type CudaContext, ProgramStopped, refuse } from '../context.ts'
import type { ChildLaunch, LaunchRecord, ObservedLaunch } from '../launchRecord.ts'
import type { AddressBook } from '../memory/addresses.ts'
import type { DeviceMemory } from '../memory/deviceMemory.ts'
import type { MirroredMemory } from '../memory/mirroredMemory.ts'
import type { KernelState } from '../program/kernelTable.ts'
import type { WatchedLaunch } from '../programChecks.ts'
import { type ChildGrid, DeviceLaunches, type Grid } from './deviceLaunches.ts'
import { describeFault, errorOfFault } from './faults.ts'
import { checkShape, deviceShare, type GridShape } from './gridShapes.ts'

interface FamilyParts {
  readonly addresses: AddressBook
  readonly arrays: ArrayTable
  readonly mirrored: MirroredMemory
}

type GrowingRecord = LaunchRecord & { readonly children: ChildLaunch[] }

export class GridFamily {
  /** Of each grid alone, in microseconds. */
  readonly #times = new Map<LaunchRecord, number>()
  #faulty: LaunchRecord | undefined
  readonly #context: CudaContext
  readonly #parts: FamilyParts
  readonly #stream: number

  constructor(context: CudaContext, parts: FamilyParts, stream: number) {
    this.#context = context
    this.#parts = parts
    this.#stream = stream
  }

  run(first: Grid): void {
    let record: LaunchRecord | undefined
    try {
      this.#runWithChildren(first, each => {
        record ??= each
      })
    } finally {
      if (record) this.#report(record, first)
    }
    if (this.#faulty) reportFault(this.#context, this.#faulty)
  }

  /** A grid's children come with all of theirs before the next child, its tail launches after them. */
  #runWithChildren(first: Grid, keep: (record: LaunchRecord) => void): void {
    // The next grid stands last.
    const grids = [{ grid: first, keep }]
    for (let next = grids.pop(); next && !this.#faulty; next = grids.pop()) {
      const { record, children } = this.#execute(next.grid, true)
      next.keep(record)
      const queued = [...children.pending, ...children.tail]
      for (const child of queued.reverse()) grids.push({ grid: child, keep: keepIn(record, child) })
    }
  }

  /** Children that the grid waits for run at once. */
  #execute(grid: Grid, isObserved: boolean): { record: GrowingRecord; children: DeviceLaunches } {
    const { device } = this.#context.parts
    const { kernel, shape } = grid
    const { program } = kernel
    if (program.shared.staticBytes > device.sharedBytesPerBlock) {
      refuse(
        'too-much-shared-memory',
        `kernel ${this.#context.parts.displayName(kernel.name)} has ${program.shared.staticBytes} bytes of static shared memory, ${device.sharedBytesPerBlock} at most: nvcc does not compile it; more takes extern __shared__ and cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)`,
      )
    }
    const waitedFor: ChildLaunch[] = []
    const runNow = (child: ChildGrid, into: ChildLaunch[]): void => {
      const ran = this.#execute(child, false)
      into.push({ launch: ran.record, launcher: child.launcher, stream: child.stream })
      for (const next of [...ran.children.pending, ...ran.children.tail]) runNow(next, ran.record.children)
    }
    const check = (child: KernelState, childShape: GridShape): CallResult | undefined =>
      checkShape(this.#context, child, childShape, false)?.error
    const children = new DeviceLaunches(this.#context, kernel.code, check, child => runNow(child, waitedFor))
    const start = performance.now()
    const outcome = executeGrid(this.#context, this.#parts, grid, { children, stream: this.#stream, isObserved })
    const record: GrowingRecord = {
      index: this.#context.launchCount,
      kernel: kernel.name,
      program,
      grid: shape.grid,
      block: shape.block,
      cluster: shape.cluster,
      sharedBytes: { static: program.shared.staticBytes, dynamic: shape.dynamicSharedBytes },
      preferredCarveout: kernel.preferredCarveout,
      heapBytes: this.#context.heap.bytes,
      ...(isObserved && { arguments: contentsOf(grid, this.#context.parts.memory) }),
      stream: this.#stream,
      outcome,
      wallMs: performance.now() - start,
      children: waitedFor,
    }
    this.#times.set(record, this.#context.parts.times.kernelUs(record))
    if (outcome.fault) this.#faulty ??= record
    return { record, children }
  }

  #report(record: LaunchRecord, { kernel, shape }: Grid): void {
    const { timeline, onLaunch } = this.#context.parts
    this.#context.keep(record)
    const us = familyMicroseconds(record, grid => this.#times.get(grid) ?? 0)
    timeline.addKernel(record.index, this.#stream, us, deviceShare(this.#context, kernel, shape))
    onLaunch(record)
  }
}

/** What each argument that is a pointer points into. */
function contentsOf({ kernel, parameters }: Grid, memory: DeviceMemory): (object | undefined)[] {
  const { kernel: func, parameterOffsets } = kernel.program
  const view = new DataView(parameters.buffer, parameters.byteOffset)
  return func.parameters.map(({ type, byval }, index) =>
    type.kind === 'pointer' && !byval ? memory.contentsAt(view.getUint32(parameterOffsets[index]!, true)) : undefined,
  )
}

/** What adds a child's record to its parent's. */
function keepIn(parent: GrowingRecord, { launcher, stream }: ChildGrid): (record: LaunchRecord) => void {
  return launch => parent.children.push({ launch, launcher, stream })
}

function executeGrid(
  context: CudaContext,
  parts: FamilyParts,
  { kernel, shape, parameters }: Grid,
  { children, stream, isObserved }: { children: DeviceLaunches; stream: number; isObserved: boolean },
): LaunchOutcome {
  const { device, memory, model, executor, times, printDevice, deadline, checks } = context.parts
  const { program, preferredCarveout } = kernel
  const isHostMemory = (address: number) => {
    const range = parts.addresses.rangeAt(address)
    return range !== undefined && range.kind !== 'managed' && memory.allocationAt(address) === undefined
  }
  const host = parts.addresses.hasRanges && { isHostMemory }
  const launch: ObservedLaunch = {
    program,
    ...shape,
    preferredCarveout,
    parameters,
    ...host,
    allocationAt: address => memory.allocationAt(address),
    arrayAt: address => parts.arrays.find(memory.allocationAt(address)?.address ?? 0),
  }
  const sampler = isObserved ? times.observeLaunch?.(launch) : undefined
  const clock =
    sampler && program.timesItself
      ? times.clockOf?.({ ...launch, model, startUs: context.parts.timeline.readyUs(stream) })
      : undefined
  const observer = sampler && clock ? bothOf(sampler, clock) : sampler
  const watched: WatchedLaunch | undefined = checks && {
    index: context.launchCount,
    program,
    ...shape,
    hostRanges: parts.mirrored.ranges,
    describe: address => memory.describe(address),
    isFreed: address => memory.freedAt(address) !== undefined,
  }
  const checker = watched && checks?.launch(watched)
  const ran = executor.execute({
    ...(observer && { observer }),
    ...(checker && { checker }),
    ...(clock && { clock }),
    program,
    heap: context.heap,
    children,
    ...shape,
    parameters,
    memory: memory.memory,
    symbols: kernel.code.symbols,
    model,
    deadline,
    print: printDevice,
    clockHz: device.clockMHz * 1e6,
  })
  if (checks && watched) {
    const { notes = [] } = ran.fault ? describeFault(ran.fault, '', memory) : {}
    // The first says which thread of which kernel.
    checks.ended(watched, ran.fault, notes.slice(1))
  }
  const fault = ran.fault && checks?.isForgiven(ran.fault) ? undefined : ran.fault
  return { ...ran, fault, sites: countAggregated(program.sites, ran.sites) }
}

/** Blocks are observed from the first on: whoever has seen enough is shown no more. */
function bothOf(a: AccessObserver, b: AccessObserver): AccessObserver {
  let wanting: readonly AccessObserver[] = [a, b]
  return {
    wants: block => (wanting = wanting.filter(each => each.wants(block))).length > 0,
    record: (block, warp, access) => {
      for (const each of wanting) each.record(block, warp, access)
    },
  }
}

function reportFault(context: CudaContext, { kernel, outcome }: LaunchRecord): void {
  const { fault } = outcome
  if (fault === undefined) return
  const diagnostic = describeFault(fault, context.parts.displayName(kernel), context.parts.memory)
  // The program's own time has nothing to do with ours: what it did with the error would hide what stopped it.
  if (fault.kind === 'unsupported' || fault.kind === 'timeout') throw new ProgramStopped(diagnostic)
  context.fault(errorOfFault(fault), diagnostic)
}
