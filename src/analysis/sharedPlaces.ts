/**
 * Where in its line of 16 bytes a place in shared memory is, as far as ptxas knows when it joins accesses: arrays of 16 bytes and more
 * begin a line, and counters are followed from where they start (`for (i = 1; ...) sum += s[i]`; machine code of 30 kernels).
 */
import type { Global, Type, Value } from '../ir/ir.ts'
import { sizeOf } from '../ir/types.ts'
import { type Address, type Congruence, constantCongruence, knownCongruence, product, sum } from './address.ts'
import type { SharedLayout } from './layout.ts'

/** The widest access, in bytes. */
export const LINE = 16

const WORD = 4
const SHARED_SPACE = 3

/** Of a place in an array that begins a line: its bytes from there modulo a power of two. */
export function congruenceOfPlace({ offset, terms }: Address): Congruence {
  const parts = terms.map(({ index, scale }) => product(knownCongruence(index), constantCongruence(scale)))
  return parts.reduce(sum, constantCongruence(offset))
}

/**
 * A shared array of 16 bytes and more, dynamic shared memory among them: ptxas places it. Where it cannot know the place, in
 * global memory, an array is aligned as declared (machine code: five words of a `__device__` table are five loads).
 */
export function isWideShared(root: Value): boolean {
  return isSharedArray(root) && (sizeOf(root.target.type) >= LINE || root.target.external)
}

export function isSharedArray(root: Value): root is Value & { readonly kind: 'address'; readonly target: Global } {
  return root.kind === 'address' && root.target.kind === 'global' && root.target.space === SHARED_SPACE
}

/**
 * Where a shared variable of at most 8 bytes lies, or a word of an array that is shorter than a line, which ptxas joins with whatever lies
 * beside it (machine code of 22 kernels; reading: tutorial-memory_basics).
 */
export function variableOffset(address: Address, { offsets }: SharedLayout): number | undefined {
  const { root, offset, terms } = address
  if (!isSharedArray(root) || terms.length > 0 || root.target.external) return undefined
  const at = offsets.get(root.target)
  return at !== undefined && (isNumber(root.target.type) || isShortArray(root)) ? at + offset : undefined
}

const isNumber = ({ kind }: Type): boolean => kind === 'int' || kind === 'float' || kind === 'pointer'

/** Of words, not of bytes or halves, which are joined as those of longer arrays are. */
export function isShortArray(root: Value): boolean {
  if (!isSharedArray(root) || root.target.type.kind !== 'array') return false
  let element: Type = root.target.type
  while (element.kind === 'array') element = element.element
  return sizeOf(root.target.type) < LINE && isNumber(element) && sizeOf(element) >= WORD
}
