/**
 * Where in its line of 16 bytes a place in shared memory is, as far as ptxas knows when it joins accesses: arrays of 16 bytes and more
 * begin a line, and counters are followed from where they start (`for (i = 1; ...) sum += s[i]`; machine code of 30 kernels).
 */
import type { Global, Value } from '../../ir/ir.ts'
import { SPACE, sizeOf } from '../../ir/types.ts'
import { type Address, type Congruence, constantCongruence, knownCongruence, product, sum } from './address.ts'
import type { SharedLayout } from './layout.ts'

/** The widest access, in bytes. */
export const LINE = 16

const WORD = 4

/** Of a place in an array that begins a line: its bytes from there modulo a power of two. */
export function congruenceOfPlace({ offset, terms }: Address): Congruence {
  const parts = terms.map(({ index, scale }) => product(knownCongruence(index), constantCongruence(scale)))
  return parts.reduce(sum, constantCongruence(offset))
}

/**
 * A shared array of 16 bytes and more, dynamic shared memory among them: ptxas places it. Where it cannot know the place, in
 * global memory, an array is aligned as declared (machine code: five words of a `__device__` table are five loads), and so are shared ones
 * of relocatable code, which nvlink places (machine code with `-rdc=true`: rows of floats are read word by word, dynamic ones 16 bytes at a
 * time; reading: kun-lec4_code_vector_dot_product).
 */
export function isWideShared(root: Value): boolean {
  if (!isSharedArray(root)) return false
  const { type, external, placedByLinker } = root.target
  return external || (sizeOf(type) >= LINE && !placedByLinker)
}

export function isSharedArray(root: Value): root is Value & { readonly kind: 'address'; readonly target: Global } {
  return root.kind === 'address' && root.target.kind === 'global' && root.target.space === SPACE.shared
}

/** Where a shared variable of at most 8 bytes lies, if ptxas knows. */
export function variableOffset({ root, terms }: Address, { offsets }: SharedLayout): number | undefined {
  if (root.kind !== 'address' || root.target.kind !== 'global' || terms.length > 0) return undefined
  const { type, external, placedByLinker } = root.target
  const isWord = type.kind === 'int' || type.kind === 'float' || type.kind === 'pointer'
  return isWord && !external && !placedByLinker ? offsets.get(root.target) : undefined
}

/**
 * Where an element of an array lies that may share its line with other variables: at a place that is a constant, behind the last whole line.
 * ptxas joins it with them like variables (machine code of 30 kernels); what the source aligns LLVM joins before. Of longer arrays only
 * the first of all is sure to begin a line: others are aligned to 16 only where they are accessed so.
 */
export function elementOffset({ root, offset, terms }: Address, { offsets }: SharedLayout): number | undefined {
  if (!isSharedArray(root) || terms.length > 0) return undefined
  const { type, external, placedByLinker, align } = root.target
  if (external || placedByLinker || align > WORD) return undefined
  const place = offsets.get(root.target)
  const bytes = sizeOf(type)
  const isInRest = offset >= bytes - (bytes % LINE) && offset < bytes
  return type.kind === 'array' && isInRest && (bytes < LINE || place === 0) ? place : undefined
}
