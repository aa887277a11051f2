/**
 * The report as one HTML file that needs nothing else: no script, no font, no network. Launch table, worst lines with a bar
 * for their share of the excess, and the source with its costs beside each line. Follows the reader's light or dark theme.
 */
import { overviewRows } from './details.ts'
import { accessText } from './findings.ts'
import { fidelityLegend, fileLegend, percent, sourceLine, sourceLines } from './format.ts'
import { htmlStyle } from './htmlStyle.ts'
import { childGridNotes, faultNotes, launchCount } from './launchNotes.ts'
import { countersByLine, excerpts, type LineCounters, lineCells } from './listing.ts'
import type { Finding, LaunchReport, Report } from './model.ts'
import { predictionHeads, predictionRows } from './predictions.ts'

export function printHtml(report: Report, sources: ReadonlyMap<string, string>): string {
  const { device, program, launches } = report
  const command = escapeHtml([...program.files, ...program.args].join(' '))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${command} - Warplens</title>
<style>${htmlStyle}</style>
</head>
<body>
<header>
<h1>${command}</h1>
<p>${launchCount(launches)} on ${escapeHtml(device.name)} (compute capability ${escapeHtml(device.computeCapability)}), Warplens ${escapeHtml(report.version)}</p>
</header>
<main>
<section>
<h2>Launches</h2>
${launchTable(report)}
${notes(launches)}</section>
${timeSection(report)}<section>
<h2>Where the excess comes from</h2>
${findingList(report.findings, sources)}
</section>
<section>
<h2>Source</h2>
${[...countersByLine(report)].map(([file, lines]) => listing(file, lines, sources)).join('\n')}
</section>
</main>
<footer><p>${escapeHtml(`${fileLegend} ${fidelityLegend}`)}</p></footer>
</body>
</html>
`
}

function notes(launches: readonly LaunchReport[]): string {
  const faults = faultNotes(launches).map(note => `<p><strong>${escapeHtml(note)}</strong></p>\n`)
  return [...faults, ...childGridNotes(launches).map(note => `<p>${escapeHtml(note)}</p>\n`)].join('')
}

const launchHeads = [
  '#',
  'Kernel',
  'Grid · block',
  'Requests',
  'Sectors/req load',
  'store',
  'Efficiency % load',
  'store',
  'Shared ways',
  'Excess',
]

function launchTable(report: Report): string {
  const head = launchHeads.map(text => `<th scope="col">${escapeHtml(text)}</th>`).join('')
  const rows = overviewRows(report.launches).map(row => {
    const excess = Number(row.at(-1)?.replace('~', ''))
    return `<tr${excess > 0 ? ' class="excess"' : ''}>${row.map((cell, i) => launchCell(cell, i)).join('')}</tr>`
  })
  return `<div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></div>`
}

function timeSection(report: Report): string {
  const rows = predictionRows(report.launches)
  if (rows.length === 0) return ''
  const head = predictionHeads.map(text => `<th scope="col">${escapeHtml(text)}</th>`).join('')
  const body = rows.map(row => `<tr>${row.map((cell, i) => launchCell(cell, i)).join('')}</tr>`).join('\n')
  return `<section>
<h2>Predicted time</h2>
<div class="scroll" tabindex="0"><table class="times"><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>
</section>
`
}

function launchCell(cell: string, column: number): string {
  return column === 1 ? `<th scope="row"><code>${escapeHtml(cell)}</code></th>` : `<td>${escapeHtml(cell)}</td>`
}

function findingList(findings: readonly Finding[], sources: ReadonlyMap<string, string>): string {
  if (findings.length === 0) return '<p>No excess sectors, no bank conflicts.</p>'
  const total = findings.reduce((sum, finding) => sum + Number(finding.evidence.excess ?? 0), 0)
  return `<ol class="findings">\n${findings.map(finding => findingItem(finding, total, sources)).join('\n')}\n</ol>`
}

function findingItem(finding: Finding, total: number, sources: ReadonlyMap<string, string>): string {
  const excess = Number(finding.evidence.excess ?? 0)
  const link =
    finding.line > 0
      ? `<a href="#${lineId(finding.file, finding.line)}">${escapeHtml(finding.file)}:${finding.line}</a>`
      : 'unknown line'
  const text = sourceLine(sources, finding.file, finding.line)
  const share = percent(excess, total)
  return `<li><div class="bar" style="--share:${share}"><span>${share}</span></div>
<p>${link} <span class="what">${escapeHtml(accessText(finding))}</span></p>
${text === '' ? '' : `<pre><code>${escapeHtml(text)}</code></pre>`}
<p class="why">${escapeHtml(finding.message)}</p></li>`
}

function listing(file: string, lines: ReadonlyMap<number, LineCounters>, sources: ReadonlyMap<string, string>): string {
  const text = sourceLines(sources, file)
  const worst = Math.max(1, ...[...lines.values()].map(counters => counters.excess))
  const rows = excerpts(lines.keys(), Math.max(text.length, ...lines.keys()), 6).map(({ first, last }) => {
    const part: string[] = []
    for (let line = first; line <= last; line++)
      part.push(listingRow(file, line, text[line - 1] ?? '', lines.get(line), worst))
    return part.join('\n')
  })
  const heads = ['Sectors/req load', 'store', 'Shared ways', 'Excess', 'Line', '']
  const head = heads.map(name => `<th scope="col">${name}</th>`).join('')
  const gap = `\n<tr class="gap"><td colspan="${heads.length}">⋯</td></tr>\n`
  return `<h3>${escapeHtml(file)}</h3>
<div class="scroll" tabindex="0"><table class="source"><thead><tr>${head}</tr></thead><tbody>\n${rows.join(gap)}\n</tbody></table></div>`
}

function listingRow(
  file: string,
  line: number,
  text: string,
  counters: LineCounters | undefined,
  worst: number,
): string {
  const code = `<td class="number">${line}</td><td class="code"><code>${escapeHtml(text)}</code></td>`
  if (counters === undefined) return `<tr id="${lineId(file, line)}"><td></td><td></td><td></td><td></td>${code}</tr>`
  const excess = counters.excess
  const values = lineCells(counters)
  const heat = ((100 * excess) / worst).toFixed(0)
  const style = excess > 0 ? ` class="hot" style="--heat:${heat}%"` : ' class="fine"'
  return `<tr id="${lineId(file, line)}"${style}>${values.map(value => `<td>${value}</td>`).join('')}${code}</tr>`
}

function lineId(file: string, line: number): string {
  return `L-${file.replaceAll(/[^A-Za-z0-9]/g, '-')}-${line}`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
