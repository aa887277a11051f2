/**
 * What is found from the number of the block. In: a kernel. Out: of each value, from which of its coordinates, and whether from memory too. An
 * address that has nothing of them is the same for all blocks; one that comes from memory may be any: a table's, a vector's that rows of a
 * matrix choose from.
 */
import { calledName } from '../../ir/graph.ts'
import type { Func, Instruction, Value } from '../../ir/ir.ts'

/** Bits: the coordinates x, y and z. */
export const ALL_AXES = 7
export const FROM_MEMORY = 8
/** Of an address of which nothing is known. */
export const ANY_AXES = ALL_AXES | FROM_MEMORY

/** Values without an entry have nothing of it. */
export function blockAxes(func: Func, usersOf: ReadonlyMap<Value, readonly Instruction[]>): ReadonlyMap<Value, number> {
  const axes = new Map<Value, number>()
  for (const { instructions } of func.blocks)
    for (const instruction of instructions) {
      const own = ownAxes(instruction)
      if (own !== 0) axes.set(instruction, own)
    }
  const changed = new Set<Value>(axes.keys())
  for (const value of changed) {
    changed.delete(value)
    const given = axes.get(value)!
    for (const user of usersOf.get(value) ?? []) {
      const before = axes.get(user) ?? 0
      if (touchesMemory(user) || (before | given) === before) continue
      axes.set(user, before | given)
      changed.add(user)
    }
  }
  return axes
}

function ownAxes(instruction: Instruction): number {
  if (touchesMemory(instruction)) return FROM_MEMORY
  const [, axis] = /^llvm\.nvvm\.read\.ptx\.sreg\.ctaid\.([xyz])$/.exec(calledName(instruction) ?? '') ?? []
  return axis ? 1 << 'xyz'.indexOf(axis) : 0
}

/** What is in memory is not told from where it lies. */
const touchesMemory = ({ op }: Instruction): boolean =>
  op === 'load' || op === 'store' || op === 'atomicrmw' || op === 'cmpxchg'
