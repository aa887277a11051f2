/**
 * The few numbers of a launch that the first table shows, read from its metrics by name.
 * The pipeline computes these metrics whenever the user did not choose others.
 */
import { metricText } from './format.ts'
import type { LaunchReport, MetricValue } from './model.ts'

const requests = (op: string) => `l1tex__t_requests_pipe_lsu_mem_global_op_${op}.sum`
const sectorsPerRequest = (op: string) => `l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_${op}.ratio`
const efficiency = (op: string) => `smsp__sass_average_data_bytes_per_sector_mem_global_op_${op}.pct`
const conflictWays = 'derived__memory_l1_conflicts_shared_nway'
const sectorsExcess = 'derived__memory_l2_theoretical_sectors_global_excessive'
const wavefrontsExcess = 'derived__memory_l1_wavefronts_shared_excessive'

/** Names that {@link overviewRow} reads. */
export const overviewMetrics: readonly string[] = [
  ...['ld', 'st'].flatMap(op => [requests(op), sectorsPerRequest(op), efficiency(op)]),
  conflictWays,
  sectorsExcess,
  wavefrontsExcess,
]

export interface OverviewRow {
  readonly requests: string
  readonly loadSectors: string
  readonly storeSectors: string
  /** Percent of the bytes moved that lanes asked for. */
  readonly loadEfficiency: string
  readonly storeEfficiency: string
  /** Average wavefronts a shared instruction. */
  readonly ways: string
  /** Sectors and wavefronts beyond the ideal. */
  readonly excess: string
}

export function overviewRow(launch: LaunchReport): OverviewRow {
  const get = (name: string) => launch.metrics[name]
  const ratio = (name: string, has: boolean) => (has ? metricText(get(name)) : '-')
  const loads = (get(requests('ld'))?.value ?? 0) > 0
  const stores = (get(requests('st'))?.value ?? 0) > 0
  const shared = launch.sites.some(site => site.space === 'shared')
  return {
    requests: metricText(sum(get(requests('ld')), get(requests('st')))),
    loadSectors: ratio(sectorsPerRequest('ld'), loads),
    storeSectors: ratio(sectorsPerRequest('st'), stores),
    loadEfficiency: loads ? metricText(get(efficiency('ld')), 1) : '-',
    storeEfficiency: stores ? metricText(get(efficiency('st')), 1) : '-',
    ways: ratio(conflictWays, shared),
    excess: metricText(sum(get(sectorsExcess), get(wavefrontsExcess))),
  }
}

/** The less sure of the two labels holds for the sum. */
function sum(a: MetricValue | undefined, b: MetricValue | undefined): MetricValue | undefined {
  if (a === undefined || b === undefined) return undefined
  const fidelity = a.fidelity === 'exact' ? b.fidelity : a.fidelity
  return { value: (a.value ?? 0) + (b.value ?? 0), unit: a.unit, fidelity }
}
