/**
 * PTX's comparisons as the IR's: setp and set, with a predicate combined, and testp's kinds of floats.
 * Source: PTX ISA, "Comparison and Selection Instructions", "Floating-Point Instructions: testp".
 */
import { intConstant } from '../../../ir/build.ts'
import type { BinaryOp, FloatPredicate, IntPredicate, Type, Value } from '../../../ir/ir.ts'
import { bitsOf, F32, I1, I32, sameType } from '../../../ir/types.ts'
import { type Emitter, NotLowered, ptxType } from './emitter.ts'
import type { PtxStatement } from './text.ts'

const ORDERS: Readonly<Record<string, IntPredicate>> = {
  eq: 'eq',
  ne: 'ne',
  lo: 'ult',
  ls: 'ule',
  hi: 'ugt',
  hs: 'uge',
}
const FLOAT_ORDERS: Readonly<Record<string, FloatPredicate>> = {
  eq: 'oeq',
  ne: 'one',
  lt: 'olt',
  le: 'ole',
  gt: 'ogt',
  ge: 'oge',
  equ: 'ueq',
  neu: 'une',
  ltu: 'ult',
  leu: 'ule',
  gtu: 'ugt',
  geu: 'uge',
  num: 'ord',
  nan: 'uno',
}

/** What setp, set or testp finds; undefined for all other instructions. */
export function lowerComparison(emitter: Emitter, statement: PtxStatement): Value | undefined {
  switch (statement.opcode[0]) {
    case 'setp':
      return toPredicate(emitter, statement)
    case 'set':
      return toValue(emitter, statement)
    case 'testp':
      return kindOfFloat(emitter, statement)
    default:
      return undefined
  }
}

/** setp.order[.and|or|xor][.ftz].type p[|q], a, b[, c]: q has the opposite of the comparison. */
function toPredicate(emitter: Emitter, { opcode, operands }: PtxStatement): Value | undefined {
  const [, order = '', ...modifiers] = opcode
  const parts = modifiers.filter(part => part !== 'ftz')
  const [target, left, right, other] = operands
  const combination = parts.length === 2 ? parts[0]! : undefined
  if (parts.length > 2 || target?.kind !== 'register') throw new NotLowered()
  if (combination !== undefined && !/^(and|or|xor)$/.test(combination)) return undefined
  const holds = compare(emitter, order, parts.at(-1) ?? '', [left, right], modifiers.includes('ftz'))
  const combine = (value: Value): Value =>
    combination === undefined ? value : emitter.binary(combination as BinaryOp, value, emitter.read(other, I1))
  if (target.second !== undefined) emitter.set(target.second, combine(emitter.binary('xor', holds, intConstant(I1, 1))))
  return combine(holds)
}

/** set.order[.ftz].to.type d, a, b: all bits, or 1.0 in a float, where it holds. */
function toValue(emitter: Emitter, { opcode, operands }: PtxStatement): Value {
  const [, order = '', ...modifiers] = opcode
  const [to, typeName, ...rest] = modifiers.filter(part => part !== 'ftz')
  if (rest.length > 0 || typeName === undefined || !/^(u32|s32|f32)$/.test(to ?? '')) throw new NotLowered()
  const holds = compare(emitter, order, typeName, [operands[1], operands[2]], modifiers.includes('ftz'))
  return emitter.select(holds, intConstant(I32, to === 'f32' ? 0x3f80_0000 : -1), intConstant(I32, 0))
}

function compare(
  emitter: Emitter,
  order: string,
  typeName: string,
  operands: readonly (PtxStatement['operands'][number] | undefined)[],
  flushes: boolean,
): Value {
  const type = ptxType(typeName)
  if (!type) throw new NotLowered()
  const [a, b] = operands.map(operand => emitter.read(operand, type)) as [Value, Value]
  if (type.kind === 'float') {
    const predicate = FLOAT_ORDERS[order]
    if (!predicate) throw new NotLowered()
    return flushes && sameType(type, F32)
      ? compareFloats(emitter, predicate, withoutDenormals(emitter, a), withoutDenormals(emitter, b))
      : compareFloats(emitter, predicate, a, b)
  }
  const sign = typeName.startsWith('s') ? 's' : 'u'
  const predicate = ORDERS[order] ?? (/^(lt|le|gt|ge)$/.test(order) ? (`${sign}${order}` as IntPredicate) : undefined)
  if (!predicate) throw new NotLowered()
  return emitter.compare(predicate, a, b)
}

function compareFloats(emitter: Emitter, predicate: FloatPredicate, left: Value, right: Value): Value {
  return emitter.add({ kind: 'instruction', op: 'fcmp', type: I1, name: '', ...emitter.place, predicate, left, right })
}

/** .ftz: what is smaller than the least normal number is zero. */
function withoutDenormals(emitter: Emitter, value: Value): Value {
  const bits = emitter.convert(value, I32)
  const isSmall = emitter.compare('eq', emitter.binary('and', bits, intConstant(I32, 0x7f80_0000)), intConstant(I32, 0))
  return emitter.convert(emitter.select(isSmall, intConstant(I32, 0), bits), F32)
}

/** testp.kind.{f32,f64} p, a, from the exponent and the bits below it. */
function kindOfFloat(emitter: Emitter, { opcode, operands }: PtxStatement): Value {
  const [, kind, typeName] = opcode
  const float = ptxType(typeName ?? '')
  if (float?.kind !== 'float' || float.bits === 16) throw new NotLowered()
  const type: Type = { kind: 'int', bits: bitsOf(float) }
  const constant = (value: bigint): Value => intConstant(type, value)
  const [fraction, infinity] = float.bits === 32 ? [23n, 0xffn << 23n] : [52n, 0x7ffn << 52n]
  const magnitude = emitter.binary(
    'and',
    emitter.read(operands[1], type),
    constant((1n << BigInt(bitsOf(float) - 1)) - 1n),
  )
  const isNormal = (): Value => {
    // Of the normal numbers' range only, as unsigned numbers are compared.
    const above = emitter.binary('sub', magnitude, constant(1n << fraction))
    return emitter.compare('ult', above, constant(infinity - (1n << fraction)))
  }
  switch (kind) {
    case 'finite':
      return emitter.compare('ult', magnitude, constant(infinity))
    case 'infinite':
      return emitter.compare('eq', magnitude, constant(infinity))
    case 'number':
      return emitter.compare('ule', magnitude, constant(infinity))
    case 'notanumber':
      return emitter.compare('ugt', magnitude, constant(infinity))
    case 'normal':
      return isNormal()
    case 'subnormal': {
      const below = emitter.binary('sub', magnitude, constant(1n))
      return emitter.compare('ult', below, constant((1n << fraction) - 1n))
    }
    default:
      throw new NotLowered()
  }
}
