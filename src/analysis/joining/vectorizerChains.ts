/**
 * Which neighbours LLVM's load-store vectoriser of nvcc gives up, where a block accesses a place more than once (`p->y + p->x`, a store that
 * may change them, `p->y + p->x` again: four loads; with x first, two of 8 bytes). It links each access to its next neighbour by address
 * before it looks for what lies between: the nearest one behind it in the block, else the nearest in front. A chain of such links whose second
 * access cannot come to the first is given up whole, and so are later chains through it (LLVM 7, LoadStoreVectorizer.cpp,
 * vectorizeInstructions; PTX of 40 kernels, all but one as it says).
 */

/** An access among those of one width at one address but for the offset. */
export interface Linked {
  readonly offset: number
  readonly bytes: number
  /** Accesses of one run can become one, as far as those in the run tell. */
  readonly run: number
}

/** So many are looked at together. */
const AT_ONCE = 64

/** @param accesses in block order; @returns indices of those that stay alone */
export function givenUp(accesses: readonly Linked[]): Set<number> {
  const result = new Set<number>()
  for (let first = 0; first < accesses.length; first += AT_ONCE)
    for (const at of givenUpOf(accesses.slice(first, first + AT_ONCE))) result.add(first + at)
  return result
}

function givenUpOf(accesses: readonly Linked[]): Set<number> {
  const at = new Map<number, number[]>()
  for (const [index, { offset }] of accesses.entries()) at.set(offset, [...(at.get(offset) ?? []), index])
  const next = accesses.map(({ offset, bytes }, index) => {
    const places = at.get(offset + bytes) ?? []
    return places.find(place => place > index) ?? places.findLast(place => place < index)
  })
  const done = new Set<number>()
  const lost = new Set<number>()
  for (const head of accesses.keys()) {
    const isOfLongerChain = next.some((linked, from) => linked === head && !done.has(from))
    if (next[head] === undefined || done.has(head) || isOfLongerChain) continue
    const chain: number[] = []
    for (let each: number | undefined = head; each !== undefined && !done.has(each); each = next[each]) chain.push(each)
    const { run } = accesses[head]!
    const other = chain.findIndex(each => accesses[each]!.run !== run)
    const together = other < 0 ? chain.length : other
    for (const each of together === 1 ? chain : chain.slice(0, together)) done.add(each)
    if (together === 1) for (const each of chain) lost.add(each)
  }
  return lost
}
