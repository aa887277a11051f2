/** LLVM's integer intrinsics (Language Reference, "Standard C/C++ Library", "Bit Manipulation", "Arithmetic with Overflow"). */
import type { Type } from '../../ir/ir.ts'
import { bitsOf } from '../../ir/types.ts'
import { choose } from '../arithmetic/atomics.ts'
import { type Binary, binaryOperation } from '../arithmetic/operations.ts'
import { type Bits, elementsOf, fromBigInt, toBigInt, toSignedBigInt } from '../arithmetic/values.ts'
import { type Intrinsic, pure, type Signature } from './intrinsic.ts'

export function integerIntrinsic({ name, result, parameters }: Signature): Intrinsic | undefined {
  const parts = name.split('.')
  if (parts[0] !== 'llvm') return undefined
  const [, operation, second] = parts
  if (parts.includes('overflow') && result.kind === 'struct') return withOverflow(operation!, result.fields[0]!)
  if (operation === 'vector' && second === 'reduce') return reduction(parts[3]!, result, parameters)
  if (result.kind !== 'int') return operation === 'ptrmask' ? pointerMask() : undefined
  const bits = result.bits
  if (second === 'sat' && operation) return saturating(operation, bits)
  const width = BigInt(bits)
  const unsigned = (compute: (...values: bigint[]) => bigint): Intrinsic =>
    pure(args => fromBigInt(compute(...args.map(toBigInt)), bits))
  switch (operation) {
    case 'smax':
      return binary(choose('sgt', result))
    case 'smin':
      return binary(choose('slt', result))
    case 'umax':
      return binary(choose('ugt', result))
    case 'umin':
      return binary(choose('ult', result))
    case 'abs':
      return pure(([a]) => {
        const value = toSignedBigInt(a!, bits)
        return fromBigInt(value < 0n ? -value : value, bits)
      })
    case 'ctpop':
      return unsigned(a => BigInt(digits(a!, bits).replaceAll('0', '').length))
    case 'ctlz':
      return unsigned(a => BigInt(leadingZeros(a!, bits)))
    case 'cttz':
      return unsigned(a => BigInt(leadingZeros(reversed(a!, bits), bits)))
    case 'bitreverse':
      return unsigned(a => reversed(a!, bits))
    case 'bswap':
      return unsigned(a => {
        let swapped = 0n
        for (let at = 0n; at < width; at += 8n) swapped = (swapped << 8n) | ((a! >> at) & 0xffn)
        return swapped
      })
    case 'fshl':
      return unsigned((high, low, by) => ((high! << width) | low!) >> (width - (by! % width)))
    case 'fshr':
      return unsigned((high, low, by) => ((high! << width) | low!) >> (by! % width))
    case 'ucmp':
      return threeWay((value, from) => BigInt.asUintN(from, value), parameters[0]!, bits)
    case 'scmp':
      return threeWay((value, from) => BigInt.asIntN(from, value), parameters[0]!, bits)
    case 'expect':
    case 'ssa':
      return pure(([a]) => a!)
    case 'is':
      return second === 'constant' ? pure(() => 0) : undefined
    case 'objectsize':
      // Unknown: -1 for the maximum (second argument false), 0 for the minimum.
      return pure(([, minimum]) => fromBigInt(minimum ? 0n : -1n, bits))
    default:
      return undefined
  }
}

function binary(compute: Binary): Intrinsic {
  return pure(([a, b]) => compute(a!, b!))
}

function pointerMask(): Intrinsic {
  return pure(([pointer, mask]) => fromBigInt(toBigInt(pointer!) & toBigInt(mask!), 32))
}

function digits(value: bigint, bits: number): string {
  return value.toString(2).padStart(bits, '0')
}

export function leadingZeros(value: bigint, bits: number): number {
  const first = digits(value, bits).indexOf('1')
  return first < 0 ? bits : first
}

export function reversed(value: bigint, bits: number): bigint {
  return BigInt(`0b${[...digits(value, bits)].reverse().join('')}`)
}

function threeWay(read: (value: bigint, bits: number) => bigint, type: Type, bits: number): Intrinsic {
  return pure(([x, y]) => {
    const [a, b] = [read(toBigInt(x!), bitsOf(type)), read(toBigInt(y!), bitsOf(type))]
    return fromBigInt(a < b ? -1n : a > b ? 1n : 0n, bits)
  })
}

const EXACT: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  shl: (a, b) => a << b,
}

function exactOperation(operation: string, bits: number) {
  const signed = operation.startsWith('s')
  const compute = EXACT[operation.slice(1)]
  const read = (value: Bits): bigint => (signed ? toSignedBigInt(value, bits) : toBigInt(value))
  const width = BigInt(bits)
  const [low, high] = signed ? [-(1n << (width - 1n)), (1n << (width - 1n)) - 1n] : [0n, (1n << width) - 1n]
  return (
    compute && {
      evaluate: (a: Bits, b: Bits) => compute(read(a), operation.endsWith('shl') ? toBigInt(b) : read(b)),
      low,
      high,
    }
  )
}

function saturating(operation: string, bits: number): Intrinsic | undefined {
  const exact = exactOperation(operation, bits)
  if (!exact) return undefined
  return pure(([a, b]) => {
    const value = exact.evaluate(a!, b!)
    if (value < exact.low) return fromBigInt(exact.low, bits)
    if (value > exact.high) return fromBigInt(exact.high, bits)
    return fromBigInt(value, bits)
  })
}

function withOverflow(operation: string, type: Type): Intrinsic | undefined {
  const bits = bitsOf(type)
  const exact = exactOperation(operation, bits)
  if (!exact) return undefined
  return pure(([a, b]) => {
    const value = exact.evaluate(a!, b!)
    return [fromBigInt(value, bits), value < exact.low || value > exact.high ? 1 : 0]
  })
}

/** llvm.vector.reduce.*, elements from first to last; fadd and fmul take a start value. */
function reduction(operation: string, result: Type, parameters: readonly Type[]): Intrinsic | undefined {
  const compute = reductionStep(operation, result)
  if (!compute) return undefined
  return pure(args => {
    const elements = elementsOf(args[parameters.length - 1]!)
    return parameters.length === 2 ? elements.reduce(compute, args[0]!) : elements.reduce((a, b) => compute(a, b))
  })
}

function reductionStep(operation: string, type: Type): Binary | undefined {
  switch (operation) {
    case 'add':
    case 'mul':
    case 'and':
    case 'or':
    case 'xor':
    case 'fadd':
    case 'fmul':
      return binaryOperation(operation, type)
    case 'smax':
      return choose('sgt', type)
    case 'smin':
      return choose('slt', type)
    case 'umax':
      return choose('ugt', type)
    case 'umin':
      return choose('ult', type)
    default:
      return undefined
  }
}
