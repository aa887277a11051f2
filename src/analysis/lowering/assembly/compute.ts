/**
 * PTX's computations on registers as the IR's. What has no short equal in the IR stays one instruction of assembly, which the
 * reference interpreter's table knows (reference/functions/ptxInstructions.ts) or refuses by its name.
 * Source: PTX ISA, "Integer Arithmetic", "Extended-Precision Arithmetic", "Floating-Point", "Comparison and Selection",
 * "Logic and Shift", "Data Movement"; comparisons, conversions and parts of words have files of their own.
 */
import { binary, cast, extractElement, intConstant, vectorOf } from '../../../ir/build.ts'
import type { BinaryOp, Constant, Type, Value } from '../../../ir/ir.ts'
import { bitsOf, I1, I32 } from '../../../ir/types.ts'
import { lowerBitFields, shift } from './bitFields.ts'
import { lowerComparison } from './comparisons.ts'
import { lowerConversion, pair } from './conversions.ts'
import { type Emitter, NotLowered, ptxType } from './emitter.ts'
import { lowerHalfApproximation } from './halfApproximations.ts'
import { lowerPartsOfWords } from './partsOfWords.ts'
import type { PtxOperand, PtxStatement } from './text.ts'

/** @throws NotLowered when the operands have a form that no instruction of this kind has. */
export function lowerComputation(emitter: Emitter, written: PtxStatement): void {
  const statement = { ...written, opcode: typeLast(written.opcode) }
  const { opcode, operands } = statement
  const [name = ''] = opcode
  if (name === 'mov' && operands.some(({ kind }) => kind === 'vector')) return moveParts(emitter, statement)
  const result =
    extendedPrecision(emitter, statement) ??
    lowerComparison(emitter, statement) ??
    lowerConversion(emitter, statement) ??
    logic(emitter, statement) ??
    fieldAsOne(emitter, statement) ??
    lowerPartsOfWords(emitter, statement) ??
    integer(emitter, statement) ??
    floating(emitter, statement) ??
    lowerHalfApproximation(emitter, statement) ??
    keptAsAssembly(emitter, statement)
  emitter.set(emitter.destination(operands[0]), result)
}

/** The machine has it as one instruction or two, of which all but the last operation here is a part. */
function fieldAsOne(emitter: Emitter, statement: PtxStatement): Value | undefined {
  const start = emitter.out.length
  const result = lowerBitFields(emitter, statement)
  for (const each of emitter.out.slice(start)) if (each !== result) each.carried = true
  return result
}

/** Instructions with one type, which their form has at the end ("Integer Arithmetic", "Floating-Point"). */
const ONE_TYPE = /^(add|sub|mul|mad|fma|div|min|max|rcp|r?sqrt|sin|cos|lg2|ex2|tanh)$/
const ROUNDING_OR_LIMIT = /^(r[nzmp]|ftz|sat|relu|approx|full)$/

/** `add.s32.sat` as `add.sat.s32`: ptxas takes these modifiers behind the type too. */
function typeLast([name = '', ...parts]: readonly string[]): readonly string[] {
  const end = ONE_TYPE.test(name) ? parts.findLastIndex(part => !ROUNDING_OR_LIMIT.test(part)) : parts.length - 1
  if (end === parts.length - 1 || end < 0) return [name, ...parts]
  return [name, ...parts.slice(0, end), ...parts.slice(end + 1), parts[end]!]
}

// ---------------------------------------------------------------- moves

/** `mov.b64 {low, high}, a` and `mov.b64 d, {low, high}`. */
function moveParts(emitter: Emitter, { opcode, operands }: PtxStatement): void {
  const type = ptxType(opcode.at(-1) ?? '')
  const [target, source] = operands
  if (type?.kind !== 'int' || !target || !source || operands.length !== 2) throw new NotLowered()
  const parts = target.kind === 'vector' ? target.elements : source.kind === 'vector' ? source.elements : []
  const partType: Type = { kind: 'int', bits: type.bits / parts.length }
  const shiftOf = (index: number): Constant => intConstant(type, index * partType.bits)
  if (target.kind === 'vector') {
    const whole = emitter.read(source, type)
    parts.forEach((part, index) => {
      const shifted = index === 0 ? whole : emitter.binary('lshr', whole, shiftOf(index))
      emitter.set(emitter.destination(part), emitter.convert(shifted, partType))
    })
    return
  }
  let whole: Value = intConstant(type, 0)
  parts.forEach((part, index) => {
    const wide = emitter.convert(emitter.read(part, partType), type)
    whole = index === 0 ? wide : emitter.binary('or', whole, emitter.binary('shl', wide, shiftOf(index)))
  })
  emitter.set(emitter.destination(target), whole)
}

// ---------------------------------------------------------------- integers

const PLAIN: Readonly<Record<string, BinaryOp>> = { add: 'add', sub: 'sub', and: 'and', or: 'or', xor: 'xor' }

function integer(emitter: Emitter, { opcode, operands }: PtxStatement): Value | undefined {
  const [name = '', ...modifiers] = opcode
  const typeName = modifiers.at(-1) ?? ''
  const type = ptxType(typeName)
  const form = modifiers.slice(0, -1).join('.')
  if (!type || (type.kind !== 'int' && name !== 'mov' && name !== 'selp')) return undefined
  const bits = bitsOf(type)
  const signed = typeName.startsWith('s')
  const source = (index: number): Value => emitter.read(operands[index + 1], type)
  const constant = (value: number): Constant => intConstant(type, value)
  if (name === 'mul' || name === 'mad') {
    const product = multiply(emitter, source(0), source(1), form, signed)
    if (!product || name === 'mul') return product
    if (product.kind === 'instruction' && product.op === 'mul') product.inMad = true
    return emitter.binary('add', product, emitter.read(operands[3], product.type))
  }
  if (form !== '') return undefined
  switch (name) {
    case 'mov':
      return source(0)
    case 'add':
    case 'sub':
    case 'and':
    case 'or':
    case 'xor':
      return emitter.binary(PLAIN[name]!, source(0), source(1))
    case 'not':
      return emitter.binary('xor', source(0), intConstant(type, -1))
    case 'neg':
      return emitter.binary('sub', constant(0), source(0))
    case 'min':
    case 'max': {
      return emitter.call(`llvm.${signed ? 's' : 'u'}${name}.i${bits}`, type, [source(0), source(1)])
    }
    case 'selp':
      return emitter.select(emitter.read(operands[3], I1), source(0), source(1))
    case 'shl':
    case 'shr':
      return shift(emitter, name, source(0), emitter.read(operands[2], I32), signed)
    case 'div':
    case 'rem':
      return emitter.binary(`${signed ? 's' : 'u'}${name}`, source(0), source(1))
    case 'abs':
      return emitter.call(`llvm.abs.i${bits}`, type, [source(0), intConstant(I1, 0)])
    case 'cnot':
      return emitter.convert(emitter.compare('eq', source(0), constant(0)), type)
    case 'sad':
      return emitter.binary('add', difference(emitter, source(0), source(1), signed), source(2))
    case 'popc':
      return emitter.convert(emitter.call(`llvm.ctpop.i${bits}`, type, [source(0)]), I32)
    case 'clz':
      return emitter.convert(emitter.call(`llvm.ctlz.i${bits}`, type, [source(0), intConstant(I1, 0)]), I32)
    case 'brev':
      return emitter.call(`llvm.bitreverse.i${bits}`, type, [source(0)])
    default:
      return undefined
  }
}

/** The distance of two numbers, whichever is greater. */
function difference(emitter: Emitter, a: Value, b: Value, signed: boolean): Value {
  const isLess = emitter.compare(signed ? 'slt' : 'ult', a, b)
  return emitter.select(isLess, emitter.binary('sub', b, a), emitter.binary('sub', a, b))
}

function multiply(emitter: Emitter, a: Value, b: Value, form: string, signed: boolean): Value | undefined {
  if (form === 'lo') return emitter.binary('mul', a, b)
  const bits = bitsOf(a.type)
  // What __umul64hi is; pairIntegers.ts makes arithmetic of it.
  if (form === 'hi' && bits === 64) return emitter.call(`llvm.nvvm.mulhi.${signed ? '' : 'u'}ll`, a.type, [a, b])
  if ((form !== 'wide' && form !== 'hi') || bits > 32) return undefined
  const wide: Type = { kind: 'int', bits: 2 * bits }
  const extend = (value: Value): Value => emitter.add(cast(emitter.place, signed ? 'sext' : 'zext', wide, value))
  const product = emitter.binary('mul', extend(a), extend(b))
  return form === 'wide' ? product : emitter.convert(emitter.binary('lshr', product, intConstant(wide, bits)), a.type)
}

/**
 * The carry of add.cc, addc, sub.cc, subc, mad.{lo,hi}.cc, madc: the first of a chain writes it, the others read it. Of a
 * difference it is the borrow.
 */
function extendedPrecision(emitter: Emitter, { opcode, operands }: PtxStatement): Value | undefined {
  const [name = '', ...modifiers] = opcode
  const operation = /^(add|sub|mad)(c?)$/.exec(name)
  const writes = modifiers.includes('cc')
  if (!operation || (!writes && operation[2] === '')) return undefined
  const type = ptxType(modifiers.at(-1) ?? '')
  if (type?.kind !== 'int') throw new NotLowered()
  let a = emitter.read(operands[1], type)
  let b = emitter.read(operands[2], type)
  const subtracts = operation[1] === 'sub'
  if (operation[1] === 'mad') {
    const half = modifiers.includes('hi') ? 'hi' : 'lo'
    const isSigned = modifiers.at(-1)?.startsWith('s') ?? false
    a = multiply(emitter, a, b, half, isSigned) ?? a
    b = emitter.read(operands[3], type)
  }
  const first = emitter.binary(subtracts ? 'sub' : 'add', a, b)
  const firstCarry = subtracts ? emitter.compare('ult', a, b) : emitter.compare('ult', first, a)
  if (operation[2] === '') {
    emitter.carry = firstCarry
    return first
  }
  const carried = emitter.convert(emitter.carry, type)
  const second = emitter.binary(subtracts ? 'sub' : 'add', first, carried)
  const secondCarry = subtracts ? emitter.compare('ult', first, carried) : emitter.compare('ult', second, first)
  if (writes) emitter.carry = emitter.binary('or', firstCarry, secondCarry)
  return second
}

// ---------------------------------------------------------------- logic

/** Predicates; lop3 by its polynomial over two elements; bytes chosen by a constant. */
function logic(emitter: Emitter, { opcode, operands }: PtxStatement): Value | undefined {
  const [name = '', typeName] = opcode
  if (typeName === 'pred' && opcode.length === 2) {
    const source = (index: number): Value => emitter.read(operands[index + 1], I1)
    if (name === 'mov') return source(0)
    if (name === 'not') return emitter.binary('xor', source(0), intConstant(I1, 1))
    if (name === 'and' || name === 'or' || name === 'xor') return emitter.binary(name, source(0), source(1))
    throw new NotLowered()
  }
  const selectors = name === 'prmt' && typeName === 'b32' ? BYTE_MODES[opcode[2] ?? ''] : undefined
  if (selectors && opcode.length === 3 && operands.length === 4) return bytesByMode(emitter, operands, selectors)
  const last = emitter.constantOf(operands.at(-1))
  if (last === undefined) return undefined
  if (name === 'lop3' && opcode.length === 2 && operands.length === 5) return threeInputs(emitter, operands, last)
  if (name === 'prmt' && opcode.length === 2 && operands.length === 4) return chooseBytes(emitter, operands, last)
  return undefined
}

function threeInputs(emitter: Emitter, operands: readonly PtxOperand[], table: bigint): Value {
  const inputs = [1, 2, 3].map(index => emitter.read(operands[index], I32))
  // Coefficient of the product of the inputs in `term`: the table's bits summed over the subsets of the term.
  const coefficients = Array.from({ length: 8 }, (_, index) => Number((table >> BigInt(index)) & 1n))
  for (const step of [1, 2, 4])
    for (let index = 0; index < 8; index++) if (index & step) coefficients[index]! ^= coefficients[index ^ step]!
  let sum: Value = intConstant(I32, coefficients[0] === 1 ? -1 : 0)
  for (let term = 1; term < 8; term++) {
    if (coefficients[term] === 0) continue
    const factors = inputs.filter((_, index) => term & (4 >> index))
    const product = factors.reduce((left, right) => emitter.binary('and', left, right))
    sum = sum.kind === 'int' && sum.value === 0n ? product : emitter.binary('xor', sum, product)
  }
  return sum
}

/** prmt.b32.mode: the selector for each value of the last operand's two low bits. */
const BYTE_MODES: Readonly<Record<string, readonly [bigint, bigint, bigint, bigint]>> = {
  f4e: [0x3210n, 0x4321n, 0x5432n, 0x6543n],
  b4e: [0x5670n, 0x6701n, 0x7012n, 0x0123n],
  rc8: [0x0000n, 0x1111n, 0x2222n, 0x3333n],
  ecl: [0x3210n, 0x3211n, 0x3222n, 0x3333n],
  ecr: [0x0000n, 0x1110n, 0x2210n, 0x3210n],
  rc16: [0x1010n, 0x3232n, 0x1010n, 0x3232n],
}

function bytesByMode(emitter: Emitter, operands: readonly PtxOperand[], selectors: readonly bigint[]): Value {
  const which = emitter.binary('and', emitter.read(operands[3], I32), intConstant(I32, 3))
  return selectors.slice(1).reduce(
    (chosen: Value, selector, index) => {
      const isThis = emitter.compare('eq', which, intConstant(I32, index + 1))
      return emitter.select(isThis, chooseBytes(emitter, operands, selector), chosen)
    },
    chooseBytes(emitter, operands, selectors[0]!),
  )
}

function chooseBytes(emitter: Emitter, operands: readonly PtxOperand[], selector: bigint): Value {
  const sources = [emitter.read(operands[1], I32), emitter.read(operands[2], I32)]
  let word: Value = intConstant(I32, 0)
  for (let byte = 0; byte < 4; byte++) {
    const choice = Number((selector >> BigInt(4 * byte)) & 15n)
    const source = sources[(choice >> 2) & 1]!
    const left = emitter.binary('shl', source, intConstant(I32, 24 - 8 * (choice & 3)))
    const isSign = (choice & 8) !== 0
    const top = emitter.binary(isSign ? 'ashr' : 'lshr', left, intConstant(I32, isSign ? 31 : 24))
    const cut = isSign ? emitter.binary('and', top, intConstant(I32, 255)) : top
    const placed = byte === 0 ? cut : emitter.binary('shl', cut, intConstant(I32, 8 * byte))
    word = byte === 0 ? placed : emitter.binary('or', word, placed)
  }
  return word
}

// ---------------------------------------------------------------- floats

const FLOAT_OPERATIONS: Readonly<Record<string, BinaryOp>> = { add: 'fadd', sub: 'fsub', mul: 'fmul' }

/** Those that round to nearest; an add or a multiply without a rounding mode may be fused, as ptxas does. */
function floating(emitter: Emitter, { opcode, operands }: PtxStatement): Value | undefined {
  const [name = '', ...modifiers] = opcode
  const typeName = modifiers.at(-1) ?? ''
  const packed = /^(b?f16)x2$/.exec(typeName)
  const type = ptxType(packed?.[1] ?? typeName)
  const form = modifiers.slice(0, -1)
  if (type?.kind !== 'float' || form.some(part => part !== 'rn')) return undefined
  const isFused = name === 'fma' || (name === 'mad' && form.length > 0)
  const operation = FLOAT_OPERATIONS[name]
  if (!operation && !isFused) return undefined
  const compute = (sources: readonly Value[]): Value => {
    const [left, right, addend] = sources
    const { place } = emitter
    if (isFused)
      return emitter.add({
        kind: 'instruction',
        op: 'fma',
        type,
        name: '',
        ...place,
        left: left!,
        right: right!,
        addend: addend!,
      })
    return emitter.add({ ...binary(place, operation!, left!, right!), contract: form.length === 0 })
  }
  const count = isFused ? 3 : 2
  const sources = Array.from({ length: count }, (_, index) => operands[index + 1])
  if (!packed) return compute(sources.map(source => emitter.read(source, type)))
  const pairs = sources.map(source =>
    emitter.add(cast(emitter.place, 'bitcast', vectorOf(type, 2), emitter.read(source, I32))),
  )
  const half = (lane: number): Value =>
    compute(pairs.map(both => emitter.add(extractElement(emitter.place, both, lane, type))))
  return pair(emitter, half(0), half(1))
}

// ---------------------------------------------------------------- what stays

/** One instruction of assembly with plain registers and constants. */
function keptAsAssembly(emitter: Emitter, { opcode, operands }: PtxStatement): Value {
  const [name = ''] = opcode
  const last = opcode.at(-1) ?? ''
  const types = opcode.map(ptxType).filter(type => type !== undefined)
  const written = types.at(-1)
  if (!written || operands.length < 2 || !/^[a-z]\w*$/.test(name) || !/^([usbf]\d+|bf16|pred)$/.test(last))
    throw new NotLowered()
  const bits = bitsOf(written)
  let result: Type = written.kind === 'int' && bits < 32 ? I32 : written
  if (opcode.includes('wide')) result = { kind: 'int', bits: 2 * bits }
  if (['popc', 'clz', 'bfind'].includes(name)) result = I32
  const sources = operands.slice(1)
  const args = sources.map((source, index) => {
    const isCount = /^(bfe|bfi|shl|shr)$/.test(name) && index >= (name === 'bfi' ? 2 : 1)
    const isPredicate = (name === 'selp' && index === 2) || last === 'pred'
    const type = isPredicate ? I1 : isCount ? I32 : written
    // The addend of a wide product has the product's width; float constants are bits.
    if (opcode.includes('wide') && index === 2) return emitter.read(source, result)
    return emitter.read(source, type)
  })
  return emitter.instruction(opcode, result, args)
}
