/** `--print-gpu-trace`: what the device did in the order it began, as nvprof's page of that name. Times are the virtual clock's. */
import { wrap } from './details.ts'
import { count, dims, fidelityMark, type PrintOptions, trimZeros } from './format.ts'
import type { Report, TimelineEntry } from './model.ts'
import { textTable } from './textTable.ts'

export function printGpuTrace(report: Report, options: PrintOptions): string {
  const entries = report.timeline.map((entry, order) => ({ entry, order }))
  entries.sort((a, b) => a.entry.startUs - b.entry.startUs || a.order - b.order)
  const rows = entries.map(({ entry }) => row(entry, report))
  const table = textTable(
    [
      { head: 'Start', align: 'right' },
      { head: 'Duration', align: 'right' },
      { head: 'Grid Size', align: 'right' },
      { head: 'Block Size', align: 'right' },
      { head: 'SSMem', align: 'right' },
      { head: 'DSMem', align: 'right' },
      { head: 'Size', align: 'right' },
      { head: 'Stream', align: 'right' },
      { head: 'Name', align: 'left', flexible: true },
    ],
    rows,
    options.width,
    options.colors,
  )
  return `${table}\n\n${options.colors.dim(wrap(legend, options.width))}\n`
}

const legend =
  'SSMem, DSMem: static and dynamic shared memory, bytes a block. Size: bytes copied or set. ~ times are modelled, not measured.'

function row(entry: TimelineEntry, report: Report): string[] {
  const launch = entry.launch === null ? undefined : report.launches.find(({ index }) => index === entry.launch)
  const size = entry.bytes === null ? '-' : count(entry.bytes, 'byte').replace(/ bytes?$/, 'B')
  return [
    timeText(entry.startUs),
    timeText(entry.durationUs),
    launch ? dims(launch.grid) : '-',
    launch ? dims(launch.block) : '-',
    launch ? `${launch.sharedBytes.static}B` : '-',
    launch ? `${launch.sharedBytes.dynamic}B` : '-',
    size,
    String(entry.stream),
    launch ? launch.name : entry.name,
  ]
}

/** As nvprof: three digits after the point, the unit by size. */
function timeText(us: number): string {
  const [value, unit] = us < 1 ? [us * 1000, 'ns'] : us < 1000 ? [us, 'us'] : [us / 1000, 'ms']
  return `${fidelityMark.modelled}${trimZeros(value.toFixed(3))}${unit}`
}
