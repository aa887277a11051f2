/**
 * Loops that ptxas writes out: four rounds at a time, one behind the other, so that loads of all four go before the first is
 * needed. In: a kernel. Out: for a block that is such a loop, how many rounds stand together. The program's own unrolling
 * (frontend/building/commands.ts, as nvcc does it) has come before: the machine's loop then has 16 rounds of the source's.
 * Source: what ptxas 13.0 makes of loops of our own for 9.0, read with nvdisasm. It writes out loops of one block whose counter
 * moves by a constant towards a bound that stays, up to about 50 instructions; not those that step by a variable
 * (an unsigned `i += blockDim.x * gridDim.x`), nor `a[i * 1024]`, nor `a[i * n + threadIdx.x]` in global memory, whose index has no sign (24 loops),
 * nor ones with atomics (8 loops), and not the remainders that nvcc leaves behind or in front of a loop. Where
 * nvcc leaves the remainder behind, the loop ends at `n & -4`, and nvcc compares a sum of counter and bound with zero, in which
 * ptxas sees no count, when the counter has 64 bits, or none of the addresses is counted up (`a[i * w + t]` with an unsigned `i`,
 * which may wrap; `a[i]` is, and so is what an index of 64 bits chooses: `a[(size_t)i * w + t]`, `a[(size_t)i * 64 + t]`, 6 loops).
 */
import { decomposeLinear } from '../../analysis/facts/address.ts'
import { isPlainAccess, mayWrite } from '../../analysis/facts/memoryEffects.ts'
import { isSharedArray } from '../../analysis/facts/sharedPlaces.ts'
import { roundsForConstants } from '../../analysis/loops/constantLoops.ts'
import { variableStep } from '../../analysis/loops/unrollSteps.ts'
import { terminatorOf } from '../../ir/graph.ts'
import type { Block, GepInstruction, Instruction, Value } from '../../ir/ir.ts'
import { storeBytes } from '../../ir/types.ts'
import { isAtomic } from '../certainty/fromAtomics.ts'

/** Rounds that stand together. */
export const ROUNDS = 4
/** Machine instructions of a loop that is written out, at most: 46 were, 77 were not. */
const MOST_INSTRUCTIONS = 60

const isInside = (value: Value, block: Block): boolean => value.kind === 'instruction' && value.block === block

/** The value that a loop's phi has in the next round. */
function nextRound(phi: Instruction, block: Block): Value | undefined {
  return phi.op === 'phi' ? phi.incoming.find(({ block: from }) => from === block)?.value : undefined
}

/** A phi of the block plus a constant, which is its next value. */
export function isCounter(value: Value, block: Block): boolean {
  if (value.kind !== 'instruction' || (value.op !== 'add' && value.op !== 'sub' && value.op !== 'gep')) return false
  const base = value.op === 'gep' ? value.base : value.left
  const isConstantStep = value.op === 'gep' ? value.terms.length === 0 : value.right.kind === 'int'
  return isConstantStep && base.kind === 'instruction' && nextRound(base, block) === value
}

/** The number of rounds that nvcc's own unrolling by four leaves over. */
function isRemainder(bound: Value): boolean {
  return bound.kind === 'instruction' && bound.op === 'and' && bound.right.kind === 'int' && bound.right.value < 4n
}

/** `n & -4`: nvcc's loop of four rounds each, its remainder behind it. */
function isWholeGroups(bound: Value): boolean {
  if (bound.kind !== 'instruction' || bound.op !== 'and' || bound.right.kind !== 'int') return false
  return bound.right.value % 4n === 0n
}

/** Whether nvcc counts such a loop's rounds by themselves. */
function isCountedDown(block: Block): boolean {
  const steps = block.instructions.filter(one => one.op === 'add' && isCounter(one, block))
  if (steps.some(({ type }) => type.kind === 'int' && type.bits > 32)) return false
  return steps.some(one => 'nsw' in one && one.nsw) || block.instructions.every(one => isCountedUp(one, block))
}

/** No access, or one to `a[i]`, or by an index of 64 bits. */
function isCountedUp(instruction: Instruction, block: Block): boolean {
  if (instruction.op !== 'load' && instruction.op !== 'store') return true
  if (instruction.hasWideIndex) return true
  const { terms } = decomposeLinear(instruction.pointer, value => value)
  return terms.length <= 1 && terms.every(({ index }) => isCounted(index, block))
}

/** What nvcc's LLVM makes of a loop with a known number of rounds, at most, and what of it only counts. */
const PARTIAL = 150
const COUNTING = 2

/**
 * Of a loop with a known number of rounds, those of our LLVM, which writes out four, that nvcc's has in one of its own: it writes out as
 * many as become {@link PARTIAL} instructions, of a number that divides the rounds (PTX of 8 loops of 64 to 4,096 rounds).
 */
export function roundsOfCompiler(block: Block): number {
  const last = terminatorOf(block)
  if (last.op !== 'condbr' || (last.ifTrue !== block && last.ifFalse !== block)) return 1
  const test = last.condition
  if (test.kind !== 'instruction' || test.op !== 'icmp' || test.right.kind !== 'int' || !isCounter(test.left, block))
    return 1
  const next = test.left as Instruction
  if (next.op !== 'add' || next.left.kind !== 'instruction' || next.left.op !== 'phi' || next.right.kind !== 'int')
    return 1
  const start = next.left.incoming.find(({ block: from }) => from !== block)?.value
  if (start?.kind !== 'int' || next.right.value === 0n) return 1
  const rounds = Number((test.right.value - start.value) / next.right.value)
  // LLVM's copies of a round have names that end with their numbers.
  const copies = 1 + Number(/\.(\d+)$/.exec(next.name)?.[1] ?? 0)
  const size = block.instructions.reduce((sum, each) => sum + sizeOf(each), 0) - COUNTING - 1
  const most = Math.floor((PARTIAL - COUNTING) / (size / copies + 1))
  for (let together = Math.min(most, rounds * copies); together > copies; together--)
    if ((rounds * copies) % together === 0 && together % copies === 0) return together / copies
  return 1
}

/** In instructions of LLVM's, where indices have 64 bits. */
function sizeOf(instruction: Instruction): number {
  if (instruction.op === 'phi') return 0
  if (instruction.op === 'gep' && instruction.terms.length === 0) return 0
  if (instruction.op === 'or' && instruction.right.kind === 'int') return 0
  return instruction.op === 'fma' ? 2 : 1
}

/** Rounds that the machine does together: 1 for what is no loop, or one that stays as it is. */
export function roundsTogether(block: Block, machineInstructions: number): number {
  const whole = roundsForConstants(block)
  if (whole !== undefined) return whole
  const rounds = roundsOfCompiler(block)
  return rounds * roundsOfAssembler(block, rounds * machineInstructions)
}

function roundsOfAssembler(block: Block, machineInstructions: number): number {
  const last = terminatorOf(block)
  if (last.op !== 'condbr' || last.staysLoop || (last.ifTrue !== block && last.ifFalse !== block)) return 1
  if (machineInstructions > MOST_INSTRUCTIONS || block.instructions.some(isAtomic)) return 1
  const test = last.condition
  if (test.kind !== 'instruction' || test.op !== 'icmp' || test.block !== block) return 1
  if (variableStep(test, block) && block.instructions.every(one => isPlainAccess(one) || !mayWrite(one))) return ROUNDS
  const counts = isCounter(test.left, block) || isCounted(test.left, block)
  if (!counts || isInside(test.right, block) || isRemainder(test.right)) return 1
  if (isWholeGroups(test.right) && !isCountedDown(block)) return 1
  const isOpen = test.right.kind !== 'int'
  return block.instructions.some(one => countsApart(one, block) || (isOpen && isWidenedAnew(one, block))) ? 1 : ROUNDS
}

/** Of an index without sign that changes in the loop, in global memory, nvcc makes each address anew; ptxas lets such loops be, but those of a known number of rounds. */
function isWidenedAnew(instruction: Instruction, block: Block): boolean {
  if ((instruction.op !== 'load' && instruction.op !== 'store') || !instruction.hasUnsignedIndex) return false
  const { root, terms } = decomposeLinear(instruction.pointer, value => value)
  return !isSharedArray(root) && [root, ...terms.map(({ index }) => index)].some(value => isInside(value, block))
}

/**
 * A load from an array at a constant times the counter: nvcc counts its index apart and asks for the sum of two other counters,
 * in which ptxas sees no count of rounds.
 */
function countsApart(instruction: Instruction, block: Block): boolean {
  if (instruction.op !== 'load' || instruction.hasWideIndex) return false
  const { terms } = decomposeLinear(instruction.pointer, value => value)
  const bytes = instruction.type.kind === 'vector' ? 16 : storeBytes(instruction.type)
  return terms.some(({ index, scale }) => isInside(index, block) && isCounted(index, block) && Math.abs(scale) > bytes)
}

function isCounted(phi: Value, block: Block): boolean {
  if (phi.kind !== 'instruction') return false
  const next = nextRound(phi, block)
  return next !== undefined && isCounter(next, block)
}

/**
 * Whether an address in a loop moves by the same bytes every round, which the compiler knows.
 * @param isInLoop of the innermost loop around it
 */
export function movesByConstant(address: GepInstruction, isInLoop: (block: Block) => boolean): boolean {
  const { terms } = decomposeLinear(address, value => value)
  return terms.every(({ index }) => index.kind !== 'instruction' || !isInLoop(index.block) || isInduction(index))
}

/** Of whichever loop. */
const isInduction = (phi: Instruction): boolean =>
  phi.op === 'phi' && phi.incoming.some(({ block }) => isCounted(phi, block))
