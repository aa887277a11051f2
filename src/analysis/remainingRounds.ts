/**
 * A sum in memory that each round stores and keeps in a register for the next one (LLVM's `….promoted` load): nvcc keeps it from the
 * loop of four rounds on, so that the loop of the remaining rounds loads it again. In: a kernel in which it is loaded once for both.
 * Out: the same with a load in front of each; sinkValues.ts moves the first one to its loop. Read off the PTX of q[i] += a[k] in global
 * and shared memory; reading: lud_diagonal of rod-lud, 17 loads more.
 */
import { type DominatorTree, dominators, predecessors } from '../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, PhiInstruction, Value } from '../ir/ir.ts'
import { phisOf, replaceUses } from './blocks.ts'
import { isPlain, isSameType } from './knownValues.ts'
import { mayWrite } from './memoryEffects.ts'

interface Surroundings {
  readonly tree: DominatorTree
  readonly before: ReadonlyMap<Block, Block[]>
}

export function loadForRemainingRounds(func: Func): void {
  const around = { tree: dominators(func), before: predecessors(func) }
  for (const block of func.blocks)
    for (const phi of phisOf(block)) {
      const first = keptSum(phi, around)
      if (!first) continue
      const again: LoadInstruction = { ...first, block }
      block.instructions.splice(phisOf(block).length, 0, again)
      replaceUses(func.blocks, phi, again)
      block.instructions.splice(block.instructions.indexOf(phi), 1)
    }
}

/** The load that a phi takes where no round was run; undefined where memory may have another value than the phi. */
function keptSum({ incoming, block }: PhiInstruction, around: Surroundings): LoadInstruction | undefined {
  const [one, other] = incoming
  if (!one || !other || incoming.length > 2) return undefined
  const [load, sum] = isPromoted(one.value) ? [one, other] : [other, one]
  const first = load.value
  if (!isPromoted(first) || !leadsTo(first, load.block, around)) return undefined
  const last = through(sum.value)
  if (last.kind !== 'instruction' || around.tree.dominates(block, last.block)) return undefined
  const stored = last.block.instructions.find(
    each => each.op === 'store' && each.value === last && each.pointer === first.pointer && !each.volatile,
  )
  const isSame = stored !== undefined && isSameType(first.type, last.type)
  return isSame && leadsTo(stored, sum.block, around) ? first : undefined
}

const isPromoted = (value: Value): value is LoadInstruction =>
  value.kind === 'instruction' && isPlain(value) && /\.promoted/.test(value.name)

/** A value behind the phis of one operand that close loops. */
function through(value: Value): Value {
  return value.kind === 'instruction' && value.op === 'phi' && value.incoming.length === 1
    ? through(value.incoming[0]!.value)
    : value
}

/** Whether an access is the last one before the end of a block that may write, and the only way there. */
function leadsTo(access: Instruction, end: Block, { before }: Surroundings): boolean {
  for (let block = end; block !== access.block; ) {
    const [only, ...more] = before.get(block)!
    if (!only || more.length > 0 || block.instructions.some(mayWrite)) return false
    block = only
  }
  const { instructions } = access.block
  return instructions.slice(instructions.indexOf(access) + 1).every(each => !mayWrite(each))
}
