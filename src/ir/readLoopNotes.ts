/**
 * What a loop's metadata says of writing it out. In: a node `!{self, note, ...}` by number, and the text of nodes. Out: whether
 * one of its notes is that it stays a loop: `#pragma unroll 1`, or what is left after `#pragma unroll N`. nvcc hands that on
 * (`.pragma "nounroll"`), and ptxas heeds it (nvdisasm of loops with and without).
 */
const STAYS = /^!\{!"llvm\.loop\.unroll\.disable"\}/

/** The number of the first location among a loop's notes: where it begins. */
export function loopStart(node: number, textOf: (node: number) => string | undefined): number | undefined {
  const notes = [...(textOf(node) ?? '').matchAll(/!(\d+)/g)].map(([, number]) => Number(number))
  return notes.find(note => note !== node && textOf(note)?.startsWith('!DILocation('))
}

export function isKeptLoop(node: number, textOf: (node: number) => string | undefined): boolean {
  const notes = [...(textOf(node) ?? '').matchAll(/!(\d+)/g)].map(([, number]) => Number(number))
  return notes.some(note => note !== node && STAYS.test(textOf(note) ?? ''))
}
