/**
 * Blocks of a grid with rows that one multiprocessor has at once. The machine deals blocks to multiprocessors in turn, so those of one are as
 * many apart as there are multiprocessors: of 4 x 512 blocks on 132 all have one x, of 8 x 8 two. What they find by a coordinate that
 * they have alike, and come to at once, one of them asks L2 for.
 */
import type { Dim3 } from '../../launch.ts'

/**
 * For each set of coordinates (bits x, y, z): which part of the blocks asks, on average over multiprocessors. Blocks behind the first ones come
 * as places become free: any of those that run at once.
 */
export function partsThatAsk(grid: Dim3, multiprocessors: number, resident: number): readonly number[] {
  const blocks = grid.x * grid.y * grid.z
  const first = Math.min(blocks, multiprocessors * resident)
  const dealt = Array.from({ length: Math.min(multiprocessors, first) }, (_, at) =>
    everyFrom(at, multiprocessors, first),
  )
  return Array.from({ length: SETS }, (_, axes) => {
    const differentOf = (those: readonly number[]) => new Set(those.map(block => placeOf(block, axes, grid))).size
    const inTurn = dealt.reduce((sum, those) => sum + differentOf(those), 0) / first
    const places = differentOf(everyFrom(0, 1, first))
    const byChance = (places * (1 - (1 - 1 / places) ** resident)) / resident
    return (first * inTurn + (blocks - first) * byChance) / blocks
  })
}

const SETS = 8

/** From a number on, below an end. */
const everyFrom = (start: number, step: number, end: number): number[] =>
  Array.from({ length: Math.ceil((end - start) / step) }, (_, at) => start + at * step)

/** One number for the coordinates that `axes` has. */
function placeOf(block: number, axes: number, { x, y }: Dim3): number {
  const along = [block % x, Math.floor(block / x) % y, Math.floor(block / (x * y))]
  const [atX, atY, atZ] = along.map((at, axis) => ((axes >>> axis) & 1 ? at : 0)) as [number, number, number]
  return (atZ * y + atY) * x + atX
}
