/**
 * What PTX's matrix instructions have in common: the product that include/mma.h calls too (matrixKinds.ts), its registers
 * stored to a fragment before and loaded from it behind; blocks that change rows and columns.
 */
import { cast, intConstant, load, offsetPointer, store } from '../../../ir/build.ts'
import type { AllocaInstruction, Block, Type, Value } from '../../../ir/ir.ts'
import { F16, F32, F64, I32, I64, POINTER, VOID } from '../../../ir/types.ts'
import { MATRIX_TRANSPOSE, type MatrixProduct, productName, wordsOfA, wordsOfB, wordsOfSum } from '../matrixKinds.ts'
import { type Emitter, NotLowered } from './emitter.ts'
import type { PtxOperand } from './text.ts'

/** d and c, a, b of the largest product, in words. */
const SCRATCH_WORDS = 18
const I16: Type = { kind: 'int', bits: 16 }

/** The variables of a kernel that fragments of one instruction lie in: used again by the next. */
export class MatrixScratch {
  readonly #made = new Map<4 | 8, AllocaInstruction>()
  readonly #entry: Block

  constructor(entry: Block) {
    this.#entry = entry
  }

  variable(word: 4 | 8): Value {
    const known = this.#made.get(word)
    if (known) return known
    const made: AllocaInstruction = {
      kind: 'instruction',
      op: 'alloca',
      type: POINTER,
      name: '',
      block: this.#entry,
      location: undefined,
      bytes: SCRATCH_WORDS * word,
      align: word,
    }
    this.#made.set(word, made)
    return made
  }

  /** Puts the variables that were used where the kernel starts. */
  finish(): void {
    this.#entry.instructions.unshift(...this.#made.values())
  }
}

/** A product as an instruction has it. The lists of registers are as long as its type has them. */
export interface ProductForm {
  readonly product: MatrixProduct
  /** Sums before and behind are pairs of halves: added up in float and rounded once. */
  readonly before: 'half' | 'word'
  readonly result: 'half' | 'word'
  /** Sums of integers stay at the ends of their range. */
  readonly saturates: boolean
  /** Eight rows of bytes are the upper ones of sixteen: each register lies where it does there, the others are 0. */
  readonly isUpper: boolean
}

export interface ProductOperands {
  readonly d: PtxOperand | undefined
  readonly a: PtxOperand | undefined
  readonly b: PtxOperand | undefined
  readonly c: PtxOperand | undefined
}

/** d = a x b + c. @throws NotLowered for other numbers of registers. */
export function emitProduct(emitter: Emitter, form: ProductForm, { d, a, b, c }: ProductOperands): void {
  const { product, before, result, saturates, isUpper } = form
  const isWide = product.sum === 'f64'
  const word = isWide ? 8 : 4
  const sumType = isWide ? F64 : product.sum === 'f32' ? F32 : I32
  const factorType = isWide ? F64 : I32
  const sums = wordsOfSum(product)
  const given = isUpper ? sums / 2 : sums
  const ofA = isUpper ? wordsOfA(product) / 2 : wordsOfA(product)
  const targets = partsOf(d, result === 'half' ? given / 2 : given)
  const [fromA, fromB] = [partsOf(a, ofA), partsOf(b, wordsOfB(product))]
  const fromC = partsOf(c, before === 'half' ? given / 2 : given)
  const at = { sums: 0, a: sums, b: sums + wordsOfA(product) }
  const place = (index: number): Value => emitter.add(offsetPointer(emitter.place, emitter.scratch(word), index * word))
  const put = (index: number, value: Value): void => {
    emitter.add(store(emitter.place, value, place(index), word))
  }
  fromA.forEach((part, index) => put(at.a + index, emitter.read(part, factorType)))
  fromB.forEach((part, index) => put(at.b + index, emitter.read(part, factorType)))
  fromC.forEach((part, index) => {
    if (saturates) put(at.sums + index, intConstant(I32, 0))
    else if (before === 'word') put(at.sums + index, emitter.read(part, sumType))
    else halves(emitter, part).forEach((half, which) => put(at.sums + 2 * index + which, half))
  })
  const absent = isUpper ? [at.a + ofA, at.sums + given, at.sums + given + 1] : []
  for (const index of absent) put(index, intConstant(I32, 0))
  const pointers = [at.sums, at.a, at.b, at.sums].map(place)
  emitter.call(productName(product), VOID, pointers)
  const results = Array.from({ length: given }, (_, index) => {
    const total = emitter.add(load(emitter.place, sumType, place(at.sums + index), word))
    return saturates ? saturatedSum(emitter, total, emitter.read(fromC[index]!, I32)) : total
  })
  targets.forEach((target, index) => {
    const value = result === 'half' ? packed(emitter, results[2 * index]!, results[2 * index + 1]!) : results[index]!
    emitter.set(emitter.destination(target), value)
  })
}

/** Products of bytes alone are far from the ends of 32 bits. */
function saturatedSum(emitter: Emitter, products: Value, before: Value): Value {
  const [left, right] = [products, before].map(value => emitter.add(cast(emitter.place, 'sext', I64, value)))
  const exact = emitter.binary('add', left!, right!)
  const atMost = emitter.call('llvm.smin.i64', I64, [exact, intConstant(I64, 0x7fff_ffff)])
  const clamped = emitter.call('llvm.smax.i64', I64, [atMost, intConstant(I64, -0x8000_0000)])
  return emitter.add(cast(emitter.place, 'trunc', I32, clamped))
}

/** The registers of an operand. @throws NotLowered for another number of them. */
export function partsOf(operand: PtxOperand | undefined, count: number): readonly PtxOperand[] {
  const parts = operand?.kind === 'vector' ? operand.elements : operand ? [operand] : []
  if (parts.length !== count) throw new NotLowered()
  return parts
}

/** The two halves of a register as floats: sums of half are added up in float and rounded once. */
function halves(emitter: Emitter, operand: PtxOperand): Value[] {
  const word = emitter.read(operand, I32)
  return [0, 16].map(shift => {
    const moved = shift === 0 ? word : emitter.binary('lshr', word, intConstant(I32, shift))
    const half = emitter.convert(emitter.convert(moved, I16), F16)
    return emitter.add(cast(emitter.place, 'fpext', F32, half))
  })
}

function packed(emitter: Emitter, low: Value, high: Value): Value {
  const [first, second] = [low, high].map(value =>
    emitter.convert(emitter.add(cast(emitter.place, 'fptrunc', F16, value)), I32),
  )
  return emitter.binary('or', first!, emitter.binary('shl', second!, intConstant(I32, 16)))
}

/** A word of a block of 8 x 8 elements of 16 bits whose rows and columns are changed. */
export function transposed(emitter: Emitter, word: Value): Value {
  const { place } = emitter
  const fragment = emitter.add(offsetPointer(place, emitter.scratch(4), 0))
  emitter.add(store(place, word, fragment, 4))
  emitter.call(MATRIX_TRANSPOSE, VOID, [fragment, fragment])
  return emitter.add(load(place, I32, fragment, 4))
}
