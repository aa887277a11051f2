/** Streams, events, callbacks. Work runs when it is enqueued; these calls order the virtual clock (timeline.ts). */
import type { CallResult, CudaContext, HostFunctions } from '../context.ts'
import type { EventInfo, Operation, StreamInfo, StreamTable } from '../timeline/streamTable.ts'
import type { Timeline } from '../timeline/timeline.ts'

const EVENT_DISABLE_TIMING = 2
/** cudaEventRecordExternal and cudaEventWaitExternal: in a stream that is captured, a node of the graph. */
const EXTERNAL = 1
const KNOWN_EVENT_FLAGS = 7
/** Numerically lowest is most urgent (cudaDeviceGetStreamPriorityRange on Volta and later). */
export const PRIORITIES = { least: 0, greatest: -5 } as const

/** What a graph's node does with an event: the event stands behind the launching stream's work, or that waits for the event. */
export function eventOperation(timeline: Timeline, event: EventInfo, kind: 'waitEvent' | 'eventRecord'): Operation {
  return stream => {
    if (kind === 'eventRecord') event.doneUs = timeline.readyUs(stream)
    else if (event.doneUs !== undefined) timeline.delayStream(stream, event.doneUs)
    return 'cudaSuccess'
  }
}

export function streamCalls(context: CudaContext, streams: StreamTable): HostFunctions {
  const { host, timeline } = context.parts
  const create = (out: number, flags: number, priority: number): CallResult => {
    if (out === 0 || (flags !== 0 && flags !== 1)) return 'cudaErrorInvalidValue'
    const urgency = Math.max(PRIORITIES.greatest, Math.min(PRIORITIES.least, priority))
    host.setU32(out, streams.createStream(flags, urgency))
    return 'cudaSuccess'
  }
  const withStream = (handle: number, body: (stream: StreamInfo) => CallResult): CallResult => {
    const stream = streams.info(handle)
    return stream === undefined ? 'cudaErrorInvalidResourceHandle' : body(stream)
  }
  /** The callback runs on the host after the stream's work so far; later work of the stream waits for it. */
  const runOnHost = (handle: number, body: () => void): CallResult =>
    streams.enqueue(handle, 'host', number => {
      const startUs = timeline.readyUs(number)
      body()
      timeline.delayStream(number, startUs)
      return 'cudaSuccess'
    })
  return {
    cudaStreamCreate: context.call((out: number) => create(out, 0, 0)),
    cudaStreamCreateWithFlags: context.call((out: number, flags: number) => create(out, flags, 0)),
    cudaStreamCreateWithPriority: context.call((out: number, flags: number, priority: number) =>
      create(out, flags, priority),
    ),
    cudaStreamGetPriority: context.call((handle: number, out: number) =>
      withStream(handle, stream => {
        host.setU32(out, stream.priority >>> 0)
        return 'cudaSuccess'
      }),
    ),
    cudaStreamGetFlags: context.call((handle: number, out: number) =>
      withStream(handle, stream => {
        host.setU32(out, stream.flags)
        return 'cudaSuccess'
      }),
    ),
    cudaStreamGetId: context.call((handle: number, out: number) =>
      withStream(handle, stream => {
        if (out === 0) return 'cudaErrorInvalidValue'
        host.setU32(out, stream.number + 1)
        host.setU32(out + 4, 0)
        return 'cudaSuccess'
      }),
    ),
    cudaStreamGetDevice: context.call((handle: number, out: number) =>
      withStream(handle, stream => {
        if (out === 0) return 'cudaErrorInvalidValue'
        host.setU32(out, stream.device ?? context.parts.devices.current)
        return 'cudaSuccess'
      }),
    ),
    cudaStreamDestroy: context.call((handle: number) =>
      streams.destroyStream(handle) ? 'cudaSuccess' : 'cudaErrorInvalidResourceHandle',
    ),
    cudaStreamSynchronize: context.call((handle: number) =>
      withStream(handle, stream => {
        if (stream.capture !== undefined) return 'cudaErrorStreamCaptureUnsupported'
        timeline.synchronizeStream(stream.number)
        return 'cudaSuccess'
      }),
    ),
    cudaStreamQuery: context.call((handle: number) =>
      withStream(handle, stream => {
        if (stream.capture !== undefined) return 'cudaErrorStreamCaptureUnsupported'
        return timeline.isIdle(stream.number) ? 'cudaSuccess' : 'cudaErrorNotReady'
      }),
    ),
    cudaStreamWaitEvent: context.call((handle: number, eventHandle: number, flags: number) =>
      withStream(handle, stream => {
        const event = streams.event(eventHandle)
        if (event === undefined) return 'cudaErrorInvalidResourceHandle'
        if (flags === EXTERNAL)
          return streams.enqueue(handle, 'waitEvent', eventOperation(timeline, event, 'waitEvent'))
        if (event.captured?.capture !== undefined) stream.capture = event.captured.capture
        else if (event.doneUs !== undefined) timeline.delayStream(stream.number, event.doneUs)
        return 'cudaSuccess'
      }),
    ),
    cudaStreamAddCallback: context.call((handle: number, callback: number, data: number, flags: number) =>
      flags !== 0 || callback === 0
        ? 'cudaErrorInvalidValue'
        : runOnHost(handle, () => context.parts.callHost(callback, handle, 0, data)),
    ),
    cudaLaunchHostFunc: context.call((handle: number, callback: number, data: number) =>
      callback === 0 ? 'cudaErrorInvalidValue' : runOnHost(handle, () => context.parts.callHost(callback, data)),
    ),
    cudaDeviceGetStreamPriorityRange: context.call((least: number, greatest: number) => {
      if (least !== 0) host.setU32(least, PRIORITIES.least >>> 0)
      if (greatest !== 0) host.setU32(greatest, PRIORITIES.greatest >>> 0)
      return 'cudaSuccess'
    }),
    ...eventCalls(context, streams),
  }
}

function eventCalls(context: CudaContext, streams: StreamTable): HostFunctions {
  const { host, timeline } = context.parts
  const create = (out: number, flags: number): CallResult => {
    if (out === 0 || (flags & ~KNOWN_EVENT_FLAGS) !== 0) return 'cudaErrorInvalidValue'
    host.setU32(out, streams.createEvent((flags & EVENT_DISABLE_TIMING) === 0))
    return 'cudaSuccess'
  }
  const withEvent = (handle: number, body: (event: EventInfo) => CallResult): CallResult => {
    const event = streams.event(handle)
    return event === undefined ? 'cudaErrorInvalidResourceHandle' : body(event)
  }
  const record = (handle: number, stream: number, flags: number): CallResult =>
    withEvent(handle, event => {
      const info = streams.info(stream)
      if (info === undefined) return 'cudaErrorInvalidResourceHandle'
      if (flags === EXTERNAL)
        return streams.enqueue(stream, 'eventRecord', eventOperation(timeline, event, 'eventRecord'))
      event.captured = info.capture && info
      if (info.capture === undefined) event.doneUs = timeline.readyUs(streams.numberOf(stream))
      return 'cudaSuccess'
    })
  return {
    cudaEventCreate: context.call((out: number) => create(out, 0)),
    cudaEventCreateWithFlags: context.call((out: number, flags: number) => create(out, flags)),
    cudaEventRecord: context.call((handle: number, stream: number) => record(handle, stream, 0)),
    cudaEventRecordWithFlags: context.call((handle: number, stream: number, flags: number) =>
      flags === 0 || flags === EXTERNAL ? record(handle, stream, flags) : 'cudaErrorInvalidValue',
    ),
    cudaEventQuery: context.call((handle: number) =>
      withEvent(handle, event => ((event.doneUs ?? 0) <= timeline.hostUs ? 'cudaSuccess' : 'cudaErrorNotReady')),
    ),
    cudaEventSynchronize: context.call((handle: number) =>
      withEvent(handle, event => {
        timeline.waitForHost(event.doneUs ?? 0)
        return 'cudaSuccess'
      }),
    ),
    cudaEventDestroy: context.call((handle: number) =>
      streams.destroyEvent(handle) ? 'cudaSuccess' : 'cudaErrorInvalidResourceHandle',
    ),
    cudaEventElapsedTime: context.call((out: number, startHandle: number, endHandle: number) => {
      const start = streams.event(startHandle)
      const end = streams.event(endHandle)
      if (out === 0) return 'cudaErrorInvalidValue'
      if (!start?.timed || !end?.timed || start.doneUs === undefined || end.doneUs === undefined)
        return 'cudaErrorInvalidResourceHandle'
      if (Math.max(start.doneUs, end.doneUs) > timeline.hostUs) return 'cudaErrorNotReady'
      host.setF32(out, (end.doneUs - start.doneUs) / 1000)
      return 'cudaSuccess'
    }),
  }
}
