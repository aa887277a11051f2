/** Comparisons of four lanes, and the widening and cutting of their integers; results are lane masks. */
import type { FunctionBuilder } from '../../wasm/builder.ts'
import { Op, type Opcode } from '../../wasm/opcodes.ts'
import type { Held } from './operations.ts'
import { cutLanes, extendLanes, extendLanes64, narrowMasks, type Operands } from './vectorLanes.ts'

const COMPARE32: Readonly<Record<string, Opcode>> = {
  eq: Op.i32x4_eq,
  ne: Op.i32x4_ne,
  ult: Op.i32x4_lt_u,
  ule: Op.i32x4_le_u,
  ugt: Op.i32x4_gt_u,
  uge: Op.i32x4_ge_u,
  slt: Op.i32x4_lt_s,
  sle: Op.i32x4_le_s,
  sgt: Op.i32x4_gt_s,
  sge: Op.i32x4_ge_s,
}
const COMPARE64: Readonly<Record<string, Opcode>> = {
  eq: Op.i64x2_eq,
  ne: Op.i64x2_ne,
  lt: Op.i64x2_lt_s,
  le: Op.i64x2_le_s,
  gt: Op.i64x2_gt_s,
  ge: Op.i64x2_ge_s,
}

export function compareIntegers(f: FunctionBuilder, predicate: string, held: Held, operands: Operands): void {
  const signed = predicate.startsWith('s')
  if (held.kind === 'i64') {
    const relation = predicate.length === 3 ? predicate.slice(1) : predicate
    const unsigned = predicate.startsWith('u')
    for (const half of [0, 1]) {
      for (const operand of [0, 1]) {
        operands.vector(operand, half)
        if (signed) extendLanes64(f, held.bits)
        // Unsigned order is signed order with the top bits flipped.
        if (unsigned) f.v128x64(1n << 63n, 1n << 63n).op(Op.v128_xor)
      }
      f.op(COMPARE64[relation]!)
    }
    narrowMasks(f)
    return
  }
  for (const operand of [0, 1]) {
    operands.vector(operand, 0)
    if (held.kind === 'i32' && signed) extendLanes(f, held.bits)
  }
  f.op(COMPARE32[predicate]!)
}

/** -1, 0 or 1: masks are -1, so that the one of smaller lanes less the one of greater lanes is it. */
export function orderIntegers(
  f: FunctionBuilder,
  name: 'ucmp' | 'scmp',
  from: Held,
  to: Held,
  operands: Operands,
): void {
  compareIntegers(f, `${name[0]}lt`, from, operands)
  compareIntegers(f, `${name[0]}gt`, from, operands)
  f.op(Op.i32x4_sub)
  if (to.kind === 'i32') cutLanes(f, to.bits)
}

const ORDERED: Readonly<Record<string, readonly [Opcode, Opcode]>> = {
  eq: [Op.f32x4_eq, Op.f64x2_eq],
  gt: [Op.f32x4_gt, Op.f64x2_gt],
  ge: [Op.f32x4_ge, Op.f64x2_ge],
  lt: [Op.f32x4_lt, Op.f64x2_lt],
  le: [Op.f32x4_le, Op.f64x2_le],
}
const OPPOSITE: Readonly<Record<string, string>> = { gt: 'le', ge: 'lt', lt: 'ge', le: 'gt' }

export function compareFloats(f: FunctionBuilder, predicate: string, held: Held, operands: Operands): void {
  const wide = held.kind === 'f64'
  const compareHalf = (half: number): void => {
    const compare = (relation: string, a: number, b: number): void => {
      operands.vector(a, half)
      operands.vector(b, half)
      f.op(ORDERED[relation]![wide ? 1 : 0])
    }
    const relation = predicate.slice(1)
    if (predicate === 'true' || predicate === 'false') f.i32(predicate === 'true' ? -1 : 0).op(Op.i32x4_splat)
    else if (predicate === 'ord' || predicate === 'uno') {
      compare('eq', 0, 0)
      compare('eq', 1, 1)
      f.op(Op.v128_and)
      if (predicate === 'uno') f.op(Op.v128_not)
    } else if (predicate === 'one' || predicate === 'ueq') {
      compare('lt', 0, 1)
      compare('gt', 0, 1)
      f.op(Op.v128_or)
      if (predicate === 'ueq') f.op(Op.v128_not)
    } else if (predicate === 'une') {
      compare('eq', 0, 1)
      f.op(Op.v128_not)
    } else if (predicate.startsWith('o')) compare(relation, 0, 1)
    else {
      compare(OPPOSITE[relation]!, 0, 1)
      f.op(Op.v128_not)
    }
  }
  compareHalf(0)
  if (wide) {
    compareHalf(1)
    narrowMasks(f)
  }
}
