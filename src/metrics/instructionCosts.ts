/**
 * What the machine would make of IR instructions, roughly: how many it issues for each, and which of its waits each is.
 * In: one IR instruction. Out: a count and a class. An estimate (`modelled`): the machine compiler is not here.
 * Calibrated on `smsp__inst_executed.sum` of truth/h200 (docs/time-model.md).
 */

import type { KernelProgram } from '../analysis/prepare.ts'
import { isBarrier } from '../analysis/splitBarriers.ts'
import type { Instruction, Type, Value } from '../ir/ir.ts'
import { libraryFactor } from './mathCosts.ts'

/** What an instruction makes the ones after it wait for. */
export type WaitClass = 'none' | 'arithmetic' | 'globalLoad' | 'sharedLoad' | 'barrier'

const bitsOf = (type: Type): number => (type.kind === 'int' || type.kind === 'float' ? type.bits : 32)
const isWide = (type: Type): boolean => bitsOf(type) > 32
const isConstant = (value: Value): boolean => value.kind !== 'instruction' && value.kind !== 'parameter'

/** Divisions by something unknown, 32 and 64 bits; by a constant it is a multiplication and a shift (cases/mathFunctions). */
const DIVISIONS = { sdiv: [24, 95], srem: [22, 89], udiv: [18, 79], urem: [17, 74] } as const
const CONSTANT_DIVISION = 4
const WIDE_CONSTANT_DIVISION = 12
const FLOAT_DIVISION = 10
const DOUBLE_DIVISION = 16
const SQUARE_ROOT = 10
const DOUBLE_SQUARE_ROOT = 18

function divisionCost(op: keyof typeof DIVISIONS, type: Type, divisor: Value): number {
  if (isConstant(divisor)) return isWide(type) ? WIDE_CONSTANT_DIVISION : CONSTANT_DIVISION
  return DIVISIONS[op][isWide(type) ? 1 : 0]
}

/** Names of intrinsics that cost nothing: the optimiser's notes, and special registers that are read once. */
const freeCalls = /^llvm\.(assume|lifetime|dbg|experimental\.noalias|invariant)/

function callCost(name: string, type: Type): number {
  if (freeCalls.test(name)) return 0
  if (name.startsWith('llvm.sqrt')) return isWide(type) ? DOUBLE_SQUARE_ROOT : SQUARE_ROOT
  return 1
}

/** Machine instructions that an IR instruction becomes, on average. */
export function issueCost(instruction: Instruction): number {
  return plainCost(instruction) * libraryFactor(instruction.location?.library)
}

function plainCost(instruction: Instruction): number {
  switch (instruction.op) {
    case 'phi':
    case 'freeze':
    case 'bitcast':
    case 'ptrtoint':
    case 'inttoptr':
    case 'addrspacecast':
    case 'alloca':
    case 'unreachable':
    case 'extractvalue':
    case 'insertvalue':
    case 'extractelement':
    case 'insertelement':
    case 'shufflevector':
    case 'trunc':
      return 0
    case 'zext':
    case 'sext':
      return isWide(instruction.type) ? 1 : 0
    case 'udiv':
    case 'sdiv':
    case 'urem':
    case 'srem':
      return divisionCost(instruction.op, instruction.type, instruction.right)
    case 'fdiv':
    case 'frem':
      return isWide(instruction.type) ? DOUBLE_DIVISION : FLOAT_DIVISION
    case 'gep':
      // Addresses are 64 bits on the machine: a wide multiply-add for each index.
      return instruction.terms.length
    case 'call':
      return instruction.callee.kind === 'function' ? callCost(instruction.callee.name, instruction.type) : 2
    case 'br':
      return 0.5
    case 'cmpxchg':
      return 2
    case 'add':
    case 'sub':
    case 'mul':
    case 'and':
    case 'or':
    case 'xor':
    case 'shl':
    case 'lshr':
    case 'ashr':
    case 'icmp':
    case 'select':
      return isWide(instruction.type) ? 2 : 1
    default:
      return 1
  }
}

/** What the use of an instruction's result waits for. */
export function waitClass(instruction: Instruction, program: KernelProgram): WaitClass {
  if (isBarrier(instruction)) return 'barrier'
  switch (instruction.op) {
    case 'load':
    case 'atomicrmw':
    case 'cmpxchg': {
      const sites = program.siteIds.get(instruction)
      if (!sites) return 'none' // a kernel parameter: an operand in the constant bank
      if (sites.global !== undefined || sites.local !== undefined) return 'globalLoad'
      return 'sharedLoad'
    }
    default:
      return issueCost(instruction) >= 1 ? 'arithmetic' : 'none'
  }
}
