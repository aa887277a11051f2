/**
 * Joins what LLVM splits and the GPU's compiler would join: neighbouring loads or stores of one thread in one block become
 * one vector access of 2 to 16 bytes, as LLVM's load-store vectoriser does for NVPTX (FRONTEND.md, "Keeping memory
 * instructions"): same address but for the offset, same element size, contiguous, first one aligned to the whole, nothing
 * between that could write (for loads) or touch (for stores) the same memory: what `v[i].x += a` stores is not what `v[i].y += a`
 * loads (machine code of 15 such kernels; reading: lcp-07-nbody). Another memory may be used between, by atomics too (PTX:
 * ld.shared.v2 of values that go to global memory one by one; reading: hec-bitpermute; machine code of 12 kernels that add a shared
 * histogram to a global one). It joins floats with integers (machine code of 60
 * kernels with structures of both), but not with what a copy moves behind the members, and
 * fills the gap of three loaded elements, the first among them, to four (reading: aos_soa, accessAligned, loads of 16 + 4 bytes;
 * machine code of 17 kernels with vectors of every width). What it leaves over,
 * ptxas joins to pairs of 8 bytes (the same launch's stores, 8 + 8). Arrays of 16 bytes and more are aligned to 16 (LLVM's
 * preferred alignment; reading: limits, matmul, whose rows of shared memory are read 16 bytes at a time), and so is dynamic
 * shared memory (PTX: `.extern .shared .align 16`; reading: hec-hwt1d).
 * The loads that scalar replacement leaves of one structure (`….copyload`) are one access too, a gap filled: a float4 of which x, y
 * and w are used is 16 bytes; ptxas makes two loads of it where only x and w are (machine code of 25 such kernels). A structure whose
 * type is not aligned so stays what it is: four ints are four loads (reading: hec-nbnxm).
 * Indices are taken apart through products (`s[3 * i + k]`, `p[2 * i]`), with a sign or without, as LLVM there does (machine code of
 * 14 loops).
 * Neither compiler joins across what it has made a branch of (machineBranches.ts; reading: eigenvalues, whose loop divides).
 * ptxas knows where shared variables lie: those of a word or two are joined as elements of one array would be (machine code of 10
 * kernels: `a = x; b = y;` is one store).
 */
import { buildVector, cast, extractElement, load, offsetPointer, type Place, store, vectorOf } from '../../ir/build.ts'
import { users } from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, StoreInstruction, Type, Value } from '../../ir/ir.ts'
import { isSameLine } from '../../ir/readMetadata.ts'
import { sameType } from '../../ir/types.ts'
import { isLocalArray } from '../facts/address.ts'
import type { SharedLayout } from '../facts/layout.ts'
import { inferSpaces } from '../facts/spaces.ts'
import { alignmentsInLoops } from '../loops/loopPointers.ts'
import { MOVED } from '../lowering/takeVectorsApart.ts'
import { replaceValues } from '../rewriting/blocks.ts'
import { accessType, type Candidate, findRuns } from './accessRuns.ts'
import { type Window, windowsOf } from './accessWindows.ts'

/**
 * `shared`: where the shared variables lie, which must not change afterwards. Returns the loads that are copies of structures and
 * that LLVM had moved to where ways meet (returnLoads.ts).
 */
export function mergeAccesses(func: Func, shared: SharedLayout): LoadInstruction[] {
  const spacesOf = inferSpaces(func)
  const usersOf = users(func)
  const inLoop = alignmentsInLoops(func, usersOf)
  const moved: LoadInstruction[] = []
  const replaced = new Map<Value, Value>()
  for (const block of func.blocks) {
    const surroundings = { spacesOf, shared, inLoop }
    const made = new Map<Instruction, readonly Instruction[]>()
    for (const window of findRuns(block, 'load', surroundings).flatMap(windowsOf)) {
      alignArray(window.members[0]!, windowBytes(window))
      const whole = mergeLoads(block, window, replaced, made)
      if (wasMoved(window.members)) moved.push(whole)
    }
    if (made.size > 0)
      block.instructions = block.instructions.flatMap(each => made.get(each) ?? (replaced.has(each) ? [] : [each]))
    const stored = new Map<Instruction, readonly Instruction[]>()
    for (const window of findRuns(block, 'store', surroundings).flatMap(windowsOf)) {
      alignArray(window.members[0]!, windowBytes(window))
      mergeStores(block, window, stored)
    }
    if (stored.size > 0) block.instructions = block.instructions.flatMap(each => stored.get(each) ?? [each])
  }
  replaceValues(func.blocks, replaced)
  return moved
}

/**
 * LLVM names the pointer of such a load after its value. Those of a structure's members are all behind the copy's own pointer, those
 * of single elements behind the first of them. Those of vectors say so (takeVectorsApart.ts).
 */
function wasMoved(group: readonly Candidate[]): boolean {
  return group.some(({ access: { op, name, pointer } }) => {
    if (op === 'load' && name.endsWith(`${MOVED}.copyload`)) return true
    if (op !== 'load' || pointer.kind !== 'instruction' || pointer.op !== 'gep' || !/\.sroa\./.test(name)) return false
    const { base } = pointer
    return pointer.name === `${name}.in` && base.kind === 'instruction' && !base.name.endsWith('.in')
  })
}

/** Local arrays are placed as accesses of them want it, as LLVM there does. */
function alignArray({ address: { root } }: Candidate, bytes: number): void {
  if (isLocalArray(root)) root.align = Math.max(root.align, bytes)
}

function windowBytes({ members, offset }: Window): number {
  const last = members.at(-1)!
  let { bytes } = last
  while (offset + bytes < last.offset + last.bytes) bytes *= 2
  return bytes
}

/** `replaced`: gets what the loads' values are now; `placed`: what stands in the place of the first of them. */
function mergeLoads(
  block: Block,
  window: Window,
  replaced: Map<Value, Value>,
  placed: Map<Instruction, readonly Instruction[]>,
): LoadInstruction {
  const { members: group, offset: start } = window
  const lowest = group[0]!
  const earliest = group.reduce((a, b) => (b.at < a.at ? b : a)).access as LoadInstruction
  const place: Place = { block, location: earliest.location }
  const element = elementType(group)
  const length = windowBytes(window) / lowest.bytes
  const earliestOffset = group.find(({ access }) => access === earliest)!.offset
  const pointer = offsetPointer(place, earliest.pointer, start - earliestOffset)
  const whole = load(place, vectorOf(element, length), pointer, windowBytes(window))
  whole.name = lowest.access.name
  if (group.some(({ access }) => access.narrowed)) whole.narrowed = true
  if (group.some(({ access }) => access.unsure)) whole.unsure = true
  const made: Instruction[] = [pointer, whole]
  for (const { access, offset, bytes } of group) {
    let value: Instruction = extractElement(place, whole, (offset - start) / bytes, element)
    made.push(value)
    if (!sameType(access.type, element)) made.push((value = reinterpret(place, value, access.type)))
    replaced.set(access, value)
  }
  placed.set(earliest, made)
  return whole
}

/** `placed`: gets what stands in the place of each store. */
function mergeStores(block: Block, window: Window, placed: Map<Instruction, readonly Instruction[]>): void {
  const { members: group, offset: start } = window
  const latest = group.reduce((a, b) => (b.at > a.at ? b : a)).access as StoreInstruction
  const place: Place = { block, location: latest.location }
  const element = elementType(group)
  const latestOffset = group.find(({ access }) => access === latest)!.offset
  const made: Instruction[] = []
  const values = group.map(({ access }) => {
    const value = (access as StoreInstruction).value
    if (sameType(value.type, element)) return value
    const converted = reinterpret(place, value, element)
    made.push(converted)
    return converted
  })
  const vector = buildVector(place, values, made)
  const pointer = offsetPointer(place, latest.pointer, start - latestOffset)
  const whole = store(place, vector, pointer, windowBytes(window))
  if (group.some(({ access }) => access.narrowed)) whole.narrowed = true
  if (group.some(({ access }) => access.unsure)) whole.unsure = true
  if (!group.every(({ access }) => isSameLine(access.location, latest.location))) whole.ofSeveral = true
  made.push(pointer, whole)
  for (const { access } of group) placed.set(access, access === latest ? made : [])
}

/** The type of the first, or plain integers where the group mixes kinds (a structure of a float and an int). */
function elementType(group: readonly Candidate[]): Type {
  const first = accessType(group[0]!.access)
  return group.every(({ access }) => sameType(accessType(access), first)) && first.kind !== 'pointer'
    ? first
    : { kind: 'int', bits: group[0]!.bytes * 8 }
}

function reinterpret(place: Place, value: Value, type: Type): Instruction {
  const op = type.kind === 'pointer' ? 'inttoptr' : value.type.kind === 'pointer' ? 'ptrtoint' : 'bitcast'
  return cast(place, op, type, value)
}
