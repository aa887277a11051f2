/**
 * Calls of functions of mathematics that were inlined, as the time model sees them: one call has the machine's cycles
 * (latencies.ts), whatever our own code for it looks like. In: a kernel's instructions, whose locations tell which call they are
 * part of. Out: the cycles that a run of blocks has of each call.
 */
import type { Block, Func, Instruction, Location } from '../../ir/ir.ts'
import { functionCycles } from './latencies.ts'
import { machineCall } from './mathCosts.ts'

type Costs = ReadonlyMap<Instruction, number>

/** The call that an instruction is part of: one whose length on the machine is known. */
export function callOf({ location }: Instruction): Location | undefined {
  return location && machineCall(location.library) ? location : undefined
}

/** Adds what a block has of each call. */
export function addCosts(sums: Map<Location, number>, { instructions }: Block, costs: Costs): Map<Location, number> {
  for (const instruction of instructions) {
    const call = callOf(instruction)
    if (call) sums.set(call, (sums.get(call) ?? 0) + (costs.get(instruction) ?? 0))
  }
  return sums
}

/** Machine instructions of each call that are run, on average over the warps that call. @param executions of each block */
export function callCosts(kernel: Func, costs: Costs, executions: readonly number[]): ReadonlyMap<Location, number> {
  const calls = new Map<Location, { most: number; issued: number }>()
  kernel.blocks.forEach((block, index) => {
    const runs = executions[index] ?? 0
    for (const [call, cost] of addCosts(new Map(), block, costs)) {
      const { most, issued } = calls.get(call) ?? { most: 1, issued: 0 }
      calls.set(call, { most: Math.max(most, runs), issued: issued + cost * runs })
    }
  })
  return new Map([...calls].map(([call, { most, issued }]) => [call, issued / most]))
}

/** Cycles that some blocks have of each call. @param whole {@link callCosts} */
export function callCycles(
  blocks: readonly Block[],
  costs: Costs,
  whole: ReadonlyMap<Location, number>,
): ReadonlyMap<Location, number> {
  const parts = new Map<Location, number>()
  for (const block of blocks) addCosts(parts, block, costs)
  return new Map(
    [...parts].map(([call, cost]) => {
      const share = cost / Math.max(cost, whole.get(call) ?? 0, Number.MIN_VALUE)
      return [call, share * functionCycles(machineCall(call.library)!)]
    }),
  )
}
