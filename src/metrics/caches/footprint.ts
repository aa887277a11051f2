/**
 * What comes from DRAM at least, and what is written: each sector of a launch once. In: the traces of a sample of its blocks.
 * Out: sectors of the whole launch, extrapolated from how much is new in each quarter of the sample's blocks, but no more than the
 * allocations have that these touch: later blocks of a product of matrices find the columns that the first ones brought.
 */
import { ALL_AXES, FROM_MEMORY } from '../../analysis/facts/blockPlaces.ts'
import type { Dim3 } from '../../launch.ts'
import { type AccessTraces, isLocalLine, kinds, NO_ACCESS } from './accessTraces.ts'
import {
  SECTORS_AN_ATOMIC,
  type SectorMask,
  sectorsIn,
  wholeSectors,
  withNeighbours,
  wordsIn,
} from './sectoredCache.ts'
import { TouchedLines } from './touchedLines.ts'

const QUARTERS = 4
const WORDS_OF_SECTOR = 8

/** A share that falls by less in a quarter does not fall. */
const FALLING = 0.05
/** Shares that differ by less are one share: quarters are uneven. */
const ALIKE = 0.1

type Counts = number[]
const zeros = (): Counts => new Array<number>(QUARTERS).fill(0)
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)

/** By quarter of the sample's blocks. */
interface NewSectors {
  /** Sectors that loads and atomics touch, and of these what nobody touched before, with their neighbours. */
  readonly asked: Counts
  readonly fetched: Counts
  /** Of what is fetched, by accesses whose lanes go anywhere. */
  readonly scattered: Counts
  /** What is fetched, by the coordinates of the block that its address comes from (blockPlaces.ts). */
  readonly byAxes: number[]
  /** Sectors that stores and atomics touch, and of these what nobody wrote before. */
  readonly sent: Counts
  readonly written: Counts
  /** Of what is written, by accesses whose lanes go anywhere. */
  readonly scatteredWrites: Counts
  readonly partial: PartialSectors
}

/** What stores leave of sectors that nobody read. */
interface PartialSectors {
  /** Words of four bytes that stores write, each time. */
  words: number
  /** Sectors that some of its words were never written of, and of these the ones that stores touch as their line's only one. */
  sectors: number
  alone: number
}

/** The words of each line that stores write, and the sectors that are not whole in the end. */
class StoredWords {
  readonly #words: Int32Array
  /** Sectors that were read before anybody stored to them, sectors that were not, and of these those that a store touched as its line's only one. */
  readonly #read: Uint8Array
  readonly #stored: Uint8Array
  readonly #alone: Uint8Array
  #count = 0

  constructor(lines: number) {
    this.#words = new Int32Array(lines)
    this.#read = new Uint8Array(lines)
    this.#stored = new Uint8Array(lines)
    this.#alone = new Uint8Array(lines)
  }

  read(line: number, sectors: SectorMask): void {
    this.#read[line]! |= withNeighbours(sectors) & ~this.#stored[line]!
  }

  store(line: number, words: number, sectors: SectorMask): void {
    this.#words[line]! |= words
    this.#stored[line]! |= sectors & ~this.#read[line]!
    if (sectorsIn(sectors) === 1) this.#alone[line]! |= sectors
    this.#count += wordsIn(words)
  }

  partial(): PartialSectors {
    const found = { words: this.#count, sectors: 0, alone: 0 }
    this.#words.forEach((words, line) => {
      const inPart = this.#stored[line]! & ~wholeSectors(words)
      found.sectors += sectorsIn(inPart)
      found.alone += sectorsIn(inPart & this.#alone[line]!)
    })
    return found
  }
}

function newSectors(traces: AccessTraces, localStays: boolean): NewSectors {
  const {
    kind: kindOf,
    firstLine,
    line: lines,
    sectors: masks,
    words,
    next,
    scattered: isScattered,
    blockAxes: axesOf,
  } = traces
  const { numbers, count } = traces.numberedLines()
  const store = kinds.indexOf('store')
  const byAxes = new Array<number>(2 * FROM_MEMORY).fill(0)
  const stored = new StoredWords(count)
  const counts: Omit<NewSectors, 'partial'> = {
    asked: zeros(),
    fetched: zeros(),
    scattered: zeros(),
    byAxes,
    sent: zeros(),
    written: zeros(),
    scatteredWrites: zeros(),
  }
  const present = new TouchedLines(count)
  const written = new TouchedLines(count)
  const blocks = traces.firstAccesses()
  blocks.forEach((warps, block) => {
    let [asked, fetched, scattered, sent, writes, scatteredWrites] = [0, 0, 0, 0, 0, 0]
    for (const first of warps)
      for (let access = first; access !== NO_ACCESS; access = next[access]!) {
        const kind = kindOf[access]!
        const isAnywhere = isScattered[access]!
        const end = firstLine[access + 1]!
        for (let at = firstLine[access]!; at < end; at++) {
          if (localStays && isLocalLine(lines[at]!)) continue
          const line = numbers[at]!
          const sectors = masks[at]!
          if (kind !== store) {
            asked += sectorsIn(sectors)
            const news =
              kind > store && isAnywhere
                ? SECTORS_AN_ATOMIC * sectorsIn(sectors & ~present.add(line, sectors))
                : sectorsIn(present.fetch(line, sectors))
            stored.read(line, sectors)
            fetched += news
            scattered += isAnywhere * news
            byAxes[axesOf[access]!]! += news
          }
          if (kind >= store) {
            sent += sectorsIn(sectors)
            const news = sectorsIn(sectors & ~written.add(line, sectors))
            writes += news
            scatteredWrites += isAnywhere * news
            const here = present.add(line, sectors)
            if (kind === store && isAnywhere && news > 0) {
              const more = (SECTORS_AN_ATOMIC - 1) * sectorsIn(sectors & here)
              fetched += more
              scattered += more
            }
            if (kind === store) stored.store(line, words[at]!, sectors)
          }
        }
      }
    const quarter = Math.floor((QUARTERS * block) / blocks.length)
    counts.asked[quarter]! += asked
    counts.fetched[quarter]! += fetched
    counts.scattered[quarter]! += scattered
    counts.sent[quarter]! += sent
    counts.written[quarter]! += writes
    counts.scatteredWrites[quarter]! += scatteredWrites
  })
  return { ...counts, partial: stored.partial() }
}

/**
 * The mean share in the quarters that follow the sample: a constant part (what streams) and one that falls by the same factor
 * from quarter to quarter (a table that is read at random), told apart by how the last three quarters fall.
 */
function lastingShare([, s2 = 0, s3 = 0, s4 = 0]: readonly number[], more: number): number {
  const [first, second] = [s2 - s3, s3 - s4]
  if (first < FALLING * s2 || second <= 0 || second >= first) return (s3 + s4) / 2
  const ratio = second / first
  const constant = Math.max(0, s4 - (second * ratio) / (1 - ratio))
  return constant + ((s4 - constant) * ratio * (1 - ratio ** more)) / (1 - ratio) / more
}

/**
 * Sectors of the whole launch. The share that they have in the last quarters goes on, so that what came once is counted once.
 * @param found new sectors, by quarter
 * @param among all that are touched, by quarter
 * @param scale the launch over its sample
 */
function extrapolate(found: Counts, among: Counts, scale: number): number {
  const [total, all] = [sum(found), sum(among)]
  if (scale <= 1 || all === 0) return total
  if (among.includes(0)) return total * scale // fewer blocks than quarters
  const lasting = lastingShare(
    found.map((count, quarter) => count / Math.max(1, among[quarter]!)),
    QUARTERS * (scale - 1),
  )
  const isAlike = Math.abs((lasting * all) / total - 1) < ALIKE
  return isAlike ? total * scale : total + (scale - 1) * all * lasting
}

/**
 * What comes from DRAM where lanes go anywhere: each sector that is found once, and again as often as L2, which has its share of the
 * allocations, has not kept it (own: `gather`, 16 to 512 MB, one to a hundred times over).
 * @param asked sectors that are read, were all of them new
 * @param there sectors of the allocations; undefined where it is not known
 */
function readsInNoOrder(asked: number, there: number | undefined, l2Sectors: number): number {
  if (!there) return asked
  const found = there * (1 - Math.exp(-asked / there))
  return found + (asked - found) * Math.max(0, 1 - l2Sectors / there)
}

/**
 * The denser they lie, the more have others beside them (own: `anywhere.cu`, one of 2.6 sectors and one of 8).
 * @param there sectors of the allocations; undefined where it is not known
 */
function writesInNoOrder(written: number, there: number | undefined): number {
  const density = there ? Math.min(1, written / there) : 0
  return written * (1 - density ** 3)
}

/**
 * What a plane's blocks read, were nothing shared between blocks that differ in a coordinate that the address comes from: rows of a product's
 * first matrix are as many as there are rows of blocks, columns of its second as many as there are columns.
 * @param byAxes new sectors of the sample
 */
function readsOfPlane(byAxes: readonly number[], traces: AccessTraces, grid: Dim3): number {
  const sizes = [grid.x, grid.y, grid.z]
  return byAxes.reduce((sum, news, axes) => {
    if (news === 0) return sum
    const along = axes & FROM_MEMORY ? ALL_AXES : axes
    const all = sizes.reduce((product, size, axis) => product * ((along >>> axis) & 1 ? size : 1), 1)
    return sum + (news * all) / traces.placesAlong(along, grid)
  }, 0)
}

/**
 * How many times as much there is as a sample shows whose blocks differ in one coordinate only: what they read by another is new where
 * that is another's, though among them it is not (reading: CUDABench's Softmax, whose blocks of one row read the same).
 * @param byAxes new sectors of the sample
 */
function unseenPlaces(byAxes: readonly number[], traces: AccessTraces, grid: Dim3): number {
  const news = sum(byAxes)
  if (news === 0) return 1
  const unseen = [grid.x, grid.y, grid.z].map((size, axis) => (traces.placesAlong(1 << axis, grid) === 1 ? size : 1))
  const weighted = byAxes.reduce((sum, count, axes) => {
    const places = axes & FROM_MEMORY ? [] : unseen.filter((_, axis) => (axes >>> axis) & 1)
    return sum + count * places.reduce((product, size) => product * size, 1)
  }, 0)
  return weighted / news
}

/** As many bytes as all sectors have: what the sample leaves in part later blocks write. */
const WHOLE = 0.95

function partialOf(
  { partial, written }: NewSectors,
  writes: number,
  scale: number,
): Pick<Footprint, 'partialWrites' | 'aloneWrites'> {
  const isWhole = partial.words * scale >= WHOLE * WORDS_OF_SECTOR * writes
  const part = isWhole ? 0 : writes / Math.max(1, sum(written))
  return { partialWrites: part * partial.sectors, aloneWrites: part * partial.alone }
}

export interface Footprint {
  /** Sectors that the sample's blocks fetch at least, and the launch's. */
  readonly sampledReads: number
  readonly reads: number
  /** Of these, what is read in no order. */
  readonly scatteredReads: number
  /** The launch's over what they would be if as much went on to be new as in the sample: 1, less where its allocations have no more. */
  readonly newShare: number
  /** Sectors that the launch writes. */
  readonly writes: number
  /** Of these, the ones that leave L2 alone in their lines, in no order. */
  readonly scatteredWrites: number
  /** Of these, those of which a part is written and nothing read, and of these the ones that stores touch as their line's only one. */
  readonly partialWrites: number
  readonly aloneWrites: number
}

/**
 * @param scale the launch's reads and writes over the sample's
 * @param goesOn what the sampled warps fetch of all their accesses, over what they would if all were like the kept ones
 * @param l2Sectors what L2 holds of memory that is read in no order
 * @param plane the grid, where it has rows
 * @param localStays whether L2 has room for the local memory of all threads that run at once: later ones have the same
 */
export function footprintOf(
  traces: AccessTraces,
  scale: { readonly reads: number; readonly writes: number },
  goesOn = 1,
  l2Sectors = Number.POSITIVE_INFINITY,
  plane?: Dim3,
  localStays = false,
): Footprint {
  const counts = newSectors(traces, localStays)
  const isStore = (kind: number) => kind === kinds.indexOf('store')
  // What of a warp's accesses was not kept goes on in each block, as new as the later half of these.
  const { seenOverKept } = traces
  const unseen = plane ? unseenPlaces(counts.byAxes, traces, plane) : 1
  const ofSeen = extrapolate(counts.fetched, counts.asked, scale.reads / seenOverKept / unseen)
  const reads = unseen * seenOverKept * goesOn * ofSeen
  const writes = extrapolate(counts.written, counts.sent, scale.writes)
  const part = sum(counts.scattered) / Math.max(1, sum(counts.fetched))
  const scattered = readsInNoOrder(
    part * reads,
    traces.allocatedSectors((kind, is) => is && !isStore(kind)),
    l2Sectors,
  )
  const ofPlane = plane && part === 0 ? seenOverKept * goesOn * readsOfPlane(counts.byAxes, traces, plane) : reads
  const inOrder = Math.min((1 - part) * reads, ofPlane, traces.allocatedSectors(kind => !isStore(kind)) ?? reads)
  const all = inOrder + scattered
  const written = Math.min(writes, traces.allocatedSectors(kind => kind >= kinds.indexOf('store')) ?? writes)
  return {
    sampledReads: sum(counts.fetched),
    reads: all,
    scatteredReads: scattered,
    newShare: reads === 0 ? 1 : all / reads,
    writes: written,
    scatteredWrites: writesInNoOrder(
      (written * sum(counts.scatteredWrites)) / Math.max(1, sum(counts.written)),
      traces.allocatedSectors((kind, is) => is && kind >= kinds.indexOf('store')),
    ),
    ...partialOf(counts, written, scale.writes),
  }
}
