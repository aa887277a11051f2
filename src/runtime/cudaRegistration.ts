/**
 * What clang's constructors tell the runtime before main: which host stub stands for which kernel, which host shadow for
 * which device variable. Also the call configuration that `<<<>>>` leaves for the stub (FRONTEND.md, "How a launch arrives").
 */
import type { Module } from '../ir/ir.ts'
import type { Dim3 } from '../launch.ts'
import type { CudaContext, HostFunctions } from './context.ts'
import { errorCode } from './cudaErrors.ts'
import type { HostMemory } from './hostMemory.ts'

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
}

export class Registry {
  /** Host stub (a function pointer) to the kernel's mangled name on the device side. */
  readonly #kernels = new Map<number, string>()
  readonly #variables = new Map<number, RegisteredVariable>()
  readonly #byKey = new Map<string, string[]>()
  readonly #context: CudaContext
  readonly configurations: CallConfiguration[] = []

  constructor(context: CudaContext) {
    this.#context = context
    const module: Module = context.parts.module
    for (const func of module.functions) {
      if (!func.isKernel || func.blocks.length === 0) continue
      const key = nameKey(func.name)
      this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), func.name])
    }
  }

  kernelOf(stub: number): string | undefined {
    return this.#kernels.get(stub >>> 0)
  }

  variableOf(shadow: number): RegisteredVariable | undefined {
    return this.#variables.get(shadow >>> 0)
  }

  registerKernel(stub: number, hostName: string): void {
    const candidates = this.#byKey.get(nameKey(hostName)) ?? []
    const name =
      candidates.find(candidate => candidate === hostName) ??
      candidates.find(candidate => isSameEntity(hostName, candidate)) ??
      candidates[0]
    if (name !== undefined) this.#kernels.set(stub >>> 0, name)
  }

  registerVariable(shadow: number, name: string): void {
    const variable = this.#context.parts.loaded.variables.get(name)
    if (variable !== undefined) this.#variables.set(shadow >>> 0, { name, ...variable })
  }
}

/**
 * Names of the two sides, made comparable. Both mangle by the Itanium rules, but wasm spells out main's parameters where it
 * encloses a lambda (`4mainiPPc`, `4mainv`; the device side has `4main`), which adds two substitutions and so renumbers `S_`.
 */
function nameKey(name: string): string {
  return hasMain(name) ? name.replace(MAIN, '4main').replace(/S[0-9A-Z]*_/g, 'S_') : name
}

const MAIN = /4main(?:v|iPPK?c)(?=E)/g

function hasMain(name: string): boolean {
  return name.includes('Z4main')
}

/** Whether the substitutions of two names with one key differ by what main's parameters add, and no more. */
function isSameEntity(hostName: string, deviceName: string): boolean {
  const hostNumbers = substitutions(hostName)
  const deviceNumbers = substitutions(deviceName)
  const added = /4mainiPPKc/.test(hostName) ? 3 : /4mainiPPc/.test(hostName) ? 2 : 0
  return hostNumbers.every((number, index) => {
    const difference = number - (deviceNumbers[index] ?? 0)
    return difference === 0 || difference === added
  })
}

/** `S_` is 0, `S0_` is 1, and so on in base 36. */
function substitutions(name: string): number[] {
  return [...name.matchAll(/S([0-9A-Z]*)_/g)].map(match => (match[1] === '' ? 0 : Number.parseInt(match[1]!, 36) + 1))
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
  /** Any non-null handle: all of a program's fat binaries are one linked module here. */
  const HANDLE = 1
  return {
    __cudaRegisterFatBinary: () => HANDLE,
    __cudaRegisterFatBinaryEnd: () => undefined,
    __cudaUnregisterFatBinary: () => undefined,
    __cudaRegisterFunction: (_handle: number, stub: number, _deviceFunction: number, name: number) => {
      registry.registerKernel(stub, host.text(name))
      return 0
    },
    __cudaRegisterVar: (_handle: number, shadow: number, _deviceAddress: number, name: number) => {
      registry.registerVariable(shadow, host.text(name))
      return undefined
    },
    __cudaRegisterManagedVar: (_handle: number, shadow: number, _deviceAddress: number, name: number) => {
      registry.registerVariable(shadow, host.text(name))
      return undefined
    },
    __cudaRegisterTexture: () => {
      context.mentionOnce('texture references are not supported')
      return undefined
    },
    __cudaRegisterSurface: () => {
      context.mentionOnce('surface references are not supported')
      return undefined
    },
    __cudaPushCallConfiguration: (grid: number, block: number, sharedBytes: number, stream: number) => {
      registry.configurations.push({
        grid: readDim3(host, grid),
        block: readDim3(host, block),
        sharedBytes: sharedBytes >>> 0,
        stream: stream >>> 0,
      })
      return 0
    },
    __cudaPopCallConfiguration: (grid: number, block: number, sharedBytes: number, stream: number) => {
      const configuration = registry.configurations.pop()
      if (configuration === undefined) return errorCode('cudaErrorMissingConfiguration')
      writeDim3(host, grid, configuration.grid)
      writeDim3(host, block, configuration.block)
      host.setU32(sharedBytes, configuration.sharedBytes)
      host.setU32(stream, configuration.stream)
      return 0
    },
  }
}
