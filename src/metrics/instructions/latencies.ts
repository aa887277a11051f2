/**
 * How long an instruction keeps the next one waiting that needs its result, and what loops and branches take beside their
 * instructions. In: an IR instruction and what the machine issues for it. Out: cycles, of an H200. Memory is not here.
 * Source: one warp going round loops of one kind of operation, 70 kernels read on an H200 (docs/time-model.md, `latency.cu`).
 */
import { calledName } from '../../ir/graph.ts'
import type { Instruction, Type, Value } from '../../ir/ir.ts'
import type { MachineCall } from './mathCosts.ts'
import type { NarrowPipes } from './narrowPipes.ts'

/** Sums, products and fused multiply-adds of one word, logic, shifts: 4.4 with what separates them. */
export const ALU = 4
/** A product of two words with both words of the result, or the upper one (own: `wide.cu`: 8.2 to 8.5, 12.9 with a sum), and of 64 bits (17.5). */
const WIDE_PRODUCT = 8
const PRODUCT_OF_64 = 16
const HALF = 5.5
const DOUBLE = 7.5
/** Between the numbers' kinds, and to fewer or more bits of a floating point number. */
const CONVERSION = 11
/** A comparison to the choice or branch that it decides. */
const COMPARISON = 8
const SHUFFLE = 27
const VOTE = 14
/** Of all lanes: a sum, a search for equal numbers (own: `warpPipes.cu`, four chains of one warp: 58 and 52 cycles). */
const REDUCTION = 34
const MATCH = 28
const COUNT_OF_BITS = 19
const FLOAT_DIVISION = 60
const FLOAT_ROOT = 57
const DOUBLE_DIVISION = 127
const DOUBLE_ROOT = 93
/** Of whole numbers by something unknown, a machine instruction: with a sign, without. */
const DIVISION_STEP = 5.6
const UNSIGNED_DIVISION_STEP = 7
/** A function of mathematics: the special function unit, then each instruction; in double precision each instruction. */
const FUNCTION = 20
const FUNCTION_STEP = 3
const DOUBLE_FUNCTION_STEP = 5
/** From a reading of the clock to what uses it (own: `clocks.cu`, a loop that waits for its clock: 39 cycles a round). */
export const CLOCK_READING = 12
/** What a barrier takes at least. */
export const BARRIER = 15

/** Back to a loop's start. */
export const JUMP = 10
/** Rounds are never shorter: the counter is a scalar, compared and branched on. */
export const SHORTEST_ROUND = 31
/** From a condition to what is behind a branch that lanes or warps may take. */
export const BRANCH = 24

/** The special function unit's approximations (own: `fastMath.cu`, chains: 16.5 for roots and tanh, 18 to 18.5 for others). */
const MUFU = 18

/** Cycles from one instruction of a warp to its next where none waits: FFMA in four chains. */
const ISSUE = 1.3
/** From a store of a warp to global memory to its next (own: `serial.cu`, fill, fillStep, fibonacci: 7.7 to 8.3 with the ends of rounds). */
export const STORE = 7
/** Machine instructions that the 128 KiB of the instruction caches hold; of more each line of eight comes from L2 anew. */
const CACHED_INSTRUCTIONS = 8192
/** As {@link ISSUE}, beyond the multiprocessor's own 32 KiB (own: `cold.cu`, 4,121 instructions again: 2.2 cycles each; a chain of 4 hides it). */
const FETCH_NEAR = 2.2
const NEAR_INSTRUCTIONS = 2048
/**
 * What an instruction takes beyond that where its line comes from L2: 8.4 together, 67 cycles a line (own: `straight<2048>` of `cold.cu`, 8,217
 * instructions: 8.7). Nobody asks for a line before it is needed, so no chain hides it (reading: `k_forward_rush_larsen`, 7,352 of 9,578
 * instructions and 45,800 cycles of dependent operations in 101,000 cycles).
 */
const FETCH_FAR = 6.2
/** As {@link ISSUE}, of code that nobody ran before (own: `cold.cu`, 281 to 4,121 instructions of one warp and of eight: 2.5 to 2.9). */
export const FETCH_FIRST = 2.5
/** A jump over code that nobody ran before, to such code, and what it takes longer an instruction (own: `cold.cu`, over 18 to 260: 63 to 194). */
const COLD_JUMP = 50
const COLD_JUMP_STEP = 0.55
const MOST_COLD_JUMP = 300

/** Cycles from an instruction of a warp to its next. @param length of the code that it goes through before it comes there again */
export const cyclesOfFetching = (length: number): number => (length > NEAR_INSTRUCTIONS ? FETCH_NEAR : ISSUE)

/** What comes to that, and to all waits, for each instruction of code that no instruction cache holds. @param length as above */
export const cyclesOfFarFetching = (length: number): number => (length > CACHED_INSTRUCTIONS ? FETCH_FAR : 0)

/**
 * Cycles that one warp alone takes for what it issues to pipes narrower than a warp: it has one partition's (reading: `register_bench` of
 * unseen25, 128 multiply-adds of integers a round in 265 cycles).
 */
export function pipeCycles({ integers, multiplies, sums, doubles, specials, tensor }: NarrowPipes): number {
  const logic = Math.max(HALF_RATE * integers, (HALF_RATE * (integers + multiplies + sums)) / 2)
  return Math.max(
    logic,
    HALF_RATE * multiplies,
    HALF_RATE * doubles,
    EIGHTH_RATE * specials,
    ALONE_IN_TENSOR_CORE * tensor,
  )
}
/** Of 16 lanes, and of 4. */
const HALF_RATE = 2
const EIGHTH_RATE = 8
/** A tensor core is not full with one warp (own: `tensorTimes.cu`, one and four warps a partition). */
const ALONE_IN_TENSOR_CORE = 1.15

/** @param skipped instructions that nobody comes to */
export const coldJump = (skipped: number): number =>
  skipped === 0 ? 0 : Math.min(MOST_COLD_JUMP, COLD_JUMP + COLD_JUMP_STEP * skipped)

const bitsOf = (type: Type): number => (type.kind === 'int' || type.kind === 'float' ? type.bits : 32)

/** A sum that another instruction does too, which waits for what is added (IMAD.WIDE's third operand, IADD3.X). */
export const isTakenAlong = ({ carried, op }: Instruction): boolean =>
  carried === true && (op === 'add' || op === 'sub')

/** @param cost machine instructions, from `issueCosts` */
export function dependentCycles(instruction: Instruction, cost: number): number {
  if (isTakenAlong(instruction)) return ALU
  if (cost === 0) return 0
  if ('divides' in instruction && instruction.divides)
    return cost * (instruction.divides.startsWith('u') ? UNSIGNED_DIVISION_STEP : DIVISION_STEP)
  const { type } = instruction
  const isDouble = type.kind === 'float' && type.bits === 64
  switch (instruction.op) {
    case 'fdiv':
      if (instruction.approximate) return instruction.approximate.cycles
      return isDouble ? DOUBLE_DIVISION : FLOAT_DIVISION
    case 'frem':
      return isDouble ? DOUBLE_DIVISION : FLOAT_DIVISION
    case 'udiv':
    case 'urem':
      return cost * divisionStep(instruction.right, type, UNSIGNED_DIVISION_STEP)
    case 'sdiv':
    case 'srem':
      return cost * divisionStep(instruction.right, type, DIVISION_STEP)
    case 'mul':
      if (bitsOf(type) < 64) return cost * ALU
      return cost === 1 ? WIDE_PRODUCT : PRODUCT_OF_64
    case 'and':
    case 'or':
    case 'xor':
    case 'shl':
    case 'lshr':
    case 'ashr':
    case 'select':
      // Words of 64 bits beside each other (own: `wide.cu`, a sum with a logical operation in 12.2 cycles).
      return Math.min(cost, 1) * ALU
    case 'icmp':
      return COMPARISON
    case 'fcmp':
      return bitsOf(instruction.left.type) === 64 ? COMPARISON + DOUBLE - ALU : COMPARISON
    case 'fptosi':
    case 'fptoui':
    case 'sitofp':
    case 'uitofp':
    case 'fpext':
    case 'fptrunc':
      return CONVERSION
    case 'call':
      if (instruction.approximate) return instruction.approximate.cycles
      return intrinsicCycles(calledName(instruction) ?? '', isDouble, cost)
    default:
      if (type.kind !== 'float') return cost * ALU
      return isDouble ? cost * DOUBLE : bitsOf(type) === 16 ? HALF : cost * ALU
  }
}

const divisionStep = (divisor: Value, type: Type, step: number): number =>
  divisor.kind === 'int' || bitsOf(type) > 32 ? ALU : step

function intrinsicCycles(name: string, isDouble: boolean, cost: number): number {
  if (name === 'vprintf') return 0 // time.ts has its own time for it
  if (name.startsWith('llvm.sqrt')) return isDouble ? DOUBLE_ROOT : FLOAT_ROOT
  if (/shfl/.test(name)) return SHUFFLE
  if (/\.redux\./.test(name)) return REDUCTION
  if (/\.match\./.test(name)) return MATCH
  if (/vote|activemask/.test(name)) return VOTE
  // Of 64 bits what finds the word comes before and behind it, one after the other (nvdisasm).
  if (/^llvm\.(ctlz|cttz)\.i64/.test(name)) return COUNT_OF_BITS + (cost - 2) * ALU
  if (/^llvm\.(ctpop|ctlz|cttz)/.test(name)) return COUNT_OF_BITS
  if (/^llvm\.(fma|fmuladd)/.test(name)) return isDouble ? DOUBLE : ALU
  return cost * ALU
}

/** A whole call of a function of mathematics. @param call its instructions on the machine, `machineCall` */
export function functionCycles(call: MachineCall): number {
  if (call.isApproximation) return call.specials * MUFU + (call.instructions - call.specials) * ALU
  if (call.instructions === 1) return call.specials > 0 ? CONVERSION : call.isDouble ? DOUBLE : ALU
  return call.isDouble ? call.instructions * DOUBLE_FUNCTION_STEP : FUNCTION + call.instructions * FUNCTION_STEP
}
