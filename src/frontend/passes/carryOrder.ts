/**
 * Sums of many words as one statement of assembly each, which hand the carry on from one to the next: add.cc, then addc.cc, addc. Without
 * `volatile` LLVM takes such a statement for a function of its operands: it joins two `addc %0, 0, 0`, or moves one out of a loop. nvcc leaves
 * them where they are written (cuda-fixnum's tests hold there). So they are said to change something that nobody else sees: they keep their
 * order, and loads and stores move across them as before.
 */

/** A piece of assembly that is not volatile, up to the attributes of its call; no quote is within its texts (LLVM writes `\22`). */
const PIECE = /^( .*\bcall [^"\n]*\basm )("[^"\n]*", "[^"\n]*"\([^\n]*\)) #\d+/gm
const SUM = /\b(?:add|sub|mad)(c?)(\.[.\w]*)/g
const ORDERED = 'convergent nounwind willreturn memory(inaccessiblemem: readwrite)'

/** In: LLVM IR as clang writes it before any pass. Out: the same, with all that uses the carry in the order in which it is written. */
export function keepCarryOrder(ir: string): string {
  let handsOn = false
  const ordered = ir.replace(PIECE, (call, before: string, text: string) => {
    const sums = [...text.matchAll(SUM)].map(([, reads, form]) => ({
      reads: reads !== '',
      writes: /\.cc\b/.test(form!),
    }))
    const users = sums.filter(({ reads, writes }) => reads || writes)
    if (users.length === 0) return call
    handsOn ||= users[0]!.reads || users.at(-1)!.writes
    return `${before}sideeffect ${text} ${ORDERED}`
  })
  return handsOn ? ordered : ir
}
