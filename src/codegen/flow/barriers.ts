/**
 * Barriers of a whole block. Warps take turns: each runs until its lanes have ended or wait at a barrier, where the values
 * that live across are saved to memory; when all warps have, the next round resumes them (ARCHITECTURE.md, decision 6).
 */
import { liveIn } from '../../analysis/execution/liveness.ts'
import { barrierOf } from '../../analysis/execution/splitBarriers.ts'
import { successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, CallInstruction, Instruction } from '../../ir/ir.ts'
import { alignUp } from '../../ir/types.ts'
import { I32 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { KernelContext } from '../kernelContext.ts'
import { heldAs, leavesOf, machineType } from '../operations/operations.ts'
import { BarrierReductions } from './barrierReductions.ts'

/** Kinds of faults that generated code reports itself. */
export const FAULT_DIVERGENT_BARRIER = 1

interface Barrier {
  readonly call: CallInstruction
  readonly resume: Block
  readonly live: readonly Instruction[]
}

/** What a suspended warp leaves in memory before its values: u32 number of the barrier from 1 on, u32 lanes that wait there. */
const SAVED_HEADER_BYTES = 16

export class Barriers {
  private readonly context: KernelContext
  private readonly list: readonly Barrier[]
  private readonly places = new Map<number, number>()
  /** Start of the warp's saved state. */
  private readonly savedWarp: number
  readonly reductions: BarrierReductions
  /** The barrier (from 1 on) where lanes of the warp at hand wait, 0 for none; and those lanes. */
  private readonly waitingAt: number
  private readonly waitingLanes: number
  private savedBytes = 0

  constructor(context: KernelContext, isHoisted: (instruction: Instruction) => boolean) {
    this.context = context
    const { f, program } = context
    const live = liveIn(program.kernel)
    this.savedWarp = f.local(I32)
    this.waitingAt = f.local(I32)
    this.waitingLanes = f.local(I32)
    this.list = program.kernel.blocks.flatMap(block => {
      const call = barrierOf(block)
      if (!call) return []
      const resume = successors(terminatorOf(block))[0]!
      const kept = [...live.get(resume)!].filter(value => value !== call && !isHoisted(value))
      return [{ call, resume, live: kept }]
    })
    this.reductions = new BarrierReductions(
      context,
      this.list.map(({ call }) => call),
    )
  }

  /** Bytes that a warp's saved state takes; known when everything was emitted. */
  get bytesPerWarp(): number {
    return SAVED_HEADER_BYTES + alignUp(this.savedBytes, 16)
  }

  /** Start of a warp's turn; emitted after everything that saves, because only then `bytesPerWarp` is known. */
  emitFrame(): void {
    const { f, frame } = this.context
    f.get(frame.saved).get(frame.warp).i32(this.bytesPerWarp).op(Op.i32_mul).op(Op.i32_add).set(this.savedWarp)
    f.i32(0).set(this.waitingAt)
  }

  emitArrival(call: Instruction): void {
    const { f, frame, helpers, program } = this.context
    const barrier = this.list.find(candidate => candidate.call === call)!
    // Lanes of one warp at two barriers: undefined for an aligned barrier, and a bug in the program.
    f.get(this.waitingAt)
      .if()
      .i32(FAULT_DIVERGENT_BARRIER)
      .i32(program.kernel.blocks.indexOf(barrier.call.block))
      .get(frame.block)
    f.call(helpers.host.fault).end()
    f.i32(this.list.indexOf(barrier) + 1).set(this.waitingAt)
    f.get(frame.mask).set(this.waitingLanes)
    this.move(barrier.live, 'save')
    this.reductions.emitContribution(barrier.call)
  }

  /** Resumes the warp: lanes that waited now wait for the block behind their barrier. */
  emitResume(waitingOf: (block: Block) => number): void {
    const { f } = this.context
    const done = f.block()
    // One block a barrier, the last innermost; the first label belongs to a warp that waits nowhere.
    const labels = this.list.map(() => f.block())
    f.get(this.savedWarp).memory(Op.i32_load, 0)
    f.brTable([done, ...labels.toReversed()], done)
    for (const { call, resume, live } of this.list) {
      f.end()
      f.get(this.savedWarp).memory(Op.i32_load, 4).set(waitingOf(resume))
      this.move(live, 'restore')
      this.reductions.emitResult(call)
      f.br(done)
    }
    f.end()
  }

  /** Results of reductions are written on resumption, before the code that reads them is emitted. */
  allocateResults(): void {
    for (const { call } of this.list) this.reductions.allocateResult(call)
  }

  /** Saves who waits where; leaves on the stack whether anyone does. */
  emitSuspend(): void {
    const { f } = this.context
    f.get(this.savedWarp).get(this.waitingAt).memory(Op.i32_store, 0)
    f.get(this.savedWarp).get(this.waitingLanes).memory(Op.i32_store, 4)
    f.get(this.waitingAt)
  }

  /** Saves or restores what the values are kept in; values that share a local are moved once. */
  private move(live: readonly Instruction[], direction: 'save' | 'restore'): void {
    const { f, values } = this.context
    const moved = new Set<number>()
    for (const value of live) {
      leavesOf(value.type).forEach((type, leaf) => {
        const storage = values.storageOf(value, leaf)
        if (storage.kind === 'constant') return
        const held = heldAs(type)!
        const kind =
          storage.kind === 'vectors' ? V128_MOVES : SCALAR_MOVES[storage.kind === 'scalar' ? machineType(held) : I32]!
        for (const local of storage.kind === 'vectors' ? storage.locals : [storage.local]) {
          if (moved.has(local)) continue
          moved.add(local)
          f.get(this.savedWarp)
          if (direction === 'save') f.get(local).memory(kind.store, this.placeOf(local, kind.bytes))
          else f.memory(kind.load, this.placeOf(local, kind.bytes)).set(local)
        }
      })
    }
  }

  /** Where a local is saved; places are given out as locals are met, after the masks of waiting lanes. */
  private placeOf(local: number, bytes: number): number {
    let place = this.places.get(local)
    if (place === undefined) {
      place = this.savedBytes
      this.places.set(local, place)
      this.savedBytes += bytes
    }
    return SAVED_HEADER_BYTES + place
  }
}

const V128_MOVES = { load: Op.v128_load, store: Op.v128_store, bytes: 16 }

export interface MoveOpcodes {
  readonly load: typeof Op.i32_load | typeof Op.i64_load | typeof Op.f32_load | typeof Op.f64_load
  readonly store: typeof Op.i32_store | typeof Op.i64_store | typeof Op.f32_store | typeof Op.f64_store
  readonly bytes: number
}

/** How a scalar of a WebAssembly type goes to and from saved state. */
export function moveOpcodes(type: number): MoveOpcodes {
  return SCALAR_MOVES[type]!
}

const SCALAR_MOVES: Readonly<Record<number, MoveOpcodes>> = {
  127: { load: Op.i32_load, store: Op.i32_store, bytes: 8 },
  126: { load: Op.i64_load, store: Op.i64_store, bytes: 8 },
  125: { load: Op.f32_load, store: Op.f32_store, bytes: 8 },
  124: { load: Op.f64_load, store: Op.f64_store, bytes: 8 },
}
