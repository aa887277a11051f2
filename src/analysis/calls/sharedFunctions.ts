/**
 * Functions of a very large kernel that are not copied to each place that calls them: the kernel's code would be more than a
 * WebAssembly engine takes in one function (V8: 7,654,321 bytes), or takes long to compile. Their calls become branches, as
 * those of recursive functions do (expandRecursion.ts), and lanes that come from different places run them together.
 */
import type { Func } from '../../ir/ir.ts'
import { isBarrier } from '../execution/splitBarriers.ts'
import type { TargetsOf } from './indirectCalls.ts'
import { calledBy, findRecursive, instructionCount } from './inlineCalls.ts'

/** Code for double has up to 500 bytes an instruction, all lanes together. */
const LARGE_KERNEL = 14_000
/** A call costs the instructions that keep and read back what its caller still needs. */
const SMALLEST_SHARED = 150

/** None where the kernel with all calls inlined is not too large. In: the kernel before anything is inlined. */
export function findSharedFunctions(kernel: Func, targetsOf: TargetsOf): ReadonlySet<Func> {
  const recursive = findRecursive(kernel, targetsOf)
  const order = calleesFirst(kernel, targetsOf)
  const inlinedCalls = (func: Func): Func[] => calledBy(func, targetsOf).filter(callee => !recursive.has(callee))
  const sizes = new Map<Func, number>()
  const withBarriers = new Set<Func>()
  for (const func of order) {
    const calls = inlinedCalls(func)
    sizes.set(
      func,
      calls.reduce((sum, callee) => sum + (sizes.get(callee) ?? 0), instructionCount(func)),
    )
    if (func.blocks.some(block => block.instructions.some(isBarrier)) || calls.some(callee => withBarriers.has(callee)))
      withBarriers.add(func)
  }
  const total = [kernel, ...recursive].reduce((sum, func) => sum + sizes.get(func)!, 0)
  if (total <= LARGE_KERNEL) return new Set()
  // How many copies there would be; recursive functions have one.
  const copies = new Map<Func, number>([kernel, ...recursive].map(func => [func, 1]))
  for (const func of order.reverse())
    for (const callee of inlinedCalls(func)) copies.set(callee, (copies.get(callee) ?? 0) + copies.get(func)!)
  return new Set(
    order.filter(
      func =>
        func !== kernel &&
        !recursive.has(func) &&
        !withBarriers.has(func) &&
        copies.get(func)! > 1 &&
        sizes.get(func)! >= SMALLEST_SHARED,
    ),
  )
}

/** All that a kernel can reach, callees before their callers where no recursion is between them. */
function calleesFirst(kernel: Func, targetsOf: TargetsOf): Func[] {
  const order = new Set<Func>()
  const begun = new Set<Func>()
  const visit = (func: Func): void => {
    if (begun.has(func)) return
    begun.add(func)
    for (const callee of calledBy(func, targetsOf)) visit(callee)
    order.add(func)
  }
  visit(kernel)
  return [...order]
}
