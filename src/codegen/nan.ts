/**
 * NaN bits. WebAssembly leaves open which NaN an operation gives; a GPU gives 0x7fffffff (single) and, for double, the quiet
 * NaN without payload. It shows only where bits are looked at, so computed floats are made canonical on their way to memory.
 * Floats that were only loaded and moved keep their bits.
 */
import type { Value } from '../ir/ir.ts'
import { F32, F64, type FunctionBuilder, V128 } from '../wasm/builder.ts'
import { Op } from '../wasm/opcodes.ts'
import type { Held } from './operations.ts'

const SINGLE_NAN = 0x7fffffff
const DOUBLE_NAN = 0x7ff8000000000000n

/** Makes the NaNs of the scalar (or vector) on the stack canonical when the value may have been computed. */
export function pushCanonical(f: FunctionBuilder, held: Held, value: Value, isVector = false): void {
  if ((held.kind !== 'f32' && held.kind !== 'f64') || !isComputed(value, new Set())) return
  const wide = held.kind === 'f64'
  const type = isVector ? V128 : wide ? F64 : F32
  const local = f.local(type)
  f.tee(local)
  if (wide) f.f64Bits(DOUBLE_NAN)
  else f.f32Bits(SINGLE_NAN)
  if (isVector) {
    f.op(wide ? Op.f64x2_splat : Op.f32x4_splat)
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
    case 'fpext':
    case 'fptrunc':
      return true
    case 'call':
      return value.callee.kind !== 'function' || !/^llvm\.(fabs|copysign)/.test(value.callee.name)
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
