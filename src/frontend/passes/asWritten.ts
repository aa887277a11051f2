/**
 * Loads as the program has them, for those who look which thread accesses what (src/check). Of `t == 0 ? s[5] : x` LLVM makes a load by all
 * threads and a choice, since it knows that `s` is there; whoever writes `s[5]` at that time then seems to race with all of them. In: the
 * device's IR before LLVM's passes. Out: the same, its functions marked as ThreadSanitizer's are, in which LLVM neither loads nor stores
 * where the program does not. (Nothing is instrumented: that is a pass of its own.)
 */

/** For what names the result of a compilation. */
export const AS_WRITTEN = 'as written'

/**
 * For LLVM: what a loop keeps in memory for some threads is not loaded by all of them in front of it, and what both ways of a branch
 * end with is not made one behind it, which lanes would wait for.
 */
export const NO_PROMOTION = ['-mllvm', '-disable-licm-promotion', '-mllvm', '-sink-common-insts=false']

export function withoutSpeculation(ir: string): string {
  return ir.replace(/^(attributes #\d+ = \{)/gm, '$1 sanitize_thread')
}
