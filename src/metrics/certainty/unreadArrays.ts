/**
 * Stores to arrays in shared memory that nothing reads any more, since each thread reads what it has just stored itself. In: a prepared kernel.
 * Out: the stores. Source: PTX of nvcc 13.0 for 34 kernels: it leaves them out where it saw so before its search for global variables that
 * are stored only, and keeps them else; where LLVM here sees as much is told by neither (reading: `wuManber_halo_GPU` of unseen28).
 */
import { decompose } from '../../analysis/facts/address.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import type { Global, Instruction, Value } from '../../ir/ir.ts'

export function storesToUnreadArrays({ kernel, siteIds }: KernelProgram): ReadonlySet<Instruction> {
  const stores = new Map<Global, Instruction[]>()
  const read = new Set<Global>()
  for (const instruction of kernel.blocks.flatMap(block => block.instructions)) {
    if (siteIds.get(instruction)?.shared === undefined) continue
    const pointer = pointerOf(instruction)
    const { root } = pointer ? decompose(pointer) : { root: undefined }
    if (root?.kind !== 'address' || root.target.kind !== 'global') return new Set()
    const array = root.target
    if (instruction.op === 'store' && !instruction.volatile && !array.external)
      stores.set(array, [...(stores.get(array) ?? []), instruction])
    else read.add(array)
  }
  return new Set([...stores].flatMap(([array, all]) => (read.has(array) ? [] : all)))
}

const pointerOf = (instruction: Instruction): Value | undefined =>
  'pointer' in instruction ? instruction.pointer : undefined
