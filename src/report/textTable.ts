/** Plain tables for terminals: columns separated by blanks, a rule below the head, no boxes. */
import Table from 'cli-table3'
import { type Colors, clipMiddle } from './format.ts'

export interface Column {
  readonly head: string
  readonly align: 'left' | 'right'
  /** A heading over this and the neighbouring columns of the same group. */
  readonly group?: string
  /** May be cut with an ellipsis when the table is too wide. */
  readonly flexible?: true
}

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' ',
}

/** Lines of at most `width` columns when the flexible columns can give way. */
export function textTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
  colors: Colors,
): string {
  const widths = columns.map((column, i) => Math.max(column.head.length, ...rows.map(row => row[i]?.length ?? 0)))
  widenForGroups(columns, widths)
  shrink(columns, widths, width)
  const cells = [
    columns.map(column => column.head),
    widths.map(columnWidth => '-'.repeat(columnWidth)),
    ...rows.map(row => columns.map((_, i) => clipMiddle(row[i] ?? '', widths[i]!))),
  ]
  const [head = '', rule = '', ...body] = Array.from({ length: Math.ceil(cells.length / ROWS_AT_ONCE) }, (_, part) =>
    layOut(columns, widths, cells.slice(part * ROWS_AT_ONCE, (part + 1) * ROWS_AT_ONCE)),
  ).flat()
  const groups = groupLine(columns, widths)
  return [...(groups ? [colors.bold(groups)] : []), colors.bold(head), colors.dim(rule), ...body].join('\n')
}

/** The library's time grows with the square of the rows. */
const ROWS_AT_ONCE = 100

function layOut(columns: readonly Column[], widths: number[], rows: string[][]): string[] {
  const table = new Table({
    chars: noBorders,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colAligns: columns.map(column => column.align),
    colWidths: widths,
  })
  table.push(...rows)
  return table
    .toString()
    .split('\n')
    .map(line => line.trimEnd())
}

/** Index after the last column of the group that begins at `start`. */
function groupEnd(columns: readonly Column[], start: number): number {
  const group = columns[start]?.group
  let end = start + 1
  while (group !== undefined && columns[end]?.group === group) end++
  return end
}

function spanOf(widths: readonly number[], start: number, end: number): number {
  return widths.slice(start, end).reduce((sum, columnWidth) => sum + columnWidth + 1, -1)
}

function widenForGroups(columns: readonly Column[], widths: number[]): void {
  for (let start = 0; start < columns.length; start = groupEnd(columns, start)) {
    const end = groupEnd(columns, start)
    const missing = (columns[start]?.group ?? '').length - spanOf(widths, start, end)
    for (let i = start; i < end && missing > 0; i++) widths[i] = widths[i]! + Math.ceil(missing / (end - start))
  }
}

/** Each group's name in the middle above its columns; empty without groups. */
function groupLine(columns: readonly Column[], widths: readonly number[]): string {
  let line = ''
  for (let start = 0; start < columns.length; start = groupEnd(columns, start)) {
    const span = spanOf(widths, start, groupEnd(columns, start))
    const label = columns[start]?.group ?? ''
    line += `${label.padStart(Math.ceil((span + label.length) / 2)).padEnd(span)} `
  }
  return line.trimEnd()
}

const narrowest = 12

function shrink(columns: readonly Column[], widths: number[], width: number): void {
  for (;;) {
    const total = widths.reduce((sum, columnWidth) => sum + columnWidth + 1, -1)
    if (total <= width) return
    let widest = -1
    columns.forEach((column, i) => {
      if (column.flexible && widths[i]! > narrowest && (widest < 0 || widths[i]! > widths[widest]!)) widest = i
    })
    if (widest < 0) return
    widths[widest] = Math.max(narrowest, widths[widest]! - (total - width))
  }
}
