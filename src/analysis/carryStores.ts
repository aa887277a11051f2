/**
 * What the end of a round stores and the beginning of the next one loads (`x = s[t]; __syncthreads(); ...; s[t] = x`, as scans have
 * it): nvcc keeps it in a register and loads before the first round only, also around barriers. In: a kernel. Out: the same with such
 * loads in front of their loops and a phi in their place. Read off the PTX of 17 loops over shared and global memory (nvcc 13.0);
 * reading: the scan of a book, half of whose loads are left.
 *
 * - The load stands in the loop's first block, in front of all that writes, and its place is the same in every round.
 * - The store is in the block that leads back; behind it is nothing but stores to other places of the same array.
 */
import { loops, predecessors } from '../ir/graph.ts'
import type { Block, Func, LoadInstruction, PhiInstruction, Value } from '../ir/ir.ts'
import { type Address, decomposeLinear } from './address.ts'
import { becomePhi, edgeBlock, replaceValues } from './blocks.ts'
import { load, offsetPointer } from './build.ts'
import { isPlain, KnownValues } from './knownValues.ts'
import { mayWrite } from './memoryEffects.ts'

const addressOf = (pointer: Value): Address => decomposeLinear(pointer, value => value)

export function carryStores(func: Func): void {
  const before = predecessors(func)
  const replaced = new Map<Value, Value>()
  for (const { header, blocks } of loops(func)) {
    const [one, other, ...more] = before.get(header)!
    if (!one || !other || more.length > 0 || blocks.has(one) === blocks.has(other)) continue
    const [entry, latch] = blocks.has(one) ? [other, one] : [one, other]
    const stored = storedBy(latch)
    let front: Block | undefined
    for (const each of loadsInFront(header)) {
      const address = addressOf(each.pointer)
      const value = isOutside(address, blocks) ? stored.find(address, each.type) : undefined
      if (!value) continue
      front ??= edgeBlock(func, entry, header)
      replaced.set(each, carry(each, value, address, { front, latch }))
    }
  }
  replaceValues(func.blocks, replaced)
}

/** What is known at a block's end of what it stored. */
function storedBy({ instructions }: Block): KnownValues {
  const known = new KnownValues()
  for (const instruction of instructions)
    if (instruction.op === 'store' && !instruction.volatile && !instruction.atomic)
      known.store(addressOf(instruction.pointer), instruction.value)
    else if (mayWrite(instruction)) known.clear()
  return known
}

function loadsInFront({ instructions }: Block): LoadInstruction[] {
  const written = instructions.findIndex(mayWrite)
  return instructions.slice(0, written < 0 ? undefined : written).filter(isPlain)
}

function isOutside({ root, terms }: Address, loop: ReadonlySet<Block>): boolean {
  const isFixed = (value: Value) => value.kind !== 'instruction' || !loop.has(value.block)
  return isFixed(root) && terms.every(({ index }) => isFixed(index))
}

interface Edges {
  /** The block in front of the loop. */
  readonly front: Block
  readonly latch: Block
}

function carry(
  instruction: LoadInstruction,
  value: Value,
  { root, offset, terms }: Address,
  { front, latch }: Edges,
): PhiInstruction {
  const place = { block: front, location: instruction.location }
  const pointer = offsetPointer(place, root, offset)
  pointer.terms = [...terms]
  const first = load(place, instruction.type, pointer, instruction.align)
  front.instructions.splice(-1, 0, pointer, first)
  return becomePhi(instruction, [
    { value: first, block: front },
    { value, block: latch },
  ])
}
