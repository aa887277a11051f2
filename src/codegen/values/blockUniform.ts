/**
 * Which values all threads of a block agree on, whenever they compute them: launch constants, the block's index, what follows
 * from them, counters of loops that all threads leave together. Loads agree only where nobody writes.
 */
import { findMeetingBlocks } from '../../analysis/execution/divergence.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { operandsOf, terminatorOf } from '../../ir/graph.ts'
import type { Block, Instruction, PhiInstruction, Value } from '../../ir/ir.ts'
import { classifyCall } from '../operations/intrinsics.ts'

/** What a block's last instruction decides by; undefined when it has one way only. */
export function branchCondition(block: Block): Value | undefined {
  const terminator = terminatorOf(block)
  return terminator.op === 'condbr' ? terminator.condition : terminator.op === 'switch' ? terminator.value : undefined
}

/** True for values on which the threads of a block may differ. */
export function findThreadDependent({ kernel, loops, spacesOf }: KernelProgram): (value: Value) => boolean {
  const dependent = new Set<Value>()
  const depends = (value: Value): boolean => dependent.has(value)
  let meeting: ReadonlySet<Block> = new Set()

  const phiDepends = (phi: PhiInstruction, block: Block): boolean => {
    const different = new Set(phi.incoming.map(({ value }) => value).filter(value => value.kind !== 'undef'))
    if ([...different].some(depends)) return true
    if (!meeting.has(block)) return false
    // Threads that left a loop in different rounds come with different values of one name.
    return different.size > 1 || [...different].some(value => value.kind === 'instruction')
  }
  const instructionDepends = (instruction: Instruction, block: Block): boolean => {
    switch (instruction.op) {
      case 'phi':
        return phiDepends(instruction, block)
      case 'alloca':
      case 'atomicrmw':
      case 'cmpxchg':
        return true
      case 'load': {
        const spaces = [...spacesOf(instruction.pointer)]
        const isFixed = spaces.every(space => space === 'parameter' || space === 'constant')
        return !isFixed || instruction.volatile || depends(instruction.pointer)
      }
      case 'call':
        switch (classifyCall(instruction).kind) {
          case 'block-index':
          case 'block-dimension':
          case 'grid-dimension':
          case 'launch-constant':
          case 'cluster-dimension':
          case 'barrier':
            return false
          case 'pure':
            return instruction.args.some(depends)
          default:
            return true
        }
      default:
        return operandsOf(instruction).some(depends)
    }
  }

  for (let changed = true; changed; ) {
    changed = false
    for (const block of kernel.blocks)
      for (const instruction of block.instructions) {
        if (dependent.has(instruction) || !instructionDepends(instruction, block)) continue
        dependent.add(instruction)
        changed = true
      }
    const divergent = kernel.blocks.filter(block => {
      const condition = branchCondition(block)
      return condition !== undefined && depends(condition)
    })
    meeting = findMeetingBlocks(kernel.blocks, loops, divergent)
  }
  return depends
}
