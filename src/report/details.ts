/**
 * The page that `profile` prints unless told otherwise: one row a launch, then the source lines that waste most, each with
 * its text and what is wrong in numbers.
 */
import { accessText } from './findings.ts'
import {
  clipMiddle,
  excessLegend,
  fidelityLegend,
  launchShape,
  type PrintOptions,
  percent,
  sourceExcerpt,
} from './format.ts'
import { childGridNotes, faultNotes, launchCount } from './launchNotes.ts'
import { launchRows } from './launchRows.ts'
import type { Finding, LaunchReport, Report } from './model.ts'
import { type OverviewRow, overviewRow } from './overview.ts'
import { predictionHeads, predictionRows } from './predictions.ts'
import { shownNames } from './shownNames.ts'
import { type Column, textTable } from './textTable.ts'

/** How many lines the page shows; the source page and the JSON have them all. */
const worstCount = 8

export function printDetails(report: Report, options: PrintOptions): string {
  if (report.launches.length === 0) return 'No kernel was launched.\n'
  const parts = [title(report, options), launchTable(report.launches, options)]
  parts.push(
    ...faultNotes(report.launches).map(options.colors.red),
    ...childGridNotes(report.launches).map(note => wrap(note, options.width)),
    worstLines(report, options),
    timeTable(report.launches, options),
    options.colors.dim(wrap(legend, options.width)),
  )
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}

const legend = `reqs: warp-level global loads and stores. sect/req: 32-byte sectors a request. eff: bytes used of the bytes moved. ${excessLegend} ${fidelityLegend}`

export function title(report: Report, options: PrintOptions): string {
  const { device, program, launches } = report
  const command = [...shownFiles(program.files), ...program.args].join(' ')
  const about = `${launchCount(launches)} on ${device.name} (compute capability ${device.computeCapability})`
  const isOneLine = command.length + 2 + about.length <= options.width
  return isOneLine
    ? `${options.colors.bold(command)}  ${about}`
    : `${options.colors.bold(wrap(command, options.width))}\n${wrap(about, options.width)}`
}

/** A program of many files is known by its first. */
const MOST_FILES_SHOWN = 3

function shownFiles(files: readonly string[]): readonly string[] {
  return files.length > MOST_FILES_SHOWN ? [...files.slice(0, 1), `(and ${files.length - 1} more files)`] : files
}

const columns: readonly Column[] = [
  { head: '#', align: 'right' },
  { head: 'kernel', align: 'left', flexible: true },
  { head: 'grid·block', align: 'left' },
  { head: 'reqs', align: 'right' },
  { head: 'ld', align: 'right', group: 'sect/req' },
  { head: 'st', align: 'right', group: 'sect/req' },
  { head: 'ld', align: 'right', group: 'eff %' },
  { head: 'st', align: 'right', group: 'eff %' },
  { head: 'ways', align: 'right' },
  { head: 'excess', align: 'right' },
]

const timeColumns: readonly Column[] = [
  { head: predictionHeads[0], align: 'right' },
  { head: predictionHeads[1], align: 'left', flexible: true },
  { head: predictionHeads[2], align: 'right' },
  { head: predictionHeads[3], align: 'left' },
  { head: predictionHeads[4], align: 'left', flexible: true },
]

function timeTable(launches: readonly LaunchReport[], options: PrintOptions): string {
  const rows = predictionRows(launches)
  if (rows.length === 0) return ''
  const head = options.colors.bold('Predicted time, and what limits it')
  return `${head}\n${tableOf(timeColumns, rows, options)}`
}

function launchTable(launches: readonly LaunchReport[], options: PrintOptions): string {
  const rows = overviewRows(launches)
  const isShared = rows.some(([which = '']) => which.includes('×'))
  const note = '#: the first of launches that are alike, and how many there are'
  return tableOf(columns, rows, options) + (isShared ? `\n${options.colors.dim(note)}` : '')
}

/** More rows nobody reads. */
const MOST_ROWS_SHOWN = 200

function tableOf(head: readonly Column[], rows: readonly (readonly string[])[], options: PrintOptions): string {
  const { width, colors } = options
  const table = textTable(head, rows.slice(0, MOST_ROWS_SHOWN), width, colors)
  const rest = rows.length - MOST_ROWS_SHOWN
  if (rest <= 0) return table
  return `${table}\n${colors.dim(`... and ${rest} more: --print-summary per-kernel, --csv, or -o report.json`)}`
}

/** Rows of the launch table. */
export function overviewRows(launches: readonly LaunchReport[]): string[][] {
  const shown = shownNames(launches)
  return launchRows(
    launches.map(launch => ({
      index: launch.index,
      cells: [shown(launch.name), launchShape(launch), ...overviewCells(overviewRow(launch))],
    })),
  )
}

function overviewCells(row: OverviewRow): string[] {
  return [
    row.requests,
    row.loadSectors,
    row.storeSectors,
    row.loadEfficiency,
    row.storeEfficiency,
    row.ways,
    row.excess,
  ]
}

function worstLines({ findings, launches }: Report, options: PrintOptions): string {
  const { colors } = options
  // Of a launch that stopped early nobody knows the rest.
  if (findings.length === 0 && launches.some(({ fault }) => fault !== null)) return ''
  if (findings.length === 0)
    return colors.green('Each access is as good as its lanes allow: no excess sectors, no bank conflicts.')
  const total = findings.reduce((sum, finding) => sum + excessOf(finding), 0)
  const shown = findings.slice(0, worstCount)
  const isAlone = (finding: Finding) =>
    shown.every(other => other === finding || other.file !== finding.file || other.line !== finding.line)
  const nameOf = shownNames(launches)
  const parts = shown.map(finding => worstLine(finding, total, isAlone(finding), nameOf, options))
  const rest = findings.length - shown.length
  const more = rest > 0 ? [colors.dim(`... and ${rest} more: --page source, or -o report.json`)] : []
  return [colors.bold('Where the excess comes from, worst first'), ...parts, ...more].join('\n')
}

/** @param isAlone on its line: of several the columns tell which is meant */
function worstLine(
  finding: Finding,
  total: number,
  isAlone: boolean,
  nameOf: (kernel: string) => string,
  options: PrintOptions,
): string {
  const { colors, sources, width } = options
  const line = isAlone ? `${finding.line}` : `${finding.line}:${finding.column}`
  const where = finding.line > 0 ? `${finding.file}:${line}` : 'unknown line'
  const share = percent(excessOf(finding), total)
  const indent = ' '.repeat(8)
  const about = accessText(finding, clipMiddle(nameOf(String(finding.evidence.kernel)), width - indent.length))
  const isOneLine = indent.length + where.length + 2 + about.length <= width
  const apart = isOneLine ? '  ' : `\n${indent}`
  const access = isOneLine ? about : wrap(about, width - indent.length, indent)
  const head = `${share.padStart(6)}  ${colors.bold(where)}${apart}${access}`
  const text = sourceExcerpt(sources, finding, width - indent.length)
  const source = text === '' ? [] : [indent + colors.cyan(text)]
  return [head, ...source, indent + colors.yellow(wrap(finding.message, width - indent.length, indent))].join('\n')
}

function excessOf(finding: Finding): number {
  return Number(finding.evidence.excess ?? 0)
}

/** Breaks at blanks so that no line is longer than `width`. */
export function wrap(text: string, width: number, indent = ''): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  lines.push(line)
  return lines.join(`\n${indent}`)
}
