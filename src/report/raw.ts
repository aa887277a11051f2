/** Pages of metrics: all of each launch's (`--page raw`, or chosen ones), and one table a kernel over its launches. */
import { decimal, fidelityLegend, fidelityMark, type PrintOptions, scaled, trimZeros, tuple } from './format.ts'
import type { LaunchReport, MetricValue, Report } from './model.ts'
import { textTable } from './textTable.ts'

/** As `ncu --page raw` prints: a heading a launch, then name, unit and value of each metric. In parts, a launch each. */
export function* rawParts(report: Report, options: PrintOptions): Generator<string> {
  if (report.launches.length === 0) return yield 'No kernel was launched.\n'
  // Only what is printed again is kept: all tables together may be longer than memory is large.
  const seen = new Set<LaunchReport['metrics']>()
  const tables = new Map<LaunchReport['metrics'], string>()
  for (const launch of report.launches) {
    const { metrics } = launch
    const table = tables.get(metrics) ?? metricTable(launch, options)
    if (seen.has(metrics)) tables.set(metrics, table)
    seen.add(metrics)
    yield `${heading(launch, report, options)}\n${table}\n\n`
  }
  yield `${options.colors.dim(fidelityLegend)}\n`
}

/** As `ncu --print-summary per-kernel`: minimum, maximum and average over the launches of one kernel and shape. */
export function printPerKernel(report: Report, options: PrintOptions): string {
  const groups = new Map<string, LaunchReport[]>()
  for (const launch of report.launches) {
    const key = `${launch.kernel} ${tuple(launch.grid)}x${tuple(launch.block)}`
    const group = groups.get(key)
    if (group) group.push(launch)
    else groups.set(key, [launch])
  }
  const blocks = [...groups].map(([key, launches]) => {
    const noun = `Invocations: ${launches.length}`
    return `${options.colors.bold(`${key}, ${noun}`)}\n${summaryTable(launches, options)}`
  })
  return `${[...blocks, options.colors.dim(fidelityLegend)].join('\n\n')}\n`
}

function heading(launch: LaunchReport, report: Report, options: PrintOptions): string {
  const shape = `${tuple(launch.grid)}x${tuple(launch.block)}`
  const cc = report.device.computeCapability
  return options.colors.bold(
    `${launch.index}  ${launch.kernel} ${shape}, Stream ${launch.stream}, Device ${report.device.name}, CC ${cc}`,
  )
}

function metricTable(launch: LaunchReport, options: PrintOptions): string {
  const rows = Object.entries(launch.metrics).map(([name, metric]) => {
    const shown = inUnits(metric, options)
    return [name, shown.unit, valueText(shown)]
  })
  return textTable(
    [
      { head: 'Metric Name', align: 'left' },
      { head: 'Metric Unit', align: 'left' },
      { head: 'Metric Value', align: 'right' },
    ],
    rows,
    options.width,
    options.colors,
  )
}

function summaryTable(launches: readonly LaunchReport[], options: PrintOptions): string {
  const rows = Object.keys(launches[0]?.metrics ?? {}).map(name => {
    const values = launches.map(launch => launch.metrics[name]).filter(metric => metric !== undefined)
    const first = values[0]!
    const numbers = values.map(metric => metric.value).filter(value => value !== null)
    const fidelity = values.find(metric => metric.fidelity !== 'exact')?.fidelity ?? 'exact'
    const cell = (value: number | null) => valueText(inUnits({ value, unit: first.unit, fidelity }, options))
    if (numbers.length === 0) return [name, first.unit, cell(null), cell(null), cell(null)]
    // From the least on: no rounding makes an average that is more than all, or less.
    const least = minimum(numbers)
    const average = least + numbers.reduce((sum, value) => sum + (value - least), 0) / numbers.length
    return [name, first.unit, cell(least), cell(maximum(numbers)), cell(average)]
  })
  const heads = ['Minimum', 'Maximum', 'Average'] as const
  return textTable(
    [
      { head: 'Metric Name', align: 'left' },
      { head: 'Metric Unit', align: 'left' },
      ...heads.map(head => ({ head, align: 'right' as const })),
    ],
    rows,
    options.width,
    options.colors,
  )
}

const minimum = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b))
const maximum = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b))

function inUnits(metric: MetricValue, options: PrintOptions): MetricValue {
  return options.units === 'auto' ? { ...metric, ...scaled(metric) } : metric
}

function valueText({ value, fidelity }: MetricValue): string {
  if (fidelity === 'unsupported') return fidelityMark.unsupported
  return value === null ? '-' : fidelityMark[fidelity] + trimZeros(decimal(value, 6))
}
