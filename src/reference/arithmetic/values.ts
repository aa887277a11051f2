/**
 * What a register of one lane holds: the bits of the value. Integers, pointers and floats of up to 32 bits are
 * non-negative numbers, wider ones non-negative bigints, vectors and structures arrays of these. Bits rather than floats,
 * so that moving a value never changes it (NaN payloads) and a bit cast is the identity.
 */
import { InternalError } from '../../diagnostic.ts'
import type { Type } from '../../ir/ir.ts'
import { bitsOf, fieldOffsets, sizeOf, storeBytes } from '../../ir/types.ts'
import { BFLOAT, DOUBLE, decompose, type FloatFormat, HALF, roundTo, SINGLE } from './float.ts'

export type Bits = number | bigint | readonly Bits[]

const scratch = new DataView(new ArrayBuffer(8))

// ---------------------------------------------------------------- integers

/** The low `bits` bits of an integer of any sign, in the representation for that width. */
export function fromBigInt(value: bigint, bits: number): number | bigint {
  return bits <= 32 ? Number(BigInt.asUintN(bits, value)) : BigInt.asUintN(bits, value)
}

/** The unsigned value. */
export function toBigInt(value: Bits): bigint {
  if (typeof value === 'object') throw new InternalError('an integer was expected, not an aggregate')
  return BigInt(value)
}

/** The two's complement value. */
export function toSignedBigInt(value: Bits, bits: number): bigint {
  return BigInt.asIntN(bits, toBigInt(value))
}

/** A value of at most 32 bits. */
export function toNumber(value: Bits): number {
  if (typeof value !== 'number') throw new InternalError('a value of at most 32 bits was expected')
  return value
}

/** The two's complement value of at most 32 bits. */
export function toSigned(value: Bits, bits: number): number {
  return (toNumber(value) << (32 - bits)) >> (32 - bits)
}

export function elementsOf(value: Bits): readonly Bits[] {
  if (typeof value !== 'object') throw new InternalError('an aggregate was expected')
  return value
}

// ---------------------------------------------------------------- floats

export function formatOf(type: Type): FloatFormat {
  if (type.kind !== 'float') throw new InternalError(`a float was expected, not ${type.kind}`)
  if (type.bits === 16) return type.brain ? BFLOAT : HALF
  return type.bits === 32 ? SINGLE : DOUBLE
}

export function toFloat(value: Bits, format: FloatFormat): number {
  if (format === SINGLE) {
    scratch.setUint32(0, toNumber(value))
    return scratch.getFloat32(0)
  }
  if (format === DOUBLE) {
    scratch.setBigUint64(0, toBigInt(value))
    return scratch.getFloat64(0)
  }
  if (format === BFLOAT) {
    scratch.setUint32(0, toNumber(value) << 16)
    return scratch.getFloat32(0)
  }
  const bits = toNumber(value)
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (fraction + 1024) * 2 ** (exponent - 25)
}

/**
 * The bits of a number rounded to nearest even. NaN becomes the GPU's canonical one: 0x7fff, 0x7fffffff (PTX ISA, "floating
 * point comparisons" and the notes of each f32 instruction) and, for double, the quiet NaN without payload.
 */
export function fromFloat(x: number, format: FloatFormat): number | bigint {
  if (Number.isNaN(x)) return format === DOUBLE ? 0x7ff8_0000_0000_0000n : format === SINGLE ? 0x7fff_ffff : 0x7fff
  if (format === SINGLE) {
    scratch.setFloat32(0, x)
    return scratch.getUint32(0)
  }
  if (format === DOUBLE) {
    scratch.setFloat64(0, x)
    return scratch.getBigUint64(0)
  }
  const rounded = roundTo(x, format)
  if (format === BFLOAT) {
    scratch.setFloat32(0, rounded)
    return scratch.getUint16(0)
  }
  const sign = rounded < 0 || Object.is(rounded, -0) ? 0x8000 : 0
  if (!Number.isFinite(rounded)) return sign | 0x7c00
  if (Math.abs(rounded) < 2 ** -14) return sign | (Math.abs(rounded) * 2 ** 24)
  const exact = decompose(rounded)
  return sign | ((exact.exponent + 52 + 15) << 10) | (Number(exact.mantissa >> 42n) & 0x3ff)
}

// ---------------------------------------------------------------- any type

export function zeroOf(type: Type): Bits {
  switch (type.kind) {
    case 'int':
    case 'float':
      return type.bits <= 32 ? 0 : 0n
    case 'struct':
      return type.fields.map(zeroOf)
    case 'array':
    case 'vector':
      return Array.from({ length: type.length }, () => zeroOf(type.element))
    case 'pointer':
    case 'void':
      return 0
  }
}

/** The part of DataView that values need; little-endian always. The overlay memory is another implementation. */
export interface Bytes {
  getUint8(offset: number): number
  getUint16(offset: number, littleEndian: true): number
  getUint32(offset: number, littleEndian: true): number
  getBigUint64(offset: number, littleEndian: true): bigint
  setUint8(offset: number, value: number): void
  setUint16(offset: number, value: number, littleEndian: true): void
  setUint32(offset: number, value: number, littleEndian: true): void
  setBigUint64(offset: number, value: bigint, littleEndian: true): void
}

export function readValue(bytes: Bytes, offset: number, type: Type): Bits {
  switch (type.kind) {
    case 'void':
      return 0
    case 'int':
    case 'float':
    case 'pointer':
      return readScalar(bytes, offset, type)
    case 'array':
    case 'vector':
      return Array.from({ length: type.length }, (_, i) => readValue(bytes, offset + i * strideOf(type), type.element))
    case 'struct': {
      const offsets = fieldOffsets(type)
      return type.fields.map((field, i) => readValue(bytes, offset + offsets[i]!, field))
    }
  }
}

export function writeValue(bytes: Bytes, offset: number, type: Type, value: Bits): void {
  switch (type.kind) {
    case 'void':
      return
    case 'int':
    case 'float':
    case 'pointer':
      writeScalar(bytes, offset, type, value)
      return
    case 'array':
    case 'vector':
      elementsOf(value).forEach((element, i) => {
        writeValue(bytes, offset + i * strideOf(type), type.element, element)
      })
      return
    case 'struct': {
      const offsets = fieldOffsets(type)
      elementsOf(value).forEach((element, i) => {
        writeValue(bytes, offset + offsets[i]!, type.fields[i]!, element)
      })
    }
  }
}

/** Bytes between elements: those of vectors are packed, those of arrays padded to their alignment. */
function strideOf(type: Type & { kind: 'array' | 'vector' }): number {
  return type.kind === 'vector' ? storeBytes(type.element) : sizeOf(type.element)
}

function readScalar(bytes: Bytes, offset: number, type: Type): number | bigint {
  const bits = bitsOf(type)
  switch (bits) {
    case 8:
      return bytes.getUint8(offset)
    case 16:
      return bytes.getUint16(offset, true)
    case 32:
      return bytes.getUint32(offset, true)
    case 64:
      return bytes.getBigUint64(offset, true)
    default: {
      let value = 0n
      for (let i = storeBytes(type) - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes.getUint8(offset + i))
      return fromBigInt(value, bits)
    }
  }
}

function writeScalar(bytes: Bytes, offset: number, type: Type, value: Bits): void {
  const bits = bitsOf(type)
  switch (bits) {
    case 8:
      bytes.setUint8(offset, toNumber(value))
      return
    case 16:
      bytes.setUint16(offset, toNumber(value), true)
      return
    case 32:
      bytes.setUint32(offset, toNumber(value), true)
      return
    case 64:
      bytes.setBigUint64(offset, toBigInt(value), true)
      return
    default: {
      let rest = toBigInt(value)
      for (let i = 0; i < storeBytes(type); i++, rest >>= 8n) bytes.setUint8(offset + i, Number(rest & 0xffn))
    }
  }
}

/** Same bits, another type (LLVM's bitcast), through memory as the language reference defines it. */
export function reinterpret(value: Bits, from: Type, to: Type): Bits {
  if (typeof value !== 'object' && to.kind !== 'vector' && to.kind !== 'struct' && to.kind !== 'array') return value
  const view = new DataView(new ArrayBuffer(Math.max(storeBytes(from), storeBytes(to))))
  writeValue(view, 0, from, value)
  return readValue(view, 0, to)
}

/** Equal bits throughout. */
export function sameBits(a: Bits, b: Bits): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b
  return a.length === b.length && a.every((element, i) => sameBits(element, b[i]!))
}
