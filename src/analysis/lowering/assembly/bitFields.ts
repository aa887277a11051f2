/**
 * PTX's instructions on fields of bits and on two words as one, as shifts and masks of the IR: bfe, bfi, bfind, shf, and prmt with a
 * selector that is known when the kernel runs. Source: PTX ISA, "Integer Arithmetic Instructions", "Logic and Shift Instructions" and
 * "Data Movement and Conversion Instructions: prmt".
 */
import { cast, intConstant } from '../../../ir/build.ts'
import type { Constant, Type, Value } from '../../../ir/ir.ts'
import { bitsOf, I1, I32, I64 } from '../../../ir/types.ts'
import { type Emitter, NotLowered, ptxType } from './emitter.ts'
import type { PtxStatement } from './text.ts'

/** The result of the instruction; undefined for all others. @throws NotLowered for forms that PTX does not have. */
export function lowerBitFields(emitter: Emitter, { opcode, operands }: PtxStatement): Value | undefined {
  const [name = '', ...modifiers] = opcode
  const typeName = modifiers.at(-1) ?? ''
  const form = modifiers.slice(0, -1).join('.')
  const type = ptxType(typeName)
  if (type?.kind !== 'int') return undefined
  const source = (index: number): Value => emitter.read(operands[index], type)
  const byte = (index: number): Value => lowByte(emitter, emitter.read(operands[index], I32))
  switch (`${name}.${form}`) {
    case 'bfe.':
      return typeName.startsWith('s')
        ? signedField(emitter, source(1), byte(2), byte(3))
        : emitter.binary('and', shift(emitter, 'shr', source(1), byte(2), false), lowOnes(emitter, byte(3), type))
    case 'bfi.':
      return insertField(emitter, source(1), source(2), byte(3), byte(4))
    case 'bfind.':
    case 'bfind.shiftamt':
      return highestBit(emitter, source(1), typeName.startsWith('s'), form !== '')
    case 'shf.l.wrap':
    case 'shf.r.wrap':
    case 'shf.l.clamp':
    case 'shf.r.clamp':
      if (typeName !== 'b32') throw new NotLowered()
      return funnelShift(emitter, form.startsWith('l'), form.endsWith('clamp'), [source(1), source(2), source(3)])
    case 'prmt.':
      if (typeName !== 'b32') throw new NotLowered()
      return chooseBytes(emitter, source(1), source(2), source(3))
    default:
      return undefined
  }
}

/** shl and shr: amounts of 32 bits, those beyond the width give 0, or the sign. */
export function shift(emitter: Emitter, name: 'shl' | 'shr', value: Value, amount: Value, signed: boolean): Value {
  const { type } = value
  const bits = bitsOf(type)
  const op = name === 'shl' ? 'shl' : signed ? 'ashr' : 'lshr'
  if (amount.kind === 'int' && BigInt.asUintN(32, amount.value) < BigInt(bits))
    return emitter.binary(op, value, emitter.convert(amount, type))
  const inside = emitter.compare('ult', amount, intConstant(I32, bits))
  const isArithmetic = op === 'ashr'
  const most = emitter.select(inside, amount, intConstant(I32, bits - 1))
  const by = emitter.convert(isArithmetic ? most : amount, type)
  const shifted = emitter.binary(op, value, by)
  return isArithmetic ? shifted : emitter.select(inside, shifted, intConstant(type, 0))
}

/** Of where a field begins and how long it is, the low bytes count. */
function lowByte(emitter: Emitter, value: Value): Value {
  if (value.kind === 'int') return intConstant(I32, value.value & 255n)
  return emitter.binary('and', value, intConstant(I32, 255))
}

/** The low `length` bits set; all where it reaches the width. */
function lowOnes(emitter: Emitter, length: Value, type: Type): Value {
  const bits = BigInt(bitsOf(type))
  if (length.kind === 'int') return intConstant(type, length.value >= bits ? -1n : (1n << length.value) - 1n)
  return emitter.binary('sub', shift(emitter, 'shl', intConstant(type, 1), length, false), intConstant(type, 1))
}

/** bfe of a signed type: the field's top bit, or the value's where the field reaches beyond, fills what is above; a field of no bits is 0. */
function signedField(emitter: Emitter, value: Value, start: Value, length: Value): Value {
  const { type } = value
  const bits = bitsOf(type)
  const moved = shift(emitter, 'shr', value, start, true)
  const isShort = emitter.compare('ult', length, intConstant(I32, bits))
  const missing = emitter.binary(
    'and',
    emitter.binary('sub', intConstant(I32, bits), length),
    intConstant(I32, bits - 1),
  )
  const above = emitter.convert(emitter.select(isShort, missing, intConstant(I32, 0)), type)
  const field = emitter.binary('ashr', emitter.binary('shl', moved, above), above)
  return emitter.select(emitter.compare('eq', length, intConstant(I32, 0)), intConstant(type, 0), field)
}

/** bfi: the low `length` bits of `field` into `value` at `start`; what would lie beyond its end is cut off. */
function insertField(emitter: Emitter, field: Value, value: Value, start: Value, length: Value): Value {
  const mask = shift(emitter, 'shl', lowOnes(emitter, length, value.type), start, false)
  const placed = emitter.binary('and', shift(emitter, 'shl', field, start, false), mask)
  const kept = emitter.binary('and', value, emitter.binary('xor', mask, intConstant(value.type, -1)))
  return emitter.binary('or', kept, placed)
}

const NOWHERE: Constant = intConstant(I32, -1)

/** bfind: where the highest bit is that differs from the sign, or how far it is from the top; 0xffffffff where there is none. */
function highestBit(emitter: Emitter, value: Value, signed: boolean, fromTop: boolean): Value {
  const { type } = value
  const bits = bitsOf(type)
  const apart = signed
    ? emitter.binary('xor', value, emitter.binary('ashr', value, intConstant(type, bits - 1)))
    : value
  const zeros = emitter.convert(emitter.call(`llvm.ctlz.i${bits}`, type, [apart, intConstant(I1, 0)]), I32)
  if (!fromTop) return emitter.binary('sub', intConstant(I32, bits - 1), zeros)
  return emitter.select(emitter.compare('eq', zeros, intConstant(I32, bits)), NOWHERE, zeros)
}

/** shf: a word of the two that are shifted as one. `clamp`: amounts of 32 and more give the other word. */
function funnelShift(emitter: Emitter, left: boolean, clamp: boolean, sources: readonly [Value, Value, Value]): Value {
  const [low, high, amount] = sources
  const shifted = emitter.call(`llvm.${left ? 'fshl' : 'fshr'}.i32`, I32, [high, low, amount])
  if (!clamp) return shifted
  return emitter.select(emitter.compare('ult', amount, intConstant(I32, 32)), shifted, left ? low : high)
}

/** prmt: each byte one of eight that four bits of the selector name, or with the highest of these set its sign, eight times. */
function chooseBytes(emitter: Emitter, low: Value, high: Value, selector: Value): Value {
  const wide = (value: Value): Value => emitter.add(cast(emitter.place, 'zext', I64, value))
  const constant = (value: number): Constant => intConstant(I32, value)
  const both = emitter.binary('or', wide(low), emitter.binary('shl', wide(high), intConstant(I64, 32)))
  let word: Value = constant(0)
  for (let byte = 0; byte < 4; byte++) {
    const choice = byte === 0 ? selector : emitter.binary('lshr', selector, constant(4 * byte))
    const from = emitter.binary('shl', emitter.binary('and', choice, constant(7)), constant(3))
    const chosen = emitter.convert(emitter.binary('lshr', both, wide(from)), I32)
    const sign = emitter.binary('ashr', emitter.binary('shl', chosen, constant(24)), constant(31))
    const isSign = emitter.compare('ne', emitter.binary('and', choice, constant(8)), constant(0))
    const cut = emitter.binary('and', emitter.select(isSign, sign, chosen), constant(255))
    word = byte === 0 ? cut : emitter.binary('or', word, emitter.binary('shl', cut, constant(8 * byte)))
  }
  return word
}
