/**
 * Products of matrices whose elements the lanes of a warp hold. A word of a sum's fragment is, four lanes at a time, every other
 * column of half a row (analysis/lowering/matrixKinds.ts): so the sums are added up where they lie, and only the factors are moved.
 * They go to the slot first, a as numbers to be spread over a vector, b as vectors of every other column, step of depth by
 * step of depth; floats of 8 and 16 bits as singles, bytes as pairs of 16 bits. Results are the reference interpreter's, bit for
 * bit (reference/functions/matrix.ts).
 */
import {
  elementsPerWord,
  type FactorType,
  isSmallFloat,
  type MatrixProduct,
  wordsOfA,
  wordsOfB,
} from '../../analysis/lowering/matrixKinds.ts'
import { type Callable, type FunctionBuilder, I32, type ModuleBuilder, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import { transpose } from '../accesses/access.ts'
import { ADDRESSES, FACTOR_A, FACTOR_B } from '../slot.ts'
import type { Helpers } from './helpers.ts'
import { forEachLane } from './helpersMemory.ts'

const VECTOR = 16
/** Bytes of one word of all lanes: eight vectors. */
const WORD = 128
const GROUPS = 8
const HALF_TO_SINGLE = 0x7780_0000
const SMALL_TO_SINGLE = 0x7b80_0000
const SMALL_NAN = 0x7f << 20
const HALF_INFINITY = 0x7c00 << 13
const SINGLE_INFINITY = 0x7f80_0000
const SINGLE_NAN = 0x7fff_ffff
const DOUBLE_NAN = 0x7ff8_0000_0000_0000n
const ALL_LANES = 0xffff_ffff

/** (slot, d, a, b, c): the slot, then offsets of fragments whose words lie lane beside lane. */
export function buildMatrixProduct(module: ModuleBuilder, product: MatrixProduct, helpers: Helpers): Callable {
  const f = module.function([I32, I32, I32, I32, I32], [])
  const plan = planOf(product)
  if (product.sum !== 'f64') writeA(f, product, plan)
  writeB(f, product, plan)
  addUp(f, product, plan, helpers)
  return f
}

interface Plan {
  /** Steps of depth: one product of floats, two of bytes. */
  readonly steps: number
  /** Vectors of a row of sums. */
  readonly vectors: number
  /** Where a row of a's numbers starts behind the one before, and where in it a step's number is. */
  readonly rowBytes: number
  readonly stepAt: (step: number) => number
}

function planOf({ columns, depth, a, sum }: MatrixProduct): Plan {
  if (sum === 'f64') return { steps: depth, vectors: columns / 2, rowBytes: depth * 8, stepAt: step => step * 8 }
  const parts = partsOf(a)
  const steps = sum === 's32' ? depth / 2 : depth
  const stepAt = (step: number): number => {
    if (sum === 's32') return step * 4
    // The parts of words become vectors of their own, of four words each.
    const [vector, inVector] = [Math.floor(step / (4 * parts)), step % (4 * parts)]
    return (vector * parts + (inVector % parts)) * VECTOR + Math.floor(inVector / parts) * 4
  }
  return { steps, vectors: columns / 4, rowBytes: steps * 4, stepAt }
}

// ---------------------------------------------------------------- factors

/** Row j of each block of eight at a time. */
function writeA(f: FunctionBuilder, product: MatrixProduct, { rowBytes }: Plan): void {
  const [slot, , a] = [0, 1, 2]
  const [to, row, end] = [f.local(I32), f.local(I32), f.local(I32)]
  const word = f.local(V128)
  f.get(slot).set(to)
  f.get(a).tee(row).i32(WORD).op(Op.i32_add).set(end)
  const again = f.loop()
  const wordsOfBlock = wordsOfA(product) / (product.rows / 16)
  for (let index = 0; index < wordsOfA(product); index++) {
    const inBlock = index % wordsOfBlock
    const ofRow = (Math.floor(index / wordsOfBlock) * 16 + (inBlock & 1) * 8) * rowBytes
    const parts = partsOf(product.a)
    f.get(row)
      .memory(Op.v128_load, index * WORD)
      .set(word)
    for (let part = 0; part < parts; part++) {
      f.get(to)
      pushRowPart(f, product.a, word, part)
      f.memory(Op.v128_store, FACTOR_A + ofRow + ((inBlock >> 1) * parts + part) * VECTOR)
    }
  }
  f.get(to).i32(rowBytes).op(Op.i32_add).set(to)
  f.get(row).i32(VECTOR).op(Op.i32_add).tee(row).get(end).op(Op.i32_lt_u).brIf(again)
  f.end()
  f.release(I32, to, row, end)
  f.release(V128, word)
}

/** Vectors that come of one: four of 8-bit floats, two of 16-bit ones or of bytes. */
function partsOf(type: FactorType): 1 | 2 | 4 {
  return isSmallFloat(type) ? 4 : elementsPerWord(type) === 1 ? 1 : 2
}

/** Pushes a part of four words, as numbers of `stepAt`: every second or fourth float, or the pairs of two words of bytes. */
function pushRowPart(f: FunctionBuilder, type: FactorType, word: number, part: number): void {
  switch (type) {
    case 's8':
      f.get(word).op(part === 0 ? Op.i16x8_extend_low_i8x16_s : Op.i16x8_extend_high_i8x16_s)
      return
    case 'u8':
      f.get(word).op(part === 0 ? Op.i16x8_extend_low_i8x16_u : Op.i16x8_extend_high_i8x16_u)
      return
    default:
      pushWordPart(f, type, word, part)
  }
}

/** Pushes a part of each of four words: a single, or two numbers of 16 bits. */
function pushWordPart(f: FunctionBuilder, type: FactorType, word: number, part: number): void {
  const constant = (bits: number): FunctionBuilder => f.v128([bits | 0, bits | 0, bits | 0, bits | 0])
  /** A shorter float at the upper end of its word: sign, exponent and fraction to a single's places; `scale` moves the exponent, of denormal numbers too. */
  const single = (shift: number, mask: number, scale: number, special: number, becomes: number): void => {
    const moved = f.local(V128)
    f.i32(shift).op(Op.i32x4_shr_s)
    constant(mask).op(Op.v128_and).set(moved).get(moved)
    constant(scale).op(Op.f32x4_mul).get(moved)
    constant(special).op(Op.v128_and)
    constant(special).op(Op.i32x4_eq)
    constant(becomes).op(Op.v128_and).op(Op.v128_or)
    f.release(V128, moved)
  }
  switch (type) {
    case 'f16':
      f.get(word)
      if (part === 0) f.i32(16).op(Op.i32x4_shl)
      single(3, 0x8fff_e000, HALF_TO_SINGLE, HALF_INFINITY, SINGLE_INFINITY)
      return
    case 'e5m2':
    case 'e4m3':
      f.get(word)
      if (part < 3) f.i32(24 - 8 * part).op(Op.i32x4_shl)
      if (type === 'e5m2') single(3, 0x8fe0_0000, HALF_TO_SINGLE, HALF_INFINITY, SINGLE_INFINITY)
      else single(4, 0x87f0_0000, SMALL_TO_SINGLE, SMALL_NAN, SINGLE_NAN)
      return
    case 'bf16':
      f.get(word)
      if (part === 0) f.i32(16).op(Op.i32x4_shl)
      else constant(0xffff_0000).op(Op.v128_and)
      return
    case 'tf32':
      f.get(word)
      constant(0xffff_e000).op(Op.v128_and)
      return
    case 's8':
    case 'u8': {
      // Each byte to the upper half of its 16 bits.
      const bytes = [0, 4, 8, 12].flatMap(at => [0, at + 2 * part, 0, at + 2 * part + 1])
      f.get(word).get(word).shuffle(bytes).i32(8)
      f.op(type === 's8' ? Op.i16x8_shr_s : Op.i16x8_shr_u)
      return
    }
    case 'f64':
      f.get(word)
  }
}

function writeB(f: FunctionBuilder, product: MatrixProduct, plan: Plan): void {
  if (product.sum === 'f64') writeDoublesOfB(f, plan)
  else {
    const [slot, , , b] = [0, 1, 2, 3]
    const wordsOfBlock = wordsOfB(product) / (product.columns / 8)
    const parts = partsOf(product.b)
    const rows = f.many(V128, 4)
    const columns = f.many(V128, 4)
    for (let index = 0; index < wordsOfB(product); index++)
      for (const parity of [0, 1]) {
        const vector = Math.floor(index / wordsOfBlock) * 2 + parity
        rows.forEach((row, which) =>
          f
            .get(b)
            .memory(Op.v128_load, index * WORD + (2 * which + parity) * VECTOR)
            .set(row),
        )
        transpose(f, rows, columns)
        columns.forEach((column, inWord) => {
          for (let part = 0; part < parts; part++) {
            const step = ((index % wordsOfBlock) * 4 + inWord) * parts + part
            f.get(slot)
            pushWordPart(f, product.b, column, part)
            f.memory(Op.v128_store, FACTOR_B + (step * plan.vectors + vector) * VECTOR)
          }
        })
      }
    f.release(V128, ...rows, ...columns)
  }
}

/** A column's numbers lie together, two a vector. */
function writeDoublesOfB(f: FunctionBuilder, { steps, vectors }: Plan): void {
  const [slot, , , b] = [0, 1, 2, 3]
  const [left, right] = f.many(V128, 2)
  for (let vector = 0; vector < vectors; vector++)
    for (let step = 0; step < steps; step += 2) {
      const column = (vector >> 1) + (vector & 1) * 4
      f.get(b)
        .memory(Op.v128_load, (column * steps + step) * 8)
        .set(left)
      f.get(b)
        .memory(Op.v128_load, ((column + 2) * steps + step) * 8)
        .set(right)
      f.get(slot)
        .get(left)
        .get(right)
        .shuffle32(0, 1, 4, 5)
        .memory(Op.v128_store, FACTOR_B + (step * vectors + vector) * VECTOR)
      f.get(slot)
        .get(left)
        .get(right)
        .shuffle32(2, 3, 6, 7)
        .memory(Op.v128_store, FACTOR_B + ((step + 1) * vectors + vector) * VECTOR)
    }
  f.release(V128, left, right)
}

// ---------------------------------------------------------------- sums

/** Eight vectors of sums at a time stay in registers: so many that one is not waited for before the next. */
const SUMS_AT_ONCE = 8

function addUp(f: FunctionBuilder, product: MatrixProduct, plan: Plan, helpers: Helpers): void {
  const [slot, d, a, , c] = [0, 1, 2, 3, 4]
  const { steps, vectors, rowBytes, stepAt } = plan
  const isWide = product.sum === 'f64'
  const rows = rowsAtOnce(product.rows, SUMS_AT_ONCE / vectors)
  const sumRowBytes = isWide ? 2 * VECTOR : VECTOR
  const rounds = product.rows / rows.length
  const [from, into, ofA, end] = [f.local(I32), f.local(I32), f.local(I32), f.local(I32)]
  const sums = rows.map(() => f.many(V128, vectors))
  const columns = f.many(V128, vectors)
  const spread = f.local(V128)
  f.get(c)
    .tee(from)
    .i32(rounds * sumRowBytes)
    .op(Op.i32_add)
    .set(end)
  f.get(d).set(into)
  f.get(isWide ? a : slot).set(ofA)
  const again = f.loop()
  eachSum(product, rows, (row, vector, at) => f.get(from).memory(Op.v128_load, at).set(sums[row]![vector]!))
  for (let step = 0; step < steps; step++) {
    columns.forEach((column, vector) =>
      f
        .get(slot)
        .memory(Op.v128_load, FACTOR_B + (step * vectors + vector) * VECTOR)
        .set(column),
    )
    rows.forEach((row, which) => {
      const at = row * rowBytes + stepAt(step)
      if (isWide) f.get(ofA).memory(Op.v128_load64_splat, at).set(spread)
      else
        f.get(ofA)
          .memory(Op.v128_load32_splat, FACTOR_A + at)
          .set(spread)
      sums[which]!.forEach((sum, vector) => {
        f.get(spread).get(columns[vector]!)
        if (product.sum === 's32') f.op(Op.i32x4_dot_i16x8_s).get(sum).op(Op.i32x4_add).set(sum)
        else if ((product.a === 'f16' || isSmallFloat(product.a)) && helpers.multiplyAdd === 'emulated')
          // The product of two halves, or of shorter floats, is exact.
          f.op(Op.f32x4_mul).get(sum).op(Op.f32x4_add).set(sum)
        else {
          f.get(sum)
          helpers.pushMultiplyAdd(f, isWide)
          f.set(sum)
        }
      })
    })
  }
  eachSum(product, rows, (row, vector, at) => {
    const sum = sums[row]![vector]!
    f.get(into).get(sum)
    if (product.sum !== 's32') pushCanonicalNaN(f, sum, isWide)
    f.memory(Op.v128_store, at)
  })
  f.get(into).i32(sumRowBytes).op(Op.i32_add).set(into)
  f.get(ofA).i32(rowBytes).op(Op.i32_add).set(ofA)
  f.get(from).i32(sumRowBytes).op(Op.i32_add).tee(from).get(end).op(Op.i32_lt_u).brIf(again)
  f.end()
}

/** Distances from a round's first row: the same row of other blocks of eight first. */
function rowsAtOnce(rows: number, wanted: number): readonly number[] {
  const found: number[] = []
  for (let start = 0; found.length < wanted; start += 4)
    for (let row = start; row < rows && found.length < wanted; row += 8) found.push(row)
  return found
}

/** Where each sum of a round lies, from its first row's. */
function eachSum(
  { columns, sum }: MatrixProduct,
  rows: readonly number[],
  body: (row: number, vector: number, at: number) => void,
): void {
  rows.forEach((row, which) => {
    if (sum === 'f64') {
      for (let vector = 0; vector < columns / 2; vector++)
        body(which, vector, (vector >> 1) * 2 * WORD + row * 2 * VECTOR + (vector & 1) * VECTOR)
      return
    }
    for (let vector = 0; vector < columns / 4; vector++) {
      const block = Math.floor(row / 16) * (columns / 8) + (vector >> 1)
      const word = block * 4 + (Math.floor(row / 8) % 2) * 2 + (vector & 1)
      body(which, vector, word * WORD + (row % 8) * VECTOR)
    }
  })
}

/** With a vector on the stack that is in a local too: the machine's NaN for any other (nan.ts). */
function pushCanonicalNaN(f: FunctionBuilder, sum: number, isWide: boolean): void {
  if (isWide) f.v128x64(DOUBLE_NAN, DOUBLE_NAN)
  else f.v128([SINGLE_NAN, SINGLE_NAN, SINGLE_NAN, SINGLE_NAN])
  f.get(sum)
    .get(sum)
    .op(isWide ? Op.f64x2_eq : Op.f32x4_eq)
    .op(Op.v128_bitselect)
}

// ---------------------------------------------------------------- moving

/** (out, in): 8 x 8 elements of 16 bits change rows and columns. */
export function buildMatrixTranspose(module: ModuleBuilder): Callable {
  const f = module.function([I32, I32], [])
  let rows = f.many(V128, GROUPS)
  rows.forEach((row, index) =>
    f
      .get(1)
      .memory(Op.v128_load, index * VECTOR)
      .set(row),
  )
  // Three times: elements of rows four apart side by side.
  for (let round = 0; round < 3; round++) {
    const next = f.many(V128, GROUPS)
    for (let pair = 0; pair < GROUPS / 2; pair++)
      for (const upper of [0, 1]) {
        const bytes = [0, 1, 2, 3].flatMap(element => {
          const at = 2 * (element + 4 * upper)
          return [at, at + 1, 16 + at, 16 + at + 1]
        })
        f.get(rows[pair]!)
          .get(rows[pair + 4]!)
          .shuffle(bytes)
          .set(next[2 * pair + upper]!)
      }
    f.release(V128, ...rows)
    rows = next
  }
  rows.forEach((row, index) =>
    f
      .get(0)
      .get(row)
      .memory(Op.v128_store, index * VECTOR),
  )
  return f
}

/** Words of 4 or 8 bytes, so many of each lane; `isLoad`: from the lanes to the fragment. */
export interface WordMove {
  readonly bytes: 4 | 8
  readonly count: number
  readonly isLoad: boolean
}

/** (slot, fragment): lanes' addresses are in the slot. */
export function buildMoveWords(module: ModuleBuilder, { bytes, count, isLoad }: WordMove): Callable {
  const f = module.function([I32, I32], [])
  const [slot, fragment] = [0, 1]
  const [own, together, all] = [f.local(I32), f.local(I32), f.local(I32)]
  f.i32(ALL_LANES | 0).set(all)
  forEachLane(f, slot, all, (wordAt, lane) => {
    f.get(wordAt).memory(Op.i32_load, ADDRESSES).set(own)
    f.get(lane).i32(bytes).op(Op.i32_mul).get(fragment).op(Op.i32_add).set(together)
    for (let word = 0; word < count; word++) {
      const [apart, beside] = [word * bytes, word * bytes * 32]
      f.get(isLoad ? together : own)
      f.get(isLoad ? own : together).memory(bytes === 8 ? Op.i64_load : Op.i32_load, isLoad ? apart : beside)
      f.memory(bytes === 8 ? Op.i64_store : Op.i32_store, isLoad ? beside : apart)
    }
  })
  return f
}
