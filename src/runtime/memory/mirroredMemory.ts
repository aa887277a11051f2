/**
 * Memory that both sides address alike: managed memory, and page-locked memory that kernels reach ("zero copy").
 * Such memory has host addresses. The device has a window for them: device address `a` below DEVICE_BASE lies at offset
 * `a - DEVICE_BASE mod 2^32` of the device's memory, 2 GiB up, where the heap does not go once the window is in use.
 * Because programs run eagerly, the two copies are made equal around each launch: the same as one memory, as far as
 * a program without a race between host and kernel can tell.
 */
import type { HostMemory } from '../host/hostMemory.ts'
import type { DeviceMemory } from './deviceMemory.ts'

interface MirroredRange {
  readonly address: number
  readonly bytes: number
}

export class MirroredMemory {
  readonly #device: DeviceMemory
  readonly #host: HostMemory
  readonly #ranges = new Map<number, MirroredRange>()
  readonly #derived: (() => void)[] = []

  constructor(device: DeviceMemory, host: HostMemory) {
    this.#device = device
    this.#host = host
    device.hostRanges = () => this.ranges
  }

  /** False where the device's memory cannot grow that far. */
  add(address: number, bytes: number): boolean {
    if (this.#ranges.has(address)) return true
    if (!this.#device.openHostWindow(address + bytes)) return false
    this.#ranges.set(address, { address, bytes })
    return true
  }

  /** Host memory that the device reaches. */
  get ranges(): readonly { readonly address: number; readonly bytes: number }[] {
    return [...this.#ranges.values()]
  }

  remove(address: number): void {
    this.#ranges.delete(address)
  }

  /** Has `update` called before every launch, for what the device has from host memory in another form. */
  addDerived(update: () => void): void {
    this.#derived.push(update)
  }

  /** Before a launch: the device sees what the host wrote. */
  toDevice(): void {
    for (const update of this.#derived) update()
    for (const { address, bytes } of this.#ranges.values()) {
      this.#device.viewOf(address, bytes).set(this.#host.bytes(address, bytes))
    }
  }

  /** After a launch: the host sees what the kernel wrote. */
  toHost(): void {
    for (const { address, bytes } of this.#ranges.values()) {
      this.#host.bytes(address, bytes).set(this.#device.viewOf(address, bytes, 'read'))
    }
  }
}
