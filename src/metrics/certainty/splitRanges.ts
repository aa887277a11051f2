/**
 * Loops that nvcc takes apart at one round: `for (j = 0; j < n; j++) if (j != i) …` behind `if (i < n)` is a loop up to `i`, that round, and a
 * loop from there, each written out on its own, so that lanes with other `i` do their rounds apart. Here it stays one loop.
 *
 * In: a prepared kernel. Out: the loads and stores of such loops. Read off the machine code of 27 loops (nvcc 13.0, sm_90); readings:
 * `NearestNeighbors` of unseen15, pcs-054 and pcs-079 of unseen14.
 */
import { isWarpUniform } from '../../analysis/facts/warpUniform.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { dominators, type Loop, loops, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, IcmpInstruction, Instruction, Value } from '../../ir/ir.ts'

export function accessesOfSplitRanges({ kernel, siteIds }: KernelProgram): Instruction[] {
  const tree = dominators(kernel)
  const isGuarded = (index: Value, { header }: Loop): boolean =>
    kernel.blocks.some(block => {
      const last = terminatorOf(block)
      if (block === header || last.op !== 'condbr' || !tree.dominates(block, header)) return false
      return comparisonsIn(last.condition).some(({ left, right }) => left === index || right === index)
    })
  const split = loops(kernel, tree).filter(loop => singledOut(loop).some(index => isGuarded(index, loop)))
  const inLoops = new Set(split.flatMap(({ blocks }) => [...blocks]))
  return kernel.blocks
    .filter(block => inLoops.has(block))
    .flatMap(({ instructions }) => instructions.filter(each => siteIds.has(each)))
}

/** Values of lanes that a condition in the loop, not one that ends it, compares with the number of the round, which counts from zero. */
function singledOut({ header, blocks }: Loop): Value[] {
  const isRound = (value: Value): boolean => {
    const base = value.kind === 'instruction' && value.op === 'add' && value.right.kind === 'int' ? value.left : value
    if (base.kind !== 'instruction' || base.op !== 'phi' || base.block !== header) return false
    return base.incoming.some(way => !blocks.has(way.block) && isZero(way.value))
  }
  const isOfLane = (value: Value): boolean =>
    value.kind === 'instruction' && !blocks.has(value.block) && !isWarpUniform(value)
  const endings = new Set([...blocks].flatMap(block => (isExit(block, blocks) ? conditionsOf(block) : [])))
  return [...blocks].flatMap(({ instructions }) =>
    instructions.flatMap(each => {
      if (each.op !== 'icmp' || endings.has(each)) return []
      const { left, right } = each
      if (isRound(left) && isOfLane(right)) return [right]
      return isRound(right) && isOfLane(left) ? [left] : []
    }),
  )
}

const isExit = (block: Block, loop: ReadonlySet<Block>): boolean =>
  successors(terminatorOf(block)).some(next => !loop.has(next))

function conditionsOf(block: Block): IcmpInstruction[] {
  const last = terminatorOf(block)
  return last.op === 'condbr' ? comparisonsIn(last.condition) : []
}

const isZero = (value: Value): boolean => value.kind === 'zero' || (value.kind === 'int' && value.value === 0n)

/** The comparisons of a condition, also of one that is made of several. */
function comparisonsIn(condition: Value): IcmpInstruction[] {
  if (condition.kind !== 'instruction') return []
  if (condition.op === 'icmp') return [condition]
  if (condition.op === 'and' || condition.op === 'or') return [condition.left, condition.right].flatMap(comparisonsIn)
  return condition.op === 'select'
    ? [condition.condition, condition.ifTrue, condition.ifFalse].flatMap(comparisonsIn)
    : []
}
