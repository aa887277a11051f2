/** Graph calls and stream capture. Structures arrive as lists of words (include/warplens/host_graphs.h has the positions). */
import { type LaunchParts, prepareLaunch } from '../calls/cudaLaunch.ts'
import { eventOperation } from '../calls/cudaStreams.ts'
import type { CallResult, CudaContext, HostFunctions } from '../context.ts'
import { attributeCalls } from '../launches/launchAttributes.ts'
import type { AddressBook } from '../memory/addresses.ts'
import { runFill } from '../memory/copies.ts'
import type { Operation, OperationKind, StreamInfo, StreamTable } from '../timeline/streamTable.ts'
import { graphDot } from './graphDot.ts'
import { type Graph, type GraphNode, GraphTable } from './graphs.ts'
import { UserObjects } from './userObjects.ts'

export interface GraphParts {
  readonly launches: LaunchParts
  readonly streams: StreamTable
  readonly addresses: AddressBook
  /** The copy that the words of `__warplens_copy_box` describe; an error where they make no sense. */
  readonly boxCopy: (words: number) => Operation | CallResult
}

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
/** Nodes that tell what they were made of, and the number of their words; a kernel's operation knows its own. */
const KEPT_WORDS: Readonly<Partial<Record<OperationKind, number>>> = {
  memcpy: 19,
  memset: 6,
  host: 2,
  waitEvent: 1,
  eventRecord: 1,
  memFree: 1,
}
/** Nodes that an instance may leave out ("Currently only kernel, memset and memcpy nodes are supported"). */
const CAN_BE_DISABLED: readonly OperationKind[] = ['kernel', 'memset', 'memcpy']
/** cudaGraphConditionalNodeType. */
const CONDITION = { if: 0, while: 1, switch: 2 } as const
const CAPTURE_SET = 1
/** cudaGraphUserObjectMove. */
const MOVE_REFERENCES = 1
const ASSIGN_DEFAULT = 1
/** Nodes that a captured stream's next one comes after, as far as they are listed. */
const MOST_LISTED = 256
const UPDATE_TOPOLOGY_CHANGED = 2
const CAPTURE_ACTIVE = 1

export function graphCalls(context: CudaContext, parts: GraphParts): HostFunctions {
  const { host } = context.parts
  const { streams } = parts
  const table = new GraphTable(streams)
  const objects = new UserObjects()
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
  const conditions = new Set<number>()
  let captureList = 0
  const isCondition = (address: number): boolean => conditions.has(address)
  const wordAt = (address: number): DataView => {
    const { buffer, byteOffset } = parts.addresses.view('device', address, 4)
    return new DataView(buffer, byteOffset, 4)
  }
  const readWord = (address: number): number => wordAt(address).getUint32(0, true)
  /** What a node of that kind does, from its words. */
  const operationFrom = (kind: OperationKind, words: number, after: readonly GraphNode[]): Operation | CallResult => {
    const operation = operationOf(kind, words, after)
    const count = KEPT_WORDS[kind]
    if (typeof operation === 'string' || operation.words !== undefined || count === undefined) return operation
    const kept = Array.from({ length: count }, (_, index) => host.u32(words + 4 * index))
    return Object.assign(operation, { words: () => kept })
  }
  const operationOf = (kind: OperationKind, words: number, after: readonly GraphNode[]): Operation | CallResult => {
    const word = (index: number): number => host.u32(words + 4 * index)
    const dim3At = (index: number) => ({ x: word(index), y: word(index + 1), z: word(index + 2) })
    switch (kind) {
      case 'kernel': {
        const shape = { grid: dim3At(1), block: dim3At(4), dynamicSharedBytes: word(7) }
        return prepareLaunch(context, parts.launches, word(0), shape, word(8), false)
      }
      case 'memcpy':
        return parts.boxCopy(words)
      case 'memset': {
        const [address, elementBytes, height, pitch, value, width] = [0, 1, 2, 3, 4, 5].map(word) as [
          number,
          number,
          number,
          number,
          number,
          number,
        ]
        return memsetOperation(context, parts.addresses, { address, elementBytes, height, pitch, value, width })
      }
      case 'host': {
        const [callback, data] = [word(0), word(1)]
        return () => {
          context.parts.callHost(callback, data)
          return 'cudaSuccess'
        }
      }
      case 'graph': {
        const child = table.graph(word(0))
        const copy = child && cloneGraph(table, child)
        return copy === undefined ? 'cudaErrorInvalidValue' : childOperation(copy)
      }
      case 'waitEvent':
      case 'eventRecord': {
        const event = streams.event(word(0))
        return event === undefined ? 'cudaErrorInvalidValue' : eventOperation(context.parts.timeline, event, kind)
      }
      case 'empty':
        return () => 'cudaSuccess'
      case 'memAlloc': {
        const [bytes, addressOut] = [word(0), word(1)]
        const address = bytes === 0 ? undefined : context.graphMemory.allocate(bytes, after)
        if (address === undefined) return bytes === 0 ? 'cudaErrorInvalidValue' : 'cudaErrorMemoryAllocation'
        host.setU32(addressOut, address)
        const occupy: Operation = () => {
          context.graphMemory.occupy(address)
          return 'cudaSuccess'
        }
        return Object.assign(occupy, { words: () => [bytes, address] })
      }
      case 'conditional': {
        const [condition, type, size, listOut] = [word(0), word(1), word(2), word(3)]
        const most = { [CONDITION.if]: 2, [CONDITION.while]: 1 }[type] ?? size
        if (!isCondition(condition) || type > CONDITION.switch || size < 1 || size > most)
          return 'cudaErrorInvalidValue'
        const bodies = Array.from({ length: size }, () => table.createGraph())
        const list = context.parts.hostMalloc(4 * size)
        for (const [index, body] of bodies.entries()) host.setU32(list + 4 * index, body.handle)
        host.setU32(listOut, list)
        return conditionalOperation(context, type, () => readWord(condition), bodies)
      }
      case 'memFree': {
        const address = word(0)
        if (!context.graphMemory.owns(address)) return 'cudaErrorInvalidValue'
        return () => {
          context.graphMemory.free(address)
          return 'cudaSuccess'
        }
      }
    }
  }
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
    __warplens_create_condition: context.call((out: number, handle: number, value: number, flags: number) =>
      withGraph(handle, graph => {
        const address = context.parts.memory.allocate(4, 'cudaMalloc')
        if (address === undefined) return 'cudaErrorMemoryAllocation'
        conditions.add(address)
        if (flags === ASSIGN_DEFAULT) graph.resets.push(() => wordAt(address).setUint32(0, value >>> 0, true))
        host.setU32(out, address)
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
    cudaThreadExchangeStreamCaptureMode: context.call(() => 'cudaSuccess'),
  }
}

function userObjectCalls(
  context: CudaContext,
  objects: UserObjects,
  isGraph: (handle: number) => boolean,
): HostFunctions {
  const { host, callHost } = context.parts
  return {
    cudaUserObjectCreate: context.call((out: number, pointer: number, destroy: number, count: number) => {
      if (out === 0 || destroy === 0 || count < 1) return 'cudaErrorInvalidValue'
      host.setU32(
        out,
        objects.create(count, () => callHost(destroy, pointer)),
      )
      return 'cudaSuccess'
    }),
    cudaUserObjectRetain: context.call((object: number, count: number) => objects.retain(object, count)),
    cudaUserObjectRelease: context.call((object: number, count: number) => objects.release(object, count)),
    cudaGraphRetainUserObject: context.call((graph: number, object: number, count: number, flags: number) =>
      isGraph(graph) ? objects.hold(graph, object, count, flags === MOVE_REFERENCES) : 'cudaErrorInvalidValue',
    ),
    cudaGraphReleaseUserObject: context.call((graph: number, object: number, count: number) =>
      objects.drop(graph, object, count),
    ),
  }
}

function runInOrder(operations: readonly Operation[], stream: number): CallResult {
  for (const operation of operations) {
    const result = operation(stream)
    if (result !== 'cudaSuccess') return result
  }
  return 'cudaSuccess'
}

/** The same nodes once more; undefined for a circle. */
function cloneGraph(table: GraphTable, graph: Graph): Graph | undefined {
  const order = graph.inOrder()
  if (order === undefined) return undefined
  const copy = table.createGraph()
  const twins = new Map<GraphNode, GraphNode>()
  for (const node of order) {
    const after = [...node.after].map(before => twins.get(before)!)
    twins.set(node, table.addNode(copy, node.kind, node.operation, after))
  }
  copy.twins = twins
  return copy
}

/** A child is a copy of the graph that was added, which the program can ask for and change. */
function childOperation(child: Graph): Operation {
  const run: Operation = stream =>
    runInOrder(
      (child.inOrder() ?? []).map(({ operation }) => operation),
      stream,
    )
  return Object.assign(run, { words: () => [child.handle] })
}

/** Bodies are filled after the node is made, so their work is looked up when it runs. */
function conditionalOperation(
  context: CudaContext,
  type: number,
  value: () => number,
  bodies: readonly Graph[],
): Operation {
  const run = (body: Graph | undefined, stream: number): CallResult => {
    if (body === undefined) return 'cudaSuccess'
    const order = body.inOrder()
    if (order === undefined) return 'cudaErrorInvalidValue'
    for (const reset of body.resets) reset()
    return runInOrder(
      order.map(({ operation }) => operation),
      stream,
    )
  }
  return stream => {
    if (type === CONDITION.if) return run(bodies[value() !== 0 ? 0 : 1], stream)
    if (type === CONDITION.switch) return run(bodies[value()], stream)
    while (value() !== 0) {
      context.checkDeadline()
      const result = run(bodies[0], stream)
      if (result !== 'cudaSuccess') return result
    }
    return 'cudaSuccess'
  }
}

interface MemsetNode {
  readonly address: number
  readonly elementBytes: number
  readonly height: number
  readonly pitch: number
  readonly value: number
  readonly width: number
}

/** Elements of 1, 2 or 4 bytes; wider ones are filled a byte plane at a time. */
function memsetOperation(context: CudaContext, addresses: AddressBook, node: MemsetNode): Operation | CallResult {
  const { address, elementBytes, height, value, width } = node
  if (![1, 2, 4].includes(elementBytes)) return 'cudaErrorInvalidValue'
  const rowBytes = width * elementBytes
  const pitch = height > 1 ? node.pitch : rowBytes
  const extent = { width: rowBytes, height, depth: 1 }
  return stream => {
    const box = { address, pitch, sliceRows: height }
    const result = runFill(context, addresses, box, extent, value & 0xff, stream, 'a memset node')
    if (result !== 'cudaSuccess' || elementBytes === 1) return result
    for (let row = 0; row < height; row++) {
      const bytes = addresses.view('device', address + row * pitch, rowBytes)
      for (let at = 0; at < rowBytes; at++) bytes[at] = (value >>> (8 * (at % elementBytes))) & 0xff
    }
    return 'cudaSuccess'
  }
}
