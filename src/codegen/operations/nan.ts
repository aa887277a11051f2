/**
 * NaN bits. WebAssembly leaves open which NaN an operation gives; a GPU gives 0x7fffffff (single) and, for double, the quiet
 * NaN without payload. It shows only where bits are looked at, so computed floats are made canonical on their way to memory.
 * Floats that were only loaded and moved keep their bits; a sign is changed by an addition (reference/arithmetic/operations.ts, negation).
 */
import type { Value } from '../../ir/ir.ts'
import { F32, F64, type FunctionBuilder, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { Values } from '../values/storage.ts'
import { type Held, halvesOf, heldAs } from './operations.ts'
import { pushSignBits } from './vectorLanes.ts'

const SINGLE_NAN = 0x7fffffff
const DOUBLE_NAN = 0x7ff8000000000000n

/**
 * Makes the NaNs of the scalar (or vector) on the stack canonical when the value may have been computed.
 * @param value what is on the stack, or where signs are kept what a copysign has given another's sign to
 */
export function pushCanonical(f: FunctionBuilder, held: Held, value: Value, isVector = false, keepsSign = false): void {
  if ((held.kind !== 'f32' && held.kind !== 'f64') || !mayBeComputed(value)) return
  const wide = held.kind === 'f64'
  const type = isVector ? V128 : wide ? F64 : F32
  const local = f.local(type)
  f.tee(local)
  if (wide) f.f64Bits(DOUBLE_NAN)
  else f.f32Bits(SINGLE_NAN)
  if (keepsSign && !isVector) f.get(local).op(wide ? Op.f64_copysign : Op.f32_copysign)
  if (isVector) {
    f.op(wide ? Op.f64x2_splat : Op.f32x4_splat)
    if (keepsSign) {
      f.get(local)
      pushSignBits(f, wide)
      f.op(Op.v128_and).op(Op.v128_or)
    }
    f.get(local)
      .get(local)
      .op(wide ? Op.f64x2_eq : Op.f32x4_eq)
      .op(Op.v128_bitselect)
  } else
    f.get(local)
      .get(local)
      .op(wide ? Op.f64_eq : Op.f32_eq)
      .op(Op.select)
  f.release(type, local)
}

/**
 * The NaNs of a whole computed value, in its own locals: one sum asks for all of them whether there is any, which is rare (a
 * sum of infinities may say so wrongly, which costs only time). Asking is worth it for a single vector: what is stored, and
 * perhaps loaded again at once, does not wait for the answer. Says whether it was possible.
 */
export function makeCanonical(f: FunctionBuilder, values: Values, value: Value, groups: readonly number[]): boolean {
  if (value.kind !== 'instruction' || !COMPUTES.has(value.op) || !values.isStored(value)) return false
  const [storage, ...more] = values.storagesOf(value)
  const held = heldAs(value.type)
  if (storage?.kind !== 'vectors' || storage.temporary || more.length > 0) return false
  if (held?.kind !== 'f32' && held?.kind !== 'f64') return false
  const wide = held.kind === 'f64'
  const halves = halvesOf(held)
  const locals = groups.flatMap(group => storage.locals.slice(group * halves, (group + 1) * halves))
  const pushSum = (part: readonly number[]): void => {
    const middle = part.length >> 1
    if (middle === 0) {
      f.get(part[0]!)
      return
    }
    pushSum(part.slice(0, middle))
    pushSum(part.slice(middle))
    f.op(wide ? Op.f64x2_add : Op.f32x4_add)
  }
  const sum = f.local(V128)
  pushSum(locals)
  f.tee(sum)
    .get(sum)
    .op(wide ? Op.f64x2_ne : Op.f32x4_ne)
    .op(wide ? Op.i64x2_bitmask : Op.i32x4_bitmask)
    .if()
  f.release(V128, sum)
  for (const local of locals) {
    f.get(local)
    if (wide) f.f64Bits(DOUBLE_NAN).op(Op.f64x2_splat)
    else f.f32Bits(SINGLE_NAN).op(Op.f32x4_splat)
    f.get(local)
      .get(local)
      .op(wide ? Op.f64x2_eq : Op.f32x4_eq)
      .op(Op.v128_bitselect)
      .set(local)
  }
  f.end()
  return true
}

/** Their locals are no other value's. */
const COMPUTES: ReadonlySet<string> = new Set(['fadd', 'fsub', 'fmul', 'fdiv', 'fma'])

/** Its NaNs need not be the GPU's. */
export function mayBeComputed(value: Value): boolean {
  return isComputed(value, new Set())
}

function isComputed(value: Value, seen: Set<Value>): boolean {
  if (value.kind !== 'instruction' || seen.has(value)) return false
  seen.add(value)
  switch (value.op) {
    case 'fadd':
    case 'fsub':
    case 'fmul':
    case 'fdiv':
    case 'frem':
    case 'fma':
    case 'fneg':
    case 'fpext':
    case 'fptrunc':
      return true
    case 'call':
      return value.callee.kind !== 'function' || !value.callee.name.startsWith('llvm.copysign')
    case 'phi':
      return value.incoming.some(incoming => isComputed(incoming.value, seen))
    case 'select':
      return isComputed(value.ifTrue, seen) || isComputed(value.ifFalse, seen)
    case 'freeze':
      return isComputed(value.value, seen)
    case 'insertelement':
      return isComputed(value.value, seen) || isComputed(value.vector, seen)
    case 'insertvalue':
      return isComputed(value.value, seen) || isComputed(value.aggregate, seen)
    case 'extractelement':
      return isComputed(value.vector, seen)
    case 'extractvalue':
      return isComputed(value.aggregate, seen)
    default:
      return false
  }
}
