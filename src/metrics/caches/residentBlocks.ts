/**
 * Blocks of a grid with rows that run at once, and which of them ask L2 for what they have alike. The machine deals blocks to multiprocessors
 * in turn, so those of one are as many apart as there are multiprocessors: on 132, of 4 x 512 blocks all have one x, of 8 x 66 every other one.
 * What they find by a coordinate that they have alike, and come to at once, one of them asks for. Neighbours go to the multiprocessors of one
 * GPC, whose requests for a line L2's request coalescer makes one of, up to four (own: `%smid` of 32 to 600 blocks; layers of a network by
 * 128 blocks, one to a multiprocessor: of 1, 2, 4, 8 and 16 in a row a quarter, a quarter, a quarter, half and all sectors arrive in L2).
 */
import type { Dim3 } from '../../launch.ts'

export interface ResidentBlocks {
  readonly grid: Dim3
  readonly multiprocessors: number
  /** Blocks and warps of a multiprocessor. */
  readonly resident: number
  readonly warps: number
  /** Whether there is a coalescer. */
  readonly coalesces: boolean
}

/**
 * For each set of coordinates (bits x, y, z): which part of the blocks asks, on average. Blocks behind the first ones come as places become
 * free: any of those that run at once, no longer in step with those of other multiprocessors.
 */
export function partsThatAsk({ grid, multiprocessors, resident, warps, coalesces }: ResidentBlocks): readonly number[] {
  const blocks = grid.x * grid.y * grid.z
  const first = Math.min(blocks, multiprocessors * resident)
  const all = everyFrom(0, 1, first)
  const held = Array.from({ length: Math.min(multiprocessors, first) }, (_, at) =>
    everyFrom(at, multiprocessors, first),
  )
  const together = coalesces && blocks === first ? COALESCED * partInStep(warps) : 0
  return Array.from({ length: SETS }, (_, axes) => {
    const placesOf = (those: readonly number[]) => new Set(those.map(block => placeAlong(axes, block, grid)))
    const asked = held.map(placesOf)
    const asking = asked.reduce((sum, { size }) => sum + size, 0)
    const arriving = gpcsOf(asked, multiprocessors).reduce((sum, gpc) => sum + requestsOf(gpc), 0)
    const inTurn = (together * arriving + (1 - together) * asking) / first
    const places = placesOf(all).size
    const byChance = (places * (1 - (1 - 1 / places) ** resident)) / resident
    return (first * inTurn + (blocks - first) * byChance) / blocks
  })
}

const SETS = 8
/** Requests for a line that become one, at most. */
const MOST_TOGETHER = 4
/** Of what could be, in products and layers whose warps each go their own way (own: `products.cu`, 30 launches). */
const COALESCED = 0.7
const WARPS_IN_STEP = 32

/**
 * How far blocks of different multiprocessors that read the same keep step, by the warps of one: of many each waits for L1 and L2 at its own
 * time (own: `products.cu`; PolyBench's products of 64 warps a multiprocessor).
 */
export const partInStep = (warps: number): number => Math.min(1, WARPS_IN_STEP / warps)
const GPCS = 8
/** So many multiprocessors get a block before any GPC gets its part of the others. */
const ALONE_FIRST = 8

/** Multiprocessors that have blocks, in the order in which they get them, by GPC. */
function gpcsOf<T>(held: readonly T[], multiprocessors: number): T[][] {
  const isFull = held.length === multiprocessors
  const rest = isFull ? 0 : Math.min(held.length, ALONE_FIRST)
  const run = Math.max(1, Math.ceil((held.length - rest) / GPCS))
  const runs = Array.from({ length: GPCS }, (_, at) => held.slice(rest + at * run, rest + (at + 1) * run))
  const [ofFirst = [], ...others] = runs
  return [[...held.slice(0, rest), ...ofFirst], ...others]
}

/** Of a GPC's multiprocessors, by what each of them asks for. */
function requestsOf(places: readonly ReadonlySet<number>[]): number {
  const counts = new Map<number, number>()
  for (const those of places) for (const place of those) counts.set(place, (counts.get(place) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum + Math.ceil(count / MOST_TOGETHER), 0)
}

/** From a number on, below an end. */
const everyFrom = (start: number, step: number, end: number): number[] =>
  Array.from({ length: Math.ceil((end - start) / step) }, (_, at) => start + at * step)

/** One number for those coordinates of a block that `axes` has. */
export function placeAlong(axes: number, block: number, { x, y }: Dim3): number {
  const along = [block % x, Math.floor(block / x) % y, Math.floor(block / (x * y))]
  const [atX, atY, atZ] = along.map((at, axis) => ((axes >>> axis) & 1 ? at : 0)) as [number, number, number]
  return (atZ * y + atY) * x + atX
}
