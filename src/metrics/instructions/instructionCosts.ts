/**
 * What the machine would make of IR instructions, roughly: how many it issues for each, and which of its waits each is.
 * In: one IR instruction. Out: a count and a class. An estimate (`modelled`): the machine compiler is not here.
 * Calibrated on `smsp__inst_executed.sum` of truth/h200 (docs/time-model.md).
 */
import { lookupOf } from '../../analysis/calls/lookups.ts'
import { isPause, isProgramBarrier } from '../../analysis/execution/splitBarriers.ts'
import { addressKey, decomposeLinear, valueNumbering } from '../../analysis/facts/address.ts'
import { type Division, isDivision } from '../../analysis/loops/warpSize.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { calledName, users } from '../../ir/graph.ts'
import type {
  BinaryInstruction,
  Block,
  Func,
  Instruction,
  LoadInstruction,
  TextureLookup,
  Type,
  Value,
} from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'
import { leftOutOfHalves } from './halfArithmetic.ts'
import { intrinsicFactor } from './integerIntrinsics.ts'
import { isFusedSum, joinedInstructions } from './joinedInstructions.ts'
import { isTakenAlong } from './latencies.ts'
import { libraryFactor } from './mathCosts.ts'
import { fragmentMoves, matrixCostOf } from './matrixCosts.ts'
import { predicatedChoices } from './predicatedChoices.ts'
import { type DividedBefore, repeatedWork } from './repeatedWork.ts'
import { wordPairs } from './wordPairs.ts'
import { wrappingIndices } from './wrappingIndices.ts'
import { isCounter, movesByConstant, ROUNDS, roundsTogether } from './writtenOutLoops.ts'

type Users = ReturnType<typeof users>

/** What an instruction makes the ones after it wait for. */
export type WaitClass = 'none' | 'arithmetic' | 'globalLoad' | 'lookup' | 'atomic' | 'sharedLoad' | 'barrier'

const bitsOf = (type: Type): number => (type.kind === 'int' || type.kind === 'float' ? type.bits : 32)
const isWide = (type: Type): boolean => bitsOf(type) > 32
const isConstant = (value: Value): boolean => value.kind !== 'instruction' && value.kind !== 'parameter'

/** Divisions by something unknown, 32 and 64 bits; by a constant it is a multiplication and a shift (cases/mathFunctions). */
const DIVISIONS = { sdiv: [24, 95], srem: [22, 89], udiv: [18, 79], urem: [17, 74] } as const
/** Of 64 bits, where both fit in 32, as numbers of elements and threads do: the machine looks and divides those (own: `copy_strided` of eppie). */
const SMALL_DIVISIONS = { sdiv: 28, srem: 26, udiv: 22, urem: 21 } as const
/** Of 32 bits, where the divisor has been inverted before, and by constants (machine code of 24 kernels). */
const FURTHER_DIVISIONS = { sdiv: 12, srem: 12, udiv: 8, urem: 8 } as const
const CONSTANT_DIVISIONS = { sdiv: 3, srem: 4, udiv: 3, urem: 4 } as const
/** What is left of a quotient that is there: a product, a difference. */
const REST_OF_QUOTIENT = 2
const WIDE_CONSTANT_DIVISION = 12
const FLOAT_DIVISION = 10
const DOUBLE_DIVISION = 16
const SQUARE_ROOT = 10
/** The sum of an index without sign, and the address that it makes. */
const WRAPPING_INDEX = 2
/** One lane is found and adds for all of its warp; a result is told to the others (cases/machineCompiler, globalUniform...). */
const ELECTION = 6
const ELECTION_WITH_RESULT = 12
const DOUBLE_SQUARE_ROOT = 18

function divisionCost(division: Division, before: DividedBefore | undefined): number {
  const { op, type, right: divisor, divides } = division
  if (isConstant(divisor) && !divides) return isWide(type) ? WIDE_CONSTANT_DIVISION : CONSTANT_DIVISIONS[op]
  if (!before && isWide(type) && isSmallDivision(division)) return SMALL_DIVISIONS[op]
  return unknownDivision(op, type, before)
}

function unknownDivision(op: Division['op'], type: Type, before: DividedBefore | undefined): number {
  if (before === 'divided') return REST_OF_QUOTIENT
  if (before === 'inverted' && !isWide(type)) return FURTHER_DIVISIONS[op]
  return DIVISIONS[op][isWide(type) ? 1 : 0]
}

/** Of 64 bits, of numbers that fit in 32. */
export const isSmallDivision = ({ left, right }: Division): boolean =>
  fitsInWord(right) && (fitsInWord(left) || (isTriedInTurn(right) && isLoaded(left)))

/** Numbers that are tried by one divisor after the other are small, or it would take too long (reading: `primeCount` of unseen28). */
const isTriedInTurn = (value: Value): boolean =>
  value.kind === 'instruction' &&
  value.op === 'phi' &&
  value.incoming.some(
    ({ value: next }) =>
      next.kind === 'instruction' && next.op === 'add' && next.left === value && next.right.kind === 'int',
  )

const isLoaded = (value: Value): boolean => value.kind === 'instruction' && value.op === 'load'

const WORD_DEPTH = 12

/**
 * Whether a number of 64 bits is made of words, by sums and by products with what does not come from memory: an index, not a hash.
 * @param open values whose own parts are being looked at: what a loop counts
 * @param isMultiplied a product stands between the value and what it is found for
 */
function fitsInWord(value: Value, open: readonly Value[] = [], isMultiplied = false): boolean {
  if (value.kind === 'int') return value.value >> 32n === 0n || value.value >> 31n === -1n
  if (value.kind === 'parameter') return true
  if (value.kind !== 'instruction' || open.length > WORD_DEPTH) return false
  if (open.includes(value)) return !isMultiplied
  const fits = (operand: Value) => fitsInWord(operand, [...open, value], isMultiplied)
  const fitsMultiplied = (operand: Value) => fitsInWord(operand, [...open, value], true)
  switch (value.op) {
    case 'zext':
    case 'sext':
      return true
    case 'add':
    case 'sub':
    case 'and':
    case 'or':
      return fits(value.left) && fits(value.right)
    case 'shl':
      return fitsMultiplied(value.left) && value.right.kind === 'int' && value.right.value < 16n
    case 'mul':
      return fitsMultiplied(value.left) && fitsMultiplied(value.right) && (isScale(value.left) || isScale(value.right))
    case 'lshr':
    case 'ashr':
    case 'udiv':
    case 'sdiv':
      return fits(value.left)
    case 'urem':
    case 'srem':
      return fits(value.right)
    case 'select':
      return fits(value.ifTrue) && fits(value.ifFalse)
    case 'phi':
      return value.incoming.every(({ value: each }) => fits(each))
    default:
      return false
  }
}

const isScale = (value: Value): boolean =>
  value.kind === 'int' || value.kind === 'parameter' || isSpecialRegister(value)

const isSpecialRegister = (value: Value): boolean =>
  value.kind === 'instruction' &&
  (((value.op === 'zext' || value.op === 'sext') && isScale(value.value)) ||
    (calledName(value)?.startsWith('llvm.nvvm.read.ptx.sreg') ?? false))

/** Names of intrinsics that cost nothing: the optimiser's notes, special registers that are read once, what operations do themselves. */
const freeCalls = /^llvm\.(assume|lifetime|dbg|experimental\.noalias|invariant|flush)/

/** The larger or smaller of two doubles, a comparison and choices (nvdisasm). */
const DOUBLE_EXTREME = 7
/**
 * The highest bit and the lowest one, of 32 bits and of 64: FLO tells the highest; the lowest of a word is that of the reversed word, of 64 bits
 * what a number and its negative have in common (nvdisasm of one call of each).
 */
const HIGHEST_BIT = [2, 6] as const
const LOWEST_BIT = [2, 9] as const

/** Of a printf of a whole warp; of one lane 6,900 (own: `latency.cu`). */
export const PRINT = 7300

export const isPrint = (instruction: Instruction): boolean => calledName(instruction) === 'vprintf'

function callCost(name: string, type: Type): number {
  if (freeCalls.test(name)) return 0
  if (name === 'vprintf') return PRINT
  if (isWide(type) && /^llvm\.(maxnum|minnum)/.test(name)) return DOUBLE_EXTREME
  if (name.startsWith('llvm.ctlz')) return HIGHEST_BIT[isWide(type) ? 1 : 0]
  if (name.startsWith('llvm.cttz')) return LOWEST_BIT[isWide(type) ? 1 : 0]
  if (name.startsWith('llvm.sqrt')) return isWide(type) ? DOUBLE_SQUARE_ROOT : SQUARE_ROOT
  return 1
}

const known = new WeakMap<KernelProgram, ReadonlyMap<Instruction, number>>()

/** Machine instructions that each IR instruction of a kernel but branches becomes, on average. */
export function issueCosts(program: KernelProgram): ReadonlyMap<Instruction, number> {
  let costs = known.get(program)
  if (!costs) known.set(program, (costs = costsOf(program)))
  return costs
}

function costsOf(program: KernelProgram): ReadonlyMap<Instruction, number> {
  const { kernel, loops, siteIds, sites } = program
  const costs = new Map<Instruction, number>()
  const usersOf = users(kernel)
  const inLoop = new Set<Block>()
  for (const { first, last } of loops) for (let at = first; at <= last; at++) inLoop.add(kernel.blocks[at]!)
  const onlyAddresses = addressArithmetic(kernel, usersOf)
  const leftOut = leftOutOfHalves(kernel)
  const moves = fragmentMoves(kernel)
  const { repeated, divisions } = repeatedWork(kernel)
  const { joined } = joinedInstructions(kernel, usersOf)
  const wrapping = wrappingIndices(program)
  const predicated = predicatedChoices(kernel, usersOf)
  const pairs = wordPairs(kernel, usersOf)
  for (const block of kernel.blocks) {
    const addresses = new Set<string>()
    const idOf = valueNumbering()
    for (const instruction of block.instructions) {
      const plain = isDivision(instruction)
        ? divisionCost(instruction, divisions.get(instruction))
        : 'divides' in instruction && instruction.divides
          ? unknownDivision(instruction.divides, instruction.type, divisions.get(instruction))
          : (matrixCostOf(instruction)?.instructions ?? plainCost(instruction))
      let cost = plain * libraryFactor(instruction.location?.library) * intrinsicFactor(instruction.location)
      if (lookupOf(instruction)) cost = 1
      else if (isPause(instruction) || moves.has(instruction) || instruction.carried) cost = 0
      else if (repeated.has(instruction) || joined.has(instruction) || leftOut.has(instruction)) cost = 0
      else if (predicated.has(instruction) || pairs.has(instruction)) cost = 0
      else if (siteIds.get(instruction)?.texture !== undefined) cost = 0
      // A multiplication and an addition are one instruction (IMAD, LEA).
      else if (isFusedSum(instruction, usersOf)) cost = isWide(instruction.type) && hasWord(instruction) ? 1 : 0
      else if (isFusedIndex(instruction, usersOf)) cost = 0
      else if (isFusedTest(instruction, usersOf) || isFusedExtension(instruction, usersOf)) cost = 0
      else if (isOperand(instruction, siteIds) || isModifier(instruction, usersOf)) cost = 0
      else if (instruction.op === 'atomicrmw' && sites[siteIds.get(instruction)?.global ?? -1]?.form === 'aggregated')
        cost += usersOf.get(instruction)?.length ? ELECTION_WITH_RESULT : ELECTION
      // In loops addresses are counted up, one addition each.
      else if (inLoop.has(block) && onlyAddresses.has(instruction)) cost = 0
      else if (wrapping.has(instruction)) cost = wrapping.get(instruction) ? WRAPPING_INDEX : 0
      else if (instruction.op === 'gep' && instruction.terms.length > 0) {
        // Addresses that differ by a constant differ by what the load or store has as an immediate.
        const key = addressKey(
          decomposeLinear(instruction, value => value),
          idOf,
        )
        cost = addresses.has(key) ? 0 : inLoop.has(block) ? 1 : cost
        addresses.add(key)
      }
      costs.set(instruction, cost)
    }
    for (const each of countingOfRounds(block, costs))
      if (!wrapping.has(each)) costs.set(each, (costs.get(each) ?? 0) / ROUNDS)
  }
  return costs
}

/** Of four rounds of pure arithmetic, instructions at most. */
const MOST_WRITTEN_OUT = 50

/**
 * What only counts the rounds of a loop that ptxas writes out, and addresses that move by a constant: once for the rounds that stand
 * together. Empty where none do.
 * @param costs of the block's instructions
 */
export function countingOfRounds(block: Block, costs: ReadonlyMap<Instruction, number>): readonly Instruction[] {
  const last = block.instructions.at(-1)
  if (last?.op !== 'condbr' || (last.ifTrue !== block) === (last.ifFalse !== block) || last.staysLoop) return []
  const { condition } = last
  if (condition.kind !== 'instruction' || condition.op !== 'icmp' || condition.block !== block) return []
  const size = block.instructions.reduce((sum, each) => sum + (costs.get(each) ?? 0), 0)
  if (block.instructions.every(isPure)) {
    const next = condition.left
    if (next.kind !== 'instruction' || next.op !== 'add' || next.block !== block) return []
    return ROUNDS * size <= MOST_WRITTEN_OUT ? [next, condition] : []
  }
  if (roundsTogether(block, size) === 1) return []
  const counting = block.instructions.filter(
    each =>
      (each.op === 'add' && isCounter(each, block)) ||
      (each.op === 'gep' && movesByConstant(each, inside => inside === block)),
  )
  return [...counting, condition]
}

const isPure = ({ op }: Instruction): boolean =>
  !['load', 'store', 'atomicrmw', 'cmpxchg', 'call', 'fdiv', 'frem'].includes(op)

const ARITHMETIC = new Set<Instruction['op']>(['fadd', 'fsub', 'fmul', 'fma', 'fcmp'])

/** Signs of floats are turned and left out by what uses them, and numbers rounded by what makes integers of them (F2I.FLOOR). */
function isModifier(instruction: Instruction, usersOf: Users): boolean {
  const readers = usersOf.get(instruction) ?? []
  const name = calledName(instruction) ?? ''
  if (instruction.op === 'fneg' || name.startsWith('llvm.fabs'))
    return readers.length > 0 && readers.every(({ op }) => ARITHMETIC.has(op))
  if (!/^llvm\.(floor|ceil|trunc|rint|nearbyint|roundeven)\b/.test(name)) return false
  return readers.length > 0 && readers.every(({ op }) => op === 'fptosi' || op === 'fptoui')
}

/** In the constant bank at a place that is known: an operand of the instruction that uses it. */
function isOperand(instruction: Instruction, siteIds: KernelProgram['siteIds']): boolean {
  if (instruction.op !== 'load' || siteIds.get(instruction)?.constant === undefined) return false
  return isConstantOperand(instruction)
}

/** At a place that is known: an operand of the instruction that uses it. Not where the address is found while the kernel runs. */
export function isConstantOperand({ pointer }: LoadInstruction): boolean {
  const { root, terms } = decomposeLinear(pointer, value => value)
  return root.kind !== 'instruction' && terms.length === 0
}

const isZero = (value: Value) => value.kind === 'zero' || (value.kind === 'int' && value.value === 0n)

/** A comparison takes another's predicate along, and a mask whose bits are asked for sets a predicate itself (ISETP, LOP3). */
function isFusedTest(instruction: Instruction, usersOf: Users): boolean {
  const readers = usersOf.get(instruction) ?? []
  const [reader] = readers
  if (instruction.op === 'and' && instruction.divides) return false
  if (instruction.op === 'and' && bitsOf(instruction.type) > 1)
    return readers.length === 1 && reader!.op === 'icmp' && /^(eq|ne)$/.test(reader!.predicate) && isZero(reader!.right)
  const joins = instruction.op === 'select' || instruction.op === 'and' || instruction.op === 'or'
  if (!joins || instruction.type.kind !== 'int' || instruction.type.bits !== 1) return false
  return operandsOf(instruction).some(
    value =>
      value.kind === 'instruction' && (value.op === 'icmp' || value.op === 'fcmp') && usersOf.get(value)?.length === 1,
  )
}

/** `y * width + x` as an index: LLVM adds both products to the pointer, the machine makes one index of them. */
function isFusedIndex(instruction: Instruction, usersOf: Users): boolean {
  if (instruction.op !== 'mul' && instruction.op !== 'shl') return false
  const readers = usersOf.get(instruction) ?? []
  const [reader] = readers
  if (readers.length !== 1 || reader!.op !== 'gep') return false
  const next = usersOf.get(reader!) ?? []
  return next.length === 1 && next[0]!.op === 'gep' && next[0]!.terms.length > 0
}

const isArithmetic = (instruction: Instruction) =>
  ['add', 'sub', 'mul', 'shl', 'or', 'sext', 'zext', 'trunc', 'freeze'].includes(instruction.op)

/** Integer arithmetic whose results end in addresses and nowhere else. */
function addressArithmetic(kernel: Func, usersOf: Users): Set<Instruction> {
  const found = new Set<Instruction>()
  const blocks = [...kernel.blocks].reverse()
  for (const block of blocks)
    for (const instruction of [...block.instructions].reverse()) {
      const readers = usersOf.get(instruction) ?? []
      if (!isArithmetic(instruction) || readers.length === 0) continue
      if (readers.every(user => user.op === 'gep' || found.has(user))) found.add(instruction)
    }
  return found
}

function plainCost(instruction: Instruction): number {
  switch (instruction.op) {
    case 'phi':
    case 'freeze':
    case 'bitcast':
    case 'ptrtoint':
    case 'inttoptr':
    case 'addrspacecast':
    case 'alloca':
    case 'unreachable':
    case 'br':
    case 'condbr':
    case 'extractvalue':
    case 'insertvalue':
    case 'extractelement':
    case 'insertelement':
    case 'shufflevector':
    case 'trunc':
      return 0
    case 'zext':
    case 'sext':
      return isWide(instruction.type) ? 1 : 0
    case 'fdiv':
      if (instruction.approximate) return instruction.approximate.instructions
      return isWide(instruction.type) ? DOUBLE_DIVISION : FLOAT_DIVISION
    case 'frem':
      return isWide(instruction.type) ? DOUBLE_DIVISION : FLOAT_DIVISION
    case 'gep':
      // Addresses are 64 bits on the machine: a wide multiply-add for each index.
      return instruction.terms.length
    case 'call':
      if (instruction.approximate) return instruction.approximate.instructions
      return instruction.callee.kind === 'function' ? callCost(instruction.callee.name, instruction.type) : 2
    case 'cmpxchg':
      return 2
    case 'store':
      // A copy past the registers is one instruction, its load.
      return instruction.copied ? 0 : 1
    case 'mul':
      return productCost(instruction)
    case 'and':
    case 'or':
    case 'xor':
    case 'shl':
    case 'lshr':
    case 'ashr':
      return halfCost(instruction) ?? plainWords(instruction)
    case 'add':
    case 'sub':
    case 'icmp':
    case 'select':
      return plainWords(instruction)
    default:
      return 1
  }
}

/**
 * Of words one (IMAD, IMAD.WIDE); of 64 bits one more for each upper half, and their sum (machine code of 13 kernels). Upper
 * halves of products of 64 bits are made of products of words (analysis/lowering/pairArithmetic.ts).
 */
function productCost(product: BinaryInstruction): number {
  if (!isWide(product.type) || isWideProduct(product)) return 1
  return hasEmptyHalf(product.left) || hasEmptyHalf(product.right) ? 3 : 4
}

/** Wide ones take an instruction a half. */
const plainWords = ({ type }: Instruction) => (isWide(type) ? 2 : 1)

/** Of 64 bits, from two of 32 (IMAD.WIDE). */
export const isWideProduct = ({ left, right }: BinaryInstruction): boolean =>
  (hasEmptyHalf(left) && hasEmptyHalf(right)) || (isSigned(left) && isSigned(right))

/** Of a product: IMAD.HI. */
const isUpperHalf = ({ left, right }: BinaryInstruction): boolean =>
  right.kind === 'int' && right.value >= BITS_OF_HALF && left.kind === 'instruction' && left.op === 'mul'

const isSigned = (value: Value): boolean =>
  value.kind === 'int'
    ? BigInt.asIntN(32, value.value) === value.value
    : value.kind === 'instruction' &&
      ((value.op === 'sext' && bitsOf(value.value.type) <= 32) || (value.op === 'ashr' && isUpperHalf(value)))

const isExtended = (value: Value): boolean =>
  value.kind === 'instruction' && (value.op === 'sext' || value.op === 'zext') && bitsOf(value.value.type) <= 32

/** Its operand goes into products of 64 bits as it is. */
const isFusedExtension = (instruction: Instruction, usersOf: Users): boolean =>
  isExtended(instruction) &&
  (usersOf.get(instruction) ?? []).every(user => user.op === 'mul' && isWideProduct(user as BinaryInstruction))

/** Logic and shifts of 64 bits whose upper half is empty, or is all that is asked for: one word, or only the choice of one. */
function halfCost(instruction: BinaryInstruction): number | undefined {
  if (!isWide(instruction.type)) return undefined
  const { op, left, right } = instruction
  if ((op === 'lshr' || op === 'ashr') && right.kind === 'int' && right.value === BITS_OF_HALF) return 0
  if (op === 'and' && right.kind === 'int' && BigInt.asUintN(64, right.value) === LOWER_HALF) return 0
  if (op === 'shl' || op === 'lshr' || op === 'ashr')
    return right.kind === 'int' && right.value >= BITS_OF_HALF ? 1 : undefined
  return hasEmptyHalf(left) || hasEmptyHalf(right) ? 1 : undefined
}

const BITS_OF_HALF = 32n
const LOWER_HALF = 0xffff_ffffn
const DEEPEST = 8

/** An operand that the machine has as one word: a wide product takes it along with another one, zero. */
const hasWord = (instruction: Instruction): boolean =>
  operandsOf(instruction).some(value => value.kind === 'instruction' && value.op !== 'mul' && hasEmptyHalf(value))

/** Less than 2^32. */
function hasEmptyHalf(value: Value, depth = 0): boolean {
  if (value.kind === 'int') return BigInt.asUintN(64, value.value) <= LOWER_HALF
  if (value.kind !== 'instruction' || depth > DEEPEST) return false
  switch (value.op) {
    case 'zext':
      return true
    case 'lshr':
      return value.right.kind === 'int' && value.right.value >= BITS_OF_HALF
    case 'and':
      return hasEmptyHalf(value.left, depth + 1) || hasEmptyHalf(value.right, depth + 1)
    case 'or':
    case 'xor':
      return hasEmptyHalf(value.left, depth + 1) && hasEmptyHalf(value.right, depth + 1)
    default:
      return false
  }
}

const isRead = (lookup: TextureLookup | undefined) => lookup !== undefined && lookup.kind !== 'surfaceStore'

/**
 * What the use of an instruction's result waits for: nothing, where no instruction does.
 * @param cost of it, from {@link issueCosts}
 */
export function waitClass(instruction: Instruction, program: KernelProgram, cost: number, isUsed: boolean): WaitClass {
  if (isProgramBarrier(instruction)) return 'barrier'
  if ((instruction.op === 'atomicrmw' || instruction.op === 'cmpxchg') && !isUsed) return 'none'
  switch (instruction.op) {
    case 'freeze':
      return isRead(lookupOf(instruction)) ? 'lookup' : 'none'
    case 'load':
    case 'atomicrmw':
    case 'cmpxchg': {
      if (instruction.op === 'load' && instruction.copiedTo) return 'none' // waited for later, if at all
      const sites = program.siteIds.get(instruction)
      if (!sites || cost === 0) return 'none' // a kernel parameter, another operand in the constant bank, a lookup's texel
      if (sites.global !== undefined || sites.local !== undefined)
        return instruction.op === 'load' ? 'globalLoad' : 'atomic'
      return 'sharedLoad'
    }
    default:
      return cost >= 1 || isTakenAlong(instruction) ? 'arithmetic' : 'none'
  }
}
