/** Which values are still needed at the start of each block: what a warp suspended at a barrier has to keep. */
import { operandsOf, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Func, Instruction } from '../../ir/ir.ts'
import { phisOf } from '../rewriting/blocks.ts'

/** Values made by instructions and read in the block or behind it; phis of a block are made at its entry, not live into it. */
export function liveIn(func: Func): Map<Block, Set<Instruction>> {
  const live = new Map<Block, Set<Instruction>>(func.blocks.map(block => [block, new Set()]))
  for (let changed = true; changed; ) {
    changed = false
    for (const block of [...func.blocks].reverse()) {
      const now = new Set<Instruction>()
      for (const next of successors(terminatorOf(block))) {
        for (const value of live.get(next)!) now.add(value)
        // All are written at once: what one of them was may be what another one becomes.
        const phis = phisOf(next)
        for (const phi of phis) now.delete(phi)
        for (const { incoming } of phis)
          for (const { value, block: from } of incoming)
            if (from === block && value.kind === 'instruction') now.add(value)
      }
      for (const instruction of [...block.instructions].reverse()) {
        now.delete(instruction)
        if (instruction.op === 'phi') continue
        for (const value of operandsOf(instruction)) if (value.kind === 'instruction') now.add(value)
      }
      const before = live.get(block)!
      // Phis are written by the edges into the block, so a suspended warp resumed in it would need them too: none is, because
      // the block behind a barrier has no phis (splitBarriers.ts).
      if (now.size !== before.size) {
        live.set(block, now)
        changed = true
      }
    }
  }
  return live
}
