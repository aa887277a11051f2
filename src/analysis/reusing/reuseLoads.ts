/**
 * Loads whose value is already in a register. In: a kernel, its loops written out four rounds at a time as nvcc writes them.
 * Out: the same without loads that read what the same block stored or loaded before, as the machine compiler leaves them out
 * between the rounds; what the round before has is carryOverRounds.ts's.
 * Readings: scripts/fidelity/cases/machineCompiler, loopCarried (126 loads in 99 rounds) and loopNeighbour (101 in 100).
 */
import type { Block, Func, Instruction, Value } from '../../ir/ir.ts'
import { decomposeLinear } from '../facts/address.ts'
import { isPlain, KnownValues } from '../facts/knownValues.ts'
import { mayWrite } from '../facts/memoryEffects.ts'
import { MemoryPlaces } from '../facts/places.ts'
import { finalOf, replaceValues } from '../rewriting/blocks.ts'

export function reuseLoads(func: Func): void {
  const replaced = new Map<Value, Value>()
  const places = new MemoryPlaces(func, value => finalOf(value, replaced))
  for (const block of func.blocks) reuseInBlock(block, replaced, places)
  replaceValues(func.blocks, replaced)
}

function reuseInBlock(block: Block, replaced: Map<Value, Value>, places: MemoryPlaces): void {
  const known = new KnownValues()
  const addressOf = (pointer: Value) => decomposeLinear(pointer, value => finalOf(value, replaced))
  const kept: Instruction[] = []
  for (const instruction of block.instructions) {
    if (isPlain(instruction)) {
      const address = addressOf(instruction.pointer)
      const value = known.find(address, instruction.type, instruction)
      if (value) {
        replaced.set(instruction, value)
        continue
      }
      known.add(address, instruction, places.of(instruction.pointer), instruction)
    } else if (instruction.op === 'store' && !instruction.volatile && !instruction.atomic) {
      known.store(addressOf(instruction.pointer), instruction.value, places.of(instruction.pointer), instruction)
    } else if (mayWrite(instruction)) known.clear()
    kept.push(instruction)
  }
  block.instructions = kept
}
