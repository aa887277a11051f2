/** What lanes do together: votes and shuffles; and calls that generated code leaves to its host (externals.ts). */
import { InternalError, userError } from '../../diagnostic.ts'
import type { CallInstruction, Value } from '../../ir/ir.ts'
import { type FunctionBuilder, I32, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import { type KernelContext, knownMask } from '../kernelContext.ts'
import type { CallKind, VoteMode } from '../operations/intrinsics.ts'
import { assembleLanes, extractLane } from '../operations/laneByLane.ts'
import { type Held, halvesOf, heldAs, leavesOf } from '../operations/operations.ts'
import { CALL_ARGUMENTS, CALL_RESULTS, MOST_CALL_ARGUMENTS, VALUES } from '../slot.ts'
import { GROUP_LANES, GROUPS, type Storage, setBits } from '../values/storage.ts'

/** Same meaning as reference/functions/warpIntrinsics.ts: lanes that run the instruction and are in the member mask count. */
export function emitVote(
  context: KernelContext,
  call: CallInstruction,
  { mode, members, predicate }: CallKind & { kind: 'vote' },
): void {
  const { f, values, frame, shapes } = context
  if (shapes.shapeOf(call).kind === 'varying') return voteInParts(context, call, mode, members!, predicate!)
  const [storage] = values.allocate(call)
  const asked = f.local(I32)
  f.get(frame.mask)
  if (members) {
    values.scalar(members)
    f.op(Op.i32_and)
  }
  f.set(asked)
  if (mode === 'activemask') f.get(frame.mask)
  else {
    values.bits(predicate!)
    f.get(asked).op(Op.i32_and)
    const agreeing = f.local(I32)
    f.set(agreeing)
    if (mode === 'ballot') f.get(agreeing)
    else if (mode === 'any') f.get(agreeing).i32(0).op(Op.i32_ne)
    else if (mode === 'all') f.get(agreeing).get(asked).op(Op.i32_eq)
    else f.get(agreeing).i32(0).op(Op.i32_eq).get(agreeing).get(asked).op(Op.i32_eq).op(Op.i32_or)
    f.release(I32, agreeing)
  }
  f.set((storage as Storage & { kind: 'scalar' }).local)
  f.release(I32, asked)
}

/** Each lane asks members of its own: tiles of a warp, mostly. */
function voteInParts(
  context: KernelContext,
  call: CallInstruction,
  mode: VoteMode,
  members: Value,
  predicate: Value,
): void {
  const { f, values, frame } = context
  const [storage] = values.allocate(call)
  const [asked, agreeing] = f.many(V128, 2)
  const agreeingLanes = f.local(I32)
  values.bits(predicate)
  f.get(frame.mask).op(Op.i32_and).set(agreeingLanes)
  for (let group = 0; group < GROUPS; group++) {
    values.vector(members, group)
    f.tee(asked).get(agreeingLanes).op(Op.i32x4_splat).op(Op.v128_and).set(agreeing)
    f.get(agreeing)
    if (mode === 'any' || mode === 'uni') f.v128([0, 0, 0, 0]).op(mode === 'any' ? Op.i32x4_ne : Op.i32x4_eq)
    if (mode === 'uni') f.get(agreeing)
    if (mode === 'all' || mode === 'uni')
      f.get(asked).get(frame.mask).op(Op.i32x4_splat).op(Op.v128_and).op(Op.i32x4_eq)
    if (mode === 'uni') f.op(Op.v128_or)
    setGroup(f, storage!, group)
  }
  f.release(V128, asked, agreeing)
  f.release(I32, agreeingLanes)
}

/** Four lanes on the stack, masks of lanes where the value is a flag, become the value's group. */
function setGroup(f: FunctionBuilder, storage: Storage, group: number): void {
  if (storage.kind === 'vectors') f.set(storage.locals[group]!)
  else if (storage.kind === 'bits') setBits(f, storage.local, group)
  else throw new InternalError('lanes of a value that is the same in all')
}

/**
 * The value goes through the slot's scratch, each lane reads its source's (PTX ISA, shfl.sync). A source that does not run
 * the instruction gives zero (reference/functions/warpIntrinsics.ts).
 */
export function emitShuffle(
  context: KernelContext,
  call: CallInstruction,
  { mode, first }: CallKind & { kind: 'shuffle' },
): void {
  const { f, values, frame } = context
  const [value, amount, control] = call.args.slice(first) as [Value, Value, Value]
  const result = values.allocate(call)
  const held = heldAs(value.type)
  if (!held || halvesOf(held) === 2)
    throw userError('unsupported-shuffle', 'shuffles move values of 32 bits', call.location)
  for (let group = 0; group < GROUPS; group++) {
    f.get(frame.slot)
    values.vector(value, group)
    clearOthers(context, group)
    f.memory(Op.v128_store, VALUES + group * 16)
  }
  const [lane, from, valid, segment] = f.many(V128, 4)
  for (let group = 0; group < GROUPS; group++) {
    const at = group * GROUP_LANES
    f.v128([at, at + 1, at + 2, at + 3]).set(lane)
    const pushAmount = (): void => {
      values.vector(amount, group)
      f.i32(31).op(Op.i32x4_splat).op(Op.v128_and)
    }
    values.vector(control, group)
    f.i32(8).op(Op.i32x4_shr_u).i32(31).op(Op.i32x4_splat).op(Op.v128_and).set(segment)
    // from, before clamping
    if (mode === 'idx') {
      f.get(lane).get(segment).op(Op.v128_and)
      pushAmount()
      f.get(segment).op(Op.v128_andnot).op(Op.v128_or)
    } else {
      f.get(lane)
      pushAmount()
      f.op(mode === 'up' ? Op.i32x4_sub : mode === 'down' ? Op.i32x4_add : Op.v128_xor)
    }
    f.set(from)
    // limit = (lane & segment) | (clamp & ~segment)
    f.get(from)
    f.get(lane).get(segment).op(Op.v128_and)
    values.vector(control, group)
    f.i32(31).op(Op.i32x4_splat).op(Op.v128_and).get(segment).op(Op.v128_andnot).op(Op.v128_or)
    f.op(mode === 'up' ? Op.i32x4_ge_s : Op.i32x4_le_s).set(valid)
    f.get(from).get(lane).get(valid).op(Op.v128_bitselect).set(from)
    const source = result[0]!
    const locals = source.kind === 'vectors' ? source.locals : []
    for (let index = 0; index < GROUP_LANES; index++) {
      f.get(locals[group]!)
      f.get(from)
        .lane(Op.i32x4_extract_lane, index)
        .i32(31)
        .op(Op.i32_and)
        .i32(2)
        .op(Op.i32_shl)
        .get(frame.slot)
        .op(Op.i32_add)
        .memory(Op.i32_load, VALUES)
      f.lane(Op.i32x4_replace_lane, index).set(locals[group]!)
    }
    if (!result[1]) continue
    f.get(valid)
    setGroup(f, result[1], group)
  }
  f.release(V128, lane, from, valid, segment)
}

/** Of the group's values on the stack, those of lanes that do not run become zero. */
function clearOthers(context: KernelContext, group: number): void {
  const { f, values, frame } = context
  const known = knownMask(context)
  if (known === -1) return
  if (known === undefined) values.laneMask(() => f.get(frame.mask), group)
  else {
    const lane = (index: number): number => (known & (1 << (group * GROUP_LANES + index)) ? -1 : 0)
    f.v128([lane(0), lane(1), lane(2), lane(3)])
  }
  f.op(Op.v128_and)
}

/**
 * Hands a call to the host: arguments and results pass through the slot as 8 bytes a lane. A call whose result is uniform is
 * made for one lane. `hasResult`: false where the result comes another way.
 */
export function emitExternal(
  context: KernelContext,
  call: CallInstruction,
  kind: CallKind['kind'],
  hasResult = call.type.kind !== 'void',
): void {
  const { f, helpers, values, frame, externals, shapes } = context
  const index = externals.push({ call, kind }) - 1
  const leaves = call.args.flatMap(argument => leavesOf(argument.type).map((type, leaf) => ({ argument, type, leaf })))
  if (leaves.length > MOST_CALL_ARGUMENTS)
    throw userError('unsupported-call', `${leaves.length} arguments are too many`, call.location)
  const isUniform = call.type.kind !== 'void' && shapes.shapeOf(call).kind === 'uniform'
  leaves.forEach(({ argument, type, leaf }, position) => {
    const held = heldAs(type)
    if (!held) throw userError('unsupported-call', 'an argument of this type is not supported', call.location)
    const at = CALL_ARGUMENTS + position * 256
    if (isUniform) {
      f.get(frame.slot)
      values.scalar(argument, leaf)
      toBits64(f, helpers, held)
      f.memory(Op.i64_store, at)
      return
    }
    for (let lane = 0; lane < 32; lane++) {
      f.get(frame.slot)
      if (values.isUniform(argument, leaf)) values.scalar(argument, leaf)
      else extractLane(f, held, lane % 4, half => values.vector(argument, Math.floor(lane / 4), half, leaf))
      toBits64(f, helpers, held)
      f.memory(Op.i64_store, at + lane * 8)
    }
  })
  f.i32(index)
  if (isUniform) f.i32(1)
  else f.get(frame.mask)
  f.get(frame.warp).call(helpers.host.external)
  if (!hasResult) return
  const results = values.allocate(call)
  leavesOf(call.type).forEach((type, leaf) => {
    const held = heldAs(type)!
    const at = CALL_RESULTS + leaf * 256
    const storage = results[leaf]!
    const pushLane = (lane: number): void => {
      f.get(frame.slot).memory(Op.i64_load, at + lane * 8)
      fromBits64(f, helpers, held)
    }
    if (storage.kind === 'scalar') {
      pushLane(0)
      f.set(storage.local)
      return
    }
    for (let group = 0; group < GROUPS; group++)
      for (let half = 0; half < halvesOf(held); half++) {
        assembleLanes(f, held, half, lane => pushLane(group * 4 + lane))
        if (storage.kind === 'vectors') f.set(storage.locals[group * halvesOf(held) + half]!)
        else if (storage.kind === 'bits') setBits(f, storage.local, group)
      }
  })
}

function toBits64(f: KernelContext['f'], helpers: KernelContext['helpers'], held: Held): void {
  switch (held.kind) {
    case 'i64':
      return
    case 'f64':
      f.op(Op.i64_reinterpret_f64)
      return
    case 'f32':
      f.op(Op.i32_reinterpret_f32)
      break
    case 'f16':
      f.call(helpers.narrow(held.brain).toBits)
  }
  f.op(Op.i64_extend_i32_u)
}

function fromBits64(f: KernelContext['f'], helpers: KernelContext['helpers'], held: Held): void {
  if (held.kind === 'f64') f.op(Op.f64_reinterpret_i64)
  else if (held.kind !== 'i64') f.op(Op.i32_wrap_i64)
  if (held.kind === 'f32') f.op(Op.f32_reinterpret_i32)
  else if (held.kind === 'f16') f.call(helpers.narrow(held.brain).fromBits)
}
