/**
 * Facts about single instructions that every pass needs: what they read, how to rewrite that, how to copy them.
 * In: instructions and functions of the IR. `operandsOf`, `replaceOperands` and `cloneInstruction` are the three places
 * that know the fields of every kind of instruction; a new kind is added here and nowhere else among the passes.
 */
import { InternalError } from '../diagnostic.ts'
import type { Block, Func, Instruction, Parameter, Terminator, Value } from './ir.ts'

/** The values that an instruction reads, constants included, in the order of LLVM's text; blocks and direct callees are not values. */
export function operandsOf(instruction: Instruction): Value[] {
  const found: Value[] = []
  replaceOperands(instruction, value => {
    found.push(value)
    return value
  })
  return found
}

/** Replaces, in place, every value that the instruction reads by what `map` returns for it. */
export function replaceOperands(instruction: Instruction, map: (value: Value) => Value): void {
  switch (instruction.op) {
    case 'fneg':
    case 'freeze':
      instruction.value = map(instruction.value)
      return
    case 'fma':
      instruction.left = map(instruction.left)
      instruction.right = map(instruction.right)
      instruction.addend = map(instruction.addend)
      return
    case 'icmp':
    case 'fcmp':
    case 'shufflevector':
      instruction.left = map(instruction.left)
      instruction.right = map(instruction.right)
      return
    case 'select':
      instruction.condition = map(instruction.condition)
      instruction.ifTrue = map(instruction.ifTrue)
      instruction.ifFalse = map(instruction.ifFalse)
      return
    case 'gep':
      instruction.base = map(instruction.base)
      for (const term of instruction.terms) term.index = map(term.index)
      return
    case 'load':
      instruction.pointer = map(instruction.pointer)
      if (instruction.copiedTo) instruction.copiedTo = map(instruction.copiedTo)
      return
    case 'store':
      instruction.value = map(instruction.value)
      instruction.pointer = map(instruction.pointer)
      return
    case 'atomicrmw':
      instruction.pointer = map(instruction.pointer)
      instruction.value = map(instruction.value)
      return
    case 'cmpxchg':
      instruction.pointer = map(instruction.pointer)
      instruction.expected = map(instruction.expected)
      instruction.replacement = map(instruction.replacement)
      return
    case 'phi':
      for (const incoming of instruction.incoming) incoming.value = map(incoming.value)
      return
    case 'call':
      if (instruction.callee.kind !== 'function') instruction.callee = map(instruction.callee)
      for (let i = 0; i < instruction.args.length; i++) instruction.args[i] = map(instruction.args[i]!)
      return
    case 'extractvalue':
      instruction.aggregate = map(instruction.aggregate)
      return
    case 'insertvalue':
      instruction.aggregate = map(instruction.aggregate)
      instruction.value = map(instruction.value)
      return
    case 'extractelement':
      instruction.vector = map(instruction.vector)
      instruction.index = map(instruction.index)
      return
    case 'insertelement':
      instruction.vector = map(instruction.vector)
      instruction.value = map(instruction.value)
      instruction.index = map(instruction.index)
      return
    case 'condbr':
      instruction.condition = map(instruction.condition)
      return
    case 'switch':
      instruction.value = map(instruction.value)
      return
    case 'ret':
      if (instruction.value) instruction.value = map(instruction.value)
      return
    case 'alloca':
    case 'fence':
    case 'br':
    case 'unreachable':
      return
    default:
      if ('left' in instruction) {
        instruction.left = map(instruction.left)
        instruction.right = map(instruction.right)
      } else {
        instruction.value = map(instruction.value)
      }
  }
}

/** Replaces, in place, the blocks that a terminator goes to, or that a phi's values come from. */
export function replaceBlocks(instruction: Instruction, map: (block: Block) => Block): void {
  switch (instruction.op) {
    case 'br':
      instruction.target = map(instruction.target)
      return
    case 'condbr':
      instruction.ifTrue = map(instruction.ifTrue)
      instruction.ifFalse = map(instruction.ifFalse)
      return
    case 'switch':
      instruction.fallback = map(instruction.fallback)
      for (const branch of instruction.cases) branch.target = map(branch.target)
      return
    case 'phi':
      for (const incoming of instruction.incoming) incoming.block = map(incoming.block)
  }
}

/** Is it one of the instructions that end a block? */
export function isTerminator(instruction: Instruction): instruction is Terminator {
  switch (instruction.op) {
    case 'br':
    case 'condbr':
    case 'switch':
    case 'ret':
    case 'unreachable':
      return true
    default:
      return false
  }
}

/** The block's last instruction. Throws InternalError when the block is empty or does not end in a terminator. */
export function terminatorOf(block: Block): Terminator {
  const last = block.instructions.at(-1)
  if (!last || !isTerminator(last)) throw new InternalError(`block ${block.name} has no terminator`)
  return last
}

/** Who reads each instruction and parameter of the function; a value read twice by one instruction is listed once. */
export function users(func: Func): Map<Value, Instruction[]> {
  const found = new Map<Value, Instruction[]>()
  for (const block of func.blocks) {
    for (const instruction of block.instructions) {
      for (const value of operandsOf(instruction)) {
        if (value.kind !== 'instruction' && value.kind !== 'parameter') continue
        const list = found.get(value)
        if (!list) found.set(value, [instruction])
        else if (list.at(-1) !== instruction) list.push(instruction)
      }
    }
  }
  return found
}

/** A copy in `block` that reads the same values and goes to the same blocks; its lists are its own. */
export function cloneInstruction(instruction: Instruction, block: Block): Instruction {
  switch (instruction.op) {
    case 'gep':
      return { ...instruction, block, terms: instruction.terms.map(term => ({ ...term })) }
    case 'phi':
      return { ...instruction, block, incoming: instruction.incoming.map(incoming => ({ ...incoming })) }
    case 'call':
      return { ...instruction, block, args: [...instruction.args], byval: [...instruction.byval] }
    case 'switch':
      return { ...instruction, block, cases: instruction.cases.map(branch => ({ ...branch })) }
    default:
      return { ...instruction, block }
  }
}

/**
 * Copies blocks with all references among them. What `valueMap` already maps (a parameter to an argument, say) is replaced;
 * values and blocks outside the list stay as they are. Adds every copied instruction to `valueMap` and block to `blockMap`.
 */
export function cloneBlocks(
  blocks: readonly Block[],
  valueMap: Map<Value, Value>,
  blockMap: Map<Block, Block> = new Map(),
): Block[] {
  const copies = blocks.map(block => {
    const copy: Block = { name: block.name, instructions: [] }
    blockMap.set(block, copy)
    for (const instruction of block.instructions) {
      const cloned = cloneInstruction(instruction, copy)
      copy.instructions.push(cloned)
      valueMap.set(instruction, cloned)
    }
    return copy
  })
  for (const copy of copies) {
    for (const instruction of copy.instructions) {
      replaceOperands(instruction, value => valueMap.get(value) ?? value)
      replaceBlocks(instruction, block => blockMap.get(block) ?? block)
    }
  }
  return copies
}

/** A copy of the whole function with parameters of its own (those that `valueMap` does not already map). Fills `valueMap`. */
export function cloneFunction(func: Func, valueMap: Map<Value, Value> = new Map()): Func {
  const parameters = func.parameters.map((parameter): Parameter => {
    const copy = { ...parameter }
    if (!valueMap.has(parameter)) valueMap.set(parameter, copy)
    return copy
  })
  return { ...func, parameters, blocks: cloneBlocks(func.blocks, valueMap) }
}
