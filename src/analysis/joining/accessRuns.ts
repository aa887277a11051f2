/**
 * Accesses of a block that are at one address but for the offset, with nothing between them that could change what they do. In: a block, loads
 * or stores. Out: runs of candidates, each with all that decides which of them become one: where it is, what it touches, what stands before
 * it for each of the two compilers. What may be between, and the readings for it, are in mergeAccesses.ts.
 */
import type { Block, LoadInstruction, StoreInstruction, Type, Value } from '../../ir/ir.ts'
import { storeBytes } from '../../ir/types.ts'
import { type Address, addressKey, decomposeLinear, valueNumbering } from '../facts/address.ts'
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
import { elementOffset, LINE, variableOffset } from '../facts/sharedPlaces.ts'
import type { PointerSpace } from '../facts/spaces.ts'
import type { alignmentsInLoops } from '../loops/loopPointers.ts'
import { givenUp } from './vectorizerChains.ts'

export const WIDEST = LINE
export const WORD = 4

/** Of what lies at known places side by side. */
const VARIABLES = 'shared variables'

export type Access = LoadInstruction | StoreInstruction

export interface Candidate {
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

/** Accesses at one address but for the offset. */
interface Run {
  readonly spaces: ReadonlySet<PointerSpace>
  readonly members: Candidate[]
}

/** An access that others may have to be apart from, and its place in the block. */
export interface Passed {
  readonly at: number
  readonly touched: Touched
}

/** What is known of a block's accesses. */
interface Surroundings {
  readonly spacesOf: SpacesOf
  readonly shared: SharedLayout
  readonly inLoop: ReturnType<typeof alignmentsInLoops>
}

/** Of one width each, in block order. */
export function findRuns(
  block: Block,
  op: 'load' | 'store',
  { spacesOf, shared, inLoop }: Surroundings,
): (readonly Candidate[])[] {
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
  return runs
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

export function accessType(access: Access): Type {
  return access.op === 'load' ? access.type : access.value.type
}

/** The index of the first that stands behind a place of the block. */
export function firstBehind(passed: readonly Passed[], place: number): number {
  let [low, high] = [0, passed.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (passed[middle]!.at > place) high = middle
    else low = middle + 1
  }
  return low
}
