/**
 * Loops whose lanes leave them at different times: nvcc treats the arm of an `if` that ends with one as a block, so that its last store is
 * made one with the other arm's; a loop that all lanes of a warp leave together parts the two, and so does one with several ways out
 * (machine code of 75 kernels; reading: nqueens). In: a loop. Out: an answer. Followed are values, not control flow: loads of one
 * address are one value, as for nvcc.
 */
import { calledName, type Loop, operandsOf, successors, terminatorOf } from '../ir/graph.ts'
import type { Value } from '../ir/ir.ts'

/** What differs between lanes. */
const OF_LANES = /^llvm\.nvvm\.read\.ptx\.sreg\.(tid|laneid|lanemask)|^llvm\.nvvm\.(shfl|match)/

export function isLeftByLanes({ blocks }: Loop): boolean {
  const leaving = [...blocks].filter(block => successors(terminatorOf(block)).some(next => !blocks.has(next)))
  const [last, ...others] = leaving.map(terminatorOf)
  return last?.op === 'condbr' && others.length === 0 && differs(last.condition)
}

function differs(value: Value): boolean {
  const met = new Set<Value>([value])
  for (const each of met) {
    if (each.kind !== 'instruction') continue
    if (each.op === 'atomicrmw' || each.op === 'cmpxchg' || OF_LANES.test(calledName(each) ?? '')) return true
    for (const operand of operandsOf(each)) met.add(operand)
  }
  return false
}
