/**
 * What graph calls name by handles. In: handles and lists of them in the host's memory. Out: graphs, streams and nodes; a call with a handle
 * of nothing gets the error that CUDA's has.
 */
import type { CallResult, CudaContext } from '../context.ts'
import type { StreamInfo, StreamTable } from '../timeline/streamTable.ts'
import type { Graph, GraphNode, GraphTable } from './graphs.ts'

export interface GraphLookups {
  withGraph(handle: number, body: (graph: Graph) => CallResult): CallResult
  withStream(handle: number, body: (stream: StreamInfo) => CallResult): CallResult
  /** Undefined where one of them is none. */
  nodesAt(list: number, count: number): GraphNode[] | undefined
}

export function graphLookups(context: CudaContext, table: GraphTable, streams: StreamTable): GraphLookups {
  const { host } = context.parts
  const withGraph = (handle: number, body: (graph: Graph) => CallResult): CallResult => {
    const graph = table.graph(handle)
    return graph === undefined ? 'cudaErrorInvalidValue' : body(graph)
  }
  const withStream = (handle: number, body: (stream: StreamInfo) => CallResult): CallResult => {
    const stream = streams.info(handle)
    return stream === undefined ? 'cudaErrorInvalidResourceHandle' : body(stream)
  }
  const nodesAt = (list: number, count: number): GraphNode[] | undefined => {
    const nodes = Array.from({ length: count }, (_, index) => table.node(host.u32(list + 4 * index)))
    return nodes.every(node => node !== undefined) ? nodes : undefined
  }
  return { withGraph, withStream, nodesAt }
}
