/** `warplens metrics [NAME]`: what can be counted, or one metric in full. */
import { type MetricDefinition, metricDefinitions, resolveMetricNames } from '../metrics/names.ts'
import { wrap } from '../report/details.ts'
import { fidelityLegend } from '../report/format.ts'
import { textTable } from '../report/textTable.ts'
import { readDevice } from './session.ts'
import { colorsFor, reportWidth, type Terminal } from './terminal.ts'

export function metricsCommand(name: string | undefined, deviceName: string, terminal: Terminal): void {
  const device = readDevice(deviceName, terminal.workingDirectory)
  const width = reportWidth(terminal.stdout)
  const colors = colorsFor('auto', terminal.stdout, terminal.environment)
  const fidelity = (metric: MetricDefinition) => metric.fidelity(device)
  if (name === undefined) {
    const rows = metricDefinitions.map(metric => [metric.name, metric.unit, fidelity(metric)])
    const table = textTable(
      [
        { head: 'name', align: 'left' },
        { head: 'unit', align: 'left' },
        { head: device.id, align: 'left' },
      ],
      rows,
      width,
      colors,
    )
    terminal.stdout.write(`${table}\n\n${wrap(fidelityLegend, width)}\n`)
    return
  }
  const blocks = resolveMetricNames([name]).map(metric => {
    const { unit, vocabulary, counterpart, definition } = metric
    const about = [`unit: ${unit || 'none'}`, `name of: ${vocabulary}`, `on ${device.id}: ${fidelity(metric)}`]
    const other = counterpart ? `\n  nearly the same: ${counterpart}` : ''
    return `${colors.bold(metric.name)}\n  ${wrap(definition, width - 2, '  ')}\n  ${about.join('; ')}${other}\n`
  })
  terminal.stdout.write(blocks.join('\n'))
}
