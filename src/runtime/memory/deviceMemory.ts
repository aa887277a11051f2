/**
 * The device's memory: one shared WebAssembly.Memory laid out as addressSpace.ts says, and the allocator of its heap.
 * First fit over address-ordered free ranges, so that the same calls give the same addresses; cudaMalloc hands out parts of slabs of 2 MiB
 * and whole ones, as the driver does. The memory grows just far enough for the highest allocation, so that an access beyond it traps.
 *
 * The heap's ranges leave out device address 0 and its surroundings (reached when more than 2 GiB are in use), so that null
 * is never a valid address and no allocation wraps around.
 */
import { addressOf, CONSTANT_OFFSET, DEVICE_BASE, HEAP_OFFSET, offsetOf } from '../../addressSpace.ts'
import { alignUp } from '../../ir/types.ts'
import type { MemoryWatcher } from '../programChecks.ts'
import { type FreeRange, FreeRanges } from './freeRanges.ts'

/** cudaMalloc's alignment on every GPU (Programming Guide: at least 256; H200 and its kin give 512). */
export const ALLOCATION_ALIGNMENT = 512
/**
 * What the driver takes at once: smaller allocations share such slabs, each in the first that has room; larger ones have whole slabs for
 * themselves (own: 60 allocations of 100 bytes to 64 MB on an H200, driver 580.159; readings: kernel_test0_write of LS-CAT, five times).
 */
export const SLAB_BYTES = 2 * 1024 * 1024
/** Nobody's memory behind each allocation where a program is checked: as long as the allocation, but not beyond. */
const LONGEST_GUARD = 65536
/** How far past the end of the host's memory an address is told to be past it. */
const CLOSE_BYTES = 4096
/** What is watched of the memory behind an allocation that belongs to it alone. */
const LONGEST_TAIL = 4096
/** Of tails that are looked at, behind all launches together: some hundred milliseconds. */
const MOST_WATCHED_BYTES = 2 ** 28
const PAGE_BYTES = 65536
const MAXIMUM_PAGES = 65536
const NULL_OFFSET = 0x1_0000_0000 - DEVICE_BASE
const NULL_GUARD_BYTES = 1024 * 1024

/** What an address belongs to, for messages and pointer attributes. */
export type AllocationKind = 'cudaMalloc' | 'cuMemMap' | 'cudaArray' | 'texture' | 'global variable' | 'device heap'

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

const LOWER_RANGE: FreeRange = { start: HEAP_OFFSET, end: NULL_OFFSET - NULL_GUARD_BYTES }
const UPPER_RANGE: FreeRange = { start: NULL_OFFSET + NULL_GUARD_BYTES, end: MAXIMUM_PAGES * PAGE_BYTES - PAGE_BYTES }

export class DeviceMemory {
  readonly memory: WebAssembly.Memory
  /** Told of all that is allocated and freed, and of what the host may have written. */
  watcher: MemoryWatcher | undefined
  /** Bytes that the heap can hold at all: the device's, `--memory`'s, or what 32-bit addresses leave. */
  readonly capacityBytes: number
  /** Shared by small allocations, in order of address: what is free of each. */
  readonly #slabs = new Map<number, FreeRanges>()
  /** What an allocation of cudaMalloc that has slabs for itself takes, by its offset. */
  readonly #ownSlabs = new Map<number, number>()
  /** The device that allocates: runtime/program/deviceSet.ts. */
  device = 0
  /** Host memory that kernels reach, by its host addresses: mirroredMemory.ts. */
  hostRanges: () => readonly { readonly address: number; readonly bytes: number }[] = () => []
  /** Whether allocations are kept apart, so that an access past the end of one is in no other. */
  isGuarded = false
  /** What lies between an allocation and the next one, by its offset; where memory is short, there is nothing. */
  readonly #guards = new Map<number, number>()
  readonly #usedBytes: number[] = []
  #windowIsOpen = false
  readonly #free = new FreeRanges([LOWER_RANGE, UPPER_RANGE])
  /** By offset, in no order; `#sorted` is the same by ascending address, made when asked for. */
  readonly #allocations = new Map<number, Allocation>()
  #sorted: Allocation[] | undefined
  /** By offset, the allocations whose tails nothing was stored to: what they were given beyond what they asked for, zeros at first. */
  readonly #tails = new Map<number, { readonly allocation: Allocation; readonly end: number }>()
  #watchedBytes = 0
  /** What was freed last at each offset: what an address that nothing holds any more belonged to. */
  readonly #freed = new Map<number, Allocation>()

  /** limitBytes: the device's memory or `--memory`, whichever is smaller. */
  constructor(limitBytes: number, memory?: WebAssembly.Memory) {
    this.memory =
      memory ?? new WebAssembly.Memory({ initial: HEAP_OFFSET / PAGE_BYTES, maximum: MAXIMUM_PAGES, shared: true })
    const room = [LOWER_RANGE, UPPER_RANGE].reduce((sum, range) => sum + range.end - range.start, 0)
    this.capacityBytes = Math.min(limitBytes, room)
  }

  get usedBytes(): number {
    return this.#usedBytes.reduce((sum, bytes) => sum + bytes, 0)
  }

  /** Of the current device. */
  get freeBytes(): number {
    return this.capacityBytes - (this.#usedBytes[this.device] ?? 0)
  }

  /** In one piece: addresses around null are nobody's. */
  get largestFreeBytes(): number {
    return Math.min(this.freeBytes, this.#free.largestBytes)
  }

  /** Of the allocations that were written anew. */
  readonly #contents = new WeakMap<Allocation, object>()

  /** A device address, or undefined where memory is exhausted. `bytes` > 0. */
  allocate(bytes: number, kind: AllocationKind, name?: string, align = ALLOCATION_ALIGNMENT): number | undefined {
    const size = alignUp(bytes, ALLOCATION_ALIGNMENT)
    if (size > this.freeBytes) return undefined
    const guard = this.isGuarded ? Math.min(size, LONGEST_GUARD) : 0
    const guarded = guard > 0 ? this.#place(size + guard, kind, align) : undefined
    const start = guarded ?? this.#place(size, kind, align)
    if (start === undefined) return undefined
    if (guarded !== undefined) this.#guards.set(start, guard)
    this.#usedBytes[this.device] = (this.#usedBytes[this.device] ?? 0) + size
    const address = addressOf(start)
    const allocation = { address, bytes, kind, device: this.device, ...(name !== undefined && { name }) }
    this.#allocations.set(start, allocation)
    this.#sorted = undefined
    this.watcher?.allocated(allocation)
    if (kind === 'cudaMalloc') this.#watchTail(start, allocation, this.#ownSlabs.get(start) ?? size)
    return address
  }

  #place(size: number, kind: AllocationKind, align: number): number | undefined {
    const slabs = kind === 'cudaMalloc' ? (size < SLAB_BYTES ? this.#inSlab(size) : this.#asSlabs(size)) : undefined
    return slabs ?? this.#asItComes(size, align)
  }

  #watchTail(start: number, allocation: Allocation, taken: number): void {
    const from = start + allocation.bytes
    const end = Math.min(start + taken, from + LONGEST_TAIL, this.memory.buffer.byteLength)
    if (end <= from) return
    new Uint8Array(this.memory.buffer, from, end - from).fill(0)
    this.#tails.set(start, { allocation, end })
  }

  /**
   * Allocations past whose end something was stored since they were made, each once: stores of zeros leave no trace. Nothing is looked at
   * once that has cost enough.
   */
  overrun(): Allocation[] {
    const found: Allocation[] = []
    if (this.#watchedBytes > MOST_WATCHED_BYTES) return found
    for (const [start, { allocation, end }] of this.#tails) {
      const from = start + allocation.bytes
      this.#watchedBytes += end - from
      if (isZero(new Uint8Array(this.memory.buffer, from, end - from))) continue
      this.#tails.delete(start)
      found.push(allocation)
    }
    return found
  }

  #asItComes(size: number, align: number): number | undefined {
    const start = this.#free.find(size, align)
    if (start === undefined || !this.#growTo(start + size)) return undefined
    this.#free.take(start, start + size)
    return start
  }

  #inSlab(size: number): number | undefined {
    for (const slab of this.#slabs.keys()) {
      const start = this.#inOneSlab(slab, size)
      if (start !== undefined) return start
    }
    const slab = this.#free.find(SLAB_BYTES, SLAB_BYTES)
    if (slab === undefined) return undefined
    this.#free.take(slab, slab + SLAB_BYTES)
    this.#slabs.set(slab, new FreeRanges([{ start: slab, end: slab + SLAB_BYTES }]))
    return this.#inOneSlab(slab, size)
  }

  #inOneSlab(slab: number, size: number): number | undefined {
    const free = this.#slabs.get(slab)
    const start = free?.find(size, ALLOCATION_ALIGNMENT)
    if (start === undefined || !this.#growTo(start + size)) return undefined
    free!.take(start, start + size)
    return start
  }

  #asSlabs(size: number): number | undefined {
    const taken = alignUp(size, SLAB_BYTES)
    const start = this.#free.find(taken, SLAB_BYTES)
    if (start === undefined || !this.#growTo(start + size)) return undefined
    this.#free.take(start, start + taken)
    this.#ownSlabs.set(start, taken)
    return start
  }

  /** Notes a variable that lies outside the heap (constant memory). */
  place(address: number, bytes: number, name: string): void {
    this.#allocations.set(offsetOf(address), { address, bytes, kind: 'global variable', name, device: this.device })
    this.#sorted = undefined
    this.watcher?.allocated({ address, bytes, kind: 'global variable' })
  }

  /** False where no allocation starts at the address (never allocated, already freed, or in the middle of one). */
  free(address: number): boolean {
    const start = offsetOf(address)
    const allocation = this.#allocations.get(start)
    if (allocation === undefined || allocation.kind === 'global variable' || allocation.kind === 'cuMemMap')
      return false
    this.#drop(start, allocation)
    return true
  }

  /** A variable of code that is unloaded. */
  forget(address: number): void {
    const start = offsetOf(address)
    const allocation = this.#allocations.get(start)
    if (allocation === undefined) return
    if (start >= HEAP_OFFSET) return this.#drop(start, allocation)
    this.watcher?.freed(allocation.address)
    this.#allocations.delete(start)
    this.#sorted = undefined
  }

  #drop(start: number, allocation: Allocation): void {
    const size = alignUp(allocation.bytes, ALLOCATION_ALIGNMENT)
    this.#allocations.delete(start)
    this.#tails.delete(start)
    this.#freed.set(start, allocation)
    this.watcher?.freed(allocation.address)
    this.#sorted = undefined
    this.#usedBytes[allocation.device] = (this.#usedBytes[allocation.device] ?? 0) - size
    this.#release(start, size + (this.#guards.get(start) ?? 0))
    this.#guards.delete(start)
  }

  #release(start: number, size: number): void {
    const slab = start - (start % SLAB_BYTES)
    const shared = this.#ownSlabs.has(start) ? undefined : this.#slabs.get(slab)
    if (!shared) {
      this.#free.release(start, start + (this.#ownSlabs.get(start) ?? size))
      this.#ownSlabs.delete(start)
      return
    }
    shared.release(start, start + size)
    if (!shared.has({ start: slab, end: slab + SLAB_BYTES })) return
    this.#slabs.delete(slab)
    this.#free.release(slab, slab + SLAB_BYTES)
  }

  /** Addresses without memory (virtualMemory.ts), multiples of a slab; the wanted ones where they are free. */
  reserve(bytes: number, wanted: number): number | undefined {
    const isFree = wanted !== 0 && this.#free.holds(offsetOf(wanted), offsetOf(wanted) + bytes)
    const isFit = isFree && offsetOf(wanted) % SLAB_BYTES === 0
    const start = isFit ? offsetOf(wanted) : this.#free.find(bytes, SLAB_BYTES)
    if (start === undefined) return undefined
    this.#free.take(start, start + bytes)
    return addressOf(start)
  }

  giveBack(address: number, bytes: number): void {
    this.#free.release(offsetOf(address), offsetOf(address) + bytes)
  }

  /** Counts memory that was made apart from addresses; false where there is not so much. */
  charge(bytes: number, device: number): boolean {
    const used = (this.#usedBytes[device] ?? 0) + bytes
    if (used > this.capacityBytes) return false
    this.#usedBytes[device] = used
    return true
  }

  /** Makes reserved addresses exist; false where memory cannot grow so far. */
  reach(address: number, bytes: number): boolean {
    return this.#growTo(offsetOf(address) + bytes)
  }

  /** What of reserved addresses belongs to the program from now on. */
  expose(
    address: number,
    bytes: number,
    runs: readonly { readonly address: number; readonly bytes: number; readonly device: number }[],
  ): void {
    const [start, end] = [offsetOf(address), offsetOf(address) + bytes]
    for (const [offset, allocation] of this.#allocations) {
      if (offset < start || offset >= end) continue
      this.#allocations.delete(offset)
      this.watcher?.freed(allocation.address)
    }
    for (const run of runs) {
      this.#allocations.set(offsetOf(run.address), { ...run, kind: 'cuMemMap' })
      this.watcher?.allocated({ ...run, kind: 'cuMemMap' })
    }
    this.#sorted = undefined
  }

  /** The allocation that holds the address. */
  allocationAt(address: number): Allocation | undefined {
    const before = this.#lastAtOrBelow(offsetOf(address))
    return before !== undefined && isInside(before, address) ? before : undefined
  }

  /** What the allocation that holds an address holds, by identity: another one once the host has written all of it anew. */
  contentsAt(address: number): object | undefined {
    const allocation = this.allocationAt(address)
    return allocation && (this.#contents.get(allocation) ?? allocation)
  }

  /** Told of bytes that the host filled or copied; `contents`: where these came from. */
  overwrote(address: number, bytes: number, contents: object = {}): void {
    const allocation = this.allocationAt(address)
    if (allocation?.address === address && bytes >= allocation.bytes) this.#contents.set(allocation, contents)
  }

  /** Whether all of the bytes lie in one allocation. */
  holds(address: number, bytes: number): boolean {
    const allocation = this.allocationAt(address)
    return allocation !== undefined && offsetOf(address) + bytes <= offsetOf(allocation.address) + allocation.bytes
  }

  /** A view of device memory, valid until the next allocation. The caller checks the range. `use`: what the caller does with it. */
  viewOf(address: number, bytes: number, use: 'read' | 'write' = 'write'): Uint8Array {
    if (use === 'write') this.watcher?.wrote(address, bytes)
    return new Uint8Array(this.memory.buffer, offsetOf(address), bytes)
  }

  /** What an address belonged to that belongs to nothing now. */
  freedAt(address: number): Allocation | undefined {
    const before = this.#lastAtOrBelow(offsetOf(address))
    if (before && isInside(before, address)) return undefined
    const isBehind = (freed: Allocation) => !before || offsetOf(before.address) < offsetOf(freed.address)
    return [...this.#freed.values()].find(each => isInside(each, address) && isBehind(each))
  }

  /** Where an address lies, in words: 'address 0x... is 4 bytes past the 4096-byte allocation at 0x... (cudaMalloc)'. */
  describe(address: number): string {
    const text = `address ${hex(address)}`
    const inside = this.allocationAt(address)
    if (inside !== undefined) {
      return `${text} is byte ${offsetOf(address) - offsetOf(inside.address)} of ${nameOf(inside)}`
    }
    if (address < PAGE_BYTES) return `${text} is a null pointer, or close to it`
    if (offsetOf(address) >= NULL_OFFSET)
      return `${text} is ${this.#pastHostRange(address) ?? 'not device memory; it looks like a host pointer'}`
    if (offsetOf(address) < CONSTANT_OFFSET)
      return `${text} is in the memory that holds blocks' shared and local variables`
    const before = this.#lastAtOrBelow(offsetOf(address))
    const freed = this.freedAt(address)
    if (freed !== undefined)
      return `${text} is byte ${offsetOf(address) - offsetOf(freed.address)} of ${nameOf(freed)}, which was freed before`
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

  /** What an address is just past of the host's memory that kernels reach, in words. */
  #pastHostRange(address: number): string | undefined {
    for (const range of this.hostRanges()) {
      const past = address - range.address - range.bytes
      if (past >= 0 && past < CLOSE_BYTES)
        return `${past === 0 ? 'just' : `${past} bytes`} past the end of ${nameOfShared(range)}`
    }
    return undefined
  }

  /**
   * Makes device addresses below `end` (host addresses) reachable, for memory that both sides share; the heap then keeps
   * to its lower range. False where the heap is there already, or memory cannot grow.
   */
  openHostWindow(end: number): boolean {
    if (!this.#windowIsOpen && !this.#free.has(UPPER_RANGE)) return false
    if (!this.#growTo(NULL_OFFSET + end)) return false
    if (!this.#windowIsOpen) this.#free.take(UPPER_RANGE.start, UPPER_RANGE.end)
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
}

function isInside(allocation: Allocation, address: number): boolean {
  const offset = offsetOf(address) - offsetOf(allocation.address)
  return offset >= 0 && offset < allocation.bytes
}

export function hex(address: number): string {
  return `0x${address.toString(16).padStart(8, '0')}`
}

function isZero(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== 0) return false
  return true
}

/** Of memory that host and device share. */
export function nameOfShared({ address, bytes }: { readonly address: number; readonly bytes: number }): string {
  return `the ${bytes}-byte allocation at ${hex(address)} (memory of host and device)`
}

/** 'the 4096-byte allocation at 0x... (cudaMalloc)' */
export function nameOf(allocation: Allocation): string {
  const what =
    allocation.name === undefined
      ? `allocation at ${hex(allocation.address)} (${allocation.kind})`
      : `variable ${allocation.name}`
  return `the ${allocation.bytes}-byte ${what}`
}
