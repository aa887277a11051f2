/**
 * Makes every memory instruction one that the machine has: memcpy, memmove and memset become loads and stores as wide as
 * their alignments allow, and accesses wider than their alignment are split (FRONTEND.md, "Keeping memory instructions").
 */
import { binary, cast, intConstant, load, offsetPointer, type Place, store, vectorOf } from '../../ir/build.ts'
import { calledName } from '../../ir/graph.ts'
import type {
  Block,
  CallInstruction,
  Func,
  Instruction,
  LoadInstruction,
  StoreInstruction,
  Type,
  Value,
} from '../../ir/ir.ts'
import { I32, sizeOf, storeBytes } from '../../ir/types.ts'
import { alignAt, decompose } from '../facts/address.ts'
import { replaceValues } from '../rewriting/blocks.ts'
import { isMemoryIntrinsic } from './memoryLoops.ts'

const WORD = 4

/** Returns the loads that it made. */
export function splitAccesses(func: Func): ReadonlySet<Instruction> {
  const replaced = new Map<Value, Value>()
  const parts = new Set<Instruction>()
  for (const block of func.blocks) {
    const out: Instruction[] = []
    for (const instruction of block.instructions) {
      const start = out.length
      if (
        instruction.op === 'call' &&
        instruction.callee.kind === 'function' &&
        isMemoryIntrinsic(instruction.callee.name)
      ) {
        expandIntrinsic(block, instruction, instruction.callee.name, out)
      } else if (instruction.op === 'load' && isNoWord(instruction.type, instruction.align)) {
        replaced.set(instruction, splitLoad(block, instruction, out))
      } else if (instruction.op === 'store' && isNoWord(instruction.value.type, instruction.align)) {
        splitStore(block, instruction, out)
      } else {
        out.push(instruction)
        continue
      }
      for (const made of out.slice(start)) {
        if (made.op === 'load') parts.add(made)
        const isSet = instruction.op === 'call' && calledName(instruction)!.startsWith('llvm.memset')
        if ((made.op === 'load' || made.op === 'store') && !isSet) made.isPiece = true
      }
    }
    block.instructions = out
  }
  replaceValues(func.blocks, replaced)
  return parts
}

/** Wider than its alignment, or of 3, 5, 6 or 7 bytes, as LLVM makes integers of structures of several members. */
function isNoWord(type: Type, align: number): boolean {
  if (type.kind !== 'int' && type.kind !== 'float' && type.kind !== 'pointer') return false
  const bytes = storeBytes(type)
  return bytes > Math.max(1, align) || (bytes & (bytes - 1)) !== 0
}

function expandIntrinsic(block: Block, call: CallInstruction, name: string, out: Instruction[]): void {
  const place: Place = { block, location: call.location }
  const [destination, source, length] = call.args as [Value, Value, Value]
  // Other lengths were made loops (memoryLoops.ts).
  const bytes = length.kind === 'int' ? Number(length.value) : 0
  const isSet = name.startsWith('llvm.memset')
  const aligns = call.argumentAligns ?? []
  const align = isSet ? Math.min(16, aligns[0] ?? 1) : cutOf([destination, source], [aligns[0] ?? 1, aligns[1] ?? 1])
  // All loads first: a copy onto itself (memmove) then needs no care.
  const pieces: { at: number; value: Value; width: number }[] = []
  for (let at = 0; at < bytes; ) {
    const width = Math.min(widestPiece(align, at, bytes), widthOfMember(call, at))
    const type = isSet ? pieceType(width) : copiedType(width)
    if (isSet) pieces.push({ at, width, value: splatByte(place, source, type, out) })
    else {
      const pointer = offsetPointer(place, source, at)
      const whole = load(place, type, pointer, alignAt(aligns[1], at))
      out.push(pointer)
      const value = isNoWord(type, whole.align) ? splitLoad(block, whole, out) : whole
      if (value === whole) out.push(whole)
      pieces.push({ at, width, value })
    }
    at += width
  }
  for (const { at, value } of pieces) {
    const pointer = offsetPointer(place, destination, at)
    const whole = store(place, value, pointer, alignAt(aligns[0], at))
    out.push(pointer)
    if (isNoWord(value.type, whole.align)) splitStore(block, whole, out)
    else out.push(whole)
  }
}

/**
 * The bytes by which a copy is cut. A structure in registers was copied to or from an array of bytes: clang makes one copy of the two, nvcc has
 * the structure's words on its side and bytes on the other (PTX of 4 kernels). What a named array's declaration says is no such structure.
 */
function cutOf(sides: readonly Value[], aligns: readonly number[]): number {
  const narrow = Math.min(...aligns)
  const isStructure = (side: Value, i: number) => aligns[i]! >= WORD && decompose(side).root.kind !== 'address'
  return narrow < WORD && sides.some(isStructure) ? WORD : Math.min(16, narrow)
}

function widestPiece(align: number, at: number, bytes: number): number {
  let width = align
  while (width > bytes - at || at % width !== 0) width /= 2
  return width
}

/** Of structures with members of 8 bytes nvcc copies each member by itself (machine code of 10 kernels). */
function widthOfMember({ copiedMembers = [] }: CallInstruction, at: number): number {
  if (!copiedMembers.some(({ bytes }) => bytes === 8)) return 16
  return copiedMembers.some(({ offset, bytes }) => offset === at && bytes === 8) ? 8 : 4
}

function pieceType(width: number): Type {
  return width <= 4 ? { kind: 'int', bits: width * 8 } : vectorOf(I32, width / 4)
}

/** Copies of 8 bytes are one word, so that two of them join where the memory is aligned to 16 (reading: rod-lavaMD). */
function copiedType(width: number): Type {
  return width === 8 ? { kind: 'int', bits: 64 } : pieceType(width)
}

function splatByte(place: Place, byte: Value, type: Type, out: Instruction[]): Value {
  const scalar: Type = type.kind === 'vector' ? type.element : type
  if (byte.kind === 'int' || byte.kind === 'zero') {
    const value = byte.kind === 'int' ? byte.value : 0n
    const bits = scalar.kind === 'int' ? scalar.bits : 32
    const word = intConstant(scalar, BigInt.asUintN(bits, value * 0x01010101n))
    return type.kind === 'vector'
      ? { kind: 'aggregate', type, elements: Array.from({ length: type.length }, () => word) }
      : word
  }
  const wide = cast(place, 'zext', I32, byte)
  const word = binary(place, 'mul', wide, intConstant(I32, 0x01010101))
  out.push(wide, word)
  if (type.kind !== 'vector') {
    if (scalar.kind === 'int' && scalar.bits === 32) return word
    const cut = cast(place, 'trunc', scalar, word)
    out.push(cut)
    return cut
  }
  let vector: Value = { kind: 'undef', type }
  for (let index = 0; index < type.length; index++) {
    const next: Instruction = {
      kind: 'instruction',
      op: 'insertelement',
      type,
      name: '',
      ...place,
      vector,
      value: word,
      index: intConstant(I32, index),
    }
    out.push(next)
    vector = next
  }
  return vector
}

function splitLoad(block: Block, access: LoadInstruction, out: Instruction[]): Value {
  const place: Place = { block, location: access.location }
  const whole = integerOf(access.type)
  let sum: Value | undefined
  for (const { at, width } of piecesOf(access.type, access.align)) {
    const pointer = offsetPointer(place, access.pointer, at)
    const part = load(place, { kind: 'int', bits: width * 8 }, pointer, width, access.volatile)
    const wide = cast(place, 'zext', whole, part)
    out.push(pointer, part, wide)
    if (sum === undefined) sum = wide
    else {
      const shifted = binary(place, 'shl', wide, intConstant(whole, at * 8))
      const joined = binary(place, 'or', sum, shifted)
      out.push(shifted, joined)
      sum = joined
    }
  }
  return fromInteger(place, sum!, access.type, out)
}

function splitStore(block: Block, access: StoreInstruction, out: Instruction[]): void {
  const place: Place = { block, location: access.location }
  const type = access.value.type
  const whole = integerOf(type)
  let value = access.value
  if (type.kind !== 'int') {
    const bits = cast(place, type.kind === 'pointer' ? 'ptrtoint' : 'bitcast', whole, value)
    out.push(bits)
    value = bits
  } else if (type.bits !== sizeOf(type) * 8) {
    value = cast(place, 'zext', whole, value)
    out.push(value)
  }
  for (const { at, width } of piecesOf(type, access.align)) {
    const shifted = binary(place, 'lshr', value, intConstant(whole, at * 8))
    const part = cast(place, 'trunc', { kind: 'int', bits: width * 8 }, shifted)
    const pointer = offsetPointer(place, access.pointer, at)
    out.push(shifted, part, pointer, store(place, part, pointer, width, access.volatile))
  }
}

function piecesOf(type: Type, align: number): { readonly at: number; readonly width: number }[] {
  const pieces: { at: number; width: number }[] = []
  const bytes = storeBytes(type)
  for (let at = 0; at < bytes; at += pieces.at(-1)!.width)
    pieces.push({ at, width: widestPiece(Math.min(16, Math.max(1, align)), at, bytes) })
  return pieces
}

function integerOf(type: Type): Type {
  return { kind: 'int', bits: sizeOf(type) * 8 }
}

function fromInteger(place: Place, value: Value, type: Type, out: Instruction[]): Value {
  if (type.kind === 'int') {
    if (type.bits === sizeOf(type) * 8) return value
    const cut = cast(place, 'trunc', type, value)
    out.push(cut)
    return cut
  }
  const converted = cast(place, type.kind === 'pointer' ? 'inttoptr' : 'bitcast', type, value)
  out.push(converted)
  return converted
}
