/**
 * Stores that nvcc leaves in two branches while LLVM makes one of them behind both (branchStores.ts). In: a kernel, its blocks with
 * clang's names. Out: such stores back in their branches.
 */
import { cloneInstruction, dominators, loops, operandsOf, replaceOperands, terminatorOf, users } from '../ir/graph.ts'
import type { Block, Func, Instruction, PhiInstruction, StoreInstruction, Value } from '../ir/ir.ts'
import { coordinateName } from './address.ts'
import { edgeBlock } from './blocks.ts'
import { type Branches, BranchStores, branchesOf } from './branchStores.ts'
import { mayWrite } from './memoryEffects.ts'

interface MergedStore {
  readonly store: StoreInstruction
  readonly value: PhiInstruction
  /** What the block behind the branches makes the address of, in order, of values from before. */
  readonly address: readonly Instruction[]
}

export function separateStores(func: Func): void {
  const around = loops(func)
  for (const block of [...func.blocks]) {
    const found = mergedStores(block)
    if (found.length === 0) continue
    const tree = dominators(func)
    const branches = branchesOf(func, block, tree)
    if (!branches) continue
    const rules = new BranchStores(func, tree, branches, around.findLast(({ blocks }) => blocks.has(block))?.blocks)
    const apart = found.filter(({ store, value }) =>
      rules.areApart(store.pointer, ({ from }) => value.incoming.find(each => each.block === from)!.value),
    )
    if (apart.length > 0) moveBack(func, block, apart, branches)
  }
}

/** The stores that a block begins with, of values that two branches come with. */
function mergedStores(block: Block): MergedStore[] {
  const found: MergedStore[] = []
  for (const instruction of block.instructions) {
    if (instruction.op === 'store') {
      const { value, pointer } = instruction
      const address = madeHere(block, pointer)
      if (!address || pointer.kind !== 'instruction' || pointer.op !== 'gep') break
      if (instruction.volatile || instruction.atomic || (instruction.location && instruction.location.column > 0)) break
      if (value.kind !== 'instruction' || value.op !== 'phi' || value.block !== block || value.incoming.length !== 2)
        break
      found.push({ store: instruction, value, address })
    } else if (instruction.op === 'load' || mayWrite(instruction)) break
  }
  return found
}

/** The instructions of a block that a pointer depends on; undefined where some are phis or no plain arithmetic. */
function madeHere(block: Block, pointer: Value): Instruction[] | undefined {
  const needed = new Set<Instruction>()
  const pending: Value[] = [pointer]
  for (let value = pending.pop(); value; value = pending.pop()) {
    if (value.kind !== 'instruction' || value.block !== block || needed.has(value)) continue
    if (!('left' in value) && !('base' in value) && !isCast(value) && coordinateName(value) === undefined)
      return undefined
    needed.add(value)
    pending.push(...operandsOf(value))
  }
  return block.instructions.filter(each => needed.has(each))
}

const isCast = ({ op }: Instruction) => op === 'sext' || op === 'zext' || op === 'trunc' || op === 'freeze'

function moveBack(func: Func, block: Block, stores: readonly MergedStore[], { ways }: Branches): void {
  for (const { from } of ways) {
    const into = terminatorOf(from).op === 'br' ? from : edgeBlock(func, from, block)
    for (const { store, value, address } of stores) {
      const stored = value.incoming.find(each => each.block === into)!.value
      const copyOf = new Map<Value, Value>([[value, stored]])
      for (const each of [...address, store]) {
        const copy = cloneInstruction(each, into)
        replaceOperands(copy, operand => copyOf.get(operand) ?? operand)
        copyOf.set(each, copy)
        into.instructions.splice(-1, 0, copy)
      }
    }
  }
  const gone = new Set<Instruction>(stores.map(({ store }) => store))
  block.instructions = block.instructions.filter(instruction => !gone.has(instruction))
  const ofStores = new Set<Instruction>(stores.flatMap(({ value, address }) => [value, ...address]))
  for (let before = -1; before !== block.instructions.length; ) {
    before = block.instructions.length
    const usersOf = users(func)
    block.instructions = block.instructions.filter(each => usersOf.has(each) || !ofStores.has(each))
  }
}
