/** The page of `warplens check` for people: a paragraph for each finding, with its source line, then what there was in all. */
import { wrap } from '../report/details.ts'
import { type Colors, count as counted, sourceExcerpt } from '../report/format.ts'
import type { FindingSeverity } from './findings.ts'
import type { CheckReport, ReportedFinding, ReportedPlace } from './model.ts'

export interface CheckPageOptions {
  readonly width: number
  readonly colors: Colors
  /** Texts of the program's files, by the names that places use. */
  readonly sources: ReadonlyMap<string, string>
  readonly most: number
  readonly level: FindingSeverity
}

const SOURCE_INDENT = '      '
const LEVELS = ['info', 'warning', 'error'] as const

export function isShown({ severity }: Pick<ReportedFinding, 'severity'>, level: FindingSeverity): boolean {
  return LEVELS.indexOf(severity) >= LEVELS.indexOf(level)
}

export function checkPage(report: CheckReport, options: CheckPageOptions): string {
  const shown = report.findings.filter(finding => isShown(finding, options.level))
  const paragraphs = shown.slice(0, options.most).map(finding => paragraphOf(finding, options))
  const left = shown.length - paragraphs.length
  if (left > 0) paragraphs.push(`(${left} more ${left === 1 ? 'is' : 'are'} not printed: --print-limit)\n`)
  return [...paragraphs, summaryOf(report)].join('\n')
}

function paragraphOf(finding: ReportedFinding, options: CheckPageOptions): string {
  const { width, colors } = options
  const { severity, message, tool, place, earlier, kernel, calledFrom } = finding
  const paint = severity === 'error' ? colors.red : severity === 'warning' ? colors.yellow : colors.cyan
  const lines: string[] = []
  const add = (text: string): void => void lines.push(`  ${wrap(text, width - 2, '  ')}`)
  if (place) {
    add(`at ${colors.bold(placeText(place))}${kernel === null ? '' : ` in ${kernel}`}`)
    addSource(lines, place, options)
  } else if (kernel !== null) add(`in ${kernel}`)
  for (const call of calledFrom) add(`called from ${call.scope} at ${placeText(call)}`)
  if (earlier && place && placeText(earlier) !== placeText(place)) {
    add(`after the access at ${placeText(earlier)}`)
    addSource(lines, earlier, options)
  }
  const by = byText(finding)
  if (by !== '') add(by)
  for (const note of finding.notes) add(note)
  const head = wrap(`${severity}: ${message} (${tool})`, width).replace(/^\w+:/, word => paint(word))
  return `${head}\n${lines.join('\n')}${lines.length > 0 ? '\n' : ''}`
}

function byText({ block, thread, count, launch }: ReportedFinding): string {
  const times = count === 1 ? '' : `, and ${count - 1} more`
  const where = launch === null || launch === 0 ? '' : `, launch ${launch}`
  if (block === null) return count === 1 ? '' : `${count} times`
  return thread === null
    ? `in block (${block.join()})${where}${times}`
    : `by thread (${thread.join()}) in block (${block.join()})${where}${times}`
}

const placeText = ({ file, line, column }: ReportedPlace): string => `${file}:${line}${column > 0 ? `:${column}` : ''}`

function addSource(lines: string[], place: ReportedPlace, { sources, width }: CheckPageOptions): void {
  const text = sourceExcerpt(sources, place, width - SOURCE_INDENT.length)
  if (text !== '') lines.push(SOURCE_INDENT + text)
}

function summaryOf({ summary, tools, launches }: CheckReport): string {
  const { errors, warnings, infos } = summary
  const more = [
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
    ...(infos > 0 ? [`${infos} of information`] : []),
  ]
  const looked =
    launches.checked === launches.all
      ? `${launches.all} ${launches.all === 1 ? 'launch' : 'launches'}`
      : `${launches.checked} of ${launches.all} launches`
  return `========= ERROR SUMMARY: ${counted(errors, 'error')}${more.map(each => `, ${each}`).join('')}
========= ${looked} under ${tools.join(', ')}
`
}
