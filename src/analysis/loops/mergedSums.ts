/**
 * `for (…) if (k == 0) { …; s[i] = x; } else { …; s[i] += x; }`, where the branches stay: both compilers make one store of the two
 * behind them. LLVM of today does so first and then keeps the sum in a register for the whole loop; nvcc's has looked for such sums
 * before, and goes on loading and storing in each round. Where the branches become a choice, both keep it (PTX of 10 loops;
 * reading: `hec-dslash`). In: a kernel with LLVM's names (`storemerge`, `….promoted`). Out: such sums in memory again.
 */
import { load, store } from '../../ir/build.ts'
import { type Loop, loops, users } from '../../ir/graph.ts'
import type { Func, Instruction, LoadInstruction, PhiInstruction, StoreInstruction, Value } from '../../ir/ir.ts'
import { isPromoted } from '../facts/knownValues.ts'
import { isPlainAccess } from '../facts/memoryEffects.ts'
import { insertBefore, phisOf, replaceUses } from '../rewriting/blocks.ts'

export function storeMergedSums(func: Func): void {
  const usersOf = users(func)
  for (const loop of loops(func))
    for (const carried of phisOf(loop.header)) {
      const sum = mergedSum(carried, loop, usersOf)
      if (sum) backToMemory(func, sum)
    }
}

type UsersOf = ReturnType<typeof users>

interface MergedSum {
  /** At the loop's start: what was loaded in front, then what the last round made. */
  readonly carried: PhiInstruction
  readonly load: LoadInstruction
  /** What either branch stores. */
  readonly merged: PhiInstruction
  readonly behind: StoreInstruction
  /** Where the loop needs what it has; the first of them. */
  readonly use: Instruction
}

function mergedSum(carried: PhiInstruction, { blocks }: Loop, usersOf: UsersOf): MergedSum | undefined {
  const [load, ...others] = carried.incoming.filter(({ block }) => !blocks.has(block)).map(({ value }) => value)
  const [merged, ...more] = carried.incoming.filter(({ block }) => blocks.has(block)).map(({ value }) => value)
  if (others.length > 0 || more.length > 0 || !isPromotedLoad(load) || !isMerged(merged)) return undefined
  if (!blocks.has(merged.block) || usersOf.get(load)?.length !== 1) return undefined
  const uses = usersOf.get(carried) ?? []
  const use = uses[0]?.block.instructions.find(each => uses.includes(each))
  if (use === undefined || uses.some(({ op, block }) => op === 'phi' || block !== use.block)) return undefined
  const behind = storesOf(merged, usersOf).filter(({ pointer }) => pointer === load.pointer)
  return behind.length === 1 && !blocks.has(behind[0]!.block)
    ? { carried, load, merged, behind: behind[0]!, use }
    : undefined
}

const isPromotedLoad = (value: Value | undefined): value is LoadInstruction =>
  value?.kind === 'instruction' && value.op === 'load' && isPlainAccess(value) && isPromoted(value)

const isMerged = (value: Value | undefined): value is PhiInstruction =>
  value?.kind === 'instruction' && value.op === 'phi' && /^storemerge\d*$/.test(value.name)

/** The stores of a value, also where it leaves the loop through a phi of its own. */
function storesOf(value: Value, usersOf: UsersOf): StoreInstruction[] {
  return (usersOf.get(value) ?? []).flatMap(user => {
    if (user.op === 'store') return user.value === value ? [user] : []
    return user.op === 'phi' && user.incoming.every(each => each.value === value) ? storesOf(user, usersOf) : []
  })
}

function backToMemory(func: Func, { carried, load: first, merged, behind, use }: MergedSum): void {
  const { pointer, align, type } = first
  const again = load({ block: use.block, location: use.location }, type, pointer, align)
  insertBefore(use, [again])
  replaceUses(func.blocks, carried, again)
  for (const each of [carried, first, behind]) each.block.instructions.splice(each.block.instructions.indexOf(each), 1)
  const { block } = merged
  const from = block.instructions.findIndex(({ op }) => op !== 'phi')
  block.instructions.splice(from, 0, store({ block, location: behind.location }, merged, pointer, align))
}
