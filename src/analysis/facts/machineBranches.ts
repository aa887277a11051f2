/**
 * Operations in which the machine's code branches though ours, or LLVM's, does not: neither compiler joins accesses across them.
 * In: an instruction. Out: which compiler sees a branch there. Source: machine code and PTX of 90 functions and operations between loads of
 * shared memory, in straight code and in loops, with and without an alignment that the source states (nvcc 13.0, sm_90).
 */
import { calledName } from '../../ir/graph.ts'
import type { Approximation, Instruction } from '../../ir/ir.ts'
import { bitsOf } from '../../ir/types.ts'

/** Functions with ways of their own in nvcc's library: both compilers see them. */
const branchingFunctions = new Set(
  'atan2 atan2f cos cosf fmod fmodf j0f log1p pow remainderf sin sincosf sinf tan tanf'.split(' '),
)
/** Functions that are made of quotients and roots that are rounded rightly. */
const partingFunctions = new Set(['__frcp_rn', '__fsqrt_rn', 'hypotf', 'rsqrt'])

export function isBranchingFunction({ location }: Instruction): boolean {
  return location?.library !== undefined && branchingFunctions.has(location.library)
}

/** What ptxas makes branches of when LLVM is done; other functions of mathematics have none, whatever our own code for them has. */
export function partsMachineCode(instruction: Instruction): boolean {
  const library = instruction.location?.library
  if (library === undefined) return hasBranches(instruction)
  return branchingFunctions.has(library) || partingFunctions.has(library)
}

/** What the machine has for a quotient or a root that is not rounded rightly; undefined for anything else. */
export const approximationOf = (instruction: Instruction): Approximation | undefined =>
  'approximate' in instruction ? instruction.approximate : undefined

export const isApproximate = (instruction: Instruction): boolean => approximationOf(instruction) !== undefined

/**
 * Whether the machine branches within the operation, for operands out of the ordinary: quotients and roots that are rounded
 * rightly, 64-bit quotients. ptxas moves nothing across.
 */
export function hasBranches(instruction: Instruction): boolean {
  if (isApproximate(instruction)) return false
  switch (instruction.op) {
    case 'fdiv':
    case 'frem':
      return instruction.type.kind === 'float' && instruction.type.bits >= 32
    case 'udiv':
    case 'urem':
    case 'sdiv':
    case 'srem':
      return bitsOf(instruction.type) === 64 && instruction.right.kind !== 'int'
    case 'call':
      return (calledName(instruction) ?? '').startsWith('llvm.sqrt') && bitsOf(instruction.type) >= 32
    default:
      return false
  }
}
