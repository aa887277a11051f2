/**
 * Runs blocks of one launch in one slot: instantiates the kernel's module once with the host functions it needs and, at the end,
 * turns the slot's counters and histograms into site counters. Used by the executor's own thread and by each worker.
 */

import { CONSTANT_OFFSET, DEVICE_BASE, HEAP_OFFSET } from '../addressSpace.ts'
import { InternalError } from '../diagnostic.ts'
import { alignUp } from '../ir/types.ts'
import { activeLanes } from '../metrics/coalescing.ts'
import { BFLOAT, DOUBLE, fmaExact, HALF } from '../reference/float.ts'
import {
  type AccessModel,
  addCounters,
  emptyCounters,
  type Site,
  type SiteCounters,
  type Space,
  type WarpAccess,
} from '../trace.ts'
import {
  ADDRESSES,
  CLEAR,
  CURRENT_BLOCK,
  FIXED_BYTES,
  HISTOGRAM_BINS,
  HISTOGRAM_BYTES,
  type KernelLayout,
  OBSERVING,
  PARTIAL_ENTRIES,
  PARTIALS_BYTES,
  PATTERN_BYTES,
  PATTERN_COUNTS,
  PATTERN_HITS,
  RUN_STEP_BYTES,
  SITE_BYTES,
  SITE_FIELDS,
} from './slot.ts'
import { WAYS_IN, WayIn } from './stackAlignment.ts'

/** Room for the text of a worker's counters. */
export const RESULT_AREA_BYTES = 1 << 20

/** What running a kernel takes, as plain data that can be sent to a worker. */
export interface SlotJob {
  readonly layout: KernelLayout
  readonly sites: readonly Pick<Site, 'space' | 'op' | 'width' | 'form'>[]
  /** The sites of an instruction whose space shows at run time, by each of its sites. */
  readonly groups: readonly (readonly number[])[]
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
  readonly slot: SlotPlaces
}

type HistogramJob = SlotJob['histograms'][number]

/** Offsets in device memory. */
export interface SlotPlaces {
  readonly slot: number
  readonly slotBytes: number
  readonly shared: number
  readonly sharedBytes: number
  readonly saved: number
  readonly localMemory: number
  readonly end: number
}

export interface SlotHost {
  readonly model: AccessModel
  /** Throws to stop the launch. */
  readonly tick: (block: number) => void
  readonly fault: (kind: number, where: number, block: number) => void
  /** Sees the accesses of blocks that run while `observing`. */
  readonly observe?: (block: number, warp: number, access: WarpAccess) => void
  /** (call, mask, warp); arguments and results are in the slot. */
  readonly external: (call: number, mask: number, warp: number) => void
}

/** Combinations of mask and address bits that a site keeps before they are counted. */
const MOST_EVICTED = 1 << 14

export interface SlotCounters {
  readonly sites: SiteCounters[]
  readonly blocks: { warps: number; threads: number }[]
}

/** Divergent kernels have any number of masks. */
const MOST_KNOWN = 10_000

type AccessCounts = ReturnType<AccessModel>

const countsByModel = new WeakMap<WebAssembly.Module, Map<AccessModel, Map<string, AccessCounts>>>()

/** A thread's instance of a kernel's module, which is the same from launch to launch. */
interface KernelInstance {
  readonly memory: WebAssembly.Memory
  /** Into the kernel, by {@link WAYS_IN}, and what is known of them. */
  readonly waysIn: readonly ((...parameters: number[]) => void)[]
  readonly wayIn: WayIn
  /** Fills with zeros; many times as fast as JavaScript does it to memory that threads share. */
  readonly clear: (at: number, bytes: number) => void
  /** Whose blocks it runs; a launch may run another one of the same kernel in between. */
  runner: SlotRunner | undefined
}

const instances = new WeakMap<WebAssembly.Module, KernelInstance>()

function instanceOf(module: WebAssembly.Module, memory: WebAssembly.Memory): KernelInstance {
  const known = instances.get(module)
  if (known?.memory === memory) return known
  const runner = (): SlotRunner => {
    if (!made.runner) throw new InternalError('a kernel runs for no launch')
    return made.runner
  }
  const { exports } = new WebAssembly.Instance(module, {
    env: {
      memory,
      tick: (block: number) => runner().host.tick(block),
      fault: (kind: number, where: number, block: number) => runner().host.fault(kind, where, block),
      external: (call: number, mask: number, warp: number) => runner().host.external(call, mask, warp),
      countSlow: (site: number, mask: number, warp: number) => runner().countSlow(site, mask, warp),
      countTimes: (site: number, mask: number, bin: number, times: number) =>
        runner().keepTimes(site, mask, bin, times),
      observe: (site: number, mask: number, warp: number) => runner().observe(site, mask, warp),
      remainder: (a: number, b: number) => a % b,
      fma: (a: number, b: number, c: number) => fmaExact(a, b, c, DOUBLE),
      fmaHalf: (a: number, b: number, c: number, brain: number) => fmaExact(a, b, c, brain ? BFLOAT : HALF),
    },
  })
  const exported = (name: string): ((...parameters: number[]) => void) => {
    const found = exports[name]
    if (typeof found !== 'function') throw new InternalError(`a kernel module has no function ${name}`)
    return found as (...parameters: number[]) => void
  }
  const made: KernelInstance = {
    memory,
    waysIn: WAYS_IN.map(exported),
    wayIn: known?.wayIn ?? new WayIn(),
    clear: exported(CLEAR),
    runner: undefined,
  }
  instances.set(module, made)
  return made
}

/** What single accesses of a module's sites count, by site, mask and low address bits; rules differ between models. */
function knownCounts(module: WebAssembly.Module, model: AccessModel): Map<string, AccessCounts> {
  const models = countsByModel.get(module) ?? new Map<AccessModel, Map<string, AccessCounts>>()
  countsByModel.set(module, models)
  const known = models.get(model) ?? new Map<string, AccessCounts>()
  models.set(model, known)
  return known
}

export class SlotRunner {
  private readonly job: SlotJob
  private readonly memory: WebAssembly.Memory
  readonly host: SlotHost
  private readonly instance: KernelInstance
  /** Counts that the host made itself. */
  private readonly slow: SiteCounters[]
  /** By site: how often a mask and address bits (one number) occurred that had no more room in the slot. */
  private readonly evicted: Map<number, number>[]
  /** Where the block at hand has its memory. */
  private places: SlotPlaces
  /** The slot's first words; see {@link slotWords}. */
  private words: Uint32Array<ArrayBuffer | SharedArrayBuffer> = new Uint32Array(0)
  private readonly known: Map<string, AccessCounts>
  /** Addresses of the access that is shown or counted, as the model wants them. */
  private readonly addresses = new Uint32Array(32)

  constructor(module: WebAssembly.Module, job: SlotJob, memory: WebAssembly.Memory, host: SlotHost) {
    this.job = job
    this.memory = memory
    this.host = host
    this.places = job.slot
    this.slow = job.sites.map(emptyCounters)
    this.evicted = job.sites.map(() => new Map<number, number>())
    this.known = knownCounts(module, host.model)
    this.instance = instanceOf(module, memory)
    this.clear()
  }

  run(first: number, last: number): void {
    const { wayIn } = this.instance
    const start = performance.now()
    this.enter(wayIn.next(), first, last, this.job.slot)
    wayIn.took((performance.now() - start) / (last - first))
  }

  /** One turn of one block of a resumable kernel, whose memory is not in the slot but at `places`. */
  runTurn(block: number, places: SlotPlaces): void {
    this.places = places
    this.enter(0, block, block + 1, places)
  }

  private enter(way: number, first: number, last: number, { shared, saved, localMemory }: SlotPlaces): void {
    const { instance } = this
    const before = instance.runner
    instance.runner = this
    try {
      instance.waysIn[way]!(first, last, this.job.slot.slot, shared, saved, localMemory)
    } finally {
      instance.runner = before
    }
  }

  /** For kernels that were compiled to be observed. */
  set observing(on: boolean) {
    new DataView(this.memory.buffer).setUint32(this.job.slot.slot + OBSERVING, on ? 1 : 0, true)
  }

  /** The block that ran last: where the launch stopped. */
  get currentBlock(): number {
    return this.slotWords()[CURRENT_BLOCK >> 2]!
  }

  /** Everything but lane tables, which the kernel writes itself, and stamps of words that the block does not have. */
  private clear(): void {
    const { layout, slot: places } = this.job
    const { slot, shared, sharedBytes } = places
    const stamps = Math.min(alignUp(sharedBytes, 4), layout.laneTables - layout.wordStamps)
    this.instance.clear(slot, layout.wordStamps + stamps)
    this.instance.clear(shared, sharedBytes)
  }

  counters(): SlotCounters {
    const { layout, sites, blockCount, slot } = this.job
    const view = new DataView(this.memory.buffer)
    const read = (at: number): number =>
      view.getUint32(slot.slot + at, true) + 2 ** 32 * view.getUint32(slot.slot + at + 4, true)
    for (const site of sites.keys()) this.countEvicted(site)
    const result = sites.map((_, site) => {
      const counters = emptyCounters()
      const pattern = layout.patterns + site * PATTERN_BYTES
      const repetitions = read(pattern + PATTERN_HITS)
      SITE_FIELDS.forEach((field, index) => {
        counters[field] = read(layout.siteCounters + site * SITE_BYTES + index * 8)
        counters[field] += repetitions * read(pattern + PATTERN_COUNTS + index * 8)
      })
      addCounters(counters, this.slow[site]!)
      return counters
    })
    const words = new Uint32Array(this.memory.buffer, slot.slot, layout.wordStamps >> 2)
    for (const histogram of this.job.histograms) this.addHistogram(result[histogram.site]!, histogram, words)
    const blocks = Array.from({ length: blockCount }, (_, block) => ({
      warps: read(layout.blockCounters + block * 16),
      threads: read(layout.blockCounters + block * 16 + 8),
    }))
    return { sites: result, blocks }
  }

  /** Adds what was counted by mask and low address bits: the model sees each combination once. */
  private addHistogram(counters: SiteCounters, use: HistogramJob, words: Uint32Array): void {
    const { layout, runs } = this.job
    const histogram = (layout.histograms + use.source * HISTOGRAM_BYTES) >> 2
    for (let bin = 0; bin < HISTOGRAM_BINS; bin++)
      if (words[histogram + bin]) this.countTimes(counters, use, -1, bin, words[histogram + bin]!)
    const run = runs.find(({ source }) => source === use.source)
    if (run) this.addRun(counters, use, run, words)
    for (let entry = 0; entry < PARTIAL_ENTRIES; entry++) {
      const at = ((layout.partials + use.source * PARTIALS_BYTES) >> 2) + entry * 4
      if (words[at + 2]) this.countTimes(counters, use, words[at]!, words[at + 1]!, words[at + 2]!)
    }
  }

  /** A site's runs, taken apart into the accesses of single warps. */
  private addRun(
    counters: SiteCounters,
    use: HistogramJob,
    { source, mask, warps, step }: SlotJob['runs'][number],
    words: Uint32Array,
  ): void {
    const { layout } = this.job
    const histogram = (layout.runs + source * HISTOGRAM_BYTES) >> 2
    const by = step ?? words[(layout.runSteps + source * RUN_STEP_BYTES) >> 2]!
    const bins = new Uint32Array(HISTOGRAM_BINS)
    for (let latest = 0; latest < HISTOGRAM_BINS; latest++) {
      const times = words[histogram + latest]!
      if (times === 0) continue
      for (let warp = 0; warp < warps; warp++) bins[(latest - Math.imul(warp, by)) & (HISTOGRAM_BINS - 1)]! += times
    }
    for (const [bin, times] of bins.entries()) if (times > 0) this.countTimes(counters, use, mask, bin, times)
  }

  /** The kernel's table of combinations was full. */
  keepTimes(source: number, mask: number, bin: number, times: number): void {
    const kept = this.evicted[source]!
    const key = (mask >>> 0) * HISTOGRAM_BINS + bin
    kept.set(key, (kept.get(key) ?? 0) + times)
    if (kept.size >= MOST_EVICTED) this.countEvicted(source)
  }

  /** What had to leave a table counts for all sites of the table. */
  private countEvicted(source: number): void {
    const kept = this.evicted[source]!
    for (const use of this.job.histograms)
      if (use.source === source)
        for (const [key, times] of kept)
          this.countTimes(this.slow[use.site]!, use, Math.floor(key / HISTOGRAM_BINS) | 0, key % HISTOGRAM_BINS, times)
    kept.clear()
  }

  /**
   * Counts `times` accesses whose lanes' addresses are those of the site's lane vector plus a scalar known modulo 128; `first`
   * are these bits of the source's scalar.
   */
  private countTimes(
    counters: SiteCounters,
    { site, plus, constant, table }: HistogramJob,
    mask: number,
    first: number,
    times: number,
  ): void {
    const bin = (first + plus) & (HISTOGRAM_BINS - 1)
    const counts = this.countsOf(site, constant, table, mask, bin)
    counters.executed += times
    counters.threads += activeLanes(mask) * times
    for (const key of Object.keys(counts) as (keyof typeof counts)[])
      counters[key] = (counters[key] ?? 0) + (counts[key] ?? 0) * times
  }

  /** One access of these lanes; where the launch does not decide them, once for all launches of the module. */
  private countsOf(
    site: number,
    constant: readonly number[],
    table: number | undefined,
    mask: number,
    bin: number,
  ): AccessCounts {
    const key = `${site} ${mask} ${bin}`
    const known = table === undefined ? this.known.get(key) : undefined
    if (known) return known
    const { slot, sites, localBytes } = this.job
    const { space, op, width, form } = sites[site]!
    const view = new DataView(this.memory.buffer)
    const lanes = Int32Array.from(constant, (lane, index) =>
      table === undefined ? lane : view.getInt32(slot.slot + table + index * 4, true),
    )
    const lowest = lanes.reduce((a, b) => Math.min(a, b), 0)
    const start = Math.ceil(-lowest / HISTOGRAM_BINS) * HISTOGRAM_BINS
    const addresses = Uint32Array.from(lanes, (lane, index) => {
      if (space !== 'local') return start + bin + lane
      return interleave(bin + lane - index * localBytes, index)
    })
    const counts = this.host.model({ space, op, width, form, mask, addresses })
    if (this.known.size > MOST_KNOWN) this.known.clear()
    if (table === undefined) this.known.set(key, counts)
    return counts
  }

  /** Counts the access whose addresses are in the slot by the model's own function. */
  countSlow(site: number, mask: number, warp: number): void {
    for (const { site: id, access } of this.accessesInSlot(site, mask, warp)) {
      const counters = this.slow[id]!
      counters.executed++
      counters.threads += activeLanes(access.mask)
      addCounters(counters, this.host.model(access))
    }
  }

  /** Shows the access whose addresses are in the slot. */
  observe(site: number, mask: number, warp: number): void {
    const block = this.currentBlock
    for (const { access } of this.accessesInSlot(site, mask, warp)) this.host.observe?.(block, warp, access)
  }

  /** A view that is kept, since making one costs more than an access; memory that is not shared loses it when it grows. */
  private slotWords(): Uint32Array<ArrayBuffer | SharedArrayBuffer> {
    if (this.words.length === 0) this.words = new Uint32Array(this.memory.buffer, this.job.slot.slot, FIXED_BYTES >> 2)
    return this.words
  }

  /** The access whose addresses are in the slot, valid until the next one is asked for, taken apart lane by lane where the space is open. */
  private accessesInSlot(site: number, mask: number, warp: number): { site: number; access: WarpAccess }[] {
    const { sites, groups, localBytes } = this.job
    const words = this.slotWords()
    const group = groups[site] ?? [site]
    const raw = this.addresses
    if (group.length === 1) {
      if (mask === 0) return []
      const { space, op, width, form } = sites[site]!
      for (let lane = 0; lane < 32; lane++)
        raw[lane] = this.modelAddress(space, words[(ADDRESSES >> 2) + lane]!, lane, warp, localBytes)
      return [{ site, access: { space, op, width, form, mask, addresses: raw } }]
    }
    const byspace = new Map<Space, { site: number; mask: number }>()
    for (let lane = 0; lane < 32; lane++) {
      if (!((mask >>> lane) & 1)) continue
      const address = words[(ADDRESSES >> 2) + lane]!
      const space = this.spaceOf(address)
      const found = byspace.get(space) ?? { site: group.find(id => sites[id]!.space === space) ?? site, mask: 0 }
      found.mask |= 1 << lane
      byspace.set(space, found)
      raw[lane] = this.modelAddress(space, address, lane, warp, localBytes)
    }
    return [...byspace].map(([space, { site: id, mask: lanes }]) => {
      const { op, width, form } = sites[id]!
      return { site: id, access: { space, op, width, form, mask: lanes, addresses: raw } }
    })
  }

  private spaceOf(offset: number): Space {
    const { shared, sharedBytes, localMemory, end } = this.places
    if (offset >= HEAP_OFFSET) return 'global'
    if (offset >= CONSTANT_OFFSET) return 'constant'
    if (offset >= shared && offset < shared + sharedBytes) return 'shared'
    return offset >= localMemory && offset < end ? 'local' : 'global'
  }

  /** trace.ts: shared memory by offsets in the window, local memory interleaved. */
  private modelAddress(space: Space, offset: number, lane: number, warp: number, localBytes: number): number {
    const { shared, localMemory } = this.places
    if (space === 'shared') return offset - shared
    if (space === 'local') return interleave(offset - localMemory - (warp * 32 + lane) * localBytes, lane)
    return (offset + DEVICE_BASE) >>> 0
  }
}

/** Byte `offset` of lane's local memory as the hardware lays it out: word w of lane l at (32 w + l) x 4. */
function interleave(offset: number, lane: number): number {
  return (offset >> 2) * 128 + lane * 4 + (offset & 3)
}
