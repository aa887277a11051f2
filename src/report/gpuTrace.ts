/** `--print-gpu-trace`: what the device did in the order it began, as nvprof's page of that name. Times are the virtual clock's. */
import { wrap } from './details.ts'
import { count, dims, fidelityMark, metricText, type PrintOptions, scaled, trimZeros } from './format.ts'
import type { LaunchReport, Report, TimelineEntry } from './model.ts'
import { textTable } from './textTable.ts'

/** nvprof's page is wider than most terminals, too; names are cut below this. */
const NARROWEST = 110

export function printGpuTrace(report: Report, options: PrintOptions): string {
  const entries = report.timeline.map((entry, order) => ({ entry, order }))
  entries.sort((a, b) => a.entry.startUs - b.entry.startUs || a.order - b.order)
  const launches = new Map(report.launches.map(launch => [launch.index, launch]))
  const rows = entries.map(({ entry }) => row(entry, entry.launch === null ? undefined : launches.get(entry.launch)))
  const table = textTable(
    [
      { head: 'Start', align: 'right' },
      { head: 'Duration', align: 'right' },
      { head: 'Grid Size', align: 'right' },
      { head: 'Block Size', align: 'right' },
      { head: 'Regs', align: 'right' },
      { head: 'SSMem', align: 'right' },
      { head: 'DSMem', align: 'right' },
      { head: 'Size', align: 'right' },
      { head: 'Throughput', align: 'right' },
      { head: 'Stream', align: 'right' },
      { head: 'Name', align: 'left', flexible: true },
    ],
    rows,
    Math.max(options.width, NARROWEST),
    options.colors,
  )
  const overlap = wrap(overlapText(report.timeline), options.width)
  return `${table}\n\n${overlap}\n\n${options.colors.dim(wrap(legend, options.width))}\n`
}

/** How much of the device's work went on at the same time: what streams, and sending in groups, are for. */
function overlapText(timeline: readonly TimelineEntry[]): string {
  const work = (kinds: readonly TimelineEntry['kind'][]) =>
    timeline.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { durationUs }) => sum + durationUs, 0)
  const all = timeline.reduce((sum, { durationUs }) => sum + durationUs, 0)
  if (timeline.length === 0) return 'The device had nothing to do.'
  const first = timeline.reduce((least, { startUs }) => Math.min(least, startUs), Number.POSITIVE_INFINITY)
  const last = timeline.reduce((most, { startUs, durationUs }) => Math.max(most, startUs + durationUs), 0)
  const span = last - first
  const idle = span - busyUs(timeline)
  return `Copies and sets ${timeText(work(['copy', 'set']))}, kernels ${timeText(work(['kernel']))}, together ${timeText(all)} of work in ${timeText(span)} from the first to the last: ${(all / Math.max(span, 1e-9)).toFixed(2)} times as fast as one after the other; nothing went on for ${timeText(idle)} of it.`
}

/** Length of the union of the entries' intervals. */
function busyUs(timeline: readonly TimelineEntry[]): number {
  let busy = 0
  let end = Number.NEGATIVE_INFINITY
  for (const { startUs, durationUs } of [...timeline].sort((a, b) => a.startUs - b.startUs)) {
    const stop = startUs + durationUs
    busy += Math.max(0, stop - Math.max(end, startUs))
    end = Math.max(end, stop)
  }
  return busy
}

const legend =
  'Regs: registers a thread. SSMem, DSMem: static and dynamic shared memory, bytes a block. Size: bytes copied or set; Throughput: these over the duration. ~ modelled, not measured.'

function row(entry: TimelineEntry, launch: LaunchReport | undefined): string[] {
  const size = entry.bytes === null ? '-' : count(entry.bytes, 'byte').replace(/ bytes?$/, 'B')
  return [
    timeText(entry.startUs),
    timeText(entry.durationUs),
    launch ? dims(launch.grid) : '-',
    launch ? dims(launch.block) : '-',
    registersText(launch),
    launch ? `${launch.sharedBytes.static}B` : '-',
    launch ? `${launch.sharedBytes.dynamic}B` : '-',
    size,
    throughputText(entry),
    String(entry.stream),
    launch ? launch.name : entry.name,
  ]
}

const REGISTERS = 'launch__registers_per_thread'

/** `-` where other metrics were asked for. */
function registersText(launch: LaunchReport | undefined): string {
  const registers = launch?.metrics[REGISTERS]
  return registers && registers.fidelity !== 'unsupported' ? metricText(registers) : '-'
}

/** As nvprof: `11.5GB/s`. */
function throughputText({ bytes, durationUs }: TimelineEntry): string {
  if (bytes === null || durationUs <= 0) return '-'
  const { value, unit } = scaled({ value: (bytes / durationUs) * 1e6, unit: 'B', fidelity: 'modelled' })
  return `${fidelityMark.modelled}${(value ?? 0).toPrecision(4)}${unit}/s`
}

/** As nvprof: three digits after the point, the unit by size. */
function timeText(us: number): string {
  const [value, unit] = us < 1 ? [us * 1000, 'ns'] : us < 1000 ? [us, 'us'] : [us / 1000, 'ms']
  return `${fidelityMark.modelled}${trimZeros(value.toFixed(3))}${unit}`
}
