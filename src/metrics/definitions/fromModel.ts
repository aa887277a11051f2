/** Metrics of Nsight Compute's names whose values the models give: modelled, and absent where no model ran. */
import { type MetricDefinition, type MetricInput, modelled } from '../definition.ts'
import type { CacheTraffic, LaunchTime } from '../launchCounters.ts'

function fromModel(
  name: string,
  unit: string,
  definition: string,
  value: MetricDefinition['value'],
  counterpart?: string,
): MetricDefinition {
  return { vocabulary: 'ncu', name, unit, definition, ...(counterpart && { counterpart }), fidelity: modelled, value }
}

export function fromCaches(
  name: string,
  unit: string,
  definition: string,
  value: (caches: CacheTraffic, input: MetricInput) => number,
  counterpart?: string,
): MetricDefinition {
  const ofLaunch = (input: MetricInput) => input.launch.caches && value(input.launch.caches, input)
  return fromModel(name, unit, definition, ofLaunch, counterpart)
}

export function fromTime(
  name: string,
  unit: string,
  definition: string,
  value: (time: LaunchTime, input: MetricInput) => number | undefined,
  counterpart?: string,
): MetricDefinition {
  const ofLaunch = (input: MetricInput) => input.launch.time && value(input.launch.time, input)
  return fromModel(name, unit, definition, ofLaunch, counterpart)
}
