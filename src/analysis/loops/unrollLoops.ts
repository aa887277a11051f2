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
import { cloneInstruction, replaceOperands, terminatorOf, users } from '../../ir/graph.ts'
import type { Block, Func, IcmpInstruction, Instruction, PhiInstruction, StoreInstruction, Value } from '../../ir/ir.ts'
import { I1, storeBytes } from '../../ir/types.ts'
import { type Address, addressKey, decompose, decomposeLinear, valueNumbering } from '../facts/address.ts'
import { isPlainAccess } from '../facts/memoryEffects.ts'
import { accessedType } from '../facts/places.ts'
import { congruenceOfPlace, isWideShared, LINE } from '../facts/sharedPlaces.ts'
import { meetingOf, phisOf, redirect } from '../rewriting/blocks.ts'
import { readsRoundBefore } from './carryOverRounds.ts'
import {
  type CountedLoop,
  countedLoops,
  incoming,
  isInclusive,
  isInside,
  isWorthIt,
  LAST_ROUND,
  unevenLoops,
} from './countedLoops.ts'

const WORD = 4
/** Of the first of the copies; the second has half of them. */
const ROUNDS = 4

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
  for (const loop of countedLoops(func, true))
    if (isWorthIt(loop) && readsRoundBefore(func, loop.block)) writeOut(func, loop)
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
