/**
 * What a thread reads of what others write in the same launch, as values that spread in place do (labels of components, distances of a
 * search, edges that grow): what it finds there depends on who came first. In: a prepared kernel. Out: the loads and stores of global and
 * shared memory whose address or number depends on such a value.
 *
 * A thread's own place is one that it also stores to, by an address that nothing in memory decides (`a[i] = f(a[i])`, exchanges of
 * `a[i]` and `a[i ^ j]`). Readings: unseen14's hysteresis, labels of components and spreading clusters (robo-01.06, 01.13, 02.12, 30.01).
 */
import { addressKey, decompose, valueNumbering } from '../../analysis/facts/address.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Instruction, LoadInstruction, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'
import { isAtomic, spreadOf } from './fromAtomics.ts'

export function accessesDecidedByOthers(program: KernelProgram): ReadonlySet<Instruction> {
  const read = loadsOfOthers(program)
  if (read.length === 0) return new Set()
  const { placed, repeated } = accessesDecidedBy(program, spreadOf(program.kernel, read))
  return new Set([...placed, ...repeated])
}

/** Accesses that values decide about. */
export interface DecidedAccesses {
  /** Where they are. */
  readonly placed: ReadonlySet<Instruction>
  /** Whether, how often and by which lanes they are made. */
  readonly repeated: ReadonlySet<Instruction>
}

/** @param loopsEnd what stands behind a loop is done however long that goes on, by the same lanes */
export function accessesDecidedBy(
  { kernel, siteIds }: KernelProgram,
  values: ReadonlySet<Value>,
  loopsEnd = false,
): DecidedAccesses {
  const isAccess = (each: Instruction) => siteIds.has(each)
  const isPlaced = (each: Instruction) => (each.op === 'load' || each.op === 'store') && values.has(each.pointer)
  const branches = kernel.blocks.filter(block => {
    const last = terminatorOf(block)
    const condition = last.op === 'condbr' ? last.condition : last.op === 'switch' ? last.value : undefined
    return condition && values.has(condition)
  })
  const accesses = kernel.blocks.flatMap(({ instructions }) => instructions.filter(isAccess))
  const dependent = new Set(branches.flatMap(branch => decidedBy(branch, loopsEnd)))
  return {
    placed: new Set(accesses.filter(isPlaced)),
    repeated: new Set(accesses.filter(({ block }) => dependent.has(block))),
  }
}

/** Loads of global memory that the kernel writes, from places that are not this thread's own. */
export function loadsOfOthers({ kernel, siteIds }: KernelProgram): LoadInstruction[] {
  const instructions = kernel.blocks.flatMap(block => block.instructions)
  const isGlobal = (each: Instruction) => siteIds.get(each)?.global !== undefined
  const idOf = valueNumbering()
  const rootOf = (pointer: Value) => addressKey({ root: decompose(pointer).root, offset: 0, terms: [] }, idOf)
  const placeOf = (pointer: Value) => {
    const address = decompose(pointer)
    return `${addressKey(address, idOf)}+${address.offset}`
  }
  const written = new Set<string>()
  const own = new Set<string>()
  for (const each of instructions) {
    if ((each.op !== 'store' && !isAtomic(each)) || !isGlobal(each)) continue
    const { pointer } = each as { pointer: Value }
    written.add(rootOf(pointer))
    if (each.op === 'store' && !isFromMemory(pointer)) own.add(placeOf(pointer))
  }
  return instructions.filter(
    (each): each is LoadInstruction =>
      each.op === 'load' && isGlobal(each) && written.has(rootOf(each.pointer)) && !own.has(placeOf(each.pointer)),
  )
}

/** Whether an address is computed from what was loaded; the pointer that it starts from may be. */
function isFromMemory(pointer: Value): boolean {
  const seen = new Set<Value>()
  const reads = (value: Value): boolean => {
    if (value.kind !== 'instruction' || seen.has(value)) return false
    seen.add(value)
    return value.op === 'load' || isAtomic(value) || operandsOf(value).some(reads)
  }
  return decompose(pointer).terms.some(({ index }) => reads(index))
}

/** The blocks of which the branch decides whether, or how often, they run: those that one way out leads to and another does not. */
function decidedBy(branch: Block, loopsEnd: boolean): Block[] {
  const ways = [...new Set(successors(terminatorOf(branch)))].map(way => reachedFrom(way, branch))
  const goingRound = ways.filter(way => way.has(branch))
  if (loopsEnd && goingRound.length > 0) return goingRound.flatMap(way => [...way])
  const all = new Set(ways.flatMap(way => [...way]))
  return [...all].filter(block => !ways.every(way => way.has(block)))
}

function reachedFrom(start: Block, end: Block): Set<Block> {
  const reached = new Set<Block>()
  const pending = [start]
  for (let block = pending.pop(); block; block = pending.pop()) {
    if (reached.has(block)) continue
    reached.add(block)
    if (block !== end) pending.push(...successors(terminatorOf(block)))
  }
  return reached
}
