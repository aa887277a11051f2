/**
 * What the machine has for products of matrices: instructions, cycles of a partition's tensor core, how long the next one waits that needs
 * the sum; and fragments, which are registers there and variables here (analysis/lowering/interleaveFragments.ts). In: a kernel. Out: costs, and what
 * costs nothing.
 * Source: `tensorTimes.cu`, 60 launches read on an H100, and machine code of nvcc 13.0 for 9.0 (HMMA, IMMA, DMMA; floats of 8 bits
 * become halves first, F2FP, and what their HMMAs add up is added to the sum by FADD: on 8.9 only there is a QMMA).
 */
import { isInterleaved } from '../../analysis/lowering/interleaveFragments.ts'
import {
  isSmallFloat,
  type MatrixProduct,
  matrixCallOf,
  wordsOfA,
  wordsOfB,
  wordsOfSum,
} from '../../analysis/lowering/matrixKinds.ts'
import { users } from '../../ir/graph.ts'
import type { Func, Instruction, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'

export interface MatrixCost {
  /** Of the machine. */
  readonly instructions: number
  /** Of a partition's tensor core, all of them together, where several warps feed it. */
  readonly cycles: number
  /** From the first instruction's start until the sum can be used. */
  readonly latency: number
}

interface Kind {
  readonly cycles: number
  readonly latency: number
}

/** 16 x 8 sums, of 32 bytes of depth (HMMA.16816, HMMA.1688 of tf32, IMMA.16832), of 16; 8 x 8 sums of four products of doubles (DMMA.884). */
const WHOLE_DEPTH: Kind = { cycles: 7.2, latency: 28 }
const HALF_DEPTH: Kind = { cycles: 5, latency: 20 }
const DOUBLES: Kind = { cycles: 16.5, latency: 26 }
const WHOLE_DEPTH_BYTES = 32

/** Of an element as it is multiplied. */
const BYTES = { f16: 2, bf16: 2, tf32: 4, e4m3: 2, e5m2: 2, s8: 1, u8: 1, f64: 8 } as const

export function matrixCost(product: MatrixProduct): MatrixCost {
  const { rows, columns, depth, a } = product
  const isDouble = a === 'f64'
  const bytes = depth * BYTES[a]
  const kind = isDouble ? DOUBLES : bytes < WHOLE_DEPTH_BYTES ? HALF_DEPTH : WHOLE_DEPTH
  const deep = Math.max(1, bytes / WHOLE_DEPTH_BYTES)
  const instructions = (rows / (isDouble ? 8 : 16)) * (columns / 8) * deep
  const cycles = instructions * kind.cycles
  const latency = kind.latency + cycles - kind.cycles
  if (!isSmallFloat(a)) return { instructions, cycles, latency }
  const conversions = 2 * (wordsOfA(product) + wordsOfB(product))
  return { instructions: instructions + conversions + wordsOfSum(product), cycles, latency }
}

/** Of an instruction that is one; undefined for others. */
export function matrixCostOf(instruction: Instruction): MatrixCost | undefined {
  const call = matrixCallOf(instruction)
  return call?.kind === 'product' ? matrixCost(call.product) : undefined
}

/** How values get into fragments and out of them: words are put together, sums of half are of float here. */
const MOVES = new Set<Instruction['op']>([
  ...(['fpext', 'fptrunc', 'bitcast', 'zext', 'trunc', 'lshr', 'shl', 'or'] as const),
  ...(['extractelement', 'insertelement', 'gep'] as const),
])

/** Accesses of fragments, and moves of what is in them from and to nothing else: no instructions of the machine. */
export function fragmentMoves(kernel: Func): ReadonlySet<Instruction> {
  const found = new Set<Instruction>()
  const all = kernel.blocks.flatMap(({ instructions }) => instructions)
  for (const instruction of all)
    if ((instruction.op === 'load' || instruction.op === 'store') && isInterleaved(instruction.pointer))
      found.add(instruction)
  if (found.size === 0) return found
  const usersOf = users(kernel)
  const isFound = (value: Value) => value.kind === 'instruction' && found.has(value)
  for (const instruction of all)
    if (MOVES.has(instruction.op)) {
      const from = operandsOf(instruction).filter(({ kind }) => kind === 'instruction')
      if (from.length > 0 && from.every(isFound)) found.add(instruction)
    }
  for (const instruction of all.reverse()) {
    const to = usersOf.get(instruction) ?? []
    const isTarget = (user: Instruction) => found.has(user) || matrixCallOf(user) !== undefined
    if (MOVES.has(instruction.op) && to.length > 0 && to.every(isTarget)) found.add(instruction)
  }
  return found
}
