/**
 * Loads that ptxas makes only where their value is chosen: `u = x[t]; v = y[t]; r = c ? u : v;` becomes a load of `x[t]` and one of `y[t]`
 * under a predicate, into the same register. In: a kernel whose accesses are what they will be. Out: such a load in a block of its own.
 * Read off the machine code of 90 kernels (nvcc 13.0, sm_90), and an H200 (machine_arms; refine_fuseThreeDepthSimMaps of LS-CAT), where
 * a load that no lane of a warp needs is not counted:
 *
 * - The value is a word or less, made in the choice's block, and used nowhere else; the other one is computed, and not needed any
 *   more (`o[t] = c ? u : w; o[t + 32] = w;` is two loads).
 * - Of two such values the one that PTX has later is made under the predicate, be it a load or a sum. In the kernel's first block
 *   that is the source's order; in others nvcc has moved loads that are used once to their use, last one first, so that the source's
 *   earlier load is the later one there (PTX of 16 kernels).
 * - No store or barrier between that the load may not pass, and no division, which is a branch.
 */
import { branch, jump } from '../../ir/build.ts'
import { successors, terminatorOf, users } from '../../ir/graph.ts'
import type {
  Block,
  Func,
  Instruction,
  LoadInstruction,
  PhiInstruction,
  SelectInstruction,
  Value,
} from '../../ir/ir.ts'
import { storeBytes } from '../../ir/types.ts'
import { constantMemory } from '../facts/constantLoads.ts'
import { partsMachineCode } from '../facts/machineBranches.ts'
import { isPlainAccess, mayWrite } from '../facts/memoryEffects.ts'
import { phisOf, replaceValues } from '../rewriting/blocks.ts'
import { innermostLoops } from './sinkValues.ts'

const WORD = 4

export function predicateLoads(func: Func): void {
  const usersOf = users(func)
  const loopOf = innermostLoops(func)
  const isConstant = constantMemory(func)
  const replaced = new Map<Value, Value>()
  func.blocks = func.blocks.flatMap(block => {
    const loop = loopOf.get(block)
    const places = new Map(block.instructions.map((instruction, place) => [instruction, place]))
    const context: Context = {
      places,
      usersOf,
      isFirst: block === func.blocks[0],
      isOutside: value => loop !== undefined && !places.has(value) && loopOf.get(value.block) !== loop,
      isConstant,
    }
    const waiting = new Map<Instruction, LoadInstruction>()
    for (const choice of block.instructions) {
      const load = choice.op === 'select' ? loadUnder(choice, context) : undefined
      if (load) waiting.set(choice, load)
    }
    return waiting.size > 0 ? predicate(block, waiting, replaced) : [block]
  })
  replaceValues(func.blocks, replaced)
}

interface Context {
  /** Of the block's instructions. */
  readonly places: ReadonlyMap<Instruction, number>
  readonly usersOf: ReadonlyMap<Value, readonly Instruction[]>
  readonly isFirst: boolean
  /** Made outside of the loop that the choice is in, and so needed again. */
  readonly isOutside: (value: Instruction) => boolean
  readonly isConstant: (pointer: Value) => boolean
}

/** The load of one of the two values that waits for the choice. */
function loadUnder(choice: SelectInstruction, context: Context): LoadInstruction | undefined {
  const { places, usersOf } = context
  const { ifTrue, ifFalse } = choice
  if (ifTrue.kind !== 'instruction' || ifFalse.kind !== 'instruction' || ifTrue === ifFalse) return undefined
  const at = (value: Instruction) => places.get(value) ?? -1
  const isOnlyHere = (value: Instruction) =>
    places.has(value) && usersOf.get(value)?.length === 1 && value.op !== 'phi' && value.op !== 'select'
  const isDone = (value: Instruction) =>
    !context.isOutside(value) &&
    (usersOf.get(value) ?? []).every(user => user === choice || (places.has(user) && at(user) < at(choice)))
  const candidates = [ifTrue, ifFalse].filter(isOnlyHere).sort((a, b) => at(a) - at(b))
  const chosen = context.isFirst ? candidates.at(-1) : candidates.find(({ op }) => op === 'load')
  const other = chosen === ifTrue ? ifFalse : ifTrue
  if (chosen?.op !== 'load' || !isPlainAccess(chosen) || storeBytes(chosen.type) > WORD || !isDone(other))
    return undefined
  const between = choice.block.instructions.slice(at(chosen) + 1, at(choice))
  const isBlocked = between.some(each => isDivision(each) || partsMachineCode(each))
  return isBlocked || (!context.isConstant(chosen.pointer) && between.some(mayWrite)) ? undefined : chosen
}

const isDivision = ({ op }: Instruction): boolean => /^[us](div|rem)$/.test(op)

/** Cuts the block at the choices, which become phis (`replaced`); returns its parts. */
function predicate(
  block: Block,
  waiting: ReadonlyMap<Instruction, LoadInstruction>,
  replaced: Map<Value, Value>,
): readonly Block[] {
  const { instructions } = block
  const loads = new Set<Instruction>(waiting.values())
  const parts = [block]
  let last = block
  block.instructions = []
  for (const instruction of instructions) {
    const load = waiting.get(instruction)
    if (load && instruction.op === 'select') {
      const { condition, ifTrue, ifFalse, location, type, name } = instruction
      const only: Block = { name: `${block.name}.load${parts.length}`, instructions: [] }
      const behind: Block = { name: `${block.name}.chosen${parts.length}`, instructions: [] }
      load.block = only
      only.instructions.push(load, jump({ block: only, location: load.location }, behind))
      const ways = load === ifTrue ? ([only, behind] as const) : ([behind, only] as const)
      last.instructions.push(branch({ block: last, location }, condition, ...ways))
      const other = load === ifTrue ? ifFalse : ifTrue
      const incoming = [
        { value: load, block: only },
        { value: other, block: last },
      ]
      const phi: PhiInstruction = { kind: 'instruction', op: 'phi', type, name, block: behind, location, incoming }
      behind.instructions.push(phi)
      replaced.set(instruction, phi)
      parts.push(only, behind)
      last = behind
    } else if (!loads.has(instruction)) {
      instruction.block = last
      last.instructions.push(instruction)
    }
  }
  for (const next of successors(terminatorOf(last)))
    for (const phi of phisOf(next)) for (const each of phi.incoming) if (each.block === block) each.block = last
  return parts
}
