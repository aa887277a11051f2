/**
 * `for (…) data[i] += f(j);` with branches in `f` that read other memory: both compilers leave the store in the loop. LLVM of today
 * keeps the sum in a register for the next round (it promotes the load alone, LICM); nvcc's only carries over what is loaded before the
 * round branches (partial redundancy elimination looks no further than blocks in a row), so it loads again behind the branches (machine
 * code of nvcc 13.0 for `data[i] += sinf(j)`, whose reduction of large arguments reads a table). Short loops of a known number of
 * rounds it writes out whole, and then each round knows what the one before stored. In: a kernel with LLVM's names (`….promoted`).
 * Out: a load in front of the first use in each round of such loops.
 */
import { type DominatorTree, dominators, type Loop, loops, operandsOf, predecessors } from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, PhiInstruction, StoreInstruction } from '../../ir/ir.ts'
import { isPlain, isPromoted } from '../facts/knownValues.ts'
import { isBefore, phisOf, replaceUses } from '../rewriting/blocks.ts'
import { countOf } from './knownRounds.ts'

/**
 * How many instructions of ours nvcc writes out at most, and how far from it an estimate may be: 24 rounds of one `sinf`, 12 of two or
 * of `sinf` and `cosf`, 20 with ten more multiply-adds, 6 of `sin` (PTX of loops of 1 to 64 rounds).
 */
const LONGEST_WHOLE = 2500
const UNSURE = 1.5

export function loadBehindBranches(func: Func): void {
  const tree = dominators(func)
  const before = predecessors(func)
  // Inner loops come later.
  const loopOf = new Map(loops(func, tree).flatMap(loop => [...loop.blocks].map(block => [block, loop] as const)))
  for (const loop of new Set(loopOf.values())) {
    const length = lengthOf(loop)
    const isUnsure = length < LONGEST_WHOLE * UNSURE && length * UNSURE > LONGEST_WHOLE
    for (const phi of phisOf(loop.header)) {
      const sum = keptSum(phi, loop)
      if (!sum) continue
      const place = placeOfUses(func, phi, { tree, loop, loopOf })
      if (!place || isInARow(loop.header, place.block, before)) continue
      if (!sum.stores.every(store => isBefore(place.first, store, tree))) continue
      if (isUnsure) sum.load.unsure = true
      if (length < LONGEST_WHOLE) continue
      const again: LoadInstruction = {
        ...sum.load,
        block: place.block,
        location: place.first.location ?? sum.load.location,
        ...(isUnsure && { unsure: true }),
      }
      place.block.instructions.splice(place.block.instructions.indexOf(place.first), 0, again)
      replaceUses(func.blocks, phi, again)
      loop.header.instructions.splice(loop.header.instructions.indexOf(phi), 1)
      dropUnused(func, sum.load)
    }
  }
}

/** Of all its rounds. */
function lengthOf(loop: Loop): number {
  const count = countOf(loop) ?? Number.POSITIVE_INFINITY
  return count * [...loop.blocks].reduce((sum, { instructions }) => sum + instructions.length, 0)
}

function dropUnused(func: Func, load: LoadInstruction): void {
  if (func.blocks.some(({ instructions }) => instructions.some(each => operandsOf(each).includes(load)))) return
  load.block.instructions.splice(load.block.instructions.indexOf(load), 1)
}

/** What a phi keeps between rounds that store it all the same. */
function keptSum({ incoming }: PhiInstruction, { blocks }: Loop) {
  const outer = incoming.find(way => !blocks.has(way.block))?.value
  const inner = incoming.find(way => blocks.has(way.block))?.value
  if (!inner || incoming.length !== 2 || outer?.kind !== 'instruction') return undefined
  if (!isPlain(outer) || !isPromoted(outer)) return undefined
  const stores = [...blocks].flatMap(({ instructions }) => instructions.filter(each => isStoreTo(each, outer)))
  return stores.at(-1)?.value === inner ? { load: outer, stores } : undefined
}

const isStoreTo = (each: Instruction, load: LoadInstruction): each is StoreInstruction =>
  each.op === 'store' && each.pointer === load.pointer

/** The block of the loop itself that all uses are in or behind, and what the load has to stand in front of there. */
function placeOfUses(
  func: Func,
  phi: PhiInstruction,
  { tree, loop, loopOf }: { tree: DominatorTree; loop: Loop; loopOf: ReadonlyMap<Block, Loop> },
): { block: Block; first: Instruction } | undefined {
  const isUse = (each: Instruction) => each !== phi && operandsOf(each).includes(phi)
  const using = func.blocks.filter(({ instructions }) => instructions.some(isUse))
  if (!using.every(block => loop.blocks.has(block) && !phisOf(block).some(isUse))) return undefined
  let block = using[0]
  while (block && (loopOf.get(block) !== loop || !using.every(other => tree.dominates(block!, other))))
    block = tree.immediate(block)
  const first = block?.instructions.find(isUse) ?? block?.instructions.at(-1)
  return block && first && { block, first }
}

/** Whether a block comes after another with no other way into it or between. */
function isInARow(start: Block, end: Block, before: ReadonlyMap<Block, Block[]>): boolean {
  for (let block = end; block !== start; ) {
    const [only, ...more] = before.get(block)!
    if (!only || more.length > 0) return false
    block = only
  }
  return true
}
