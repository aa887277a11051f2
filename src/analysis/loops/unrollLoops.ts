/**
 * Loops as ptxas writes them out: four rounds while more than three are left, then two if more than one is left, then one.
 * In: a kernel whose accesses are merged. Out: the same with such copies in front of each loop of one block that counts to a
 * bound by a constant step (`for (unsigned i = threadIdx.x; i < n; i += 256)`), where lanes of a warp may have different numbers of
 * rounds: they then do their last rounds apart, which is more instructions than the loop as written. Where all lanes have the
 * same number nothing counts differently, and the loop stays as it is. Loops whose counter has a sign were written out four rounds
 * at a time before, by nvcc as by clang (frontend/building/commands.ts); ptxas does it to those four rounds again.
 * Readings: mergeHistogram64Kernel of cuda-samples (138 loads for 137), machineCompiler's loopSum. SASS of ptxas 13.0: long bodies
 * stay, and so do those with stores to global memory where the body loads and nvcc has not written out four rounds before (the counter has no
 * sign, or begins at `threadIdx.x + 32`), and those with atomics.
 */
import { binary, branch, compare, intConstant, jump, type Place } from '../../ir/build.ts'
import { cloneInstruction, replaceOperands, successors, terminatorOf, users } from '../../ir/graph.ts'
import type {
  Block,
  Func,
  IcmpInstruction,
  Instruction,
  IntPredicate,
  PhiInstruction,
  StoreInstruction,
  Value,
} from '../../ir/ir.ts'
import { I1, storeBytes } from '../../ir/types.ts'
import { isUnsigned } from '../branches/branchStores.ts'
import { type Address, addressKey, decompose, decomposeLinear, valueNumbering } from '../facts/address.ts'
import { machineSize } from '../facts/machineSize.ts'
import { isPlainAccess, mayWrite } from '../facts/memoryEffects.ts'
import { accessedType } from '../facts/places.ts'
import { congruenceOfPlace, isSharedArray, isWideShared, LINE } from '../facts/sharedPlaces.ts'
import { isWarpUniform } from '../facts/warpUniform.ts'
import { meetingOf, phisOf, redirect } from '../rewriting/blocks.ts'
import { readsRoundBefore } from './carryOverRounds.ts'

const WORD = 4
const WORD_BITS = 32
/** Of the first of the copies; the second has half of them. */
const ROUNDS = 4
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

/** Suffix of the block in front of the loop itself. */
const LAST_ROUND = '.left1'

interface CountedLoop {
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

export function unrollLoops(func: Func): void {
  for (const loop of unevenLoops(func)) if (isWorthIt(loop)) writeOut(func, loop)
}

/**
 * The same before accesses are merged, also where lanes all have the same number of rounds, for loops whose loads or stores of shared memory join
 * across rounds (`for (i = 1; i < n; ++i) sum += s[i]`: 16 rounds are five loads of 16 bytes, four are two).
 */
export function unrollSharedLoops(func: Func): void {
  for (const loop of countedLoops(func)) {
    if (!isWorthIt(loop)) continue
    const { block, bound, counter, entry } = loop
    const joins = joinsAcrossRounds(loop)
    // Of a known number more rounds may be one there (knownRounds.ts).
    if (bound.kind === 'int' && incoming(counter, entry)?.kind === 'int')
      for (const each of block.instructions)
        if ((each.op === 'load' && joins) || (each.op === 'store' && mayJoin(each, block))) each.unsure = true
    if (joins) writeOut(func, loop)
  }
}

/** Whether stores of several rounds may be one, were they all written out. */
function mayJoin(store: StoreInstruction, block: Block): boolean {
  const address = decomposeLinear(store.pointer, value => value)
  const stride = strideOf(address, block)
  return stride !== undefined && stride !== 0 && Math.abs(stride) <= LINE && isWideShared(address.root)
}

/** The same for loops that load what the round before stored or loaded, which is left out between the rounds (reuseLoads.ts). */
export function unrollReadingLoops(func: Func): void {
  for (const loop of countedLoops(func)) if (isWorthIt(loop) && readsRoundBefore(func, loop.block)) writeOut(func, loop)
}

function countedLoops(func: Func): CountedLoop[] {
  return func.blocks.map(block => findLoop(func, block)).filter(loop => loop !== undefined)
}

/** Those in which lanes of a warp may have different numbers of rounds. */
function unevenLoops(func: Func): CountedLoop[] {
  return countedLoops(func).filter(
    ({ bound, counter, entry }) => !isWarpUniform(bound) || !isWarpUniform(incoming(counter, entry)!),
  )
}

/** Whether four rounds need fewer loads or stores of shared memory than four times what one needs. */
function joinsAcrossRounds({ block }: CountedLoop): boolean {
  const idOf = valueNumbering()
  const rows = new Map<string, { readonly stride: number; readonly start: number; readonly words: Set<number> }>()
  for (const instruction of block.instructions) {
    if (instruction.op !== 'load' && instruction.op !== 'store') continue
    if (!isPlainAccess(instruction) || storeBytes(accessedType(instruction)) !== WORD) continue
    const address = decomposeLinear(instruction.pointer, value => value)
    const stride = strideOf(address, block)
    const { modulus, residue } = congruenceOfPlace(decompose(instruction.pointer))
    if (!stride || modulus !== LINE || !isWideShared(address.root)) continue
    const key = `${instruction.op} ${addressKey(address, idOf)}`
    const row = rows.get(key) ?? { stride, start: address.offset - residue, words: new Set() }
    row.words.add(address.offset - row.start)
    rows.set(key, row)
  }
  return [...rows.values()].some(({ stride, words }) => {
    const rounds = Array.from({ length: ROUNDS }, (_, round) => [...words].map(word => word + round * stride))
    return loadsFor(rounds.flat()) < rounds.reduce((total, each) => total + loadsFor(each), 0)
  })
}

/** By how much an address moves each round; undefined where it does not move by a constant. */
function strideOf({ terms }: Address, block: Block): number | undefined {
  const moving = terms.filter(({ index }) => isInside(index, block))
  const steps = moving.map(({ index, scale }) => {
    const next = index.kind === 'instruction' && index.op === 'phi' ? incoming(index, block) : undefined
    if (next?.kind !== 'instruction' || next.op !== 'add' || next.left !== index) return Number.NaN
    return next.right.kind === 'int' ? scale * Number(BigInt.asIntN(32, next.right.value)) : Number.NaN
  })
  const stride = steps.reduce((total, step) => total + step, 0)
  return Number.isNaN(stride) ? undefined : stride
}

/** How many loads words at these places are: of a line three or four are one, and so are the first or the last two. */
function loadsFor(words: readonly number[]): number {
  const lines = new Map<number, Set<number>>()
  for (const word of words) {
    const line = Math.floor(word / LINE)
    lines.set(line, (lines.get(line) ?? new Set()).add(word - line * LINE))
  }
  const isOne = (line: ReadonlySet<number>) => line.size > 2 || new Set([...line].map(word => word >> 3)).size === 1
  return [...lines.values()].reduce((total, line) => total + (isOne(line) ? 1 : line.size), 0)
}

/** Whether lanes may have different numbers of rounds in a loop of which it is not sure whether ptxas writes it out. */
export const isUnsureOfUnevenLoops = (func: Func): boolean =>
  unevenLoops(func).some(({ block, isSigned }) => {
    const { size, unsure } = limitsOf(block)
    return isShort(block, isSigned, unsure) && machineSize(block, isSigned) >= size - unsure
  })

/** Whether ptxas may write a loop out that exchanges values between lanes. */
export function mayBeWrittenOut(func: Func, block: Block): boolean {
  const loop = findLoop(func, block)
  return loop !== undefined && isShort(block, loop.isSigned || loop.isInFours, limitsOf(block).unsure)
}

function findLoop(func: Func, block: Block): CountedLoop | undefined {
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
  const step = BigInt.asIntN(next.type.bits, next.right.value)
  const { bits } = next.type
  const more = test.left === next ? 0n : step - addedTo(test.left)
  const isMet = predicate === 'ne' && test.right.kind !== 'int'
  const bound = more === 0n || isMet ? test.right : moreThan(test.right, more, predicate)
  const beyond = isMet ? more : 0n
  if (
    !isCountingTo(predicate, step) ||
    !bound ||
    (predicate === 'ne' && bits <= WORD_BITS && !keepsCount(block, incoming(counter, entry)))
  )
    return undefined
  if (predicate === 'ne' && bits > WORD_BITS && countsRounds(block, entry, counter, step)) return undefined
  const exit = last.ifTrue === block ? last.ifFalse : last.ifTrue
  const isSigned = predicate.startsWith('s') || next.nsw
  // LLVM's copies of a round have names that end with their numbers.
  const isInFours = /\.[1-9]\d*$/.test(next.name)
  return { block, entry, exit, phis: phisOf(block), counter, bound, beyond, step, predicate, isSigned, isInFours }
}

/** Functions of mathematics that are one run of instructions on the machine; others, and exact divisions, have a call in them. */
const STRAIGHT = /^(exp|exp2|exp10|log|log2|log10)f$/

function mayCall(instruction: Instruction): boolean {
  const library = instruction.location?.library
  if (library) return !STRAIGHT.test(library)
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
function isWorthIt({ block, isSigned, isInFours }: CountedLoop): boolean {
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

const isInclusive = (predicate: IntPredicate): boolean => predicate.endsWith('e') && predicate !== 'ne'

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
const isInside = (value: Value, block: Block): boolean => value.kind === 'instruction' && value.block === block
const incoming = (phi: PhiInstruction, from: Block): Value | undefined =>
  phi.incoming.find(({ block }) => block === from)?.value

/**
 * entry -> askFour -> (four, again and again) -> askTwo -> (two) -> askOne -> (the loop itself) -> done -> exit.
 * Each `ask` has phis of the loop's values as they are, and of those that are used behind the loop.
 */
function writeOut(func: Func, found: CountedLoop): void {
  const { block, entry, exit, phis } = found
  const usersOf = users(func)
  const isUsedBehind = (value: Instruction) => usersOf.get(value)?.some(user => user.block !== block) ?? false
  const results = block.instructions.filter(isUsedBehind)

  const [askFour, four, askTwo, two, askOne, done] = ['.left', '.four', '.left2', '.two', LAST_ROUND, '.done'].map(
    (suffix): Block => ({ name: block.name + suffix, instructions: [] }),
  ) as [Block, Block, Block, Block, Block, Block]
  const writer = new Writer(withBound(found, askFour), results)

  const start: State = {
    phis: phis.map(phi => incoming(phi, entry)!),
    results: results.map(({ type }) => ({ kind: 'undef', type })),
    none: boolConstant(true),
  }
  writer.branchIfMoreThan(askFour, start, 3n, four, askTwo)
  const inFour = writer.rounds(four, ROUNDS, start, askFour)
  writer.branchIfMoreThan(four, inFour, 3n, four, askTwo)
  const atTwo = writer.meet(askTwo, [askFour, start], [four, inFour])
  writer.branchIfMoreThan(askTwo, atTwo, 1n, two, askOne)
  const inTwo = writer.rounds(two, 2, atTwo)
  two.instructions.push(jump({ block: two, location: writer.location }, askOne))
  const atOne = writer.meet(askOne, [askTwo, atTwo], [two, inTwo])
  writer.branchIfAny(askOne, atOne, block, done)

  // The loop itself does the last round; the first one too, where nobody asked before.
  phis.forEach((phi, index) => {
    for (const from of phi.incoming)
      if (from.block === entry) Object.assign(from, { block: askOne, value: atOne.phis[index]! })
  })
  const last: State = { phis: [], results, none: boolConstant(false) }
  const behind = writer.meet(done, [askOne, { ...atOne, phis: [] }], [block, last]).results
  done.instructions.push(jump({ block: done, location: writer.location }, exit))
  redirect(entry, block, askFour)
  redirect(block, exit, done)
  for (const phi of phisOf(exit)) for (const from of phi.incoming) if (from.block === block) from.block = done
  const moved = new Map<Value, Value>(results.map((result, index) => [result, behind[index]!]))
  for (const other of func.blocks)
    if (other !== block)
      for (const instruction of other.instructions) replaceOperands(instruction, value => moved.get(value) ?? value)
  func.blocks.splice(func.blocks.indexOf(block), 0, askFour, four, askTwo, two, askOne)
  func.blocks.splice(func.blocks.indexOf(block) + 1, 0, done)
}

/** The loop with what its next counter is compared with, which is made in that block. */
function withBound(loop: CountedLoop, block: Block): CountedLoop {
  const { bound, beyond, counter } = loop
  if (beyond === 0n) return loop
  const { location } = terminatorOf(loop.block)
  const sum = binary({ block, location }, 'add', bound, intConstant(counter.type, beyond))
  block.instructions.push(sum)
  return { ...loop, bound: sum }
}

const boolConstant = (value: boolean): Value => intConstant(I1, value ? 1 : 0)

/** The loop's values at one place: what its phis would have next, what is used behind it, and whether no round has run yet. */
interface State {
  readonly phis: readonly Value[]
  readonly results: readonly Value[]
  readonly none: Value
}

class Writer {
  private readonly loop: CountedLoop
  private readonly results: readonly Instruction[]

  constructor(loop: CountedLoop, results: readonly Instruction[]) {
    this.loop = loop
    this.results = results
  }

  get location(): Instruction['location'] {
    return terminatorOf(this.loop.block).location
  }

  /** Phis of two states that meet in a block. */
  meet(block: Block, [from, a]: [Block, State], [other, b]: [Block, State]): State {
    const place = this.placeIn(block)
    const join = (first: Value, second: Value): Value => meetingOf(place, [from, first], [other, second])
    return {
      phis: a.phis.map((value, index) => join(value, b.phis[index]!)),
      results: a.results.map((value, index) => join(value, b.results[index]!)),
      none: join(a.none, b.none),
    }
  }

  /** Copies of the body, one behind the other; with `entry`, a loop of its own. */
  rounds(into: Block, count: number, start: State, entry?: Block): State {
    const { block, phis } = this.loop
    const own = entry ? phis.map(phi => emptyPhi(phi, into)) : []
    into.instructions.push(...own)
    let values: readonly Value[] = entry ? own : start.phis
    let results = start.results
    for (let round = 0; round < count; round++) {
      const copies = new Map<Value, Value>(phis.map((phi, index) => [phi, values[index]!]))
      const final = (value: Value): Value => copies.get(value) ?? value
      for (const instruction of block.instructions.slice(phis.length, -1)) {
        const copy = cloneInstruction(instruction, into)
        replaceOperands(copy, final)
        copies.set(instruction, copy)
        into.instructions.push(copy)
      }
      values = phis.map(phi => final(incoming(phi, block)!))
      results = this.results.map(final)
    }
    own.forEach((phi, index) => {
      phi.incoming.push({ value: start.phis[index]!, block: entry! }, { value: values[index]!, block: into })
    })
    return { phis: values, results, none: boolConstant(false) }
  }

  /** Ends the block: to `then` when more rounds than these are left. */
  branchIfMoreThan(block: Block, state: State, rounds: bigint, then: Block, otherwise: Block): void {
    const { bound, step } = this.loop
    const counter = this.counterIn(state)
    const place = this.placeIn(block)
    const [left, each] =
      step > 0n ? [binary(place, 'sub', bound, counter), step] : [binary(place, 'sub', counter, bound), -step]
    const isFar = compare(
      place,
      isInclusive(this.loop.predicate) ? 'uge' : 'ugt',
      left,
      intConstant(counter.type, rounds * each),
    )
    const isBefore = this.isBefore(place, counter)
    const condition = binary(place, 'and', isBefore, isFar)
    block.instructions.push(left, isFar, isBefore, condition)
    block.instructions.push(branch(place, condition, then, otherwise))
  }

  /** Ends the block: to `then` when a round is left, or none has run. */
  branchIfAny(block: Block, state: State, then: Block, otherwise: Block): void {
    const place = this.placeIn(block)
    const isBefore = this.isBefore(place, this.counterIn(state))
    const condition = binary(place, 'or', isBefore, state.none)
    block.instructions.push(isBefore, condition)
    block.instructions.push(branch(place, condition, then, otherwise))
  }

  private counterIn(state: State): Value {
    return state.phis[this.loop.phis.indexOf(this.loop.counter)]!
  }

  private isBefore(place: Place, counter: Value): IcmpInstruction {
    return compare(place, this.loop.predicate, counter, this.loop.bound)
  }

  private placeIn(block: Block): Place {
    return { block, location: this.location }
  }
}

function emptyPhi(phi: PhiInstruction, block: Block): PhiInstruction {
  return { ...phi, block, incoming: [] }
}
