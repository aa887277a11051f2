/** Elements that the program chooses by an index without sign: a line of the IR that has their lines and columns (frontend/passes/unsignedIndices.ts). */
import type { Func } from './ir.ts'

/** How the line begins; `line:column`s follow, with spaces between. */
export const UNSIGNED_PLACES = '; unsigned indices: '

/** Marks the accesses to such elements. */
export function markUnsignedIndices(functions: readonly Func[], text: string): void {
  const at = text.lastIndexOf(`\n${UNSIGNED_PLACES}`)
  if (at < 0) return
  const start = at + 1 + UNSIGNED_PLACES.length
  const end = text.indexOf('\n', start)
  const places = new Set(text.slice(start, end < 0 ? undefined : end).split(' '))
  for (const { blocks } of functions)
    for (const { instructions } of blocks)
      for (const instruction of instructions) {
        if ((instruction.op !== 'load' && instruction.op !== 'store') || !instruction.location) continue
        const { line, column } = instruction.location
        if (places.has(`${line}:${column}`)) instruction.hasUnsignedIndex = true
      }
}
