/**
 * Conditions of graphs (cudaGraphConditionalHandle): words of device memory that kernels set and conditional nodes read. A handle is the
 * word's address. In: graphs that have them. Out: their values as a launch goes on; defaults are assigned when a graph begins.
 */
import type { CudaContext } from '../context.ts'
import type { AddressBook } from '../memory/addresses.ts'
import type { Graph } from './graphs.ts'

export class GraphConditions {
  readonly #context: CudaContext
  readonly #addresses: AddressBook
  readonly #known = new Set<number>()

  constructor(context: CudaContext, addresses: AddressBook) {
    this.#context = context
    this.#addresses = addresses
  }

  /** @returns its address; undefined without memory. @param initial its value whenever the graph begins */
  create(graph: Graph, initial: number | undefined): number | undefined {
    const address = this.#context.parts.memory.allocate(4, 'cudaMalloc')
    if (address === undefined) return undefined
    this.#known.add(address)
    if (initial !== undefined) graph.resets.push(() => this.#word(address).setUint32(0, initial >>> 0, true))
    return address
  }

  has(address: number): boolean {
    return this.#known.has(address)
  }

  valueOf(address: number): number {
    return this.#word(address).getUint32(0, true)
  }

  #word(address: number): DataView {
    const { buffer, byteOffset } = this.#addresses.view('device', address, 4)
    return new DataView(buffer, byteOffset, 4)
  }
}
