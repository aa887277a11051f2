/**
 * Stores of a whole warp: by vectors or at constant offsets while all lanes run, else scattered by a helper.
 */
import type { StoreInstruction, Value } from '../../ir/ir.ts'
import { V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import { countAny, countRegular } from '../counting/counting.ts'
import { STORES } from '../helpers/helpersMemory.ts'
import { type KernelContext, knownMask } from '../kernelContext.ts'
import { makeCanonical, pushCanonical } from '../operations/nan.ts'
import { heldAs, leavesOf } from '../operations/operations.ts'
import { VALUES } from '../slot.ts'
import { GROUP_LANES, GROUPS, groupsOf } from '../values/storage.ts'
import {
  type Access,
  type Address,
  accessOf,
  canMoveDirectly,
  isContiguous,
  isUniformAddress,
  locate,
  patternOfRun,
  releaseAddress,
  storeAddresses,
  transpose,
  withLowestBase,
} from './access.ts'
import { emitArbitrary } from './runs.ts'

export function emitStore(context: KernelContext, instruction: StoreInstruction): void {
  const { f, helpers, frame } = context
  const access = accessOf(instruction)
  noteChange(context, access, instruction)
  if (context.checked && context.program.spacesOf(instruction.pointer).has('shared'))
    writeValues(context, access, instruction.value, 0)
  const address = locate(context, instruction.pointer)
  const scatter = (): void => {
    writeValues(context, access, instruction.value, 0)
    f.get(frame.slot).get(frame.mask).call(helpers.scatter(access.elements))
  }
  if (address.kind === 'any') {
    emitArbitrary(
      context,
      access,
      base => storeContiguous(context, access, base, instruction.value),
      () => {
        countAny(context, access)
        scatter()
      },
    )
    return
  }
  countRegular(context, access, address)
  if (makeCanonical(f, context.values, instruction.value, groupsOf(knownMask(context) ?? -1)))
    context.canonical = instruction.value
  if (isUniformAddress(address) && allUniform(context, instruction.value)) {
    storeUniform(context, access, address.base, instruction.value)
  } else if (canMoveDirectly(access, address.lanes) && canStoreKnown(context, access)) {
    const known = knownMask(context)!
    if (known !== -1) storeLanes(context, access, address, instruction.value, known)
    else if (isContiguous(address.lanes, access.width))
      storeContiguous(context, access, address.base, instruction.value)
    else if (context.gathered?.pushGathers(instruction)) {
      f.if()
      context.gathered.gather(address, group => pushStored(context, access, instruction.value, 0, group, 0))
      f.else()
      storeLanes(context, access, address, instruction.value)
      f.end()
    } else storeLanes(context, access, address, instruction.value)
  } else if (canMoveDirectly(access, address.lanes)) {
    f.get(frame.mask).i32(-1).op(Op.i32_eq).if()
    if (isContiguous(address.lanes, access.width)) storeContiguous(context, access, address.base, instruction.value)
    else storeLanes(context, access, address, instruction.value)
    f.else()
    storeAddresses(context, instruction.pointer)
    scatter()
    f.end()
  } else {
    storeAddresses(context, instruction.pointer)
    scatter()
  }
  releaseAddress(context, address)
  context.held?.noteStore(access, instruction.value, knownMask(context)!)
  context.canonical = undefined
}

/** In a loop that waits for others: whether this store is worth another round, because it changes what is there. */
function noteChange(context: KernelContext, access: Access, { block, pointer, value }: StoreInstruction): void {
  const words = context.changedBy?.(block) ?? []
  if (words.length === 0) return
  const { f, frame, helpers } = context
  storeAddresses(context, pointer)
  writeValues(context, access, value, 0)
  for (const changed of words) {
    f.get(frame.slot).get(frame.mask).call(helpers.differs(access.elements))
    f.i32(1).op(Op.i32_shl).get(changed).op(Op.i32_or).set(changed)
  }
}

/** The lanes are known, and are all, or single ones of them can be stored. */
function canStoreKnown(context: KernelContext, { elements }: Access): boolean {
  const known = knownMask(context)
  return known === -1 || (known !== undefined && elements.count === 1 && elements.bytes >= 4)
}

export function allUniform({ values }: KernelContext, value: Value): boolean {
  return values.storagesOf(value).every(({ kind }) => kind === 'scalar' || kind === 'constant')
}

export function storeUniform(context: KernelContext, access: Access, base: number, value: Value): void {
  const { f, values, helpers } = context
  const held = heldAs(access.elementType)!
  for (let element = 0; element < access.elements.count; element++) {
    f.get(base)
    values.scalar(value, element)
    pushCanonical(f, held, value)
    const offset = element * access.elements.bytes
    if (held.kind === 'f32') f.memory(Op.f32_store, offset)
    else if (held.kind === 'f64') f.memory(Op.f64_store, offset)
    else {
      if (held.kind === 'f16') f.call(helpers.narrow(held.brain).toBits)
      f.memory(STORES[access.elements.bytes]!, offset)
    }
  }
}

export function storeContiguous(context: KernelContext, access: Access, base: number, value: Value): void {
  const { f } = context
  const { elements } = access
  for (let group = 0; group < GROUPS; group++) {
    const at = group * GROUP_LANES * access.width
    const push = (element: number, half = 0): void => pushStored(context, access, value, element, group, half)
    if (elements.count === 1) {
      if (elements.bytes >= 4) {
        for (let half = 0; half < elements.bytes / 4; half++) {
          f.get(base)
          push(0, half)
          f.memory(Op.v128_store, at + half * 16)
        }
      } else {
        const value32 = f.local(V128)
        push(0)
        f.set(value32)
        f.get(base).get(value32).get(value32)
        if (elements.bytes === 1)
          f.shuffle([0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12]).memoryLane(Op.v128_store32_lane, 0, at)
        else f.shuffle([0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13]).memoryLane(Op.v128_store64_lane, 0, at)
        f.release(V128, value32)
      }
      continue
    }
    const columns = f.many(V128, elements.count)
    columns.forEach((column, element) => {
      push(element)
      f.set(column)
    })
    const rows = f.many(V128, elements.count)
    if (elements.count === 2) {
      f.get(columns[0]!).get(columns[1]!).shuffle32(0, 4, 1, 5).set(rows[0]!)
      f.get(columns[0]!).get(columns[1]!).shuffle32(2, 6, 3, 7).set(rows[1]!)
    } else transpose(f, columns, rows)
    rows.forEach((row, index) =>
      f
        .get(base)
        .get(row)
        .memory(Op.v128_store, at + index * 16),
    )
    f.release(V128, ...columns, ...rows)
  }
}

export function storeLanes(
  context: KernelContext,
  access: Access,
  address: Address & { kind: 'lanes' },
  value: Value,
  mask = -1,
): void {
  const { f } = context
  const { bytes } = access.elements
  const opcode = bytes === 4 ? Op.v128_store32_lane : Op.v128_store64_lane
  const lanesInVector = 16 / bytes
  const halves = bytes / 4
  const vector = f.local(V128)
  withLowestBase(context, address, push => {
    for (let index = 0; index < 32 / lanesInVector; index++) {
      const first = index * lanesInVector
      const wanted = (mask >>> first) & ((1 << lanesInVector) - 1)
      if (wanted === 0) continue
      const isWhole = wanted === (1 << lanesInVector) - 1
      const run = [...address.lanes.constant.subarray(first, first + lanesInVector)]
      const pushVector = (): void => pushStored(context, access, value, 0, Math.floor(index / halves), index % halves)
      if (isWhole && patternOfRun(address.lanes, first, lanesInVector, bytes) === 'next') {
        const offset = push(first)
        pushVector()
        f.memory(Op.v128_store, offset)
        continue
      }
      pushVector()
      f.set(vector)
      if (wanted === 3 && bytes === 4 && patternOfRun(address.lanes, first, 2, bytes) === 'next') {
        const offset = push(first)
        f.get(vector).memoryLane(Op.v128_store64_lane, 0, offset)
        continue
      }
      run.forEach((_, lane) => {
        if (!((wanted >>> lane) & 1)) return
        const offset = push(first + lane)
        f.get(vector).memoryLane(opcode, lane, offset)
      })
    }
  })
  f.release(V128, vector)
}

/** Pushes four lanes of a value on its way to memory. */
export function pushStored(
  { f, helpers, values, canonical }: KernelContext,
  { elementType }: Access,
  value: Value,
  element: number,
  group: number,
  half: number,
): void {
  const held = heldAs(elementType)!
  values.vector(value, group, half, element)
  if (value !== canonical) pushCanonical(f, held, value, true)
  if (held.kind === 'f16') f.call(helpers.narrow(held.brain).toBits4)
}

/** All lanes of a value to the slot's scratch, starting with element `first` there. */
export function writeValues(context: KernelContext, access: Access, value: Value, first: number): void {
  const { f, frame, values } = context
  const held = heldAs(access.elementType)!
  const halves = access.elements.bytes === 8 ? 2 : 1
  for (let element = 0; element < leavesOf(value.type).length; element++) {
    const at = VALUES + (first + element) * 128 * halves
    for (let group = 0; group < GROUPS; group++)
      for (let half = 0; half < halves; half++) {
        f.get(frame.slot)
        if (held.kind === 'flag') {
          values.vector(value, group, 0, element)
          f.i32(31).op(Op.i32x4_shr_u)
        } else pushStored(context, access, value, element, group, half)
        f.memory(Op.v128_store, at + (group * halves + half) * 16)
      }
  }
}
