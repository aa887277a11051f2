/**
 * From what the runtime recorded to the report. In: launch records and the metrics computed from them; out: plain data in a
 * fixed order (launches by index, sites in program order, metrics by name), so that equal runs give equal reports.
 */
import { type KernelWork, kernelsOf } from '../familyCounters.ts'
import type { Location } from '../ir/ir.ts'
import type { Dim3, Fault } from '../launch.ts'
import { familyOf } from '../metrics/deviceCalls/childGrids.ts'
import type { LaunchRecord } from '../runtime/launchRecord.ts'
import type { TimelineEntry as RuntimeEntry } from '../runtime/timeline/timeline.ts'
import type { Site, SiteCounters } from '../trace.ts'
import { demangle } from './demangle.ts'
import type {
  Fidelity,
  Frame,
  LaunchPrediction,
  LaunchReport,
  MetricValue,
  SiteReport,
  SiteSpace,
  TimelineEntry,
} from './model.ts'

export interface LaunchExtras {
  readonly metrics: Readonly<Record<string, MetricValue>>
  /** How sure the device's rules are of this site's counters. */
  readonly fidelityOf: (site: Site, work: KernelWork) => Fidelity
  readonly prediction?: LaunchPrediction
  /** By site, of all kernels of the launch; empty without a prediction. */
  readonly limiterShares: readonly number[]
}

export function buildLaunch(
  record: LaunchRecord,
  { metrics, fidelityOf, prediction, limiterShares }: LaunchExtras,
): LaunchReport {
  const { full, short } = demangle(record.kernel)
  const family = familyOf(record)
  const counted = kernelsOf(record).flatMap(work =>
    work.program.sites.flatMap((site, i) => {
      const counters = work.outcome.sites[i]
      return counters ? [{ site, work, counters }] : []
    }),
  )
  const sites = counted.flatMap(({ site, work, counters }, i) =>
    counters.executed > 0 && isReported(site)
      ? [buildSite(site, counters, fidelityOf(site, work), limiterShares[i])]
      : [],
  )
  const fault = family.find(({ outcome }) => outcome.fault)?.outcome.fault
  return {
    index: record.index,
    kernel: full,
    name: short,
    stream: record.stream,
    grid: triple(record.grid),
    block: triple(record.block),
    sharedBytes: { static: record.sharedBytes.static, dynamic: record.sharedBytes.dynamic },
    metrics: sortedByName(metrics),
    sites,
    ...(prediction && { prediction }),
    ...(family.length > 1 && { childGrids: family.length - 1 }),
    fault: fault ? describeFault(fault) : null,
  }
}

/** `profiled` tells which launches the report has; the others keep their place in time without a link. */
export function buildTimeline(
  entries: readonly RuntimeEntry[],
  launches: readonly LaunchRecord[],
  profiled: ReadonlySet<number>,
): TimelineEntry[] {
  return entries.map(entry => buildEntry(entry, launches, profiled))
}

function buildEntry(
  entry: RuntimeEntry,
  launches: readonly LaunchRecord[],
  profiled: ReadonlySet<number>,
): TimelineEntry {
  const common = { stream: entry.stream, startUs: entry.startUs, durationUs: entry.endUs - entry.startUs }
  switch (entry.kind) {
    case 'kernel': {
      const name = demangle(launches[entry.launch]?.kernel ?? '').short
      return {
        kind: 'kernel',
        name,
        ...common,
        bytes: null,
        launch: profiled.has(entry.launch) ? entry.launch : null,
      }
    }
    case 'copy':
      return { kind: 'copy', name: copyNames[entry.copy.direction], ...common, bytes: entry.copy.bytes, launch: null }
    case 'memset':
      return { kind: 'set', name: '[CUDA memset]', ...common, bytes: entry.bytes, launch: null }
  }
}

/** As nvprof writes them. */
const copyNames = {
  'host-to-host': '[CUDA memcpy HtoH]',
  'host-to-device': '[CUDA memcpy HtoD]',
  'device-to-host': '[CUDA memcpy DtoH]',
  'device-to-device': '[CUDA memcpy DtoD]',
} as const

type ReportedSite = Site & { readonly space: SiteSpace }

/** Texels have no counters. */
const isReported = (site: Site): site is ReportedSite => site.space !== 'texture'

function buildSite(
  site: ReportedSite,
  counters: SiteCounters,
  fidelity: Fidelity,
  limiterShare: number | undefined,
): SiteReport {
  const { location } = site
  return {
    file: location?.file ?? '',
    line: location?.line ?? 0,
    column: location?.column ?? 0,
    inlinedAt: framesOf(location?.inlinedAt),
    space: site.space,
    op: site.op,
    bytes: site.width,
    array: site.array ?? null,
    executed: counters.executed,
    threads: counters.threads,
    bytesTouched: counters.bytes,
    sectors: counters.sectors,
    sectorsIdeal: counters.sectorsIdeal,
    tags: counters.tags,
    wavefronts: counters.wavefronts,
    wavefrontsIdeal: counters.wavefrontsIdeal,
    fidelity,
    ...(limiterShare !== undefined && { limiterShare }),
  }
}

function framesOf(location: Location | undefined): Frame[] {
  const frames: Frame[] = []
  for (let frame = location; frame; frame = frame.inlinedAt)
    frames.push({ file: frame.file, line: frame.line, column: frame.column, function: frame.scope })
  return frames
}

function describeFault({ kind, message, location }: Fault): string {
  return `${kind}${location ? ` at ${location.file}:${location.line}` : ''}: ${message}`
}

function triple({ x, y, z }: Dim3): [number, number, number] {
  return [x, y, z]
}

function sortedByName(metrics: Readonly<Record<string, MetricValue>>): Record<string, MetricValue> {
  return Object.fromEntries(Object.entries(metrics).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}
