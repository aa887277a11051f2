/**
 * Loops that may wait for another lane, warp or block: an exit depends on what a volatile or atomic access of memory that
 * others can write finds in this iteration. Loops that use an atomic to fetch work, or try again because another thread
 * succeeded (the usual compare-and-swap loop), make progress by themselves and are not meant. In doubt a loop may wait: that
 * costs speed, a loop that is missed would hang.
 */
import { operandsOf, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Func, Instruction, Value } from '../../ir/ir.ts'
import type { PointerSpace } from '../facts/spaces.ts'
import type { BlockLoop } from './orderBlocks.ts'
import { isBarrier } from './splitBarriers.ts'

interface Kernel {
  readonly kernel: Func
  readonly loops: readonly BlockLoop[]
  readonly spacesOf: (pointer: Value) => ReadonlySet<PointerSpace>
}

export function findWaitingLoops(program: Kernel): ReadonlySet<BlockLoop> {
  return new Set(program.loops.filter(loop => mayWait(loop, program)))
}

function mayWait(loop: BlockLoop, { kernel, spacesOf }: Kernel): boolean {
  return mayBlocksWait(kernel.blocks.slice(loop.first, loop.last + 1), spacesOf)
}

/** @param blocks a loop's, its header first */
export function mayBlocksWait(blocks: readonly Block[], spacesOf: Kernel['spacesOf']): boolean {
  const body = new LoopBody(blocks, spacesOf)
  const looks = body.looks()
  if (looks.size === 0) return false
  return body.dependsOn(body.exitConditions(), looks)
}

/** Whether a loop goes round again or not as compare-and-swaps in it have it: not one that swaps something for each thing in a list. */
export function triesAgain(loop: BlockLoop, { kernel, spacesOf }: Kernel, space: PointerSpace): boolean {
  const body = new LoopBody(kernel.blocks.slice(loop.first, loop.last + 1), spacesOf)
  return body.dependsOn(body.exitConditions(), body.swaps(space))
}

/** What an instruction does that makes another iteration of a waiting loop worthwhile. */
export type Activity =
  /** Memory that others can see may change, or something is printed. */
  | 'memory'
  /** The thread's own memory changes from iteration to iteration: a counter that is not kept in a register. */
  | 'own'
  | 'none'

/** The strongest activity of a block in a loop, apart from stores that others can see: those may write what is there already. */
export function activityOf(block: Block, loop: BlockLoop, { kernel, spacesOf }: Kernel): Activity {
  const body = new LoopBody(kernel.blocks.slice(loop.first, loop.last + 1), spacesOf)
  let found: Activity = 'none'
  for (const instruction of block.instructions) {
    const activity = body.activity(instruction)
    if (activity === 'memory') return activity
    if (activity === 'own') found = activity
  }
  return found
}

/** What decides where a block goes on. */
export function conditionsOf(block: Block): Value[] {
  const terminator = terminatorOf(block)
  if (terminator.op === 'condbr') return [terminator.condition]
  return terminator.op === 'switch' ? [terminator.value] : []
}

class LoopBody {
  readonly blocks: readonly Block[]
  readonly inside: ReadonlySet<Block>
  private readonly spacesOf: Kernel['spacesOf']
  private readonly instructions: readonly Instruction[]

  constructor(blocks: readonly Block[], spacesOf: Kernel['spacesOf']) {
    this.blocks = blocks
    this.inside = new Set(blocks)
    this.spacesOf = spacesOf
    this.instructions = blocks.flatMap(block => block.instructions)
  }

  exitConditions(): Value[] {
    const exits = this.blocks.filter(block => successors(terminatorOf(block)).some(to => !this.inside.has(to)))
    return exits.flatMap(conditionsOf)
  }

  swaps(space: PointerSpace): Set<Instruction> {
    const isSwap = (each: Instruction) => each.op === 'cmpxchg' && this.spacesOf(each.pointer).has(space)
    return new Set(this.instructions.filter(isSwap))
  }

  /** The accesses whose result tells whether the wait is over. */
  looks(): Set<Instruction> {
    const isOrdered = this.instructions.some(instruction => instruction.op === 'fence' || isFenceCall(instruction))
    const isSynchronised = this.instructions.some(isBarrier)
    const direct = this.instructions.filter(instruction => this.isLook(instruction))
    // Behind a fence the compiler reads plain variables anew; behind a barrier, what another thread looked up.
    const alsoPlain = isOrdered || (isSynchronised && direct.length > 0)
    const plain = alsoPlain
      ? this.instructions.filter(instruction => instruction.op === 'load' && this.isSeen(instruction.pointer))
      : []
    const found = new Set([...direct, ...plain])
    for (const instruction of this.instructions)
      if (instruction.op === 'cmpxchg' && this.isSeen(instruction.pointer) && !this.isRetry(instruction))
        found.add(instruction)
    return found
  }

  private isLook(instruction: Instruction): boolean {
    switch (instruction.op) {
      case 'load':
        return (instruction.volatile || instruction.atomic) && this.isSeen(instruction.pointer)
      case 'atomicrmw':
        return this.isSeen(instruction.pointer) && !advances(instruction)
      default:
        return false
    }
  }

  /** A swap that expects what was last found there: when it fails, another thread has made progress. */
  private isRetry(swap: Instruction & { op: 'cmpxchg' }): boolean {
    const changing = this.instructions.filter(({ op }) => op === 'cmpxchg' || op === 'atomicrmw' || op === 'load')
    return this.dependsOn([swap.expected], new Set(changing.filter(instruction => !this.isOwn(instruction))))
  }

  private isOwn(instruction: Instruction): boolean {
    return instruction.op === 'load' && !this.isSeen(instruction.pointer)
  }

  /** In memory that others can write. */
  private isSeen(pointer: Value): boolean {
    const spaces = this.spacesOf(pointer)
    return spaces.has('global') || spaces.has('shared')
  }

  /** Whether values are computed from one of the targets within the loop, by data or by the branches that choose them. */
  dependsOn(values: readonly Value[], targets: ReadonlySet<Instruction>): boolean {
    const seen = new Set<Value>()
    const stack = [...values]
    for (let value = stack.pop(); value; value = stack.pop()) {
      if (seen.has(value)) continue
      seen.add(value)
      if (value.kind !== 'instruction' || !this.inside.has(value.block)) continue
      if (targets.has(value)) return true
      stack.push(...operandsOf(value))
      if (value.op === 'phi' && value.block !== this.blocks[0])
        for (const block of this.blocks) stack.push(...conditionsOf(block))
      if (value.op === 'load' && this.isOwn(value)) stack.push(...this.storedTo(value.pointer))
    }
    return false
  }

  /** What the loop stores to a variable of the thread's own: exact where loads and stores name it directly. */
  private storedTo(pointer: Value): Value[] {
    const stored: Value[] = []
    for (const instruction of this.instructions) {
      if (instruction.op !== 'store' || this.isSeenOnly(instruction.pointer)) continue
      if (isVariable(pointer) && isVariable(instruction.pointer) && instruction.pointer !== pointer) continue
      stored.push(instruction.value)
    }
    return stored
  }

  private isSeenOnly(pointer: Value): boolean {
    return !this.spacesOf(pointer).has('local')
  }

  activity(instruction: Instruction): Activity {
    switch (instruction.op) {
      case 'store':
        return !this.isSeen(instruction.pointer) && this.isRecurrence(instruction) ? 'own' : 'none'
      case 'atomicrmw':
        return advances(instruction) && this.isSeen(instruction.pointer) ? 'memory' : 'none'
      case 'call':
        return instruction.callee.kind === 'function' && instruction.callee.name === 'vprintf' ? 'memory' : 'none'
      default:
        return 'none'
    }
  }

  /** A variable's new value is computed from its old one. */
  private isRecurrence({ pointer, value }: Instruction & { op: 'store' }): boolean {
    const loads = this.instructions.filter(other => other.op === 'load' && this.isOwn(other))
    const same = isVariable(pointer)
      ? loads.filter(other => other.op === 'load' && (other.pointer === pointer || !isVariable(other.pointer)))
      : loads
    return this.dependsOn([value], new Set(same))
  }
}

function isVariable(pointer: Value): boolean {
  return pointer.kind === 'instruction' && pointer.op === 'alloca'
}

/** Every execution changes the memory, and so what the next one finds. */
function advances({ operation, value }: Instruction & { op: 'atomicrmw' }): boolean {
  switch (operation) {
    case 'add':
    case 'sub':
    case 'fadd':
    case 'fsub':
      return value.kind !== 'zero' && !(value.kind === 'int' && value.value === 0n)
    case 'uinc_wrap':
    case 'udec_wrap':
      return true
    default:
      return false
  }
}

function isFenceCall(instruction: Instruction): boolean {
  return (
    instruction.op === 'call' &&
    instruction.callee.kind === 'function' &&
    /^llvm\.nvvm\.(membar|fence|nanosleep)|^asm:[^|]*\b(membar|fence|nanosleep)\b/.test(instruction.callee.name)
  )
}
