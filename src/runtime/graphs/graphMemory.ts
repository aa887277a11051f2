/**
 * Memory that graphs allocate. What the program is told of its use: all that launches held at the same time, until it is trimmed. Its addresses are fixed when the node is made and stay for as long as the program runs, so that
 * every replay finds it in place; freeing it changes only what the program is told. A node that allocates after one that frees
 * as much gets the same address, as the real runtime gives it.
 */
import type { DeviceMemory } from '../memory/deviceMemory.ts'
import type { GraphNode } from './graphs.ts'

/** cudaGraphMemAttributeType. */
const ATTRIBUTE = { used: 0, mostUsed: 1, reserved: 2, mostReserved: 3 } as const

export class GraphMemory {
  readonly #memory: DeviceMemory
  readonly #bytes = new Map<number, number>()
  readonly #live = new Set<number>()
  readonly #freed = new Map<GraphNode, number>()
  /** Held together since the last trim, and ever. */
  #kept = 0
  #most = 0

  constructor(memory: DeviceMemory) {
    this.#memory = memory
  }

  /** The address for a node that comes after those; undefined when there is no room. */
  allocate(bytes: number, after: Iterable<GraphNode>): number | undefined {
    const again = this.#reusable(bytes, after)
    const address = again ?? this.#memory.allocate(bytes, 'cudaMalloc')
    if (address !== undefined) this.adopt(address, bytes)
    return address
  }

  /** An allocation that a captured stream made. */
  adopt(address: number, bytes: number): void {
    this.#bytes.set(address, bytes)
  }

  /** A launch allocates it. */
  occupy(address: number): void {
    this.#live.add(address)
    this.#kept = Math.max(this.#kept, this.#held())
    this.#most = Math.max(this.#most, this.#kept)
  }

  /** What no launch holds any more goes back to the device. */
  trim(): void {
    this.#kept = this.#held()
  }

  owns(address: number): boolean {
    return this.#bytes.has(address)
  }

  free(address: number): void {
    this.#live.delete(address)
  }

  noteFree(node: GraphNode, address: number): void {
    this.#freed.set(node, address)
  }

  /** undefined for an attribute that does not exist. */
  attribute(which: number): number | undefined {
    if (which === ATTRIBUTE.used || which === ATTRIBUTE.reserved) return this.#kept
    return which === ATTRIBUTE.mostUsed || which === ATTRIBUTE.mostReserved ? this.#most : undefined
  }

  /** The high marks can be set back. */
  resetMost(): void {
    this.#most = this.#kept
  }

  #held(): number {
    return [...this.#live].reduce((sum, address) => sum + (this.#bytes.get(address) ?? 0), 0)
  }

  #reusable(bytes: number, after: Iterable<GraphNode>): number | undefined {
    const seen = new Set<GraphNode>()
    const waiting = [...after]
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (seen.has(node)) continue
      seen.add(node)
      const address = this.#freed.get(node)
      if (address !== undefined && this.#bytes.get(address) === bytes) {
        this.#freed.delete(node)
        return address
      }
      waiting.push(...node.after)
    }
    return undefined
  }
}
