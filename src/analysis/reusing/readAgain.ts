/**
 * Values that the source reads again: `temp[ai] = temp[bi]; temp[bi] += t;` loads `temp[bi]` twice on the machine, since the store
 * may have changed it. LLVM of today sees that a store of the very value changes nothing (MemoryDependenceAnalysis,
 * canSkipClobberingStore); nvcc's does not (machine code of nvcc 13.0, sm_90: scans, `b[i] = a[i]; c[i] = a[i] * a[i];`).
 * A variable that keeps the value looks the same in IR, so the source decides. In: a module as clang made it, and the sources.
 * Out: a load again in front of each first use behind such a store that stands where the source reads the memory; stores that the
 * source reads the value for again are marked, since nvcc joins stores of branches before it knows the value (joinStores.ts).
 */
import { loops, operandsOf, predecessors, replaceOperands } from '../../ir/graph.ts'
import type {
  Block,
  Func,
  Instruction,
  LoadInstruction,
  Location,
  Module,
  StoreInstruction,
  Value,
} from '../../ir/ir.ts'
import { SPACE, storeBytes } from '../../ir/types.ts'
import { constantDistance, decompose, isSameRoot } from '../facts/address.ts'
import { isPlainAccess, mayWrite } from '../facts/memoryEffects.ts'
import {
  endOfMemoryText,
  type LinesOf,
  linesOf,
  memoryTextAt,
  readsInStatement,
  readsMemory,
  readsText,
} from '../facts/sourceTexts.ts'
import { isAnyBetween } from '../rewriting/blocks.ts'

/** @param sources text by the names that locations use */
export function loadWhatIsReadAgain(module: Module, sources: ReadonlyMap<string, string>): void {
  const lines = linesOf(sources)
  for (const func of module.functions)
    for (const block of func.blocks) {
      for (const load of block.instructions.filter(isPlainLoad)) loadAgain(func, block, load, lines)
      markRereads(block, lines)
    }
}

/** Stores of what another block loaded, where the source reads the memory again for them (`if (a[i] > q) s[t] = a[i];`). */
function markRereads({ instructions }: Block, lines: LinesOf): void {
  for (const each of instructions)
    if (each.op === 'store' && each.location && each.value.kind === 'instruction' && isPlainLoad(each.value))
      if (each.value.block !== each.block && isReadFor(each.value, each.location, lines)) each.readsAgain = true
}

/** Of loads that LLVM made one of several there is no place. */
function isReadFor({ location }: LoadInstruction, statement: Location, lines: LinesOf): boolean {
  const text = memoryTextAt(location, lines)
  return text === undefined ? readsMemory(statement, lines) : readsInStatement(statement, text, lines)
}

const isPlainLoad = (instruction: Instruction): instruction is LoadInstruction =>
  instruction.op === 'load' && isPlainAccess(instruction)

/** Uses that the source does not read again keep the first value: another thread may have written there in between. */
function loadAgain(func: Func, block: Block, load: LoadInstruction, lines: LinesOf): void {
  const start = block.instructions.indexOf(load)
  if (!block.instructions.slice(start + 1).some(each => each.op === 'store' && each.value === load)) return
  const text = memoryTextAt(load.location, lines)
  if (!load.location || text === undefined) return
  const loaded = { ...load.location, column: endOfMemoryText(load.location, lines) }
  let current: LoadInstruction = load
  /** From there on to read is to read again. */
  let from: Location | undefined
  let isStoredSince = false
  for (let at = start + 1; at < block.instructions.length; at++) {
    const instruction = block.instructions[at]!
    const { location } = instruction
    if (from && location && operandsOf(instruction).includes(load)) {
      const isOnLineOfAgain = current !== load && current.location?.line === location.line
      if (isOnLineOfAgain || readsText(from, location, text, lines)) {
        if (isStoredSince) {
          current = { ...load, location }
          block.instructions.splice(at++, 0, current)
          isStoredSince = false
          from = { ...location, line: location.line + 1, column: 1 }
        }
        replaceOperands(instruction, value => (value === load ? current : value))
      }
    }
    if (!mayWrite(instruction)) continue
    if (instruction.op !== 'store') return
    if (areApart(load, instruction)) continue
    if ((instruction.value !== load && instruction.value !== current) || instruction.pointer === load.pointer) return
    isStoredSince = true
    from = location && isBefore(loaded, location) ? location : loaded
  }
  if (from && isStoredSince) loadAgainBehind(func, block, load, { from, text, lines })
}

interface Reading {
  /** From there on to read is to read again. */
  readonly from: Location
  readonly text: string
  readonly lines: LinesOf
}

/**
 * Uses in the blocks behind: one load in each that reads it. Not where something else may have been written on the way, behind which
 * LLVM has the value in a variable, nor in loops, out of which nvcc moves the load where nothing is written.
 */
function loadAgainBehind(func: Func, block: Block, load: LoadInstruction, reading: Reading): void {
  const isUse = (each: Instruction) => each.op !== 'phi' && operandsOf(each).includes(load)
  const using = func.blocks.filter(other => other !== block && other.instructions.some(isUse))
  if (using.length === 0) return
  const mayChange = (each: Instruction) => mayWrite(each) && (each.op !== 'store' || !areApart(load, each))
  const writing = new Set(func.blocks.filter(({ instructions }) => instructions.some(mayChange)))
  const before = predecessors(func)
  const inOtherLoops = loops(func).filter(({ blocks }) => !blocks.has(block))
  for (const other of using) {
    const first = other.instructions.findIndex(isUse)
    const { location } = other.instructions[first]!
    if (!location || !readsText(reading.from, location, reading.text, reading.lines)) continue
    if (inOtherLoops.some(({ blocks }) => blocks.has(other)) || isAnyBetween(writing, block, other, before)) continue
    if (other.instructions.slice(0, first).some(mayChange)) continue
    const again: LoadInstruction = { ...load, block: other, location }
    for (const each of other.instructions)
      if (each.op !== 'phi') replaceOperands(each, value => (value === load ? again : value))
    other.instructions.splice(first, 0, again)
  }
}

const isBefore = (a: Location, b: Location): boolean => a.line < b.line || (a.line === b.line && a.column < b.column)

/** Whether both compilers know that the store is not to what was loaded. */
function areApart(load: LoadInstruction, { pointer, value }: StoreInstruction): boolean {
  const [a, b] = [decompose(load.pointer), decompose(pointer)]
  if (!isSameRoot(a.root, b.root)) {
    const [first, second] = [placeOf(a.root), placeOf(b.root)]
    return first === 'alone' || second === 'alone' || (first === 'variable' && second === 'variable')
  }
  const distance = constantDistance(a, b)
  return distance !== undefined && (distance >= storeBytes(load.type) || -distance >= storeBytes(value.type))
}

/** `alone`: nothing else points there. */
function placeOf(root: Value): 'alone' | 'variable' | 'anywhere' {
  if (root.kind === 'instruction' && root.op === 'alloca') return 'alone'
  if (root.kind === 'parameter' && root.noalias) return 'alone'
  if (root.kind !== 'address' || root.target.kind !== 'global') return 'anywhere'
  // nvcc tells shared memory from what arguments point to.
  return root.target.space === SPACE.shared ? 'alone' : 'variable'
}
