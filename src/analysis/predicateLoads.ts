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
import { users } from '../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, SelectInstruction, Value } from '../ir/ir.ts'
import { storeBytes } from '../ir/types.ts'
import { becomePhi, cutAt, replaceValues } from './blocks.ts'
import { branch, jump, type Place } from './build.ts'
import { constantMemory } from './constantLoads.ts'
import { partsMachineCode } from './machineBranches.ts'
import { isPlainAccess, mayWrite } from './memoryEffects.ts'
import { innermostLoops } from './sinkValues.ts'

const WORD = 4

export function predicateLoads(func: Func): void {
  const usersOf = users(func)
  const loopOf = innermostLoops(func)
  const isConstant = constantMemory(func)
  const replaced = new Map<Value, Value>()
  for (const original of [...func.blocks]) {
    const loop = loopOf.get(original)
    const instructions = [...original.instructions]
    const context: Context = {
      instructions,
      places: new Map(instructions.map((instruction, place) => [instruction, place])),
      usersOf,
      isFirst: original === func.blocks[0],
      isOutside: value => loop !== undefined && !context.places.has(value) && loopOf.get(value.block) !== loop,
      isConstant,
    }
    /** What the rest of the original block is, once it is cut. */
    let rest = original
    for (const choice of instructions) {
      const load = choice.op === 'select' ? loadUnder(choice, context) : undefined
      if (load) rest = predicate(func, rest, choice as SelectInstruction, load, replaced)
    }
  }
  replaceValues(func.blocks, replaced)
}

interface Context {
  /** Of the block as it was. */
  readonly instructions: readonly Instruction[]
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
  const between = context.instructions.slice(at(chosen) + 1, at(choice))
  const isBlocked = between.some(each => isDivision(each) || partsMachineCode(each))
  return isBlocked || (!context.isConstant(chosen.pointer) && between.some(mayWrite)) ? undefined : chosen
}

const isDivision = ({ op }: Instruction): boolean => /^[us](div|rem)$/.test(op)

/** Cuts the block at the choice, which becomes a phi (`replaced`); returns the part behind it. */
function predicate(
  func: Func,
  block: Block,
  choice: SelectInstruction,
  load: LoadInstruction,
  replaced: Map<Value, Value>,
): Block {
  const place: Place = { block, location: choice.location }
  const { condition, ifTrue, ifFalse } = choice
  const behind = cutAt(choice, `${block.name}.chosen`)
  const only: Block = { name: `${block.name}.load`, instructions: [] }
  load.block.instructions.splice(load.block.instructions.indexOf(load), 1)
  load.block = only
  only.instructions.push(load, jump({ block: only, location: load.location }, behind))
  block.instructions.push(
    load === ifTrue ? branch(place, condition, only, behind) : branch(place, condition, behind, only),
  )
  behind.instructions.unshift(choice)
  choice.block = behind
  const phi = becomePhi(choice, [
    { value: load, block: only },
    { value: load === ifTrue ? ifFalse : ifTrue, block },
  ])
  replaced.set(choice, phi)
  func.blocks.splice(func.blocks.indexOf(block) + 1, 0, only, behind)
  return behind
}
