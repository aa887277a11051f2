/**
 * What branches cost on the machine. In: a kernel and what its other instructions cost. Out: the cost of each terminator, and
 * the short conditional blocks that are not jumped over but executed under a predicate, by everybody who comes to the branch.
 * Source: what ptxas 13.0 makes of conditional blocks of 2 to 24 instructions for 9.0, read with nvdisasm: up to seven are
 * predicated, four where they load from global memory; longer ones, where lanes may disagree, stand between BSSY and BSYNC. In front
 * of what is done at all (`if (i < n)` around a kernel) stands an EXIT for the others. A `switch` is a tree of comparisons and branches:
 * about one of each for each case, of which a warp with one value goes through the logarithm (machine code of 2 to 8 cases).
 */
import { isProgramBarrier } from '../../analysis/execution/splitBarriers.ts'
import { isWarpUniform } from '../../analysis/facts/warpUniform.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Instruction, SwitchInstruction, Value } from '../../ir/ir.ts'
import { countingOfRounds } from './instructionCosts.ts'
import { libraryFactor } from './mathCosts.ts'
import { ROUNDS } from './writtenOutLoops.ts'

export const PREDICATED_INSTRUCTIONS = 7
export const PREDICATED_WITH_LOADS = 4
/** BSSY and BSYNC: lanes that went apart meet again. */
const MEETING = 2
/** A comparison and the branch on it. */
const DECISION = 2

export interface BranchCosts {
  readonly terminators: ReadonlyMap<Instruction, number>
  /** For a predicated block the one with its condition. */
  readonly predicatedBy: ReadonlyMap<Block, Block>
}

function isUniform(condition: Value): boolean {
  if (condition.kind === 'instruction' && (condition.op === 'icmp' || condition.op === 'fcmp'))
    return isWarpUniform(condition.left) && isWarpUniform(condition.right)
  return isWarpUniform(condition)
}

const isExit = ({ instructions }: Block) => instructions.length === 1 && instructions[0]!.op === 'ret'

/** Where a switch leads, once for each row of neighbouring values that lead to one place. */
function rangesOf({ cases, fallback }: SwitchInstruction): Block[] {
  const sorted = cases.filter(({ target }) => target !== fallback).sort((a, b) => (a.value < b.value ? -1 : 1))
  return sorted
    .filter(({ value, target }, at) => sorted[at - 1]?.target !== target || sorted[at - 1]?.value !== value - 1n)
    .map(({ target }) => target)
}

/** @param costs of all instructions but terminators */
export function branchCosts(program: KernelProgram, costs: ReadonlyMap<Instruction, number>): BranchCosts {
  const { blocks } = program.kernel
  const terminators = new Map<Instruction, number>()
  const predicatedBy = new Map<Block, Block>()
  /** What it takes to find out that a case is the one. */
  const decided = new Map<Block, number>()
  const comingTo = new Map<Block, Block[]>()
  for (const block of blocks)
    for (const next of successors(terminatorOf(block))) comingTo.set(next, [...(comingTo.get(next) ?? []), block])

  const isShort = ({ instructions }: Block) => {
    const loads = instructions.some(one => one.op === 'load' && program.siteIds.get(one)?.global !== undefined)
    const length = instructions.reduce((sum, one) => sum + (costs.get(one) ?? 0), 0)
    return length <= (loads ? PREDICATED_WITH_LOADS : PREDICATED_INSTRUCTIONS) && !instructions.some(isProgramBarrier)
  }
  const isPredicated = (block: Block, from: Block, join: Block): boolean => {
    const last = terminatorOf(block)
    if (isExit(join)) return false
    return (
      last.op === 'br' && last.target === join && comingTo.get(block)!.length === 1 && block !== from && isShort(block)
    )
  }

  blocks.forEach((block, index) => {
    const last = terminatorOf(block)
    const factor = libraryFactor(last.location?.library)
    if (last.op === 'condbr') {
      const { ifTrue, ifFalse } = last
      const inside = isPredicated(ifTrue, block, ifFalse)
        ? ifTrue
        : isPredicated(ifFalse, block, ifTrue)
          ? ifFalse
          : undefined
      if (inside) predicatedBy.set(inside, block)
      const goesOn = successors(last).every(next => blocks.indexOf(next) > index)
      const meets = goesOn && !successors(last).some(isExit) && !isUniform(last.condition)
      const rounds = countingOfRounds(block, costs).length > 0 ? ROUNDS : 1
      terminators.set(last, inside ? 0 : (factor * (1 + (meets ? MEETING : 0))) / rounds)
    } else if (last.op === 'br') {
      const falls = blocks[index + 1] === last.target || isExit(last.target)
      terminators.set(last, falls ? 0 : factor)
    } else if (last.op === 'switch') {
      const ranges = rangesOf(last)
      const above = Math.max(1, Math.ceil(Math.log2(ranges.length + 1)) - 1)
      terminators.set(last, factor * (DECISION * above + (isWarpUniform(last.value) ? 0 : MEETING)))
      for (const target of ranges) decided.set(target, (decided.get(target) ?? 0) + factor * DECISION)
    }
  })
  for (const [block, cost] of decided) {
    const last = terminatorOf(block)
    terminators.set(last, (terminators.get(last) ?? 0) + cost)
  }
  for (const block of predicatedBy.keys()) terminators.set(terminatorOf(block), 0)
  return { terminators, predicatedBy }
}
