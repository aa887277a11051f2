/**
 * Accesses of one block's shared memory as exactly as hazards need them: for each unit of memory, the least that the kernel accesses, who wrote
 * it last and who read it since: threads of one warp at one time, and one of another warp. A hazard with any of a set of threads is
 * found as one with these. In: the accesses since all threads met last, in order. Out: hazards between threads that did not meet in between.
 *
 * Keys are time x 32 + warp, so that "before the last barrier of all" is one comparison.
 */
import { WARP_LANES } from '../addressSpace.ts'
import type { CheckedAccess } from '../launch.ts'
import type { HappensBefore } from './happensBefore.ts'
import type { SharedSetting } from './sharedSetting.ts'

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

/** Keys are below 2^31. */
const LATEST_TIME = 1 << 25
const LAST_EVENT = 2 ** 30

export class SharedRecords {
  private readonly setting: SharedSetting
  private readonly order: HappensBefore
  private readonly units: number
  /** Made when the first hazard may be one. */
  private made: Int32Array | undefined
  /** A number for each instruction of a warp. */
  private event = 0

  constructor(setting: SharedSetting, order: HappensBefore, units: number) {
    this.setting = setting
    this.order = order
    this.units = units
  }

  private get records(): Int32Array {
    return (this.made ??= new Int32Array(this.units << FIELDS_LOG2))
  }

  /** Numbers have become so large that the block that begins has to have an object of its own. */
  get isUsedUp(): boolean {
    return this.order.floor >= LATEST_TIME || this.event >= LAST_EVENT
  }

  /** @param key of the warp at the time of the access */
  add(access: CheckedAccess, lanes: number, key: number): void {
    this.event++
    if (this.setting.facts[access.site.id]!.writes) this.write(access, lanes, key)
    else this.read(access, lanes, key)
  }

  private read(access: CheckedAccess, lanes: number, key: number): void {
    const { unitLog2, hasLocks, facts } = this.setting
    const { addresses } = access
    const { id, width } = access.site
    const { records } = this
    const floor = (this.order.floor << 5) | 31
    const units = width >> unitLog2 || 1
    const isPlain = hasLocks && !facts[id]!.isAtomic
    for (let lane = 0; lane < WARP_LANES; lane++) {
      if (!((lanes >>> lane) & 1)) continue
      const first = addresses[lane]! >>> unitLog2
      for (let unit = first; unit < first + units; unit++) {
        const at = unit << FIELDS_LOG2
        const written = records[at + WRITE_KEY]!
        if (written > floor && (written !== key || (records[at + WRITER]! & 31) !== lane))
          this.afterWrite(access, lane, at)
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

  private write(access: CheckedAccess, lanes: number, key: number): void {
    const { unitLog2 } = this.setting
    const { addresses } = access
    const { id, width } = access.site
    const { records, event } = this
    const floor = (this.order.floor << 5) | 31
    const units = width >> unitLog2 || 1
    for (let lane = 0; lane < WARP_LANES; lane++) {
      if (!((lanes >>> lane) & 1)) continue
      const first = addresses[lane]! >>> unitLog2
      for (let unit = first; unit < first + units; unit++) {
        const at = unit << FIELDS_LOG2
        const read = records[at + READ_KEY]!
        if (read > floor) {
          if (read !== key || records[at + READ_LANES] !== 1 << lane || records[at + OTHER_KEY]! > floor)
            this.afterRead(access, lane, at)
          // Who reads it from now on reads this; reads before, by others, were looked at.
          records[at + READ_KEY] = 0
          records[at + OTHER_KEY] = 0
        }
        const written = records[at + WRITE_KEY]!
        if (written > floor && (written !== key || (records[at + WRITER]! & 31) !== lane))
          this.afterWrite(access, lane, at)
        records[at + WRITE_KEY] = key
        records[at + WRITER] = (id << 5) | lane
        records[at + WRITE_EVENT] = event
      }
    }
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

  /** A write of what other threads read since the last barrier of all. Those of other warps are told first: that is worse. */
  private afterRead(access: CheckedAccess, lane: number, at: number): void {
    const areOfOwnWarp = (this.records[at + READ_KEY]! & 31) === access.warp
    if (areOfOwnWarp && this.afterOther(access, lane, at)) return
    if (this.afterReaders(access, lane, at) || areOfOwnWarp) return
    this.afterOther(access, lane, at)
  }

  /** @returns whether it is told */
  private afterReaders(access: CheckedAccess, lane: number, at: number): boolean {
    const { order, records } = this
    const key = records[at + READ_KEY]!
    if (key <= ((order.floor << 5) | 31)) return false
    const warp = key & 31
    const all = records[at + READ_LANES]!
    const readers = warp === access.warp ? all & ~(1 << lane) : all
    for (let reader = 0; reader < WARP_LANES; reader++) {
      if (!((readers >>> reader) & 1) || order.isOrdered(warp, reader, key >>> 5, access.warp, lane)) continue
      this.tellWrite(access, lane, records[at + READ_SITE]!, warp, reader)
      return true
    }
    return false
  }

  /** Likewise, of the reader of another warp. */
  private afterOther(access: CheckedAccess, lane: number, at: number): boolean {
    const { order, records } = this
    const key = records[at + OTHER_KEY]!
    const reader = records[at + OTHER_READER]!
    if (key <= ((order.floor << 5) | 31) || order.isOrdered(key & 31, reader & 31, key >>> 5, access.warp, lane))
      return false
    this.tellWrite(access, lane, reader >>> 5, key & 31, reader & 31)
    return true
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
}
