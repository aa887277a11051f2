/**
 * Loops from a constant to a constant with a `break` of their own in front (`for (k = 0; k < 16; ++k) { if (k >= n) break; … }`): nvcc writes them out
 * whole, and then neighbours in shared memory join. clang makes one condition of both ends, which it counts when the loop runs, and
 * writes out what it does of `k < 16 && k < n`, which nvcc leaves as it is (PTX of 24 loops).
 * In: a prepared kernel. Out: the loads in such loops.
 */
import { isBehindBreak } from '../../analysis/facts/roundNames.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { calledName, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Instruction, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'

export function loadsOfBrokenLoops({ kernel }: KernelProgram): Instruction[] {
  return kernel.blocks
    .filter(block => isBehindBreak(block) && endsBothWays(block))
    .flatMap(({ instructions }) => instructions.filter(({ op }) => op === 'load'))
}

/** At the smaller one of a constant and something else. */
function endsBothWays(block: Block): boolean {
  const last = terminatorOf(block)
  if (last.op !== 'condbr' || !successors(last).includes(block) || last.condition.kind !== 'instruction') return false
  const { condition } = last
  return condition.op === 'icmp' ? isSmaller(condition.right) : operandsOf(condition).some(isBoundedByConstant)
}

const isSmaller = (value: Value): boolean =>
  value.kind === 'instruction' &&
  ((/^llvm\.[su]min\./.test(calledName(value) ?? '') && operandsOf(value).some(({ kind }) => kind === 'int')) ||
    (value.op === 'add' && isSmaller(value.left)))

const isBoundedByConstant = (value: Value): boolean =>
  value.kind === 'instruction' && value.op === 'icmp' && value.right.kind === 'int'
