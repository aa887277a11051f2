/**
 * What the declaration of a named array says of the addresses in it: LLVM does not see it through the casts of address spaces that clang
 * writes, nvcc's does. In: accesses and copies with the alignments that are left behind the passes; out: the same with those that follow
 * from the declaration and the indices (PTX: a `memcpy` of 16 bytes from an array of bytes is 16 loads, of floats four, of dynamic shared
 * memory one).
 */
import type { CallInstruction, Func, LoadInstruction, StoreInstruction, Value } from '../ir/ir.ts'
import { SPACE, storeBytes } from '../ir/types.ts'
import { decompose, knownMultiple, powerOfTwoIn } from './address.ts'
import { isCopy } from './memoryEffects.ts'

/** Of dynamic shared memory (PTX). */
const DYNAMIC = 16
const WORD = 4

export function raiseArrayAlignments(func: Func): void {
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

/** Of a size that tells the alignment that its type can have. */
function raiseCopy(call: CallInstruction): void {
  const length = call.args[2]
  if (length?.kind !== 'int') return
  const bytes = powerOfTwoIn(Number(length.value))
  const aligns = call.argumentAligns ?? []
  call.argumentAligns = call.args.map((argument, i) =>
    i > 1 ? aligns[i] : Math.max(aligns[i] ?? 1, Math.min(bytes, alignmentOf(argument))),
  )
}

/** 1 for anything but a named array. */
function alignmentOf(pointer: Value): number {
  const { root, offset, terms } = decompose(pointer)
  if (root.kind !== 'address' || root.target.kind !== 'global') return 1
  const { space, external, align } = root.target
  const declared = space === SPACE.shared && external ? Math.max(DYNAMIC, align) : align
  const multiples = terms.map(({ index, scale }) => powerOfTwoIn(scale) * knownMultiple(index))
  return Math.min(declared, powerOfTwoIn(offset), ...multiples)
}
