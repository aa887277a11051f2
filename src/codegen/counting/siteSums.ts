/**
 * Counters of sites while they are summed up: numbers in a row, kept from launch to launch, since a launch of few threads takes
 * no longer than objects for all its counters do. A site that counts what it did before gets the same object.
 */
import type { AccessCounts, SiteCounters } from '../../trace.ts'
import { SITE_FIELDS } from '../slot.ts'

const FIELDS = SITE_FIELDS.length

export class SiteSums {
  /** By site, in the order of {@link SITE_FIELDS}. */
  readonly counts: Float64Array
  /** By site: its `attempts` and `attemptWavefronts`, which few have. */
  private readonly attempts = new Map<number, readonly [number, number]>()

  constructor(sites: number) {
    this.counts = new Float64Array(sites * FIELDS)
  }

  /** `times` times: so many executions by so many lanes in all, which together count this. */
  add(site: number, one: AccessCounts, executed: number, threads: number, times: number): void {
    const { counts } = this
    const at = site * FIELDS
    counts[at]! += executed * times
    counts[at + 1]! += threads * times
    counts[at + 2]! += one.bytes * times
    counts[at + 3]! += one.sectors * times
    counts[at + 4]! += one.sectorsIdeal * times
    counts[at + 5]! += one.tags * times
    counts[at + 6]! += one.wavefronts * times
    counts[at + 7]! += one.wavefrontsIdeal * times
    if (one.attempts === undefined && one.attemptWavefronts === undefined) return
    this.addAttempts(site, (one.attempts ?? 0) * times, (one.attemptWavefronts ?? 0) * times)
  }

  /** Of the same sites. */
  addAll(other: SiteSums): void {
    for (const [at, count] of other.counts.entries()) this.counts[at]! += count
    for (const [site, [attempts, wavefronts]] of other.attempts) this.addAttempts(site, attempts, wavefronts)
  }

  clear(): void {
    this.counts.fill(0)
    this.attempts.clear()
  }

  /** Counters of all sites; `before` are those of an earlier launch. */
  counters(before: readonly SiteCounters[]): SiteCounters[] {
    const all: SiteCounters[] = []
    for (let site = 0; site * FIELDS < this.counts.length; site++) {
      const known = before[site]
      all.push(known && this.isEqual(site, known) ? known : this.countersOf(site))
    }
    return all
  }

  private isEqual(site: number, known: SiteCounters): boolean {
    const { counts, attempts } = this
    const at = site * FIELDS
    return (
      counts[at] === known.executed &&
      counts[at + 1] === known.threads &&
      counts[at + 2] === known.bytes &&
      counts[at + 3] === known.sectors &&
      counts[at + 4] === known.sectorsIdeal &&
      counts[at + 5] === known.tags &&
      counts[at + 6] === known.wavefronts &&
      counts[at + 7] === known.wavefrontsIdeal &&
      known.attempts === undefined &&
      !attempts.has(site)
    )
  }

  countersOf(site: number): SiteCounters {
    const at = site * FIELDS
    const { counts } = this
    const counters: SiteCounters = {
      executed: counts[at]!,
      threads: counts[at + 1]!,
      bytes: counts[at + 2]!,
      sectors: counts[at + 3]!,
      sectorsIdeal: counts[at + 4]!,
      tags: counts[at + 5]!,
      wavefronts: counts[at + 6]!,
      wavefrontsIdeal: counts[at + 7]!,
    }
    const attempts = this.attempts.get(site)
    if (attempts) [counters.attempts, counters.attemptWavefronts] = attempts
    return counters
  }

  private addAttempts(site: number, attempts: number, wavefronts: number): void {
    const [before, wavefrontsBefore] = this.attempts.get(site) ?? [0, 0]
    this.attempts.set(site, [before + attempts, wavefrontsBefore + wavefronts])
  }
}
