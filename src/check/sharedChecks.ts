/**
 * Accesses of one block's shared memory: hazards between threads that did not meet in between (racecheck), and reads of what nobody wrote
 * (initcheck). For each unit of memory, the least that the kernel accesses, it is known who wrote it last and who read it since: threads of
 * one warp at one time, and one of another warp. A hazard with any of a set of threads is found as one with these.
 *
 * Keys are time x 32 + warp, so that "before the last barrier of all" is one comparison.
 */
import { WARP_LANES } from '../addressSpace.ts'
import type { CheckedAccess } from '../launch.ts'
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
  /** Some atomics tell threads what others did. */
  readonly hasLocks: boolean
  readonly findings: SharedFindings
}

export class SharedChecks {
  private readonly setting: SharedSetting
  private readonly order: HappensBefore
  private readonly writeKey: Int32Array
  /** site x 32 + lane */
  private readonly writer: Int32Array
  private readonly writeEvent: Int32Array
  private readonly readKey: Int32Array
  private readonly readLanes: Int32Array
  private readonly readSite: Int32Array
  /** A reader of another warp. */
  private readonly otherKey: Int32Array
  private readonly otherReader: Int32Array
  private event = 0

  constructor(setting: SharedSetting, order: HappensBefore) {
    this.setting = setting
    this.order = order
    const units = (setting.bytes + (1 << setting.unitLog2) - 1) >> setting.unitLog2
    const array = (): Int32Array => new Int32Array(units)
    this.writeKey = array()
    this.writer = array()
    this.writeEvent = array()
    this.readKey = array()
    this.readLanes = array()
    this.readSite = array()
    this.otherKey = array()
    this.otherReader = array()
  }

  begin(): void {
    this.writeKey.fill(0)
    this.readKey.fill(0)
    this.otherKey.fill(0)
  }

  check(access: CheckedAccess): void {
    const { facts, bytes, unitLog2, findings, hasLocks } = this.setting
    const { site, lanes, addresses, warp } = access
    const { id, width } = site
    const { reads, writes, isAtomic } = facts[id]!
    const units = width >> unitLog2 || 1
    const key = (this.order.now[warp]! << 5) | warp
    const floor = (this.order.floor << 5) | 31
    const { writeKey, writer, writeEvent, readKey, readLanes, readSite } = this
    const event = ++this.event
    const isPlainRead = reads && !writes
    for (let lane = 0; lane < WARP_LANES; lane++) {
      if (!((lanes >>> lane) & 1)) continue
      const address = addresses[lane]!
      if (address + width > bytes) {
        findings.outside?.(access, lane)
        continue
      }
      const first = address >>> unitLog2
      if (reads && writeKey[first] === 0) this.checkUnwritten(access, lane, first, units)
      for (let unit = first; unit < first + units; unit++) {
        if (isPlainRead) {
          const written = writeKey[unit]!
          if (written > floor && (written !== key || (writer[unit]! & 31) !== lane)) this.afterWrite(access, lane, unit)
          const read = readKey[unit]!
          if (read === key) {
            readLanes[unit]! |= 1 << lane
            if (hasLocks && !isAtomic) readSite[unit] = id
          } else if (read <= floor) {
            readKey[unit] = key
            readLanes[unit] = 1 << lane
            readSite[unit] = id
          } else this.alsoRead(access, lane, unit, key, floor)
          continue
        }
        const read = readKey[unit]!
        if (read > floor && (read !== key || readLanes[unit] !== 1 << lane)) this.afterRead(access, lane, unit)
        else if (this.otherKey[unit]! > floor) this.afterRead(access, lane, unit)
        const written = writeKey[unit]!
        if (written > floor && (written !== key || (writer[unit]! & 31) !== lane)) this.afterWrite(access, lane, unit)
        writeKey[unit] = key
        writer[unit] = (id << 5) | lane
        writeEvent[unit] = event
        // Who reads it from now on reads this; reads before, by others, were looked at.
        readKey[unit] = 0
        this.otherKey[unit] = 0
      }
    }
    if (hasLocks && isAtomic) this.passLocks(access)
  }

  private checkUnwritten(access: CheckedAccess, lane: number, first: number, units: number): void {
    for (let unit = first; unit < first + units; unit++) if (this.writeKey[unit] !== 0) return
    this.setting.findings.unwritten?.(access, lane)
  }

  /** An access of what another thread wrote since the last barrier of all. */
  private afterWrite(access: CheckedAccess, lane: number, unit: number): void {
    const { facts, findings } = this.setting
    const { site, warp } = access
    const earlier = this.writer[unit]!
    const key = this.writeKey[unit]!
    const earlierSite = earlier >>> 5
    const earlierLane = earlier & 31
    const { writes, isAtomic } = facts[site.id]!
    if (isAtomic && facts[earlierSite]!.isAtomic) return
    if (this.order.isOrdered(key & 31, earlierLane, key >>> 5, warp, lane)) return
    const isAtOnce = writes && this.writeEvent[unit] === this.event
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
  private afterRead(access: CheckedAccess, lane: number, unit: number): void {
    const { order } = this
    const floor = (order.floor << 5) | 31
    const key = this.readKey[unit]!
    if (key > floor) {
      const warp = key & 31
      const readers = warp === access.warp ? this.readLanes[unit]! & ~(1 << lane) : this.readLanes[unit]!
      for (let reader = 0; reader < WARP_LANES; reader++) {
        if (!((readers >>> reader) & 1) || order.isOrdered(warp, reader, key >>> 5, access.warp, lane)) continue
        this.tellWrite(access, lane, this.readSite[unit]!, warp, reader)
        return
      }
    }
    const other = this.otherKey[unit]!
    const reader = this.otherReader[unit]!
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
  private alsoRead(access: CheckedAccess, lane: number, unit: number, key: number, floor: number): void {
    const { site, warp } = access
    const read = this.readKey[unit]!
    if ((read & 31) !== warp) {
      const other = this.otherKey[unit]!
      if (other > floor && (other & 31) !== warp) return
      this.otherKey[unit] = key
      this.otherReader[unit] = (site.id << 5) | lane
      return
    }
    // The same warp, later. Lanes that have not met those from before keep their time.
    const readers = this.readLanes[unit]!
    let areOrdered = true
    for (let reader = 0; areOrdered && reader < WARP_LANES; reader++)
      areOrdered = !((readers >>> reader) & 1) || this.order.isOrdered(warp, reader, read >>> 5, warp, lane)
    if (!areOrdered) {
      this.readLanes[unit] = readers | (1 << lane)
      return
    }
    this.readKey[unit] = key
    this.readLanes[unit] = 1 << lane
    this.readSite[unit] = site.id
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
