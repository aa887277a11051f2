/**
 * Runs blocks of one launch in one slot: instantiates the kernel's module once with the host functions it needs. Used by the
 * executor's own thread and by each worker.
 */
import { CONSTANT_OFFSET, DEVICE_BASE, HEAP_OFFSET } from '../../addressSpace.ts'
import { InternalError } from '../../diagnostic.ts'
import { alignUp } from '../../ir/types.ts'
import type { LoopWork } from '../../launch.ts'
import { DOUBLE, fmaExact } from '../../reference/arithmetic/float.ts'
import type { AccessModel, Space, WarpAccess } from '../../trace.ts'
import type { SlotChecks } from '../checking/slotChecks.ts'
import { type CountingJob, interleave, type SlotCounters, SlotCounting } from '../counting/slotCounting.ts'
import {
  ADDRESSES,
  ALONE,
  CLEAR,
  CURRENT_BLOCK,
  FIXED_BYTES,
  LONGEST_LOOP_WORK,
  LOOP_WORK,
  MOST_LOOP_WORK,
  NEXT_USED,
  OBSERVING,
} from '../slot.ts'
import { WAYS_IN, WayIn } from './stackAlignment.ts'

/** Room for the text of a worker's counters. */
export const RESULT_AREA_BYTES = 1 << 20

/** What running a kernel takes, as plain data that can be sent to a worker. */
export interface SlotJob extends CountingJob {
  /** The sites of an instruction whose space shows at run time, by each of its sites. */
  readonly groups: readonly (readonly number[])[]
  readonly slot: SlotPlaces
}

/** Offsets in device memory. */
export interface SlotPlaces {
  readonly slot: number
  readonly slotBytes: number
  readonly shared: number
  readonly sharedBytes: number
  readonly saved: number
  readonly localMemory: number
  readonly end: number
}

export interface SlotHost {
  readonly model: AccessModel
  /** Throws to stop the launch. */
  readonly tick: (block: number) => void
  readonly fault: (kind: number, where: number, block: number) => void
  /** Is told what kernels that are compiled to be checked tell. */
  readonly checks?: SlotChecks | undefined
  /** Sees the accesses of blocks that run while `observing`. */
  readonly observe?: (block: number, warp: number, access: WarpAccess) => void
  /** Asked about an access, of a site's instruction by a thread, that may be of another block's shared memory; throws where it must not be. */
  readonly reach?: (site: number, offset: number, thread: number) => void
  /** (call, mask, warp); arguments and results are in the slot. */
  readonly external: (call: number, mask: number, warp: number) => void
  /** Of kernels that time themselves: what happened to the block at hand. */
  readonly clock?: (event: number) => void
}

/** Addresses of the access that is shown or counted, as the model wants them. */
const shownAddresses = new Uint32Array(32)

/** For CURRENT_BLOCK: no grid has so many blocks. */
const NO_BLOCK = 0xffffffff

/** A thread's instance of a kernel's module, which is the same from launch to launch. */
interface KernelInstance {
  readonly memory: WebAssembly.Memory
  /** Into the kernel, by {@link WAYS_IN}, and what is known of them. */
  readonly waysIn: readonly ((...parameters: number[]) => void)[]
  readonly wayIn: WayIn
  /** Fills with zeros; many times as fast as JavaScript does it to memory that threads share. */
  readonly clear: (at: number, bytes: number) => void
  readonly nextUsed: (at: number, end: number) => number
  /** The engine's stack was seen to have room for its frame. */
  hasRoom: boolean
  /** Whose blocks it runs; a launch may run another one of the same kernel in between. */
  runner: SlotRunner | undefined
}

const instances = new WeakMap<WebAssembly.Module, KernelInstance>()

function instanceOf(module: WebAssembly.Module, memory: WebAssembly.Memory): KernelInstance {
  const known = instances.get(module)
  if (known?.memory === memory) return known
  const runner = (): SlotRunner => {
    if (!made.runner) throw new InternalError('a kernel runs for no launch')
    return made.runner
  }
  const { exports } = new WebAssembly.Instance(module, {
    env: {
      memory,
      tick: (block: number) => runner().host.tick(block),
      fault: (kind: number, where: number, block: number) => runner().host.fault(kind, where, block),
      external: (call: number, mask: number, warp: number) => runner().host.external(call, mask, warp),
      clock: (event: number) => runner().host.clock?.(event),
      countSlow: (site: number, mask: number, warp: number) => runner().countSlow(site, mask, warp),
      countTimes: (site: number, mask: number, bin: number, times: number) =>
        runner().counting.keepTimes(site, mask, bin, times),
      observe: (site: number, mask: number, warp: number) => runner().observe(site, mask, warp),
      remainder: (a: number, b: number) => a % b,
      fma: (a: number, b: number, c: number) => fmaExact(a, b, c, DOUBLE),
    },
  })
  const exported = (name: string): ((...parameters: number[]) => number) => {
    const found = exports[name]
    if (typeof found !== 'function') throw new InternalError(`a kernel module has no function ${name}`)
    return found as (...parameters: number[]) => number
  }
  const made: KernelInstance = {
    memory,
    waysIn: WAYS_IN.map(exported),
    wayIn: known?.wayIn ?? new WayIn(),
    clear: exported(CLEAR),
    nextUsed: exported(NEXT_USED),
    hasRoom: false,
    runner: undefined,
  }
  instances.set(module, made)
  return made
}

export class SlotRunner {
  private readonly job: SlotJob
  private readonly memory: WebAssembly.Memory
  readonly host: SlotHost
  private readonly instance: KernelInstance
  readonly counting: SlotCounting
  /** Where the block at hand has its memory. */
  private places: SlotPlaces
  /** The slot's first words; see {@link slotWords}. */
  private words: Uint32Array<ArrayBuffer | SharedArrayBuffer> = new Uint32Array(0)

  constructor(module: WebAssembly.Module, job: SlotJob, memory: WebAssembly.Memory, host: SlotHost) {
    this.job = job
    this.memory = memory
    this.host = host
    this.places = job.slot
    this.instance = instanceOf(module, memory)
    this.counting = new SlotCounting(module, job, memory, host.model, this.instance.nextUsed)
    this.clear()
  }

  run(first: number, last: number): void {
    const { wayIn } = this.instance
    const start = performance.now()
    this.enter(wayIn.next(), first, last, this.job.slot)
    wayIn.took((performance.now() - start) / (last - first))
  }

  /** One turn of one block of a resumable kernel, whose memory is not in the slot but at `places`. */
  runTurn(block: number, places: SlotPlaces): void {
    this.places = places
    this.enter(0, block, block + 1, places)
  }

  private enter(way: number, first: number, last: number, { shared, saved, localMemory }: SlotPlaces): void {
    const { instance } = this
    const before = instance.runner
    instance.runner = this
    try {
      instance.waysIn[way]!(first, last, this.job.slot.slot, shared, saved, localMemory)
    } finally {
      instance.runner = before
    }
  }

  /** For kernels that were compiled to be observed. */
  set observing(on: boolean) {
    new DataView(this.memory.buffer).setUint32(this.job.slot.slot + OBSERVING, on ? 1 : 0, true)
  }

  /** Whether nobody else runs blocks of the launch; at first somebody may. */
  set isAlone(alone: boolean) {
    this.slotWords()[ALONE >> 2] = alone ? 1 : 0
  }

  /** The block that ran last: where the launch stopped. */
  get currentBlock(): number {
    return this.hasBegun ? this.slotWords()[CURRENT_BLOCK >> 2]! : 0
  }

  /** A block has begun to run. */
  get hasBegun(): boolean {
    return this.slotWords()[CURRENT_BLOCK >> 2] !== NO_BLOCK
  }

  /**
   * Into the kernel and out again, for kernels that do not resume; once is enough.
   * @throws RangeError when the engine's stack has no room for the kernel's frame
   */
  tryFrame(): void {
    if (this.instance.hasRoom) return
    for (const way of WAYS_IN.keys()) this.enter(way, 0, 0, this.job.slot)
    this.instance.hasRoom = true
  }

  /** Everything but lane tables, which the kernel writes itself, and stamps of words that the block does not have. */
  private clear(): void {
    const { layout, slot: places } = this.job
    const { slot, shared, sharedBytes } = places
    const stamps = Math.min(alignUp(sharedBytes, 4), layout.laneTables - layout.wordStamps)
    this.instance.clear(slot, layout.wordStamps + stamps)
    this.slotWords()[CURRENT_BLOCK >> 2] = NO_BLOCK
    this.instance.clear(shared, sharedBytes)
  }

  counters(): SlotCounters {
    const { loopWork } = this
    return { ...this.counting.counters(), ...(loopWork.all > 0 && { loopWork }) }
  }

  /** Of all blocks so far. */
  get loopWork(): LoopWork {
    const longest = this.wideWord(LONGEST_LOOP_WORK)
    return { all: this.wideWord(LOOP_WORK), most: this.wideWord(MOST_LOOP_WORK), ...(longest > 0 && { longest }) }
  }

  /** Of a block that ran in turns, all together. */
  noteLoopWork(work: number): void {
    if (work <= this.wideWord(MOST_LOOP_WORK)) return
    const words = this.slotWords()
    words[MOST_LOOP_WORK >> 2] = work % 2 ** 32
    words[(MOST_LOOP_WORK >> 2) + 1] = Math.floor(work / 2 ** 32)
  }

  private wideWord(at: number): number {
    const words = this.slotWords()
    return words[at >> 2]! + 2 ** 32 * words[(at >> 2) + 1]!
  }

  /** Counts the access whose addresses are in the slot by the model's own function. */
  countSlow(site: number, mask: number, warp: number): void {
    for (const { site: id, access } of this.accessesInSlot(site, mask, warp)) this.counting.countAccess(id, access)
  }

  /** Shows the access whose addresses are in the slot. */
  observe(site: number, mask: number, warp: number): void {
    if (this.host.checks) return this.host.checks.tell(site, mask, warp, this.places)
    const block = this.slotWords()[CURRENT_BLOCK >> 2]!
    for (const { access } of this.accessesInSlot(site, mask, warp)) this.host.observe?.(block, warp, access)
  }

  /** A view that is kept, since making one costs more than an access; memory that is not shared loses it when it grows. */
  private slotWords(): Uint32Array<ArrayBuffer | SharedArrayBuffer> {
    if (this.words.length === 0) this.words = new Uint32Array(this.memory.buffer, this.job.slot.slot, FIXED_BYTES >> 2)
    return this.words
  }

  /** The access whose addresses are in the slot, valid until the next one is asked for, taken apart lane by lane where the space is open. */
  private accessesInSlot(site: number, mask: number, warp: number): { site: number; access: WarpAccess }[] {
    const { sites, groups, localBytes } = this.job
    const words = this.slotWords()
    const group = groups[site] ?? [site]
    const raw = shownAddresses
    if (group.length === 1) {
      if (mask === 0) return []
      const { space, op, width, form, passesL1, nearStore, blockAxes } = sites[site]!
      // Most are of global memory, and there are many.
      if (space === 'global')
        for (let lane = 0; lane < 32; lane++) raw[lane] = (words[(ADDRESSES >> 2) + lane]! + DEVICE_BASE) | 0
      else
        for (let lane = 0; lane < 32; lane++)
          raw[lane] = this.modelAddress(space, words[(ADDRESSES >> 2) + lane]!, lane, warp, localBytes)
      return [{ site, access: { space, op, width, form, passesL1, nearStore, blockAxes, mask, addresses: raw } }]
    }
    const byspace = new Map<Space, { site: number; mask: number }>()
    for (let lane = 0; lane < 32; lane++) {
      if (!((mask >>> lane) & 1)) continue
      const address = words[(ADDRESSES >> 2) + lane]!
      const space = this.spaceOf(address) ?? this.spaceAround(address, group, warp * 32 + lane)
      const found = byspace.get(space) ?? { site: group.find(id => sites[id]!.space === space) ?? site, mask: 0 }
      found.mask |= 1 << lane
      byspace.set(space, found)
      raw[lane] = this.modelAddress(space, address, lane, warp, localBytes)
    }
    return [...byspace].map(([space, { site: id, mask: lanes }]) => {
      const { op, width, form, passesL1, nearStore, blockAxes } = sites[id]!
      return {
        site: id,
        access: { space, op, width, form, passesL1, nearStore, blockAxes, mask: lanes, addresses: raw },
      }
    })
  }

  /** Outside of the block's own memory: another block's of the cluster, where the kernel has a site for that. */
  private spaceAround(offset: number, group: readonly number[], thread: number): Space {
    const site = group.find(id => this.job.sites[id]!.space === 'cluster')
    if (site === undefined) return 'global'
    this.host.reach?.(site, offset, thread)
    return 'cluster'
  }

  /** Undefined in the system region outside of the block's own memory. */
  private spaceOf(offset: number): Space | undefined {
    const { shared, sharedBytes, localMemory, end } = this.places
    if (offset >= HEAP_OFFSET) return 'global'
    if (offset >= CONSTANT_OFFSET) return 'constant'
    if (offset >= shared && offset < shared + sharedBytes) return 'shared'
    return offset >= localMemory && offset < end ? 'local' : undefined
  }

  /** trace.ts: shared memory by offsets in the window, local memory interleaved. */
  private modelAddress(space: Space, offset: number, lane: number, warp: number, localBytes: number): number {
    const { shared, localMemory } = this.places
    if (space === 'shared') return offset - shared
    if (space === 'local') return interleave(offset - localMemory - (warp * 32 + lane) * localBytes, lane)
    return (offset + DEVICE_BASE) >>> 0
  }
}
