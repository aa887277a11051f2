/**
 * Loads that only some ways need: what is loaded where ways meet lies in a register already on all of them but one (`s = p[t]; if (s > n)
 * atomicAdd(q, 1); o[t] = p[t];`). nvcc loads on that way only (partial redundancy, as LLVM's GVN has it), also from one round of a
 * loop that is written out to the next (`if (q[i] < p[t]) { p[t] = q[i]; o[t] = i; }`), so clang's own pass, which runs before
 * loops are written out, is off (frontend/building/commands.ts). In: a kernel. Out: the same with such loads at the ends of those ways, and phis in
 * their place. Read off the PTX of 58 kernels (nvcc 13.0, sm_90; test/cases/machine_ways_back.cu has the kinds).
 *
 * - One way lacks the value, or none: with two that lack it the load stays. What its address is made of is known
 *   there (`if (n == 3) p[threadIdx.x] = 1; else if (n == 4) p[threadIdx.x] = 2;` asks for the thread in each branch, and keeps the load behind).
 * - Not into a loop from the block in front of it: what loops keep over their rounds is carryOverRounds.ts's.
 * - Behind the rounds written out nvcc asks for the remaining ones also where there were fewer than four, so that way has not run any.
 */
import { offsetPointer } from '../../ir/build.ts'
import {
  type DominatorTree,
  dominators,
  loops,
  predecessors,
  reversePostOrder,
  successors,
  terminatorOf,
} from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, PhiInstruction, Type, Value } from '../../ir/ir.ts'
import { isPlain, isPromoted, isSameType } from '../facts/knownValues.ts'
import { mayWrite } from '../facts/memoryEffects.ts'
import { isAccess, isApart, isBeside, isSamePlace, type MemoryPlace, MemoryPlaces } from '../facts/places.ts'
import { edgeBlock, finalOf, moveToEnd, replaceValues } from '../rewriting/blocks.ts'

/** Blocks looked at for one load; LLVM gives up after as many (`BlockNumberLimit` of MemoryDependenceAnalysis). */
const MOST_BLOCKS = 200

/** Instructions of a block looked at for one load, likewise (`BlockScanLimit`). */
const MOST_INSTRUCTIONS = 100

export function loadOnMissingWays(func: Func): void {
  const search = new Search(func)
  for (const block of reversePostOrder(func)) {
    if (search.before.get(block)!.length < 2 || search.headers.has(block) || search.isForRemaining(block)) continue
    for (const each of block.instructions.filter(isOrdinary)) search.leaveOut(block, each)
  }
  replaceValues(func.blocks, search.replaced)
}

/**
 * Loads in front of loops, of what other loops have stored behind them by now: one that carryOverRounds.ts made for rounds that follow others,
 * which are one loop in nvcc's eyes. What lies there is known but where those others did not run at all.
 */
export function leaveOutBetweenRounds(func: Func, loads: readonly LoadInstruction[]): void {
  const search = new Search(func)
  for (const load of loads) search.leaveOutBehindRounds(load)
  replaceValues(func.blocks, search.replaced)
}

function isOrdinary(instruction: Instruction): instruction is LoadInstruction {
  return isPlain(instruction) && !instruction.passesL1 && !instruction.copiedTo && !instruction.matrixWords
}

/** What an instruction or a block leaves in a place: a value, something that nobody knows, or what was there. */
type Effect = Value | 'written' | undefined

class Search {
  readonly before: Map<Block, Block[]>
  readonly headers: ReadonlySet<Block>
  readonly replaced = new Map<Value, Value>()
  readonly #func: Func
  readonly #tree: DominatorTree
  readonly places: MemoryPlaces
  /** Blocks behind rounds written out, with the block that goes past these. */
  readonly #passing: ReadonlyMap<Block, Block>
  /** Blocks that stand on a way since, which the tree does not know, by the block that they come from. */
  readonly #edgesFrom = new Map<Block, Block>()

  constructor(func: Func) {
    this.#func = func
    this.before = predecessors(func)
    this.#tree = dominators(func)
    this.places = new MemoryPlaces(func, value => this.final(value))
    const all = loops(func, this.#tree)
    this.headers = new Set(all.map(({ header }) => header))
    const behind = all.flatMap(({ blocks, latches }) =>
      latches.flatMap(latch => successors(terminatorOf(latch)).filter(block => !blocks.has(block))),
    )
    this.#passing = new Map(
      behind.flatMap(block => {
        const passing = this.#passingBy(block)
        return passing ? [[block, passing] as const] : []
      }),
    )
  }

  /** Who goes to the remaining rounds, as the block behind the others does, but past these: there were fewer than four. */
  #passingBy(behind: Block): Block | undefined {
    const ends = successors(terminatorOf(behind))
    if (this.before.get(behind)!.length !== 1 || ends.length !== 2) return undefined
    for (const rest of ends) {
      const [one, other, ...more] = this.before.get(rest)!
      const passing = one === behind ? other : one
      if (passing && more.length === 0 && this.#tree.dominates(passing, behind)) return passing
    }
    return undefined
  }

  /** Replaces the load by what lies there, if at most one way into the block has to load it. */
  leaveOut(block: Block, load: LoadInstruction): void {
    const place = new LoadedPlace(this, load)
    if (this.#isWrittenInFront(load, place)) return
    const ways = this.before.get(block)!
    if (!place.isMadeBefore(ways)) return
    const missing = ways.filter(from => !place.isKnownBehind(from))
    if (missing.length > 1 || missing.length === ways.length) return
    this.#replace(load, block, missing[0], place)
  }

  leaveOutBehindRounds(load: LoadInstruction): void {
    const place = new LoadedPlace(this, load)
    if (this.#isWrittenInFront(load, place)) return
    let { block } = load
    let ways = this.before.get(block)!
    while (ways.length === 1 && place.leavesAlone(ways[0]!)) {
      block = ways[0]!
      ways = this.before.get(block)!
    }
    if (ways.length < 2 || this.headers.has(block) || !place.isMadeBefore(ways)) return
    const missing = ways.filter(from => !place.isKnownBehind(from))
    const isPassing = (way: Block) => ways.some(other => this.#passing.get(other) === way)
    if (missing.length > 1 || !missing.every(isPassing)) return
    this.#replace(load, block, missing[0], place)
  }

  #isWrittenInFront(load: LoadInstruction, place: LoadedPlace): boolean {
    const { instructions } = load.block
    return instructions.slice(0, instructions.indexOf(load)).some(each => place.effectOf(each) !== undefined)
  }

  /** By what lies there in front of the block, having loaded it on the way that lacks it. */
  #replace(load: LoadInstruction, block: Block, lacking: Block | undefined, place: LoadedPlace): void {
    const beside = lacking && this.#loadBeside(lacking, block, place)
    if (beside) {
      this.#moveToEnd(lacking, beside, load)
      place.know(lacking, beside)
    } else if (lacking) {
      const from = successors(terminatorOf(lacking)).length > 1 ? this.#edge(lacking, block) : lacking
      const again: LoadInstruction = { ...load, block: from, pointer: this.#pointerIn(from, lacking, load) }
      from.instructions.splice(-1, 0, again)
      place.know(from, again)
    }
    load.block.instructions.splice(load.block.instructions.indexOf(load), 1)
    this.replaced.set(load, place.valueInFrontOf(block))
    this.places.forget()
  }

  /** The load that the other way out of the block begins with, if it is the same: then nvcc makes both one, in front of the branch. */
  #loadBeside(lacking: Block, block: Block, place: LoadedPlace): LoadInstruction | undefined {
    const other = successors(terminatorOf(lacking)).find(each => each !== block)
    if (!other || successors(terminatorOf(lacking)).length !== 2 || this.before.get(other)!.length !== 1)
      return undefined
    const first = other.instructions.find(each => each.op === 'load' || mayWrite(each))
    return first?.op === 'load' && place.effectOf(first) === first ? first : undefined
  }

  #moveToEnd(block: Block, load: LoadInstruction, like: LoadInstruction): void {
    load.pointer = this.#pointerIn(block, block, like)
    moveToEnd(block, load)
  }

  /** The load's address at the end of a block, computed there unless it has been before. */
  #pointerIn(block: Block, behind: Block, { pointer, location }: LoadInstruction): Value {
    if (this.isMadeBy(pointer, behind)) return pointer
    const { root, offset, terms } = this.places.of(pointer).address
    const computed = offsetPointer({ block, location }, root, offset)
    computed.terms = [...terms]
    block.instructions.splice(-1, 0, computed)
    return computed
  }

  /** A block on that way. */
  #edge(from: Block, to: Block): Block {
    const between = edgeBlock(this.#func, from, to)
    this.#edgesFrom.set(between, from)
    const ways = this.before.get(to)!
    this.before.set(between, [from])
    this.before.set(to, [...ways.filter(each => each !== from), between])
    return between
  }

  final(value: Value): Value {
    return finalOf(value, this.replaced)
  }

  /** Nvcc comes there by one way only: behind the test whether rounds remain. */
  isForRemaining(block: Block): boolean {
    return this.before.get(block)!.some(from => {
      const passing = this.#passing.get(from)
      return passing !== undefined && this.before.get(block)!.includes(passing)
    })
  }

  /** Where nvcc takes control to come from. */
  waysInto(block: Block): readonly Block[] {
    const passing = this.#passing.get(block)
    return passing ? [...this.before.get(block)!, passing] : this.before.get(block)!
  }

  /** Whether a value is computed before the block ends. */
  isMadeBy(value: Value, block: Block): boolean {
    if (value.kind !== 'instruction' || value.block === block) return true
    return !this.#edgesFrom.has(value.block) && this.#tree.dominates(value.block, this.#edgesFrom.get(block) ?? block)
  }
}

/** What is known, block by block, of the place that a load reads. */
class LoadedPlace {
  readonly #search: Search
  readonly #type: Type
  readonly #load: LoadInstruction
  readonly #place: MemoryPlace
  readonly #effects = new Map<Block, Effect>()
  readonly #values = new Map<Block, Value>()
  /** Blocks that have the value at their ends, some only as long as no block is found that has not. */
  readonly #known = new Set<Block>()
  readonly #unknown = new Set<Block>()

  constructor(search: Search, load: LoadInstruction) {
    this.#search = search
    this.#load = load
    this.#type = load.type
    this.#place = search.places.of(load.pointer)
  }

  effectOf(instruction: Instruction): Effect {
    // What LLVM loads in front of a loop for a sum that it keeps, nvcc loads later than this (remainingRounds.ts).
    if (isPlain(instruction) && isPromoted(instruction)) return undefined
    if (isPlain(instruction))
      return this.#isHere(instruction.pointer) && isSameType(instruction.type, this.#type) ? instruction : undefined
    if (!mayWrite(instruction)) return undefined
    if (!isAccess(instruction)) return 'written'
    const place = this.#search.places.of(instruction.pointer)
    if (isApart(place, this.#place)) return undefined
    if (instruction.op !== 'store' || instruction.volatile || instruction.atomic) return 'written'
    const { value } = instruction
    if (isSamePlace(place, this.#place) && isSameType(value.type, this.#type)) return this.#search.final(value)
    return isBeside(place, value.type, this.#place, this.#type) ? undefined : 'written'
  }

  leavesAlone(block: Block): boolean {
    return this.#effect(block) === undefined
  }

  #isHere(pointer: Value): boolean {
    return isSamePlace(this.#search.places.of(pointer), this.#place)
  }

  #effect(block: Block): Effect {
    if (this.#effects.has(block)) return this.#effects.get(block)
    const { instructions } = block
    const last = Math.max(0, instructions.length - MOST_INSTRUCTIONS)
    let found: Effect
    for (let at = instructions.length - 1; at >= last && found === undefined; at--)
      found = this.effectOf(instructions[at]!)
    if (last > 0) found ??= 'written'
    this.#effects.set(block, found)
    return found
  }

  /** Whether the address is the same at the ends of these blocks: nothing in it is computed later, as a counter is. */
  isMadeBefore(ways: readonly Block[]): boolean {
    const { root, terms } = this.#place.address
    const parts = [root, ...terms.map(({ index }) => index)]
    return parts.every(part => ways.every(from => this.#search.isMadeBy(part, from)))
  }

  /** Whether all ways to the end of the block have the value. */
  isKnownBehind(block: Block): boolean {
    if (this.#unknown.has(block)) return false
    if (this.#known.has(block)) return true
    if (this.#known.size + this.#unknown.size >= MOST_BLOCKS) return false
    this.#known.add(block)
    const isKnown = this.#isFoundBehind(block)
    if (!isKnown) {
      // What was taken to be known may have been so because of this block.
      this.#known.clear()
      this.#unknown.add(block)
    }
    return isKnown
  }

  #isFoundBehind(block: Block): boolean {
    const effect = this.#effect(block)
    if (effect !== undefined) return effect !== 'written'
    const ways = this.#search.waysInto(block)
    return ways.length > 0 && this.isMadeBefore(ways) && ways.every(from => this.isKnownBehind(from))
  }

  know(block: Block, value: Value): void {
    this.#values.set(block, value)
  }

  #valueBehind(block: Block): Value {
    const known = this.#values.get(block)
    if (known) return known
    const effect = this.#effect(block)
    const value = effect !== undefined && effect !== 'written' ? effect : this.valueInFrontOf(block)
    this.#values.set(block, value)
    return value
  }

  /** As in Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (2013). */
  valueInFrontOf(block: Block): Value {
    const ways = this.#search.before.get(block)!
    if (ways.length === 1) return this.#valueBehind(ways[0]!)
    const { type, name, location } = this.#load
    const phi: PhiInstruction = { kind: 'instruction', op: 'phi', type, name, block, location, incoming: [] }
    // Around loops it is met again.
    if (this.#effect(block) === undefined) this.#values.set(block, phi)
    const incoming = ways.map(from => ({ value: this.#search.final(this.#valueBehind(from)), block: from }))
    const [value, ...others] = new Set(incoming.map(way => way.value).filter(each => each !== phi))
    if (value && others.length === 0) {
      this.#search.replaced.set(phi, value)
      return value
    }
    phi.incoming.push(...incoming)
    block.instructions.unshift(phi)
    return phi
  }
}
