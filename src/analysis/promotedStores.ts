/**
 * `for (i = 1; i < n; ++i) s[0] += s[i];`: LLVM of today knows that `s[i]` is not `s[0]`, keeps the sum in a register and stores it
 * behind the loop. nvcc's does not know: it stores the sum at the end of each copy of the loop's body, and keeps it in a register to read
 * (machine code of 8 loops; reading: hec-nbody). In: a kernel as clang made it, whose names LLVM has given (`….promoted`). Out: such stores within their loops.
 */
import { loops, operandsOf } from '../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, StoreInstruction, Value } from '../ir/ir.ts'
import { decompose } from './address.ts'
import { store } from './build.ts'
import { isPlainAccess } from './memoryEffects.ts'

export function storePromotedSums(func: Func): void {
  const sums = func.blocks.flatMap(({ instructions }) => instructions.filter(isPromoted))
  if (sums.length === 0) return
  const inLoops = new Set(loops(func).flatMap(({ blocks }) => [...blocks]))
  for (const sum of sums) {
    const last = func.blocks
      .flatMap(({ instructions }) => instructions.filter(each => isStoreTo(each, sum)))
      .filter(({ block }) => !inLoops.has(block))
    if (last.length !== 1) continue
    const [behind] = last as [StoreInstruction]
    const steps = stepsOf(behind.value, sum).filter(({ block }) => inLoops.has(block))
    const blocks = new Set(steps.map(({ block }) => block))
    if (blocks.size === 0 || ![...blocks].every(block => readsBeside(block, sum))) continue
    for (const block of blocks) storeBehind(block, steps, behind, sum)
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

const isSameRoot = (a: Value, b: Value): boolean =>
  a === b || (a.kind === 'address' && b.kind === 'address' && a.target === b.target)

/** The operations that make the next sum of the last one, from what is stored back to what was loaded. */
function stepsOf(stored: Value, sum: LoadInstruction): Instruction[] {
  const found = new Set<Value>()
  const steps: Instruction[] = []
  const pending = [stored]
  for (let value = pending.pop(); value; value = pending.pop()) {
    if (value === sum || value.kind !== 'instruction' || found.has(value)) continue
    found.add(value)
    if (value.op === 'phi') pending.push(...value.incoming.map(way => way.value))
    else if (leadsTo(value, sum)) {
      steps.push(value)
      pending.push(...operandsOf(value).filter(operand => operand.kind === 'instruction' && operand.op !== 'load'))
    }
  }
  return steps
}

/** An operation on numbers, as sums, products and maxima are. */
const leadsTo = (value: Instruction, { type }: LoadInstruction): boolean =>
  'left' in value && value.type.kind === type.kind && value.op !== 'icmp' && value.op !== 'fcmp'

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
  { type, pointer }: LoadInstruction,
): void {
  const at = block.instructions.findLastIndex(each => steps.includes(each) && each.type.kind === type.kind)
  block.instructions.splice(at + 1, 0, store({ block, location }, block.instructions[at]!, pointer, align))
}
