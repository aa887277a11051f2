/** Kernels as the host program knows them: prepared once, with the attributes that it sets on them. */
import type { KernelProgram } from '../analysis/prepare.ts'
import type { CudaContext } from './context.ts'
import type { Registry } from './cudaRegistration.ts'

export interface KernelState {
  readonly name: string
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

export class KernelTable {
  readonly #context: CudaContext
  readonly #registry: Registry
  readonly #byName = new Map<string, KernelState>()

  constructor(context: CudaContext, registry: Registry) {
    this.#context = context
    this.#registry = registry
  }

  /** The kernel behind a host function pointer; undefined where it is none. Throws the UserError of preparing it. */
  find(stub: number): KernelState | undefined {
    const name = this.#registry.kernelOf(stub)
    return name === undefined ? undefined : this.named(name)
  }

  /** The kernel of that mangled name. */
  named(name: string): KernelState {
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    const program = this.#context.parts.prepare(name)
    const { registersOf } = this.#context.parts
    const state: KernelState = {
      name,
      program,
      registersPerThread: registersOf(program),
      registersFor: threads => registersOf(program, threads),
      maxDynamicSharedBytes: undefined,
      preferredCarveout: undefined,
      allowsLargeClusters: false,
    }
    this.#byName.set(name, state)
    return state
  }
}
