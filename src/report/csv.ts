/**
 * CSV as Nsight Compute writes it, so that scripts for `ncu --csv` read ours. Three tables:
 * details (`ncu --csv`): one row a launch and metric; raw (`ncu --csv --page raw`): one row a launch, one column a metric,
 * the units in the second row; source: one row a memory instruction. All cells are quoted, numbers are in base units with
 * no thousands separators. One column at the end is ours: Fidelity (exact, modelled, unsupported). Each table comes in parts,
 * a launch each: one of thousands of launches is longer than a string may be.
 */
import { tuple } from './format.ts'
import type { LaunchReport, Report } from './model.ts'

export function* csvDetails(report: Report): Generator<string> {
  yield toCsv([[...launchColumns, 'Metric Name', 'Metric Unit', 'Metric Value', 'Fidelity']])
  for (const launch of report.launches) {
    const cells = launchCells(launch, report)
    yield toCsv(
      Object.entries(launch.metrics).map(([name, { unit, value, fidelity }]) => [
        ...cells,
        name,
        unit,
        valueCell(value),
        fidelity,
      ]),
    )
  }
}

/** The Fidelity column reads `exact`, or names the metrics of the row that are not. */
export function* csvRaw(report: Report): Generator<string> {
  const units = new Map<string, string>()
  for (const metrics of new Set(report.launches.map(launch => launch.metrics)))
    for (const [name, { unit }] of Object.entries(metrics)) if (!units.has(name)) units.set(name, unit)
  const names = [...units.keys()].sort()
  const unitRow = [...launchColumns.map(() => ''), ...names.map(name => units.get(name) ?? ''), '']
  yield toCsv([[...launchColumns, ...names, 'Fidelity'], unitRow])
  for (const launch of report.launches) {
    const values = names.map(name => valueCell(launch.metrics[name]?.value ?? null))
    yield toCsv([[...launchCells(launch, report), ...values, fidelityCell(launch)]])
  }
}

export function* csvSource(report: Report): Generator<string> {
  yield toCsv([
    [
      ...['ID', 'Kernel Name', 'File', 'Line', 'Column', 'Space', 'Operation', 'Bytes', 'Array', 'Executed', 'Threads'],
      ...['Sectors', 'Ideal Sectors', 'L1 Tag Requests', 'Wavefronts', 'Ideal Wavefronts', 'Fidelity'],
    ],
  ])
  for (const launch of report.launches)
    yield toCsv(
      launch.sites.map(site => [
        ...[launch.index, launch.kernel, site.file, site.line, site.column, site.space, site.op, site.bytes].map(
          String,
        ),
        site.array ?? '',
        ...[site.executed, site.threads, site.sectors, site.sectorsIdeal, site.tags].map(String),
        ...[site.wavefronts, site.wavefrontsIdeal, site.fidelity].map(String),
      ]),
    )
}

const launchColumns = ['ID', 'Kernel Name', 'Stream', 'Block Size', 'Grid Size', 'Device', 'CC'] as const

function launchCells(launch: LaunchReport, report: Report): string[] {
  const { device } = report
  const shape = [tuple(launch.block), tuple(launch.grid)]
  return [String(launch.index), launch.kernel, String(launch.stream), ...shape, device.name, device.computeCapability]
}

function fidelityCell(launch: LaunchReport): string {
  const named = (fidelity: string) =>
    Object.entries(launch.metrics)
      .filter(([, metric]) => metric.fidelity === fidelity)
      .map(([name]) => name)
  const parts = ['modelled', 'unsupported'].map(fidelity => ({ fidelity, names: named(fidelity) }))
  const shown = parts.filter(part => part.names.length > 0).map(part => `${part.fidelity}: ${part.names.join(' ')}`)
  return shown.length === 0 ? 'exact' : shown.join('; ')
}

function valueCell(value: number | null): string {
  return value === null ? '' : String(value)
}

/** RFC 4180, but every cell quoted, as ncu does, and lines ended by a newline alone. */
function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map(row => `${row.map(cell => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`).join('')
}
