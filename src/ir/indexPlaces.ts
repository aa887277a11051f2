/**
 * Elements that the program chooses by an index without sign, or of 64 bits: lines of the IR that have their lines and columns
 * (frontend/passes/indexKinds.ts).
 */
import type { Func } from './ir.ts'

/** How the lines begin; `line:column`s follow, with spaces between. */
export const UNSIGNED_PLACES = '; unsigned indices: '
export const WIDE_PLACES = '; wide indices: '

/** Marks the accesses to such elements. */
export function markIndices(functions: readonly Func[], text: string): void {
  const unsigned = placesBehind(UNSIGNED_PLACES, text)
  const wide = placesBehind(WIDE_PLACES, text)
  if (unsigned.size + wide.size === 0) return
  for (const { blocks } of functions)
    for (const { instructions } of blocks)
      for (const instruction of instructions) {
        if ((instruction.op !== 'load' && instruction.op !== 'store') || !instruction.location) continue
        const place = `${instruction.location.line}:${instruction.location.column}`
        if (unsigned.has(place)) instruction.hasUnsignedIndex = true
        if (wide.has(place)) instruction.hasWideIndex = true
      }
}

function placesBehind(name: string, text: string): Set<string> {
  const at = text.lastIndexOf(`\n${name}`)
  if (at < 0) return new Set()
  const start = at + 1 + name.length
  const end = text.indexOf('\n', start)
  return new Set(text.slice(start, end < 0 ? undefined : end).split(' '))
}
