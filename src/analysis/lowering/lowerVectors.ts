/**
 * What the machine has no instruction for on vectors becomes operations on their elements: casts of the bits between vectors
 * and numbers of other widths (little endian, as in memory), and elements chosen by an index that is known at run time only.
 * An index that is out of range chooses any element (LLVM: poison).
 */
import { binary, cast, extractElement, insertElement, intConstant, type Place } from '../../ir/build.ts'
import type { Func, Instruction, Type, Value } from '../../ir/ir.ts'
import { bitsOf, I1, I32, sameType } from '../../ir/types.ts'
import { replaceValues } from '../rewriting/blocks.ts'

type Vector = Type & { kind: 'vector' }

export function lowerVectors(kernel: Func): void {
  const replaced = new Map<Value, Value>()
  for (const block of kernel.blocks) {
    const out: Instruction[] = []
    for (const instruction of block.instructions) {
      const place: Place = { block, location: instruction.location }
      const value = lowered(instruction, place, out)
      if (value) replaced.set(instruction, value)
      else out.push(instruction)
    }
    block.instructions = out
  }
  replaceValues(kernel.blocks, replaced)
}

function lowered(instruction: Instruction, place: Place, out: Instruction[]): Value | undefined {
  // Some of LLVM's own indices have 64 bits.
  if ((instruction.op === 'extractelement' || instruction.op === 'insertelement') && instruction.index.kind === 'int')
    instruction.index = intConstant(I32, instruction.index.value)
  switch (instruction.op) {
    case 'bitcast': {
      const { value, type } = instruction
      if ((type.kind !== 'vector' && value.type.kind !== 'vector') || hasEqualParts(value.type, type)) return undefined
      return castBits(value, type, place, out)
    }
    case 'extractelement': {
      const { vector, index, type } = instruction
      if (index.kind !== 'instruction' && index.kind !== 'parameter') return undefined
      let chosen: Value = add(out, extractElement(place, vector, 0, type))
      for (let element = 1; element < (vector.type as Vector).length; element++)
        chosen = chooseAt(index, element, add(out, extractElement(place, vector, element, type)), chosen, place, out)
      return chosen
    }
    case 'insertelement': {
      const { vector, index, value } = instruction
      if (index.kind !== 'instruction' && index.kind !== 'parameter') return undefined
      let result = vector
      for (let element = 0; element < (vector.type as Vector).length; element++) {
        const old = add(out, extractElement(place, vector, element, value.type))
        const chosen = chooseAt(index, element, value, old, place, out)
        result = add(out, insertElement(place, result, chosen, element))
      }
      return result
    }
    default:
      return undefined
  }
}

function add<T extends Instruction>(out: Instruction[], instruction: T): T {
  out.push(instruction)
  return instruction
}

function hasEqualParts(a: Type, b: Type): boolean {
  return a.kind === 'vector' && b.kind === 'vector' && a.length === b.length && sameType(a.element, b.element)
}

function chooseAt(index: Value, at: number, ifTrue: Value, ifFalse: Value, place: Place, out: Instruction[]): Value {
  const common = { kind: 'instruction', name: '', ...place } as const
  const right = intConstant(index.type, at)
  const condition = add(out, { ...common, op: 'icmp', type: I1, predicate: 'eq', left: index, right })
  return add(out, { ...common, op: 'select', type: ifTrue.type, condition, ifTrue, ifFalse })
}

// ---------------------------------------------------------------- casts of bits

function castBits(value: Value, type: Type, place: Place, out: Instruction[]): Value {
  const sources = elementsOf(value, place, out).map(part => asInteger(part, place, out))
  const element = type.kind === 'vector' ? type.element : type
  const parts = regroup(sources, bitsOf(element), place, out).map(part =>
    element.kind === 'int'
      ? part
      : add(out, cast(place, element.kind === 'pointer' ? 'inttoptr' : 'bitcast', element, part)),
  )
  if (type.kind !== 'vector') return parts[0]!
  let vector: Value = { kind: 'undef', type }
  parts.forEach((part, index) => {
    vector = add(out, insertElement(place, vector, part, index))
  })
  return vector
}

function elementsOf(value: Value, place: Place, out: Instruction[]): Value[] {
  const { type } = value
  if (type.kind !== 'vector') return [value]
  return Array.from({ length: type.length }, (_, index) => add(out, extractElement(place, value, index, type.element)))
}

function asInteger(value: Value, place: Place, out: Instruction[]): Value {
  if (value.type.kind === 'int') return value
  const type: Type = { kind: 'int', bits: bitsOf(value.type) }
  return add(out, cast(place, value.type.kind === 'pointer' ? 'ptrtoint' : 'bitcast', type, value))
}

/** Integers of one width to integers of another, the first one lowest. */
function regroup(parts: readonly Value[], bits: number, place: Place, out: Instruction[]): Value[] {
  const from = bitsOf(parts[0]!.type)
  const type: Type = { kind: 'int', bits }
  if (from === bits) return [...parts]
  if (from > bits)
    return parts.flatMap(part =>
      Array.from({ length: from / bits }, (_, index) => {
        const shifted = index === 0 ? part : add(out, binary(place, 'lshr', part, intConstant(part.type, index * bits)))
        return add(out, cast(place, 'trunc', type, shifted))
      }),
    )
  const count = bits / from
  return Array.from({ length: parts.length / count }, (_, group) => {
    let whole: Value | undefined
    for (let index = 0; index < count; index++) {
      const wide = add(out, cast(place, 'zext', type, parts[group * count + index]!))
      const placed = index === 0 ? wide : add(out, binary(place, 'shl', wide, intConstant(type, index * from)))
      whole = whole ? add(out, binary(place, 'or', whole, placed)) : placed
    }
    return whole!
  })
}
