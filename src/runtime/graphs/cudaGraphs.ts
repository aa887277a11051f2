/**
 * Graph calls: graphs, their nodes and edges, instances and their launches. Structures arrive as lists of words
 * (include/warplens/host_graphs.h has the positions). What a node does is nodeOperations.ts's, capture is cudaCapture.ts's.
 */
import type { CallResult, CudaContext, HostFunctions } from '../context.ts'
import { attributeCalls } from '../launches/launchAttributes.ts'
import type { OperationKind } from '../timeline/streamTable.ts'
import { captureCalls } from './cudaCapture.ts'
import { GraphConditions } from './graphConditions.ts'
import { graphDot } from './graphDot.ts'
import { graphLookups } from './graphLookups.ts'
import { type Graph, type GraphNode, GraphTable } from './graphs.ts'
import { cloneGraph, type GraphParts, nodeOperations, runInOrder } from './nodeOperations.ts'
import { UserObjects, userObjectCalls } from './userObjects.ts'

export type { GraphParts } from './nodeOperations.ts'

/** cudaGraphNodeType. */
const NODE_TYPES: Readonly<Record<OperationKind, number>> = {
  kernel: 0,
  memcpy: 1,
  memset: 2,
  host: 3,
  graph: 4,
  empty: 5,
  waitEvent: 6,
  eventRecord: 7,
  memAlloc: 10,
  memFree: 11,
  conditional: 13,
}
/** Nodes that an instance may leave out ("Currently only kernel, memset and memcpy nodes are supported"). */
const CAN_BE_DISABLED: readonly OperationKind[] = ['kernel', 'memset', 'memcpy']
const ASSIGN_DEFAULT = 1
const UPDATE_TOPOLOGY_CHANGED = 2

export function graphCalls(context: CudaContext, parts: GraphParts): HostFunctions {
  const { host } = context.parts
  const { streams } = parts
  const table = new GraphTable(streams)
  const objects = new UserObjects()
  const lookups = graphLookups(context, table, streams)
  const { withGraph, withStream, nodesAt } = lookups
  const conditions = new GraphConditions(context, parts.addresses)
  const operationFrom = nodeOperations(context, parts, table, conditions)
  const add = (out: number, graph: Graph, list: number, count: number, kind: OperationKind, words: number) => {
    const after = nodesAt(list, count)
    if (after === undefined || out === 0) return 'cudaErrorInvalidValue'
    const operation = operationFrom(kind, words, after)
    if (typeof operation === 'string') return operation
    const node = table.addNode(graph, kind, operation, after)
    if (kind === 'memFree') context.graphMemory.noteFree(node, host.u32(words))
    host.setU32(out, node.handle)
    return 'cudaSuccess'
  }
  const kindNumbered = (type: number): OperationKind | undefined =>
    (Object.keys(NODE_TYPES) as OperationKind[]).find(kind => NODE_TYPES[kind] === type)
  /** Adds or removes edges: all of them, or none where one is there already, or is not. */
  const connect = (from: number, to: number, count: number, isAdded: boolean): CallResult => {
    const [sources, targets] = [nodesAt(from, count), nodesAt(to, count)]
    if (sources === undefined || targets === undefined) return 'cudaErrorInvalidValue'
    if (sources.some((source, index) => targets[index]!.after.has(source) === isAdded)) return 'cudaErrorInvalidValue'
    for (const [index, source] of sources.entries()) {
      if (isAdded) targets[index]!.after.add(source)
      else targets[index]!.after.delete(source)
    }
    return 'cudaSuccess'
  }
  /** Without a list, the number; else up to `count` handles, with null in the places left. */
  const listNodes = (nodes: readonly GraphNode[], list: number, count: number): CallResult => {
    const places = list === 0 ? 0 : host.u32(count)
    for (let index = 0; index < places; index++) host.setU32(list + 4 * index, nodes[index]?.handle ?? 0)
    host.setU32(count, nodes.length)
    return 'cudaSuccess'
  }
  return {
    cudaGraphCreate: context.call((out: number) => {
      host.setU32(out, table.createGraph().handle)
      return 'cudaSuccess'
    }),
    cudaGraphDestroy: context.call((handle: number) => {
      if (!table.destroyGraph(handle)) return 'cudaErrorInvalidValue'
      objects.dropAll(handle)
      return 'cudaSuccess'
    }),
    ...userObjectCalls(context, objects, handle => table.graph(handle) !== undefined),
    __warplens_add_node: context.call(
      (out: number, graph: number, list: number, count: number, type: number, words: number) => {
        const kind = kindNumbered(type)
        if (kind === undefined) return 'cudaErrorInvalidValue'
        return withGraph(graph, found => add(out, found, list, count, kind, words))
      },
    ),
    __warplens_set_node: context.call((handle: number, instance: number, words: number) => {
      const node = table.node(handle)
      if (node === undefined) return 'cudaErrorInvalidValue'
      const operation = operationFrom(node.kind, words, [...node.after])
      if (typeof operation === 'string') return operation
      if (instance === 0) {
        node.operation = operation
        return 'cudaSuccess'
      }
      const step = table.instance(instance)?.find(each => each.node === node)
      if (step === undefined) return 'cudaErrorInvalidValue'
      step.operation = operation
      return 'cudaSuccess'
    }),
    __warplens_get_node: context.call((handle: number, type: number, out: number) => {
      const node = table.node(handle)
      if (node === undefined || NODE_TYPES[node.kind] !== type) return 'cudaErrorInvalidValue'
      if (node.operation.words === undefined) return 'cudaErrorNotSupported'
      for (const [index, word] of node.operation.words().entries()) host.setU32(out + 4 * index, word)
      return 'cudaSuccess'
    }),
    __warplens_graph_dot: context.call((handle: number, flags: number, out: number) =>
      withGraph(handle, graph => {
        const text = graphDot(graph, flags)
        const capacity = new TextEncoder().encode(text).length + 1
        const address = context.parts.hostMalloc(capacity)
        host.setText(address, text, capacity)
        host.setU32(out, address)
        return 'cudaSuccess'
      }),
    ),
    cudaGraphDestroyNode: context.call((handle: number) =>
      table.destroyNode(handle) ? 'cudaSuccess' : 'cudaErrorInvalidValue',
    ),
    cudaGraphAddDependencies: context.call((graph: number, from: number, to: number, count: number) =>
      withGraph(graph, () => connect(from, to, count, true)),
    ),
    cudaGraphRemoveDependencies: context.call((graph: number, from: number, to: number, count: number) =>
      withGraph(graph, () => connect(from, to, count, false)),
    ),
    cudaGraphGetNodes: context.call((graph: number, list: number, count: number) =>
      withGraph(graph, ({ nodes }) => listNodes(nodes, list, count)),
    ),
    cudaGraphGetRootNodes: context.call((graph: number, list: number, count: number) =>
      withGraph(graph, ({ nodes }) =>
        listNodes(
          nodes.filter(node => node.after.size === 0),
          list,
          count,
        ),
      ),
    ),
    cudaGraphGetEdges: context.call((graph: number, from: number, to: number, count: number) =>
      withGraph(graph, ({ nodes }) => {
        const edges = nodes.flatMap(node => [...node.after].map(before => [before, node] as const))
        const room = from === 0 ? 0 : host.u32(count)
        for (const [index, [before, after]] of edges.slice(0, room).entries()) {
          host.setU32(from + 4 * index, before.handle)
          host.setU32(to + 4 * index, after.handle)
        }
        host.setU32(count, edges.length)
        return 'cudaSuccess'
      }),
    ),
    cudaGraphNodeGetDependencies: context.call((handle: number, list: number, count: number) => {
      const node = table.node(handle)
      return node === undefined ? 'cudaErrorInvalidValue' : listNodes([...node.after], list, count)
    }),
    cudaGraphNodeGetDependentNodes: context.call((handle: number, list: number, count: number) => {
      const node = table.node(handle)
      return node === undefined ? 'cudaErrorInvalidValue' : listNodes(table.nodesAfter(node), list, count)
    }),
    cudaGraphNodeGetType: context.call((handle: number, out: number) => {
      const node = table.node(handle)
      if (node === undefined) return 'cudaErrorInvalidValue'
      host.setU32(out, NODE_TYPES[node.kind])
      return 'cudaSuccess'
    }),
    cudaGraphClone: context.call((out: number, handle: number) =>
      withGraph(handle, graph => {
        const copy = cloneGraph(table, graph)
        if (copy === undefined) return 'cudaErrorInvalidValue'
        objects.share(graph.handle, copy.handle)
        host.setU32(out, copy.handle)
        return 'cudaSuccess'
      }),
    ),
    cudaGraphNodeFindInClone: context.call((out: number, original: number, clone: number) =>
      withGraph(clone, ({ twins, nodes }) => {
        const node = table.node(original)
        const twin = node && twins?.get(node)
        if (twin === undefined || !nodes.includes(twin)) return 'cudaErrorInvalidValue'
        host.setU32(out, twin.handle)
        return 'cudaSuccess'
      }),
    ),
    cudaGraphInstantiateWithFlags: context.call((out: number, handle: number) =>
      withGraph(handle, graph => {
        const instance = table.instantiate(graph)
        if (instance === undefined) return 'cudaErrorInvalidValue'
        objects.share(graph.handle, instance)
        host.setU32(out, instance)
        return 'cudaSuccess'
      }),
    ),
    cudaGraphUpload: context.call((instance: number, stream: number) =>
      withStream(stream, () => (table.instance(instance) === undefined ? 'cudaErrorInvalidValue' : 'cudaSuccess')),
    ),
    cudaGraphLaunch: context.call((instance: number, stream: number) => {
      const steps = table.instance(instance)
      if (steps === undefined) return 'cudaErrorInvalidValue'
      const resets = table.resetsOf(instance)
      return streams.enqueue(stream, 'graph', number => {
        for (const reset of resets) reset()
        return runInOrder(
          steps.filter(({ isDisabled }) => !isDisabled).map(({ operation }) => operation),
          number,
        )
      })
    }),
    __warplens_update_graph: context.call((instance: number, handle: number, result: number) =>
      withGraph(handle, graph => {
        const steps = table.instance(instance)
        if (steps === undefined) return 'cudaErrorInvalidValue'
        const isUpdated = table.update(steps, graph)
        if (result !== 0) host.setU32(result, isUpdated ? 0 : UPDATE_TOPOLOGY_CHANGED)
        return isUpdated ? 'cudaSuccess' : 'cudaErrorGraphExecUpdateFailure'
      }),
    ),
    cudaGraphExecDestroy: context.call((instance: number) => {
      if (!table.destroyInstance(instance)) return 'cudaErrorInvalidValue'
      objects.dropAll(instance)
      return 'cudaSuccess'
    }),
    cudaGraphNodeSetEnabled: context.call((instance: number, handle: number, isEnabled: number) => {
      const step = table.instance(instance)?.find(({ node }) => node.handle === handle)
      if (step === undefined || !CAN_BE_DISABLED.includes(step.node.kind)) return 'cudaErrorInvalidValue'
      step.isDisabled = isEnabled === 0
      return 'cudaSuccess'
    }),
    cudaGraphNodeGetEnabled: context.call((instance: number, handle: number, out: number) => {
      const step = table.instance(instance)?.find(({ node }) => node.handle === handle)
      if (step === undefined || !CAN_BE_DISABLED.includes(step.node.kind) || out === 0) return 'cudaErrorInvalidValue'
      host.setU32(out, step.isDisabled ? 0 : 1)
      return 'cudaSuccess'
    }),
    __warplens_create_condition: context.call((out: number, handle: number, value: number, flags: number) =>
      withGraph(handle, graph => {
        const address = conditions.create(graph, flags === ASSIGN_DEFAULT ? value : undefined)
        if (address === undefined) return 'cudaErrorMemoryAllocation'
        host.setU32(out, address)
        return 'cudaSuccess'
      }),
    ),
    ...captureCalls(context, table, lookups),
    cudaDeviceGetGraphMemAttribute: context.call((device: number, attribute: number, out: number) => {
      const value = context.graphMemory.attribute(attribute)
      if (device !== 0) return 'cudaErrorInvalidDevice'
      if (value === undefined || out === 0) return 'cudaErrorInvalidValue'
      // A 64-bit number to CUDA, a size_t to most programs, which here has 4 bytes.
      host.setU32(out, value)
      return 'cudaSuccess'
    }),
    cudaDeviceSetGraphMemAttribute: context.call((device: number, attribute: number) => {
      if (device !== 0) return 'cudaErrorInvalidDevice'
      if (attribute !== 1 && attribute !== 3) return 'cudaErrorInvalidValue'
      context.graphMemory.resetMost()
      return 'cudaSuccess'
    }),
    cudaDeviceGraphMemTrim: context.call((device: number) => {
      if (device !== 0) return 'cudaErrorInvalidDevice'
      context.graphMemory.trim()
      return 'cudaSuccess'
    }),
    ...attributeCalls(context, { streams, isKernelNode: handle => table.node(handle)?.kind === 'kernel' }),
  }
}
