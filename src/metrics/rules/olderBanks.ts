/**
 * Shared memory of compute capability 1.x to 3.x. In: a {@link WarpAccess}; out: wavefronts and their ideal.
 * Source: MEMORY_MODEL.md section 2, from the CUDA C Programming Guides 2.3 (5.1.2.5), 4.2 (F.4.3) and 10.2 (H.3.3).
 * Labelled `modelled`: no readings of these machines were at hand beyond the documents' own numbers.
 */
import type { WarpAccess } from '../../trace.ts'
import { activePasses } from './banks.ts'
import { WARP_LANES } from './coalescing.ts'
import { DistinctValues } from './distinct.ts'

export interface BankCounts {
  readonly wavefronts: number
  readonly wavefrontsIdeal: number
}

export type BankRule = (access: WarpAccess) => BankCounts

const HALF_WARP = 16
const BANKS_1X = 16

/**
 * Steps that a half-warp of 1.x needs for one 32-bit request: each step serves every lane that reads the broadcast word
 * (here: the lowest waiting lane's) and one lane of each other bank. Stores have no broadcast, but equal words are
 * written once.
 */
function halfWarpSteps(words: readonly number[], isLoad: boolean): number {
  let waiting = isLoad ? words : [...new Set(words)]
  let steps = 0
  while (waiting.length > 0) {
    const broadcast = waiting[0]!
    const busyBanks = new Set([broadcast % BANKS_1X])
    waiting = waiting.filter((word, index) => {
      if (index === 0 || word === broadcast) return false
      const bank = word % BANKS_1X
      if (busyBanks.has(bank)) return true
      busyBanks.add(bank)
      return false
    })
    steps++
  }
  return steps
}

/** 1.x: 16 banks, the half-warps one after the other, 8 and 16 bytes as 2 and 4 requests of 32 bits. */
export const halfWarpBanks: BankRule = ({ op, mask, addresses, width }) => {
  const requests = Math.max(1, width / 4)
  let wavefronts = 0
  for (let first = 0; first < WARP_LANES; first += HALF_WARP) {
    const lanes: number[] = []
    for (let lane = first; lane < first + HALF_WARP; lane++) if ((mask >>> lane) & 1) lanes.push(addresses[lane]! >>> 2)
    for (let request = 0; request < requests; request++) {
      wavefronts += halfWarpSteps(
        lanes.map(word => word + request),
        op === 'load',
      )
    }
  }
  return { wavefronts, wavefrontsIdeal: requests * activePasses(mask, HALF_WARP) }
}

const rowsOfBank = Array.from({ length: 32 }, () => new DistinctValues(WARP_LANES * 4))

/** Most distinct rows that one bank must deliver; `bankOf` and `rowOf` take a word's index. */
function mostRows(
  { mask, addresses, width }: WarpAccess,
  first: number,
  end: number,
  bankOf: (word: number) => number,
  rowOf: (word: number) => number,
): number {
  for (const rows of rowsOfBank) rows.clear()
  const words = Math.max(1, width / 4)
  let most = 0
  for (let lane = first; lane < end; lane++) {
    if (!((mask >>> lane) & 1)) continue
    const firstWord = addresses[lane]! >>> 2
    for (let word = firstWord; word < firstWord + words; word++) {
      const rows = rowsOfBank[bankOf(word)]!
      rows.add(rowOf(word))
      most = Math.max(most, rows.count)
    }
  }
  return most
}

const bank32 = (word: number): number => word % 32
const row32 = (word: number): number => Math.floor(word / 32)

/**
 * 2.x: 32 banks of 4 bytes; whole warps up to 4 bytes, half-warps for 8. A 16-byte request goes by quarter-warps, each
 * with one conflict more than its words show ("the majority of 128-bit accesses will cause 2-way bank conflicts").
 */
export const fermiBanks: BankRule = access => {
  const lanes = access.width <= 4 ? 32 : access.width === 8 ? 16 : 8
  const extra = access.width === 16 ? 1 : 0
  let wavefronts = 0
  for (let first = 0; first < WARP_LANES; first += lanes) {
    const cost = mostRows(access, first, first + lanes, bank32, row32)
    wavefronts += cost === 0 ? 0 : cost + extra
  }
  return { wavefronts, wavefrontsIdeal: activePasses(access.mask, lanes) * (1 + extra) }
}

/**
 * 3.x: 32 banks of 8 bytes. In 8-byte mode a bank's row is one 64-bit word; in 4-byte mode successive 32-bit words go to
 * successive banks and words i and i + 32 of an aligned 64-word segment are one row. Either way a row is 256 bytes.
 * @param bankBytes the mode set with cudaDeviceSetSharedMemConfig
 */
export function keplerBanks(bankBytes: 4 | 8): BankRule {
  const bankOf = bankBytes === 8 ? (word: number) => (word >>> 1) % 32 : bank32
  const rowOf = (word: number) => word >>> 6
  return access => {
    const lanes = access.width <= 8 ? 32 : 16
    let wavefronts = 0
    for (let first = 0; first < WARP_LANES; first += lanes) {
      wavefronts += mostRows(access, first, first + lanes, bankOf, rowOf)
    }
    return { wavefronts, wavefrontsIdeal: activePasses(access.mask, lanes) }
  }
}
