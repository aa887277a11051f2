/**
 * L1, L2 and DRAM traffic of a launch, from the warp accesses of a sample of its blocks.
 * In: {@link AccessTraces}, filled by an observer with each access of the sampled blocks. Out: {@link CacheTraffic}, scaled to
 * the whole grid.
 *
 * Blocks are replayed as the machine would run them: dealt to multiprocessors in turn, as many at once as the occupancy
 * allows, their warps taking turns. A sample of a part of the grid runs on that part of the multiprocessors (one at least)
 * with that part of L2, so that data and cache keep their proportion. Source of the rules: MEMORY_MODEL.md section 6.
 * Of warps with many accesses the first are kept; what was not kept is taken to go on like the later half of these: caches are warm then.
 */
import type { Device } from '../../devices/device.ts'
import { capabilityNumber } from '../../devices/devices.ts'
import type { Dim3 } from '../../launch.ts'
import type { AccessOp } from '../../trace.ts'
import { type CacheTraffic, type LaunchCounters, sumSites } from '../launchCounters.ts'
import type { Occupancy } from '../occupancy/occupancy.ts'
import { LINE_BYTES, SECTOR_BYTES } from '../rules/coalescing.ts'
import { type AccessTraces, NO_ACCESS } from './accessTraces.ts'
import { footprintOf } from './footprint.ts'
import { MOST_WARPS } from './laterLoads.ts'
import { DRAM, effectiveL2Bytes, L1, type Level, MemoryHierarchy, NOT_A_LOAD } from './memoryHierarchy.ts'
import { partInStep, partsThatAsk } from './residentBlocks.ts'

/** What is read in no order has less of L2: its halves both have it (own: `gather` of 33 to 268 MB finds what 28 MB hold). */
const READ_ANYWHERE = 0.75

/**
 * Of L1's bytes, those in which lines stay that are read in turn (own: `stores.cu`, `reuse`: of 208, 224, 240 and 256 KB that one block reads
 * again and again 100, 82, 54 and 18 % are found in the 256 KB of an H100).
 */
const FOUND_IN_L1 = 0.92

/** Where blocks run, so many at once; their warps take turns, one access each. */
class Places {
  readonly #traces: AccessTraces
  readonly #blocks: readonly (readonly number[])[]
  readonly #warps: number
  #started = 0
  /** By place: warps of its block, and whose turn it is. */
  readonly #warpsOf: Int32Array
  readonly #blockOf: Int32Array
  readonly #turn: Int32Array
  /** By place and warp: next access; loads since the last wait, and the slowest of them. */
  readonly #access: Int32Array
  readonly #loads: Int32Array
  readonly #slowest: Uint8Array
  /** Likewise: loads out of DRAM since the last wait. */
  readonly #dramLoads: Int32Array
  /** Whether the block waits for this warp: no other has more to do. */
  readonly #isLongest: Uint8Array
  readonly #longest: readonly (readonly number[])[]
  /** Waits that ended with each level, and those of them in the later half of what is kept of a warp. */
  readonly waits = [0, 0, 0]
  readonly lateWaits = [0, 0, 0]
  /** Loads that those waits were for that ended with DRAM. */
  dramLoads = 0

  constructor(traces: AccessTraces, blocks: readonly (readonly number[])[], count: number) {
    this.#traces = traces
    this.#blocks = blocks
    this.#warps = Math.max(1, ...blocks.map(warps => warps.length))
    this.#warpsOf = new Int32Array(count)
    this.#blockOf = new Int32Array(count)
    this.#turn = new Int32Array(count)
    this.#access = new Int32Array(count * this.#warps)
    this.#loads = new Int32Array(count * this.#warps)
    this.#slowest = new Uint8Array(count * this.#warps)
    this.#dramLoads = new Int32Array(count * this.#warps)
    this.#isLongest = new Uint8Array(count * this.#warps)
    this.#longest = traces.longestWarps()
  }

  /** Puts the next block there; false when there is none. */
  start(place: number, multiprocessor: number, hierarchy: MemoryHierarchy): boolean {
    const block = this.#started++
    this.#blockOf[place] = block
    const warps = this.#blocks[block]
    const first = place * this.#warps
    if (warps) {
      this.#access.set(warps, first)
      this.#isLongest.set(this.#longest[block]!, first)
    }
    this.#loads.fill(0, first, first + this.#warps)
    this.#slowest.fill(L1, first, first + this.#warps)
    this.#dramLoads.fill(0, first, first + this.#warps)
    this.#turn[place] = 0
    this.#warpsOf[place] = warps?.length ?? 0
    for (const access of warps ?? []) if (access !== NO_ACCESS) hierarchy.warpBegins(multiprocessor)
    return warps !== undefined
  }

  isEmpty(place: number): boolean {
    return this.#warpsOf[place] === 0
  }

  /** Performs one access of the block there; false when every warp is done. */
  step(place: number, multiprocessor: number, hierarchy: MemoryHierarchy, loadsPerWait: number): boolean {
    const first = place * this.#warps
    const warps = this.#warpsOf[place]!
    let warp = this.#turn[place]!
    for (let tried = 0; tried < warps; tried++) {
      const at = first + warp
      if (++warp === warps) warp = 0
      const access = this.#access[at]!
      if (access === NO_ACCESS) continue
      this.#access[at] = this.#traces.next[access]!
      this.#turn[place] = warp
      const block = this.#blockOf[place]!
      const level = hierarchy.perform(multiprocessor, place, block, block * this.#warps + at - first, access)
      if (this.#access[at] === NO_ACCESS) hierarchy.warpEnds(multiprocessor)
      // Stores end no wait: loads of one are moved in front of those between them.
      if (this.#isLongest[at] === 1 && level !== NOT_A_LOAD) this.#addLoad(at, level, loadsPerWait, access)
      return true
    }
    return false
  }

  /** A load of a warp: counts a wait once it has so many, as long as the slowest of them. */
  #addLoad(at: number, level: Level, loadsPerWait: number, access: number): void {
    const { late } = this.#traces
    if (level > this.#slowest[at]!) this.#slowest[at] = level
    if (level === DRAM) this.#dramLoads[at]!++
    if (++this.#loads[at]! < loadsPerWait) return
    this.waits[this.#slowest[at]!]!++
    if (late[access] === 1) this.lateWaits[this.#slowest[at]!]!++
    this.dramLoads += this.#dramLoads[at]!
    this.#slowest[at] = L1
    this.#dramLoads[at] = 0
    this.#loads[at] = 0
  }
}

interface Waits {
  readonly all: readonly number[]
  readonly late: readonly number[]
  /** Loads out of DRAM that such a wait is for. */
  readonly dramLoads: number
}

/** Runs the blocks, `resident` at once on each multiprocessor, until none is left; the waits by level. */
function replay(
  hierarchy: MemoryHierarchy,
  traces: AccessTraces,
  {
    multiprocessors,
    resident,
    loadsPerWait,
  }: Readonly<Record<'multiprocessors' | 'resident' | 'loadsPerWait', number>>,
): Waits {
  const blocks = traces.firstAccesses()
  const count = Math.min(blocks.length, multiprocessors * resident)
  const places = new Places(traces, blocks, count)
  for (let place = 0; place < count; place++) places.start(place, place % multiprocessors, hierarchy)
  let running = count
  while (running > 0) {
    for (let place = 0; place < count; place++) {
      if (places.isEmpty(place)) continue
      if (places.step(place, place % multiprocessors, hierarchy, loadsPerWait)) continue
      if (places.start(place, place % multiprocessors, hierarchy)) hierarchy.startBlock(place)
      else running--
    }
  }
  const { waits: all, lateWaits: late } = places
  return { all, late, dramLoads: places.dramLoads / Math.max(1, all[DRAM]!) }
}

/**
 * What the sampled blocks did of something that the kept loads did so often, over what they would have done had all been like the kept
 * ones.
 * @param kept of all kept loads, and of the late ones among them
 * @param loads kept, and late
 * @param seenOverKept loads of the sampled blocks over those kept
 */
function goingOn(
  kept: { readonly all: number; readonly late: number },
  loads: { readonly all: number; readonly late: number },
  seenOverKept: number,
): number {
  if (loads.late === 0 || kept.all === 0 || seenOverKept <= 1) return 1
  const further = (seenOverKept - 1) * loads.all * (kept.late / loads.late)
  return (kept.all + further) / (seenOverKept * kept.all)
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
  const sampled = traces.blockCount
  const scale = sampled === 0 ? 0 : gridBlocks / sampled
  return { loads: scale, stores: scale, atomics: scale }
}

const recordedLoads = ({ recorded: { globalLoad, passingLoad, localLoad, textureLoad } }: AccessTraces): number =>
  globalLoad + passingLoad + localLoad + textureLoad

/** Blocks differ, in loops and in branches: the launch's counters say how much of each kind of access there is in all. */
export function scaleByCounters(traces: AccessTraces, launch: Pick<LaunchCounters, 'sites' | 'textures'>): SampleScale {
  const { recorded } = traces
  const { texelLoads = 0, texelStores = 0 } = launch.textures ?? {}
  const executed = (op: AccessOp) =>
    sumSites(launch, 'global', [op], s => s.executed) + sumSites(launch, 'local', [op], s => s.executed)
  const scale = (all: number, sampled: number) => (sampled === 0 ? 0 : all / sampled)
  return {
    loads: scale(executed('load') + texelLoads, recordedLoads(traces)),
    stores: scale(executed('store') + texelStores, recorded.store),
    atomics: scale(executed('atomic') + executed('red'), recorded.atomic + recorded.red),
  }
}

/**
 * Cycles of L1 that warps take for the loads of one turn, at most: a trip to DRAM under load (reading: `kimw-day15`, a histogram whose threads
 * read a line each, 32 lines a load; four fifths of its sectors are found, with all 64 warps in turn a seventh).
 */
const BUSY_CYCLES = 1000

/** L2's request coalescer merges on Hopper (read on an H200). */
const COALESCES_SINCE = 90

/** What is known of how blocks and their warps follow each other. */
export interface BlockOrder {
  /** The grid, where it has rows or is a volume. */
  readonly plane?: Dim3 | undefined
  /** Barriers hold the warps of a block together. */
  readonly isInStep?: boolean
  /** Each load waits for the one before it. */
  readonly isChained?: boolean
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
  { plane, isInStep = false, isChained = false }: BlockOrder = {},
): CacheTraffic {
  const sampled = traces.blockCount
  const resident = Math.max(1, occupancy.blocksPerMultiprocessor)
  const multiprocessors = Math.max(1, Math.round(device.multiprocessors * Math.min(1, sampled / gridBlocks)))
  const warps = Math.max(1, ...traces.firstAccesses().map(block => block.length))
  const blocksAtOnce = Math.min(resident, Math.ceil(sampled / multiprocessors))
  // Of a plane the sample has neighbours of one row, most of which the machine deals to different multiprocessors.
  const isApart = plane !== undefined && sampled < gridBlocks
  const held = Math.min(resident, Math.ceil(gridBlocks / device.multiprocessors))
  // Blocks that are held together end together, and places that become free together are given to neighbours (own: products of tiles).
  const neighbours = isInStep ? 2 : 1
  const together = isApart ? Math.min(neighbours, held) : 1
  // So it is of a line, of which blocks that take turns on a multiprocessor have an L1 in common.
  const isOfLine = plane === undefined && sampled < gridBlocks && gridBlocks > device.multiprocessors
  // Where L1 takes long for each load, the oldest warps keep it busy, and go on with what it has before others come.
  const busy = Math.ceil(BUSY_CYCLES / (traces.l1CyclesPerLoad ?? 1) / warps)
  const inTurns = Math.min(resident, Math.max(1, busy))
  const whole = { multiprocessors: device.multiprocessors, coalesces: capabilityNumber(device) >= COALESCES_SINCE }
  const hierarchy = new MemoryHierarchy(traces, device, {
    l1Bytes: FOUND_IN_L1 * l1BytesBeside(device, occupancy),
    partsOfL1: isApart
      ? { of: held / together, blocks: together, count: Math.min(sampled, multiprocessors * resident) }
      : undefined,
    partsThatAsk:
      isApart && together === 1
        ? partsThatAsk({ ...whole, grid: plane, resident: Math.min(held, inTurns), warps: held * warps })
        : undefined,
    multiprocessors,
    active: Math.min(multiprocessors, sampled),
    residentWarps: warps * blocksAtOnce,
    warpsPerBlock: warps,
    isInStep,
    isChained,
    blocksThatShare: isOfLine ? neighbours : undefined,
    blocksHeld: held,
    isWhole: sampled >= gridBlocks,
  })
  const waits = replay(hierarchy, traces, { multiprocessors, resident: inTurns, loadsPerWait })
  const { traffic, late } = hierarchy
  const { seenOverKept } = traces
  const further = (of: 'l1GlobalLoadSectorHits' | 'l1LocalLoadSectorHits' | 'l2ReadSectors' | 'fetchedSectors') =>
    goingOn({ all: traffic[of], late: late[of] }, { all: traffic.loads, late: late.loads }, seenOverKept)
  const { recorded } = traces
  const reads = recordedLoads(traces)
  const atomics = recorded.atomic + recorded.red
  // Loads and atomics both make L2 fetch.
  const fetchScale = reads + atomics === 0 ? 0 : (scale.loads * reads + scale.atomics * atomics) / (reads + atomics)
  // Of the blocks that run at once: whole lines.
  const workingSet = {
    l1: (LINE_BYTES * Math.min(resident, held) * traffic.l2ReadRequests) / sampled,
    l2: (2 * SECTOR_BYTES * Math.min(resident * device.multiprocessors, gridBlocks) * traffic.fetchedSectors) / sampled,
  }
  const inStep = partInStep(held * warps) * Math.min(1, (resident * device.multiprocessors) / gridBlocks)
  const isFollowedWhole = sampled >= gridBlocks && sampled * warps <= MOST_WARPS
  const newsOf = (of: 'asked' | 'fetched', goesOn: number, set: number, bytes: number): number => {
    const growth = traces.laterLoads.growth(of)
    return growth === undefined
      ? goesOn
      : newsAlone(goesOn, growth / seenOverKept, growth * set <= bytes, isFollowedWhole)
  }
  const l2GoesOn = further('l2ReadSectors')
  const l2News = newsOf('asked', l2GoesOn, workingSet.l1, FOUND_IN_L1 * l1BytesBeside(device, occupancy))
  const l2ReadSectors = Math.round(traffic.l2ReadSectors * scale.loads * l2News)
  const writeScale =
    recorded.store + atomics === 0
      ? 0
      : (scale.stores * recorded.store + scale.atomics * atomics) / (recorded.store + atomics)
  const fetchGoesOn = further('fetchedSectors')
  const goesOn = newsOf('fetched', fetchGoesOn, workingSet.l2, effectiveL2Bytes(device))
  const footprint = footprintOf(
    traces,
    { reads: fetchScale, writes: writeScale },
    goesOn,
    (READ_ANYWHERE * effectiveL2Bytes(device)) / SECTOR_BYTES,
    isApart ? plane : undefined,
    traces.localBytesOfWarp * warps * Math.min(resident * device.multiprocessors, gridBlocks) <=
      effectiveL2Bytes(device),
  )
  // What the sample fetched more than once had no room in L2; without L2, all that is written goes to DRAM.
  const again = Math.max(0, traffic.fetchedSectors - footprint.sampledReads)
  const dramReadSectors = Math.round(footprint.reads + again * fetchScale * goesOn)
  const demanded = traffic.l2ReadMisses / Math.max(1, traffic.fetchedSectors)
  const l2ReadMisses = Math.min(l2ReadSectors, Math.round(demanded * dramReadSectors))
  const dramReadBytes = SECTOR_BYTES * dramReadSectors
  const partialBytes = fillsParts(device) ? SECTOR_BYTES * footprint.partialWrites : 0
  const filledBytes = Math.round(Math.max(0, partialBytes - KEPT_IN_PART))
  const writtenBytes =
    SECTOR_BYTES * Math.round(device.l2Bytes === 0 ? traffic.l2WriteSectors * scale.stores : footprint.writes)
  const dramWriteBytes =
    filledBytes + Math.round(writtenBackBytes(Math.max(0, writtenBytes - partialBytes), dramReadBytes, device))
  const anywhere = footprint.scatteredWrites / Math.max(1, footprint.writes)
  return {
    l1GlobalLoadSectorHits: Math.round(
      scale.loads *
        Math.max(
          0,
          traffic.l1GlobalLoadSectorHits * further('l1GlobalLoadSectorHits') +
            traffic.l2ReadSectors * (l2GoesOn - l2News),
        ),
    ),
    l1LocalLoadSectorHits: Math.round(traffic.l1LocalLoadSectorHits * scale.loads * further('l1LocalLoadSectorHits')),
    l2ReadSectors,
    l2ReadSectorHits: l2ReadSectors - l2ReadMisses,
    l2ReadRequests: Math.round(l2ReadSectors * (traffic.l2ReadRequests / Math.max(1, traffic.l2ReadSectors))),
    l2WriteSectors: Math.round(traffic.l2WriteSectors * scale.stores),
    l2PartialSectors: Math.round(traffic.l2PartialSectors * scale.stores),
    storeLinesSent: hierarchy.storeLines.sent / Math.max(1, hierarchy.storeLines.touched),
    storeLinesAmongLoads: hierarchy.storeLines.amongLoads / Math.max(1, hierarchy.storeLines.sent),
    linesStoredUpon: Math.round(traffic.linesStoredUpon * scale.loads * goesOn),
    linesStoredUponByLoad: traffic.linesStoredUpon / Math.max(1, traffic.loadsStoredUpon),
    storeSliceCycles: hierarchy.storeSlices.hottest(
      { count: sampled, all: gridBlocks, scale: scale.stores },
      SECTOR_BYTES * footprint.writes,
    ),
    l2AtomicSectors: Math.round(traffic.l2AtomicSectors * scale.atomics),
    l2ReductionSectors: Math.round(traffic.l2ReductionSectors * scale.atomics),
    dramReadBytes: dramReadBytes + filledBytes,
    dramScatteredBytes: Math.round(
      dramReadBytes * Math.min(1, footprint.scatteredReads / Math.max(1, footprint.reads)) + anywhere * filledBytes,
    ),
    dramWriteBytes,
    dramScatteredWriteBytes: Math.round(anywhere * dramWriteBytes),
    dramPartialBytes: Math.round(
      (2 * filledBytes * (1 - anywhere) * footprint.aloneWrites) / Math.max(1, footprint.partialWrites),
    ),
    loadLevels: levelsOf(waits, seenOverKept, newForWaits(footprint.newShare, sampled / gridBlocks, inStep), {
      beyondL1: laterShare(l2News, l2GoesOn, seenOverKept),
      beyondL2: laterShare(goesOn, fetchGoesOn, seenOverKept),
    }),
  }
}

/**
 * How much of what would be fetched, were it as often new as in the sample, warps wait for. Blocks that run at once and read the same come to it
 * at once, since those that are ahead wait for DRAM until the others are there too: all of them wait, though one of them has asked. Only what the
 * launch has less of than the sample alone would fetch has been there before (own reading, unseen39: products of matrices by 64 blocks, 512
 * rounds; a layer by 64 blocks whose rows are alike: 0.77 and 0.68 of their times before).
 * @param newShare of what all blocks would fetch, each for itself, what there is
 * @param sampledShare of the blocks, the part in the sample
 * @param inStep the part of them that runs at once and in step
 */
function newForWaits(newShare: number, sampledShare: number, inStep: number): number {
  return Math.max(newShare, Math.min(1, newShare / sampledShare) * inStep)
}

/** Growths that differ by less are one: warps differ. */
const AS_MUCH = 0.9

/**
 * What {@link goingOn} is where warps that were followed say how much is new to them: what is not new their cache still has.
 * @param goesOn by the later half of what is kept
 * @param news by the warps that were followed
 * @param isKept whether the cache has room for all that the warps read that run at once
 * @param isFollowedWhole whether there are no other warps, which may have read first what is new to one
 */
function newsAlone(goesOn: number, news: number, isKept: boolean, isFollowedWhole: boolean): number {
  if (news > goesOn) return isFollowedWhole ? news : goesOn
  return isKept && news < AS_MUCH * goesOn ? news : goesOn
}

/** Of what later accesses would do by {@link goingOn}, the part that they do; where they would do nothing, none. */
function laterShare(news: number, goesOn: number, seenOverKept: number): number {
  if (news >= goesOn) return 1
  const would = seenOverKept * goesOn - 1
  return would <= 0 ? 0 : Math.max(0, seenOverKept * news - 1) / would
}

/**
 * Shares of the waits that end with each level, those that were not kept among them.
 * @param beyondL1 of the later waits for L2 and DRAM, the part that there is; `beyondL2` of those for DRAM
 * @param newShare of what would be fetched, were it as often new as in the sample, what there is: a warp's later loads find the rest in L2
 */
function levelsOf(
  { all, late, dramLoads }: Waits,
  seenOverKept: number,
  newShare: number,
  { beyondL1, beyondL2 }: { readonly beyondL1: number; readonly beyondL2: number },
): NonNullable<CacheTraffic['loadLevels']> {
  const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0)
  const weight = sum(late) === 0 ? 0 : ((seenOverKept - 1) * sum(all)) / sum(late)
  const [, l2Went = 0, dramWent = 0] = late.map(count => weight * count)
  const dramLater = beyondL2 * dramWent
  const l2Later = Math.max(0, beyondL1 * (l2Went + dramWent) - dramLater)
  const l1Later = weight * sum(late) - l2Later - dramLater
  const [l1First = 0, l2First = 0, dramFirst = 0] = all
  const l1 = l1First + l1Later
  const l2 = l2First + l2Later + (1 - newShare) * dramLater
  const dram = dramFirst + newShare * dramLater
  const total = Math.max(1, l1 + l2 + dram)
  return { l1: l1 / total, l2: l2 / total, dram: dram / total, dramLoads }
}

/** Of sectors that are written in part, bytes that L2 keeps so (own: `stores.cu`, `gen`: 1.5 to 8 MB of 9 to 138). */
const KEPT_IN_PART = 5e6

/** Memory with error correction has no parts of sectors: L2 reads the rest before it writes one back, which it does soon. */
const fillsParts = (device: Device): boolean => [80, 90].includes(capabilityNumber(device))

/**
 * What has left L2 for DRAM when the launch ends: L2 keeps what came last, and written data is as much of that as it is of all
 * that came (limits.json: of copies from 17 to 537 MB 19.5 MB stay, of `strided`'s 17 MB less the more it reads).
 */
function writtenBackBytes(written: number, read: number, device: Device): number {
  if (written === 0) return 0
  return written * (1 - Math.min(1, effectiveL2Bytes(device) / (written + read)))
}
