/**
 * The heap that kernels allocate from with malloc and new: a range of device memory, taken when the first program that calls
 * malloc launches a kernel and kept until the program ends (CUDA C++ Programming Guide, "Dynamic Global Memory Allocation").
 * First fit over address-ordered free ranges: the same calls in the same order give the same addresses.
 */
import type { Module } from '../../ir/ir.ts'
import { alignUp } from '../../ir/types.ts'
import type { DeviceHeap, InvalidFree } from '../../launch.ts'
import type { DeviceMemory } from './deviceMemory.ts'

/** cudaLimitMallocHeapSize of a device as it starts. */
const DEFAULT_BYTES = 8 * 1024 * 1024
/** "The memory returned by device malloc is aligned to a 16-byte boundary." */
const ALIGNMENT = 16

interface FreeRange {
  start: number
  end: number
}

export class KernelHeap implements DeviceHeap {
  readonly #memory: DeviceMemory
  #isUsed = false
  readonly #blocks = new Map<number, number>()
  /** What was freed, but for addresses that were given again. */
  readonly #freed = new Set<number>()
  #free: FreeRange[] | undefined
  #bytes = DEFAULT_BYTES

  constructor(module: Module, memory: DeviceMemory) {
    this.#memory = memory
    this.serve(module)
  }

  /** Code that may allocate. */
  serve(module: Module): void {
    this.#isUsed ||= module.functions.some(({ name, blocks }) => name === 'malloc' && blocks.length === 0)
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Before the first launch that uses it; returns whether it is still possible. */
  resize(bytes: number): boolean {
    if (this.#free) return false
    this.#bytes = bytes
    return true
  }

  /** Takes the range from device memory where a kernel may need it. A device without room for it has an empty heap. */
  prepare(): void {
    if (this.#free || !this.#isUsed) return
    const start = this.#memory.allocate(this.#bytes, 'device heap')
    this.#free = start === undefined ? [] : [{ start, end: start + this.#bytes }]
  }

  allocate(bytes: number): number {
    const size = alignUp(Math.max(1, bytes), ALIGNMENT)
    const index = this.#free?.findIndex(({ start, end }) => end - start >= size) ?? -1
    const range = this.#free?.[index]
    if (!range) return 0
    const address = range.start
    range.start += size
    if (range.start === range.end) this.#free?.splice(index, 1)
    this.#blocks.set(address, size)
    this.#freed.delete(address)
    return address
  }

  release(address: number): InvalidFree | undefined {
    if (address === 0) return undefined
    const size = this.#blocks.get(address)
    const free = this.#free
    if (size === undefined || !free) return this.#freed.has(address) ? 'freed-already' : 'not-allocated'
    this.#blocks.delete(address)
    this.#freed.add(address)
    const found = free.findIndex(({ start }) => start > address)
    const at = found < 0 ? free.length : found
    const [before, after] = [free[at - 1], free[at]]
    const joined = { start: address, end: address + size }
    if (after?.start === joined.end) {
      joined.end = after.end
      free.splice(at, 1)
    }
    if (before?.end === joined.start) before.end = joined.end
    else free.splice(at, 0, joined)
    return undefined
  }
}
