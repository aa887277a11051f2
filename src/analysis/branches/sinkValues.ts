/**
 * Values that only one way out of a branch needs are computed there. In: a kernel in which nothing was moved behind a branch
 * (clang is told not to, frontend/building/commands.ts). Out: the same with such loads and computations behind their branches, also
 * behind several, as nvcc leaves them. Read off the PTX of 130 kernels:
 *
 * - What one successor dominates goes to its beginning, if this block is its only way in: not past the place where branches
 *   meet, nor into a loop, but to the front of one; not to the front of two, which a loop that was written out is, with its rest.
 * - A part of a vector stays with the others (wholeCopies.ts).
 * - A load stays in front of what may write its memory; shared memory and `__restrict__` pointers are memory of their own.
 * - Some sums of products stay where they are, with what they need (stayingSums.ts).
 *
 * Conditions are made of their parts before (`a || b` of up to four operations), so what both need is loaded always.
 */
import { dominators, type Loop, loops, predecessors, successors, terminatorOf, users } from '../../ir/graph.ts'
import type { Block, Func, Instruction } from '../../ir/ir.ts'
import { readsClock } from '../execution/clockReads.ts'
import { decompose } from '../facts/address.ts'
import { isOtherMemory } from '../facts/constantLoads.ts'
import { mayWrite } from '../facts/memoryEffects.ts'
import { dropEdgeBlock, edgeBlock, isCast, phisOf, placesOf } from '../rewriting/blocks.ts'
import { StayingSums } from './stayingSums.ts'
import { StayingValues } from './stayingValues.ts'

export function sinkValues(func: Func): void {
  const fronts = makeFronts(func)
  sink(func)
  dropFronts(func, fronts)
}

export interface Front {
  readonly from: Block
  readonly front: Block
  readonly header: Block
}

/** Blocks in front of loops that a branch leads to. */
export function makeFronts(func: Func): Front[] {
  const before = predecessors(func)
  return loops(func).flatMap(({ header, blocks }) => {
    const [from, ...more] = before.get(header)!.filter(each => !blocks.has(each))
    if (!from || more.length > 0 || new Set(successors(terminatorOf(from))).size < 2) return []
    return [{ from, front: edgeBlock(func, from, header), header }]
  })
}

/** Takes those away again that nothing was moved to. */
export function dropFronts(func: Func, fronts: readonly Front[]): void {
  for (const { from, front, header } of fronts)
    if (front.instructions.length === 1) dropEdgeBlock(func, from, front, header)
}

function sink(func: Func): void {
  const tree = dominators(func)
  const usersOf = users(func)
  const loopOf = innermostLoops(func)
  const before = predecessors(func)
  const isIn = (block: Block, loop: Loop | undefined): boolean => !loop || loop.blocks.has(block)

  /** The successor that alone needs a value. */
  const placeFor = (value: Instruction, targets: readonly Block[]): Block | undefined => {
    const together = (value.op === 'load' && value.together) || [value]
    const needed = together.flatMap(each => (usersOf.get(each) ?? []).flatMap(user => placesOf(user, each)))
    if (needed.length === 0) return undefined
    const target = targets.find(each => needed.every(block => tree.dominates(each, block)))
    if (!target || !isIn(value.block, loopOf.get(target))) return undefined
    return needed.every(block => isBefore(target, block)) ? target : undefined
  }
  /** Whether a block is in the loop of another one, or in a loop that the other one leads to and nothing else. */
  const isBefore = (target: Block, block: Block): boolean => {
    let inner = loopOf.get(block)
    if (inner === loopOf.get(target)) return true
    while (inner && inner.parent !== loopOf.get(target)) inner = inner.parent
    return inner !== undefined && before.get(inner.header)!.every(each => each === target || inner.blocks.has(each))
  }

  const stayingValues = new StayingValues(usersOf, tree)
  for (let isMoved = true; isMoved; ) {
    isMoved = false
    for (const block of func.blocks) {
      const ways = new Set(successors(terminatorOf(block)))
      const targets = [...ways].filter(next => before.get(next)!.length === 1)
      if (ways.size < 2 || targets.length === 0) continue
      const writes: Instruction[] = []
      const staying = new StayingSums(block, usersOf)
      for (const instruction of block.instructions.slice(0, -1).reverse()) {
        const mayMove = isComputation(instruction, staying) || isFreeLoad(instruction, writes)
        const target = mayMove ? placeFor(instruction, targets) : undefined
        if (target && (staying.isOfMovedCall(instruction) || !stayingValues.has(instruction, target))) {
          moveTo(target, instruction)
          instruction.sunk = true
          isMoved = true
        }
        if (mayWrite(instruction)) writes.push(instruction)
      }
    }
  }
}

export function innermostLoops(func: Func): Map<Block, Loop> {
  const loopOf = new Map<Block, Loop>()
  for (const loop of loops(func)) for (const block of loop.blocks) loopOf.set(block, loop)
  return loopOf
}

export function moveTo(target: Block, instruction: Instruction): void {
  const { block } = instruction
  block.instructions.splice(block.instructions.indexOf(instruction), 1)
  target.instructions.splice(phisOf(target).length, 0, instruction)
  instruction.block = target
}

function isComputation(instruction: Instruction, staying: StayingSums): boolean {
  switch (instruction.op) {
    case 'icmp':
    case 'fcmp':
    case 'select':
    case 'freeze':
    case 'gep':
    case 'fneg':
    case 'fma':
    case 'extractvalue':
      return true
    case 'call':
      return (
        !mayWrite(instruction) &&
        !readsClock(instruction) &&
        !(instruction.callee.kind === 'function' && isTogether(instruction.callee))
      )
    default:
      if ('left' in instruction) return !staying.has(instruction)
      return 'value' in instruction && isCast(instruction)
  }
}

/** Asked by several lanes at once, or marks a place. */
const isTogether = ({ name, attributes }: Func): boolean =>
  attributes.has('convergent') || /^llvm\.(lifetime|assume|dbg|experimental)/.test(name)

function isFreeLoad(instruction: Instruction, writes: readonly Instruction[]): boolean {
  if (instruction.op !== 'load' || instruction.volatile || instruction.atomic) return false
  if (instruction.copiedTo || instruction.matrixWords) return false
  const from = decompose(instruction.pointer).root
  return writes.every(write => 'pointer' in write && isOtherMemory(from, decompose(write.pointer).root))
}
