/**
 * Which side a pointer of the host program belongs to, as the real runtime's unified addressing tells it: device memory,
 * plain host memory, or host memory that the device can reach too (page-locked, managed). Beyond 2 GiB of either memory one
 * address may be in both: then what a call says of its sides decides.
 */
import type { HostMemory } from '../host/hostMemory.ts'
import type { DeviceMemory } from './deviceMemory.ts'
import { hex } from './deviceMemory.ts'

/** A range of host memory that the runtime handed out. */
export interface HostRange {
  readonly address: number
  readonly bytes: number
  /** What lies there and is nobody else's: `bytes` and more. */
  readonly room: number
  readonly kind: 'pinned' | 'registered' | 'managed'
  /** cudaHostAlloc's flags. */
  readonly flags: number
  /** What malloc returned; undefined where the program owns the memory. */
  readonly allocated: number | undefined
}

export class AddressBook {
  readonly #device: DeviceMemory
  readonly #host: HostMemory
  readonly #ranges = new Map<number, HostRange>()

  constructor(device: DeviceMemory, host: HostMemory) {
    this.#device = device
    this.#host = host
  }

  add(range: HostRange): void {
    this.#ranges.set(range.address, range)
  }

  /** The range that starts here, taken out. */
  remove(address: number): HostRange | undefined {
    const range = this.#ranges.get(address)
    this.#ranges.delete(address)
    return range
  }

  /** Whether there is memory of the host that the device may reach. */
  get hasRanges(): boolean {
    return this.#ranges.size > 0
  }

  rangeAt(address: number): HostRange | undefined {
    for (const range of this.#ranges.values()) {
      if (address >= range.address && address < range.address + range.bytes) return range
    }
    return undefined
  }

  rangeFrom(address: number): HostRange | undefined {
    return this.#ranges.get(address)
  }

  /** Whether the device may read and write the bytes. */
  isDevice(address: number, bytes: number): boolean {
    if (this.#device.holds(address, bytes)) return true
    const range = this.rangeAt(address)
    return range !== undefined && address + bytes <= range.address + range.bytes
  }

  /** Whether the host may. Managed memory has the host's addresses. */
  isHost(address: number, bytes: number): boolean {
    return this.#host.holds(address, bytes)
  }

  /** Whether nothing but what a call says tells which memory is meant. */
  isBoth(address: number, bytes: number): boolean {
    return this.#device.holds(address, bytes) && this.#host.holds(address, bytes)
  }

  /** The bytes themselves, of a range that {@link isHost} or {@link isDevice} holds for: the device's may lie in host memory. */
  view(side: 'host' | 'device', address: number, bytes: number, use: 'read' | 'write' = 'write'): Uint8Array {
    const isInHost = side === 'host' || !this.#device.holds(address, bytes)
    return isInHost ? this.#host.bytes(address, bytes) : this.#device.viewOf(address, bytes, use)
  }

  /** For messages. */
  describe(address: number): string {
    if (this.#device.allocationAt(address) === undefined && this.#host.holds(address, 1))
      return `${hex(address)} is host memory`
    return this.#device.describe(address)
  }
}
