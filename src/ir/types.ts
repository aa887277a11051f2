/** The ILP32 data layout of `nvptx-nvidia-cuda` (FRONTEND.md): sizes, alignments and field offsets, all in bytes. */
import type { Type } from './ir.ts'

export const VOID: Type = { kind: 'void' }
export const I1: Type = { kind: 'int', bits: 1 }
export const I8: Type = { kind: 'int', bits: 8 }
export const I16: Type = { kind: 'int', bits: 16 }
export const I32: Type = { kind: 'int', bits: 32 }
export const I64: Type = { kind: 'int', bits: 64 }
export const F16: Type = { kind: 'float', bits: 16 }
export const F32: Type = { kind: 'float', bits: 32 }
export const F64: Type = { kind: 'float', bits: 64 }
/** NVPTX's numbers of address spaces; `parameter` are a kernel's. */
export const SPACE = { generic: 0, global: 1, shared: 3, constant: 4, local: 5, parameter: 101 } as const

/** Of shared variables in the memory that the system reserves (include/cooperative_groups.h). */
export const RESERVED_SECTION = 'warplens.reserved'

export const POINTER: Type = { kind: 'pointer', space: 0 }

/** Bytes that the value itself takes in memory (i1 takes 1, i24 takes 3). */
export function storeBytes(type: Type): number {
  switch (type.kind) {
    case 'void':
      return 0
    case 'int':
      return Math.ceil(type.bits / 8)
    case 'float':
      return type.bits / 8
    case 'pointer':
      return 4
    case 'array':
      return type.length * sizeOf(type.element)
    case 'vector':
      return Math.ceil((type.length * bitsOf(type.element)) / 8)
    case 'struct': {
      const offsets = fieldOffsets(type)
      const last = type.fields.at(-1)
      const end = last === undefined ? 0 : offsets[offsets.length - 1]! + sizeOf(last)
      return alignUp(end, alignOf(type))
    }
  }
}

/** Bytes from one array element to the next. */
export function sizeOf(type: Type): number {
  return alignUp(storeBytes(type), alignOf(type))
}

/** ABI alignment. */
export function alignOf(type: Type): number {
  switch (type.kind) {
    case 'void':
      return 1
    case 'int':
      return Math.min(16, nextPowerOfTwo(Math.ceil(type.bits / 8)))
    case 'float':
      return type.bits / 8
    case 'pointer':
      return 4
    case 'array':
      return alignOf(type.element)
    case 'vector':
      return nextPowerOfTwo(Math.ceil((type.length * bitsOf(type.element)) / 8))
    case 'struct':
      return type.packed ? 1 : Math.max(1, ...type.fields.map(alignOf))
  }
}

/** Byte offset of each field of a structure. */
export function fieldOffsets(type: Type & { kind: 'struct' }): number[] {
  let at = 0
  return type.fields.map(field => {
    if (!type.packed) at = alignUp(at, alignOf(field))
    const offset = at
    at += sizeOf(field)
    return offset
  })
}

export function bitsOf(type: Type): number {
  if (type.kind === 'int' || type.kind === 'float') return type.bits
  if (type.kind === 'pointer') return 32
  return sizeOf(type) * 8
}

export function alignUp(value: number, align: number): number {
  return Math.ceil(value / align) * align
}

function nextPowerOfTwo(value: number): number {
  let power = 1
  while (power < value) power *= 2
  return power
}

/** Structural equality. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true
  switch (a.kind) {
    case 'void':
      return b.kind === 'void'
    case 'int':
      return b.kind === 'int' && a.bits === b.bits
    case 'float':
      return b.kind === 'float' && a.bits === b.bits && a.brain === b.brain
    case 'pointer':
      return b.kind === 'pointer' && a.space === b.space
    case 'array':
    case 'vector':
      return b.kind === a.kind && a.length === b.length && sameType(a.element, b.element)
    case 'struct':
      return (
        b.kind === 'struct' &&
        a.packed === b.packed &&
        a.fields.length === b.fields.length &&
        a.fields.every((field, i) => sameType(field, b.fields[i]!))
      )
  }
}

/** LLVM's spelling of a type; structures are written out, not named. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case 'void':
      return 'void'
    case 'int':
      return `i${type.bits}`
    case 'float':
      return type.brain ? 'bfloat' : type.bits === 16 ? 'half' : type.bits === 32 ? 'float' : 'double'
    case 'pointer':
      return type.space === 0 ? 'ptr' : `ptr addrspace(${type.space})`
    case 'array':
      return `[${type.length} x ${formatType(type.element)}]`
    case 'vector':
      return `<${type.length} x ${formatType(type.element)}>`
    case 'struct': {
      const fields = type.fields.length === 0 ? '{}' : `{ ${type.fields.map(formatType).join(', ')} }`
      return type.packed ? `<${fields}>` : fields
    }
  }
}
