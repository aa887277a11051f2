/**
 * Loads whose value is already in a register. In: a kernel, its loops written out four rounds at a time as nvcc writes them.
 * Out: the same without loads that read what the same block stored or loaded before, as the machine compiler leaves them out
 * between the rounds, and without loads that read what the round before loaded (`a[i] * a[i + 1]`), which it keeps over the
 * round in loops that write to other memories only, or by pointers declared apart (PTX of ten loops).
 * Readings: scripts/fidelity/cases/machineCompiler, loopCarried (126 loads in 99 rounds) and loopNeighbour (101 in 100);
 * machine_nests, longInner.
 */
import type { Block, Func, Instruction, LoadInstruction, PhiInstruction, Value } from '../ir/ir.ts'
import { type Address, decompose, decomposeLinear } from './address.ts'
import { becomePhi, edgeBlock, finalOf, replaceValues } from './blocks.ts'
import { load, offsetPointer } from './build.ts'
import { isPlain, KnownValues } from './knownValues.ts'
import { entryOf, stepOf } from './loopSteps.ts'
import { mayWrite } from './memoryEffects.ts'
import { isAccess, isApart, MemoryPlaces } from './places.ts'

export function reuseLoads(func: Func): void {
  const replaced = new Map<Value, Value>()
  const places = new MemoryPlaces(func, value => finalOf(value, replaced))
  for (const block of func.blocks) reuseInBlock(block, replaced, places)
  places.forget()
  for (const block of [...func.blocks]) carryOverRounds(func, block, replaced, places)
  replaceValues(func.blocks, replaced)
}

function reuseInBlock(block: Block, replaced: Map<Value, Value>, places: MemoryPlaces): void {
  const known = new KnownValues()
  const addressOf = (pointer: Value) => decomposeLinear(pointer, value => finalOf(value, replaced))
  const kept: Instruction[] = []
  for (const instruction of block.instructions) {
    if (isPlain(instruction)) {
      const address = addressOf(instruction.pointer)
      const value = known.find(address, instruction.type)
      if (value) {
        replaced.set(instruction, value)
        continue
      }
      known.add(address, instruction, places.of(instruction.pointer))
    } else if (instruction.op === 'store' && !instruction.volatile && !instruction.atomic) {
      known.store(addressOf(instruction.pointer), instruction.value, places.of(instruction.pointer))
    } else if (mayWrite(instruction)) known.clear()
    kept.push(instruction)
  }
  block.instructions = kept
}

/**
 * Loops of one block: what the round before loaded behind this address is kept, where nothing in the loop may write it, and where the
 * counter is the index itself (`a[i]`, `a[j][i]` of an array, `*p++`; not `a[i + 1]`, nor `a[i * w + t]`: PTX and machine code of 31 loops).
 */
function carryOverRounds(func: Func, block: Block, replaced: Map<Value, Value>, places: MemoryPlaces): void {
  const before = entryOf(block)
  if (!before) return
  const writes = block.instructions.filter(mayWrite)
  const stays = ({ pointer }: LoadInstruction) =>
    writes.every(each => isAccess(each) && isApart(places.of(each.pointer), places.of(pointer)))
  const loads = block.instructions.filter(isPlain).filter(stays)
  const known = new KnownValues()
  const addressOf = (pointer: Value) => decomposeLinear(pointer, value => finalOf(value, replaced))
  for (const instruction of loads) known.add(addressOf(instruction.pointer), instruction)
  let entry: Block | undefined
  for (const instruction of loads) {
    if (!isCounted(instruction.pointer, block)) continue
    const address = addressOf(instruction.pointer)
    const step = stepOf(address, block, entry ?? before)
    if (!step) continue
    const value = known.find({ ...address, offset: address.offset + step.bytes }, instruction.type)
    if (!value || value === instruction) continue
    entry ??= edgeBlock(func, before, block)
    replaced.set(instruction, keepOverRound(instruction, value, address, { block, entry, start: step.start }))
  }
  if (entry) places.forget()
}

/** Whether a counter of the loop is an index by itself, beside rows of a named array at most, or the pointer. */
function isCounted(pointer: Value, block: Block): boolean {
  const { root, offset, terms } = decompose(pointer)
  const isCounter = (value: Value) => value.kind === 'instruction' && value.op === 'phi' && value.block === block
  if (isCounter(root)) return terms.length === 0 && offset === 0
  const [counter, ...others] = terms.toSorted((a, b) => Number(isCounter(b.index)) - Number(isCounter(a.index)))
  if (!counter || !isCounter(counter.index) || offset < 0 || offset >= counter.scale) return false
  return others.every(({ index, scale }) => root.kind === 'address' && !isCounter(index) && scale > counter.scale)
}

interface Loop {
  readonly block: Block
  readonly entry: Block
  readonly start: ReadonlyMap<Value, Value>
}

/** The load moves in front of the loop, for the first round; a phi has its value in the others. */
function keepOverRound(
  instruction: LoadInstruction,
  value: Value,
  { root, offset, terms }: Address,
  { block, entry, start }: Loop,
): PhiInstruction {
  const place = { block: entry, location: instruction.location }
  const base = offsetPointer(place, start.get(root) ?? root, offset)
  base.terms = terms.map(({ index, scale }) => ({ index: start.get(index) ?? index, scale }))
  const first = load(place, instruction.type, base, instruction.align)
  entry.instructions.splice(entry.instructions.length - 1, 0, base, first)
  return becomePhi(instruction, [
    { value: first, block: entry },
    { value, block },
  ])
}
