/**
 * Code of resumable kernels (suspensionPlan.ts): lanes that stop at a point write their live values to the warp's saved state,
 * each lane its own, and leave the running masks; the others go on. A warp's turn resumes one point after the other, so that
 * lanes that stopped at different times never share a variable while they run.
 *
 * The saved state of a warp: for each point two words, the lanes that wait there and those that the scheduler lets go on; then
 * the results of reductions at barriers, 4 bytes a lane; then the values.
 */
import type { BlockLoop } from '../../analysis/execution/orderBlocks.ts'
import { activityOf } from '../../analysis/execution/waitingLoops.ts'
import type { Block, Instruction, Type, Value } from '../../ir/ir.ts'
import { alignUp } from '../../ir/types.ts'
import { I32, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import { emitExternal } from '../instructions/crossLane.ts'
import type { KernelContext } from '../kernelContext.ts'
import { halvesOf, heldAs, leavesOf, machineType } from '../operations/operations.ts'
import { GROUPS, type Storage, setBits } from '../values/storage.ts'
import { moveOpcodes } from './barriers.ts'
import type { SuspensionPlan, SuspensionPoint } from './suspensionPlan.ts'

export const POINT_BYTES = 8
export const POINT_WAITING = 0
export const POINT_READY = 4

/**
 * Iterations of a waiting loop by the same lanes before they give way: those that changed nothing at all, those that only
 * changed variables of their own (a count of attempts), any.
 */
const QUIET_ITERATIONS = 2
const COUNTING_ITERATIONS = 1024
const MOST_ITERATIONS = 1 << 18

/** What is known about a waiting loop since its lanes were resumed, in locals. */
interface LoopWatch {
  readonly loop: BlockLoop
  readonly point: number
  readonly lanes: number
  /** 1: variables of the lanes' own changed; 2: memory did. */
  readonly changed: number
  readonly quiet: number
  readonly counting: number
  readonly total: number
}

export class Suspension {
  private readonly context: KernelContext
  private readonly points: readonly SuspensionPoint[]
  private readonly watches: readonly LoopWatch[]
  private readonly places = new Map<Instruction, number>()
  private readonly savedWarp: number
  private readonly ready: number
  private savedBytes = 0

  constructor(context: KernelContext, plan: SuspensionPlan, isHoisted: (instruction: Instruction) => boolean) {
    this.context = context
    const { f } = context
    this.points = plan.points.map(point => ({ ...point, live: point.live.filter(value => !isHoisted(value)) }))
    this.savedWarp = f.local(I32)
    this.ready = f.local(I32)
    const local = (): number => f.local(I32)
    this.watches = this.points.flatMap((point, index) =>
      point.kind === 'loop'
        ? [
            {
              loop: point.loop,
              point: index,
              lanes: local(),
              changed: local(),
              quiet: local(),
              counting: local(),
              total: local(),
            },
          ]
        : [],
    )
  }

  /** Results of reductions at barriers exist before the code that reads them is emitted. */
  allocateResults(): void {
    const { values } = this.context
    for (const point of this.points)
      if (point.kind === 'barrier' && hasResult(point) && values.usersOfValue(point.call).length > 0)
        values.allocate(point.call)
  }

  // ---------------------------------------------------------------- layout

  private get resultsAt(): number {
    return alignUp(this.points.length * POINT_BYTES, 16)
  }

  private get valuesAt(): number {
    return this.resultsAt + this.points.filter(hasResult).length * 128
  }

  /** Where the results of a point's reduction are in the saved state of a warp; undefined without one. */
  resultOffset(index: number): number | undefined {
    if (!hasResult(this.points[index]!)) return undefined
    return this.resultsAt + this.points.slice(0, index).filter(hasResult).length * 128
  }

  /** Known when all code that saves was emitted. */
  get bytesPerWarp(): number {
    return this.valuesAt + alignUp(this.savedBytes, 16)
  }

  // ---------------------------------------------------------------- a warp's turn

  /** Resumes the first point whose lanes may go on, and branches to `go`; falls through when there is none. */
  emitResume(waitingOf: (block: Block) => number, go: number): void {
    const { f, frame } = this.context
    f.get(frame.saved).get(frame.warp).i32(this.bytesPerWarp).op(Op.i32_mul).op(Op.i32_add).set(this.savedWarp)
    this.points.forEach((point, index) => {
      const at = index * POINT_BYTES
      f.get(this.savedWarp)
        .memory(Op.i32_load, at + POINT_READY)
        .tee(this.ready)
        .if()
      f.get(this.savedWarp)
        .i32(0)
        .memory(Op.i32_store, at + POINT_READY)
      f.get(this.savedWarp)
      f.get(this.savedWarp)
        .memory(Op.i32_load, at + POINT_WAITING)
        .get(this.ready)
        .i32(-1)
        .op(Op.i32_xor)
        .op(Op.i32_and)
      f.memory(Op.i32_store, at + POINT_WAITING)
      for (const value of point.live) this.move(value, undefined)
      this.restoreResult(point, index)
      for (const { lanes, changed, quiet, counting, total } of this.watches)
        for (const local of [lanes, changed, quiet, counting, total]) f.i32(0).set(local)
      f.get(this.ready).set(waitingOf(point.resume))
      f.br(go).end()
    })
  }

  private restoreResult(point: SuspensionPoint, index: number): void {
    const { f, values } = this.context
    const at = this.resultOffset(index)
    if (point.kind !== 'barrier' || at === undefined || !values.isStored(point.call)) return
    const storage = values.storageOf(point.call)
    const isFlag = point.call.type.kind === 'int' && point.call.type.bits === 1
    for (let group = 0; group < GROUPS; group++) {
      f.get(this.savedWarp).memory(Op.v128_load, at + group * 16)
      if (isFlag) f.i32(31).op(Op.i32x4_shl)
      if (storage.kind === 'vectors') {
        if (isFlag) f.i32(31).op(Op.i32x4_shr_s)
        f.set(storage.locals[group]!)
      } else if (storage.kind === 'bits') setBits(f, storage.local, group)
    }
  }

  // ---------------------------------------------------------------- stopping

  /** The lanes that run the barrier's block stop behind it. Returns false for a barrier that nobody waits at. */
  emitBarrier(call: Instruction): boolean {
    const index = this.points.findIndex(point => point.kind === 'barrier' && point.call === call)
    const point = this.points[index]
    if (call.op === 'call' && (point?.kind !== 'barrier' || needsHost(point)))
      emitExternal(this.context, call, 'barrier', false)
    if (!point) return false
    this.emitStop(index, this.context.frame.mask)
    return true
  }

  private emitStop(index: number, lanes: number): void {
    const { f, values } = this.context
    const at = index * POINT_BYTES + POINT_WAITING
    f.get(this.savedWarp).get(this.savedWarp).memory(Op.i32_load, at).get(lanes).op(Op.i32_or).memory(Op.i32_store, at)
    const masks = f.many(V128, GROUPS)
    masks.forEach((mask, group) => {
      values.laneMask(() => f.get(lanes), group)
      f.set(mask)
    })
    for (const value of this.points[index]!.live) this.move(value, { lanes, masks })
    f.release(V128, ...masks)
  }

  /** To memory for the lanes of `save`; from memory, all of it, without. */
  private move(
    value: Instruction,
    save: { readonly lanes: number; readonly masks: readonly number[] } | undefined,
  ): void {
    const { f, values } = this.context
    let at = this.valuesAt + this.placeOf(value)
    leavesOf(value.type).forEach((type, leaf) => {
      const storage = values.storageOf(value, leaf)
      const held = heldAs(type)!
      if (storage.kind === 'constant') return
      if (storage.kind !== 'vectors') {
        const { load, store, bytes } = moveOpcodes(storage.kind === 'scalar' ? machineType(held) : I32)
        f.get(this.savedWarp)
        if (!save) f.memory(load, at).set(storage.local)
        else if (storage.kind === 'bits') {
          f.get(storage.local).get(save.lanes).op(Op.i32_and)
          f.get(this.savedWarp).memory(Op.i32_load, at).get(save.lanes).i32(-1).op(Op.i32_xor).op(Op.i32_and)
          f.op(Op.i32_or).memory(store, at)
        } else f.get(storage.local).memory(store, at)
        at += bytes
        return
      }
      const halves = halvesOf(held)
      storage.locals.forEach((local, position) => {
        f.get(this.savedWarp)
        if (!save) f.memory(Op.v128_load, at).set(local)
        else {
          f.get(local).get(this.savedWarp).memory(Op.v128_load, at)
          pushMask(f, save.masks[Math.floor(position / halves)]!, halves, position % halves)
          f.op(Op.v128_bitselect).memory(Op.v128_store, at)
        }
        at += 16
      })
    })
  }

  private placeOf(value: Instruction): number {
    let place = this.places.get(value)
    if (place === undefined) {
      place = this.savedBytes
      this.places.set(value, place)
      for (const storage of this.context.values.storagesOf(value)) this.savedBytes += storedBytes(storage)
    }
    return place
  }

  // ---------------------------------------------------------------- waiting loops

  /** A waiting loop's lanes in `waiting` are about to repeat it: leaves the label untaken (and nobody waiting) when they give way. */
  emitGiveWay({ first }: BlockLoop, waiting: number): void {
    const watch = this.watches.find(({ loop }) => loop.first === first)
    if (!watch) return
    const { f } = this.context
    const { lanes, changed, quiet, counting, total, point } = watch
    // The same lanes as last time, or other ones: then somebody has left.
    f.get(waiting).get(lanes).op(Op.i32_ne).if().i32(3).set(changed).get(waiting).set(lanes).end()
    const count = (local: number, blockers: number): void => {
      f.get(local)
        .i32(1)
        .op(Op.i32_add)
        .i32(0)
        .get(changed)
        .i32(blockers)
        .op(Op.i32_and)
        .op(Op.i32_eqz)
        .op(Op.select)
        .set(local)
    }
    count(quiet, 3)
    count(counting, 2)
    f.get(total).i32(1).op(Op.i32_add).set(total)
    f.i32(0).set(changed)
    f.get(quiet).i32(QUIET_ITERATIONS).op(Op.i32_ge_u)
    f.get(counting).i32(COUNTING_ITERATIONS).op(Op.i32_ge_u).op(Op.i32_or)
    f.get(total).i32(MOST_ITERATIONS).op(Op.i32_ge_u).op(Op.i32_or).if()
    this.emitStop(point, waiting)
    f.i32(0).set(waiting)
    for (const local of [quiet, counting, total, lanes]) f.i32(0).set(local)
    f.end()
  }

  /** Lanes enter a waiting loop: what was noted about an earlier stay is forgotten. */
  emitEntry(block: Block): void {
    const watch = this.watchOf(block)
    if (watch) this.context.f.i32(0).set(watch.lanes)
  }

  private watchOf(block: Block): LoopWatch | undefined {
    return this.watches.find(({ point }) => this.points[point]!.resume === block)
  }

  private watchesAround(block: Block): readonly LoopWatch[] {
    const at = this.context.program.kernel.blocks.indexOf(block)
    return this.watches.filter(({ loop }) => loop.first <= at && at <= loop.last)
  }

  /** What a store in the block sets to 2 when it changes something: words of the waiting loops around it. */
  changedBy(block: Block): number[] {
    return this.watchesAround(block).map(({ changed }) => changed)
  }

  /** In a block of waiting loops that changes something, whatever it was: they are not idle. */
  emitActivity(block: Block): void {
    const { f, program } = this.context
    for (const { loop, changed } of this.watchesAround(block)) {
      const activity = activityOf(block, loop, program)
      if (activity !== 'none')
        f.get(changed)
          .i32(activity === 'memory' ? 2 : 1)
          .op(Op.i32_or)
          .set(changed)
    }
  }

  /** Before `lanes` go back to a waiting loop's first block: notes whether that changes a phi there. */
  emitPhiChanges(
    block: Block,
    moves: readonly { readonly phi: Instruction; readonly value: Value }[],
    lanes: number,
  ): void {
    const watch = this.watchOf(block)
    if (!watch || moves.length === 0) return
    const { f, values } = this.context
    const masks = f.many(V128, GROUPS)
    masks.forEach((mask, group) => {
      values.laneMask(() => f.get(lanes), group)
      f.set(mask)
    })
    f.get(watch.changed)
    for (const { phi, value } of moves)
      leavesOf(phi.type).forEach((type, leaf) => this.pushPhiChange(phi, value, type, leaf, lanes, masks))
    f.set(watch.changed)
    f.release(V128, ...masks)
  }

  /** Or-s 1 into the word on the stack when the phi's leaf changes for one of the lanes. */
  private pushPhiChange(
    phi: Value,
    value: Value,
    type: Type,
    leaf: number,
    lanes: number,
    masks: readonly number[],
  ): void {
    const { f, values } = this.context
    const storage = values.storageOf(phi, leaf)
    if (storage.kind === 'bits') {
      values.bits(value, leaf)
      f.get(storage.local).op(Op.i32_xor).get(lanes).op(Op.i32_and).i32(0).op(Op.i32_ne).op(Op.i32_or)
    } else if (storage.kind === 'vectors') {
      const halves = halvesOf(heldAs(type)!)
      storage.locals.forEach((local, position) => {
        values.vector(value, Math.floor(position / halves), position % halves, leaf)
        f.get(local).op(Op.v128_xor)
        pushMask(f, masks[Math.floor(position / halves)]!, halves, position % halves)
        f.op(Op.v128_and).op(Op.v128_any_true).op(Op.i32_or)
      })
    } else f.i32(1).op(Op.i32_or)
  }
}

/** Pushes the mask of four lanes, or of the two of them whose 64-bit values are in a half. */
export function pushMask(f: KernelContext['f'], mask: number, halves: number, half: number): void {
  f.get(mask)
  if (halves === 1) return
  f.get(mask)
  if (half === 0) f.shuffle32(0, 0, 1, 1)
  else f.shuffle32(2, 2, 3, 3)
}

function storedBytes(storage: Storage): number {
  return storage.kind === 'vectors' ? storage.locals.length * 16 : storage.kind === 'constant' ? 0 : 8
}

function hasResult(point: SuspensionPoint): boolean {
  return point.kind === 'barrier' && point.barrier.reduction !== undefined
}

/** Barriers whose arrivals differ by more than the lanes: who arrived with what is kept by the scheduler. */
export function needsHost(point: SuspensionPoint): boolean {
  return point.kind === 'barrier' && (!point.barrier.isPlain || point.barrier.reduction !== undefined)
}
