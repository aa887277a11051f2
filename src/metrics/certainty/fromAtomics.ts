/**
 * What follows from an atomic's result, which tells who came first: addresses and conditions that differ from run to run.
 * In: a prepared kernel. Out: values.
 */
import { decompose, isLocalArray, isSameRoot } from '../../analysis/facts/address.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { users } from '../../ir/graph.ts'
import type {
  AtomicRmwInstruction,
  CmpxchgInstruction,
  Func,
  Instruction,
  StoreInstruction,
  Value,
} from '../../ir/ir.ts'

export const isAtomic = (each: Instruction): each is AtomicRmwInstruction | CmpxchgInstruction =>
  each.op === 'atomicrmw' || each.op === 'cmpxchg'

/** All that is computed from what atomics returned. */
export function valuesFromAtomics({ kernel }: KernelProgram): ReadonlySet<Value> {
  return spreadOf(kernel, kernel.blocks.flatMap(block => block.instructions).filter(isAtomic))
}

/**
 * The values and all that is computed from them, also through variables in memory that have a name, or are the thread's own. Where such a value is an
 * address, what lies there is another matter.
 */
export function spreadOf(kernel: Func, from: readonly Value[]): ReadonlySet<Value> {
  const instructions = kernel.blocks.flatMap(block => block.instructions)
  const usersOf = users(kernel)
  const pending = [...from]
  const seen = new Set<Value>(pending)
  for (let value = pending.pop(); value; value = pending.pop()) {
    for (const user of usersOf.get(value) ?? []) {
      const readers = user.op === 'store' && user.value === value ? loadsOf(user, instructions) : [user]
      for (const reader of readers) {
        if (seen.has(reader) || isAtomic(reader) || (reader === user && user.op === 'load')) continue
        seen.add(reader)
        pending.push(reader)
      }
    }
  }
  return seen
}

/** The loads of the variable that is stored to. */
function loadsOf({ pointer }: StoreInstruction, instructions: readonly Instruction[]): Instruction[] {
  const { root } = decompose(pointer)
  if (!isLocalArray(root) && (root.kind !== 'address' || root.target.kind !== 'global')) return []
  return instructions.filter(each => each.op === 'load' && isSameRoot(decompose(each.pointer).root, root))
}
