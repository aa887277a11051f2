/**
 * Which memory nothing in a kernel writes, as nvcc tells it: what a pointer argument leads to where each write is through another one,
 * and one of the two is `__restrict__`. Loads of it are LDG.CONSTANT, which ptxas moves and repeats freely. In: a kernel. Out: a
 * question about a load's address.
 */
import type { Func, Value } from '../../ir/ir.ts'
import { decompose, isLocalArray } from './address.ts'
import { mayWrite } from './memoryEffects.ts'
import { isSharedArray } from './sharedPlaces.ts'

export function constantMemory(func: Func): (pointer: Value) => boolean {
  const written = func.blocks
    .flatMap(({ instructions }) => instructions)
    .flatMap(each => (mayWrite(each) && 'pointer' in each ? rootsOf(each.pointer) : []))
  return pointer => {
    const { root } = decompose(pointer)
    return root.kind === 'parameter' && written.every(each => isLocalArray(each) || isOtherMemory(root, each))
  }
}

/** What an address is made from, on all the ways that it comes. */
function rootsOf(pointer: Value, seen = new Set<Value>()): Value[] {
  const { root } = decompose(pointer)
  if (seen.has(root)) return []
  seen.add(root)
  if (root.kind !== 'instruction') return [root]
  if (root.op === 'phi') return root.incoming.flatMap(({ value }) => rootsOf(value, seen))
  return root.op === 'select' ? [root.ifTrue, root.ifFalse].flatMap(value => rootsOf(value, seen)) : [root]
}

/** Whether two addresses made from these cannot be one. */
export function isOtherMemory(a: Value, b: Value): boolean {
  if (a === b) return false
  if (isSharedArray(a) || isSharedArray(b))
    return isSharedArray(a) !== isSharedArray(b) && isSeparate(a) && isSeparate(b)
  return isRestricted(a) || isRestricted(b) ? isSeparate(a) && isSeparate(b) : false
}

const isRestricted = (root: Value): boolean => root.kind === 'parameter' && root.noalias === true
/** A pointer argument of a kernel, or a variable. */
const isSeparate = (root: Value): boolean => root.kind === 'parameter' || root.kind === 'address'
