/**
 * Emits a kernel region by region (barrierRegions.ts): for each block, round after round, the region behind the barrier where
 * the block waits, warp after warp. What later regions of a warp need stays in memory, at a place for each value.
 */

import { phisOf } from '../analysis/blocks.ts'
import type { CallInstruction, Instruction } from '../ir/ir.ts'
import { alignUp } from '../ir/types.ts'
import { I32 } from '../wasm/builder.ts'
import { Op } from '../wasm/opcodes.ts'
import { BarrierReductions } from './barrierReductions.ts'
import type { BarrierRegion } from './barrierRegions.ts'
import { moveOpcodes } from './barriers.ts'
import type { ControlFlow } from './controlFlow.ts'
import type { KernelContext } from './kernelContext.ts'
import { halvesOf } from './operations.ts'
import { type Form, GROUPS } from './storage.ts'

/** Lanes of the warp that wait at the block's barrier stand before its values. */
const SAVED_HEADER_BYTES = 16
const VECTOR_BYTES = 16

export class Regions {
  private readonly context: KernelContext
  private readonly regions: readonly BarrierRegion[]
  private readonly numbers: ReadonlyMap<CallInstruction, number>
  private readonly reductions: BarrierReductions
  /** Where each value's parts are kept, from the start of the warp's memory. */
  private readonly places = new Map<Instruction, readonly number[]>()
  readonly bytesPerWarp: number
  /** Start of the warp's memory; the region to run, the one to run next (0: the block has ended). */
  private readonly savedWarp: number
  private readonly current: number
  private readonly next: number
  private atHand: BarrierRegion | undefined

  constructor(context: KernelContext, regions: readonly BarrierRegion[]) {
    this.context = context
    this.regions = regions
    this.numbers = new Map(regions.flatMap(({ after }, index) => (after ? [[after, index] as const] : [])))
    this.reductions = new BarrierReductions(context, [...this.numbers.keys()])
    this.savedWarp = context.f.local(I32)
    this.current = context.f.local(I32)
    this.next = context.f.local(I32)
    let end = SAVED_HEADER_BYTES
    for (const value of new Set(regions.flatMap(({ saved }) => [...saved.values()].flat()))) {
      const places: number[] = []
      for (const form of context.values.formsOf(value)) {
        if (form.kind === 'vectors') end = alignUp(end, VECTOR_BYTES)
        places.push(end)
        end += form.kind === 'vectors' ? VECTOR_BYTES * GROUPS * halvesOf(form.held) : 8
      }
      this.places.set(value, places)
    }
    this.bytesPerWarp = alignUp(end, VECTOR_BYTES)
  }

  /** All rounds of one block. `pushInitialMask` pushes the lanes of the warp at hand. */
  emitBlock(control: ControlFlow, pushInitialMask: () => void): void {
    const { f, frame, helpers } = this.context
    f.i32(0).set(this.current).i32(0).set(this.reductions.round)
    const rounds = f.loop()
    this.reductions.emitRound()
    f.i32(0).set(this.next)
    const done = f.block()
    const labels = this.regions.map(() => f.block()).reverse()
    f.get(this.current).brTable(labels, labels[0]!)
    for (const region of this.regions) {
      f.end()
      this.emitRegion(region, control, pushInitialMask)
      if (region !== this.regions.at(-1)) f.br(done)
    }
    f.end()
    f.get(this.reductions.round).i32(1).op(Op.i32_add).set(this.reductions.round)
    // A kernel can go from barrier to barrier for ever.
    f.get(frame.fuel).i32(1).op(Op.i32_sub).tee(frame.fuel).op(Op.i32_eqz).if()
    f.get(frame.block).call(helpers.host.tick).i32(FUEL).set(frame.fuel)
    f.end()
    f.get(this.next).tee(this.current).brIf(rounds)
    f.end()
  }

  private emitRegion(region: BarrierRegion, control: ControlFlow, pushInitialMask: () => void): void {
    const { f, frame, values, geometry } = this.context
    this.atHand = region
    f.i32(0).set(frame.warp).get(frame.saved).set(this.savedWarp)
    const warps = f.loop()
    const skip = f.block()
    const waiting = control.waitingFor(region.start)
    if (region.after) f.get(this.savedWarp).memory(Op.i32_load, 0).tee(waiting).op(Op.i32_eqz).brIf(skip)
    else {
      pushInitialMask()
      f.set(waiting)
    }
    // Lanes that end, or do not come, do not wait.
    f.get(this.savedWarp).i32(0).memory(Op.i32_store, 0)
    values.scoped(() => {
      for (const value of region.restored) this.restore(value)
      if (region.after) this.reductions.emitResult(region.after)
      for (const block of region.blocks)
        for (const phi of phisOf(block)) if (!values.isStored(phi)) values.allocate(phi)
      control.emitWarp(region.blocks, region.loops)
    })
    f.end()
    f.get(this.savedWarp).i32(this.bytesPerWarp).op(Op.i32_add).set(this.savedWarp)
    f.get(frame.warp).i32(1).op(Op.i32_add).tee(frame.warp).i32(geometry.warps).op(Op.i32_lt_u).brIf(warps)
    f.end()
  }

  /** The lanes of `frame.mask` have come to a barrier. */
  emitArrival(call: CallInstruction): void {
    const { f, frame } = this.context
    f.i32(this.numbers.get(call)!).set(this.next)
    f.get(this.savedWarp).get(frame.mask).memory(Op.i32_store, 0)
    for (const value of this.atHand!.saved.get(call)!) this.save(value)
    this.reductions.emitContribution(call)
  }

  private save(value: Instruction): void {
    const { f, values } = this.context
    values.formsOf(value).forEach((form, leaf) => {
      const at = this.places.get(value)![leaf]!
      if (form.kind === 'vectors') {
        const halves = halvesOf(form.held)
        for (let group = 0; group < GROUPS; group++)
          for (let half = 0; half < halves; half++) {
            f.get(this.savedWarp)
            values.vector(value, group, half, leaf)
            f.memory(Op.v128_store, at + (group * halves + half) * VECTOR_BYTES)
          }
        return
      }
      f.get(this.savedWarp)
      if (form.kind === 'bits') values.bits(value, leaf)
      else values.scalar(value, leaf)
      f.memory(moveOpcodes(form.type).store, at)
    })
  }

  private restore(value: Instruction): void {
    const { f, values } = this.context
    const forms: readonly Form[] = values.formsOf(value)
    values.allocate(value).forEach((storage, leaf) => {
      const at = this.places.get(value)![leaf]!
      if (storage.kind === 'vectors')
        for (const [index, local] of storage.locals.entries())
          f.get(this.savedWarp)
            .memory(Op.v128_load, at + index * VECTOR_BYTES)
            .set(local)
      else if (storage.kind !== 'constant')
        f.get(this.savedWarp).memory(moveOpcodes(forms[leaf]!.type).load, at).set(storage.local)
    })
  }
}

/** Rounds between two questions to the host whether time is up. */
const FUEL = 1 << 16
