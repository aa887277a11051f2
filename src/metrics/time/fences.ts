/**
 * Fences: what a warp waits at one, and what its multiprocessor's memory pipe takes for it, one warp after the other.
 * In: a kernel with how often warps ran each block. Out: cycles.
 *
 * Source: own, an H100 (54 launches, 1 to 64 warps a multiprocessor, with and without stores: scripts/fidelity/cases/fences.cu): a
 * fence of the block 8 cycles alone, 4.2 where many warps want one; of the device 592 and 16, of the host's memory too 1,223 and 15 to 90.
 */
import type { KernelProgram } from '../../analysis/prepare.ts'
import { calledName } from '../../ir/graph.ts'
import type { Instruction } from '../../ir/ir.ts'

export type FenceScope = 'block' | 'device' | 'system'

const SCOPES: Readonly<Record<string, FenceScope | undefined>> = { cta: 'block', gl: 'device', sys: 'system' }

/** Of a multiprocessor, a warp. */
const PIPE_CYCLES: Readonly<Record<FenceScope, number>> = { block: 4.2, device: 16, system: 60 }

/** A fence of the block, alone. */
export const BLOCK_FENCE = 8

export function fenceScope(instruction: Instruction): FenceScope | undefined {
  const [, scope] = /^llvm\.nvvm\.membar\.(\w+)/.exec(calledName(instruction) ?? '') ?? []
  return scope === undefined ? undefined : SCOPES[scope]
}

/** Times that a warp waits for L2 to have all of its stores. */
export const fenceTrips = (scope: FenceScope | undefined): number =>
  scope === 'device' ? 1 : scope === 'system' ? 2 : 0

/** @param warps how often warps ran each block of `program.kernel`, in order */
export function fencePipeCycles({ kernel }: KernelProgram, warps: readonly number[]): number {
  let cycles = 0
  for (const [at, { instructions }] of kernel.blocks.entries())
    for (const instruction of instructions) {
      const scope = fenceScope(instruction)
      if (scope) cycles += (warps[at] ?? 0) * PIPE_CYCLES[scope]
    }
  return cycles
}
