/**
 * The tags of one block's shared memory (codegen/checking/tagCode.ts). They grow from one epoch to the next, so that none has to be taken away:
 * those below an epoch's first are of earlier ones. They lie in a memory of their own, or where the code of the kernel itself looks at them.
 */
import {
  APART,
  ASKS_UNWRITTEN,
  BLOCK_SINCE,
  DISTANCES,
  EPOCH,
  HAS_WRITES,
  type LaneFunction,
  layoutTags,
  MOST_ROWS,
  NO_RUN,
  ROW_BYTES,
  ROW_DISTANCES,
  ROW_RUN,
  ROW_UNITS,
  ROWS,
  type RunFunction,
  runOf,
  SINCE,
  tagModule,
  UNIT_LOG2,
  UNWRITTEN,
  unitsOf,
  WRITERS,
} from '../codegen/checking/tagCode.ts'
import { InternalError } from '../diagnostic.ts'
import type { TagPlace } from '../launch.ts'

const PAGE = 65536
/** Twice the tags of all blocks that a GPU can hold, for units of a byte. */
const MOST_PAGES = 16384
/** They are compared as numbers with a sign. */
const LAST_TAG = 2 ** 30

/** One instruction of some lanes of a warp. */
export interface SharedTouch {
  readonly site: number
  /** The warp and its time (sharedRecords.ts). */
  readonly key: number
  readonly lanes: number
  /** Lane by lane the addresses less `base`. */
  readonly distances: Int32Array
  readonly base: number
  /** The number of a row (launch.ts, AddressRow), whose distances stay what they are, or -1. */
  readonly row: number
}

type LaneCode = (region: number, first: number, mask: number, base: number, distances: number, units: number) => number
type RunCode = (region: number, first: number, mask: number, unit: number) => number

type TagCode = Readonly<Record<LaneFunction, LaneCode> & Record<RunFunction, RunCode>>

let compiled: WebAssembly.Module | undefined
const codeOf = new WeakMap<WebAssembly.Memory, TagCode>()

/** The functions for the tags in a memory. */
function tagCode(memory: WebAssembly.Memory): TagCode {
  const known = codeOf.get(memory)
  if (known) return known
  compiled ??= tagModule()
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } })
  const exported = (name: string): WebAssembly.Callable => {
    const found = exports[name]
    if (typeof found !== 'function') throw new InternalError(`the code for tags has no function ${name}`)
    return found
  }
  const code: TagCode = {
    read: exported('read'),
    write: exported('write'),
    atomic: exported('atomic'),
    written: exported('written'),
    known: exported('known'),
    readRun: exported('readRun'),
    writeRun: exported('writeRun'),
  }
  codeOf.set(memory, code)
  return code
}

/** A memory for tags; what is given back is used again. */
export class TagMemory {
  private readonly memory = new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES, shared: true })
  private readonly free = new Map<number, number[]>()
  private end = 0

  /** So many bytes; what they hold is anything. */
  take(bytes: number): TagPlace {
    const { memory } = this
    const known = this.free.get(bytes)?.pop()
    if (known !== undefined) return { memory, offset: known }
    const offset = this.end
    this.end += bytes
    const missing = this.end - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
    return { memory, offset }
  }

  /** Nothing, where the place is another memory's. */
  giveBack({ memory, offset }: TagPlace, bytes: number): void {
    if (memory !== this.memory) return
    const list = this.free.get(bytes)
    if (list) list.push(offset)
    else this.free.set(bytes, [offset])
  }
}

export interface TagSetting {
  readonly bytes: number
  readonly unitLog2: number
  /** Bytes of each site's accesses. */
  readonly widths: readonly number[]
  readonly asksUnwritten: boolean
}

export class SharedTags {
  readonly units: number
  private readonly setting: TagSetting
  private readonly code: TagCode
  private readonly region: number
  /** The region's words, and the tags of those who write. */
  private readonly words: Int32Array
  private readonly writers: Int32Array
  private readonly readers: Int32Array
  /** The first tags of the epoch and of the block. */
  private since = EPOCH
  private blockSince = EPOCH
  private readonly isKnown: boolean[] = []

  constructor({ memory, offset }: TagPlace, setting: TagSetting) {
    const { bytes, unitLog2, asksUnwritten } = setting
    const layout = layoutTags(bytes, unitLog2)
    this.setting = setting
    this.units = layout.units
    this.code = tagCode(memory)
    this.region = offset
    this.words = new Int32Array(memory.buffer, offset, layout.bytes >> 2)
    this.writers = this.words.subarray(layout.writers >> 2, (layout.writers >> 2) + this.units)
    this.readers = this.words.subarray(layout.readers >> 2, (layout.readers >> 2) + this.units)
    this.words.fill(0)
    this.words[UNIT_LOG2 / 4] = unitLog2
    this.words[WRITERS / 4] = offset + layout.writers
    this.words[APART / 4] = layout.readers - layout.writers
    this.words[ASKS_UNWRITTEN / 4] = Number(asksUnwritten)
    this.beginBlock()
  }

  /** Units that nobody of the block has written. */
  get unwritten(): number {
    return this.words[UNWRITTEN / 4]!
  }

  /** Whether somebody has written in the epoch: before the first one nobody needs to know who reads. */
  get hasWrites(): boolean {
    return this.words[HAS_WRITES / 4] !== 0
  }

  set hasWrites(is: boolean) {
    this.words[HAS_WRITES / 4] = Number(is)
  }

  beginBlock(): void {
    this.beginEpoch()
    this.blockSince = this.since
    this.words[BLOCK_SINCE / 4] = this.since
    this.words[UNWRITTEN / 4] = this.units
  }

  beginEpoch(): void {
    if (this.since >= LAST_TAG) this.renumber()
    this.since += EPOCH
    this.words[SINCE / 4] = this.since
    this.words[HAS_WRITES / 4] = 0
  }

  /** Of the block's tags only whether there is one matters from now on. */
  private renumber(): void {
    for (let unit = 0; unit < this.units; unit++) this.writers[unit] = this.isUnwritten(unit) ? 0 : EPOCH
    this.readers.fill(0)
    this.since = EPOCH
    this.blockSince = EPOCH
    this.words[BLOCK_SINCE / 4] = EPOCH
  }

  /** Whether nobody of the block has written a unit. */
  isUnwritten(unit: number): boolean {
    return this.writers[unit]! < this.blockSince
  }

  /** What lanes do; false where another thread had to do with it in this epoch. */
  note(kind: LaneFunction, touch: SharedTouch): boolean {
    const { site, key, lanes, base, row } = touch
    const { code, region, words } = this
    const { unitLog2, widths } = this.setting
    const first = this.since | ((key & 31) << 5)
    const places = this.placesOf(touch)
    if (row >= 0 && row < MOST_ROWS && (kind === 'read' || kind === 'write')) {
      const run = words[(ROWS + row * ROW_BYTES + ROW_RUN) >> 2]!
      if (run !== NO_RUN)
        return (kind === 'read' ? code.readRun : code.writeRun)(region, first, lanes, (base + run) >>> unitLog2) !== 0
    }
    const units = kind === 'known' ? 1 : unitsOf(widths[site]!, unitLog2)
    return code[kind](region, first, lanes, base, places, units) !== 0
  }

  /** Where the distances of its lanes lie. */
  private placesOf({ site, row, distances }: SharedTouch): number {
    if (row < 0 || row >= MOST_ROWS) {
      this.words.set(distances, DISTANCES >> 2)
      return this.region + DISTANCES
    }
    if (!this.isKnown[row]) this.learnRow(row, site, distances)
    return this.region + ROWS + row * ROW_BYTES + ROW_DISTANCES
  }

  /** Code of the kernel's own asks for rows before anything is told of them. */
  learnRow(row: number, site: number, distances: Int32Array): void {
    if (row >= MOST_ROWS) return
    const { unitLog2, widths } = this.setting
    const at = (ROWS + row * ROW_BYTES) >> 2
    this.words[at + ROW_RUN / 4] = runOf(distances, widths[site]!, unitLog2)
    this.words[at + ROW_UNITS / 4] = unitsOf(widths[site]!, unitLog2)
    this.words.set(distances, at + ROW_DISTANCES / 4)
    this.isKnown[row] = true
  }
}
