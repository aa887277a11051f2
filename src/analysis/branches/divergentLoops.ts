/**
 * Loops whose lanes leave them at different times: nvcc treats the arm of an `if` that ends with one as a block, so that its last store is
 * made one with the other arm's; a loop that all lanes of a warp leave together parts the two, and so does one with several ways out
 * (machine code of 75 kernels; reading: nqueens). In: a loop. Out: an answer. As for nvcc, loads of one address of global memory are one
 * value, those of a thread's own memory differ, and so does what meets behind a branch whose condition differs.
 */
import {
  calledName,
  type DominatorTree,
  type Loop,
  operandsOf,
  type predecessors,
  successors,
  terminatorOf,
} from '../../ir/graph.ts'
import type { Block, Terminator, Value } from '../../ir/ir.ts'
import { decompose } from '../facts/address.ts'

/** What differs between lanes. */
const OF_LANES = /^llvm\.nvvm\.read\.ptx\.sreg\.(tid|laneid|lanemask)|^llvm\.nvvm\.(shfl|match)/

export interface Flow {
  readonly tree: DominatorTree
  readonly before: ReturnType<typeof predecessors>
}

export function isLeftByLanes({ blocks }: Loop, flow: Flow): boolean {
  const leaving = [...blocks].filter(block => successors(terminatorOf(block)).some(next => !blocks.has(next)))
  const [last, ...others] = leaving.map(terminatorOf)
  return last?.op === 'condbr' && others.length === 0 && differs(last.condition, flow)
}

function differs(value: Value, flow: Flow): boolean {
  const met = new Set<Value>([value])
  for (const each of met) {
    if (each.kind !== 'instruction') continue
    if (each.op === 'atomicrmw' || each.op === 'cmpxchg' || OF_LANES.test(calledName(each) ?? '')) return true
    if (each.op === 'load' && isOwn(decompose(each.pointer).root)) return true
    for (const operand of operandsOf(each)) met.add(operand)
    if (each.op === 'phi') for (const condition of conditionsBefore(each.block, flow)) met.add(condition)
  }
  return false
}

const isOwn = (root: Value): boolean => root.kind === 'instruction' && root.op === 'alloca'

/** What decides by which way a block is reached from the one that all ways to it come through; not of rounds of a loop. */
function conditionsBefore(block: Block, { tree, before }: Flow): Value[] {
  const ways = before.get(block) ?? []
  const top = tree.immediate(block)
  if (!top || ways.length < 2 || ways.some(way => tree.dominates(block, way))) return []
  const between = new Set([top, ...ways])
  for (const each of between) if (each !== top) for (const way of before.get(each) ?? []) between.add(way)
  return [...between].flatMap(each => conditionOf(terminatorOf(each)))
}

function conditionOf(last: Terminator): Value[] {
  if (last.op === 'condbr') return [last.condition]
  return last.op === 'switch' ? [last.value] : []
}
