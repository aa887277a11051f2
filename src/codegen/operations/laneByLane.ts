/** Operations that vectors do not have: lanes are taken out, computed as scalars and put together again. */
import { type FunctionBuilder, V128 } from '../../wasm/builder.ts'
import { Op, type Opcode } from '../../wasm/opcodes.ts'
import type { Helpers } from '../helpers/helpers.ts'
import { type Held, halvesOf, heldAs, machineType, type Operation } from './operations.ts'
import { emitScalar } from './scalarOperations.ts'
import type { Operands } from './vectorLanes.ts'

const EXTRACT: Readonly<Record<'i32' | 'i64' | 'f32' | 'f64', Opcode>> = {
  i32: Op.i32x4_extract_lane,
  i64: Op.i64x2_extract_lane,
  f32: Op.f32x4_extract_lane,
  f64: Op.f64x2_extract_lane,
}
const REPLACE: Readonly<Record<'i32' | 'i64' | 'f32' | 'f64', Opcode>> = {
  i32: Op.i32x4_replace_lane,
  i64: Op.i64x2_replace_lane,
  f32: Op.f32x4_replace_lane,
  f64: Op.f64x2_replace_lane,
}

export function laneKind(held: Held): 'i32' | 'i64' | 'f32' | 'f64' {
  return held.kind === 'flag' ? 'i32' : held.kind === 'f16' ? 'f32' : held.kind
}

/** Pushes one lane (0-3) of an operand as the scalar that `machineType` says. */
export function extractLane(f: FunctionBuilder, held: Held, lane: number, vector: (half: number) => void): void {
  const isWide = halvesOf(held) === 2
  vector(isWide ? lane >> 1 : 0)
  f.lane(EXTRACT[laneKind(held)], isWide ? lane & 1 : lane)
  if (held.kind === 'flag') f.i32(1).op(Op.i32_and)
}

/** The lanes of one half of a result, each computed by `scalar`; a flag becomes a lane mask. */
export function assembleLanes(f: FunctionBuilder, held: Held, half: number, scalar: (lane: number) => void): void {
  const result = f.local(V128)
  const isWide = halvesOf(held) === 2
  f.v128([0, 0, 0, 0]).set(result)
  const lanes = isWide ? [half * 2, half * 2 + 1] : [0, 1, 2, 3]
  for (const lane of lanes) {
    const value = f.local(machineType(held))
    scalar(lane)
    if (held.kind === 'flag') {
      f.set(value)
      f.get(result).i32(0).get(value).op(Op.i32_sub)
    } else f.set(value).get(result).get(value)
    f.lane(REPLACE[laneKind(held)], isWide ? lane & 1 : lane).set(result)
    f.release(machineType(held), value)
  }
  f.get(result)
  f.release(V128, result)
}

export function laneByLane(
  f: FunctionBuilder,
  helpers: Helpers,
  operation: Operation,
  half: number,
  operands: Operands,
): void {
  const to = heldAs(operation.type)!
  assembleLanes(f, to, half, lane =>
    emitScalar(f, helpers, operation, operand => {
      const held = heldAs(operation.operands[operand]!.type)!
      if (operands.isUniform(operand)) operands.scalar(operand)
      else extractLane(f, held, lane, which => operands.vector(operand, which))
    }),
  )
}
