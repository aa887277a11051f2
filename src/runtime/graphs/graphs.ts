/**
 * Graphs of stream work: what was captured or added by hand, in an order that respects the dependencies. A graph that is
 * launched does its nodes one after the other in the launching stream, which every graph allows.
 */
import type { CallResult } from '../context.ts'
import type { Capture, Operation, OperationKind, StreamInfo, StreamTable } from '../timeline/streamTable.ts'

export interface GraphNode {
  readonly handle: number
  readonly kind: OperationKind
  readonly after: Set<GraphNode>
  operation: Operation
}

export class Graph {
  readonly handle: number
  readonly nodes: GraphNode[] = []
  /** What every launch does first: conditions get their first values. */
  readonly resets: (() => void)[] = []
  /** Of a clone: its nodes by those that they are copies of. */
  twins: ReadonlyMap<GraphNode, GraphNode> | undefined
  constructor(handle: number) {
    this.handle = handle
  }

  /** Nodes after all that they wait for, otherwise as they were added; undefined for a circle. */
  inOrder(): GraphNode[] | undefined {
    const order: GraphNode[] = []
    const done = new Set<GraphNode>()
    while (order.length < this.nodes.length) {
      const next = this.nodes.find(node => !done.has(node) && [...node.after].every(before => done.has(before)))
      if (next === undefined) return undefined
      done.add(next)
      order.push(next)
    }
    return order
  }
}

/** An instantiated graph keeps the work that its nodes had then. */
export interface GraphStep {
  readonly node: GraphNode
  operation: Operation
  /** The program left it out of its launches. */
  isDisabled: boolean
}

/** Work on its way from streams into a graph. */
interface Recording {
  readonly graph: Graph
  readonly id: number
  /** The nodes that a stream's next one comes after. */
  readonly last: Map<StreamInfo, readonly GraphNode[]>
}

const HANDLE_STEP = 16

/** Graphs, nodes and instances by the handles that the program holds, and the captures under way. */
export class GraphTable {
  readonly #streams: StreamTable
  readonly #graphs = new Map<number, Graph>()
  readonly #nodes = new Map<number, GraphNode>()
  readonly #instances = new Map<number, GraphStep[]>()
  readonly #resets = new Map<number, readonly (() => void)[]>()
  readonly #captures = new Map<StreamInfo, Recording>()
  readonly #recordings = new WeakMap<Capture, Recording>()
  #captureCount = 0
  #nextHandle = HANDLE_STEP

  constructor(streams: StreamTable) {
    this.#streams = streams
  }

  createGraph(): Graph {
    const graph = new Graph(this.#handle())
    this.#graphs.set(graph.handle, graph)
    return graph
  }

  graph(handle: number): Graph | undefined {
    return this.#graphs.get(handle)
  }

  destroyGraph(handle: number): boolean {
    for (const node of this.#graphs.get(handle)?.nodes ?? []) this.#nodes.delete(node.handle)
    return this.#graphs.delete(handle)
  }

  addNode(graph: Graph, kind: OperationKind, operation: Operation, after: readonly GraphNode[]): GraphNode {
    const node: GraphNode = { handle: this.#handle(), kind, operation, after: new Set(after) }
    graph.nodes.push(node)
    this.#nodes.set(node.handle, node)
    return node
  }

  node(handle: number): GraphNode | undefined {
    return this.#nodes.get(handle)
  }

  /** The nodes that wait for this one. */
  nodesAfter(node: GraphNode): GraphNode[] {
    const graph = [...this.#graphs.values()].find(({ nodes }) => nodes.includes(node))
    return graph?.nodes.filter(({ after }) => after.has(node)) ?? []
  }

  destroyNode(handle: number): boolean {
    const node = this.#nodes.get(handle)
    if (node === undefined) return false
    for (const { nodes } of this.#graphs.values()) {
      const at = nodes.indexOf(node)
      if (at >= 0) nodes.splice(at, 1)
      for (const other of nodes) other.after.delete(node)
    }
    return this.#nodes.delete(handle)
  }

  /** undefined for a graph with a circle. */
  instantiate(graph: Graph): number | undefined {
    const order = graph.inOrder()
    if (order === undefined) return undefined
    const handle = this.#handle()
    this.#instances.set(
      handle,
      order.map(node => ({ node, operation: node.operation, isDisabled: false })),
    )
    this.#resets.set(handle, graph.resets)
    return handle
  }

  resetsOf(instance: number): readonly (() => void)[] {
    return this.#resets.get(instance) ?? []
  }

  instance(handle: number): GraphStep[] | undefined {
    return this.#instances.get(handle)
  }

  destroyInstance(handle: number): boolean {
    this.#resets.delete(handle)
    return this.#instances.delete(handle)
  }

  /** The instance does the graph's present work from now on; false where the two differ in more than parameters. */
  update(instance: GraphStep[], graph: Graph): boolean {
    const order = graph.inOrder()
    const isSame = order?.length === instance.length && order.every((node, i) => node.kind === instance[i]!.node.kind)
    if (!isSame) return false
    for (const [index, node] of order.entries()) instance[index]!.operation = node.operation
    return true
  }

  /** Into a new graph, or behind nodes of one that there is. */
  beginCapture(stream: StreamInfo, graph = this.createGraph(), after: readonly GraphNode[] = []): CallResult {
    if (stream.capture !== undefined) return 'cudaErrorIllegalState'
    const recording: Recording = { graph, id: ++this.#captureCount, last: new Map([[stream, after]]) }
    const capture: Capture = {
      record: (from, kind, operation) => {
        const before = this.#lastOf(recording, from)
        recording.last.set(from, [this.addNode(graph, kind, operation, before)])
      },
    }
    this.#recordings.set(capture, recording)
    this.#captures.set(stream, recording)
    stream.capture = capture
    return 'cudaSuccess'
  }

  /** What a stream that is captured would wait for next; undefined for one that is not. */
  captureState(stream: StreamInfo): { graph: Graph; id: number; after: readonly GraphNode[] } | undefined {
    const recording = stream.capture && this.#recordings.get(stream.capture)
    return recording && { graph: recording.graph, id: recording.id, after: this.#lastOf(recording, stream) }
  }

  /** The stream's next node comes after these, and after those from before where they are added; false without a capture. */
  continueAfter(stream: StreamInfo, nodes: readonly GraphNode[], isAdded: boolean): boolean {
    const recording = stream.capture && this.#recordings.get(stream.capture)
    if (recording === undefined) return false
    recording.last.set(stream, isAdded ? [...this.#lastOf(recording, stream), ...nodes] : nodes)
    return true
  }

  /** A stream that joined waits for what was captured before it joined. */
  #lastOf({ last, graph }: Recording, stream: StreamInfo): readonly GraphNode[] {
    return last.get(stream) ?? graph.nodes.slice(-1)
  }

  /** The captured graph; undefined where the capture did not begin in this stream. */
  endCapture(stream: StreamInfo): Graph | undefined {
    const found = this.#captures.get(stream)
    if (found === undefined) return undefined
    const { capture } = stream
    for (const other of this.#streams.all()) if (other.capture === capture) other.capture = undefined
    this.#captures.delete(stream)
    return found.graph
  }

  graphOf(stream: StreamInfo): Graph | undefined {
    return this.#captures.get(stream)?.graph
  }

  #handle(): number {
    const handle = this.#nextHandle
    this.#nextHandle += HANDLE_STEP
    return handle
  }
}
