/** Which printer makes which page and which file. Everything that leaves the program as a report passes through here. */
import { csvDetails, csvRaw, csvSource } from './csv.ts'
import { printDetails } from './details.ts'
import type { PrintOptions } from './format.ts'
import { printGpuTrace } from './gpuTrace.ts'
import { printHtml } from './html.ts'
import { printMarkdown } from './markdown.ts'
import { type Report, reportToJson } from './model.ts'
import { printPerKernel, printRaw } from './raw.ts'
import { printSource } from './sourcePage.ts'

/** What can be printed; `metrics` is details with chosen metrics in place of the overview. */
export type Page = 'details' | 'metrics' | 'raw' | 'source' | 'per-kernel' | 'gpu-trace'

export function printPage(report: Report, page: Page, options: PrintOptions): string {
  switch (page) {
    case 'details':
      return printDetails(report, options)
    case 'metrics':
    case 'raw':
      return printRaw(report, options)
    case 'source':
      return printSource(report, options)
    case 'per-kernel':
      return printPerKernel(report, options)
    case 'gpu-trace':
      return printGpuTrace(report, options)
  }
}

/** Pages that have a CSV form; the others give undefined. */
export function printCsv(report: Report, page: Page): string | undefined {
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
  switch (format) {
    case 'json':
      return reportToJson(report)
    case 'html':
      return printHtml(report, sources)
    case 'csv':
      return csvDetails(report)
    case 'md':
      return printMarkdown(report, sources)
  }
}
