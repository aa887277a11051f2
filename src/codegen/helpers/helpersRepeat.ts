/**
 * Accesses with arbitrary addresses often repeat a pattern: the same distances between lanes, at the same place in a line of 128
 * bytes. Such an access counts what the one before did, whatever the generation's rules; comparing costs a tenth of counting.
 */
import { type Callable, type FunctionBuilder, I32, I64, type ModuleBuilder, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import {
  ADDRESSES,
  PATTERN_COUNTS,
  PATTERN_HITS,
  PATTERN_KNOWN,
  PATTERN_MISSES,
  PATTERN_REST,
  PATTERN_TOP,
  SITE_FIELDS,
} from '../slot.ts'

const GROUPS = 8
/** After so many accesses in a row without a repetition, so many are counted without looking. */
const MOST_MISSES = 8
const REST = 256

/** Parameters of the counting function that hold the window of shared memory. */
export interface Window {
  readonly start: number
  readonly bytes: number
}

/**
 * The same function with one parameter more, the site's pattern in the slot (slot.ts). `direct`: (slot, counters, mask, ...),
 * `parameters` of them. With a window, for accesses of 4 bytes. `access`, (slot, mask): what `direct` does besides counting.
 */
export function buildCountRepeated(
  module: ModuleBuilder,
  direct: Callable,
  parameters: number,
  window?: Window,
  access?: Callable,
): Callable {
  const f = module.function(
    Array.from({ length: parameters + 1 }, () => I32),
    [],
  )
  const [slot, counters, mask] = [0, 1, 2]
  const pattern = parameters
  const [base, rest, misses] = f.many(I32, 3)
  const [start, same] = f.many(V128, 2)
  const callDirect = (): void => {
    for (let parameter = 0; parameter < parameters; parameter++) f.get(parameter)
    f.call(direct)
  }
  const plain = f.block()
  f.get(mask).i32(-1).op(Op.i32_ne).brIf(plain)
  f.get(pattern).memory(Op.i32_load, PATTERN_REST).tee(rest).if()
  f.get(pattern).get(rest).i32(1).op(Op.i32_sub).memory(Op.i32_store, PATTERN_REST).br(plain).end()
  f.get(slot).memory(Op.i32_load, ADDRESSES).i32(-128).op(Op.i32_and).tee(base).op(Op.i32x4_splat).set(start)
  for (let group = 0; group < GROUPS; group++) {
    pushDistances(f, slot, start, group)
    f.get(pattern)
      .memory(Op.v128_load, group * 16)
      .op(Op.i32x4_eq)
    if (group > 0) f.get(same).op(Op.v128_and)
    f.set(same)
  }
  f.get(same).op(Op.i32x4_all_true).get(pattern).memory(Op.i32_load, PATTERN_KNOWN).op(Op.i32_and).if()
  if (window) {
    // Outside: the direct way tells.
    f.get(base).get(window.start).op(Op.i32_sub).tee(rest).get(window.bytes).op(Op.i32_gt_u)
    f.get(rest).get(pattern).memory(Op.i32_load, PATTERN_TOP).op(Op.i32_add).get(window.bytes).op(Op.i32_gt_u)
    f.op(Op.i32_or).brIf(plain)
  }
  f.get(pattern)
    .get(pattern)
    .memory(Op.i64_load, PATTERN_HITS)
    .i64(1n)
    .op(Op.i64_add)
    .memory(Op.i64_store, PATTERN_HITS)
  f.get(pattern).i32(0).memory(Op.i32_store, PATTERN_MISSES)
  if (access) f.get(slot).get(mask).call(access)
  f.op(Op.return).end()

  settle(f, counters, pattern)
  const before = f.many(I64, SITE_FIELDS.length)
  before.forEach((local, field) =>
    f
      .get(counters)
      .memory(Op.i64_load, field * 8)
      .set(local),
  )
  callDirect()
  before.forEach((local, field) =>
    f
      .get(pattern)
      .get(counters)
      .memory(Op.i64_load, field * 8)
      .get(local)
      .op(Op.i64_sub)
      .memory(Op.i64_store, PATTERN_COUNTS + field * 8),
  )
  remember(f, slot, start, pattern, window !== undefined)
  f.get(pattern).memory(Op.i32_load, PATTERN_MISSES).i32(1).op(Op.i32_add).set(misses)
  f.get(misses).i32(MOST_MISSES).op(Op.i32_ge_u).if()
  f.get(pattern).i32(REST).memory(Op.i32_store, PATTERN_REST)
  f.i32(0).set(misses).end()
  f.get(pattern).get(misses).memory(Op.i32_store, PATTERN_MISSES)
  f.op(Op.return).end()
  callDirect()
  return f
}

/** Pushes four lanes' distances from the line in which the first lane's address lies. */
function pushDistances(f: FunctionBuilder, slot: number, start: number, group: number): void {
  f.get(slot)
    .memory(Op.v128_load, ADDRESSES + group * 16)
    .get(start)
    .op(Op.i32x4_sub)
}

/** Adds the repetitions so far to the site's counters. */
function settle(f: FunctionBuilder, counters: number, pattern: number): void {
  const hits = f.local(I64)
  f.get(pattern).memory(Op.i64_load, PATTERN_HITS).tee(hits).op(Op.i64_eqz).op(Op.i32_eqz).if()
  SITE_FIELDS.forEach((_, field) => {
    f.get(counters)
      .get(counters)
      .memory(Op.i64_load, field * 8)
    f.get(pattern)
      .memory(Op.i64_load, PATTERN_COUNTS + field * 8)
      .get(hits)
      .op(Op.i64_mul)
      .op(Op.i64_add)
    f.memory(Op.i64_store, field * 8)
  })
  f.get(pattern).i64(0n).memory(Op.i64_store, PATTERN_HITS).end()
  f.release(I64, hits)
}

function remember(f: FunctionBuilder, slot: number, start: number, pattern: number, withTop: boolean): void {
  const most = f.local(V128)
  for (let group = 0; group < GROUPS; group++) {
    f.get(pattern)
    pushDistances(f, slot, start, group)
    f.memory(Op.v128_store, group * 16)
    if (!withTop) continue
    f.get(pattern).memory(Op.v128_load, group * 16)
    // A lane below the first one's line: a distance that no window has.
    if (group > 0) f.get(most).op(Op.i32x4_max_u)
    f.set(most)
  }
  f.get(pattern).i32(1).memory(Op.i32_store, PATTERN_KNOWN)
  if (withTop) {
    f.get(most).get(most).get(most).shuffle32(2, 3, 0, 1).op(Op.i32x4_max_u).set(most)
    f.get(pattern)
    f.get(most).get(most).get(most).shuffle32(1, 0, 3, 2).op(Op.i32x4_max_u).lane(Op.i32x4_extract_lane, 0)
    f.i32(4).op(Op.i32_add).memory(Op.i32_store, PATTERN_TOP)
  }
  f.release(V128, most)
}
