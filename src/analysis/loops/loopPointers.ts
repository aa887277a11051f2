/**
 * How aligned ptxas knows places in shared memory to be that a loop goes along: `tile[threadIdx.y][j]`, four rounds at once; `pairs[2 * i]`
 * and `pairs[2 * i + 1]`. nvcc makes one pointer of all places that move together and counts it up (LLVM's loop strength reduction), and
 * ptxas follows it no further than by powers of two. The pointer begins at the place from which the others are told in the fewest bits: of
 * two neighbours at the second (none join), of four at the third (they join by two). Not where the first round's place is a constant, which
 * ptxas follows (sharedPlaces.ts); where LLVM there knows the array to be aligned to 16, it joins them before.
 *
 * PTX of 250 loops. A value with more than five uses keeps its index, which cost 6 of these; why, is not known.
 */
import { isFromOutside, type Loop, loops, predecessors, successors, terminatorOf, type users } from '../../ir/graph.ts'
import type { Func, Instruction, LoadInstruction, StoreInstruction, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'
import { type Address, addressKey, decompose, decomposeLinear, powerOfTwoIn, valueNumbering } from '../facts/address.ts'
import { addedTo } from '../facts/loopSteps.ts'
import { isSharedArray, LINE } from '../facts/sharedPlaces.ts'
import { phisOf } from '../rewriting/blocks.ts'
import { type KnownRounds, knownRounds } from './knownRounds.ts'

type Access = LoadInstruction | StoreInstruction

const MOST_USES = 5

/** What the loop begins with, and what a round adds (loopSteps.ts). */
interface Counter {
  readonly start: Value
  readonly step: number | Value
}

type Counters = ReadonlyMap<Value, Counter>

/** Places that move together. */
interface Row {
  readonly address: Address
  /** Of each access from where all of them are counted, in bytes. */
  readonly offsets: ReadonlyMap<Access, number>
  /** In bytes behind one of which nothing else is told. */
  readonly places: readonly number[]
  /** The same for rows that go as far in a round. */
  readonly step: string
  readonly isByConstant: boolean
  /** How far it goes in a round, where that is a constant. */
  readonly bytes: number | undefined
}

/** Accesses within loops, and what their pointer is a multiple of; those of other places are not in it. */
export function alignmentsInLoops(func: Func, usersOf: ReturnType<typeof users>): ReadonlyMap<Instruction, number> {
  const found = new Map<Instruction, number>()
  const before = predecessors(func)
  for (const loop of loops(func)) {
    if (loop.children.length > 0 || loop.latches.length !== 1 || !hasOneExit(loop)) continue
    const entries = new Set(before.get(loop.header)!.filter(block => !loop.blocks.has(block)))
    if (entries.size !== 1) continue
    placeRows(loop, usersOf, found)
  }
  return found
}

const hasOneExit = ({ blocks }: Loop): boolean =>
  [...blocks].flatMap(block => successors(terminatorOf(block)).filter(next => !blocks.has(next))).length === 1

function placeRows(loop: Loop, usersOf: ReturnType<typeof users>, found: Map<Instruction, number>): void {
  const isLoadKept = (access: Access) => access.op === 'load' && (usersOf.get(access)?.length ?? 0) > MOST_USES
  const rounds = knownRounds(loop)
  const moved = rowsOf(loop)
    .filter(({ address, offsets }) => !isSharedArray(address.root) || ![...offsets.keys()].some(isLoadKept))
    .map(row => withRounds(row, rounds))
    .map(row => ({ ...row, begin: cheapest(row.places) }))
  const isServed = ({ places, begin, isByConstant }: (typeof moved)[number]) =>
    isByConstant && bitsFrom(0, places) <= bitsFrom(begin, places) + 1
  const isCounted = isCountedTo(loop)
  const ownSteps = new Set(moved.filter(row => !isCounted || !isServed(row)).map(({ step }) => step))
  for (const { step, offsets, begin } of moved)
    for (const access of offsets.keys()) found.set(access, powerOfTwoIn(ownSteps.has(step) ? begin : 0))
}

/** As many as nvcc writes out together: the pointer is one for all of them. */
function withRounds(row: Row, rounds: KnownRounds | undefined): Row {
  const { bytes } = row
  if (!rounds || bytes === undefined) return row
  const doubt = () => {
    if (row.places.length > 1) for (const access of row.offsets.keys()) access.unsure = true
  }
  if (rounds.isUnsure) doubt()
  if (rounds.times === Number.POSITIVE_INFINITY) return { ...row, places: [0] }
  const starts = Array.from({ length: rounds.times }, (_, round) => round * bytes)
  const places = starts.flatMap(start => row.places.map(place => start + place))
  // Of places in several rows nvcc may have written out all rounds.
  if (rounds.times > 1 && powerOfTwoIn(cheapest(places)) < LINE) doubt()
  return { ...row, places }
}

/** A loop that a constant ends has a counter already, which serves for what a pointer of its own would save one bit. */
function isCountedTo({ latches: [latch] }: Loop): boolean {
  const last = terminatorOf(latch!)
  if (last.op !== 'condbr' || last.condition.kind !== 'instruction' || last.condition.op !== 'icmp') return false
  return ['eq', 'ne'].includes(last.condition.predicate) && last.condition.right.kind === 'int'
}

/** Those of which nvcc makes pointers. */
function rowsOf(loop: Loop): Row[] {
  const counters = countersOf(loop)
  const idOf = valueNumbering()
  const known = new Map<Value, boolean>()
  const found = new Map<string, { readonly address: Address; readonly offsets: Map<Access, number> }>()
  for (const block of loop.blocks)
    for (const access of block.instructions) {
      if ((access.op !== 'load' && access.op !== 'store') || isOfVector(access)) continue
      const address = decomposeLinear(access.pointer, value => value)
      const { root, offset, terms } = address
      if (!isPlainShared(address) && !counters.has(root)) continue
      if (![root, ...terms.map(({ index }) => index)].every(each => isLinear(each, loop, counters, known))) continue
      const key = addressKey(address, idOf)
      const row = found.get(key) ?? { address, offsets: new Map() }
      row.offsets.set(access, offset)
      found.set(key, row)
    }
  return [...found.values()].flatMap(({ address, offsets }) => {
    const places = placesOf(address, [...new Set(offsets.values())], loop, counters)
    const moving = address.terms.filter(({ index }) => !isFromOutside(index, loop.blocks))
    const step = moving.map(({ index, scale }) => `${idOf(index)}x${scale}`).sort()
    const isByConstant = moving.every(({ index }) => typeof counters.get(index)?.step === 'number')
    const bytes = moving.reduce((sum, { index, scale }) => sum + scale * Number(counters.get(index)?.step), 0)
    return places
      ? [{ address, offsets, places, step: step.join('+'), isByConstant, bytes: isByConstant ? bytes : undefined }]
      : []
  })
}

/** A part of a vector, which LLVM here takes apart and nvcc loads whole. */
const isOfVector = (access: Access): boolean => access.op === 'load' && /\.sroa\./.test(access.name)

/** Undefined where no pointer is made. */
function placesOf(
  { root, terms }: Address,
  offsets: readonly number[],
  loop: Loop,
  counters: Counters,
): readonly number[] | undefined {
  const moving = terms.filter(({ index }) => !isFromOutside(index, loop.blocks))
  const pointer = counters.get(root)
  if (!pointer && moving.length === 0) return undefined
  if (moving.some(({ index }) => countersIn(index, loop, counters).some(({ step }) => isOfGrid(step)))) return undefined
  // The program's own pointer, counted up by a constant, is as good as another one.
  if (pointer && typeof pointer.step === 'number' && moving.length === 0 && Math.min(...offsets) === 0) return undefined
  const first = pointer ? decompose(pointer.start) : undefined
  const isConstant =
    moving.length === terms.length &&
    moving.every(({ index }) => isOfConstants(counters.get(index)?.start)) &&
    (!first || (first.terms.length === 0 && isSharedArray(first.root)))
  if (isConstant) return undefined
  const start = moving.reduce((sum, { index, scale }) => {
    const counter = counters.get(index)
    return counter ? sum + scale * constantPart(counter.start) : sum
  }, first?.offset ?? 0)
  return offsets.map(offset => offset + start)
}

/** Whether a value goes up by the same in every round. `known`: of values that were met before. */
function isLinear(value: Value, loop: Loop, counters: Counters, known: Map<Value, boolean>): boolean {
  if (isFromOutside(value, loop.blocks) || counters.has(value)) return true
  if (value.kind !== 'instruction' || !['add', 'sub', 'mul', 'shl'].includes(value.op)) return false
  const before = known.get(value)
  if (before !== undefined) return before
  const operands = operandsOf(value)
  const isFixed = (operand: Value | undefined) => operand !== undefined && isFromOutside(operand, loop.blocks)
  const isScaled = value.op === 'shl' ? isFixed(operands[1]) : value.op !== 'mul' || operands.some(isFixed)
  const found = isScaled && operands.every(each => isLinear(each, loop, counters, known))
  known.set(value, found)
  return found
}

/** Of what a linear value is made. */
function countersIn(value: Value, loop: Loop, counters: Counters, met = new Set<Value>()): Counter[] {
  const counter = counters.get(value)
  if (counter) return [counter]
  if (value.kind !== 'instruction' || isFromOutside(value, loop.blocks) || met.has(value)) return []
  met.add(value)
  return operandsOf(value).flatMap(each => countersIn(each, loop, counters, met))
}

/**
 * Where the pointer begins: of the first, the last and the middle place, and of none where that is one, at the one from which the offsets
 * of all have the fewest bits; of equals at the one that needs no addition, or the last.
 */
function cheapest(places: readonly number[]): number {
  const all = [...new Set([0, ...places])].sort((a, b) => a - b)
  const [first, last] = [all[0]!, all.at(-1)!]
  const middle = all.find(place => 2 * place >= first + last) ?? last
  const candidates = [0, last, middle, first]
  return candidates.reduce((best, each) => (bitsFrom(each, places) < bitsFrom(best, places) ? each : best))
}

const bitsFrom = (begin: number, places: readonly number[]): number =>
  places.reduce((sum, place) => sum + (place === begin ? 0 : signedBits(place - begin)), 0)

/** Of a number in two's complement. */
const signedBits = (value: number): number => 1 + Math.ceil(Math.log2(value < 0 ? -value : value + 1))

function countersOf(loop: Loop): Map<Value, Counter> {
  const {
    header,
    latches: [latch],
    blocks,
  } = loop
  const counters = new Map<Value, Counter>()
  for (const phi of phisOf(header)) {
    const start = phi.incoming.find(({ block }) => !blocks.has(block))?.value
    const next = phi.incoming.find(({ block }) => block === latch)?.value
    const step = next && addedTo(phi, next)
    if (start && step !== undefined && (typeof step === 'number' || isFromOutside(step, blocks)))
      counters.set(phi, { start, step })
  }
  return counters
}

/** A number, or what a counter in front of the loop leaves of one: the rounds before those that are written out. */
function isOfConstants(start: Value | undefined, met = new Set<Value>()): boolean {
  if (start?.kind === 'int') return true
  if (start?.kind !== 'instruction' || !['phi', 'add'].includes(start.op)) return false
  if (met.has(start)) return true
  met.add(start)
  return operandsOf(start).every(operand => isOfConstants(operand, met))
}

/** Found from the sizes of block and grid: nvcc reads them in every round, so that they are no constants of the loop to it. */
function isOfGrid(step: number | Value): boolean {
  if (typeof step === 'number' || step.kind !== 'instruction') return false
  if (step.op === 'call') return true
  return step.op !== 'phi' && operandsOf(step).some(isOfGrid)
}

/** What is added to an integer's unknown parts. */
function constantPart(value: Value): number {
  if (value.kind === 'int') return Number(BigInt.asIntN(32, value.value))
  if (value.kind !== 'instruction') return 0
  switch (value.op) {
    case 'add':
      return constantPart(value.left) + constantPart(value.right)
    case 'sub':
      return constantPart(value.left) - constantPart(value.right)
    case 'shl':
      return value.right.kind === 'int' ? constantPart(value.left) * 2 ** Number(value.right.value) : 0
    case 'mul':
      return value.right.kind === 'int' ? constantPart(value.left) * constantPart(value.right) : 0
    case 'zext':
    case 'sext':
      return constantPart(value.value)
    default:
      return 0
  }
}

function isPlainShared({ root }: Address): boolean {
  return isSharedArray(root) && !root.target.external && root.target.align < LINE
}
