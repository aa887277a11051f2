/**
 * The simulated devices of one program (`--devices`), all of one kind. They share one memory and one set of addresses, as with
 * unified addressing; what each has for itself is kept apart: which allocations are its own, the contents of the program's
 * variables, streams, peers. Work is done when it is enqueued, so that the current device's variables can lie where the
 * compiled kernels expect them: another device's are put aside.
 */
import type { CallResult } from '../context.ts'
import type { DeviceMemory } from '../memory/deviceMemory.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { FACT } from './deviceFacts.ts'
import type { DeviceImage } from './deviceImage.ts'

export class DeviceSet {
  readonly count: number
  #current = 0
  readonly #memory: DeviceMemory
  readonly #image: DeviceImage
  readonly #timeline: Timeline
  /** Contents of the variables of the devices that are not current, by device; before the first switch all have the same. */
  readonly #aside = new Map<number, Map<string, Uint8Array>>()
  #initial: Map<string, Uint8Array> | undefined
  readonly #peers = new Map<number, Set<number>>()

  constructor(count: number, memory: DeviceMemory, image: DeviceImage, timeline: Timeline) {
    this.count = count
    this.#memory = memory
    this.#image = image
    this.#timeline = timeline
  }

  get current(): number {
    return this.#current
  }

  has(ordinal: number): boolean {
    return ordinal >= 0 && ordinal < this.count
  }

  /** At each call: before the first one is done, the variables have what every device begins with. */
  begin(): void {
    if (this.count > 1) this.#initial ??= this.#variables()
  }

  switchTo(ordinal: number): CallResult {
    if (!this.has(ordinal)) return 'cudaErrorInvalidDevice'
    if (ordinal === this.#current) return 'cudaSuccess'
    this.#aside.set(this.#current, this.#variables())
    for (const [name, bytes] of this.#aside.get(ordinal) ?? this.#initial ?? []) {
      const variable = this.#image.loaded.variables.get(name)!
      this.#memory.viewOf(variable.address, bytes.length).set(bytes)
    }
    this.#aside.delete(ordinal)
    this.#current = ordinal
    this.#memory.device = ordinal
    this.#timeline.device = ordinal
    this.#image.setFact(FACT.device, ordinal, this.#memory)
    return 'cudaSuccess'
  }

  canAccess(from: number, to: number): boolean {
    return this.has(from) && this.has(to) && from !== to
  }

  enablePeer(peer: number, flags: number): CallResult {
    if (flags !== 0) return 'cudaErrorInvalidValue'
    if (!this.canAccess(this.#current, peer)) return 'cudaErrorInvalidDevice'
    if (this.isPeer(peer)) return 'cudaErrorPeerAccessAlreadyEnabled'
    this.#peers.set(this.#current, new Set([...(this.#peers.get(this.#current) ?? []), peer]))
    return 'cudaSuccess'
  }

  disablePeer(peer: number): CallResult {
    if (!this.canAccess(this.#current, peer)) return 'cudaErrorInvalidDevice'
    return this.#peers.get(this.#current)?.delete(peer) ? 'cudaSuccess' : 'cudaErrorPeerAccessNotEnabled'
  }

  /** Whether kernels of the current device may use that one's memory. */
  isPeer(device: number): boolean {
    return this.#peers.get(this.#current)?.has(device) ?? false
  }

  /** Copies of the variables that each device has for itself; managed ones are shared. */
  #variables(): Map<string, Uint8Array> {
    const own = [...this.#image.loaded.variables].filter(([name]) => !this.#image.isManaged(name))
    return new Map(own.map(([name, { address, bytes }]) => [name, this.#memory.viewOf(address, bytes, 'read').slice()]))
  }
}
