/**
 * The device program as loaded: at once, except where it has managed variables. Then loading waits until the program's
 * constructors have told where their twins on the host lie, because those are the variables' addresses on both sides.
 * Beside it lies what the program loads while it runs.
 */
import { CONSTANT_BYTES, CONSTANT_OFFSET } from '../../addressSpace.ts'
import { userError } from '../../diagnostic.ts'
import { constantBytesOf } from '../../ir/constantMemory.ts'
import type { Module } from '../../ir/ir.ts'
import { alignUp, sizeOf } from '../../ir/types.ts'
import type { AddressBook } from '../memory/addresses.ts'
import type { DeviceMemory } from '../memory/deviceMemory.ts'
import { FreeRanges } from '../memory/freeRanges.ts'
import type { MirroredMemory } from '../memory/mirroredMemory.ts'
import { DEVICE_FACTS } from './deviceFacts.ts'
import { type LoadedModule, loadModule } from './loadModule.ts'

/** What the constant memory of loaded code begins at a multiple of. */
const CONSTANT_UNIT = 256

export class DeviceImage {
  readonly #module: Module
  readonly #memory: DeviceMemory
  readonly #mirrored: MirroredMemory
  readonly #addresses: AddressBook
  readonly #managedBytes: ReadonlyMap<string, number>
  readonly #managedAddresses = new Map<string, number>()
  readonly #facts: Uint32Array
  #loaded: LoadedModule | undefined
  /** Offsets that the program's own `__constant__` variables leave. */
  readonly #constants: FreeRanges
  /** Code that was loaded beside the program's, with the constant memory that it takes. */
  readonly #beside = new Map<LoadedModule, { readonly start: number; readonly end: number }>()

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
    const start = CONSTANT_OFFSET + alignUp(constantBytesOf(module), CONSTANT_UNIT)
    this.#constants = new FreeRanges([{ start, end: Math.max(start, CONSTANT_OFFSET + CONSTANT_BYTES) }])
    if (managed.length === 0) this.#loaded = loadModule(module, memory, facts)
  }

  /** Loads further code. Throws the UserErrors of {@link loadModule}. */
  loadBeside(module: Module): LoadedModule {
    const bytes = alignUp(constantBytesOf(module), CONSTANT_UNIT)
    const start = this.#constants.find(bytes, CONSTANT_UNIT)
    if (start === undefined) throw userError('constant-too-large', 'the loaded modules have too much __constant__ data')
    const loaded = loadModule(module, this.#memory, this.#facts, undefined, start)
    this.#constants.take(start, start + bytes)
    this.#beside.set(loaded, { start, end: start + bytes })
    return loaded
  }

  unload(loaded: LoadedModule): void {
    const constants = this.#beside.get(loaded)
    if (constants === undefined) return
    this.#beside.delete(loaded)
    if (constants.end > constants.start) this.#constants.release(constants.start, constants.end)
    for (const { address } of loaded.variables.values()) this.#memory.forget(address)
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
    for (const loaded of [this.#loaded, ...this.#beside.keys()]) {
      const variable = loaded?.variables.get(DEVICE_FACTS)
      if (variable === undefined) continue
      const bytes = memory.viewOf(variable.address, variable.bytes)
      new DataView(bytes.buffer, bytes.byteOffset).setUint32(4 * place, value, true)
    }
  }

  isManaged(name: string): boolean {
    return this.#managedBytes.has(name)
  }

  /** The host twin of a variable lies there. Host code may use managed variables from main on, so the last one loads all. */
  placeManaged(name: string, hostAddress: number): void {
    const bytes = this.#managedBytes.get(name)
    if (bytes === undefined || this.#managedAddresses.has(name) || !this.#mirrored.add(hostAddress, bytes)) return
    this.#addresses.add({ address: hostAddress, bytes, room: bytes, kind: 'managed', flags: 0, allocated: undefined })
    this.#managedAddresses.set(name, hostAddress)
    if (this.#managedAddresses.size === this.#managedBytes.size) void this.loaded
  }
}
