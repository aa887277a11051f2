/**
 * Constant arrays of functions (`const int order[] = {3, 1, 2};`, not static) are variables of each thread: nvcc writes their
 * elements to local memory and reads them there, while clang reads a table of its own in global memory
 * (`__const.function.variable`). In: a kernel with calls inlined, constants at their clang places. Out: each such table is a
 * local variable, written when the kernel begins; a copy of a table is stores of its elements. (PTX of nvcc 13.0;
 * reading: base64e, 65 byte stores. A `static` array is in global memory for both.)
 */
import { InternalError } from '../../diagnostic.ts'
import { offsetPointer, type Place, store } from '../../ir/build.ts'
import { replaceOperands } from '../../ir/graph.ts'
import type { Block, CallInstruction, Constant, Func, Global, Instruction, Value } from '../../ir/ir.ts'
import { alignOf, POINTER, sizeOf } from '../../ir/types.ts'
import { isCopy } from '../facts/memoryEffects.ts'
import { MOST_UNROLLED_BYTES } from './memoryLoops.ts'
import { membersOf } from './splitAggregates.ts'

const WIDEST = 16

interface Element {
  readonly offset: number
  readonly value: Constant
}

export function moveConstantsToLocal(kernel: Func): void {
  for (const block of kernel.blocks) block.instructions = block.instructions.flatMap(each => writtenOut(block, each))
  const copies = new Map<Global, Instruction>()
  const place: Place = { block: kernel.blocks[0] as Block, location: kernel.location }
  const made: Instruction[] = []
  const localOf = (table: Global): Instruction => {
    const known = copies.get(table)
    if (known) return known
    const copy = variableFor(table, place)
    copies.set(table, copy)
    made.push(copy, ...storesOf(elementsOf(table), copy, 0, alignmentOf(table), place))
    return copy
  }
  for (const block of kernel.blocks)
    for (const instruction of block.instructions)
      replaceOperands(instruction, value => {
        const table = tableOf(value)
        if (!table) return value
        const { offset } = value as Value & { kind: 'address' }
        if (offset === 0) return localOf(table)
        const moved = offsetPointer(place, localOf(table), offset)
        made.push(moved)
        return moved
      })
  place.block.instructions.unshift(...made)
}

/** The array that clang keeps for a variable of a function. */
function tableOf(value: Value): Global | undefined {
  if (value.kind !== 'address' || value.target.kind !== 'global') return undefined
  return becomesLocal(value.target) ? value.target : undefined
}

/** Whether each kernel has a variable of its own for a table: nothing reads the one in global memory. */
export function becomesLocal({ constant, initializer, name, type }: Global): boolean {
  const isTable = constant && initializer !== undefined && name.startsWith('__const.')
  return isTable && sizeOf(type) <= MOST_UNROLLED_BYTES
}

/** A copy of a table's bytes as stores of the elements in them. */
function writtenOut(block: Block, instruction: Instruction): Instruction[] {
  const [destination, source, size] = isCopy(instruction) ? instruction.args : []
  const table = source && tableOf(source)
  if (!destination || !table || size?.kind !== 'int') return [instruction]
  const first = (source as Value & { kind: 'address' }).offset
  const end = first + Number(size.value)
  const inside = elementsOf(table).filter(({ offset, value }) => offset >= first && offset + sizeOf(value.type) <= end)
  const align = (instruction as CallInstruction).argumentAligns?.[0] ?? 1
  return storesOf(inside, destination, first, align, { block, location: instruction.location })
}

/** @param first where in the table `pointer` points @param align the pointer's */
function storesOf(
  elements: readonly Element[],
  pointer: Value,
  first: number,
  align: number,
  place: Place,
): Instruction[] {
  return elements.flatMap(({ offset, value }) => {
    const at = offsetPointer(place, pointer, offset - first)
    let known = Math.min(WIDEST, align)
    while ((offset - first) % known !== 0) known /= 2
    return [at, store(place, value, at, known)]
  })
}

function variableFor(table: Global, place: Place): Instruction {
  const bytes = sizeOf(table.type)
  const name = table.name.slice(table.name.lastIndexOf('.') + 1)
  return { kind: 'instruction', op: 'alloca', type: POINTER, name, ...place, bytes, align: alignmentOf(table) }
}

function elementsOf(table: Global): Element[] {
  return membersOf(table.type)
    .map(({ indices, offset }) => ({ offset, value: indices.reduce(elementAt, table.initializer!) }))
    .filter(({ value }) => value.kind !== 'undef')
}

function elementAt(whole: Constant, index: number): Constant {
  if (whole.kind === 'aggregate') return whole.elements[index]!
  const { type } = whole
  if (type.kind === 'array') return { kind: whole.kind === 'zero' ? 'zero' : 'undef', type: type.element }
  if (type.kind === 'struct') return { kind: whole.kind === 'zero' ? 'zero' : 'undef', type: type.fields[index]! }
  throw new InternalError(`a constant of ${whole.kind} has no members`)
}

/** As nvcc aligns arrays of functions: to what their size is a multiple of. */
function alignmentOf(table: Global): number {
  let align = alignOf(table.type)
  while (align < WIDEST && sizeOf(table.type) % (2 * align) === 0) align *= 2
  return align
}
