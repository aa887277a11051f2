/**
 * What a slot has counted, as counters of sites and blocks: histograms hold accesses by mask and low address bits, and the model
 * sees each combination once. Most tables are empty, so the kernel's module looks for what is not (slot.ts, NEXT_USED).
 */
import type { LaunchOutcome } from '../../launch.ts'
import { activeLanes, WARP_LANES } from '../../metrics/rules/coalescing.ts'
import type { AccessCounts, AccessModel, Site, WarpAccess } from '../../trace.ts'
import { entryOf } from '../entryOf.ts'
import {
  HISTOGRAM_BINS,
  HISTOGRAM_BYTES,
  type KernelLayout,
  PARTIALS_BYTES,
  PATTERN_BYTES,
  PATTERN_COUNTS,
  PATTERN_HITS,
  RUN_STEP_BYTES,
  SITE_FIELDS,
  USED_BYTES,
} from '../slot.ts'
import { SiteSums } from './siteSums.ts'

/** What counting takes of a {@link SlotJob}. */
export interface CountingJob {
  readonly layout: KernelLayout
  readonly sites: readonly Pick<Site, 'space' | 'op' | 'width' | 'form' | 'passesL1' | 'nearStore' | 'blockAxes'>[]
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

type BlockCounters = LaunchOutcome['blocks'][number]

/** Launches that count the same share these objects. */
export interface SlotCounters extends Pick<LaunchOutcome, 'sites' | 'blocks' | 'loopWork'> {
  /** The kernel wrote over the tables: nothing is known. */
  readonly isOverwritten?: true
}

/** Tables have what no generated code writes there: a kernel's stores went far below its allocations (addressSpace.ts). */
class Overwritten extends Error {}

/** Accesses with masks and address bits that a site keeps before they are counted. */
const MOST_EVICTED = 1 << 10

/** What had to leave a table, each with how many times; the first `count`. */
interface Evicted {
  readonly masks: Int32Array
  readonly bins: Uint8Array
  readonly times: Float64Array
  count: number
}

const newEvicted = (): Evicted => ({
  masks: new Int32Array(MOST_EVICTED),
  bins: new Uint8Array(MOST_EVICTED),
  times: new Float64Array(MOST_EVICTED),
  count: 0,
})

/** An offset for each lane. */
const TABLE_BYTES = 128
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
  /** Where the slot has the lanes that the launch decides, 128 bytes each, and where the last of them ends, or all counters do. */
  readonly tables: readonly number[]
  readonly end: number
  readonly uses: ReadonlyMap<number, readonly HistogramJob[]>
  readonly runs: ReadonlyMap<number, RunJob>
}

const sourcesOfJob = new WeakMap<CountingJob, Sources>()

function sourcesOf(job: CountingJob): Sources {
  return entryOf(sourcesOfJob, job, () => {
    const uses = new Map<number, HistogramJob[]>()
    for (const use of job.histograms) entryOf(uses, use.source, (): HistogramJob[] => []).push(use)
    const tables = [...new Set(job.histograms.flatMap(({ table }) => table ?? []))]
    const end = Math.max(job.layout.wordStamps, ...tables.map(table => table + TABLE_BYTES))
    return { tables, end, uses, runs: new Map(job.runs.map(run => [run.source, run])) }
  })
}

/** What the sums of a job's launches are made in, and how the last one's came out. */
interface JobSums {
  readonly sums: SiteSums
  last: SlotCounters
  /**
   * What the slot had when the last one's were made, by which rules: the tables of lanes, then word index and words of each piece of
   * counters that was not all zeros.
   */
  readonly used: number[]
  model: AccessModel | undefined
}

const sumsOfJob = new WeakMap<CountingJob, JobSums>()

export class SlotCounting {
  private readonly job: CountingJob
  private readonly memory: WebAssembly.Memory
  private readonly model: AccessModel
  private readonly known: KnownSites
  /** Of the access that the model is asked about. */
  private readonly addresses = new Uint32Array(WARP_LANES)
  /** Sites whose lanes are known to be those of this launch. */
  private readonly current = new Set<number>()
  private readonly sources: Sources
  private readonly sums: JobSums
  /** (offset, end): where the next piece of {@link USED_BYTES} begins that is not all zeros. */
  private readonly nextUsed: (offset: number, end: number) => number
  /** Counts that the host made itself, if it did. */
  private slow: SiteSums | undefined
  /** By source: what had no more room in the slot, until it is counted. */
  private readonly evicted = new Map<number, Evicted>()

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
    this.sums = entryOf(sumsOfJob, job, () => ({
      sums: new SiteSums(job.sites.length),
      last: { sites: [], blocks: [] },
      used: [],
      model: undefined,
    }))
    this.nextUsed = nextUsed
  }

  /** Counts an access by the model's own function. */
  countAccess(site: number, access: WarpAccess): void {
    this.hostSums().add(site, this.model(access), 1, activeLanes(access.mask), 1)
  }

  /** The kernel's table of combinations was full. */
  keepTimes(source: number, mask: number, bin: number, times: number): void {
    const kept = entryOf(this.evicted, source, newEvicted)
    const at = kept.count++
    kept.masks[at] = mask
    kept.bins[at] = bin
    kept.times[at] = times
    if (kept.count === MOST_EVICTED) this.countEvicted(source, kept)
  }

  /** All that was counted since the slot was cleared. */
  counters(): SlotCounters {
    try {
      return this.summedUp()
    } catch (error) {
      if (!(error instanceof Overwritten)) throw error
      const { sums } = this.sums
      sums.clear()
      this.sums.model = undefined
      const blocks = Array.from({ length: this.job.blockCount }, () => ({ warps: 0, threads: 0 }))
      return { sites: sums.counters([]), blocks, isOverwritten: true }
    }
  }

  private summedUp(): SlotCounters {
    const { job, memory } = this
    const words = new Uint32Array(memory.buffer, job.slot.slot, this.sources.end >> 2)
    const { sums, last } = this.sums
    const isAllInSlot = !this.slow && this.evicted.size === 0
    if (isAllInSlot && this.sums.model === this.model && this.isUsedAsBefore(words)) return last
    sums.clear()
    this.addSiteCounters(words, sums)
    this.addHistograms(words, sums)
    this.addRuns(words, sums)
    this.addPartials(words, sums)
    for (const [source, kept] of this.evicted) this.countEvicted(source, kept)
    this.addPatterns(words, sums)
    if (this.slow) sums.addAll(this.slow)
    this.sums.last = { sites: sums.counters(last.sites), blocks: this.blockCounters(words, last.blocks) }
    this.sums.model = isAllInSlot ? this.model : undefined
    if (isAllInSlot) this.keepUsed(words)
    return this.sums.last
  }

  /** Launches one after the other often count the same: short ones would spend more time on their counts than on the kernel. */
  private isUsedAsBefore(words: Uint32Array): boolean {
    const { used } = this.sums
    const { siteCounters, wordStamps } = this.job.layout
    const { slot } = this.job.slot
    const end = slot + wordStamps
    let index = 0
    for (const table of this.sources.tables)
      for (let word = table >> 2; word < (table + TABLE_BYTES) >> 2; word++)
        if (used[index++] !== words[word]) return false
    for (let at = this.nextUsed(slot + siteCounters, end); at < end; at = this.nextUsed(at + USED_BYTES, end)) {
      const word = (at - slot) >> 2
      if (used[index++] !== word) return false
      for (let next = 0; next < USED_BYTES / 4; next++) if (used[index++] !== words[word + next]) return false
    }
    return index === used.length
  }

  private keepUsed(words: Uint32Array): void {
    const { used } = this.sums
    const { siteCounters, wordStamps } = this.job.layout
    used.length = 0
    for (const table of this.sources.tables) used.push(...words.subarray(table >> 2, (table + TABLE_BYTES) >> 2))
    this.forEachPiece(siteCounters, wordStamps, at => {
      used.push(at >> 2, ...words.subarray(at >> 2, (at + USED_BYTES) >> 2))
    })
  }

  private addSiteCounters(words: Uint32Array, sums: SiteSums): void {
    const { siteCounters, blockCounters } = this.job.layout
    this.forEachPiece(siteCounters, blockCounters, at => {
      for (let word = at; word < at + USED_BYTES; word += 8)
        sums.counts[(word - siteCounters) >> 3]! += counterAt(words, word)
    })
  }

  private addHistograms(words: Uint32Array, sums: SiteSums): void {
    const { histograms, runs } = this.job.layout
    this.forEachPiece(histograms, runs, at => {
      const uses = this.usesOf(Math.floor((at - histograms) / HISTOGRAM_BYTES))
      for (let word = at; word < at + USED_BYTES; word += 4) {
        const times = words[word >> 2]!
        if (times === 0) continue
        for (const use of uses) this.addTimes(sums, use, -1, binAt(word - histograms), times)
      }
    })
  }

  private addRuns(words: Uint32Array, sums: SiteSums): void {
    const { runs, runSteps } = this.job.layout
    this.forEachPiece(runs, runSteps, at => {
      const source = Math.floor((at - runs) / HISTOGRAM_BYTES)
      const run = this.sources.runs.get(source)
      if (!run) throw new Overwritten()
      const uses = this.usesOf(source)
      const step = run.step ?? words[(runSteps + source * RUN_STEP_BYTES) >> 2]!
      for (let word = at; word < at + USED_BYTES; word += 4) {
        const times = words[word >> 2]!
        if (times === 0) continue
        for (const use of uses) this.addRun(sums, use, run, step, binAt(word - runs), times)
      }
    })
  }

  private addPartials(words: Uint32Array, sums: SiteSums): void {
    const { partials, patterns } = this.job.layout
    this.forEachPiece(partials, patterns, at => {
      const entry = at >> 2
      const times = words[entry + 2]!
      if (times === 0) return
      for (const use of this.usesOf(Math.floor((at - partials) / PARTIALS_BYTES)))
        this.addTimes(sums, use, words[entry]!, words[entry + 1]!, times)
    })
  }

  /** Pieces of {@link USED_BYTES} that are not all zeros, by their offsets in the slot. */
  private forEachPiece(from: number, to: number, found: (at: number) => void): void {
    const { slot } = this.job.slot
    const end = slot + to
    for (let at = this.nextUsed(slot + from, end); at < end; at = this.nextUsed(at + USED_BYTES, end)) found(at - slot)
  }

  /** Repetitions of patterns of arbitrary addresses (helpersRepeat.ts). */
  private addPatterns(words: Uint32Array, sums: SiteSums): void {
    const { layout, sites } = this.job
    for (let site = 0; site < sites.length; site++) {
      const pattern = layout.patterns + site * PATTERN_BYTES
      const repetitions = counterAt(words, pattern + PATTERN_HITS)
      if (repetitions === 0) continue
      for (let field = 0; field < SITE_FIELDS.length; field++)
        sums.counts[site * SITE_FIELDS.length + field]! +=
          repetitions * counterAt(words, pattern + PATTERN_COUNTS + field * 8)
    }
  }

  /** `before` are those of an earlier launch. */
  private blockCounters(words: Uint32Array, before: SlotCounters['blocks']): SlotCounters['blocks'] {
    const { blockCount, layout } = this.job
    const blocks: BlockCounters[] = []
    for (let at = layout.blockCounters; blocks.length < blockCount; at += 16) {
      const [warps, threads] = [counterAt(words, at), counterAt(words, at + 8)]
      const known = before[blocks.length]
      blocks.push(known?.warps === warps && known.threads === threads ? known : { warps, threads })
    }
    return blocks
  }

  private usesOf(source: number): readonly HistogramJob[] {
    const uses = this.sources.uses.get(source)
    if (!uses) throw new Overwritten()
    return uses
  }

  private hostSums(): SiteSums {
    this.slow ??= new SiteSums(this.job.sites.length)
    return this.slow
  }

  /** What had to leave a table counts for all sites of the table. As many counts are kept as there is room for: lanes may part in any way, or in a few thousand. */
  private countEvicted(source: number, kept: Evicted): void {
    const sums = this.hostSums()
    for (const use of this.usesOf(source)) {
      const { lanes, accesses } = this.knownOf(use)
      for (let at = 0; at < kept.count; at++) {
        const mask = kept.masks[at]!
        const bin = (kept.bins[at]! + use.plus) & (HISTOGRAM_BINS - 1)
        const key = (mask >>> 0) * HISTOGRAM_BINS + bin
        let counts = accesses.get(key)
        if (!counts) {
          counts = this.modelled(use.site, lanes, mask, bin)
          if (accesses.size < MOST_KNOWN) accesses.set(key, counts)
        }
        sums.add(use.site, counts, 1, activeLanes(mask), kept.times[at]!)
      }
    }
    kept.count = 0
  }

  /**
   * Counts `times` accesses whose lanes' addresses are those of the site's lane vector plus a scalar known modulo 128; `first`
   * are these bits of the source's scalar.
   */
  private addTimes(sums: SiteSums, use: HistogramJob, mask: number, first: number, times: number): void {
    const counts = this.countsOf(use, mask, (first + use.plus) & (HISTOGRAM_BINS - 1))
    sums.add(use.site, counts, 1, activeLanes(mask), times)
  }

  /** Counts `times` runs whose last warp's scalar has these low bits. */
  private addRun(sums: SiteSums, use: HistogramJob, run: RunJob, step: number, latest: number, times: number): void {
    const { runs } = this.knownOf(use)
    const key = (step >>> 0) * HISTOGRAM_BINS + latest
    const counts = entryOf(runs, key, () => this.countsOfRun(use, run, step, latest))
    sums.add(use.site, counts, run.warps, activeLanes(run.mask) * run.warps, times)
  }

  /** A run, taken apart into the accesses of single warps. */
  private countsOfRun(use: HistogramJob, { mask, warps }: RunJob, step: number, latest: number): AccessCounts {
    const sum = new SiteSums(1)
    for (let warp = 0; warp < warps; warp++) {
      const bin = (latest + use.plus - Math.imul(warp, step)) & (HISTOGRAM_BINS - 1)
      sum.add(0, this.countsOf(use, mask, bin), 1, 0, 1)
    }
    return sum.countersOf(0)
  }

  /** One access of these lanes. */
  private countsOf(use: HistogramJob, mask: number, bin: number): AccessCounts {
    const { accesses, lanes } = this.knownOf(use)
    return entryOf(accesses, (mask >>> 0) * HISTOGRAM_BINS + bin, () => this.modelled(use.site, lanes, mask, bin))
  }

  private modelled(site: number, lanes: readonly number[], mask: number, bin: number): AccessCounts {
    const { sites, localBytes } = this.job
    const { space, op, width, form } = sites[site]!
    let lowest = 0
    for (const lane of lanes) if (lane < lowest) lowest = lane
    const start = Math.ceil(-lowest / HISTOGRAM_BINS) * HISTOGRAM_BINS
    const { addresses } = this
    for (let index = 0; index < lanes.length; index++) {
      const lane = lanes[index]!
      addresses[index] = space === 'local' ? interleave(bin + lane - index * localBytes, index) : start + bin + lane
    }
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

function counterAt(words: Uint32Array, at: number): number {
  return words[at >> 2]! + 2 ** 32 * words[(at >> 2) + 1]!
}

/** Of an offset from the beginning of a row of histograms. */
function binAt(offset: number): number {
  return (offset >> 2) & (HISTOGRAM_BINS - 1)
}
