/**
 * The counters of a launch whose kernel launches others: sums over its grids, as Nsight Compute reads them (metrics/deviceCalls/childGrids.ts). In: the
 * record of the host's launch. Out: what each kernel's grids did together, and one launch made of the kernels'.
 */
import type { KernelProgram } from './analysis/prepare.ts'
import type { LaunchOutcome } from './launch.ts'
import { familyOf } from './metrics/deviceCalls/childGrids.ts'
import { sumOfTextures } from './metrics/deviceCalls/textureUnit.ts'
import {
  type BusyPart,
  type CacheTraffic,
  type LaunchCounters,
  type LaunchTime,
  type LibraryTraffic,
  sumOfTraffic,
} from './metrics/launchCounters.ts'
import type { LaunchRecord } from './runtime/launchRecord.ts'
import { addCounters, emptyCounters } from './trace.ts'

/** What all grids of one kernel did within a launch. */
export interface KernelWork {
  readonly program: KernelProgram
  readonly outcome: Pick<LaunchOutcome, 'sites' | 'blocks'>
}

/** By kernel, the host's first. */
export function kernelsOf(record: LaunchRecord): KernelWork[] {
  const outcomes = new Map<KernelProgram, LaunchOutcome[]>()
  for (const { program, outcome } of familyOf(record)) {
    const others = outcomes.get(program)
    if (others) others.push(outcome)
    else outcomes.set(program, [outcome])
  }
  return [...outcomes].map(([program, of]) => ({ program, outcome: of.length === 1 ? of[0]! : sumOfOutcomes(of) }))
}

function sumOfOutcomes(outcomes: readonly LaunchOutcome[]): KernelWork['outcome'] {
  const [first] = outcomes
  const sites = first!.sites.map(() => emptyCounters())
  const blocks = first!.blocks.map(() => ({ warps: 0, threads: 0 }))
  for (const outcome of outcomes) {
    outcome.sites.forEach((site, at) => addCounters(sites[at]!, site))
    outcome.blocks.forEach(({ warps, threads }, at) => {
      blocks[at]!.warps += warps
      blocks[at]!.threads += threads
    })
  }
  return { sites, blocks }
}

/**
 * One launch of all: geometry, registers and shared memory are the first one's.
 * @param kernels the counters of each kernel's grids, the host's first
 */
export function sumOfKernels(
  kernels: readonly LaunchCounters[],
  runtime: LibraryTraffic | undefined,
): Omit<LaunchCounters, 'caches' | 'time'> {
  const { loopWork: _, ...first } = kernels[0]!
  return {
    ...first,
    sites: kernels.flatMap(({ sites }) => sites),
    blocks: kernels.flatMap(({ blocks }) => blocks),
    doubts: kernels.flatMap(({ doubts = [] }) => doubts),
    library: sumOfTraffic([runtime, ...kernels.map(({ library }) => library)]),
    textures: sumOfTextures(kernels.flatMap(({ textures }) => textures ?? [])),
  }
}

/** Traffic below L1 of several grids. */
export function sumOfCaches(grids: readonly CacheTraffic[]): CacheTraffic {
  const sum = (of: (grid: CacheTraffic) => number | undefined) =>
    grids.reduce((total, grid) => total + (of(grid) ?? 0), 0)
  return {
    l1GlobalLoadSectorHits: sum(grid => grid.l1GlobalLoadSectorHits),
    l1LocalLoadSectorHits: sum(grid => grid.l1LocalLoadSectorHits),
    l2ReadSectors: sum(grid => grid.l2ReadSectors),
    l2ReadSectorHits: sum(grid => grid.l2ReadSectorHits),
    l2ReadRequests: sum(grid => grid.l2ReadRequests),
    l2WriteSectors: sum(grid => grid.l2WriteSectors),
    l2PartialSectors: sum(grid => grid.l2PartialSectors),
    l2AtomicSectors: sum(grid => grid.l2AtomicSectors),
    l2ReductionSectors: sum(grid => grid.l2ReductionSectors),
    dramReadBytes: sum(grid => grid.dramReadBytes),
    dramWriteBytes: sum(grid => grid.dramWriteBytes),
  }
}

/** @param seconds of all grids together with the waits between them, in which nothing is busy */
export function timeOfFamily(grids: readonly LaunchTime[], seconds: number): LaunchTime {
  const [first] = grids
  const working = grids.reduce((sum, grid) => sum + grid.seconds, 0)
  const average = (of: (grid: LaunchTime) => number, over: number) =>
    over === 0 ? 0 : grids.reduce((sum, grid) => sum + grid.seconds * of(grid), 0) / over
  const busy = (part: BusyPart) => average(grid => grid.busy[part], seconds)
  return {
    seconds,
    cycles: (first!.cycles / first!.seconds) * seconds,
    averageActiveWarps: average(grid => grid.averageActiveWarps, working),
    activeShare: average(grid => grid.activeShare, seconds),
    busy: { issue: busy('issue'), l1: busy('l1'), l2: busy('l2') },
  }
}
