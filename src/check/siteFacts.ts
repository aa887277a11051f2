/** What checks need to know of the sites of a kernel, by their numbers. */
import { distanceBetween } from '../analysis/facts/address.ts'
import { promisedAlign } from '../analysis/facts/memoryEffects.ts'
import type { KernelProgram } from '../analysis/prepare.ts'
import { users } from '../ir/graph.ts'
import type { Instruction, Value } from '../ir/ir.ts'
import { operandsOf } from '../ir/operands.ts'

export interface SiteFacts {
  readonly reads: boolean
  readonly writes: boolean
  readonly isAtomic: boolean
  /** A thread that makes it can know by it what others did before: locks, tickets, flags. */
  readonly acquires: boolean
  /** A piece of a structure that is copied as a whole, padding and all. */
  readonly isPiece: boolean
  /** The source reads a value of this type there: all of its bytes count. Copies move what lies between members as well. */
  readonly isWhole: boolean
  /** Of the first element of a vector, or member of a structure: what its address must be a multiple of; 0 where the width says it. */
  readonly align: number
}

const known = new WeakMap<KernelProgram, readonly SiteFacts[]>()

export function siteFactsOf(program: KernelProgram): readonly SiteFacts[] {
  const before = known.get(program)
  if (before) return before
  const usersOf = users(program.kernel)
  const tried = triedLoads(program)
  const facts: SiteFacts[] = []
  for (const [instruction, ids] of program.siteIds) {
    const isUsed = (usersOf.get(instruction)?.length ?? 0) > 0
    const own = factsOf(instruction, isUsed)
    for (const id of Object.values(ids)) facts[id] = tried.has(instruction) ? { ...own, isAtomic: true } : own
  }
  known.set(program, facts)
  return facts
}

const HANDED_ON: ReadonlySet<Instruction['op']> = new Set(['phi', 'bitcast', 'freeze'])

/**
 * Plain loads of what a compare-and-swap at the same place expects to find there, as the first one of the programming guide's `atomicAdd` of
 * doubles: where others have changed it, the swap fails and tells what is there now, so that they are as good as atomic ones.
 */
function triedLoads({ kernel }: KernelProgram): ReadonlySet<Instruction> {
  const found = new Set<Instruction>()
  const all = kernel.blocks.flatMap(({ instructions }) => instructions)
  for (const swap of all) {
    if (swap.op !== 'cmpxchg') continue
    const seen = new Set<Value>([swap.expected])
    for (const value of seen) {
      if (value.kind !== 'instruction') continue
      if (value.op === 'load' && distanceBetween(value.pointer, swap.pointer) === 0) found.add(value)
      if (HANDED_ON.has(value.op)) for (const operand of operandsOf(value)) seen.add(operand)
    }
  }
  return found
}

function factsOf(instruction: Instruction, isUsed: boolean): SiteFacts {
  switch (instruction.op) {
    case 'load': {
      const { atomic, isPiece = false, hasSourceType = false } = instruction
      const isWhole = atomic || (hasSourceType && !isPiece)
      const align = promisedAlign(instruction)
      return { reads: true, writes: false, isAtomic: atomic, acquires: atomic, isPiece, isWhole, align }
    }
    case 'store':
      return {
        reads: false,
        writes: true,
        isAtomic: instruction.atomic,
        acquires: false,
        isPiece: false,
        isWhole: false,
        align: promisedAlign(instruction),
      }
    default:
      return { reads: true, writes: true, isAtomic: true, acquires: isUsed, isPiece: false, isWhole: true, align: 0 }
  }
}
