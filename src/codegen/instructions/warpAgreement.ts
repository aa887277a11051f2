/**
 * What the lanes of a warp find out about a number that each holds: who has the same (match.sync), and their sum, extreme or bits
 * (redux.sync). Same meaning as reference/functions/warpIntrinsics.ts, which has matches among members that differ from lane to lane.
 */
import type { CallInstruction, Value } from '../../ir/ir.ts'
import { I32, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import { type KernelContext, knownMask } from '../kernelContext.ts'
import { type Held, halvesOf, heldAs } from '../operations/operations.ts'
import { VALUES } from '../slot.ts'
import { GROUP_LANES, GROUPS, type Storage } from '../values/storage.ts'
import { emitExternal } from './crossLane.ts'

const ALL_LANES = 0xffff_ffffn

/** Its vector operation, and what it begins with. */
const REDUCTIONS = {
  add: { op: Op.i32x4_add, start: 0 },
  min: { op: Op.i32x4_min_s, start: 0x7fff_ffff },
  max: { op: Op.i32x4_max_s, start: -0x8000_0000 },
  umin: { op: Op.i32x4_min_u, start: -1 },
  umax: { op: Op.i32x4_max_u, start: 0 },
  and: { op: Op.v128_and, start: -1 },
  or: { op: Op.v128_or, start: 0 },
  xor: { op: Op.v128_xor, start: 0 },
} as const

export type WarpReduction = keyof typeof REDUCTIONS

/** What such an intrinsic does, and which of its arguments are the member mask and the number. */
export type Agreement =
  | { readonly what: 'any' | 'all'; readonly members: Value; readonly value: Value }
  | { readonly what: WarpReduction; readonly members: Value; readonly value: Value }

/** llvm.nvvm.match.{any,all}.sync.{i32,i64}[p], llvm.nvvm.redux.sync.{add,...}; undefined for others. */
export function agreementOf(name: string, [first, second]: readonly Value[]): Agreement | undefined {
  if (first === undefined || second === undefined) return undefined
  const [, match] = /^llvm\.nvvm\.match\.(any|all)\.sync\.i(?:32|64)p?$/.exec(name) ?? []
  if (match) return { what: match as 'any' | 'all', members: first, value: second }
  const [, reduction = ''] = /^llvm\.nvvm\.redux\.sync\.(\w+)$/.exec(name) ?? []
  return reduction in REDUCTIONS ? { what: reduction as WarpReduction, members: second, value: first } : undefined
}

export function emitAgreement(context: KernelContext, call: CallInstruction, agreement: Agreement): void {
  const { what, members, value } = agreement
  const held = heldAs(value.type)
  const isNumber = held?.kind === 'i32' || held?.kind === 'i64'
  const areAlike = context.values.isUniform(members)
  if (!isNumber || (!areAlike && (what === 'any' || what === 'all'))) emitExternal(context, call, 'agreement')
  else if (what === 'any') emitMatches(context, call, agreement, held)
  else if (what === 'all') emitWhetherAll(context, call, agreement, held)
  else if (areAlike) emitReduction(context, call, agreement, REDUCTIONS[what])
  else emitReductions(context, call, agreement, REDUCTIONS[what])
}

type Reduction = (typeof REDUCTIONS)[WarpReduction]

function emitReduction(
  context: KernelContext,
  call: CallInstruction,
  { members, value }: Agreement,
  reduction: Reduction,
): void {
  const { f, values } = context
  const [result] = values.allocate(call)
  const areAll = knownMask(context) === -1 && members.kind === 'int' && members.value === ALL_LANES
  const asked = areAll ? undefined : askedLanes(context, members)
  pushReduction(context, value, reduction, asked)
  f.set((result as Storage & { kind: 'scalar' }).local)
  if (asked !== undefined) f.release(I32, asked)
}

/** Of members that differ from lane to lane, as those of a warp's tiles: takes all lanes that ask the same ones at a time. */
function emitReductions(
  context: KernelContext,
  call: CallInstruction,
  { members, value }: Agreement,
  reduction: Reduction,
): void {
  const { f, values, frame } = context
  const [result] = values.allocate(call)
  const { locals } = result as Storage & { kind: 'vectors' }
  const held = heldAs(members.type)!
  const [left, same, asked] = f.many(I32, 3)
  const total = f.local(V128)
  storeNumbers(context, members, held)
  f.get(frame.mask).set(left)
  const end = f.block()
  const again = f.loop()
  f.get(left).op(Op.i32_eqz).brIf(end)
  pushSameAsFirst(context, members, held, left)
  f.get(left).op(Op.i32_and).set(same)
  f.get(left).op(Op.i32_ctz).i32(2).op(Op.i32_shl).get(frame.slot).op(Op.i32_add).memory(Op.i32_load, VALUES)
  f.get(frame.mask).op(Op.i32_and).set(asked)
  pushReduction(context, value, reduction, asked)
  f.op(Op.i32x4_splat).set(total)
  for (let group = 0; group < GROUPS; group++) {
    f.get(total).get(locals[group]!)
    values.laneMask(() => f.get(same), group)
    f.op(Op.v128_bitselect).set(locals[group]!)
  }
  f.get(left).get(same).op(Op.i32_xor).set(left)
  f.br(again).end().end()
  f.release(V128, total)
  f.release(I32, left, same, asked)
}

/** Pushes what the numbers of lanes in the local `asked`, or of all, come to. */
function pushReduction(
  { f, values }: KernelContext,
  value: Value,
  { op, start }: Reduction,
  asked: number | undefined,
): void {
  const total = f.local(V128)
  f.v128([start, start, start, start]).set(total)
  for (let group = 0; group < GROUPS; group++) {
    f.get(total)
    values.vector(value, group)
    if (asked !== undefined) {
      f.v128([start, start, start, start])
      values.laneMask(() => f.get(asked), group)
      f.op(Op.v128_bitselect)
    }
    f.op(op).set(total)
  }
  f.get(total).get(total).get(total).shuffle32(2, 3, 0, 1).op(op).set(total)
  f.get(total).get(total).get(total).shuffle32(1, 0, 3, 2).op(op).lane(Op.i32x4_extract_lane, 0)
  f.release(V128, total)
}

/** The members that run the instruction; the caller releases the local. */
function askedLanes({ f, values, frame }: KernelContext, members: Value): number {
  const asked = f.local(I32)
  f.get(frame.mask)
  values.scalar(members)
  f.op(Op.i32_and).set(asked)
  return asked
}

/** All lanes' numbers into the slot's scratch. */
function storeNumbers({ f, values, frame }: KernelContext, value: Value, held: Held): void {
  for (let group = 0; group < GROUPS; group++)
    for (let half = 0; half < halvesOf(held); half++) {
      f.get(frame.slot)
      values.vector(value, group, half)
      f.memory(Op.v128_store, VALUES + (group * halvesOf(held) + half) * 16)
    }
}

/** Pushes one bit for each lane whose number is that of the lowest lane in `lanes`. */
function pushSameAsFirst({ f, values, frame }: KernelContext, value: Value, held: Held, lanes: number): void {
  const isWide = held.kind === 'i64'
  const first = f.local(V128)
  f.get(lanes)
    .op(Op.i32_ctz)
    .i32(isWide ? 3 : 2)
    .op(Op.i32_shl)
    .get(frame.slot)
    .op(Op.i32_add)
    .memory(isWide ? Op.i64_load : Op.i32_load, VALUES)
    .op(isWide ? Op.i64x2_splat : Op.i32x4_splat)
    .set(first)
  f.i32(0)
  const lanesOfVector = GROUP_LANES / halvesOf(held)
  for (let group = 0; group < GROUPS; group++)
    for (let half = 0; half < halvesOf(held); half++) {
      values.vector(value, group, half)
      f.get(first)
        .op(isWide ? Op.i64x2_eq : Op.i32x4_eq)
        .op(isWide ? Op.i64x2_bitmask : Op.i32x4_bitmask)
      f.i32(group * GROUP_LANES + half * lanesOfVector)
        .op(Op.i32_shl)
        .op(Op.i32_or)
    }
  f.release(V128, first)
}

function emitWhetherAll(
  context: KernelContext,
  call: CallInstruction,
  { members, value }: Agreement,
  held: Held,
): void {
  const { f, values } = context
  const [mask, predicate] = values.allocate(call)
  const asked = askedLanes(context, members)
  const agree = f.local(I32)
  storeNumbers(context, value, held)
  pushSameAsFirst(context, value, held, asked)
  f.get(asked).op(Op.i32_and).get(asked).op(Op.i32_eq).set(agree)
  f.get(asked).i32(0).get(agree).op(Op.select)
  f.set((mask as Storage & { kind: 'scalar' }).local)
  if (predicate) f.get(agree).set((predicate as Storage & { kind: 'scalar' }).local)
  f.release(I32, asked, agree)
}

/** Takes all lanes of one number at a time. */
function emitMatches(context: KernelContext, call: CallInstruction, { members, value }: Agreement, held: Held): void {
  const { f, values, frame } = context
  const [result] = values.allocate(call)
  const { locals } = result as Storage & { kind: 'vectors' }
  const [left, same] = f.many(I32, 2)
  storeNumbers(context, value, held)
  f.get(frame.mask).set(left)
  const end = f.block()
  const again = f.loop()
  f.get(left).op(Op.i32_eqz).brIf(end)
  pushSameAsFirst(context, value, held, left)
  f.get(frame.mask).op(Op.i32_and).set(same)
  for (let group = 0; group < GROUPS; group++) {
    f.get(same)
    values.scalar(members)
    f.op(Op.i32_and).op(Op.i32x4_splat).get(locals[group]!)
    values.laneMask(() => f.get(same), group)
    f.op(Op.v128_bitselect).set(locals[group]!)
  }
  f.get(left).get(same).i32(-1).op(Op.i32_xor).op(Op.i32_and).set(left)
  f.br(again).end().end()
  f.release(I32, left, same)
}
