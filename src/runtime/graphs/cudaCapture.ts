/**
 * Stream capture: the calls that make a graph of what a program enqueues. In: streams, and the graph and nodes that a capture goes on
 * behind. Out: graphs as those of cudaGraphs.ts; nothing runs while a stream captures.
 */
import type { CudaContext, HostFunctions } from '../context.ts'
import type { GraphLookups } from './graphLookups.ts'
import type { GraphTable } from './graphs.ts'

const CAPTURE_SET = 1
/** Nodes that a captured stream's next one comes after, as far as they are listed. */
const MOST_LISTED = 256
const CAPTURE_ACTIVE = 1

export function captureCalls(
  context: CudaContext,
  table: GraphTable,
  { withGraph, withStream, nodesAt }: GraphLookups,
): HostFunctions {
  const { host } = context.parts
  let captureList = 0
  return {
    cudaStreamBeginCapture: context.call((stream: number) =>
      withStream(stream, info => (stream === 0 ? 'cudaErrorStreamCaptureUnsupported' : table.beginCapture(info))),
    ),
    __warplens_capture_to_graph: context.call((stream: number, handle: number, list: number, count: number) =>
      withStream(stream, info =>
        withGraph(handle, graph => {
          const after = nodesAt(list, count)
          return after === undefined ? 'cudaErrorInvalidValue' : table.beginCapture(info, graph, after)
        }),
      ),
    ),
    __warplens_capture_after: context.call((stream: number, list: number, count: number, flags: number) =>
      withStream(stream, info => {
        const after = nodesAt(list, count)
        if (after === undefined) return 'cudaErrorInvalidValue'
        return table.continueAfter(info, after, flags !== CAPTURE_SET) ? 'cudaSuccess' : 'cudaErrorIllegalState'
      }),
    ),
    __warplens_capture_info: context.call(
      (stream: number, status: number, id: number, graph: number, list: number, count: number) =>
        withStream(stream, info => {
          const state = table.captureState(info)
          const store = (out: number, value: number): void => {
            if (out !== 0) host.setU32(out, value)
          }
          store(status, state ? CAPTURE_ACTIVE : 0)
          if (state === undefined) return 'cudaSuccess'
          store(id, state.id)
          if (id !== 0) host.setU32(id + 4, 0)
          store(graph, state.graph.handle)
          store(count, state.after.length)
          if (list !== 0) {
            captureList = captureList || context.parts.hostMalloc(4 * MOST_LISTED)
            for (const [index, node] of state.after.slice(0, MOST_LISTED).entries())
              host.setU32(captureList + 4 * index, node.handle)
            host.setU32(list, captureList)
          }
          return 'cudaSuccess'
        }),
    ),
    cudaStreamEndCapture: context.call((stream: number, out: number) =>
      withStream(stream, info => {
        const graph = table.endCapture(info)
        if (graph === undefined) return 'cudaErrorIllegalState'
        if (out !== 0) host.setU32(out, graph.handle)
        return 'cudaSuccess'
      }),
    ),
    cudaStreamIsCapturing: context.call((stream: number, out: number) =>
      withStream(stream, info => {
        host.setU32(out, info.capture === undefined ? 0 : CAPTURE_ACTIVE)
        return 'cudaSuccess'
      }),
    ),
    cudaThreadExchangeStreamCaptureMode: context.call(() => 'cudaSuccess'),
  }
}
