/**
 * Which accesses of a run become one: aligned windows of 2 to 16 bytes that they fill, or fill but for a gap that may be loaded too. In: a
 * run. Out: windows, each with the accesses that it stands for, no access in two. LLVM's chains are looked for first; what they leave
 * over is paired as ptxas does.
 */
import type { LoadInstruction, Type, Value } from '../../ir/ir.ts'
import { storeBytes } from '../../ir/types.ts'
import { decompose, isLocalArray, powerOfTwoIn } from '../facts/address.ts'
import { areApart } from '../facts/places.ts'
import { congruenceOfPlace, isSharedArray, isWideShared, LINE } from '../facts/sharedPlaces.ts'
import { alignmentOf, alignmentOfPlace, alignmentStated, isStructureLoad, widestOf } from './accessAlignments.ts'
import { type Access, type Candidate, firstBehind, type Passed, WIDEST, WORD } from './accessRuns.ts'

/** Accesses that become one, in the order of their addresses, and where the one begins: at the first of them, or an element before. */
export interface Window {
  readonly members: readonly Candidate[]
  readonly offset: number
}

/** Of more accesses between two nobody asks whether they are apart. */
const MOST_PASSED = 200

/** Cuts a run of equal-width accesses into aligned windows of at most 16 bytes, each with at least two accesses. */
export function windowsOf(run: readonly Candidate[]): Window[] {
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
