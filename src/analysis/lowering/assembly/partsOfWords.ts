/**
 * PTX's integer instructions on parts of a word, with several types or with limits, as sums and choices of the IR: saturating
 * sums, products of 24 bits, dp4a and dp2a, the video instructions (one value, two halves, four bytes), masks, sign extension,
 * slct and copysign, cvt.pack. Forms that choose parts of operands (`.b0`, `.h1`) stay assembly, and are refused.
 * Source: PTX ISA, "Integer Arithmetic", "Comparison and Selection", "Scalar Video" and "SIMD Video Instructions", "cvt.pack".
 */
import { cast, intConstant } from '../../../ir/build.ts'
import type { IntPredicate, Type, Value } from '../../../ir/ir.ts'
import { I32, I64 } from '../../../ir/types.ts'
import { lowerComparison } from './comparisons.ts'
import { type Emitter, NotLowered } from './emitter.ts'
import type { PtxStatement } from './text.ts'

/** The result of the instruction; undefined for all others. @throws NotLowered for its forms that are not here. */
export function lowerPartsOfWords(emitter: Emitter, statement: PtxStatement): Value | undefined {
  const { opcode, operands } = statement
  const [name = '', ...modifiers] = opcode
  const source = (index: number): Value => emitter.read(operands[index], I32)
  const video = /^v(add|sub|absdiff|min|max|shl|shr|avrg)(2|4)?$/.exec(name)
  if (video) {
    const sources = [source(1), source(2), ...(operands.length > 3 ? [source(3)] : [])]
    return video[2] === undefined
      ? videoWord(emitter, video[1]!, modifiers, sources)
      : videoParts(emitter, video[1]!, 32 / Number(video[2]), modifiers, sources)
  }
  switch (name) {
    case 'add':
    case 'sub':
      return saturatingOrPacked(emitter, name, modifiers, source)
    case 'mad':
      return modifiers.join('.') === 'hi.sat.s32' ? saturatingHigh(emitter, source) : undefined
    case 'min':
    case 'max':
      return modifiers[0] === 'relu'
        ? notNegative(emitter, name, modifiers[1], source)
        : halves(emitter, name, modifiers, source)
    case 'mul24':
    case 'mad24':
      return product24(emitter, modifiers, [source(1), source(2), ...(name === 'mad24' ? [source(3)] : [])])
    case 'dp4a':
      return dotProduct(emitter, [8, 8], [0, 1, 2, 3], modifiers, [source(1), source(2), source(3)])
    case 'dp2a':
      return dotOfHalves(emitter, modifiers, [source(1), source(2), source(3)])
    case 'bmsk':
      return bitMask(emitter, modifiers[0], source(1), source(2))
    case 'szext':
      return extendFrom(emitter, modifiers, source(1), source(2))
    case 'slct':
      if (!/^[sf]32$/.test(modifiers.at(-1) ?? '')) throw new NotLowered()
      return selectBySign(emitter, statement)
    case 'copysign':
      return copySign(emitter, modifiers, operands)
    case 'cvt':
      return modifiers[0] === 'pack' ? packLimited(emitter, modifiers, operands.length, source) : undefined
    default:
      return undefined
  }
}

const SIGN = intConstant(I32, 0x8000_0000)

function isSigned(typeName: string | undefined): boolean {
  if (typeName !== 's32' && typeName !== 'u32') throw new NotLowered()
  return typeName === 's32'
}

/** All of a word as a number of 64 bits, which holds every sum, difference and product of two. */
function wide(emitter: Emitter, value: Value, signed: boolean): Value {
  return emitter.add(cast(emitter.place, signed ? 'sext' : 'zext', I64, value))
}

/** Bits `at` to `at + bits - 1` of a word as a number of 32 bits. */
function field(emitter: Emitter, value: Value, at: number, bits: number, signed: boolean): Value {
  const left = emitter.binary('shl', value, intConstant(I32, 32 - bits - at))
  return emitter.binary(signed ? 'ashr' : 'lshr', left, intConstant(I32, 32 - bits))
}

/** The nearest number that so many bits hold. */
function limit(emitter: Emitter, value: Value, bits: number, signed: boolean): Value {
  const { type } = value
  const low = signed ? -(1n << BigInt(bits - 1)) : 0n
  const high = (1n << BigInt(signed ? bits - 1 : bits)) - 1n
  const least = intConstant(type, low)
  const most = intConstant(type, high)
  const raised = emitter.select(emitter.compare('slt', value, least), least, value)
  return emitter.select(emitter.compare('sgt', raised, most), most, raised)
}

function word(emitter: Emitter, value: Value): Value {
  return emitter.convert(value, I32)
}

// ---------------------------------------------------------------- two narrow numbers in a word

/** cvt.pack.sat.TYPE.s32[.b32] d, a, b[, c]: b's and a's nearest numbers of the type from bit 0, and c above them. */
function packLimited(
  emitter: Emitter,
  modifiers: readonly string[],
  operands: number,
  source: (index: number) => Value,
): Value {
  const type = /^pack\.sat\.([us])(?:(16)\.s32|([248])\.s32\.b32)$/.exec(modifiers.join('.'))
  if (!type || operands !== (type[2] ? 3 : 4)) throw new NotLowered()
  const bits = Number(type[2] ?? type[3])
  const narrow = (index: number): Value => {
    const limited = limit(emitter, source(index), bits, type[1] === 's')
    return emitter.binary('and', limited, intConstant(I32, 2 ** bits - 1))
  }
  const above = (value: Value, distance: number): Value => emitter.binary('shl', value, intConstant(I32, distance))
  const both = emitter.binary('or', narrow(2), above(narrow(1), bits))
  return bits === 16 ? both : emitter.binary('or', both, above(source(3), 2 * bits))
}

// ---------------------------------------------------------------- sums

function saturatingOrPacked(
  emitter: Emitter,
  name: 'add' | 'sub',
  modifiers: readonly string[],
  source: (index: number) => Value,
): Value | undefined {
  if (modifiers.join('.') !== 'sat.s32') return halves(emitter, name, modifiers, source)
  const exact = emitter.binary(name, wide(emitter, source(1), true), wide(emitter, source(2), true))
  return word(emitter, limit(emitter, exact, 32, true))
}

/** add, sub, min, max of u16x2 and s16x2. */
function halves(
  emitter: Emitter,
  name: 'add' | 'sub' | 'min' | 'max',
  modifiers: readonly string[],
  source: (index: number) => Value,
): Value | undefined {
  const type = modifiers.length === 1 ? /^([us])16x2$/.exec(modifiers[0]!) : null
  if (!type) return undefined
  return mergeParts(emitter, 16, partwise(emitter, name, 16, [type[1] === 's', type[1] === 's'], source(1), source(2)))
}

/** min.relu and max.relu of s32 and s16x2: negative results are 0. */
function notNegative(
  emitter: Emitter,
  name: 'min' | 'max',
  typeName: string | undefined,
  source: (index: number) => Value,
): Value {
  const bits = typeName === 's32' ? 32 : typeName === 's16x2' ? 16 : 0
  if (bits === 0) throw new NotLowered()
  const zero = intConstant(I32, 0)
  const parts = partwise(emitter, name, bits, [true, true], source(1), source(2))
  return mergeParts(
    emitter,
    bits,
    parts.map(part => exactly(emitter, 'max', part, zero, true)),
  )
}

/** mad.hi.sat.s32: the upper half of the product and the addend, as near as 32 bits come. */
function saturatingHigh(emitter: Emitter, source: (index: number) => Value): Value {
  const [left, right, addend] = [1, 2, 3].map(index => wide(emitter, source(index), true))
  const high = emitter.binary('ashr', emitter.binary('mul', left!, right!), intConstant(I64, 32))
  return word(emitter, limit(emitter, emitter.binary('add', high, addend!), 32, true))
}

/** mul24.{lo,hi} and mad24.{lo,hi}: the product has 48 bits. */
function product24(emitter: Emitter, [half, typeName]: readonly string[], sources: readonly Value[]): Value {
  const signed = isSigned(typeName)
  if (half !== 'lo' && half !== 'hi') throw new NotLowered()
  const [left, right] = sources.map(value => wide(emitter, field(emitter, value, 0, 24, signed), signed))
  const product = emitter.binary('mul', left!, right!)
  const taken = word(emitter, half === 'lo' ? product : emitter.binary('lshr', product, intConstant(I64, 16)))
  return sources[2] ? emitter.binary('add', taken, sources[2]) : taken
}

/** The addend and the products of fields of both, with the signs that the types say. */
function dotProduct(
  emitter: Emitter,
  [leftBits, rightBits]: readonly [number, number],
  rightParts: readonly number[],
  [leftType, rightType]: readonly string[],
  [left, right, addend]: readonly Value[],
): Value {
  const [leftSigned, rightSigned] = [isSigned(leftType), isSigned(rightType)]
  return rightParts.reduce((sum, part, index) => {
    const a = field(emitter, left!, index * leftBits, leftBits, leftSigned)
    const b = field(emitter, right!, part * rightBits, rightBits, rightSigned)
    return emitter.binary('add', sum, emitter.binary('mul', a, b))
  }, addend!)
}

/** dp2a.{lo,hi}: the halves of a with two of b's bytes. */
function dotOfHalves(emitter: Emitter, [half, ...types]: readonly string[], sources: readonly Value[]): Value {
  if (half !== 'lo' && half !== 'hi') throw new NotLowered()
  return dotProduct(emitter, [16, 8], half === 'lo' ? [0, 1] : [2, 3], types, sources)
}

// ---------------------------------------------------------------- video instructions

/** vadd … .dtype.atype.btype[.sat][.op2] d, a, b[, c]: a second operation takes the third operand. */
function videoWord(
  emitter: Emitter,
  operation: string,
  [to, leftType, rightType, ...rest]: readonly string[],
  [left, right, third]: readonly Value[],
): Value {
  const signed = isSigned(to)
  const [leftSigned, rightSigned] = [isSigned(leftType), isSigned(rightType)]
  const isShift = operation === 'shl' || operation === 'shr'
  const second = rest.find(part => /^(add|min|max)$/.test(part))
  const known = rest.every(part => part === second || part === 'sat' || (isShift && /^(clamp|wrap)$/.test(part)))
  if (!known || (second === undefined) !== (third === undefined)) throw new NotLowered()
  let result: Value
  if (isShift) result = videoShift(emitter, operation, rest, wide(emitter, left!, leftSigned), leftSigned, right!)
  else {
    const pair = [wide(emitter, left!, leftSigned), wide(emitter, right!, rightSigned)] as const
    result = exactly(emitter, operation, pair[0], pair[1], true)
  }
  const first = word(emitter, rest.includes('sat') ? limit(emitter, result, 32, signed) : result)
  if (third === undefined) return first
  return second === 'add' ? emitter.binary('add', first, third) : exactly(emitter, second!, first, third, signed)
}

function videoShift(
  emitter: Emitter,
  operation: string,
  rest: readonly string[],
  value: Value,
  signed: boolean,
  amount: Value,
): Value {
  const wraps = rest.includes('wrap')
  if (wraps === rest.includes('clamp')) throw new NotLowered()
  const most = intConstant(I32, 32)
  const by = wraps
    ? emitter.binary('and', amount, intConstant(I32, 31))
    : emitter.select(emitter.compare('ult', amount, most), amount, most)
  return emitter.binary(operation === 'shl' ? 'shl' : signed ? 'ashr' : 'lshr', value, emitter.convert(by, I64))
}

/** add, sub, absdiff, min or max of numbers that the type holds with room to spare. */
function exactly(emitter: Emitter, operation: string, left: Value, right: Value, signed: boolean): Value {
  const order: IntPredicate = signed ? 'slt' : 'ult'
  switch (operation) {
    case 'add':
    case 'sub':
      return emitter.binary(operation, left, right)
    case 'min':
      return emitter.select(emitter.compare(order, left, right), left, right)
    case 'max':
      return emitter.select(emitter.compare(order, left, right), right, left)
    case 'absdiff': {
      const isLess = emitter.compare(order, left, right)
      return emitter.select(isLess, emitter.binary('sub', right, left), emitter.binary('sub', left, right))
    }
    case 'avrg': {
      // Halves upwards, but downwards of negative sums ("vavrg2", read on an H200).
      const sum = emitter.binary('add', left, right)
      const isNegative = emitter.compare('slt', sum, intConstant(I32, 0))
      const raised = emitter.binary('add', sum, intConstant(I32, 1))
      return emitter.binary('ashr', emitter.select(isNegative, sum, raised), intConstant(I32, 1))
    }
    default:
      throw new NotLowered()
  }
}

/** The operation on each part of two words, as exact numbers. */
function partwise(
  emitter: Emitter,
  operation: string,
  bits: number,
  [leftSigned, rightSigned]: readonly [boolean, boolean],
  left: Value,
  right: Value,
): Value[] {
  return Array.from({ length: 32 / bits }, (_, part) => {
    const a = field(emitter, left, part * bits, bits, leftSigned)
    const b = field(emitter, right, part * bits, bits, rightSigned)
    return exactly(emitter, operation, a, b, true)
  })
}

function mergeParts(emitter: Emitter, bits: number, parts: readonly Value[]): Value {
  return parts.reduce(
    (merged: Value, part, index) => {
      const cut = emitter.binary('and', part, intConstant(I32, 2 ** bits - 1))
      return index === 0
        ? cut
        : emitter.binary('or', merged, emitter.binary('shl', cut, intConstant(I32, index * bits)))
    },
    intConstant(I32, 0),
  )
}

/** vadd2, vadd4 … .dtype.atype.btype[.sat] d, a, b, c: all parts written, nothing of c; with .add their sum and c. */
function videoParts(
  emitter: Emitter,
  operation: string,
  bits: number,
  [to, leftType, rightType, ...rest]: readonly string[],
  [left, right, third]: readonly Value[],
): Value {
  const signed = isSigned(to)
  const accumulates = rest.includes('add')
  const saturates = rest.includes('sat')
  if (!third || rest.length !== Number(accumulates) + Number(saturates) || /^sh/.test(operation)) throw new NotLowered()
  const parts = partwise(emitter, operation, bits, [isSigned(leftType), isSigned(rightType)], left!, right!)
  const limited = saturates ? parts.map(part => limit(emitter, part, bits, signed)) : parts
  if (!accumulates) return mergeParts(emitter, bits, limited)
  return limited.reduce((sum, part) => emitter.binary('add', sum, part), third)
}

// ---------------------------------------------------------------- masks and choices

/** bmsk.{clamp,wrap}.b32 d, start, length. */
function bitMask(emitter: Emitter, mode: string | undefined, start: Value, length: Value): Value {
  if (mode !== 'clamp' && mode !== 'wrap') throw new NotLowered()
  const [width, low] = [intConstant(I32, 32), intConstant(I32, 31)]
  const cut = (value: Value): Value => emitter.binary('and', value, low)
  const ones = (from: Value): Value => emitter.binary('shl', intConstant(I32, -1), from)
  const end = emitter.binary('add', cut(start), cut(length))
  const isBeyond = (value: Value): Value => emitter.compare('uge', value, width)
  const clamps = mode === 'clamp'
  const open = clamps ? emitter.binary('or', isBeyond(end), isBeyond(length)) : isBeyond(end)
  const above = emitter.select(open, intConstant(I32, 0), ones(cut(end)))
  const field = emitter.binary('and', ones(cut(start)), emitter.binary('xor', above, intConstant(I32, -1)))
  return clamps ? emitter.select(isBeyond(start), intConstant(I32, 0), field) : field
}

/** szext.{clamp,wrap}.{u32,s32} d, a, bits: the low bits of a, extended. */
function extendFrom(emitter: Emitter, [mode, typeName]: readonly string[], value: Value, bits: Value): Value {
  if (mode !== 'clamp' && mode !== 'wrap') throw new NotLowered()
  const cut = emitter.binary('and', bits, intConstant(I32, 31))
  const by = emitter.binary('and', emitter.binary('sub', intConstant(I32, 32), cut), intConstant(I32, 31))
  const left = emitter.binary('shl', value, by)
  const extended = emitter.binary(isSigned(typeName) ? 'ashr' : 'lshr', left, by)
  const none = emitter.compare('eq', cut, intConstant(I32, 0))
  const inside = emitter.select(none, intConstant(I32, 0), extended)
  if (mode === 'wrap') return inside
  return emitter.select(emitter.compare('uge', bits, intConstant(I32, 32)), value, inside)
}

/** slct[.ftz].dtype.{s32,f32} d, a, b, c: a where c is not negative, else b (for a NaN, b). */
function selectBySign(emitter: Emitter, statement: PtxStatement): Value {
  const { opcode, operands } = statement
  const types = opcode.slice(1).filter(part => part !== 'ftz')
  const width = /^[usbf](32|64)$/.exec(types[0] ?? '')?.[1]
  if (types.length !== 2 || width === undefined) throw new NotLowered()
  const type: Type = width === '64' ? I64 : I32
  const isNotNegative = lowerComparison(emitter, {
    ...statement,
    opcode: ['setp', 'ge', ...(opcode.includes('ftz') ? ['ftz'] : []), types[1]!],
    operands: [{ kind: 'register', name: '_' }, operands[3]!, { kind: 'constant', value: 0n }],
  })
  return emitter.select(isNotNegative!, emitter.read(operands[1], type), emitter.read(operands[2], type))
}

/** copysign.{f32,f64} d, a, b: b with a's sign. */
function copySign(emitter: Emitter, [typeName]: readonly string[], operands: PtxStatement['operands']): Value {
  if (typeName !== 'f32' && typeName !== 'f64') throw new NotLowered()
  const type = typeName === 'f64' ? I64 : I32
  const sign = typeName === 'f64' ? intConstant(I64, 1n << 63n) : SIGN
  const magnitude = emitter.binary('xor', sign, intConstant(type, -1))
  const signed = emitter.binary('and', emitter.read(operands[1], type), sign)
  return emitter.binary('or', signed, emitter.binary('and', emitter.read(operands[2], type), magnitude))
}
