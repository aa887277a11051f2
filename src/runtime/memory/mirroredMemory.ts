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
  /** What lies there and is nobody else's: `bytes` and more. */
  readonly room: number
}

export class MirroredMemory {
  readonly #device: DeviceMemory
  readonly #host: HostMemory
  readonly #ranges = new Map<number, MirroredRange>()
  readonly #derived: (() => void)[] = []
  /** Those whose rooms hold zeros beyond what was asked for, as far as launches have seen. */
  readonly #watched = new Set<MirroredRange>()

  constructor(device: DeviceMemory, host: HostMemory) {
    this.#device = device
    this.#host = host
    device.hostRanges = () => this.ranges
  }

  /**
   * `room`: what the program has there at least, for it may use more than it asked for, as on a GPU. False where the device's memory
   * cannot grow that far.
   */
  add(address: number, bytes: number, room = bytes): boolean {
    if (this.#ranges.has(address)) return true
    if (!this.#device.openHostWindow(address + room)) return false
    const range = { address, bytes, room }
    this.#ranges.set(address, range)
    if (room > bytes) this.#watched.add(range)
    return true
  }

  /** Host memory that the device reaches. */
  get ranges(): readonly { readonly address: number; readonly bytes: number }[] {
    return [...this.#ranges.values()]
  }

  remove(address: number): void {
    const range = this.#ranges.get(address)
    if (range === undefined) return
    this.#ranges.delete(address)
    this.#watched.delete(range)
  }

  /** Has `update` called before every launch, for what the device has from host memory in another form. */
  addDerived(update: () => void): void {
    this.#derived.push(update)
  }

  /** Before a launch: the device sees what the host wrote. */
  toDevice(): void {
    for (const update of this.#derived) update()
    for (const range of this.#watched) if (!this.#hasCleanTail(range)) this.#watched.delete(range)
    for (const { address, room } of this.#ranges.values()) {
      this.#device.viewOf(address, room).set(this.#host.bytes(address, room))
    }
  }

  /** After a launch: the host sees what the kernel wrote. */
  toHost(): void {
    for (const { address, room } of this.#ranges.values()) {
      this.#host.bytes(address, room).set(this.#device.viewOf(address, room, 'read'))
    }
  }

  /** Behind a launch: ranges past whose end it stored something other than zeros, each once. */
  overrun(): MirroredRange[] {
    const found = [...this.#watched].filter(range => !this.#hasCleanTail(range))
    for (const range of found) this.#watched.delete(range)
    return found
  }

  #hasCleanTail({ address, bytes, room }: MirroredRange): boolean {
    return this.#host.bytes(address + bytes, room - bytes).every(byte => byte === 0)
  }
}
