/**
 * Counting of memory accesses. One whose lanes are fixed is an increment: of a histogram by the scalar's low bits while all lanes
 * run, else of a table by mask. Anything else is counted from the addresses in the slot, by a helper or by the host.
 */
import { HEAP_OFFSET } from '../addressSpace.ts'
import { I32 } from '../wasm/builder.ts'
import { Op } from '../wasm/opcodes.ts'
import { type Access, type Address, pushIsRegular, storeAddresses } from './access.ts'
import type { KernelContext } from './kernelContext.ts'
import { isConstant } from './laneVector.ts'
import { ADDRESSES, HISTOGRAM_BYTES, OBSERVING, PARTIALS_BYTES, SITE_BYTES } from './slot.ts'
import { GROUPS } from './storage.ts'

/**
 * Counts an access whose lanes are fixed: one more with these low bits of the scalar and, when not all lanes run, with this
 * mask.
 */
export function countLanes(context: KernelContext, access: Access, address: Address & { kind: 'lanes' }): void {
  const { f, frame, layout, program, histograms, values, helpers } = context
  const ids = program.siteIds.get(access.instruction)
  if (!ids) return
  const site = ids.global ?? ids.shared ?? ids.local ?? ids.constant
  if (site === undefined) return
  if (!histograms.some(use => use.site === site))
    histograms.push({
      site,
      lanes: address.lanes,
      table: isConstant(address.lanes) ? undefined : values.table(address.lanes).offset,
    })
  trapMisaligned(context, access, address)
  const at = layout.histograms + site * HISTOGRAM_BYTES
  const bin = f.local(I32)
  f.get(frame.mask).i32(-1).op(Op.i32_eq).if()
  f.get(address.base).i32(127).op(Op.i32_and).i32(2).op(Op.i32_shl).get(frame.slot).op(Op.i32_add).tee(bin)
  f.get(bin).memory(Op.i32_load, at).i32(1).op(Op.i32_add).memory(Op.i32_store, at)
  f.else()
  f.get(frame.slot)
    .i32(layout.partials + site * PARTIALS_BYTES)
    .op(Op.i32_add)
  f.get(frame.mask).get(address.base).i32(127).op(Op.i32_and).i32(site).call(helpers.countPartial)
  f.end()
  f.release(I32, bin)
  observe(context, access, () => storeAddresses(context, access.pointer))
}

/** Stops the kernel at a scalar that is no multiple of the width; lanes at multiples of it from there are as right as the scalar. */
function trapMisaligned({ f }: KernelContext, { width }: Access, { base, lanes }: Address & { kind: 'lanes' }): void {
  const isMultiple = (lane: number): boolean => lane % width === 0
  if (width === 1 || !lanes.constant.every(isMultiple) || !lanes.terms.every(term => term.lanes.every(isMultiple)))
    return
  f.get(base)
    .i32(width - 1)
    .op(Op.i32_and)
    .if()
    .op(Op.unreachable)
    .end()
}

/** Shows an access to the launch's observer, where the kernel is compiled for one; shared memory is of no interest to it. */
export function observe(context: KernelContext, access: Access, writeAddresses: () => void): void {
  const { f, frame, program, helpers, observable } = context
  const ids = program.siteIds.get(access.instruction)
  const site = ids?.global ?? ids?.local
  if (!observable || site === undefined) return
  f.get(frame.slot).memory(Op.i32_load, OBSERVING).if()
  writeAddresses()
  f.i32(site).get(frame.mask).get(frame.warp).call(helpers.host.observe)
  f.end()
}

/** Counts any access; the addresses are in the slot. */
export function countAny(context: KernelContext, access: Access): void {
  const { f, frame, layout, program, helpers } = context
  const ids = program.siteIds.get(access.instruction)
  if (!ids) return
  observe(context, access, () => {})
  const [only, ...others] = Object.keys(ids) as (keyof typeof ids)[]
  const widthLog2 = Math.log2(access.width)
  const counters = (site: number): void => {
    f.get(frame.slot)
      .i32(layout.siteCounters + site * SITE_BYTES)
      .op(Op.i32_add)
  }
  const countGlobal = (site: number): void => {
    f.get(frame.slot)
    counters(site)
    f.get(frame.mask)
      .i32(widthLog2)
      .call(access.op === 'atomic' ? helpers.countAtomic : helpers.countGlobal)
  }
  const site = ids[only!]!
  if (others.length > 0) {
    // Decided lane by lane, by the host, unless all lanes lie in the heap.
    const slow = (): void => {
      f.i32(program.sites.indexOf(program.sites[site]!)).get(frame.mask).get(frame.warp).call(helpers.host.countSlow)
    }
    if (ids.global !== undefined && context.modernRules) {
      pushAllInHeap(context)
      f.if()
      countGlobal(ids.global)
      f.else()
      slow()
      f.end()
    } else slow()
  } else if (only === 'global' && context.modernRules) countGlobal(site)
  else if (only === 'shared' && context.modernRules && (access.width <= 4 || access.op !== 'load')) {
    f.get(frame.slot)
    counters(site)
    f.get(frame.mask).i32(widthLog2).get(frame.shared).get(frame.sharedBytes)
    f.call(helpers.countShared(layout.wordStamps))
  } else f.i32(site).get(frame.mask).get(frame.warp).call(helpers.host.countSlow)
}

export function pushAllInHeap(context: KernelContext): void {
  const { f, frame, values } = context
  const outside = f.local(I32)
  f.i32(0).set(outside)
  for (let group = 0; group < GROUPS; group++) {
    f.get(frame.slot).memory(Op.v128_load, ADDRESSES + group * 16)
    f.i32(HEAP_OFFSET).op(Op.i32x4_splat).op(Op.i32x4_lt_u)
    values.laneMask(() => f.get(frame.mask), group)
    f.op(Op.v128_and).op(Op.v128_any_true).get(outside).op(Op.i32_or).set(outside)
  }
  f.get(outside).op(Op.i32_eqz)
  f.release(I32, outside)
}

/** Counts an access whose lanes are fixed, the usual way or, where the addresses are not as expected, the general one. */
export function countRegular(context: KernelContext, access: Access, address: Address & { kind: 'lanes' }): void {
  const { f, program } = context
  if (!program.siteIds.has(access.instruction)) return
  const spaces = program.spacesOf(access.pointer)
  if (spaces.size === 1 && !spaces.has('shared')) return countLanes(context, access, address)
  pushIsRegular(context, access, address)
  f.if()
  countLanes(context, access, address)
  f.else()
  storeAddresses(context, access.pointer)
  countAny(context, access)
  f.end()
}
