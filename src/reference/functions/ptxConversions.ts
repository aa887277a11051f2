/**
 * PTX's `cvt` between integers and floats of 8 to 64 bits, tf32 included: one value from one register to another. In: the parts of
 * the opcode behind its name, in any order but that the destination's type comes before the source's (as ptxas takes them).
 * Source: PTX ISA, "Data Movement and Conversion Instructions: cvt".
 */
import {
  BFLOAT,
  DOUBLE,
  type FloatFormat,
  HALF,
  type Rounding,
  roundInteger,
  roundTo,
  roundToIntegral,
  SINGLE,
} from '../arithmetic/float.ts'
import { flushToZero, saturate } from '../arithmetic/scalar.ts'
import { fromBigInt, fromFloat, toFloat } from '../arithmetic/values.ts'

type NumberType =
  | { readonly kind: 'integer'; readonly bits: number; readonly low: bigint; readonly high: bigint }
  | { readonly kind: 'float'; readonly format: FloatFormat }

/** A float with ten bits of fraction, in the register of one with 23. */
const TF32: FloatFormat = { bits: 32, precision: 11, lastPlace: -136, maxExponent: 127 }
const FLOATS: Readonly<Record<string, FloatFormat>> = { f16: HALF, bf16: BFLOAT, f32: SINGLE, f64: DOUBLE, tf32: TF32 }
const MODIFIER = /^(r[nzmp]i?|rna|ftz|sat|satfinite|relu)$/

/** The bits of the result from the bits of the source; undefined for forms that are no `cvt` of one value. */
export function findConversion(parts: readonly string[]): ((source: bigint) => bigint) | undefined {
  const types = parts.filter(part => !MODIFIER.test(part)).map(numberType)
  const [to, from] = types
  if (types.length !== 2 || !to || !from) return undefined
  const modifiers = parts.filter(part => MODIFIER.test(part))
  if (modifiers.includes('rna') && !(to.kind === 'float' && to.format === TF32)) return undefined
  if (to.kind === 'integer')
    return source =>
      inRegister(
        from.kind === 'integer'
          ? cutInteger(source, from, to, modifiers)
          : toInteger(source, from.format, to, modifiers),
        to,
      )
  const { format } = to
  if (from.kind === 'float' && from.format === format && modifiers.length === 0) return source => source
  return source => {
    const value =
      from.kind === 'integer'
        ? roundInteger(integerOf(source, from), format, roundingOf(modifiers))
        : toOtherFloat(source, from.format, format, modifiers)
    return BigInt(fromFloat(limit(value, format, modifiers), format === TF32 ? SINGLE : format))
  }
}

function numberType(name: string): NumberType | undefined {
  const integer = /^([us])(8|16|32|64)$/.exec(name)
  if (!integer) return Object.hasOwn(FLOATS, name) ? { kind: 'float', format: FLOATS[name]! } : undefined
  const bits = Number(integer[2])
  const values = 1n << BigInt(bits)
  return integer[1] === 's'
    ? { kind: 'integer', bits, low: -values / 2n, high: values / 2n - 1n }
    : { kind: 'integer', bits, low: 0n, high: values - 1n }
}

type IntegerType = NumberType & { kind: 'integer' }

function integerOf(bits: bigint, type: IntegerType): bigint {
  return type.low < 0n ? BigInt.asIntN(type.bits, bits) : BigInt.asUintN(type.bits, bits)
}

/** A register is at least 32 bits wide: a narrower integer is extended by its own sign. */
function inRegister(value: bigint, type: IntegerType): bigint {
  return BigInt.asUintN(Math.max(32, type.bits), value)
}

function clamp(value: bigint, { low, high }: IntegerType): bigint {
  return value < low ? low : value > high ? high : value
}

function cutInteger(source: bigint, from: IntegerType, to: IntegerType, modifiers: readonly string[]): bigint {
  const value = integerOf(source, from)
  return modifiers.includes('sat') ? clamp(value, to) : integerOf(value, to)
}

/**
 * Out of range is the nearest that the type holds, with .sat or without. NaN is 0, but the top bit alone where the source or the
 * destination has 64 bits.
 */
function toInteger(source: bigint, format: FloatFormat, to: IntegerType, modifiers: readonly string[]): bigint {
  const whole = roundToIntegral(readFloat(source, format, modifiers), roundingOf(modifiers))
  if (Number.isNaN(whole)) return format === DOUBLE || to.bits === 64 ? 1n << BigInt(to.bits - 1) : 0n
  if (!Number.isFinite(whole)) return whole > 0 ? to.high : to.low
  return clamp(BigInt(whole), to)
}

function toOtherFloat(source: bigint, from: FloatFormat, to: FloatFormat, modifiers: readonly string[]): number {
  const value = readFloat(source, from, modifiers)
  if (modifiers.includes('rna')) return nearestTf32(value)
  const rounding = roundingOf(modifiers)
  const isIntegral = modifiers.some(part => /^r[nzmp]i$/.test(part))
  const rounded = isIntegral ? roundToIntegral(value, rounding) : roundTo(value, to, rounding)
  return modifiers.includes('ftz') && to === SINGLE ? flushToZero(rounded) : rounded
}

/** .rna: to the nearest, of two the one further from zero. */
function nearestTf32(value: number): number {
  if (!Number.isFinite(value)) return value
  const bits = BigInt(fromFloat(value, SINGLE))
  return toFloat(fromBigInt((bits + 0x1000n) & ~0x1fffn, 32), SINGLE)
}

function readFloat(bits: bigint, format: FloatFormat, modifiers: readonly string[]): number {
  const value = toFloat(fromBigInt(bits, format.bits), format)
  return modifiers.includes('ftz') && format === SINGLE ? flushToZero(value) : value
}

/** .sat: to [0, 1]. .relu: what is negative is 0. .satfinite: what is too large is the largest. NaN stays but with .sat. */
function limit(value: number, format: FloatFormat, modifiers: readonly string[]): number {
  if (modifiers.includes('sat')) return saturate(value)
  const positive = modifiers.includes('relu') ? Math.max(value, 0) : value
  const largest = (2 - 2 ** (1 - format.precision)) * 2 ** format.maxExponent
  return modifiers.includes('satfinite') ? Math.min(Math.max(positive, -largest), largest) : positive
}

function roundingOf(modifiers: readonly string[]): Rounding {
  const [, rounding = 'rn'] = /^(r[nzmp])i?$/.exec(modifiers.find(part => /^r[nzmp]i?$/.test(part)) ?? '') ?? []
  return rounding as Rounding
}
