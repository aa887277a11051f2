/**
 * `for (i = 1; i < n; ++i) s[0] += s[i];`: LLVM of today knows that `s[i]` is not `s[0]`, keeps the sum in a register and stores it
 * behind the loop. nvcc's does not know: it stores the sum at the end of each copy of the loop's body, and keeps it in a register to read
 * (machine code of 8 loops). In: a kernel with LLVM's names (`….promoted`). Out: such stores within their loops, where nothing but sums
 * is made of what was loaded.
 */
import { store } from '../../ir/build.ts'
import { loops, operandsOf, users } from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, StoreInstruction, Value } from '../../ir/ir.ts'
import { sameType } from '../../ir/types.ts'
import { decompose, isSameRoot } from '../facts/address.ts'
import { isPlainAccess } from '../facts/memoryEffects.ts'

export function storePromotedSums(func: Func): void {
  const sums = func.blocks.flatMap(({ instructions }) => instructions.filter(isPromoted))
  if (sums.length === 0) return
  const usersOf = users(func)
  const inLoops = new Set(loops(func).flatMap(({ blocks }) => [...blocks]))
  for (const sum of sums) {
    const last = func.blocks
      .flatMap(({ instructions }) => instructions.filter(each => isStoreTo(each, sum)))
      .filter(({ block }) => !inLoops.has(block))
    if (last.length !== 1) continue
    const [behind] = last as [StoreInstruction]
    const steps = stepsOf(behind.value, sum, usersOf)
    if (steps.length === 0 || !steps.every(({ block }) => inLoops.has(block) && readsBeside(block, sum))) continue
    for (const block of new Set(steps.map(step => step.block))) storeBehind(block, steps, behind, sum)
    behind.block.instructions.splice(behind.block.instructions.indexOf(behind), 1)
  }
}

/** What LLVM loads in front of a loop for a sum that it keeps there. */
function isPromoted(instruction: Instruction): instruction is LoadInstruction {
  if (instruction.op !== 'load' || !isPlainAccess(instruction) || !/\.promoted\d*$/.test(instruction.name)) return false
  const { root } = decompose(instruction.pointer)
  return root.kind === 'address' || root.kind === 'parameter'
}

function isStoreTo(instruction: Instruction, sum: LoadInstruction): instruction is StoreInstruction {
  if (instruction.op !== 'store' || !isPlainAccess(instruction)) return false
  const [a, b] = [decompose(instruction.pointer), decompose(sum.pointer)]
  return isSameRoot(a.root, b.root) && a.offset === b.offset && a.terms.length === 0 && b.terms.length === 0
}

/** The operations that make the next sum of the last one: between what was loaded and what is stored back. */
function stepsOf(stored: Value, sum: LoadInstruction, usersOf: ReturnType<typeof users>): Instruction[] {
  const made = reached(sum, value =>
    (usersOf.get(value) ?? []).filter(user => user.op === 'phi' || ('left' in user && sameType(user.type, sum.type))),
  )
  const needed = reached(stored, value =>
    value.kind === 'instruction' ? operandsOf(value).filter(operand => made.has(operand)) : [],
  )
  return [...needed].filter(value => value.kind === 'instruction').filter(value => 'left' in value && made.has(value))
}

/** All that can be come to, step by step. */
function reached(start: Value, next: (value: Value) => readonly Value[]): Set<Value> {
  const found = new Set([start])
  for (const value of found) for (const each of next(value)) found.add(each)
  return found
}

/** Whether a block loads from the same array at a place that nvcc cannot tell from the sum's. */
function readsBeside({ instructions }: Block, sum: LoadInstruction): boolean {
  const own = decompose(sum.pointer)
  return instructions.some(each => {
    if (each.op !== 'load') return false
    const { root, terms } = decompose(each.pointer)
    return isSameRoot(root, own.root) && terms.length > 0
  })
}

function storeBehind(
  block: Block,
  steps: readonly Instruction[],
  { align, location }: StoreInstruction,
  { pointer }: LoadInstruction,
): void {
  const at = block.instructions.findLastIndex(each => steps.includes(each))
  block.instructions.splice(at + 1, 0, store({ block, location }, block.instructions[at]!, pointer, align))
}
