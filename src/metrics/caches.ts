/**
 * L1, L2 and DRAM traffic of a launch, from the warp accesses of a sample of its blocks.
 * In: {@link AccessTraces}, filled by an observer with each access of the sampled blocks in program order of each warp.
 * Out: {@link CacheTraffic}, scaled to the whole grid. What must hold: one warp's accesses are recorded in order; blocks
 * and warps may come in any order.
 *
 * Blocks are replayed as the machine would run them: dealt to multiprocessors in turn, as many at once as the occupancy
 * allows, their warps taking turns. A sample of a part of the grid runs on that part of the multiprocessors (one at least)
 * with that part of L2, so that data and cache keep their proportion. Source of the rules: MEMORY_MODEL.md section 6 and the readings named beside each.
 */
import type { Device } from '../devices/device.ts'
import { capabilityNumber } from '../devices/devices.ts'
import type { AccessOp, WarpAccess } from '../trace.ts'
import { atomicSectorsSent, LINE_BYTES, LOCAL_WORD_STRIDE, SECTOR_BYTES, WARP_LANES } from './coalescing.ts'
import { type CacheTraffic, type LaunchCounters, sumSites } from './launchCounters.ts'
import type { Occupancy } from './occupancy.ts'
import { SectoredCache, type SectorMask, sectorsIn } from './sectoredCache.ts'

type Kind = 'globalLoad' | 'localLoad' | 'store' | 'atomic' | 'red'

interface LineRequest {
  readonly line: number
  readonly sectors: SectorMask
}

interface RecordedAccess {
  readonly kind: Kind
  readonly lines: readonly LineRequest[]
  /** Sectors that an atomic sends, equal addresses repeated. */
  readonly atomicSectors: number
}

/** A thread's local memory as a device address range of its own, so that warps do not share lines: 1 GiB apart in line numbers. */
const LOCAL_LINES_BASE = 2 ** 27

function kindOf({ space, op }: WarpAccess): Kind {
  if (op === 'atomic' || op === 'red') return op
  if (op === 'store') return 'store'
  return space === 'local' ? 'localLoad' : 'globalLoad'
}

/** The lines of an access with the sectors touched, in order of first lane; a warp touches few, mostly in lane order. */
function linesOf({ space, mask, addresses, width }: WarpAccess, base: number): LineRequest[] {
  const requests: { line: number; sectors: SectorMask }[] = []
  const pieces = space === 'local' && width > 4 ? width / 4 : 1
  for (let lane = 0; lane < WARP_LANES; lane++) {
    if (!((mask >>> lane) & 1)) continue
    for (let piece = 0; piece < pieces; piece++) {
      const address = (addresses[lane]! + piece * LOCAL_WORD_STRIDE) >>> 0
      const line = base + (address >>> 7)
      const sector = 1 << ((address >>> 5) & 3)
      let index = requests.length - 1
      while (index >= 0 && requests[index]!.line !== line) index--
      if (index >= 0) requests[index]!.sectors |= sector
      else requests.push({ line, sectors: sector })
    }
  }
  return requests
}

/** Collects the accesses of sampled blocks; an observer of the executor's events. */
export class AccessTraces {
  /** Block number, then warp in the block, to its accesses. */
  readonly blocks = new Map<number, Map<number, RecordedAccess[]>>()

  /** Warp accesses recorded, by kind. */
  readonly recorded: Record<Kind, number> = { globalLoad: 0, localLoad: 0, store: 0, atomic: 0, red: 0 }

  /** Sectors of atomics sent to each aligned 512 bytes, and how many blocks sent them. */
  readonly #atomicUnits = new Map<number, { sectors: number; blocks: number; lastBlock: number }>()

  get accesses(): number {
    return Object.values(this.recorded).reduce((a, b) => a + b, 0)
  }

  /** Sectors of atomics sent to the most wanted aligned 512 bytes, and the share of the sampled blocks that send them. */
  get hottestAtomicUnit(): { readonly sectors: number; readonly blockShare: number } {
    let hottest = { sectors: 0, blocks: 0 }
    for (const unit of this.#atomicUnits.values()) if (unit.sectors > hottest.sectors) hottest = unit
    return { sectors: hottest.sectors, blockShare: hottest.blocks / Math.max(1, this.blocks.size) }
  }

  #recordAtomic(block: number, access: WarpAccess): void {
    const lanesOfUnit = new Map<number, number>()
    for (let lane = 0; lane < WARP_LANES; lane++) {
      if (!((access.mask >>> lane) & 1)) continue
      const unit = access.addresses[lane]! >>> 9
      lanesOfUnit.set(unit, (lanesOfUnit.get(unit) ?? 0) | (1 << lane))
    }
    for (const [unit, mask] of lanesOfUnit) {
      const sent = atomicSectorsSent({ ...access, mask: mask >>> 0 })
      const known = this.#atomicUnits.get(unit) ?? { sectors: 0, blocks: 0, lastBlock: -1 }
      known.sectors += sent
      if (known.lastBlock !== block) known.blocks++
      known.lastBlock = block
      this.#atomicUnits.set(unit, known)
    }
  }

  /** Accesses of each warp of each block, also of those that were not recorded. */
  readonly #seen = new Map<number, Map<number, number>>()

  /**
   * How much more the longest warp of a block has to do than the average one. A block lives as long as its longest warp.
   * @param warps of a block; those without an access count too
   */
  imbalance(warps: number): number {
    let sum = 0
    for (const counts of this.#seen.values()) {
      let all = 0
      let most = 0
      for (const count of counts.values()) {
        all += count
        most = Math.max(most, count)
      }
      sum += (most * warps) / all
    }
    return this.#seen.size === 0 ? 1 : sum / this.#seen.size
  }

  /** Accesses of the warp so far. */
  #count(block: number, warp: number): number {
    let warps = this.#seen.get(block)
    if (!warps) this.#seen.set(block, (warps = new Map()))
    const count = (warps.get(warp) ?? 0) + 1
    warps.set(warp, count)
    return count
  }

  /**
   * Addresses are copied. Shared and constant accesses are ignored: they touch neither L1's data nor L2.
   * @param mostOfWarp accesses of one warp that are kept; later ones are only counted
   */
  record(block: number, warp: number, access: WarpAccess, mostOfWarp = Number.POSITIVE_INFINITY): void {
    if (access.space !== 'global' && access.space !== 'local') return
    if (this.#count(block, warp) > mostOfWarp) return
    let warps = this.blocks.get(block)
    if (!warps) this.blocks.set(block, (warps = new Map()))
    let accesses = warps.get(warp)
    if (!accesses) warps.set(warp, (accesses = []))
    const kind = kindOf(access)
    this.recorded[kind]++
    const base = access.space === 'local' ? LOCAL_LINES_BASE * (1 + ((block * 32 + warp) % 2 ** 20)) : 0
    const isAtomic = kind === 'atomic' || kind === 'red'
    if (isAtomic) this.#recordAtomic(block, access)
    const atomicSectors = isAtomic ? atomicSectorsSent(access) : 0
    accesses.push({ kind, lines: linesOf(access, base), atomicSectors })
  }
}

/** L2 that data of one kind can fill: H100 and H200 keep two halves, and a copy leaves 19.5 of 60 MiB dirty (limits.json). */
const effectiveL2Share = (device: Device): number => (capabilityNumber(device) >= 90 ? 2 / 3 : 1)

/** DRAM is read 64 bytes at a time: limits.json, strided by 16 floats reads 64 bytes a sector. */
const withNeighbours = (sectors: SectorMask): SectorMask => (sectors & 3 ? 3 : 0) | (sectors & 12 ? 12 : 0)

const L1_WAYS = 16
const L2_WAYS = 16

/** The memory system of `multiprocessors` multiprocessors; a fraction of the device when there are fewer than it has. */
class Hierarchy {
  readonly #l1: SectoredCache[]
  readonly #l2: SectoredCache | undefined
  /** Accesses performed, by multiprocessor and in all: the time in which lines are on their way. */
  readonly #clocks: number[]
  #clock = 0
  /** Accesses that all warps of a multiprocessor make in the time of one wait: one each. */
  readonly #round: number
  /** By multiprocessor: lines that stores touched last, which sectors and when. */
  readonly #stored: Map<number, { at: number; sectors: SectorMask }>[]
  readonly traffic = {
    l1GlobalLoadSectorHits: 0,
    l1LocalLoadSectorHits: 0,
    l2ReadSectors: 0,
    l2ReadSectorHits: 0,
    l2WriteSectors: 0,
    l2AtomicSectors: 0,
    l2ReductionSectors: 0,
    dramReadBytes: 0,
    dramWriteBytes: 0,
  }

  constructor(device: Device, l1Bytes: number, multiprocessors: number, residentWarps: number) {
    this.#clocks = new Array<number>(multiprocessors).fill(0)
    this.#round = residentWarps
    this.#stored = Array.from({ length: multiprocessors }, () => new Map())
    this.#l1 = l1Bytes === 0 ? [] : Array.from({ length: multiprocessors }, () => new SectoredCache(l1Bytes, L1_WAYS))
    const l2Bytes = (device.l2Bytes * effectiveL2Share(device) * multiprocessors) / device.multiprocessors
    this.#l2 = device.l2Bytes === 0 ? undefined : new SectoredCache(l2Bytes, L2_WAYS)
  }

  /** Returns what a load waits for; undefined for other accesses. */
  perform(multiprocessor: number, { kind, lines, atomicSectors }: RecordedAccess): Level | undefined {
    this.#clocks[multiprocessor]!++
    this.#clock++
    let slowest: Level = 'l1'
    for (const { line, sectors } of lines) {
      switch (kind) {
        case 'globalLoad':
        case 'localLoad':
          slowest = slower(slowest, this.#load(multiprocessor, line, sectors, kind))
          break
        case 'store':
          this.#store(multiprocessor, line, sectors)
          break
        case 'atomic':
        case 'red':
          this.#l1[multiprocessor]?.invalidate(line)
          this.#l2?.access(line, sectors, this.#fetch(line, sectors), sectors)
      }
    }
    if (kind === 'atomic') this.traffic.l2AtomicSectors += atomicSectors
    if (kind === 'red') this.traffic.l2ReductionSectors += atomicSectors
    return kind === 'globalLoad' || kind === 'localLoad' ? slowest : undefined
  }

  /** What the load waits for. A hit on a line that is still on its way waits as long as the miss that asked for it. */
  #load(multiprocessor: number, line: number, sectors: SectorMask, kind: 'globalLoad' | 'localLoad'): Level {
    const clock = this.#clocks[multiprocessor]!
    const inL1 = this.#l1[multiprocessor]?.access(line, sectors, sectors, 0, clock)
    const hit = inL1?.hit ?? 0
    const pending = hit !== 0 && clock - inL1!.filledAt <= this.#round
    if (kind === 'globalLoad') this.traffic.l1GlobalLoadSectorHits += sectorsIn(hit)
    else this.traffic.l1LocalLoadSectorHits += sectorsIn(hit)
    const missed = sectors & ~hit
    if (missed === 0) return pending ? this.#levelInL2(line) : 'l1'
    this.traffic.l2ReadSectors += sectorsIn(missed)
    const filled = this.#fetch(line, missed)
    if (!this.#l2) return 'dram'
    const { hit: l2Hit, writtenBack, filledAt } = this.#l2.access(line, missed, filled, 0, this.#clock)
    this.traffic.l2ReadSectorHits += sectorsIn(l2Hit)
    this.#writeBack(writtenBack)
    return l2Hit === missed && !this.#isOnItsWay(filledAt) ? 'l2' : 'dram'
  }

  #isOnItsWay(filledAt: number): boolean {
    return this.#clock - filledAt <= this.#round * this.#clocks.length
  }

  #levelInL2(line: number): Level {
    if (!this.#l2) return 'dram'
    return this.#isOnItsWay(this.#l2.filledAt(line)) ? 'dram' : 'l2'
  }

  /**
   * Writes through L1 without a place in it; L2 takes the sectors without reading them first. Stores to one sector one right
   * after the other leave as one: accessFloat3 (aos_soa.json) sends a third of its sectors, mvt (public) an eighth.
   */
  #store(multiprocessor: number, line: number, sectors: SectorMask): void {
    const stored = this.#stored[multiprocessor]!
    const at = this.#clocks[multiprocessor]!
    const last = stored.get(line)
    const recent = last && at - last.at <= STORE_ROUNDS * this.#round ? last.sectors : 0
    if (stored.size > MOST_STORED_LINES) stored.clear()
    stored.set(line, { at, sectors: recent | sectors })
    const sent = sectors & ~recent
    if (sent === 0) return
    this.traffic.l2WriteSectors += sectorsIn(sent)
    if (this.#l2) this.#writeBack(this.#l2.access(line, sent, sent, sent).writtenBack)
    else this.#writeBack(sent)
  }

  /** Reads from DRAM what L2 does not have of these sectors; the sectors that are then in L2. */
  #fetch(line: number, sectors: SectorMask): SectorMask {
    const missing = sectors & ~(this.#l2?.present(line) ?? 0)
    const fetched = this.#l2 ? withNeighbours(missing) : missing
    this.traffic.dramReadBytes += SECTOR_BYTES * sectorsIn(fetched)
    return fetched | sectors
  }

  #writeBack(sectors: SectorMask): void {
    this.traffic.dramWriteBytes += SECTOR_BYTES * sectorsIn(sectors)
  }
}

type Level = 'l1' | 'l2' | 'dram'

const slower = (a: Level, b: Level): Level => (a === 'dram' || b === 'l1' ? a : b)

/** How long a store waits for others to its sectors, in rounds of all warps; and how many lines do. */
const STORE_ROUNDS = 1.5
const MOST_STORED_LINES = 4096

/** A block while it runs: its warps take turns, one access each. */
class RunningBlock {
  readonly #warps: readonly (readonly RecordedAccess[])[]
  #step = 0
  #warp = 0
  #current = 0
  /** By warp: loads since its last wait, and the slowest of them. */
  readonly #loads: number[] = []
  readonly #slowest: Level[] = []

  constructor(warps: readonly (readonly RecordedAccess[])[]) {
    this.#warps = warps
  }

  /** A load of the warp whose access came last: counts a wait once it has so many, as long as the slowest of them. */
  addLoad(level: Level, loadsPerWait: number, waits: Record<Level, number>): void {
    const warp = this.#current
    this.#slowest[warp] = slower(this.#slowest[warp] ?? 'l1', level)
    this.#loads[warp] = (this.#loads[warp] ?? 0) + 1
    if (this.#loads[warp] < loadsPerWait) return
    waits[this.#slowest[warp]]++
    this.#slowest[warp] = 'l1'
    this.#loads[warp] = 0
  }

  /** The next access in turn; undefined when every warp is done. */
  next(): RecordedAccess | undefined {
    let idle = 0
    while (idle < this.#warps.length) {
      const access = this.#warps[this.#warp]?.[this.#step]
      this.#current = this.#warp
      if (++this.#warp === this.#warps.length) {
        this.#warp = 0
        this.#step++
      }
      if (access) return access
      idle++
    }
    return this.#warps.some(warp => warp.length > this.#step) ? this.next() : undefined
  }
}

/** Runs the blocks, `resident` at once on each multiprocessor, until none is left. */
function replay(
  hierarchy: Hierarchy,
  traces: AccessTraces,
  { multiprocessors, resident, loadsPerWait }: { multiprocessors: number; resident: number; loadsPerWait: number },
): Record<Level, number> {
  const waits = { l1: 0, l2: 0, dram: 0 }
  const waiting = [...traces.blocks.keys()].sort((a, b) => a - b)
  let nextBlock = 0
  const start = (): RunningBlock | undefined => {
    const block = waiting[nextBlock++]
    return block === undefined ? undefined : new RunningBlock([...traces.blocks.get(block)!.values()])
  }
  const places: (RunningBlock | undefined)[] = Array.from({ length: multiprocessors * resident }, start)
  let running = places.filter(block => block !== undefined).length
  while (running > 0) {
    for (const [index, block] of places.entries()) {
      if (!block) continue
      const access = block.next()
      if (access) {
        const level = hierarchy.perform(index % multiprocessors, access)
        if (level) block.addLoad(level, loadsPerWait, waits)
      } else if (!(places[index] = start())) running--
    }
  }
  return waits
}

/** L1 beside the carve-out on unified machines, all of `l1Bytes` elsewhere. */
export function l1BytesBeside(device: Device, occupancy: Occupancy): number {
  const unified = device.l1Bytes > device.sharedBytesPerMultiprocessor && capabilityNumber(device) >= 70
  return unified ? device.l1Bytes - occupancy.sharedCarveoutBytes : device.l1Bytes
}

/** Executions of a launch's accesses over those that were recorded, by kind: what a sample stands for. */
export interface SampleScale {
  readonly loads: number
  readonly stores: number
  readonly atomics: number
}

/** Of a launch of which all accesses are alike: blocks over sampled blocks. */
export function scaleByBlocks(traces: AccessTraces, gridBlocks: number): SampleScale {
  const sampled = traces.blocks.size
  const scale = sampled === 0 ? 0 : gridBlocks / sampled
  return { loads: scale, stores: scale, atomics: scale }
}

/** Blocks differ, in loops and in branches: the launch's counters say how much of each kind of access there is in all. */
export function scaleByCounters(traces: AccessTraces, launch: Pick<LaunchCounters, 'sites'>): SampleScale {
  const { recorded } = traces
  const executed = (op: AccessOp) =>
    sumSites(launch, 'global', [op], s => s.executed) + sumSites(launch, 'local', [op], s => s.executed)
  const scale = (all: number, sampled: number) => (sampled === 0 ? 0 : all / sampled)
  return {
    loads: scale(executed('load'), recorded.globalLoad + recorded.localLoad),
    stores: scale(executed('store'), recorded.store),
    atomics: scale(executed('atomic') + executed('red'), recorded.atomic + recorded.red),
  }
}

/**
 * What comes from DRAM at least, and how large the launch's data is: each sector once, in the order of the blocks. Blocks of
 * the second half tell how much is new in every further block, the rest is shared.
 */
function footprintOf(traces: AccessTraces, gridBlocks: number): { readonly bytes: number; readonly readBytes: number } {
  const present = new Map<number, SectorMask>()
  const totals: { lines: number; fetched: number }[] = []
  let lines = 0
  let fetched = 0
  const order = [...traces.blocks.keys()].sort((a, b) => a - b)
  for (const block of order) {
    for (const accesses of traces.blocks.get(block)!.values())
      for (const access of accesses)
        for (const { line, sectors } of access.lines) {
          const known = present.get(line)
          if (known === undefined) lines++
          const missing = sectors & ~(known ?? 0)
          if (missing === 0) continue
          const loaded = access.kind === 'store' ? missing : withNeighbours(missing) & ~(known ?? 0)
          if (access.kind !== 'store') fetched += sectorsIn(loaded)
          present.set(line, (known ?? 0) | loaded)
        }
    totals.push({ lines, fetched })
  }
  const sampled = order.length
  const half = totals[Math.floor(sampled / 2) - 1] ?? { lines: 0, fetched: 0 }
  const perBlock = (all: number, first: number) => (all - first) / Math.max(1, sampled - Math.floor(sampled / 2))
  const more = Math.max(0, gridBlocks - sampled)
  return {
    bytes: LINE_BYTES * (lines + more * perBlock(lines, half.lines)),
    readBytes: SECTOR_BYTES * (fetched + more * perBlock(fetched, half.fetched)),
  }
}

/**
 * Traffic of the whole launch, from cold caches.
 * @param gridBlocks blocks of the launch, of which `traces` holds a sample (a contiguous one, or all)
 * @param loadsPerWait loads that a warp issues before it waits for the first of them
 */
export function simulateCaches(
  device: Device,
  occupancy: Occupancy,
  traces: AccessTraces,
  gridBlocks: number,
  scale: SampleScale = scaleByBlocks(traces, gridBlocks),
  loadsPerWait = 1,
): CacheTraffic {
  const sampled = traces.blocks.size
  const resident = Math.max(1, occupancy.blocksPerMultiprocessor)
  const multiprocessors = Math.max(1, Math.round(device.multiprocessors * Math.min(1, sampled / gridBlocks)))
  const warps = Math.max(1, ...[...traces.blocks.values()].map(block => block.size))
  const blocksAtOnce = Math.min(resident, Math.ceil(sampled / multiprocessors))
  const hierarchy = new Hierarchy(device, l1BytesBeside(device, occupancy), multiprocessors, warps * blocksAtOnce)
  const levels = replay(hierarchy, traces, { multiprocessors, resident, loadsPerWait })
  const { traffic } = hierarchy
  const loads = Math.max(1, levels.l1 + levels.l2 + levels.dram)
  const { recorded } = traces
  const reads = recorded.globalLoad + recorded.localLoad
  const atomics = recorded.atomic + recorded.red
  // Loads and atomics both make L2 fetch.
  const fetchScale = reads + atomics === 0 ? 0 : (scale.loads * reads + scale.atomics * atomics) / (reads + atomics)
  const l2ReadSectors = Math.round(traffic.l2ReadSectors * scale.loads)
  const scaled: CacheTraffic = {
    l1GlobalLoadSectorHits: Math.round(traffic.l1GlobalLoadSectorHits * scale.loads),
    l1LocalLoadSectorHits: Math.round(traffic.l1LocalLoadSectorHits * scale.loads),
    l2ReadSectors,
    l2ReadSectorHits: Math.round(traffic.l2ReadSectorHits * scale.loads),
    l2WriteSectors: Math.round(traffic.l2WriteSectors * scale.stores),
    l2AtomicSectors: Math.round(traffic.l2AtomicSectors * scale.atomics),
    l2ReductionSectors: Math.round(traffic.l2ReductionSectors * scale.atomics),
    dramReadBytes: Math.round(traffic.dramReadBytes * fetchScale),
    dramWriteBytes: Math.round(traffic.dramWriteBytes * scale.stores),
    loadLevels: { l1: levels.l1 / loads, l2: levels.l2 / loads, dram: levels.dram / loads },
  }
  if (sampled >= gridBlocks) return scaled
  const { bytes, readBytes } = footprintOf(traces, gridBlocks)
  const fits = bytes <= device.l2Bytes * effectiveL2Share(device)
  if (!fits || readBytes >= scaled.dramReadBytes) return scaled
  // The sample's part of L2 is too small for what all blocks share; the whole L2 keeps it.
  const dramReadBytes = Math.round(readBytes)
  const l2ReadSectorHits = Math.max(scaled.l2ReadSectorHits, l2ReadSectors - Math.round(dramReadBytes / SECTOR_BYTES))
  return { ...scaled, dramReadBytes, l2ReadSectorHits, dramWriteBytes: 0 }
}
