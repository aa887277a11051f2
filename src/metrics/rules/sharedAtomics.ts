/**
 * Atomics in shared memory of compute capability 5.0 and later. In: a {@link WarpAccess} with offsets in the block's window.
 * Out: wavefronts, and for atomics that the machine does not have, the loop that stands for them. Pure.
 *
 * Source: readings of an H200, scripts/fidelity/cases/machineCompiler (sharedAdd and its neighbours) and
 * test/metrics/readings/sharedAtomics.json, 28 patterns of addresses and lanes: no mismatch.
 */
import type { WarpAccess } from '../../trace.ts'
import { BANK_BYTES, BANKS, sharedWavefronts } from './banks.ts'
import { WARP_LANES } from './coalescing.ts'

/** Lanes of a pass: the warp up to 4 bytes, a half-warp for 8. */
const passLanes = (width: number): number => (width <= BANK_BYTES ? WARP_LANES : (WARP_LANES * BANK_BYTES) / width)

/** One bit for each bank that an access at this offset wants. */
function banksOf(address: number, width: number): number {
  const first = (address >>> 2) % BANKS
  return width <= BANK_BYTES ? 1 << first : (1 << first) | (1 << ((first + 1) % BANKS))
}

/**
 * What `smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom` counts: over the passes, the most lanes that want one
 * bank, whether they want the same word or not; a compare-and-swap twice that. Increments are stores to the banks: lanes of one
 * word are added up first.
 */
export function atomicWavefronts(access: WarpAccess): number {
  const { form, mask, addresses, width } = access
  if (form === 'increment') return sharedWavefronts(access)
  const lanes = passLanes(width)
  let wavefronts = 0
  for (let first = 0; first < WARP_LANES; first += lanes) {
    const inBank = new Uint8Array(BANKS)
    let most = 0
    for (let lane = first; lane < first + lanes; lane++)
      if ((mask >>> lane) & 1) most = Math.max(most, ++inBank[(addresses[lane]! >>> 2) % BANKS]!)
    wavefronts += most
  }
  return form === 'compare' ? 2 * wavefronts : wavefronts
}

/** The lanes that go round: all that want the atomic, or the one that speaks for them. */
export const lanesOfLoop = ({ form, mask }: WarpAccess): number => (form === 'loopOfOne' ? mask & -mask : mask)

export interface AtomicLoop {
  readonly attempts: number
  readonly attemptWavefronts: number
  readonly wavefronts: number
}

/** Wavefronts of one pass of a compare-and-swap after a load: whoever loses tries again rather than waiting. */
const WAVEFRONTS_A_SWAP = 2

/**
 * The loop of loads and compare-and-swaps: in every round each bank serves the lowest lane that wants it, in each pass; the
 * others try again, and so does who finds that an earlier pass of the round has changed the value. Atomics that change nothing
 * (a sum with 0, a maximum that is smaller) succeed sooner on the machine, and other warps at the same words make rounds more:
 * neither is known here, so that the numbers are modelled.
 */
export function countAtomicLoop(access: WarpAccess): AtomicLoop {
  const { addresses, width } = access
  const lanes = passLanes(width)
  let [attempts, attemptWavefronts, wavefronts] = [0, 0, 0]
  for (let active = lanesOfLoop(access); active !== 0; attempts++) {
    attemptWavefronts += sharedWavefronts({ space: 'shared', op: 'load', width, mask: active, addresses })
    let done = 0
    for (let first = 0; first < WARP_LANES; first += lanes) {
      const inPass = lanes === WARP_LANES ? active : active & (((1 << lanes) - 1) << first)
      if (inPass === 0) continue
      wavefronts += WAVEFRONTS_A_SWAP
      done |= winners(inPass, addresses, width, done)
    }
    active &= ~done
  }
  return { attempts, attemptWavefronts, wavefronts }
}

/** The lanes of a pass whose compare-and-swap succeeds; `earlier` are those of the passes before. */
function winners(inPass: number, addresses: Uint32Array, width: number, earlier: number): number {
  let busy = 0
  let won = 0
  for (let lane = 0; lane < WARP_LANES; lane++) {
    if (!((inPass >>> lane) & 1)) continue
    const banks = banksOf(addresses[lane]!, width)
    if (busy & banks) continue
    busy |= banks
    if (!isAmong(earlier, addresses, addresses[lane]!)) won |= 1 << lane
  }
  return won
}

function isAmong(lanes: number, addresses: Uint32Array, address: number): boolean {
  for (let lane = 0; lane < WARP_LANES; lane++) if ((lanes >>> lane) & 1 && addresses[lane] === address) return true
  return false
}
