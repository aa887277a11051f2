/**
 * Addresses that nobody can tell while compiling are often neighbours all the same: 32 of them in a row, when all lanes run, are
 * moved by vectors and counted like an access whose lanes are fixed. The question costs a few nanoseconds.
 */
import { I32, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import { countRegular } from '../counting/counting.ts'
import { type KernelContext, knownMask } from '../kernelContext.ts'
import { ADDRESSES } from '../slot.ts'
import { lanesFrom } from '../values/laneVector.ts'
import { GROUP_LANES, GROUPS } from '../values/storage.ts'
import { type Access, canMoveDirectly, pushBias } from './access.ts'

/**
 * Emits an access with arbitrary addresses: `inARow` with a local that holds the first lane's address, the access counted; else
 * `general`, the addresses in the slot and nothing counted.
 */
export function emitArbitrary(
  context: KernelContext,
  access: Access,
  inARow: (base: number) => void,
  general: () => void,
): void {
  const { f, values, frame } = context
  const lanes = lanesFrom(lane => lane * access.width)
  const known = knownMask(context)
  const addresses = f.many(V128, GROUPS)
  const bias = f.local(V128)
  pushBias(context, access.pointer)
  f.op(Op.i32x4_splat).set(bias)
  addresses.forEach((address, group) => {
    values.vector(access.pointer, group)
    f.get(bias).op(Op.i32x4_add).set(address)
  })
  f.release(V128, bias)
  const mayAsk = canMoveDirectly(access, lanes) && (known === undefined || known === -1)
  if (mayAsk) {
    const base = f.local(I32)
    const all = f.local(V128)
    f.get(addresses[0]!).lane(Op.i32x4_extract_lane, 0).set(base)
    addresses.forEach((address, group) => {
      const [a, b, c, d] = lanes.constant.subarray(group * GROUP_LANES, (group + 1) * GROUP_LANES)
      f.get(address)
      f.get(base).op(Op.i32x4_splat).v128([a!, b!, c!, d!]).op(Op.i32x4_add).op(Op.i32x4_eq)
      if (group > 0) f.get(all).op(Op.v128_and)
      f.set(all)
    })
    f.get(all).op(Op.i32x4_all_true)
    if (known === undefined) f.get(frame.mask).i32(-1).op(Op.i32_eq).op(Op.i32_and)
    f.if()
    countRegular(context, access, { kind: 'lanes', base, lanes })
    inARow(base)
    f.else()
    f.release(I32, base)
    f.release(V128, all)
  }
  addresses.forEach((address, group) =>
    f
      .get(frame.slot)
      .get(address)
      .memory(Op.v128_store, ADDRESSES + group * 16),
  )
  f.release(V128, ...addresses)
  general()
  if (mayAsk) f.end()
}
