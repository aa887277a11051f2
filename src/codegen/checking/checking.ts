/**
 * What kernels that are compiled to be checked tell the launch's checker (launch.ts, LaunchChecker), by the host's function `observe`:
 * a number (toldNumbers.ts), the lanes, the warp; most of it is kept until it matters, or does not matter at all (quiet.ts). In all other
 * code nothing of this is emitted.
 */
import { promisedAlign } from '../../analysis/facts/memoryEffects.ts'
import type { Block, CallInstruction } from '../../ir/ir.ts'
import type { SyncPoints } from '../../launch.ts'
import { Op } from '../../wasm/opcodes.ts'
import { type Access, type Address, storeAddresses } from '../accesses/access.ts'
import type { CheckedCode, KernelContext } from '../kernelContext.ts'
import { ADDRESSES, VALUES } from '../slot.ts'
import { isConstant } from '../values/laneVector.ts'
import { GROUPS } from '../values/storage.ts'
import { pushIsTold, pushIsToldCall, pushIsToldRow } from './quiet.ts'
import { membersOf, ordersMemory } from './syncPoints.ts'
import { FIRST_ROW, numberOf, TOLD_MEETING } from './toldNumbers.ts'

/** Where the slot has the lanes that a call names, lane by lane, and behind them who else of the warp goes on. */
export const MEMBERS = VALUES
export const OTHERS = VALUES + 128

export function checkedCode(points: SyncPoints | undefined): CheckedCode | undefined {
  if (!points) return undefined
  const skips = new Map<Block, number[]>()
  points.skips.forEach(({ block }, index) => {
    skips.set(block, [...(skips.get(block) ?? []), numberOf(points.calls.length + index)])
  })
  return {
    points: new Map(points.calls.map((call, index) => [call, numberOf(index)])),
    skips,
    others: new Map(points.calls.map((call, index) => [call, points.others[index]!])),
    rows: [],
    pushOthers: () => {},
  }
}

function tell({ f, frame, helpers }: KernelContext, told: number): void {
  f.i32(told).get(frame.mask).get(frame.warp).call(helpers.host.observe)
}

/** `writeAddresses`: to the slot. Values of stores are there. */
export function tellAccess(context: KernelContext, access: Access, writeAddresses: () => void): void {
  const ids = context.checked && context.program.siteIds.get(access.instruction)
  const [site, ...others] = Object.values(ids ?? {})
  if (site === undefined) return
  writeAddresses()
  if (others.length > 0) return tell(context, site)
  const { f, frame } = context
  const pushBits = (): void => {
    for (let group = 0; group < GROUPS; group++) {
      f.get(frame.slot).memory(Op.v128_load, ADDRESSES + 16 * group)
      if (group > 0) f.op(Op.v128_or)
    }
    f.i32(promisedAlign(access.instruction) - 1)
      .op(Op.i32x4_splat)
      .op(Op.v128_and)
      .op(Op.v128_any_true)
  }
  unlessMisaligned(context, access, pushBits, site, () => {
    pushIsTold(context, access, site)
    f.if()
    tell(context, site)
    f.end()
  })
}

/**
 * Tells at once of what may be at an address that its type cannot have; the checker looks at each lane. `pushBits`: pushes the bits of the
 * addresses that they must not have, or nothing but zeros.
 */
function unlessMisaligned(
  context: KernelContext,
  { instruction }: Access,
  pushBits: () => void,
  told: number,
  tellElse: () => void,
): void {
  if (promisedAlign(instruction) === 0) return tellElse()
  pushBits()
  context.f.if()
  tell(context, told)
  context.f.else()
  tellElse()
  context.f.end()
}

/** The same of an access whose lanes are a scalar and what the launch fixes. */
export function tellRow(context: KernelContext, access: Access, address: Address & { kind: 'lanes' }): void {
  const { f, frame, checked, program } = context
  if (!checked) return
  const { base, lanes } = address
  const [site, ...others] = Object.values(program.siteIds.get(access.instruction) ?? {})
  if (site === undefined || others.length > 0 || !isConstant(lanes))
    return tellAccess(context, access, () => storeAddresses(context, access.pointer))
  const key = lanes.constant.join()
  let row = checked.rows.findIndex(known => known.site === site && known.distances.join() === key)
  if (row < 0) row = checked.rows.push({ site, distances: Int32Array.from(lanes.constant) }) - 1
  const pushBits = (): void => {
    f.get(frame.slot).get(base).memory(Op.i32_store, ADDRESSES)
    f.get(base).i32(lanes.constant.reduce((bits, lane) => bits | lane))
    f.op(Op.i32_or)
      .i32(promisedAlign(access.instruction) - 1)
      .op(Op.i32_and)
  }
  unlessMisaligned(context, access, pushBits, FIRST_ROW + row, () => {
    pushIsToldRow(context, access, checked.rows[row]!, base, FIRST_ROW + row)
    f.if()
    f.get(frame.slot).get(base).memory(Op.i32_store, ADDRESSES)
    tell(context, FIRST_ROW + row)
    f.end()
  })
}

export function tellMeeting(context: KernelContext): void {
  if (context.checked) tell(context, TOLD_MEETING)
}

export function tellArrival(context: KernelContext, call: CallInstruction): void {
  const told = context.checked?.points.get(call)
  if (told !== undefined) tellCall(context, told)
}

export function tellPassage(context: KernelContext, block: Block): void {
  for (const told of context.checked?.skips.get(block) ?? []) tellCall(context, told)
}

/** Told at the next meeting. */
function tellCall(context: KernelContext, told: number): void {
  pushIsToldCall(context, told)
  context.f.if()
  tell(context, told)
  context.f.end()
}

/** Calls of all lanes that take no part in the order of memory are told of where a lane is missing. */
export function tellMembers(context: KernelContext, call: CallInstruction, flush: () => void): void {
  const told = context.checked?.points.get(call)
  const members = told === undefined ? undefined : membersOf(call)
  if (told === undefined || members === undefined) return
  const { f, frame, values, checked } = context
  flush()
  const isOfAll = members.kind === 'int' && BigInt.asUintN(32, members.value) === 0xffff_ffffn
  const isQuiet = isOfAll && !ordersMemory(call)
  if (isQuiet) f.get(frame.mask).i32(-1).op(Op.i32_ne).if()
  for (let group = 0; group < GROUPS; group++) {
    f.get(frame.slot)
    values.vector(members, group)
    f.memory(Op.v128_store, MEMBERS + group * 16)
  }
  f.get(frame.slot)
  checked!.pushOthers(checked!.others.get(call)!)
  f.memory(Op.i32_store, OTHERS)
  tell(context, told)
  if (isQuiet) f.end()
}
