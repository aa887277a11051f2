/**
 * Streams and events by the handles that the program holds. Handles are multiples of 16 from 0x10 on, so that they look
 * like pointers and differ from the special ones: 0 and 1 (the legacy default stream) and 2 (the per-thread one).
 */
import type { CallResult } from '../context.ts'
import { LEGACY_STREAM, type Timeline } from './timeline.ts'

const HANDLE_STEP = 16
const STREAM_LEGACY = 1
const STREAM_PER_THREAD = 2
const NON_BLOCKING = 1

export interface StreamInfo {
  /** As reports name it. */
  readonly number: number
  readonly flags: number
  readonly priority: number
  /** The device that a created stream belongs to; the default ones are every device's own. */
  readonly device?: number
  /** The graph that the stream's work goes to instead of being done. */
  capture?: Capture | undefined
}

/**
 * Work of a stream: what to do in the stream of that number. `words`: what a graph's node of that work would be made of
 * (include/warplens/host_graphs.h has the positions), where that is known.
 */
export interface Operation {
  (stream: number): CallResult
  readonly words?: () => readonly number[]
  /** What drawings of graphs call it. */
  readonly title?: () => string
}

/** What work is, as graphs tell it apart. */
export type OperationKind =
  | 'kernel'
  | 'memcpy'
  | 'memset'
  | 'host'
  | 'graph'
  | 'empty'
  | 'waitEvent'
  | 'eventRecord'
  | 'memAlloc'
  | 'memFree'
  | 'conditional'

/** Takes the work of streams that are captured into a graph (graphs.ts). */
export interface Capture {
  record(stream: StreamInfo, kind: OperationKind, operation: Operation): void
}

export interface EventInfo {
  readonly timed: boolean
  /** Virtual time at which the recorded work is done; undefined before the first record. */
  doneUs: number | undefined
  /** The stream whose captured work the event was recorded after. */
  captured?: StreamInfo | undefined
}

export class StreamTable {
  readonly #timeline: Timeline
  readonly #streams = new Map<number, StreamInfo>([
    [0, { number: LEGACY_STREAM, flags: 0, priority: 0 }],
    [STREAM_LEGACY, { number: LEGACY_STREAM, flags: 0, priority: 0 }],
    [STREAM_PER_THREAD, { number: LEGACY_STREAM, flags: 0, priority: 0 }],
  ])
  readonly #events = new Map<number, EventInfo>()
  #created = 0
  #nextHandle = HANDLE_STEP

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  has(handle: number): boolean {
    return this.#streams.has(handle >>> 0)
  }

  info(handle: number): StreamInfo | undefined {
    return this.#streams.get(handle >>> 0)
  }

  /** The stream's number in reports and on the timeline; the default one's for a handle that is not known. */
  numberOf(handle: number): number {
    return this.info(handle)?.number ?? LEGACY_STREAM
  }

  /** Does the work now, or hands it to the graph that the stream is captured into. */
  enqueue(handle: number, kind: OperationKind, operation: Operation): CallResult {
    const stream = this.info(handle)
    if (stream === undefined) return 'cudaErrorInvalidResourceHandle'
    // Kernels run on the current device: "a kernel launch will fail if it is issued to a stream that is not associated to it".
    if (kind === 'kernel' && stream.device !== undefined && stream.device !== this.#timeline.device)
      return 'cudaErrorInvalidResourceHandle'
    if (stream.capture === undefined) return operation(stream.number)
    stream.capture.record(stream, kind, operation)
    return 'cudaSuccess'
  }

  createStream(flags: number, priority: number): number {
    const number = ++this.#created
    this.#timeline.addStream(number, (flags & NON_BLOCKING) === 0)
    const handle = this.#handle()
    this.#streams.set(handle, { number, flags, priority, device: this.#timeline.device })
    return handle
  }

  /** False for the default streams and for handles that are not known. */
  destroyStream(handle: number): boolean {
    const stream = this.info(handle)
    if (stream === undefined || stream.number === LEGACY_STREAM) return false
    this.#timeline.removeStream(stream.number)
    return this.#streams.delete(handle >>> 0)
  }

  all(): Iterable<StreamInfo> {
    return this.#streams.values()
  }

  createEvent(timed: boolean): number {
    const handle = this.#handle()
    this.#events.set(handle, { timed, doneUs: undefined })
    return handle
  }

  event(handle: number): EventInfo | undefined {
    return this.#events.get(handle >>> 0)
  }

  destroyEvent(handle: number): boolean {
    return this.#events.delete(handle >>> 0)
  }

  #handle(): number {
    const handle = this.#nextHandle
    this.#nextHandle += HANDLE_STEP
    return handle
  }
}
