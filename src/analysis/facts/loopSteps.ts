/** How counters move in a loop. */
import type { Block, PhiInstruction, Value } from '../../ir/ir.ts'
import { type Address, decompose } from './address.ts'

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

/** Bytes by which an address moves a round of the loop that its block is; undefined where that is no constant. */
export function stepOfAddress({ root, terms }: Pick<Address, 'root' | 'terms'>, block: Block): number | undefined {
  let step = addedInLoop(root, block)
  for (const { index, scale } of terms) {
    const added = addedInLoop(index, block)
    step = step === undefined || added === undefined ? undefined : step + scale * added
  }
  return step
}

/** What a round of the loop that is one block adds to a value; undefined where it is no constant. */
function addedInLoop(value: Value, block: Block): number | undefined {
  if (value.kind !== 'instruction' || value.block !== block) return 0
  if (value.op !== 'phi') return undefined
  const next = value.incoming.find(({ block: from }) => from === block)?.value
  return next && addedInTurn(value, next)
}

/** As {@link addedTo}, a constant, also where several rounds stand together and each adds something. */
function addedInTurn(phi: PhiInstruction, next: Value): number | undefined {
  if (phi.type.kind === 'pointer') {
    const added = addedTo(phi, next)
    return typeof added === 'number' ? added : undefined
  }
  let sum = 0
  let at = next
  while (at.kind === 'instruction' && (at.op === 'add' || at.op === 'sub') && at.right.kind === 'int') {
    const by = Number(BigInt.asIntN(32, at.right.value))
    sum += at.op === 'sub' ? -by : by
    at = at.left
  }
  return at === phi ? sum : undefined
}
