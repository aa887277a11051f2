/**
 * What each computing instruction does to the bits of one lane, as a function found once per instruction.
 * LLVM's language reference decides; where LLVM says poison, the GPU does (PTX ISA): shifts clamp, division by zero gives
 * all ones, float to integer saturates. Vectors are done element by element.
 */
import { InternalError } from '../../diagnostic.ts'
import type { BinaryOp, CastOp, FloatPredicate, IntPredicate, Type } from '../../ir/ir.ts'
import { bitsOf } from '../../ir/types.ts'
import {
  DOUBLE,
  type FloatFormat,
  fma32,
  fmaExact,
  type Rounding,
  roundInteger,
  roundToIntegral,
  SINGLE,
} from './float.ts'
import {
  type Bits,
  elementsOf,
  formatOf,
  fromBigInt,
  fromFloat,
  reinterpret,
  toBigInt,
  toFloat,
  toNumber,
  toSigned,
  toSignedBigInt,
} from './values.ts'

export type Unary = (a: Bits) => Bits
export type Binary = (a: Bits, b: Bits) => Bits
export type Ternary = (a: Bits, b: Bits, c: Bits) => Bits

export function binaryOperation(op: BinaryOp, type: Type): Binary {
  if (type.kind === 'vector') return elementwise(binaryOperation(op, type.element))
  if (type.kind === 'float') return floatOperation(op, formatOf(type))
  const bits = bitsOf(type)
  return bits <= 32 ? narrowOperation(op, bits) : wideOperation(op, bits)
}

function elementwise(operation: Binary): Binary {
  return (a, b) => {
    const right = elementsOf(b)
    return elementsOf(a).map((element, i) => operation(element, right[i]!))
  }
}

function narrowOperation(op: BinaryOp, bits: number): Binary {
  const mask = bits === 32 ? 0xffff_ffff : 2 ** bits - 1
  const cut = (value: number) => (value & mask) >>> 0
  const unsigned =
    (compute: (a: number, b: number) => number): Binary =>
    (a, b) =>
      cut(compute(a as number, b as number))
  const signed =
    (compute: (a: number, b: number) => number): Binary =>
    (a, b) =>
      cut(compute(toSigned(a, bits), toSigned(b, bits)))
  switch (op) {
    case 'add':
      return unsigned((a, b) => (a + b) | 0)
    case 'sub':
      return unsigned((a, b) => (a - b) | 0)
    case 'mul':
      return unsigned(Math.imul)
    case 'udiv':
      return unsigned((a, b) => (b === 0 ? -1 : Math.floor(a / b)))
    case 'urem':
      return unsigned((a, b) => (b === 0 ? a : a % b))
    case 'sdiv':
      return signed((a, b) => (b === 0 ? -1 : Math.trunc(a / b)))
    case 'srem':
      return signed((a, b) => (b === 0 ? a : a % b))
    case 'shl':
      return unsigned((a, b) => (b >= bits ? 0 : a << b))
    case 'lshr':
      return unsigned((a, b) => (b >= bits ? 0 : a >>> b))
    case 'ashr':
      return (a, b) => cut(toSigned(a, bits) >> Math.min(b as number, 31))
    case 'and':
      return unsigned((a, b) => a & b)
    case 'or':
      return unsigned((a, b) => a | b)
    case 'xor':
      return unsigned((a, b) => a ^ b)
    default:
      throw new InternalError(`${op} of integers`)
  }
}

function wideOperation(op: BinaryOp, bits: number): Binary {
  const width = BigInt(bits)
  const unsigned =
    (compute: (a: bigint, b: bigint) => bigint): Binary =>
    (a, b) =>
      fromBigInt(compute(toBigInt(a), toBigInt(b)), bits)
  const signed =
    (compute: (a: bigint, b: bigint) => bigint): Binary =>
    (a, b) =>
      fromBigInt(compute(toSignedBigInt(a, bits), toSignedBigInt(b, bits)), bits)
  switch (op) {
    case 'add':
      return unsigned((a, b) => a + b)
    case 'sub':
      return unsigned((a, b) => a - b)
    case 'mul':
      return unsigned((a, b) => a * b)
    case 'udiv':
      return unsigned((a, b) => (b === 0n ? -1n : a / b))
    case 'urem':
      return unsigned((a, b) => (b === 0n ? a : a % b))
    case 'sdiv':
      return signed((a, b) => (b === 0n ? -1n : a / b))
    case 'srem':
      return signed((a, b) => (b === 0n ? a : a % b))
    case 'shl':
      return unsigned((a, b) => (b >= width ? 0n : a << b))
    case 'lshr':
      return unsigned((a, b) => (b >= width ? 0n : a >> b))
    case 'ashr':
      return (a, b) => {
        const count = toBigInt(b)
        return fromBigInt(toSignedBigInt(a, bits) >> (count >= width ? width : count), bits)
      }
    case 'and':
      return unsigned((a, b) => a & b)
    case 'or':
      return unsigned((a, b) => a | b)
    case 'xor':
      return unsigned((a, b) => a ^ b)
    default:
      throw new InternalError(`${op} of integers`)
  }
}

/**
 * Computed in double and rounded once more to the format: for + - x / of formats of at most 25 bits of precision the second
 * rounding never changes the result (Figueroa, "When is double rounding innocuous?", 1995). frem is exact.
 */
function floatOperation(op: BinaryOp, format: FloatFormat): Binary {
  const operation =
    (compute: (a: number, b: number) => number): Binary =>
    (a, b) =>
      fromFloat(compute(toFloat(a, format), toFloat(b, format)), format)
  switch (op) {
    case 'fadd':
      return operation((a, b) => a + b)
    case 'fsub':
      return operation((a, b) => a - b)
    case 'fmul':
      return operation((a, b) => a * b)
    case 'fdiv':
      return operation((a, b) => a / b)
    case 'frem':
      return operation((a, b) => a % b)
    default:
      throw new InternalError(`${op} of floats`)
  }
}

/** a x b + c with one rounding. */
export function fusedMultiplyAdd(type: Type): Ternary {
  if (type.kind === 'vector') {
    const element = fusedMultiplyAdd(type.element)
    return (a, b, c) => elementsOf(a).map((x, i) => element(x, elementsOf(b)[i]!, elementsOf(c)[i]!))
  }
  const format = formatOf(type)
  const compute = format === SINGLE ? fma32 : (a: number, b: number, c: number) => fmaExact(a, b, c, format)
  return (a, b, c) => fromFloat(compute(toFloat(a, format), toFloat(b, format), toFloat(c, format)), format)
}

/** The machine subtracts from -0 (ptxas: `FADD R, -R, -RZ`): a NaN becomes the canonical one. Halves' NaNs change their sign. */
export function negation(type: Type): Unary {
  if (type.kind === 'vector') {
    const element = negation(type.element)
    return a => elementsOf(a).map(element)
  }
  const bits = bitsOf(type)
  if (bits === 16) return a => toNumber(a) ^ 0x8000
  const format = formatOf(type)
  return a => fromFloat(-toFloat(a, format), format)
}

// ---------------------------------------------------------------- comparisons

export function integerComparison(predicate: IntPredicate, type: Type): Binary {
  if (type.kind === 'vector') return elementwise(integerComparison(predicate, type.element))
  const bits = bitsOf(type)
  const signed = predicate.startsWith('s')
  const order =
    bits > 32
      ? (a: Bits, b: Bits) =>
          sign(signed ? toSignedBigInt(a, bits) : toBigInt(a), signed ? toSignedBigInt(b, bits) : toBigInt(b))
      : (a: Bits, b: Bits) => sign(signed ? toSigned(a, bits) : toNumber(a), signed ? toSigned(b, bits) : toNumber(b))
  const relation = predicate.length === 3 ? predicate.slice(1) : predicate
  return (a, b) => (holds(relation, order(a, b)) ? 1 : 0)
}

function sign(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function holds(relation: string, order: number): boolean {
  switch (relation) {
    case 'eq':
      return order === 0
    case 'ne':
      return order !== 0
    case 'lt':
      return order < 0
    case 'le':
      return order <= 0
    case 'gt':
      return order > 0
    case 'ge':
      return order >= 0
    default:
      throw new InternalError(`comparison ${relation}`)
  }
}

export function floatComparison(predicate: FloatPredicate, type: Type): Binary {
  if (type.kind === 'vector') return elementwise(floatComparison(predicate, type.element))
  if (predicate === 'true' || predicate === 'false') return () => (predicate === 'true' ? 1 : 0)
  const format = formatOf(type)
  const unorderedResult = predicate.startsWith('u')
  const relation = predicate.slice(1)
  return (x, y) => {
    const [a, b] = [toFloat(x, format), toFloat(y, format)]
    if (Number.isNaN(a) || Number.isNaN(b)) return unorderedResult ? 1 : 0
    if (predicate === 'ord' || predicate === 'uno') return predicate === 'ord' ? 1 : 0
    return holds(relation, sign(a, b)) ? 1 : 0
  }
}

// ---------------------------------------------------------------- conversions

/** Every cast but addrspacecast, which needs to know the thread. */
export function conversion(op: CastOp, from: Type, to: Type): Unary {
  if (op === 'bitcast') return a => reinterpret(a, from, to)
  if (from.kind === 'vector' && to.kind === 'vector') {
    const element = conversion(op, from.element, to.element)
    return a => elementsOf(a).map(element)
  }
  const target = bitsOf(to)
  const source = bitsOf(from)
  switch (op) {
    case 'trunc':
    case 'zext':
    case 'ptrtoint':
    case 'inttoptr':
      if (source <= 32 && target <= 32) return a => (target < source ? toNumber(a) & (2 ** target - 1) : a)
      return a => fromBigInt(toBigInt(a), target)
    case 'sext':
      return a => fromBigInt(toSignedBigInt(a, source), target)
    case 'fptrunc':
    case 'fpext': {
      const [fromFormat, toFormat] = [formatOf(from), formatOf(to)]
      return a => fromFloat(toFloat(a, fromFormat), toFormat)
    }
    case 'fptosi':
    case 'fptoui': {
      const format = formatOf(from)
      return a => floatToInteger(toFloat(a, format), format, target, op === 'fptosi', 'rz')
    }
    case 'sitofp': {
      const format = formatOf(to)
      return a => fromFloat(roundInteger(toSignedBigInt(a, source), format), format)
    }
    case 'uitofp': {
      const format = formatOf(to)
      return a => fromFloat(roundInteger(toBigInt(a), format), format)
    }
    case 'addrspacecast':
      throw new InternalError('addrspacecast depends on the thread')
  }
}

/**
 * PTX cvt: rounds to an integer, then saturates. NaN gives 0 from float to at most 32 bits, else the integer with only the
 * top bit set (PTX ISA, cvt, "In float-to-integer conversions"). Results narrower than 32 bits are the low bits of a 32-bit
 * conversion, as nvcc compiles them.
 */
export function floatToInteger(
  x: number,
  source: FloatFormat,
  bits: number,
  signed: boolean,
  rounding: Rounding,
): number | bigint {
  const width = Math.max(bits, 32)
  if (Number.isNaN(x)) return source === DOUBLE || width > 32 ? fromBigInt(1n << BigInt(width - 1), bits) : 0
  const low = signed ? -(1n << BigInt(width - 1)) : 0n
  const high = signed ? (1n << BigInt(width - 1)) - 1n : (1n << BigInt(width)) - 1n
  const whole = roundToIntegral(x, rounding)
  if (whole <= Number(low)) return fromBigInt(low, bits)
  if (whole >= Number(high)) return fromBigInt(high, bits)
  return fromBigInt(BigInt(whole), bits)
}
