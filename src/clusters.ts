/**
 * Thread block clusters: which blocks of a grid belong together, and in which order blocks start. Blocks have a rank in their cluster,
 * counted as threads are in a block, x fastest. Source: CUDA C++ Programming Guide, "Thread Block Clusters"; PTX ISA, %cluster_ctarank.
 */
import type { Func } from './ir/ir.ts'
import type { Dim3, WarpLanes } from './launch.ts'

const ONE: Dim3 = { x: 1, y: 1, z: 1 }

/** How a kernel's attribute begins that has the dimensions of its `__cluster_dims__`. */
export const CLUSTER_DIMENSIONS = 'warplens.cluster='

/** The dimensions that a kernel was compiled for; undefined without `__cluster_dims__`. */
export function compiledCluster({ attributes }: Func): Dim3 | undefined {
  const found = [...attributes].find(each => each.startsWith(CLUSTER_DIMENSIONS))
  if (found === undefined) return undefined
  const [x = 1, y = 1, z = 1] = found.slice(CLUSTER_DIMENSIONS.length).split(',').map(Number)
  return { x, y, z }
}

/** Blocks of a cluster; 1 in a launch without clusters. */
export const clusterSize = ({ x, y, z }: Dim3 = ONE): number => x * y * z

export function isMultiple(grid: Dim3, cluster: Dim3): boolean {
  return grid.x % cluster.x === 0 && grid.y % cluster.y === 0 && grid.z % cluster.z === 0
}

/** Blocks start cluster after cluster, those of a cluster by rank: the linear index of the block that starts in this place. */
export function blockInPlace(place: number, grid: Dim3, cluster: Dim3 | undefined): number {
  const size = clusterSize(cluster)
  if (!cluster || size === 1) return place
  const clusters = { x: grid.x / cluster.x, y: grid.y / cluster.y, z: grid.z / cluster.z }
  const first = indexIn(clusters, Math.floor(place / size))
  const own = indexIn(cluster, place % size)
  const at = (axis: keyof Dim3): number => first[axis] * cluster[axis] + own[axis]
  return (at('z') * grid.y + at('y')) * grid.x + at('x')
}

/** The place of the first block of the cluster that a block is in. */
export function firstPlaceOf(block: number, grid: Dim3, cluster: Dim3 | undefined): number {
  if (!cluster) return block
  const clusters = { x: grid.x / cluster.x, y: grid.y / cluster.y }
  const { x, y, z } = indexIn(grid, block)
  const along = (at: number, axis: keyof Dim3): number => Math.floor(at / cluster[axis])
  const which = (along(z, 'z') * clusters.y + along(y, 'y')) * clusters.x + along(x, 'x')
  return which * clusterSize(cluster)
}

/** Coordinates of a linear index, x fastest. */
export function indexIn(size: Pick<Dim3, 'x' | 'y'>, linear: number): Dim3 {
  return { x: linear % size.x, y: Math.floor(linear / size.x) % size.y, z: Math.floor(linear / (size.x * size.y)) }
}

/** Threads of a block, by their numbers, as lanes of warps. */
export function lanesByWarp(threads: readonly number[]): WarpLanes[] {
  const found = new Map<number, number>()
  for (const thread of threads) found.set(thread >> 5, (found.get(thread >> 5) ?? 0) | (1 << (thread & 31)))
  return [...found].map(([warp, lanes]) => ({ warp, lanes }))
}
