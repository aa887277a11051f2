/**
 * Loads that join a batch of computations (instructions.ts): checked and counted where they stand, read four lanes at a time right
 * where the batch needs them, so that their 32 lanes need not be kept. For addresses whose lanes are constants.
 */
import { InternalError } from '../../diagnostic.ts'
import type { LoadInstruction } from '../../ir/ir.ts'
import { I32, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import { countRegular } from '../counting/counting.ts'
import { type KernelContext, knownMask } from '../kernelContext.ts'
import { halvesOf, heldAs } from '../operations/operations.ts'
import { IMAGES, IMAGES_BYTES } from '../slot.ts'
import { isConstant, type LaneVector, NO_LANES } from '../values/laneVector.ts'
import { GROUP_LANES, groupsOf } from '../values/storage.ts'
import {
  type Access,
  accessOf,
  isAlwaysReadable,
  isContiguous,
  locate,
  patternOf,
  pushIsReadable,
  releaseAddress,
  storeAddresses,
} from './access.ts'
import { type HeldLanes, pushHeld } from './heldWords.ts'
import { loadFour } from './loads.ts'

export interface DeferredLoad {
  readonly access: Access
  readonly lanes: LaneVector
  /** Local with the address of the lowest lane. */
  readonly start: number
  readonly lowest: number
  /** Lanes that run, where that is known: what others would read is nobody's. */
  readonly mask: number
  /** The groups of lanes that have theirs already. */
  readonly held: ReadonlyMap<number, HeldLanes>
}

/** Bytes from the lowest lane's first to the highest lane's last; undefined for loads that cannot wait. */
export function deferredSpan(context: KernelContext, instruction: LoadInstruction): number | undefined {
  const { values, shapes } = context
  if (instruction.atomic || shapes.shapeOf(instruction).kind === 'uniform') return undefined
  const storage = values.storageOf(instruction.pointer)
  if (storage.kind === 'vectors' || storage.kind === 'bits') return undefined
  const lanes = storage.kind === 'linear' ? storage.lanes : NO_LANES
  if (!isConstant(lanes)) return undefined
  const { elements, elementType, width } = accessOf(instruction)
  const held = heldAs(elementType)!
  if (held.kind === 'flag') return undefined
  // Rows of four are better taken apart all at once (loads.ts).
  if (elements.count > 2 && isContiguous(lanes, width)) return undefined
  if (elements.bytes < 4 && !isContiguous(lanes, width)) return undefined
  if (elements.bytes < 4 && elements.count > 1) return undefined
  const span = Math.max(...lanes.constant) - Math.min(...lanes.constant) + width
  return span <= IMAGES_BYTES ? span : undefined
}

/** The check and the count; `imageAt`: so many bytes of the slot's images are taken. */
export function beginLoad(context: KernelContext, instruction: LoadInstruction, imageAt: number): DeferredLoad {
  const { f, frame, helpers } = context
  const access = accessOf(instruction)
  const address = locate(context, instruction.pointer)
  if (address.kind !== 'lanes') throw new InternalError('a load at arbitrary addresses was deferred')
  const { base, lanes } = address
  const lowest = Math.min(...lanes.constant)
  context.gathered?.beforeLoad(access, address)
  countRegular(context, access, address)
  const start = f.local(I32)
  f.get(base).i32(lowest).op(Op.i32_add).set(start)
  if (!isAlwaysReadable(context, access)) {
    // Lanes that do not run may point past the end of memory: what the others read is copied to a place that has all of it.
    pushIsReadable(context, access, address)
    f.op(Op.i32_eqz).if()
    storeAddresses(context, instruction.pointer)
    const image = f.local(I32)
    f.get(frame.slot)
      .i32(IMAGES + imageAt)
      .op(Op.i32_add)
      .set(image)
    f.get(frame.slot).get(frame.mask).get(image).get(start).op(Op.i32_sub).i32(access.width).call(helpers.copyLanes)
    f.get(image).set(start)
    f.release(I32, image)
    f.end()
  }
  releaseAddress(context, address)
  const mask = knownMask(context) ?? -1
  const held = new Map<number, HeldLanes>()
  for (const group of groupsOf(mask)) {
    const found = context.held?.find(access, group, mask)
    if (found) held.set(group, found)
  }
  return { access, lanes, start, lowest, mask, held }
}

/** Equal for groups of lanes that read the same words; undefined where each reads its own. */
export function wordsOf(
  { access, lanes, mask }: DeferredLoad,
  leaf: number,
  group: number,
  half: number,
): string | undefined {
  const { elements, elementType, width } = access
  if (elements.bytes < 4 || isContiguous(lanes, width)) return undefined
  const inVector = GROUP_LANES / halvesOf(heldAs(elementType)!)
  const first = group * GROUP_LANES + half * inVector
  return `${leaf}:${lanes.constant.subarray(first, first + inVector).join()}:${narrowLoad(mask, first, inVector)}`
}

/**
 * For a vector of which only the first lane runs, or the first two of four: to read no more than these had stored is several times
 * as fast where they stored it just before (a processor hands on what one store wrote, not parts of two).
 */
function narrowLoad(mask: number, first: number, inVector: number): number | undefined {
  const wanted = (mask >>> first) & ((1 << inVector) - 1)
  if (inVector === 2) return wanted === 1 ? Op.v128_load64_zero : undefined
  if (wanted === 1) return Op.v128_load32_zero
  return wanted === 3 ? Op.v128_load64_zero : undefined
}

/** Pushes one part of four lanes: half `half` of element `leaf`. */
export function pushLoaded(
  { f, helpers }: KernelContext,
  load: DeferredLoad,
  leaf: number,
  group: number,
  half: number,
): void {
  const { access, lanes, start, lowest } = load
  const held = load.held.get(group)
  if (held) return pushHeld(f, held)
  const { elements, elementType } = access
  const halves = halvesOf(heldAs(elementType)!)
  if (elements.bytes < 4) {
    const at = group * GROUP_LANES * elements.bytes
    f.get(start)
    loadFour(f, helpers, heldAs(elementType)!, elements.bytes, at)
    return
  }
  if (elements.count === 2 && elements.bytes === 4 && isContiguous(lanes, access.width)) {
    const at = group * GROUP_LANES * access.width
    f.get(start).memory(Op.v128_load, at)
    f.get(start).memory(Op.v128_load, at + 16)
    if (leaf === 0) f.shuffle32(0, 2, 4, 6)
    else f.shuffle32(1, 3, 5, 7)
    return
  }
  const inVector = GROUP_LANES / halves
  const first = group * GROUP_LANES + half * inVector
  const offsets = [...lanes.constant.subarray(first, first + inVector)].map(
    lane => lane - lowest + leaf * elements.bytes,
  )
  const wide = elements.bytes === 8
  const pattern = patternOf(offsets, elements.bytes)
  if (pattern !== 'any') {
    const splat = wide ? Op.v128_load64_splat : Op.v128_load32_splat
    const next = narrowLoad(load.mask, first, inVector) ?? Op.v128_load
    f.get(start).memory(pattern === 'same' ? splat : next, offsets[0]!)
    return
  }
  const vector = f.local(V128)
  f.get(start)
    .memory(wide ? Op.v128_load64_zero : Op.v128_load32_zero, offsets[0]!)
    .set(vector)
  for (const [lane, offset] of offsets.entries())
    if (lane > 0)
      f.get(start)
        .get(vector)
        .memoryLane(wide ? Op.v128_load64_lane : Op.v128_load32_lane, lane, offset)
        .set(vector)
  f.get(vector)
  f.release(V128, vector)
}

export function endLoad({ f }: KernelContext, { start }: DeferredLoad): void {
  f.release(I32, start)
}
