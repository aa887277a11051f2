/**
 * Columns of the user's lines. What clang has read may be longer in places (repairReferences.ts, repairImmediates.ts), and its places count
 * columns of that. In: a module with clang's places, the user's texts and the repaired ones by the same names. Out: the user's columns.
 */
import type { Location, Module } from '../../ir/ir.ts'

type Texts = ReadonlyMap<string, string>

/** Longer lines, which no person wrote, keep clang's columns: what compares them takes the product of their lengths. */
const LONGEST_LINE = 2000

export function tellOwnColumns({ functions }: Module, own: Texts, repaired: Texts): void {
  const changed = changedLines(own, repaired)
  if (changed.size === 0) return
  const moved = new Map<Location, Location>()
  const move = (location: Location): Location => {
    const known = moved.get(location)
    if (known) return known
    const { file, line, column, inlinedAt } = location
    const written = changed.get(file)?.get(line)?.[column - 1] ?? column
    const place = { ...location, column: written, ...(inlinedAt && { inlinedAt: move(inlinedAt) }) }
    moved.set(location, place)
    return place
  }
  for (const { blocks } of functions)
    for (const { instructions } of blocks)
      for (const instruction of instructions)
        if (instruction.location) instruction.location = move(instruction.location)
}

/** By file and line (from 1), of lines that were changed: the user's column (from 1) of each column. */
function changedLines(own: Texts, repaired: Texts): Map<string, Map<number, number[]>> {
  const files = new Map<string, Map<number, number[]>>()
  for (const [file, text] of own) {
    const compiled = repaired.get(file)
    if (compiled === undefined || compiled === text) continue
    const rows = compiled.split('\n')
    const changed = text.split('\n').flatMap((row, at) => (row === rows[at] ? [] : [[at, row] as const]))
    files.set(file, new Map(changed.map(([at, row]) => [at + 1, columnsOf(row, rows[at] ?? '')])))
  }
  return files
}

/** For each letter of `repaired`, the column of the same letter in `own` by their longest common subsequence; of a new one, that of the next. */
function columnsOf(own: string, repaired: string): number[] {
  if (repaired.length > LONGEST_LINE) return []
  const width = own.length + 1
  const common = new Uint16Array(width * (repaired.length + 1))
  const at = (row: number, column: number): number => common[row * width + column]!
  for (let row = repaired.length - 1; row >= 0; row--)
    for (let column = own.length - 1; column >= 0; column--)
      common[row * width + column] =
        repaired[row] === own[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  const columns: number[] = []
  let column = 0
  for (let row = 0; row < repaired.length; row++) {
    while (column < own.length && repaired[row] !== own[column] && at(row, column) === at(row, column + 1)) column++
    columns.push(column + 1)
    if (repaired[row] === own[column]) column++
  }
  return columns
}
