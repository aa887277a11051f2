/**
 * Accesses of one block's shared memory: beyond its ends (memcheck), hazards between threads that did not meet in between (racecheck), and
 * reads of what nobody wrote (initcheck). Most is right, and decided by who touched what since all threads met (sharedEpoch.ts); from the first
 * access on that may be a hazard to the next meeting of all, each is looked at exactly (sharedRecords.ts).
 */
import { WARP_LANES } from '../addressSpace.ts'
import { layoutTags } from '../codegen/checking/tagCode.ts'
import type { AddressRow, CheckedAccess, KeptKinds, TagPlace } from '../launch.ts'
import { LONGEST_PADDING } from './deviceRanges.ts'
import type { HappensBefore } from './happensBefore.ts'
import { SharedEpoch } from './sharedEpoch.ts'
import { SharedRecords } from './sharedRecords.ts'
import type { SharedSetting } from './sharedSetting.ts'
import { SharedTags, type SharedTouch } from './sharedTags.ts'

/** Epochs that are looked at exactly from the start on, at most, where those before came to it. */
const MOST_EXACT = 31

/** Rows of a kernel that looks at the tags itself, and where. */
export interface SharedRows {
  readonly place: TagPlace
  readonly rows: readonly AddressRow[]
}

export const KEEPS_NOTHING: KeptKinds = { reads: false, writes: false, atomics: false }
const KEEPS_READS: KeptKinds = { reads: true, writes: false, atomics: false }
/** Atomics by which threads know of others are told at once. */
const KEEPS_PLAIN: KeptKinds = { reads: true, writes: true, atomics: false }
const KEEPS_ALL: KeptKinds = { reads: true, writes: true, atomics: true }

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export class SharedChecks {
  private readonly setting: SharedSetting
  private readonly order: HappensBefore
  private readonly tags: SharedTags
  private readonly epoch: SharedEpoch
  private readonly records: SharedRecords
  /** The time up to which the epoch's threads have met. */
  private floor = 0
  private isExact = false
  /** Epochs to come that are exact from the start on, and how many the next one that turns out to be brings. */
  private exactEpochs = 0
  private nextExact = 1
  private readonly touch: Mutable<SharedTouch>
  /** An access that the epoch remembered. Nothing is found of it any more. */
  private readonly remembered: Mutable<CheckedAccess>
  private readonly addresses = new Int32Array(WARP_LANES)
  private readonly place: TagPlace
  private readonly tagBytes: number

  /** @param rows those of a kernel that looks at the tags itself */
  constructor(setting: SharedSetting, order: HappensBefore, rows: SharedRows | undefined) {
    const { bytes, unitLog2, sites } = setting
    this.setting = setting
    this.order = order
    const widths = sites.map(({ width }) => width)
    this.tagBytes = layoutTags(bytes, unitLog2).bytes
    this.place = rows?.place ?? setting.memory.take(this.tagBytes)
    const asksUnwritten = setting.findings.unwritten !== undefined
    this.tags = new SharedTags(this.place, { bytes, unitLog2, widths, asksUnwritten })
    for (const { index, site, distances } of rows?.rows ?? [])
      if (sites[site]!.space === 'shared') this.tags.learnRow(index, site, distances)
    this.epoch = new SharedEpoch(this.tags)
    this.records = new SharedRecords(setting, order, this.tags.units)
    const { addresses } = this
    this.touch = { site: 0, key: 0, lanes: 0, distances: addresses, base: 0, row: -1 }
    this.remembered = { site: sites[0]!, block: 0, warp: 0, lanes: 0, addresses, storesSame: never, keeps: never }
  }

  /** Another block begins. */
  begin(): void {
    this.tags.beginBlock()
  }

  /** The block that begins has to have an object of its own. */
  get isUsedUp(): boolean {
    return this.records.isUsedUp
  }

  /** Nobody asks any more. */
  giveBack(): void {
    this.setting.memory.giveBack(this.place, this.tagBytes)
  }

  check(access: CheckedAccess): void {
    const { site } = access
    const { findings, hasLocks, facts } = this.setting
    const { reads, writes, isAtomic } = facts[site.id]!
    const lanes = this.checkPlaces(access, reads)
    if (lanes === 0) return
    const touch = this.touchOf(access, lanes, 0, access.addresses, -1)
    if (findings.hazard) {
      if (!this.isClear(touch)) this.checkExactly(access, touch)
      if (hasLocks && isAtomic) this.passLocks(access)
    } else if (writes) this.tags.note('written', touch)
  }

  /** Whether that is all. */
  checkRow(access: CheckedAccess, address: number, row: AddressRow): boolean {
    const { facts, bytes, findings, hasLocks } = this.setting
    const { site, lanes } = access
    const { reads, isAtomic } = facts[site.id]!
    if (hasLocks && isAtomic) return false
    if (address + row.least < 0 || address + row.most + site.width > bytes) return false
    const touch = this.touchOf(access, lanes, address, row.distances, row.index)
    if (reads && findings.unwritten && this.tags.unwritten > 0 && !this.tags.note('known', touch)) return false
    return findings.hazard !== undefined && this.isClear(touch)
  }

  private touchOf(
    { site, warp }: CheckedAccess,
    lanes: number,
    base: number,
    distances: Int32Array,
    row: number,
  ): SharedTouch {
    const { touch, order } = this
    touch.site = site.id
    touch.key = (order.now[warp]! << 5) | warp
    touch.lanes = lanes
    touch.base = base
    touch.distances = distances
    touch.row = row
    return touch
  }

  /** What is nothing to tell of, where no other thread has to do with it and what is read is written. */
  get keeps(): KeptKinds {
    this.followOrder()
    const { findings, hasLocks } = this.setting
    if (!findings.hazard) return KEEPS_READS
    if (this.isExact) return KEEPS_NOTHING
    return hasLocks ? KEEPS_PLAIN : KEEPS_ALL
  }

  /** Whether no other thread has to do with it, as far as that is known without looking exactly. */
  private isClear(touch: SharedTouch): boolean {
    this.followOrder()
    if (this.isExact) return false
    if (this.epoch.isFull) this.takeLog()
    const { writes, isAtomic } = this.setting.facts[touch.site]!
    if (this.epoch.add(touch, writes ? (isAtomic ? 'atomic' : 'write') : 'read')) return true
    this.takeLog()
    this.isExact = true
    this.exactEpochs = this.nextExact
    this.nextExact = Math.min(2 * this.nextExact, MOST_EXACT)
    return false
  }

  /** Where all threads have met, an epoch begins. */
  private followOrder(): void {
    const { floor } = this.order
    if (floor === this.floor) return
    this.floor = floor
    if (!this.isExact && this.tags.hasWrites) this.nextExact = 1
    this.isExact = this.exactEpochs > 0
    if (this.isExact) this.exactEpochs--
    this.epoch.begin()
  }

  private checkExactly(access: CheckedAccess, touch: SharedTouch): void {
    this.records.add(access, touch.lanes, touch.key)
    if (this.setting.facts[touch.site]!.writes) this.tags.note('written', touch)
  }

  /** From now on the records know what the epoch knows. */
  private takeLog(): void {
    this.epoch.takeLog(({ site, key, lanes, base, distances }) => {
      const { remembered, addresses } = this
      remembered.site = this.setting.sites[site]!
      remembered.warp = key & 31
      remembered.lanes = lanes
      for (let lane = 0; lane < WARP_LANES; lane++) addresses[lane] = base + distances[lane]!
      this.records.add(remembered, lanes, key)
    })
  }

  /** The lanes that are inside. */
  private checkPlaces(access: CheckedAccess, reads: boolean): number {
    const { bytes, unitLog2, findings } = this.setting
    const { lanes, addresses, site } = access
    const { tags } = this
    const asks = reads && findings.unwritten !== undefined && tags.unwritten > 0
    const limit = bytes - site.width
    let inside = lanes
    for (let lane = 0; lane < WARP_LANES; lane++) {
      if (!((lanes >>> lane) & 1)) continue
      const address = addresses[lane]!
      if (address < 0 || address > limit) {
        findings.outside?.(access, lane)
        inside &= ~(1 << lane)
      } else if (asks && tags.isUnwritten(address >>> unitLog2)) this.checkUnwritten(access, lane)
    }
    return inside
  }

  private checkUnwritten(access: CheckedAccess, lane: number): void {
    const { unitLog2, findings } = this.setting
    const { isPiece } = this.setting.facts[access.site.id]!
    const address = access.addresses[lane]!
    const from = isPiece ? address & -LONGEST_PADDING : address
    const bytes = isPiece ? Math.min(LONGEST_PADDING, this.setting.bytes - from) : access.site.width
    const first = from >>> unitLog2
    const units = bytes >> unitLog2 || 1
    for (let unit = first; unit < first + units; unit++) if (!this.tags.isUnwritten(unit)) return
    findings.unwritten?.(access, lane)
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

const never = (): boolean => false
