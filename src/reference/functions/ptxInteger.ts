/** Integer operations of PTX that LLVM has no instruction for; inline assembly (asm.ts) uses the same functions. */
import { fromBigInt, toBigInt, toNumber, toSignedBigInt } from '../arithmetic/values.ts'
import { type Intrinsic, pure, type Signature } from './intrinsic.ts'

/** `parts`: the name behind `llvm.nvvm.`, cut at the dots. */
export function integerPtx(parts: readonly string[], { result, parameters }: Signature): Intrinsic | undefined {
  const [operation, kind = ''] = parts
  const operand = parameters[0]
  if (result.kind !== 'int' || operand?.kind !== 'int') return undefined
  const bits = operand.bits
  const signed = kind === '' || !kind.startsWith('u')
  const read = (value: Parameters<typeof toBigInt>[0]) => (signed ? toSignedBigInt(value, bits) : toBigInt(value))
  switch (operation) {
    case 'mulhi':
      return pure(([a, b]) => fromBigInt((read(a!) * read(b!)) >> BigInt(bits), bits))
    case 'mul24':
      return pure(([a, b]) => fromBigInt(low24(toBigInt(a!), signed) * low24(toBigInt(b!), signed), 32))
    case 'sad':
      return pure(([a, b, c]) => {
        const difference = read(a!) - read(b!)
        return fromBigInt((difference < 0n ? -difference : difference) + toBigInt(c!), bits)
      })
    case 'prmt':
      return pure(([a, b, selector]) => permuteBytes(toNumber(a!), toNumber(b!), toNumber(selector!)))
    case 'popc':
      return pure(([a]) => toBigInt(a!).toString(2).replaceAll('0', '').length)
    case 'clz':
      return pure(([a]) => bits - (toBigInt(a!) === 0n ? 0 : toBigInt(a!).toString(2).length))
    case 'abs':
      return pure(([a]) => fromBigInt(absolute(toSignedBigInt(a!, bits)), bits))
    case 'idp4a':
    case 'idp2a':
      return dotProduct(parts)
    case 'brev':
      return pure(([a]) => reverseBits(toNumber(a!)))
    default:
      return undefined
  }
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}

function low24(value: bigint, signed: boolean): bigint {
  return signed ? BigInt.asIntN(24, value) : BigInt.asUintN(24, value)
}

export function reverseBits(value: number): number {
  let reversed = 0
  for (let i = 0; i < 32; i++) reversed = (reversed << 1) | ((value >>> i) & 1)
  return reversed >>> 0
}

/** prmt.b32 in its default mode: each selector nibble names a byte of {b, a}; its top bit asks for the byte's sign, repeated. */
export function permuteBytes(a: number, b: number, selector: number): number {
  const byteAt = (index: number): number => ((index < 4 ? a : b) >>> (8 * (index & 3))) & 0xff
  let result = 0
  for (let i = 0; i < 4; i++) {
    const nibble = (selector >>> (4 * i)) & 0xf
    const byte = byteAt(nibble & 7)
    const chosen = nibble & 8 ? (byte & 0x80 ? 0xff : 0) : byte
    result |= chosen << (8 * i)
  }
  return result >>> 0
}

/** bfe: `length` bits from `start`, sign-extended from the field's (or the value's) top bit when signed. */
export function extractBits(value: bigint, start: number, length: number, bits: number, signed: boolean): bigint {
  const at = start & 0xff
  const count = length & 0xff
  const signAt = Math.min(at + count - 1, bits - 1)
  const fill = signed && count > 0 && (value >> BigInt(signAt)) & 1n ? (1n << BigInt(bits)) - 1n : 0n
  let result = 0n
  for (let i = 0; i < bits; i++) {
    const inside = i < count && at + i < bits
    const source = inside ? value >> BigInt(at + i) : fill >> BigInt(i)
    result |= (source & 1n) << BigInt(i)
  }
  return result
}

/** bfi: the low `length` bits of `field` into `value` at `start`. */
export function insertBits(field: bigint, value: bigint, start: number, length: number, bits: number): bigint {
  const at = start & 0xff
  const count = Math.min(length & 0xff, Math.max(0, bits - at))
  const mask = ((1n << BigInt(count)) - 1n) << BigInt(at)
  return (value & ~mask) | ((field << BigInt(at)) & mask)
}

/** lop3: bit by bit, the truth table's entry that the three bits name. */
export function threeInputLogic(a: number, b: number, c: number, table: number): number {
  let result = 0
  for (let i = 0; i < 32; i++) {
    const index = (((a >>> i) & 1) << 2) | (((b >>> i) & 1) << 1) | ((c >>> i) & 1)
    result |= ((table >>> index) & 1) << i
  }
  return result >>> 0
}

/** idp4a.{s,u}.{s,u}: four products of bytes and a sum; idp2a: two of halves with bytes, the low or high pair. */
function dotProduct(parts: readonly string[]): Intrinsic | undefined {
  const [operation, left, right] = parts
  if (!left || !right) return undefined
  const part = (value: bigint, index: number, width: number, kind: string): bigint => {
    const field = value >> BigInt(index * width)
    return kind === 's' ? BigInt.asIntN(width, field) : BigInt.asUintN(width, field)
  }
  if (operation === 'idp4a')
    return pure(([a, b, c]) => {
      let sum = toBigInt(c!)
      for (let i = 0; i < 4; i++) sum += part(toBigInt(a!), i, 8, left) * part(toBigInt(b!), i, 8, right)
      return fromBigInt(sum, 32)
    })
  return pure(([a, b, high, c]) => {
    let sum = toBigInt(c!)
    const first = high ? 2 : 0
    for (let i = 0; i < 2; i++) sum += part(toBigInt(a!), i, 16, left) * part(toBigInt(b!), first + i, 8, right)
    return fromBigInt(sum, 32)
  })
}
