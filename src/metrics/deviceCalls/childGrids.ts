/**
 * Launches by kernels, as profilers see them: what child grids do belongs to the launch of the host that they come from. In: a grid with
 * its children, each grid's own microseconds. Out: how long all of it takes, and what the device's runtime adds to its traffic. Modelled.
 *
 * Source: 57 launches of 13 kernels that launch up to 256 others (own: `childGrids.cu`, read three times each on an H100, 1,980 MHz, CUDA
 * 13.0). Nsight Compute gives no launch of a child grid: its instructions, wavefronts and tags are in its parent's to the last digit, as are
 * the stores of its arguments, one each. The runtime's own requests are in the requests and sectors; they differ from run to run, by a
 * hundredth as a rule, since it polls.
 */
import type { Launcher } from '../../launch.ts'
import { type LibraryTraffic, sumOfTraffic, timesTraffic } from '../launchCounters.ts'
import { WARP_LANES } from '../rules/coalescing.ts'

/** `block`: the one of its block, in which grids run one after the other; `own`: created, or none; `tail`: when all else has ended. */
export type ChildStream = 'block' | 'own' | 'tail'

interface Child<Grid> {
  readonly launch: Grid
  readonly launcher: Launcher
  readonly stream: ChildStream
}

export interface WithChildren<Grid> {
  readonly children: readonly Child<Grid>[]
}

/** Requests and sectors of the runtime for a launch by a lane of a warp, and by each other lane that launches with it. */
const LANE: LibraryTraffic = { loadRequests: 61, loadSectors: 66, storeRequests: 85, storeSectors: 85 }
const OTHER_LANE: LibraryTraffic = { loadRequests: 22, loadSectors: 31, storeRequests: 7, storeSectors: 7 }

/** Until the first child of a launch begins, and of a child. */
const FIRST_US = 23.5
const NESTED_US = 4
/** What a thread takes to launch; the lanes of a warp launch one after the other. */
const LAUNCH_US = 7.5
/** Between the end of a grid and the start of the next one in the block's stream. */
const BEHIND_US = 1.5
const TAIL_US = 11.5
/** All blocks launch through one queue. */
const QUEUE_US = 1

/**
 * @param usOf microseconds of a grid without its children
 * @returns microseconds of the grid with all that it launches
 */
export function familyMicroseconds<Grid extends WithChildren<Grid>>(first: Grid, usOf: (grid: Grid) => number): number {
  if (first.children.length === 0) return usOf(first)
  const times = new Map<Grid, number>()
  // Children before their parents: families may be deeper than a stack.
  for (const grid of familyOf(first).reverse()) {
    const startUs = grid === first ? FIRST_US : NESTED_US
    const { children } = grid
    const us = children.length > 0 ? startUs + childrenMicroseconds(children, child => times.get(child)!) : 0
    times.set(grid, usOf(grid) + us)
  }
  return times.get(first)!
}

/** From the first launch until the last child has ended. */
function childrenMicroseconds<Grid>(children: readonly Child<Grid>[], usOf: (grid: Grid) => number): number {
  const [queued, tails] = [children.filter(isQueued), children.filter(child => !isQueued(child))]
  const warps = new Map<string, number>()
  const launches = queued.map(({ launch, launcher, stream }) => {
    const warp = warpOf(launcher)
    const at = (warps.get(warp) ?? 0) + LAUNCH_US
    warps.set(warp, at)
    return { at, us: BEHIND_US + usOf(launch), block: stream === 'block' ? launcher.block : undefined }
  })
  const blocks = new Map<number, number>()
  let endUs = queued.length * QUEUE_US
  for (const { at, us, block } of launches.sort((a, b) => a.at - b.at)) {
    const end = Math.max(at, blocks.get(block ?? NO_BLOCK) ?? 0) + us
    if (block !== undefined) blocks.set(block, end)
    endUs = Math.max(endUs, end)
  }
  return tails.reduce((sum, { launch }) => sum + TAIL_US + usOf(launch), endUs)
}

const NO_BLOCK = -1
const isQueued = ({ stream }: Child<unknown>): boolean => stream !== 'tail'

/** A grid and all that it launches, in the order in which they ran. */
export function familyOf<Grid extends WithChildren<Grid>>(first: Grid): Grid[] {
  const family: Grid[] = []
  // The next one stands last.
  const pending = [first]
  for (let grid = pending.pop(); grid; grid = pending.pop()) {
    family.push(grid)
    for (let at = grid.children.length - 1; at >= 0; at--) pending.push(grid.children[at]!.launch)
  }
  return family
}

/** What the device's runtime moves for all that a grid and its children launch; undefined where none launches. */
export function launchTraffic<Grid extends WithChildren<Grid>>(first: Grid): LibraryTraffic | undefined {
  let [lanes, others] = [0, 0]
  for (const { children } of familyOf(first)) {
    const calls = callsOf(children)
    lanes += calls
    others += children.length - calls
  }
  return lanes === 0 ? undefined : sumOfTraffic([timesTraffic(LANE, lanes), timesTraffic(OTHER_LANE, others)])
}

/** How often warps launched: as often as the lane that did so most. */
function callsOf(children: readonly Child<unknown>[]): number {
  const threads = new Map<string, number>()
  const warps = new Map<string, number>()
  for (const { launcher } of children) {
    const thread = `${launcher.block}:${launcher.thread}`
    const times = (threads.get(thread) ?? 0) + 1
    threads.set(thread, times)
    const warp = warpOf(launcher)
    if (times > (warps.get(warp) ?? 0)) warps.set(warp, times)
  }
  return [...warps.values()].reduce((sum, times) => sum + times, 0)
}

const warpOf = ({ block, thread }: Launcher): string => `${block}:${Math.floor(thread / WARP_LANES)}`
