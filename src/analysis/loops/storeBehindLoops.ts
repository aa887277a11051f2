/**
 * What every round of a loop stores in one place, and nothing in the loop reads (`for (...) s[t] += x[i];`, whose sum is a phi already:
 * carryOverRounds.ts): nvcc stores it behind the loop, once. LLVM does so too where it can tell the memories apart, which it cannot here for
 * dynamic shared memory and what arguments point to. In: a kernel. Out: the same with such stores on the ways out of their loops, on
 * no way two of them. Read off the PTX of 24 loops (nvcc 13.0; test/cases/machine_kept_sums.cu); reading: cup-reduce4, a book's reduction.
 *
 * - The store is made in every round, before the loop can be left.
 * - All else in the loop is in other memories, or at a constant distance; no barrier, no call.
 */
import { offsetPointer } from '../../ir/build.ts'
import {
  type DominatorTree,
  dominators,
  type Loop,
  loops,
  operandsOf,
  predecessors,
  successors,
  terminatorOf,
  users,
} from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, StoreInstruction, Value } from '../../ir/ir.ts'
import { formatType, sameType } from '../../ir/types.ts'
import { leaveOutBetweenRounds } from '../branches/partialLoads.ts'
import { isPlain, isPromoted } from '../facts/knownValues.ts'
import { isPlainAccess, mayWrite } from '../facts/memoryEffects.ts'
import {
  accessedType,
  isAccess,
  isApart,
  isBeside,
  isSamePlace,
  type MemoryPlace,
  MemoryPlaces,
} from '../facts/places.ts'
import { edgeBlock, isAnyBetween, phisOf, replaceValues } from '../rewriting/blocks.ts'

/** @param carried loads that carryOverRounds.ts made in front of loops */
export function storeBehindLoops(func: Func, carried: readonly LoadInstruction[]): void {
  const places = new MemoryPlaces(func)
  const moved: StoreInstruction[] = []
  const emptied = new Set<Block>()
  for (let found = firstMovable(func, places); found; found = firstMovable(func, places)) {
    const { store, loop } = found
    const { instructions } = store.block
    instructions.splice(instructions.indexOf(store), 1)
    for (const phi of phisOf(loop.header))
      if (phi.incoming.some(({ value }) => value === store.value)) phi.inMemory = true
    const copies = waysOut(loop).map(([from, to]) => storeOnWay(func, store, from, to, places))
    moved.push(...copies)
    emptied.add(loop.header)
    if (copies.length === 1) followStore(func, loop, copies[0]!, places)
  }
  if (moved.length === 0) return
  loadInFront(func, emptied)
  leaveOutBetweenRounds(func, [...carried, ...promotedLoads(func)])
  const placesNow = new MemoryPlaces(func)
  // What left a loop may have left the one around it since.
  const isThere = (store: StoreInstruction) => store.block.instructions.includes(store)
  for (const each of moved) if (isThere(each)) passBranches(func, each, placesNow)
}

/** What only the store behind the loop needs is computed there, once: the last round's. */
function followStore(func: Func, { blocks }: Loop, store: StoreInstruction, places: MemoryPlaces): void {
  const usersOf = users(func)
  const writes = [...blocks].flatMap(({ instructions }) => instructions.filter(mayWrite))
  const canFollow = (value: Value): value is Instruction => {
    if (value.kind !== 'instruction' || !blocks.has(value.block) || value.op === 'phi' || value.op === 'call')
      return false
    if (usersOf.get(value)?.some(user => blocks.has(user.block))) return false
    if (!isAccess(value)) return !mayWrite(value)
    return (
      isPlain(value) &&
      writes.every(each => isAccess(each) && isApart(places.of(each.pointer), places.of(value.pointer)))
    )
  }
  const pending = [store.value]
  for (let value = pending.pop(); value; value = pending.pop()) {
    if (!canFollow(value)) continue
    const { instructions } = value.block
    instructions.splice(instructions.indexOf(value), 1)
    value.block = store.block
    store.block.instructions.splice(phisOf(store.block).length, 0, value)
    pending.push(...operandsOf(value))
  }
}

/**
 * What every round of such a loop loads from one place is loaded in front of it, once for the rounds written out and the remaining ones
 * (reading: mmKernel of LS-CAT).
 */
function loadInFront(func: Func, headers: ReadonlySet<Block>): void {
  const places = new MemoryPlaces(func)
  const tree = dominators(func)
  const found = new Map<string, { loads: LoadInstruction[]; loops: Loop[] }>()
  for (const loop of loops(func, tree)) {
    if (!headers.has(loop.header)) continue
    const inside = [...loop.blocks].flatMap(({ instructions }) => instructions)
    const writes = inside.filter(mayWrite)
    for (const each of inside.filter(isPlain)) {
      const place = places.of(each.pointer)
      if (partsOf(place).some(part => part.kind === 'instruction' && loop.blocks.has(part.block))) continue
      if (!loop.latches.every(latch => tree.dominates(each.block, latch))) continue
      if (!writes.every(write => isAccess(write) && isApart(places.of(write.pointer), place))) continue
      const key = `${place.key} ${place.address.offset} ${formatType(each.type)}`
      const same = found.get(key) ?? { loads: [], loops: [] }
      same.loads.push(each)
      same.loops.push(loop)
      found.set(key, same)
    }
  }
  const replaced = new Map<Value, Value>()
  for (const { loads, loops } of found.values()) {
    const ofLoops = new Set(loops)
    const headers = new Set([...ofLoops].map(({ header }) => header))
    const front = frontOf(func, headers, dominators(func), ofLoops)
    if (!front) continue
    const [first] = loads
    const place = places.of(first!.pointer)
    const { root, offset, terms } = place.address
    const isApartFrom = (each: Instruction) => isAccess(each) && isApart(places.of(each.pointer), place)
    const isWriting = ({ instructions }: Block) => instructions.some(each => mayWrite(each) && !isApartFrom(each))
    const writing = new Set(func.blocks.filter(isWriting))
    const before = predecessors(func)
    if ([...headers].some(header => isAnyBetween(writing, front, header, before))) continue
    const treeNow = dominators(func)
    const isMade = (part: Value) => part.kind !== 'instruction' || treeNow.dominates(part.block, front)
    if (!partsOf(place).every(isMade)) continue
    const pointer = offsetPointer({ block: front, location: first!.location }, root, offset)
    pointer.terms = [...terms]
    const once: LoadInstruction = { ...first!, block: front, pointer }
    front.instructions.splice(-1, 0, pointer, once)
    for (const each of loads) {
      each.block.instructions.splice(each.block.instructions.indexOf(each), 1)
      replaced.set(each, once)
    }
  }
  replaceValues(func.blocks, replaced)
}

/** The block behind which one of the loops runs whatever happens, and in front of which nothing else does. */
function frontOf(
  func: Func,
  headers: ReadonlySet<Block>,
  tree: DominatorTree,
  around: ReadonlySet<Loop>,
): Block | undefined {
  const [header, ...others] = headers
  const before = predecessors(func)
    .get(header!)!
    .filter(each => ![...around].some(({ blocks }) => blocks.has(each)))
  let front = before[0]
  while (front && ![...headers].every(each => tree.dominates(front!, each))) front = tree.immediate(front)
  if (!front || [...around].some(({ blocks }) => blocks.has(front!))) return undefined
  const leadsThere = (block: Block, depth: number): boolean =>
    headers.has(block) ||
    (depth < 4 &&
      !block.instructions.some(mayWrite) &&
      successors(terminatorOf(block)).length > 0 &&
      successors(terminatorOf(block)).every(next => leadsThere(next, depth + 1)))
  const ways = successors(terminatorOf(front))
  if (ways.every(way => leadsThere(way, 0))) return front
  return others.length === 0 && front === before[0] && before.length === 1 ? edgeBlock(func, front, header!) : undefined
}

/** Those that LLVM has made in front of loops, likewise. */
function promotedLoads(func: Func): LoadInstruction[] {
  return func.blocks.flatMap(({ instructions }) => instructions.filter(isPlain).filter(isPromoted))
}

interface Movable {
  readonly store: StoreInstruction
  readonly loop: Loop
}

function firstMovable(func: Func, places: MemoryPlaces): Movable | undefined {
  const tree = dominators(func)
  // The ones inside first.
  for (const loop of loops(func, tree).toReversed())
    for (const block of loop.blocks)
      for (const store of block.instructions)
        if (isPlainStore(store) && !(store.assembled && store.unsure) && isMovable(store, loop, tree, places)) {
          if (!store.assembled) return { store, loop }
          // The optimiser leaves it; ptxas writes short loops out and keeps the last of four.
          store.unsure = true
        }
  return undefined
}

const isPlainStore = (instruction: Instruction): instruction is StoreInstruction =>
  instruction.op === 'store' && isPlainAccess(instruction)

function isMovable(store: StoreInstruction, loop: Loop, tree: DominatorTree, places: MemoryPlaces): boolean {
  const place = places.of(store.pointer)
  if (partsOf(place).some(part => part.kind === 'instruction' && loop.blocks.has(part.block))) return false
  const ends = [...loop.latches, ...waysOut(loop).map(([from]) => from)]
  if (ends.length === loop.latches.length || !ends.every(end => tree.dominates(store.block, end))) return false
  return [...loop.blocks].every(({ instructions }) =>
    instructions.every(each => each === store || !touches(each, store, place, places)),
  )
}

const partsOf = ({ address: { root, terms } }: MemoryPlace): Value[] => [root, ...terms.map(({ index }) => index)]

function waysOut({ blocks }: Loop): [from: Block, to: Block][] {
  return [...blocks].flatMap(from =>
    [...new Set(successors(terminatorOf(from)))]
      .filter(to => !blocks.has(to))
      .map(to => [from, to] satisfies [Block, Block]),
  )
}

/** Whether an instruction may read or write what the store writes. */
function touches(instruction: Instruction, store: StoreInstruction, place: MemoryPlace, places: MemoryPlaces): boolean {
  if (!isAccess(instruction)) return mayWrite(instruction)
  const other = places.of(instruction.pointer)
  if (isApart(other, place)) return false
  return !(isPlainAccess(instruction) && isBeside(other, accessedType(instruction), place, store.value.type))
}

/** A copy of the store where control goes from one block to the other. */
function storeOnWay(
  func: Func,
  store: StoreInstruction,
  from: Block,
  to: Block,
  places: MemoryPlaces,
): StoreInstruction {
  const isOnlyWay = predecessors(func).get(to)!.length === 1
  const block = isOnlyWay ? to : edgeBlock(func, from, to)
  const again: StoreInstruction = { ...store, block }
  const made: Instruction[] = [again]
  if (store.pointer.kind === 'instruction') {
    const { root, offset, terms } = places.of(store.pointer).address
    const pointer = offsetPointer({ block, location: store.location }, root, offset)
    pointer.terms = [...terms]
    again.pointer = pointer
    made.unshift(pointer)
  }
  block.instructions.splice(phisOf(block).length, 0, ...made)
  return again
}

/** Where one way behind a branch stores the same place again, as behind the rounds that loops' other rounds follow, the store is the others'. */
function passBranches(func: Func, store: StoreInstruction, places: MemoryPlaces): void {
  const { block } = store
  const place = places.of(store.pointer)
  const behind = block.instructions.slice(block.instructions.indexOf(store) + 1, -1)
  if (behind.some(each => touches(each, store, place, places))) return
  const ways = [...new Set(successors(terminatorOf(block)))]
  const needing = ways.filter(way => !isStoredAgain(way, store, place, places))
  if (needing.length === ways.length) return
  block.instructions.splice(block.instructions.indexOf(store), 1)
  for (const way of needing) passBranches(func, storeOnWay(func, store, block, way, places), places)
}

/** Whether all ways from the beginning of the block write the place before anything can read it. */
function isStoredAgain(start: Block, store: StoreInstruction, place: MemoryPlace, places: MemoryPlaces): boolean {
  const parts = partsOf(place)
  const seen = new Set<Block>()
  const pending = [start]
  let isStored = false
  for (let block = pending.pop(); block; block = pending.pop()) {
    if (seen.has(block)) continue
    seen.add(block)
    const isOther = parts.some(part => part.kind === 'instruction' && part.block === block)
    if (isOther) return false
    const isAgain = (each: Instruction) =>
      isPlainStore(each) && isSamePlace(places.of(each.pointer), place) && sameType(each.value.type, store.value.type)
    const first = block.instructions.find(each => isAgain(each) || touches(each, store, place, places))
    if (first && !isAgain(first)) return false
    if (first) {
      isStored = true
      continue
    }
    const next = successors(terminatorOf(block))
    if (next.length === 0) return false
    pending.push(...next)
  }
  return isStored
}
