/** Which printer makes which page and which file. Everything that leaves the program as a report passes through here. */
import { csvDetails, csvRaw, csvSource } from './csv.ts'
import { printDetails } from './details.ts'
import type { PrintOptions } from './format.ts'
import { printGpuTrace } from './gpuTrace.ts'
import { printHtml } from './html.ts'
import { jsonParts } from './json.ts'
import { printMarkdown } from './markdown.ts'
import type { Report } from './model.ts'
import { printPerKernel, rawParts } from './raw.ts'
import { printSource } from './sourcePage.ts'

/** What can be printed; `metrics` is details with chosen metrics in place of the overview. */
export type Page = 'details' | 'metrics' | 'raw' | 'source' | 'per-kernel' | 'gpu-trace'

export function printPage(report: Report, page: Page, options: PrintOptions): string {
  return joined(pageParts(report, page, options))
}

/** For long reports: one of thousands of launches is longer than a string may be. */
export function pageParts(report: Report, page: Page, options: PrintOptions): Iterable<string> {
  switch (page) {
    case 'details':
      return [printDetails(report, options)]
    case 'metrics':
    case 'raw':
      return rawParts(report, options)
    case 'source':
      return [printSource(report, options)]
    case 'per-kernel':
      return [printPerKernel(report, options)]
    case 'gpu-trace':
      return [printGpuTrace(report, options)]
  }
}

/** Pages that have a CSV form; the others give undefined. */
export function printCsv(report: Report, page: Page): string | undefined {
  const parts = csvParts(report, page)
  return parts && joined(parts)
}

export function csvParts(report: Report, page: Page): Iterable<string> | undefined {
  switch (page) {
    case 'details':
    case 'metrics':
      return csvDetails(report)
    case 'raw':
      return csvRaw(report)
    case 'source':
      return csvSource(report)
    case 'per-kernel':
    case 'gpu-trace':
      return undefined
  }
}

export const fileFormats = ['json', 'html', 'csv', 'md'] as const
export type FileFormat = (typeof fileFormats)[number]

/** The whole report in the form of a file, by its extension. */
export function printFile(report: Report, format: FileFormat, sources: ReadonlyMap<string, string>): string {
  return joined(fileParts(report, format, sources))
}

export function fileParts(report: Report, format: FileFormat, sources: ReadonlyMap<string, string>): Iterable<string> {
  switch (format) {
    case 'json':
      return jsonParts(report)
    case 'html':
      return [printHtml(report, sources)]
    case 'csv':
      return csvDetails(report)
    case 'md':
      return [printMarkdown(report, sources)]
  }
}

const joined = (parts: Iterable<string>): string => [...parts].join('')
