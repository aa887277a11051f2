/**
 * How aligned each of the two compilers knows an access to be, and how wide what it becomes may be. In: a candidate. Out: bytes, a power of
 * two; never more than holds.
 */
import type { AllocaInstruction, Value } from '../../ir/ir.ts'
import { type Address, decompose, isLocalArray, knownMultiple, multipleOf, powerOfTwoIn } from '../facts/address.ts'
import { congruenceOfPlace, isSharedArray, isWideShared } from '../facts/sharedPlaces.ts'
import { accessType, type Candidate, WIDEST, WORD } from './accessRuns.ts'

/** What ptxas joins of bytes and shorts. */
const PTXAS_WIDEST = 8

/** What LLVM there sees of the place so many bytes before: of an array of shared memory as it is declared. */
export function alignmentStated(candidate: Candidate, skipped: number): number {
  const { access, isVariable } = candidate
  if (isVariable) return 1
  const { root, offset, terms } = decompose(access.pointer)
  if (isLocalArray(root)) return alignmentOf(candidate)
  const stated = skipped === 0 ? Math.max(access.align, candidate.chainAlign ?? 1) : 1
  if (!isSharedArray(root)) return stated
  const declared = root.target.external ? WIDEST : root.target.align
  const place = congruenceOfPlace({ root, offset: offset - skipped, terms })
  return Math.max(stated, Math.min(declared, multipleOf(place)))
}

/**
 * What is known of the address: by clang, and from the array that it points into. ptxas looks at each index by itself, so that
 * `s[m - t][t]` in rows of 17 words is not known to be at an even one for even `m` (machine code of 21 kernels; reading: rod-nw).
 */
export function alignmentOf({
  access,
  address,
  isVariable: isShared,
  pointerAlign,
  chainAlign = 1,
}: Candidate): number {
  if (isShared) return powerOfTwoIn(address.offset)
  return Math.max(access.align, chainAlign, Math.min(pointerAlign, alignmentOfPlace(decompose(access.pointer))))
}

/**
 * Bytes and shorts in shared arrays that are aligned to less than a word, as they are unless declared otherwise, are not joined by
 * LLVM, and by ptxas not beyond 8 bytes: loads of halves, and stores of both (machine code of 50 kernels; readings: histogram64Kernel,
 * whose bytes at a counter of fours are loaded one by one, hec-scan). Of halves no more than four are loaded together in any. Of variables
 * that are no arrays ptxas stores shorts together and loads neither (5 kernels). The bytes of a copy stay bytes, and its shorts become 8 bytes
 * at most: LLVM there makes them when it joins no more (11 kernels: `memcpy(shared, p, 16)` is sixteen stores).
 */
export function widestOf(candidate: Candidate): number {
  const { access, address, bytes, isVariable } = candidate
  const { root } = address
  if (access.isPiece && bytes < WORD) return bytes === 1 ? 1 : PTXAS_WIDEST
  if (isVariable) return bytes >= WORD || (bytes === 2 && access.op === 'store') ? WIDEST : bytes
  if (bytes >= WORD || isStructureLoad(candidate) || !isSharedArray(root)) return WIDEST
  const isLoadOfHalf = access.op === 'load' && accessType(access).kind === 'float'
  if (isLoadOfHalf) return PTXAS_WIDEST
  if (access.align > bytes || root.target.external || root.target.align >= WORD) return WIDEST
  return access.op === 'store' && bytes === 2 ? PTXAS_WIDEST : bytes
}

/** Ways on ways that are followed. */
const WAYS_DEEP = 4

/**
 * 1 where nothing is known of the array. An address that depends on the way is as aligned as the least of its ways; one that a loop counts
 * up, as where it starts and as its steps (machine code of 50 loops over `*p++`, `p += 8`, `p += 4 * n`, of pointers that a loop exchanges
 * or that branches count up).
 * @param met the addresses whose ways were followed, each once; @param depth how many lead here
 */
export function alignmentOfPlace({ root, offset, terms }: Address, met = new Set<Value>(), depth = 0): number {
  let known = WIDEST
  if (isLocalArray(root)) known = Math.max(root.align, depth === 0 ? alignmentGiven(root) : 1)
  else if (root.kind === 'instruction' && (root.op === 'phi' || root.op === 'select')) {
    if (met.has(root)) return alignmentOfOffset({ offset, terms })
    if (depth === WAYS_DEEP) return 1
    met.add(root)
    const ways = root.op === 'phi' ? root.incoming.map(({ value }) => value) : [root.ifTrue, root.ifFalse]
    known = Math.min(...ways.map(way => alignmentOfPlace(decompose(way), met, depth + 1)))
  } else if (isWideShared(root)) known = WIDEST
  else if (root.kind === 'address' && root.target.kind === 'global') known = root.target.align
  else return 1
  if (isWideShared(root)) return multipleOf(congruenceOfPlace({ root, offset, terms }))
  return Math.min(known, alignmentOfOffset({ offset, terms }))
}

/** Of a place, as far as its distance from where its root is tells. */
function alignmentOfOffset({ offset, terms }: Pick<Address, 'offset' | 'terms'>): number {
  return terms.reduce(
    (least, { index, scale }) => Math.min(least, powerOfTwoIn(scale * knownMultiple(index))),
    powerOfTwoIn(offset),
  )
}

/**
 * What a local array is aligned to where accesses want it: 16 bytes if it has a multiple of them, and an odd number of bytes to nothing
 * (machine code of 60 arrays; reading: base64e, 65 stores of a byte).
 */
function alignmentGiven({ bytes }: AllocaInstruction): number {
  if (bytes % 2 === 1) return 1
  return bytes % WIDEST === 0 ? WIDEST : WIDEST / 2
}

export function isStructureLoad({ access }: Candidate): boolean {
  return access.op === 'load' && /copyload/.test(access.name)
}
