/**
 * PTX's `cvt` as the IR's casts: between integers and floats of 8 to 64 bits, tf32, and pairs of 16-bit floats. What has no short
 * equal (directed roundings to floats) stays assembly, which the reference interpreter's table knows
 * (reference/functions/ptxConversions.ts). ptxas takes an opcode's parts in any order but that the destination's type comes before the source's.
 * Source: PTX ISA, "Data Movement and Conversion Instructions: cvt".
 */
import { cast, insertElement, intConstant, vectorOf } from '../../../ir/build.ts'
import type { CastOp, Constant, FloatPredicate, Type, Value } from '../../../ir/ir.ts'
import { bitsOf, F32, I32, sameType } from '../../../ir/types.ts'
import { type Emitter, NotLowered, ptxType } from './emitter.ts'
import type { PtxStatement } from './text.ts'

const MODIFIER = /^(r[nzmp]i?|rna|ftz|sat|satfinite|relu)$/

export function lowerConversion(emitter: Emitter, { opcode, operands }: PtxStatement): Value | undefined {
  if (opcode[0] !== 'cvt' || opcode[1] === 'pack') return undefined
  const types = opcode.slice(1).filter(part => !MODIFIER.test(part))
  const modifiers = opcode.slice(1).filter(part => MODIFIER.test(part))
  const [to = '', from = ''] = types
  const source = ptxType(from)
  const element = /^(b?f16)x2$/.exec(to)?.[1]
  if (types.length !== 2 || !source) throw new NotLowered()
  const convert = (index: number, target: string): Value =>
    convertOne(emitter, emitter.read(operands[index], source), target, from, modifiers)
  // cvt.rn.f16x2.f32 d, high, low.
  return element === undefined ? convert(1, to) : pair(emitter, convert(2, element), convert(1, element))
}

function convertOne(
  emitter: Emitter,
  source: Value,
  toName: string,
  fromName: string,
  modifiers: readonly string[],
): Value {
  const kept = (): Value => {
    const to = toName === 'tf32' ? I32 : ptxType(toName)
    if (!to) throw new NotLowered()
    const result = to.kind === 'int' && to.bits < 32 ? I32 : to
    return emitter.instruction(['cvt', ...modifiers, toName, fromName], result, [source])
  }
  const to = ptxType(toName)
  if (!to) return toName === 'tf32' && modifiers.join() === 'rna' ? nearestTf32(emitter, source) : kept()
  const converted =
    to.kind === 'int'
      ? toInteger(emitter, source, { to, signed: toName.startsWith('s') }, fromName.startsWith('s'), modifiers)
      : toFloat(emitter, source, to, fromName.startsWith('s'), modifiers)
  return converted ?? kept()
}

interface Integer {
  readonly to: Type & { kind: 'int' }
  readonly signed: boolean
}

// ---------------------------------------------------------------- to integers

/** Registers are at least 32 bits wide: narrower results are extended by their own sign. */
function toInteger(
  emitter: Emitter,
  source: Value,
  target: Integer,
  fromSigned: boolean,
  modifiers: readonly string[],
): Value | undefined {
  const { to, signed } = target
  const register: Type = { kind: 'int', bits: Math.max(32, to.bits) }
  if (source.type.kind === 'int') {
    const limited = modifiers.includes('sat') ? clamp(emitter, source, fromSigned, target) : source
    return resize(emitter, resize(emitter, limited, to, fromSigned), register, signed)
  }
  // A NaN of 64 bits gives a narrow integer that the 32-bit conversion does not.
  if (to.bits < 32 && bitsOf(source.type) === 64) return undefined
  const whole = roundToIntegral(emitter, flush(emitter, widen(emitter, source), modifiers), modifiers)
  const integer = toCast(emitter, signed ? 'fptosi' : 'fptoui', register, whole)
  return to.bits < 32 ? clamp(emitter, integer, signed, target) : integer
}

/** To what the target holds; compared as numbers of the source's width. */
function clamp(emitter: Emitter, value: Value, fromSigned: boolean, { to, signed }: Integer): Value {
  const bits = bitsOf(value.type)
  const [low, high] = range(to.bits, signed)
  const [least, most] = range(bits, fromSigned)
  const sign = fromSigned ? 's' : 'u'
  const above = least < low ? limited(emitter, value, `${sign}lt`, low) : value
  return high < most ? limited(emitter, above, `${sign}gt`, high) : above
}

function limited(emitter: Emitter, value: Value, beyond: 'slt' | 'ult' | 'sgt' | 'ugt', limit: bigint): Value {
  const bound = intConstant(value.type, limit)
  return emitter.select(emitter.compare(beyond, value, bound), bound, value)
}

function range(bits: number, signed: boolean): [low: bigint, high: bigint] {
  const values = 1n << BigInt(bits)
  return signed ? [-values / 2n, values / 2n - 1n] : [0n, values - 1n]
}

function resize(emitter: Emitter, value: Value, type: Type, signed: boolean): Value {
  const [from, to] = [bitsOf(value.type), bitsOf(type)]
  if (sameType(value.type, type)) return value
  return toCast(emitter, from > to ? 'trunc' : signed ? 'sext' : 'zext', type, value)
}

// ---------------------------------------------------------------- to floats

function toFloat(
  emitter: Emitter,
  source: Value,
  to: Type,
  fromSigned: boolean,
  modifiers: readonly string[],
): Value | undefined {
  if (modifiers.some(part => /^(rz|rm|rp|rna|relu|satfinite)$/.test(part))) return undefined
  const isSaturated = modifiers.includes('sat')
  if (isSaturated && bitsOf(to) === 16) return undefined
  const converted =
    source.type.kind === 'int'
      ? toCast(emitter, fromSigned ? 'sitofp' : 'uitofp', to, source)
      : flush(emitter, toOtherFloat(emitter, flush(emitter, source, modifiers), to, modifiers), modifiers)
  return isSaturated ? saturate(emitter, converted) : converted
}

function toOtherFloat(emitter: Emitter, source: Value, to: Type, modifiers: readonly string[]): Value {
  const wide = sameType(source.type, to) ? roundToIntegral(emitter, source, modifiers) : widen(emitter, source)
  const [from, wanted] = [bitsOf(wide.type), bitsOf(to)]
  if (from === wanted) return wide
  return toCast(emitter, from < wanted ? 'fpext' : 'fptrunc', to, wide)
}

/** .sat: to [0, 1], NaN to +0. */
function saturate(emitter: Emitter, value: Value): Value {
  const { type } = value
  const one: Constant = {
    kind: 'float',
    type,
    value: 1,
    bits: bitsOf(type) === 32 ? 0x3f80_0000n : 0x3ff0_0000_0000_0000n,
  }
  const zero: Constant = { kind: 'zero', type }
  const compare = (predicate: FloatPredicate, left: Value, right: Value): Value =>
    emitter.add({
      kind: 'instruction',
      op: 'fcmp',
      type: { kind: 'int', bits: 1 },
      name: '',
      ...emitter.place,
      predicate,
      left,
      right,
    })
  const positive = emitter.select(compare('ogt', value, zero), value, zero)
  return emitter.select(compare('olt', positive, one), positive, one)
}

/** .rna: to ten bits of fraction, the nearest, of two the one further from zero. */
function nearestTf32(emitter: Emitter, source: Value): Value {
  const bits = emitter.convert(source, I32)
  const magnitude = emitter.binary('and', bits, intConstant(I32, 0x7fff_ffff))
  const hasValue = emitter.compare('ult', magnitude, intConstant(I32, 0x7f80_0000))
  const half = emitter.select(hasValue, intConstant(I32, 0x1000), intConstant(I32, 0))
  const rounded = emitter.binary('and', emitter.binary('add', bits, half), intConstant(I32, 0xffff_e000))
  const isNumber = emitter.compare('ule', magnitude, intConstant(I32, 0x7f80_0000))
  return emitter.select(isNumber, rounded, intConstant(I32, 0x7fff_ffff))
}

// ---------------------------------------------------------------- parts of both

const ROUNDINGS: Readonly<Record<string, string>> = { rni: 'rint', rzi: 'trunc', rmi: 'floor', rpi: 'ceil' }

function roundToIntegral(emitter: Emitter, source: Value, modifiers: readonly string[]): Value {
  const operation = ROUNDINGS[modifiers.find(part => Object.hasOwn(ROUNDINGS, part)) ?? '']
  if (operation === undefined) return source
  const wide = widen(emitter, source)
  return emitter.call(`llvm.${operation}.f${bitsOf(wide.type)}`, wide.type, [wide])
}

/** Floats of 16 bits as ones of 32. */
function widen(emitter: Emitter, value: Value): Value {
  return bitsOf(value.type) === 16 ? toCast(emitter, 'fpext', F32, value) : value
}

/** .ftz: a subnormal single is a zero of its sign. */
function flush(emitter: Emitter, value: Value, modifiers: readonly string[]): Value {
  if (!modifiers.includes('ftz') || !sameType(value.type, F32)) return value
  const bits = emitter.convert(value, I32)
  const part = (mask: number): Value => emitter.binary('and', bits, intConstant(I32, mask))
  const isTiny = emitter.compare('eq', part(0x7f80_0000), intConstant(I32, 0))
  return emitter.convert(emitter.select(isTiny, part(0x8000_0000), bits), F32)
}

function toCast(emitter: Emitter, op: CastOp, type: Type, value: Value): Value {
  return emitter.add(cast(emitter.place, op, type, value))
}

/** Two values of 16 bits as the two halves of a register. */
export function pair(emitter: Emitter, low: Value, high: Value): Value {
  const type = vectorOf(low.type, 2)
  const first = emitter.add(insertElement(emitter.place, { kind: 'undef', type }, low, 0))
  const both = emitter.add(insertElement(emitter.place, first, high, 1))
  return toCast(emitter, 'bitcast', I32, both)
}
