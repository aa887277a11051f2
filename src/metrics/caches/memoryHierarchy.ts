/**
 * L1 caches, L2 and DRAM of a part of a device: one access in, what it waits for out, traffic counted.
 * Source of the rules: MEMORY_MODEL.md section 6 and the readings named beside each.
 */
import { ALL_AXES } from '../../analysis/facts/blockPlaces.ts'
import type { Device } from '../../devices/device.ts'
import { capabilityNumber } from '../../devices/devices.ts'
import { type AccessTraces, kinds, NO_ACCESS } from './accessTraces.ts'
import { StoreSlices } from './hotSlices.ts'
import {
  SECTORS_AN_ATOMIC,
  SectoredCache,
  type SectorMask,
  sectorsIn,
  withNeighbours,
  wordsIn,
} from './sectoredCache.ts'
import { MOST_WAITING_LINES, StoredLines, type StoreTime } from './storedLines.ts'
import { type NumberedLines, TouchedLines } from './touchedLines.ts'

/** Where a wait for a load ends, nearest first; `NOT_A_LOAD` for what nobody waits for. */
export const levels = ['l1', 'l2', 'dram'] as const
export type Level = 0 | 1 | 2
export const [L1, L2, DRAM]: readonly [Level, Level, Level] = [0, 1, 2]
export const NOT_A_LOAD = -1

const GLOBAL_LOAD = kinds.indexOf('globalLoad')
const PASSING_LOAD = kinds.indexOf('passingLoad')
const LOCAL_LOAD = kinds.indexOf('localLoad')
const TEXTURE_LOAD = kinds.indexOf('textureLoad')
const STORE = kinds.indexOf('store')
const ATOMIC = kinds.indexOf('atomic')
const REDUCTION = kinds.indexOf('red')

const L1_WAYS = 16
const L2_WAYS = 16

/** How long a store waits for others to its lines, in rounds of all warps. */
const STORE_ROUNDS = 1.5
const MOST_STORES_AHEAD = 16
/** Volta (Khairy et al. 2020: L1 and L2 fetch on a read what was written in part); read on Hopper. */
const STORES_KEPT_SINCE = 70
const WARPS_IN_MIND = 2 ** 14

/** L2 that data of one kind can fill: H100 and H200 keep two halves, and a copy leaves 19.5 of 60 MiB dirty (limits.json). */
export const effectiveL2Bytes = (device: Device): number => device.l2Bytes * (capabilityNumber(device) >= 90 ? 0.6 : 1)

export interface HierarchyShape {
  /** Of each multiprocessor. */
  readonly l1Bytes: number
  /**
   * Of blocks whose neighbours run on other multiprocessors: an L1 in so many parts of so many blocks each for what they read by their
   * number, beside what all read; and how many places blocks have. Absent: those of a multiprocessor share all.
   */
  readonly partsOfL1: { readonly of: number; readonly blocks: number; readonly count: number } | undefined
  /** Of the blocks of a multiprocessor, the part that asks for what they find by coordinates (by their bits); absent: all. */
  readonly partsThatAsk: readonly number[] | undefined
  /** How many neighbours find in L1 what one of them reads by its number, where the others run elsewhere; absent: all of a multiprocessor. */
  readonly blocksThatShare: number | undefined
  /**
   * By a multiprocessor at once. What comes back in one of so many blocks, others there read too (`i % n` in one row of blocks; reading: `ms-gemm` of
   * unseen41, `matmul_naive1d`, 79 % of whose sectors are found).
   */
  readonly blocksHeld: number
  readonly multiprocessors: number
  /** Of each multiprocessor. */
  readonly residentWarps: number
  readonly warpsPerBlock: number
  /** The warps of a block come to stores together, behind a barrier. */
  readonly isInStep: boolean
  /** Each load of a warp waits for the one before it: that one's line is there. */
  readonly isChained: boolean
  /** Multiprocessors that have blocks: accesses of L2 come from these. */
  readonly active: number
  /**
   * The traces are all of the launch. Of a sample, L2 has the sample's part; what several blocks share does not shrink with
   * it, and is taken to stay in the whole L2.
   */
  readonly isWhole: boolean
}

const ALL_SECTORS = 0xf
/**
 * The last lines that a multiprocessor asked L2 for, which loads of their other sectors join (own: `shapes.cu`, `inBlock`: four warps that load a
 * sector of four lines each ask 1.4 times a line, eight warps 1.5 times).
 */
const LINES_ASKED_FOR = 8
/** Loads of more lines keep L1 busy, and blocks that have them keep no step (`syr2k_kernel` of PolyBench, `rowsByRows` of products.cu). */
const MOST_LINES_IN_STEP = 4
/** Rounds of all warps in which a line is still being loaded by others, at most. */
const LOADS_AROUND = 4

/** The memory system of `multiprocessors` multiprocessors; a fraction of the device when there are fewer than it has. */
export class MemoryHierarchy {
  readonly #traces: AccessTraces
  readonly #l1: SectoredCache | undefined
  readonly #l1Parts: SectoredCache | undefined
  readonly #blocksThatShare: number | undefined
  /** By a line's number, 1 for what blocks read whatever their numbers. */
  readonly #returning: Uint8Array | undefined
  readonly #partsThatAsk: readonly number[] | undefined
  #owner = 0
  /** Of misses of L1, the part that the block asks L2 for itself. */
  #asks = 1
  readonly #blocksOfPart: number
  readonly #l2: SectoredCache | undefined
  /** Accesses performed, by multiprocessor and in all: the time in which lines are on their way. */
  readonly #clocks: Int32Array
  /** By multiprocessor, and in all: warps that have accesses left; one of each is a round. */
  readonly #warps: Int32Array
  #allWarps = 0
  #clock = 0
  /** Accesses that all warps of a multiprocessor make in the time of one wait: one each. */
  readonly #round: number
  /** Those that lie, beside one of each warp that is left, between the first load of a line and one that finds it. */
  readonly #beforeFound: 0 | 1
  readonly #active: number
  readonly #keepsStores: boolean
  readonly #stored: StoredLines
  /** What the sample's part of L2 cannot tell; undefined where the traces are all of the launch. */
  readonly #touched: TouchedLines | undefined
  readonly #numbers: NumberedLines['numbers']
  /** The last lines that each multiprocessor asked L2 for, for which blocks, and where the next one goes. */
  readonly #askedFor: Int32Array
  readonly #askedBy: Int32Array
  readonly #nextAsked: Uint8Array
  readonly storeSlices = new StoreSlices()
  readonly storeLines = { touched: 0, sent: 0, amongLoads: 0 }
  readonly #storeTime: StoreTime
  /** Loads of each warp that L1 did not have: in that time stores leave. */
  readonly #waits = new Uint16Array(WARPS_IN_MIND)
  /** Of each warp, how many stores it has made one after the other. */
  readonly #storesBefore = new Uint32Array(WARPS_IN_MIND)
  #storesTogether = 1
  #block = 0
  #refusals = 0
  /** The L1, or the part of one, that the access at hand goes through. */
  #cache: SectoredCache | undefined
  #cacheAt = 0
  readonly traffic = {
    l1GlobalLoadSectorHits: 0,
    l1LocalLoadSectorHits: 0,
    l2ReadSectors: 0,
    l2ReadRequests: 0,
    l2WriteSectors: 0,
    /** Of these, the ones that leave before all of their words have come. */
    l2PartialSectors: 0,
    l2AtomicSectors: 0,
    l2ReductionSectors: 0,
    /** Sectors that loads find neither in L1 nor in L2, and sectors that are fetched from DRAM. */
    l2ReadMisses: 0,
    fetchedSectors: 0,
    /** Lines that were stored to while they were fetched, and the loads that they are of. */
    linesStoredUpon: 0,
    loadsStoredUpon: 0,
    /** Warp-level loads. */
    loads: 0,
  }
  /** What loads made of it in the later half of what is kept of their warps. */
  readonly late = { l1GlobalLoadSectorHits: 0, l1LocalLoadSectorHits: 0, l2ReadSectors: 0, fetchedSectors: 0, loads: 0 }

  constructor(
    traces: AccessTraces,
    device: Device,
    {
      l1Bytes,
      partsOfL1,
      partsThatAsk,
      blocksThatShare,
      blocksHeld,
      multiprocessors,
      active,
      residentWarps,
      warpsPerBlock,
      isInStep,
      isChained,
      isWhole,
    }: HierarchyShape,
  ) {
    this.#traces = traces
    this.#clocks = new Int32Array(multiprocessors)
    this.#warps = new Int32Array(multiprocessors)
    this.#askedFor = new Int32Array(multiprocessors * LINES_ASKED_FOR).fill(-1)
    this.#askedBy = new Int32Array(multiprocessors * LINES_ASKED_FOR)
    this.#nextAsked = new Uint8Array(multiprocessors)
    this.#round = residentWarps
    this.#beforeFound = isChained ? 0 : 1
    this.#storeTime = {
      now: 0,
      within: STORE_ROUNDS * residentWarps,
      warp: 0,
      block: 0,
      waits: 0,
      warps: residentWarps,
      warpsPerBlock,
      together: isInStep ? warpsPerBlock : 1,
      storesBefore: 0,
      lines: 0,
    }
    this.#active = active
    this.#keepsStores = capabilityNumber(device) >= STORES_KEPT_SINCE
    this.#stored = new StoredLines(multiprocessors)
    const { numbers, count } = traces.numberedLines()
    this.#numbers = numbers
    this.#touched = isWhole ? undefined : new TouchedLines(count)
    this.#l1 = l1Bytes === 0 ? undefined : new SectoredCache(l1Bytes, L1_WAYS, multiprocessors)
    this.#blocksOfPart = partsOfL1?.blocks ?? 1
    this.#blocksThatShare = blocksThatShare
    this.#returning =
      blocksThatShare === undefined || blocksHeld < 2 ? undefined : traces.linesThatReturn(1 / blocksHeld)
    this.#partsThatAsk = partsThatAsk
    this.#l1Parts =
      l1Bytes === 0 || !partsOfL1
        ? undefined
        : new SectoredCache(l1Bytes / partsOfL1.of, L1_WAYS, Math.ceil(partsOfL1.count / partsOfL1.blocks))
    const l2Bytes = (effectiveL2Bytes(device) * multiprocessors) / device.multiprocessors
    this.#l2 = device.l2Bytes === 0 ? undefined : new SectoredCache(l2Bytes, L2_WAYS)
  }

  /** What tells the lines of blocks in L1 apart that do not find each other's. */
  #ownerOf(block: number, access: number): number {
    if (this.#blocksThatShare === undefined || (this.#traces.blockAxes[access]! & ALL_AXES) === 0) return 0
    return Math.imul(Math.floor(block / this.#blocksThatShare) + 1, 0x9e3779b1) >>> 1
  }

  /** A line as L1 knows it for the block at hand; `at` is its place in the traces. */
  #inL1(line: number, at: number): number {
    return this.#returning?.[this.#numbers[at]!] === 1 ? line : line ^ this.#owner
  }

  #partOf(place: number): number {
    return Math.floor(place / this.#blocksOfPart)
  }

  warpBegins(multiprocessor: number): void {
    this.#warps[multiprocessor]!++
    this.#allWarps++
  }

  /** Behind its last access. What is left of the block goes on without it (reading: one thread's loop in `s37-particlefilter`). */
  warpEnds(multiprocessor: number): void {
    this.#warps[multiprocessor]!--
    this.#allWarps--
  }

  /** The next block there: where blocks are apart it is not the neighbour of the one before it, and finds nothing of that one's own. */
  startBlock(place: number): void {
    this.#l1Parts?.clear(this.#partOf(place))
  }

  /**
   * One access of the traces, by a block's warp; what a load waits for, the slowest of its lines.
   * @param place of the block, where blocks are apart
   */
  perform(
    multiprocessor: number,
    place: number,
    block: number,
    warp: number,
    access: number,
  ): Level | typeof NOT_A_LOAD {
    this.#block = block
    const isApart = this.#l1Parts !== undefined && (this.#traces.blockAxes[access]! & ALL_AXES) !== 0
    this.#cache = isApart ? this.#l1Parts : this.#l1
    this.#cacheAt = isApart ? this.#partOf(place) : multiprocessor
    this.#owner = this.#ownerOf(block, access)
    this.#storeTime.warp = warp
    this.#storeTime.block = block
    this.#storeTime.waits = this.#waits[warp % WARPS_IN_MIND]!
    const { kind: kindOf, firstLine, line: lines, sectors: masks } = this.#traces
    this.#clocks[multiprocessor]!++
    this.#clock++
    const kind = kindOf[access]!
    const end = firstLine[access + 1]!
    const isShort = isApart && end - firstLine[access]! <= MOST_LINES_IN_STEP
    this.#asks = isShort ? (this.#partsThatAsk?.[this.#traces.blockAxes[access]!] ?? 1) : 1
    if (kind <= TEXTURE_LOAD) {
      const { traffic } = this
      const { l1GlobalLoadSectorHits, l1LocalLoadSectorHits, l2ReadSectors, fetchedSectors, linesStoredUpon } = traffic
      let slowest: Level = L1
      const isRefused = this.#traces.besideStore[access] === 1 && this.#isNextRefused()
      for (let at = firstLine[access]!; at < end; at++) {
        const level = this.#load(multiprocessor, lines[at]!, at, masks[at]!, kind, isRefused)
        if (level > slowest) slowest = level
      }
      traffic.loads++
      if (traffic.linesStoredUpon > linesStoredUpon) traffic.loadsStoredUpon++
      if (this.#traces.late[access] === 1) {
        this.late.l1GlobalLoadSectorHits += traffic.l1GlobalLoadSectorHits - l1GlobalLoadSectorHits
        this.late.l1LocalLoadSectorHits += traffic.l1LocalLoadSectorHits - l1LocalLoadSectorHits
        this.late.l2ReadSectors += traffic.l2ReadSectors - l2ReadSectors
        this.late.fetchedSectors += traffic.fetchedSectors - fetchedSectors
        this.late.loads++
      }
      this.#storesBefore[warp % WARPS_IN_MIND] = 0
      if (slowest !== L1) this.#waits[warp % WARPS_IN_MIND]!++
      return slowest
    }
    if (kind === STORE) {
      this.storeLines.touched += end - firstLine[access]!
      const isWaiting = end - firstLine[access]! <= MOST_WAITING_LINES
      if (isWaiting) {
        this.#storesTogether = this.#storesFrom(access)
        this.#storeTime.lines = (end - firstLine[access]!) * this.#storesTogether
        this.#storeTime.storesBefore = this.#storesBefore[warp % WARPS_IN_MIND]!
        this.#stored.begin(multiprocessor, lines, firstLine[access]!, end, this.#storeTime)
      } else this.#stored.pass(multiprocessor)
      this.#storesBefore[warp % WARPS_IN_MIND]!++
      for (let at = firstLine[access]!; at < end; at++)
        this.#store(multiprocessor, lines[at]!, at, masks[at]!, isWaiting ? at - firstLine[access]! : undefined)
      return NOT_A_LOAD
    }
    const isAnywhere = this.#traces.scattered[access] === 1
    for (let at = firstLine[access]!; at < end; at++) this.#atomic(lines[at]!, at, masks[at]!, isAnywhere)
    const sent = this.#traces.atomicSectors[access]!
    if (kind === ATOMIC) this.traffic.l2AtomicSectors += sent
    if (kind === REDUCTION) this.traffic.l2ReductionSectors += sent
    return NOT_A_LOAD
  }

  /**
   * What the load waits for; `at` is its line's place in the traces. A hit on a line that is still on its way waits as long as the
   * miss that asked for it. A load past the L1 leaves nothing of the line there (reading: cacheOperators, `L_cg` and `G_cg`).
   */
  #load(
    multiprocessor: number,
    line: number,
    at: number,
    sectors: SectorMask,
    kind: number,
    isRefused: boolean,
  ): Level {
    const { traffic } = this
    const l2 = this.#l2
    const clock = this.#clocks[multiprocessor]!
    const cache = this.#cache
    if (kind === PASSING_LOAD) cache?.invalidate(this.#inL1(line, at), this.#cacheAt)
    const inL1 =
      kind === PASSING_LOAD ? undefined : cache?.access(this.#inL1(line, at), sectors, sectors, 0, clock, this.#cacheAt)
    const hit = isRefused ? 0 : (inL1?.hit ?? 0)
    const missed = sectors & ~hit
    const asks = kind === GLOBAL_LOAD ? this.#asks : 1
    const found = sectorsIn(hit) + (1 - asks) * sectorsIn(missed)
    if (kind === LOCAL_LOAD) traffic.l1LocalLoadSectorHits += sectorsIn(hit)
    else if (kind !== TEXTURE_LOAD) traffic.l1GlobalLoadSectorHits += found
    if (missed === 0) {
      if (clock - inL1!.filledAt >= this.#warps[multiprocessor]! + this.#beforeFound) return L1
      return l2 && !this.#isOnItsWay(l2.filledAt(l2.find(line))) ? L2 : DRAM
    }
    traffic.l2ReadSectors += asks * sectorsIn(missed)
    if (!this.#joins(multiprocessor, line)) traffic.l2ReadRequests += asks
    const byOthers = this.#sharedBefore(at, missed)
    if (!l2) {
      this.#fetch(missed)
      traffic.l2ReadMisses += sectorsIn(missed)
      return DRAM
    }
    const entry = l2.find(line)
    const absent = missed & ~l2.sectorsAt(entry)
    const missing = absent & ~byOthers
    const fetched = this.#fetch(missing)
    if (missing !== 0) traffic.linesStoredUpon += this.#traces.words[at]!
    traffic.l2ReadMisses += sectorsIn(missing)
    const { filledAt } = l2.use(entry, line, missed, fetched | missed, 0, this.#clock)
    return missing === 0 && (absent !== 0 || !this.#isOnItsWay(filledAt)) ? L2 : DRAM
  }

  /**
   * Whether the L1 does not have the next load that stands just in front of a store to its own line: every other one (own: `add` of
   * serial.cu, 7 of 12, where `y[i] *= 2`, whose loads stand together, has none; a load 40 cycles behind the store is there).
   */
  #isNextRefused(): boolean {
    this.#refusals++
    return this.#refusals % 2 === 1
  }

  /** Whether L1 just asked L2 for other sectors of the line for the same block: one request then has them all. */
  #joins(multiprocessor: number, line: number): boolean {
    const first = multiprocessor * LINES_ASKED_FOR
    for (let at = first; at < first + LINES_ASKED_FOR; at++)
      if (this.#askedFor[at] === line && this.#askedBy[at] === this.#block) return true
    const place = this.#nextAsked[multiprocessor]!
    this.#askedFor[first + place] = line
    this.#askedBy[first + place] = this.#block
    this.#nextAsked[multiprocessor] = (place + 1) % LINES_ASKED_FOR
    return false
  }

  #isOnItsWay(filledAt: number): boolean {
    return this.#clock - filledAt < this.#allWarps + this.#beforeFound
  }

  /** Stores of the warp to the same first line, this one and those right behind it; not more than tell a long row from a short one. */
  #storesFrom(access: number): number {
    const { kind, firstLine, line, next } = this.#traces
    const first = line[firstLine[access]!]
    let stores = 1
    for (let at = next[access]!; stores < MOST_STORES_AHEAD && at !== NO_ACCESS; at = next[at]!) {
      if (kind[at] !== STORE || line[firstLine[at]!] !== first) break
      stores++
    }
    return stores
  }

  /**
   * Writes through L1, which keeps the line and has the sectors that were written whole (own: `stores.cu`, `after` and `reuse`: a line takes
   * the place of one that was loaded). L2 takes the sectors without reading them first.
   */
  #store(multiprocessor: number, line: number, at: number, sectors: SectorMask, index: number | undefined): void {
    if (this.#keepsStores) this.#cache?.store(this.#inL1(line, at), this.#traces.words[at]!, this.#cacheAt)
    this.#storeTime.now = this.#clocks[multiprocessor]!
    const isWaiting = index !== undefined
    const part = { line, sectors, words: this.#traces.words[at]! }
    const waiting = isWaiting ? this.#stored.add(multiprocessor, index, part, this.#storeTime) : 0
    const sent = sectors & ~waiting
    if (sent === 0) return
    const isAlone = waiting === 0 || !this.#stored.isOfSameBlock
    if (isAlone) this.storeLines.sent++
    // Of single sectors the line is what takes long.
    if (sectorsIn(sent) > 1) this.traffic.l2PartialSectors += sectorsIn(sent & ~this.#wholeSectors(at, isWaiting))
    this.storeSlices.record(this.#block, line, sent)
    this.traffic.l2WriteSectors += sectorsIn(sent)
    this.#touched?.touch(this.#numbers[at]!, sent, this.#block)
    const l2 = this.#l2
    if (!l2) return
    const entry = l2.find(line)
    const isAmongLoads =
      isAlone && sent !== ALL_SECTORS && this.#clock - l2.filledAt(entry) <= LOADS_AROUND * this.#round * this.#active
    if (isAmongLoads) this.storeLines.amongLoads++
    l2.use(entry, line, sent, sent, sent)
  }

  /** Sectors that a store writes whole, or with the stores right behind it where they wait for these. */
  #wholeSectors(at: number, isWaiting: boolean): SectorMask {
    const words = this.#traces.words[at]!
    const together = isWaiting && !this.#stored.isFull ? this.#storesTogether : 1
    let whole = 0
    for (let sector = 0; sector < 4; sector++)
      if (together * wordsIn((words >>> (8 * sector)) & 0xff) >= 8) whole |= 1 << sector
    return whole
  }

  #atomic(line: number, at: number, sectors: SectorMask, isAnywhere: boolean): void {
    this.#cache?.invalidate(this.#inL1(line, at), this.#cacheAt)
    const byOthers = this.#sharedBefore(at, sectors)
    const l2 = this.#l2
    if (!l2) return void this.#fetch(sectors)
    const entry = l2.find(line)
    const missing = sectors & ~l2.sectorsAt(entry) & ~byOthers
    if (isAnywhere) this.traffic.fetchedSectors += SECTORS_AN_ATOMIC * sectorsIn(missing)
    const fetched = isAnywhere ? missing : this.#fetch(missing)
    l2.use(entry, line, sectors, fetched | sectors, sectors)
  }

  /** Touches sectors; those that another block had touched and that the whole L2 would have, though its part may not. */
  #sharedBefore(at: number, sectors: SectorMask): SectorMask {
    if (!this.#touched) return 0
    return this.#touched.touch(this.#numbers[at]!, withNeighbours(sectors), this.#block) & sectors
  }

  /** Reads sectors from DRAM, with L2 also the ones beside them; what came. */
  #fetch(missing: SectorMask): SectorMask {
    const fetched = this.#l2 ? withNeighbours(missing) : missing
    this.traffic.fetchedSectors += sectorsIn(fetched)
    return fetched
  }
}
