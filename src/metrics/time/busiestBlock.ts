/**
 * What the block of a grid does that has most to do: a launch lasts as long as it. In: a launch's counters, the work of its loops
 * over all blocks and in the one that has most (codegen/counting/loopWork.ts) among them. Out: how often it runs each block of the kernel.
 */
import type { BlockLoop } from '../../analysis/execution/orderBlocks.ts'
import { workOfRound } from '../../analysis/execution/roundWork.ts'
import { conditionsOf, findWaitingLoops } from '../../analysis/execution/waitingLoops.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { predecessors, successors, terminatorOf } from '../../ir/graph.ts'
import { valuesFromAtomics } from '../certainty/fromAtomics.ts'
import { blocksInGrid, type LaunchCounters, threadsPerBlock } from '../launchCounters.ts'
import { warpsPerBlock } from '../occupancy/occupancy.ts'

/** Where all blocks do the same. */
const EVEN = 1

/** One of the outermost loops, in the launch. */
interface Loop {
  readonly loop: BlockLoop
  /** Instructions of all rounds. */
  readonly work: number
  /** The most times its share of a block that its work can be in one block, by how many warps come to it. */
  readonly densest: number
}

/**
 * What the block of the grid with most work runs of each block of the kernel, times the grid's blocks. Work that few warps come to
 * is in few blocks: the busiest is taken to have it before it has more of what all do. What only some warps come to outside of loops
 * it runs as often as that allows.
 *
 * @returns undefined where no block has notably more than another, or where it is not the program that says which has: blocks take
 *   work as they come, or wait for each other
 */
export function runsOfBusiest(launch: LaunchCounters, program: KernelProgram): readonly number[] | undefined {
  const { loopWork } = launch
  if (!loopWork || loopWork.most * blocksInGrid(launch) <= EVEN * loopWork.all) return undefined
  if (isTakenAsItComes(program)) return undefined
  const grid = blocksInGrid(launch)
  const warps = grid * warpsPerBlock(threadsPerBlock(launch))
  const runs = launch.blocks.map(block => block.warps)
  const { loops, first } = loopsOf(program, runs, warps, grid)
  const all = loopWork.all + first.outer + first.inner
  const most = loopWork.most * (1 + first.inner / loopWork.all) + first.outer / grid
  const times = timesOf(loops, all / grid, most)
  const common = (most * grid) / all
  return runs.map((own, at) => {
    const inside = loops.findIndex(({ loop }) => loop.first <= at && at <= loop.last)
    return inside >= 0 ? times[inside]! * own : Math.max(own, Math.min(warps, common * own))
  })
}

const known = new WeakMap<object, boolean>()

/** Whether how long loops go on is a matter of which block came first. */
function isTakenAsItComes(program: KernelProgram): boolean {
  let found = known.get(program.kernel)
  if (found === undefined) {
    const { blocks } = program.kernel
    const taken = valuesFromAtomics(program)
    found =
      findWaitingLoops(program).size > 0 ||
      program.loops.some(({ first, last }) => {
        const inside = new Set(blocks.slice(first, last + 1))
        return [...inside].some(
          block =>
            successors(terminatorOf(block)).some(to => !inside.has(to)) &&
            conditionsOf(block).some(condition => condition.kind === 'instruction' && taken.has(condition)),
        )
      })
    known.set(program.kernel, found)
  }
  return found
}

/** The outermost loops, and the work of first rounds, which nobody has watched: of these loops and of the others. */
function loopsOf(
  program: KernelProgram,
  runs: readonly number[],
  warps: number,
  grid: number,
): { loops: Loop[]; first: { outer: number; inner: number } } {
  const { kernel } = program
  const before = predecessors(kernel)
  const indexOf = new Map(kernel.blocks.map((block, at) => [block, at]))
  const isInside = (inner: BlockLoop, outer: BlockLoop) =>
    inner !== outer && outer.first <= inner.first && inner.last <= outer.last
  const loops: Loop[] = []
  const first = { outer: 0, inner: 0 }
  for (const loop of program.loops) {
    const isOutermost = !program.loops.some(other => isInside(loop, other))
    const header = kernel.blocks[loop.first]!
    const entering = (before.get(header) ?? [])
      .map(block => indexOf.get(block)!)
      .filter(at => at < loop.first || at > loop.last)
    const entries = Math.min(
      runs[loop.first]!,
      entering.reduce((sum, at) => sum + runs[at]!, 0),
    )
    let work = 0
    for (let at = loop.first; at <= loop.last; at++) work += runs[at]! * kernel.blocks[at]!.instructions.length
    first[isOutermost ? 'outer' : 'inner'] += entries * workOfRound(kernel.blocks, loop, program.loops)
    if (isOutermost) loops.push({ loop, work, densest: Math.max(1, Math.min(grid, warps / Math.max(1, entries))) })
  }
  return { loops, first }
}

/** How many times its share each loop is in the block with `most` work, where a block has `mean`: the rarest first. */
function timesOf(loops: readonly Loop[], mean: number, most: number): number[] {
  const total = loops.reduce((sum, { work }) => sum + work, 0)
  const share = (loop: Loop) => (mean * loop.work) / Math.max(1, total)
  let missing = most - mean
  const times = loops.map(() => EVEN)
  for (const at of [...loops.keys()].sort((a, b) => loops[b]!.densest - loops[a]!.densest)) {
    const own = share(loops[at]!)
    if (own === 0) continue
    const more = Math.min(missing, own * (loops[at]!.densest - 1))
    times[at]! += more / own
    missing -= more
  }
  const all = most / (most - missing)
  return times.map(each => each * all)
}
