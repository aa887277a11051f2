/**
 * What the end of a round stores and the beginning of the next one loads (`x = s[t]; __syncthreads(); ...; s[t] = x`, as scans have
 * it): nvcc keeps it in a register and loads before the first round only, also around barriers. In: a kernel. Out: the same with such
 * loads in front of their loops and a phi in their place. Read off the PTX of 17 loops over shared and global memory (nvcc 13.0);
 * reading: the scan of a book, half of whose loads are left.
 *
 * - The load stands in the loop's first block, in front of all that may write there, and its place is the same in every round.
 * - The store is in the block that leads back; behind it is nothing but writes to other memories and at constant distances.
 */
import { isFromOutside, loops, predecessors } from '../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, StoreInstruction, Value } from '../ir/ir.ts'
import type { Address } from './address.ts'
import { becomePhi, edgeBlock, replaceValues } from './blocks.ts'
import { load, offsetPointer } from './build.ts'
import { isPlain, isSameType } from './knownValues.ts'
import { isPlainAccess, mayWrite } from './memoryEffects.ts'
import { accessedType, isAccess, isApart, isBeside, isSamePlace, type MemoryPlace, MemoryPlaces } from './places.ts'

/** @returns the loads in front of the loops */
export function carryStores(func: Func): LoadInstruction[] {
  const made: LoadInstruction[] = []
  const before = predecessors(func)
  const places = new MemoryPlaces(func)
  const replaced = new Map<Value, Value>()
  for (const { header, blocks } of loops(func)) {
    const [one, other, ...more] = before.get(header)!
    if (!one || !other || more.length > 0 || blocks.has(one) === blocks.has(other)) continue
    const [entry, latch] = blocks.has(one) ? [other, one] : [one, other]
    let front: Block | undefined
    for (const each of loadsInFront(header, places)) {
      const { address } = places.of(each.pointer)
      const value = isOutside(address, blocks) ? storedBy(latch, each, places) : undefined
      if (!value) continue
      front ??= edgeBlock(func, entry, header)
      const first = loadInFront(front, each, address)
      made.push(first)
      replaced.set(
        each,
        becomePhi(each, [
          { value: first, block: front },
          { value, block: latch },
        ]),
      )
    }
  }
  replaceValues(func.blocks, replaced)
  return made
}

/** What a block leaves in a load's place. */
function storedBy({ instructions }: Block, load: LoadInstruction, places: MemoryPlaces): Value | undefined {
  const place = places.of(load.pointer)
  for (const instruction of instructions.toReversed()) {
    if (!mayWrite(instruction)) continue
    if (isStoreTo(instruction, place, places) && isSameType(instruction.value.type, load.type)) return instruction.value
    if (!leavesAlone(instruction, load, places)) return undefined
  }
  return undefined
}

function isStoreTo(
  instruction: Instruction,
  place: MemoryPlace,
  places: MemoryPlaces,
): instruction is StoreInstruction {
  return instruction.op === 'store' && isPlainAccess(instruction) && isSamePlace(places.of(instruction.pointer), place)
}

/** Loads that no instruction in front of them in the block can have written to. */
function loadsInFront({ instructions }: Block, places: MemoryPlaces): LoadInstruction[] {
  return instructions.filter(isPlain).filter(load =>
    instructions
      .slice(0, instructions.indexOf(load))
      .filter(mayWrite)
      .every(each => leavesAlone(each, load, places)),
  )
}

/** Writes to other memories, or at a constant distance. */
function leavesAlone(instruction: Instruction, load: LoadInstruction, places: MemoryPlaces): boolean {
  if (!isAccess(instruction) || instruction.op === 'load') return false
  const [place, loaded] = [places.of(instruction.pointer), places.of(load.pointer)]
  if (isApart(place, loaded)) return true
  return isPlainAccess(instruction) && isBeside(place, accessedType(instruction), loaded, load.type)
}

function isOutside({ root, terms }: Address, loop: ReadonlySet<Block>): boolean {
  return isFromOutside(root, loop) && terms.every(({ index }) => isFromOutside(index, loop))
}

function loadInFront(
  block: Block,
  { type, align, location }: LoadInstruction,
  { root, offset, terms }: Address,
): LoadInstruction {
  const pointer = offsetPointer({ block, location }, root, offset)
  pointer.terms = [...terms]
  const first = load({ block, location }, type, pointer, align)
  block.instructions.splice(-1, 0, pointer, first)
  return first
}
