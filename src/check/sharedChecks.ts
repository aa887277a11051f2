/**
 * Accesses of one block's shared memory: hazards between threads that did not meet in between (racecheck), and reads of what nobody wrote
 * (initcheck). For each unit of memory, the least that the kernel accesses, it is known who wrote it last and who read it since: threads of
 * one warp at one time, and one of another warp. A hazard with any of a set of threads is found as one with these.
 *
 * Keys are time x 32 + warp, so that "before the last barrier of all" is one comparison.
 */
import { WARP_LANES } from '../addressSpace.ts'
import type { AddressRow, CheckedAccess } from '../launch.ts'
import { LONGEST_PADDING } from './deviceRanges.ts'
import type { HappensBefore } from './happensBefore.ts'
import type { SiteFacts } from './siteFacts.ts'

/** The letters are in the order of the accesses: WAR is a write after a read. */
export type HazardKind = 'RAW' | 'WAR' | 'WAW'

export interface Hazard {
  readonly kind: HazardKind
  readonly earlierSite: number
  readonly earlierWarp: number
  readonly earlierLane: number
  /** Both leave the same in memory. */
  readonly isSame: boolean
  /** Lanes of one instruction. */
  readonly isAtOnce: boolean
}

export interface SharedFindings {
  readonly outside: ((access: CheckedAccess, lane: number) => void) | undefined
  readonly hazard: ((access: CheckedAccess, lane: number, hazard: Hazard) => void) | undefined
  readonly unwritten: ((access: CheckedAccess, lane: number) => void) | undefined
}

export interface SharedSetting {
  readonly bytes: number
  /** log2 of a unit's bytes. */
  readonly unitLog2: number
  readonly facts: readonly SiteFacts[]
  /** Bytes of the accesses of each site. */
  readonly widths: readonly number[]
  /** Some atomics tell threads what others did. */
  readonly hasLocks: boolean
  readonly findings: SharedFindings
}

/** Fields of a unit's record. */
const WRITE_KEY = 0
/** site x 32 + lane */
const WRITER = 1
const WRITE_EVENT = 2
const READ_KEY = 3
const READ_LANES = 4
const READ_SITE = 5
/** A reader of another warp. */
const OTHER_KEY = 6
const OTHER_READER = 7
const FIELDS_LOG2 = 3

/** Reads that are remembered as they are, until somebody writes: mostly nobody does before all meet again. */
const FIRST_LOGGED = 32
const MOST_LOGGED = 1024
/** Of a logged read, before its addresses. */
const LOG_SITE = 0
const LOG_KEY = 1
const LOG_LANES = 2
/** The address of a row, or all of them. */
const LOG_ROW = 3
const LOG_ADDRESSES = 4
const LOG_WORDS = LOG_ADDRESSES + WARP_LANES

/** Keys are below 2^31. */
const LATEST_TIME = 1 << 25

export class SharedChecks {
  private readonly setting: SharedSetting
  private readonly order: HappensBefore
  private readonly records: Int32Array
  private log = new Int32Array(FIRST_LOGGED * LOG_WORDS)
  private logged = 0
  private readonly logRows: (AddressRow | undefined)[] = []
  private readonly expanded = new Int32Array(WARP_LANES)
  /** The time before which the log's reads do not matter any more. */
  private logFloor = 0
  /** The latest key of a write. */
  private lastWrite = 0
  /** Units that nobody has written. */
  private unwritten: number
  private event = 0

  constructor(setting: SharedSetting, order: HappensBefore) {
    this.setting = setting
    this.order = order
    this.unwritten = this.units
    this.records = new Int32Array(this.units << FIELDS_LOG2)
  }

  private get units(): number {
    const { bytes, unitLog2 } = this.setting
    return (bytes + (1 << unitLog2) - 1) >> unitLog2
  }

  /** Another block begins. */
  begin(): void {
    this.unwritten = this.units
    this.logged = 0
  }

  /** Times have become so late that keys would be too large: the block that begins has an object of its own. */
  get isUsedUp(): boolean {
    return this.order.floor >= LATEST_TIME || this.event >= 2 ** 30
  }

  check(access: CheckedAccess): void {
    const { order } = this
    const { site, warp } = access
    const { reads, writes, isAtomic } = this.setting.facts[site.id]!
    const lanes = reads ? this.checkPlaces(access, (order.start << 5) | 31) : this.checkPlaces(access, -1)
    if (lanes === 0 || !this.setting.findings.hazard) {
      if (writes && lanes !== 0) this.write(access, lanes)
      return
    }
    const key = (order.now[warp]! << 5) | warp
    const floor = (order.floor << 5) | 31
    if (!writes) {
      if (this.lastWrite <= floor && this.keep(access, lanes, key)) return
      this.flush()
      this.event++
      this.read(access.addresses, site.id, site.width, lanes, key, access)
    } else {
      this.flush()
      this.event++
      this.write(access, lanes)
    }
    if (this.setting.hasLocks && isAtomic) this.passLocks(access)
  }

  /** Whether that is all: a read of what was written before all met, when nobody has written since. */
  checkRow(access: CheckedAccess, address: number, row: AddressRow): boolean {
    const { order } = this
    const { facts, bytes, findings, hasLocks } = this.setting
    const { site, warp, lanes } = access
    const { id, width } = site
    if (facts[id]!.writes || (hasLocks && facts[id]!.isAtomic)) return false
    if (address + row.least < 0 || address + row.most + width > bytes) return false
    if (findings.unwritten && this.unwritten > 0) return false
    if (!findings.hazard) return true
    if (this.lastWrite > ((order.floor << 5) | 31)) return false
    const at = this.logPlace()
    if (at < 0) return false
    const { log } = this
    log[at + LOG_SITE] = id
    log[at + LOG_KEY] = (order.now[warp]! << 5) | warp
    log[at + LOG_LANES] = lanes
    log[at + LOG_ROW] = address
    this.logRows[at / LOG_WORDS] = row
    return true
  }

  /** The lanes that are inside; `start`: keys up to this one are none of the block's, -1 to let unwritten memory be. */
  private checkPlaces(access: CheckedAccess, start: number): number {
    const { bytes, unitLog2, findings } = this.setting
    const { lanes, addresses, site } = access
    const { records } = this
    const asks = start >= 0 && this.unwritten > 0 && findings.unwritten !== undefined
    const limit = bytes - site.width
    let inside = lanes
    for (let lane = 0; lane < WARP_LANES; lane++) {
      if (!((lanes >>> lane) & 1)) continue
      const address = addresses[lane]!
      if (address < 0 || address > limit) {
        findings.outside?.(access, lane)
        inside &= ~(1 << lane)
      } else if (asks && records[(address >>> unitLog2) << FIELDS_LOG2]! <= start)
        this.checkUnwritten(access, lane, start)
    }
    return inside
  }

  /** False where there is no room. */
  private keep({ site, addresses }: CheckedAccess, lanes: number, key: number): boolean {
    const at = this.logPlace()
    if (at < 0) return false
    const { log } = this
    log[at + LOG_SITE] = site.id
    log[at + LOG_KEY] = key
    log[at + LOG_LANES] = lanes
    this.logRows[at / LOG_WORDS] = undefined
    for (let lane = 0; lane < WARP_LANES; lane++) log[at + LOG_ADDRESSES + lane] = addresses[lane]!
    return true
  }

  /** Of the next entry; -1 where there is no room. */
  private logPlace(): number {
    const { floor } = this.order
    if (this.logFloor !== floor) {
      this.logFloor = floor
      this.logged = 0
    }
    const at = this.logged * LOG_WORDS
    if (at === this.log.length) {
      if (this.logged === MOST_LOGGED) return -1
      const longer = new Int32Array(2 * at)
      longer.set(this.log)
      this.log = longer
    }
    this.logged++
    return at
  }

  /** Notes the reads that were kept. */
  private flush(): void {
    const { log, logged } = this
    if (logged === 0) return
    this.logged = 0
    if (this.logFloor !== this.order.floor) return
    for (let index = 0; index < logged; index++) {
      const at = index * LOG_WORDS
      const id = log[at + LOG_SITE]!
      const { expanded } = this
      const row = this.logRows[index]
      const address = log[at + LOG_ROW]!
      for (let lane = 0; lane < WARP_LANES; lane++)
        expanded[lane] = row ? address + row.distances[lane]! : log[at + LOG_ADDRESSES + lane]!
      this.read(expanded, id, this.setting.widths[id]!, log[at + LOG_LANES]!, log[at + LOG_KEY]!, undefined)
    }
  }

  /** `access`: absent for reads that came before all writes since the last barrier of all. */
  private read(
    addresses: Int32Array,
    id: number,
    width: number,
    lanes: number,
    key: number,
    access: CheckedAccess | undefined,
  ): void {
    const { unitLog2, hasLocks, facts } = this.setting
    const { records } = this
    const floor = (this.order.floor << 5) | 31
    const units = width >> unitLog2 || 1
    const isPlain = hasLocks && !facts[id]!.isAtomic
    for (let lane = 0; lane < WARP_LANES; lane++) {
      if (!((lanes >>> lane) & 1)) continue
      const first = addresses[lane]! >>> unitLog2
      for (let unit = first; unit < first + units; unit++) {
        const at = unit << FIELDS_LOG2
        if (access) {
          const written = records[at + WRITE_KEY]!
          if (written > floor && (written !== key || (records[at + WRITER]! & 31) !== lane))
            this.afterWrite(access, lane, at)
        }
        const read = records[at + READ_KEY]!
        if (read === key) {
          records[at + READ_LANES]! |= 1 << lane
          if (isPlain) records[at + READ_SITE] = id
        } else if (read <= floor) {
          records[at + READ_KEY] = key
          records[at + READ_LANES] = 1 << lane
          records[at + READ_SITE] = id
        } else this.alsoRead(id, lane, at, key, floor)
      }
    }
  }

  private write(access: CheckedAccess, lanes: number): void {
    const { unitLog2 } = this.setting
    const { addresses, warp } = access
    const { id, width } = access.site
    const { records, order, event } = this
    const key = (order.now[warp]! << 5) | warp
    const floor = (order.floor << 5) | 31
    const start = (order.start << 5) | 31
    const units = width >> unitLog2 || 1
    if (key > this.lastWrite) this.lastWrite = key
    const finds = this.setting.findings.hazard !== undefined
    for (let lane = 0; lane < WARP_LANES; lane++) {
      if (!((lanes >>> lane) & 1)) continue
      const first = addresses[lane]! >>> unitLog2
      for (let unit = first; unit < first + units; unit++) {
        const at = unit << FIELDS_LOG2
        const written = records[at + WRITE_KEY]!
        if (finds) {
          const read = records[at + READ_KEY]!
          if (read > floor) {
            if (read !== key || records[at + READ_LANES] !== 1 << lane || records[at + OTHER_KEY]! > floor)
              this.afterRead(access, lane, at)
            // Who reads it from now on reads this; reads before, by others, were looked at.
            records[at + READ_KEY] = 0
            records[at + OTHER_KEY] = 0
          }
          if (written > floor && (written !== key || (records[at + WRITER]! & 31) !== lane))
            this.afterWrite(access, lane, at)
        }
        if (written <= start) this.unwritten--
        records[at + WRITE_KEY] = key
        records[at + WRITER] = (id << 5) | lane
        records[at + WRITE_EVENT] = event
      }
    }
  }

  private checkUnwritten(access: CheckedAccess, lane: number, start: number): void {
    const { unitLog2, findings } = this.setting
    const { isPiece } = this.setting.facts[access.site.id]!
    const address = access.addresses[lane]!
    const from = isPiece ? address & -LONGEST_PADDING : address
    const bytes = isPiece ? Math.min(LONGEST_PADDING, this.setting.bytes - from) : access.site.width
    const first = from >>> unitLog2
    const units = bytes >> unitLog2 || 1
    for (let unit = first; unit < first + units; unit++) if (this.records[unit << FIELDS_LOG2]! > start) return
    findings.unwritten?.(access, lane)
  }

  /** An access of what another thread wrote since the last barrier of all. */
  private afterWrite(access: CheckedAccess, lane: number, at: number): void {
    const { facts, findings } = this.setting
    const { site, warp } = access
    const earlier = this.records[at + WRITER]!
    const key = this.records[at + WRITE_KEY]!
    const earlierSite = earlier >>> 5
    const earlierLane = earlier & 31
    const { writes, isAtomic } = facts[site.id]!
    if (isAtomic && facts[earlierSite]!.isAtomic) return
    if (this.order.isOrdered(key & 31, earlierLane, key >>> 5, warp, lane)) return
    const isAtOnce = writes && this.records[at + WRITE_EVENT] === this.event
    findings.hazard?.(access, lane, {
      kind: writes ? 'WAW' : 'RAW',
      earlierSite,
      earlierWarp: key & 31,
      earlierLane,
      isAtOnce,
      isSame: writes && !isAtomic && (isAtOnce ? access.storesSame(lane, earlierLane) : access.keeps(lane)),
    })
  }

  /** A write of what other threads read since the last barrier of all. */
  private afterRead(access: CheckedAccess, lane: number, at: number): void {
    const { order, records } = this
    const floor = (order.floor << 5) | 31
    const key = records[at + READ_KEY]!
    if (key > floor) {
      const warp = key & 31
      const all = records[at + READ_LANES]!
      const readers = warp === access.warp ? all & ~(1 << lane) : all
      for (let reader = 0; reader < WARP_LANES; reader++) {
        if (!((readers >>> reader) & 1) || order.isOrdered(warp, reader, key >>> 5, access.warp, lane)) continue
        this.tellWrite(access, lane, records[at + READ_SITE]!, warp, reader)
        return
      }
    }
    const other = records[at + OTHER_KEY]!
    const reader = records[at + OTHER_READER]!
    if (other > floor && !order.isOrdered(other & 31, reader & 31, other >>> 5, access.warp, lane))
      this.tellWrite(access, lane, reader >>> 5, other & 31, reader & 31)
  }

  private tellWrite(access: CheckedAccess, lane: number, earlierSite: number, warp: number, reader: number): void {
    const { facts, findings } = this.setting
    const { isAtomic } = facts[access.site.id]!
    if (isAtomic && facts[earlierSite]!.isAtomic) return
    findings.hazard?.(access, lane, {
      kind: 'WAR',
      earlierSite,
      earlierWarp: warp,
      earlierLane: reader,
      isAtOnce: false,
      isSame: !isAtomic && access.keeps(lane),
    })
  }

  /** A read of what others read since the last barrier of all. */
  private alsoRead(id: number, lane: number, at: number, key: number, floor: number): void {
    const { records } = this
    const warp = key & 31
    const read = records[at + READ_KEY]!
    if ((read & 31) !== warp) {
      const other = records[at + OTHER_KEY]!
      if (other > floor && (other & 31) !== warp) return
      records[at + OTHER_KEY] = key
      records[at + OTHER_READER] = (id << 5) | lane
      return
    }
    // The same warp, later. Lanes that have not met those from before keep their time.
    const readers = records[at + READ_LANES]!
    let areOrdered = true
    for (let reader = 0; areOrdered && reader < WARP_LANES; reader++)
      areOrdered = !((readers >>> reader) & 1) || this.order.isOrdered(warp, reader, read >>> 5, warp, lane)
    if (!areOrdered) {
      records[at + READ_LANES] = readers | (1 << lane)
      return
    }
    records[at + READ_KEY] = key
    records[at + READ_LANES] = 1 << lane
    records[at + READ_SITE] = id
  }

  private passLocks({ site, warp, lanes, addresses }: CheckedAccess): void {
    const { facts, unitLog2 } = this.setting
    const { acquires, writes } = facts[site.id]!
    if (!acquires && !writes) return
    for (let lane = 0; lane < WARP_LANES; lane++)
      if ((lanes >>> lane) & 1) this.order.pass(addresses[lane]! >>> unitLog2, warp, acquires, writes)
    this.order.advance(warp)
  }
}
