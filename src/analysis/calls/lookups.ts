/**
 * Lookups of textures and accesses of surfaces. On the machine each is one instruction; here it is a function of a header
 * (include/warplens/device_texture.h), which says with a call of `__warplens_lookup` where it takes place and what it costs, and whose
 * instructions have {@link LOOKUP} as their `Location.library`.
 */
import { calledName } from '../../ir/graph.ts'
import type { Block, CallInstruction, Func, Instruction, TextureLookup, Value } from '../../ir/ir.ts'
import { replaceUses } from '../rewriting/blocks.ts'

/** `Location.library` of all that a lookup's function is made of. */
export const LOOKUP = 'texture lookup'
const MARK = '__warplens_lookup'

/** Its code is a lookup's. */
export const isLookupFunction = (name: string): boolean => name !== MARK && name.includes(MARK)

/** Part of a lookup's function, which is no instruction of its own on the machine. */
export const isWithinLookup = ({ location }: Instruction): boolean => location?.library === LOOKUP

export const lookupOf = (instruction: Instruction): TextureLookup | undefined =>
  instruction.op === 'freeze' ? instruction.lookup : undefined

export function markLookups(kernel: Func): void {
  for (const block of kernel.blocks)
    for (const [index, call] of block.instructions.entries()) {
      if (call.op !== 'call' || calledName(call) !== MARK) continue
      const marked = markedPlace(call, block)
      block.instructions[index] = marked
      replaceUses(kernel.blocks, call, marked)
    }
}

function markedPlace(call: CallInstruction, block: Block): Instruction {
  const { type, name, location } = call
  const [value, ...numbers] = call.args
  const [kind, requests, cycles] = numbers.map(wholeNumber)
  const lookup = { kind: kinds[kind!]!, requests: requests!, cycles: cycles! }
  return { kind: 'instruction', op: 'freeze', type, name, block, location, value: value!, lookup }
}

/** By their numbers in the header. */
const kinds = ['texture', 'surfaceLoad', 'surfaceStore'] as const

const wholeNumber = (value: Value): number => (value.kind === 'int' ? Number(value.value) : 0)
