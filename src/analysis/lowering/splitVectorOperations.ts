/**
 * The machine computes with numbers, not with vectors of them: what LLVM computes or chooses as a vector (`select` of two
 * vectors that sources copy, sums that it joined) becomes one operation an element. Copies stay vectors.
 * In: a kernel whose vector operations have constant indices (lowerVectors.ts). Out: the same, where only what moves values
 * (loads, stores, phis, elements taken out and put in) is on vectors.
 */
import { extractElement, insertElement, intrinsicCall, type Place } from '../../ir/build.ts'
import type { Func, Instruction, Type, Value } from '../../ir/ir.ts'
import { cloneInstruction, operandsOf, replaceOperands } from '../../ir/operands.ts'
import { replaceValues } from '../rewriting/blocks.ts'

type Vector = Type & { kind: 'vector' }

const MOVES: ReadonlySet<Instruction['op']> = new Set([
  'load',
  'store',
  'phi',
  'extractelement',
  'insertelement',
  'shufflevector',
  'extractvalue',
  'insertvalue',
])

export function splitVectorOperations(kernel: Func): void {
  const replaced = new Map<Value, Value>()
  for (const block of kernel.blocks) {
    if (!block.instructions.some(isSplit)) continue
    block.instructions = block.instructions.flatMap(instruction => {
      if (!isSplit(instruction)) return [instruction]
      const out: Instruction[] = []
      replaced.set(instruction, split(instruction, out))
      return out
    })
  }
  if (replaced.size > 0) replaceValues(kernel.blocks, replaced)
}

function isSplit(instruction: Instruction): instruction is Instruction & { type: Vector } {
  if (instruction.type.kind !== 'vector' || MOVES.has(instruction.op)) return false
  // Atomics of two halves are one operation; of a number's bits the elements are others.
  if (instruction.op === 'atomicrmw' || instruction.op === 'cmpxchg') return false
  if (instruction.op === 'bitcast') return isOfSameLength(instruction.value.type, instruction.type)
  return instruction.op !== 'call' || intrinsicOf(instruction, instruction.type) !== undefined
}

const isOfSameLength = (type: Type, { length }: Vector): boolean => type.kind === 'vector' && type.length === length

function split(instruction: Instruction & { type: Vector }, out: Instruction[]): Value {
  const { type, block, location } = instruction
  const place: Place = { block, location }
  let whole: Value = { kind: 'undef', type }
  for (let index = 0; index < type.length; index++) {
    const part = (value: Value): Value => elementOf(value, index, place, out)
    const name = intrinsicOf(instruction, type)
    const element: Instruction =
      instruction.op === 'call' && name !== undefined
        ? intrinsicCall(place, name, type.element, instruction.args.map(part))
        : { ...cloneInstruction(instruction, block), type: type.element }
    if (instruction.op !== 'call') replaceOperands(element, part)
    whole = insertElement(place, whole, element, index)
    out.push(element, whole)
  }
  return whole
}

/** The element's part of an operand; what is no vector (a condition for all, a flag of an intrinsic) goes to each. */
function elementOf(value: Value, index: number, place: Place, out: Instruction[]): Value {
  const { type } = value
  if (type.kind !== 'vector') return value
  if (value.kind === 'aggregate') return value.elements[index]!
  if (value.kind === 'zero' || value.kind === 'undef') return { kind: value.kind, type: type.element }
  const element = extractElement(place, value, index, type.element)
  out.push(element)
  return element
}

/** `llvm.smax.i32` for `llvm.smax.v4i32`; undefined for anything else. */
function intrinsicOf(instruction: Instruction, type: Vector): string | undefined {
  if (instruction.op !== 'call' || instruction.callee.kind !== 'function') return undefined
  const match = /^(llvm\.[a-z.]+)\.v(\d+)([a-z]+\d+)$/.exec(instruction.callee.name)
  if (!match || Number(match[2]) !== type.length) return undefined
  const areElements = operandsOf(instruction).every(({ type: of }) => of.kind !== 'vector' || of.length === type.length)
  return areElements ? `${match[1]}.${match[3]}` : undefined
}
