/**
 * Global and local memory of compute capability 7.0 and later: how the L1 cache cuts one warp access into 128-byte
 * tags and 32-byte sectors. In: a {@link WarpAccess}; out: plain numbers. Pure, and allocation-free because executors
 * call these for every access that is not affine.
 *
 * Source of the rules: MEMORY_MODEL.md section 1, each checked against truth/h200/patterns.json (test/metrics/patterns.test.ts).
 * Addresses are taken to be aligned to the width, as the hardware demands.
 */
import type { WarpAccess } from '../../trace.ts'
import { DistinctValues } from './distinct.ts'

export const WARP_LANES = 32
export const SECTOR_BYTES = 32
export const LINE_BYTES = 128

/** Local memory interleaves 4-byte words of the 32 lanes: a lane's next word lies a whole line further. */
export const LOCAL_WORD_STRIDE = LINE_BYTES

const blocks = new DistinctValues(WARP_LANES * 4)
const distinctAddresses = new DistinctValues(WARP_LANES)

/** Bits set in a lane mask. */
export function activeLanes(mask: number): number {
  let count = 0
  for (let rest = mask >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) count++
  return count
}

/** Distinct bytes that the active lanes touch: a broadcast counts its bytes once. */
export function distinctBytes({ mask, addresses, width }: WarpAccess): number {
  distinctAddresses.clear()
  for (let lane = 0; lane < WARP_LANES; lane++) if ((mask >>> lane) & 1) distinctAddresses.add(addresses[lane]!)
  return distinctAddresses.count * width
}

/** Distinct aligned blocks of 2^shift bytes that the active lanes touch. */
function distinctBlocks({ space, mask, addresses, width }: WarpAccess, shift: number): number {
  const pieces = space === 'local' && width > 4 ? width / 4 : 1
  blocks.clear()
  for (let lane = 0; lane < WARP_LANES; lane++) {
    if (!((mask >>> lane) & 1)) continue
    const address = addresses[lane]!
    for (let piece = 0; piece < pieces; piece++) blocks.add((address + piece * LOCAL_WORD_STRIDE) >>> shift)
  }
  return blocks.count
}

/** Distinct 32-byte sectors: what `l1tex__t_sectors_pipe_lsu_mem_{global,local}_op_{ld,st}` counts. */
export function sectorsTouched(access: WarpAccess): number {
  return distinctBlocks(access, 5)
}

/** Distinct 128-byte lines: what `smsp__sass_l1tex_tags_mem_global` counts. */
export function linesTouched(access: WarpAccess): number {
  return distinctBlocks(access, 7)
}

/** Sectors that the same lanes would need if their bytes were contiguous and aligned (`..._sectors_global_ideal`). */
export function idealSectors(mask: number, width: number): number {
  return Math.ceil((activeLanes(mask) * width) / SECTOR_BYTES)
}

const atomicSectors = new DistinctValues(WARP_LANES)
const atomicAddresses = new DistinctValues(WARP_LANES)
const lanesAtAddress = new Uint8Array(WARP_LANES)
const mostInSector = new Uint8Array(WARP_LANES)

/**
 * Sectors of a global atomic, with or without a result: one packet a sector carries each address at most once, so a sector
 * is sent as often as its most wanted address is hit; summed over sectors. Source: MEMORY_MODEL.md section 1, and 372
 * launches read for this project (test/metrics/readings/atomics.json): exact while the warp touches at most four 128-byte
 * lines; beyond, the machine sometimes splits a sector once or twice more, for a reason that the readings do not show.
 */
export function atomicSectorsSent({ mask, addresses }: WarpAccess): number {
  atomicSectors.clear()
  atomicAddresses.clear()
  let sent = 0
  for (let lane = 0; lane < WARP_LANES; lane++) {
    if (!((mask >>> lane) & 1)) continue
    const address = addresses[lane]!
    const isNewAddress = atomicAddresses.add(address)
    const addressIndex = isNewAddress ? atomicAddresses.count - 1 : atomicAddresses.indexOf(address)
    const sector = address >>> 5
    const isNewSector = atomicSectors.add(sector)
    const sectorIndex = isNewSector ? atomicSectors.count - 1 : atomicSectors.indexOf(sector)
    const lanes = isNewAddress ? 1 : lanesAtAddress[addressIndex]! + 1
    lanesAtAddress[addressIndex] = lanes
    if (isNewSector) mostInSector[sectorIndex] = 0
    if (lanes > mostInSector[sectorIndex]!) {
      mostInSector[sectorIndex] = lanes
      sent++
    }
  }
  return sent
}

/**
 * Sectors of a copy to shared memory past the registers. Through the L1 they are a load's. Past it (`cp.async.cg`, of 16 bytes:
 * LDGSTS.BYPASS) pieces are sent that come from one line and go to one 32-byte sector of shared memory, wherever in the line the halves lie.
 * Equal to 96 readings of an H200: test/metrics/readings/asyncCopies.json; `cp.async.ca` of 16 bytes: readings of unseen25 (cp_async_bench).
 */
export function copiedSectors(access: WarpAccess, destinations: Uint32Array): number {
  if (!access.passesL1) return sectorsTouched(access)
  const pieces = new Set<number>()
  for (let lane = 0; lane < WARP_LANES; lane++)
    if ((access.mask >>> lane) & 1) pieces.add((access.addresses[lane]! >>> 7) * 2 ** 13 + (destinations[lane]! >>> 5))
  return pieces.size
}
