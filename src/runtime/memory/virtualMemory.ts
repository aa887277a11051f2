/**
 * Addresses and memory apart (the driver's cuMemAddressReserve, cuMemCreate, cuMemMap): a program reserves addresses, makes memory, and
 * maps the one to the other. Here memory lies where it is mapped, and moves with its contents when it is mapped elsewhere later; at
 * two places at the same time it cannot be, which is refused. What is mapped and opened side by side is one allocation.
 */
import { offsetOf } from '../../addressSpace.ts'
import type { CallResult } from '../context.ts'
import { type DeviceMemory, SLAB_BYTES } from './deviceMemory.ts'

/** Memory that cuMemCreate made. */
interface Physical {
  readonly bytes: number
  readonly device: number
  /** The program gave its handle back: it goes when it is mapped no more. */
  isReleased: boolean
  /** Where it is mapped. */
  place: Mapping | undefined
  /** What it held when it was mapped last. */
  contents: Uint8Array | undefined
}

interface Mapping {
  readonly address: number
  readonly bytes: number
  readonly memory: Physical
  /** cuMemSetAccess allowed the device to reach it. */
  isOpen: boolean
}

interface Reservation {
  readonly address: number
  readonly bytes: number
  mappings: Mapping[]
}

/** Sizes and addresses are multiples of it, as on the machine (CU_MEM_ALLOC_GRANULARITY_MINIMUM). */
export const GRANULARITY = SLAB_BYTES
const HANDLE_STEP = 16

export class VirtualMemory {
  readonly #memory: DeviceMemory
  readonly #reservations: Reservation[] = []
  readonly #made = new Map<number, Physical>()
  #nextHandle = HANDLE_STEP

  constructor(memory: DeviceMemory) {
    this.#memory = memory
  }

  /** `wanted`: where they should be, if that is free; 0 for anywhere. */
  reserve(bytes: number, wanted: number): number | undefined {
    const address = isWhole(bytes) && bytes > 0 ? this.#memory.reserve(bytes, wanted) : undefined
    if (address !== undefined) this.#reservations.push({ address, bytes, mappings: [] })
    return address
  }

  giveBack(address: number, bytes: number): CallResult {
    const at = this.#reservations.findIndex(each => each.address === address && each.bytes === bytes)
    if (at < 0 || this.#reservations[at]!.mappings.length > 0) return 'cudaErrorInvalidValue'
    this.#reservations.splice(at, 1)
    this.#memory.giveBack(address, bytes)
    return 'cudaSuccess'
  }

  /** The handle; undefined where there is no such room. */
  create(bytes: number, device: number): number | undefined {
    if (!this.#memory.charge(bytes, device)) return undefined
    const handle = this.#nextHandle
    this.#nextHandle += HANDLE_STEP
    this.#made.set(handle, { bytes, device, isReleased: false, place: undefined, contents: undefined })
    return handle
  }

  deviceOf(handle: number): number | undefined {
    return this.#made.get(handle)?.device
  }

  release(handle: number): CallResult {
    const memory = this.#made.get(handle)
    if (memory === undefined) return 'cudaErrorInvalidValue'
    this.#made.delete(handle)
    memory.isReleased = true
    if (memory.place === undefined) this.#memory.charge(-memory.bytes, memory.device)
    return 'cudaSuccess'
  }

  map(address: number, bytes: number, handle: number): CallResult {
    const memory = this.#made.get(handle)
    const reservation = this.#reservationOf(address, bytes)
    if (memory === undefined || reservation === undefined || memory.bytes !== bytes) return 'cudaErrorInvalidValue'
    if (reservation.mappings.some(other => overlap(other, address, bytes))) return 'cudaErrorInvalidValue'
    if (memory.place !== undefined) return 'cudaErrorNotSupported'
    const place: Mapping = { address, bytes, memory, isOpen: false }
    memory.place = place
    reservation.mappings = [...reservation.mappings, place].sort((a, b) => offsetOf(a.address) - offsetOf(b.address))
    if (!this.#memory.reach(address, bytes)) return 'cudaErrorMemoryAllocation'
    const bytesThere = this.#memory.viewOf(address, bytes)
    if (memory.contents === undefined) bytesThere.fill(0)
    else bytesThere.set(memory.contents)
    memory.contents = undefined
    return 'cudaSuccess'
  }

  /** Whole mappings, one or several side by side. */
  unmap(address: number, bytes: number): CallResult {
    const reservation = this.#reservationOf(address, bytes)
    const gone = this.#mappingsOf(reservation, address, bytes)
    if (reservation === undefined || gone === undefined) return 'cudaErrorInvalidValue'
    reservation.mappings = reservation.mappings.filter(each => !gone.includes(each))
    for (const { memory, address: from, bytes: size } of gone) {
      memory.place = undefined
      if (memory.isReleased) this.#memory.charge(-size, memory.device)
      else memory.contents = this.#memory.viewOf(from, size, 'read').slice()
    }
    this.#expose(reservation)
    return 'cudaSuccess'
  }

  /** Lets the device reach whole mappings, or no longer. */
  open(address: number, bytes: number, isOpen: boolean): CallResult {
    const reservation = this.#reservationOf(address, bytes)
    const mappings = this.#mappingsOf(reservation, address, bytes)
    if (reservation === undefined || mappings === undefined) return 'cudaErrorInvalidValue'
    for (const mapping of mappings) mapping.isOpen = isOpen
    this.#expose(reservation)
    return 'cudaSuccess'
  }

  #reservationOf(address: number, bytes: number): Reservation | undefined {
    if (!isWhole(bytes) || bytes === 0) return undefined
    return this.#reservations.find(each => {
      const offset = offsetOf(address) - offsetOf(each.address)
      return offset >= 0 && offset + bytes <= each.bytes
    })
  }

  /** Those that make up the range; undefined where it has holes, or cuts one. */
  #mappingsOf(reservation: Reservation | undefined, address: number, bytes: number): Mapping[] | undefined {
    const inside = reservation?.mappings.filter(each => overlap(each, address, bytes)) ?? []
    const sum = inside.reduce((total, each) => total + each.bytes, 0)
    const isExact = inside[0]?.address === address && sum === bytes
    return isExact ? inside : undefined
  }

  #expose({ address, bytes, mappings }: Reservation): void {
    const runs: { address: number; bytes: number; device: number }[] = []
    for (const mapping of mappings.filter(({ isOpen }) => isOpen)) {
      const last = runs.at(-1)
      if (last !== undefined && last.address + last.bytes === mapping.address) last.bytes += mapping.bytes
      else runs.push({ address: mapping.address, bytes: mapping.bytes, device: mapping.memory.device })
    }
    this.#memory.expose(address, bytes, runs)
  }
}

function isWhole(bytes: number): boolean {
  return bytes % GRANULARITY === 0
}

function overlap(mapping: Mapping, address: number, bytes: number): boolean {
  const offset = offsetOf(address) - offsetOf(mapping.address)
  return offset < mapping.bytes && offset + bytes > 0
}
