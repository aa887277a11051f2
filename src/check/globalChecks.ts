/**
 * Accesses of global, constant and local memory: outside of everything that is allocated (memcheck), and of bytes that nobody wrote
 * (initcheck). The lanes of a warp are mostly in one allocation, and mostly the one of the time before.
 */
import { DEVICE_BASE, WARP_LANES } from '../addressSpace.ts'
import type { AddressRow, CheckedAccess } from '../launch.ts'
import type { Site } from '../trace.ts'
import {
  areWritten,
  type DeviceRange,
  type DeviceRanges,
  isAnyWritten,
  LONGEST_PADDING,
  markWritten,
} from './deviceRanges.ts'
import type { SiteFacts } from './siteFacts.ts'

/** A lane did what it must not. */
export type LaneFinding = (access: CheckedAccess, lane: number) => void

export interface GlobalFindings {
  readonly outside: LaneFinding | undefined
  readonly unwritten: LaneFinding | undefined
}

const NOWHERE: DeviceRange = { start: 0, end: 0, written: undefined, isChanged: false }

function isNearWritten(range: DeviceRange, offset: number): boolean {
  const from = offset - ((offset - range.start) % LONGEST_PADDING)
  return isAnyWritten(range, from, Math.min(LONGEST_PADDING, range.end - from))
}

export class GlobalChecks {
  private readonly ranges: DeviceRanges
  private readonly facts: readonly SiteFacts[]
  private readonly findings: GlobalFindings
  /** Of each site, where it was last. */
  private readonly last: DeviceRange[]

  constructor(ranges: DeviceRanges, facts: readonly SiteFacts[], findings: GlobalFindings) {
    this.ranges = ranges
    this.facts = facts
    this.findings = findings
    this.last = facts.map(() => NOWHERE)
  }

  check(access: CheckedAccess): void {
    const { site, lanes, addresses } = access
    const { id, width } = site
    const range = this.last[id]!
    const { start, end } = range
    // Distances from the start are compared as numbers of 31 bits, which engines do in one instruction.
    const limit = Math.min(end - start, 0x7fff_ffff) - width
    const first = (start + DEVICE_BASE) | 0
    let isInside = true
    for (let lane = 0; lane < WARP_LANES; lane++) {
      const distance = (addresses[lane]! - first) | 0
      if ((distance < 0 || distance > limit) && (lanes >>> lane) & 1) {
        isInside = false
        break
      }
    }
    if (!isInside) this.checkEach(access)
    else if (range.written) this.checkWritten(access, range, lanes)
  }

  /** Whether nothing is to be said: all lanes are where the site was last, and what is read there was written, as far as somebody keeps that. */
  checkRow({ id, width }: Site, lanes: number, address: number, { least, most, isRun }: AddressRow): boolean {
    const range = this.last[id]!
    const { start, end, written } = range
    const first = (address - DEVICE_BASE) >>> 0
    if (first + least < start || first + most + width > end) return false
    if (!written) return true
    return lanes === -1 && isRun && width === 4 && this.checkRun(range, written, id, first + least - start)
  }

  /** The same of 32 words in a row: 16 bytes of bits where they begin at a multiple of 32. */
  private checkRun(range: DeviceRange, written: Uint8Array, site: number, from: number): boolean {
    if ((from & 31) !== 0) return false
    const { reads, writes } = this.facts[site]!
    const at = from >>> 3
    if (reads) for (let byte = at; byte < at + 16; byte++) if (written[byte] !== 0xff) return false
    if (writes) {
      range.isChanged = true
      for (let byte = at; byte < at + 16; byte++) written[byte] = 0xff
    }
    return true
  }

  /** Where nothing is to be said of a site's accesses: where it was last, if nobody keeps what was written there. */
  quietRange({ id }: Site): DeviceRange | undefined {
    const range = this.last[id]!
    return range === NOWHERE || range.written ? undefined : range
  }

  private checkEach(access: CheckedAccess): void {
    const { site, lanes, addresses } = access
    const { id, width } = site
    const inRange = new Map<DeviceRange, number>()
    for (let lane = 0; lane < WARP_LANES; lane++) {
      if (!((lanes >>> lane) & 1)) continue
      const offset = (addresses[lane]! - DEVICE_BASE) >>> 0
      const range = this.ranges.at(offset)
      if (!range || offset + width > range.end) this.findings.outside?.(access, lane)
      else inRange.set(range, (inRange.get(range) ?? 0) | (1 << lane))
    }
    for (const [range, some] of inRange) {
      this.last[id] = range
      if (range.written) this.checkWritten(access, range, some)
    }
  }

  private checkWritten(access: CheckedAccess, range: DeviceRange, lanes: number): void {
    const { site, addresses } = access
    const { id, width } = site
    const { reads, writes, isWhole } = this.facts[id]!
    const { start } = range
    const written = range.written!
    const { unwritten } = this.findings
    if (writes) range.isChanged = true
    for (let lane = 0; lane < WARP_LANES; lane++) {
      if (!((lanes >>> lane) & 1)) continue
      const offset = (addresses[lane]! - DEVICE_BASE) >>> 0
      if (width === 4) {
        const at = (offset - start) >>> 3
        const bits = 0xf << ((offset - start) & 4)
        const known = written[at]! & bits
        if (reads && known !== bits && (isWhole || !this.isExcused(range, offset, width, id))) unwritten?.(access, lane)
        if (writes) written[at]! |= bits
        continue
      }
      if (reads && !(isWhole ? areWritten(range, offset, width) : this.isExcused(range, offset, width, id)))
        unwritten?.(access, lane)
      if (writes) markWritten(range, offset, width)
    }
  }

  /** A copy of a structure, of which some bytes were written: the others may be padding. */
  private isExcused(range: DeviceRange, offset: number, width: number, site: number): boolean {
    return isAnyWritten(range, offset, width) || (this.facts[site]!.isPiece && isNearWritten(range, offset))
  }
}
