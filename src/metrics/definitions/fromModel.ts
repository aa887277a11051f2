/** Metrics of Nsight Compute's names whose values the models give: modelled, and absent where no model ran. */
import { type MetricDefinition, type MetricInput, modelled } from '../definition.ts'
import type { CacheTraffic, LaunchTime } from '../launchCounters.ts'

const ncu = { vocabulary: 'ncu' } as const

export function fromCaches(
  name: string,
  unit: string,
  definition: string,
  value: (caches: CacheTraffic, input: MetricInput) => number,
  counterpart?: string,
): MetricDefinition {
  return {
    ...ncu,
    name,
    unit,
    definition,
    ...(counterpart && { counterpart }),
    fidelity: modelled,
    value: input => input.launch.caches && value(input.launch.caches, input),
  }
}

export function fromTime(
  name: string,
  unit: string,
  definition: string,
  value: (time: LaunchTime, input: MetricInput) => number | undefined,
  counterpart?: string,
): MetricDefinition {
  return {
    ...ncu,
    name,
    unit,
    definition,
    ...(counterpart && { counterpart }),
    fidelity: modelled,
    value: input => input.launch.time && value(input.launch.time, input),
  }
}
