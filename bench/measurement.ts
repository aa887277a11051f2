/** What one run of one kernel by one contender gives, and the statistics that the tables are made of. */

/** What every contender prints as one line of JSON (peers/clock.h). */
export interface Measurement {
  /** CUDA threads of one launch. */
  readonly threads: number
  /** CPU time of the compiler, as far as it can be told from the first launch. */
  readonly compileMs: number
  /** CPU time of the first launch, with whatever is compiled then. */
  readonly firstMs: number
  /** CPU time of all threads, of each launch after the first. */
  readonly cpuMs: readonly number[]
  readonly wallMs: readonly number[]
  /** Elements of the result that are wrong. */
  readonly wrong: number
}

/** NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** NaN of nothing. */
export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
}

/** Three significant digits, without exponents. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return '-'
  if (value >= 1000) return String(Math.round(value))
  return value.toPrecision(3).replace(/e.*/, '')
}

/** A Markdown table, columns padded so that it reads as text too. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(3, ...all.map(row => (row[column] ?? '').length)))
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => (column === 0 ? (row[column] ?? '').padEnd(width) : (row[column] ?? '').padStart(width))).join(' | ')} |`
  const rule = `|${widths.map((width, column) => (column === 0 ? `:${'-'.repeat(width + 1)}` : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [line(header), rule, ...rows.map(line)].join('\n')
}
