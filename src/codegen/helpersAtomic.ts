/**
 * Read-modify-write operations of a warp, lane by lane in ascending order. Global memory is shared between workers: there the
 * operation is one atomic instruction or a compare-and-swap loop; a block's shared memory belongs to one worker.
 */
import type { AtomicOp } from '../ir/ir.ts'
import { type Callable, F32, F64, type FunctionBuilder, I32, I64, type ModuleBuilder } from '../wasm/builder.ts'
import { Op, type Opcode } from '../wasm/opcodes.ts'
import { forEachLane } from './helpersMemory.ts'
import { ADDRESSES, RESULTS, VALUES } from './slot.ts'

export interface AtomicSpec {
  readonly operation: AtomicOp | 'cmpxchg'
  readonly type: 'i32' | 'i64' | 'f32' | 'f64'
  readonly isShared: boolean
}

/** [32-bit, 64-bit] atomic instruction. */
const NATIVE: Readonly<Partial<Record<AtomicSpec['operation'], readonly [Opcode, Opcode]>>> = {
  add: [Op.i32_atomic_rmw_add, Op.i64_atomic_rmw_add],
  sub: [Op.i32_atomic_rmw_sub, Op.i64_atomic_rmw_sub],
  and: [Op.i32_atomic_rmw_and, Op.i64_atomic_rmw_and],
  or: [Op.i32_atomic_rmw_or, Op.i64_atomic_rmw_or],
  xor: [Op.i32_atomic_rmw_xor, Op.i64_atomic_rmw_xor],
  xchg: [Op.i32_atomic_rmw_xchg, Op.i64_atomic_rmw_xchg],
}

/** (slot, mask): operands at VALUES (compare-and-swap: expected first, replacement as the second element), old values to RESULTS. */
export function buildAtomic(module: ModuleBuilder, spec: AtomicSpec): Callable {
  const f = module.function([I32, I32], [])
  const [slot, mask] = [0, 1]
  const isWide = spec.type === 'i64' || spec.type === 'f64'
  const type = isWide ? I64 : I32
  const which = isWide ? 1 : 0
  const load = isWide ? Op.i64_load : Op.i32_load
  const store = isWide ? Op.i64_store : Op.i32_store
  const address = f.local(I32)
  const held = f.local(I32)
  const old = f.local(type)
  const seen = f.local(type)
  const elementBytes = isWide ? 256 : 128
  const pushValue = (element: number): void => {
    f.get(held).memory(load, VALUES + element * elementBytes)
  }
  forEachLane(f, slot, mask, wordAt => {
    f.get(wordAt).memory(Op.i32_load, ADDRESSES).set(address)
    if (isWide) f.get(wordAt).i32(1).op(Op.i32_shl).get(slot).op(Op.i32_sub).set(held)
    else f.get(wordAt).set(held)
    const native = NATIVE[spec.operation]
    if (spec.operation === 'cmpxchg') {
      f.get(address)
      pushValue(0)
      pushValue(1)
      f.memory(isWide ? Op.i64_atomic_rmw_cmpxchg : Op.i32_atomic_rmw_cmpxchg, 0, isWide ? 3 : 2).set(old)
    } else if (native && !spec.isShared && spec.type.startsWith('i')) {
      f.get(address)
      pushValue(0)
      f.memory(native[which], 0, isWide ? 3 : 2).set(old)
    } else if (spec.isShared) {
      f.get(address).memory(load).set(old)
      f.get(address)
      combine(f, spec, old, pushValue)
      f.memory(store)
    } else {
      f.get(address)
        .memory(isWide ? Op.i64_atomic_load : Op.i32_atomic_load, 0, isWide ? 3 : 2)
        .set(old)
      const done = f.block()
      const again = f.loop()
      f.get(address).get(old)
      combine(f, spec, old, pushValue)
      f.memory(isWide ? Op.i64_atomic_rmw_cmpxchg : Op.i32_atomic_rmw_cmpxchg, 0, isWide ? 3 : 2).tee(seen)
      f.get(old)
        .op(isWide ? Op.i64_eq : Op.i32_eq)
        .brIf(done)
      f.get(seen).set(old).br(again).end().end()
    }
    f.get(held).get(old).memory(store, RESULTS)
  })
  return f
}

/** Pushes the new value's bits. Same meanings as reference/atomics.ts. */
function combine(
  f: FunctionBuilder,
  { operation, type }: AtomicSpec,
  old: number,
  pushValue: (element: number) => void,
): void {
  const isWide = type === 'i64' || type === 'f64'
  const which = isWide ? 1 : 0
  const value = (): void => pushValue(0)
  const simple: Readonly<Partial<Record<AtomicSpec['operation'], readonly [Opcode, Opcode]>>> = {
    add: [Op.i32_add, Op.i64_add],
    sub: [Op.i32_sub, Op.i64_sub],
    and: [Op.i32_and, Op.i64_and],
    or: [Op.i32_or, Op.i64_or],
    xor: [Op.i32_xor, Op.i64_xor],
  }
  const opcode = simple[operation]
  if (opcode) {
    f.get(old)
    value()
    f.op(opcode[which])
    return
  }
  const one = (): void => {
    if (isWide) f.i64(1n)
    else f.i32(1)
  }
  const zero = (): void => {
    if (isWide) f.i64(0n)
    else f.i32(0)
  }
  const choose = (condition: Opcode): void => {
    f.get(old)
    value()
    f.get(old)
    value()
    f.op(condition).op(Op.select)
  }
  switch (operation) {
    case 'xchg':
      value()
      return
    case 'nand':
      f.get(old)
      value()
      f.op(isWide ? Op.i64_and : Op.i32_and)
      if (isWide) f.i64(-1n).op(Op.i64_xor)
      else f.i32(-1).op(Op.i32_xor)
      return
    case 'max':
      return choose(isWide ? Op.i64_gt_s : Op.i32_gt_s)
    case 'min':
      return choose(isWide ? Op.i64_lt_s : Op.i32_lt_s)
    case 'umax':
      return choose(isWide ? Op.i64_gt_u : Op.i32_gt_u)
    case 'umin':
      return choose(isWide ? Op.i64_lt_u : Op.i32_lt_u)
    case 'uinc_wrap':
      zero()
      f.get(old)
      one()
      f.op(isWide ? Op.i64_add : Op.i32_add).get(old)
      value()
      f.op(isWide ? Op.i64_ge_u : Op.i32_ge_u).op(Op.select)
      return
    case 'udec_wrap':
      value()
      f.get(old)
      one()
      f.op(isWide ? Op.i64_sub : Op.i32_sub)
      f.get(old)
        .op(isWide ? Op.i64_eqz : Op.i32_eqz)
        .get(old)
      value()
      f.op(isWide ? Op.i64_gt_u : Op.i32_gt_u)
        .op(Op.i32_or)
        .op(Op.select)
      return
    case 'usub_cond':
    case 'usub_sat':
      f.get(old)
      value()
      f.op(isWide ? Op.i64_sub : Op.i32_sub)
      if (operation === 'usub_sat') zero()
      else f.get(old)
      f.get(old)
      value()
      f.op(isWide ? Op.i64_ge_u : Op.i32_ge_u).op(Op.select)
      return
    default:
      return combineFloats(f, operation, isWide, old, value)
  }
}

function combineFloats(
  f: FunctionBuilder,
  operation: AtomicSpec['operation'],
  isWide: boolean,
  old: number,
  value: () => void,
): void {
  const asFloat = isWide ? Op.f64_reinterpret_i64 : Op.f32_reinterpret_i32
  const [a, b, result] = f.many(isWide ? F64 : F32, 3) as [number, number, number]
  f.get(old).op(asFloat).set(a)
  value()
  f.op(asFloat).set(b)
  f.get(a).get(b)
  switch (operation) {
    case 'fadd':
      f.op(isWide ? Op.f64_add : Op.f32_add)
      break
    case 'fsub':
      f.op(isWide ? Op.f64_sub : Op.f32_sub)
      break
    default:
      f.op(operation === 'fmin' ? (isWide ? Op.f64_min : Op.f32_min) : isWide ? Op.f64_max : Op.f32_max)
      f.get(a)
        .get(b)
        .get(b)
        .op(isWide ? Op.f64_eq : Op.f32_eq)
        .op(Op.select)
      f.get(b)
        .get(a)
        .get(a)
        .op(isWide ? Op.f64_eq : Op.f32_eq)
        .op(Op.select)
  }
  f.set(result)
  // NaN becomes the GPU's canonical one.
  f.get(result).op(isWide ? Op.i64_reinterpret_f64 : Op.i32_reinterpret_f32)
  if (isWide) f.i64(0x7ff8000000000000n)
  else f.i32(0x7fffffff)
  f.get(result)
    .get(result)
    .op(isWide ? Op.f64_eq : Op.f32_eq)
    .op(Op.select)
  f.release(isWide ? F64 : F32, a, b, result)
}
