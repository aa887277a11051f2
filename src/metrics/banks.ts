/**
 * Shared memory of compute capability 5.0 and later: 32 banks of 4 bytes. In: a {@link WarpAccess} with offsets in the
 * block's window; out: wavefronts, the passes over the banks that the access costs. Pure and allocation-free.
 *
 * Source of the rules: MEMORY_MODEL.md section 2, exact on truth/h200/patterns.json (test/metrics/patterns.test.ts).
 */
import type { WarpAccess } from '../trace.ts'
import { activeLanes, WARP_LANES } from './coalescing.ts'

export const BANKS = 32
export const BANK_BYTES = 4

/** Words seen so far in each bank of the pass at hand; a pass touches at most 64 words (16 lanes x 16 bytes). */
const WORDS_A_PASS = 64
const wordsInBank = new Uint8Array(BANKS)
const wordTable = new Uint32Array(BANKS * WORDS_A_PASS)

/** True when every pair of active lanes n and n ^ distance reads one address. */
function pairsShareAddress(mask: number, addresses: Uint32Array, distance: number): boolean {
  for (let lane = 0; lane < WARP_LANES; lane++) {
    const partner = lane ^ distance
    if (partner < lane || !((mask >>> lane) & 1) || !((mask >>> partner) & 1)) continue
    if (addresses[lane] !== addresses[partner]) return false
  }
  return true
}

/**
 * Passes that the hardware cuts the warp into, active or not: 1 up to 4 bytes, 2 for 8, 4 for 16; half as many for a load
 * whose neighbours (n, n ^ 1 or n, n ^ 2) read the same addresses. Stores and atomics never merge.
 */
export function sharedPasses({ op, width, mask, addresses }: WarpAccess): number {
  const passes = width <= 4 ? 1 : width / 4
  if (passes === 1 || op !== 'load') return passes
  const merges = pairsShareAddress(mask, addresses, 1) || pairsShareAddress(mask, addresses, 2)
  return merges ? passes / 2 : passes
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
 * What `smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_*` counts for one access: over the passes, the most
 * distinct 4-byte words that one bank must deliver. The same word, read or written by several lanes, counts once.
 */
export function sharedWavefronts(access: WarpAccess): number {
  const lanes = WARP_LANES / sharedPasses(access)
  let wavefronts = 0
  for (let first = 0; first < WARP_LANES; first += lanes) {
    wavefronts += passCost(access.mask, access.addresses, access.width, first, first + lanes)
  }
  return wavefronts
}

/**
 * Wavefronts without bank conflicts, as Nsight Compute's `memory_l1_wavefronts_shared_ideal`: the active lanes' bytes at
 * 128 a wavefront, half of that (rounded up) where the load merge rule joins lanes. Equal to 718 of 719 readings
 * (test/metrics/readings/sharedIdeal.json).
 */
export function idealSharedWavefronts(access: WarpAccess): number {
  const full = Math.ceil((activeLanes(access.mask) * access.width) / (BANKS * BANK_BYTES))
  const merged = access.width > BANK_BYTES && sharedPasses(access) < access.width / BANK_BYTES
  return merged ? Math.ceil(full / 2) : full
}

/** Groups of `lanes` lanes (8, 16 or 32) that hold an active lane. */
export function activePasses(mask: number, lanes: number): number {
  if (lanes === WARP_LANES) return mask === 0 ? 0 : 1
  const group = 2 ** lanes - 1
  let count = 0
  for (let first = 0; first < WARP_LANES; first += lanes) if ((mask >>> first) & group) count++
  return count
}
