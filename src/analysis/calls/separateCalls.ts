/**
 * Calls of library functions that stand in the code several times because LLVM wrote a loop out: the copies share one location, and those
 * who ask which call an instruction is part of (metrics/instructions/mathCalls.ts) would take them for one. In: a kernel. Out: the same, each
 * copy with a location of its own. Calls that have branches are left as they are.
 */
import { calledName } from '../../ir/graph.ts'
import type { Func, Instruction, Location } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'

export function separateCalls(func: Func): void {
  const blocksOf = new Map<Location, Set<Instruction['block']>>()
  for (const block of func.blocks)
    for (const { location } of block.instructions)
      if (location?.library !== undefined) blocksOf.set(location, (blocksOf.get(location) ?? new Set()).add(block))
  for (const block of func.blocks) {
    const calls = new Map<Location, Instruction[]>()
    for (const instruction of block.instructions) {
      const { location } = instruction
      if (location?.library === undefined || blocksOf.get(location)!.size > 1) continue
      calls.set(location, [...(calls.get(location) ?? []), instruction])
    }
    for (const [location, instructions] of calls) separateCopies(location, instructions)
  }
}

/** What is in each copy once is in all of them as often as there are copies: the n-th of so many equal instructions is the n-th copy's. */
function separateCopies(location: Location, instructions: readonly Instruction[]): void {
  const kinds = new Map<string, Instruction[]>()
  for (const instruction of instructions) {
    const kind = kindOf(instruction)
    kinds.set(kind, [...(kinds.get(kind) ?? []), instruction])
  }
  const copies = [...kinds.values()].reduce((common, { length }) => greatestCommonDivisor(common, length), 0)
  if (copies <= 1) return
  const locations = Array.from({ length: copies }, (_, copy) => (copy === 0 ? location : { ...location }))
  for (const equal of kinds.values())
    for (const [index, instruction] of equal.entries())
      instruction.location = locations[Math.floor((index * copies) / equal.length)]
}

/** Operation and constants. */
function kindOf(instruction: Instruction): string {
  const constants = operandsOf(instruction).map(operand =>
    operand.kind === 'int' || operand.kind === 'float' ? String(operand.value) : '',
  )
  return [instruction.op, calledName(instruction), ...constants].join()
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b))
