/** Tells a launch's checker (launch.ts) what the interpreter is about to do; generated code tells the same (codegen/checking/slotChecks.ts). */
import { addressOf, CONSTANT_OFFSET, HEAP_OFFSET, offsetOf, WARP_LANES } from '../../addressSpace.ts'
import type { SiteIds } from '../../analysis/prepare.ts'
import type { Block, Type } from '../../ir/ir.ts'
import { SPACE } from '../../ir/types.ts'
import type { LaunchRequest } from '../../launch.ts'
import type { Space } from '../../trace.ts'
import { type Bits, readValue, sameBits, toNumber } from '../arithmetic/values.ts'
import { threadLocalBase } from './memory.ts'
import type { Frame, Lanes, LaunchChecks, WarpState } from './state.ts'

export function checksOf({ checker }: LaunchRequest): LaunchChecks | undefined {
  if (!checker) return undefined
  const skips = new Map<Block, number[]>()
  checker.points.skips.forEach(({ block }, index) => {
    skips.set(block, [...(skips.get(block) ?? []), index])
  })
  return { checker, points: new Map(checker.points.calls.map((call, index) => [call, index])), skips }
}

interface ToldAccess {
  readonly ids: SiteIds
  /** Of the pointer's type. */
  readonly space: number
  readonly type: Type
  readonly pointer: (lane: number) => Bits
  /** Of a store. */
  readonly value: ((lane: number) => Bits) | undefined
}

export function tellAccess({ checker }: LaunchChecks, warp: WarpState, lanes: Lanes, access: ToldAccess): void {
  const { ids, space, type, pointer, value } = access
  const { launch, block, index } = warp
  const places = lanes.map(lane => {
    const at = toNumber(pointer(lane))
    if (space === SPACE.shared) return block.sharedBase + at
    return space === SPACE.local ? threadLocalBase(warp, lane) + at : offsetOf(at)
  })
  const [only, ...others] = Object.keys(ids) as Space[]
  const lanesOf = new Map<Space, number>()
  const addresses = new Int32Array(WARP_LANES)
  const offsets = new Int32Array(WARP_LANES)
  lanes.forEach((lane, i) => {
    const offset = places[i]!
    const here = others.length === 0 ? only! : placeOf(warp, lane, offset, ids)
    if (here === undefined || (here === 'local' && isBehindLocals(warp, lane, offset))) return
    lanesOf.set(here, (lanesOf.get(here) ?? 0) | (1 << lane))
    offsets[lane] = offset
    addresses[lane] =
      here === 'shared'
        ? offset - block.sharedBase
        : here === 'local'
          ? offset - threadLocalBase(warp, lane)
          : addressOf(offset)
  })
  for (const [here, mask] of lanesOf) {
    if (here === 'texture' || here === 'cluster') continue
    const site = launch.program.sites[ids[here] ?? ids[only!]!]!
    checker.access({
      site: site.space === here ? site : { ...site, space: here },
      block: block.linear,
      warp: index,
      lanes: mask,
      addresses,
      storesSame: (lane, other) => value !== undefined && sameBits(value(lane), value(other)),
      keeps: lane =>
        value !== undefined && sameBits(readValue(launch.memory.bytes, offsets[lane]! >>> 0, type), value(lane)),
    })
  }
}

/** Undefined for copies of parameters. */
function placeOf(warp: WarpState, lane: number, offset: number, ids: SiteIds): Space | undefined {
  const { block, launch } = warp
  if (offset >= HEAP_OFFSET) return 'global'
  if (offset >= CONSTANT_OFFSET) return 'constant'
  if (offset >= block.sharedBase && offset < block.sharedBase + launch.sharedBytes) return 'shared'
  const own = offset - threadLocalBase(warp, lane)
  if (own >= 0 && own < launch.local.threadBytes) return 'local'
  return ids.cluster === undefined ? 'global' : 'cluster'
}

/** Copies of parameters, and the stack of functions that are called. */
function isBehindLocals(warp: WarpState, lane: number, offset: number): boolean {
  const own = offset - threadLocalBase(warp, lane)
  return own >= warp.launch.program.localBytes && own < warp.launch.local.threadBytes
}

/** @param members lane by lane of `lanes` */
export function tellMembers(
  { checker }: LaunchChecks,
  warp: WarpState,
  frame: Frame,
  lanes: Lanes,
  members: readonly Bits[],
  point: number,
): void {
  const named = new Int32Array(WARP_LANES)
  lanes.forEach((lane, i) => {
    named[lane] = toNumber(members[i]!)
  })
  const here = maskOf(lanes)
  const { code } = frame
  let others = 0
  frame.status.forEach((status, lane) => {
    if (status !== 'ready' || (here >>> lane) & 1) return
    const block = code.func.blocks[code.blockOf[frame.pc[lane]!]!]!
    if (checker.points.others[point]!.has(block)) others |= 1 << lane
  })
  checker.synchronize(warp.block.linear, warp.index, here, others, named, point)
}

export const maskOf = (lanes: Lanes): number => lanes.reduce((mask, lane) => mask | (1 << lane), 0)
