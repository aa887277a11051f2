/**
 * What clang's constructors tell the runtime before main: which host stub stands for which kernel, which host shadow for
 * which device variable. Also the call configuration that `<<<>>>` leaves for the stub (FRONTEND.md, "How a launch arrives").
 */
import type { Dim3 } from '../../launch.ts'
import type { CudaContext, HostFunctions } from '../context.ts'
import { errorCode } from '../cudaErrors.ts'
import type { HostMemory } from '../host/hostMemory.ts'

export interface RegisteredVariable {
  readonly name: string
  readonly address: number
  readonly bytes: number
}

export interface CallConfiguration {
  readonly grid: Dim3
  readonly block: Dim3
  readonly sharedBytes: number
  readonly stream: number
  /** Taken at the `<<<>>>`: clang inlines the stub that launches, whose line is the kernel's. */
  readonly stack: Error | undefined
}

/** Launches whose lines are known: a stack takes a fifth of the time of a small launch. */
const MOST_STACKS = 1000
const LONGEST_NAME = 256

export class Registry {
  /** Host stub (a function pointer) to the kernel's mangled name on the device side. */
  readonly #kernels = new Map<number, string>()
  /** Host stubs of kernels that the device side does not have. */
  readonly #missing = new Map<number, string>()
  /** Host shadow to the variable's name on the device side. */
  readonly #variables = new Map<number, string>()
  readonly #byKey = new Map<string, string[]>()
  /** Those that have registered; a handle is a place here, from 1. */
  readonly #files: string[] = []
  readonly #context: CudaContext
  readonly configurations: CallConfiguration[] = []
  /** Of the launch that comes next, where `<<<>>>` makes it. */
  launching: CallConfiguration | undefined

  constructor(context: CudaContext) {
    this.#context = context
    for (const func of context.parts.module.functions) {
      if (!func.isKernel || func.blocks.length === 0) continue
      const key = this.#keyOf(func.name)
      this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), func.name])
    }
  }

  kernelOf(stub: number): string | undefined {
    const missing = this.#missing.get(stub >>> 0)
    if (missing !== undefined)
      this.#context.mentionOnce(
        `kernel ${this.#context.parts.displayName(missing)} has no code on the device side: calls with it return cudaErrorInvalidDeviceFunction`,
      )
    return this.#kernels.get(stub >>> 0)
  }

  variableOf(shadow: number): RegisteredVariable | undefined {
    const name = this.#variables.get(shadow >>> 0) ?? this.#nameAt(shadow)
    const variable = name === undefined ? undefined : this.#context.parts.image.loaded.variables.get(name)
    return name === undefined || variable === undefined ? undefined : { name, ...variable }
  }

  /** Before CUDA 5 a symbol could also be given as a string, the variable's name. */
  #nameAt(address: number): string | undefined {
    const { host } = this.#context.parts
    const longest = Math.min(LONGEST_NAME, host.memory.buffer.byteLength - (address >>> 0))
    if (!host.holds(address, Math.max(longest, 1))) return undefined
    return /^[A-Za-z_]\w*(?=\0)/.exec(String.fromCharCode(...host.bytes(address, longest)))?.[0]
  }

  registerKernel(handle: number, stub: number, hostName: string): void {
    const renamed = this.#linkedName(handle, hostName)
    const candidates = this.#byKey.get(this.#keyOf(renamed)) ?? []
    const name = candidates.includes(renamed) ? renamed : candidates[0]
    if (name === undefined) this.#missing.set(stub >>> 0, hostName)
    else this.#kernels.set(stub >>> 0, name)
  }

  registerVariable(handle: number, shadow: number, hostName: string): void {
    const name = this.#linkedName(handle, hostName)
    this.#variables.set(shadow >>> 0, name)
    this.#context.parts.image.placeManaged(name, shadow >>> 0)
  }

  /**
   * Names of the two sides, made comparable. Both mangle by the Itanium rules, but wasm spells out main's parameters where it encloses
   * a lambda (`4mainiPPc`; the device side has `4main`), whose types are then substitutions in the rest of the name.
   */
  #keyOf(name: string): string {
    if (!name.includes('Z4main')) return name
    return this.#context.parts.fullName(name).replace(/\bmain\([^()]*\)(?=::)/g, 'main')
  }

  /** In: what clang's constructor hands over, whose third word leads to the file's name (GPU_BINARY_STUB). Out: its handle. */
  registerFile(wrapper: number): number {
    const { host } = this.#context.parts
    return this.#files.push(host.text(host.u32(wrapper + 8)))
  }

  /** Linking gave some internal symbols of a file another name. */
  #linkedName(handle: number, name: string): string {
    return this.#context.parts.module.renamed?.get(this.#files[handle - 1] ?? '')?.get(name) ?? name
  }
}

export function readDim3(host: HostMemory, address: number): Dim3 {
  return { x: host.u32(address), y: host.u32(address + 4), z: host.u32(address + 8) }
}

export function writeDim3(host: HostMemory, address: number, value: Dim3): void {
  host.setU32(address, value.x)
  host.setU32(address + 4, value.y)
  host.setU32(address + 8, value.z)
}

export function registrationCalls(context: CudaContext, registry: Registry): HostFunctions {
  const { host } = context.parts
  let stacks = 0
  return {
    __cudaRegisterFatBinary: (wrapper: number) => registry.registerFile(wrapper),
    __cudaRegisterFatBinaryEnd: () => undefined,
    __cudaUnregisterFatBinary: () => undefined,
    __cudaRegisterLinkedBinary: (registerAll: number, wrapper: number) => {
      context.parts.callHost(registerAll, registry.registerFile(wrapper))
      return undefined
    },
    __cudaRegisterFunction: (handle: number, stub: number, _deviceFunction: number, name: number) => {
      registry.registerKernel(handle, stub, host.text(name))
      return 0
    },
    __cudaRegisterVar: (handle: number, shadow: number, _deviceAddress: number, name: number) => {
      registry.registerVariable(handle, shadow, host.text(name))
      return undefined
    },
    __cudaRegisterManagedVar: (handle: number, shadow: number, _deviceAddress: number, name: number) => {
      registry.registerVariable(handle, shadow, host.text(name))
      return undefined
    },
    __cudaRegisterTexture: (handle: number, reference: number, _deviceAddress: number, name: number) => {
      registry.registerVariable(handle, reference, host.text(name))
      return undefined
    },
    __cudaRegisterSurface: (handle: number, reference: number, _deviceAddress: number, name: number) => {
      registry.registerVariable(handle, reference, host.text(name))
      return undefined
    },
    __cudaPushCallConfiguration: (grid: number, block: number, sharedBytes: number, stream: number) => {
      registry.configurations.push({
        grid: readDim3(host, grid),
        block: readDim3(host, block),
        sharedBytes: sharedBytes >>> 0,
        stream: stream >>> 0,
        stack: stacks++ < MOST_STACKS ? new Error() : undefined,
      })
      return 0
    },
    __cudaPopCallConfiguration: (grid: number, block: number, sharedBytes: number, stream: number) => {
      const configuration = registry.configurations.pop()
      registry.launching = configuration
      if (configuration === undefined) return errorCode('cudaErrorMissingConfiguration')
      writeDim3(host, grid, configuration.grid)
      writeDim3(host, block, configuration.block)
      host.setU32(sharedBytes, configuration.sharedBytes)
      host.setU32(stream, configuration.stream)
      return 0
    },
  }
}
