/**
 * What one launch wrote in an order that differs from run to run (elements that atomics gave their places, values that spread in place)
 * decides in later launches what they access: which pixels a list names, how a partition falls. In: a run's launches, in order. Out: the
 * doubts of each that come from those before it. Readings: `hec-quicksort` and `hec-marchingCubes`, whose later launches differ.
 *
 * Followed are arrays that kernels get by pointer, whole allocations, and device variables; not what the host carries over or copies in part, nor
 * what is reached through pointers in memory.
 */
import { decompose } from '../../analysis/facts/address.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import type { AtomicRmwInstruction, CmpxchgInstruction, Global, Instruction, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'
import { SPACE } from '../../ir/types.ts'
import type { SiteCounters } from '../../trace.ts'
import { type Doubt, type DoubtfulSpace, doubtOf, writesGlobal } from './doubts.ts'
import { isAtomic, spreadOf, valuesFromAtomics } from './fromAtomics.ts'
import { accessesDecidedBy, type DecidedAccesses, loadsOfOthers } from './fromOthers.ts'

type AtomicInstruction = AtomicRmwInstruction | CmpxchgInstruction

/** An argument of the kernel, by its position, or a variable. */
type Source = number | Global

export interface OrderedLaunch {
  readonly program: KernelProgram
  /** For each argument what it points into, by identity; absent where it is no pointer into device memory. */
  readonly arguments?: readonly (object | undefined)[]
  readonly outcome: { readonly sites: readonly Readonly<SiteCounters>[] }
}

/** The arrays of a run, of which some hold what depends on an order. */
export class InheritedOrder {
  readonly #arrays = new Set<object>()

  /** Of the next launch. */
  doubtsOf(launch: OrderedLaunch): readonly Doubt[] {
    const flow = flowOf(launch.program)
    const arrayOf = (source: Source) => (typeof source === 'number' ? launch.arguments?.[source] : source)
    const unsettled = flow.read.filter(source => {
      const array = arrayOf(source)
      return array !== undefined && this.#arrays.has(array)
    })
    const left = [...flow.written, ...unsettled.flatMap(each => [...flow.passedOn(each)])]
    for (const source of writesGlobal(launch.program, launch.outcome.sites) ? left : []) {
      const array = arrayOf(source)
      if (array) this.#arrays.add(array)
    }
    const decisions = DECISIONS.filter(decision => unsettled.some(source => flow.decides(source, decision)))
    return decisions.map(({ space, what }) => doubtOf(CAUSE, space, what))
  }
}

interface OrderFlow {
  readonly read: readonly Source[]
  /** Of what depends on this kernel's own order. */
  readonly written: ReadonlySet<Source>
  /** What depends on an array's order when this kernel has run. */
  passedOn(source: Source): ReadonlySet<Source>
  /** Whether what an array holds decides so about accesses. */
  decides(source: Source, decision: Decision): boolean
}

interface Decision {
  readonly space: DoubtfulSpace
  readonly what: 'places' | 'everything'
}

const CAUSE = 'an earlier launch left its elements in an order that differs from run to run'
const DECISIONS: readonly Decision[] = (['global', 'shared'] as const).flatMap(space => [
  { space, what: 'places' },
  { space, what: 'everything' },
])

const known = new WeakMap<object, OrderFlow>()

function flowOf(program: KernelProgram): OrderFlow {
  let flow = known.get(program.kernel)
  if (!flow) known.set(program.kernel, (flow = makeFlow(program)))
  return flow
}

function makeFlow(program: KernelProgram): OrderFlow {
  const { kernel } = program
  const instructions = kernel.blocks.flatMap(block => block.instructions)
  const loads = new Map<Source, Instruction[]>()
  for (const each of instructions)
    if (each.op === 'load')
      for (const source of sourcesOf(each.pointer)) loads.set(source, [...(loads.get(source) ?? []), each])
  const parts = new Map<Source, Spread>()
  const spreadFrom = (source: Source): Spread => {
    let part = parts.get(source)
    if (!part) parts.set(source, (part = spreadOver(program, spreadOf(kernel, loads.get(source) ?? []))))
    return part
  }
  const own = new Set([...valuesFromAtomics(program), ...spreadOf(kernel, loadsOfOthers(program))])
  return {
    read: [...loads.keys()],
    written: own.size > 0 ? spreadOver(program, own).written : new Set(),
    passedOn: source => spreadFrom(source).written,
    decides: (source, { space, what }) => {
      const { placed, repeated } = spreadFrom(source)
      return [...(what === 'places' ? placed : repeated)].some(each => program.siteIds.get(each)?.[space] !== undefined)
    },
  }
}

interface Spread extends DecidedAccesses {
  /** The arrays that the values are stored to, or decide the stores to. */
  readonly written: ReadonlySet<Source>
}

function spreadOver(program: KernelProgram, values: ReadonlySet<Value>): Spread {
  const { placed, repeated } = accessesDecidedBy(program, values)
  const isDecided = (each: Instruction) => placed.has(each) || repeated.has(each)
  const places = program.kernel.blocks.flatMap(({ instructions }) =>
    instructions.flatMap(each => {
      if (each.op === 'store') return values.has(each.value) || isDecided(each) ? [each.pointer] : []
      return isAtomic(each) && isDecided(each) && isProbing(program, each) ? [each.pointer] : []
    }),
  )
  return { placed, repeated, written: new Set(places.flatMap(place => [...sourcesOf(place)])) }
}

/** Whether a loop goes from place to place by the atomic, as a hash table's insertion does; what tries again stays at one. */
function isProbing({ kernel, loops }: KernelProgram, { pointer, block }: AtomicInstruction): boolean {
  const at = kernel.blocks.indexOf(block)
  const around = loops.filter(({ first, last }) => first <= at && at <= last)
  const seen = new Set<Value>()
  const moves = (value: Value): boolean => {
    if (value.kind !== 'instruction' || seen.has(value)) return false
    seen.add(value)
    const place = kernel.blocks.indexOf(value.block)
    if (!around.some(({ first, last }) => first <= place && place <= last)) return false
    return value.op === 'phi' || operandsOf(value).some(moves)
  }
  return moves(pointer)
}

/** What of global memory a pointer may point into. */
function sourcesOf(pointer: Value): Set<Source> {
  const sources = new Set<Source>()
  const seen = new Set<Value>()
  const pending = [pointer]
  for (let value = pending.pop(); value; value = pending.pop()) {
    const { root } = decompose(value)
    if (seen.has(root)) continue
    seen.add(root)
    if (root.kind === 'parameter') sources.add(root.index)
    else if (root.kind === 'address' && root.target.kind === 'global') {
      if (root.target.space !== SPACE.shared) sources.add(root.target)
    } else if (root.kind === 'instruction' && root.op === 'phi') pending.push(...root.incoming.map(each => each.value))
    else if (root.kind === 'instruction' && root.op === 'select') pending.push(root.ifTrue, root.ifFalse)
  }
  return sources
}
