/**
 * What a metric is: a name of Nsight Compute's or nvprof's, its unit, one sentence, how sure it is, and a function from a
 * launch to a number. The tables of definitions are in definitions/; names.ts finds them; compute.ts evaluates them.
 */
import type { Device } from '../devices/device.ts'
import { capabilityNumber } from '../devices/devices.ts'
import type { LaunchCounters } from './launchCounters.ts'
import { threadsPerBlock } from './launchCounters.ts'
import { type Occupancy, occupancyOf } from './occupancy/occupancy.ts'

/** `exact`: equals what the profiler reads on that device, checked; `modelled`: our estimate; `unsupported`: no value. */
export type Fidelity = 'exact' | 'modelled' | 'unsupported'

export interface MetricInput {
  readonly launch: LaunchCounters
  readonly device: Device
  /** Undefined where the registers a thread are not known. */
  readonly occupancy: Occupancy | undefined
}

export interface MetricDefinition {
  readonly name: string
  /** Whose name it is. `warplens`: our own, for quantities that neither tool names. */
  readonly vocabulary: 'ncu' | 'nvprof' | 'warplens'
  /** The other tool's name for nearly the same thing. */
  readonly counterpart?: string
  /** As the tool prints it; empty for plain numbers. */
  readonly unit: string
  /** One sentence. */
  readonly definition: string
  /** May depend on the device and, given one, on the launch (registers stated or estimated). */
  readonly fidelity: (device: Device, launch?: LaunchCounters) => Fidelity
  /** Undefined when this launch does not have what the metric needs (no time, no cache model, no registers). */
  readonly value: (input: MetricInput) => number | undefined
}

/** Counters of memory instructions: compared with a GPU's readings on 9.0 alone (truth/h200). */
export function countedFidelity(device: Device): Fidelity {
  return capabilityNumber(device) === 90 ? 'exact' : 'modelled'
}

export const modelled = (): Fidelity => 'modelled'
export const exact = (): Fidelity => 'exact'
export const unsupported = (): Fidelity => 'unsupported'

/** What depends on registers a thread is as sure as they are. */
export function registerFidelity(device: Device, launch?: LaunchCounters): Fidelity {
  return launch?.registersSource === 'measured' ? countedFidelity(device) : 'modelled'
}

/** Quotients without a denominator read 0, as in Nsight Compute. */
export function ratio(numerator: number, denominator: number): number {
  return denominator === 0 ? 0 : numerator / denominator
}

export function metricInput(launch: LaunchCounters, device: Device): MetricInput {
  const { registersPerThread, staticSharedBytes, dynamicSharedBytes, preferredCarveout } = launch
  const occupancy =
    registersPerThread === undefined
      ? undefined
      : occupancyOf(device, {
          threads: threadsPerBlock(launch),
          registersPerThread,
          sharedBytes: staticSharedBytes + dynamicSharedBytes,
          preferredCarveout,
        })
  return { launch, device, occupancy }
}
