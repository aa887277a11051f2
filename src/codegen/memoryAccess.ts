/**
 * Loads, stores and atomics of a whole warp, and their counting. An address is uniform, or a scalar plus lanes that the launch
 * fixes, or arbitrary; the first two move data by vectors or with constant offsets and are counted by one increment of a
 * histogram while the warp is full. Everything else goes through the slot's address scratch and a helper.
 */
import { DEVICE_BASE, HEAP_OFFSET } from '../addressSpace.ts'
import { InternalError, userError } from '../diagnostic.ts'
import type { AtomicRmwInstruction, CmpxchgInstruction, Instruction, LoadInstruction, StoreInstruction, Type, Value } from '../ir/ir.ts'
import { storeBytes } from '../ir/types.ts'
import { I32, V128 } from '../wasm/builder.ts'
import { Op } from '../wasm/opcodes.ts'
import type { AtomicSpec } from './helpersAtomic.ts'
import { type Elements, LOADS, STORES } from './helpersMemory.ts'
import type { KernelContext } from './kernelContext.ts'
import { isConstant, type LaneVector, NO_LANES } from './laneVector.ts'
import { type Held, halvesOf, heldAs, leavesOf } from './operations.ts'
import { pushCanonical } from './nan.ts'
import { ADDRESSES, HISTOGRAM_BYTES, OBSERVING, PARTIALS_BYTES, RESULTS, SITE_BYTES, VALUES } from './slot.ts'
import { GROUP_LANES, GROUPS, type Storage } from './storage.ts'

/** The physical address of an access: offsets in device memory. */
type Address =
  | { readonly kind: 'lanes'; readonly base: number; readonly lanes: LaneVector }
  | { readonly kind: 'any' }

interface Access {
  readonly instruction: Instruction
  readonly pointer: Value
  readonly elements: Elements
  readonly elementType: Type
  readonly width: number
  readonly op: 'load' | 'store' | 'atomic'
}

function accessOf(instruction: LoadInstruction | StoreInstruction | AtomicRmwInstruction | CmpxchgInstruction): Access {
  const type = instruction.op === 'load' ? instruction.type : instruction.op === 'store' || instruction.op === 'atomicrmw' ? instruction.value.type : instruction.expected.type
  const leaves = leavesOf(type)
  const elementType = leaves[0]
  if (!elementType || leaves.some(leaf => storeBytes(leaf) !== storeBytes(elementType)))
    throw userError('unsupported-access', 'loads and stores of whole structures are not supported', instruction.location)
  const bytes = storeBytes(elementType)
  if (![1, 2, 4, 8].includes(bytes))
    throw userError('unsupported-access', `a memory access with elements of ${bytes} bytes is not supported`, instruction.location)
  return {
    instruction,
    pointer: instruction.pointer,
    elements: { bytes, count: leaves.length },
    elementType,
    width: bytes * leaves.length,
    op: instruction.op === 'load' || instruction.op === 'store' ? instruction.op : 'atomic',
  }
}

// ---------------------------------------------------------------- addresses

/** Pushes what to add to a pointer's value to get an offset in device memory. */
function pushBias(context: KernelContext, pointer: Value): void {
  const { f, frame } = context
  if (isSharedPointer(pointer)) f.get(frame.shared)
  else f.i32(DEVICE_BASE | 0)
}

function isSharedPointer({ type }: Value): boolean {
  return type.kind === 'pointer' && type.space === 3
}

function locate(context: KernelContext, pointer: Value): Address {
  const { f, values } = context
  const storage = values.storageOf(pointer)
  if (storage.kind === 'vectors') return { kind: 'any' }
  const base = f.local(I32)
  values.pushScalar(storage)
  pushBias(context, pointer)
  f.op(Op.i32_add).set(base)
  return { kind: 'lanes', base, lanes: storage.kind === 'linear' ? storage.lanes : NO_LANES }
}

function releaseAddress(context: KernelContext, address: Address): void {
  if (address.kind === 'lanes') context.f.release(I32, address.base)
}

/** Writes all lanes' addresses to the slot. */
function storeAddresses(context: KernelContext, pointer: Value): void {
  const { f, values, frame } = context
  for (let group = 0; group < GROUPS; group++) {
    f.get(frame.slot)
    values.vector(pointer, group)
    pushBias(context, pointer)
    f.op(Op.i32x4_splat).op(Op.i32x4_add).memory(Op.v128_store, ADDRESSES + group * 16)
  }
}

function pushLowest(context: KernelContext, lanes: LaneVector): void {
  if (isConstant(lanes)) context.f.i32(Math.min(...lanes.constant))
  else context.f.get(context.values.table(lanes).low)
}

/**
 * Pushes whether all 32 lanes' addresses, of those that do not run too, are such that the site is known and the bytes are
 * there: in shared memory they lie in the block's window, a pointer of unknown space points into the heap.
 */
function pushIsRegular(context: KernelContext, access: Access, address: Address & { kind: 'lanes' }): void {
  const { f, frame, program } = context
  const spaces = program.spacesOf(access.pointer)
  if (spaces.size > 1) {
    f.get(address.base)
    pushLowest(context, address.lanes)
    f.op(Op.i32_add).i32(HEAP_OFFSET).op(Op.i32_ge_u)
    return
  }
  if (!spaces.has('shared')) {
    f.i32(1)
    return
  }
  f.get(address.base).get(frame.shared).op(Op.i32_sub)
  pushLowest(context, address.lanes)
  f.op(Op.i32_add)
  pushEndsBefore(context, access, address.lanes, () => f.get(frame.sharedBytes))
}

/** With the lowest lane's offset on the stack: pushes whether all lanes end at or before a limit. */
function pushEndsBefore({ f, values }: KernelContext, { width }: Access, lanes: LaneVector, pushLimit: () => void): void {
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

/** Pushes whether reading at all 32 addresses is harmless: the lanes that do not run may point past the end of memory. */
function pushIsReadable(context: KernelContext, access: Access, address: Address & { kind: 'lanes' }): void {
  const { f, frame, program } = context
  const spaces = program.spacesOf(access.pointer)
  f.get(frame.mask).i32(-1).op(Op.i32_eq)
  if (spaces.size === 1 && (spaces.has('shared') || spaces.has('local') || spaces.has('parameter'))) {
    // All of it lies in the system region.
    f.i32(1).op(Op.i32_or)
    return
  }
  f.get(address.base)
  pushLowest(context, address.lanes)
  f.op(Op.i32_add)
  pushEndsBefore(context, access, address.lanes, () => f.get(frame.memoryBytes))
  f.op(Op.i32_or)
}

// ---------------------------------------------------------------- counting

/**
 * Counts an access whose lanes are fixed: one more with these low bits of the scalar and, when not all lanes run, with this
 * mask.
 */
function countLanes(context: KernelContext, access: Access, address: Address & { kind: 'lanes' }): void {
  const { f, frame, layout, program, histograms, values, helpers } = context
  const ids = program.siteIds.get(access.instruction)
  if (!ids) return
  const site = ids.global ?? ids.shared ?? ids.local ?? ids.constant
  if (site === undefined) return
  if (!histograms.some(use => use.site === site))
    histograms.push({ site, lanes: address.lanes, table: isConstant(address.lanes) ? undefined : values.table(address.lanes).offset })
  const at = layout.histograms + site * HISTOGRAM_BYTES
  const bin = f.local(I32)
  f.get(frame.mask).i32(-1).op(Op.i32_eq).if()
  f.get(address.base).i32(127).op(Op.i32_and).i32(2).op(Op.i32_shl).get(frame.slot).op(Op.i32_add).tee(bin)
  f.get(bin).memory(Op.i32_load, at).i32(1).op(Op.i32_add).memory(Op.i32_store, at)
  f.else()
  f.get(frame.slot).i32(layout.partials + site * PARTIALS_BYTES).op(Op.i32_add)
  f.get(frame.mask).get(address.base).i32(127).op(Op.i32_and).i32(site).call(helpers.countPartial)
  f.end()
  f.release(I32, bin)
  observe(context, access, () => storeAddresses(context, access.pointer))
}

/** Shows an access to the launch's observer, where the kernel is compiled for one; shared memory is of no interest to it. */
function observe(context: KernelContext, access: Access, writeAddresses: () => void): void {
  const { f, frame, program, helpers, observable } = context
  const ids = program.siteIds.get(access.instruction)
  const site = ids?.global ?? ids?.local
  if (!observable || site === undefined) return
  f.get(frame.slot).memory(Op.i32_load, OBSERVING).if()
  writeAddresses()
  f.i32(site).get(frame.mask).get(frame.warp).call(helpers.host.observe)
  f.end()
}

/** Counts any access; the addresses are in the slot. */
function countAny(context: KernelContext, access: Access): void {
  const { f, frame, layout, program, helpers } = context
  const ids = program.siteIds.get(access.instruction)
  if (!ids) return
  observe(context, access, () => {})
  const [only, ...others] = Object.keys(ids) as (keyof typeof ids)[]
  const widthLog2 = Math.log2(access.width)
  const counters = (site: number): void => {
    f.get(frame.slot).i32(layout.siteCounters + site * SITE_BYTES).op(Op.i32_add)
  }
  const countGlobal = (site: number): void => {
    f.get(frame.slot)
    counters(site)
    f.get(frame.mask).i32(widthLog2).call(access.op === 'atomic' ? helpers.countAtomic : helpers.countGlobal)
  }
  const site = ids[only!]!
  if (others.length > 0) {
    // Decided lane by lane, by the host, unless all lanes lie in the heap.
    const slow = (): void => {
      f.i32(program.sites.indexOf(program.sites[site]!)).get(frame.mask).get(frame.warp).call(helpers.host.countSlow)
    }
    if (ids.global !== undefined && context.modernRules) {
      pushAllInHeap(context)
      f.if()
      countGlobal(ids.global)
      f.else()
      slow()
      f.end()
    } else slow()
  } else if (only === 'global' && context.modernRules) countGlobal(site)
  else if (only === 'shared' && context.modernRules && (access.width <= 4 || access.op !== 'load')) {
    f.get(frame.slot)
    counters(site)
    f.get(frame.mask).i32(widthLog2).get(frame.shared).get(frame.sharedBytes)
    f.call(helpers.countShared(layout.wordStamps))
  } else f.i32(site).get(frame.mask).get(frame.warp).call(helpers.host.countSlow)
}

function pushAllInHeap(context: KernelContext): void {
  const { f, frame, values } = context
  const outside = f.local(I32)
  f.i32(0).set(outside)
  for (let group = 0; group < GROUPS; group++) {
    f.get(frame.slot).memory(Op.v128_load, ADDRESSES + group * 16)
    f.i32(HEAP_OFFSET).op(Op.i32x4_splat).op(Op.i32x4_lt_u)
    values.laneMask(() => f.get(frame.mask), group)
    f.op(Op.v128_and).op(Op.v128_any_true).get(outside).op(Op.i32_or).set(outside)
  }
  f.get(outside).op(Op.i32_eqz)
  f.release(I32, outside)
}

// ---------------------------------------------------------------- loads

export function emitLoad(context: KernelContext, instruction: LoadInstruction): void {
  const { f, values, shapes, helpers, frame } = context
  const access = accessOf(instruction)
  const address = locate(context, instruction.pointer)
  const result = values.allocate(instruction)
  if (address.kind === 'lanes' && shapes.shapeOf(instruction).kind === 'uniform') {
    countRegular(context, access, address)
    result.forEach((storage, leaf) => {
      f.get(address.base)
      loadScalar(context, access, leaf)
      f.set((storage as Storage & { kind: 'scalar' }).local)
    })
    releaseAddress(context, address)
    return
  }
  const gather = (): void => {
    f.get(frame.slot).get(frame.mask).call(helpers.gather(access.elements))
    readResults(context, access, result)
  }
  if (address.kind === 'any') {
    storeAddresses(context, instruction.pointer)
    countAny(context, access)
    gather()
    return
  }
  countRegular(context, access, address)
  if (canMoveDirectly(access, address.lanes)) {
    pushIsReadable(context, access, address)
    f.if()
    if (isContiguous(address.lanes, access.width)) loadContiguous(context, access, address.base, result)
    else loadLanes(context, access, address, result)
    f.else()
    storeAddresses(context, instruction.pointer)
    gather()
    f.end()
  } else {
    storeAddresses(context, instruction.pointer)
    gather()
  }
  releaseAddress(context, address)
}

/** Counts an access whose lanes are fixed, the usual way or, where the addresses are not as expected, the general one. */
function countRegular(context: KernelContext, access: Access, address: Address & { kind: 'lanes' }): void {
  const { f, program } = context
  if (!program.siteIds.has(access.instruction)) return
  const spaces = program.spacesOf(access.pointer)
  if (spaces.size === 1 && !spaces.has('shared')) return countLanes(context, access, address)
  pushIsRegular(context, access, address)
  f.if()
  countLanes(context, access, address)
  f.else()
  storeAddresses(context, access.pointer)
  countAny(context, access)
  f.end()
}

/** Address on the stack; leaves the value of one element, held as operations.ts says. */
function loadScalar({ f, helpers }: KernelContext, { elements, elementType }: Access, element: number): void {
  const held = heldAs(elementType)!
  const offset = element * elements.bytes
  if (held.kind === 'f32') f.memory(Op.f32_load, offset)
  else if (held.kind === 'f64') f.memory(Op.f64_load, offset)
  else {
    f.memory(LOADS[elements.bytes]!, offset)
    fromMemory(f, helpers, held)
  }
}

/** From the bits in memory to the held form. */
function fromMemory(f: KernelContext['f'], helpers: KernelContext['helpers'], held: Held): void {
  if (held.kind === 'f16') f.call(held.brain ? helpers.bitsToBrain : helpers.bitsToHalf)
  else if (held.kind === 'flag') f.i32(1).op(Op.i32_and)
}

function canMoveDirectly({ elements, elementType }: Access, lanes: LaneVector): boolean {
  const held = heldAs(elementType)!
  if (held.kind === 'f16' || held.kind === 'flag') return false
  if (elements.count > 1 && !(elements.bytes === 4 && (elements.count === 2 || elements.count === 4))) return false
  if (isContiguous(lanes, elements.bytes * elements.count)) return true
  return elements.count === 1 && elements.bytes >= 4
}

function isContiguous(lanes: LaneVector, width: number): boolean {
  return isConstant(lanes) && lanes.constant.every((lane, index) => lane === index * width)
}

/** 32 neighbouring elements, or small vectors of 4-byte elements that are taken apart. */
function loadContiguous({ f }: KernelContext, { elements, elementType }: Access, base: number, result: readonly Storage[]): void {
  const held = heldAs(elementType)!
  const parts = result.map(storage => (storage as Storage & { kind: 'vectors' }).locals)
  const [first, second] = parts
  for (let group = 0; group < GROUPS; group++) {
    const at = group * GROUP_LANES * elements.bytes * elements.count
    const vector = (index: number): void => {
      f.get(base).memory(Op.v128_load, at + index * 16)
    }
    if (elements.count === 1) {
      if (elements.bytes === 4) {
        vector(0)
        f.set(first![group]!)
      } else if (elements.bytes === 8) {
        for (let half = 0; half < halvesOf(held); half++) {
          vector(half)
          f.set(first![group * 2 + half]!)
        }
      } else {
        f.get(base).memory(elements.bytes === 1 ? Op.v128_load32_zero : Op.v128_load64_zero, at)
        if (elements.bytes === 1) f.op(Op.i16x8_extend_low_i8x16_u)
        f.op(Op.i32x4_extend_low_i16x8_u).set(first![group]!)
      }
    } else if (elements.count === 2) {
      const [low, high] = f.many(V128, 2) as [number, number]
      vector(0)
      f.set(low)
      vector(1)
      f.set(high)
      f.get(low).get(high).shuffle32(0, 2, 4, 6).set(first![group]!)
      f.get(low).get(high).shuffle32(1, 3, 5, 7).set(second![group]!)
      f.release(V128, low, high)
    } else {
      const rows = f.many(V128, 4)
      rows.forEach((row, index) => {
        vector(index)
        f.set(row)
      })
      transpose(f, rows, parts.map(locals => locals[group]!))
      f.release(V128, ...rows)
    }
  }
}

/** 4 x 4 words; rows and columns are locals. */
function transpose(f: KernelContext['f'], rows: readonly number[], columns: readonly number[]): void {
  const [a, b, c, d] = rows as [number, number, number, number]
  const pairs = f.many(V128, 4) as [number, number, number, number]
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

/** Lane by lane, at constant offsets or at those of the launch's table; neighbours and repetitions a vector at a time. */
function loadLanes(context: KernelContext, { elements }: Access, address: Address & { kind: 'lanes' }, result: readonly Storage[]): void {
  const { f } = context
  const { locals } = result[0] as Storage & { kind: 'vectors' }
  const opcode = elements.bytes === 4 ? Op.v128_load32_lane : Op.v128_load64_lane
  const splat = elements.bytes === 4 ? Op.v128_load32_splat : Op.v128_load64_splat
  const lanesInVector = 16 / elements.bytes
  const { constant } = address.lanes
  const known = new Map<string, number>()
  withLowestBase(context, address, push => {
    locals.forEach((local, index) => {
      const first = index * lanesInVector
      const run = [...constant.subarray(first, first + lanesInVector)]
      const key = run.join(',')
      const twin = isConstant(address.lanes) ? known.get(key) : undefined
      if (twin !== undefined) {
        f.get(twin).set(local)
        return
      }
      known.set(key, local)
      const pattern = isConstant(address.lanes) ? patternOf(run, elements.bytes) : 'any'
      if (pattern !== 'any') {
        const offset = push(first)
        f.memory(pattern === 'same' ? splat : Op.v128_load, offset).set(local)
        return
      }
      run.forEach((_, lane) => {
        const offset = push(first + lane)
        f.get(local).memoryLane(opcode, lane, offset).set(local)
      })
    })
  })
}

function patternOf(offsets: readonly number[], bytes: number): 'same' | 'next' | 'any' {
  if (offsets.every(offset => offset === offsets[0])) return 'same'
  return offsets.every((offset, lane) => offset === offsets[0]! + lane * bytes) ? 'next' : 'any'
}

/** Gives `body` a function that pushes a lane's address and returns the constant offset to use with it. */
function withLowestBase(
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
    f.get(base).get(frame.slot).memory(Op.i32_load, offset + lane * 4).op(Op.i32_add)
    return 0
  })
}

/** From the slot's results to the leaves' vectors. */
function readResults({ f, frame, helpers }: KernelContext, { elementType, elements }: Access, result: readonly Storage[]): void {
  const held = heldAs(elementType)!
  result.forEach((storage, leaf) => {
    const at = RESULTS + leaf * (elements.bytes === 8 ? 256 : 128)
    if (storage.kind === 'bits') {
      for (let group = 0; group < GROUPS; group++) {
        f.get(frame.slot).memory(Op.v128_load, at + group * 16).i32(31).op(Op.i32x4_shl).op(Op.i32x4_bitmask)
        if (group > 0) f.i32(group * GROUP_LANES).op(Op.i32_shl).get(storage.local).op(Op.i32_or)
        f.set(storage.local)
      }
      return
    }
    if (storage.kind !== 'vectors') throw new InternalError('a gather into a scalar')
    storage.locals.forEach((local, index) => {
      f.get(frame.slot).memory(Op.v128_load, at + index * 16)
      if (held.kind === 'flag') f.i32(31).op(Op.i32x4_shl).i32(31).op(Op.i32x4_shr_s)
      f.set(local)
      if (held.kind === 'f16')
        for (let lane = 0; lane < 4; lane++) {
          f.get(local).get(local).lane(Op.i32x4_extract_lane, lane)
          fromMemory(f, helpers, held)
          f.lane(Op.f32x4_replace_lane, lane).set(local)
        }
    })
  })
}

// ---------------------------------------------------------------- stores

export function emitStore(context: KernelContext, instruction: StoreInstruction): void {
  const { f, values, helpers, frame } = context
  const access = accessOf(instruction)
  const address = locate(context, instruction.pointer)
  const scatter = (): void => {
    writeValues(context, access, instruction.value, 0)
    f.get(frame.slot).get(frame.mask).call(helpers.scatter(access.elements))
  }
  if (address.kind === 'any') {
    storeAddresses(context, instruction.pointer)
    countAny(context, access)
    scatter()
    return
  }
  countRegular(context, access, address)
  if (isUniformAddress(address) && allUniform(context, instruction.value)) {
    storeUniform(context, access, address.base, instruction.value)
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
}

function isUniformAddress({ lanes }: Address & { kind: 'lanes' }): boolean {
  return isConstant(lanes) && lanes.constant.every(lane => lane === 0)
}

function allUniform({ values }: KernelContext, value: Value): boolean {
  return values.storagesOf(value).every(({ kind }) => kind === 'scalar' || kind === 'constant')
}

function storeUniform(context: KernelContext, access: Access, base: number, value: Value): void {
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
      if (held.kind === 'f16') f.call(held.brain ? helpers.brainToBits : helpers.halfToBits)
      f.memory(STORES[access.elements.bytes]!, offset)
    }
  }
}

function storeContiguous(context: KernelContext, access: Access, base: number, value: Value): void {
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
        if (elements.bytes === 1) f.shuffle([0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12]).memoryLane(Op.v128_store32_lane, 0, at)
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
    rows.forEach((row, index) => f.get(base).get(row).memory(Op.v128_store, at + index * 16))
    f.release(V128, ...columns, ...rows)
  }
}

function storeLanes(context: KernelContext, access: Access, address: Address & { kind: 'lanes' }, value: Value): void {
  const { f } = context
  const { bytes } = access.elements
  const opcode = bytes === 4 ? Op.v128_store32_lane : Op.v128_store64_lane
  const lanesInVector = 16 / bytes
  const halves = bytes / 4
  const vector = f.local(V128)
  withLowestBase(context, address, push => {
    for (let index = 0; index < 32 / lanesInVector; index++) {
      const first = index * lanesInVector
      const run = [...address.lanes.constant.subarray(first, first + lanesInVector)]
      const pushVector = (): void => pushStored(context, access, value, 0, Math.floor(index / halves), index % halves)
      if (isConstant(address.lanes) && patternOf(run, bytes) === 'next') {
        const offset = push(first)
        pushVector()
        f.memory(Op.v128_store, offset)
        continue
      }
      pushVector()
      f.set(vector)
      run.forEach((_, lane) => {
        const offset = push(first + lane)
        f.get(vector).memoryLane(opcode, lane, offset)
      })
    }
  })
  f.release(V128, vector)
}

/** Pushes four lanes of a value on its way to memory. */
function pushStored({ f, values }: KernelContext, { elementType }: Access, value: Value, element: number, group: number, half: number): void {
  values.vector(value, group, half, element)
  pushCanonical(f, heldAs(elementType)!, value, true)
}

/** All lanes of a value to the slot's scratch, starting with element `first` there. */
function writeValues(context: KernelContext, access: Access, value: Value, first: number): void {
  const { f, frame, helpers, values } = context
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
        if (held.kind === 'f16') bitsOfHalves(f, helpers, held.brain)
        f.memory(Op.v128_store, at + (group * halves + half) * 16)
      }
  }
}

function bitsOfHalves(f: KernelContext['f'], helpers: KernelContext['helpers'], brain: boolean): void {
  const vector = f.local(V128)
  f.set(vector)
  for (let lane = 0; lane < 4; lane++)
    f.get(vector).get(vector).lane(Op.f32x4_extract_lane, lane).call(brain ? helpers.brainToBits : helpers.halfToBits).lane(Op.i32x4_replace_lane, lane).set(vector)
  f.get(vector)
  f.release(V128, vector)
}

// ---------------------------------------------------------------- atomics

export function emitAtomic(context: KernelContext, instruction: AtomicRmwInstruction | CmpxchgInstruction): void {
  const { f, values, helpers, frame, program } = context
  const access = accessOf(instruction)
  const held = heldAs(access.elementType)!
  if (access.elements.count !== 1 || access.elements.bytes < 4 || held.kind === 'flag' || held.kind === 'f16')
    throw userError('unsupported-atomic', `atomic operations on ${access.width * 8}-bit values of this type are not supported`, instruction.location)
  const type: AtomicSpec['type'] = held.kind === 'i32' || held.kind === 'i64' || held.kind === 'f32' ? held.kind : 'f64'
  const spaces = program.spacesOf(instruction.pointer)
  const isShared = spaces.size === 1 && (spaces.has('shared') || spaces.has('local'))
  const address = locate(context, instruction.pointer)
  storeAddresses(context, instruction.pointer)
  if (address.kind === 'lanes') countRegular(context, access, address)
  else countAny(context, access)
  releaseAddress(context, address)
  if (instruction.op === 'cmpxchg') {
    writeValues(context, access, instruction.expected, 0)
    writeValues(context, access, instruction.replacement, 1)
  } else writeValues(context, access, instruction.value, 0)
  const operation = instruction.op === 'cmpxchg' ? 'cmpxchg' : instruction.operation
  f.get(frame.slot).get(frame.mask).call(helpers.atomic({ operation, type, isShared }))
  if (values.usersOfValue(instruction).length === 0) return
  const result = values.allocate(instruction)
  readResults(context, access, result.slice(0, 1))
  if (instruction.op !== 'cmpxchg') return
  const success = result[1] as Storage
  const isWide = access.elements.bytes === 8
  for (let group = 0; group < GROUPS; group++) {
    for (let half = 0; half < (isWide ? 2 : 1); half++) {
      values.pushVector(result[0]!, held, group, half)
      values.vector(instruction.expected, group, half)
      f.op(isWide ? Op.i64x2_eq : Op.i32x4_eq)
    }
    if (isWide) f.shuffle32(0, 2, 4, 6)
    if (success.kind === 'vectors') f.set(success.locals[group]!)
    else if (success.kind === 'bits') {
      f.op(Op.i32x4_bitmask)
      if (group > 0) f.i32(group * GROUP_LANES).op(Op.i32_shl).get(success.local).op(Op.i32_or)
      f.set(success.local)
    }
  }
}
