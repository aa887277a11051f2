/**
 * A sum in memory that each round stores and keeps in a register for the next one (LLVM's `….promoted` load): nvcc keeps it from the
 * loop of four rounds on, so that the loop of the remaining rounds loads it again. In: a kernel in which it is loaded once for both.
 * Out: the same with a load in front of each; sinkValues.ts moves the first one to its loop. A loop around such a loop keeps nothing, so
 * that each of its rounds loads it. Read off the PTX of q[i] += a[k] in global and shared memory; readings: lud_diagonal of rod-lud, 17
 * loads more, and the two downscale of LS-CAT.
 */
import { type DominatorTree, dominators, type Loop, loops, predecessors, users } from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, PhiInstruction, Value } from '../../ir/ir.ts'
import { isPlain, isPromoted, isSameType } from '../facts/knownValues.ts'
import { mayWrite } from '../facts/memoryEffects.ts'
import { phisOf, replaceUses } from '../rewriting/blocks.ts'

interface Surroundings {
  readonly tree: DominatorTree
  readonly before: ReadonlyMap<Block, Block[]>
  /** The innermost loop that a block is in. */
  readonly loopOf: ReadonlyMap<Block, Loop>
}

export function loadForRemainingRounds(func: Func): void {
  const tree = dominators(func)
  // Inner loops come later.
  const loopOf = new Map(loops(func, tree).flatMap(loop => [...loop.blocks].map(block => [block, loop] as const)))
  const around = { tree, before: predecessors(func), loopOf }
  const firsts = new Set<Instruction>()
  for (const block of func.blocks)
    for (const phi of phisOf(block)) {
      const first = keptSum(phi, around)
      if (!first) continue
      firsts.add(first)
      const again: LoadInstruction = { ...first, block }
      block.instructions.splice(phisOf(block).length, 0, again)
      replaceUses(func.blocks, phi, again)
      block.instructions.splice(block.instructions.indexOf(phi), 1)
    }
  const usersOf = users(func)
  for (const { instructions } of new Set([...firsts].map(({ block }) => block)))
    for (const each of instructions.filter(each => firsts.has(each) && !usersOf.get(each)))
      instructions.splice(instructions.indexOf(each), 1)
}

/** The load that a phi takes where no round was run; undefined where memory may have another value than the phi. */
function keptSum({ incoming, block }: PhiInstruction, around: Surroundings): LoadInstruction | undefined {
  const [one, other] = incoming
  if (!one || !other || incoming.length > 2) return undefined
  const [load, sum] = isPromotedLoad(one.value) ? [one, other] : [other, one]
  const first = load.value
  if (!isPromotedLoad(first) || !leadsTo(first, load.block, around)) return undefined
  if (!isSameType(first.type, sum.value.type)) return undefined
  return holds(sum.value, sum.block, { first, kept: block, around, seen: new Set() }) ? first : undefined
}

interface KeptPlace {
  readonly first: LoadInstruction
  /** Where its phi is. */
  readonly kept: Block
  readonly around: Surroundings
  /** Phis on the way. */
  readonly seen: Set<Value>
}

/** Whether a value was stored last there by the end of a block, in no round of the very loop that keeps it. */
function holds(value: Value, end: Block, place: KeptPlace): boolean {
  const last = through(value)
  if (last.kind !== 'instruction') return false
  const { first, kept, around, seen } = place
  if (last.op === 'phi' && !around.tree.dominates(last.block, kept) && !seen.has(last)) {
    seen.add(last)
    return isQuietFrom(last.block, end, around) && last.incoming.every(way => holds(way.value, way.block, place))
  }
  const isRound = around.tree.dominates(kept, last.block) && around.loopOf.get(last.block) === around.loopOf.get(kept)
  if (isRound) return false
  const stored = last.block.instructions.find(
    each => each.op === 'store' && each.value === last && each.pointer === first.pointer && !each.volatile,
  )
  return stored !== undefined && leadsTo(stored, end, around)
}

/** Whether nothing writes from the beginning of a block to the end of another, to which it is the only way. */
const isQuietFrom = (start: Block, end: Block, around: Surroundings): boolean =>
  isQuietBehind(start, end, around) && !start.instructions.some(mayWrite)

const isPromotedLoad = (value: Value): value is LoadInstruction =>
  value.kind === 'instruction' && isPlain(value) && isPromoted(value)

/** A value behind the phis of one operand that close loops. */
function through(value: Value): Value {
  return value.kind === 'instruction' && value.op === 'phi' && value.incoming.length === 1
    ? through(value.incoming[0]!.value)
    : value
}

/** Whether an access is the last one before the end of a block that may write, and the only way there. */
function leadsTo(access: Instruction, end: Block, around: Surroundings): boolean {
  const { instructions } = access.block
  const behind = instructions.slice(instructions.indexOf(access) + 1)
  return isQuietBehind(access.block, end, around) && behind.every(each => !mayWrite(each))
}

/** The same behind the end of the first block. */
function isQuietBehind(start: Block, end: Block, { before }: Surroundings): boolean {
  for (let block = end; block !== start; ) {
    const [only, ...more] = before.get(block)!
    if (!only || more.length > 0 || block.instructions.some(mayWrite)) return false
    block = only
  }
  return true
}
