/**
 * The matrix instructions of a warp: which products there are, by the names under which include/mma.h and inline PTX call
 * them, and which lane holds which element. Layouts are those of the PTX ISA, "Matrix Fragments for mma.m16n8k16" and its
 * neighbours; how mma.h puts several of them into one fragment was read on an H200 (scripts/fidelity/cases/tensorCores.cu).
 * Fragments are in memory, at the addresses that the calls are given: words of 4 bytes, of 8 for double.
 */
import type { CallInstruction, Instruction, Value } from '../../ir/ir.ts'

export type FactorType = 'f16' | 'bf16' | 'tf32' | 'e4m3' | 'e5m2' | 's8' | 'u8' | 'f64'
export type SumType = 'f32' | 's32' | 'f64'

/** d = a x b + c. Rows are a multiple of 16 (8 for double), columns of 8. */
export interface MatrixProduct {
  readonly rows: number
  readonly columns: number
  /** Products a sum. */
  readonly depth: number
  readonly sum: SumType
  readonly a: FactorType
  readonly b: FactorType
}

/**
 * `product`: arguments d, a, b, c. `transpose`: arguments out, in: one word a lane, 8 x 8 elements of 16 bits, a row every
 * four lanes (PTX, movmatrix).
 */
export type MatrixCall = { readonly kind: 'product'; readonly product: MatrixProduct } | { readonly kind: 'transpose' }

export interface Element {
  readonly lane: number
  readonly word: number
  /** Of the elements in the word, the lowest first. */
  readonly part: number
}

const PRODUCT =
  /^__warplens_mma_(\d+)x(\d+)x(\d+)_(f32|s32|f64)_(f16|bf16|tf32|e4m3|e5m2|s8|u8|f64)_(f16|bf16|tf32|e4m3|e5m2|s8|u8|f64)$/
export const MATRIX_TRANSPOSE = '__warplens_matrix_transpose'

export function productName({ rows, columns, depth, sum, a, b }: MatrixProduct): string {
  return `__warplens_mma_${rows}x${columns}x${depth}_${sum}_${a}_${b}`
}

/** Undefined for other functions. */
export function matrixCallNamed(name: string): MatrixCall | undefined {
  if (name === MATRIX_TRANSPOSE) return { kind: 'transpose' }
  const match = PRODUCT.exec(name)
  if (!match) return undefined
  const [rows, columns, depth] = match.slice(1, 4).map(Number) as [number, number, number]
  const product = {
    rows,
    columns,
    depth,
    sum: match[4] as SumType,
    a: match[5] as FactorType,
    b: match[6] as FactorType,
  }
  return { kind: 'product', product }
}

export function matrixCallOf(instruction: Instruction): MatrixCall | undefined {
  return instruction.op === 'call' && instruction.callee.kind === 'function'
    ? matrixCallNamed(instruction.callee.name)
    : undefined
}

/** The fragments that a call reads or writes: pointers. */
export function fragmentsOf(call: CallInstruction): readonly Value[] {
  return call.args
}

export function wordBytes(call: MatrixCall): 4 | 8 {
  return call.kind === 'product' && call.product.sum === 'f64' ? 8 : 4
}

/** Elements of a factor in one word. */
export function elementsPerWord(type: FactorType): 1 | 2 | 4 {
  if (type === 'f16' || type === 'bf16') return 2
  return isSmallFloat(type) || type === 's8' || type === 'u8' ? 4 : 1
}

/** Floats of 8 bits: a product's factors may be one of each. */
export function isSmallFloat(type: FactorType): boolean {
  return type === 'e4m3' || type === 'e5m2'
}

/** Words of each lane. */
export function wordsOfA({ rows, depth, a }: MatrixProduct): number {
  return (rows * depth) / 32 / elementsPerWord(a)
}

export function wordsOfB({ columns, depth, b }: MatrixProduct): number {
  return (columns * depth) / 32 / elementsPerWord(b)
}

export function wordsOfSum({ rows, columns }: MatrixProduct): number {
  return (rows * columns) / 32
}

/** Where the element of a row and a step of depth is. */
export function elementOfA({ rows, depth, a }: MatrixProduct, row: number, k: number): Element {
  const perWord = elementsPerWord(a)
  const [inRow, part] = [Math.floor(k / perWord), k % perWord]
  const lane = (row % 8) * 4 + (inRow % 4)
  if (rows === 8) return { lane, word: Math.floor(inRow / 4), part }
  const wordsOfBlock = (2 * depth) / perWord / 4
  const block = Math.floor(row / 16)
  return { lane, word: block * wordsOfBlock + Math.floor(inRow / 4) * 2 + (Math.floor(row / 8) % 2), part }
}

/** Where the element of a step of depth and a column is. */
export function elementOfB({ depth, b }: MatrixProduct, k: number, column: number): Element {
  const perWord = elementsPerWord(b)
  const [inColumn, part] = [Math.floor(k / perWord), k % perWord]
  const wordsOfBlock = depth / perWord / 4
  const word = Math.floor(column / 8) * wordsOfBlock + Math.floor(inColumn / 4)
  return { lane: (column % 8) * 4 + (inColumn % 4), word, part }
}

/** Where a sum is. */
export function elementOfSum({ rows, columns }: MatrixProduct, row: number, column: number): Element {
  const lane = (row % 8) * 4 + Math.floor((column % 8) / 2)
  if (rows === 8) return { lane, word: column % 2, part: 0 }
  const block = Math.floor(row / 16) * (columns / 8) + Math.floor(column / 8)
  return { lane, word: block * 4 + (Math.floor(row / 8) % 2) * 2 + (column % 2), part: 0 }
}
