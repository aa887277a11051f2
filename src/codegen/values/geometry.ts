/**
 * What the shape of a thread block says about threadIdx in its warps. Threads are numbered x fastest; warp w has the threads
 * 32 w .. 32 w + 31. Where the block's sides divide evenly, each coordinate is a scalar of the warp plus a vector that is the
 * same in every warp; else it is read from a table.
 */
import { WARP_LANES } from '../../addressSpace.ts'
import type { Dim3 } from '../../launch.ts'
import { type LaneVector, lanesFrom, NO_LANES } from './laneVector.ts'

export type Axis = 'x' | 'y' | 'z'

/** scalar = ((w x `times`) mod `modulus`) div `divisor`, where modulus 0 means none. */
export interface WarpScalar {
  readonly times: number
  readonly modulus: number
  readonly divisor: number
}

export type ThreadIndex =
  | { readonly kind: 'lanes'; readonly scalar: WarpScalar; readonly lanes: LaneVector; readonly trailingZeros: number }
  | { readonly kind: 'table' }

export interface Geometry {
  readonly block: Dim3
  readonly threads: number
  readonly warps: number
  /** Lanes of the last warp. */
  readonly lastMask: number
  readonly threadIndex: Readonly<Record<Axis, ThreadIndex>>
}

export function geometryOf(block: Dim3): Geometry {
  const threads = block.x * block.y * block.z
  const warps = Math.ceil(threads / WARP_LANES)
  const rest = threads % WARP_LANES
  return {
    block,
    threads,
    warps,
    lastMask: rest === 0 ? -1 : (1 << rest) - 1,
    threadIndex: { x: axisX(block), y: axisY(block), z: axisZ(block) },
  }
}

/** Lanes whose position in the block the table gives: bytes for each warp and axis. */
export function threadIndexTable({ block, warps }: Geometry): Uint32Array {
  const table = new Uint32Array(warps * 3 * WARP_LANES)
  for (let warp = 0; warp < warps; warp++)
    for (let lane = 0; lane < WARP_LANES; lane++) {
      const thread = warp * WARP_LANES + lane
      table[(warp * 3 + 0) * WARP_LANES + lane] = thread % block.x
      table[(warp * 3 + 1) * WARP_LANES + lane] = Math.floor(thread / block.x) % block.y
      table[(warp * 3 + 2) * WARP_LANES + lane] = Math.floor(thread / (block.x * block.y))
    }
  return table
}

const TABLE: ThreadIndex = { kind: 'table' }

function scalarOnly(times: number, modulus: number, divisor: number): ThreadIndex {
  return { kind: 'lanes', scalar: { times, modulus, divisor }, lanes: NO_LANES, trailingZeros: 0 }
}

function withLanes(times: number, modulus: number, lane: (lane: number) => number): ThreadIndex {
  const steps = modulus > 0 && modulus <= times ? 0 : times
  const trailingZeros = steps === 0 ? 31 : Math.min(trailing(steps), modulus === 0 ? 31 : trailing(modulus))
  return {
    kind: 'lanes',
    scalar: { times: steps, modulus: steps === 0 ? 0 : modulus, divisor: 1 },
    lanes: lanesFrom(lane),
    trailingZeros,
  }
}

function trailing(value: number): number {
  return 31 - Math.clz32(value & -value)
}

function axisX({ x, y, z }: Dim3): ThreadIndex {
  if (y * z === 1) return withLanes(WARP_LANES, 0, lane => lane)
  if (x % WARP_LANES === 0) return withLanes(WARP_LANES, x, lane => lane)
  if (WARP_LANES % x === 0) return withLanes(0, 0, lane => lane % x)
  return TABLE
}

function axisY({ x, y, z }: Dim3): ThreadIndex {
  if (y === 1) return scalarOnly(0, 0, 1)
  if (x % WARP_LANES === 0) return scalarOnly(WARP_LANES, x * y * (z === 1 ? 0 : 1), x)
  if (WARP_LANES % x !== 0) return TABLE
  const rows = WARP_LANES / x
  if (z === 1) return withLanes(rows, 0, lane => Math.floor(lane / x))
  if (y % rows === 0) return withLanes(rows, y, lane => Math.floor(lane / x))
  if (rows % y === 0) return withLanes(0, 0, lane => Math.floor(lane / x) % y)
  return TABLE
}

function axisZ({ x, y, z }: Dim3): ThreadIndex {
  if (z === 1) return scalarOnly(0, 0, 1)
  const slice = x * y
  if (slice % WARP_LANES === 0) return scalarOnly(WARP_LANES, 0, slice)
  if (WARP_LANES % slice === 0) return withLanes(WARP_LANES / slice, 0, lane => Math.floor(lane / slice))
  return TABLE
}
