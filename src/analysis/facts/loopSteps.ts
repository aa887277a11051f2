/** How counters move in a loop. */
import type { PhiInstruction, Value } from '../../ir/ir.ts'
import { decompose } from './address.ts'

/**
 * What a round adds to a counter, or in bytes to a pointer: a number, or the value that it adds (of which a pointer may go a multiple);
 * undefined where it adds neither.
 */
export function addedTo(phi: PhiInstruction, next: Value): number | Value | undefined {
  if (phi.type.kind === 'pointer') {
    const { root, offset, terms } = decompose(next)
    return root === phi && terms.length <= 1 ? (terms[0]?.index ?? offset) : undefined
  }
  if (next.kind !== 'instruction' || (next.op !== 'add' && next.op !== 'sub') || next.left !== phi) return undefined
  if (next.right.kind !== 'int') return next.right
  const added = Number(BigInt.asIntN(32, next.right.value))
  return next.op === 'sub' ? -added : added
}
