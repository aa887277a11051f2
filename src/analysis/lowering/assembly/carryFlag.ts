/**
 * The condition code of add.cc and the like: one register of the thread, which outlives the piece of assembly that writes it. Programs write
 * a sum of many words as one statement each, and read in one what another has left, across blocks too.
 * Source: PTX ISA, "Extended-Precision Integer Arithmetic Instructions": CC is not preserved across calls.
 */
import { intConstant } from '../../../ir/build.ts'
import { predecessors } from '../../../ir/graph.ts'
import type { Block, Func, PhiInstruction, Value } from '../../../ir/ir.ts'
import { I1 } from '../../../ir/types.ts'
import { Reader } from '../../rewriting/repairVariables.ts'

const CLEAR = intConstant(I1, 0)

export class CarryFlag {
  /** In the block that is being lowered; undefined before it is read or written there. */
  private current: Value | undefined
  private first: Block | undefined
  private readonly written = new Map<Block, Value>()
  /** What stands for the flag at the start of a block until all blocks are lowered. */
  private readonly read = new Map<Block, PhiInstruction>()

  enter(block: Block): void {
    this.first = block
    this.current = undefined
  }

  /** @param end the last of the blocks that the entered one was cut into */
  leave(end: Block): void {
    const { current, first } = this
    if (current && current !== this.read.get(first!)) this.written.set(end, current)
  }

  get value(): Value {
    if (!this.current) {
      const block = this.first!
      const start: PhiInstruction = {
        kind: 'instruction',
        op: 'phi',
        type: I1,
        name: '',
        block,
        location: undefined,
        incoming: [],
      }
      this.read.set(block, start)
      this.current = start
    }
    return this.current
  }

  set value(value: Value) {
    this.current = value
  }

  /** Where all blocks are lowered: what each of those read at the start of one is. */
  finish(kernel: Func, replaced: Map<Value, Value>): void {
    if (this.read.size === 0) return
    const reader = new Reader({ type: I1, definitions: this.written }, predecessors(kernel), new Set())
    for (const [block, start] of this.read) {
      const found = this.written.size === 0 ? CLEAR : reader.atStart(block)
      replaced.set(start, found.kind === 'undef' ? CLEAR : found)
    }
  }
}
