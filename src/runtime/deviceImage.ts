/**
 * The device program as loaded: at once, except where it has managed variables. Then loading waits until the program's
 * constructors have told where their twins on the host lie, because those are the variables' addresses on both sides.
 */
import type { Module } from '../ir/ir.ts'
import { sizeOf } from '../ir/types.ts'
import type { AddressBook } from './addresses.ts'
import { DEVICE_FACTS } from './deviceFacts.ts'
import type { DeviceMemory } from './deviceMemory.ts'
import { type LoadedModule, loadModule } from './loadModule.ts'
import type { MirroredMemory } from './mirroredMemory.ts'

export class DeviceImage {
  readonly #module: Module
  readonly #memory: DeviceMemory
  readonly #mirrored: MirroredMemory
  readonly #addresses: AddressBook
  readonly #managedBytes: ReadonlyMap<string, number>
  readonly #managedAddresses = new Map<string, number>()
  readonly #facts: Uint32Array
  #loaded: LoadedModule | undefined

  constructor(
    module: Module,
    memory: DeviceMemory,
    mirrored: MirroredMemory,
    addresses: AddressBook,
    facts: Uint32Array,
  ) {
    this.#facts = facts
    this.#module = module
    this.#memory = memory
    this.#mirrored = mirrored
    this.#addresses = addresses
    const managed = module.globals.filter(global => global.managed)
    this.#managedBytes = new Map(managed.map(({ name, type }) => [name, sizeOf(type)]))
    if (managed.length === 0) this.#loaded = loadModule(module, memory, facts)
  }

  /** Loads where that has not happened yet. Throws the UserErrors of {@link loadModule}. */
  get loaded(): LoadedModule {
    if (this.#loaded !== undefined) return this.#loaded
    this.#loaded = loadModule(this.#module, this.#memory, this.#facts, this.#managedAddresses)
    this.#mirrored.toHost()
    return this.#loaded
  }

  /** Changes a word that kernels may ask for (deviceFacts.ts), of the current device. */
  setFact(place: number, value: number, memory: DeviceMemory): void {
    this.#facts[place] = value
    const variable = this.#loaded?.variables.get(DEVICE_FACTS)
    if (variable === undefined) return
    const bytes = memory.viewOf(variable.address, variable.bytes)
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(4 * place, value, true)
  }

  isManaged(name: string): boolean {
    return this.#managedBytes.has(name)
  }

  /** The host twin of a variable lies there. Host code may use managed variables from main on, so the last one loads all. */
  placeManaged(name: string, hostAddress: number): void {
    const bytes = this.#managedBytes.get(name)
    if (bytes === undefined || this.#managedAddresses.has(name) || !this.#mirrored.add(hostAddress, bytes)) return
    this.#addresses.add({ address: hostAddress, bytes, kind: 'managed', flags: 0, allocated: undefined })
    this.#managedAddresses.set(name, hostAddress)
    if (this.#managedAddresses.size === this.#managedBytes.size) void this.loaded
  }
}
