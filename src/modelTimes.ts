/**
 * Predicted times for a run: the runtime's {@link TimeModel} made of the metrics' models. Before each launch it asks the
 * executor for the accesses of a sample of blocks, afterwards it replays them through the caches and predicts how long the
 * launch takes. In: a device and registers a thread. Out: durations for the virtual clock, and for the report each launch's
 * counters with traffic and time. All of it is modelled, and deterministic: samples are bounded by counts, never by a clock.
 */
import type { KernelProgram } from './analysis/prepare.ts'
import type { Device } from './devices/device.ts'
import { type KernelWork, kernelsOf, sumOfCaches, sumOfKernels, timeOfFamily } from './familyCounters.ts'
import type { AccessObserver, LaunchOutcome } from './launch.ts'
import { AccessTraces } from './metrics/caches/accessTraces.ts'
import { l1BytesBeside } from './metrics/caches/caches.ts'
import { doubtsOfLaunch } from './metrics/certainty/doubts.ts'
import { familyMicroseconds, familyOf, launchTraffic } from './metrics/deviceCalls/childGrids.ts'
import { heapTraffic } from './metrics/deviceCalls/heapCalls.ts'
import { printTraffic } from './metrics/deviceCalls/prints.ts'
import { textureWork } from './metrics/deviceCalls/textureUnit.ts'
import { type LaunchCounters, sumOfTraffic, threadsPerBlock } from './metrics/launchCounters.ts'
import {
  type LaunchTraffic,
  launchAsLong,
  type ModelledLaunch,
  scaleTraffic,
  timeLaunch,
  trafficOf,
} from './metrics/modelLaunch.ts'
import { occupancyOf } from './metrics/occupancy/occupancy.ts'
import { copyMicroseconds } from './metrics/time/copyTime.ts'
import { l2OfClocks, WarpClocks } from './metrics/time/warpClocks.ts'
import type { LaunchRecord, ObservedLaunch, TimeModel } from './runtime/launchRecord.ts'
import type { SiteCounters } from './trace.ts'

/** Registers a thread, and whether the machine compiler said so. */
export interface Registers {
  readonly perThread: number
  readonly source: 'measured' | 'estimated'
}

/** @param threads of a block that is launched: an estimate is then no more than such a block can have */
export type RegistersOf = (program: KernelProgram, threads?: number) => Registers

export interface LaunchModels extends TimeModel {
  /** What is modelled about a launch; undefined for one that stopped at a fault or that no multiprocessor could hold. */
  of(record: LaunchRecord): ModelledLaunch | undefined
}

/** Accesses recorded of one launch, and of a program, at most; a launch gets the smallest sample once the program's are used up. */
const LAUNCH_ACCESSES = 30_000
const PROGRAM_ACCESSES = 3_000_000
const SMALLEST_SAMPLE = 5_000
/** Lines of 128 bytes that a sample's accesses touch, each: a scattered access takes as long to replay as 32 others. */
const LINES_PER_ACCESS = 5
/** Of one warp, at least. */
const SMALLEST_WARP = 64
/** Blocks that share a launch's accesses, at least, where it has so many. */
const FEWEST_BLOCKS = 8
/** Share of what is left of the program's accesses that one launch may take. */
const LAUNCH_SHARE = 0.1

/** A kernel in one geometry, with the same numbers for arguments. */
interface Known {
  counters: LaunchCounters
  traffic: LaunchTraffic
  /** Two launches one after the other were alike: the next ones are taken to be so too, while their counters are. */
  isTrusted: boolean
  /** The last launch without a look at its accesses: one that did exactly the same has the same model. */
  last?: TimedLaunch
  /** The one whose time was predicted last: those that did nearly the same take as long. */
  timed?: TimedLaunch
  launches: number
}

interface TimedLaunch {
  readonly outcome: LaunchOutcome
  readonly model: ModelledLaunch
}

/** Launches of one kernel and geometry whose times are predicted one by one, whatever they did; it takes some milliseconds. */
const TIMED_ONE_BY_ONE = 50

/** Launches of one kernel and geometry that differ by their arguments: so many are looked at, the last stands for the others. */
const MOST_VARIANTS = 8
/** Traffic of equal launches differs by less. */
const ALIKE = 0.02

const geometryOf = (launch: Omit<ObservedLaunch, 'parameters' | 'program'>): string => {
  const { grid, block, dynamicSharedBytes, preferredCarveout } = launch
  return [grid.x, grid.y, grid.z, block.x, block.y, block.z, dynamicSharedBytes, preferredCarveout].join()
}

/** The arguments that are numbers, structures among them; where arrays lie makes no difference, but whether in the host's memory. */
function numbersOf({ program, parameters, isHostMemory }: ObservedLaunch): string {
  const { kernel, parameterOffsets } = program
  const view = new DataView(parameters.buffer, parameters.byteOffset)
  return kernel.parameters
    .flatMap(({ type, byval }, index): (string | number)[] => {
      if (type.kind === 'pointer' && !byval)
        return isHostMemory?.(view.getUint32(parameterOffsets[index]!, true)) ? ['host'] : []
      const end = parameterOffsets[index + 1] ?? program.parameterBytes
      return [...parameters.subarray(parameterOffsets[index], end)]
    })
    .join()
}

/** What has been seen of a program's kernels, by kernel and geometry, then by arguments. */
class KnownLaunches {
  readonly #kernels = new WeakMap<KernelProgram, Map<string, Map<string, Known>>>()

  variants(program: KernelProgram, geometry: string): Map<string, Known> {
    let geometries = this.#kernels.get(program)
    if (!geometries) this.#kernels.set(program, (geometries = new Map()))
    let variants = geometries.get(geometry)
    if (!variants) geometries.set(geometry, (variants = new Map()))
    return variants
  }
}

export function createLaunchModels(device: Device, registersOf: RegistersOf): LaunchModels {
  const modelled = new Map<LaunchRecord, ModelledLaunch>()
  const launches = new KnownLaunches()
  let left = PROGRAM_ACCESSES
  let traces: AccessTraces | undefined
  let numbers = ''
  let clockL2: ReturnType<typeof l2OfClocks>
  let clock: WarpClocks | undefined
  return {
    observeLaunch(launch) {
      numbers = numbersOf(launch)
      traces = undefined
      clock = undefined
      const variants = launches.variants(launch.program, geometryOf(launch))
      const known = variants.get(numbers)
      // The same code runs, without its accesses being shown. A kernel that times itself is looked at anyway.
      if ((known?.isTrusted && !launch.program.timesItself) || (!known && variants.size >= MOST_VARIANTS))
        return { wants: () => false, record: () => {} }
      const budget = Math.max(SMALLEST_SAMPLE, Math.min(LAUNCH_ACCESSES, LAUNCH_SHARE * left))
      const { grid, block } = launch
      const warps = Math.ceil((block.x * block.y * block.z) / 32)
      const blocks = Math.min(FEWEST_BLOCKS, grid.x * grid.y * grid.z)
      traces = new AccessTraces(launch)
      return sampleInto(traces, budget, Math.max(SMALLEST_WARP, budget / warps / blocks))
    },
    kernelUs(record) {
      const { program, sharedBytes, outcome } = record
      const variants = launches.variants(program, geometryOf({ ...record, dynamicSharedBytes: sharedBytes.dynamic }))
      const before = variants.get(numbers)
      const known = before ?? [...variants.values()].at(-1)
      const ownClock = clock
      clock = undefined
      if (known?.last && !ownClock && !traces && isSame(known.last.outcome, outcome)) {
        modelled.set(record, known.last.model)
        return known.last.model.predicted.seconds * 1e6
      }
      const counters = gridCounters(record, record, registersOf(program, threadsPerBlock(record)), device)
      const shown = traces ?? (known ? undefined : new AccessTraces())
      left -= shown?.accesses ?? 0
      traces = undefined
      const seen = shown && trafficOf(counters, program, shown, device)
      const traffic = seen ?? (known && scaleTraffic(known.traffic, known.counters, counters))
      if (!traffic || outcome.fault) return 0
      if (seen)
        variants.set(numbers, {
          counters,
          traffic: seen,
          isTrusted: !!before && isAlike(before, counters, seen),
          launches: before?.launches ?? 0,
        })
      else if (before) before.isTrusted = didTheSame(before.counters, counters)
      const isAsLong =
        known?.timed && !ownClock && ++known.launches > TIMED_ONE_BY_ONE && isNear(known.timed.outcome, outcome)
      const model = isAsLong
        ? launchAsLong(counters, program, traffic, known.timed!.model)
        : timeLaunch(counters, program, traffic, device, ownClock?.skippedCycles)
      if (!model) return 0
      modelled.set(record, model)
      if (known && !seen) known.last = { outcome, model }
      if (known && !isAsLong) known.timed = { outcome, model }
      return model.predicted.seconds * 1e6
    },
    clockOf({ program, grid, block, dynamicSharedBytes, preferredCarveout, model, startUs }) {
      const threads = threadsPerBlock({ block })
      const occupancy = occupancyOf(device, {
        threads,
        registersPerThread: registersOf(program, threads).perThread,
        sharedBytes: program.shared.staticBytes + dynamicSharedBytes,
        preferredCarveout,
      })
      const { blocksPerMultiprocessor } = occupancy
      if (blocksPerMultiprocessor === 0) return undefined
      clockL2 ??= l2OfClocks(device)
      clock = new WarpClocks(device, clockL2, {
        program,
        grid,
        block,
        model,
        l1Bytes: l1BytesBeside(device, occupancy),
        blocksPerMultiprocessor,
        startCycles: startUs * device.clockMHz,
      })
      return clock
    },
    copyUs: copy => copyMicroseconds(copy, device),
    of: record =>
      record.children.length === 0 ? modelled.get(record) : familyModel(record, registersOf, device, modelled),
  }
}

/** Of a grid with all that it launches; undefined where the grid's own is. */
function familyModel(
  record: LaunchRecord,
  registersOf: RegistersOf,
  device: Device,
  modelled: ReadonlyMap<LaunchRecord, ModelledLaunch>,
): ModelledLaunch | undefined {
  const own = modelled.get(record)
  if (!own) return undefined
  const grids = familyOf(record).flatMap(grid => modelled.get(grid) ?? [])
  const usOf = (grid: LaunchRecord) => (modelled.get(grid)?.predicted.seconds ?? 0) * 1e6
  const seconds = familyMicroseconds(record, usOf) / 1e6
  const time = timeOfFamily(
    grids.map(({ predicted }) => predicted),
    seconds,
  )
  const launches = seconds - grids.reduce((sum, { predicted }) => sum + predicted.seconds, 0)
  const longest = grids.reduce((a, b) => (b.predicted.seconds > a.predicted.seconds ? b : a))
  const caches = sumOfCaches(grids.flatMap(({ launch }) => launch.caches ?? []))
  const limits = { ...longest.predicted.limits, launch: longest.predicted.limits.launch + Math.max(0, launches) }
  const limiter = 2 * launches > seconds ? 'launch' : longest.predicted.limiter
  return {
    launch: { ...countersOf(record, registersOf, device), caches, time },
    predicted: { ...time, limiter, limits },
  }
}

function isAlike({ counters, traffic }: Known, now: LaunchCounters, { caches }: LaunchTraffic): boolean {
  const isNear = (a: number, b: number) => Math.abs(a - b) <= ALIKE * Math.max(a, b)
  return didTheSame(counters, now) && isNear(traffic.caches.dramReadBytes, caches.dramReadBytes)
}

/** In what its blocks ran and its accesses moved, by a hundredth of all. */
function isNear(before: LaunchOutcome, now: LaunchOutcome): boolean {
  if (now.fault !== undefined) return false
  const differs = <T>(of: readonly T[], others: readonly T[], numbers: readonly ((each: T) => number)[]) =>
    numbers.some(number => {
      const sum = of.reduce((total, each) => total + number(each), 0)
      const apart = of.reduce((total, each, at) => total + Math.abs(number(each) - number(others[at]!)), 0)
      return apart > NEAR * sum
    })
  const [most, other] = [before.loopWork?.most ?? 0, now.loopWork?.most ?? 0]
  return (
    Math.abs(most - other) <= NEAR * most &&
    !differs(before.blocks, now.blocks, [({ warps }) => warps, ({ threads }) => threads]) &&
    !differs(before.sites, now.sites, [
      ({ executed }) => executed,
      ({ sectors }) => sectors,
      ({ tags }) => tags,
      ({ wavefronts }) => wavefronts,
    ])
  )
}

const NEAR = 0.01

/** In every counter. */
function isSame(before: LaunchOutcome, now: LaunchOutcome): boolean {
  return (
    now.fault === undefined &&
    now.loopWork?.most === before.loopWork?.most &&
    before.blocks.every(({ warps, threads }, index) => {
      const block = now.blocks[index]
      return block?.warps === warps && block.threads === threads
    }) &&
    before.sites.every((site, index) => site === now.sites[index] || hasSameCounts(site, now.sites[index]))
  )
}

function hasSameCounts(a: Readonly<SiteCounters>, b: Readonly<SiteCounters> | undefined): boolean {
  return (
    b !== undefined &&
    a.executed === b.executed &&
    a.threads === b.threads &&
    a.bytes === b.bytes &&
    a.sectors === b.sectors &&
    a.sectorsIdeal === b.sectorsIdeal &&
    a.tags === b.tags &&
    a.wavefronts === b.wavefronts &&
    a.wavefrontsIdeal === b.wavefrontsIdeal &&
    a.attempts === b.attempts &&
    a.attemptWavefronts === b.attemptWavefronts
  )
}

function didTheSame(before: LaunchCounters, now: LaunchCounters): boolean {
  return before.sites.every((site, index) => {
    const other = now.sites[index]
    return other?.executed === site.executed && other.sectors === site.sectors && other.tags === site.tags
  })
}

/** Takes blocks until the budget of accesses is used, or what lines go with it; of each warp no more than its part of the budget, since warps run one by one. */
function sampleInto(traces: AccessTraces, budget: number, mostOfWarp: number): AccessObserver {
  return {
    wants: () => traces.accesses < budget && traces.lines < LINES_PER_ACCESS * budget,
    record: (block, warp, access) => traces.record(block, warp, access, mostOfWarp),
  }
}

/** A launch as the metrics see it, with all that it launches. */
export function countersOf(record: LaunchRecord, registersOf: RegistersOf | undefined, device: Device): LaunchCounters {
  const threads = threadsPerBlock(record)
  const registers = (program: KernelProgram) => registersOf?.(program, threads)
  if (record.children.length === 0) return gridCounters(record, record, registers(record.program), device)
  const kernels = kernelsOf(record).map(work => gridCounters(record, work, registers(work.program), device))
  return sumOfKernels(kernels, launchTraffic(record))
}

/** @param work what the grid did, or all grids of the kernel in a launch */
function gridCounters(
  record: LaunchRecord,
  { program, outcome }: KernelWork & { readonly outcome: Pick<LaunchOutcome, 'loopWork'> },
  registers: Registers | undefined,
  device: Device,
): LaunchCounters {
  const { grid, block, sharedBytes, preferredCarveout, heapBytes } = record
  const sites = program.sites.flatMap((site, i) => {
    const counters = outcome.sites[i]
    return counters ? [{ ...site, ...counters }] : []
  })
  const prints = printTraffic(program, outcome.blocks, device)
  return {
    sites,
    blocks: outcome.blocks,
    ...(outcome.loopWork && { loopWork: outcome.loopWork }),
    grid,
    block,
    staticSharedBytes: sharedBytes.static,
    dynamicSharedBytes: sharedBytes.dynamic,
    preferredCarveout,
    doubts: [...doubtsOfLaunch(program, outcome.sites), ...(prints?.doubts ?? [])],
    library: sumOfTraffic([prints?.traffic, heapTraffic(program, outcome.blocks, heapBytes)]),
    textures: textureWork(program, outcome.blocks),
    ...(registers && { registersPerThread: registers.perThread, registersSource: registers.source }),
  }
}
