/**
 * PTX's matrix instructions: mma.sync becomes the product that include/mma.h calls too (matrixKinds.ts), its registers stored
 * to a fragment before and loaded from it behind; ldmatrix and stmatrix become a load or a store a lane and block, marked as the
 * machine's LDSM and STSM.
 * Source: PTX ISA, "Warp Level Matrix Instructions".
 */
import { cast, intConstant, load, offsetPointer, store } from '../../../ir/build.ts'
import type { AllocaInstruction, Block, Type, Value } from '../../../ir/ir.ts'
import { F16, F32, F64, I32, I64, POINTER, VOID } from '../../../ir/types.ts'
import {
  type FactorType,
  MATRIX_TRANSPOSE,
  type MatrixProduct,
  productName,
  type SumType,
  wordsOfA,
  wordsOfB,
  wordsOfSum,
} from '../matrixKinds.ts'
import { type Emitter, NotLowered } from './emitter.ts'
import type { PtxOperand, PtxStatement } from './text.ts'

/** d and c, a, b of the largest product, in words. */
const SCRATCH_WORDS = 16
const I16: Type = { kind: 'int', bits: 16 }
const ALL_LANES = intConstant(I32, -1)

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

/** Handles the statement if it is of this kind. @throws NotLowered for shapes and types that there are no products of. */
export function lowerMatrix(emitter: Emitter, statement: PtxStatement): boolean {
  switch (statement.opcode[0]) {
    case 'mma':
      lowerProduct(emitter, statement)
      return true
    case 'ldmatrix':
      lowerMatrixLoad(emitter, statement)
      return true
    case 'stmatrix':
      lowerMatrixStore(emitter, statement)
      return true
    case 'movmatrix':
      emitter.set(
        emitter.destination(statement.operands[0]),
        transposed(emitter, emitter.read(statement.operands[1], I32)),
      )
      return true
    default:
      return false
  }
}

// ---------------------------------------------------------------- products

const SHAPES: Readonly<Record<FactorType, RegExp>> = {
  f16: /^m16n8k(8|16)$/,
  bf16: /^m16n8k(8|16)$/,
  tf32: /^m16n8k(4|8)$/,
  s8: /^(?:m16n8k(16|32)|m8n8k16)$/,
  u8: /^(?:m16n8k(16|32)|m8n8k16)$/,
  f64: /^m8n8k4$/,
}
const FACTORS: ReadonlySet<string> = new Set(Object.keys(SHAPES))

/** mma.sync.aligned.SHAPE.row.col[.satfinite].D.A.B.C d, a, b, c; ptxas takes `.satfinite` behind the types too. */
function lowerProduct(emitter: Emitter, { opcode, operands }: PtxStatement): void {
  const [, sync, aligned, shape = '', rows, columns, ...parts] = opcode
  const types = parts[0] === 'satfinite' ? [...parts.slice(1), 'satfinite'] : parts
  const [result, a, b, sum, ...ending] = types
  if (sync !== 'sync' || aligned !== 'aligned' || rows !== 'row' || columns !== 'col') throw new NotLowered()
  const saturates = ending.join('.') === 'satfinite' && sum === 's32'
  if ((ending.length > 0 && !saturates) || result !== sum || !isFactor(a) || !isFactor(b)) throw new NotLowered()
  if (!SHAPES[a].test(shape) || !SHAPES[b].test(shape)) throw new NotLowered()
  const kind = kindOf(a)
  if (kind !== kindOf(b) || (kind === 'f32' && a !== b)) throw new NotLowered()
  const isHalf = sum === 'f16' && a === 'f16'
  if (sum !== kind && !isHalf) throw new NotLowered()
  const [, m, n, k] = /^m(\d+)n(\d+)k(\d+)$/.exec(shape)!.map(Number) as [number, number, number, number]
  // Eight rows of bytes are the upper ones of sixteen: each register lies where it does there, the others are 0.
  const isUpper = m === 8 && kind === 's32'
  const product: MatrixProduct = { rows: isUpper ? 16 : m, columns: n, depth: k, sum: kind, a, b }
  const word = kind === 'f64' ? 8 : 4
  const sumType = kind === 'f64' ? F64 : kind === 'f32' ? F32 : I32
  const factorType = kind === 'f64' ? F64 : I32
  const [d, ...sources] = operands
  const sums = wordsOfSum(product)
  const given = isHalf || isUpper ? sums / 2 : sums
  const registers = [given, isUpper ? wordsOfA(product) / 2 : wordsOfA(product), wordsOfB(product), given]
  const [targets, fromA, fromB, fromC] = [d, ...sources].map((operand, index) => partsOf(operand, registers[index]!))
  const at = { sums: 0, a: sums, b: sums + wordsOfA(product) }
  const place = (index: number): Value => emitter.add(offsetPointer(emitter.place, emitter.scratch(word), index * word))
  const put = (index: number, value: Value): void => {
    emitter.add(store(emitter.place, value, place(index), word))
  }
  fromA!.forEach((part, index) => put(at.a + index, emitter.read(part, factorType)))
  fromB!.forEach((part, index) => put(at.b + index, emitter.read(part, factorType)))
  fromC!.forEach((part, index) => {
    if (saturates) put(at.sums + index, intConstant(I32, 0))
    else if (!isHalf) put(at.sums + index, emitter.read(part, sumType))
    else halves(emitter, part).forEach((half, which) => put(at.sums + 2 * index + which, half))
  })
  const absent = isUpper ? [at.a + wordsOfA(product) / 2, at.sums + given, at.sums + given + 1] : []
  for (const index of absent) put(index, intConstant(I32, 0))
  const pointers = [at.sums, at.a, at.b, at.sums].map(place)
  emitter.call(productName(product), VOID, pointers)
  const results = Array.from({ length: isUpper ? given : sums }, (_, index) => {
    const total = emitter.add(load(emitter.place, sumType, place(at.sums + index), word))
    return saturates ? saturatedSum(emitter, total, emitter.read(fromC![index]!, I32)) : total
  })
  targets!.forEach((target, index) => {
    const value = isHalf ? packed(emitter, results[2 * index]!, results[2 * index + 1]!) : results[index]!
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

function isFactor(name: string | undefined): name is FactorType {
  return name !== undefined && FACTORS.has(name)
}

function kindOf(type: FactorType): SumType {
  return type === 'f64' ? 'f64' : type === 's8' || type === 'u8' ? 's32' : 'f32'
}

function partsOf(operand: PtxOperand | undefined, count: number): readonly PtxOperand[] {
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

// ---------------------------------------------------------------- blocks of 8 x 8

/** ldmatrix.sync.aligned.m8n8.{x1,x2,x4}[.trans][.shared].b16 r, [p]. */
function lowerMatrixLoad(emitter: Emitter, { opcode, operands: [registers, address] }: PtxStatement): void {
  const how = movedBlocks(opcode)
  const targets = partsOf(registers, how.count)
  const placeOf = ownPlaces(emitter, how, address)
  targets.forEach((target, block) => {
    const word = emitter.add(load(emitter.place, I32, placeOf(block), 4))
    word.matrixWords = how.count
    emitter.set(emitter.destination(target), how.isTransposed ? transposed(emitter, word) : word)
  })
}

/** stmatrix, the same with its operands the other way round: one instruction of the machine, which finds the rows' addresses itself. */
function lowerMatrixStore(emitter: Emitter, { opcode, operands: [address, registers] }: PtxStatement): void {
  const how = movedBlocks(opcode)
  const start = emitter.out.length
  const words = partsOf(registers, how.count).map(part => emitter.read(part, I32))
  const placeOf = ownPlaces(emitter, how, address)
  const stores = words.map((word, block) => {
    const moved = how.isTransposed ? transposed(emitter, word) : word
    const stored = emitter.add(store(emitter.place, moved, placeOf(block), 4))
    stored.matrixWords = how.count
    return stored
  })
  for (const each of emitter.out.slice(start)) if (each !== stores[0]) each.carried = true
}

interface MovedBlocks {
  readonly count: number
  readonly isTransposed: boolean
  /** Of the address. */
  readonly space: 0 | 3
}

/** ptxas takes the shape, the number and .trans in any order (LeetCUDA has .x4.m8n8 and .x2.trans.m8n8). */
function movedBlocks(opcode: readonly string[]): MovedBlocks {
  const parts = opcode.filter(part => !/^shared(:cta)?$/.test(part))
  const [, sync, aligned, ...how] = parts
  const isTransposed = how.includes('trans')
  const times = how.find(part => /^x[124]$/.test(part)) ?? ''
  const isKnown = sync === 'sync' && aligned === 'aligned' && how.includes('m8n8') && times !== ''
  if (!isKnown || parts.at(-1) !== 'b16' || how.length !== (isTransposed ? 4 : 3)) throw new NotLowered()
  return { count: Number(times.slice(1)), isTransposed, space: opcode.length > parts.length ? 3 : 0 }
}

/** Where a lane's own word of each block is: lane 8 i + j has the address of row j of block i. */
function ownPlaces(
  emitter: Emitter,
  { space }: MovedBlocks,
  address: PtxOperand | undefined,
): (block: number) => Value {
  if (address?.kind !== 'address') throw new NotLowered()
  const held = address.base.kind === 'register' ? emitter.get(address.base.name) : undefined
  const pointerType: Type = { kind: 'pointer', space }
  // A generic pointer stays one on its way to the other lanes; in the shared window an address is a number.
  const start =
    held?.type.kind === 'pointer' && space === 0
      ? emitter.add(cast(emitter.place, 'ptrtoint', I32, held))
      : emitter.read(address.base, I32)
  const lane = emitter.call('llvm.nvvm.read.ptx.sreg.laneid', I32, [])
  const row = emitter.binary('lshr', lane, intConstant(I32, 2))
  const column = emitter.binary('shl', emitter.binary('and', lane, intConstant(I32, 3)), intConstant(I32, 2))
  return block => {
    const from = block === 0 ? row : emitter.binary('add', row, intConstant(I32, 8 * block))
    const rowAddress = emitter.call('llvm.nvvm.shfl.sync.idx.i32', I32, [ALL_LANES, start, from, intConstant(I32, 31)])
    const own = emitter.binary('add', rowAddress, column)
    const pointer = emitter.add(cast(emitter.place, 'inttoptr', pointerType, own))
    return address.offset === 0 ? pointer : emitter.add(offsetPointer(emitter.place, pointer, address.offset))
  }
}

function transposed(emitter: Emitter, word: Value): Value {
  const { place } = emitter
  const fragment = emitter.add(offsetPointer(place, emitter.scratch(4), 0))
  emitter.add(store(place, word, fragment, 4))
  emitter.call(MATRIX_TRANSPOSE, VOID, [fragment, fragment])
  return emitter.add(load(place, I32, fragment, 4))
}
