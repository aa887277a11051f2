/**
 * In which order a batch of computations (instructions.ts) is emitted: four lanes through all instructions, so that values in
 * between stay in registers, or all lanes through one instruction after the other, so that words that several groups of lanes
 * read are read once. The second is better for the product of two tiles that are narrower than a warp: half of its loads go.
 */
import { operandsOf } from '../../ir/graph.ts'
import type { Instruction, Value } from '../../ir/ir.ts'
import { type DeferredLoad, wordsOf } from '../accesses/deferredLoads.ts'
import type { KernelContext } from '../kernelContext.ts'
import { halvesOf, heldAs, leavesOf } from '../operations/operations.ts'
import { GROUPS } from '../values/storage.ts'

/** Loads that must go, as a share of everything that a batch does. */
const WORTH = 0.25
/** Values of all lanes that registers hold beside what is loaded. */
const MOST_ALIVE = 1

/** Whether all lanes should go through one instruction after the other. */
export function isBetterInTurn(
  context: KernelContext,
  batch: readonly Instruction[],
  loads: ReadonlyMap<Instruction, DeferredLoad>,
): boolean {
  if (loads.size === 0) return false
  let all = 0
  let spared = 0
  for (const instruction of batch) {
    const load = loads.get(instruction)
    const parts = partsOf(instruction)
    if (parts === undefined) return false
    all += parts
    if (load) spared += parts - distinctParts(load, instruction)
  }
  return spared >= WORTH * all && mostAlive(context, batch, loads) <= MOST_ALIVE
}

/** Vectors of four lanes that an instruction makes; undefined for flags, which are kept otherwise. */
function partsOf({ type }: Instruction): number | undefined {
  let parts = 0
  for (const leaf of leavesOf(type)) {
    const held = heldAs(leaf)
    if (!held || held.kind === 'flag') return undefined
    parts += GROUPS * halvesOf(held)
  }
  return parts
}

function distinctParts(load: DeferredLoad, instruction: Instruction): number {
  const halves = halvesOf(heldAs(load.access.elementType)!)
  const known = new Set<string>()
  let parts = 0
  leavesOf(instruction.type).forEach((_, leaf) => {
    for (let group = 0; group < GROUPS; group++)
      for (let half = 0; half < halves; half++) {
        const words = wordsOf(load, leaf, group, half)
        if (words === undefined) parts++
        else known.add(words)
      }
  })
  return parts + known.size
}

/** Values that are needed at one time, but for what is loaded: each takes eight registers. */
function mostAlive(
  { shapes, values }: KernelContext,
  batch: readonly Instruction[],
  loads: ReadonlyMap<Instruction, DeferredLoad>,
): number {
  const isLoaded = (value: Value): boolean =>
    value.kind === 'instruction' &&
    (loads.has(value) ||
      (value.op === 'extractvalue' && isLoaded(value.aggregate)) ||
      (value.op === 'extractelement' && isLoaded(value.vector)))
  const members = new Set<Value>(batch)
  const lastUse = new Map<Value, number>()
  batch.forEach((instruction, at) => {
    for (const value of operandsOf(instruction))
      if (value.kind === 'instruction' && shapes.shapeOf(value).kind === 'varying' && !isLoaded(value))
        lastUse.set(value, at)
  })
  for (const instruction of batch)
    if (!isLoaded(instruction) && values.usersOfValue(instruction).some(user => !members.has(user)))
      lastUse.set(instruction, batch.length)
  const alive = new Set<Value>([...lastUse.keys()].filter(value => !members.has(value)))
  let most = alive.size
  batch.forEach((instruction, at) => {
    for (const value of alive) if (lastUse.get(value)! <= at) alive.delete(value)
    if (lastUse.has(instruction) && lastUse.get(instruction)! > at) alive.add(instruction)
    most = Math.max(most, alive.size)
  })
  return most
}
