/**
 * Fuses multiplications and additions as nvcc does under its default `-fmad=true`: a `contract` product all of whose uses
 * are `contract` additions or subtractions of the same block becomes part of them (LLVM's NVPTX DAG combiner: fewer than
 * five uses, every use fusable). Of two products that meet in one sum, the one with fewer uses is fused, the left on a tie.
 * Then results agree with a real GPU's to the last bit.
 */
import { users } from '../../ir/graph.ts'
import type { BinaryInstruction, FmaInstruction, Func, Instruction, Value } from '../../ir/ir.ts'
import { replaceUses } from '../rewriting/blocks.ts'

const MOST_USES = 4

export function contractMultiplyAdds(func: Func): void {
  const usersOf = users(func)
  const isFusable = (value: Value, sum: BinaryInstruction): value is BinaryInstruction =>
    value.kind === 'instruction' &&
    value.op === 'fmul' &&
    value.contract &&
    value.block === sum.block &&
    (usersOf.get(value)?.length ?? 0) <= MOST_USES &&
    (usersOf.get(value) ?? []).every(user => isContractSum(user) && user.block === value.block)

  const replaced = new Map<Instruction, FmaInstruction>()
  for (const block of func.blocks) {
    block.instructions = block.instructions.flatMap(instruction => {
      if (!isContractSum(instruction)) return [instruction]
      const left = isFusable(instruction.left, instruction) ? instruction.left : undefined
      const right = isFusable(instruction.right, instruction) ? instruction.right : undefined
      const fewer = (product: BinaryInstruction): number => usersOf.get(product)!.length
      const product = left && right ? (fewer(right) < fewer(left) ? right : left) : (left ?? right)
      if (!product) return [instruction]
      const made = fuse(instruction, product, product === left)
      replaced.set(instruction, made.at(-1) as FmaInstruction)
      return made
    })
  }
  for (const [from, to] of replaced) replaceUses(func.blocks, from, to)
  dropUnusedProducts(func)
}

function isContractSum(instruction: Instruction): instruction is BinaryInstruction {
  return (instruction.op === 'fadd' || instruction.op === 'fsub') && instruction.contract
}

/** a*b + c, a*b - c = a*b + (-c), c - a*b = (-a)*b + c. */
function fuse(sum: BinaryInstruction, product: BinaryInstruction, productIsLeft: boolean): Instruction[] {
  const other = productIsLeft ? sum.right : sum.left
  const made: Instruction[] = []
  const negate = (value: Value): Value => {
    const negated: Instruction = {
      kind: 'instruction',
      op: 'fneg',
      type: value.type,
      name: '',
      block: sum.block,
      location: sum.location,
      value,
    }
    made.push(negated)
    return negated
  }
  let factor = product.left
  let addend = other
  if (sum.op === 'fsub') {
    if (productIsLeft) addend = negate(other)
    else factor = negate(product.left)
  }
  made.push({
    kind: 'instruction',
    op: 'fma',
    type: sum.type,
    name: sum.name,
    block: sum.block,
    location: sum.location,
    left: factor,
    right: product.right,
    addend,
  })
  return made
}

function dropUnusedProducts(func: Func): void {
  const used = users(func)
  for (const block of func.blocks)
    block.instructions = block.instructions.filter(instruction => instruction.op !== 'fmul' || used.has(instruction))
}
