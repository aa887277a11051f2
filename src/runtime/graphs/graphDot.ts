/**
 * A graph as text of Graphviz's language, for cudaGraphDebugDotPrint: a box a node with its number, its kind and what it does, an arrow
 * a dependency. CUDA documents that there is such a text, not what is in it; nodes and edges are called as the CUDA runtime calls them.
 */
import type { OperationKind } from '../timeline/streamTable.ts'
import type { Graph, GraphNode } from './graphs.ts'

const TITLES: Readonly<Record<OperationKind, string>> = {
  kernel: 'KERNEL',
  memcpy: 'MEMCPY',
  memset: 'MEMSET',
  host: 'HOST',
  graph: 'GRAPH',
  empty: 'EMPTY',
  waitEvent: 'EVENT_WAIT',
  eventRecord: 'EVENT_RECORD',
  memAlloc: 'MEM_ALLOC',
  memFree: 'MEM_FREE',
  conditional: 'CONDITIONAL',
}
/** cudaGraphDebugDotFlags: everything, what kernels are launched with, handles. */
const VERBOSE = 1 << 0
const KERNEL_PARAMETERS = 1 << 2
const HANDLES = 1 << 10

export function graphDot(graph: Graph, flags: number): string {
  const name = `graph_${graph.handle}`
  const numbers = new Map(graph.nodes.map((node, index) => [node, index]))
  const nameOf = (node: GraphNode): string => `"${name}_node_${numbers.get(node)}"`
  const boxes = graph.nodes.map(node => {
    const shape = node.kind === 'kernel' ? 'octagon' : 'rectangle'
    const label = [numbers.get(node), ...labelOf(node, flags)].join('\\n')
    return `${nameOf(node)}[style="solid" shape="${shape}" label="${label}"];`
  })
  const arrows = graph.nodes.flatMap(node => [...node.after].map(before => `${nameOf(before)} -> ${nameOf(node)};`))
  const lines = ['digraph dot {', `subgraph cluster_${graph.handle} {`, `label="${name}" graph[style="dashed"];`]
  return `${[...lines, ...boxes, ...arrows, '}', '}'].join('\n')}\n`
}

function labelOf({ kind, handle, operation }: GraphNode, flags: number): string[] {
  const { title, words } = operation
  const isVerbose = (flags & VERBOSE) !== 0
  const lines = [title === undefined ? TITLES[kind] : title().replace(/["\\]/g, '\\$&')]
  if (kind === 'kernel' && words !== undefined && (isVerbose || (flags & KERNEL_PARAMETERS) !== 0)) {
    const [, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes] = words()
    lines.push(`<<<(${gridX},${gridY},${gridZ}),(${blockX},${blockY},${blockZ}),${sharedBytes}>>>`)
  }
  if (isVerbose || (flags & HANDLES) !== 0) lines.push(`0x${handle.toString(16)}`)
  return lines
}
