/**
 * The fast {@link Executor}: compiles a kernel for its block geometry, runs its blocks in chunks on this thread and, when a
 * pool is given and the launch is large enough, on workers beside it. Counters come out the same whatever the number of
 * workers; launches whose result could depend on the order of blocks run on one thread.
 */
import { SYSTEM_BYTES } from '../addressSpace.ts'
import { accessibleBytes } from '../analysis/facts/layout.ts'
import type { KernelProgram } from '../analysis/prepare.ts'
import { clusterSize } from '../clusters.ts'
import { UserError, userError } from '../diagnostic.ts'
import { alignUp } from '../ir/types.ts'
import type { Dim3, Executor, Fault, LaunchOutcome, LaunchRequest } from '../launch.ts'
import { referenceExecutor, replayBlock } from '../reference/executor.ts'
import { findUnsupported } from '../reference/unsupported.ts'
import { addCounters } from '../trace.ts'
import { SlotChecks } from './checking/slotChecks.ts'
import { KernelClock } from './counting/kernelClock.ts'
import type { SlotCounters } from './counting/slotCounting.ts'
import { FAULT_DIVERGENT_BARRIER } from './flow/barriers.ts'
import { createExternals, OrderedPrinter } from './running/externals.ts'
import { type Prepared, type PrepareOptions, prepare, type VariantsOfPrograms } from './running/preparedKernel.ts'
import { Scheduler } from './running/scheduler.ts'
import { RESULT_AREA_BYTES, type SlotJob, type SlotPlaces, SlotRunner } from './running/slotRunner.ts'
import {
  LAUNCH_CLUSTER,
  LAUNCH_DYNAMIC_SHARED,
  LAUNCH_GRID,
  LAUNCH_OFFSET,
  LAUNCH_PARAMETER_BYTES,
  LAUNCH_PARAMETERS,
  LAUNCH_SHARED_BYTES,
  LAUNCH_THREADS,
  LAUNCH_WINDOW_STRIDE,
  SLOTS_OFFSET,
} from './slot.ts'

/** Threads to run between two looks at the clock, and milliseconds where it is known how long a block takes. */
const CHUNK_THREADS = 1 << 16
const CHUNK_MS = 0.5
/** Chunks for each of those who share a launch: who is done first waits for a chunk's time. Fewer threads are not worth a call. */
const CHUNKS_EACH = 32
const SMALLEST_CHUNK_THREADS = 1 << 12
/**
 * A launch that takes less is done before a worker has woken up and found its way (measured: two threads take 0.16 ms for what
 * one does in 0.05, 0.21 for 0.09). Before anybody knows how long, threads tell.
 */
const SHORTEST_SHARED_MS = 0.4
const SMALLEST_SHARED_LAUNCH = 1 << 15

/** The most that the counters of a site, and of a block of the kernel, take as a worker's text. */
const SITE_TEXT_BYTES = 320
const BLOCK_TEXT_BYTES = 64

/** Workers that help with a launch; see workerProtocol.ts. */
export interface Helpers {
  /** How many slots besides the caller's own may be in use. */
  readonly size: number
  /** Whether to share work of so many milliseconds, 0 where nobody knows: threads take a while to start. */
  areWorth(ms: number): boolean
  /** So much work that could have been shared was done without. */
  missed(ms: number): void
  /** Lets workers take chunks of the job until none is left. */
  start(job: SharedJob): RunningJob
}

export interface SharedJob {
  readonly bytes: Uint8Array
  /** The caller's own, then one for each of the others. */
  readonly jobs: readonly SlotJob[]
  readonly memory: WebAssembly.Memory
  /** The first block to run, and the end of the last. */
  readonly start: number
  readonly blocks: number
  readonly chunk: number
  readonly deadline: number
}

export interface RunningJob {
  /** The next chunk's first block, or a number >= blocks when none is left. */
  take(): number
  /** Hands out nothing more. */
  stop(): void
  /** Waits for the workers that joined. */
  finish(): { readonly counters: readonly SlotCounters[]; readonly failures: readonly WorkerFailure[] }
}

export interface WorkerFailure {
  readonly block: number
  readonly kind: 'timeout' | 'trap'
  readonly message: string
}

/** The engine's stack has no room for the kernel's frame; nothing of the launch has run. */
class FrameTooLarge extends UserError {
  constructor({ name, location }: KernelProgram['kernel']) {
    const message = `kernel ${name} keeps more values at a time than the engine's stack has room for`
    super(...userError('kernel-too-large', message, location).diagnostics)
  }
}

class StopSignal extends Error {
  readonly kind: 'timeout' | 'divergent-barrier'
  readonly where: number
  constructor(kind: StopSignal['kind'], where: number) {
    super(kind)
    this.kind = kind
    this.where = where
  }
}

export interface GeneratedExecutorOptions extends PrepareOptions {
  readonly helpers?: Helpers
  /**
   * A kernel that no code can be generated for runs on the reference interpreter, and this is told once a kernel and why.
   * Absent: such a kernel is refused with the UserError that says why.
   */
  readonly onFallback?: (kernel: string, reason: string) => void
}

export function createGeneratedExecutor(options: GeneratedExecutorOptions = {}): Executor {
  const variants: VariantsOfPrograms = new WeakMap()
  const interpreted = new WeakSet<KernelProgram>()
  return {
    execute(request) {
      const { program } = request
      if (interpreted.has(program)) return referenceExecutor.execute(request)
      const interpret = (error: unknown, reason: string | undefined): LaunchOutcome => {
        if (reason === undefined || !options.onFallback) throw error
        const refused = findUnsupported(program)
        if (refused.length > 0) throw new UserError(...refused)
        interpreted.add(program)
        options.onFallback(program.kernel.name, reason)
        return referenceExecutor.execute(request)
      }
      let launch: Launch
      try {
        launch = new Launch(request, prepare(variants, request, options), options.helpers)
      } catch (error) {
        return interpret(error, reasonToInterpret(error))
      }
      try {
        return launch.run()
      } catch (error) {
        return interpret(error, error instanceof FrameTooLarge ? error.message : undefined)
      }
    },
  }
}

/** Why the code generator gave up: something it does not support, or a function that is too large for the engine. */
function reasonToInterpret(error: unknown): string | undefined {
  if (error instanceof UserError)
    return error.diagnostics.every(({ code }) => code.startsWith('unsupported-')) ? error.message : undefined
  return error instanceof WebAssembly.CompileError ? error.message : undefined
}

/** Blocks that are run at a time by one of so many. */
function chunkOf(blocks: number, threadsPerBlock: number, sharers: number, blockMs: number | undefined): number {
  const blocksOf = (threads: number): number => Math.ceil(threads / threadsPerBlock)
  // To leave the kernel and come back takes what ten thousand threads of a short one do.
  const most = Math.max(blocksOf(CHUNK_THREADS), blockMs ? Math.floor(CHUNK_MS / blockMs) : 0)
  if (sharers === 1) return most
  const fair = Math.max(Math.ceil(blocks / (CHUNKS_EACH * sharers)), blocksOf(SMALLEST_CHUNK_THREADS))
  return Math.min(fair, most, Math.ceil(blocks / (2 * sharers)))
}

/** The table that a memory's launch area has from an earlier launch. */
const threadTables = new WeakMap<WebAssembly.Memory, Uint32Array>()

class Launch {
  private readonly request: LaunchRequest
  private readonly prepared: Prepared
  private readonly blocks: number
  private readonly helpers: Helpers | undefined

  constructor(request: LaunchRequest, prepared: Prepared, helpers: Helpers | undefined) {
    this.request = request
    this.prepared = prepared
    this.blocks = request.grid.x * request.grid.y * request.grid.z
    const { sites, kernel } = request.program
    const { blockMs } = prepared
    const isWorthIt =
      blockMs === undefined
        ? this.blocks * prepared.geometry.threads >= SMALLEST_SHARED_LAUNCH
        : this.blocks * blockMs >= SHORTEST_SHARED_MS
    const isLarge = sites.length * SITE_TEXT_BYTES + kernel.blocks.length * BLOCK_TEXT_BYTES > RESULT_AREA_BYTES
    const isShared = !request.checker && prepared.isOrderFree && !isLarge && isWorthIt && this.blocks > 1
    this.helpers = isShared ? helpers : undefined
  }

  run(): LaunchOutcome {
    const { request, prepared, blocks } = this
    const jobs = this.jobsFor(1 + (this.helpers?.size ?? 0))
    this.writeLaunchArea(jobs[0]!.slot)
    const printer = new OrderedPrinter(request.print)
    let scheduler: Scheduler | undefined
    const systemBytes = prepared.compiled.resumable ? SYSTEM_BYTES : jobs.at(-1)!.slot.end
    const tick = (block: number): void => {
      if (performance.now() > request.deadline) throw new StopSignal('timeout', block)
    }
    const clock = this.kernelClock(jobs[0]!.slot, () => own.currentBlock)
    const { checker } = request
    const checks = checker && new SlotChecks(request, checker, prepared.compiled, jobs[0]!.slot.slot)
    const own = new SlotRunner(prepared.module, jobs[0]!, request.memory, {
      model: request.model,
      tick,
      fault: (kind, where) => {
        throw new StopSignal(kind === FAULT_DIVERGENT_BARRIER ? 'divergent-barrier' : 'timeout', where)
      },
      reach: (site, offset, thread) => scheduler?.reach(site, offset, thread),
      checks,
      observe: (block, warp, access) => request.observer?.record(block, warp, access),
      external: createExternals(request, prepared.compiled.externals, jobs[0]!.slot, systemBytes, {
        geometry: prepared.geometry,
        printer,
        currentBlock: () => own.currentBlock,
        clock,
        arrive: (call, thread, arrival) => scheduler?.arrive(call, thread, arrival),
      }),
      ...(clock && { clock: event => clock.tell(event) }),
    })
    own.isAlone = true
    const chunk = chunkOf(blocks, prepared.geometry.threads, jobs.length, prepared.blockMs)
    let running: RunningJob | undefined
    let fault: Fault | undefined
    try {
      const { compiled, geometry } = prepared
      const { resumable } = compiled
      if (resumable) {
        const places = this.residentPlaces(jobs[0]!.slot)
        scheduler = new Scheduler({
          request,
          compiled: { ...compiled, resumable },
          geometry,
          runner: own,
          blocks,
          places,
          clock,
          tick,
          finishedBelow: block => printer.release(block),
        })
        scheduler.run()
      }
      if (!resumable) own.tryFrame()
      let next = resumable ? blocks : this.runObserved(own)
      const { helpers } = this
      const take = (): number => {
        const expectedMs = (blocks - next) * (prepared.blockMs ?? 0)
        if (!running && next < blocks && helpers?.areWorth(expectedMs)) {
          own.isAlone = false
          running = helpers.start({
            bytes: prepared.compiled.bytes,
            jobs,
            memory: request.memory,
            start: next,
            blocks,
            chunk,
            deadline: request.deadline,
          })
        }
        return running ? running.take() : (next += chunk) - chunk
      }
      const begin = performance.now()
      let [before, run] = [begin, 0]
      for (let first = take(); first < blocks; first = take()) {
        const last = Math.min(blocks, first + chunk)
        own.run(first, last)
        run += last - first
        printer.release(first)
        const now = performance.now()
        if (now > request.deadline) throw new StopSignal('timeout', own.currentBlock)
        if (!running) helpers?.missed(now - before)
        before = now
      }
      if (run > 0) prepared.blockMs = (before - begin) / run
    } catch (error) {
      running?.stop()
      if (error instanceof RangeError && !own.hasBegun && !running) throw new FrameTooLarge(request.program.kernel)
      fault = this.explain(error, own.currentBlock)
    }
    checks?.end()
    printer.release(blocks)
    clock?.end()
    const helped = running?.finish() ?? { counters: [], failures: [] }
    for (const { kind, block, message } of helped.failures) {
      fault ??= this.explain(
        kind === 'timeout' ? new StopSignal('timeout', block) : new WebAssembly.RuntimeError(message),
        block,
      )
    }
    const counters = [own.counters(), ...helped.counters]
    if (counters.some(({ isOverwritten }) => isOverwritten)) fault ??= this.overwritten(own.currentBlock)
    return { ...sum(counters), fault }
  }

  /** Runs the blocks that the launch's observer wants to see, from the first on; how many they were. */
  private runObserved(runner: SlotRunner): number {
    const {
      request: { observer, deadline },
      blocks,
    } = this
    let next = 0
    if (!observer) return next
    runner.observing = true
    for (; next < blocks && observer.wants(next); next++) {
      runner.run(next, next + 1)
      if (performance.now() > deadline) throw new StopSignal('timeout', next)
    }
    runner.observing = false
    return next
  }

  /** Of a kernel that times itself. */
  private kernelClock({ slot }: SlotPlaces, currentBlock: () => number): KernelClock | undefined {
    const { request, prepared } = this
    const { layout, resumable } = prepared.compiled
    if (!request.clock) return undefined
    const passages = {
      at: slot + layout.passages,
      warps: prepared.geometry.warps,
      blocks: request.program.kernel.blocks.length,
    }
    return new KernelClock(request.clock, request.memory, passages, {
      currentBlock,
      isResumable: resumable !== undefined,
    })
  }

  private writeLaunchArea(slot: SlotPlaces): void {
    const { request, prepared } = this
    const { grid, parameters, program, cluster } = request
    if (parameters.length > LAUNCH_PARAMETER_BYTES)
      throw userError(
        'too-many-arguments',
        `kernel ${program.kernel.name} takes ${parameters.length} bytes of arguments; at most ${LAUNCH_PARAMETER_BYTES} are possible`,
      )
    const { buffer } = request.memory
    const view = new DataView(buffer)
    ;[grid.x, grid.y, grid.z].forEach((size, axis) =>
      view.setUint32(LAUNCH_OFFSET + LAUNCH_GRID + axis * 4, size, true),
    )
    view.setUint32(LAUNCH_OFFSET + LAUNCH_DYNAMIC_SHARED, request.dynamicSharedBytes, true)
    view.setUint32(LAUNCH_OFFSET + LAUNCH_SHARED_BYTES, this.sharedBytes, true)
    ;[cluster?.x ?? 1, cluster?.y ?? 1, cluster?.z ?? 1].forEach((size, axis) =>
      view.setUint32(LAUNCH_OFFSET + LAUNCH_CLUSTER + axis * 4, size, true),
    )
    view.setUint32(LAUNCH_OFFSET + LAUNCH_WINDOW_STRIDE, residentBytes(slot), true)
    new Uint8Array(buffer).set(parameters, LAUNCH_OFFSET + LAUNCH_PARAMETERS)
    if (threadTables.get(request.memory) === prepared.threadIndices) return
    new Uint32Array(buffer, LAUNCH_OFFSET + LAUNCH_THREADS).set(prepared.threadIndices)
    threadTables.set(request.memory, prepared.threadIndices)
  }

  private get sharedBytes(): number {
    const { program, dynamicSharedBytes } = this.request
    return accessibleBytes(program.shared, dynamicSharedBytes)
  }

  private jobsFor(wanted: number): readonly SlotJob[] {
    const { jobs } = this.prepared
    const key = `${wanted},${this.sharedBytes}`
    const known = jobs.get(key) ?? this.makeJobs(wanted)
    jobs.set(key, known)
    return known
  }

  private makeJobs(wanted: number): readonly SlotJob[] {
    const { request, prepared } = this
    const { program } = request
    const { compiled, geometry } = prepared
    const { localBytes, fragmentBytes } = program
    const places = (start: number): SlotPlaces => {
      const shared = alignUp(start + compiled.slotBytes, 1024)
      const saved = alignUp(shared + this.sharedBytes + 256, 1024)
      const localMemory = alignUp(saved + compiled.savedBytesPerWarp * geometry.warps, 1024)
      const end = alignUp(localMemory + (localBytes * 32 + fragmentBytes) * geometry.warps, 4096)
      return {
        slot: start,
        slotBytes: compiled.slotBytes,
        shared,
        sharedBytes: this.sharedBytes,
        saved,
        localMemory,
        end,
      }
    }
    const groups: number[][] = []
    for (const ids of program.siteIds.values()) {
      const all = Object.values(ids)
      if (all.length > 1) for (const id of all) groups[id] = all
    }
    const jobs: SlotJob[] = []
    for (let start = SLOTS_OFFSET; jobs.length < wanted; ) {
      const slot = places(start)
      if (slot.end > SYSTEM_BYTES) break
      jobs.push({
        layout: compiled.layout,
        sites: program.sites.map(({ space, op, width, form, passesL1, nearStore, blockAxes }) => ({
          space,
          op,
          width,
          ...(form && { form }),
          ...(passesL1 && { passesL1 }),
          ...(nearStore && { nearStore }),
          ...(blockAxes !== undefined && { blockAxes }),
        })),
        groups: program.sites.map((_, site) => groups[site] ?? [site]),
        histograms: compiled.histograms.map(({ site, source, plus, lanes, table }) => ({
          site,
          source,
          plus,
          constant: [...lanes.constant],
          table,
        })),
        runs: compiled.runs.map(({ source, mask, warps, step }) => ({
          source,
          mask,
          warps,
          step: step.terms.length === 0 ? step.constant : undefined,
        })),
        blockCount: program.kernel.blocks.length,
        localBytes,
        slot,
      })
      start = slot.end
    }
    if (jobs.length === 0) throw this.tooLarge(places(SLOTS_OFFSET).end - SLOTS_OFFSET)
    return jobs
  }

  private tooLarge(bytes: number): UserError {
    const of = clusterSize(this.request.cluster) > 1 ? 'cluster' : 'block'
    return userError(
      'out-of-local-memory',
      `kernel ${this.request.program.kernel.name} needs ${bytes} bytes of local and shared memory a ${of}, more than Warplens keeps for it`,
    )
  }

  /** Memory of as many resident blocks as there is room for behind the slot; the first has the slot's own. */
  private residentPlaces(slot: SlotPlaces): SlotPlaces[] {
    const places: SlotPlaces[] = []
    const size = residentBytes(slot)
    for (let shift = 0; slot.end + shift <= SYSTEM_BYTES; shift += size)
      places.push({
        ...slot,
        shared: slot.shared + shift,
        saved: slot.saved + shift,
        localMemory: slot.localMemory + shift,
        end: slot.end + shift,
      })
    if (places.length < clusterSize(this.request.cluster)) throw this.tooLarge(clusterSize(this.request.cluster) * size)
    return places
  }

  /** Some block's stores went where no memory of the program's is; which and where nobody saw. */
  private overwritten(block: number): Fault {
    return {
      kind: 'illegal-address',
      message: 'the kernel wrote far below all of its allocations, over what Warplens keeps there: its counts are lost',
      block: indexOf(block, this.request.grid),
      thread: undefined,
      address: undefined,
      accessBytes: undefined,
      location: this.request.program.kernel.location,
    }
  }

  /** A fault with everything that can be found out; rethrows what is no fault of the program. */
  private explain(error: unknown, block: number): Fault {
    const { request } = this
    const where = { block: indexOf(block, request.grid), thread: undefined, address: undefined, accessBytes: undefined }
    if (error instanceof StopSignal) {
      if (error.kind === 'timeout')
        return {
          kind: 'timeout',
          message: 'the time limit was reached',
          ...where,
          location: request.program.kernel.location,
        }
      const blocks = request.program.kernel.blocks
      const location = blocks[error.where]?.instructions.at(-2)?.location
      return {
        kind: 'illegal-instruction',
        message: 'threads of one warp wait at different barriers',
        ...where,
        location,
      }
    }
    if (isFault(error)) return error.fault
    if (!(error instanceof WebAssembly.RuntimeError)) throw error
    // The generated code only knows that something is wrong: the reference interpreter finds thread, address and line.
    const replayed = replayBlock(request, block)
    // Alone, a block that waits for others gets no further.
    const isCause = replayed?.kind !== 'deadlock' && replayed?.kind !== 'timeout'
    return (
      (isCause ? replayed : undefined) ?? {
        kind: /out of bounds/.test(error.message) ? 'illegal-address' : 'trap',
        message: `the kernel stopped (${error.message}), and did not when the block was run again: its result depends on the order of threads`,
        ...where,
        location: request.program.kernel.location,
      }
    )
  }
}

/** From the memory of a resident block to that of the next one. */
const residentBytes = ({ shared, end }: SlotPlaces): number => end - shared

function isFault(error: unknown): error is { fault: Fault } {
  return typeof error === 'object' && error !== null && 'fault' in error
}

function indexOf(block: number, grid: Dim3): Dim3 {
  return { x: block % grid.x, y: Math.floor(block / grid.x) % grid.y, z: Math.floor(block / (grid.x * grid.y)) }
}

function sum(parts: readonly SlotCounters[]): Pick<LaunchOutcome, 'sites' | 'blocks' | 'loopWork'> {
  const [first, ...others] = parts as [SlotCounters, ...SlotCounters[]]
  const works = parts.flatMap(({ loopWork }) => loopWork ?? [])
  const all = works.reduce((sum, work) => sum + work.all, 0)
  const longest = works.reduce((sum, work) => sum + (work.longest ?? 0), 0)
  const most = Math.max(...works.map(work => work.most))
  const loopWork = all > 0 ? { loopWork: { all, most, ...(longest > 0 && { longest }) } } : {}
  if (others.length === 0) return { sites: first.sites, blocks: first.blocks, ...loopWork }
  const sites = first.sites.map(counters => ({ ...counters }))
  const blocks = first.blocks.map(counters => ({ ...counters }))
  for (const other of others) {
    other.sites.forEach((counters, site) => addCounters(sites[site]!, counters))
    other.blocks.forEach(({ warps, threads }, block) => {
      blocks[block]!.warps += warps
      blocks[block]!.threads += threads
    })
  }
  return { sites, blocks, ...loopWork }
}
