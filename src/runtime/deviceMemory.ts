/**
 * The device's memory: one shared WebAssembly.Memory laid out as addressSpace.ts says, and the allocator of its heap.
 * First fit over address-ordered free ranges, neighbours joined when freed: the same calls give the same addresses.
 * The memory grows just far enough for the highest allocation, so that an access beyond it traps.
 *
 * The heap's ranges leave out device address 0 and its surroundings (reached when more than 2 GiB are in use), so that null
 * is never a valid address and no allocation wraps around.
 */
import { addressOf, CONSTANT_OFFSET, DEVICE_BASE, HEAP_OFFSET, offsetOf } from '../addressSpace.ts'
import { alignUp } from '../ir/types.ts'

/** cudaMalloc's alignment on every GPU (Programming Guide: at least 256; H200 and its kin give 512). */
export const ALLOCATION_ALIGNMENT = 512
/** What a driver takes at once and hands out in parts: the first allocation begins one (readings: kernel_test0_write of LS-CAT, five times). */
const SLAB_BYTES = 2 * 1024 * 1024
const PAGE_BYTES = 65536
const MAXIMUM_PAGES = 65536
const NULL_OFFSET = 0x1_0000_0000 - DEVICE_BASE
const NULL_GUARD_BYTES = 1024 * 1024

/** What an address belongs to, for messages and pointer attributes. */
export type AllocationKind = 'cudaMalloc' | 'cudaArray' | 'texture' | 'global variable' | 'device heap'

export interface Allocation {
  /** Device address. */
  readonly address: number
  /** As asked for, not rounded up. */
  readonly bytes: number
  readonly kind: AllocationKind
  /** Of a variable. */
  readonly name?: string
  /** The simulated device that it belongs to. */
  readonly device: number
}

interface FreeRange {
  start: number
  end: number
}

const UPPER_RANGE: FreeRange = { start: NULL_OFFSET + NULL_GUARD_BYTES, end: MAXIMUM_PAGES * PAGE_BYTES - PAGE_BYTES }

export class DeviceMemory {
  readonly memory: WebAssembly.Memory
  /** Bytes that the heap can hold at all: the device's, `--memory`'s, or what 32-bit addresses leave. */
  readonly capacityBytes: number
  /** Where cudaMalloc begins, behind the program's variables. */
  #mallocStart: number | undefined
  /** The device that allocates: runtime/deviceSet.ts. */
  device = 0
  readonly #usedBytes: number[] = []
  #windowIsOpen = false
  readonly #free: FreeRange[] = [{ start: HEAP_OFFSET, end: NULL_OFFSET - NULL_GUARD_BYTES }, { ...UPPER_RANGE }]
  /** By offset, in no order; `#sorted` is the same by ascending address, made when asked for. */
  readonly #allocations = new Map<number, Allocation>()
  #sorted: Allocation[] | undefined
  /** What was freed last at each offset: what an address that nothing holds any more belonged to. */
  readonly #freed = new Map<number, Allocation>()

  /** limitBytes: the device's memory or `--memory`, whichever is smaller. */
  constructor(limitBytes: number, memory?: WebAssembly.Memory) {
    this.memory =
      memory ?? new WebAssembly.Memory({ initial: HEAP_OFFSET / PAGE_BYTES, maximum: MAXIMUM_PAGES, shared: true })
    const room = this.#free.reduce((sum, range) => sum + range.end - range.start, 0)
    this.capacityBytes = Math.min(limitBytes, room)
  }

  get usedBytes(): number {
    return this.#usedBytes.reduce((sum, bytes) => sum + bytes, 0)
  }

  /** Of the current device. */
  get freeBytes(): number {
    return this.capacityBytes - (this.#usedBytes[this.device] ?? 0)
  }

  /** A device address, or undefined where memory is exhausted. `bytes` > 0. */
  allocate(bytes: number, kind: AllocationKind, name?: string, align = ALLOCATION_ALIGNMENT): number | undefined {
    const size = alignUp(bytes, ALLOCATION_ALIGNMENT)
    if (size > this.freeBytes) return undefined
    const lowest = kind === 'cudaMalloc' ? this.#startOfMalloc() : 0
    for (const [index, range] of this.#free.entries()) {
      const start = alignUp(Math.max(range.start, lowest), align)
      if (start + size > range.end) continue
      if (!this.#growTo(start + size)) return undefined
      this.#cut(index, start, start + size)
      this.#usedBytes[this.device] = (this.#usedBytes[this.device] ?? 0) + size
      const address = addressOf(start)
      this.#allocations.set(start, { address, bytes, kind, device: this.device, ...(name !== undefined && { name }) })
      this.#sorted = undefined
      return address
    }
    return undefined
  }

  #startOfMalloc(): number {
    this.#mallocStart ??= alignUp(this.#free[0]?.start ?? 0, SLAB_BYTES)
    return this.#mallocStart
  }

  /** Notes a variable that lies outside the heap (constant memory). */
  place(address: number, bytes: number, name: string): void {
    this.#allocations.set(offsetOf(address), { address, bytes, kind: 'global variable', name, device: this.device })
    this.#sorted = undefined
  }

  /** False where no allocation starts at the address (never allocated, already freed, or in the middle of one). */
  free(address: number): boolean {
    const start = offsetOf(address)
    const allocation = this.#allocations.get(start)
    if (allocation === undefined || allocation.kind === 'global variable') return false
    const size = alignUp(allocation.bytes, ALLOCATION_ALIGNMENT)
    this.#allocations.delete(start)
    this.#freed.set(start, allocation)
    this.#sorted = undefined
    this.#usedBytes[allocation.device] = (this.#usedBytes[allocation.device] ?? 0) - size
    this.#release(start, start + size)
    return true
  }

  /** The allocation that holds the address. */
  allocationAt(address: number): Allocation | undefined {
    const before = this.#lastAtOrBelow(offsetOf(address))
    return before !== undefined && isInside(before, address) ? before : undefined
  }

  /** Whether all of the bytes lie in one allocation. */
  holds(address: number, bytes: number): boolean {
    const allocation = this.allocationAt(address)
    return allocation !== undefined && offsetOf(address) + bytes <= offsetOf(allocation.address) + allocation.bytes
  }

  /** A view of device memory, valid until the next allocation. The caller checks the range. */
  viewOf(address: number, bytes: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, offsetOf(address), bytes)
  }

  /** Where an address lies, in words: 'address 0x... is 4 bytes past the 4096-byte allocation at 0x... (cudaMalloc)'. */
  describe(address: number): string {
    const text = `address ${hex(address)}`
    const inside = this.allocationAt(address)
    if (inside !== undefined) {
      return `${text} is byte ${offsetOf(address) - offsetOf(inside.address)} of ${nameOf(inside)}`
    }
    if (address < PAGE_BYTES) return `${text} is a null pointer, or close to it`
    if (offsetOf(address) >= NULL_OFFSET) return `${text} is not device memory; it looks like a host pointer`
    if (offsetOf(address) < CONSTANT_OFFSET)
      return `${text} is in the memory that holds blocks' shared and local variables`
    const before = this.#lastAtOrBelow(offsetOf(address))
    const isBehind = (freed: Allocation) => !before || offsetOf(before.address) < offsetOf(freed.address)
    const freed = [...this.#freed.values()].find(each => isInside(each, address) && isBehind(each))
    if (freed !== undefined)
      return `${text} is byte ${offsetOf(address) - offsetOf(freed.address)} of ${nameOf(freed)}, which was freed`
    if (before !== undefined) {
      const past = offsetOf(address) - offsetOf(before.address) - before.bytes
      return `${text} is ${past === 0 ? 'just' : `${past} bytes`} past the end of ${nameOf(before)}`
    }
    const first = this.#byAddress()[0]
    if (first !== undefined && offsetOf(address) >= HEAP_OFFSET) {
      return `${text} is ${offsetOf(first.address) - offsetOf(address)} bytes before ${nameOf(first)}`
    }
    return `${text} belongs to no allocation`
  }

  /**
   * Makes device addresses below `end` (host addresses) reachable, for memory that both sides share; the heap then keeps
   * to its lower range. False where the heap is there already, or memory cannot grow.
   */
  openHostWindow(end: number): boolean {
    const upper = this.#free.findIndex(range => range.start === UPPER_RANGE.start && range.end === UPPER_RANGE.end)
    if (!this.#windowIsOpen && upper < 0) return false
    if (!this.#growTo(NULL_OFFSET + end)) return false
    if (!this.#windowIsOpen) this.#free.splice(upper, 1)
    this.#windowIsOpen = true
    return true
  }

  #byAddress(): Allocation[] {
    this.#sorted ??= [...this.#allocations.values()].sort((a, b) => offsetOf(a.address) - offsetOf(b.address))
    return this.#sorted
  }

  #lastAtOrBelow(offset: number): Allocation | undefined {
    const sorted = this.#byAddress()
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (offsetOf(sorted[middle]!.address) <= offset) low = middle + 1
      else high = middle
    }
    return sorted[low - 1]
  }

  #growTo(end: number): boolean {
    const missing = Math.ceil((end - this.memory.buffer.byteLength) / PAGE_BYTES)
    if (missing <= 0) return true
    try {
      this.memory.grow(missing)
      return true
    } catch {
      return false
    }
  }

  #cut(index: number, start: number, end: number): void {
    const range = this.#free[index]!
    const left = [
      { start: range.start, end: start },
      { start: end, end: range.end },
    ].filter(part => part.end > part.start)
    this.#free.splice(index, 1, ...left)
  }

  #release(start: number, end: number): void {
    let at = this.#free.findIndex(range => range.start > start)
    if (at < 0) at = this.#free.length
    this.#free.splice(at, 0, { start, end })
    const next = this.#free[at + 1]
    if (next?.start === end) {
      this.#free[at]!.end = next.end
      this.#free.splice(at + 1, 1)
    }
    const previous = this.#free[at - 1]
    if (previous?.end === start) {
      previous.end = this.#free[at]!.end
      this.#free.splice(at, 1)
    }
  }
}

function isInside(allocation: Allocation, address: number): boolean {
  const offset = offsetOf(address) - offsetOf(allocation.address)
  return offset >= 0 && offset < allocation.bytes
}

export function hex(address: number): string {
  return `0x${address.toString(16).padStart(8, '0')}`
}

function nameOf(allocation: Allocation): string {
  const what =
    allocation.name === undefined
      ? `allocation at ${hex(allocation.address)} (${allocation.kind})`
      : `variable ${allocation.name}`
  return `the ${allocation.bytes}-byte ${what}`
}
