/**
 * Loads that all ways of a chain of conditions begin with (`if … else if … else …`): nvcc makes one of the last two ways', and leaves it
 * there, since the way before begins otherwise than with the next condition; LLVM of today, which has computed that condition in front, goes on to
 * the first branch. In: a kernel in which such a load stands in front of a branch (LLVM gives it no line). Out: the same with one in each way.
 * Source: PTX of 8 chains of 3, 4 and 9 ways (nvcc 13.0); reading: srad_cuda_1 of rod-srad_v2, one load more in each block's last row.
 */
import { cloneInstruction, type DominatorTree, dominators, predecessors, terminatorOf, users } from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction } from '../../ir/ir.ts'
import { isPlain } from '../facts/knownValues.ts'
import { mayWrite } from '../facts/memoryEffects.ts'
import { phisOf, placesOf, replaceUses } from '../rewriting/blocks.ts'

interface Chain {
  readonly head: Block
  readonly ways: readonly [Block, Block]
}

export function lowerHoistedLoads(func: Func): void {
  const found = chains(func)
  if (found.length === 0) return
  const tree = dominators(func)
  for (const chain of found) for (const load of hoistedLoads(chain)) lower(func, load, chain, tree)
}

/** Branches of which one way goes on to the next condition at once. */
function chains(func: Func): Chain[] {
  const before = predecessors(func)
  return func.blocks.flatMap(head => {
    const last = terminatorOf(head)
    if (last.op !== 'condbr' || last.ifTrue === last.ifFalse) return []
    const ways = [last.ifTrue, last.ifFalse] as const
    const areOwn = ways.every(way => before.get(way)!.length === 1 && phisOf(way).length === 0)
    const goesOn = ways.filter(way => terminatorOf(way).op === 'condbr').length === 1
    return areOwn && goesOn ? [{ head, ways }] : []
  })
}

/** From the last one on, so that those in front of a store stay. */
function hoistedLoads({ head }: Chain): LoadInstruction[] {
  const behind = head.instructions.slice(head.instructions.findLastIndex(mayWrite) + 1)
  return behind.filter((each): each is LoadInstruction => isPlain(each) && isOfSeveralLines(each))
}

const isOfSeveralLines = ({ location }: Instruction): boolean => location?.line === 0

function lower(func: Func, load: LoadInstruction, { head, ways }: Chain, tree: DominatorTree): void {
  const using = users(func).get(load) ?? []
  const places = using.flatMap(user => placesOf(user, load))
  if (!places.every(place => ways.some(way => tree.dominates(way, place)))) return
  for (const way of ways) {
    const own = cloneInstruction(load, way)
    way.instructions.unshift(own)
    const blocks = func.blocks.filter(block => tree.dominates(way, block))
    replaceUses(blocks, load, own)
    for (const block of func.blocks)
      for (const phi of phisOf(block))
        for (const incoming of phi.incoming)
          if (incoming.value === load && tree.dominates(way, incoming.block)) Object.assign(incoming, { value: own })
  }
  head.instructions.splice(head.instructions.indexOf(load), 1)
}
