/**
 * In which order a block runs the regions of a kernel (barrierRegions.ts), as far as it is known while compiling. In: the regions. Out: which
 * of them surely comes after which, which every block runs once, and whether they stand in a chain, so that nobody needs to ask.
 */
import { successors, terminatorOf } from '../../ir/graph.ts'
import type { CallInstruction } from '../../ir/ir.ts'
import type { BarrierRegion } from './barrierRegions.ts'

export class RegionOrder {
  readonly #regions: readonly BarrierRegion[]
  readonly #mayEndEarly: boolean
  /** Of regions, by the barrier that they come after. */
  readonly numbers: ReadonlyMap<CallInstruction, number>
  /** Regions that every block surely runs once. */
  readonly once: ReadonlySet<BarrierRegion>

  /** @param mayEndEarly lanes may end, or not come to a barrier */
  constructor(regions: readonly BarrierRegion[], mayEndEarly: boolean) {
    this.#regions = regions
    this.#mayEndEarly = mayEndEarly
    this.numbers = new Map(regions.flatMap(({ after }, index) => (after ? [[after, index] as const] : [])))
    this.once = this.#findOnce()
  }

  /** Every block runs the regions one after the other, as they stand. */
  isChain(): boolean {
    return this.#regions.every((region, index) => this.once.has(region) && [...this.once][index] === region)
  }

  #findOnce(): Set<BarrierRegion> {
    const found = new Set<BarrierRegion>()
    for (let at: number | undefined = 0; at !== undefined; ) {
      const region: BarrierRegion = this.#regions[at]!
      const entries = this.#regions.filter(({ saved }) => region.after && saved.has(region.after)).length
      if (found.has(region) || entries > Number(at > 0)) break
      found.add(region)
      at = this.onlyNext(region)
    }
    return found
  }

  /** The region that surely comes after this one, if one does. */
  onlyNext({ blocks, saved }: BarrierRegion): number | undefined {
    const [only, ...others] = [...saved.keys()]
    const mayEnd = this.#mayEndEarly || blocks.some(block => successors(terminatorOf(block)).length === 0)
    return only && others.length === 0 && !mayEnd ? this.numbers.get(only) : undefined
  }
}
