/**
 * Predicted times for a run: the runtime's {@link TimeModel} made of the metrics' models. Before each launch it asks the
 * executor for the accesses of a sample of blocks, afterwards it replays them through the caches and predicts how long the
 * launch takes. In: a device and registers a thread. Out: durations for the virtual clock, and for the report each launch's
 * counters with traffic and time. All of it is modelled, and deterministic: samples are bounded by counts, never by a clock.
 */
import type { KernelProgram } from './analysis/prepare.ts'
import type { Device } from './devices/device.ts'
import type { AccessObserver } from './launch.ts'
import { AccessTraces } from './metrics/accessTraces.ts'
import { copyMicroseconds } from './metrics/copyTime.ts'
import type { LaunchCounters } from './metrics/launchCounters.ts'
import { type ModelledLaunch, modelLaunch } from './metrics/modelLaunch.ts'
import type { LaunchRecord, TimeModel } from './runtime/launchRecord.ts'

/** Registers a thread, and whether the machine compiler said so. */
export interface Registers {
  readonly perThread: number
  readonly source: 'measured' | 'estimated'
}

export type RegistersOf = (program: KernelProgram) => Registers

export interface LaunchModels extends TimeModel {
  /** What is modelled about a launch; undefined for one that stopped at a fault or that no multiprocessor could hold. */
  of(record: LaunchRecord): ModelledLaunch | undefined
}

/** Accesses recorded of one launch, and of a program, at most; a launch gets the smallest sample once the program's are used up. */
const LAUNCH_ACCESSES = 120_000
const PROGRAM_ACCESSES = 1_500_000
const SMALLEST_SAMPLE = 5_000
/** Of one warp, at least. */
const SMALLEST_WARP = 64
/** Share of what is left of the program's accesses that one launch may take. */
const LAUNCH_SHARE = 0.2

export function createLaunchModels(device: Device, registersOf: RegistersOf): LaunchModels {
  const modelled = new Map<LaunchRecord, ModelledLaunch>()
  let left = PROGRAM_ACCESSES
  let traces = new AccessTraces()
  return {
    observeLaunch(warps) {
      const budget = Math.max(SMALLEST_SAMPLE, Math.min(LAUNCH_ACCESSES, LAUNCH_SHARE * left))
      traces = new AccessTraces()
      return sampleInto(traces, budget, Math.max(SMALLEST_WARP, budget / warps))
    },
    kernelUs(record) {
      left -= traces.accesses
      const model = modelLaunch(countersOf(record, registersOf(record.program)), record.program, traces, device)
      traces = new AccessTraces()
      if (!model || record.outcome.fault) return 0
      modelled.set(record, model)
      return model.predicted.seconds * 1e6
    },
    copyUs: copy => copyMicroseconds(copy, device),
    of: record => modelled.get(record),
  }
}

/** Takes blocks until the budget is used; of each warp no more than its part of the budget, since warps run one by one. */
function sampleInto(traces: AccessTraces, budget: number, mostOfWarp: number): AccessObserver {
  return {
    wants: () => traces.accesses < budget,
    record: (block, warp, access) => traces.record(block, warp, access, mostOfWarp),
  }
}

/** A launch as the metrics see it. */
export function countersOf(record: LaunchRecord, registers: Registers | undefined): LaunchCounters {
  const { outcome, program, grid, block, sharedBytes } = record
  const sites = program.sites.flatMap((site, i) => {
    const counters = outcome.sites[i]
    return counters ? [{ ...site, ...counters }] : []
  })
  return {
    sites,
    blocks: outcome.blocks,
    grid,
    block,
    staticSharedBytes: sharedBytes.static,
    dynamicSharedBytes: sharedBytes.dynamic,
    ...(registers && { registersPerThread: registers.perThread, registersSource: registers.source }),
  }
}
