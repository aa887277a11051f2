/** "Did you mean": the known words nearest to one that nobody knows. Used for devices, metrics and flags. */

/** Levenshtein distance, case-sensitive: insertions, deletions and substitutions cost 1 each. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const substitution = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(substitution, previous[column]! + 1, current[column - 1]! + 1))
    }
    previous = current
  }
  return previous[b.length]!
}

/** Up to `count` of the known words, nearest first; equally near ones in the order given. */
export function nearest(word: string, known: readonly string[], count: number): string[] {
  const lower = word.toLowerCase()
  return known
    .map(candidate => ({ candidate, distance: editDistance(lower, candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ candidate }) => candidate)
}
