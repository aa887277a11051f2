/**
 * Counting of memory accesses. One whose lanes are fixed is an increment: of a histogram by the scalar's low bits while all lanes
 * run, else of a table by mask. Anything else is counted from the addresses in the slot, by a helper or by the host.
 */
import { HEAP_OFFSET } from '../../addressSpace.ts'
import { isLoopForm, type Site } from '../../trace.ts'
import { I32 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import { type Access, type Address, isBypass, pushIsRegular, storeAddresses } from '../accesses/access.ts'
import { tellAccess, tellRow } from '../checking/checking.ts'
import { type KernelContext, knownMask } from '../kernelContext.ts'
import {
  ADDRESSES,
  DESTINATIONS,
  HISTOGRAM_BYTES,
  OBSERVING,
  PARTIALS_BYTES,
  PATTERN_BYTES,
  SITE_BYTES,
} from '../slot.ts'
import { isConstant, isZero, type LaneVector } from '../values/laneVector.ts'
import { GROUPS } from '../values/storage.ts'
import { type CountGroup, loneGroup } from './countGroups.ts'
import { countEvicted } from './evictedPartials.ts'
import type { WarpRun } from './warpRuns.ts'

/**
 * Counts an access whose lanes are fixed, with the others of its group (countGroups.ts) when it is the first of them: one more
 * with these low bits of the scalar and, when not all lanes run, with this mask. Where the addresses are not as expected, each
 * access of the group is counted the general way.
 */
export function countRegular(context: KernelContext, access: Access, address: Address & { kind: 'lanes' }): void {
  const { f, program } = context
  const ids = program.siteIds.get(access.instruction)
  if (!ids) return
  tellRow(context, access, address)
  if (ids.texture !== undefined) return observe(context, access, () => storeAddresses(context, access.pointer))
  if (isBypass(access)) {
    storeAddresses(context, access.pointer)
    countToldAny(context, access)
    return
  }
  const { block } = access.instruction
  const group = context.countGroups.get(access.instruction) ?? loneGroup(context, access, block)
  if (!group) return
  const spaces = program.spacesOf(access.pointer)
  const isSurelyRegular =
    spaces.size === 1 && (!spaces.has('shared') || isInsideWindow(context, group.members[0]!.access, group))
  if (group.members[0]!.access.instruction === access.instruction) {
    if (!isSurelyAligned(context, access, group, address)) trapMisaligned(context, access, address)
    // Nobody reads counters of checked launches.
    const counts = context.checked === undefined
    if (counts) noteHistograms(context, group, address)
    const irregular = group.irregular
    if (isSurelyRegular || irregular === undefined) {
      if (counts) countGroup(context, group, address, context.run)
    } else {
      const offsets = group.members.map(({ plus }) => plus)
      pushIsRegular(context, access, address, { least: Math.min(...offsets), most: Math.max(...offsets) })
      f.if()
      f.i32(0).set(irregular)
      if (counts) countGroup(context, group, address)
      f.else()
      f.i32(1).set(irregular)
      if (counts && group.launchBits) takeBack(context, group, address)
      f.end()
    }
  }
  if (!isSurelyRegular && group.irregular !== undefined) {
    f.get(group.irregular).if()
    storeAddresses(context, access.pointer)
    countToldAny(context, access)
    f.end()
  }
  observe(context, access, () => storeAddresses(context, access.pointer))
}

/** The geometry alone puts all lanes of the version's warps inside the block's static shared memory. */
function isInsideWindow(
  { version, statics, program }: KernelContext,
  access: Access,
  { members }: CountGroup,
): boolean {
  if (!version) return false
  const offsets = members.map(({ plus }) => plus)
  const [least, most] = [Math.min(...offsets), Math.max(...offsets) + access.width]
  for (let warp = version.version.first; warp <= version.version.last; warp++) {
    const lanes = statics.valueOf(access.pointer, warp)
    if (!lanes?.every(lane => lane + least >= 0 && lane + most <= program.shared.staticBytes)) return false
  }
  return true
}

function noteHistograms(
  { histograms, values }: KernelContext,
  { members }: CountGroup,
  { lanes }: Address & { kind: 'lanes' },
): void {
  const table = isConstant(lanes) ? undefined : values.table(lanes).offset
  const source = members[0]!.site
  for (const { site, plus } of members)
    if (!histograms.some(use => use.site === site)) histograms.push({ site, source, plus, lanes, table })
}

/** The block's executions will be counted as this group's, but this one was not like the others. */
function takeBack(context: KernelContext, { members }: CountGroup, { base }: Address & { kind: 'lanes' }): void {
  const { f, frame, layout, helpers } = context
  const known = knownMask(context)
  if (known !== undefined && known !== -1) {
    f.i32(members[0]!.site).i32(known).get(base).i32(127).op(Op.i32_and).i32(-1).call(helpers.host.countTimes)
    return
  }
  const at = layout.histograms + members[0]!.site * HISTOGRAM_BYTES
  const bin = f.local(I32)
  f.get(base).i32(127).op(Op.i32_and).i32(2).op(Op.i32_shl).get(frame.slot).op(Op.i32_add).tee(bin)
  f.get(bin).memory(Op.i32_load, at).get(frame.mask).i32(-1).op(Op.i32_eq).op(Op.i32_sub).memory(Op.i32_store, at)
  f.release(I32, bin)
}

/** `run`: what may count it for all warps at once. */
function countGroup(
  context: KernelContext,
  group: CountGroup,
  address: Address & { kind: 'lanes' },
  run?: WarpRun,
): void {
  const { f, frame, layout, helpers } = context
  const { base, lanes } = address
  const { site } = group.members[0]!
  const at = layout.histograms + site * HISTOGRAM_BYTES
  const partial = (): void => {
    f.get(frame.slot)
    f.get(frame.slot)
      .i32(layout.partials + site * PARTIALS_BYTES)
      .op(Op.i32_add)
    f.get(frame.mask)
    // Of lanes at one address only their number counts: divergent kernels have any number of masks, but 32 of these.
    if (isAnyLaneLikeAnother(context, group, lanes)) {
      const mask = f.local(I32)
      f.set(mask).i32(-1).i32(32).get(mask).op(Op.i32_popcnt).op(Op.i32_sub).op(Op.i32_shr_u)
      f.release(I32, mask)
    }
    f.get(base).i32(127).op(Op.i32_and).call(helpers.countPartial).if()
    countEvicted(context, group, address)
    f.end()
  }
  const known = knownMask(context)
  if (known !== undefined && group.launchBits) return
  if (known !== undefined && run?.takes(group, known, base)) return
  if (known !== undefined && known !== -1) return partial()
  if (group.launchBits) {
    // All lanes: as often as the block runs with all of them, which is known when the function ends.
    f.get(frame.mask).i32(-1).op(Op.i32_ne).if()
    partial()
    f.end()
    return
  }
  const bin = f.local(I32)
  if (known === undefined) f.get(frame.mask).i32(-1).op(Op.i32_eq).if()
  f.get(base).i32(127).op(Op.i32_and).i32(2).op(Op.i32_shl).get(frame.slot).op(Op.i32_add).tee(bin)
  f.get(bin).memory(Op.i32_load, at).i32(1).op(Op.i32_add).memory(Op.i32_store, at)
  if (known === undefined) {
    f.else()
    partial()
    f.end()
  }
  f.release(I32, bin)
}

/** All lanes read or write one address, by rules that do not ask which half-warp or pair of lanes a lane is in. */
function isAnyLaneLikeAnother(
  { program, modernRules }: KernelContext,
  { members }: CountGroup,
  lanes: LaneVector,
): boolean {
  const spaces = program.spacesOf(members[0]!.access.pointer)
  return (
    modernRules &&
    isZero(lanes) &&
    spaces.size === 1 &&
    spaces.has('global') &&
    members.every(({ access }) => access.op !== 'atomic')
  )
}

/** The scalar's low bits are 0; or in shared memory, whose window begins at a multiple of every width, at multiples of the access's own. */
function isSurelyAligned(
  { program, shapes }: KernelContext,
  { pointer, width }: Access,
  { launchBits }: CountGroup,
  { lanes }: Address & { kind: 'lanes' },
): boolean {
  if (!areMultiples(lanes, width)) return false
  const shape = shapes.shapeOf(pointer)
  if (shape.kind !== 'varying' && 2 ** shape.zeros >= width) return true
  const spaces = program.spacesOf(pointer)
  if (!launchBits || spaces.size !== 1 || !spaces.has('shared')) return false
  return launchBits.constant % width === 0 && launchBits.terms.every(({ scale }) => scale % width === 0)
}

/**
 * Stops the kernel at an address that is no multiple of the width. With lanes at multiples of it they are as right as the scalar; else
 * the bits of all of them tell whether each that runs has to be looked at.
 */
function trapMisaligned(context: KernelContext, access: Access, { base, lanes }: Address & { kind: 'lanes' }): void {
  const { f, values, frame, helpers } = context
  const { width } = access
  if (width === 1) return
  const isAsScalar = areMultiples(lanes, width)
  f.get(base)
  if (!isAsScalar) {
    if (isConstant(lanes)) f.i32(lanes.constant.reduce((bits, lane) => bits | lane))
    else f.get(values.table(lanes).bits)
    f.op(Op.i32_or)
  }
  f.i32(width - 1)
    .op(Op.i32_and)
    .if()
  if (isAsScalar) f.op(Op.unreachable)
  else {
    const known = knownMask(context)
    storeAddresses(context, access.pointer)
    f.get(frame.slot)
    if (known === undefined) f.get(frame.mask)
    else f.i32(known)
    f.i32(Math.log2(width)).call(helpers.trapMisaligned)
  }
  f.end()
}

function areMultiples({ constant, terms }: LaneVector, width: number): boolean {
  const isMultiple = (lane: number): boolean => lane % width === 0
  return constant.every(isMultiple) && terms.every(({ lanes }) => lanes.every(isMultiple))
}

/**
 * Shows an access to the launch's observer, where the kernel is compiled for one. Of shared memory only atomics that are loops are of
 * interest to it, and compare-and-swaps, which mostly stand in one.
 */
export function observe(context: KernelContext, access: Access, writeAddresses: () => void): void {
  const { f, frame, program, helpers, observable } = context
  const ids = program.siteIds.get(access.instruction)
  const form = ids?.shared === undefined ? undefined : program.sites[ids.shared]!.form
  const showsShared = isLoopForm(form) || form === 'compare' || program.timesItself
  const site = ids?.global ?? ids?.local ?? ids?.texture ?? (showsShared ? ids?.shared : undefined)
  if (!observable || site === undefined) return
  f.get(frame.slot).memory(Op.i32_load, OBSERVING).if()
  writeAddresses()
  f.i32(site).get(frame.mask).get(frame.warp).call(helpers.host.observe)
  f.end()
}

/**
 * Counts any access; the addresses are in the slot. What may be done in one go with counting is, where `mayDo` allows it; says
 * whether it was.
 */
export function countAny(context: KernelContext, access: Access, mayDo = false): boolean {
  tellAccess(context, access, () => {})
  return countToldAny(context, access, mayDo)
}

/** The same of an access that the checker, if there is one, knows of. */
function countToldAny(context: KernelContext, access: Access, mayDo = false): boolean {
  const { f, frame, layout, program, helpers } = context
  const ids = program.siteIds.get(access.instruction)
  if (!ids) return false
  observe(context, access, () => {})
  if (ids.texture !== undefined) return false
  const [only, ...others] = Object.keys(ids) as (keyof typeof ids)[]
  const widthLog2 = Math.log2(access.width)
  const counters = (site: number): void => {
    f.get(frame.slot)
      .i32(layout.siteCounters + site * SITE_BYTES)
      .op(Op.i32_add)
  }
  const pattern = (site: number): void => {
    f.get(frame.slot)
      .i32(layout.patterns + site * PATTERN_BYTES)
      .op(Op.i32_add)
  }
  const countGlobal = (site: number): void => {
    f.get(frame.slot)
    counters(site)
    f.get(frame.mask).i32(widthLog2)
    pattern(site)
    f.call(access.op === 'atomic' ? helpers.countAtomic : helpers.countGlobal)
  }
  const countLocal = (site: number): void => {
    f.get(frame.slot)
    counters(site)
    f.get(frame.mask).i32(widthLog2)
    f.get(frame.localMemory)
    f.get(frame.warp)
      .i32(program.localBytes * 32)
      .op(Op.i32_mul)
      .op(Op.i32_add)
    f.call(helpers.countLocal(program.localBytes))
  }
  const countConstant = (site: number): void => {
    f.get(frame.slot)
    counters(site)
    f.get(frame.mask).i32(widthLog2).call(helpers.countConstant)
  }
  /** Whether the access is done, too. */
  const countShared = (site: number, mayDo: boolean): boolean => {
    const isIncrement = program.sites[site]!.form === 'increment'
    const kind = access.op !== 'atomic' || (isIncrement && !mayDo) ? 'moves' : isIncrement ? 'increments' : 'atomics'
    f.get(frame.slot)
    counters(site)
    f.get(frame.mask)
    if (access.width !== 4) f.i32(widthLog2)
    f.get(frame.shared).get(frame.sharedBytes)
    if (access.width === 4) pattern(site)
    f.call(
      access.width === 4
        ? helpers.countSharedWords(layout.wordStamps, kind)
        : helpers.countShared(layout.wordStamps, access.op === 'load' && access.width > 4),
    )
    return kind === 'increments'
  }
  const site = ids[only!]!
  if (isBypass(access) && context.modernRules && access.instruction.op === 'load') {
    storeAddresses(context, access.instruction.copiedTo!, DESTINATIONS)
    f.get(frame.slot)
    counters(site)
    f.get(frame.mask).call(helpers.countBypass)
  } else if (others.length > 0) {
    // Decided lane by lane, by the host, unless all lanes lie in the heap, or in the block's shared or local memory.
    const branches = [
      ...(ids.global !== undefined && context.modernRules
        ? [{ pushIsIt: () => pushAllInHeap(context), count: () => countGlobal(ids.global!) }]
        : []),
      ...(ids.local !== undefined && access.op !== 'atomic'
        ? [{ pushIsIt: () => pushAllInLocal(context), count: () => countLocal(ids.local!) }]
        : []),
      ...(ids.shared !== undefined && context.modernRules && isCountedByHelper(access, program.sites[ids.shared]!)
        ? [{ pushIsIt: () => pushAllInShared(context), count: () => countShared(ids.shared!, false) }]
        : []),
    ]
    for (const { pushIsIt, count } of branches) {
      pushIsIt()
      f.if()
      count()
      f.else()
    }
    f.i32(program.sites.indexOf(program.sites[site]!)).get(frame.mask).get(frame.warp).call(helpers.host.countSlow)
    for (const _ of branches) f.end()
  } else if (only === 'global' && context.checked)
    f.get(frame.slot).get(frame.mask).i32(widthLog2).call(helpers.trapMisaligned)
  else if (only === 'global' && context.modernRules) countGlobal(site)
  else if (only === 'local' && access.op !== 'atomic') countLocal(site)
  else if (only === 'constant' && access.op === 'load') countConstant(site)
  else if (only === 'shared' && context.modernRules && isCountedByHelper(access, program.sites[site]!))
    return countShared(site, mayDo)
  else f.i32(site).get(frame.mask).get(frame.warp).call(helpers.host.countSlow)
  return false
}

/** Shared memory: some atomics are more than one access; the model's own function counts them. */
function isCountedByHelper({ op, width }: Access, { form }: Site): boolean {
  return op !== 'atomic' || (width === 4 && (form === undefined || form === 'increment'))
}

export function pushAllInHeap(context: KernelContext): void {
  const { f } = context
  pushAllWithin(
    context,
    () => f.i32(HEAP_OFFSET),
    () => f.i32(-HEAP_OFFSET),
  )
}

function pushAllInLocal(context: KernelContext): void {
  const { f, frame, program, geometry } = context
  pushAllWithin(
    context,
    () => f.get(frame.localMemory),
    () => f.i32(program.localBytes * 32 * geometry.warps),
  )
}

function pushAllInShared(context: KernelContext): void {
  const { f, frame } = context
  pushAllWithin(
    context,
    () => f.get(frame.shared),
    () => f.get(frame.sharedBytes),
  )
}

/** Pushes whether the addresses of all lanes that run lie in so many bytes from a start; a negative number counts from 2^32. */
function pushAllWithin(context: KernelContext, pushStart: () => void, pushBytes: () => void): void {
  const { f, frame, values } = context
  const outside = f.local(I32)
  f.i32(0).set(outside)
  for (let group = 0; group < GROUPS; group++) {
    f.get(frame.slot).memory(Op.v128_load, ADDRESSES + group * 16)
    pushStart()
    f.op(Op.i32x4_splat).op(Op.i32x4_sub)
    pushBytes()
    f.op(Op.i32x4_splat).op(Op.i32x4_ge_u)
    values.laneMask(() => f.get(frame.mask), group)
    f.op(Op.v128_and).op(Op.v128_any_true).get(outside).op(Op.i32_or).set(outside)
  }
  f.get(outside).op(Op.i32_eqz)
  f.release(I32, outside)
}
