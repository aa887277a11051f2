/**
 * How much of a launch's atomics and stores one slice of L2 gets. A slice takes them one after the other, so that many warps at few
 * addresses wait for it. In: accesses of sampled blocks. Out: cycles of the slice with most, for all of the launch.
 *
 * Source: own, an H200. Which of its 96 slices has an address was found by timing pairs of addresses that atomics hit in turn (16,384
 * units of 256 bytes): a kilobyte lies in two slices, which take turns every 256 bytes, and neighbouring kilobytes in others.
 * Cycles: 269 launches at few addresses (scripts/fidelity/cases/hotAddresses.cu). Tables that all blocks go through from the same end:
 * scripts/fidelity/cases/mergedBins.cu.
 */
import type { WarpAccess } from '../../trace.ts'
import { WARP_LANES } from '../rules/coalescing.ts'
import { type SectorMask, sectorsIn } from './sectoredCache.ts'

/** Of a sum of floats after another in the same sector, in sectors of other atomics: 3.5 cycles and 1.45. */
const REPEATED_FLOAT = 1.41

/** A line of stores, and each of its sectors: 2.3 cycles of one sector, 4.7 of four (up to 3.8 of one where warps store to 32 lines each). */
const STORED_LINE_CYCLES = 1.6
const STORED_SECTOR_CYCLES = 0.75

/** The sample's parts of slices that have no more than so often the mean are hot only together. */
const EVENLY = 2
const BYTES_OF_SLICE = 512

/** The half of a kilobyte that one slice has. */
const sliceOfAddress = (address: number): number => ((address >>> 10) << 1) | ((address >>> 8) & 1)
const sliceOfLine = (line: number): number => ((line >>> 3) << 1) | ((line >>> 1) & 1)

/** The blocks of which a launch's accesses are known. */
export interface SampledBlocks {
  readonly count: number
  /** Of the launch. */
  readonly all: number
  /** Accesses of the launch over those that were recorded. */
  readonly scale: number
}

/** What sampled blocks send to something, and how many of them do. */
class Visits {
  amount = 0
  first = Number.POSITIVE_INFINITY
  last = -1
  readonly #blocks = new Set<number>()
  #lastBlock = -1

  get visitors(): number {
    return this.#blocks.size
  }

  add(block: number, amount: number): void {
    this.amount += amount
    if (this.#lastBlock === block) return
    this.#blocks.add(block)
    this.#lastBlock = block
    this.first = Math.min(this.first, block)
    this.last = Math.max(this.last, block)
  }

  /**
   * Of all the launch: what blocks send to addresses of their own, or of a few neighbours, does not add up.
   * @param reach how far the first and the last block that send anywhere are apart
   */
  ofLaunch(amount: number, { count, all, scale }: SampledBlocks, reach: number): number {
    const isOfAll = this.#blocks.size === count || 2 * (this.last - this.first) >= reach
    if (!isOfAll) return amount * Math.max(1, (scale * count) / Math.max(count, all))
    return amount * (1 + (Math.max(1, scale) - 1) * (this.#blocks.size / Math.max(1, count)))
  }
}

function reachOf(slices: Iterable<Visits>): number {
  let [first, last] = [Number.POSITIVE_INFINITY, -1]
  for (const slice of slices) {
    first = Math.min(first, slice.first)
    last = Math.max(last, slice.last)
  }
  return last - first
}

/** Of the H200. */
export const L2_SLICES = 96
/** A kilobyte lies in two. */
const PAIRS_OF_SLICES = L2_SLICES / 2

/** Kilobytes of a table that all blocks go through, that count as one place. */
const FEW_KILOBYTES = 4
const NEARLY_ALL = 0.9

/**
 * How many slices are busy at a time while all blocks add to the same table from the same end, as those do that merge their own bins: blocks that are
 * there at once are at places that lie apart by twice the root of its length, and by more where others have started later.
 * Own: 16 to 256 kilobytes by 33 to 4,000 blocks (`mergedBins.cu`), 0.42 to 0.96 of the times before, 0.94 to 1.18 now.
 */
function slicesInOrder(kilobytes: number, waves: number): number {
  const places = Math.min(kilobytes, 2 * Math.sqrt(kilobytes * Math.max(1, waves)))
  return 2 * PAIRS_OF_SLICES * (1 - Math.exp(-places / PAIRS_OF_SLICES))
}

class AtomicSlice extends Visits {
  requests = 0
  /** Sums of floats right behind others in the same sector, of one warp access. */
  repeated = 0
  /** Warp accesses that want one sector here and no other, by sector: those of floats. */
  readonly ofOneSector = new Map<number, number>()
  /** Warp accesses in which some lane wants each word. */
  readonly visitsOfWord = new Map<number, WordVisits>()
}

interface WordVisits {
  times: number
  operations: number
  /** The first warp that wants it. */
  readonly visitor: number
  bySeveral: boolean
}

export interface HottestSlice {
  /** Sectors of atomics; what takes longer counts as more. */
  readonly sectors: number
  /** Warp accesses to the word that several warps visit most. */
  readonly visits: number
  /** At the word that has most: warp accesses, of sums of floats their lanes. */
  readonly operations: number
}

export class AtomicSlices {
  readonly #slices = new Map<number, AtomicSlice>()
  /** The first slice that each block sends something. */
  readonly #firstOf = new Map<number, number>()

  /** @param part of the access's sectors that are sent: lanes that add up over the warp first send one */
  record(block: number, warp: number, access: WarpAccess, part: number): void {
    for (const [number, lanes] of lanesOfSlices(access)) {
      let slice = this.#slices.get(number)
      if (!slice) this.#slices.set(number, (slice = new AtomicSlice()))
      if (!this.#firstOf.has(block)) this.#firstOf.set(block, number)
      const words = new Map<number, number>()
      const sectors = new Map<number, number>()
      for (const lane of lanes) {
        const address = access.addresses[lane]!
        const times = (words.get(address) ?? 0) + 1
        words.set(address, times)
        const sector = address >>> 5
        if (times > (sectors.get(sector) ?? 0)) sectors.set(sector, times)
      }
      // A compare-and-swap takes a sector twice, but not each lane at one word (scripts/fidelity/cases/hotSwaps.cu).
      const swapped = access.form === 'compare' ? sectors.size : 0
      const sent = part * ([...sectors.values()].reduce((sum, times) => sum + times, 0) + swapped)
      slice.add(block, sent)
      slice.requests++
      if (access.form === 'floatSum') {
        slice.repeated += sent - sectors.size
        const [sector] = sectors.keys()
        if (sectors.size === 1) slice.ofOneSector.set(sector!, (slice.ofOneSector.get(sector!) ?? 0) + 1)
      }
      countVisits(slice, words, block * WARP_LANES + warp, access.form === 'floatSum')
    }
  }

  /**
   * The slice that has most to do of all the launch's atomics.
   * @param waves how many blocks a place has, one after the other
   */
  hottest(blocks: SampledBlocks, waves: number): HottestSlice {
    const reach = reachOf(this.#slices.values())
    let hottest = { sectors: 0, visits: 0, operations: 0 }
    for (const slice of this.#slices.values()) {
      const sectors = slice.ofLaunch(slice.amount + REPEATED_FLOAT * repeatedIn(slice), blocks, reach)
      if (sectors <= hottest.sectors) continue
      const ofWord = (count: number) => slice.ofLaunch(count, blocks, reach)
      hottest = { sectors, visits: ofWord(mostOfSeveral(slice)), operations: ofWord(mostOperations(slice)) }
    }
    return { ...hottest, sectors: Math.max(hottest.sectors, this.#inOrder(blocks, reach, waves)) }
  }

  /** Sectors of a slice that is busy all the time, where all blocks go through one table from the same end. */
  #inOrder(blocks: SampledBlocks, reach: number, waves: number): number {
    const all = [...this.#slices.values()]
    const kilobytes = all.length / 2
    if (kilobytes <= FEW_KILOBYTES) return 0
    const ofAllBlocks = all.filter(({ visitors }) => visitors === blocks.count).length
    if (ofAllBlocks < NEARLY_ALL * all.length) return 0
    const [first] = this.#firstOf.values()
    const begins = [...this.#firstOf.values()].filter(number => number === first).length
    if (begins < NEARLY_ALL * blocks.count) return 0
    const sectors = all.reduce((sum, slice) => sum + slice.ofLaunch(slice.amount, blocks, reach), 0)
    return sectors / slicesInOrder(kilobytes, waves)
  }
}

/** Requests come in any order: as likely as a sector is wanted, it was wanted just before. */
function repeatedIn({ repeated, requests, ofOneSector }: AtomicSlice): number {
  const following = [...ofOneSector.values()].reduce((sum, times) => sum + times * times, 0)
  return repeated + following / Math.max(1, requests)
}

function lanesOfSlices({ mask, addresses }: WarpAccess): ReadonlyMap<number, readonly number[]> {
  const slices = new Map<number, number[]>()
  for (let lane = 0; lane < WARP_LANES; lane++) {
    if (!((mask >>> lane) & 1)) continue
    const slice = sliceOfAddress(addresses[lane]!)
    const lanes = slices.get(slice)
    if (lanes) lanes.push(lane)
    else slices.set(slice, [lane])
  }
  return slices
}

/** @param times lanes of a warp access, by word; `isOneByOne`: the lanes' sums are not added up on the way */
function countVisits(
  { visitsOfWord }: AtomicSlice,
  times: ReadonlyMap<number, number>,
  visitor: number,
  isOneByOne: boolean,
): void {
  for (const [word, lanes] of times) {
    const operations = isOneByOne ? lanes : 1
    const known = visitsOfWord.get(word)
    if (!known) visitsOfWord.set(word, { times: 1, operations, visitor, bySeveral: false })
    else {
      known.times++
      known.operations += operations
      known.bySeveral ||= known.visitor !== visitor
    }
  }
}

function mostOperations({ visitsOfWord }: AtomicSlice): number {
  let most = 0
  for (const { operations } of visitsOfWord.values()) most = Math.max(most, operations)
  return most
}

function mostOfSeveral({ visitsOfWord }: AtomicSlice): number {
  let most = 0
  for (const { times, bySeveral } of visitsOfWord.values()) if (bySeveral && times > most) most = times
  return most
}

export class StoreSlices {
  readonly #slices = new Map<number, Visits>()

  /** Sectors of one line that leave a multiprocessor together. */
  record(block: number, line: number, sectors: SectorMask): void {
    const number = sliceOfLine(line)
    let slice = this.#slices.get(number)
    if (!slice) this.#slices.set(number, (slice = new Visits()))
    slice.add(block, STORED_LINE_CYCLES + STORED_SECTOR_CYCLES * sectorsIn(sectors))
  }

  /**
   * Cycles of the slice that has most to do of all the launch's stores.
   * @param bytes that all of them write: where the sample's are spread evenly they are spread over these
   */
  hottest(blocks: SampledBlocks, bytes: number): number {
    const reach = reachOf(this.#slices.values())
    let [all, largest] = [0, 0]
    for (const { amount } of this.#slices.values()) {
      all += amount
      largest = Math.max(largest, amount)
    }
    const slices = this.#slices.size
    const isEven = slices > 1 && largest * slices <= EVENLY * all
    if (isEven) return (all * blocks.scale) / Math.max(slices, bytes / BYTES_OF_SLICE)
    let most = 0
    for (const slice of this.#slices.values()) most = Math.max(most, slice.ofLaunch(slice.amount, blocks, reach))
    return most
  }
}
