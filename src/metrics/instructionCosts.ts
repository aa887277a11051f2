/**
 * What the machine would make of IR instructions, roughly: how many it issues for each, and which of its waits each is.
 * In: one IR instruction. Out: a count and a class. An estimate (`modelled`): the machine compiler is not here.
 * Calibrated on `smsp__inst_executed.sum` of truth/h200 (docs/time-model.md).
 */

import type { KernelProgram } from '../analysis/prepare.ts'
import { isBarrier } from '../analysis/splitBarriers.ts'
import type { Instruction, Type, Value } from '../ir/ir.ts'

/** What an instruction makes the ones after it wait for. */
export type WaitClass = 'none' | 'arithmetic' | 'globalLoad' | 'sharedLoad' | 'barrier'

const bitsOf = (type: Type): number => (type.kind === 'int' || type.kind === 'float' ? type.bits : 32)
const isWide = (type: Type): boolean => bitsOf(type) > 32
const isConstant = (value: Value): boolean => value.kind !== 'instruction' && value.kind !== 'parameter'

/** Instructions of a division by something unknown, 32 and 64 bits; by a constant it is a multiplication and a shift. */
const DIVISION = 18
const WIDE_DIVISION = 70
const CONSTANT_DIVISION = 4
const FLOAT_DIVISION = 9

function divisionCost(type: Type, divisor: Value): number {
  if (isConstant(divisor)) return CONSTANT_DIVISION
  return isWide(type) ? WIDE_DIVISION : DIVISION
}

/** Names of intrinsics that cost nothing: the optimiser's notes, and special registers that are read once. */
const freeCalls = /^llvm\.(assume|lifetime|dbg|experimental\.noalias|invariant)/
/** Several instructions for one call: square roots and the like in full precision. */
const longCalls = /sqrt|rcp|div|sin|cos|exp|log|pow/

function callCost(name: string): number {
  if (freeCalls.test(name)) return 0
  return longCalls.test(name) ? 8 : 1
}

/** Machine instructions that an IR instruction becomes, on average. */
export function issueCost(instruction: Instruction): number {
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
      return divisionCost(instruction.type, instruction.right)
    case 'fdiv':
    case 'frem':
      return FLOAT_DIVISION * (isWide(instruction.type) ? 2 : 1)
    case 'gep':
      // Addresses are 64 bits on the machine: a wide multiply-add for each index.
      return instruction.terms.length
    case 'call':
      return instruction.callee.kind === 'function' ? callCost(instruction.callee.name) : 2
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
