/** Counters by source line: what the source page, the HTML page and comparisons with `ncu --page source` are made of. */
import { decimal, fidelityMark } from './format.ts'
import type { Fidelity, Report, SiteReport } from './model.ts'

interface Quotient {
  requests: number
  /** Sectors of global memory, wavefronts of shared memory. */
  cost: number
}

/** Sums over the sites of one line, all profiled launches together. */
export interface LineCounters {
  readonly loads: Quotient
  /** Stores and atomics. */
  readonly stores: Quotient
  readonly shared: Quotient
  /** Sectors and wavefronts beyond the ideal. */
  excess: number
  fidelity: Fidelity
  /** Predicted time of the launches, in microseconds, that the line's part of their limiters stands for. */
  limiterUs: number
}

/** By file, then by line. A site counts for the innermost line that it comes from. */
export function countersByLine(report: Report): ReadonlyMap<string, ReadonlyMap<number, LineCounters>> {
  const files = new Map<string, Map<number, LineCounters>>()
  for (const launch of report.launches)
    for (const site of launch.sites) {
      if (site.line === 0 || (site.space !== 'global' && site.space !== 'shared')) continue
      const lines = files.get(site.file) ?? new Map<number, LineCounters>()
      files.set(site.file, lines)
      const counters = lines.get(site.line) ?? empty()
      lines.set(site.line, counters)
      add(counters, site, launch.prediction?.us ?? 0)
    }
  return files
}

function empty(): LineCounters {
  const zero = () => ({ requests: 0, cost: 0 })
  return { loads: zero(), stores: zero(), shared: zero(), excess: 0, fidelity: 'exact', limiterUs: 0 }
}

function add(counters: LineCounters, site: SiteReport, launchUs: number): void {
  const shared = site.space === 'shared'
  const quotient = shared ? counters.shared : site.op === 'load' ? counters.loads : counters.stores
  const cost = shared ? site.wavefronts : site.sectors
  const ideal = shared ? site.wavefrontsIdeal : site.sectorsIdeal
  quotient.requests += site.executed
  quotient.cost += cost
  counters.limiterUs += (site.limiterShare ?? 0) * launchUs
  counters.excess += Math.max(0, cost - ideal)
  if (site.fidelity !== 'exact') counters.fidelity = site.fidelity
}

/** Sectors a load, sectors a store, wavefronts a shared request, excess; empty where there is none. */
export function lineCells(counters: LineCounters): [string, string, string, string] {
  const mark = fidelityMark[counters.fidelity]
  const cell = ({ requests, cost }: Quotient) => (requests > 0 ? mark + decimal(cost / requests) : '')
  return [cell(counters.loads), cell(counters.stores), cell(counters.shared), `${mark}${counters.excess}`]
}

/** The line's part of the predicted time of all profiled launches, by their limiters; empty without a prediction. */
export function limiterCell({ limiterUs }: LineCounters, report: Report): string {
  const total = report.launches.reduce((sum, { prediction }) => sum + (prediction?.us ?? 0), 0)
  return total === 0 ? '' : `~${((100 * limiterUs) / total).toFixed(0)}%`
}

/** Ranges of lines worth showing: those with counters and `around` lines on either side, joined where they touch. */
export function excerpts(
  lines: Iterable<number>,
  lineCount: number,
  around: number,
): { first: number; last: number }[] {
  const ranges: { first: number; last: number }[] = []
  for (const line of [...lines].sort((a, b) => a - b)) {
    const first = Math.max(1, line - around)
    const last = Math.min(lineCount, line + around)
    const before = ranges.at(-1)
    if (before !== undefined && first <= before.last + 1) before.last = Math.max(before.last, last)
    else if (first <= last) ranges.push({ first, last })
  }
  return ranges
}
