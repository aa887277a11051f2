/**
 * `v = c ? s[i] : w` of structures: LLVM takes the copy apart and makes a branch for each member that it loads, one behind the other, all by the
 * same condition. nvcc copies the structure in one branch, so that its members are loaded together, or copies it from a chosen place,
 * as generic memory, where templates are in play (machine code of 8 kernels; reading: hec-rowwiseMoments): what is loaded so is labelled. In: a kernel as LLVM left it. Out: the same with one branch for such loads.
 */
import { jump } from '../../ir/build.ts'
import { operandsOf, predecessors, replaceOperands, terminatorOf } from '../../ir/graph.ts'
import type { Block, Func, Instruction, PhiInstruction, Value } from '../../ir/ir.ts'
import { phisOf } from '../rewriting/blocks.ts'
import { foldBranches } from '../rewriting/foldBranches.ts'

/** What LLVM calls such a load (SROA, `speculateSelectInstLoads` and its branch). */
const CHOSEN = /\.(?:then|else)\.val\d*$/

/** A branch around a block, and what stands behind. */
interface Choice {
  readonly head: Block
  readonly inside: Block
  readonly behind: Block
  readonly condition: Value
  readonly isTrue: boolean
}

export function joinChoices(kernel: Func): void {
  if (!kernel.blocks.some(isChosen)) return
  for (let at = 0; at < kernel.blocks.length; at++) {
    for (let joined = true; joined; ) {
      const before = predecessors(kernel)
      const first = choiceAt(kernel.blocks[at]!, before)
      const second = first && choiceAt(first.behind, before)
      joined = !!first && !!second && isSame(first, second) && join(first, second)
      if (joined) foldBranches(kernel)
    }
  }
}

const isChosen = ({ instructions }: Block): boolean =>
  instructions.some(each => each.op === 'load' && CHOSEN.test(each.name))

function choiceAt(head: Block, before: ReadonlyMap<Block, readonly Block[]>): Choice | undefined {
  const last = terminatorOf(head)
  if (last.op !== 'condbr') return undefined
  for (const [inside, behind, isTrue] of [
    [last.ifTrue, last.ifFalse, true],
    [last.ifFalse, last.ifTrue, false],
  ] as const) {
    const end = terminatorOf(inside)
    const isAround = end.op === 'br' && end.target === behind && before.get(inside)!.length === 1
    if (isAround && before.get(behind)!.length === 2 && isChosen(inside))
      return { head, inside, behind, condition: last.condition, isTrue }
  }
  return undefined
}

const isSame = (first: Choice, second: Choice): boolean =>
  first.condition === second.condition && first.isTrue === second.isTrue

/** The second's loads follow the first's, where nothing but phis and addresses stands between. */
function join(first: Choice, second: Choice): boolean {
  const { head, inside, behind } = first
  const phis = phisOf(behind)
  const addresses = behind.instructions.slice(phis.length, -1)
  if (addresses.some(each => each.op !== 'gep' || operandsOf(each).some(operand => phis.some(phi => phi === operand))))
    return false
  const valueFrom = (from: Block) => (value: Value) => {
    const phi = phis.find(each => each === value)
    return phi ? (phi.incoming.find(({ block }) => block === from)!.value as Value) : value
  }
  const moved = second.inside.instructions.slice(0, -1)
  if (moved.some(each => each.op === 'phi')) return false
  for (const each of addresses) each.block = head
  head.instructions.splice(-1, 0, ...addresses)
  behind.instructions.splice(phis.length, addresses.length)
  for (const each of moved) {
    each.block = inside
    replaceOperands(each, valueFrom(inside))
  }
  inside.instructions.splice(-1, 0, ...moved)
  for (const each of inside.instructions) if (each.op === 'load') each.unsure = true
  second.inside.instructions.splice(0, moved.length)
  for (const phi of phisOf(second.behind)) {
    const incoming = (from: Block): Value => phi.incoming.find(({ block }) => block === from)!.value as Value
    const made: PhiInstruction = {
      ...phi,
      block: behind,
      incoming: [
        { value: valueFrom(inside)(incoming(second.inside)), block: inside },
        { value: valueFrom(head)(incoming(behind)), block: head },
      ],
    }
    behind.instructions.splice(phis.length, 0, made as Instruction)
    phi.incoming = [{ value: made, block: behind }]
  }
  const last = terminatorOf(behind)
  behind.instructions[behind.instructions.length - 1] = jump({ block: behind, location: last.location }, second.behind)
  return true
}
