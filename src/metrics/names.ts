/**
 * All metrics by name, their sets and sections, and the look-up behind `--metrics`.
 * In: names as a user types them (Nsight Compute's, nvprof's, `regex:EXPR`). Out: definitions, or an error with suggestions.
 */
import { UserError } from '../diagnostic.ts'
import { didYouMean } from '../nearest.ts'
import type { MetricDefinition } from './definition.ts'
import { arithmeticMetrics } from './definitions/arithmetic.ts'
import { clusterMetrics } from './definitions/clusters.ts'
import { globalMetrics } from './definitions/global.ts'
import { launchMetrics } from './definitions/launch.ts'
import { machineMetrics } from './definitions/machine.ts'
import { nvprofMetrics } from './definitions/nvprof.ts'
import { derivedMetric } from './definitions/rollups.ts'
import { sharedMetrics } from './definitions/shared.ts'
import { textureMetrics } from './definitions/textures.ts'
import { throughputMetrics } from './definitions/throughput.ts'

export type { Fidelity, MetricDefinition } from './definition.ts'

/** Nsight Compute's vocabulary first, then nvprof's, then ours. */
export const metricDefinitions: readonly MetricDefinition[] = [
  ...globalMetrics,
  ...sharedMetrics,
  ...textureMetrics,
  ...machineMetrics,
  ...throughputMetrics,
  ...arithmeticMetrics,
  ...launchMetrics,
  ...nvprofMetrics,
  ...clusterMetrics,
]

const byName = new Map(metricDefinitions.map(metric => [metric.name, metric]))

/** The metric of exactly that name, listed or a roll-up of one that is; undefined when there is none. */
export function findMetric(name: string): MetricDefinition | undefined {
  return byName.get(name) ?? derivedMetric(name, listed => byName.get(listed))
}

const ncuOnly = metricDefinitions.filter(({ vocabulary }) => vocabulary === 'ncu')
const names = (metrics: readonly MetricDefinition[]) => metrics.map(({ name }) => name)

/** What `--set` takes. `full` is everything of Nsight Compute's vocabulary. */
export const metricSets: Readonly<Record<string, readonly string[]>> = {
  basic: [
    ...['ld', 'st'].flatMap(op => [
      `l1tex__t_requests_pipe_lsu_mem_global_op_${op}.sum`,
      `l1tex__t_sectors_pipe_lsu_mem_global_op_${op}.sum`,
      `l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_${op}.ratio`,
      `smsp__sass_average_data_bytes_per_sector_mem_global_op_${op}.pct`,
      `smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_${op}.sum`,
      `l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_${op}.sum`,
    ]),
    'derived__memory_l1_conflicts_shared_nway',
    'gpu__time_duration.sum',
  ],
  memory: names([
    ...globalMetrics,
    ...sharedMetrics,
    ...textureMetrics,
    ...[...machineMetrics, ...throughputMetrics].filter(({ name }) => /^(l1tex|lts|dram)__/.test(name)),
  ]),
  full: names(ncuOnly),
}

const startsWith = (prefixes: RegExp) => names(ncuOnly.filter(({ name }) => prefixes.test(name)))

const duration = 'gpu__time_duration.sum'
/** In the order in which Nsight Compute prints them. */
const speedOfLight = [
  'dram__cycles_elapsed.avg.per_second',
  'gpc__cycles_elapsed.avg.per_second',
  'gpc__cycles_elapsed.max',
  'gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed',
  'gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed',
  duration,
  'l1tex__throughput.avg.pct_of_peak_sustained_active',
  'lts__throughput.avg.pct_of_peak_sustained_elapsed',
  'sm__cycles_active.avg',
  'sm__throughput.avg.pct_of_peak_sustained_elapsed',
]

/** What `--section` takes: Nsight Compute's section names. */
export const metricSections: Readonly<Record<string, readonly string[]>> = {
  SpeedOfLight: speedOfLight,
  SpeedOfLight_RooflineChart: [
    ...startsWith(/^smsp__sass_thread_inst_executed_op_[fd](add|mul|fma)_|^derived__smsp__sass_thread/),
    'dram__bytes.sum.per_second',
    'lts__t_bytes.sum',
    'l1tex__t_bytes.sum',
    'sm__cycles_elapsed.avg.per_second',
    duration,
  ],
  ComputeWorkloadAnalysis: [
    'sm__inst_executed.avg.per_cycle_active',
    'sm__inst_executed.avg.per_cycle_elapsed',
    'sm__throughput.avg.pct_of_peak_sustained_elapsed',
  ],
  MemoryWorkloadAnalysis: [
    'dram__bytes.sum.per_second',
    'gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed',
    'sm__memory_throughput.avg.pct_of_peak_sustained_elapsed',
    ...metricSets.memory!,
  ],
  MemoryWorkloadAnalysis_Chart: metricSets.memory!,
  MemoryWorkloadAnalysis_Tables: metricSets.memory!,
  InstructionStats: startsWith(/^(sm|smsp)__(thread_)?inst_executed(_per_inst_executed)?\./),
  LaunchStats: names(launchMetrics.filter(({ name }) => name.startsWith('launch__') && !name.includes('occupancy'))),
  Occupancy: [
    ...names(launchMetrics.filter(({ name }) => name.includes('occupancy') || name.startsWith('sm__maximum'))),
    'sm__warps_active.avg.pct_of_peak_sustained_active',
    'sm__warps_active.avg.per_cycle_active',
  ],
  SourceCounters: startsWith(/^(derived__)?memory_/),
}

function choose(kind: string, tables: Readonly<Record<string, readonly string[]>>, name: string): MetricDefinition[] {
  const key = Object.keys(tables).find(known => known.toLowerCase() === name.toLowerCase())
  if (key === undefined) {
    const message = `unknown ${kind} '${name}': use ${Object.keys(tables).join(', ')}`
    throw new UserError({ code: `unknown-${kind}`, severity: 'error', message })
  }
  return tables[key]!.map(metric => findMetric(metric)!)
}

/** @throws UserError `unknown-set` */
export const metricsOfSet = (name: string): MetricDefinition[] => choose('set', metricSets, name)
/** @throws UserError `unknown-section` */
export const metricsOfSection = (name: string): MetricDefinition[] => choose('section', metricSections, name)

function matching(expression: string): MetricDefinition[] {
  try {
    const pattern = new RegExp(expression)
    return metricDefinitions.filter(({ name }) => pattern.test(name))
  } catch {
    const message = `regex:${expression} is not a regular expression`
    throw new UserError({ code: 'unknown-metric', severity: 'error', message })
  }
}

/** Nsight Compute takes a base name for all of its roll-ups: `l1tex__t_sectors_pipe_lsu_mem_global_op_ld`. */
function withRollups(base: string): MetricDefinition[] {
  return metricDefinitions.filter(({ name, vocabulary }) => vocabulary === 'ncu' && name.startsWith(`${base}.`))
}

function definitionsOf(pattern: string): MetricDefinition[] {
  if (pattern.startsWith('regex:')) return matching(pattern.slice('regex:'.length))
  const exactly = findMetric(pattern)
  return exactly ? [exactly] : withRollups(pattern)
}

/**
 * The metrics that the patterns name, in order, each once.
 * @throws UserError `unknown-metric`, one diagnostic for each pattern that names nothing, with the nearest names
 */
export function resolveMetricNames(patterns: readonly string[]): MetricDefinition[] {
  const found = new Map<string, MetricDefinition>()
  const unknown: string[] = []
  for (const pattern of patterns) {
    const definitions = definitionsOf(pattern)
    if (definitions.length === 0) unknown.push(pattern)
    for (const definition of definitions) found.set(definition.name, definition)
  }
  if (unknown.length === 0) return [...found.values()]
  throw new UserError(
    ...unknown.map(pattern => ({
      code: 'unknown-metric',
      severity: 'error' as const,
      message: pattern.startsWith('regex:')
        ? `no metric matches ${pattern}`
        : `unknown metric '${pattern}'${didYouMean(pattern, [...byName.keys()])}`,
      notes: ['all metrics: warplens metrics'],
    })),
  )
}
