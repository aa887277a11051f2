/** From a launch's counters to named numbers, each with its unit and its label. */
import type { Device } from '../devices/device.ts'
import { InternalError } from '../diagnostic.ts'
import { isDoubtful } from './certainty/doubts.ts'
import { type Fidelity, type MetricDefinition, metricInput } from './definition.ts'
import type { LaunchCounters } from './launchCounters.ts'
import { findMetric } from './names.ts'

export interface ComputedMetric {
  /** null when there is nothing to say: the metric is unsupported, or the model that it needs did not run. */
  readonly value: number | null
  readonly unit: string
  readonly fidelity: Fidelity
}

/**
 * @param metrics definitions (from `resolveMetricNames`) or exact names
 * @returns one entry a metric, in the order asked for
 * @throws InternalError for a name that no table has
 */
export function computeMetrics(
  launch: LaunchCounters,
  device: Device,
  metrics: readonly (string | MetricDefinition)[],
): Record<string, ComputedMetric> {
  const input = metricInput(launch, device)
  const result: Record<string, ComputedMetric> = {}
  for (const metric of metrics) {
    const definition = typeof metric === 'string' ? findMetric(metric) : metric
    if (!definition) throw new InternalError(`no metric is called '${String(metric)}'`)
    const value = definition.value(input)
    const byRule = definition.fidelity(device, launch)
    const fidelity = byRule === 'exact' && isDoubtful(launch.doubts, definition.name) ? 'modelled' : byRule
    result[definition.name] =
      value === undefined
        ? { value: null, unit: definition.unit, fidelity: 'unsupported' }
        : { value, unit: definition.unit, fidelity }
  }
  return result
}
