/**
 * Computations that nvcc leaves in front of a branch though only one way needs them (sinkValues.ts), since two registers would be needed
 * behind it in place of one: `e = prefix + own - x; if (t < n) o[t] = e;`, the end of many a scan, loads `prefix` in front. In: an
 * instruction and the way that it could go to. Out: whether it stays, and with it what it needs. Read off the PTX of 34 kernels (nvcc 13.0):
 *
 * - What has two operands that nothing else on that way needs stays; loads, which go along, arguments and constants are none.
 * - So does what goes on from such a value. (Not so for one of 6 kernels, `b[t] + (v ^ u)` behind another branch.)
 * - Addresses are computed anew wherever they are needed, and what moved as a call (stayingSums.ts) goes.
 */
import { calledName, type DominatorTree, operandsOf } from '../../ir/graph.ts'
import type { Block, Instruction, Value } from '../../ir/ir.ts'
import { isBinary, isCast, placesOf } from '../rewriting/blocks.ts'

type UsersOf = ReadonlyMap<Value, readonly Instruction[]>

export class StayingValues {
  constructor(
    private readonly usersOf: UsersOf,
    private readonly tree: DominatorTree,
  ) {}

  has(instruction: Instruction, target: Block): boolean {
    if (!isBinary(instruction) || this.isOfAddress(instruction)) return false
    const operands = new Set([instruction.left, instruction.right])
    const needed = [...operands].filter(value => this.needsRegister(value, instruction, target))
    return (
      needed.length > 1 ||
      [...operands].some(value => this.isOwn(value, instruction) && isBinary(value) && this.has(value, target))
    )
  }

  /** Whether a value would have to be kept for this one use. */
  private needsRegister(value: Value, user: Instruction, target: Block): boolean {
    if (value.kind !== 'instruction' || calledName(value)?.includes('.sreg.')) return false
    if (this.isOwn(value, user)) {
      if (value.op === 'load') return false
      // What is made of loads alone goes along with them.
      const isMade = isBinary(value) || isCast(value)
      if (isMade && !operandsOf(value).some(operand => this.needsRegister(operand, value, target))) return false
    }
    return !(this.usersOf.get(value) ?? []).some(
      other => other !== user && placesOf(other, value).some(place => this.tree.dominates(target, place)),
    )
  }

  /** An instruction of the same block that nothing else uses. */
  private isOwn(value: Value, user: Instruction): value is Instruction {
    return value.kind === 'instruction' && value.block === user.block && this.usersOf.get(value)?.length === 1
  }

  private isOfAddress(value: Instruction): boolean {
    return (this.usersOf.get(value) ?? []).some(
      user =>
        user.op === 'gep' || ((isCast(user) || isBinary(user)) && user.block === value.block && this.isOfAddress(user)),
    )
  }
}
