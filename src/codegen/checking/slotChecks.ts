/**
 * Tells a launch's checker (launch.ts) what generated code tells its host (checking.ts): accesses with their addresses as the checker
 * knows them, taken apart by spaces where only the address decides, and the meetings of threads.
 */
import { CONSTANT_OFFSET, DEVICE_BASE, HEAP_OFFSET } from '../../addressSpace.ts'
import { isBarrier } from '../../analysis/execution/splitBarriers.ts'
import { sharedBytes } from '../../analysis/facts/layout.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import type { Instruction } from '../../ir/ir.ts'
import type { AddressRow, CheckedAccess, LaunchChecker, LaunchRequest } from '../../launch.ts'
import type { Site, Space } from '../../trace.ts'
import { accessOf } from '../accesses/access.ts'
import type { CompiledKernel } from '../compileKernel.ts'
import type { Elements } from '../helpers/helpersMemory.ts'
import type { SlotPlaces } from '../running/slotRunner.ts'
import {
  ADDRESSES,
  CURRENT_BLOCK,
  FIXED_BYTES,
  MOST_QUIET_CALLS,
  MOST_QUIET_EVENTS,
  QUIET_ADDRESSES,
  QUIET_ATOMICS_END,
  QUIET_CALLS,
  QUIET_CALLS_END,
  QUIET_CALLS_NEXT,
  QUIET_EVENT_BYTES,
  QUIET_EVENTS,
  QUIET_LANES_BYTES,
  QUIET_NEXT,
  QUIET_RANGES,
  QUIET_READS_END,
  QUIET_SHARED,
  QUIET_SHARED_BYTES,
  QUIET_WRITES_END,
  VALUES,
} from '../slot.ts'
import { MEMBERS, OTHERS } from './checking.ts'
import { FIRST_ROW, TOLD_MEETING, toldIndex } from './toldNumbers.ts'

const LANES = 32

/** A site with the others of its instruction, and what its stores write. */
interface SiteFacts {
  readonly site: Site
  readonly others: ReadonlyMap<Space, Site> | undefined
  readonly elements: Elements | undefined
}

export class SlotChecks {
  private readonly program: KernelProgram
  private readonly checker: LaunchChecker
  private readonly facts: readonly (SiteFacts | undefined)[]
  private readonly rows: readonly AddressRow[]
  private readonly words: Int32Array
  private readonly bytes: Uint8Array
  private readonly members: Int32Array
  private readonly addresses = new Int32Array(LANES)
  /** What the slot has while others are told. */
  private readonly raw = new Int32Array(LANES)
  private readonly access: Mutable<CheckedAccess>
  private elements: Elements | undefined
  /** From offsets in device memory to what the checker has, of shared, global and constant memory. */
  private bias = 0
  /** Blocks that run one after the other, with nobody to say so: the one at hand. */
  private block: number | undefined
  private readonly startsBlocks: boolean
  /** KernelLayout.quiet, its words, and where the first access and the first call are kept. */
  private readonly quietStart: number
  private readonly quiet: Int32Array
  private readonly firstKept: number
  private readonly firstCall: number
  private readonly sharedBytes: number
  private readonly isBarrier: readonly boolean[]

  constructor(
    { program, memory, dynamicSharedBytes }: LaunchRequest,
    checker: LaunchChecker,
    { checkedRows, resumable, layout }: CompiledKernel,
    slot: number,
  ) {
    this.program = program
    this.checker = checker
    // Of blocks that take turns the scheduler says when they begin and end.
    this.startsBlocks = resumable === undefined
    this.rows = checkedRows.map(({ site, distances }, index) => ({
      index,
      site,
      distances,
      least: Math.min(...distances),
      most: Math.max(...distances),
      isRun: distances.every((distance, lane) => distance === distances[0]! + 4 * lane),
    }))
    this.words = new Int32Array(memory.buffer, slot, FIXED_BYTES >> 2)
    this.bytes = new Uint8Array(memory.buffer)
    this.members = this.words.subarray(MEMBERS >> 2, (MEMBERS >> 2) + LANES)
    this.quietStart = slot + layout.quiet
    this.quiet = new Int32Array(memory.buffer, this.quietStart, (layout.wordStamps - layout.quiet) >> 2)
    this.firstKept = this.quietStart + QUIET_EVENTS
    this.firstCall = this.quietStart + QUIET_CALLS
    if (this.startsBlocks) checker.shareTags({ memory, offset: slot + layout.tags }, this.rows)
    this.facts = factsOf(program)
    this.sharedBytes = sharedBytes(program.shared, dynamicSharedBytes)
    this.isBarrier = checker.points.calls.map(isBarrier)
    this.access = {
      site: program.sites[0]!,
      block: 0,
      warp: 0,
      lanes: 0,
      addresses: this.addresses,
      storesSame: (lane, other) => this.storesSame(lane, other),
      keeps: lane => this.keeps(lane),
    }
  }

  tell(told: number, lanes: number, warp: number, places: SlotPlaces): void {
    const block = this.words[CURRENT_BLOCK >> 2]! >>> 0
    if (this.startsBlocks && block !== this.block) this.beginBlock(block, places)
    if (told >= 0) this.tellAny(told, lanes, block, warp, places)
    else if (told === TOLD_MEETING) {
      this.tellKeptCalls(block)
      if (this.checker.meet(block)) this.forgetAccesses()
      else this.tellKept(block, places)
      this.noteKept(block)
    } else this.tellCall(told, lanes, block, warp, places)
  }

  private beginBlock(block: number, places: SlotPlaces): void {
    this.end()
    this.block = block
    this.checker.begin(block)
    const { quiet, firstCall } = this
    this.forgetAccesses()
    quiet[QUIET_CALLS_NEXT / 4] = firstCall
    quiet[QUIET_CALLS_END / 4] = firstCall + MOST_QUIET_CALLS * QUIET_EVENT_BYTES
    this.noteKept(block)
    quiet[QUIET_SHARED / 4] = places.shared
    quiet[QUIET_SHARED_BYTES / 4] = this.sharedBytes
  }

  /** The last block has ended. */
  end(): void {
    if (this.block !== undefined) this.checker.end(this.block)
    this.block = undefined
  }

  /** A row of the kernel's or a site. */
  private tellAny(told: number, lanes: number, block: number, warp: number, places: SlotPlaces): void {
    const row = told < FIRST_ROW ? undefined : this.rows[told - FIRST_ROW]!
    const { site, others } = this.facts[row?.site ?? told]!
    const isGlobal = !others && (site.space === 'global' || site.space === 'constant')
    if (!isGlobal) this.tellKept(block, places)
    if (row) this.tellRow(row, lanes, block, warp, places)
    else if (lanes !== 0) this.tellAccess(told, lanes, block, warp, places)
    if (isGlobal) this.noteRange(site)
    else this.noteKept(block)
  }

  private tellCall(told: number, lanes: number, block: number, warp: number, places: SlotPlaces): void {
    if (lanes === 0) return
    const index = toldIndex(told)
    this.tellKeptCalls(block)
    if (index >= this.isBarrier.length || this.isBarrier[index]) this.tellBarrier(index, lanes, block, warp)
    else {
      this.tellKept(block, places)
      this.checker.synchronize(block, warp, lanes, this.words[OTHERS >> 2]!, this.members, index)
    }
  }

  /** Somebody comes to a barrier, or past one. */
  private tellBarrier(index: number, lanes: number, block: number, warp: number): void {
    const points = this.isBarrier.length
    if (index < points) this.checker.arrive(block, warp, lanes, index)
    else this.checker.pass(block, warp, lanes, index - points)
  }

  // ---------------------------------------------------------------- what the kernel keeps for itself

  /** Where accesses of a site are not told from now on. */
  private noteRange(site: Site): void {
    const range = this.checker.quietRange(site)
    if (!range) return
    const at = QUIET_RANGES / 4 + 2 * site.id
    this.quiet[at] = range.start
    this.quiet[at + 1] = range.end - range.start
  }

  /** Whether accesses of shared memory are kept from now on. Of blocks that take turns none are. */
  private noteKept(block: number): void {
    if (!this.startsBlocks) return
    const { quiet, firstKept, endOfKept } = this
    const { reads, writes, atomics } = this.checker.keeps(block)
    quiet[QUIET_READS_END / 4] = reads ? endOfKept : firstKept
    quiet[QUIET_WRITES_END / 4] = writes ? endOfKept : firstKept
    quiet[QUIET_ATOMICS_END / 4] = atomics ? endOfKept : firstKept
  }

  /** Tells the accesses that were kept. */
  private tellKept(block: number, places: SlotPlaces): void {
    const { quiet, words, raw } = this
    const end = quiet[QUIET_NEXT / 4]!
    if (!this.startsBlocks || end === this.firstKept) return
    const at = ADDRESSES >> 2
    for (let lane = 0; lane < LANES; lane++) raw[lane] = words[at + lane]!
    for (let event = QUIET_EVENTS / 4; event < (end - this.quietStart) >> 2; event += eventWords(quiet[event]!)) {
      const told = quiet[event]!
      const lanes = quiet[event + 1]!
      const warp = quiet[event + 2]!
      if (told >= FIRST_ROW) {
        words[at] = quiet[event + 3]! + places.shared
        this.tellRow(this.rows[told - FIRST_ROW]!, lanes, block, warp, places)
      } else if (lanes !== 0) {
        for (let lane = 0; lane < LANES; lane++) words[at + lane] = quiet[event + QUIET_ADDRESSES / 4 + lane]!
        this.tellAccess(told, lanes, block, warp, places)
      }
    }
    for (let lane = 0; lane < LANES; lane++) words[at + lane] = raw[lane]!
    this.forgetAccesses()
  }

  private forgetAccesses(): void {
    if (this.startsBlocks) this.quiet[QUIET_NEXT / 4] = this.firstKept
  }

  /** Tells the calls that were kept; they have nothing to do with accesses. */
  private tellKeptCalls(block: number): void {
    const { quiet, firstCall } = this
    const end = quiet[QUIET_CALLS_NEXT / 4]!
    if (!this.startsBlocks || end === firstCall) return
    for (let at = QUIET_CALLS / 4; at < (end - this.quietStart) >> 2; at += QUIET_EVENT_BYTES / 4)
      if (quiet[at + 1] !== 0) this.tellBarrier(toldIndex(quiet[at]!), quiet[at + 1]!, block, quiet[at + 2]!)
    quiet[QUIET_CALLS_NEXT / 4] = firstCall
  }

  private get endOfKept(): number {
    return this.firstKept + MOST_QUIET_EVENTS * QUIET_EVENT_BYTES
  }

  private tellRow(row: AddressRow, lanes: number, block: number, warp: number, places: SlotPlaces): void {
    const { site, elements } = this.facts[row.site]!
    const { space } = site
    if (lanes === 0 || space === 'texture' || space === 'cluster') return
    const { access, addresses, checker } = this
    this.elements = elements
    access.site = site
    access.block = block
    access.warp = warp
    access.lanes = lanes
    const { distances } = row
    const raw = this.words[ADDRESSES >> 2]!
    if (space === 'local') {
      for (let lane = 0; lane < LANES; lane++) this.words[(ADDRESSES >> 2) + lane] = raw + distances[lane]!
      this.translate(space, warp, places)
      checker.access(access)
      return
    }
    this.bias = space === 'shared' ? -places.shared | 0 : DEVICE_BASE | 0
    const first = (raw + this.bias) | 0
    if (checker.accessRow(access, first, row)) return
    for (let lane = 0; lane < LANES; lane++) addresses[lane] = (first + distances[lane]!) | 0
    checker.access(access)
  }

  private tellAccess(id: number, lanes: number, block: number, warp: number, places: SlotPlaces): void {
    const { site, others, elements } = this.facts[id]!
    const { access } = this
    this.elements = elements
    access.block = block
    access.warp = warp
    if (!others) {
      if (site.space === 'texture' || site.space === 'cluster') return
      access.site = site
      access.lanes = lanes
      this.translate(site.space, warp, places)
      this.checker.access(access)
      return
    }
    const { words } = this
    const lanesOf = new Map<Space, number>()
    for (let lane = 0; lane < LANES; lane++) {
      if (!((lanes >>> lane) & 1)) continue
      const space =
        spaceOf(words[(ADDRESSES >> 2) + lane]! >>> 0, places) ?? (others.has('cluster') ? 'cluster' : 'global')
      lanesOf.set(space, (lanesOf.get(space) ?? 0) | (1 << lane))
    }
    for (const [space, some] of lanesOf) {
      if (space === 'texture' || space === 'cluster') continue
      access.site = others.get(space) ?? { ...site, space }
      access.lanes = some
      this.translate(space, warp, places)
      this.checker.access(access)
    }
  }

  private translate(space: Space, warp: number, { shared, localMemory }: SlotPlaces): void {
    const { words, addresses } = this
    const at = ADDRESSES >> 2
    if (space === 'local') {
      const { localBytes } = this.program
      const first = localMemory + warp * LANES * localBytes
      for (let lane = 0; lane < LANES; lane++) addresses[lane] = words[at + lane]! - first - lane * localBytes
      return
    }
    // Numbers of 31 bits: others are added as doubles.
    const bias = space === 'shared' ? -shared | 0 : DEVICE_BASE | 0
    this.bias = bias
    for (let lane = 0; lane < LANES; lane++) addresses[lane] = (words[at + lane]! + bias) | 0
  }

  private storesSame(lane: number, other: number): boolean {
    const { elements } = this
    if (!elements) return false
    for (let element = 0; element < elements.count; element++)
      for (let word = 0; word * 4 < elements.bytes; word++)
        if (this.stored(elements, element, word, lane) !== this.stored(elements, element, word, other)) return false
    return true
  }

  private keeps(lane: number): boolean {
    const { elements, bytes } = this
    if (!elements) return false
    let at = (this.addresses[lane]! - this.bias) >>> 0
    for (let element = 0; element < elements.count; element++)
      for (let byte = 0; byte < elements.bytes; byte++, at++)
        if (((this.stored(elements, element, byte >> 2, lane) >>> (8 * (byte & 3))) & 0xff) !== bytes[at]) return false
    return true
  }

  /** A word of what a lane stores, as stores.ts leaves it in the slot. */
  private stored({ bytes }: Elements, element: number, word: number, lane: number): number {
    const stride = bytes === 8 ? 8 : 4
    const all = this.words[(VALUES + element * LANES * stride + lane * stride + word * 4) >> 2]!
    return bytes === 1 ? all & 0xff : bytes === 2 ? all & 0xffff : all
  }
}

/** Words of an event that is kept. */
const eventWords = (told: number): number => (told >= 0 && told < FIRST_ROW ? QUIET_LANES_BYTES : QUIET_EVENT_BYTES) / 4

type Mutable<T> = { -readonly [key in keyof T]: T[key] }

const factsOfPrograms = new WeakMap<KernelProgram, readonly SiteFacts[]>()

function factsOf(program: KernelProgram): readonly SiteFacts[] {
  const before = factsOfPrograms.get(program)
  if (before) return before
  const facts: SiteFacts[] = []
  for (const [instruction, ids] of program.siteIds) {
    const all = Object.values(ids).map(id => program.sites[id]!)
    const others = all.length > 1 ? new Map(all.map(site => [site.space, site])) : undefined
    const elements = storedElements(instruction)
    for (const site of all) facts[site.id] = { site, others, elements }
  }
  factsOfPrograms.set(program, facts)
  return facts
}

function storedElements(instruction: Instruction): Elements | undefined {
  return instruction.op === 'store' ? accessOf(instruction).elements : undefined
}

/** Undefined in the system region outside of the block's own memory. */
function spaceOf(offset: number, { shared, sharedBytes, localMemory, end }: SlotPlaces): Space | undefined {
  if (offset >= HEAP_OFFSET) return 'global'
  if (offset >= CONSTANT_OFFSET) return 'constant'
  if (offset >= shared && offset < shared + sharedBytes) return 'shared'
  return offset >= localMemory && offset < end ? 'local' : undefined
}
