/**
 * What a graph's node does. In: its kind and the words that the program gives (include/warplens/host_graphs.h has the positions). Out: an
 * operation that runs it in a stream, whenever the graph is launched, or the error that the call gets. Nodes that can be asked for their
 * words keep them.
 */
import { type LaunchParts, prepareLaunch } from '../calls/cudaLaunch.ts'
import { eventOperation } from '../calls/cudaStreams.ts'
import type { CallResult, CudaContext } from '../context.ts'
import type { AddressBook } from '../memory/addresses.ts'
import { runFill } from '../memory/copies.ts'
import type { Operation, OperationKind, StreamTable } from '../timeline/streamTable.ts'
import type { GraphConditions } from './graphConditions.ts'
import type { Graph, GraphNode, GraphTable } from './graphs.ts'

export interface GraphParts {
  readonly launches: LaunchParts
  readonly streams: StreamTable
  readonly addresses: AddressBook
  /** The copy that the words of `__warplens_copy_box` describe; an error where they make no sense. */
  readonly boxCopy: (words: number) => Operation | CallResult
}

export type NodeOperations = (kind: OperationKind, words: number, after: readonly GraphNode[]) => Operation | CallResult

/** Nodes that tell what they were made of, and the number of their words; a kernel's operation knows its own. */
const KEPT_WORDS: Readonly<Partial<Record<OperationKind, number>>> = {
  memcpy: 19,
  memset: 6,
  host: 2,
  waitEvent: 1,
  eventRecord: 1,
  memFree: 1,
}
/** cudaGraphConditionalNodeType. */
const CONDITION = { if: 0, while: 1, switch: 2 } as const

/** What a node of a kind does, from its words. */
export function nodeOperations(
  context: CudaContext,
  parts: GraphParts,
  table: GraphTable,
  conditions: GraphConditions,
): NodeOperations {
  const { host } = context.parts
  const { streams } = parts
  const operationOf: NodeOperations = (kind, words, after) => {
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
        if (!conditions.has(condition) || type > CONDITION.switch || size < 1 || size > most)
          return 'cudaErrorInvalidValue'
        const bodies = Array.from({ length: size }, () => table.createGraph())
        const list = context.parts.hostMalloc(4 * size)
        for (const [index, body] of bodies.entries()) host.setU32(list + 4 * index, body.handle)
        host.setU32(listOut, list)
        return conditionalOperation(context, type, () => conditions.valueOf(condition), bodies)
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
  return (kind, words, after) => {
    const operation = operationOf(kind, words, after)
    const count = KEPT_WORDS[kind]
    if (typeof operation === 'string' || operation.words !== undefined || count === undefined) return operation
    const kept = Array.from({ length: count }, (_, index) => host.u32(words + 4 * index))
    return Object.assign(operation, { words: () => kept })
  }
}

export function runInOrder(operations: readonly Operation[], stream: number): CallResult {
  for (const operation of operations) {
    const result = operation(stream)
    if (result !== 'cudaSuccess') return result
  }
  return 'cudaSuccess'
}

/** The same nodes once more; undefined for a circle. */
export function cloneGraph(table: GraphTable, graph: Graph): Graph | undefined {
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
