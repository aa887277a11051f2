/**
 * Blocks and their barriers. A block runs its warps in order, each until it stops; a barrier opens when everybody it waits
 * for has arrived. Blocks run one after another; only when those that have started all wait for somebody else do more start,
 * as many as the memory has room for, so that grid-wide synchronisation and flags between blocks work. The blocks of a cluster start
 * together.
 */
import { findWaitingLoops } from '../../analysis/execution/waitingLoops.ts'
import { blockInPlace, clusterSize, indexIn, lanesByWarp } from '../../clusters.ts'
import { alignUp } from '../../ir/types.ts'
import type { Dim3 } from '../../launch.ts'
import { Cluster } from './cluster.ts'
import { type SlotLayout, slotLayout, slotWindows } from './memory.ts'
import { type BarrierWait, type BlockState, FaultSignal, type LaunchState, threadOf, type WarpState } from './state.ts'
import { runWarp, startWarp } from './warp.ts'

/** Real GPUs hold at most a few thousand blocks at a time (H200: 132 multiprocessors x 32). */
const MOST_RESIDENT_BLOCKS = 4224

/** Loops that are only presumed to wait may end by themselves; after so many fruitless rounds nobody expects it. */
const MOST_IDLE_ROUNDS = 1 << 20

interface RunningBlock {
  readonly state: BlockState
  readonly warps: readonly WarpState[]
  readonly of: RunningCluster
}

interface RunningCluster {
  readonly cluster: Cluster
  /** By rank. */
  readonly blocks: RunningBlock[]
  /** Its slots are the `size` from this one on. */
  readonly slot: number
}

/** Runs the blocks in the places (clusters.ts) from `first` up to but not including `end`; throws a FaultSignal when one stops the launch. */
export function runBlocks(launch: LaunchState, first: number, end: number, print: (text: string) => void): void {
  const layout = slotLayout(launch)
  const size = clusterSize(launch.request.cluster)
  const capacity = Math.floor(Math.min(layout.count, MOST_RESIDENT_BLOCKS) / size)
  if (capacity === 0) throw tooLarge(launch, layout)
  const freeSlots = Array.from({ length: Math.min(capacity, (end - first) / size) }, (_, i) => i * size).reverse()
  const resident: RunningBlock[] = []
  const output = new OrderedOutput(first, print)
  const mayWaitOtherwise = launch.reachesOtherBlocks && findWaitingLoops(launch.program).size > 0
  let next = first
  let idleRounds = 0
  const start = (clusters: number): void => {
    for (; clusters > 0 && next < end && freeSlots.length > 0; clusters--) {
      resident.push(...startCluster(launch, next, layout, freeSlots.pop()!, mayWaitOtherwise))
      next += size
    }
  }
  try {
    start(1)
    while (resident.length > 0) {
      let progress = false
      for (const block of [...resident]) {
        const before = activityOf(block)
        if (runBlock(block)) {
          const { cluster, slot } = block.of
          resident.splice(resident.indexOf(block), 1)
          output.finish(block.state.linear, block.warps)
          launch.checks?.checker.end(block.state.linear)
          cluster.end(block.state.rank)
          if (cluster.haveAllEnded) freeSlots.push(slot)
          progress = true
        } else if (activityOf(block) !== before) progress = true
      }
      idleRounds = progress ? 0 : idleRounds + 1
      if (resident.length === 0) start(1)
      else if (!progress) {
        const canStart = next < end && freeSlots.length > 0
        const mayEnd = idleRounds < MOST_IDLE_ROUNDS && resident.some(({ warps }) => warps.some(warp => warp.undecided))
        if (!canStart && !mayEnd) throw deadlock(resident, end - next)
        start(Math.ceil(resident.length / size))
      }
    }
  } finally {
    output.flush(resident.map(({ state, warps }) => ({ linear: state.linear, warps })))
  }
}

function startCluster(
  launch: LaunchState,
  place: number,
  layout: SlotLayout,
  slot: number,
  mayWaitOtherwise: boolean,
): readonly RunningBlock[] {
  const { request, sharedBytes } = launch
  const ranks = Array.from({ length: clusterSize(request.cluster) }, (_, rank) => rank)
  const blocks = ranks.map(rank => blockInPlace(place + rank, request.grid, request.cluster))
  const windows = ranks.map(rank => slotWindows(layout, slot + rank).sharedBase)
  const cluster = new Cluster({ request, blocks, windows, sharedBytes, mayWaitOtherwise })
  const running: RunningCluster = { cluster, blocks: [], slot }
  for (const rank of ranks) running.blocks.push(startBlock(launch, blocks[rank]!, layout, rank, running))
  return running.blocks
}

function startBlock(
  launch: LaunchState,
  linear: number,
  layout: SlotLayout,
  rank: number,
  of: RunningCluster,
): RunningBlock {
  const state: BlockState = {
    linear,
    index: indexIn(launch.request.grid, linear),
    arrivals: new Map(),
    announcers: [],
    cluster: of.cluster,
    rank,
    ...slotWindows(layout, of.slot + rank),
  }
  if (launch.request.observer?.wants(linear)) launch.observed.add(linear)
  launch.checks?.checker.begin(linear)
  // Hardware leaves shared and local memory as they were; zeros make a program that reads them repeatable.
  launch.memory.clear(state.sharedBase, alignUp(launch.sharedBytes, 8))
  launch.memory.clear(
    state.localBase,
    alignUp(launch.threadsPerBlock * launch.local.threadBytes, 16) +
      launch.warpsPerBlock * launch.program.fragmentBytes,
  )
  const warps = Array.from({ length: launch.warpsPerBlock }, (_, index) => startWarp(launch, state, index))
  return { state, warps, of }
}

/** Grows with everything that the block's threads did that others could notice. */
function activityOf({ warps }: RunningBlock): number {
  return warps.reduce((sum, { changes }) => sum + changes, 0)
}

/** Runs a block until it ends (true) or all of its warps wait for something outside of it (false). */
function runBlock(block: RunningBlock): boolean {
  for (;;) {
    const before = activityOf(block)
    let live = false
    for (const warp of block.warps) {
      if (warp.liveLanes === 0) continue
      if (!allAtBarrier(warp)) runWarp(warp)
      live ||= warp.liveLanes > 0
    }
    if (!live) return true
    const opened = openBarriers(block)
    if (!opened && activityOf(block) === before) return false
  }
}

function allAtBarrier(warp: WarpState): boolean {
  return waitingLanes(warp).length === warp.liveLanes
}

function waitingLanes(warp: WarpState): number[] {
  return warp.threads.flatMap((_, lane) => (warp.barriers[lane] ? [lane] : []))
}

// ---------------------------------------------------------------- barriers

/** Opens each barrier that everybody has arrived at; returns whether there was one. */
function openBarriers(block: RunningBlock): boolean {
  const waits = block.warps.flatMap(warp =>
    waitingLanes(warp).map(lane => ({ warp, lane, wait: warp.barriers[lane]! })),
  )
  let opened = openClusterBarrier(block)
  const own = waits.filter(({ wait }) => !wait.isOfCluster)
  for (const id of new Set(own.map(({ wait }) => wait.id))) {
    const here = own.filter(({ wait }) => wait.id === id)
    if (!isComplete(block, id, here)) continue
    tellMeeting(block, id, here)
    const predicates = here.map(({ wait }) => wait.predicate)
    for (const { warp, lane, wait } of here) {
      if (wait.resultSlot >= 0) wait.frame.registers[wait.resultSlot]![lane] = combine(wait, predicates)
      wait.frame.status[lane] = 'ready'
      warp.barriers[lane] = undefined
      warp.changes++
    }
    block.state.arrivals.delete(id)
    opened = true
  }
  return opened
}

function tellMeeting(
  { state, warps }: RunningBlock,
  id: number,
  here: readonly { readonly warp: WarpState; readonly lane: number }[],
): void {
  const announcers = state.announcers.filter(each => each.id === id).map(({ thread }) => thread)
  state.announcers = state.announcers.filter(each => each.id !== id)
  const checks = warps[0]!.launch.checks
  if (!checks) return
  const live = warps.reduce((sum, warp) => sum + warp.liveLanes, 0)
  if (here.length === live) checks.checker.meet(state.linear)
  else
    checks.checker.meet(
      state.linear,
      lanesByWarp(here.map(({ warp, lane }) => threadOf(warp, lane))),
      lanesByWarp(announcers),
    )
}

/** Lets those of the block go on that wait for a round of their cluster's barrier that is complete; returns whether there were any. */
function openClusterBarrier({ of, state, warps }: RunningBlock): boolean {
  const waits = warps.flatMap(warp =>
    waitingLanes(warp)
      .filter(lane => warp.barriers[lane]!.isOfCluster)
      .map(lane => ({ warp, lane })),
  )
  if (waits.length === 0) return false
  of.cluster.complete(of.blocks.map(liveThreads))
  let opened = false
  for (const { warp, lane } of waits) {
    if (!of.cluster.hasPassed(state.rank, threadOf(warp, lane))) continue
    warp.barriers[lane]!.frame.status[lane] = 'ready'
    warp.barriers[lane] = undefined
    warp.changes++
    opened = true
  }
  return opened
}

function liveThreads({ warps }: RunningBlock): number[] {
  return warps.flatMap(warp =>
    warp.threads.flatMap((_, lane) => (warp.frames[0]!.status[lane] === 'absent' ? [] : [threadOf(warp, lane)])),
  )
}

/**
 * A barrier without a count waits for every thread of the block that has not ended. One with a count waits for so many
 * threads, where a warp counts as 32 once all of its threads that have not ended are there (PTX ISA, barrier: the count is
 * a multiple of the warp size, and warps arrive as a whole).
 */
function isComplete(block: RunningBlock, id: number, here: readonly { warp: WarpState; wait: BarrierWait }[]): boolean {
  const count = here.find(({ wait }) => wait.count !== undefined)?.wait.count
  const announced = block.state.arrivals.get(id) ?? 0
  if (count === undefined) {
    const live = block.warps.reduce((sum, warp) => sum + warp.liveLanes, 0)
    return here.length + announced >= live
  }
  let arrived = announced
  for (const warp of new Set(here.map(entry => entry.warp))) {
    const lanes = here.filter(entry => entry.warp === warp).length
    arrived += lanes === warp.liveLanes ? 32 : lanes
  }
  return arrived >= count
}

function combine(wait: BarrierWait, predicates: readonly boolean[]): number {
  switch (wait.result) {
    case 'none':
      return 0
    case 'count':
      return predicates.filter(Boolean).length
    case 'and':
      return predicates.every(Boolean) ? 1 : 0
    case 'or':
      return predicates.some(Boolean) ? 1 : 0
  }
}

// ---------------------------------------------------------------- faults of whole blocks

/** @param notStarted blocks for which there is no room beside the resident ones; GPUs have local memory for as many as are resident */
export function deadlockMessage(isAtBarrier: boolean, resident: number, notStarted: number): string {
  if (notStarted > 0) {
    const blocks = `${notStarted} of ${resident + notStarted} blocks that are left`
    return `no thread can go on: ${blocks} cannot start, since Warplens has room for the shared and local memory of ${resident} at a time, and these wait`
  }
  return isAtBarrier
    ? 'no thread can go on: this barrier waits for threads that never arrive'
    : 'no thread can go on: this loop waits for a change of memory that no thread makes'
}

function deadlock(resident: readonly RunningBlock[], notStarted: number): FaultSignal {
  const block = resident[0]!
  const warp = block.warps.find(({ liveLanes }) => liveLanes > 0)!
  const lane = warp.threads.findIndex((_, i) =>
    warp.frames.some(({ status }) => status[i] === 'waiting' || status[i] === 'barrier'),
  )
  const frame = warp.frames.findLast(({ status }) => status[lane] === 'waiting' || status[lane] === 'barrier')
  const barrier = warp.barriers[lane]
  const step = frame?.code.steps[frame.pc[lane]!]
  return new FaultSignal({
    kind: 'deadlock',
    message: deadlockMessage(barrier !== undefined, resident.length, notStarted),
    block: block.state.index,
    thread: warp.threads[lane],
    address: undefined,
    accessBytes: undefined,
    location: barrier?.instruction.location ?? step?.instruction.location,
  })
}

function tooLarge(launch: LaunchState, layout: SlotLayout): FaultSignal {
  const origin: Dim3 = { x: 0, y: 0, z: 0 }
  return new FaultSignal({
    kind: 'unsupported',
    message: `a block needs ${layout.bytes} bytes of shared and local memory, more than there is room for`,
    block: origin,
    thread: undefined,
    address: undefined,
    accessBytes: undefined,
    location: launch.program.kernel.location,
  })
}

/** Passes on what blocks printed, in block order however they ran. */
class OrderedOutput {
  readonly #print: (text: string) => void
  readonly #finished = new Map<number, string>()
  #next: number

  constructor(first: number, print: (text: string) => void) {
    this.#next = first
    this.#print = print
  }

  finish(linear: number, warps: readonly WarpState[]): void {
    this.#finished.set(linear, warps.map(({ printed }) => printed).join(''))
    for (let text = this.#finished.get(this.#next); text !== undefined; text = this.#finished.get(this.#next)) {
      this.#finished.delete(this.#next++)
      if (text !== '') this.#print(text)
    }
  }

  /** At the end, or at a fault: also what has not finished. */
  flush(unfinished: readonly { linear: number; warps: readonly WarpState[] }[]): void {
    for (const { linear, warps } of unfinished) this.#finished.set(linear, warps.map(({ printed }) => printed).join(''))
    for (const [, text] of [...this.#finished].sort(([a], [b]) => a - b)) if (text !== '') this.#print(text)
  }
}
