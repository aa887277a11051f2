/**
 * How long L1 takes for a load that it has. In: a warp's load and how many lines it touches. Out: cycles of its multiprocessor. The data lie in
 * 32 banks of 4 bytes as shared memory does, and four tags are looked up in a cycle. Source, own: loads of 21 patterns out of the L1 of an
 * H100, one to 32 lines, rows that share banks and rows that do not, 4 to 16 bytes a lane: all within 1 %. One place of 8 or 16 bytes for all
 * lanes takes 2 or 4 cycles, as 32 places do (`narrow.cu`; in shared memory 1 and 2).
 */
import type { WarpAccess } from '../../trace.ts'
import { BANK_BYTES, sharedWavefronts } from '../rules/banks.ts'

const TAGS_PER_CYCLE = 4
const WARP_LANES = 32

export function l1LoadCycles(access: WarpAccess, lines: number): number {
  // A thread's local memory lies word by word beside that of its neighbours: no two lanes want one bank.
  const wavefronts = access.space === 'local' ? Math.max(1, access.width / BANK_BYTES) : sharedWavefronts(access)
  return Math.max(lines / TAGS_PER_CYCLE, wavefronts, passesOf(access))
}

/** Groups of lanes that 128 bytes are enough for, those with a lane that loads: each has a cycle, also where all want one place. */
function passesOf({ mask, width }: WarpAccess): number {
  const lanes = Math.min(WARP_LANES, (WARP_LANES * BANK_BYTES) / width)
  let passes = 0
  for (let first = 0; first < WARP_LANES; first += lanes) if ((mask >>> first) & (2 ** lanes - 1)) passes++
  return passes
}
