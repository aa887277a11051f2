/** Sorts 32 unsigned words in registers: how accesses with arbitrary addresses are counted without a table. */
import { type FunctionBuilder, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'

/** Batcher's network for 8 elements: applied to 8 vectors it sorts each of their 4 columns. */
const COLUMNS = [
  [0, 1],
  [2, 3],
  [4, 5],
  [6, 7],
  [0, 2],
  [1, 3],
  [4, 6],
  [5, 7],
  [1, 2],
  [5, 6],
  [0, 4],
  [1, 5],
  [2, 6],
  [3, 7],
  [2, 4],
  [3, 5],
  [1, 2],
  [3, 4],
  [5, 6],
] as const

/** `vectors`: 8 locals, ascending afterwards from the first one's first lane to the last one's last. */
export function sortWords(f: FunctionBuilder, vectors: readonly number[]): void {
  for (const [low, high] of COLUMNS) exchange(f, vectors[low]!, vectors[high]!)
  // Columns become four ascending runs of 8: vectors 0-1, 2-3, 4-5, 6-7.
  const rows = [...vectors]
  const upper = transposed(f, rows.slice(0, 4))
  const lower = transposed(f, rows.slice(4))
  const runs = upper.flatMap((vector, column) => [vector, lower[column]!])
  merge(f, runs.slice(0, 4))
  merge(f, runs.slice(4))
  merge(f, runs)
  runs.forEach((vector, index) => f.get(vector).set(vectors[index]!))
  f.release(V128, ...runs)
}

/** The smaller words into `low`, the greater into `high`. */
function exchange(f: FunctionBuilder, low: number, high: number): void {
  f.get(low).get(high).op(Op.i32x4_min_u).get(low).get(high).op(Op.i32x4_max_u).set(high).set(low)
}

function transposed(f: FunctionBuilder, rows: readonly number[]): number[] {
  const [a, b, c, d] = rows as [number, number, number, number]
  const pairs = f.many(V128, 4)
  f.get(a).get(b).shuffle32(0, 4, 1, 5).set(pairs[0])
  f.get(c).get(d).shuffle32(0, 4, 1, 5).set(pairs[1])
  f.get(a).get(b).shuffle32(2, 6, 3, 7).set(pairs[2])
  f.get(c).get(d).shuffle32(2, 6, 3, 7).set(pairs[3])
  const columns = f.many(V128, 4)
  f.get(pairs[0]).get(pairs[1]).shuffle32(0, 1, 4, 5).set(columns[0]!)
  f.get(pairs[0]).get(pairs[1]).shuffle32(2, 3, 6, 7).set(columns[1]!)
  f.get(pairs[2]).get(pairs[3]).shuffle32(0, 1, 4, 5).set(columns[2]!)
  f.get(pairs[2]).get(pairs[3]).shuffle32(2, 3, 6, 7).set(columns[3]!)
  f.release(V128, ...pairs)
  return columns
}

/** Two ascending halves become one ascending whole: the second is turned around, then a bitonic network. */
function merge(f: FunctionBuilder, vectors: readonly number[]): void {
  const half = vectors.length / 2
  for (let index = 0; index < half; index++)
    f.get(vectors[half + index]!)
      .get(vectors[half + index]!)
      .shuffle32(3, 2, 1, 0)
  for (let index = 0; index < half; index++) f.set(vectors[half + index]!)
  for (let distance = half; distance >= 1; distance /= 2)
    vectors.forEach((vector, index) => {
      if ((index & distance) === 0) exchange(f, vector, vectors[index + distance]!)
    })
  for (let index = 0; index < vectors.length; index += 2) finish(f, vectors[index]!, vectors[index + 1]!)
}

/** The last two stages of a bitonic network, inside two vectors at once: words 2 apart, then neighbours. */
function finish(f: FunctionBuilder, a: number, b: number): void {
  const [low, high] = f.many(V128, 2)
  f.get(a).get(b).shuffle32(0, 1, 4, 5).set(low)
  f.get(a).get(b).shuffle32(2, 3, 6, 7).set(high)
  exchange(f, low, high)
  // Words 0 and 2 of both, words 1 and 3 of both.
  f.get(low).get(high).shuffle32(0, 2, 4, 6).set(a)
  f.get(low).get(high).shuffle32(1, 3, 5, 7).set(b)
  exchange(f, a, b)
  // Words 0 and 1 of a, then of b; words 2 and 3.
  f.get(a).get(b).shuffle32(0, 4, 1, 5).set(low)
  f.get(a).get(b).shuffle32(2, 6, 3, 7).set(high)
  f.get(low).get(high).shuffle32(0, 1, 4, 5).set(a)
  f.get(low).get(high).shuffle32(2, 3, 6, 7).set(b)
  f.release(V128, low, high)
}
