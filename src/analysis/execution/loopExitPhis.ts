/**
 * Loop-closed form: a value made in a loop and read behind it passes through a phi at each exit. Lanes leave a loop at
 * different times, and the code generator overwrites a loop's values while other lanes go on; the phi, written lane by lane
 * at the exit, keeps what each lane left with. In: blocks in scheduling order with their loops (orderBlocks.ts).
 */
import { dominators, operandsOf, predecessors, replaceOperands, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Func, Instruction, PhiInstruction, Value } from '../../ir/ir.ts'
import { phisOf } from '../rewriting/blocks.ts'
import type { BlockLoop } from './orderBlocks.ts'

export function insertLoopExitPhis(func: Func, loops: readonly BlockLoop[]): void {
  // Inner loops first: their exit phis are then values of the outer loop.
  for (const loop of [...loops].reverse()) closeLoop(func, new Set(func.blocks.slice(loop.first, loop.last + 1)))
}

function closeLoop(func: Func, inside: ReadonlySet<Block>): void {
  const exits = new Set<Block>()
  for (const block of inside) for (const next of successors(terminatorOf(block))) if (!inside.has(next)) exits.add(next)
  if (exits.size === 0) return

  const outsideUses = findOutsideUses(func, inside)
  if (outsideUses.size === 0) return
  const before = predecessors(func)
  const tree = dominators(func)
  for (const [value, uses] of outsideUses) {
    const definition = value.block
    const atEnd = new Map<Block, Value>()
    const phis: PhiInstruction[] = []
    // The value as it is at the start of an outside block: through the exit phi, or joined where paths meet.
    const atStart = (block: Block): Value => {
      const known = atEnd.get(block)
      if (known) return known
      const from = before.get(block)!
      const isExit = exits.has(block)
      if (!isExit && from.length === 1) {
        const inherited = atStart(from[0]!)
        atEnd.set(block, inherited)
        return inherited
      }
      const phi: PhiInstruction = {
        kind: 'instruction',
        op: 'phi',
        type: value.type,
        name: value.name && `${value.name}.exit`,
        block,
        location: value.location,
        incoming: [],
      }
      atEnd.set(block, phi)
      phis.push(phi)
      for (const previous of from) phi.incoming.push({ block: previous, value: valueFrom(previous) })
      return phi
    }
    const valueFrom = (previous: Block): Value => {
      if (inside.has(previous))
        return tree.dominates(definition, previous) ? value : { kind: 'undef', type: value.type }
      return tree.dominates(definition, previous) ? atStart(previous) : { kind: 'undef', type: value.type }
    }
    for (const use of uses) {
      if (use.op === 'phi') {
        for (const incoming of use.incoming)
          if (incoming.value === value && !inside.has(incoming.block)) incoming.value = atStart(incoming.block)
      } else replaceIn(use, value, atStart(use.block))
    }
    for (const phi of phis) phi.block.instructions.unshift(phi)
  }
}

/** Values made inside and read outside; a phi reads in the block that its entry comes from. */
function findOutsideUses(func: Func, inside: ReadonlySet<Block>): Map<Instruction, Instruction[]> {
  const found = new Map<Instruction, Instruction[]>()
  const note = (value: Value, user: Instruction): void => {
    if (value.kind !== 'instruction' || !inside.has(value.block)) return
    const list = found.get(value) ?? []
    found.set(value, list)
    if (list.at(-1) !== user) list.push(user)
  }
  for (const block of func.blocks) {
    const phis = new Set<Instruction>(phisOf(block))
    for (const instruction of block.instructions) {
      if (instruction.op === 'phi' && phis.has(instruction)) {
        for (const { value, block: from } of instruction.incoming) if (!inside.has(from)) note(value, instruction)
      } else if (!inside.has(block)) for (const value of operandsOf(instruction)) note(value, instruction)
    }
  }
  return found
}

function replaceIn(user: Instruction, from: Value, to: Value): void {
  replaceOperands(user, value => (value === from ? to : value))
}
