/**
 * Runs a launch of a resumable kernel (suspension.ts): which warp goes on from which point, when barriers open, and which
 * blocks are resident. The policy is the reference interpreter's (reference/machine/grid.ts): blocks run one after another; when those
 * that have started all wait for somebody else, more start, as many as there is room for. The blocks of a cluster start together.
 */
import { CONSTANT_OFFSET } from '../../addressSpace.ts'
import { isPause } from '../../analysis/execution/splitBarriers.ts'
import { blockInPlace, clusterSize, indexIn, lanesByWarp } from '../../clusters.ts'
import type { CallInstruction, Location } from '../../ir/ir.ts'
import type { Dim3, Fault, LaunchRequest } from '../../launch.ts'
import { activeLanes } from '../../metrics/rules/coalescing.ts'
import type { Arrival } from '../../reference/functions/intrinsic.ts'
import { Cluster } from '../../reference/machine/cluster.ts'
import { deadlockMessage } from '../../reference/machine/grid.ts'
import type { CompiledKernel, Resumable } from '../compileKernel.ts'
import type { KernelClock } from '../counting/kernelClock.ts'
import { needsHost, POINT_BYTES, POINT_READY, POINT_WAITING } from '../flow/suspension.ts'
import type { CallKind } from '../operations/intrinsics.ts'
import type { Geometry } from '../values/geometry.ts'
import { FaultSignal } from './externals.ts'
import type { SlotPlaces, SlotRunner } from './slotRunner.ts'

/** Real GPUs hold at most a few thousand blocks at a time (H200: 132 multiprocessors x 32). */
const MOST_RESIDENT_BLOCKS = 4224
/** Turns of a block at a stretch: loops around barriers can wait for other blocks too. */
const MOST_TURNS = 256
/** Loops that are only presumed to wait may end by themselves; after so many fruitless rounds nobody expects it. */
const MOST_IDLE_ROUNDS = 1 << 20

export interface ScheduledLaunch {
  readonly request: LaunchRequest
  readonly compiled: CompiledKernel & { readonly resumable: Resumable }
  readonly geometry: Geometry
  readonly runner: SlotRunner
  readonly blocks: number
  /** Places for resident blocks; at least one. */
  readonly places: readonly SlotPlaces[]
  /** Of a kernel that times itself. */
  readonly clock: KernelClock | undefined
  /** Throws when time is up. */
  readonly tick: (block: number) => void
  /** Blocks below this one have printed all that they will. */
  readonly finishedBelow: (block: number) => void
}

interface ResidentBlock {
  readonly linear: number
  readonly places: SlotPlaces
  readonly of: RunningCluster
  /** In the cluster. */
  readonly rank: number
  /** Who waited where after its latest turn; undefined before the first one. */
  waiting: readonly Waiting[] | undefined
  /** Who waits at barriers that are more than the whole block's, by thread. */
  readonly arrivals: Map<number, Arrival>
  /** Arrivals without waiting (bar.arrive), by barrier. */
  readonly announced: Map<number, number>
  /** Their threads. */
  readonly announcers: Map<number, readonly number[]>
  readonly isObserved: boolean
  /** Of its turns so far. */
  loopWork: number
}

interface RunningCluster {
  readonly cluster: Cluster
  /** By rank. */
  readonly blocks: ResidentBlock[]
  readonly places: readonly SlotPlaces[]
}

interface Waiting {
  readonly warp: number
  readonly point: number
  readonly lanes: number
}

export class Scheduler {
  private readonly launch: ScheduledLaunch
  private readonly points: Resumable['points']
  private readonly words: Int32Array
  private readonly resident: ResidentBlock[] = []
  private current: ResidentBlock | undefined

  constructor(launch: ScheduledLaunch) {
    this.launch = launch
    this.points = launch.compiled.resumable.points
    this.words = new Int32Array(launch.request.memory.buffer, 0, CONSTANT_OFFSET / 4)
  }

  /** Runs all blocks; throws a FaultSignal when no thread can go on. */
  run(): void {
    const { blocks, request } = this.launch
    const size = clusterSize(request.cluster)
    const free = this.freePlaces(size)
    const finished = new Set<number>()
    let finishedBelow = 0
    let next = 0
    let idleRounds = 0
    const start = (clusters: number): void => {
      for (; clusters > 0 && next < blocks && free.length > 0; clusters--, next += size)
        this.resident.push(...this.startCluster(next, free.pop()!))
    }
    start(1)
    while (this.resident.length > 0) {
      let progress = false
      for (const block of [...this.resident]) {
        const outcome = this.runBlock(block)
        progress ||= outcome !== 'idle'
        if (outcome === 'busy') start(1)
        if (outcome !== 'ended') continue
        this.resident.splice(this.resident.indexOf(block), 1)
        finished.add(block.linear)
        request.checker?.end(block.linear)
        while (finished.delete(finishedBelow)) finishedBelow++
        this.launch.finishedBelow(finishedBelow)
        const { cluster, places } = block.of
        cluster.end(block.rank)
        if (cluster.haveAllEnded) free.push(places)
      }
      idleRounds = progress ? 0 : idleRounds + 1
      if (this.resident.length === 0) start(1)
      else if (!progress) {
        const canStart = next < blocks && free.length > 0
        if (!canStart && this.isStuck(idleRounds)) throw new FaultSignal(this.deadlock(request.grid, blocks - next))
        start(Math.ceil(this.resident.length / size))
      }
    }
  }

  /** Of as many clusters as can be resident: neighbours for the blocks of each. */
  private freePlaces(size: number): (readonly SlotPlaces[])[] {
    const { blocks, places } = this.launch
    const clusters = Math.floor(Math.min(MOST_RESIDENT_BLOCKS, blocks, places.length) / size)
    return Array.from({ length: clusters }, (_, index) => places.slice(index * size, (index + 1) * size)).reverse()
  }

  /** What a barrier's arrival hands over, lane by lane. */
  arrive(_: CallInstruction, thread: number, arrival: Arrival): void {
    const { arrivals, announced, of, rank } = this.current!
    if (arrival.isOfCluster) {
      if (!arrival.waits) of.cluster.arrive(rank, thread)
    } else if (arrival.waits) arrivals.set(thread, arrival)
    else {
      announced.set(arrival.id, (announced.get(arrival.id) ?? 0) + 1)
      const { announcers } = this.current!
      announcers.set(arrival.id, [...(announcers.get(arrival.id) ?? []), thread])
    }
  }

  /** An access of the block at hand that may be of another block's shared memory. */
  reach(site: number, offset: number, thread: number): void {
    const { request, geometry } = this.launch
    const { of, rank } = this.current!
    const { op, width, location } = request.program.sites[site]!
    const access = { verb: op, bytes: width, align: width, thread: indexIn(geometry.block, thread), location }
    of.cluster.reach(offset, rank, access)
  }

  private startCluster(place: number, places: readonly SlotPlaces[]): readonly ResidentBlock[] {
    const { request, compiled } = this.launch
    const cluster = new Cluster({
      request,
      blocks: places.map((_, rank) => blockInPlace(place + rank, request.grid, request.cluster)),
      windows: places.map(({ shared }) => shared),
      sharedBytes: places[0]!.sharedBytes,
      mayWaitOtherwise: compiled.resumable.points.some(({ point }) => point.kind === 'loop'),
    })
    const of: RunningCluster = { cluster, blocks: [], places }
    for (const rank of places.keys()) of.blocks.push(this.startBlock(of, rank))
    return of.blocks
  }

  private startBlock(of: RunningCluster, rank: number): ResidentBlock {
    const { geometry, request } = this.launch
    const places = of.places[rank]!
    const linear = of.cluster.blockOf(rank)
    // Hardware leaves shared and local memory as they were; zeros make a program that reads them repeatable.
    new Uint8Array(request.memory.buffer).fill(0, places.shared, places.end)
    request.checker?.begin(linear)
    for (let warp = 0; warp < geometry.warps; warp++)
      this.words[this.wordOf(places, warp, 0, POINT_READY)] = warp === geometry.warps - 1 ? geometry.lastMask : -1
    return {
      linear,
      places,
      of,
      rank,
      waiting: undefined,
      arrivals: new Map(),
      announced: new Map(),
      announcers: new Map(),
      isObserved: request.observer?.wants(linear) ?? false,
      loopWork: 0,
    }
  }

  private wordOf({ saved }: SlotPlaces, warp: number, point: number, field: number): number {
    return (saved + warp * this.launch.compiled.savedBytesPerWarp + point * POINT_BYTES + field) / 4
  }

  /** `busy`: its turns were used up while something went on. */
  private runBlock(block: ResidentBlock): 'ended' | 'busy' | 'active' | 'idle' {
    const { runner, request, tick, clock } = this.launch
    this.current = block
    let before = this.waitingOf(block)
    let outcome: 'active' | 'idle' = 'idle'
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      if (request.observer) runner.observing = block.isObserved
      const worked = runner.loopWork.all
      runner.runTurn(block.linear, block.places)
      block.loopWork += runner.loopWork.all - worked
      clock?.pass()
      tick(block.linear)
      const waiting = this.waitingOf(block)
      block.waiting = waiting
      if (waiting.length === 0) {
        runner.noteLoopWork(block.loopWork)
        clock?.end()
        return 'ended'
      }
      const opened = this.openClusterBarrier(block, waiting) || this.openBarriers(block, waiting)
      if (opened) clock?.meet()
      for (const { warp, point, lanes } of waiting)
        if (this.points[point]!.point.kind === 'loop')
          this.words[this.wordOf(block.places, warp, point, POINT_READY)] = lanes
      if (!opened && isSame(waiting, before)) return outcome
      outcome = 'active'
      before = waiting
    }
    return 'busy'
  }

  private waitingOf(block: ResidentBlock): Waiting[] {
    const found: Waiting[] = []
    const { words } = this
    for (let warp = 0; warp < this.launch.geometry.warps; warp++) {
      let at = this.wordOf(block.places, warp, 1, POINT_WAITING)
      for (let point = 1; point < this.points.length; point++, at += POINT_BYTES / 4) {
        const lanes = words[at]!
        if (lanes !== 0) found.push({ warp, point, lanes })
      }
    }
    return found
  }

  // ---------------------------------------------------------------- barriers

  private barrierAt(index: number): (CallKind & { kind: 'barrier' }) | undefined {
    const { point } = this.points[index]!
    return point.kind === 'barrier' ? point.barrier : undefined
  }

  /** Lets the lanes go on that wait for a round of their cluster's barrier that is complete; returns whether there were any. */
  private openClusterBarrier({ of, rank, places }: ResidentBlock, waiting: readonly Waiting[]): boolean {
    const here = waiting.filter(({ point }) => this.barrierAt(point)?.isOfCluster)
    if (here.length === 0) return false
    of.cluster.complete(of.blocks.map(block => block.waiting && threadsOf(block.waiting)))
    let opened = false
    for (const { warp, point, lanes } of here)
      for (const lane of lanesOf(lanes)) {
        if (!of.cluster.hasPassed(rank, warp * 32 + lane)) continue
        this.words[this.wordOf(places, warp, point, POINT_READY)]! |= 1 << lane
        opened = true
      }
    return opened
  }

  /** Lets the lanes go on whose barrier everybody has arrived at; returns whether there were any. */
  private openBarriers(block: ResidentBlock, waiting: readonly Waiting[]): boolean {
    const here = waiting.filter(({ point }) => this.barrierAt(point)?.isOfCluster === false)
    if (here.length === 0) return false
    const live = waiting.reduce((sum, { lanes }) => sum + activeLanes(lanes), 0)
    const { announced } = block
    if (announced.size === 0 && !here.some(({ point }) => needsHost(this.points[point]!.point))) {
      if (here.reduce((sum, { lanes }) => sum + activeLanes(lanes), 0) < live) return false
      for (const { warp, point, lanes } of here) this.words[this.wordOf(block.places, warp, point, POINT_READY)] = lanes
      if (here.some(({ point }) => !this.isPause(point))) this.launch.request.checker?.meet(block.linear)
      return true
    }
    const arrived = here.flatMap(entry =>
      lanesOf(entry.lanes).map(lane => ({
        ...entry,
        lane,
        arrival: block.arrivals.get(entry.warp * 32 + lane) ?? PLAIN,
      })),
    )
    let opened = false
    for (const id of new Set(arrived.map(({ arrival }) => arrival.id))) {
      const together = arrived.filter(({ arrival }) => arrival.id === id)
      if (!this.isComplete(together, announced.get(id) ?? 0, live, waiting)) continue
      const agreeing = together.filter(({ arrival }) => arrival.predicate).length
      for (const { warp, point, lane, arrival } of together) {
        this.words[this.wordOf(block.places, warp, point, POINT_READY)]! |= 1 << lane
        const { resultAt } = this.points[point]!
        if (resultAt !== undefined)
          this.words[this.wordOf(block.places, warp, 0, resultAt) + lane] = combine(arrival, agreeing, together.length)
        block.arrivals.delete(warp * 32 + lane)
      }
      this.tellMeeting(block, together, live, block.announcers.get(id) ?? [])
      announced.delete(id)
      block.announcers.delete(id)
      opened = true
    }
    return opened
  }

  private isPause(index: number): boolean {
    const { point } = this.points[index]!
    return point.kind === 'barrier' && isPause(point.call)
  }

  private tellMeeting(
    { linear }: ResidentBlock,
    together: readonly { readonly warp: number; readonly lane: number }[],
    live: number,
    announcers: readonly number[],
  ): void {
    const { checker } = this.launch.request
    if (!checker) return
    if (together.length === live) checker.meet(linear)
    else checker.meet(linear, lanesByWarp(together.map(({ warp, lane }) => warp * 32 + lane)), lanesByWarp(announcers))
  }

  /** As reference/machine/grid.ts: all threads that have not ended, or a count in which a warp that is there as a whole is 32. */
  private isComplete(
    together: readonly { readonly warp: number; readonly arrival: Arrival }[],
    announced: number,
    live: number,
    waiting: readonly Waiting[],
  ): boolean {
    const count = together.find(({ arrival }) => arrival.count !== undefined)?.arrival.count
    if (count === undefined) return together.length + announced >= live
    let arrived = announced
    for (const warp of new Set(together.map(entry => entry.warp))) {
      const lanes = together.filter(entry => entry.warp === warp).length
      const liveInWarp = waiting
        .filter(entry => entry.warp === warp)
        .reduce((sum, entry) => sum + activeLanes(entry.lanes), 0)
      arrived += lanes === liveInWarp ? 32 : lanes
    }
    return arrived >= count
  }

  // ---------------------------------------------------------------- nobody can go on

  /**
   * Asked when a round changed nothing in who waits where. A round that leaves everything that a thread can see as it was would
   * be repeated for ever; whoever counts attempts or watches the clock is given the benefit of the doubt for long.
   */
  private isStuck(idleRounds: number): boolean {
    if (idleRounds >= MOST_IDLE_ROUNDS) return true
    if (
      this.resident.every(block =>
        this.waitingOf(block).every(({ point }) => this.points[point]!.point.kind === 'barrier'),
      )
    )
      return true
    const readsClock = this.launch.compiled.externals.some(({ kind }) => kind === 'warp-scalar')
    // Rarely, because it reads all of the memory: in rounds 4 and 5, 8 and 9, 16 and 17 ...
    if (readsClock || idleRounds < 4) return false
    if (isPowerOfTwo(idleRounds)) this.remembered = this.checksum()
    else if (isPowerOfTwo(idleRounds - 1)) return this.checksum() === this.remembered
    return false
  }

  private remembered = ''

  /** Of everything that a thread can see: global and constant memory, and the resident blocks' own. */
  private checksum(): string {
    const { buffer } = this.launch.request.memory
    const parts = [
      new Int32Array(buffer, CONSTANT_OFFSET),
      ...this.resident.map(({ places }) => new Int32Array(buffer, places.shared, (places.end - places.shared) / 4)),
    ]
    return parts.map(hash).join()
  }

  private deadlock(grid: Dim3, notStarted: number): Fault {
    const block = this.resident[0]!
    const { warp, point: index, lanes } = this.waitingOf(block)[0]!
    const { point } = this.points[index]!
    const isBarrier = point.kind === 'barrier'
    const location: Location | undefined = isBarrier ? point.call.location : point.resume.instructions.at(-1)?.location
    const thread = warp * 32 + lanesOf(lanes)[0]!
    return {
      kind: 'deadlock',
      message: deadlockMessage(isBarrier, this.resident.length, notStarted),
      block: indexIn(grid, block.linear),
      thread: indexIn(this.launch.geometry.block, thread),
      address: undefined,
      accessBytes: undefined,
      location,
    }
  }
}

const threadsOf = (waiting: readonly Waiting[]): number[] =>
  waiting.flatMap(({ warp, lanes }) => lanesOf(lanes).map(lane => warp * 32 + lane))

/** Whether no lane has moved from point to point, or ended. */
function isSame(some: readonly Waiting[], others: readonly Waiting[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ warp, point, lanes }, index) => {
      const other = others[index]!
      return warp === other.warp && point === other.point && lanes === other.lanes
    })
  )
}

const PLAIN: Arrival = { id: 0, count: undefined, waits: true, result: 'none', predicate: false }

function combine({ result }: Arrival, agreeing: number, all: number): number {
  switch (result) {
    case 'none':
      return 0
    case 'count':
      return agreeing
    case 'and':
      return agreeing === all ? 1 : 0
    case 'or':
      return agreeing > 0 ? 1 : 0
  }
}

/** FNV-1a over words, in two independent halves. */
function hash(words: Int32Array): string {
  let low = 0x811c9dc5 | 0
  let high = 0x1000193
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    low = Math.imul(low ^ word, 0x01000193)
    high = Math.imul(high + word, 0x85ebca6b) ^ (high >>> 13)
  }
  return `${low}:${high}`
}

function isPowerOfTwo(value: number): boolean {
  return (value & (value - 1)) === 0
}

function lanesOf(mask: number): number[] {
  const lanes: number[] = []
  for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) lanes.push(lane)
  return lanes
}
