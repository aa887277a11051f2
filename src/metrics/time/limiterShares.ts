/**
 * Which memory instruction a launch's limiter is busy with: per site the part of the limiting resource's work. In: counters
 * and the limiter by name (time.ts). Out: shares of 0 to 1 that add up to at most 1. Modelled: below L1 a site's part is
 * taken to be its part of the sectors. Launch overhead and the start of blocks are nobody's.
 */
import type { CountedSite, LaunchCounters } from '../launchCounters.ts'
import type { Limiter } from './timeInput.ts'

const isAtomic = ({ op }: CountedSite) => op === 'atomic' || op === 'red'
const isOffChip = ({ space }: CountedSite) => space === 'global' || space === 'local'

/** What a site adds to the work that this limiter is about. */
const workOf: Readonly<Record<Limiter, (site: CountedSite) => number>> = {
  dram: site => (isOffChip(site) ? site.sectors : 0),
  hostLink: site => (isOffChip(site) ? site.sectors : 0),
  l2: site => (isOffChip(site) ? site.sectors : 0),
  l1AndShared: site =>
    site.wavefronts + (site.attemptWavefronts ?? 0) + (isOffChip(site) && site.op === 'load' ? site.tags : 0),
  stores: site => (isOffChip(site) && site.op === 'store' ? site.tags : 0),
  atomics: site => (isAtomic(site) && site.space === 'global' ? site.sectors : 0),
  atomicContention: site => (isAtomic(site) && site.space === 'global' ? site.sectors : 0),
  latency: site => (isOffChip(site) && site.op !== 'store' && site.op !== 'red' ? site.executed : 0),
  issue: () => 0,
  integers: () => 0,
  multiplies: () => 0,
  doubles: () => 0,
  specials: () => 0,
  tensor: () => 0,
  textures: () => 0,
  constants: site => (site.space === 'constant' ? site.executed : 0),
  blockStart: () => 0,
  launch: () => 0,
}

/** One number a site of the launch, in order. */
export function limiterShares({ sites }: Pick<LaunchCounters, 'sites'>, limiter: Limiter): number[] {
  const work = sites.map(workOf[limiter])
  const total = work.reduce((a, b) => a + b, 0)
  return work.map(amount => (total === 0 ? 0 : amount / total))
}
