/** xorshift32: words from a seed that is not 0. */
export function randomWords(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}

/** IR that loads %a, %b and %c of a thread from three arrays of so many elements, one behind the other. */
export const loadThree = (type: string, elements: number): string => `  %pa = getelementptr ${type}, ptr %in, i32 %tid
  %pb = getelementptr ${type}, ptr %pa, i32 ${elements}
  %pc = getelementptr ${type}, ptr %pb, i32 ${elements}
  %a = load ${type}, ptr %pa
  %b = load ${type}, ptr %pb
  %c = load ${type}, ptr %pc`
