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

/** ': did you mean x, y?' with those of the known words that the word may be a slip of, or a part of; '' where none is like it. */
export function didYouMean(word: string, known: readonly string[]): string {
  const lower = word.toLowerCase()
  const holding = known.filter(candidate => lower.length > 2 && candidate.toLowerCase().includes(lower))
  const isLike = (candidate: string) =>
    editDistance(lower, candidate.toLowerCase()) <= Math.max(lower.length, candidate.length) / 2
  const like = nearest(word, known, SUGGESTED).filter(isLike)
  const all = [...new Set([...nearest(word, holding, SUGGESTED), ...like])].slice(0, SUGGESTED)
  return all.length === 0 ? '' : `: did you mean ${all.join(', ')}?`
}

const SUGGESTED = 3
