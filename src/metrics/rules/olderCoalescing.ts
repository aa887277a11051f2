/**
 * Global memory of compute capability 1.0 to 6.x: how each generation cuts a warp access into transactions.
 * In: a {@link WarpAccess}; out: transactions and the 32-byte units that they move.
 * Source: MEMORY_MODEL.md section 3, from the CUDA C Programming Guides 2.3 (5.1.2.1), 4.2 (F.3.2, F.4.2) and 10.2 (H.3 to
 * H.5); the seed documents' numbers are in test/metrics/olderGenerations.test.ts. Nothing here was measured by us: all of
 * it is labelled `modelled`.
 */
import type { WarpAccess } from '../../trace.ts'
import { activePasses } from './banks.ts'
import { idealSectors, LINE_BYTES, SECTOR_BYTES, sectorsTouched, WARP_LANES } from './coalescing.ts'
import { DistinctValues } from './distinct.ts'

/** What an access costs in a generation's own units. */
export interface TransactionCounts {
  /** What nvprof's `gld_transactions` or `gst_transactions` counts. */
  readonly transactions: number
  /** Bytes moved, in units of 32. */
  readonly sectors: number
  /** The fewest 32-byte units that the same lanes could have moved. */
  readonly sectorsIdeal: number
}

export type CoalescingRule = (access: WarpAccess) => TransactionCounts

const HALF_WARP = 16
const isActive = (mask: number, lane: number): boolean => ((mask >>> lane) & 1) === 1
const halfIsActive = (mask: number, first: number): boolean => ((mask >>> first) & 0xffff) !== 0

/** Lanes of a half-warp touch word k of one aligned segment each, in order; lanes may be off. */
function isInOrder({ mask, addresses, width }: WarpAccess, first: number): boolean {
  if (width < 4) return false
  let segment = -1
  for (let lane = first; lane < first + HALF_WARP; lane++) {
    if (!isActive(mask, lane)) continue
    const start = addresses[lane]! - (lane - first) * width
    if (segment < 0) segment = start
    if (start !== segment || start % (HALF_WARP * width) !== 0) return false
  }
  return true
}

/** 1.0 and 1.1: a half-warp in order costs one segment (two of 128 bytes at 16 bytes a lane), any other 16 transactions. */
export const strictHalfWarps: CoalescingRule = access => {
  const { mask, width } = access
  const inOrderTransactions = width === 16 ? 2 : 1
  const inOrderSectors = (HALF_WARP * width) / SECTOR_BYTES
  let transactions = 0
  let sectors = 0
  for (let first = 0; first < WARP_LANES; first += HALF_WARP) {
    if (!halfIsActive(mask, first)) continue
    const inOrder = isInOrder(access, first)
    transactions += inOrder ? inOrderTransactions : HALF_WARP
    sectors += inOrder ? inOrderSectors : HALF_WARP
  }
  const ideal = width < 4 ? HALF_WARP : inOrderSectors
  return { transactions, sectors, sectorsIdeal: ideal * activePasses(mask, HALF_WARP) }
}

const segmentBytes = (width: number): number => (width === 1 ? 32 : width === 2 ? 64 : 128)

/**
 * 1.2 and 1.3: a half-warp takes the segment of its lowest active lane, serves every lane in it, and moves the least of
 * 128, 64 or 32 bytes that holds what they touch; then the next lowest lane, until none is left.
 */
export const segmentedHalfWarps: CoalescingRule = ({ mask, addresses, width }) => {
  const segment = segmentBytes(width)
  let transactions = 0
  let bytes = 0
  for (let first = 0; first < WARP_LANES; first += HALF_WARP) {
    let left = (mask >>> first) & 0xffff
    while (left !== 0) {
      const leader = 31 - Math.clz32(left & -left)
      const start = Math.floor(addresses[first + leader]! / segment) * segment
      let lowest = segment
      let end = 0
      for (let lane = 0; lane < HALF_WARP; lane++) {
        const offset = addresses[first + lane]! - start
        if (!((left >>> lane) & 1) || offset < 0 || offset >= segment) continue
        left &= ~(1 << lane)
        lowest = Math.min(lowest, offset)
        end = Math.max(end, offset + width)
      }
      transactions++
      bytes += reducedSize(segment, lowest, end)
    }
  }
  let sectorsIdeal = 0
  for (const half of [mask & 0xffff, mask >>> HALF_WARP]) sectorsIdeal += idealSectors(half, width)
  return { transactions, sectors: bytes / SECTOR_BYTES, sectorsIdeal }
}

/** Halves a transaction while only its lower or only its upper half is used, down to 32 bytes. */
function reducedSize(segment: number, lowest: number, end: number): number {
  let size = segment
  let start = 0
  while (size > SECTOR_BYTES) {
    const middle = start + size / 2
    if (lowest >= middle) start = middle
    else if (end > middle) break
    size /= 2
  }
  return size
}

const blocks = new DistinctValues(WARP_LANES)

/** Sum over groups of `lanes` lanes of the distinct aligned blocks that each group touches. */
function blocksByGroup({ mask, addresses }: WarpAccess, lanes: number, blockBytes: number): number {
  let sum = 0
  for (let first = 0; first < WARP_LANES; first += lanes) {
    blocks.clear()
    for (let lane = first; lane < first + lanes; lane++) {
      if (isActive(mask, lane)) blocks.add(Math.floor(addresses[lane]! / blockBytes))
    }
    sum += blocks.count
  }
  return sum
}

/** 2.x and 3.x: whole warps up to 4 bytes a lane, half-warps for 8, quarter-warps for 16. */
const linesGroup = (width: number): number => (width <= 4 ? 32 : width === 8 ? 16 : 8)

/** 2.x (and 3.5 where asked for): loads fetch whole 128-byte lines into L1. */
export const linesInL1: CoalescingRule = access => {
  const lines = blocksByGroup(access, linesGroup(access.width), LINE_BYTES)
  const lineSectors = LINE_BYTES / SECTOR_BYTES
  const idealLines = Math.ceil(idealSectors(access.mask, access.width) / lineSectors)
  return { transactions: lines, sectors: lines * lineSectors, sectorsIdeal: idealLines * lineSectors }
}

/** 2.x stores, and 3.x by default: past L1 to L2 in 32-byte segments; nvprof counts 128-byte lines. */
export const segmentsInL2: CoalescingRule = access => {
  const lanes = linesGroup(access.width)
  return {
    transactions: blocksByGroup(access, lanes, LINE_BYTES),
    sectors: blocksByGroup(access, lanes, SECTOR_BYTES),
    sectorsIdeal: idealSectors(access.mask, access.width),
  }
}

/** 5.x and 6.x: the lanes that enter the tag stage together. */
const sectoredGroup = (width: number): number => (width <= 4 ? 8 : width === 8 ? 4 : 2)

/**
 * 5.x and 6.x loads. What moves is the distinct sectors of the warp; what `gld_transactions` counts is returned data in
 * 8-byte units for each active group of 8 lanes, wherever they point: 16 a full 4-byte request (document 004's riddle;
 * MEMORY_MODEL.md section 3).
 */
export const sectoredLoads: CoalescingRule = access => ({
  transactions: activePasses(access.mask, 8) * access.width,
  sectors: sectorsTouched(access),
  sectorsIdeal: idealSectors(access.mask, access.width),
})

/** 5.x and 6.x stores: `gst_transactions` counts the distinct sectors of each group of lanes. */
export const sectoredStores: CoalescingRule = access => ({
  transactions: blocksByGroup(access, sectoredGroup(access.width), SECTOR_BYTES),
  sectors: sectorsTouched(access),
  sectorsIdeal: idealSectors(access.mask, access.width),
})
