/** Kernels as the host program knows them: prepared once, with the attributes that it sets on them. */
import type { KernelProgram } from '../../analysis/prepare.ts'
import type { CudaContext } from '../context.ts'
import type { Registry } from './cudaRegistration.ts'

/** Device code in memory: the program's own, or a module that it loaded. */
export interface KernelCode {
  /** Addresses of variables, numbers of functions. */
  readonly symbols: ReadonlyMap<string, number>
  /** The kernel of that mangled name, of this code; throws the UserError of preparing it. */
  named(name: string): KernelState
}

export interface KernelState {
  readonly name: string
  readonly code: KernelCode
  readonly program: KernelProgram
  readonly registersPerThread: number
  /** In blocks of so many threads. */
  readonly registersFor: (threads: number) => number
  /** Dynamic shared memory that launches may ask for; undefined until the program raises the usual limit. */
  maxDynamicSharedBytes: number | undefined
  /** cudaFuncAttributePreferredSharedMemoryCarveout, percent; undefined where the program leaves it to the driver. */
  preferredCarveout: number | undefined
  /** cudaFuncAttributeNonPortableClusterSizeAllowed. */
  allowsLargeClusters: boolean
}

/** Handles of loaded kernels: above every function pointer of the host program, and no address of device memory. */
const FIRST_HANDLE = 0x4000_0000

export class KernelTable {
  readonly #context: CudaContext
  readonly #registry: Registry
  readonly #byName = new Map<string, KernelState>()
  readonly #byHandle = new Map<number, KernelState>()
  #nextHandle = FIRST_HANDLE
  /** The program's own code. */
  readonly #own: KernelCode

  constructor(context: CudaContext, registry: Registry) {
    this.#context = context
    this.#registry = registry
    const { image } = context.parts
    this.#own = {
      get symbols() {
        return image.loaded.symbols
      },
      named: name => this.named(name),
    }
  }

  /** The kernel behind a host function pointer or a loaded kernel's handle; undefined where it is none. Throws the UserError of preparing it. */
  find(stub: number): KernelState | undefined {
    const loaded = this.#byHandle.get(stub >>> 0)
    if (loaded !== undefined) return loaded
    const name = this.#registry.kernelOf(stub)
    return name === undefined ? undefined : this.named(name)
  }

  /** The program's own kernel of that mangled name. */
  named(name: string): KernelState {
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    const state = this.stateOf(this.#context.parts.prepare(name), this.#own)
    this.#byName.set(name, state)
    return state
  }

  /** A kernel as nobody has set anything of it. */
  stateOf(program: KernelProgram, code: KernelCode): KernelState {
    const { registersOf } = this.#context.parts
    return {
      name: program.kernel.name,
      code,
      program,
      registersPerThread: registersOf(program),
      registersFor: threads => registersOf(program, threads),
      maxDynamicSharedBytes: undefined,
      preferredCarveout: undefined,
      allowsLargeClusters: false,
    }
  }

  /** The handle by which the host program knows a loaded kernel from now on. */
  add(kernel: KernelState): number {
    const handle = this.#nextHandle++
    this.#byHandle.set(handle, kernel)
    return handle
  }

  remove(handle: number): void {
    this.#byHandle.delete(handle)
  }
}
