/**
 * Memory instructions: each active lane's access in lane order, then one count for the warp in every space that the lanes
 * turned out to address.
 */
import type { SiteIds } from '../../analysis/prepare.ts'
import { InternalError } from '../../diagnostic.ts'
import type { AtomicRmwInstruction, CmpxchgInstruction, LoadInstruction, StoreInstruction, Type } from '../../ir/ir.ts'
import { storeBytes } from '../../ir/types.ts'
import { addCounters, type Space, type WarpAccess } from '../../trace.ts'
import { atomicOperation } from '../arithmetic/atomics.ts'
import { type Bits, sameBits, toNumber } from '../arithmetic/values.ts'
import { tellAccess } from '../machine/checks.ts'
import { type Access, locate, type Place } from '../machine/memory.ts'
import type { Frame, Lanes, Step, WarpState } from '../machine/state.ts'
import { type Operand, spaceOf } from './operands.ts'

type MemoryInstruction = LoadInstruction | StoreInstruction | AtomicRmwInstruction | CmpxchgInstruction

/** What one lane does at its place; returns whether memory changed. */
type LaneAction = (place: Place, lane: number) => boolean

/** @param copiedTo of a copy to shared memory: where in the window each lane's bytes go */
export function loadStep(
  instruction: LoadInstruction,
  pointer: Operand,
  slot: number,
  ids: SiteIds | undefined,
  copiedTo: Operand | undefined,
): Step {
  const { type } = instruction
  return {
    instruction,
    transfers: false,
    run(warp, frame, lanes) {
      const register = frame.registers[slot]!
      access(
        warp,
        lanes,
        instruction,
        type,
        ids,
        lane => pointer(warp, frame, lane),
        (place, lane) => {
          register[lane] = warp.launch.memory.read(place, type)
          return false
        },
        copiedTo && destinationsOf(warp, frame, lanes, copiedTo),
      )
    },
  }
}

function destinationsOf(warp: WarpState, frame: Frame, lanes: Lanes, pointer: Operand): Uint32Array {
  const destinations = new Uint32Array(32)
  for (const lane of lanes) destinations[lane] = toNumber(pointer(warp, frame, lane))
  return destinations
}

export function storeStep(
  instruction: StoreInstruction,
  pointer: Operand,
  value: Operand,
  ids: SiteIds | undefined,
): Step {
  const { type } = instruction.value
  return {
    instruction,
    transfers: false,
    run(warp, frame, lanes) {
      access(
        warp,
        lanes,
        instruction,
        type,
        ids,
        lane => pointer(warp, frame, lane),
        (place, lane) => warp.launch.memory.write(place, type, value(warp, frame, lane)),
        undefined,
        lane => value(warp, frame, lane),
      )
    },
  }
}

export function atomicStep(
  instruction: AtomicRmwInstruction,
  pointer: Operand,
  value: Operand,
  slot: number,
  ids: SiteIds | undefined,
): Step {
  const { type } = instruction
  const compute = atomicOperation(instruction.operation, type)
  return {
    instruction,
    transfers: false,
    run(warp, frame, lanes) {
      const { memory } = warp.launch
      access(
        warp,
        lanes,
        instruction,
        type,
        ids,
        lane => pointer(warp, frame, lane),
        (place, lane) => {
          const old = memory.read(place, type)
          frame.registers[slot]![lane] = old
          return memory.write(place, type, compute(old, value(warp, frame, lane)))
        },
      )
    },
  }
}

export function compareExchangeStep(
  instruction: CmpxchgInstruction,
  pointer: Operand,
  expected: Operand,
  replacement: Operand,
  slot: number,
  ids: SiteIds | undefined,
): Step {
  const { type } = instruction.expected
  return {
    instruction,
    transfers: false,
    run(warp, frame, lanes) {
      const { memory } = warp.launch
      access(
        warp,
        lanes,
        instruction,
        type,
        ids,
        lane => pointer(warp, frame, lane),
        (place, lane) => {
          const old = memory.read(place, type)
          const success = sameBits(old, expected(warp, frame, lane))
          frame.registers[slot]![lane] = [old, success ? 1 : 0]
          return success && memory.write(place, type, replacement(warp, frame, lane))
        },
      )
    },
  }
}

function access(
  warp: WarpState,
  lanes: Lanes,
  instruction: MemoryInstruction,
  type: Type,
  ids: SiteIds | undefined,
  pointer: (lane: number) => Bits,
  act: LaneAction,
  destinations?: Uint32Array,
  stored?: (lane: number) => Bits,
): void {
  const bytes = storeBytes(type)
  const wanted: Access = {
    verb: instruction.op === 'load' || instruction.op === 'store' ? instruction.op : 'atomic',
    bytes,
    align: Math.min(instruction.align, machineAlign(bytes)),
    location: instruction.location,
  }
  const space = spaceOf(instruction.pointer)
  const { checks } = warp.launch
  if (checks && ids) tellAccess(checks, warp, lanes, { ids, space, type, pointer, value: stored })
  const places = lanes.map(lane => {
    const place = locate(warp, lane, space, toNumber(pointer(lane)), wanted)
    if (act(place, lane)) warp.changes++
    return place
  })
  if (instruction.volatile || wanted.verb === 'atomic' || ('atomic' in instruction && instruction.atomic))
    warp.quietLooks++
  if (ids) count(warp, lanes, instruction, ids, places, destinations)
}

/** The least power of two that holds the access, at most 16 (PTX ISA, "Addresses as Operands": naturally aligned). */
function machineAlign(bytes: number): number {
  return Math.min(16, 2 ** Math.ceil(Math.log2(bytes)))
}

function count(
  warp: WarpState,
  lanes: Lanes,
  instruction: MemoryInstruction,
  ids: SiteIds,
  places: readonly Place[],
  destinations: Uint32Array | undefined,
): void {
  const { program, request, counters } = warp.launch
  const groups = new Map<Space, { mask: number; threads: number; addresses: Uint32Array }>()
  places.forEach(({ space, counted }, i) => {
    if (space === 'parameter') return
    let group = groups.get(space)
    if (!group) groups.set(space, (group = { mask: 0, threads: 0, addresses: new Uint32Array(32) }))
    group.mask |= 1 << lanes[i]!
    group.threads++
    group.addresses[lanes[i]!] = counted
  })
  for (const [space, { mask, threads, addresses }] of groups) {
    // A pointer known to be global may point at a constant variable: the machine reads that as global memory.
    const id = ids.texture ?? ids[space] ?? (space === 'constant' ? ids.global : undefined)
    const site = id === undefined ? undefined : program.sites[id]
    if (id === undefined || !site)
      throw new InternalError(`${instruction.op} in ${program.kernel.name} has no site for ${space} memory`)
    const { op, width, form, passesL1, nearStore, blockAxes } = site
    const accessed: WarpAccess = {
      space: site.space,
      op,
      width,
      mask,
      addresses,
      form,
      passesL1,
      nearStore,
      blockAxes,
      ...(destinations && { destinations }),
    }
    if (site.space !== 'texture') addCounters(counters[id]!, { executed: 1, threads, ...request.model(accessed) })
    if (warp.launch.observed.has(warp.block.linear)) request.observer?.record(warp.block.linear, warp.index, accessed)
  }
}
