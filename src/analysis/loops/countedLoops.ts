/**
 * The loops that ptxas counts, and which of them it writes out (unrollLoops.ts). In: a kernel. Out: its loops of one block that count to a bound by
 * a constant step, and whether they are short enough.
 */
import { successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Func, Instruction, IntPredicate, PhiInstruction, Value } from '../../ir/ir.ts'
import { isUnsigned } from '../branches/branchStores.ts'
import { type Address, decompose, decomposeLinear } from '../facts/address.ts'
import { isApproximate } from '../facts/machineBranches.ts'
import { machineSize } from '../facts/machineSize.ts'
import { mayWrite } from '../facts/memoryEffects.ts'
import { isAccess } from '../facts/places.ts'
import { isSharedArray } from '../facts/sharedPlaces.ts'
import { isWarpUniform } from '../facts/warpUniform.ts'
import { phisOf } from '../rewriting/blocks.ts'

const WORD_BITS = 32

/** Suffix of the block in front of a loop that does its last round. */
export const LAST_ROUND = '.left1'

interface Limits {
  /** Longer bodies stay (machineSize.ts). */
  readonly size: number
  /** How far from it an estimate may be. */
  readonly unsure: number
  /** And so do those with more loads and stores. */
  readonly accesses: number
}

const LOADING: Limits = { size: 50, unsure: 8, accesses: Number.POSITIVE_INFINITY }
/** Machine code of 62 loops with one to four stores a round, of constants, loads and sums. */
const STORING: Limits = { size: 20, unsure: 2, accesses: 8 }
const COPYING: Limits = { size: 40, unsure: 3, accesses: 22 }

function limitsOf({ instructions }: Block): Limits {
  const has = (op: Instruction['op']) => instructions.some(each => each.op === op)
  if (!has('store')) return LOADING
  return has('load') ? COPYING : STORING
}

/** Whether it is so short that ptxas writes it out; `room`: how much longer than that it may be. */
function isShort(block: Block, isSigned: boolean, room = 0): boolean {
  const { size, accesses } = limitsOf(block)
  const count = block.instructions.filter(({ op }) => op === 'load' || op === 'store').length
  return count <= accesses && machineSize(block, isSigned) <= size + room
}

export interface CountedLoop {
  readonly block: Block
  readonly entry: Block
  readonly exit: Block
  readonly phis: readonly PhiInstruction[]
  readonly counter: PhiInstruction
  readonly bound: Value
  /** What is to be added to the bound, which is then no constant: of what the round's counter is compared with, not the next one's. */
  readonly beyond: bigint
  readonly step: bigint
  readonly predicate: IntPredicate
  /** As far as is known: the counter of the source has a sign. */
  readonly isSigned: boolean
  /** The compiler has written out four rounds of the source's already. */
  readonly isInFours: boolean
}

export function countedLoops(func: Func, knowsConstants = false): CountedLoop[] {
  return func.blocks.map(block => findLoop(func, block, knowsConstants)).filter(loop => loop !== undefined)
}

/** Those in which lanes of a warp may have different numbers of rounds. */
export function unevenLoops(func: Func): CountedLoop[] {
  return countedLoops(func).filter(
    ({ bound, counter, entry }) => !isWarpUniform(bound) || !isWarpUniform(incoming(counter, entry)!),
  )
}

/** Whether lanes may have different numbers of rounds in a loop of which it is not sure whether ptxas writes it out. */
export const isUnsureOfUnevenLoops = (func: Func): boolean =>
  unevenLoops(func).some(({ block, isSigned }) => {
    const { size, unsure } = limitsOf(block)
    return isShort(block, isSigned, unsure) && machineSize(block, isSigned) >= size - unsure
  })

/** Whether ptxas may write a loop out that exchanges values between lanes. */
export function mayBeWrittenOut(func: Func, block: Block): boolean {
  const loop = findLoop(func, block, false)
  return loop !== undefined && isShort(block, loop.isSigned || loop.isInFours, limitsOf(block).unsure)
}

function findLoop(func: Func, block: Block, knowsConstants: boolean): CountedLoop | undefined {
  const last = terminatorOf(block)
  if (last.op !== 'condbr' || last.ifTrue === last.ifFalse || last.staysLoop) return undefined
  if (last.ifTrue !== block && last.ifFalse !== block) return undefined
  const others = func.blocks.filter(from => from !== block && successors(terminatorOf(from)).includes(block))
  const [entry] = others
  if (!entry || others.length > 1 || entry.name.endsWith(LAST_ROUND)) return undefined
  const test = last.condition
  if (test.kind !== 'instruction' || test.op !== 'icmp' || test.block !== block) return undefined
  const predicate = last.ifTrue === block ? test.predicate : opposite(test.predicate)
  if (isInside(test.right, block)) return undefined
  const counter = counterOf(test.left, block)
  const next = counter && incoming(counter, block)
  if (next?.kind !== 'instruction' || next.op !== 'add' || next.left !== counter || next.right.kind !== 'int')
    return undefined
  if (next.type.kind !== 'int' || next.type.bits > 64) return undefined
  const { bits } = next.type
  const step = BigInt.asIntN(bits, next.right.value)
  const more = test.left === next ? 0n : step - addedTo(test.left)
  const isMet = predicate === 'ne' && test.right.kind !== 'int'
  const bound = more === 0n || isMet ? test.right : moreThan(test.right, more, predicate)
  const beyond = isMet ? more : 0n
  if (!isCountingTo(predicate, step) || !bound) return undefined
  const start = incoming(counter, entry)
  const isConstant = start?.kind === 'int' && test.right.kind === 'int'
  const isKnown =
    knowsConstants && isConstant && !block.instructions.some(each => isAccess(each) && isShared(each.pointer))
  const isFollowed =
    isKnown || (bits > WORD_BITS ? !countsRounds(block, entry, counter, step) : keepsCount(block, start))
  if (predicate === 'ne' && !isFollowed) return undefined
  const exit = last.ifTrue === block ? last.ifFalse : last.ifTrue
  const isSigned = predicate.startsWith('s') || next.nsw
  // LLVM's copies of a round have names that end with their numbers.
  const isInFours = /\.[1-9]\d*$/.test(next.name)
  return { block, entry, exit, phis: phisOf(block), counter, bound, beyond, step, predicate, isSigned, isInFours }
}

/**
 * Functions of mathematics that are one run of instructions on the machine; others, and exact divisions, have a call in them (machine code
 * of loops with each; the special function unit's are written out as if there were none).
 */
const STRAIGHT =
  /^(?:(?:exp|exp2|exp10|log|log2|log10)f|rsqrtf|__(?:exp|exp10|log|log2|log10|pow|sin|cos|sincos|tan|tanh|fdivide)f)(?:\.ftz)?$/

/** Whether it is a call on the machine, or may be. */
export function mayCall(instruction: Instruction): boolean {
  const library = instruction.location?.library
  if (library) return !STRAIGHT.test(library)
  if (isApproximate(instruction)) return false
  if (instruction.op === 'call')
    return mayWrite(instruction) || (instruction.callee.kind === 'function' && /sqrt/.test(instruction.callee.name))
  return instruction.op === 'fdiv' || instruction.op === 'frem'
}

/** The counter, where `value` is it or a constant more. */
function counterOf(value: Value, block: Block): PhiInstruction | undefined {
  const counter = constantSum(value)?.left ?? value
  return counter.kind === 'instruction' && counter.op === 'phi' && counter.block === block ? counter : undefined
}

/** What such a value is more than the counter. */
const addedTo = (value: Value): bigint => constantSum(value)?.constant ?? 0n

function constantSum(value: Value): { readonly left: Value; readonly constant: bigint } | undefined {
  if (value.kind !== 'instruction' || value.op !== 'add') return undefined
  const { left, right, type } = value
  return right.kind === 'int' && type.kind === 'int'
    ? { left, constant: BigInt.asIntN(type.bits, right.value) }
    : undefined
}

/** The bound of the next counter, where that of one that is `more` less than it is a constant. */
function moreThan(bound: Value, more: bigint, predicate: IntPredicate): Value | undefined {
  if (bound.kind !== 'int' || bound.type.kind !== 'int') return undefined
  const constant = BigInt.asIntN(bound.type.bits, bound.value)
  const sum = constant + more
  if (predicate.startsWith('u') && (constant < 0n || sum < 0n)) return undefined
  return sum < 1n << 31n && sum >= -(1n << 31n) ? { ...bound, value: BigInt.asUintN(bound.type.bits, sum) } : undefined
}

/**
 * Whether nvcc counts the rounds of a loop that it has written out apart from the source's counter, which ptxas needs to see how many
 * there are. It always does where they begin with something else than a constant. Else not where an address in global memory adds something to a
 * multiple of the counter (`a[3 * i + t]`), or has no sign, unless another is just that of the counter (machine code of 200 loops). Of
 * counters of 64 bits it always sees it.
 */
function keepsCount(block: Block, start: Value | undefined): boolean {
  if (start?.kind !== 'int') return true
  const pointers = block.instructions.flatMap(each => (each.op === 'load' || each.op === 'store' ? [each.pointer] : []))
  const addresses = pointers
    .filter(pointer => !isShared(pointer))
    .map(pointer => decomposeLinear(pointer, value => value))
  const isCounter = (value: Value) => isInside(value, block) && value.kind === 'instruction' && value.op === 'phi'
  const isMultiple = ({ offset }: Address, scale: number) => offset % scale === 0
  const addsToMultiple = (address: Address) => {
    const counter = address.terms.find(({ index }) => isCounter(index))
    const size = Math.abs(counter?.scale ?? 0)
    return size > 0 && (!isMultiple(address, size) || address.terms.some(({ scale }) => Math.abs(scale) < size))
  }
  const isCounterAlone = (address: Address) => {
    const [term, ...others] = address.terms
    return term !== undefined && others.length === 0 && isCounter(term.index) && isMultiple(address, term.scale)
  }
  const isWithoutSign = (pointer: Value) => isMoving(pointer, block) && isUnsigned(pointer)
  return (
    addresses.some(isCounterAlone) ||
    !(addresses.some(addsToMultiple) || pointers.some(each => !isShared(each) && isWithoutSign(each)))
  )
}

/**
 * Whether all that nvcc counts in a loop that it has written out are its rounds, from a known number on, in one place: in 64 bits ptxas does not follow
 * that (machine code of 152 loops).
 */
function countsRounds(block: Block, entry: Block, counter: PhiInstruction, step: bigint): boolean {
  const isByStep = (phi: PhiInstruction) => {
    const next = incoming(phi, block)
    return next?.kind === 'instruction' && next.op === 'add' && next.right.kind === 'int'
      ? BigInt.asIntN(WORD_BITS, next.right.value) === step
      : false
  }
  const counting = phisOf(block).filter(({ type }) => type.kind === 'int')
  return incoming(counter, entry)?.kind === 'int' && counting.every(isByStep)
}

const isMoving = (pointer: Value, block: Block): boolean =>
  decompose(pointer).terms.some(({ index }) => isInside(index, block))

/** It reads or writes memory, does nothing that warps or lanes do together, and is short. */
export function isWorthIt({ block, isSigned, isInFours }: CountedLoop): boolean {
  const { instructions } = block
  const loads = instructions.some(({ op }) => op === 'load')
  const stores = instructions.filter(each => each.op === 'store')
  const isPlain = instructions.every(each => each.op !== 'atomicrmw' && !mayCall(each))
  const mayStore = isInFours || !loads || stores.every(({ pointer }) => isShared(pointer))
  return (loads || stores.length > 0) && isPlain && mayStore && isShort(block, isSigned || isInFours)
}

const isShared = (pointer: Value): boolean => isSharedArray(decompose(pointer).root)

/** Of a counter that has not reached its bound; LLVM asks for `ne` where it wrote the loop out, which the counter then meets. */
const isCountingTo = (predicate: IntPredicate, step: bigint): boolean =>
  predicate === 'ne' || (step > 0n ? /^[us]l[te]$/ : /^[us]g[te]$/).test(predicate)

export const isInclusive = (predicate: IntPredicate): boolean => predicate.endsWith('e') && predicate !== 'ne'

const OPPOSITES: Partial<Record<IntPredicate, IntPredicate>> = {
  uge: 'ult',
  sge: 'slt',
  ule: 'ugt',
  sle: 'sgt',
  ugt: 'ule',
  sgt: 'sle',
  ult: 'uge',
  slt: 'sge',
  eq: 'ne',
}
const opposite = (predicate: IntPredicate): IntPredicate => OPPOSITES[predicate] ?? 'eq'
export const isInside = (value: Value, block: Block): boolean => value.kind === 'instruction' && value.block === block
export const incoming = (phi: PhiInstruction, from: Block): Value | undefined =>
  phi.incoming.find(({ block }) => block === from)?.value
