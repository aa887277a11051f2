/**
 * From a run to the report: which launches, which metrics, how sure. In: what the runtime recorded and what the user asked
 * for. Out: the report model with its findings.
 */
import type { Device } from './devices/device.ts'
import { type Doubt, doubtsOfLaunch } from './metrics/certainty/doubts.ts'
import { InheritedOrder } from './metrics/certainty/inheritedOrder.ts'
import { computeMetrics } from './metrics/compute.ts'
import { familyOf } from './metrics/deviceCalls/childGrids.ts'
import type { ModelledLaunch } from './metrics/modelLaunch.ts'
import {
  findMetric,
  type MetricDefinition,
  metricSets,
  metricsOfSection,
  metricsOfSet,
  resolveMetricNames,
} from './metrics/names.ts'
import { limiterShares } from './metrics/time/limiterShares.ts'
import { countersOf, type LaunchModels, type RegistersOf } from './modelTimes.ts'
import { buildLaunch, buildTimeline } from './report/build.ts'
import { demangle, type KernelName } from './report/demangle.ts'
import { findExcess } from './report/findings.ts'
import { type Fidelity, type LaunchPrediction, type LaunchReport, REPORT_SCHEMA, type Report } from './report/model.ts'
import { overviewMetrics } from './report/overview.ts'
import type { LaunchRecord } from './runtime/launchRecord.ts'
import type { RunResult } from './runtime/run.ts'
import type { Site } from './trace.ts'

export interface ProfileSelection {
  readonly metrics: readonly MetricDefinition[]
  /** All kernels without one. */
  readonly kernel?: (name: KernelName) => boolean
  /** Of the launches that match. */
  readonly launchSkip?: number
  readonly launchCount?: number
}

export interface ReportContext {
  readonly device: Device
  readonly version: string
  readonly files: readonly string[]
  readonly args: readonly string[]
  /** Registers a thread; without it, nothing that depends on them is known. */
  readonly registersOf?: RegistersOf
  /** Predicted traffic and time; without it, the metrics made of them have no value. */
  readonly models?: LaunchModels
}

/**
 * What `--metrics`, `--set` and `--section` ask for; everything of Nsight Compute's vocabulary when they ask for nothing.
 * @throws UserError for names that nobody knows, with the nearest ones.
 */
export function selectMetrics(chosen: {
  readonly metrics: readonly string[]
  readonly sets: readonly string[]
  readonly sections: readonly string[]
}): readonly MetricDefinition[] {
  const picked = [
    ...resolveMetricNames(chosen.metrics),
    ...chosen.sets.flatMap(metricsOfSet),
    ...chosen.sections.flatMap(metricsOfSection),
  ]
  if (picked.length > 0) return [...new Set(picked)]
  return resolveMetricNames([...new Set([...overviewMetrics, ...(metricSets.full ?? [])])])
}

export function buildReport(result: RunResult, context: ReportContext, selection: ProfileSelection): Report {
  const { device, version, files, args, models, registersOf } = context
  const records = selectLaunches(result.launches, selection)
  const inherited = inheritedDoubts(result.launches)
  const modelled = new Map<ModelledLaunch, Map<string, LaunchReport>>()
  const launches = records.map(record => {
    const model = models?.of(record)
    const further = inherited.get(record) ?? []
    // Launches that share a model are the same kernel in the same geometry, alike in every counter.
    const alike = model && (modelled.get(model) ?? new Map<string, LaunchReport>())
    const causes = further.map(({ cause, space }) => `${cause} ${space}`).join()
    const same = alike?.get(causes)
    if (same) return { ...same, index: record.index, stream: record.stream }
    const counters = model?.launch ?? countersOf(record, registersOf, device)
    const doubted = further.length > 0 ? { ...counters, doubts: [...(counters.doubts ?? []), ...further] } : counters
    const launch = buildLaunch(record, {
      ...(model && { prediction: predictionOf(model) }),
      limiterShares: model ? limiterShares(model.launch, model.predicted.limiter) : [],
      metrics: computeMetrics(doubted, device, selection.metrics),
      fidelityOf: (site, { program, outcome }) =>
        siteFidelity(site, device, [...doubtsOfLaunch(program, outcome.sites), ...further]),
    })
    if (alike) modelled.set(model, alike.set(causes, launch))
    return launch
  })
  const { major, minor } = device.computeCapability
  return {
    schema: REPORT_SCHEMA,
    version,
    device: { name: device.id, computeCapability: `${major}.${minor}` },
    program: { files, args, exitCode: result.exitCode },
    launches,
    timeline: buildTimeline(result.timeline, result.launches, new Set(records.map(({ index }) => index))),
    findings: findExcess(launches),
  }
}

/** Those that have any: of what launches before them left behind. */
function inheritedDoubts(launches: readonly LaunchRecord[]): ReadonlyMap<LaunchRecord, readonly Doubt[]> {
  const order = new InheritedOrder()
  const all = launches.map(record => [record, familyOf(record).flatMap(grid => order.doubtsOf(grid))] as const)
  return new Map(all.filter(([, doubts]) => doubts.length > 0))
}

function selectLaunches(launches: readonly LaunchRecord[], selection: ProfileSelection): readonly LaunchRecord[] {
  const { kernel, launchSkip = 0, launchCount = Number.POSITIVE_INFINITY } = selection
  const matching = kernel ? launches.filter(launch => kernel(demangle(launch.kernel))) : launches
  return matching.slice(launchSkip, launchSkip + launchCount)
}

function predictionOf({ predicted }: ModelledLaunch): LaunchPrediction {
  const limits = Object.entries(predicted.limits).map(([name, seconds]) => [name, seconds * 1e6])
  return {
    fidelity: 'modelled',
    us: predicted.seconds * 1e6,
    limiter: predicted.limiter,
    limitersUs: Object.fromEntries(limits),
  }
}

/** A site's counters are as sure as the metric that sums them over the launch. */
function siteFidelity({ space, op }: Site, device: Device, doubts: readonly Doubt[]): Fidelity {
  const suffix = { load: 'ld', store: 'st', atomic: 'atom', red: 'red' }[op]
  const shared = op === 'red' ? 'atom' : suffix
  const name =
    space === 'shared'
      ? `smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_${shared}.sum`
      : `l1tex__t_sectors_pipe_lsu_mem_${space}_op_${suffix}.sum`
  const isDoubted = doubts.some(doubt => doubt.space === space && doubt.counters.test(name))
  return isDoubted ? 'modelled' : (findMetric(name)?.fidelity(device) ?? 'modelled')
}
