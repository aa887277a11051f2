/**
 * Stores of columns, a transpose's for one: each lane of a warp writes 4 bytes of a row of its own, the next warp the 4 bytes
 * behind them. Where all warps of a version (versions.ts) make such a store once, their values are gathered in the slot and
 * written up to 64 bytes of a row at a time, many times as fast. Nobody can tell: the version stores nothing else to global
 * memory, and before a load that may read what is gathered, it is written. So it is before a warp that does not run the version,
 * and after the last one.
 */
import type { Instruction, StoreInstruction, Value } from '../../ir/ir.ts'
import { I32 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { BarrierRegion } from '../flow/barrierRegions.ts'
import { isRepeatableCall } from '../flow/suspensionPlan.ts'
import type { Version } from '../flow/versions.ts'
import type { KernelContext } from '../kernelContext.ts'
import { type CallKind, classifyCall } from '../operations/intrinsics.ts'
import { GATHERED, GATHERED_BYTES } from '../slot.ts'
import { isConstant, type LaneVector } from '../values/laneVector.ts'
import { GROUPS } from '../values/storage.ts'
import { warpStepOf } from '../values/warpSteps.ts'
import { type Access, type Address, accessOf, canMoveDirectly, pushLowest } from './access.ts'

const WORD = 4
const WARP_BYTES = 128
/** What a line of the processor's cache holds: writing further than that at a time gains nothing. */
const MOST_ROWS = 16

/** A store whose lane l writes word l / columns of row l mod columns; the next warp goes on behind them. */
interface ColumnStore {
  readonly instruction: StoreInstruction
  readonly lanes: LaneVector
  /** Lanes of one column: rows of memory. */
  readonly columns: number
  readonly warps: number
}

export class GatheredStores {
  private readonly context: KernelContext
  private readonly store: ColumnStore
  /** Locals: bytes from one row of memory to the next, 0 where they are too near; bytes from the first to the end of the last. */
  private readonly distance: number
  private readonly span: number
  /** Locals: warps gathered; the first one's scalar; the lowest address that they write. */
  private readonly pending: number
  private readonly start: number
  private readonly lowest: number

  private constructor(context: KernelContext, store: ColumnStore) {
    const { f } = context
    this.context = context
    this.store = store
    this.distance = f.fresh(I32)
    this.span = f.fresh(I32)
    this.pending = f.fresh(I32)
    this.start = f.fresh(I32)
    this.lowest = f.fresh(I32)
    context.columnStores.push(this)
  }

  /** For a version of a region; undefined where it has no store of columns, or more than that. */
  static plan(context: KernelContext, region: BarrierRegion, version: Version): GatheredStores | undefined {
    const stores: StoreInstruction[] = []
    for (const block of region.blocks) {
      if (!version.blocks.has(block)) continue
      for (const instruction of block.instructions) {
        if (version.skipped.has(instruction)) continue
        if (instruction.op === 'store' && mayBeGlobal(context, instruction.pointer)) stores.push(instruction)
        else if (mayObserve(context, instruction)) return undefined
      }
    }
    const [only, ...others] = stores
    const store = only && others.length === 0 ? columnStore(context, only, version) : undefined
    return store && new GatheredStores(context, store)
  }

  /** In the launch's prologue. */
  emitDistance(): void {
    const { f, values } = this.context
    const { lanes } = this.store
    const [term] = lanes.terms
    f.i32(lanes.constant[1]!)
    if (term) {
      f.i32(term.lanes[1]!)
      for (const factor of term.scale) {
        values.scalar(factor)
        f.op(Op.i32_mul)
      }
      f.op(Op.i32_add)
    }
    const { distance, span } = this
    f.set(distance)
    // |distance| x columns must not wrap around, and rows must not meet.
    f.get(distance).i32(0).get(distance).op(Op.i32_sub).get(distance).i32(0).op(Op.i32_gt_s).op(Op.select).set(span)
    f.get(span)
      .i32(MOST_ROWS * WORD)
      .op(Op.i32_sub)
      .i32(2 ** 26)
      .op(Op.i32_ge_u)
      .if()
      .i32(0)
      .set(distance)
      .end()
    f.get(span)
      .i32(this.store.columns - 1)
      .op(Op.i32_mul)
      .i32(MOST_ROWS * WORD)
      .op(Op.i32_add)
      .set(span)
  }

  /** Before the first warp. */
  begin(): void {
    this.context.f.i32(0).set(this.pending)
  }

  /** Of the version's store of columns, pushes whether its values are to be gathered in this launch; false for other stores. */
  pushGathers(instruction: StoreInstruction): boolean {
    if (instruction !== this.store.instruction) return false
    this.context.f.get(this.distance)
    return true
  }

  /** Takes a warp's values, eight vectors that `push` pushes. */
  gather({ base, lanes }: Address & { kind: 'lanes' }, push: (group: number) => void): void {
    const { context, pending, start } = this
    const { f, frame } = context
    f.get(pending).op(Op.i32_eqz).if()
    f.get(base).set(start)
    f.get(base)
    pushLowest(context, lanes)
    f.op(Op.i32_add).set(this.lowest)
    f.end()
    const at = f.local(I32)
    f.get(frame.slot).get(pending).i32(Math.log2(WARP_BYTES)).op(Op.i32_shl).op(Op.i32_add).set(at)
    for (let group = 0; group < GROUPS; group++) {
      f.get(at)
      push(group)
      f.memory(Op.v128_store, GATHERED + group * 16)
    }
    f.release(I32, at)
    f.get(pending).i32(1).op(Op.i32_add).tee(pending).i32(this.store.warps).op(Op.i32_eq).if()
    this.write()
    f.end()
  }

  /** Writes what is gathered if the load might read it. */
  beforeLoad({ pointer, width }: Access, { base, lanes }: Address & { kind: 'lanes' }): void {
    const { context, pending } = this
    const { f, values } = context
    if (!mayBeGlobal(context, pointer)) return
    const bytes = f.local(I32)
    f.get(pending).if()
    if (isConstant(lanes)) f.i32(Math.max(...lanes.constant) - Math.min(...lanes.constant) + width - 1)
    else {
      const { low, high } = values.table(lanes)
      f.get(high)
        .get(low)
        .op(Op.i32_sub)
        .i32(width - 1)
        .op(Op.i32_add)
    }
    f.set(bytes)
    f.get(base)
    pushLowest(context, lanes)
    f.op(Op.i32_add).get(bytes).op(Op.i32_add).get(this.lowest).op(Op.i32_sub)
    f.get(this.span).get(bytes).op(Op.i32_add).op(Op.i32_lt_u).if()
    this.write()
    f.end().end()
    f.release(I32, bytes)
  }

  /** Before anything that may look at memory, and after the last warp. */
  writePending(): void {
    const { f } = this.context
    f.get(this.pending).if()
    this.write()
    f.end()
  }

  private write(): void {
    const { f, frame, helpers } = this.context
    const { columns } = this.store
    f.get(frame.slot).i32(GATHERED).op(Op.i32_add).get(this.start).get(this.distance)
    f.get(this.pending)
      .i32(Math.log2(32 / columns))
      .op(Op.i32_shl)
    f.i32(columns).call(helpers.writeColumns)
    f.i32(0).set(this.pending)
  }
}

/** May point to global memory, which is where columns are stored. */
function mayBeGlobal({ program }: KernelContext, pointer: Value): boolean {
  return program.spacesOf(pointer).has('global')
}

/** What writes memory, or reads it in ways that {@link GatheredStores.beforeLoad} does not see. */
function mayObserve(context: KernelContext, instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'atomicrmw':
    case 'cmpxchg':
    case 'fence':
      return true
    case 'load': {
      if (instruction.atomic || instruction.volatile) return true
      const isSeen = context.shapes.shapeOf(instruction.pointer).kind !== 'varying'
      return !isSeen && mayBeGlobal(context, instruction.pointer)
    }
    case 'call':
      return mayCallObserve(classifyCall(instruction))
    default:
      return false
  }
}

function mayCallObserve(kind: CallKind): boolean {
  return !isRepeatableCall(kind) && !['nothing', 'sleep', 'vote', 'shuffle', 'barrier'].includes(kind.kind)
}

function columnStore(context: KernelContext, instruction: StoreInstruction, version: Version): ColumnStore | undefined {
  const { program, shapes } = context
  const spaces = program.spacesOf(instruction.pointer)
  const block = version.blocks.get(instruction.block)
  const shape = shapes.shapeOf(instruction.pointer)
  if (spaces.size !== 1 || !spaces.has('global') || !block?.certain || block.mask !== -1) return undefined
  if (instruction.atomic || instruction.volatile || shape.kind !== 'linear') return undefined
  const access = accessOf(instruction)
  if (access.elements.count !== 1 || access.elements.bytes !== WORD) return undefined
  if (!canMoveDirectly(access, shape.lanes)) return undefined
  const step = warpStepOf(context, instruction.pointer, version.first, version.last)
  if (step === undefined || step.terms.length > 0) return undefined
  const columns = (32 * WORD) / step.constant
  if (![4, 8, 16, 32].includes(columns) || !areColumns(shape.lanes, columns)) return undefined
  const warps = Math.min(MOST_ROWS / (32 / columns), version.last - version.first + 1)
  return warps * (32 / columns) >= 4 && warps * WARP_BYTES <= GATHERED_BYTES
    ? { instruction, lanes: shape.lanes, columns, warps }
    : undefined
}

/** Lane l at distance x (l mod columns) + 4 x (l div columns), where the distance is that of lane 1. */
function areColumns({ constant, terms }: LaneVector, columns: number): boolean {
  if (terms.length > 1) return false
  return constant.every((at, lane) => {
    const [column, word] = [lane % columns, Math.floor(lane / columns)]
    const isRegular = terms.every(({ lanes }) => lanes[lane] === Math.imul(lanes[1]!, column))
    return isRegular && at === Math.imul(constant[1]!, column) + word * WORD
  })
}
