/**
 * How long blocks are in the loops that stand for shared atomics the machine does not have (sums of floats, anything of 8 bytes), and
 * in a program's own loops of compare-and-swaps: rounds of a load and a compare-and-swap, in which one lane of those that want a bank
 * succeeds. In: the accesses of sampled blocks. Out: cycles of a block.
 *
 * Source: 96 own readings of an H200, sums of floats and doubles of 1 to 32 warps. A round of one warp takes 100 cycles. Where
 * warps want one word, one lane of all succeeds in so many cycles; more warps have more rounds on their way, and lose more of them.
 */
import type { WarpAccess } from '../../trace.ts'
import { BANKS } from '../rules/banks.ts'
import { WARP_LANES } from '../rules/coalescing.ts'
import { lanesOfLoop } from '../rules/sharedAtomics.ts'

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

  record(block: number, warp: number, access: WarpAccess): void {
    const { addresses, width } = access
    const mask = lanesOfLoop(access)
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

/** Rounds of the machine for each that succeeds: of so many warps that want the word each has tried in the meantime. */
const TRIES_A_WARP = 0.72
const TRY = 10
const TRY_OF_LANE = 2.65
/** From one that succeeds to the next, beyond what a round of one lane takes. */
const FOLLOWING_LANE = 6.5
const OWN_ROUND = 140

interface SwappedWord {
  /** Rounds in which a lane changes it, and all lanes that tried in them. */
  rounds: number
  lanes: number
  /** Of each warp, the lanes that tried last. */
  readonly lastLanes: Map<number, number>
}

export interface SwapCycles {
  /** Of a block, from its first round to its last, beyond its warps' own rounds. */
  readonly waits: number
  /** That a block takes of its multiprocessor's shared memory. */
  readonly pipe: number
}

/**
 * A program's own compare-and-swaps in loops. Source: own, an H200 (114 launches): sums, maxima and locks of 1 to 32 warps at 1 to 32
 * words. Here a lane tries again only where another one of its warp was faster; there where any of the block was.
 */
export class SharedSwaps {
  readonly #blocks = new Map<number, Map<number, SwappedWord>>()

  record(block: number, warp: number, { mask, addresses }: WarpAccess): void {
    let words = this.#blocks.get(block)
    if (!words) this.#blocks.set(block, (words = new Map()))
    const lanes = new Map<number, number>()
    for (let lane = 0; lane < WARP_LANES; lane++)
      if ((mask >>> lane) & 1) lanes.set(addresses[lane]!, (lanes.get(addresses[lane]!) ?? 0) + 1)
    for (const [address, tried] of lanes) {
      let word = words.get(address)
      if (!word) words.set(address, (word = { rounds: 0, lanes: 0, lastLanes: new Map() }))
      addRound(word, warp, tried)
    }
  }

  /** The mean of `sampled` blocks. */
  cyclesOfBlock(sampled: number): SwapCycles {
    let [waits, pipe] = [0, 0]
    for (const words of this.#blocks.values()) {
      // Words are tried at once.
      const cycles = [...words.values()].map(cyclesOfSwaps)
      waits += cycles.reduce((longest, word) => Math.max(longest, word.waits), 0)
      pipe += cycles.reduce((longest, word) => Math.max(longest, word.pipe), 0)
    }
    return { waits: waits / Math.max(1, sampled), pipe: pipe / Math.max(1, sampled) }
  }
}

/** Where nothing is changed (a maximum that was there), all lanes succeed at once: no fewer of them come back. */
function addRound(word: SwappedWord, warp: number, tried: number): void {
  const before = word.lastLanes.get(warp) ?? 0
  word.lastLanes.set(warp, tried)
  if (tried < before) {
    word.rounds++
    word.lanes += before
  } else if (tried === 1 && before <= 1) {
    word.rounds++
    word.lanes++
  }
}

function cyclesOfSwaps({ rounds, lanes, lastLanes: { size: warps } }: SwappedWord): SwapCycles {
  if (rounds === 0) return { waits: 0, pipe: 0 }
  const together = lanes / rounds
  const following = OWN_ROUND + FOLLOWING_LANE * together
  const pipe = TRIES_A_WARP * warps * (TRY + TRY_OF_LANE * together)
  return { waits: rounds * (following - OWN_ROUND / warps), pipe: rounds * pipe }
}
