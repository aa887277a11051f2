/**
 * How long blocks are in the loops that stand for shared atomics the machine does not have (sums of floats, anything of 8 bytes):
 * rounds of a load and a compare-and-swap, in which one lane of those that want a bank succeeds. In: the accesses of sampled blocks.
 * Out: cycles of a block.
 *
 * Source: 96 own readings of an H200, sums of floats and doubles of 1 to 32 warps. A round of one warp takes 100 cycles. Where
 * warps want one word, one lane of all succeeds in so many cycles; more warps have more rounds on their way, and lose more of them.
 */
import type { WarpAccess } from '../trace.ts'
import { BANKS } from './banks.ts'
import { WARP_LANES } from './coalescing.ts'

const ROUND = 100
const FEW_WARPS = 8
const SUCCESS_OF_FEW = 84
const SUCCESS_OF_MANY = { word: 46, wide: 62 }

interface Word {
  lanes: number
  readonly firstWarp: number
  isShared: boolean
}

interface BlockLoops {
  readonly words: Map<number, Word>
  readonly rounds: Map<number, number>
  isWide: boolean
}

export class SharedLoops {
  readonly #blocks = new Map<number, BlockLoops>()

  record(block: number, warp: number, { mask, addresses, width }: WarpAccess): void {
    let loops = this.#blocks.get(block)
    if (!loops) this.#blocks.set(block, (loops = { words: new Map(), rounds: new Map(), isWide: false }))
    loops.isWide ||= width > 4
    const lanesOfBank = new Uint8Array(BANKS)
    for (let lane = 0; lane < WARP_LANES; lane++) {
      if (!((mask >>> lane) & 1)) continue
      const address = addresses[lane]!
      lanesOfBank[(address >>> 2) % BANKS]!++
      let word = loops.words.get(address)
      if (!word) loops.words.set(address, (word = { lanes: 0, firstWarp: warp, isShared: false }))
      word.lanes++
      word.isShared ||= word.firstWarp !== warp
    }
    loops.rounds.set(warp, (loops.rounds.get(warp) ?? 0) + Math.max(...lanesOfBank))
  }

  /**
   * Cycles of a block, the mean of `sampled` blocks.
   * @param attempts rounds of a block's warps, as counted; fewer than the lanes ask for where atomics change nothing
   */
  cyclesOfBlock(sampled: number, attempts: number): number {
    const blocks = [...this.#blocks.values()]
    if (blocks.length === 0) return 0
    const cycles = blocks.reduce((sum, loops) => sum + cyclesOf(loops), 0)
    const rounds = blocks.reduce((sum, loops) => sum + [...loops.rounds.values()].reduce((a, b) => a + b, 0), 0)
    return (cycles * Math.min(1, (attempts * sampled) / rounds)) / sampled
  }
}

function cyclesOf({ words, rounds, isWide }: BlockLoops): number {
  const success = rounds.size <= FEW_WARPS ? SUCCESS_OF_FEW : isWide ? SUCCESS_OF_MANY.wide : SUCCESS_OF_MANY.word
  const contended = [...words.values()].filter(({ isShared }) => isShared).map(({ lanes }) => lanes)
  const most = (values: Iterable<number>) => [...values].reduce((largest, value) => Math.max(largest, value), 0)
  return Math.max(ROUND * most(rounds.values()), success * most(contended))
}
