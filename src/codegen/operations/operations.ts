/** The computations that the code generator does itself, under one set of names: instructions and LLVM intrinsics alike. */
import { InternalError } from '../../diagnostic.ts'
import type { Instruction, Type, Value } from '../../ir/ir.ts'
import { F32, F64, I32, I64, type ValueType } from '../../wasm/builder.ts'

export interface Operation {
  /** An LLVM opcode, `icmp.ult`, `fcmp.olt`, `fpclass.MASK`, or an intrinsic's name without `llvm.` and type suffix. */
  readonly name: string
  readonly type: Type
  readonly operands: readonly Value[]
}

const INTRINSICS = new Set([
  'fabs',
  'sqrt',
  'floor',
  'ceil',
  'trunc',
  'rint',
  'nearbyint',
  'roundeven',
  'minnum',
  'maxnum',
  'minimumnum',
  'maximumnum',
  'fma',
  'fmuladd',
  'copysign',
  'smin',
  'smax',
  'umin',
  'umax',
  'abs',
  'ctpop',
  'ctlz',
  'cttz',
  'fshl',
  'fshr',
  'bswap',
  'bitreverse',
  'canonicalize',
  // Ours: analysis/lowering/flushSubnormals.ts.
  'flush',
  'is.fpclass',
  'uadd.sat',
  'usub.sat',
  'sadd.sat',
  'ssub.sat',
])

function intrinsicName(name: string): string | undefined {
  const order = /^llvm\.([su]cmp)\.i(8|16|32)\.i(8|16|32|64)$/.exec(name)
  if (order) return order[1]
  const match = /^llvm\.([a-z.]+)\.(i1|i8|i16|i32|i64|f16|f32|f64|bf16)$/.exec(name)
  return match && INTRINSICS.has(match[1]!) ? match[1] : undefined
}

export function isNative(name: string): boolean {
  return intrinsicName(name) !== undefined
}

/** Undefined for what is not one lane's computation: memory, control flow, phis, aggregates, special calls. */
export function operationOf(instruction: Instruction): Operation | undefined {
  const { type } = instruction
  switch (instruction.op) {
    case 'icmp':
    case 'fcmp':
      return {
        name: `${instruction.op}.${instruction.predicate}`,
        type,
        operands: [instruction.left, instruction.right],
      }
    case 'select':
      return { name: 'select', type, operands: [instruction.condition, instruction.ifTrue, instruction.ifFalse] }
    case 'fma':
      return { name: 'fma', type, operands: [instruction.left, instruction.right, instruction.addend] }
    case 'fneg':
    case 'freeze':
    case 'trunc':
    case 'zext':
    case 'sext':
    case 'fptrunc':
    case 'fpext':
    case 'fptoui':
    case 'fptosi':
    case 'uitofp':
    case 'sitofp':
    case 'ptrtoint':
    case 'inttoptr':
    case 'bitcast':
    case 'addrspacecast':
      return { name: instruction.op, type, operands: [instruction.value] }
    case 'add':
    case 'sub':
    case 'mul':
    case 'udiv':
    case 'sdiv':
    case 'urem':
    case 'srem':
    case 'shl':
    case 'lshr':
    case 'ashr':
    case 'and':
    case 'or':
    case 'xor':
    case 'fadd':
    case 'fsub':
    case 'fmul':
    case 'fdiv':
    case 'frem':
      return { name: instruction.op, type, operands: [instruction.left, instruction.right] }
    case 'call': {
      if (instruction.callee.kind !== 'function') return undefined
      const name = intrinsicName(instruction.callee.name)
      if (name === undefined) return undefined
      if (name === 'is.fpclass') return classQuestion(type, instruction.args)
      const full = name === 'trunc' ? 'ftrunc' : name === 'fmuladd' ? 'fma' : name
      return { name: full, type, operands: instruction.args }
    }
    default:
      return undefined
  }
}

/** The classes asked for are always a constant (LLVM Language Reference, llvm.is.fpclass). */
function classQuestion(type: Type, [value, classes]: readonly Value[]): Operation {
  if (!value || classes?.kind !== 'int') throw new InternalError('is.fpclass asks for no constant classes')
  return { name: `fpclass.${classes.value}`, type, operands: [value] }
}

/** How a leaf type is held: by machine type, and the number of significant bits. */
export type Held =
  /** i1: a scalar 0 or 1; across lanes a bit mask or lane masks. */
  | { readonly kind: 'flag' }
  /** Integers of 2 to 32 bits and pointers, zero-extended. */
  | { readonly kind: 'i32'; readonly bits: number }
  | { readonly kind: 'i64'; readonly bits: number }
  | { readonly kind: 'f32' }
  | { readonly kind: 'f64' }
  /** half and bfloat: as the f32 of the same value. */
  | { readonly kind: 'f16'; readonly brain: boolean }

export function heldAs(type: Type): Held | undefined {
  switch (type.kind) {
    case 'pointer':
      return { kind: 'i32', bits: 32 }
    case 'int':
      if (type.bits === 1) return { kind: 'flag' }
      if (type.bits <= 32) return { kind: 'i32', bits: type.bits }
      return type.bits <= 64 ? { kind: 'i64', bits: type.bits } : undefined
    case 'float':
      return type.bits === 32
        ? { kind: 'f32' }
        : type.bits === 64
          ? { kind: 'f64' }
          : { kind: 'f16', brain: type.brain === true }
    default:
      return undefined
  }
}

/** v128s that four lanes of a value take: 2 for 64-bit types. */
export function halvesOf(held: Held): 1 | 2 {
  return held.kind === 'i64' || held.kind === 'f64' ? 2 : 1
}

/** The scalar leaves of a type, in order: one for a scalar, the elements or fields of an aggregate flattened. */
export function leavesOf(type: Type): Type[] {
  switch (type.kind) {
    case 'vector':
    case 'array':
      return Array.from({ length: type.length }, () => leavesOf(type.element)).flat()
    case 'struct':
      return type.fields.flatMap(leavesOf)
    case 'void':
      return []
    default:
      return [type]
  }
}

export function machineType(held: Held): ValueType {
  switch (held.kind) {
    case 'flag':
    case 'i32':
      return I32
    case 'i64':
      return I64
    case 'f64':
      return F64
    default:
      return F32
  }
}

export type Push = (operand: number) => void
