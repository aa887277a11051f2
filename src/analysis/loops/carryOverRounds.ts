/**
 * What a round of a loop loads and the round before has in a register: nvcc keeps it there and loads before the first round only
 * (`y[i] += y[i - 1]`, `x = s[t]; ...; s[t] = x`, `a[i - 1] + a[i] + a[i + 1]`). It is the load PRE of the GVN that it runs last, behind
 * the unrolling, whose limits decide (LLVM: GVN.cpp, PHITransAddr.cpp). In: a kernel. Out: the same with such loads in front of their
 * loops and phis in their place. Read off the PTX of 98 loops (nvcc 13.0); readings: scripts/fidelity/cases/serial, the scan of a book.
 *
 * - The load stands in the loop's first block, in front of all that may write there.
 * - On each way back there is what was stored or loaded last where the next round will load, and nothing has written there since.
 * - The place of the next round is found: a counter is an index by itself, or the pointer (`*p`, `p[-1]` before `p++`). Sums of variables are not followed (`a[i * w + t]`).
 * - So is that of the first round, without a sum that is nowhere yet: of `a[i - 1]` where `i` begins at a constant, or at `k + 1`. What
 *   remains of a loop that is written out begins at neither, and loads again.
 */
import { load, offsetPointer } from '../../ir/build.ts'
import { isFromOutside, loops, predecessors } from '../../ir/graph.ts'
import type {
  Block,
  Func,
  Instruction,
  LoadInstruction,
  PhiInstruction,
  StoreInstruction,
  Type,
  Value,
} from '../../ir/ir.ts'
import { storeBytes } from '../../ir/types.ts'
import { type Address, decompose, powerOfTwoIn } from '../facts/address.ts'
import { elementsOf, isPlain, isSameElement, isSameType } from '../facts/knownValues.ts'
import { addedTo } from '../facts/loopSteps.ts'
import { isPlainAccess, mayWrite } from '../facts/memoryEffects.ts'
import {
  accessedType,
  counterOf,
  isAccess,
  isApart,
  isBeside,
  isSamePlace,
  type MemoryPlace,
  MemoryPlaces,
} from '../facts/places.ts'
import { isRemainder } from '../facts/roundNames.ts'
import { becomePhi, edgeBlock, finalOf, replaceValues } from '../rewriting/blocks.ts'
import { mayCall } from './countedLoops.ts'
import { countOf, isWrittenOutWhole, knownRounds, roundsInChain } from './knownRounds.ts'

/** As long as no loop is changed. */
export interface Surroundings {
  readonly before: ReadonlyMap<Block, readonly Block[]>
  readonly places: MemoryPlaces
}

/** @returns the loads in front of the loops */
export function carryOverRounds(func: Func): LoadInstruction[] {
  const made: LoadInstruction[] = []
  const replaced = new Map<Value, Value>()
  const all = loops(func)
  let around: Surroundings | undefined
  for (const loop of all) {
    const { header, blocks } = loop
    const isInLoop = all.some(other => other !== loop && other.blocks.has(header))
    around ??= { before: predecessors(func), places: new MemoryPlaces(func, value => finalOf(value, replaced)) }
    const { before, places } = around
    const [one, other, ...more] = before.get(header)!
    if (!one || !other || more.length > 0 || blocks.has(one) === blocks.has(other)) continue
    const [entry, latch] = blocks.has(one) ? [other, one] : [one, other]
    const isPlain = [...blocks].every(({ instructions }) => !instructions.some(mayCall))
    const isKnown = isPlain && (isWrittenOutWhole(loop) || (blocks.size > 1 && roundsInChain(loop) !== undefined))
    let front: Block | undefined
    for (const each of loadsInFront(header, places)) {
      const from = front ?? entry
      const place = places.of(each.pointer)
      const isFound =
        isInLoop && isRemainder(header)
          ? isCounted(place, blocks, header)
          : isFollowed(each.pointer, { header, blocks, from })
      // ptxas, but for some rounds.
      const isMostlyFound =
        !isFound &&
        isKnown &&
        !place.spaces.has('shared') &&
        isCounted(place, blocks, header) &&
        !beginsApart(place, blocks)
      if (!isFound && !isMostlyFound) continue
      const next = foundAtEnd(latch, places.onWay(place, latch, header), each, { places, before }, header)
      const start = places.onWay(place, from, header)
      if (!next || next === each || !start) continue
      const known = foundAtEnd(entry, start, each, { places, before })
      front ??= edgeBlock(func, entry, header)
      const first = known ? undefined : loadInFront(front, each, start.address)
      if (first) made.push(first)
      // It may join with those of the first round (reading: sharedKnown of machine_carried).
      const mayJoin = place.spaces.has('shared') && knownRounds(loop)?.isUnsure
      if (first && (mayJoin || isMostlyFound)) first.unsure = true
      replaced.set(
        each,
        becomePhi(each, [
          { value: first ?? valueBehind(known!, each.type), block: front },
          { value: valueBehind(next, each.type), block: latch },
        ]),
      )
    }
    if (front) around = undefined
  }
  replaceValues(func.blocks, replaced)
  return made
}

/** Elements of which a counter is multiplied at most where ptxas still sees how it moves. */
const LARGEST_MULTIPLE = 2

/**
 * Whether a loop of one block loads what the round before has in a register, at whatever constant distance: ptxas, which writes out four rounds
 * (unrollLoops.ts), leaves such loads out between them; not at `o[3 * i]`, where nvcc counts rounds and places apart unless their number is known
 * (machine code of 32 loops; own reading: machine_recurrences, `column`).
 */
export function readsRoundBefore(func: Func, block: Block): boolean {
  const before = predecessors(func)
  const places = new MemoryPlaces(func)
  const loop = new Set([block])
  const isKnown = countOf({ header: block, latches: [block] }) !== undefined
  return loadsInFront(block, places).some(each => {
    const place = places.of(each.pointer)
    const farthest = LARGEST_MULTIPLE * storeBytes(each.type)
    const moving = place.address.terms.filter(({ index }) => !isFromOutside(index, loop))
    if (!isCounted(place, loop, block) || beginsApart(place, loop)) return false
    if (!isKnown && moving.some(({ scale }) => Math.abs(scale) > farthest)) return false
    const next = foundAtEnd(block, places.onWay(place, block, block), each, { places, before }, block)
    return next !== undefined && next !== each
  })
}

/**
 * Whether a row begins behind its start, at a place that has another name: of `a[256 * c + k]`, from `k = 1` up, nvcc makes the first one `256 * c | 1`,
 * and not so many bytes behind that of `a[256 * c + k - 1]` (own reading: machine_recurrences, `row` and `unknownRow`).
 */
function beginsApart({ address: { terms } }: MemoryPlace, loop: ReadonlySet<Block>): boolean {
  const moving = terms.find(({ index }) => !isFromOutside(index, loop))
  const phi = moving && counterOf(moving.index)
  if (!phi || moving.scale <= 0) return false
  const start = phi.incoming.find(({ block }) => !loop.has(block))?.value
  const next = phi.incoming.find(({ block }) => loop.has(block))?.value
  const step = next && addedTo(phi, next)
  if (start?.kind !== 'int' || typeof step !== 'number' || step < 0) return false
  const others = terms.filter(({ index }) => isFromOutside(index, loop))
  return others.some(({ scale }) => {
    const multiple = scale / moving.scale
    return Number.isInteger(multiple) && Number(start.value) % powerOfTwoIn(multiple) !== 0
  })
}

/** Whether nothing but counters moves a place, and one does. */
export function isCounted(place: MemoryPlace, blocks: ReadonlySet<Block>, header: Block): boolean {
  const moving = partsOf(place).filter(part => !isFromOutside(part, blocks))
  return moving.length > 0 && moving.every(part => counterOf(part)?.block === header)
}

const partsOf = ({ address }: MemoryPlace): Value[] => [address.root, ...address.terms.map(({ index }) => index)]

/** Loads that no instruction in front of them in the block can have written to. */
export function loadsInFront({ instructions }: Block, places: MemoryPlaces): LoadInstruction[] {
  const writes: Instruction[] = []
  const found: LoadInstruction[] = []
  for (const each of instructions) {
    if (mayWrite(each)) writes.push(each)
    else if (isPlain(each)) {
      const place = places.of(each.pointer)
      if (writes.every(write => leavesAlone(write, place, each.type, places))) found.push(each)
    }
  }
  return found
}

/** Writes to other memories, or at a constant distance. */
function leavesAlone(instruction: Instruction, place: MemoryPlace, type: Type, places: MemoryPlaces): boolean {
  if (!isAccess(instruction)) return false
  const written = places.of(instruction.pointer)
  if (isApart(written, place)) return true
  return isPlainAccess(instruction) && isBeside(written, accessedType(instruction), place, type)
}

interface Entered {
  readonly header: Block
  readonly blocks: ReadonlySet<Block>
  /** The block from which the loop is entered. */
  readonly from: Block
}

/** Whether nvcc finds where the next round and the first one load. */
function isFollowed(pointer: Value, { header, blocks, from }: Entered): boolean {
  const { root, offset, terms } = decompose(pointer)
  const isMoved = (value: Value) => !isFromOutside(value, blocks)
  const isCounter = (value: Value) => counterOf(value)?.block === header
  const [counter, ...others] = terms.toSorted((a, b) => Number(isMoved(b.index)) - Number(isMoved(a.index)))
  if (isMoved(root)) return isCounter(root) && !counter && isPointerKnown(root as PhiInstruction, offset, blocks)
  if (!counter || !isMoved(counter.index)) return true
  const { index, scale } = counter
  if (!isCounter(index) || others.some(other => isMoved(other.index) || other.scale <= scale)) return false
  const start = counterOf(index)!.incoming.find(({ block }) => block === from)!.value
  return isSumKnown(start, Math.floor(offset / scale))
}

/** Whether a pointer of the next round, so many bytes further, is one there already: the counter itself, of this round or the next. */
function isPointerKnown(phi: PhiInstruction, offset: number, blocks: ReadonlySet<Block>): boolean {
  const next = phi.incoming.find(({ block }) => blocks.has(block))!.value
  return offset === 0 || addedTo(phi, next) === -offset
}

/** Whether a first value and a constant need no sum of their own: the value is a constant, or the constant was added to something. */
function isSumKnown(start: Value, plus: number): boolean {
  if (plus === 0 || start.kind === 'int') return true
  if (start.kind !== 'instruction') return false
  if (start.op === 'phi') return start.incoming.every(({ value }) => isSumOf(value, -plus))
  return isSumOf(start, -plus)
}

const isSumOf = (value: Value, constant: number): boolean =>
  value.kind === 'instruction' &&
  value.op === 'add' &&
  value.right.kind === 'int' &&
  Number(BigInt.asIntN(32, value.right.value)) === constant

function loadInFront(
  block: Block,
  { type, align, location }: LoadInstruction,
  { root, offset, terms }: Address,
): LoadInstruction {
  const pointer = offsetPointer({ block, location }, root, offset)
  pointer.terms = [...terms]
  const first = load({ block, location }, type, pointer, align)
  block.instructions.splice(-1, 0, pointer, first)
  return first
}

/**
 * What a block leaves in a place, for a load there; undefined where that is in no register, or not on every way. An element of a vector
 * is found where all of it was moved at once, or each element was stored by its name (facts/knownValues.ts).
 * @param last its beginning ends the search
 */
export function foundAtEnd(
  block: Block,
  place: MemoryPlace | undefined,
  load: LoadInstruction,
  { places, before }: Surroundings,
  last?: Block,
): Found | undefined {
  const search = (isWhole: boolean) => new Search(places, before, { load, isWhole }, last)
  const { vector, type } = load
  if (!vector || !place) return search(false).atEnd(block, place)
  const whole = search(true).atEnd(block, place)
  if (whole) return whole
  const own = search(false).atEnd(block, place)
  const others = elementsOf(vector, storeBytes(type)).filter(at => at !== vector.offset)
  const isNamed = (at: number) => search(false).atEnd(block, shifted(place, at - vector.offset)) !== undefined
  return others.every(isNamed) ? own : undefined
}

const shifted = (place: MemoryPlace, by: number): MemoryPlace => ({
  ...place,
  address: { ...place.address, offset: place.address.offset + by },
})

/** A value, or where several meet. */
type Found = Value | Meeting

interface Meeting {
  readonly kind: 'meeting'
  readonly block: Block
  readonly ways: readonly { readonly from: Block; readonly found: Found }[]
}

/** What is in a register already, with phis where it is another on each way. */
function valueBehind(found: Found, type: Type): Value {
  if (found.kind !== 'meeting') return found
  const { block, ways } = found
  const incoming = ways.map(way => ({ value: valueBehind(way.found, type), block: way.from }))
  const phi: PhiInstruction = {
    kind: 'instruction',
    op: 'phi',
    type,
    name: '',
    block,
    location: undefined,
    incoming,
  }
  block.instructions.unshift(phi)
  return phi
}

/** From a block that is being looked through: a loop within the loop leaves what it found, where none of its blocks writes there. */
const AROUND = 'around'

/** Blocks that are looked through for one value, at most. */
const FARTHEST = 32

/** Looks for what was loaded or stored last in a place. */
class Search {
  readonly #places: MemoryPlaces
  readonly #before: ReadonlyMap<Block, readonly Block[]>
  readonly #load: LoadInstruction
  /** Of a vector, and all of that is looked for; else elements that were stored by their names will do. */
  readonly #isWhole: boolean
  /** Its beginning ends the search. */
  readonly #last: Block | undefined
  /** What was found behind a block; {@link AROUND} as long as it is looked for. */
  readonly #seen = new Map<Block, { readonly place: MemoryPlace; found: Found | typeof AROUND | undefined }>()

  constructor(
    places: MemoryPlaces,
    before: ReadonlyMap<Block, readonly Block[]>,
    { load, isWhole }: { readonly load: LoadInstruction; readonly isWhole: boolean },
    last: Block | undefined,
  ) {
    this.#places = places
    this.#before = before
    this.#load = load
    this.#isWhole = isWhole
    this.#last = last
  }

  /** What a block leaves there; undefined where that is in no register, or not on every way. */
  atEnd(block: Block, place: MemoryPlace | undefined): Found | undefined {
    const found = this.#atEnd(block, place)
    return found === AROUND ? undefined : found
  }

  #atEnd(block: Block, place: MemoryPlace | undefined): Found | typeof AROUND | undefined {
    if (!place) return undefined
    const before = this.#seen.get(block)
    if (before) return isSamePlace(before.place, place) ? before.found : undefined
    if (this.#seen.size === FARTHEST) return undefined
    const now: { place: MemoryPlace; found: Found | typeof AROUND | undefined } = { place, found: AROUND }
    this.#seen.set(block, now)
    now.found = this.#behind(block, place)
    return now.found
  }

  #behind(block: Block, place: MemoryPlace): Found | typeof AROUND | undefined {
    for (const instruction of block.instructions.toReversed()) {
      const value = this.#valueIn(instruction, place)
      if (value) return value
      if (mayWrite(instruction) && !this.#isLeftAlone(instruction, place)) return undefined
    }
    return block === this.#last ? undefined : this.#inFront(block, place)
  }

  #isLeftAlone(write: Instruction, place: MemoryPlace): boolean {
    const { type, vector } = this.#load
    if (!vector || !this.#isWhole) return leavesAlone(write, place, type, this.#places)
    const whole = shifted(place, -vector.offset)
    // Its other elements are stored with it.
    if (write.op === 'store' && write.vector?.bytes === vector.bytes) {
      const start = shifted(this.#places.of(write.pointer), -write.vector.offset)
      if (isSamePlace(start, whole)) return true
    }
    return leavesAlone(write, whole, { kind: 'int', bits: 8 * vector.bytes }, this.#places)
  }

  #valueIn(instruction: Instruction, place: MemoryPlace): Value | undefined {
    if (instruction.op !== 'load' && instruction.op !== 'store') return undefined
    if (!isPlainAccess(instruction) || !isSamePlace(this.#places.of(instruction.pointer), place)) return undefined
    const value = instruction.op === 'load' ? instruction : instruction.value
    return isSameType(value.type, this.#load.type) && this.#isFound(instruction) ? value : undefined
  }

  #isFound(access: LoadInstruction | StoreInstruction): boolean {
    const { vector } = this.#load
    if (!vector) return true
    return this.#isWhole ? isSameElement(access.vector, vector) : access.op === 'store' && access.member !== undefined
  }

  #inFront(block: Block, place: MemoryPlace): Found | typeof AROUND | undefined {
    // What is computed here has other values in front, where a loop comes by again.
    if (partsOf(place).some(part => part.kind === 'instruction' && part.block === block && part.op !== 'phi'))
      return undefined
    const ways: { from: Block; found: Found }[] = []
    let isAround = false
    for (const from of new Set(this.#before.get(block))) {
      const found = this.#atEnd(from, this.#places.onWay(place, from, block))
      if (!found) return undefined
      if (found === AROUND) isAround = true
      else ways.push({ from, found })
    }
    const [first] = ways
    if (!first) return isAround ? AROUND : undefined
    if (ways.every(({ found }) => found === first.found)) return first.found
    return isAround ? undefined : { kind: 'meeting', block, ways }
  }
}
