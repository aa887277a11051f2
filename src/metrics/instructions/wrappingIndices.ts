/**
 * Indices without sign in loops: their sums may wrap at 32 bits, so that nvcc cannot count a pointer up and makes each address anew from
 * an index of its own. In: a kernel. Out: the addresses that take a sum and a product each, and whether they are the first of their index: members
 * of one structure differ by an offset (machine code of products of matrices whose
 * counters are `unsigned`: two instructions a load, of `int` one or none).
 */
import { decompose, valueNumbering } from '../../analysis/facts/address.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { isFromOutside, type Loop, loops } from '../../ir/graph.ts'
import type { GepInstruction, Instruction, Value } from '../../ir/ir.ts'

export function wrappingIndices({ kernel, siteIds }: KernelProgram): ReadonlyMap<Instruction, boolean> {
  const found = new Map<Instruction, boolean>()
  for (const loop of loops(kernel))
    for (const { instructions } of loop.blocks) {
      const idOf = valueNumbering()
      const before = new Set<string>()
      for (const instruction of instructions) {
        if (instruction.op !== 'load' && instruction.op !== 'store') continue
        const { pointer } = instruction
        if (siteIds.get(instruction)?.global === undefined || pointer.kind !== 'instruction' || pointer.op !== 'gep')
          continue
        if (!mayWrap(pointer, loop, instruction.hasUnsignedIndex)) continue
        // What is added to an index may make it wrap, too.
        const added = instruction.hasUnsignedIndex ? decompose(pointer).offset : 0
        const place = [...[rootOf(pointer), ...indicesOf(pointer)].map(idOf), added].join()
        found.set(pointer, !before.has(place))
        before.add(place)
      }
    }
  return found
}

/**
 * A sum of a part that changes in the loop and another one, either of them a product that may wrap. Of an index without sign: rows that are
 * chosen apart from it (`rows[i].x[u]`) are no part of the sum (machine code of 8 kernels; reading: hec-layout).
 */
function mayWrap(pointer: GepInstruction, { blocks }: Loop, isUnsigned: boolean | undefined): boolean {
  const terms = termsOf(pointer)
  const element = Math.min(...terms.flatMap(({ scale }) => (Math.abs(scale) > 1 ? [Math.abs(scale)] : [])))
  const indices = terms.filter(({ scale }) => !isUnsigned || Math.abs(scale) <= element).map(({ index }) => index)
  if (indices.length < 2 || indices.every(index => isFromOutside(index, blocks))) return false
  return isUnsigned || indices.some(wraps)
}

const rootOf = (pointer: Value): Value =>
  pointer.kind === 'instruction' && pointer.op === 'gep' ? rootOf(pointer.base) : pointer

/** As the program adds them up: LLVM makes a step of each. */
function termsOf(pointer: Value): GepInstruction['terms'] {
  if (pointer.kind !== 'instruction' || pointer.op !== 'gep') return []
  return [...termsOf(pointer.base), ...pointer.terms]
}

const indicesOf = (pointer: Value): Value[] => termsOf(pointer).map(({ index }) => index)

const wraps = (index: Value): boolean =>
  index.kind === 'instruction' && (index.op === 'mul' || index.op === 'shl') && !index.nsw && !index.nuw
