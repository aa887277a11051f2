/**
 * The device's memory as a kernel's thread sees it: which space an address is in, whether the access is legal, and its
 * bytes. addressSpace.ts has the map. Every resident block owns a slot of the system region: its shared memory, then the
 * local memory of each of its threads.
 */
import { addressOf, CONSTANT_OFFSET, HEAP_OFFSET, offsetOf, SYSTEM_BYTES } from '../../addressSpace.ts'
import { sharedBytes } from '../../analysis/facts/layout.ts'
import type { AddressSpace, Location, Type } from '../../ir/ir.ts'
import { alignUp, SPACE, sizeOf } from '../../ir/types.ts'
import type { Space } from '../../trace.ts'
import { type Bits, type Bytes, readValue, sameBits, writeValue } from '../arithmetic/values.ts'
import { type BlockState, type LaunchState, laneFault, type WarpState } from './state.ts'

/** Slots begin here, so that small offsets are never valid. */
const SLOTS_AT = 0x1_0000

/** `parameter`: a by-value structure's copy, which the machine keeps in its constant bank, and registers: legal, never counted. */
export type AccessedSpace = Space | 'parameter'

export interface Place {
  readonly space: AccessedSpace
  /** Offset in the device memory. */
  readonly offset: number
  /** The address by which the access is counted (WarpAccess.addresses). */
  readonly counted: number
}

/** What an instruction is about to do with an address. */
export interface Access {
  readonly verb: 'load' | 'store' | 'atomic'
  readonly bytes: number
  /** Alignment that the machine demands: the access's own, unless the program promises less. */
  readonly align: number
  readonly location: Location | undefined
}

export class DeviceMemory {
  readonly bytes: Bytes
  readonly byteLength: number

  constructor(bytes: Bytes, byteLength: number) {
    this.bytes = bytes
    this.byteLength = byteLength
  }

  read(place: Place, type: Type): Bits {
    return readValue(this.bytes, place.offset, type)
  }

  /** Returns whether any bit changed. */
  write(place: Place, type: Type, value: Bits): boolean {
    const before = readValue(this.bytes, place.offset, type)
    writeValue(this.bytes, place.offset, type, value)
    return !sameBits(before, value)
  }

  clear(offset: number, length: number): void {
    for (let at = offset; at < offset + length; at += 8) this.bytes.setBigUint64(at, 0n, true)
  }
}

/** Finds an access's place, or throws the fault that the hardware would raise. */
export function locate(warp: WarpState, lane: number, space: AddressSpace, pointer: number, access: Access): Place {
  const { block, launch } = warp
  const { bytes } = access
  if (space === SPACE.shared) {
    if (pointer + bytes > launch.sharedBytes) throw outOfBounds(warp, lane, 'shared', pointer, access)
    checkAlignment(warp, lane, 'shared', pointer, access)
    return { space: 'shared', offset: block.sharedBase + pointer, counted: pointer }
  }
  const offset = space === SPACE.local ? threadLocalBase(warp, lane) + pointer : offsetOf(pointer)
  const own = offset - threadLocalBase(warp, lane)
  if (own >= 0 && own + bytes <= launch.local.threadBytes && space !== SPACE.global && space !== SPACE.constant) {
    checkAlignment(warp, lane, 'local', own, access)
    const isParameter = own >= launch.local.parametersAt && own < launch.local.stackAt
    return { space: isParameter ? 'parameter' : 'local', offset, counted: interleavedAddress(warp, lane, own) }
  }
  const inFragments = offset - fragmentBase(warp)
  if (inFragments >= 0 && inFragments + bytes <= launch.program.fragmentBytes)
    return { space: 'parameter', offset, counted: 0 }
  const inShared = offset - block.sharedBase
  if (inShared >= 0 && inShared + bytes <= launch.sharedBytes && space === SPACE.generic) {
    checkAlignment(warp, lane, 'shared', inShared, access)
    return { space: 'shared', offset, counted: inShared }
  }
  if (offset < CONSTANT_OFFSET && space === SPACE.generic && launch.reachesOtherBlocks)
    return placeInCluster(warp, lane, pointer, access)
  if (offset < CONSTANT_OFFSET && space !== SPACE.local && isOfShared(launch))
    throw outOfBounds(warp, lane, 'shared', inShared, access)
  if (offset < CONSTANT_OFFSET || offset + bytes > launch.memory.byteLength || space === SPACE.local)
    throw outOfBounds(warp, lane, space === SPACE.local ? 'local' : 'global', pointer, access)
  checkAlignment(warp, lane, 'global', pointer, access)
  const isConstant = space === SPACE.constant || (space !== SPACE.global && offset < HEAP_OFFSET)
  return { space: isConstant ? 'constant' : 'global', offset, counted: pointer }
}

function placeInCluster(warp: WarpState, lane: number, pointer: number, access: Access): Place {
  const { cluster, rank } = warp.block
  const offset = offsetOf(pointer)
  cluster.reach(offset, rank, { ...access, thread: warp.threads[lane] })
  return { space: 'cluster', offset, counted: pointer }
}

/** Whether what lies among blocks' variables, and in none of them, can only be past the end of shared ones. */
const isOfShared = ({ local, program }: LaunchState): boolean =>
  program.shared.offsets.size > 0 && local.threadBytes === local.stackAt && program.fragmentBytes === 0

/** Word w of lane l lies at (32 w + l) x 4 of the warp's region (trace.ts). */
function interleavedAddress(warp: WarpState, lane: number, own: number): number {
  const warpBase = warp.index * 32 * alignUp(warp.launch.local.threadBytes, 4)
  return warpBase + (own >>> 2) * 128 + lane * 4 + (own & 3)
}

/** Offset in the device memory of a thread's local memory. */
export function threadLocalBase(warp: WarpState, lane: number): number {
  return warp.block.localBase + (warp.index * 32 + lane) * warp.launch.local.threadBytes
}

/** Offset in the device memory of a warp's interleaved variables (analysis/lowering/interleaveFragments.ts). */
export function fragmentBase({ block, launch, index }: WarpState): number {
  const ofThreads = alignUp(launch.threadsPerBlock * launch.local.threadBytes, 16)
  return block.localBase + ofThreads + index * launch.program.fragmentBytes
}

/** A pointer of one space as a pointer of another (LLVM's addrspacecast, PTX's cvta). */
export function castPointer(
  warp: WarpState,
  lane: number,
  pointer: number,
  from: AddressSpace,
  to: AddressSpace,
): number {
  const base = (space: AddressSpace): number =>
    space === SPACE.shared
      ? addressOf(warp.block.sharedBase)
      : space === SPACE.local
        ? addressOf(threadLocalBase(warp, lane))
        : 0
  return (pointer + base(from) - base(to)) >>> 0
}

/** @param pointer an offset in shared and local memory, whose windows lie where every multiple that counts begins */
function checkAlignment(warp: WarpState, lane: number, space: Space, pointer: number, access: Access): void {
  if (pointer % access.align === 0) return
  throw laneFault(
    warp,
    lane,
    'misaligned-address',
    `${access.bytes}-byte ${access.verb} at ${space} address ${hex(pointer)}, which is not a multiple of ${access.align}`,
    { address: space === 'global' ? pointer : undefined, accessBytes: access.bytes, location: access.location },
  )
}

function outOfBounds(warp: WarpState, lane: number, space: Space, pointer: number, access: Access): Error {
  const { program, request } = warp.launch
  const size = sharedBytes(program.shared, request.dynamicSharedBytes) - program.shared.reservedBytes
  const limit = space === 'shared' ? ` of a block that has ${size} bytes of shared memory` : ''
  const unsized = [...program.shared.offsets.keys()].find(({ type }) => sizeOf(type) === 0)
  const cause =
    space === 'shared' && unsized && request.dynamicSharedBytes === 0
      ? ": the launch gives the kernel's extern __shared__ array no bytes; they are its third argument, <<<grid, block, bytes>>>"
      : ''
  return laneFault(
    warp,
    lane,
    'illegal-address',
    `${access.bytes}-byte ${access.verb} at ${space} address ${pointer < 0 ? `-${hex(-pointer)}` : hex(pointer)}${limit}, which is out of range${cause}`,
    { address: space === 'global' ? pointer : undefined, accessBytes: access.bytes, location: access.location },
  )
}

function hex(address: number): string {
  return `0x${address.toString(16).padStart(8, '0')}`
}

// ---------------------------------------------------------------- slots

export interface SlotLayout {
  readonly bytes: number
  /** Blocks that fit into the system region at once. */
  readonly count: number
  readonly localAt: number
}

export function slotLayout({ sharedBytes, threadsPerBlock, warpsPerBlock, local, program }: LaunchState): SlotLayout {
  const localAt = alignUp(sharedBytes, 256)
  const ofThreads = alignUp(threadsPerBlock * local.threadBytes, 16)
  const bytes = Math.max(256, alignUp(localAt + ofThreads + warpsPerBlock * program.fragmentBytes, 256))
  return { bytes, localAt, count: Math.floor((SYSTEM_BYTES - SLOTS_AT) / bytes) }
}

/** The memory windows of a block that runs in a slot. */
export function slotWindows(layout: SlotLayout, slot: number): Pick<BlockState, 'sharedBase' | 'localBase'> {
  const base = SLOTS_AT + slot * layout.bytes
  return { sharedBase: base, localBase: base + layout.localAt }
}

// ---------------------------------------------------------------- copy on write

const PAGE_BYTES = 4096

/** Reads through to the memory below, keeps what is written to itself. */
export class OverlayBytes implements Bytes {
  readonly #below: DataView
  readonly #pages = new Map<number, Uint8Array>()
  readonly #scratch = new DataView(new ArrayBuffer(8))

  constructor(below: DataView) {
    this.#below = below
  }

  getUint8(offset: number): number {
    const page = this.#pages.get(Math.floor(offset / PAGE_BYTES))
    return page ? page[offset % PAGE_BYTES]! : this.#below.getUint8(offset)
  }

  setUint8(offset: number, value: number): void {
    const number = Math.floor(offset / PAGE_BYTES)
    let page = this.#pages.get(number)
    if (!page) {
      const start = this.#below.byteOffset + number * PAGE_BYTES
      page = new Uint8Array(this.#below.buffer, start, PAGE_BYTES).slice()
      this.#pages.set(number, page)
    }
    page[offset % PAGE_BYTES] = value
  }

  getUint16(offset: number): number {
    this.#gather(offset, 2)
    return this.#scratch.getUint16(0, true)
  }

  getUint32(offset: number): number {
    this.#gather(offset, 4)
    return this.#scratch.getUint32(0, true)
  }

  getBigUint64(offset: number): bigint {
    this.#gather(offset, 8)
    return this.#scratch.getBigUint64(0, true)
  }

  setUint16(offset: number, value: number): void {
    this.#scratch.setUint16(0, value, true)
    this.#scatter(offset, 2)
  }

  setUint32(offset: number, value: number): void {
    this.#scratch.setUint32(0, value, true)
    this.#scatter(offset, 4)
  }

  setBigUint64(offset: number, value: bigint): void {
    this.#scratch.setBigUint64(0, value, true)
    this.#scatter(offset, 8)
  }

  #gather(offset: number, count: number): void {
    for (let i = 0; i < count; i++) this.#scratch.setUint8(i, this.getUint8(offset + i))
  }

  #scatter(offset: number, count: number): void {
    for (let i = 0; i < count; i++) this.setUint8(offset + i, this.#scratch.getUint8(i))
  }
}
