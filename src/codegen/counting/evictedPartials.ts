/**
 * Kernels whose lanes part by data have accesses of any number of masks. What has to leave the table of such accesses (slot.ts,
 * PARTIAL_ENTRIES) is counted at once, by a function that each group of accesses has for it: it knows the lanes' distances, so that
 * the mask and the low bits are all of an access. The model's own function would take a hundred times as long, on the host.
 */
import { type Callable, I32, type ModuleBuilder } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { Address } from '../accesses/access.ts'
import { fourLanes, pushInterleaved } from '../helpers/helpersCount.ts'
import type { KernelContext } from '../kernelContext.ts'
import {
  EVICTED,
  EVICTED_ADDRESSES,
  HISTOGRAM_BINS,
  PARTIAL_BIN,
  PARTIAL_MASK,
  PARTIAL_TIMES,
  SITE_BYTES,
} from '../slot.ts'
import { isConstant, type LaneVector } from '../values/laneVector.ts'
import { GROUP_LANES, GROUPS } from '../values/storage.ts'
import type { CountGroup } from './countGroups.ts'

type Member = CountGroup['members'][number]

/** Counts the access of the group that is the slot's {@link EVICTED}. */
export function countEvicted(context: KernelContext, group: CountGroup, { lanes }: Address & { kind: 'lanes' }): void {
  const { f, frame, helpers } = context
  const key = `${group.members.map(({ site, plus }) => `${site}+${plus}`)}:${lanes.key}`
  f.get(frame.slot).call(helpers.evictedPartials(key, module => build(context, module, group, lanes)))
}

function build(context: KernelContext, module: ModuleBuilder, { members }: CountGroup, lanes: LaneVector): Callable {
  const { helpers, program, modernRules, layout } = context
  const spaces = new Set(members.map(({ site }) => program.sites[site]!.space))
  const isLocal = spaces.has('local')
  const kinds = members.map(({ access: { op } }) => (op === 'atomic' ? 'atomic' : isLocal ? 'local' : 'global'))
  const isCountedHere = spaces.size === 1 && (isLocal ? !kinds.includes('atomic') : spaces.has('global') && modernRules)
  const counts = isCountedHere ? kinds.map(kind => helpers.countEvicted(kind)) : []
  const f = module.function([I32], [])
  const slot = 0
  const push = (field: number): void => void f.get(slot).memory(Op.i32_load, EVICTED + field)
  if (!isCountedHere) {
    f.i32(members[0]!.site)
    for (const field of [PARTIAL_MASK, PARTIAL_BIN, PARTIAL_TIMES]) push(field)
    f.call(helpers.host.countTimes)
    return f
  }
  const start = f.local(I32)
  const writeAddresses = ({ plus }: Member): void => {
    push(PARTIAL_BIN)
    f.i32(plus)
      .op(Op.i32_add)
      .i32(HISTOGRAM_BINS - 1)
      .op(Op.i32_and)
      .set(start)
    for (let part = 0; part < GROUPS; part++) {
      const first = part * GROUP_LANES
      f.get(slot)
      f.get(start).op(Op.i32x4_splat)
      if (isConstant(lanes)) f.v128(fourLanes(lane => lanes.constant[first + lane]!))
      else f.get(slot).memory(Op.v128_load, context.values.table(lanes).offset + part * 16)
      f.op(Op.i32x4_add)
      if (isLocal) {
        f.v128(fourLanes(lane => (first + lane) * program.localBytes)).op(Op.i32x4_sub)
        pushInterleaved(f, part)
      }
      f.memory(Op.v128_store, EVICTED_ADDRESSES + part * 16)
    }
  }
  members.forEach((member, index) => {
    writeAddresses(member)
    f.get(slot)
    f.get(slot)
      .i32(layout.siteCounters + member.site * SITE_BYTES)
      .op(Op.i32_add)
    push(PARTIAL_MASK)
    f.i32(Math.log2(member.access.width))
    push(PARTIAL_TIMES)
    f.call(counts[index]!)
  })
  return f
}
