/** What each read-modify-write does to the old value, and how maximum and minimum of floats treat NaN and zeros. */
import type { AtomicOp, Type } from '../../ir/ir.ts'
import { bitsOf } from '../../ir/types.ts'
import { type Binary, binaryOperation, integerComparison } from './operations.ts'
import { type Bits, formatOf, fromBigInt, fromFloat, toBigInt, toFloat } from './values.ts'

/** (old value, operand) to the new value. */
export function atomicOperation(operation: AtomicOp, type: Type): Binary {
  switch (operation) {
    case 'xchg':
      return (_, operand) => operand
    case 'add':
    case 'sub':
    case 'and':
    case 'or':
    case 'xor':
    case 'fadd':
    case 'fsub':
      return binaryOperation(operation, type)
    case 'nand': {
      const and = binaryOperation('and', type)
      return (old, operand) => fromBigInt(~toBigInt(and(old, operand)), bitsOf(type))
    }
    case 'max':
      return choose('sgt', type)
    case 'min':
      return choose('slt', type)
    case 'umax':
      return choose('ugt', type)
    case 'umin':
      return choose('ult', type)
    case 'fmax':
    case 'fmin': {
      const format = formatOf(type)
      const pick = operation === 'fmax' ? maximumNumber : minimumNumber
      return (old, operand) => fromFloat(pick(toFloat(old, format), toFloat(operand, format)), format)
    }
    case 'uinc_wrap':
      return integer(type, (old, limit) => (old >= limit ? 0n : old + 1n))
    case 'udec_wrap':
      return integer(type, (old, limit) => (old === 0n || old > limit ? limit : old - 1n))
    case 'usub_cond':
      return integer(type, (old, operand) => (old >= operand ? old - operand : old))
    case 'usub_sat':
      return integer(type, (old, operand) => (old >= operand ? old - operand : 0n))
  }
}

function integer(type: Type, compute: (old: bigint, operand: bigint) => bigint): Binary {
  return (old, operand) => fromBigInt(compute(toBigInt(old), toBigInt(operand)), bitsOf(type))
}

/** The first operand where the predicate holds, else the second. */
export function choose(predicate: 'sgt' | 'slt' | 'ugt' | 'ult', type: Type): Binary {
  const first = integerComparison(predicate, type)
  return (a: Bits, b: Bits) => (first(a, b) ? a : b)
}

/** The number where one is NaN; +0 above -0 (PTX ISA, max). */
export function maximumNumber(a: number, b: number): number {
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b)
}

export function minimumNumber(a: number, b: number): number {
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b)
}
