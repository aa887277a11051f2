/**
 * What a memory instruction accesses, and where: its addresses as offsets in device memory, which are uniform, or a scalar plus
 * lanes that the launch fixes, or arbitrary.
 */
import { DEVICE_BASE, HEAP_OFFSET } from '../../addressSpace.ts'
import { userError } from '../../diagnostic.ts'
import type {
  AtomicRmwInstruction,
  CmpxchgInstruction,
  Instruction,
  LoadInstruction,
  StoreInstruction,
  Type,
  Value,
} from '../../ir/ir.ts'
import { SPACE, storeBytes } from '../../ir/types.ts'
import { I32, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { Elements } from '../helpers/helpersMemory.ts'
import { type KernelContext, knownMask } from '../kernelContext.ts'
import { heldAs, leavesOf } from '../operations/operations.ts'
import { ADDRESSES } from '../slot.ts'
import { isConstant, type LaneVector, NO_LANES } from '../values/laneVector.ts'
import { GROUPS } from '../values/storage.ts'

/** The physical address of an access: offsets in device memory. */
export type Address =
  | { readonly kind: 'lanes'; readonly base: number; readonly lanes: LaneVector }
  | { readonly kind: 'any' }

export interface Access {
  readonly instruction: Instruction
  readonly pointer: Value
  readonly elements: Elements
  readonly elementType: Type
  readonly width: number
  readonly op: 'load' | 'store' | 'atomic'
}

export function accessOf(
  instruction: LoadInstruction | StoreInstruction | AtomicRmwInstruction | CmpxchgInstruction,
): Access {
  const type =
    instruction.op === 'load'
      ? instruction.type
      : instruction.op === 'store' || instruction.op === 'atomicrmw'
        ? instruction.value.type
        : instruction.expected.type
  const leaves = leavesOf(type)
  const elementType = leaves[0]
  if (!elementType || leaves.some(leaf => storeBytes(leaf) !== storeBytes(elementType)))
    throw userError(
      'unsupported-access',
      'loads and stores of whole structures are not supported',
      instruction.location,
    )
  const bytes = storeBytes(elementType)
  if (![1, 2, 4, 8].includes(bytes))
    throw userError(
      'unsupported-access',
      `a memory access with elements of ${bytes} bytes is not supported`,
      instruction.location,
    )
  return {
    instruction,
    pointer: instruction.pointer,
    elements: { bytes, count: leaves.length },
    elementType,
    width: bytes * leaves.length,
    op: instruction.op === 'load' || instruction.op === 'store' ? instruction.op : 'atomic',
  }
}

/** A copy to shared memory past the L1, whose count depends on where it goes as well. */
export const isBypass = ({ instruction }: Access): boolean =>
  instruction.op === 'load' && instruction.copiedTo !== undefined && instruction.passesL1 === true

/** Pushes what to add to a pointer's value to get an offset in device memory. */
export function pushBias(context: KernelContext, pointer: Value): void {
  const { f, frame } = context
  if (isSharedPointer(pointer)) f.get(frame.shared)
  else f.i32(DEVICE_BASE | 0)
}

export function isSharedPointer({ type }: Value): boolean {
  return type.kind === 'pointer' && type.space === SPACE.shared
}

export function locate(context: KernelContext, pointer: Value): Address {
  const { f, values } = context
  const storage = values.storageOf(pointer)
  if (storage.kind === 'vectors') return { kind: 'any' }
  const base = f.local(I32)
  values.pushScalar(storage)
  pushBias(context, pointer)
  f.op(Op.i32_add).set(base)
  return { kind: 'lanes', base, lanes: storage.kind === 'linear' ? storage.lanes : NO_LANES }
}

export function releaseAddress(context: KernelContext, address: Address): void {
  if (address.kind === 'lanes') context.f.release(I32, address.base)
}

/** Writes all lanes' addresses to the slot; copies' destinations have a place of their own there. */
export function storeAddresses(context: KernelContext, pointer: Value, at: number = ADDRESSES): void {
  const { f, values, frame } = context
  for (let group = 0; group < GROUPS; group++) {
    f.get(frame.slot)
    values.vector(pointer, group)
    pushBias(context, pointer)
    f.op(Op.i32x4_splat)
      .op(Op.i32x4_add)
      .memory(Op.v128_store, at + group * 16)
  }
}

export function pushLowest(context: KernelContext, lanes: LaneVector): void {
  if (isConstant(lanes)) context.f.i32(Math.min(...lanes.constant))
  else context.f.get(context.values.table(lanes).low)
}

/**
 * Pushes whether all 32 lanes' addresses, of those that do not run too, are such that the site is known and the bytes are
 * there: in shared memory they lie in the block's window, a pointer of unknown space points into the heap. Likewise for the
 * addresses `least` to `most` bytes further.
 */
export function pushIsRegular(
  context: KernelContext,
  access: Access,
  address: Address & { kind: 'lanes' },
  { least, most }: { readonly least: number; readonly most: number },
): void {
  const { f, frame, program } = context
  const spaces = program.spacesOf(access.pointer)
  if (spaces.size > 1) {
    f.get(address.base)
    pushLowest(context, address.lanes)
    f.op(Op.i32_add)
    if (least !== 0) f.i32(least).op(Op.i32_add)
    f.i32(HEAP_OFFSET).op(Op.i32_ge_u)
    return
  }
  if (!spaces.has('shared')) {
    f.i32(1)
    return
  }
  f.get(address.base).get(frame.shared).op(Op.i32_sub)
  pushLowest(context, address.lanes)
  f.op(Op.i32_add)
  if (least !== 0) f.i32(least).op(Op.i32_add)
  pushEndsBefore(context, access.width + most - least, address.lanes, () => f.get(frame.sharedBytes))
}

/** With the lowest lane's offset on the stack: pushes whether all lanes end at or before a limit. */
export function pushEndsBefore(
  { f, values }: KernelContext,
  width: number,
  lanes: LaneVector,
  pushLimit: () => void,
): void {
  const offset = f.local(I32)
  const last = f.local(I32)
  f.set(offset)
  pushLimit()
  if (isConstant(lanes)) f.i32(width + Math.max(...lanes.constant) - Math.min(...lanes.constant)).op(Op.i32_sub)
  else {
    const { low, high } = values.table(lanes)
    f.i32(width).op(Op.i32_sub).get(high).get(low).op(Op.i32_sub).op(Op.i32_sub)
  }
  f.set(last)
  // A limit below what the lanes span gives a negative `last`, which no offset may pass.
  f.get(offset).get(last).op(Op.i32_le_u).get(last).i32(0).op(Op.i32_ge_s).op(Op.i32_and)
  f.release(I32, offset, last)
}

/** All lanes run, or all of the space lies in the system region, where reading too much is harmless. */
export function isAlwaysReadable(context: KernelContext, access: Access): boolean {
  const spaces = context.program.spacesOf(access.pointer)
  if (knownMask(context) === -1) return true
  return spaces.size === 1 && (spaces.has('shared') || spaces.has('local') || spaces.has('parameter'))
}

/** Pushes whether reading at all 32 addresses is harmless: the lanes that do not run may point past the end of memory. */
export function pushIsReadable(context: KernelContext, access: Access, address: Address & { kind: 'lanes' }): void {
  const { f, frame } = context
  if (isAlwaysReadable(context, access)) {
    f.i32(1)
    return
  }
  f.get(frame.mask).i32(-1).op(Op.i32_eq)
  f.get(address.base)
  pushLowest(context, address.lanes)
  f.op(Op.i32_add)
  pushEndsBefore(context, access.width, address.lanes, () => f.get(frame.memoryBytes))
  f.op(Op.i32_or)
}

// ---------------------------------------------------------------- moving by vectors

export function canMoveDirectly({ elements, elementType }: Access, lanes: LaneVector): boolean {
  const held = heldAs(elementType)!
  if (held.kind === 'flag') return false
  if (elements.count > 1 && !(elements.bytes === 4 && (elements.count === 2 || elements.count === 4))) return false
  if (isContiguous(lanes, elements.bytes * elements.count)) return true
  return elements.count === 1 && elements.bytes >= 4
}

export function isContiguous(lanes: LaneVector, width: number): boolean {
  return isConstant(lanes) && lanes.constant.every((lane, index) => lane === index * width)
}

/** Elements of less than a word can be taken out of their places lane by lane too. */
export function canLoadDirectly(access: Access, lanes: LaneVector): boolean {
  const { elements, elementType } = access
  if (canMoveDirectly(access, lanes)) return true
  return elements.count === 1 && elements.bytes < 4 && heldAs(elementType)!.kind !== 'flag'
}

/** 4 x 4 words; rows and columns are locals. */
export function transpose(f: KernelContext['f'], rows: readonly number[], columns: readonly number[]): void {
  const [a, b, c, d] = rows as [number, number, number, number]
  const pairs = f.many(V128, 4)
  f.get(a).get(b).shuffle32(0, 4, 1, 5).set(pairs[0])
  f.get(c).get(d).shuffle32(0, 4, 1, 5).set(pairs[1])
  f.get(a).get(b).shuffle32(2, 6, 3, 7).set(pairs[2])
  f.get(c).get(d).shuffle32(2, 6, 3, 7).set(pairs[3])
  f.get(pairs[0]).get(pairs[1]).shuffle32(0, 1, 4, 5).set(columns[0]!)
  f.get(pairs[0]).get(pairs[1]).shuffle32(2, 3, 6, 7).set(columns[1]!)
  f.get(pairs[2]).get(pairs[3]).shuffle32(0, 1, 4, 5).set(columns[2]!)
  f.get(pairs[2]).get(pairs[3]).shuffle32(2, 3, 6, 7).set(columns[3]!)
  f.release(V128, ...pairs)
}

export function patternOf(offsets: readonly number[], bytes: number): 'same' | 'next' | 'any' {
  if (offsets.every(offset => offset === offsets[0])) return 'same'
  return offsets.every((offset, lane) => offset === offsets[0]! + lane * bytes) ? 'next' : 'any'
}

/** The same for a run of lanes, where what the launch fixes is one for all of them (rows of a matrix, say). */
export function patternOfRun(lanes: LaneVector, first: number, count: number, bytes: number): 'same' | 'next' | 'any' {
  const isOne = lanes.terms.every(term =>
    term.lanes.subarray(first, first + count).every(lane => lane === term.lanes[first]),
  )
  return isOne ? patternOf([...lanes.constant.subarray(first, first + count)], bytes) : 'any'
}

/** Gives `body` a function that pushes a lane's address and returns the constant offset to use with it. */
export function withLowestBase(
  { f, frame, values }: KernelContext,
  { base, lanes }: Address & { kind: 'lanes' },
  body: (push: (lane: number) => number) => void,
): void {
  if (isConstant(lanes)) {
    // Constant offsets are unsigned.
    const lowest = Math.min(...lanes.constant)
    const start = f.local(I32)
    f.get(base).i32(lowest).op(Op.i32_add).set(start)
    body(lane => {
      f.get(start)
      return lanes.constant[lane]! - lowest
    })
    f.release(I32, start)
    return
  }
  const { offset } = values.table(lanes)
  body(lane => {
    f.get(base)
      .get(frame.slot)
      .memory(Op.i32_load, offset + lane * 4)
      .op(Op.i32_add)
    return 0
  })
}

export function isUniformAddress({ lanes }: Address & { kind: 'lanes' }): boolean {
  return isConstant(lanes) && lanes.constant.every(lane => lane === 0)
}
