/**
 * Checks that a module is what ir.ts promises: SSA form, one terminator a block, phis that match predecessors, types that agree.
 * In: a module, as read or after a pass. Out: nothing, or an InternalError that names function, block and instruction, since a
 * module that does not hold is a bug of ours. Runs in tests and between passes under a debug flag.
 */
import { InternalError } from '../diagnostic.ts'
import { checkTypes } from './checkTypes.ts'
import { dominators, operandsOf, predecessors, successors } from './graph.ts'
import type { Block, Func, Global, Instruction, Module, Value } from './ir.ts'
import { isTerminator } from './operands.ts'
import { printInstruction } from './print.ts'

/** Throws InternalError when the module breaks a rule of the IR. */
export function checkModule(module: Module): void {
  const symbols = new Set<Func | Global>([...module.globals, ...module.functions])
  const names = new Set<string>()
  for (const symbol of symbols) {
    // Inline assembly stands under its text, once for each signature.
    if (names.has(symbol.name) && !symbol.name.startsWith('asm:'))
      throw new InternalError(`two symbols @${symbol.name}`)
    names.add(symbol.name)
  }
  for (const func of module.functions) if (func.blocks.length > 0) checkFunction(func, symbols)
}

/** Checks one definition; `symbols` are those that it may mention, all when absent. Throws InternalError. */
export function checkFunction(func: Func, symbols?: ReadonlySet<Func | Global>): void {
  const fail = (instruction: Instruction, message: string): never => {
    const where = `@${func.name}, block ${instruction.block.name}`
    throw new InternalError(`${message}\n  in ${where}: ${printInstruction(instruction, func)}`)
  }
  checkBlocks(func, fail)
  checkValues(func, fail, symbols)
  for (const block of func.blocks) {
    for (const instruction of block.instructions) checkTypes(instruction, func, message => fail(instruction, message))
  }
}

type Fail = (instruction: Instruction, message: string) => never

/** Blocks, their terminators, and phis against predecessors. */
function checkBlocks(func: Func, fail: Fail): void {
  const blocks = new Set(func.blocks)
  if (blocks.size !== func.blocks.length) throw new InternalError(`@${func.name} lists a block twice`)
  for (const block of func.blocks) {
    const last = block.instructions.at(-1)
    if (!last || !isTerminator(last)) throw new InternalError(`@${func.name}, block ${block.name} has no terminator`)
    let phisEnded = false
    for (const instruction of block.instructions) {
      if (instruction.block !== block) fail(instruction, 'an instruction that says it is in another block')
      if (isTerminator(instruction) && instruction !== last) fail(instruction, 'a terminator inside a block')
      if (instruction.op !== 'phi') phisEnded = true
      else if (phisEnded) fail(instruction, 'a phi behind another instruction')
    }
    for (const next of successors(last)) {
      if (!blocks.has(next)) fail(last, `a branch to ${next.name}, which is not in the function`)
      if (next === func.blocks[0]) fail(last, 'a branch to the entry')
    }
  }
  const before = predecessors(func)
  for (const block of func.blocks) {
    const wanted = before.get(block)!
    for (const instruction of block.instructions) {
      if (instruction.op !== 'phi') break
      const sources = new Set(instruction.incoming.map(incoming => incoming.block))
      const matches = sources.size === instruction.incoming.length && wanted.every(source => sources.has(source))
      if (!matches || sources.size !== wanted.length) {
        fail(instruction, `a phi that does not match the predecessors ${wanted.map(source => source.name).join(', ')}`)
      }
    }
  }
}

/** Every value that is read is defined, and before. */
function checkValues(func: Func, fail: Fail, symbols: ReadonlySet<Func | Global> | undefined): void {
  const tree = dominators(func)
  const entry = func.blocks[0]!
  const indices = new Map<Instruction, number>()
  for (const block of func.blocks) {
    for (const [index, instruction] of block.instructions.entries()) {
      if (indices.has(instruction)) fail(instruction, 'an instruction that stands in two places')
      indices.set(instruction, index)
    }
  }
  const isAvailable = (value: Value, at: Block, index: number): boolean => {
    if (value.kind === 'parameter') return func.parameters[value.index] === value
    if (value.kind !== 'instruction') return true
    const defined = indices.get(value)
    if (defined === undefined) return false
    if (value.block === at) return defined < index
    // In code that is never reached, anything goes.
    return tree.dominates(value.block, at) || !tree.dominates(entry, at)
  }
  for (const block of func.blocks) {
    for (const instruction of block.instructions) {
      const index = indices.get(instruction)!
      if (instruction.op === 'phi') {
        for (const { value, block: source } of instruction.incoming) {
          if (!isAvailable(value, source, Number.POSITIVE_INFINITY))
            fail(instruction, 'a phi of a value that is not defined')
        }
        continue
      }
      for (const value of operandsOf(instruction)) {
        if (!isAvailable(value, block, index)) fail(instruction, 'use of a value that is not defined before')
        if (value.kind === 'address' && symbols && !symbols.has(value.target)) {
          fail(instruction, `a symbol @${value.target.name} that is not in the module`)
        }
      }
      if (
        instruction.op === 'call' &&
        instruction.callee.kind === 'function' &&
        symbols?.has(instruction.callee) === false
      ) {
        fail(instruction, `a function @${instruction.callee.name} that is not in the module`)
      }
    }
  }
}
