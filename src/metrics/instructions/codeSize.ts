/**
 * Machine code that a kernel has beyond what it executes: the ways for operands out of the ordinary, which stand in line with the others, and
 * which the instruction caches hold too. In: a kernel. Out: further instructions of each block. Source: how much one call more of each function
 * and operation makes a kernel of two and three longer (nvcc 13.0, sm_90, nvdisasm), less what it executes (mathCosts.ts, instructionCosts.ts).
 */
import { isApproximate } from '../../analysis/facts/machineBranches.ts'
import { calledName } from '../../ir/graph.ts'
import type { Func, Instruction, Location } from '../../ir/ir.ts'
import { bitsOf } from '../../ir/types.ts'
import { callOf } from './mathCalls.ts'

/** Of functions in which it is more than a tenth; the one that sines of large arguments are reduced by stands at each call of single precision. */
const ofFunctions: Readonly<Record<string, number>> = {
  __frcp_rn: 4,
  __fsqrt_rn: 3,
  acos: 70,
  asin: 17,
  atan2: 15,
  atan2f: 7,
  cosf: 58,
  expm1: 8,
  fmod: 235,
  fmodf: 61,
  j0f: 122,
  lgammaf: 165,
  log1p: 87,
  remainderf: 74,
  rsqrt: 6,
  sincosf: 60,
  sinf: 58,
  tan: 15,
  tanf: 62,
  tanh: 53,
  tgammaf: 130,
}
/** MOV and CALL of what all quotients of a kernel share, and for doubles the way there; of single and of double precision. */
const QUOTIENT = [5, 9] as const
const ROOT = [3, 15] as const

/** In order of `kernel.blocks`. */
export function furtherCode({ blocks }: Func): number[] {
  const calls = new Set<Location>()
  return blocks.map(({ instructions }) => instructions.reduce((sum, one) => sum + furtherCodeOf(one, calls), 0))
}

/** @param calls that have been counted: their code stands in several blocks here */
function furtherCodeOf(instruction: Instruction, calls: Set<Location>): number {
  const call = callOf(instruction)
  if (call) {
    if (calls.has(call)) return 0
    calls.add(call)
    return ofFunctions[call.library ?? ''] ?? 0
  }
  if (instruction.location?.library || instruction.type.kind !== 'float' || bitsOf(instruction.type) < 32) return 0
  const precision = bitsOf(instruction.type) === 64 ? 1 : 0
  if (isApproximate(instruction)) return 0
  if (instruction.op === 'fdiv') return QUOTIENT[precision]
  return calledName(instruction)?.startsWith('llvm.sqrt') ? ROOT[precision] : 0
}
