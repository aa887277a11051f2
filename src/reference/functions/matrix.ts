/**
 * Matrix instructions: what they compute, from the words in the lanes' fragments (analysis/lowering/matrixKinds.ts).
 * Products of 8-bit and 16-bit floats and of tf32 are added to a float one after the other, step of depth by step of depth, each with
 * one rounding; the machine adds several at once and truncates, which a program may not rely on (PTX ISA, mma, "Semantics").
 * Integers wrap; double rounds once a product.
 */
import { isInterleaved } from '../../analysis/lowering/interleaveFragments.ts'
import {
  type Element,
  elementOfA,
  elementOfB,
  elementOfSum,
  elementsPerWord,
  type FactorType,
  type MatrixCall,
  type MatrixProduct,
  matrixCallOf,
  wordBytes,
} from '../../analysis/lowering/matrixKinds.ts'
import type { CallInstruction } from '../../ir/ir.ts'
import { SPACE } from '../../ir/types.ts'
import { BFLOAT, DOUBLE, fma32, fmaExact, HALF, SINGLE } from '../arithmetic/float.ts'
import { type Bits, fromFloat, toBigInt, toFloat, toNumber } from '../arithmetic/values.ts'
import { locate } from '../machine/memory.ts'
import { type Lanes, laneFault, type WarpState } from '../machine/state.ts'
import type { Intrinsic } from './intrinsic.ts'

export function matrixIntrinsic(call: CallInstruction): Intrinsic | undefined {
  const matrix = matrixCallOf(call)
  if (!matrix) return undefined
  const together = call.args.map(pointer => isInterleaved(pointer))
  return {
    kind: 'fragments',
    run(warp, lanes, args) {
      requireAllLanes(warp, lanes, call)
      const fragments = call.args.map(
        (_, position) => new Fragment(warp, call, matrix, args, position, together[position]!),
      )
      if (matrix.kind === 'transpose') transpose(fragments)
      else multiply(matrix.product, fragments)
    },
  }
}

/** The warp's lanes must execute the instruction together (PTX ISA, mma.sync): anything else has no meaning. */
function requireAllLanes(warp: WarpState, lanes: Lanes, { location }: CallInstruction): void {
  if (lanes.length === 32) return
  throw laneFault(
    warp,
    lanes[0]!,
    'illegal-instruction',
    `a matrix instruction is executed by ${lanes.length} threads of a warp; it needs all 32 together`,
    { location },
  )
}

/** One operand: the words of all lanes, in memory. */
class Fragment {
  readonly #warp: WarpState
  readonly #call: CallInstruction
  readonly #bytes: 4 | 8
  readonly #pointers: readonly number[]
  readonly #stride: number

  constructor(
    warp: WarpState,
    call: CallInstruction,
    matrix: MatrixCall,
    args: readonly (readonly Bits[])[],
    position: number,
    isTogether: boolean,
  ) {
    this.#warp = warp
    this.#call = call
    this.#bytes = wordBytes(matrix)
    this.#pointers = args.map(own => toNumber(own[position]!))
    this.#stride = isTogether ? this.#bytes * 32 : this.#bytes
  }

  #place(lane: number, word: number) {
    const { location } = this.#call
    const bytes = this.#bytes
    const pointer = this.#pointers[lane]! + word * this.#stride
    return locate(this.#warp, lane, SPACE.generic, pointer >>> 0, { verb: 'load', bytes, align: bytes, location })
      .offset
  }

  word(lane: number, word: number): Bits {
    const at = this.#place(lane, word)
    const { bytes } = this.#warp.launch.memory
    return this.#bytes === 8 ? bytes.getBigUint64(at, true) : bytes.getUint32(at, true)
  }

  setWord(lane: number, word: number, value: Bits): void {
    const at = this.#place(lane, word)
    const { bytes } = this.#warp.launch.memory
    if (this.#bytes === 8) bytes.setBigUint64(at, toBigInt(value), true)
    else bytes.setUint32(at, toNumber(value), true)
  }
}

function transpose([out, from]: readonly Fragment[]): void {
  const words = Array.from({ length: 32 }, (_, lane) => toNumber(from!.word(lane, 0)))
  const element = (row: number, column: number): number =>
    (words[row * 4 + (column >> 1)]! >>> (16 * (column & 1))) & 0xffff
  for (let lane = 0; lane < 32; lane++) {
    const [row, column] = [lane >> 2, (lane & 3) * 2]
    out!.setWord(lane, 0, (element(column, row) | (element(column + 1, row) << 16)) >>> 0)
  }
}

function multiply(product: MatrixProduct, [d, a, b, c]: readonly Fragment[]): void {
  const { rows, columns, depth, sum } = product
  const factorsA = table(rows, depth, (row, k) => readFactor(product.a, a!, elementOfA(product, row, k)))
  const factorsB = table(depth, columns, (k, column) => readFactor(product.b, b!, elementOfB(product, k, column)))
  const results = table(rows, columns, (row, column) => {
    const { lane, word } = elementOfSum(product, row, column)
    let total = readSum(sum, c!.word(lane, word))
    for (let k = 0; k < depth; k++) total = addProduct(sum, factorsA[row]![k]!, factorsB[k]![column]!, total)
    return total
  })
  results.forEach((ofRow, row) =>
    ofRow.forEach((total, column) => {
      const { lane, word } = elementOfSum(product, row, column)
      d!.setWord(lane, word, sum === 's32' ? total >>> 0 : fromFloat(total, sum === 'f64' ? DOUBLE : SINGLE))
    }),
  )
}

function table(rows: number, columns: number, entry: (row: number, column: number) => number): number[][] {
  return Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => entry(row, column)))
}

function readFactor(type: FactorType, fragment: Fragment, { lane, word, part }: Element): number {
  const bits = fragment.word(lane, word)
  if (type === 'f64') return toFloat(bits, DOUBLE)
  const perWord = elementsPerWord(type)
  const width = 32 / perWord
  const own = perWord === 1 ? toNumber(bits) : (toNumber(bits) >>> (part * width)) & (2 ** width - 1)
  switch (type) {
    case 'f16':
      return toFloat(own, HALF)
    case 'bf16':
      return toFloat(own, BFLOAT)
    case 'tf32':
      return toFloat((own & 0xffff_e000) >>> 0, SINGLE)
    case 'e4m3':
      return smallFloat(own)
    case 'e5m2':
      // The upper half of a half.
      return toFloat(own << 8, HALF)
    case 's8':
      return (own << 24) >> 24
    case 'u8':
      return own
  }
}

/** Sign, four bits of exponent, three of fraction; no infinities, and of each sign one NaN (PTX ISA, "Alternate Floating-Point Data Formats"). */
function smallFloat(bits: number): number {
  const magnitude = bits & 0x7f
  if (magnitude === 0x7f) return Number.NaN
  const [exponent, fraction] = [magnitude >> 3, magnitude & 7]
  const value = exponent === 0 ? fraction * 2 ** -9 : (8 + fraction) * 2 ** (exponent - 10)
  return bits > 0x7f ? -value : value
}

function readSum(type: MatrixProduct['sum'], bits: Bits): number {
  return type === 's32' ? toNumber(bits) | 0 : toFloat(bits, type === 'f64' ? DOUBLE : SINGLE)
}

function addProduct(type: MatrixProduct['sum'], a: number, b: number, total: number): number {
  if (type === 's32') return (Math.imul(a, b) + total) | 0
  return type === 'f64' ? fmaExact(a, b, total, DOUBLE) : fma32(a, b, total)
}
