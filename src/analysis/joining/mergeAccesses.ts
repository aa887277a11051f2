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
import type {
  AllocaInstruction,
  Block,
  Func,
  Instruction,
  LoadInstruction,
  StoreInstruction,
  Type,
  Value,
} from '../../ir/ir.ts'
import { isSameLine } from '../../ir/readMetadata.ts'
import { sameType, storeBytes } from '../../ir/types.ts'
import {
  type Address,
  addressKey,
  decompose,
  decomposeLinear,
  isLocalArray,
  knownMultiple,
  multipleOf,
  powerOfTwoIn,
  valueNumbering,
} from '../facts/address.ts'
import type { SharedLayout } from '../facts/layout.ts'
import { isBranchingFunction, partsMachineCode } from '../facts/machineBranches.ts'
import {
  isArgumentOfLaunch,
  isExchange,
  isPlainAccess,
  isRelaxedAtomic,
  isVolatileAccess,
  mayWrite,
} from '../facts/memoryEffects.ts'
import { areApart, type Touched } from '../facts/places.ts'
import {
  congruenceOfPlace,
  elementOffset,
  isSharedArray,
  isWideShared,
  LINE,
  variableOffset,
} from '../facts/sharedPlaces.ts'
import { inferSpaces, type PointerSpace } from '../facts/spaces.ts'
import { alignmentsInLoops } from '../loops/loopPointers.ts'
import { MOVED } from '../lowering/takeVectorsApart.ts'
import { replaceValues } from '../rewriting/blocks.ts'
import { givenUp } from './vectorizerChains.ts'

const WIDEST = LINE
const WORD = 4
/** What ptxas joins of bytes and shorts. */
const PTXAS_WIDEST = 8

/** Of what lies at known places side by side. */
const VARIABLES = 'shared variables'

type Access = LoadInstruction | StoreInstruction

interface Candidate {
  readonly access: Access
  readonly at: number
  readonly offset: number
  readonly bytes: number
  readonly address: Address
  /** Of a shared variable: `offset` is from the beginning of shared memory. */
  readonly isVariable: boolean
  /** Of a row that a loop goes along: what ptxas knows its pointer to be a multiple of (loopPointers.ts). */
  readonly pointerAlign: number
  /** What it touches. */
  readonly touched: Touched
  /** What stands before it in the block and parts it from earlier ones, for nvcc's LLVM and for ptxas: branches, and for ptxas other accesses. */
  readonly before: { readonly ofLlvm: number; readonly ofPtxas: number; readonly accesses: number }
  /** Of the block, in order: the stores, and for a store all other accesses. */
  readonly passed: readonly Passed[]
  /** Of those of its width at its address but for the offset. */
  readonly key: string
  /** LLVM has no chain with its neighbours (vectorizerChains.ts). */
  isGivenUp?: true
  /** What LLVM knows of its alignment by the first of its neighbours. */
  chainAlign?: number
}

/** A function's own tables (of a sine) stand behind its branches. */
const WITHIN_FUNCTION = { ofLlvm: -1, ofPtxas: -1 }

type SpacesOf = (pointer: Value) => ReadonlySet<PointerSpace>

/** Accesses that become one, in the order of their addresses, and where the one begins: at the first of them, or an element before. */
interface Window {
  readonly members: readonly Candidate[]
  readonly offset: number
}

/** Accesses at one address but for the offset. */
interface Run {
  readonly spaces: ReadonlySet<PointerSpace>
  readonly members: Candidate[]
}

/** An access that others may have to be apart from, and its place in the block. */
interface Passed {
  readonly at: number
  readonly touched: Touched
}

/** Of more accesses between two nobody asks whether they are apart. */
const MOST_PASSED = 200

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
    for (const window of findWindows(block, 'load', surroundings)) {
      alignArray(window.members[0]!, windowBytes(window))
      const whole = mergeLoads(block, window, replaced, made)
      if (wasMoved(window.members)) moved.push(whole)
    }
    if (made.size > 0)
      block.instructions = block.instructions.flatMap(each => made.get(each) ?? (replaced.has(each) ? [] : [each]))
    const stored = new Map<Instruction, readonly Instruction[]>()
    for (const window of findWindows(block, 'store', surroundings)) {
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

/** What is known of a block's accesses. */
interface Surroundings {
  readonly spacesOf: SpacesOf
  readonly shared: SharedLayout
  readonly inLoop: ReturnType<typeof alignmentsInLoops>
}

/** Two or more accesses each that form one aligned window, in block order. */
function findWindows(block: Block, op: 'load' | 'store', { spacesOf, shared, inLoop }: Surroundings): Window[] {
  const runs: (readonly Candidate[])[] = []
  const idOf = valueNumbering()
  const open = new Map<string, Run>()
  let branches = { ofLlvm: 0, ofPtxas: 0 }
  /** Those that `goOn` are in another. */
  const endRun = (key: string, goOn: (member: Candidate) => boolean = () => false): void => {
    const run = open.get(key)
    open.delete(key)
    if (run === undefined) return
    const behind = run.members.filter(goOn)
    runs.push(run.members.filter(member => !behind.includes(member)))
    if (behind.length > 0) open.set(key, { spaces: run.spaces, members: behind })
  }
  /** Runs that may lie in these memories end. */
  const close = (spaces?: ReadonlySet<PointerSpace>): void => {
    for (const [key, run] of open) if (!spaces || isInOneOf(spaces, run)) endRun(key)
  }
  const closeOthers = (space: PointerSpace): void => {
    for (const [key, run] of open) if (run.spaces.size > 1 || !run.spaces.has(space)) endRun(key)
  }
  const touchedBy = (access: Access): Touched & { isVariable: boolean } => {
    const bytes = storeBytes(accessType(access))
    const place = decomposeLinear(access.pointer, value => value)
    const variable = variableOffset(place, shared)
    const address = variable === undefined ? place : { ...place, offset: variable + place.offset }
    const key = variable === undefined ? addressKey(address, idOf) : VARIABLES
    const spaces = spacesOf(access.pointer)
    return { place: { address, key, spaces }, bytes, member: access.member, isVariable: variable !== undefined }
  }
  const passed: Passed[] = []
  /** How many so far may be in each memory: ptxas moves no others past them but those of their own run. */
  const counts = new Map<PointerSpace, number>()
  const passedIn = (spaces: ReadonlySet<PointerSpace>): number =>
    [...spaces].reduce((sum, space) => sum + (counts.get(space) ?? 0), 0)
  const pass = (at: number, touched: Touched): void => {
    passed.push({ at, touched })
    for (const space of touched.place.spaces) counts.set(space, (counts.get(space) ?? 0) + 1)
  }
  /** Whether it may be another word than it was at a place of the block. */
  const isChangedSince = (place: number, { at, touched }: Candidate): boolean =>
    passed.slice(firstBehind(passed, place), firstBehind(passed, at)).some(other => !areApart(touched, other.touched))
  const isInOneOf = (spaces: ReadonlySet<PointerSpace>, run: Run) => [...spaces].some(space => run.spaces.has(space))

  block.instructions.forEach((instruction, at) => {
    if (partsMachineCode(instruction))
      branches = { ofLlvm: branches.ofLlvm + (isBranchingFunction(instruction) ? 1 : 0), ofPtxas: branches.ofPtxas + 1 }
    if (instruction.op === op && isSimple(instruction)) {
      const touched = touchedBy(instruction)
      const { spaces } = touched.place
      const element = touched.isVariable ? undefined : elementOffset(touched.place.address, shared)
      const isVariable = touched.isVariable || element !== undefined
      const { address: own } = touched.place
      const address = element === undefined ? own : { ...own, offset: own.offset + element }
      const key = `${touched.bytes}:${element === undefined ? touched.place.key : VARIABLES}`
      const before = open.get(key)?.members ?? []
      const again = before.find(({ offset }) => offset === address.offset)
      if (again) endRun(key, member => op === 'load' && isChangedSince(again.at, member))
      const run = open.get(key) ?? { spaces, members: [] }
      open.set(key, run)
      const accesses = passedIn(spaces) - (op === 'store' ? spaces.size * run.members.length : 0)
      run.members.push({
        access: instruction,
        at,
        offset: address.offset,
        bytes: touched.bytes,
        address,
        isVariable,
        pointerAlign: inLoop.get(instruction) ?? WIDEST,
        touched,
        key,
        before: { ...(isBranchingFunction(instruction) ? WITHIN_FUNCTION : branches), accesses },
        passed,
      })
      if (op === 'store') pass(at, touched)
    } else if (isPlainAccess(instruction)) {
      if (op === 'load' && instruction.op === 'load') return
      pass(at, touchedBy(instruction))
    } else if (isRelaxedAtomic(instruction) || isVolatileAccess(instruction)) close(spacesOf(instruction.pointer))
    else if (isExchange(instruction)) closeOthers('shared')
    else if (mayWrite(instruction)) close()
  })
  close()
  giveUp(runs)
  return runs.flatMap(windowsOf)
}

/** Marks what LLVM there joins with none, where a place is accessed more than once. */
function giveUp(runs: readonly (readonly Candidate[])[]): void {
  const byKey = new Map<string, { readonly candidate: Candidate; readonly run: number }[]>()
  for (const [run, members] of runs.entries())
    for (const candidate of members)
      if (!candidate.isVariable) {
        const all = byKey.get(candidate.key)
        if (all) all.push({ candidate, run })
        else byKey.set(candidate.key, [{ candidate, run }])
      }
  for (const all of byKey.values()) {
    if (new Set(all.map(({ candidate }) => candidate.offset)).size === all.length) continue
    const inOrder = all.sort((a, b) => a.candidate.at - b.candidate.at)
    const linked = inOrder.map(({ candidate: { offset, bytes }, run }) => ({ offset, bytes, run }))
    for (const at of givenUp(linked)) inOrder[at]!.candidate.isGivenUp = true
  }
}

function isSimple(access: Access): boolean {
  const type = accessType(access)
  return (
    isPlainAccess(access) &&
    !isArgumentOfLaunch(access.pointer) &&
    // A truth value (in a structure that a function returns) is less than its byte: a vector of such has another form in memory.
    ((type.kind === 'int' && type.bits % 8 === 0) || type.kind === 'float' || type.kind === 'pointer') &&
    storeBytes(type) <= 8
  )
}

function accessType(access: Access): Type {
  return access.op === 'load' ? access.type : access.value.type
}

/** Cuts a run of equal-width accesses into aligned windows of at most 16 bytes, each with at least two accesses. */
function windowsOf(run: readonly Candidate[]): Window[] {
  const sorted = [...run].sort((a, b) => a.offset - b.offset)
  const windows: Window[] = []
  const single: Candidate[] = []
  alignByFirst(sorted)
  if (readsCast(sorted)) for (const { access } of sorted) access.unsure = true
  for (const kind of [sorted.filter(each => !isPadding(each)), sorted.filter(isPadding)]) {
    for (let first = 0; first < kind.length; ) {
      const window = widestWindow(kind, first)
      if (window.members.length > 1) windows.push(window)
      else single.push(...window.members)
      first += window.members.length
    }
  }
  return [...windows, ...pairsOf(single.sort((a, b) => a.offset - b.offset))]
}

/** Accesses side by side, of more than 16 bytes, are as aligned as the first of them tells (PTX of 30 kernels). */
function alignByFirst(sorted: readonly Candidate[]): void {
  for (let first = 0, end: number; first < sorted.length; first = end) {
    const leader = sorted[first]!
    end = first + 1
    while (end < sorted.length && sorted[end]!.offset === sorted[end - 1]!.offset + leader.bytes) end++
    const stretch = sorted.slice(first, end)
    if (stretch.length * leader.bytes <= WIDEST || stretch.some(each => each.isVariable || each.isGivenUp)) continue
    if (leader.access.align <= leader.bytes || !mayMeet(stretch)) continue
    for (const each of stretch.slice(1))
      each.chainAlign = Math.min(leader.access.align, powerOfTwoIn(each.offset - leader.offset))
  }
}

/**
 * What nvcc copies of a structure beside its members, up to its alignment: LLVM here copies an integer there, LLVM there a few bytes that
 * become a load when it has joined the others. ptxas does not tell it apart, and joins shared memory by itself.
 */
function isPadding({ access, address: { root } }: Candidate): boolean {
  if (access.hasSourceType || (isSharedArray(root) && root.target.align < LINE)) return false
  const value = access.op === 'load' ? access : access.value
  return value.kind === 'instruction' && value.op === 'load' && isPlainCopy(value)
}

const isPlainCopy = ({ name, type, hasSourceType }: LoadInstruction): boolean =>
  type.kind === 'int' && !hasSourceType && /\.copyload$/.test(name)

/** Neighbours of 4 bytes each, of whatever kind, that make 8 aligned bytes. */
function pairsOf(sorted: readonly Candidate[]): Window[] {
  const pairs: Window[] = []
  for (let at = 0; at + 1 < sorted.length; at++) {
    const [first, second] = [sorted[at]!, sorted[at + 1]!]
    if (first.bytes !== 4 || second.offset !== first.offset + 4 || alignmentOf(first) < 8) continue
    if (!areTogether([first, second], 8)) continue
    pairs.push({ members: [first, second], offset: first.offset })
    at++
  }
  return pairs
}

function widestWindow(sorted: readonly Candidate[], first: number): Window {
  const start = sorted[first]!
  const { offset } = start
  for (let bytes = widestOf(start); bytes > start.bytes; bytes /= 2) {
    const end = offset + bytes
    const members = sorted.slice(first).filter(({ offset, bytes: width }) => offset + width <= end)
    const isAligned = alignmentOf(start) >= bytes && areTogether(members, bytes)
    if (isAligned && members.length === bytes / start.bytes) return { members, offset }
    if (isAligned && start.access.op === 'load' && mayReadMore(start, bytes) && isThreeOfFour(members, bytes))
      return { members, offset }
    if (isAligned && members.every(isStructureLoad) && 4 * members.length >= 3 * (bytes / start.bytes))
      return { members, offset }
  }
  return lastThreeOfFour(sorted.slice(first, first + 3)) ?? { members: [start], offset }
}

/** Words of shared memory, which ptxas joins, also where the first of the four is missing (machine code of 20 kernels). */
function lastThreeOfFour(members: readonly Candidate[]): Window | undefined {
  const [{ access, address, bytes, offset, isVariable, pointerAlign }] = members as [Candidate]
  if (pointerAlign < WIDEST) return undefined
  if (access.op !== 'load' || bytes !== WORD || members.length < 3) return undefined
  const isSecond = isVariable ? offset % WIDEST === WORD : isSecondOfLine(address.root, access)
  if (!isSecond) return undefined
  const areNeighbours = members.every((member, at) => member.offset === offset + at * WORD)
  return areNeighbours && areTogether(members, WIDEST, WORD) ? { members, offset: offset - WORD } : undefined
}

function isSecondOfLine(root: Value, { pointer }: Access): boolean {
  if (!isWideShared(root)) return false
  const { modulus, residue } = congruenceOfPlace(decompose(pointer))
  return modulus === WIDEST && residue === WORD
}

/**
 * Whether no branch of the machine's stands between them: LLVM joins what it sees to be aligned to the whole, ptxas, when quotients
 * have become branches, what it sees to be (`tile[k] / x` in a loop is four loads, an array with `__align__(16)` one). LLVM moves them past
 * accesses that are apart, ptxas past none of the same memory (`s[2 * t] += x; s[2 * t + 1] += x` is two loads of a plain array; 30 kernels).
 * `skipped`: bytes of the whole before the first of them.
 */
function areTogether(inside: readonly Candidate[], bytes: number, skipped = 0): boolean {
  const [first] = inside as [Candidate, ...Candidate[]]
  const { before } = first
  if (inside.some(other => other.before.ofLlvm !== before.ofLlvm)) return false
  const isOfPtxas = (other: Candidate) =>
    other.before.ofPtxas === before.ofPtxas && other.before.accesses === before.accesses
  if (inside.some(({ isGivenUp }) => isGivenUp))
    return alignmentOfPlace(decompose(first.access.pointer)) >= bytes && inside.every(isOfPtxas)
  return alignmentStated(first, skipped) >= bytes ? mayMeet(inside) : inside.every(isOfPtxas)
}

/** Loads meet at the first of them, stores at the last: what is between must be apart from each that passes it. */
function mayMeet(inside: readonly Candidate[]): boolean {
  const places = inside.map(({ at }) => at)
  const [first, last] = [Math.min(...places), Math.max(...places)]
  const [{ access, passed }] = inside as [Candidate, ...Candidate[]]
  const between = passed.slice(firstBehind(passed, first), firstBehind(passed, last))
  if (between.length > MOST_PASSED) return false
  const passes = (member: Candidate, other: Passed) =>
    access.op === 'load' ? other.at < member.at : other.at > member.at
  return between.every(other =>
    inside.every(member => !passes(member, other) || areApart(member.touched, other.touched)),
  )
}

/** The index of the first that stands behind a place of the block. */
function firstBehind(passed: readonly Passed[], place: number): number {
  let [low, high] = [0, passed.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (passed[middle]!.at > place) high = middle
    else low = middle + 1
  }
  return low
}

/** What LLVM there sees of the place so many bytes before: of an array of shared memory as it is declared. */
function alignmentStated(candidate: Candidate, skipped: number): number {
  const { access, isVariable } = candidate
  if (isVariable) return 1
  const { root, offset, terms } = decompose(access.pointer)
  if (isLocalArray(root)) return alignmentOf(candidate)
  const stated = skipped === 0 ? Math.max(access.align, candidate.chainAlign ?? 1) : 1
  if (!isSharedArray(root)) return stated
  const declared = root.target.external ? WIDEST : root.target.align
  const place = congruenceOfPlace({ root, offset: offset - skipped, terms })
  return Math.max(stated, Math.min(declared, multipleOf(place)))
}

/** Behind a local array there may be nothing to read. */
function mayReadMore({ address: { root, offset, terms } }: Candidate, bytes: number): boolean {
  if (!isLocalArray(root)) return true
  return root.bytes % bytes === 0 || (terms.length === 0 && offset + bytes <= root.bytes)
}

/** The first and two others of four words; the first three of four smaller elements, which LLVM joins. */
function isThreeOfFour(inside: readonly Candidate[], bytes: number): boolean {
  const [first] = inside
  const isElement = ({ offset }: Candidate, at: number) =>
    first!.bytes < WORD ? offset === first!.offset + at * first!.bytes : (offset - first!.offset) % first!.bytes === 0
  return inside.length === 3 && bytes === 4 * first!.bytes && inside.every(isElement)
}

/**
 * What is known of the address: by clang, and from the array that it points into. ptxas looks at each index by itself, so that
 * `s[m - t][t]` in rows of 17 words is not known to be at an even one for even `m` (machine code of 21 kernels; reading: rod-nw).
 */
function alignmentOf({ access, address, isVariable: isShared, pointerAlign, chainAlign = 1 }: Candidate): number {
  if (isShared) return powerOfTwoIn(address.offset)
  return Math.max(access.align, chainAlign, Math.min(pointerAlign, alignmentOfPlace(decompose(access.pointer))))
}

/**
 * Bytes and shorts in shared arrays that are aligned to less than a word, as they are unless declared otherwise, are not joined by
 * LLVM, and by ptxas not beyond 8 bytes: loads of halves, and stores of both (machine code of 50 kernels; readings: histogram64Kernel,
 * whose bytes at a counter of fours are loaded one by one, hec-scan). Of halves no more than four are loaded together in any. Of variables
 * that are no arrays ptxas stores shorts together and loads neither (5 kernels). The bytes of a copy stay bytes, and its shorts become 8 bytes
 * at most: LLVM there makes them when it joins no more (11 kernels: `memcpy(shared, p, 16)` is sixteen stores).
 */
function widestOf(candidate: Candidate): number {
  const { access, address, bytes, isVariable } = candidate
  const { root } = address
  if (access.isPiece && bytes < WORD) return bytes === 1 ? 1 : PTXAS_WIDEST
  if (isVariable) return bytes >= WORD || (bytes === 2 && access.op === 'store') ? WIDEST : bytes
  if (bytes >= WORD || isStructureLoad(candidate) || !isSharedArray(root)) return WIDEST
  const isLoadOfHalf = access.op === 'load' && accessType(access).kind === 'float'
  if (isLoadOfHalf) return PTXAS_WIDEST
  if (access.align > bytes || root.target.external || root.target.align >= WORD) return WIDEST
  return access.op === 'store' && bytes === 2 ? PTXAS_WIDEST : bytes
}

/** Ways on ways that are followed. */
const WAYS_DEEP = 4

/**
 * 1 where nothing is known of the array. An address that depends on the way is as aligned as the least of its ways; one that a loop counts
 * up, as where it starts and as its steps (machine code of 50 loops over `*p++`, `p += 8`, `p += 4 * n`, of pointers that a loop exchanges
 * or that branches count up).
 * @param met the addresses whose ways were followed, each once; @param depth how many lead here
 */
function alignmentOfPlace({ root, offset, terms }: Address, met = new Set<Value>(), depth = 0): number {
  let known = WIDEST
  if (isLocalArray(root)) known = Math.max(root.align, depth === 0 ? alignmentGiven(root) : 1)
  else if (root.kind === 'instruction' && (root.op === 'phi' || root.op === 'select')) {
    if (met.has(root)) return alignmentOfOffset({ offset, terms })
    if (depth === WAYS_DEEP) return 1
    met.add(root)
    const ways = root.op === 'phi' ? root.incoming.map(({ value }) => value) : [root.ifTrue, root.ifFalse]
    known = Math.min(...ways.map(way => alignmentOfPlace(decompose(way), met, depth + 1)))
  } else if (isWideShared(root)) known = WIDEST
  else if (root.kind === 'address' && root.target.kind === 'global') known = root.target.align
  else return 1
  if (isWideShared(root)) return multipleOf(congruenceOfPlace({ root, offset, terms }))
  return Math.min(known, alignmentOfOffset({ offset, terms }))
}

/** Of a place, as far as its distance from where its root is tells. */
function alignmentOfOffset({ offset, terms }: Pick<Address, 'offset' | 'terms'>): number {
  return terms.reduce(
    (least, { index, scale }) => Math.min(least, powerOfTwoIn(scale * knownMultiple(index))),
    powerOfTwoIn(offset),
  )
}

/**
 * What a local array is aligned to where accesses want it: 16 bytes if it has a multiple of them, and an odd number of bytes to nothing
 * (machine code of 60 arrays; reading: base64e, 65 stores of a byte).
 */
function alignmentGiven({ bytes }: AllocaInstruction): number {
  if (bytes % 2 === 1) return 1
  return bytes % WIDEST === 0 ? WIDEST : WIDEST / 2
}

/** Local arrays are placed as accesses of them want it, as LLVM there does. */
function alignArray({ address: { root } }: Candidate, bytes: number): void {
  if (isLocalArray(root)) root.align = Math.max(root.align, bytes)
}

function isStructureLoad({ access }: Candidate): boolean {
  return access.op === 'load' && /copyload/.test(access.name)
}

/**
 * Loads of parts of a shared array's elements (`((unsigned char *)words)[i]`), some of which could be joined: those where another element
 * begins are written another way there, and some are loaded by themselves beside the joined ones (machine code of 40 kernels, of which no
 * rule holds for all).
 */
function readsCast(sorted: readonly Candidate[]): boolean {
  const [{ access, address, offset: first, bytes }] = sorted as [Candidate]
  if (access.op !== 'load' || !isSharedArray(address.root)) return false
  const { type } = address.root.target
  const element = type.kind === 'array' ? storeBytes(elementOfAll(type)) : bytes
  if (bytes >= element || !sorted.some(({ offset }, at) => at > 0 && (offset - first) % element === 0)) return false
  return sorted.some((each, at) => at > 0 && each.offset === sorted[at - 1]!.offset + bytes)
}

function elementOfAll(type: Type): Type {
  return type.kind === 'array' ? elementOfAll(type.element) : type
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
