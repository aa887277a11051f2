/**
 * The warp accesses of a launch's sampled blocks, packed for the cache replay (caches.ts). In: each access, in program order of
 * its warp; warps and blocks may come in any order. Out: for each warp a chain of accesses, each a few lines with the sectors
 * that it touches. Accesses lie in typed arrays: there are some hundred thousand, and a program may have many launches.
 */
import { ANY_AXES } from '../../analysis/facts/blockPlaces.ts'
import type { Dim3 } from '../../launch.ts'
import { isLoopForm, type WarpAccess } from '../../trace.ts'
import {
  activeLanes,
  atomicSectorsSent,
  LINE_BYTES,
  LOCAL_WORD_STRIDE,
  SECTOR_BYTES,
  sectorsTouched,
  WARP_LANES,
} from '../rules/coalescing.ts'
import { type ArrayLayout, machineAddress } from './arrayLayout.ts'
import { AtomicSlices } from './hotSlices.ts'
import { l1LoadCycles } from './l1Loads.ts'
import { LaterLoads } from './laterLoads.ts'
import { placeAlong } from './residentBlocks.ts'
import { SharedLoops, SharedSwaps } from './sharedLoops.ts'
import { type NumberedLines, numberLines } from './touchedLines.ts'

/** `passingLoad`: of global memory, past the L1. */
export const kinds = ['globalLoad', 'passingLoad', 'localLoad', 'textureLoad', 'store', 'atomic', 'red'] as const
export type Kind = (typeof kinds)[number]

/** Index into {@link kinds}. */
const [GLOBAL_LOAD, PASSING_LOAD, LOCAL_LOAD, TEXTURE_LOAD, STORE, ATOMIC, REDUCTION] = [0, 1, 2, 3, 4, 5, 6] as const

/** {@link AccessTraces.next} of a warp's last access. */
export const NO_ACCESS = -1

/**
 * A thread's local memory as lines of its own, so that warps do not share them: above all lines of device addresses (2^25),
 * so many a warp.
 */
const LOCAL_LINES_BASE = 2 ** 25
const LOCAL_LINES = 2 ** 12

export const isLocalLine = (line: number): boolean => line >= LOCAL_LINES_BASE
const WARPS_WITH_LOCAL_MEMORY = 2 ** 18

function kindOf({ space, op, passesL1 }: WarpAccess): 0 | 1 | 2 | 3 | 4 | 5 | 6 {
  if (op === 'load') {
    if (space === 'texture') return TEXTURE_LOAD
    return passesL1 ? PASSING_LOAD : space === 'local' ? LOCAL_LOAD : GLOBAL_LOAD
  }
  if (op === 'store') return STORE
  return op === 'atomic' ? ATOMIC : REDUCTION
}

/** Fewer lines tell nothing of an order. */
const FEWEST_SCATTERED = 8

/** Whether hardly a line follows the one before it as that followed its own. */
function areInNoOrder(lines: Int32Array, from: number, to: number): boolean {
  if (to - from < FEWEST_SCATTERED) return false
  let alike = 0
  for (let at = from + 2; at < to; at++) if (lines[at]! - lines[at - 1]! === lines[at - 1]! - lines[at - 2]!) alike++
  return 4 * alike < to - from - 2
}

/** Of the sample's blocks. */
const QUARTERS = 4

/** Of the accesses of a warp that are kept. */
const LATER_STORES = 1 / 8

/** What is known of one warp of a sampled block. */
interface Stream {
  /** Its first and last access that were kept. */
  first: number
  last: number
  /** Accesses, kept or not. */
  seen: number
  /** Stores and atomics that were kept behind the loads that no longer are. */
  laterStores: number
}

interface SampledBlock {
  readonly number: number
  readonly warps: Stream[]
  readonly byWarp: (Stream | undefined)[]
}

/** What the addresses of a launch are. */
export interface LaunchMemory {
  readonly isHostMemory?: (address: number) => boolean
  readonly allocationAt?: (address: number) => Extent | undefined
  /** The CUDA array that holds an address. */
  readonly arrayAt?: (address: number) => ArrayLayout | undefined
}

interface Extent {
  /** Device address. */
  readonly address: number
  readonly bytes: number
}

/** Shares of the sectors of loads, stores and atomics that lie in memory of the host: 0 to 1. */
export interface HostShares {
  readonly loads: number
  readonly stores: number
  readonly atomics: number
}

export class AccessTraces {
  /** Kind of each access: index into {@link kinds}. */
  kind = new Uint8Array(1024)
  /** Where each access's lines begin; the next one's begin where they end. */
  firstLine = new Int32Array(1025)
  /** Sectors that an atomic sends, equal addresses repeated. */
  atomicSectors = new Float32Array(1024)
  /** The same warp's next access. */
  next = new Int32Array(1024)
  /** 1 for the later half of what is kept of a warp that has more. */
  late = new Uint8Array(1024)
  /** 1 for an access whose lines lie in no order: its lanes go anywhere. */
  scattered = new Uint8Array(1024)
  /** 1 for a load just in front of a store to its own line (analysis/execution/besideStores.ts). */
  besideStore = new Uint8Array(1024)
  /** Of each access, from what of its block's number its address comes (blockPlaces.ts); everything where it is not known. */
  blockAxes = new Uint8Array(1024)
  line = new Int32Array(4096)
  sectors = new Uint8Array(4096)
  /**
   * Of each line of a store, the words of four bytes that it writes, as bits; bytes count as words where they end one. Of each line of a load, 1
   * where a store to another half of it goes out while the load is on its way (analysis/execution/besideStores.ts).
   */
  words = new Int32Array(4096)
  #accesses = 0
  #lines = 0

  readonly #blocks = new Map<number, SampledBlock>()
  #block: SampledBlock | undefined
  /** What {@link firstAccesses} and {@link numberedLines} found, until more is recorded. */
  #ordered: SampledBlock[] | undefined
  #numbered: NumberedLines | undefined
  readonly #recorded = [0, 0, 0, 0, 0, 0, 0]
  /** Cycles of L1 that all loads would take if it had them. */
  #l1LoadCycles = 0

  readonly laterLoads = new LaterLoads()
  readonly sharedLoops = new SharedLoops()
  readonly sharedSwaps = new SharedSwaps()
  readonly atomicSlices = new AtomicSlices()

  readonly #memory: LaunchMemory
  /** Sectors of loads, stores and atomics, and of these the ones in memory of the host. */
  readonly #sectors = { load: 0, store: 0, atomic: 0 }
  readonly #hostSectors = { load: 0, store: 0, atomic: 0 }

  /** @param memory tells addresses of the host's memory, which is reached over the bus, and what was allocated */
  constructor(memory: LaunchMemory = {}) {
    this.#memory = memory
  }

  /**
   * Sectors of the allocations that accesses lie in; undefined where one lies in none (local memory, variables).
   * @param isCounted whether an access counts, by its kind and whether it is scattered
   */
  allocatedSectors(isCounted: (kind: number, isScattered: boolean) => boolean): number | undefined {
    const found = new Map<number, Extent>()
    let last: Extent | undefined
    for (let access = 0; access < this.#accesses; access++) {
      if (!isCounted(this.kind[access]!, this.scattered[access] === 1)) continue
      for (let at = this.firstLine[access]!; at < this.firstLine[access + 1]!; at++) {
        const line = this.line[at]!
        if (last && line * LINE_BYTES >= last.address && line * LINE_BYTES < last.address + last.bytes) continue
        last = line < LOCAL_LINES_BASE ? this.#memory.allocationAt?.(line * LINE_BYTES) : undefined
        if (!last) return undefined
        found.set(last.address, last)
      }
    }
    return [...found.values()].reduce((sum, { bytes }) => sum + Math.ceil(bytes / SECTOR_BYTES), 0)
  }

  get hostShares(): HostShares {
    const share = (op: 'load' | 'store' | 'atomic') => this.#hostSectors[op] / Math.max(1, this.#sectors[op])
    return { loads: share('load'), stores: share('store'), atomics: share('atomic') }
  }

  #noteHostMemory(access: WarpAccess, isHostMemory: (address: number) => boolean): void {
    const lane = 31 - Math.clz32(access.mask & -access.mask)
    const sectors = sectorsTouched(access)
    const isHost = access.space === 'global' && isHostMemory(access.addresses[lane]!)
    const op = access.op === 'red' ? 'atomic' : access.op
    this.#sectors[op] += sectors
    if (isHost) this.#hostSectors[op] += sectors
  }

  get accesses(): number {
    return this.#accesses
  }

  /** That the accesses touch, each by itself. */
  get lines(): number {
    return this.#lines
  }

  /** Accesses of the sampled blocks over those of them that are kept. */
  get seenOverKept(): number {
    let seen = 0
    for (const block of this.#blocks.values()) for (const warp of block.warps) seen += warp.seen
    return seen / Math.max(1, this.#accesses)
  }

  get blockCount(): number {
    return this.#blocks.size
  }

  /** Warp accesses recorded, by kind. */
  get recorded(): Readonly<Record<Kind, number>> {
    const [globalLoad = 0, passingLoad = 0, localLoad = 0, textureLoad = 0, store = 0, atomic = 0, red = 0] =
      this.#recorded
    return { globalLoad, passingLoad, localLoad, textureLoad, store, atomic, red }
  }

  /** Cycles of L1 for an average load of global or local memory that it has; undefined without any. */
  get l1CyclesPerLoad(): number | undefined {
    const { globalLoad, passingLoad, localLoad } = this.recorded
    const loads = globalLoad + passingLoad + localLoad
    return loads === 0 ? undefined : this.#l1LoadCycles / loads
  }

  /** Bytes of local memory that an average warp of the sample touches. */
  get localBytesOfWarp(): number {
    const lines = new Set<number>()
    for (let at = 0; at < this.#lines; at++) if (isLocalLine(this.line[at]!)) lines.add(this.line[at]!)
    const warps = [...this.#blocks.values()].reduce((sum, block) => sum + block.warps.length, 0)
    return (lines.size * LINE_BYTES) / Math.max(1, warps)
  }

  /** Numbers for `line`: all that touch one line have one number. */
  numberedLines(): NumberedLines {
    return (this.#numbered ??= numberLines(this.line, this.#lines))
  }

  /**
   * By the number of a line ({@link numberedLines}), 1 for lines that come again and again in the sample's blocks: at least this part of each
   * quarter of them loads one, and not only a run of neighbours, which have a row in common.
   * @param part more than 0, at most 1
   */
  linesThatReturn(part: number): Uint8Array {
    const { numbers, count } = this.numberedLines()
    const blocks = this.firstAccesses()
    const isKept = new Uint8Array(count).fill(1)
    const last = new Int32Array(count).fill(-1)
    const hasGap = new Uint8Array(count)
    for (let quarter = 0; quarter < QUARTERS; quarter++) {
      const from = Math.floor((quarter * blocks.length) / QUARTERS)
      const to = Math.floor(((quarter + 1) * blocks.length) / QUARTERS)
      const readers = new Int32Array(count)
      for (let block = from; block < to; block++)
        for (const first of blocks[block]!)
          for (let access = first; access !== NO_ACCESS; access = this.next[access]!) {
            if (this.kind[access]! > TEXTURE_LOAD) continue
            for (let at = this.firstLine[access]!; at < this.firstLine[access + 1]!; at++) {
              const line = numbers[at]!
              const before = last[line]!
              if (before === block) continue
              readers[line]!++
              if (before >= 0 && before < block - 1) hasGap[line] = 1
              last[line] = block
            }
          }
      for (let line = 0; line < count; line++) if (readers[line]! < part * (to - from)) isKept[line] = 0
    }
    return isKept.map((kept, line) => kept & hasGap[line]!)
  }

  #inOrder(): SampledBlock[] {
    return (this.#ordered ??= [...this.#blocks.values()]
      .filter(({ warps }) => warps.some(({ first }) => first !== NO_ACCESS))
      .sort((a, b) => a.number - b.number))
  }

  /** How many different places blocks of the sample have, of those coordinates that `axes` has. */
  placesAlong(axes: number, grid: Dim3): number {
    return new Set(this.#inOrder().map(({ number }) => placeAlong(axes, number, grid))).size
  }

  /** First access of each warp, block by block in ascending order. */
  firstAccesses(): number[][] {
    return this.#inOrder().map(({ warps }) => warps.map(({ first }) => first))
  }

  /** 1 for warps that no warp of their block has more accesses than, as {@link firstAccesses} lists them. */
  longestWarps(): number[][] {
    return this.#inOrder().map(({ warps }) => {
      const most = Math.max(...warps.map(({ seen }) => seen))
      return warps.map(({ seen }) => (seen === most ? 1 : 0))
    })
  }

  /**
   * How much more the longest warp of a block has to do than the launch's average one. A block lives as long as its longest warp.
   * @param warps of a block; those without an access count too
   */
  imbalance(warps: number): number {
    let [all, most] = [0, 0]
    for (const block of this.#blocks.values()) {
      const accesses = block.warps.map(({ seen }) => seen)
      all += accesses.reduce((sum, seen) => sum + seen, 0)
      most += Math.max(...accesses)
    }
    return all === 0 ? 1 : (most * warps) / all
  }

  #streamOf(number: number, warp: number): Stream {
    let block = this.#block
    if (block?.number !== number) {
      block = this.#blocks.get(number)
      if (!block) this.#blocks.set(number, (block = { number, warps: [], byWarp: [] }))
      this.#block = block
    }
    const known = block.byWarp[warp]
    if (known) return known
    const stream = { first: NO_ACCESS, last: NO_ACCESS, seen: 0, laterStores: 0 }
    block.byWarp[warp] = stream
    block.warps.push(stream)
    return stream
  }

  /**
   * Addresses are copied. Shared and constant accesses are ignored but for loops: they touch neither L1's data nor L2. So are those of
   * other blocks' shared memory, which nothing is known of.
   * @param mostOfWarp accesses of one warp that are kept; later ones are only counted, but for some stores and atomics: those that a
   *   kernel makes at its end are all that it makes (reading: maxxf-naive-kernels-softmax)
   */
  record(block: number, warp: number, access: WarpAccess, mostOfWarp = Number.POSITIVE_INFINITY): void {
    if (isLoopForm(access.form)) this.sharedLoops.record(block, warp, access)
    if (access.form === 'compare' && access.space === 'shared') this.sharedSwaps.record(block, warp, access)
    if (access.space === 'shared' || access.space === 'constant' || access.space === 'cluster') return
    const stream = this.#streamOf(block, warp)
    const isLate = ++stream.seen > mostOfWarp
    if (isLate && access.op === 'load') return this.#follow(stream, access)
    if (isLate && ++stream.laterStores > LATER_STORES * mostOfWarp) return
    if (this.#accesses === this.kind.length) this.#growAccesses()
    if (this.#memory.isHostMemory) this.#noteHostMemory(access, this.#memory.isHostMemory)
    const index = this.#accesses++
    const kind = kindOf(access)
    this.#recorded[kind]!++
    this.#ordered = undefined
    this.#numbered = undefined
    this.kind[index] = kind
    this.next[index] = NO_ACCESS
    this.blockAxes[index] = access.blockAxes ?? ANY_AXES
    this.late[index] = stream.seen > mostOfWarp / 2 ? 1 : 0
    if (kind === ATOMIC || kind === REDUCTION) {
      const part = access.form === 'aggregated' ? 1 / activeLanes(access.mask) : 1
      this.atomicSlices.record(block, warp, access, part)
      this.atomicSectors[index] = part * atomicSectorsSent(access)
    }
    const localWarp = (block * WARP_LANES + warp) % WARPS_WITH_LOCAL_MEMORY
    const placed = access.space === 'texture' ? this.#asOnMachine(access) : access
    this.#addLines(placed, access.space === 'local' ? LOCAL_LINES_BASE + localWarp * LOCAL_LINES : 0)
    this.firstLine[index + 1] = this.#lines
    if (kind === STORE) this.#addWords(placed, this.firstLine[index]!, access.space === 'local')
    else if (access.nearStore?.distance !== undefined)
      this.#addStoresUpon(access, access.nearStore.distance, this.firstLine[index]!)
    if (kind <= LOCAL_LOAD) this.#l1LoadCycles += l1LoadCycles(access, this.#lines - this.firstLine[index]!)
    this.besideStore[index] = access.nearStore?.isBeside ? 1 : 0
    this.scattered[index] = areInNoOrder(this.line, this.firstLine[index]!, this.#lines) ? 1 : 0
    if (stream.last === NO_ACCESS) stream.first = index
    else this.next[stream.last] = index
    stream.last = index
  }

  /** A load of global memory that is not kept. */
  #follow(stream: Stream, access: WarpAccess): void {
    const { laterLoads } = this
    if (access.space !== 'global') return
    if (!laterLoads.isBegun(stream) && laterLoads.hasRoom) laterLoads.begin(stream, this.#loadedLines(stream))
    laterLoads.add(stream, access)
  }

  *#loadedLines({ first }: Stream): Iterable<readonly [number, number]> {
    for (let access = first; access !== NO_ACCESS; access = this.next[access]!) {
      if (this.kind[access]! > PASSING_LOAD) continue
      for (let at = this.firstLine[access]!; at < this.firstLine[access + 1]!; at++)
        yield [this.line[at]!, this.sectors[at]!]
    }
  }

  #asOnMachine(access: WarpAccess): WarpAccess {
    const { mask, addresses } = access
    const array = this.#memory.arrayAt?.(addresses[31 - Math.clz32(mask & -mask)]!)
    if (!array) return access
    return {
      ...access,
      addresses: addresses.map((address, lane) => ((mask >>> lane) & 1 ? machineAddress(array, address) : 0)),
    }
  }

  /** The lines of an access with the sectors touched, in order of first lane; a warp touches few, mostly in lane order. */
  #addLines({ space, mask, addresses, width }: WarpAccess, base: number): void {
    const pieces = space === 'local' && width > 4 ? width / 4 : 1
    if (this.#lines + WARP_LANES * pieces > this.line.length) this.#growLines()
    const { line: lines, sectors: masks } = this
    const start = this.#lines
    let end = start
    let highest = -1
    let current = -1 // the line of the lane before, at `at`
    let at = start
    for (let lane = 0; lane < WARP_LANES; lane++) {
      if (!((mask >>> lane) & 1)) continue
      for (let piece = 0; piece < pieces; piece++) {
        const address = (addresses[lane]! + piece * LOCAL_WORD_STRIDE) >>> 0
        const line = base === 0 ? address >>> 7 : base + ((address >>> 7) % LOCAL_LINES)
        if (line !== current) {
          current = line
          // Most warps go through memory upwards: nothing to look for.
          if (line > highest) at = start - 1
          else for (at = end - 1; at >= start && lines[at] !== line; ) at--
          if (at < start) {
            at = end++
            lines[at] = line
            masks[at] = 0
            if (line > highest) highest = line
          }
        }
        masks[at]! |= 1 << ((address >>> 5) & 3)
      }
    }
    this.#lines = end
  }

  /** Which words of its lines a store writes. Local words lie apart, a line or more for each of a lane's. */
  #addWords({ mask, addresses, width }: WarpAccess, start: number, isLocal: boolean): void {
    const { line: lines, words } = this
    const end = this.#lines
    words.fill(0, start, end)
    const pieces = isLocal && width > 4 ? width / 4 : 1
    let at = start
    for (let lane = 0; lane < WARP_LANES; lane++) {
      if (!((mask >>> lane) & 1)) continue
      for (let piece = 0; piece < pieces; piece++) {
        const address = (addresses[lane]! + piece * LOCAL_WORD_STRIDE) >>> 0
        const line = isLocal
          ? lines[start]! - (lines[start]! % LOCAL_LINES) + ((address >>> 7) % LOCAL_LINES)
          : address >>> 7
        if (lines[at] !== line) for (at = start; at < end - 1 && lines[at] !== line; ) at++
        words[at]! |= wordsOf(address, pieces === 1 ? width : 4)
      }
    }
  }

  /**
   * Which lines of a load are stored to elsewhere while it is on its way: L2 fetches them by halves.
   * @param distance bytes from the load to the store
   */
  #addStoresUpon({ mask, addresses }: WarpAccess, distance: number, start: number): void {
    const { line: lines, words } = this
    const end = this.#lines
    let at = start
    for (let lane = 0; lane < WARP_LANES; lane++) {
      if (!((mask >>> lane) & 1)) continue
      const loaded = addresses[lane]! >>> 6
      const stored = (addresses[lane]! + distance) >>> 6
      if (loaded === stored || loaded >>> 1 !== stored >>> 1) continue
      if (lines[at] !== loaded >>> 1) for (at = start; at < end - 1 && lines[at] !== loaded >>> 1; ) at++
      words[at] = 1
    }
  }

  #growAccesses(): void {
    const capacity = 2 * this.kind.length
    this.kind = grown(this.kind, new Uint8Array(capacity))
    this.firstLine = grown(this.firstLine, new Int32Array(capacity + 1))
    this.atomicSectors = grown(this.atomicSectors, new Float32Array(capacity))
    this.next = grown(this.next, new Int32Array(capacity))
    this.late = grown(this.late, new Uint8Array(capacity))
    this.scattered = grown(this.scattered, new Uint8Array(capacity))
    this.besideStore = grown(this.besideStore, new Uint8Array(capacity))
    this.blockAxes = grown(this.blockAxes, new Uint8Array(capacity))
  }

  #growLines(): void {
    const capacity = 2 * this.line.length
    this.line = grown(this.line, new Int32Array(capacity))
    this.sectors = grown(this.sectors, new Uint8Array(capacity))
    this.words = grown(this.words, new Int32Array(capacity))
  }
}

/** Words of its line that end in the bytes from an address on; no access lies in two lines. */
function wordsOf(address: number, bytes: number): number {
  if (bytes < 4) return (address & 3) + bytes === 4 ? 1 << ((address >>> 2) & 31) : 0
  return (2 ** (bytes / 4) - 1) << ((address >>> 2) & 31)
}

function grown<T extends Int32Array | Uint8Array | Float32Array>(from: T, to: T): T {
  to.set(from)
  return to
}
