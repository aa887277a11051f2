/**
 * The clocks of a launch's warps, for kernels that time themselves (`clock64()` around what is measured, or until enough time has gone by).
 * In: how often a warp came to each block of the kernel, and the accesses of blocks that are observed. Out: modelled cycles of
 * {@link LaunchClock}. The same waits as in the predicted time of a launch (latencyChain.ts), of one warp and up to a moment;
 * what all warps that are there at once issue and want of memory bounds them from below, as if all did the same.
 */
import type { KernelProgram } from '../../analysis/prepare.ts'
import type { Device } from '../../devices/device.ts'
import type { AccessObserver, Dim3, LaunchClock } from '../../launch.ts'
import type { AccessModel, WarpAccess } from '../../trace.ts'
import { l1LoadCycles } from '../caches/l1Loads.ts'
import { effectiveL2Bytes } from '../caches/memoryHierarchy.ts'
import { SectoredCache, sectorsIn } from '../caches/sectoredCache.ts'
import { ALU } from '../instructions/latencies.ts'
import { warpsPerBlock } from '../occupancy/occupancy.ts'
import { atomicSectorsSent, LINE_BYTES, SECTOR_BYTES } from '../rules/coalescing.ts'
import { TRIP } from './blockLife.ts'
import { type BlockWaits, waitsOfBlocks } from './latencyChain.ts'
import { type TimeParameters, timeParametersOf } from './timeParameters.ts'

/** What one multiprocessor gets from L2 in a cycle, at most. */
const MOST_L2_BYTES = 64

/** What a warp waits longer for each further wavefront of a shared access (own: `clocks.cu`, 2, 8 and 32 ways: 2.0, 2.0, 2.0). */
const FURTHER_WAVEFRONT = 2

/**
 * What the model's latencies of L1 and shared memory have of the instruction that computes the address, which a chain has by itself (own:
 * `clocks.cu`, 29.9 cycles from one index in shared memory to the next, 39.7 in L1; `probe.cu`, pointers: 23.2 and 31).
 */
const ADDRESS = 6

/** What a sleep takes longer than it is asked to (own: 1 us to 1 ms, 0.98 to 1.54 times; PTX allows twice), and at least. */
const SLEEP_FACTOR = 1.2
const SHORTEST_SLEEP = 96

/** Accesses of a launch that are looked at; the others are taken to be as these. */
const MOST_ACCESSES = 300_000

/**
 * A warp that waits for its clock is not made to go round for all of the time: from so many equal rounds on, in all of a launch or of a warp,
 * each one counts for as much of the wait as has gone by already.
 */
const ROUNDS_OF_LAUNCH = 500_000
const ROUNDS_OF_WARP = 256
const LONGER_ROUND = 1 / 64
/** Cycles of a wait that nobody means to end: its rounds are as long as they are, until the time limit. */
const LONGEST_WAIT = 1e12

const WAYS = 16

/** What L2 has, which all launches of a program share; undefined for a device without one. */
export const l2OfClocks = (device: Device): SectoredCache | undefined =>
  device.l2Bytes === 0 ? undefined : new SectoredCache(effectiveL2Bytes(device), WAYS)

/** Accesses since the clock was last told of passages. */
interface Accesses {
  loads: number
  /** Cycles that the loads take. */
  latency: number
  /** Cycles of L1 and shared memory's pipe, and those of them that a shared access takes beyond its first. */
  wavefronts: number
  further: number
  /** Sectors of atomics. */
  atomics: number
  /** Bytes that loads want of L2, and of DRAM. */
  fromL2: number
  fromDram: number
}

const NO_ACCESSES: Readonly<Accesses> = {
  loads: 0,
  latency: 0,
  wavefronts: 0,
  further: 0,
  atomics: 0,
  fromL2: 0,
  fromDram: 0,
}

/** One warp's way so far. */
interface WarpTime extends Accesses {
  cycles: number
  /** Of these, the ones that equal rounds of a wait count for beyond what they took. */
  skipped: number
  /** What the last passages took, since when they are equal, and how often they were. */
  round: number
  since: number
  rounds: number
}

export interface ClockedLaunch {
  readonly program: KernelProgram
  readonly grid: Dim3
  readonly block: Dim3
  readonly model: AccessModel
  readonly l1Bytes: number
  readonly blocksPerMultiprocessor: number
  readonly startCycles: number
}

export class WarpClocks implements LaunchClock, AccessObserver {
  readonly startCycles: number
  readonly #p: TimeParameters
  readonly #waits: readonly BlockWaits[]
  readonly #model: AccessModel
  readonly #warps: number
  readonly #multiprocessors: number
  /** Warps that are on a multiprocessor, at most. */
  readonly #resident: number
  readonly #blocks = new Map<number, WarpTime[]>()
  /** When the block ended that had each place, in order of their numbers, and what was skipped there. */
  readonly #ends: Float64Array
  readonly #skipped: Float64Array
  readonly #mostRounds: number
  readonly #partitions: number
  readonly #l1: SectoredCache | undefined
  readonly #l2: SectoredCache | undefined
  /** Of one multiprocessor, while all do the same. */
  readonly #l2BytesPerCycle: number
  readonly #dramBytesPerCycle: number
  #accesses = 0
  #loads = 0
  #latency = 0
  /** While accesses are looked at: what chains of warps took alone, and beside the others. */
  #chains = 0
  #taken = 0

  /** @param l2 {@link l2OfClocks} */
  constructor(device: Device, l2: SectoredCache | undefined, launch: ClockedLaunch) {
    const { program, grid, block, model, l1Bytes, blocksPerMultiprocessor } = launch
    this.startCycles = launch.startCycles
    this.#p = timeParametersOf(device)
    this.#waits = waitsOfBlocks(program)
    this.#model = model
    this.#warps = warpsPerBlock(block.x * block.y * block.z)
    const blocks = grid.x * grid.y * grid.z
    this.#multiprocessors = Math.min(device.multiprocessors, blocks)
    const held = Math.min(blocksPerMultiprocessor, Math.ceil(blocks / device.multiprocessors))
    this.#resident = held * this.#warps
    this.#ends = new Float64Array(this.#multiprocessors * held)
    this.#skipped = new Float64Array(this.#ends.length)
    this.#mostRounds = Math.max(ROUNDS_OF_WARP, ROUNDS_OF_LAUNCH / (blocks * this.#warps))
    this.#partitions = device.partitions
    this.#l1 = l1Bytes === 0 ? undefined : new SectoredCache(l1Bytes, WAYS, this.#multiprocessors)
    this.#l2 = l2
    const { l2BytesPerCycle, dramEfficiency } = this.#p
    const share = device.multiprocessors / this.#multiprocessors
    this.#l2BytesPerCycle = Math.min(MOST_L2_BYTES, l2BytesPerCycle * share)
    const dram = (device.memoryBandwidthGBs * 1e3 * dramEfficiency) / device.clockMHz / this.#multiprocessors
    this.#dramBytesPerCycle = Math.min(MOST_L2_BYTES, dram)
  }

  wants(): boolean {
    return this.#accesses < MOST_ACCESSES
  }

  begin(block: number): void {
    const cycles = this.#ends[block % this.#ends.length]!
    const warps = Array.from({ length: this.#warps }, () => ({
      cycles,
      skipped: 0,
      round: 0,
      since: 0,
      rounds: 0,
      ...NO_ACCESSES,
    }))
    this.#blocks.set(block, warps)
  }

  advance(block: number, warp: number, passages: Uint32Array): void {
    const p = this.#p
    let [globalWaits, sharedWaits, trips, dependent, issued] = [0, 0, 0, 0, 0]
    for (let at = 0; at < passages.length; at++) {
      const times = passages[at]!
      if (times === 0) continue
      const waits = this.#waits[at]!
      globalWaits += times * waits.globalWaits
      sharedWaits += times * waits.sharedWaits
      trips += times * waits.l2Trips
      dependent += times * waits.dependentCycles
      issued += times * waits.issue
    }
    const time = this.#blocks.get(block)![warp]!
    const chain =
      dependent * (p.aluLatency / ALU) +
      globalWaits * this.#latencyOf(time) +
      sharedWaits * (p.sharedLatency - ADDRESS) +
      trips * TRIP * p.l2Latency +
      time.further * FURTHER_WAVEFRONT
    const others = Math.max(
      issued / this.#partitions,
      time.wavefronts * p.sharedCyclesPerWavefront,
      time.atomics / p.atomicSectorsPerCycle,
      time.fromL2 / this.#l2BytesPerCycle,
      time.fromDram / this.#dramBytesPerCycle,
    )
    const cycles = Math.max(chain, this.#resident * others)
    if (this.wants()) {
      this.#chains += chain
      this.#taken += cycles
      this.#addRound(time, cycles)
    } else this.#addRound(time, Math.max(cycles, (chain * this.#taken) / (this.#chains || 1)))
    Object.assign(time, NO_ACCESSES)
  }

  sleep(block: number, warp: number, cycles: number): void {
    const time = this.#blocks.get(block)![warp]!
    const taken = SHORTEST_SLEEP + SLEEP_FACTOR * cycles
    time.cycles += taken
    time.skipped += taken
    time.rounds = 0
  }

  /** From one reading to the next. */
  #addRound(time: WarpTime, cycles: number): void {
    if (cycles === 0) return
    if (cycles !== time.round || time.loads > 0) {
      time.round = cycles
      time.since = time.cycles
      time.rounds = 0
    }
    const waited = time.cycles - time.since
    const isLong = ++time.rounds > this.#mostRounds && waited < LONGEST_WAIT
    const longer = isLong ? Math.max(0, LONGER_ROUND * waited - cycles) : 0
    time.cycles += cycles + longer
    time.skipped += longer
  }

  /** Of a load of the warp, on average. */
  #latencyOf({ loads, latency }: WarpTime): number {
    if (loads > 0) return latency / loads
    return this.#loads > 0 ? this.#latency / this.#loads : this.#p.l2Latency
  }

  meet(block: number): void {
    const warps = this.#blocks.get(block)!
    const { barrierCycles, barrierCyclesPerWarp } = this.#p
    const { cycles, skipped } = latestOf(warps)
    for (const time of warps) {
      time.cycles = cycles + barrierCycles + barrierCyclesPerWarp * this.#warps
      time.skipped = skipped
    }
  }

  end(block: number): void {
    const { cycles, skipped } = latestOf(this.#blocks.get(block)!)
    const place = block % this.#ends.length
    this.#ends[place] = cycles
    this.#skipped[place]! += skipped
    this.#blocks.delete(block)
  }

  /** Cycles of sleep, and of waits that no warp went round for: what the launch takes beside what its counters tell. */
  get skippedCycles(): number {
    return this.#skipped.reduce((most, cycles) => Math.max(most, cycles), 0)
  }

  cyclesOf(block: number, warp: number): number {
    return this.#blocks.get(block)![warp]!.cycles
  }

  record(block: number, warp: number, access: WarpAccess): void {
    const time = this.#blocks.get(block)?.[warp]
    if (!time) return
    this.#accesses++
    if (access.space === 'shared') {
      const { wavefronts } = this.#model(access)
      time.wavefronts += wavefronts
      time.further += wavefronts - 1
    } else if (access.space === 'global') this.#recordGlobal(block, time, access)
    else if (access.space === 'local' && access.op === 'load') this.#addLoad(time, this.#p.l1Latency)
  }

  #recordGlobal(block: number, time: WarpTime, access: WarpAccess): void {
    const multiprocessor = block % this.#multiprocessors
    const isLoad = access.op === 'load'
    let slowest = 0
    const lines = linesOf(access)
    if (isLoad) time.wavefronts += l1LoadCycles(access, lines.size)
    else if (access.op !== 'store') time.atomics += atomicSectorsSent(access)
    for (const [line, sectors] of lines) {
      if (!isLoad) {
        this.#l2?.access(line, sectors, sectors, 0)
        continue
      }
      const hit = access.passesL1 ? 0 : (this.#l1?.access(line, sectors, sectors, 0, 0, multiprocessor).hit ?? 0)
      const missed = sectors & ~hit
      const isInL2 = missed !== 0 && this.#l2?.access(line, missed, missed, 0).hit === missed
      const { l1Latency, l2Latency, dramLatency } = this.#p
      const latency = missed === 0 ? l1Latency : isInL2 ? l2Latency : dramLatency
      slowest = Math.max(slowest, latency - ADDRESS)
      time.fromL2 += SECTOR_BYTES * sectorsIn(missed)
      if (!isInL2) time.fromDram += SECTOR_BYTES * sectorsIn(missed)
    }
    if (isLoad) this.#addLoad(time, slowest)
  }

  #addLoad(time: WarpTime, latency: number): void {
    time.loads++
    time.latency += latency
    this.#loads++
    this.#latency += latency
  }
}

const latestOf = (warps: readonly WarpTime[]): WarpTime => warps.reduce((a, b) => (b.cycles > a.cycles ? b : a))

/** Lines of 128 bytes that the lanes touch, each with its sectors. */
function linesOf({ mask, addresses, width }: WarpAccess): Map<number, number> {
  const lines = new Map<number, number>()
  for (let lane = 0; lane < 32; lane++) {
    if (!((mask >>> lane) & 1)) continue
    const first = addresses[lane]!
    for (let at = first; at < first + width; at += SECTOR_BYTES) {
      const line = Math.floor(at / LINE_BYTES)
      lines.set(line, (lines.get(line) ?? 0) | (1 << Math.floor((at % LINE_BYTES) / SECTOR_BYTES)))
    }
  }
  return lines
}
