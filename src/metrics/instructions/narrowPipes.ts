/**
 * Instructions of a kernel for the pipes that are narrower than a warp is wide. In: a prepared kernel and how often its blocks ran. Out:
 * warp instructions by pipe. Modelled: which pipe takes what is from machine code of ptxas 13.0 for 9.0 (nvdisasm), their rates from the
 * CUDA C++ Programming Guide ("Throughput of Native Arithmetic Instructions") and own: `pipes.cu`.
 */
import { approximationOf } from '../../analysis/facts/machineBranches.ts'
import { isDivision } from '../../analysis/loops/warpSize.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { isOne } from '../../ir/floats.ts'
import { calledName, users } from '../../ir/graph.ts'
import type { GepInstruction, Instruction, Type } from '../../ir/ir.ts'
import { bitsOf } from '../../ir/types.ts'
import { innermost, isIn } from '../time/longestWarp.ts'
import { allIssued, type PartsIssued, partsOfCalls } from './callWays.ts'
import { floatsOf, lengthOf, precisionOf, scalarOf } from './floatArithmetic.ts'
import { isSmallDivision, issueCosts, isWideProduct } from './instructionCosts.ts'
import { intrinsicFactor } from './integerIntrinsics.ts'
import { joinedInstructions } from './joinedInstructions.ts'
import { libraryFactor, machineCall } from './mathCosts.ts'
import { matrixCostOf } from './matrixCosts.ts'
import { type DividedBefore, repeatedWork } from './repeatedWork.ts'
import { wrappingIndices } from './wrappingIndices.ts'
import { movesByConstant } from './writtenOutLoops.ts'

/** Warp instructions of each pipe; `multiplies` in what a product of 32 bits takes, 64 bits and upper halves are two. */
export interface NarrowPipes {
  /** Logic, comparisons, choices. */
  readonly integers: number
  /** Products of integers: in one of the two pipes of multiply-adds. */
  readonly multiplies: number
  /** Of these, instructions with a result of 64 bits (IMAD.WIDE). */
  readonly wides: number
  /** Sums of two and shifts to the left, of which ptxas makes either. */
  readonly sums: number
  readonly doubles: number
  readonly specials: number
  /** Cycles of a partition's tensor core, of an H200. */
  readonly tensor: number
  /** Cycles of the pipe to shared memory, by which lanes tell each other numbers. */
  readonly exchanges: number
}

type Pipes = { -readonly [pipe in keyof NarrowPipes]: number }

const none = (): Pipes => ({
  integers: 0,
  multiplies: 0,
  wides: 0,
  sums: 0,
  doubles: 0,
  specials: 0,
  tensor: 0,
  exchanges: 0,
})

const known = new WeakMap<KernelProgram, readonly NarrowPipes[]>()

/** @param warps how often warps ran each block of `program.kernel`, in order */
export function narrowPipes(program: KernelProgram, warps: readonly number[]): NarrowPipes {
  const sum = none()
  blockPipes(program, partsOfCalls(program, warps)).forEach((pipes, index) => {
    for (const pipe of Object.keys(sum) as (keyof Pipes)[]) sum[pipe] += (warps[index] ?? 0) * pipes[pipe]
  })
  return sum
}

/** Of one execution of each block of `program.kernel` by one warp, in order. @param parts of calls that are issued, as `partsOfCalls` has them */
export function blockPipes(program: KernelProgram, parts: PartsIssued = allIssued): readonly NarrowPipes[] {
  if (parts.size > 0) return pipesOfBlocks(program, parts)
  let blocks = known.get(program)
  if (!blocks) known.set(program, (blocks = pipesOfBlocks(program, allIssued)))
  return blocks
}

function pipesOfBlocks(program: KernelProgram, parts: PartsIssued): NarrowPipes[] {
  const { kernel } = program
  const costs = issueCosts(program)
  const { divisions } = repeatedWork(kernel)
  const { joining } = joinedInstructions(kernel, users(kernel))
  const productsOf = productCounter(program)
  return kernel.blocks.map(block => {
    const pipes = none()
    const partsHere = parts.get(block)
    for (const instruction of block.instructions) {
      const part = (instruction.location && partsHere?.get(instruction.location)) ?? 1
      const cost = part * (costs.get(instruction) ?? 0)
      pipes.tensor += matrixCostOf(instruction)?.cycles ?? 0
      pipes.exchanges += exchangeCycles(instruction)
      const before = divisions.get(instruction)
      const call = machineCall(instruction.location?.library)
      const times = part * lengthOf(instruction.type) * libraryFactor(instruction.location?.library)
      const { dadd = 0, dmul = 0, dfma = 0 } = floatsOf(instruction)
      pipes.doubles += call?.isDouble
        ? (call.doubles * cost) / call.instructions
        : times * (dadd + dmul + dfma + (isComparisonOfDoubles(instruction) ? 1 : 0))
      pipes.specials += (call ? 1 : times) * specialsOf(instruction, cost, before)
      const products = productsOf(instruction, cost, before)
      pipes.multiplies += products
      pipes.wides += widesOf(instruction, products)
      const division = cost > 0 ? unknownDivision(instruction) : undefined
      if (division) {
        pipes.integers += LOGIC_OF_DIVISIONS[division][before ? 1 : 0]
        pipes.sums += before ? 0 : SUMS_OF_DIVISIONS[division]
      } else if (isIntegerOnly(instruction) || joining.has(instruction)) pipes.integers += cost
      else if (isSum(instruction)) pipes.sums += cost
    }
    return pipes
  })
}

/**
 * Instructions of the special function unit: MUFU, FCHK, conversions to integers, from and to 64 bits, and those in the division of
 * integers. What nvdisasm shows for one division or root, ordinary arguments.
 * @param cost machine instructions, from `issueCosts`; of a function of mathematics their part of the whole call counts
 */
function specialsOf(instruction: Instruction, cost: number, before: DividedBefore | undefined): number {
  const call = machineCall(instruction.location?.library)
  if (call) return (call.specials * cost) / call.instructions
  if ('divides' in instruction && instruction.divides) return before ? 0 : 3
  if (isDivision(instruction)) return instruction.right.kind === 'int' || before || cost === 0 ? 0 : 3
  const approximate = approximationOf(instruction)
  if (approximate) return approximate.specials
  const precision = precisionOf(instruction.type)
  switch (instruction.op) {
    case 'fdiv':
      // Of singles a constant's inverse is one itself.
      return precision === 0 && !isOne(instruction.left) && instruction.right.kind !== 'float' ? 2 : 1
    case 'call':
      return specialsOfCall(calledName(instruction) ?? '', cost)
    case 'fptosi':
    case 'fptoui':
      return 1
    case 'fpext':
    case 'fptrunc':
    case 'sitofp':
    case 'uitofp':
      return isWide(instruction.type) || isWide(instruction.value.type) ? 1 : 0
    default:
      return 0
  }
}

/**
 * Bits, roots, approximations of inline assembly, numbers rounded to whole ones (FRND). The lowest bit of a word is the highest one of the reversed
 * word; not so of 64 bits.
 * @param cost none where a conversion to integers behind it rounds
 */
function specialsOfCall(name: string, cost: number): number {
  if (/^llvm\.cttz/.test(name)) return name.endsWith('.i64') ? 1 : 2
  if (/^llvm\.(floor|ceil|trunc|rint|nearbyint|roundeven)\b/.test(name)) return cost > 0 ? 1 : 0
  if (/^asm:(ex2|lg2|rcp|rsqrt|sqrt|sin|cos|tanh)\.approx/.test(name)) return 1
  return /^llvm\.(sqrt|ctpop|ctlz|bitreverse)/.test(name) ? 1 : 0
}

/** Cycles of a multiprocessor for a warp's shuffle, its sums and matches (own: `warpPipes.cu`; a match of any lane's takes two a number that there is). */
const SHUFFLE = 1
const REDUCTION = 2
const MATCH_ALL = 2
const MATCH_ANY = 26

function exchangeCycles(instruction: Instruction): number {
  const name = calledName(instruction) ?? ''
  if (!/^llvm\.nvvm\./.test(name)) return 0
  if (/\.shfl\./.test(name)) return SHUFFLE
  if (/\.redux\./.test(name)) return REDUCTION
  return /\.match\.any/.test(name) ? MATCH_ANY : /\.match\.all/.test(name) ? MATCH_ALL : 0
}

const isWide = (type: Type): boolean => bitsOf(scalarOf(type)) === 64

const isComparisonOfDoubles = (instruction: Instruction): boolean =>
  instruction.op === 'fcmp' && isWide(instruction.left.type)

/** What has no place in the pipes of multiply-adds. */
const integerOnly = new Set<Instruction['op']>(['and', 'or', 'xor', 'lshr', 'ashr', 'icmp', 'select'])

function isIntegerOnly(instruction: Instruction): boolean {
  if (instruction.op === 'sitofp' || instruction.op === 'uitofp')
    return !isWide(instruction.type) && !isWide(instruction.value.type)
  if (instruction.op === 'fcmp') return !isComparisonOfDoubles(instruction)
  if (instruction.op === 'shl') return instruction.right.kind !== 'int'
  if (instruction.op !== 'call') return integerOnly.has(instruction.op)
  return /^llvm\.(([su]|f)?(min|max)|fsh[lr]|nvvm\.vote)/.test(calledName(instruction) ?? '')
}

const isSum = ({ op }: Instruction): boolean => op === 'add' || op === 'sub' || op === 'shl'

/** In products of 32 bits: of 64 from 32, of 64; an address from an index. */
const WIDE = 2
const PRODUCT_OF_64 = 4
const INDEXED = 2
/** Of a division by something unknown, by what has been inverted before, by a constant; of 64 bits by something unknown, a constant. */
const DIVISIONS = { s: [6, 5], u: [6.5, 4] } as const
/** What else these have: comparisons, absolute values; sums and moves (machine code of loops with four of each kind). */
const LOGIC_OF_DIVISIONS = { s: [11, 5], u: [7.5, 4] } as const
const SUMS_OF_DIVISIONS = { s: 5, u: 1.5 } as const
const CONSTANT_DIVISIONS = { div: 2, rem: 3 } as const
const WIDE_DIVISION = 40
const WIDE_CONSTANT_DIVISIONS = { div: 9, rem: 12 } as const

/** Of words by something unknown, with a sign or without. */
function unknownDivision(instruction: Instruction): 's' | 'u' | undefined {
  if ('divides' in instruction && instruction.divides) return signOf(instruction.divides)
  if (!isDivision(instruction) || instruction.right.kind === 'int') return undefined
  return isWide(instruction.type) && !isSmallDivision(instruction) ? undefined : signOf(instruction.op)
}

const signOf = (op: string) => (op.startsWith('s') ? 's' : 'u')

/**
 * Slots of a partition in which no more is issued, nor handed to the memory pipe, for a product with a result of 64 bits. Own: 8 loads out of L1
 * a round beside 0 to 40 multiply-adds, with their pointers moved by IMAD.WIDE and by IADD3, and 2 to 12 wide products (4 % off).
 */
export const SLOTS_A_WIDE_PRODUCT = 1.2

/** Instructions with a result of 64 bits among the products that an instruction takes. */
function widesOf(instruction: Instruction, products: number): number {
  if (products === 0) return 0
  return instruction.op === 'gep' || (instruction.op === 'mul' && isWide(instruction.type)) ? 1 : 0
}

/** @returns how many products an instruction takes */
function productCounter(program: KernelProgram) {
  const { kernel, siteIds } = program
  const usersOf = users(kernel)
  const wrapping = wrappingIndices(program)
  const loopOf = new Map(kernel.blocks.map((block, at) => [block, innermost(program, { first: at })]))
  const numberOf = new Map(kernel.blocks.map((block, at) => [block, at]))
  /** A place that is found anew in each round, or moves by a number that only the running kernel knows. */
  const isProduct = (address: GepInstruction): boolean => {
    const loop = loopOf.get(address.block)
    if (wrapping.has(address) || !loop) return true
    return !movesByConstant(address, block => isIn({ first: numberOf.get(block)! }, loop))
  }
  const isInGlobalMemory = (pointer: Instruction): boolean =>
    (usersOf.get(pointer) ?? []).some(user => siteIds.get(user)?.global !== undefined)
  return (instruction: Instruction, cost: number, before: DividedBefore | undefined): number => {
    if (cost === 0 || instruction.location?.library || intrinsicFactor(instruction.location) < 1) return 0
    if (instruction.op === 'gep') {
      return isInGlobalMemory(instruction) && isProduct(instruction) ? INDEXED : 0
    }
    if ('divides' in instruction && instruction.divides)
      return before === 'divided' ? 1 : DIVISIONS[signOf(instruction.divides)][before ? 1 : 0]
    if (isDivision(instruction)) {
      const { op, type, right } = instruction
      const kind = op.endsWith('div') ? 'div' : 'rem'
      if (right.kind === 'int') return (isWide(type) ? WIDE_CONSTANT_DIVISIONS : CONSTANT_DIVISIONS)[kind]
      if (before === 'divided') return 1
      return isWide(type) && !isSmallDivision(instruction) ? WIDE_DIVISION : DIVISIONS[signOf(op)][before ? 1 : 0]
    }
    if (instruction.op === 'mul')
      return isWide(instruction.type) ? (isWideProduct(instruction) ? WIDE : PRODUCT_OF_64) : 1
    return /\.mulhi\.u?i$/.test(calledName(instruction) ?? '') ? WIDE : 0
  }
}
