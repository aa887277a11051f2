/** What LLVM calls the parts of a loop that it writes out. In: blocks and instructions. */
import type { Block } from '../../ir/ir.ts'

/** What remains of a loop that is written out, at most three rounds, which nvcc writes out within another loop (PTX of 5 nests). */
export const isRemainder = ({ name }: Block): boolean => /\.(prol|epil)$/.test(name)

/** The same, or in front of it. */
export const isRemaining = ({ name }: Block): boolean => /\.(epil|prol)(\.preheader)?$/.test(name)

/** The copy of a later round; names of a function that was inlined afterwards end with `.i`. */
export const isOfLaterRound = (name: string): boolean => /\.\d+(?:\.i\d*)*$/.test(name)

/** What the copy of the second round of something is called. */
export const inSecondRound = (name: string): string => name.replace(/((?:\.i\d*)*)$/, '.1$1')

/** What stands behind an `if` that left the loop. */
export const isBehindBreak = ({ name }: Block): boolean => /^if\.(?:end|else)/.test(name)

/** How many rounds remain. */
export const isRestCount = ({ name }: { readonly name?: string }): boolean => /^xtraiter\d*$/.test(name ?? '')
