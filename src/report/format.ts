/** Numbers, sizes and text as the reports write them. Units never scale unless asked for (`--print-units auto`). */
import type { Fidelity, LaunchReport, MetricValue } from './model.ts'

/** What every printer needs beside the report. */
export interface PrintOptions {
  /** Columns of the terminal; 80 in a pipe. */
  readonly width: number
  readonly colors: Colors
  /** Text of the program's files, by the names that the report uses. */
  readonly sources: ReadonlyMap<string, string>
  readonly units: 'base' | 'auto'
}

export type Paint = (text: string) => string

export interface Colors {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly yellow: Paint
  readonly green: Paint
  readonly cyan: Paint
}

const asIs: Paint = text => text
export const noColors: Colors = { bold: asIs, dim: asIs, red: asIs, yellow: asIs, green: asIs, cyan: asIs }

/** What stands before a number that is not exact, and in place of one that we do not have. */
export const fidelityMark: Readonly<Record<Fidelity, string>> = { exact: '', modelled: '~', unsupported: 'n/a' }

export const fidelityLegend =
  'Unmarked numbers are exact: what Nsight Compute reads on this GPU. ~ modelled. n/a: not supported.'

export const excessLegend =
  'ways: wavefronts a shared memory request. excess: sectors and wavefronts that fewer would do for.'

/** The heads of the tables that files have. */
export const fileLegend = `Requests: warp-level global loads and stores. Sectors: of 32 bytes. Efficiency: bytes used of the bytes moved. Shared ${excessLegend.replace('excess', 'Excess')}`

/** `32x64`: trailing ones left out, but never the first two of a grid that has a third. */
export function dims(value: readonly [number, number, number]): string {
  const [x, y, z] = value
  if (z !== 1) return `${x}x${y}x${z}`
  return y === 1 ? `${x}` : `${x}x${y}`
}

export function launchShape(launch: LaunchReport): string {
  return `${dims(launch.grid)}·${dims(launch.block)}`
}

/** `(32, 64, 1)`: as Nsight Compute writes grids and blocks. */
export function tuple(value: readonly [number, number, number]): string {
  return `(${value.join(', ')})`
}

/** At most `digits` after the point, none for integers. */
export function decimal(value: number, digits = 2): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(digits)
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${trimZeros(((100 * part) / whole).toFixed(1))}%`
}

export function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** A metric's value with its mark; `-` for a quotient without a denominator. */
export function metricText(metric: MetricValue | undefined, digits = 2): string {
  if (metric === undefined || metric.fidelity === 'unsupported') return fidelityMark.unsupported
  if (metric.value === null) return '-'
  return fidelityMark[metric.fidelity] + decimal(metric.value, digits)
}

const prefixes = ['', 'K', 'M', 'G', 'T', 'P'] as const

/** Value and unit scaled by powers of 1,000, as Nsight Compute's `--print-units auto` does; ratios stay as they are. */
export function scaled(metric: MetricValue): { value: number | null; unit: string } {
  const { value, unit } = metric
  if (value === null || unit === '' || unit === '%' || unit.includes('/') || Math.abs(value) < 1000)
    return { value, unit }
  const step = Math.min(prefixes.length - 1, Math.floor(Math.log10(Math.abs(value)) / 3))
  if (unit === 'ns') {
    const times = ['ns', 'us', 'ms', 's'] as const
    const at = Math.min(step, times.length - 1)
    return { value: value / 1000 ** at, unit: times[at]! }
  }
  return { value: value / 1000 ** step, unit: `${prefixes[step]}${unit}` }
}

/** Cuts to `width` columns, with an ellipsis in the last one. */
export function clip(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`
}

/** Cuts the middle out: of a kernel's name both the beginning and the template arguments tell it from others. */
export function clipMiddle(text: string, width: number): string {
  if (text.length <= width) return text
  const tail = Math.floor((width - 1) / 2)
  return `${text.slice(0, width - 1 - tail)}…${text.slice(text.length - tail)}`
}

/** Text of one line of the source, tabs as two spaces, without indentation; empty when the file is not the user's. */
export function sourceLine(sources: ReadonlyMap<string, string>, file: string, line: number): string {
  return (sourceLines(sources, file)[line - 1] ?? '').trim()
}

/** As much of a line as there is room for, with the access at `column` (from 1, tabs as one) in it. */
export function sourceExcerpt(
  sources: ReadonlyMap<string, string>,
  { file, line, column }: { readonly file: string; readonly line: number; readonly column: number },
  width: number,
): string {
  const text = sourceLine(sources, file, line)
  const before = (sources.get(file) ?? '').split('\n')[line - 1]?.slice(0, Math.max(0, column - 1)) ?? ''
  const place = before.replaceAll('\t', '  ').trimStart().length
  // Something of what follows the column shows what is accessed.
  if (text.length <= width || place < width / 2) return clip(text, width)
  const start = Math.min(place - Math.floor(width / 3), text.length - (width - 1))
  return `…${clip(text.slice(start), width - 1)}`
}

export function sourceLines(sources: ReadonlyMap<string, string>, file: string): readonly string[] {
  return (sources.get(file) ?? '').split('\n').map(text => text.replaceAll('\t', '  ').trimEnd())
}

/** `4096 bytes`, `1 byte`: a count with its noun. */
export function count(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? '' : 's'}`
}
