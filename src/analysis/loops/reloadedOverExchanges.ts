/**
 * What does not change in a loop whose lanes exchange values: to nvcc a shuffle may write memory, so that it loads in each round what no
 * `const __restrict__` says is constant, and LLVM of today in front of both loops of one that is written out. ptxas then takes it out of each
 * of them, where the body is one block (machine code of 31 loops; test/cases/machine_exchanges.cu). In: a kernel with loads that LLVM
 * moved. Out: such loads in front of each loop. How many there are is marked as not known where the body has branches, where
 * ptxas may write it out once more, and for words of shared memory whose place is not a constant, which stay in some.
 */
import { cloneInstruction, loops, predecessors, replaceOperands, users } from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, Value } from '../../ir/ir.ts'
import { decompose } from '../facts/address.ts'
import { constantMemory } from '../facts/constantLoads.ts'
import { isPlain } from '../facts/knownValues.ts'
import { isExchange } from '../facts/memoryEffects.ts'
import { isRemaining } from '../facts/roundNames.ts'
import { inferSpaces } from '../facts/spaces.ts'
import { isArithmetic, phisOf, placesOf } from '../rewriting/blocks.ts'
import { mayBeWrittenOut } from './countedLoops.ts'

export function loadAgainOverExchanges(func: Func): void {
  const exchanging = loops(func).filter(({ blocks }) => [...blocks].some(each => each.instructions.some(isExchange)))
  if (exchanging.length === 0) return
  const spacesOf = inferSpaces(func)
  const isConstant = constantMemory(func)
  const usersOf = users(func)
  const isMoved = (load: Instruction): load is LoadInstruction =>
    isPlain(load) && load.isMoved === true && !isConstant(load.pointer) && isCounted(load)
  const isCounted = ({ pointer }: LoadInstruction) => {
    const spaces = spacesOf(pointer)
    return spaces.has('global') || spaces.has('shared')
  }
  for (const load of func.blocks.flatMap(({ instructions }) => instructions.filter(isMoved))) {
    const places = placesOfUses(load, usersOf)
    const around = places.map(place => exchanging.find(({ blocks }) => blocks.has(place) && !blocks.has(load.block)))
    if (around.every(loop => loop === undefined)) continue
    const isSplit = places.every((place, index) => around[index]?.blocks.size === 1 || isRemaining(place))
    if (isSplit) loadInFrontOf(func, load, new Set(places), usersOf.get(load)!, spacesOf(load.pointer).has('shared'))
    else load.unsure = true
  }
}

/** Where a value is used, or what is computed from it alone in front of a loop. */
function placesOfUses(value: Instruction, usersOf: ReadonlyMap<Value, readonly Instruction[]>): Block[] {
  return (usersOf.get(value) ?? []).flatMap(user =>
    isArithmetic(user) && user.block === value.block
      ? [user.block, ...placesOfUses(user, usersOf)]
      : placesOf(user, value),
  )
}

function loadInFrontOf(
  func: Func,
  load: LoadInstruction,
  places: ReadonlySet<Block>,
  using: readonly Instruction[],
  isShared: boolean,
): void {
  const before = predecessors(func)
  const isAnywhere = decompose(load.pointer).terms.length > 0
  const isUnsure = (place: Block) => (isAnywhere && isShared) || mayBeWrittenOut(func, place)
  load.block.instructions.splice(load.block.instructions.indexOf(load), 1)
  for (const place of places) {
    const entry = before.get(place)!.find(from => from !== place)
    const isLoop = before.get(place)!.includes(place)
    const block = isLoop && entry ? entry : place
    const copy = cloneInstruction(load, block) as LoadInstruction
    if ([...places].some(isUnsure)) copy.unsure = true
    block.instructions.splice(isLoop ? -1 : phisOf(block).length, 0, copy)
    for (const user of using) if (user.block === place) replaceOperands(user, value => (value === load ? copy : value))
  }
}
