/**
 * PTX's `exit` ends the thread wherever it stands. In a kernel that holds all its calls that is a return: what follows in the
 * block is dropped. Runs after inlining.
 */
import { successors, terminatorOf } from '../../ir/graph.ts'
import type { Func } from '../../ir/ir.ts'
import { VOID } from '../../ir/types.ts'
import { cutAt, phisOf } from '../rewriting/blocks.ts'

export function endThreads(kernel: Func): void {
  for (const block of kernel.blocks) {
    const exit = block.instructions.find(
      ({ op, ...call }) =>
        op === 'call' && 'callee' in call && call.callee.kind === 'function' && call.callee.name === 'llvm.nvvm.exit',
    )
    if (!exit) continue
    const dropped = cutAt(exit, `${block.name}.dropped`)
    for (const next of successors(terminatorOf(dropped)))
      for (const phi of phisOf(next)) phi.incoming = phi.incoming.filter(incoming => incoming.block !== dropped)
    const { location } = exit
    block.instructions.push({ kind: 'instruction', op: 'ret', type: VOID, name: '', block, location, value: undefined })
  }
}
