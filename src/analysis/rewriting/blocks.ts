/** Moving code between blocks: what passes that cut and join blocks share. */
import { jump, type Place } from '../../ir/build.ts'
import {
  type DominatorTree,
  operandsOf,
  predecessors,
  replaceOperands,
  successors,
  terminatorOf,
} from '../../ir/graph.ts'
import type { BinaryInstruction, Block, Func, Instruction, PhiInstruction, Value } from '../../ir/ir.ts'
import { mayWrite } from '../facts/memoryEffects.ts'

export function phisOf(block: Block): PhiInstruction[] {
  const phis: PhiInstruction[] = []
  for (const instruction of block.instructions) {
    if (instruction.op !== 'phi') break
    phis.push(instruction)
  }
  return phis
}

/** What a value is where two ways meet: the same, or a phi at the place's end. */
export function meetingOf(
  place: Place,
  [from, first]: readonly [Block, Value],
  [other, second]: readonly [Block, Value],
): Value {
  if (first === second) return first
  const phi: PhiInstruction = {
    kind: 'instruction',
    op: 'phi',
    type: first.type,
    name: '',
    ...place,
    incoming: [
      { value: first, block: from },
      { value: second, block: other },
    ],
  }
  place.block.instructions.push(phi)
  return phi
}

/** Takes an instruction out of its block, which begins with a phi for it now. */
export function becomePhi(instruction: Instruction, incoming: PhiInstruction['incoming']): PhiInstruction {
  const { block, type, name, location } = instruction
  const phi: PhiInstruction = { kind: 'instruction', op: 'phi', type, name, block, location, incoming }
  block.instructions.splice(block.instructions.indexOf(instruction), 1)
  block.instructions.unshift(phi)
  return phi
}

/** Replaces one value by another in all the given blocks. */
export function replaceUses(blocks: readonly Block[], from: Value, to: Value): void {
  for (const block of blocks)
    for (const instruction of block.instructions) replaceOperands(instruction, value => (value === from ? to : value))
}

/** The same of many values at once: each by what its replacement is in the end. */
export function replaceValues(blocks: readonly Block[], replaced: ReadonlyMap<Value, Value>): void {
  if (replaced.size === 0) return
  for (const block of blocks)
    for (const instruction of block.instructions) replaceOperands(instruction, value => finalOf(value, replaced))
}

/** What a value is now, where its replacement may have been replaced too. */
export function finalOf(value: Value, replaced: ReadonlyMap<Value, Value>): Value {
  let final = value
  for (let next = replaced.get(final); next; next = replaced.get(final)) final = next
  return final
}

/** Moves an instruction behind all others of a block but its terminator. */
export function moveToEnd(block: Block, instruction: Instruction): void {
  const { instructions } = instruction.block
  instructions.splice(instructions.indexOf(instruction), 1)
  block.instructions.splice(-1, 0, instruction)
  instruction.block = block
}

/** Whether the one has been executed whenever the other is. */
export function isBefore(one: Instruction, other: Instruction, tree: DominatorTree): boolean {
  if (one.block !== other.block) return tree.dominates(one.block, other.block)
  const { instructions } = one.block
  return instructions.indexOf(one) < instructions.indexOf(other)
}

/** What computes an address from values in registers. */
export const isArithmetic = (instruction: Instruction): boolean =>
  'left' in instruction || instruction.op === 'gep' || /^([zs]ext|trunc|freeze|addrspacecast)$/.test(instruction.op)

/** The instructions of a block that a pointer depends on, in order; undefined where memory or a phi is among them. */
export function madeIn(block: Block, pointer: Value): Instruction[] | undefined {
  const needed = new Set<Instruction>()
  const pending: Value[] = [pointer]
  for (let value = pending.pop(); value; value = pending.pop()) {
    if (value.kind !== 'instruction' || value.block !== block || needed.has(value)) continue
    if (!isArithmetic(value)) return undefined
    needed.add(value)
    pending.push(...operandsOf(value))
  }
  return block.instructions.filter(each => needed.has(each))
}

/** Takes an instruction out of its block and moves all behind it to a new block, which is not in the function yet. */
export function cutAt(instruction: Instruction, name: string): Block {
  const { block } = instruction
  const behind: Block = {
    name,
    instructions: block.instructions.splice(block.instructions.indexOf(instruction)).slice(1),
  }
  for (const moved of behind.instructions) moved.block = behind
  for (const next of successors(terminatorOf(behind)))
    for (const phi of phisOf(next))
      for (const incoming of phi.incoming) if (incoming.block === block) incoming.block = behind
  return behind
}

/** Lets a block go to `next` where it went to `old`; phis are the caller's. */
export function redirect(from: Block, old: Block, next: Block): void {
  const last = terminatorOf(from)
  if (last.op === 'br') last.target = next
  else if (last.op === 'condbr') {
    if (last.ifTrue === old) last.ifTrue = next
    if (last.ifFalse === old) last.ifFalse = next
  } else if (last.op === 'switch') {
    if (last.fallback === old) last.fallback = next
    for (const each of last.cases) if (each.target === old) each.target = next
  }
}

/** A block of its own for the way from one block to another, which its phis then name. */
export function edgeBlock(func: Func, from: Block, to: Block): Block {
  const between: Block = { name: `${to.name}.edge`, instructions: [] }
  const { location } = terminatorOf(from)
  between.instructions.push(jump({ block: between, location }, to))
  redirect(from, to, between)
  for (const phi of phisOf(to)) for (const each of phi.incoming) if (each.block === from) each.block = between
  func.blocks.splice(func.blocks.indexOf(to), 0, between)
  return between
}

/** Takes a block out that does nothing but go on, as {@link edgeBlock} made it. */
export function dropEdgeBlock(func: Func, from: Block, between: Block, to: Block): void {
  redirect(from, between, to)
  for (const phi of phisOf(to)) for (const each of phi.incoming) if (each.block === between) each.block = from
  func.blocks.splice(func.blocks.indexOf(between), 1)
}

/** Whether one of the blocks is on a way from the one block to the other; the second is where it is in a loop of them, the first never. */
export function isAnyBetween(
  blocks: ReadonlySet<Block>,
  from: Block,
  to: Block,
  before: ReadonlyMap<Block, readonly Block[]>,
): boolean {
  const found = new Set<Block>()
  const pending = [...(before.get(to) ?? [])]
  for (let block = pending.pop(); block; block = pending.pop()) {
    if (block === from || found.has(block)) continue
    if (blocks.has(block)) return true
    found.add(block)
    pending.push(...(before.get(block) ?? []))
  }
  return false
}

/** Whether anything on a way from the one instruction to the other, which it dominates, may write memory. */
export function mayWriteBetween(func: Func, from: Instruction, to: Instruction): boolean {
  const start = from.block.instructions.indexOf(from)
  const end = to.block.instructions.indexOf(to)
  if (from.block === to.block && start < end) return from.block.instructions.slice(start, end).some(mayWrite)
  const writing = new Set<Block>(func.blocks.filter(({ instructions }) => instructions.some(mayWrite)))
  return (
    from.block.instructions.slice(start).some(mayWrite) ||
    to.block.instructions.slice(0, end).some(mayWrite) ||
    isAnyBetween(writing, from.block, to.block, predecessors(func))
  )
}

/** Where a use needs the value: a phi needs it at the end of the blocks that come with it. */
export function placesOf(user: Instruction, value: Value): Block[] {
  if (user.op !== 'phi') return [user.block]
  return user.incoming.filter(each => each.value === value).map(({ block }) => block)
}

export const isCast = ({ op }: Instruction): boolean =>
  /^(trunc|[zs]ext|fptrunc|fpext|fpto[us]i|[us]itofp|ptrtoint|inttoptr|bitcast|addrspacecast)$/.test(op)

export const isBinary = (instruction: Instruction): instruction is BinaryInstruction =>
  'left' in instruction && 'contract' in instruction

export function insertBefore(instruction: Instruction, made: readonly Instruction[]): void {
  const { instructions } = instruction.block
  instructions.splice(instructions.indexOf(instruction), 0, ...made)
}
