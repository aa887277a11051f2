/**
 * One lane's computations as WebAssembly scalars: for values that are uniform in a warp, and lane by lane where SIMD has
 * nothing. Semantics are the reference interpreter's (reference/arithmetic/operations.ts): shifts clamp, division by zero gives all
 * ones, conversions saturate, integers narrower than 32 bits are held zero-extended.
 */
import { InternalError } from '../../diagnostic.ts'
import type { FunctionBuilder } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { Helpers } from '../helpers/helpers.ts'
import { scalarClass } from './floatClasses.ts'
import { pushCanonical } from './nan.ts'
import type { Push } from './operations.ts'
import { heldAs, type Operation } from './operations.ts'
import { convert } from './scalarConversions.ts'
import { compareFloats, floatOperation, halfOperation } from './scalarFloats.ts'
import { compareIntegers, flagOperation, narrowOperation, orderIntegers, wideOperation } from './scalarIntegers.ts'

/** Emits the operation; the result is left on the stack. */
export function emitScalar(f: FunctionBuilder, helpers: Helpers, operation: Operation, push: Push): void {
  const held = heldAs(operation.type)
  const from = operation.operands[0] && heldAs(operation.operands[0].type)
  if (!held || !from) throw new InternalError(`${operation.name} on an aggregate`)
  const { name } = operation
  if (name.startsWith('icmp.')) return compareIntegers(f, name.slice(5), from, push)
  if (name.startsWith('fcmp.')) return compareFloats(f, name.slice(5), from, push)
  if (name.startsWith('fpclass.')) return scalarClass(f, helpers, Number(name.slice('fpclass.'.length)), from, push)
  if (isConversion(name)) {
    push(0)
    return convert(f, helpers, name, from, held)
  }
  switch (name) {
    case 'select':
      push(1)
      push(2)
      push(0)
      f.op(Op.select)
      return
    case 'freeze':
      push(0)
      return
    case 'ucmp':
    case 'scmp':
      return orderIntegers(f, name, from, held, push)
  }
  switch (held.kind) {
    case 'flag':
      return flagOperation(f, name, push)
    case 'i32':
      return narrowOperation(f, name, held.bits, push)
    case 'i64':
      return wideOperation(f, name, held.bits, push)
    case 'f32':
    case 'f64':
      floatOperation(f, helpers, name, held.kind, push)
      if (name === 'copysign') pushCanonical(f, held, operation.operands[0]!, false, true)
      return
    case 'f16':
      return halfOperation(f, helpers, name, held.brain, push)
  }
}

function isConversion(name: string): boolean {
  return [
    'trunc',
    'zext',
    'sext',
    'fptrunc',
    'fpext',
    'fptoui',
    'fptosi',
    'uitofp',
    'sitofp',
    'ptrtoint',
    'inttoptr',
    'bitcast',
    'addrspacecast',
  ].includes(name)
}
