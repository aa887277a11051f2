/**
 * SSA form for values that a pass has given several definitions: every use gets the definition that reaches it, through phis
 * where several do. Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (2013).
 */
import { predecessors, replaceOperands } from '../ir/graph.ts'
import type { Block, Func, Instruction, PhiInstruction, Type, Value } from '../ir/ir.ts'

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

class Reader {
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

  private atStart(block: Block): Value {
    const known = this.starts.get(block)
    if (known) return known
    const { type } = this.variable
    const from = this.before.get(block)!
    if (from.length === 0) return this.keep(block, { kind: 'undef', type })
    if (from.length === 1) {
      this.keep(block, { kind: 'undef', type })
      return this.keep(block, this.atEnd(from[0]!))
    }
    const phi: PhiInstruction = {
      kind: 'instruction',
      op: 'phi',
      type,
      name: '',
      block,
      location: undefined,
      incoming: [],
    }
    this.added.add(phi)
    this.keep(block, phi)
    block.instructions.unshift(phi)
    for (const previous of from) phi.incoming.push({ block: previous, value: this.atEnd(previous) })
    return phi
  }

  private keep(block: Block, value: Value): Value {
    this.starts.set(block, value)
    return value
  }
}
