/**
 * Members of aligned structures that the source copies out as they were copied in: `float4 p = a[i]; p.x += d; a[i] = p;`. LLVM of
 * today leaves out to store what it has just loaded; nvcc copies 8 or 16 aligned bytes as one vector, and so loads and stores
 * them whole (machine code of 60 kernels with all vector types of CUDA and structures with `__align__`). Only where a single member
 * of the vector is loaded at all, which is stored back, does it leave that store out (`p.x = p.y = p.z = 0`); and structures that are
 * not aligned so are copied member by member, like ours (`float3`). Nor does it take a vector apart to move a part of it behind a
 * branch: `p = a[i]; if (p.x > n) o[i] = p.y;` is one load of 8 bytes (machine code of 20 kernels).
 * In: a kernel in which scalar replacement has taken copies apart: its loads are named `….copyload`. Out: the members that are left
 * out are loaded and stored as well, and then all of the copy join (mergeAccesses.ts); loads name those that they stay with (sinkValues.ts).
 */
import { load, offsetPointer, type Place, store } from '../../ir/build.ts'
import { dominators, users } from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, StoreInstruction } from '../../ir/ir.ts'
import { I32, sameType, storeBytes } from '../../ir/types.ts'
import { alignAt, decompose, isLocalArray } from '../facts/address.ts'
import { isPlainAccess } from '../facts/memoryEffects.ts'
import { accessedType, MemoryPlaces } from '../facts/places.ts'
import { insertBefore, isBefore, mayWriteBetween } from '../rewriting/blocks.ts'

/** Bytes of what nvcc copies as one. */
const WIDEST = 16
const WORD = 4

interface Member<Access extends LoadInstruction | StoreInstruction> {
  readonly access: Access
  readonly offset: number
  readonly bytes: number
  /** Root and indices; two with one key differ by their offsets. */
  readonly key: string
}

/** What one assignment stores, or one copy loads, of `bytes` aligned bytes at `offset`. */
interface Chunk<Access extends LoadInstruction | StoreInstruction> {
  readonly members: readonly Member<Access>[]
  readonly offset: number
  readonly bytes: number
}

export function keepCopiesWhole(func: Func): void {
  const copied = accessesOf(func, 'load').filter(isCopyLoad)
  if (copied.length === 0) return
  const places = new MemoryPlaces(func)
  const memberOf = <Access extends LoadInstruction | StoreInstruction>(access: Access): Member<Access> => {
    const { address, key } = places.of(access.pointer)
    return { access, offset: address.offset, bytes: storeBytes(accessedType(access)), key }
  }
  const usersOf = users(func)
  const members = copied.filter(({ type, hasSourceType }) => type.kind === 'float' || hasSourceType).map(memberOf)
  for (const each of copied) {
    const { key, offset } = memberOf(each)
    const isBesideMember = members.some(other => other.key === key && Math.abs(other.offset - offset) < WIDEST)
    splitWords(each, usersOf.get(each) ?? [], isBesideMember)
  }
  const loads = accessesOf(func, 'load').filter(isCopyLoad).map(memberOf)
  const keys = new Set(loads.map(({ key }) => key))
  const stores = accessesOf(func, 'store')
    .map(memberOf)
    .filter(({ key }) => keys.has(key))
  const tree = dominators(func)
  for (const chunk of chunksOf(stores, loads)) {
    const first = chunk.members[0]!
    const isInside = ({ key, offset }: Member<LoadInstruction | StoreInstruction>) =>
      key === first.key && offset >= chunk.offset && offset < chunk.offset + chunk.bytes
    const sources = loads.filter(each => isInside(each) && isBefore(each.access, first.access, tree))
    const isStoredElsewhere = stores.some(each => isInside(each) && !chunk.members.includes(each))
    if (sources.length > 0 && !isStoredElsewhere) keepRest(func, chunk, sources)
  }
  const nowUsed = users(func)
  const isUsed = (each: LoadInstruction) => (nowUsed.get(each)?.length ?? 0) > 0
  loadTogether(accessesOf(func, 'load').filter(isCopyLoad).filter(isUsed).map(memberOf))
}

/** Plain ones of global and shared memory. */
const accessesOf = <Op extends 'load' | 'store'>(func: Func, op: Op) =>
  func.blocks.flatMap(({ instructions }) =>
    instructions.filter(
      (each): each is Extract<LoadInstruction | StoreInstruction, { op: Op }> =>
        each.op === op && isPlainAccess(each) && !isLocalArray(decompose(each.pointer).root),
    ),
  )

/** Scalar replacement names them, or at least where they point. */
function isCopyLoad({ name, pointer, type }: LoadInstruction): boolean {
  const isOfCopy = /copyload/.test(name) || (pointer.kind === 'instruction' && /\.sroa_idx/.test(pointer.name))
  return isOfCopy && storeBytes(type) <= WIDEST / 2
}

/** Two words that LLVM copies as one integer become two: members, where those beside them are, which are words of their own. */
function splitWords(whole: LoadInstruction, uses: readonly Instruction[], areMembers: boolean): void {
  if (whole.type.kind !== 'int' || whole.type.bits !== 2 * WORD * 8) return
  const stores = uses.filter(each => each.op === 'store' && isPlainAccess(each) && each.pointer !== whole)
  if (stores.length < uses.length) return
  const words = [0, WORD].map(at => {
    const pointer = offsetPointer(placeOf(whole), whole.pointer, at)
    const word = load(placeOf(whole), I32, pointer, alignAt(whole.align, at))
    word.name = `${whole.name}.copyload`
    if (areMembers) word.hasSourceType = true
    insertBehind(whole, [pointer, word])
    return { at, word }
  })
  remove(whole)
  for (const each of stores as StoreInstruction[]) {
    for (const { at, word } of words) {
      const pointer = offsetPointer(placeOf(each), each.pointer, at)
      const stored = store(placeOf(each), word, pointer, alignAt(each.align, at))
      if (areMembers) stored.hasSourceType = true
      insertBehind(each, [pointer, stored])
    }
    remove(each)
  }
}

/** Members of whole structures, by what is aligned together; a chunk without any is not there. `others` tell of alignments, too. */
function chunksOf<Access extends LoadInstruction | StoreInstruction>(
  members: readonly Member<Access>[],
  others: readonly Member<LoadInstruction>[],
): Chunk<Access>[] {
  const groups = new Map<string, Member<Access>[]>()
  const numbers = new Map<Block, number>()
  for (const each of members) {
    const { location, block } = each.access
    if (!location || (each.access.op === 'store' && each.access.member)) continue
    const number = numbers.get(block) ?? numbers.size
    numbers.set(block, number)
    const key = `${number} ${location.file}:${location.line} ${each.key}`
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  return [...groups.values()].flatMap(group => {
    const ofStructure = [...group, ...others.filter(({ key }) => key === group[0]!.key)]
    const aligned = ofStructure.find(({ access, bytes }) => access.align > bytes)
    if (!aligned) return []
    const bytes = Math.min(WIDEST, aligned.access.align)
    const startOf = ({ offset }: { offset: number }) =>
      aligned.offset + Math.floor((offset - aligned.offset) / bytes) * bytes
    const starts = new Set(group.map(startOf))
    return [...starts].map(offset => ({ offset, bytes, members: group.filter(each => startOf(each) === offset) }))
  })
}

/** `sources`: what was loaded of the chunk, before it is stored. */
function keepRest(
  func: Func,
  { members: stores, offset, bytes }: Chunk<StoreInstruction>,
  sources: readonly Member<LoadInstruction>[],
): void {
  const [first] = stores as [Member<StoreInstruction>]
  const unit = first.bytes
  const at = Array.from({ length: bytes / unit }, (_, index) => offset + index * unit)
  const isIn = (members: readonly Member<LoadInstruction | StoreInstruction>[], place: number) =>
    members.some(each => place >= each.offset && place < each.offset + each.bytes)
  const kept = at.filter(place => !isIn(stores, place))
  const loaded = at.filter(place => isIn(sources, place) || kept.includes(place))
  if (kept.length === 0 || loaded.length < 2 || stores.some(each => each.bytes !== unit)) return
  for (const { access } of [...sources, ...stores]) access.hasSourceType = true
  const [source] = sources as [Member<LoadInstruction>]
  const isQuiet = !mayWriteBetween(func, source.access, first.access)
  const { type } = first.access.value
  const read = (place: number): LoadInstruction => {
    const from = isQuiet ? source : first
    const pointer = offsetPointer(placeOf(from.access), from.access.pointer, place - from.offset)
    const value = load(placeOf(from.access), type, pointer, alignAt(bytes, place - offset))
    value.name = `${source.access.name}.copyload`
    value.hasSourceType = true
    if (isQuiet) insertBehind(source.access, [pointer, value])
    else insertBefore(first.access, [pointer, value])
    return value
  }
  for (const place of kept) {
    const known = sources.find(each => isQuiet && each.offset === place && sameType(each.access.type, type))
    const value = known?.access ?? read(place)
    const pointer = offsetPointer(placeOf(first.access), first.access.pointer, place - first.offset)
    const back = store(placeOf(first.access), value, pointer, alignAt(bytes, place - offset))
    back.hasSourceType = true
    insertBefore(first.access, [pointer, back])
  }
  // The last three of four are loaded as four.
  if (isQuiet && loaded.length === 3 && at.length === 4 && !loaded.includes(offset)) read(offset)
}

const placeOf = ({ block, location }: Instruction): Place => ({ block, location })

/** Names for each load of a copy those that are one vector with it. */
function loadTogether(loads: readonly Member<LoadInstruction>[]): void {
  for (const chunk of chunksOf(loads, [])) {
    const { bytes: unit } = chunk.members[0]!
    const isOfOneKind = new Set(chunk.members.map(({ access }) => access.hasSourceType ?? false)).size === 1
    if (!isOfOneKind || chunk.members.some(({ bytes }) => bytes !== unit)) continue
    const isMost = chunk.bytes === 4 * unit && chunk.members.length >= 3
    const pairOf = ({ offset }: { offset: number }) => Math.floor((offset - chunk.offset) / (2 * unit))
    for (const each of chunk.members) {
      const together = isMost ? chunk.members : chunk.members.filter(other => pairOf(other) === pairOf(each))
      if (together.length === 1) continue
      each.access.together = together.map(({ access }) => access)
    }
  }
}

function insertBehind(instruction: Instruction, made: readonly Instruction[]): void {
  const { instructions } = instruction.block
  instructions.splice(instructions.indexOf(instruction) + 1, 0, ...made)
}

function remove(instruction: Instruction): void {
  instruction.block.instructions.splice(instruction.block.instructions.indexOf(instruction), 1)
}
