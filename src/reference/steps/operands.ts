/** How an instruction of one lane gets at its operands: registers by number, constants folded once. */
import { InternalError } from '../../diagnostic.ts'
import type { Constant, Global, Value } from '../../ir/ir.ts'
import { bitsOf, SPACE } from '../../ir/types.ts'
import { binaryOperation, conversion } from '../arithmetic/operations.ts'
import { type Bits, fromBigInt, zeroOf } from '../arithmetic/values.ts'
import { castPointer } from '../machine/memory.ts'
import type { Frame, WarpState } from '../machine/state.ts'

export type Operand = (warp: WarpState, frame: Frame, lane: number) => Bits

/** Where constants find the addresses of globals and functions. */
export interface Addresses {
  readonly symbols: ReadonlyMap<string, number>
  readonly sharedOffsets: ReadonlyMap<Global, number>
}

export function operandOf(value: Value, slots: ReadonlyMap<Value, number>, addresses: Addresses): Operand {
  if (value.kind === 'parameter' || value.kind === 'instruction') {
    const slot = slots.get(value)
    if (slot === undefined) throw new InternalError(`value ${value.name} is used outside of its function`)
    return (_, frame, lane) => {
      const bits = frame.registers[slot]![lane]
      if (bits === undefined) throw new InternalError(`%${value.name} is read before it is written`)
      return bits
    }
  }
  return constantOperand(value, addresses)
}

function constantOperand(constant: Constant, addresses: Addresses): Operand {
  switch (constant.kind) {
    case 'int': {
      const bits = fromBigInt(constant.value, bitsOf(constant.type))
      return () => bits
    }
    case 'float': {
      const bits = fromBigInt(constant.bits, bitsOf(constant.type))
      return () => bits
    }
    case 'zero':
    case 'undef': {
      const bits = zeroOf(constant.type)
      return () => bits
    }
    case 'aggregate': {
      const elements = constant.elements.map(element => constantOperand(element, addresses))
      return (warp, frame, lane) => elements.map(element => element(warp, frame, lane))
    }
    case 'address':
      return addressOperand(constant, addresses)
    case 'expression': {
      const [first, second] = constant.operands.map(operand => constantOperand(operand, addresses))
      const [left, right] = constant.operands
      if (!first || !left) throw new InternalError(`constant ${constant.op} without operands`)
      if (second && right) {
        const compute = binaryOperation(castFree(constant.op), constant.type)
        return (warp, frame, lane) => compute(first(warp, frame, lane), second(warp, frame, lane))
      }
      if (constant.op === 'addrspacecast') return pointerCast(first, spaceOf(left), spaceOf(constant))
      const compute = conversion(castOnly(constant.op), left.type, constant.type)
      return (warp, frame, lane) => compute(first(warp, frame, lane))
    }
  }
}

function addressOperand(constant: Constant & { kind: 'address' }, addresses: Addresses): Operand {
  const { target, offset } = constant
  if (target.kind === 'global' && target.space === SPACE.shared) {
    const at = addresses.sharedOffsets.get(target)
    if (at === undefined) throw new InternalError(`shared variable ${target.name} has no place`)
    return pointerCast(() => (at + offset) >>> 0, SPACE.shared, spaceOf(constant))
  }
  const at = addresses.symbols.get(target.name)
  if (at === undefined) throw new InternalError(`${target.name} has no address`)
  const address = (at + offset) >>> 0
  return () => address
}

/** addrspacecast, which depends on the thread where shared or local memory is involved. */
export function pointerCast(pointer: Operand, from: number, to: number): Operand {
  if (from === to) return pointer
  return (warp, frame, lane) => castPointer(warp, lane, pointer(warp, frame, lane) as number, from, to)
}

export function spaceOf({ type }: { readonly type: Value['type'] }): number {
  if (type.kind !== 'pointer') throw new InternalError(`a pointer was expected, not ${type.kind}`)
  return type.space
}

type ExpressionOp = (Constant & { kind: 'expression' })['op']
type CastName = Parameters<typeof conversion>[0]
type BinaryName = Parameters<typeof binaryOperation>[0]

const CASTS: ReadonlySet<string> = new Set<CastName>([
  'trunc',
  'zext',
  'sext',
  'fptrunc',
  'fpext',
  'fptoui',
  'fptosi',
  'uitofp',
  'sitofp',
  'ptrtoint',
  'inttoptr',
  'bitcast',
  'addrspacecast',
])

function isCast(op: ExpressionOp): op is CastName {
  return CASTS.has(op)
}

function castOnly(op: ExpressionOp): CastName {
  if (!isCast(op)) throw new InternalError(`constant ${op} with one operand`)
  return op
}

function castFree(op: ExpressionOp): BinaryName {
  if (isCast(op)) throw new InternalError(`constant ${op} with two operands`)
  return op
}
