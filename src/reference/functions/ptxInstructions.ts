/**
 * PTX instructions on registers, for inline assembly: each by its opcode as a function of its sources' bits
 * (PTX ISA, "Integer Arithmetic", "Extended-Precision Integer", "Logic and Shift", "Floating Point", "Comparison and
 * Selection"). Sources may carry more bits than the instruction's type; each function takes what it needs.
 */
import { maximumNumber, minimumNumber } from '../arithmetic/atomics.ts'
import {
  addExact,
  DOUBLE,
  divideExact,
  type FloatFormat,
  fmaExact,
  HALF,
  multiplyExact,
  type Rounding,
  roundTo,
  SINGLE,
  sqrtExact,
} from '../arithmetic/float.ts'
import {
  cosApprox,
  exp2Approx,
  flushToZero,
  log2Approx,
  saturate,
  sinApprox,
  tanhApprox,
} from '../arithmetic/scalar.ts'
import { fromBigInt, fromFloat, toFloat } from '../arithmetic/values.ts'
import { leadingZeros } from './intrinsicsInteger.ts'
import { findConversion } from './ptxConversions.ts'
import { extractBits, insertBits, permuteBytes, reverseBits, threeInputLogic } from './ptxInteger.ts'

export interface PtxState {
  /** The condition code register's carry-out, 0 or 1. */
  carry: bigint
}

export type PtxInstruction = (sources: readonly bigint[], state: PtxState) => bigint

/** The function of an opcode such as `mad.lo.u32`; undefined for what is not in the table, or has other operands. */
export function findPtxInstruction(opcode: string, sourceCount: number): PtxInstruction | undefined {
  const [name = '', ...modifiers] = opcode.split('.')
  const type = modifiers.at(-1) ?? ''
  const integer = /^([usb])(8|16|32|64)$/.exec(type)
  const floating = /^f(16|32|64)$/.exec(type)
  const found =
    conversion(name, modifiers) ??
    (integer && integerInstruction(name, modifiers.slice(0, -1), integer[1] === 's', Number(integer[2]))) ??
    (floating && floatInstruction(name, modifiers.slice(0, -1), floatFormat(Number(floating[1])))) ??
    predicateInstruction(name, type)
  return found && found.sources === sourceCount ? found.evaluate : undefined
}

interface Entry {
  readonly sources: number
  readonly evaluate: PtxInstruction
}

function entry(sources: number, evaluate: (...values: bigint[]) => bigint): Entry {
  return { sources, evaluate: values => evaluate(...values) }
}

function floatFormat(bits: number): FloatFormat {
  return bits === 16 ? HALF : bits === 32 ? SINGLE : DOUBLE
}

// ---------------------------------------------------------------- integers

function integerInstruction(
  name: string,
  modifiers: readonly string[],
  signed: boolean,
  bits: number,
): Entry | undefined {
  const width = BigInt(bits)
  const read = (value: bigint): bigint => (signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value))
  const cut = (value: bigint): bigint => BigInt.asUintN(bits, value)
  const binary = (compute: (a: bigint, b: bigint) => bigint): Entry =>
    entry(2, (a, b) => cut(compute(read(a!), read(b!))))
  const carrying = withCarry(name, modifiers, bits)
  if (carrying) return carrying
  const part = productPart(modifiers, read, bits)
  const shift = (value: bigint): bigint => (BigInt.asUintN(32, value) > width ? width : BigInt.asUintN(32, value))
  if (modifiers.length > 0 && !['mul', 'mad', 'setp', 'shf', 'bfind', 'unpack'].includes(name)) return undefined
  switch (name) {
    case 'mov':
      return entry(1, a => cut(a!))
    case 'pack':
      return entry(2, (low, high) => cut((high! << (width / 2n)) | BigInt.asUintN(bits / 2, low!)))
    case 'unpack':
      return entry(1, a => BigInt.asUintN(bits / 2, modifiers[0] === 'high' ? a! >> (width / 2n) : a!))
    case 'add':
      return binary((a, b) => a + b)
    case 'sub':
      return binary((a, b) => a - b)
    case 'div':
      return binary((a, b) => (b === 0n ? -1n : a / b))
    case 'rem':
      return binary((a, b) => (b === 0n ? a : a % b))
    case 'mul':
      return part && entry(2, (a, b) => part(read(a!) * read(b!)))
    case 'mad':
      return part && entry(3, (a, b, c) => part(read(a!) * read(b!), c!))
    case 'and':
      return binary((a, b) => a & b)
    case 'or':
      return binary((a, b) => a | b)
    case 'xor':
      return binary((a, b) => a ^ b)
    case 'not':
      return entry(1, a => cut(~a!))
    case 'cnot':
      return entry(1, a => (cut(a!) === 0n ? 1n : 0n))
    case 'neg':
      return entry(1, a => cut(-a!))
    case 'abs':
      return entry(1, a => cut(read(a!) < 0n ? -read(a!) : read(a!)))
    case 'min':
      return binary(chooser((a, b) => a < b))
    case 'max':
      return binary(chooser((a, b) => a > b))
    case 'shl':
      return entry(2, (a, b) => cut(a! << shift(b!)))
    case 'shr':
      return entry(2, (a, b) => cut(read(a!) >> shift(b!)))
    case 'shf':
      return funnelShift(modifiers)
    case 'bfe':
      return entry(3, (a, start, length) =>
        cut(extractBits(cut(a!), Number(start! & 0xffn), Number(length! & 0xffn), bits, signed)),
      )
    case 'bfi':
      return entry(4, (field, value, start, length) =>
        cut(insertBits(cut(field!), cut(value!), Number(start! & 0xffn), Number(length! & 0xffn), bits)),
      )
    case 'bfind':
      return findBit(modifiers, read, bits)
    case 'brev':
      return bits === 32 ? entry(1, a => BigInt(reverseBits(Number(cut(a!))))) : undefined
    case 'popc':
      return entry(1, a => BigInt(cut(a!).toString(2).replaceAll('0', '').length))
    case 'clz':
      return entry(1, a => BigInt(leadingZeros(cut(a!), bits)))
    case 'prmt':
      return entry(3, (a, b, selector) => BigInt(permuteBytes(word(a!), word(b!), word(selector!))))
    case 'lop3':
      return entry(4, (a, b, c, table) => BigInt(threeInputLogic(word(a!), word(b!), word(c!), Number(table!))))
    case 'sad':
      return entry(3, (a, b, c) => cut((read(a!) > read(b!) ? read(a!) - read(b!) : read(b!) - read(a!)) + c!))
    case 'selp':
      return entry(3, (a, b, p) => cut(p! === 0n ? b! : a!))
    case 'setp':
      return comparison(modifiers, read)
    default:
      return undefined
  }
}

function chooser(first: (a: bigint, b: bigint) => boolean): (a: bigint, b: bigint) => bigint {
  return (a, b) => (first(a, b) ? a : b)
}

function word(value: bigint): number {
  return Number(BigInt.asUintN(32, value))
}

/** .lo and .hi halves of a product, or all of it; the addend has the result's width. */
function productPart(modifiers: readonly string[], read: (value: bigint) => bigint, bits: number) {
  const half = modifiers.length === 1 ? modifiers[0] : undefined
  switch (half) {
    case 'lo':
      return (product: bigint, addend = 0n): bigint => BigInt.asUintN(bits, product + addend)
    case 'hi':
      return (product: bigint, addend = 0n): bigint => BigInt.asUintN(bits, (product >> BigInt(bits)) + read(addend))
    case 'wide':
      return (product: bigint, addend = 0n): bigint => BigInt.asUintN(2 * bits, product + addend)
    default:
      return undefined
  }
}

/** add.cc, addc, sub.cc, subc, mad.{lo,hi}.cc, madc.{lo,hi}: `.cc` writes the carry, the `c` reads it. */
function withCarry(name: string, modifiers: readonly string[], bits: number): Entry | undefined {
  const writes = modifiers.includes('cc')
  const operation = /^(add|sub|mad)c?$/.exec(name)?.[1]
  const reads = operation !== undefined && name === `${operation}c`
  if (operation === undefined || (!writes && !reads)) return undefined
  const half = modifiers.find(part => part === 'lo' || part === 'hi')
  const unsigned = (value: bigint): bigint => BigInt.asUintN(bits, value)
  return {
    sources: operation === 'mad' ? 3 : 2,
    evaluate([a = 0n, b = 0n, c = 0n], state) {
      const carry = reads ? state.carry : 0n
      const product = unsigned(a) * unsigned(b)
      const sum =
        operation === 'add'
          ? unsigned(a) + unsigned(b) + carry
          : operation === 'sub'
            ? unsigned(a) - unsigned(b) - carry
            : unsigned(half === 'hi' ? product >> BigInt(bits) : product) + unsigned(c) + carry
      if (writes) state.carry = sum < 0n || sum >> BigInt(bits) !== 0n ? 1n : 0n
      return unsigned(sum)
    },
  }
}

/** shf.{l,r}.{wrap,clamp}.b32 d, low, high, count. */
function funnelShift([direction, mode]: readonly string[]): Entry | undefined {
  if ((direction !== 'l' && direction !== 'r') || (mode !== 'wrap' && mode !== 'clamp')) return undefined
  return entry(3, (low, high, count) => {
    const both = (BigInt.asUintN(32, high!) << 32n) | BigInt.asUintN(32, low!)
    const by = BigInt.asUintN(32, count!)
    const amount = mode === 'wrap' ? by & 31n : by > 32n ? 32n : by
    return BigInt.asUintN(32, direction === 'l' ? (both << amount) >> 32n : both >> amount)
  })
}

/** bfind: place of the highest bit that differs from the sign; `.shiftamt`: how far to shift it to the top. */
function findBit(modifiers: readonly string[], read: (value: bigint) => bigint, bits: number): Entry {
  return entry(1, a => {
    const value = read(a!)
    const zeros = leadingZeros(value < 0n ? ~value : value, bits)
    if (zeros === bits) return 0xffff_ffffn
    return BigInt(modifiers.includes('shiftamt') ? zeros : bits - 1 - zeros)
  })
}

function comparison(modifiers: readonly string[], read: (value: bigint) => bigint): Entry | undefined {
  const relation = modifiers.length === 1 ? RELATIONS[modifiers[0]!] : undefined
  return relation && entry(2, (a, b) => (relation(read(a!), read(b!)) ? 1n : 0n))
}

const RELATIONS: Readonly<Record<string, (a: bigint | number, b: bigint | number) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  lo: (a, b) => a < b,
  ls: (a, b) => a <= b,
  hi: (a, b) => a > b,
  hs: (a, b) => a >= b,
}

// ---------------------------------------------------------------- predicates

function predicateInstruction(name: string, type: string): Entry | undefined {
  if (type !== 'pred') return undefined
  switch (name) {
    case 'mov':
      return entry(1, a => a! & 1n)
    case 'not':
      return entry(1, a => ~a! & 1n)
    case 'and':
      return entry(2, (a, b) => a! & b! & 1n)
    case 'or':
      return entry(2, (a, b) => (a! | b!) & 1n)
    case 'xor':
      return entry(2, (a, b) => (a! ^ b!) & 1n)
    default:
      return undefined
  }
}

// ---------------------------------------------------------------- floats

const FLOAT: Readonly<
  Record<
    string,
    { sources: number; compute: (values: readonly number[], format: FloatFormat, rounding: Rounding) => number }
  >
> = {
  add: { sources: 2, compute: ([a, b], format, rounding) => addExact(a!, b!, format, rounding) },
  sub: { sources: 2, compute: ([a, b], format, rounding) => addExact(a!, -b!, format, rounding) },
  mul: { sources: 2, compute: ([a, b], format, rounding) => multiplyExact(a!, b!, format, rounding) },
  div: { sources: 2, compute: ([a, b], format, rounding) => divideExact(a!, b!, format, rounding) },
  fma: { sources: 3, compute: ([a, b, c], format, rounding) => fmaExact(a!, b!, c!, format, rounding) },
  mad: { sources: 3, compute: ([a, b, c], format, rounding) => fmaExact(a!, b!, c!, format, rounding) },
  sqrt: { sources: 1, compute: ([a], format, rounding) => sqrtExact(a!, format, rounding) },
  rcp: { sources: 1, compute: ([a], format, rounding) => divideExact(1, a!, format, rounding) },
  rsqrt: { sources: 1, compute: ([a], format) => roundTo(1 / Math.sqrt(a!), format) },
  min: { sources: 2, compute: ([a, b]) => minimumNumber(a!, b!) },
  max: { sources: 2, compute: ([a, b]) => maximumNumber(a!, b!) },
  ex2: { sources: 1, compute: ([a]) => exp2Approx(a!) },
  lg2: { sources: 1, compute: ([a]) => log2Approx(a!) },
  sin: { sources: 1, compute: ([a]) => sinApprox(a!) },
  cos: { sources: 1, compute: ([a]) => cosApprox(a!) },
  tanh: { sources: 1, compute: ([a]) => tanhApprox(a!) },
}

const SINGLE_ONLY: ReadonlySet<string> = new Set(['ex2', 'lg2', 'sin', 'cos', 'tanh'])

function floatInstruction(name: string, modifiers: readonly string[], format: FloatFormat): Entry | undefined {
  if (name === 'mov' && modifiers.length === 0) return entry(1, a => BigInt.asUintN(format.bits, a!))
  if (name === 'setp') return floatComparison(modifiers, format)
  const signBit = 1n << BigInt(format.bits - 1)
  if (name === 'neg') return entry(1, a => a! ^ signBit)
  if (name === 'abs') return entry(1, a => a! & ~signBit)
  const operation = Object.hasOwn(FLOAT, name) ? FLOAT[name] : undefined
  if (!operation || (SINGLE_ONLY.has(name) && format !== SINGLE)) return undefined
  if (modifiers.some(part => !/^(rn|rz|rm|rp|ftz|sat|approx|full)$/.test(part))) return undefined
  const rounding = roundingOf(modifiers) ?? 'rn'
  const flush = modifiers.includes('ftz') && format === SINGLE ? flushToZero : (x: number) => x
  const limit = modifiers.includes('sat') ? saturate : (x: number) => x
  return entry(operation.sources, (...sources) => {
    const values = sources.map(source => flush(readFloat(source, format)))
    return BigInt(fromFloat(limit(flush(operation.compute(values, format, rounding))), format))
  })
}

function readFloat(bits: bigint, format: FloatFormat): number {
  return toFloat(fromBigInt(bits, format.bits), format)
}

function roundingOf(modifiers: readonly string[]): Rounding | undefined {
  return modifiers.find(part => part === 'rn' || part === 'rz' || part === 'rm' || part === 'rp')
}

/** Ordered comparisons: false with a NaN, except `ne`'s unordered twin `neu` and its like. */
function floatComparison(modifiers: readonly string[], format: FloatFormat): Entry | undefined {
  const [name = ''] = modifiers
  const unordered = name.length === 3 && name.endsWith('u')
  const relation = RELATIONS[unordered ? name.slice(0, 2) : name]
  if (!relation || modifiers.length !== 1 || /^(lo|ls|hi|hs)u?$/.test(name)) return undefined
  return entry(2, (x, y) => {
    const [a, b] = [readFloat(x!, format), readFloat(y!, format)]
    const holds = Number.isNaN(a) || Number.isNaN(b) ? unordered : relation(a, b)
    return holds ? 1n : 0n
  })
}

// ---------------------------------------------------------------- conversions

function conversion(name: string, modifiers: readonly string[]): Entry | undefined {
  const convert = name === 'cvt' ? findConversion(modifiers) : undefined
  return convert && entry(1, source => convert(source!))
}
