/**
 * Read-modify-write operations of a warp, lane by lane in ascending order. Where other workers may change the same memory at the same
 * time, the operation is one atomic instruction or a compare-and-swap loop; else a load and a store, which take a third of its time.
 */
import type { AtomicOp } from '../../ir/ir.ts'
import { type Callable, F32, F64, type FunctionBuilder, I32, I64, type ModuleBuilder } from '../../wasm/builder.ts'
import { Op, type Opcode } from '../../wasm/opcodes.ts'
import { ADDRESSES, ALONE, RESULTS, VALUES } from '../slot.ts'
import { forEachLane } from './helpersMemory.ts'

export interface AtomicSpec {
  readonly operation: AtomicOp | 'cmpxchg'
  /** Of 8 and 16 bits, and pairs of halves, what the slot holds is zero-extended words, one for each element. */
  readonly type: 'i8' | 'i16' | 'i32' | 'i64' | 'f32' | 'f64' | 'f16' | 'bf16' | 'f16x2' | 'bf16x2'
  /** Of memory that other workers may change at the same time, unless the slot says that there are none (slot.ts, ALONE). */
  readonly isContended: boolean
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

/** Between a 16-bit float's bits and the f32 of the same value, which arithmetic is done in. */
export interface HalfCodecs {
  readonly fromBits: Callable
  readonly toBits: Callable
}

/** How a value of the type is loaded, stored and exchanged. */
interface Width {
  readonly bytes: number
  readonly load: Opcode
  readonly store: Opcode
  readonly atomicLoad: Opcode | undefined
  readonly exchange: Opcode
}

const BYTE: Width = {
  bytes: 1,
  load: Op.i32_load8_u,
  store: Op.i32_store8,
  atomicLoad: undefined,
  exchange: Op.i32_atomic_rmw8_cmpxchg_u,
}
const HALF_WORD: Width = {
  bytes: 2,
  load: Op.i32_load16_u,
  store: Op.i32_store16,
  atomicLoad: undefined,
  exchange: Op.i32_atomic_rmw16_cmpxchg_u,
}
const WORD: Width = {
  bytes: 4,
  load: Op.i32_load,
  store: Op.i32_store,
  atomicLoad: Op.i32_atomic_load,
  exchange: Op.i32_atomic_rmw_cmpxchg,
}
const DOUBLE_WORD: Width = {
  bytes: 8,
  load: Op.i64_load,
  store: Op.i64_store,
  atomicLoad: Op.i64_atomic_load,
  exchange: Op.i64_atomic_rmw_cmpxchg,
}
const WIDTHS: Readonly<Record<AtomicSpec['type'], Width>> = {
  i8: BYTE,
  i16: HALF_WORD,
  f16: HALF_WORD,
  bf16: HALF_WORD,
  i32: WORD,
  f32: WORD,
  f16x2: WORD,
  bf16x2: WORD,
  i64: DOUBLE_WORD,
  f64: DOUBLE_WORD,
}

/** (slot, mask): operands at VALUES (compare-and-swap: expected first, replacement as the second element), old values to RESULTS. */
export function buildAtomic(module: ModuleBuilder, spec: AtomicSpec, codecs: HalfCodecs | undefined): Callable {
  const f = module.function([I32, I32], [])
  const [slot, mask] = [0, 1]
  const width = WIDTHS[spec.type]
  const isWide = width.bytes === 8
  const isPair = spec.type.endsWith('x2')
  const type = isWide ? I64 : I32
  const align = Math.log2(width.bytes)
  const address = f.local(I32)
  const held = f.local(I32)
  const old = f.local(type)
  const seen = f.local(type)
  const elementBytes = isWide ? 256 : 128
  const load = isWide ? Op.i64_load : Op.i32_load
  const pushValue = (element: number): void => {
    f.get(held).memory(load, VALUES + element * elementBytes)
    // A pair of halves is one word in memory and two in the slot.
    if (isPair)
      f.get(held)
        .memory(load, VALUES + (element + 1) * elementBytes)
        .i32(16)
        .op(Op.i32_shl)
        .op(Op.i32_or)
  }
  const combineAll = (): void => combine(f, spec, old, pushValue, codecs)
  const native = spec.type === 'i32' || spec.type === 'i64' ? NATIVE[spec.operation] : undefined
  const exchangeAtomically = (): void => {
    if (spec.operation === 'cmpxchg') {
      f.get(address)
      pushValue(0)
      pushValue(1)
      f.memory(width.exchange, 0, align).set(old)
    } else if (native) {
      f.get(address)
      pushValue(0)
      f.memory(native[isWide ? 1 : 0], 0, align).set(old)
    } else {
      f.get(address)
      if (width.atomicLoad === undefined) f.memory(width.load)
      else f.memory(width.atomicLoad, 0, align)
      f.set(old)
      const done = f.block()
      const again = f.loop()
      f.get(address).get(old)
      combineAll()
      f.memory(width.exchange, 0, align).tee(seen)
      f.get(old)
        .op(isWide ? Op.i64_eq : Op.i32_eq)
        .brIf(done)
      f.get(seen).set(old).br(again).end().end()
    }
  }
  const exchangeAlone = (): void => {
    if (width.bytes > 1)
      f.get(address)
        .i32(width.bytes - 1)
        .op(Op.i32_and)
        .if()
        .op(Op.unreachable)
        .end()
    f.get(address).memory(width.load).set(old)
    f.get(address)
    if (spec.operation === 'cmpxchg') {
      pushValue(1)
      f.get(old).get(old)
      pushValue(0)
      f.op(isWide ? Op.i64_eq : Op.i32_eq).op(Op.select)
    } else combineAll()
    f.memory(width.store)
  }
  const eachLane = (exchange: () => void): void =>
    forEachLane(f, slot, mask, wordAt => {
      f.get(wordAt).memory(Op.i32_load, ADDRESSES).set(address)
      if (isWide) f.get(wordAt).i32(1).op(Op.i32_shl).get(slot).op(Op.i32_sub).set(held)
      else f.get(wordAt).set(held)
      exchange()
      if (!isPair) {
        f.get(held)
          .get(old)
          .memory(isWide ? Op.i64_store : Op.i32_store, RESULTS)
        return
      }
      f.get(held).get(old).i32(0xffff).op(Op.i32_and).memory(Op.i32_store, RESULTS)
      f.get(held)
        .get(old)
        .i32(16)
        .op(Op.i32_shr_u)
        .memory(Op.i32_store, RESULTS + elementBytes)
    })
  if (spec.isContended) {
    f.get(slot).memory(Op.i32_load, ALONE).op(Op.i32_eqz).if()
    eachLane(exchangeAtomically)
    f.op(Op.return).end()
  }
  eachLane(exchangeAlone)
  return f
}

/** Pushes the new value's bits. Same meanings as reference/arithmetic/atomics.ts. */
function combine(
  f: FunctionBuilder,
  { operation, type }: AtomicSpec,
  old: number,
  pushValue: (element: number) => void,
  codecs: HalfCodecs | undefined,
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
  // Narrow values are held zero-extended: their signs meet at the top.
  const narrow = type === 'i8' ? 24 : type === 'i16' ? 16 : 0
  const choose = (condition: Opcode): void => {
    const isSigned = condition === Op.i32_gt_s || condition === Op.i32_lt_s
    const compared = (push: () => void): void => {
      push()
      if (narrow > 0 && isSigned) f.i32(narrow).op(Op.i32_shl)
    }
    f.get(old)
    value()
    compared(() => f.get(old))
    compared(value)
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
      if (codecs) return combineHalves(f, operation, type.endsWith('x2'), old, value, codecs)
      return combineFloats(f, operation, isWide, old, value)
  }
}

/** A 16-bit float, or two in a word, each through f32 and rounded once. */
function combineHalves(
  f: FunctionBuilder,
  operation: AtomicSpec['operation'],
  isPair: boolean,
  old: number,
  value: () => void,
  codecs: HalfCodecs,
): void {
  const half = (shift: number): void => {
    const part = (push: () => void): void => {
      push()
      if (isPair) f.i32(shift).op(Op.i32_shr_u).i32(0xffff).op(Op.i32_and)
      f.call(codecs.fromBits).op(Op.i32_reinterpret_f32)
    }
    const [a, b] = f.many(I32, 2)
    part(() => f.get(old))
    f.set(a)
    part(value)
    f.set(b)
    combineFloats(f, operation, false, a, () => f.get(b))
    f.op(Op.f32_reinterpret_i32).call(codecs.toBits)
    f.release(I32, a, b)
  }
  half(0)
  if (!isPair) return
  half(16)
  f.i32(16).op(Op.i32_shl).op(Op.i32_or)
}

function combineFloats(
  f: FunctionBuilder,
  operation: AtomicSpec['operation'],
  isWide: boolean,
  old: number,
  value: () => void,
): void {
  const asFloat = isWide ? Op.f64_reinterpret_i64 : Op.f32_reinterpret_i32
  const [a, b, result] = f.many(isWide ? F64 : F32, 3)
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
