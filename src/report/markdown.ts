/** The report as a Markdown document: for a pull request, an issue, a lab report. */
import { overviewRows } from './details.ts'
import { accessText } from './findings.ts'
import { fidelityLegend, fileLegend, sourceLine } from './format.ts'
import { childGridNotes, faultNotes, launchCount } from './launchNotes.ts'
import type { Finding, Report } from './model.ts'
import { predictionHeads, predictionRows } from './predictions.ts'

export function printMarkdown(report: Report, sources: ReadonlyMap<string, string>): string {
  const { device, program } = report
  const command = [...program.files, ...program.args].join(' ')
  return [
    `# ${command}`,
    `${launchCount(report.launches)} on ${device.name} (compute capability ${device.computeCapability}), Warplens ${report.version}.`,
    launchTable(report),
    ...faultNotes(report.launches).map(note => `**${escapeCell(note)}**`),
    ...childGridNotes(report.launches),
    ...timeTable(report),
    '## Where the excess comes from',
    findingList(report.findings, sources),
    `_${fileLegend} ${fidelityLegend}_`,
    '',
  ].join('\n\n')
}

const heads = [
  '#',
  'Kernel',
  'Grid · block',
  'Requests',
  'Sectors/request load',
  'store',
  'Efficiency % load',
  'store',
  'Shared ways',
  'Excess',
]

function launchTable(report: Report): string {
  const rows = overviewRows(report.launches)
  const aligns = heads.map((_, i) => (i === 1 || i === 2 ? '---' : '--:'))
  return [heads, aligns, ...rows.map(row => row.map(escapeCell))].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

function timeTable(report: Report): string[] {
  const rows = predictionRows(report.launches)
  if (rows.length === 0) return []
  const aligns = predictionHeads.map((_, i) => (i === 0 || i === 2 ? '--:' : '---'))
  const lines = [predictionHeads, aligns, ...rows.map(row => row.map(escapeCell))]
  return ['## Predicted time', lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')]
}

function findingList(findings: readonly Finding[], sources: ReadonlyMap<string, string>): string {
  if (findings.length === 0) return 'No excess sectors, no bank conflicts.'
  return findings.map((finding, i) => `${i + 1}. ${findingText(finding, sources)}`).join('\n')
}

function findingText(finding: Finding, sources: ReadonlyMap<string, string>): string {
  const where = finding.line > 0 ? `\`${finding.file}:${finding.line}\`` : 'Unknown line'
  const text = sourceLine(sources, finding.file, finding.line)
  const source = text === '' ? '' : `\n\n   \`\`\`cuda\n   ${text}\n   \`\`\`\n`
  return `${where}, \`${accessText(finding)}\`: ${finding.message}${source}`
}

/** Template arguments and pipes must not become markup. */
function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('~', '\\~')
}
