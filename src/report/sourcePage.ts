/** `--page source`: the program's own text, with what each line's memory instructions cost over all profiled launches. */
import { title, wrap } from './details.ts'
import { clip, excessLegend, fidelityLegend, type PrintOptions, sourceLines } from './format.ts'
import { countersByLine, excerpts, type LineCounters, limiterCell, lineCells } from './listing.ts'
import type { Report } from './model.ts'

/** Lines of context on either side of a line with memory instructions. */
const around = 4
const heads = ['ld', 'st', 'ways', 'excess', 'limit'] as const

export function printSource(report: Report, options: PrintOptions): string {
  const files = countersByLine(report)
  const parts = [title(report, options)]
  for (const [file, lines] of files) parts.push(fileListing(file, lines, report, options))
  if (files.size === 0) parts.push('No memory instruction has a known source line.')
  parts.push(options.colors.dim(wrap(legend, options.width)))
  return `${parts.join('\n\n')}\n`
}

const legend = `ld, st: 32-byte sectors a request of global memory, loads and stores (atomics among them). ${excessLegend} limit: the line's part of what limits the launches, of their predicted time. ${fidelityLegend}`

function fileListing(
  file: string,
  lines: ReadonlyMap<number, LineCounters>,
  report: Report,
  options: PrintOptions,
): string {
  const { colors, width } = options
  const text = sourceLines(options.sources, file)
  const cells = new Map(
    [...lines].map(([line, counters]) => [line, [...lineCells(counters), limiterCell(counters, report)]]),
  )
  const widths = heads.map((head, i) => Math.max(head.length, ...[...cells.values()].map(row => row[i]!.length)))
  const gutter = (values: readonly string[]) => widths.map((columnWidth, i) => (values[i] ?? '').padStart(columnWidth))
  const last = Math.max(text.length, ...lines.keys())
  const row = (line: number, values: readonly string[]) =>
    clip(
      `${gutter(values).join(' ')} ${`${line}`.padStart(`${last}`.length)} | ${text[line - 1] ?? ''}`,
      width,
    ).trimEnd()
  const out = [colors.bold(file), colors.bold(gutter(heads).join(' '))]
  let after = 0
  for (const range of excerpts(lines.keys(), last, around)) {
    if (after > 0) out.push(colors.dim(`${gutter([]).join(' ')} ...`))
    for (let line = range.first; line <= range.last; line++) {
      const counters = lines.get(line)
      const paint = counters === undefined ? colors.dim : counters.excess > 0 ? colors.yellow : colors.green
      out.push(paint(row(line, cells.get(line) ?? [])))
    }
    after = range.last
  }
  return out.join('\n')
}
