/**
 * Pointers among a kernel's arguments. The machine makes addresses in registers, so each pointer is loaded from the constant bank (LDC.64)
 * where it is first needed, and in front of loops; numbers are operands of what uses them. (Machine code of 53 kernels without loops, sm_90:
 * one more instruction for each pointer.)
 */
import type { KernelProgram } from '../../analysis/prepare.ts'
import type { Block } from '../../ir/ir.ts'
import { users } from '../../ir/operands.ts'

const known = new WeakMap<KernelProgram, ReadonlyMap<Block, number>>()

/** How many pointers are loaded in each block that loads some. */
export function argumentLoads(program: KernelProgram): ReadonlyMap<Block, number> {
  let loads = known.get(program)
  if (!loads) known.set(program, (loads = loadsOf(program)))
  return loads
}

function loadsOf({ kernel, loops }: KernelProgram): ReadonlyMap<Block, number> {
  const loads = new Map<Block, number>()
  const usersOf = users(kernel)
  const isInLoop = (at: number): boolean => loops.some(({ first, last }) => at >= first && at <= last)
  for (const parameter of kernel.parameters) {
    const usedIn = new Set(usersOf.get(parameter)?.map(({ block }) => block))
    if (parameter.type.kind !== 'pointer' || parameter.byval || usedIn.size === 0) continue
    const first = kernel.blocks.findIndex(block => usedIn.has(block))
    const block = kernel.blocks[isInLoop(first) ? 0 : first]!
    loads.set(block, (loads.get(block) ?? 0) + 1)
  }
  return loads
}
