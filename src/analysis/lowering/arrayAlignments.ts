/**
 * What the declaration of a named array says of the addresses in it: LLVM does not see it through the casts of address spaces that clang
 * writes, nvcc's does. In: accesses and copies with the alignments that are left behind the passes; out: the same with those that follow
 * from the declaration and the indices (PTX: a `memcpy` of 16 bytes from an array of bytes is 16 loads, of floats four, of dynamic shared
 * memory one). Local variables are placed as what is loaded and stored at their beginning wants them, as in LLVM of nvcc's age; that of today
 * does so in a pass that also takes from one member's alignment what another's is (`infer-alignment`), which nvcc's does not.
 */
import type { CallInstruction, Func, LoadInstruction, StoreInstruction, Value } from '../../ir/ir.ts'
import { SPACE, storeBytes } from '../../ir/types.ts'
import { decompose, isLocalArray, knownMultiple, powerOfTwoIn } from '../facts/address.ts'
import { isCopy } from '../facts/memoryEffects.ts'

/** Of dynamic shared memory (PTX). */
const DYNAMIC = 16
const WORD = 4
const MOST = 16

export function raiseArrayAlignments(func: Func): void {
  placeLocals(func)
  for (const block of func.blocks)
    for (const instruction of block.instructions) {
      if (instruction.op === 'load') {
        if (!isOfWords(instruction)) raise(instruction, storeBytes(instruction.type))
      } else if (instruction.op === 'store') {
        if (!isOfWords(instruction)) raise(instruction, storeBytes(instruction.value.type))
      } else if (isCopy(instruction)) raiseCopy(instruction)
    }
}

function placeLocals({ blocks }: Func): void {
  for (const { instructions } of blocks)
    for (const instruction of instructions) {
      if (instruction.op !== 'load' && instruction.op !== 'store') continue
      const { root, offset, terms } = decompose(instruction.pointer)
      const bytes = storeBytes(instruction.op === 'load' ? instruction.type : instruction.value.type)
      if (isLocalArray(root) && offset === 0 && terms.length === 0)
        root.align = Math.max(root.align, Math.min(MOST, powerOfTwoIn(bytes)))
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

/** 1 for anything but a named array or a local variable. */
function alignmentOf(pointer: Value): number {
  const { root, offset, terms } = decompose(pointer)
  const declared = isLocalArray(root) ? root.align : declaredAlignment(root)
  const multiples = terms.map(({ index, scale }) => powerOfTwoIn(scale) * knownMultiple(index))
  return Math.min(declared, powerOfTwoIn(offset), ...multiples)
}

function declaredAlignment(root: Value): number {
  if (root.kind !== 'address' || root.target.kind !== 'global') return 1
  const { space, external, align } = root.target
  return space === SPACE.shared && external ? Math.max(DYNAMIC, align) : align
}
