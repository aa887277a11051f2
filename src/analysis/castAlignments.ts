/**
 * Alignments as nvcc has them where a named array is cast: `*(int *)(bytes + i)`. CUDA's compiler takes the alignment from the
 * type that is read; clang keeps what it knows of the array, and an index in bytes leaves it with 1, which would split the
 * access into bytes. In: accesses and copies with clang's alignments; out: the same with the type's, where the array is
 * declared with at least that alignment and neither the constant offset nor a scaled index says otherwise (an array of
 * packed structures stays packed). As on the machine, an address that is not aligned then faults.
 */
import type { CallInstruction, Func, LoadInstruction, StoreInstruction, Value } from '../ir/ir.ts'
import { SPACE, sizeOf, storeBytes } from '../ir/types.ts'
import { decompose, knownMultiple, powerOfTwoIn } from './address.ts'
import { isCopy } from './memoryEffects.ts'

const WIDEST = 16
const WORD = 4

export function raiseCastAlignments(func: Func): void {
  for (const block of func.blocks)
    for (const instruction of block.instructions) {
      if (instruction.op === 'load') {
        if (!isOfWords(instruction)) raise(instruction, storeBytes(instruction.type))
      } else if (instruction.op === 'store') {
        if (!isOfWords(instruction)) raise(instruction, storeBytes(instruction.value.type))
      } else if (isCopy(instruction)) raiseCopy(instruction)
    }
}

/** LLVM copies structures of two words as one integer, which the source has no type for: nvcc loads and stores the words. */
function isOfWords({ align, hasSourceType }: LoadInstruction | StoreInstruction): boolean {
  return !hasSourceType && align === WORD
}

function raise(access: { readonly pointer: Value; align: number }, bytes: number): void {
  if (access.align < bytes)
    access.align = Math.max(access.align, Math.min(powerOfTwoIn(bytes), alignmentOf(access.pointer)))
}

/**
 * Copies of structures: of a type's size, so that the size tells the alignment that the type can have. Where one side is a pointer that a cast
 * or a declaration gave its type, clang has that type's alignment there, and the named array on the other side is cast to the same type.
 */
function raiseCopy(call: CallInstruction): void {
  const length = call.args[2]
  if (length?.kind !== 'int') return
  const bytes = powerOfTwoIn(Number(length.value))
  const aligns = call.argumentAligns ?? []
  const sides = call.args.slice(0, 2)
  const ofType = Math.max(1, ...sides.map((side, i) => (isTypedPointer(side) ? (aligns[i] ?? 1) : 1)))
  call.argumentAligns = call.args.map((argument, i) => {
    if (i > 1) return aligns[i]
    const known = isNamedArray(argument) ? Math.max(ofType, alignmentOf(argument)) : 1
    return Math.max(aligns[i] ?? 1, Math.min(bytes, known))
  })
}

const isNamedArray = (pointer: Value): boolean => {
  const { root } = decompose(pointer)
  return root.kind === 'address' && root.target.kind === 'global'
}

/** Neither a variable nor an array, of which clang has the declaration's alignment. */
const isTypedPointer = (pointer: Value): boolean => {
  const { root } = decompose(pointer)
  return root.kind === 'parameter' || (root.kind === 'instruction' && root.op !== 'alloca')
}

/** What the declaration of the array guarantees when indices in bytes are taken to be right; 1 for anything but a named array. */
function alignmentOf(pointer: Value): number {
  const { root, offset, terms } = decompose(pointer)
  if (root.kind !== 'address' || root.target.kind !== 'global') return 1
  const { space, external, align, type } = root.target
  // Dynamic shared memory and shared arrays of 16 bytes and more start at a multiple of 16 (layout.ts).
  let known = space === SPACE.shared && (external || sizeOf(type) >= WIDEST) ? WIDEST : align
  for (const { index, scale } of terms)
    if (Math.abs(scale) !== 1) known = Math.min(known, powerOfTwoIn(scale) * knownMultiple(index))
  return Math.min(known, powerOfTwoIn(offset))
}
