/**
 * SSA form for values that a pass has given several definitions: every use gets the definition that reaches it, through phis
 * where several do. Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (2013).
 */
import { predecessors, replaceOperands } from '../../ir/graph.ts'
import type { Block, Func, Instruction, PhiInstruction, Type, Value } from '../../ir/ir.ts'

export interface Variable {
  readonly type: Type
  /** The value from its definition in a block to that block's end; at most one a block, before all uses there. */
  readonly definitions: Map<Block, Value>
}

/** `variables`: by the value that the function's instructions read now. */
export function repairVariables(func: Func, variables: ReadonlyMap<Value, Variable>): void {
  const before = predecessors(func)
  const added = new Set<Instruction>()
  const readers = new Map<Value, Reader>()
  for (const [value, variable] of variables) readers.set(value, new Reader(variable, before, added))
  for (const block of func.blocks)
    for (const instruction of [...block.instructions]) {
      if (added.has(instruction)) continue
      if (instruction.op === 'phi') {
        for (const incoming of instruction.incoming) {
          const reader = readers.get(incoming.value)
          if (reader) incoming.value = reader.atEnd(incoming.block)
        }
      } else replaceOperands(instruction, value => readers.get(value)?.atEnd(block) ?? value)
    }
}

/** What a variable is, at the start and the end of blocks. `added`: the phis that were made for that. */
export class Reader {
  private readonly variable: Variable
  private readonly before: ReadonlyMap<Block, readonly Block[]>
  private readonly added: Set<Instruction>
  private readonly starts = new Map<Block, Value>()

  constructor(variable: Variable, before: ReadonlyMap<Block, readonly Block[]>, added: Set<Instruction>) {
    this.variable = variable
    this.before = before
    this.added = added
  }

  /** Also at a use in the block, because a definition there comes first. */
  atEnd(block: Block): Value {
    return this.variable.definitions.get(block) ?? this.atStart(block)
  }

  atStart(block: Block): Value {
    // Back to where ways meet, a definition or the entry. Nothing is noted before: a loop may lead from there to here again.
    const passed = new Set<Block>()
    let at = block
    let found = this.starts.get(at)
    for (let from = this.before.get(at)!; !found; from = this.before.get(at)!) {
      if (from.length > 1) found = this.meetAt(at, from)
      else if (from.length === 0 || passed.has(at)) found = { kind: 'undef', type: this.variable.type }
      else {
        passed.add(at)
        at = from[0]!
        found = this.variable.definitions.get(at) ?? this.starts.get(at)
      }
    }
    for (const each of passed) this.starts.set(each, found)
    return found
  }

  /** A phi, known before what comes into it is: that may be itself. */
  private meetAt(block: Block, from: readonly Block[]): Value {
    const phi: PhiInstruction = {
      kind: 'instruction',
      op: 'phi',
      type: this.variable.type,
      name: '',
      block,
      location: undefined,
      incoming: [],
    }
    this.added.add(phi)
    this.starts.set(block, phi)
    block.instructions.unshift(phi)
    for (const previous of from) phi.incoming.push({ block: previous, value: this.atEnd(previous) })
    return phi
  }
}
