/**
 * Fused multiply-adds of 16-bit floats: one instruction of the machine for two of them, some twenty of ours, which compute in
 * double and round once (include/warplens/narrow_float.h). In: a kernel. Out: which instructions are that code, and how many of
 * the machine's each stands for. They are known by the halves that are widened to double, which nothing else does, and by the
 * place in the source that they share with them.
 */
import type { Func, Instruction } from '../ir/ir.ts'

/** Three operands of each of the two products and sums that HFMA2 does. */
const WIDENED = 6

const placeOf = ({ location }: Instruction): string | undefined =>
  location && [location.file, location.line, location.column, location.scope].join()

const isWidened = (instruction: Instruction): boolean =>
  instruction.op === 'fpext' &&
  instruction.type.kind === 'float' &&
  instruction.type.bits === 64 &&
  instruction.value.type.kind === 'float' &&
  instruction.value.type.bits === 16

const touchesMemory = ({ op }: Instruction) =>
  op === 'load' || op === 'store' || op === 'gep' || op === 'atomicrmw' || op === 'cmpxchg'

/** Machine instructions for each instruction that is such code; the others are not in it. */
export function halfArithmetic({ blocks }: Func): ReadonlyMap<Instruction, number> {
  const all = blocks.flatMap(({ instructions }) => instructions)
  const places = new Set(all.filter(isWidened).map(placeOf))
  places.delete(undefined)
  const found = new Map<Instruction, number>()
  if (places.size === 0) return found
  for (const instruction of all)
    if (!touchesMemory(instruction) && places.has(placeOf(instruction)))
      found.set(instruction, isWidened(instruction) ? 1 / WIDENED : 0)
  return found
}
