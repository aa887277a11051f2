/** What checks need to know of the sites of a kernel, by their numbers. */
import { promisedAlign } from '../analysis/facts/memoryEffects.ts'
import type { KernelProgram } from '../analysis/prepare.ts'
import { users } from '../ir/graph.ts'
import type { Instruction } from '../ir/ir.ts'

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
  const facts: SiteFacts[] = []
  for (const [instruction, ids] of program.siteIds) {
    const isUsed = (usersOf.get(instruction)?.length ?? 0) > 0
    for (const id of Object.values(ids)) facts[id] = factsOf(instruction, isUsed)
  }
  known.set(program, facts)
  return facts
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
