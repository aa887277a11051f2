/**
 * Floating-point constants: LLVM's spellings to exact values, and values to bit patterns.
 * LLVM writes `float` and `double` as a decimal or as the 16 hexadecimal digits of a double, `half` as 0xH and `bfloat` as 0xR
 * with four digits. What is read is exact for the type; a NaN keeps its sign and payload in `bits`.
 */
import type { Constant, Type, Value } from './ir.ts'

export type FloatType = Type & { readonly kind: 'float' }

const scratch = new DataView(new ArrayBuffer(8))

/** The constant that a token of the IR spells; undefined when the spelling does not fit the type. */
export function decodeFloat(type: FloatType, text: string): Constant | undefined {
  if (!text.startsWith('0x')) {
    const value = decimalOrSpecial(text)
    return value === undefined ? undefined : floatConstant(type, value)
  }
  const letter = text.charCodeAt(2)
  if (letter === 72 || letter === 82) {
    // H or R: the digits are the type's own 16 bits.
    if (type.bits !== 16 || (letter === 82) !== (type.brain === true)) return undefined
    const bits = hexadecimal(text.slice(3))
    return bits === undefined ? undefined : floatFromBits(type, bits)
  }
  const bits = hexadecimal(text.slice(2))
  if (bits === undefined || type.bits === 16) return undefined
  if (type.bits === 64) return floatFromBits(type, bits)
  scratch.setBigUint64(0, bits)
  const value = scratch.getFloat64(0)
  if (!Number.isNaN(value)) return floatConstant(type, value)
  // A float's NaN is written as a double's: sign and the high 23 bits of the payload are its own.
  return floatFromBits(type, ((bits >> 32n) & 0x8000_0000n) | 0x7f80_0000n | ((bits >> 29n) & 0x7f_ffffn))
}

function decimalOrSpecial(text: string): number | undefined {
  if (text === '+inf') return Number.POSITIVE_INFINITY
  if (text === '-inf') return Number.NEGATIVE_INFINITY
  const value = Number(text)
  return Number.isNaN(value) ? undefined : value
}

function hexadecimal(digits: string): bigint | undefined {
  return /^[0-9a-fA-F]{1,16}$/.test(digits) ? BigInt(`0x${digits}`) : undefined
}

/** The constant nearest to a number; a NaN becomes the type's canonical quiet NaN. */
export function floatConstant(type: FloatType, value: number): Constant {
  const bits = floatBits(type, value)
  return type.bits === 16
    ? floatFromBits(type, bits)
    : { kind: 'float', type, value: type.bits === 32 ? Math.fround(value) : value, bits }
}

/** The constant with a bit pattern of the type's width. */
export function floatFromBits(type: FloatType, bits: bigint): Constant {
  if (type.bits === 64) {
    scratch.setBigUint64(0, bits)
    return { kind: 'float', type, value: scratch.getFloat64(0), bits }
  }
  if (type.bits === 32) {
    scratch.setUint32(0, Number(bits))
    return { kind: 'float', type, value: scratch.getFloat32(0), bits }
  }
  if (type.brain) {
    scratch.setUint32(0, Number(bits) << 16)
    return { kind: 'float', type, value: scratch.getFloat32(0), bits }
  }
  return { kind: 'float', type, value: halfToNumber(Number(bits)), bits }
}

/** The bit pattern of the type's number nearest to `value`, ties to even. */
export function floatBits(type: FloatType, value: number): bigint {
  if (type.bits === 64) {
    scratch.setFloat64(0, value)
    return scratch.getBigUint64(0)
  }
  if (type.bits === 32) {
    scratch.setFloat32(0, value)
    return BigInt(scratch.getUint32(0))
  }
  return BigInt(type.brain ? roundToBits(value, 8, 7) : roundToBits(value, 5, 10))
}

/** The value of a half's 16 bits. */
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 0x3ff
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24)
}

/** Rounds a number to a binary format of few bits, in one step from the double. */
function roundToBits(value: number, exponentBits: number, fractionBits: number): number {
  const bias = 2 ** (exponentBits - 1) - 1
  const sign = value < 0 || Object.is(value, -0) ? 1 << (exponentBits + fractionBits) : 0
  const infinity = ((1 << exponentBits) - 1) << fractionBits
  if (Number.isNaN(value)) return infinity | (1 << (fractionBits - 1))
  const magnitude = Math.abs(value)
  if (magnitude === 0) return sign
  const exponent = Math.max(Math.min(Math.floor(Math.log2(magnitude)), bias + 1), 1 - bias)
  // Units of the last place: scaling by a power of two is exact, so only this rounding rounds.
  const units = magnitude / 2 ** (exponent - fractionBits)
  const below = Math.floor(units)
  const rest = units - below
  const rounded = below + (rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? 1 : 0)
  // A carry out of the fraction raises the exponent by itself, since the fields are adjacent.
  const encoded = rounded + (exponent + bias - 1) * 2 ** fractionBits
  return sign | Math.min(encoded, infinity)
}

export const isOne = (value: Value): boolean => value.kind === 'float' && value.value === 1
