/**
 * Four lanes' computations as WebAssembly SIMD. A value of a 64-bit type takes two vectors ("halves", lanes 0-1 and 2-3); a
 * flag is a mask of 32-bit lanes, all ones or zero. What SIMD lacks is done lane by lane with the scalar code.
 */
import { InternalError } from '../diagnostic.ts'
import type { FunctionBuilder } from '../wasm/builder.ts'
import type { Helpers } from './helpers.ts'
import { laneByLane } from './laneByLane.ts'
import { heldAs, type Operation } from './operations.ts'
import { compute } from './vectorArithmetic.ts'
import { compareFloats, compareIntegers } from './vectorComparisons.ts'
import { convert } from './vectorConversions.ts'
import { type Operands, select } from './vectorLanes.ts'

/** Emits one half of the result of an operation; leaves a v128 on the stack. */
export function emitVector(
  f: FunctionBuilder,
  helpers: Helpers,
  operation: Operation,
  half: number,
  operands: Operands,
): void {
  const { name } = operation
  const to = heldAs(operation.type)
  const from = operation.operands[0] && heldAs(operation.operands[0].type)
  if (!to || !from) throw new InternalError(`${name} on an aggregate`)
  const emitted = name.startsWith('icmp.')
    ? compareIntegers(f, name.slice(5), from, operands)
    : name.startsWith('fcmp.')
      ? compareFloats(f, name.slice(5), from, operands)
      : name === 'select'
        ? select(f, to, half, operands)
        : name === 'freeze'
          ? pass(operands, half)
          : convert(f, helpers, name, from, to, half, operands) || compute(f, helpers, name, to, half, operands)
  if (!emitted) laneByLane(f, helpers, operation, half, operands)
}

function pass(operands: Operands, half: number): boolean {
  operands.vector(0, half)
  return true
}
