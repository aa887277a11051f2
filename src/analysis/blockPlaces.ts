/**
 * What is found from the number of the block. In: a kernel. Out: its values that depend on it by arithmetic. An address that is not among them
 * is the same for all blocks, or comes from memory and may be any: a table's, a vector's that rows of a matrix choose from.
 */
import type { Func, Instruction, Value } from '../ir/ir.ts'
import { coordinateName } from './address.ts'

export function foundFromBlock(func: Func, usersOf: ReadonlyMap<Value, readonly Instruction[]>): ReadonlySet<Value> {
  const isBlockNumber = (value: Instruction) => /\.ctaid\./.test(coordinateName(value) ?? '')
  const found = new Set<Value>(func.blocks.flatMap(({ instructions }) => instructions.filter(isBlockNumber)))
  for (const value of found)
    for (const user of usersOf.get(value) ?? []) if (user.op !== 'load' && user.op !== 'store') found.add(user)
  return found
}
