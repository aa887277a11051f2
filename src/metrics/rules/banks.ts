/**
 * Shared memory of compute capability 5.0 and later: 32 banks of 4 bytes. In: a {@link WarpAccess} with offsets in the
 * block's window; out: wavefronts, the passes over the banks that the access costs. Pure and allocation-free.
 *
 * Source of the rules: MEMORY_MODEL.md section 2, exact on truth/h200/patterns.json (test/metrics/patterns.test.ts), with the
 * merging of wide loads as our own readings have it.
 */
import type { WarpAccess } from '../../trace.ts'
import { activeLanes, WARP_LANES } from './coalescing.ts'

export const BANKS = 32
export const BANK_BYTES = 4

/** Words seen so far in each bank of the pass at hand; two passes together touch at most 64 words. */
const WORDS_A_PASS = 64
const wordsInBank = new Uint8Array(BANKS)
const wordTable = new Uint32Array(BANKS * WORDS_A_PASS)

/** True when every pair of active lanes n and n ^ distance, of those from `first` to `end - 1`, reads one address. */
function pairsShareAddress(
  mask: number,
  addresses: Uint32Array,
  first: number,
  end: number,
  distance: number,
): boolean {
  for (let lane = first; lane < end; lane++) {
    const partner = lane ^ distance
    if (partner < lane || !((mask >>> lane) & 1) || !((mask >>> partner) & 1)) continue
    if (addresses[lane] !== addresses[partner]) return false
  }
  return true
}

/** Whether each active lane wants a word of its own from a bank of its own: what most accesses of four bytes do, told soon. */
export function areInOwnBanks({ mask, addresses, width }: WarpAccess): boolean {
  if (width !== BANK_BYTES) return false
  let wanted = 0
  for (let lane = 0; lane < WARP_LANES; lane++) {
    if (!((mask >>> lane) & 1)) continue
    const bank = 1 << ((addresses[lane]! >>> 2) % BANKS)
    if (wanted & bank) return false
    wanted |= bank
  }
  return wanted !== 0
}

/** Most distinct words that the active lanes `first` to `end - 1` want from one bank. 0 without an active lane. */
function passCost(mask: number, addresses: Uint32Array, width: number, first: number, end: number): number {
  const words = width <= BANK_BYTES ? 1 : width / BANK_BYTES
  wordsInBank.fill(0)
  let cost = 0
  for (let lane = first; lane < end; lane++) {
    if (!((mask >>> lane) & 1)) continue
    const firstWord = addresses[lane]! >>> 2
    for (let word = firstWord; word < firstWord + words; word++) {
      const bank = word % BANKS
      const row = bank * WORDS_A_PASS
      const count = wordsInBank[bank]!
      let index = count - 1
      while (index >= 0 && wordTable[row + index] !== word) index--
      if (index >= 0) continue
      wordTable[row + count] = word
      wordsInBank[bank] = count + 1
      if (count + 1 > cost) cost = count + 1
    }
  }
  return cost
}

/**
 * Cost of two neighbouring passes of a wide load, lanes `first` to `first + 2 lanes - 1`. They become one when neighbours
 * (every pair n, n ^ 1 or every pair n, n ^ 2 of both) read the same addresses and the one pass is free of conflicts.
 */
function twoPassCost({ op, mask, addresses, width }: WarpAccess, first: number, lanes: number): number {
  const end = first + 2 * lanes
  const merges =
    op === 'load' &&
    (pairsShareAddress(mask, addresses, first, end, 1) || pairsShareAddress(mask, addresses, first, end, 2)) &&
    passCost(mask, addresses, width, first, end) <= 1
  if (merges) return passCost(mask, addresses, width, first, end)
  return passCost(mask, addresses, width, first, first + lanes) + passCost(mask, addresses, width, first + lanes, end)
}

/**
 * What `smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_*` counts for one access: over the passes (1 up to 4 bytes,
 * 2 half-warps for 8, 4 quarter-warps for 16), the most distinct 4-byte words that one bank must deliver. The same word,
 * read or written by several lanes, counts once. Stores and atomics never merge passes.
 *
 * Equal to all of patterns.json and to 342 of 348 random wide loads with holes and equal neighbours, read for this project
 * (test/metrics/readings/mergedLoads.json); the six are 16-byte loads with inactive lanes, one off.
 */
export function sharedWavefronts(access: WarpAccess): number {
  const { mask, addresses, width } = access
  if (width <= BANK_BYTES) return passCost(mask, addresses, width, 0, WARP_LANES)
  const lanes = (WARP_LANES * BANK_BYTES) / width
  let wavefronts = 0
  for (let first = 0; first < WARP_LANES; first += 2 * lanes) wavefronts += twoPassCost(access, first, lanes)
  return wavefronts
}

/**
 * Wavefronts without bank conflicts, as Nsight Compute's `memory_l1_wavefronts_shared_ideal`: the active lanes' bytes at
 * 128 a wavefront, or the access's own wavefronts where merging makes them fewer. Equal to all 1,067 readings
 * (test/metrics/readings/sharedIdeal.json and mergedLoads.json).
 * @param wavefronts of the same access, by {@link sharedWavefronts}
 */
export function idealSharedWavefronts({ mask, width }: WarpAccess, wavefronts: number): number {
  return Math.min(wavefronts, Math.ceil((activeLanes(mask) * width) / (BANKS * BANK_BYTES)))
}

/** Groups of `lanes` lanes (8, 16 or 32) that hold an active lane. */
export function activePasses(mask: number, lanes: number): number {
  if (lanes === WARP_LANES) return mask === 0 ? 0 : 1
  const group = 2 ** lanes - 1
  let count = 0
  for (let first = 0; first < WARP_LANES; first += lanes) if ((mask >>> first) & group) count++
  return count
}
