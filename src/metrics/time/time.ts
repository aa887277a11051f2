/**
 * How long a launch takes on a device: the larger of what its throughputs and what its latencies demand, with queueing
 * between them. In: the launch's counters with cache traffic, its occupancy, and its chain of dependent waits.
 * Out: seconds, the limiter by name, every limiter's share. All of it is labelled `modelled`; docs/time-model.md has the
 * reasons, the parameters with their readings, and the errors. Source: MEMORY_MODEL.md section 6.
 */
import type { Device } from '../../devices/device.ts'
import { BUFFER_PACKETS } from '../deviceCalls/prints.ts'
import { blockLife, globalLatency, startCycles } from './blockLife.ts'
import { shapeOf } from './launchShape.ts'
import { computeRates, memoryRates, norm, stoppedSeconds } from './throughputs.ts'
import type { Limiter, PredictedTime, Shape, TimeInput } from './timeInput.ts'
import { type TimeParameters, timeParametersOf } from './timeParameters.ts'

/** What printf takes is a matter of the multiprocessor's clock (13 launches of unseen19 at 1,590 MHz: 0.84 of their time in its microseconds at 1,980). */
const PRINTS_READ_AT_MHZ = 1980
/** Its code is not in the instruction cache. */
const FIRST_PRINT_US = 6
const QUEUED_PRINT_US = 2.6
const QUEUED_LANE_US = 0.29
/** Until the host has printed a packet, once the buffer is full (own: 2.8 to 4.6, a matter of the host). */
const PRINTED_LANE_US = 3.5

/**
 * printf takes a place in a buffer of the host's, one call after the other, with a lock: its first call, those of the longest warp,
 * those of the others, which wait for their turn, and in a full buffer for the host. Own: 1 to 3,072 calls of whole warps; few lanes:
 * `simplePrintf`.
 */
function printSeconds({ chain, prints }: TimeInput, clockMHz: number): number {
  if (!prints || prints.calls === 0) return 0
  const others = 1 - Math.min(1, chain.prints / prints.calls)
  const queue = others * Math.max(QUEUED_PRINT_US * prints.calls, QUEUED_LANE_US * prints.lanes)
  const beyond = PRINTED_LANE_US * Math.max(0, prints.lanes - BUFFER_PACKETS)
  return 1e-6 * ((PRINTS_READ_AT_MHZ / clockMHz) * (FIRST_PRINT_US + chain.printUs + queue) + beyond)
}

/** Latencies grow with the load: T = A (1 + q B / T), solved for T. A: latency when idle, B: the throughputs' demand. */
function queued(idle: number, demand: number, queueing: number): number {
  return (idle + Math.sqrt(idle * idle + 4 * queueing * idle * demand)) / 2
}

/**
 * Warps that a multiprocessor with work has, on average: Little's law over the lives of its blocks. A block's place is empty
 * between its end and the first instructions of the next; where the device cannot start blocks fast enough, places stay empty
 * longer. Warps of a block start one after the other, and end so without a barrier, the more unevenly the more a throughput
 * limits them, since the oldest go first.
 * @param stretched seconds that all blocks' lives take one after the other in a place, under load
 * @param working seconds of the launch without its overhead, and of these, those in which an average multiprocessor has work
 * @param busiest seconds of the throughputs together
 * @param computing seconds of issue and of the pipes of arithmetic
 */
function residentWarps(
  { chain }: TimeInput,
  shape: Shape,
  p: TimeParameters,
  clock: number,
  {
    stretched,
    working,
    active,
    busiest,
    computing,
  }: Readonly<Record<'stretched' | 'working' | 'active' | 'busiest' | 'computing', number>>,
): number {
  const blocks = shape.blocks / shape.active
  const held = Math.min(shape.places, blocks)
  const inStep = chain.barriers > 0
  const empty = (1 - 1 / shape.rounds) * (p.blockTurnCycles + (inStep ? 0 : p.blockCyclesPerWarp * shape.warps))
  const life = Math.max(0, (stretched * clock) / shape.rounds - empty)
  // Where all blocks are there at once, nothing takes the place of warps that are ahead (own: 14 kernels limited by arithmetic, 57 to 63 %).
  const computeSpread = (shape.rounds === 1 ? 2 : 1) * p.warpSpread
  const gone = inStep
    ? 0
    : Math.min(1, Math.max(p.warpSpread * (busiest / working), computeSpread * (computing / working) ** 3))
  const average = (blocks * life * (1 - gone)) / (active * clock)
  return shape.warps * shape.stay * Math.min(held, average)
}

/**
 * Seconds at each end of a launch in which the machine is not yet, or no more, full: a block's start and one trip to memory.
 * A throughput's own time counts from the first request to the last.
 */
function endsOf(input: TimeInput, shape: Shape, p: TimeParameters, clock: number): number {
  const wait = Math.min(1, input.chain.globalWaits) * globalLatency(input, shape, p)
  return (p.ends * (startCycles(input, shape, p) + wait)) / clock
}

/**
 * Share of a launch's time in which an average one of the multiprocessors that get blocks has some: few wait for the busiest block,
 * the others for average ones.
 * @param lives the average blocks' lives over the launch's: 0 to 1
 */
function activeTime({ busiest }: TimeInput, { blocks, active }: Shape, lives: number): number {
  const waiting = Math.min(active, Math.ceil(blocks / (busiest?.work ?? 1)))
  return (waiting + (active - waiting) * lives) / active
}

/**
 * Share of the blocks that start only when others have ended: where the first have all the work and take all places, those that return at once
 * wait for them (readings: `karho`'s rows by warps, 522,240 empty blocks behind 2,048: 0.72 of their time before).
 */
function startedBehind({ busiest, workingBlocks = 1 }: TimeInput, { blocks, active, places }: Shape): number {
  const working = blocks * Math.min(workingBlocks, 1 / (busiest?.work ?? 1))
  if (working > MOST_WORKING * blocks) return 0
  return WAITING * Math.min(1, Math.max(0, (2 * working) / (active * places) - 1))
}
/** The others come as the first of these end, not the last (0.55 to 0.75 of them in the four readings). */
const WAITING = 0.7
/** Of a launch's blocks, where the others are taken to return at once. */
const MOST_WORKING = 0.25

/** @throws RangeError when the device holds no block of the kernel */
export function predictTime(input: TimeInput, device: Device): PredictedTime {
  if (input.occupancy.blocksPerMultiprocessor === 0)
    throw new RangeError('a block of this kernel does not fit a multiprocessor')
  const p = timeParametersOf(device)
  const clock = device.clockMHz * 1e6
  const shape = shapeOf(input, device, p)
  const compute = computeRates(input, device, shape, p)
  const memory = memoryRates(input, device, shape, p)
  const rates = { ...compute, ...memory }
  const largest = (of: Readonly<Record<string, number>>, exponent = p.sharpness) =>
    Object.values(of).reduce((sum, rate) => norm(sum, rate, exponent), 0)
  const busiest = largest(memory)
  const demand = Math.hypot(...Object.values(memory)) // a queue forms at each of them
  const lives = shape.rounds * blockLife(input, { chain: input.chain, work: 1 }, shape, p)
  const longest = input.busiest ? blockLife(input, input.busiest, shape, p) : 0
  const idle = (Math.max(lives, longest) + (input.coldCycles ?? 0) + (input.skippedCycles ?? 0)) / clock
  const average = Math.min(1, lives / longest)
  const activePart = activeTime(input, shape, average)
  const latency = queued(idle, demand, p.queueing)
  const blockStart = shape.blocks / p.blocksStartedPerCycle / clock
  const ends = endsOf(input, shape, p, clock)
  const inWarps =
    norm(latency, largest(compute, p.issueSharpness), p.issueSharpness) +
    printSeconds(input, device.clockMHz) +
    1e-6 * (input.heapUs ?? 0)
  const together = (bound: number) => norm(inWarps, bound + Math.min(bound, ends), p.sharpness)
  const behind = startedBehind(input, shape)
  const working = together(Math.max(busiest, (1 - behind) * blockStart)) + behind * blockStart
  const launch = p.launchUs * 1e-6
  const stopped = stoppedSeconds(input, device, shape)
  const seconds = launch + working + stopped
  const limits: Record<Limiter, number> = { ...rates, stores: rates.stores + stopped, blockStart, latency, launch }
  const limiter = (Object.keys(limits) as Limiter[]).reduce((a, b) => (limits[b] > limits[a] ? b : a))
  // Of the busiest multiprocessor's time, what the average one has.
  const everywhere = shape.active / shape.imbalance / device.multiprocessors
  return {
    seconds,
    cycles: seconds * clock,
    averageActiveWarps: residentWarps(input, shape, p, clock, {
      stretched: average * together(busiest),
      working,
      active: activePart * working,
      busiest: largest(rates),
      computing: largest(compute, p.issueSharpness),
    }),
    activeShare: (((activePart * working) / seconds) * shape.active) / device.multiprocessors,
    busy: {
      issue:
        (everywhere *
          Math.max(rates.issue, rates.integers, rates.multiplies, rates.doubles, rates.specials, rates.tensor)) /
        seconds,
      l1: (everywhere * rates.l1AndShared) / seconds,
      l2: Math.max(rates.l2, rates.stores, rates.atomics) / seconds,
    },
    limiter,
    limits,
  }
}
