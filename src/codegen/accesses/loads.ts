/**
 * Loads of a whole warp: by vectors where lanes are neighbours, at constant offsets where the launch fixes them, else gathered by
 * a helper from the addresses in the slot.
 */
import { InternalError } from '../../diagnostic.ts'
import type { LoadInstruction } from '../../ir/ir.ts'
import { V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import { countAny, countRegular } from '../counting/counting.ts'
import { LOADS } from '../helpers/helpersMemory.ts'
import type { KernelContext } from '../kernelContext.ts'
import { type Held, halvesOf, heldAs } from '../operations/operations.ts'
import { RESULTS } from '../slot.ts'
import { isConstant } from '../values/laneVector.ts'
import { GROUP_LANES, GROUPS, type Storage, setBits } from '../values/storage.ts'
import {
  type Access,
  type Address,
  accessOf,
  canLoadDirectly,
  isAlwaysReadable,
  isContiguous,
  locate,
  patternOfRun,
  pushIsReadable,
  releaseAddress,
  storeAddresses,
  transpose,
  withLowestBase,
} from './access.ts'
import { pushHeld } from './heldWords.ts'
import { emitArbitrary } from './runs.ts'

export function emitLoad(context: KernelContext, instruction: LoadInstruction): void {
  const { f, values, shapes, helpers, frame } = context
  const access = accessOf(instruction)
  const address = locate(context, instruction.pointer)
  if (address.kind === 'lanes') context.gathered?.beforeLoad(access, address)
  const result = values.allocate(instruction)
  if (address.kind === 'lanes' && shapes.shapeOf(instruction).kind === 'uniform') {
    countRegular(context, access, address)
    const held = context.held?.find(access, 0, 1)
    result.forEach((storage, leaf) => {
      if (held) {
        pushHeld(f, held)
        f.lane(heldAs(access.elementType)!.kind === 'f32' ? Op.f32x4_extract_lane : Op.i32x4_extract_lane, 0)
      } else {
        f.get(address.base)
        loadScalar(context, access, leaf)
      }
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
    emitArbitrary(
      context,
      access,
      base => loadContiguous(context, access, base, result),
      () => {
        countAny(context, access)
        gather()
      },
    )
    return
  }
  countRegular(context, access, address)
  if (canLoadDirectly(access, address.lanes)) {
    const isSafe = isAlwaysReadable(context, access)
    if (!isSafe) {
      pushIsReadable(context, access, address)
      f.if()
    }
    if (isContiguous(address.lanes, access.width)) loadContiguous(context, access, address.base, result)
    else loadLanes(context, access, address, result)
    if (!isSafe) {
      f.else()
      storeAddresses(context, instruction.pointer)
      gather()
      f.end()
    }
  } else {
    storeAddresses(context, instruction.pointer)
    gather()
  }
  releaseAddress(context, address)
}

/** Address on the stack; leaves the value of one element, held as operations.ts says. */
export function loadScalar({ f, helpers }: KernelContext, { elements, elementType }: Access, element: number): void {
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
export function fromMemory(f: KernelContext['f'], helpers: KernelContext['helpers'], held: Held): void {
  if (held.kind === 'f16') f.call(helpers.narrow(held.brain).fromBits)
  else if (held.kind === 'flag') f.i32(1).op(Op.i32_and)
}

/** 32 neighbouring elements, or small vectors of 4-byte elements that are taken apart. */
export function loadContiguous(
  { f, helpers }: KernelContext,
  { elements, elementType }: Access,
  base: number,
  result: readonly Storage[],
): void {
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
        f.get(base)
        loadFour(f, helpers, held, elements.bytes, at)
        f.set(first![group]!)
      }
    } else if (elements.count === 2) {
      const [low, high] = f.many(V128, 2)
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
      transpose(
        f,
        rows,
        parts.map(locals => locals[group]!),
      )
      f.release(V128, ...rows)
    }
  }
}

/** Address on the stack; leaves four neighbours of less than a word each. */
export function loadFour(
  f: KernelContext['f'],
  helpers: KernelContext['helpers'],
  held: Held,
  bytes: number,
  offset: number,
): void {
  f.memory(bytes === 1 ? Op.v128_load32_zero : Op.v128_load64_zero, offset)
  if (bytes === 1) f.op(Op.i16x8_extend_low_i8x16_u)
  f.op(Op.i32x4_extend_low_i16x8_u)
  if (held.kind === 'f16') f.call(helpers.narrow(held.brain).fromBits4)
}

/** Lane by lane, at constant offsets or at those of the launch's table; neighbours and repetitions a vector at a time. */
export function loadLanes(
  context: KernelContext,
  access: Access,
  address: Address & { kind: 'lanes' },
  result: readonly Storage[],
): void {
  const { elements } = access
  if (elements.bytes < 4) {
    loadNarrowLanes(context, access, address, result)
    return
  }
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
      const pattern = patternOfRun(address.lanes, first, lanesInVector, elements.bytes)
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

/** The same of elements of one or two bytes. */
function loadNarrowLanes(
  context: KernelContext,
  { elements: { bytes }, elementType }: Access,
  address: Address & { kind: 'lanes' },
  result: readonly Storage[],
): void {
  const { f, helpers } = context
  const held = heldAs(elementType)!
  const { locals } = result[0] as Storage & { kind: 'vectors' }
  const known = new Map<string, number>()
  withLowestBase(context, address, push => {
    locals.forEach((local, group) => {
      const first = group * GROUP_LANES
      const key = address.lanes.constant.subarray(first, first + GROUP_LANES).join()
      const twin = isConstant(address.lanes) ? known.get(key) : undefined
      known.set(key, local)
      if (twin !== undefined) {
        f.get(twin).set(local)
        return
      }
      const pattern = patternOfRun(address.lanes, first, GROUP_LANES, bytes)
      if (pattern === 'next') {
        const offset = push(first)
        loadFour(f, helpers, held, bytes, offset)
        f.set(local)
        return
      }
      for (let lane = 0; lane < (pattern === 'same' ? 1 : GROUP_LANES); lane++) {
        if (lane > 0) f.get(local)
        const offset = push(first + lane)
        f.memory(LOADS[bytes]!, offset)
        if (lane === 0) f.op(Op.i32x4_splat)
        else f.lane(Op.i32x4_replace_lane, lane)
        f.set(local)
      }
      if (held.kind === 'f16') f.get(local).call(helpers.narrow(held.brain).fromBits4).set(local)
    })
  })
}

/** From the slot's results to the leaves' vectors. */
export function readResults(
  { f, frame, helpers }: KernelContext,
  { elementType, elements }: Access,
  result: readonly Storage[],
): void {
  const held = heldAs(elementType)!
  result.forEach((storage, leaf) => {
    const at = RESULTS + leaf * (elements.bytes === 8 ? 256 : 128)
    if (storage.kind === 'bits') {
      for (let group = 0; group < GROUPS; group++) {
        f.get(frame.slot)
          .memory(Op.v128_load, at + group * 16)
          .i32(31)
          .op(Op.i32x4_shl)
        setBits(f, storage.local, group)
      }
      return
    }
    if (storage.kind !== 'vectors') throw new InternalError('a gather into a scalar')
    storage.locals.forEach((local, index) => {
      f.get(frame.slot).memory(Op.v128_load, at + index * 16)
      if (held.kind === 'flag') f.i32(31).op(Op.i32x4_shl).i32(31).op(Op.i32x4_shr_s)
      if (held.kind === 'f16') f.call(helpers.narrow(held.brain).fromBits4)
      f.set(local)
    })
  })
}
