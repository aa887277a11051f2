/**
 * How threads share a launch. A shared control block of 32-bit words says what is going on; the job itself is JSON and the
 * kernel's module bytes in another shared buffer, so that neither side ever needs its event loop: the host program blocks its
 * thread while kernels run. Launches of one kernel mostly have the same job, which is written and read once. Works the same in
 * Node's worker threads and in a browser's workers.
 */
import type { Device } from '../../devices/device.ts'
import { accessModelFor } from '../../metrics/rules/accessModel.ts'
import type { SlotCounters } from '../counting/slotCounting.ts'
import type { RunningJob, SharedJob, WorkerFailure } from '../executor.ts'
import { RESULT_AREA_BYTES, type SlotJob, SlotRunner } from './slotRunner.ts'

/** Words of the control block. */
const GENERATION = 0
/** Number of workers that joined the job at hand, and CLOSED once nobody may. */
const JOINED = 1
const DONE = 2
const NEXT = 3
const JOB_BYTES = 4
const MODULE_BYTES = 5
const ALIVE = 6
/** Of the launch at hand: number of the job in the job area, its blocks, blocks at a time. */
const JOB = 7
const BLOCKS = 8
const CHUNK = 9
/** Two words, a double: when the launch has to stop, milliseconds since 1970. */
const DEADLINE = 10
export const CONTROL_WORDS = 16
const CLOSED = 1 << 30

/** Job text and module bytes, then one area for each worker's result text. */
export const JOB_AREA_BYTES = 4 << 20

export interface WorkerSetup {
  readonly control: SharedArrayBuffer
  readonly job: SharedArrayBuffer
  readonly results: SharedArrayBuffer
  readonly memory: WebAssembly.Memory
  readonly index: number
  readonly device: Device
}

interface JobText {
  /** Jobs with one key have one module. */
  readonly key: number
  readonly jobs: readonly SlotJob[]
}

/** What a worker keeps of a job for the launches to come. */
interface KnownJob {
  readonly module: WebAssembly.Module
  readonly slot: SlotJob | undefined
}

interface ResultText {
  readonly counters: SlotCounters
  readonly failure: WorkerFailure | undefined
}

/** A worker's life: waits for jobs and helps with them, until its thread is ended from outside. */
export function serveJobs({ control, job, results, memory, index, device }: WorkerSetup): never {
  const words = new Int32Array(control)
  const readJob = jobReader(words, job, index)
  const model = accessModelFor(device)
  Atomics.add(words, ALIVE, 1)
  for (let seen = 0; ; ) {
    Atomics.wait(words, GENERATION, seen)
    seen = Atomics.load(words, GENERATION)
    if (!join(words)) continue
    const result = help(words, readJob(), memory, index, model)
    writeText(results, index * RESULT_AREA_BYTES, JSON.stringify(result))
    Atomics.add(words, DONE, 1)
    Atomics.notify(words, DONE)
  }
}

/** The job in the job area, parsed when it is new. */
function jobReader(words: Int32Array, jobArea: SharedArrayBuffer, index: number): () => KnownJob {
  const jobs = new Map<number, KnownJob>()
  const modules = new Map<number, WebAssembly.Module>()
  return () => {
    const id = Atomics.load(words, JOB)
    const known = jobs.get(id)
    if (known) return known
    const textBytes = Atomics.load(words, JOB_BYTES)
    const text = JSON.parse(readText(jobArea, 0, textBytes)) as JobText
    const bytes = () => new Uint8Array(jobArea, textBytes, Atomics.load(words, MODULE_BYTES)).slice()
    const module = modules.get(text.key) ?? new WebAssembly.Module(bytes())
    modules.set(text.key, module)
    // The first job is the host's own.
    const read = { module, slot: text.jobs[index + 1] }
    jobs.set(id, read)
    return read
  }
}

function join(words: Int32Array): boolean {
  for (;;) {
    const joined = Atomics.load(words, JOINED)
    if (joined & CLOSED) return false
    if (Atomics.compareExchange(words, JOINED, joined, joined + 1) === joined) return true
  }
}

function help(
  words: Int32Array,
  { module, slot }: KnownJob,
  memory: WebAssembly.Memory,
  index: number,
  model: ReturnType<typeof accessModelFor>,
): ResultText & { readonly index: number } {
  if (!slot) return { index, counters: { sites: [], blocks: [] }, failure: undefined }
  const blocks = Atomics.load(words, BLOCKS)
  const chunk = Atomics.load(words, CHUNK)
  const deadline = deadlineOf(words)[0]!
  let failure: WorkerFailure | undefined
  const stop = (kind: WorkerFailure['kind'], block: number, message: string): void => {
    failure = { kind, block, message }
    Atomics.store(words, NEXT, blocks)
  }
  const runner = new SlotRunner(module, slot, memory, {
    model,
    tick: () => {
      if (Date.now() > deadline) throw new Error('timeout')
    },
    fault: () => {
      throw new Error('divergent barrier')
    },
    external: () => {
      throw new Error('a call to the host from a worker')
    },
  })
  try {
    const take = (): number => Atomics.add(words, NEXT, chunk)
    for (let first = take(); first < blocks; first = take()) {
      runner.run(first, Math.min(blocks, first + chunk))
      if (Date.now() > deadline) throw new Error('timeout')
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    stop(message === 'timeout' ? 'timeout' : 'trap', runner.currentBlock, message)
  }
  return { index, counters: runner.counters(), failure }
}

function deadlineOf(words: Int32Array): Float64Array {
  return new Float64Array(words.buffer, DEADLINE * 4, 1)
}

/** The host's side: hands jobs to whatever workers are alive. */
export class JobBoard {
  readonly control = new SharedArrayBuffer(CONTROL_WORDS * 4)
  readonly job = new SharedArrayBuffer(JOB_AREA_BYTES)
  readonly results: SharedArrayBuffer
  private readonly words = new Int32Array(this.control)
  /** Numbers of modules and jobs. */
  private readonly keys = new Map<Uint8Array, number>()
  private readonly ids = new Map<readonly SlotJob[], number>()
  /** Which job the job area holds. */
  private written = -1
  readonly size: number

  constructor(size: number) {
    this.size = size
    this.results = new SharedArrayBuffer(size * RESULT_AREA_BYTES)
  }

  start({ bytes, jobs, start, blocks, chunk, deadline }: SharedJob): RunningJob {
    const { words } = this
    Atomics.store(words, NEXT, start)
    Atomics.store(words, DONE, 0)
    Atomics.store(words, BLOCKS, blocks)
    Atomics.store(words, CHUNK, chunk)
    // performance.now() counts from another start in every thread.
    deadlineOf(words)[0] = deadline === Infinity ? Infinity : Date.now() + deadline - performance.now()
    if (this.writeJob(bytes, jobs)) {
      Atomics.store(words, JOINED, 0)
      Atomics.add(words, GENERATION, 1)
      Atomics.notify(words, GENERATION)
    } else Atomics.store(words, JOINED, CLOSED)
    return {
      take: () => Atomics.add(words, NEXT, chunk),
      stop: () => void Atomics.store(words, NEXT, blocks),
      finish: () => this.finish(),
    }
  }

  /** Nobody reads the job area now: who joined the launch before is done. False where the job is too large for it. */
  private writeJob(bytes: Uint8Array, jobs: readonly SlotJob[]): boolean {
    const { words } = this
    const id = this.ids.get(jobs) ?? this.ids.size
    this.ids.set(jobs, id)
    if (id !== this.written) {
      const key = this.keys.get(bytes) ?? this.keys.size
      this.keys.set(bytes, key)
      const text: JobText = { key, jobs }
      const encoded = new TextEncoder().encode(JSON.stringify(text))
      if (encoded.length + bytes.length > JOB_AREA_BYTES) return false
      new Uint8Array(this.job).set(encoded)
      new Uint8Array(this.job).set(bytes, encoded.length)
      Atomics.store(words, JOB_BYTES, encoded.length)
      Atomics.store(words, MODULE_BYTES, bytes.length)
      this.written = id
    }
    Atomics.store(words, JOB, id)
    return true
  }

  private finish(): ReturnType<RunningJob['finish']> {
    const { words } = this
    const joined = Atomics.or(words, JOINED, CLOSED) & ~CLOSED
    for (let done = Atomics.load(words, DONE); done < joined; done = Atomics.load(words, DONE))
      Atomics.wait(words, DONE, done)
    const texts = Array.from({ length: this.size }, (_, index) => takeText(this.results, index * RESULT_AREA_BYTES))
    const found = texts.filter(text => text !== undefined).map(text => JSON.parse(text) as ResultText)
    return {
      counters: found.map(({ counters }) => counters).filter(({ sites }) => sites.length > 0),
      failures: found.flatMap(({ failure }) => (failure ? [failure] : [])),
    }
  }
}

/** Text with its length before it. */
function writeText(buffer: SharedArrayBuffer, at: number, text: string): void {
  const encoded = new TextEncoder().encode(text)
  new Uint8Array(buffer).set(encoded, at + 4)
  new DataView(buffer).setUint32(at, encoded.length, true)
}

function takeText(buffer: SharedArrayBuffer, at: number): string | undefined {
  const view = new DataView(buffer)
  const length = view.getUint32(at, true)
  if (length === 0) return undefined
  view.setUint32(at, 0, true)
  return readText(buffer, at + 4, length)
}

function readText(buffer: SharedArrayBuffer, at: number, length: number): string {
  // A decoder refuses shared memory.
  return new TextDecoder().decode(new Uint8Array(buffer, at, length).slice())
}
