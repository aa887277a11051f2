/**
 * Rows of tables that show launches: launches one after the other that differ in nothing but their index share one. Where a
 * program makes so many that nobody would read the rows (a loop over several kernels), alike ones share one wherever they are.
 */

export interface LaunchRow {
  readonly index: number
  readonly cells: readonly string[]
}

/** Rows that a table may have before launches apart from each other share one. */
const MOST_ROWS = 100

/** In the order of their first launches; the first cell says which: `3`, `3-7`, or `3 ×2000` for 2000 launches in all. */
export function launchRows(launches: readonly LaunchRow[]): string[][] {
  const runs: { first: number; last: number; cells: readonly string[] }[] = []
  for (const { index, cells } of launches) {
    const before = runs.at(-1)
    if (before !== undefined && before.last === index - 1 && before.cells.every((cell, i) => cell === cells[i]))
      before.last = index
    else runs.push({ first: index, last: index, cells })
  }
  if (runs.length > MOST_ROWS) return rowsOfAlike(launches)
  return runs.map(({ first, last, cells }) => [first === last ? `${first}` : `${first}-${last}`, ...cells])
}

function rowsOfAlike(launches: readonly LaunchRow[]): string[][] {
  const groups = new Map<string, { readonly first: LaunchRow; count: number }>()
  for (const launch of launches) {
    const key = launch.cells.join('\n')
    const group = groups.get(key)
    if (group) group.count++
    else groups.set(key, { first: launch, count: 1 })
  }
  return [...groups.values()].map(({ first: { index, cells }, count }) => [
    count === 1 ? `${index}` : `${index} ×${count}`,
    ...cells,
  ])
}
