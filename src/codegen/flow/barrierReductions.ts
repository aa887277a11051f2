/**
 * `__syncthreads_count`, `_and`, `_or`: warps add their lanes to three words of the slot as they arrive. The words of a round are
 * read in the next one, which fills others: two turns alternate.
 */
import type { CallInstruction, Value } from '../../ir/ir.ts'
import { I32 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { KernelContext } from '../kernelContext.ts'
import { classifyCall } from '../operations/intrinsics.ts'
import { BARRIER_AND, BARRIER_COUNT, BARRIER_OR } from '../slot.ts'
import type { Storage } from '../values/storage.ts'

export class BarrierReductions {
  private readonly context: KernelContext
  private readonly any: boolean
  /** Rounds of the block so far: how often it went from barrier to barrier. */
  readonly round: number

  constructor(context: KernelContext, calls: readonly CallInstruction[]) {
    this.context = context
    this.any = calls.some(call => reductionOf(call) !== undefined)
    this.round = context.f.local(I32)
  }

  emitFirstRound(): void {
    this.context.f.i32(0).set(this.round)
    this.emitRound()
  }

  emitNextRound(): void {
    this.context.f.get(this.round).i32(1).op(Op.i32_add).set(this.round)
    this.emitRound()
  }

  /** Start of a round: empties the reduction that its arrivals will fill. */
  emitRound(): void {
    if (!this.any) return
    const { f } = this.context
    for (const [offset, start] of [
      [BARRIER_COUNT, 0],
      [BARRIER_AND, 1],
      [BARRIER_OR, 0],
    ] as const) {
      this.pushTurn(0)
      f.i32(start).memory(Op.i32_store, offset)
    }
  }

  /** What the lanes that arrive at a barrier add to its reduction. */
  emitContribution(call: CallInstruction): void {
    if (!reductionOf(call)) return
    const { f, frame } = this.context
    const agreeing = f.local(I32)
    this.pushPredicateBits(call.args.at(-1)!)
    f.get(frame.mask).op(Op.i32_and).set(agreeing)
    const add = (
      offset: number,
      push: () => void,
      opcode: typeof Op.i32_add | typeof Op.i32_and | typeof Op.i32_or,
    ): void => {
      this.pushTurn(0)
      this.pushTurn(0)
      f.memory(Op.i32_load, offset)
      push()
      f.op(opcode).memory(Op.i32_store, offset)
    }
    add(BARRIER_COUNT, () => f.get(agreeing).op(Op.i32_popcnt), Op.i32_add)
    add(BARRIER_AND, () => f.get(agreeing).get(frame.mask).op(Op.i32_eq), Op.i32_and)
    add(BARRIER_OR, () => f.get(agreeing).i32(0).op(Op.i32_ne), Op.i32_or)
    f.release(I32, agreeing)
  }

  /** On resumption behind a barrier: its result, where anybody reads it. */
  emitResult(call: CallInstruction): void {
    const reduction = reductionOf(call)
    const { f, values } = this.context
    if (!reduction || values.usersOfValue(call).length === 0) return
    if (!values.isStored(call)) values.allocate(call)
    this.pushTurn(1)
    f.memory(Op.i32_load, { popc: BARRIER_COUNT, and: BARRIER_AND, or: BARRIER_OR }[reduction])
    f.set((values.storageOf(call) as Storage & { kind: 'scalar' }).local)
  }

  /** Results are written on resumption, which may be emitted after the code that reads them. */
  allocateResult(call: CallInstruction): void {
    const { values } = this.context
    if (reductionOf(call) && values.usersOfValue(call).length > 0 && !values.isStored(call)) values.allocate(call)
  }

  /** The predicate is an i1, or an i32 that counts as true when it is not zero. */
  private pushPredicateBits(predicate: Value): void {
    const { f, values } = this.context
    if (predicate.type.kind === 'int' && predicate.type.bits === 1) {
      values.bits(predicate)
      return
    }
    if (values.isUniform(predicate)) {
      f.i32(0)
      values.scalar(predicate)
      f.i32(0).op(Op.i32_ne).op(Op.i32_sub)
      return
    }
    for (let group = 0; group < 8; group++) {
      values.vector(predicate, group)
      f.v128([0, 0, 0, 0]).op(Op.i32x4_ne).op(Op.i32x4_bitmask)
      if (group > 0)
        f.i32(group * 4)
          .op(Op.i32_shl)
          .op(Op.i32_or)
    }
  }

  /** Pushes slot + 4 x (the turn that the reduction of this round, or `back` rounds ago, uses). */
  private pushTurn(back: number): void {
    const { f, frame } = this.context
    f.get(this.round)
    if (back > 0) f.i32(back).op(Op.i32_sub)
    f.i32(1).op(Op.i32_and).i32(2).op(Op.i32_shl).get(frame.slot).op(Op.i32_add)
  }
}

export function reductionOf(call: CallInstruction): 'popc' | 'and' | 'or' | undefined {
  const kind = classifyCall(call)
  return kind.kind === 'barrier' ? kind.reduction : undefined
}
