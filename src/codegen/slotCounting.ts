/**
 * What a slot has counted, as counters of sites and blocks: histograms hold accesses by mask and low address bits, and the model
 * sees each combination once. Most tables are empty, so the kernel's module looks for what is not (slot.ts, NEXT_USED).
 */
import { InternalError } from '../diagnostic.ts'
import { activeLanes } from '../metrics/coalescing.ts'
import {
  type AccessCounts,
  type AccessModel,
  addCounters,
  emptyCounters,
  type Site,
  type SiteCounters,
  type WarpAccess,
} from '../trace.ts'
import { entryOf } from './entryOf.ts'
import {
  HISTOGRAM_BINS,
  HISTOGRAM_BYTES,
  type KernelLayout,
  PARTIALS_BYTES,
  PATTERN_BYTES,
  PATTERN_COUNTS,
  PATTERN_HITS,
  RUN_STEP_BYTES,
  SITE_BYTES,
  SITE_FIELDS,
  USED_BYTES,
} from './slot.ts'

/** What counting takes of a {@link SlotJob}. */
export interface CountingJob {
  readonly layout: KernelLayout
  readonly sites: readonly Pick<Site, 'space' | 'op' | 'width' | 'form'>[]
  readonly histograms: readonly {
    readonly site: number
    readonly source: number
    readonly plus: number
    readonly constant: readonly number[]
    readonly table: number | undefined
  }[]
  /** By site: its accesses that are counted a block at a time (warpRuns.ts); the step is in the slot where it is not given. */
  readonly runs: readonly {
    readonly source: number
    readonly mask: number
    readonly warps: number
    readonly step: number | undefined
  }[]
  readonly blockCount: number
  /** Bytes of local memory of a thread. */
  readonly localBytes: number
  readonly slot: { readonly slot: number }
}

type HistogramJob = CountingJob['histograms'][number]
type RunJob = CountingJob['runs'][number]

export interface SlotCounters {
  readonly sites: SiteCounters[]
  readonly blocks: { warps: number; threads: number }[]
}

/** Combinations of mask and address bits that a site keeps before they are counted. */
const MOST_EVICTED = 1 << 14
/** Divergent kernels have any number of masks. */
const MOST_KNOWN = 10_000

/** Counts of a site's accesses, by a number that says which. */
type Known = Map<number, AccessCounts>

/** What is known of a site's accesses from launch to launch, as long as launches have it access memory by the same lanes. */
interface KnownSite {
  readonly lanes: readonly number[]
  /** By mask and low bits. */
  readonly accesses: Known
  /** By step and low bits of the last warp. */
  readonly runs: Known
}

/** By site. */
type KnownSites = Map<number, KnownSite>

const knownByModel = new WeakMap<WebAssembly.Module, Map<AccessModel, KnownSites>>()

/** Rules differ between models. */
function knownSites(module: WebAssembly.Module, model: AccessModel): KnownSites {
  const models = entryOf(knownByModel, module, () => new Map<AccessModel, KnownSites>())
  return entryOf(models, model, (): KnownSites => new Map())
}

/** The tables of a job that say what a source's histogram stands for. */
interface Sources {
  readonly uses: ReadonlyMap<number, readonly HistogramJob[]>
  readonly runs: ReadonlyMap<number, RunJob>
}

const sourcesOfJob = new WeakMap<CountingJob, Sources>()

function sourcesOf(job: CountingJob): Sources {
  return entryOf(sourcesOfJob, job, () => {
    const uses = new Map<number, HistogramJob[]>()
    for (const use of job.histograms) entryOf(uses, use.source, (): HistogramJob[] => []).push(use)
    return { uses, runs: new Map(job.runs.map(run => [run.source, run])) }
  })
}

export class SlotCounting {
  private readonly job: CountingJob
  private readonly memory: WebAssembly.Memory
  private readonly model: AccessModel
  private readonly known: KnownSites
  /** Sites whose lanes are known to be those of this launch. */
  private readonly current = new Set<number>()
  private readonly sources: Sources
  /** (offset, end): where the next piece of {@link USED_BYTES} begins that is not all zeros. */
  private readonly nextUsed: (offset: number, end: number) => number
  /** By site: counts that the host made itself. */
  private readonly slow = new Map<number, SiteCounters>()
  /** By source: how often a mask and address bits (one number) occurred that had no more room in the slot. */
  private readonly evicted = new Map<number, Map<number, number>>()

  constructor(
    module: WebAssembly.Module,
    job: CountingJob,
    memory: WebAssembly.Memory,
    model: AccessModel,
    nextUsed: (offset: number, end: number) => number,
  ) {
    this.job = job
    this.memory = memory
    this.model = model
    this.known = knownSites(module, model)
    this.sources = sourcesOf(job)
    this.nextUsed = nextUsed
  }

  /** Counts an access by the model's own function. */
  countAccess(site: number, access: WarpAccess): void {
    const counters = this.slowOf(site)
    counters.executed++
    counters.threads += activeLanes(access.mask)
    addCounters(counters, this.model(access))
  }

  /** The kernel's table of combinations was full. */
  keepTimes(source: number, mask: number, bin: number, times: number): void {
    const kept = entryOf(this.evicted, source, () => new Map<number, number>())
    const key = (mask >>> 0) * HISTOGRAM_BINS + bin
    kept.set(key, (kept.get(key) ?? 0) + times)
    if (kept.size >= MOST_EVICTED) this.countEvicted(source, kept)
  }

  /** All that was counted since the slot was cleared. */
  counters(): SlotCounters {
    const { job, memory } = this
    const { layout, slot } = job
    const words = new Uint32Array(memory.buffer, slot.slot, layout.wordStamps >> 2)
    const sites = job.sites.map(emptyCounters)
    this.forEachUsed(words, layout.siteCounters, layout.blockCounters, (at, value) => {
      const field = SITE_FIELDS[(at & (SITE_BYTES - 1)) >> 3]!
      sites[Math.floor(at / SITE_BYTES)]![field] += at & 4 ? value * 2 ** 32 : value
    })
    this.forEachUsed(words, layout.histograms, layout.runs, (at, times) => {
      const bin = (at >> 2) & (HISTOGRAM_BINS - 1)
      for (const use of this.usesOf(Math.floor(at / HISTOGRAM_BYTES)))
        this.addTimes(sites[use.site]!, use, -1, bin, times)
    })
    this.forEachUsed(words, layout.runs, layout.runSteps, (at, times) => {
      const source = Math.floor(at / HISTOGRAM_BYTES)
      const run = this.sources.runs.get(source)
      if (!run) throw new InternalError(`site ${source} has no run`)
      const step = run.step ?? words[(layout.runSteps + source * RUN_STEP_BYTES) >> 2]!
      for (const use of this.usesOf(source))
        this.addRun(sites[use.site]!, use, run, step, (at >> 2) & (HISTOGRAM_BINS - 1), times)
    })
    this.forEachPartial(words, (source, mask, bin, times) => {
      for (const use of this.usesOf(source)) this.addTimes(sites[use.site]!, use, mask, bin, times)
    })
    for (const [source, kept] of this.evicted) this.countEvicted(source, kept)
    this.addPatterns(words, sites)
    for (const [site, counters] of this.slow) addCounters(sites[site]!, counters)
    return { sites, blocks: this.blockCounters(words) }
  }

  /** Words that are not 0 between two offsets of the slot: `found` gets their offsets from the first. */
  private forEachUsed(
    words: Uint32Array,
    from: number,
    to: number,
    found: (offset: number, value: number) => void,
  ): void {
    this.forEachPiece(from, to, at => {
      for (let word = at; word < at + USED_BYTES; word += 4) if (words[word >> 2]) found(word - from, words[word >> 2]!)
    })
  }

  private forEachPartial(
    words: Uint32Array,
    found: (source: number, mask: number, bin: number, times: number) => void,
  ): void {
    const { partials, patterns } = this.job.layout
    this.forEachPiece(partials, patterns, at => {
      const [mask, bin, times] = words.subarray(at >> 2)
      if (times) found(Math.floor((at - partials) / PARTIALS_BYTES), mask!, bin!, times)
    })
  }

  /** Pieces of {@link USED_BYTES} that are not all zeros, by their offsets in the slot. */
  private forEachPiece(from: number, to: number, found: (at: number) => void): void {
    const { slot } = this.job.slot
    const end = slot + to
    for (let at = this.nextUsed(slot + from, end); at < end; at = this.nextUsed(at + USED_BYTES, end)) found(at - slot)
  }

  /** Repetitions of patterns of arbitrary addresses (helpersRepeat.ts). */
  private addPatterns(words: Uint32Array, sites: readonly SiteCounters[]): void {
    const read = (at: number): number => words[at >> 2]! + 2 ** 32 * words[(at >> 2) + 1]!
    for (const [site, counters] of sites.entries()) {
      const pattern = this.job.layout.patterns + site * PATTERN_BYTES
      const repetitions = read(pattern + PATTERN_HITS)
      if (repetitions === 0) continue
      for (const [index, field] of SITE_FIELDS.entries())
        counters[field] += repetitions * read(pattern + PATTERN_COUNTS + index * 8)
    }
  }

  private blockCounters(words: Uint32Array): SlotCounters['blocks'] {
    const { blockCount, layout } = this.job
    const blocks: SlotCounters['blocks'] = []
    for (let at = layout.blockCounters >> 2; blocks.length < blockCount; at += 4)
      blocks.push({
        warps: words[at]! + 2 ** 32 * words[at + 1]!,
        threads: words[at + 2]! + 2 ** 32 * words[at + 3]!,
      })
    return blocks
  }

  private usesOf(source: number): readonly HistogramJob[] {
    const uses = this.sources.uses.get(source)
    if (!uses) throw new InternalError(`site ${source} has no histogram`)
    return uses
  }

  private slowOf(site: number): SiteCounters {
    return entryOf(this.slow, site, emptyCounters)
  }

  /** What had to leave a table counts for all sites of the table. */
  private countEvicted(source: number, kept: Map<number, number>): void {
    for (const use of this.usesOf(source))
      for (const [key, times] of kept)
        this.addTimes(this.slowOf(use.site), use, Math.floor(key / HISTOGRAM_BINS) | 0, key % HISTOGRAM_BINS, times)
    kept.clear()
  }

  /**
   * Counts `times` accesses whose lanes' addresses are those of the site's lane vector plus a scalar known modulo 128; `first`
   * are these bits of the source's scalar.
   */
  private addTimes(counters: SiteCounters, use: HistogramJob, mask: number, first: number, times: number): void {
    counters.executed += times
    counters.threads += activeLanes(mask) * times
    addMultiple(counters, this.countsOf(use, mask, (first + use.plus) & (HISTOGRAM_BINS - 1)), times)
  }

  /** Counts `times` runs whose last warp's scalar has these low bits. */
  private addRun(
    counters: SiteCounters,
    use: HistogramJob,
    run: RunJob,
    step: number,
    latest: number,
    times: number,
  ): void {
    counters.executed += run.warps * times
    counters.threads += activeLanes(run.mask) * run.warps * times
    const { runs } = this.knownOf(use)
    const key = (step >>> 0) * HISTOGRAM_BINS + latest
    addMultiple(
      counters,
      entryOf(runs, key, () => this.countsOfRun(use, run, step, latest)),
      times,
    )
  }

  /** A run, taken apart into the accesses of single warps. */
  private countsOfRun(use: HistogramJob, { mask, warps }: RunJob, step: number, latest: number): AccessCounts {
    const bins = new Map<number, number>()
    for (let warp = 0; warp < warps; warp++) {
      const bin = (latest + use.plus - Math.imul(warp, step)) & (HISTOGRAM_BINS - 1)
      bins.set(bin, (bins.get(bin) ?? 0) + 1)
    }
    const sum = emptyCounters()
    for (const [bin, times] of bins) addMultiple(sum, this.countsOf(use, mask, bin), times)
    return sum
  }

  /** One access of these lanes. */
  private countsOf(use: HistogramJob, mask: number, bin: number): AccessCounts {
    const { accesses, lanes } = this.knownOf(use)
    return entryOf(accesses, (mask >>> 0) * HISTOGRAM_BINS + bin, () => this.modelled(use.site, lanes, mask, bin))
  }

  private modelled(site: number, lanes: readonly number[], mask: number, bin: number): AccessCounts {
    const { sites, localBytes } = this.job
    const { space, op, width, form } = sites[site]!
    const lowest = lanes.reduce((a, b) => Math.min(a, b), 0)
    const start = Math.ceil(-lowest / HISTOGRAM_BINS) * HISTOGRAM_BINS
    const addresses = Uint32Array.from(lanes, (lane, index) => {
      if (space !== 'local') return start + bin + lane
      return interleave(bin + lane - index * localBytes, index)
    })
    return this.model({ space, op, width, form, mask, addresses })
  }

  private knownOf({ site, constant, table }: HistogramJob): KnownSite {
    const before = this.known.get(site)
    const isFull = before && (before.accesses.size > MOST_KNOWN || before.runs.size > MOST_KNOWN)
    if (before && !isFull && (table === undefined || this.current.has(site))) return before
    const lanes = table === undefined ? constant : this.lanesOfLaunch(table)
    this.current.add(site)
    if (before && !isFull && before.lanes.every((lane, index) => lane === lanes[index])) return before
    const known = { lanes, accesses: new Map<number, AccessCounts>(), runs: new Map<number, AccessCounts>() }
    this.known.set(site, known)
    return known
  }

  private lanesOfLaunch(table: number): readonly number[] {
    return [...new Int32Array(this.memory.buffer, this.job.slot.slot + table, 32)]
  }
}

/** Byte `offset` of lane's local memory as the hardware lays it out: word w of lane l at (32 w + l) x 4. */
export function interleave(offset: number, lane: number): number {
  return (offset >> 2) * 128 + lane * 4 + (offset & 3)
}

/** Fields of {@link AccessCounts} that every access has. */
const COUNTED = ['bytes', 'sectors', 'sectorsIdeal', 'tags', 'wavefronts', 'wavefrontsIdeal'] as const

function addMultiple(into: SiteCounters, counts: AccessCounts, times: number): void {
  for (const field of COUNTED) into[field] += counts[field] * times
  if (counts.attempts !== undefined) into.attempts = (into.attempts ?? 0) + counts.attempts * times
  if (counts.attemptWavefronts !== undefined)
    into.attemptWavefronts = (into.attemptWavefronts ?? 0) + counts.attemptWavefronts * times
}
