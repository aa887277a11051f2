/**
 * Four lanes' computations as WebAssembly SIMD. A value of a 64-bit type takes two vectors ("halves", lanes 0-1 and 2-3); a
 * flag is a mask of 32-bit lanes, all ones or zero. What SIMD lacks is done lane by lane with the scalar code.
 */
import { InternalError } from '../../diagnostic.ts'
import type { FunctionBuilder } from '../../wasm/builder.ts'
import type { Helpers } from '../helpers/helpers.ts'
import { vectorClass } from './floatClasses.ts'
import { laneByLane } from './laneByLane.ts'
import { pushCanonical } from './nan.ts'
import { heldAs, type Operation } from './operations.ts'
import { compute } from './vectorArithmetic.ts'
import { compareFloats, compareIntegers, orderIntegers } from './vectorComparisons.ts'
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
  if (name.startsWith('icmp.')) return compareIntegers(f, name.slice('icmp.'.length), from, operands)
  if (name.startsWith('fcmp.')) return compareFloats(f, name.slice('fcmp.'.length), from, operands)
  if (name.startsWith('fpclass.')) return vectorClass(f, helpers, Number(name.slice('fpclass.'.length)), from, operands)
  switch (name) {
    case 'ucmp':
    case 'scmp':
      return orderIntegers(f, name, from, to, operands)
    case 'select':
      return select(f, to, half, operands)
    case 'freeze':
      return operands.vector(0, half)
  }
  const isEmitted = convert(f, helpers, name, from, to, half, operands) || compute(f, helpers, name, to, half, operands)
  if (!isEmitted) laneByLane(f, helpers, operation, half, operands)
  else if (name === 'copysign') pushCanonical(f, to, operation.operands[0]!, true, true)
}
