/**
 * Whether two kernels load and store alike but for how often their loops are written out. In: for each side its accesses outside of loops and
 * in each loop, with the operations on floats, which say how many rounds a loop has in its code (counts of one kind cannot).
 */

/** What is counted (`global load 4`), and how often. */
export type Counts = Map<string, number>

export interface LoopCounts {
  /** Without those of the loops within. */
  readonly accesses: Counts
  /** Products, sums and comparisons of floats; 0 where there are none. */
  readonly floats: number
  /** Whether loops are within. */
  readonly isOuter: boolean
}

export interface KernelCounts {
  readonly straight: Counts
  readonly loops: readonly LoopCounts[]
}

export type Likeness = 'equal' | 'alike' | 'different'

export function compareCounts(theirs: KernelCounts, ours: KernelCounts): Likeness {
  if (textOf(totalOf(theirs)) === textOf(totalOf(ours))) return 'equal'
  const loops = (side: KernelCounts) => side.loops.filter(({ accesses }) => accesses.size > 0)
  const [theirLoops, ourLoops] = [loops(theirs), loops(ours)]
  const rounds = new Set(
    [...theirLoops, ...ourLoops].filter(each => !each.isOuter).map(({ accesses }) => roundOf(accesses)),
  )
  const without = (side: LoopCounts[], other: LoopCounts[]) =>
    new Set(side.filter(loop => !isFound(loop, other, rounds)).map(({ accesses }) => roundOf(accesses)))
  const [onlyTheirs, onlyOurs] = [without(theirLoops, ourLoops), without(ourLoops, theirLoops)]
  const excess = differenceOf(theirs.straight, ours.straight)
  if (excess.size > 0) {
    // Rounds that one side writes out where the other has a loop.
    if (!isWholeRounds(excess, rounds)) return 'different'
    const isTheirs = [...excess.values()].every(count => count > 0)
    if (isTheirs) onlyOurs.delete(roundOf(excess))
    else onlyTheirs.delete(roundOf(excess))
  }
  return onlyTheirs.size === 0 && onlyOurs.size === 0 ? 'alike' : 'different'
}

function isFound(loop: LoopCounts, others: readonly LoopCounts[], rounds: ReadonlySet<string>): boolean {
  return others.some(other => {
    if (isOneLoop(loop, other)) return true
    if (!other.isOuter) return false
    // An answer of a condition that all threads share may have a loop of its own, without the inner one (`if (m > 0) for (k < m)`).
    if (isPartOf(loop.accesses, other.accesses)) return true
    return loop.isOuter && isWholeRounds(differenceOf(loop.accesses, other.accesses), rounds)
  })
}

function isWholeRounds(difference: Counts, rounds: ReadonlySet<string>): boolean {
  const counts = [...difference.values()]
  return rounds.has(roundOf(difference)) && (counts.every(count => count > 0) || counts.every(count => count < 0))
}

const isPartOf = (part: Counts, whole: Counts): boolean =>
  [...part].every(([kind, count]) => /store/.test(kind) && count <= (whole.get(kind) ?? 0))

function isOneLoop(one: LoopCounts, other: LoopCounts): boolean {
  if (roundOf(one.accesses) !== roundOf(other.accesses)) return false
  if (one.isOuter || other.isOuter || one.floats === 0 || other.floats === 0) return true
  const [kind] = one.accesses.keys()
  const [a, b] = [one.accesses.get(kind!)! / one.floats, other.accesses.get(kind!)! / other.floats]
  // A sum that starts anew, or a comparison that is made twice, is no further access.
  return a / b < 1.4 && b / a < 1.4
}

/** The counts divided by what divides them all. */
function roundOf(counts: Counts): string {
  const divisor = [...counts.values()].reduce((a, b) => greatestDivisor(Math.abs(a), Math.abs(b)), 0)
  return textOf(new Map([...counts].map(([kind, count]) => [kind, Math.abs(count) / divisor])))
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b))

const textOf = (counts: Counts): string =>
  [...counts]
    .filter(([, count]) => count !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, count]) => `${kind} ${count}`)
    .join()

function totalOf({ straight, loops }: KernelCounts): Counts {
  const total = new Map(straight)
  for (const { accesses } of loops) for (const [kind, count] of accesses) addTo(total, kind, count)
  return total
}

function differenceOf(one: Counts, other: Counts): Counts {
  const difference = new Map(one)
  for (const [kind, count] of other) addTo(difference, kind, -count)
  return new Map([...difference].filter(([, count]) => count !== 0))
}

export function addTo(counts: Counts, kind: string, count = 1): void {
  counts.set(kind, (counts.get(kind) ?? 0) + count)
}
