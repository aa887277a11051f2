/**
 * PTX's matrix instructions of registers and blocks of 8 x 8: mma.sync is a product (matrixProducts.ts); ldmatrix and
 * stmatrix become a load or a store a lane and block, marked as the machine's LDSM and STSM.
 * Source: PTX ISA, "Warp Level Matrix Instructions".
 */
import { cast, intConstant, load, offsetPointer, store } from '../../../ir/build.ts'
import type { Type, Value } from '../../../ir/ir.ts'
import { I32 } from '../../../ir/types.ts'
import { type FactorType, isSmallFloat, type MatrixProduct, type SumType } from '../matrixKinds.ts'
import { type Emitter, NotLowered } from './emitter.ts'
import { emitProduct, partsOf, transposed } from './matrixProducts.ts'
import type { PtxOperand, PtxStatement } from './text.ts'

const ALL_LANES = intConstant(I32, -1)

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
  e4m3: /^m16n8k(16|32)$/,
  e5m2: /^m16n8k(16|32)$/,
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
  if (kind !== kindOf(b) || (kind === 'f32' && a !== b && !(isSmallFloat(a) && isSmallFloat(b)))) throw new NotLowered()
  const isHalf = sum === 'f16' && (a === 'f16' || isSmallFloat(a))
  if (sum !== kind && !isHalf) throw new NotLowered()
  const [, m, n, k] = /^m(\d+)n(\d+)k(\d+)$/.exec(shape)!.map(Number) as [number, number, number, number]
  const isUpper = m === 8 && kind === 's32'
  const product: MatrixProduct = { rows: isUpper ? 16 : m, columns: n, depth: k, sum: kind, a, b }
  const sums = isHalf ? 'half' : 'word'
  const [toD, ofA, ofB, ofC] = operands
  emitProduct(emitter, { product, before: sums, result: sums, saturates, isUpper }, { d: toD, a: ofA, b: ofB, c: ofC })
}

function isFactor(name: string | undefined): name is FactorType {
  return name !== undefined && FACTORS.has(name)
}

function kindOf(type: FactorType): SumType {
  return type === 'f64' ? 'f64' : type === 's8' || type === 'u8' ? 's32' : 'f32'
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
