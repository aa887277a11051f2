/**
 * PTX's wmma: matrices whose fragments have no layout of their own, loaded and stored by one instruction. Fragments and the
 * accesses of each lane are those of include/warplens/matrix_fragments.h, but for factors of bf16, which LDSM loads too
 * (machine code of nvcc 13.0 for 9.0, each type, layout and space; load_bf16 of DissectingTensorCores on an H200).
 * Source: PTX ISA, "Warp-level Matrix Load Instruction: wmma.load", "wmma.store", "wmma.mma".
 */
import { cast, extractElement, insertElement, intConstant, load, store, vectorOf } from '../../../ir/build.ts'
import type { GepInstruction, Type, Value } from '../../../ir/ir.ts'
import { F32, F64, I8, I32, sizeOf } from '../../../ir/types.ts'
import type { FactorType, MatrixProduct } from '../matrixKinds.ts'
import { type Emitter, NotLowered } from './emitter.ts'
import { emitProduct, partsOf, transposed } from './matrixProducts.ts'
import { pointerOf } from './memory.ts'
import type { PtxOperand, PtxStatement } from './text.ts'

interface Shape {
  readonly m: number
  readonly n: number
  readonly k: number
}

type Layout = 'row' | 'col'
type WmmaFactor = Exclude<FactorType, 'e4m3' | 'e5m2'>

const NARROW = /^(m16n16k16|m32n8k16|m8n32k16)$/
const FACTOR_SHAPES: Readonly<Record<WmmaFactor, RegExp>> = {
  f16: NARROW,
  bf16: NARROW,
  s8: NARROW,
  u8: NARROW,
  tf32: /^m16n16k8$/,
  f64: /^m8n8k4$/,
}
const SUM_SHAPES = { f16: NARROW, f32: /^(m16n16k16|m32n8k16|m8n32k16|m16n16k8)$/, s32: NARROW, f64: /^m8n8k4$/ }
type WmmaSum = keyof typeof SUM_SHAPES

const BYTES = { f16: 2, bf16: 2, tf32: 4, s8: 1, u8: 1, f64: 8, f32: 4, s32: 4 } as const

/** Handles the statement if it is of wmma. @throws NotLowered for shapes and types that mma.h has not here. */
export function lowerWmma(emitter: Emitter, { opcode, operands }: PtxStatement): boolean {
  if (opcode[0] !== 'wmma') return false
  const [, operation, which, ...rest] = opcode
  if (operation === 'mma') lowerProduct(emitter, opcode.slice(2), operands)
  else if (operation === 'load' && (which === 'a' || which === 'b')) lowerFactorLoad(emitter, which, rest, operands)
  else if (operation === 'load' && which === 'c') lowerSumLoad(emitter, rest, operands)
  else if (operation === 'store' && which === 'd') lowerSumStore(emitter, rest, operands)
  else throw new NotLowered()
  return true
}

/** A fragment as its accesses see it: memory from which it goes, and which elements are neighbours there. */
interface Moved {
  readonly shape: Shape
  readonly type: string
  readonly layout: Layout
  readonly pointer: Value
  /** In elements. */
  readonly stride: Value
}

/** sync.aligned, then layout, shape, space in any order, as ptxas takes them; the type. */
function movedBy(
  emitter: Emitter,
  parts: readonly string[],
  address: PtxOperand | undefined,
  stride: PtxOperand | undefined,
  /** How many elements a row has where there is no stride. */
  lengthOf: (shape: Shape, layout: Layout) => number,
): Moved {
  const [sync, aligned, ...how] = parts.slice(0, -1)
  const type = parts.at(-1) ?? ''
  const layout = how.find(part => part === 'row' || part === 'col') as Layout | undefined
  const named = how.find(part => /^m\d+n\d+k\d+$/.test(part))
  const space = how.find(part => /^(global|shared(:cta)?)$/.test(part))
  const known = how.filter(part => part === layout || part === named || part === space)
  if (sync !== 'sync' || aligned !== 'aligned' || !layout || !named || known.length !== how.length)
    throw new NotLowered()
  if (how.length !== (space ? 3 : 2)) throw new NotLowered()
  const shape = shapeOf(named)
  const pointer = pointerOf(emitter, address, space === undefined ? 0 : space === 'global' ? 1 : 3)
  const length = stride ? emitter.read(stride, I32) : intConstant(I32, lengthOf(shape, layout))
  return { shape, type, layout, pointer, stride: length }
}

function shapeOf(name: string): Shape {
  const [, m, n, k] = /^m(\d+)n(\d+)k(\d+)$/.exec(name)!.map(Number) as [number, number, number, number]
  return { m, n, k }
}

function isOf<Name extends string>(shapes: Readonly<Record<Name, RegExp>>, type: string, shape: Shape): type is Name {
  return Object.hasOwn(shapes, type) && shapes[type as Name].test(`m${shape.m}n${shape.n}k${shape.k}`)
}

/** Where elements are: `line` and `place` of a lane's own block, and how far from there. */
class Matrix {
  readonly #emitter: Emitter
  readonly #from: Value
  readonly #stride: Value
  readonly #bytes: number
  readonly #group: Value
  readonly #inGroup: Value

  constructor(emitter: Emitter, { pointer, stride }: Moved, bytes: number) {
    this.#emitter = emitter
    this.#from = pointer
    this.#stride = stride
    this.#bytes = bytes
    const lane = emitter.call('llvm.nvvm.read.ptx.sreg.laneid', I32, [])
    this.#group = emitter.binary('lshr', lane, intConstant(I32, 2))
    this.#inGroup = emitter.binary('and', lane, intConstant(I32, 3))
  }

  /** Of each group of four lanes a line, `each` elements of it a lane. */
  alongLine(line: number, first: number, each: number): Value {
    return this.#at(this.#lines(this.#group, line), this.#inGroup, each, first)
  }

  /** Of each group an element, from lines that its lanes share out, `each` a lane. */
  acrossLines(line: number, first: number, each: number): Value {
    const own = each === 1 ? this.#inGroup : this.#emitter.binary('mul', this.#inGroup, intConstant(I32, each))
    return this.#at(this.#lines(own, line), this.#group, 1, first)
  }

  #lines(own: Value, line: number): Value {
    return line === 0 ? own : this.#emitter.binary('add', own, intConstant(I32, line))
  }

  #at(line: Value, index: Value, each: number, first: number): Value {
    const bytes = this.#bytes
    const start = this.#emitter.binary('mul', line, this.#stride)
    const terms = [
      { index: start, scale: bytes },
      { index, scale: each * bytes },
    ]
    const pointer: GepInstruction = {
      kind: 'instruction',
      op: 'gep',
      type: this.#from.type,
      name: '',
      ...this.#emitter.place,
      base: this.#from,
      offset: first * bytes,
      terms,
    }
    return this.#emitter.add(pointer)
  }
}

// ---------------------------------------------------------------- factors

/** wmma.load.{a,b}.sync.aligned.layout.shape[.space].type r, [p][, stride]. */
function lowerFactorLoad(
  emitter: Emitter,
  which: 'a' | 'b',
  parts: readonly string[],
  [registers, address, stride]: readonly PtxOperand[],
): void {
  const isAlongLine = (layout: Layout): boolean => (which === 'a') === (layout === 'row')
  const rowsOf = ({ m, n }: Shape): number => (which === 'a' ? m : n)
  const moved = movedBy(emitter, parts, address, stride, (shape, layout) =>
    isAlongLine(layout) ? shape.k : rowsOf(shape),
  )
  const { shape, type, layout } = moved
  if (!isOf(FACTOR_SHAPES, type, shape)) throw new NotLowered()
  const bytes = BYTES[type]
  const perWord = Math.max(1, 4 / bytes)
  const chunk = 4 * perWord
  const [rows, chunks] = [rowsOf(shape), shape.k / chunk]
  const count = (rows / 8) * chunks
  // The second factor's columns come in eights, but where the product is the transposed one.
  const areSixteens = which === 'a' ? rows >= 16 : rows === 32
  const targets = partsOf(registers, type === 'f16' ? 8 : count)
  const matrix = new Matrix(emitter, moved, bytes)
  const isAlong = isAlongLine(layout)
  const words = Array.from({ length: count }, (_, index) => {
    const row = areSixteens ? Math.floor(index / (2 * chunks)) * 16 + (index % 2) * 8 : Math.floor(index / chunks) * 8
    const step = (areSixteens ? Math.floor((index % (2 * chunks)) / 2) : index % chunks) * chunk
    if (bytes === 2) {
      const word = blockWord(emitter, matrix, isAlong ? [row, step] : [step, row], Math.min(count, 4))
      return isAlong ? word : transposed(emitter, word)
    }
    const own = (part: number): Value =>
      isAlong ? matrix.alongLine(row, step + part, perWord) : matrix.acrossLines(step + part, row, perWord)
    if (bytes === 1) return isAlong ? matrixWord(emitter, own(0), Math.min(count, 2)) : gathered(emitter, own)
    return emitter.add(load(emitter.place, bytes === 8 ? F64 : I32, own(0), bytes))
  })
  // Registers of half: the ones that count, then again.
  targets.forEach((target, index) => emitter.set(emitter.destination(target), words[index % count]!))
}

/** A lane's word of a block of 8 x 8 elements of 16 bits. */
function blockWord(emitter: Emitter, matrix: Matrix, [line, first]: readonly number[], together: number): Value {
  return matrixWord(emitter, matrix.alongLine(line!, first!, 2), together)
}

/** From shared memory the machine loads `together` of them with one instruction. */
function matrixWord(emitter: Emitter, pointer: Value, together: number): Value {
  const word = emitter.add(load(emitter.place, I32, pointer, 4))
  word.matrixWords = together
  return word
}

/** A word of bytes that lie apart. */
function gathered(emitter: Emitter, placeOf: (part: number) => Value): Value {
  let word: Value | undefined
  for (let part = 0; part < 4; part++) {
    const byte = emitter.add(load(emitter.place, I8, placeOf(part), 1))
    const wide: Value = emitter.add(cast(emitter.place, 'zext', I32, byte))
    const moved = part === 0 ? wide : emitter.binary('shl', wide, intConstant(I32, 8 * part))
    word = word ? emitter.binary('or', word, moved) : moved
  }
  return word!
}

// ---------------------------------------------------------------- sums

/** Blocks of 8 x 8 sums in the order of registers; of m8n32 everything is the other way round. */
function blocksOfSum({ m, n }: Shape): readonly { readonly row: number; readonly column: number }[] {
  const [rows, columns] = isTurned({ m, n }) ? [n, m] : [m, n]
  const across = columns / 8
  return Array.from({ length: (rows * columns) / 64 }, (_, index) =>
    rows === 8
      ? { row: 0, column: 0 }
      : { row: Math.floor(index / 2 / across) * 16 + (index % 2) * 8, column: (Math.floor(index / 2) % across) * 8 },
  )
}

function isTurned({ m, n }: Pick<Shape, 'm' | 'n'>): boolean {
  return m === 8 && n === 32
}

const lengthOfSums = ({ m, n }: Shape, layout: Layout): number => (layout === 'row' ? n : m)

interface MovedSums extends Moved {
  readonly type: WmmaSum
  readonly element: Type
  /** Pairs of sums are neighbours in memory. */
  readonly isAcross: boolean
  readonly matrix: Matrix
}

function movedSums(
  emitter: Emitter,
  parts: readonly string[],
  address: PtxOperand | undefined,
  stride: PtxOperand | undefined,
): MovedSums {
  const moved = movedBy(emitter, parts, address, stride, lengthOfSums)
  const { shape, type, layout } = moved
  if (!isOf(SUM_SHAPES, type, shape)) throw new NotLowered()
  const element = type === 'f64' ? F64 : type === 'f32' ? F32 : I32
  const matrix = new Matrix(emitter, moved, BYTES[type])
  return { ...moved, type, element, isAcross: (layout === 'row') !== isTurned(shape), matrix }
}

/** wmma.load.c.sync.aligned.layout.shape[.space].type r, [p][, stride]. */
function lowerSumLoad(
  emitter: Emitter,
  parts: readonly string[],
  [registers, address, stride]: readonly PtxOperand[],
): void {
  const { shape, type, element, isAcross, matrix } = movedSums(emitter, parts, address, stride)
  const blocks = blocksOfSum(shape)
  const targets = partsOf(registers, type === 'f16' ? blocks.length : 2 * blocks.length)
  const { place } = emitter
  const values = blocks.flatMap(({ row, column }): readonly Value[] => {
    if (type === 'f16') {
      const at = isAcross ? matrix.alongLine(row, column, 2) : matrix.alongLine(column, row, 2)
      const word = emitter.add(load(place, I32, at, 4))
      return [isAcross ? word : transposed(emitter, word)]
    }
    if (!isAcross)
      return [0, 1].map(part =>
        emitter.add(load(place, element, matrix.acrossLines(column + part, row, 2), sizeOf(element))),
      )
    const pair = vectorOf(element, 2)
    const both = emitter.add(load(place, pair, matrix.alongLine(row, column, 2), sizeOf(pair)))
    return [0, 1].map(part => emitter.add(extractElement(place, both, part, element)))
  })
  targets.forEach((target, index) => emitter.set(emitter.destination(target), values[index]!))
}

/** wmma.store.d.sync.aligned.layout.shape[.space].type [p], r[, stride]. */
function lowerSumStore(
  emitter: Emitter,
  parts: readonly string[],
  [address, registers, stride]: readonly PtxOperand[],
): void {
  const { shape, type, element, isAcross, matrix } = movedSums(emitter, parts, address, stride)
  const blocks = blocksOfSum(shape)
  const values = partsOf(registers, type === 'f16' ? blocks.length : 2 * blocks.length).map(part =>
    emitter.read(part, element),
  )
  const { place } = emitter
  const put = (value: Value, at: Value): void => {
    emitter.add(store(place, value, at, sizeOf(value.type)))
  }
  blocks.forEach(({ row, column }, block) => {
    if (type === 'f16') {
      const word = isAcross ? values[block]! : transposed(emitter, values[block]!)
      put(word, isAcross ? matrix.alongLine(row, column, 2) : matrix.alongLine(column, row, 2))
    } else if (isAcross) {
      let both: Value = { kind: 'undef', type: vectorOf(element, 2) }
      for (const part of [0, 1]) both = emitter.add(insertElement(place, both, values[2 * block + part]!, part))
      put(both, matrix.alongLine(row, column, 2))
    } else for (const part of [0, 1]) put(values[2 * block + part]!, matrix.acrossLines(column + part, row, 2))
  })
}

// ---------------------------------------------------------------- products

/** wmma.mma.sync.aligned.layout.layout.shape.D.C for half, .D.A.B.C for others, s32 with .satfinite too. */
function lowerProduct(emitter: Emitter, parts: readonly string[], operands: readonly PtxOperand[]): void {
  const [sync, aligned, rows, columns, named = '', ...types] = parts
  const layouts = [rows, columns].every(layout => layout === 'row' || layout === 'col')
  if (sync !== 'sync' || aligned !== 'aligned' || !layouts || !/^m\d+n\d+k\d+$/.test(named)) throw new NotLowered()
  const shape = shapeOf(named)
  const saturates = types.at(-1) === 'satfinite'
  if (saturates) types.pop()
  if (types[0] === 'rn' && types.at(-1) === 'f64') types.shift()
  const [result = '', a = '', b, before = ''] =
    types.length === 2 ? [types[0], 'f16', 'f16', types[1]] : types.length === 4 ? types : []
  const isHalf = a === 'f16'
  if (!isOf(FACTOR_SHAPES, a, shape) || a !== b) throw new NotLowered()
  const sum = a === 'f64' ? 'f64' : a === 's8' || a === 'u8' ? 's32' : 'f32'
  const isSum = (type: string): boolean => type === sum || (isHalf && type === 'f16')
  if (!isSum(result) || !isSum(before) || (saturates && sum !== 's32')) throw new NotLowered()
  const turned = isTurned(shape)
  const { m, n, k } = shape
  const product: MatrixProduct = { rows: turned ? n : m, columns: turned ? m : n, depth: k, sum, a, b: a }
  const kindOf = (type: string) => (type === 'f16' ? 'half' : 'word')
  const [d, first, second, c] = operands
  const [left, right] = turned ? [second, first] : [first, second]
  emitProduct(
    emitter,
    { product, before: kindOf(before), result: kindOf(result), saturates, isUpper: false },
    {
      d,
      a: isHalf ? leading(left, (product.rows * k) / 64) : left,
      b: isHalf ? leading(right, (product.columns * k) / 64) : right,
      c,
    },
  )
}

/** Of the eight registers of half those that count. */
function leading(operand: PtxOperand | undefined, count: number): PtxOperand {
  return { kind: 'vector', elements: partsOf(operand, 8).slice(0, count) }
}
