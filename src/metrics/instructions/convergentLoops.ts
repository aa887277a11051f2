/**
 * Counted loops in which lanes or warps meet (barriers, shuffles, votes): LLVM of today leaves them as they are, nvcc writes them out, and
 * loads of memory that nothing writes go ahead of the rounds before their own. In: a kernel and how long its blocks are on the machine.
 * Out: for a block in such a loop, the rounds whose loads wait together.
 * Source: machine code of 36 loops of our own with 8 to 104 instructions (nvcc 13.0, sm_90), run with their scoreboards: four rounds up to
 * 28 instructions, two up to 43; loads through `const __restrict__` pointers wait once for all of them, others every round.
 */
import { isProgramBarrier } from '../../analysis/execution/splitBarriers.ts'
import { constantMemory } from '../../analysis/facts/constantLoads.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { calledName, dominators, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Instruction, Value } from '../../ir/ir.ts'

const MOST_ROUNDS = 4
const FOUR_ROUNDS = 28
const TWO_ROUNDS = 43

const isMeeting = (instruction: Instruction): boolean =>
  isProgramBarrier(instruction) || /^llvm\.nvvm\.(shfl|vote|match|redux|bar)/.test(calledName(instruction) ?? '')

/** @param lengths machine instructions of each block of `program.kernel`, in order */
export function roundsAhead(program: KernelProgram, lengths: readonly number[]): (blocks: readonly Block[]) => number {
  const { kernel, loops } = program
  const isConstant = constantMemory(kernel)
  const { dominates } = dominators(kernel)
  const rounds = new Map<Block, number>()
  // Inner ones stand behind outer ones, and count.
  for (const { first, last } of loops) {
    const blocks = kernel.blocks.slice(first, last + 1)
    const length = lengths.slice(first, last + 1).reduce((sum, one) => sum + one, 0)
    const isWrittenOut = isCounted(blocks) && blocks.some(block => block.instructions.some(isMeeting))
    const together = !isWrittenOut || length > TWO_ROUNDS ? 1 : length > FOUR_ROUNDS ? 2 : MOST_ROUNDS
    const latches = blocks.filter(block => successors(terminatorOf(block)).includes(blocks[0]!))
    // What only some rounds do stays in its round.
    for (const block of blocks) rounds.set(block, latches.every(latch => dominates(block, latch)) ? together : 1)
  }
  const staysInPlace = (instruction: Instruction) =>
    instruction.op === 'load' &&
    program.siteIds.get(instruction)?.global !== undefined &&
    !isConstant(instruction.pointer)
  return blocks =>
    blocks.some(block => block.instructions.some(staysInPlace))
      ? 1
      : Math.min(...blocks.map(one => rounds.get(one) ?? 1))
}

/** One way out, which compares what a constant is added to every round with what stays. */
function isCounted(blocks: readonly Block[]): boolean {
  const inside = new Set(blocks)
  const isInside = (value: Value) => value.kind === 'instruction' && inside.has(value.block)
  const exits = blocks.map(terminatorOf).filter(({ op }) => op === 'condbr' || op === 'switch')
  const leaving = exits.filter(exit => exit.op === 'condbr' && (!inside.has(exit.ifTrue) || !inside.has(exit.ifFalse)))
  const [exit] = leaving
  if (leaving.length !== 1 || exit?.op !== 'condbr' || exits.some(({ op }) => op === 'switch')) return false
  const test = exit.condition
  if (test.kind !== 'instruction' || test.op !== 'icmp' || isInside(test.right)) return false
  const counter = test.left
  const isStep = (value: Value) => value.kind === 'instruction' && value.op === 'add' && value.right.kind === 'int'
  if (isStep(counter)) return isInside(counter)
  return counter.kind === 'instruction' && counter.op === 'phi' && counter.incoming.some(({ value }) => isStep(value))
}
