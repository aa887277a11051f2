/**
 * How a launch's blocks lie on the device. In: its grid, its occupancy, what its busiest block has to do. Out: how many multiprocessors have
 * work and how unevenly, how many blocks one has at once and how many one place runs, one after the other.
 */
import type { Device } from '../../devices/device.ts'
import { blocksInGrid, threadsPerBlock } from '../launchCounters.ts'
import { type Occupancy, warpsPerBlock } from '../occupancy/occupancy.ts'
import { blockLife } from './blockLife.ts'
import type { BlockShape, LatencyChain, Shape, TimeInput } from './timeInput.ts'
import type { TimeParameters } from './timeParameters.ts'

export function shapeOf(input: TimeInput, device: Device, p: TimeParameters): Shape {
  const { launch, occupancy, busiest, workingBlocks = 1 } = input
  const blocks = blocksInGrid(launch)
  const active = Math.min(device.multiprocessors, blocks)
  const most = Math.ceil(blocks / active)
  const warps = warpsPerBlock(threadsPerBlock(launch))
  const stay = stayOfWarps(input, { blocks, warps }, p)
  const rounds = roundsOf(most, input, stay)
  const places = Math.max(occupancy.blocksPerMultiprocessor, most / rounds)
  const work = busiest?.work ?? 1
  const some = mostOfSome({ blocks, active, most, places, work })
  // Those that access no memory are behind a check of bounds, and so behind the others: where these are few, each is alone.
  const isAlone = workingBlocks < 1 && blocks / work <= active
  const mostWork = Math.max(most, work, isAlone ? 0 : some)
  return {
    blocks,
    warps,
    active,
    // One of them has at least the block with most work.
    imbalance: (mostWork * active) / blocks,
    places,
    rounds,
    stay,
  }
}

/** Work of the busiest block over the average one's, between which the others are taken to have as much or none: below it, most have some. */
const FEWEST_IDLE = 1.5
const MOST_ALIKE = 3
/** Blocks with work beyond the average that a multiprocessor gets, in standard deviations: of 132 the one with most. */
const SPREAD = 1.65

/**
 * What the multiprocessor has to do that got most of the blocks with work, where some have none; in average blocks. Blocks that are there at once
 * lie as it comes. Own: `partBlocks.cu`, blocks that work first, every other one, in a triangle, by chance: 1 to 5 of them for 0.5 to 3 on average.
 */
function mostOfSome({
  blocks,
  active,
  most,
  places,
  work,
}: Record<'blocks' | 'active' | 'most' | 'places' | 'work', number>): number {
  if (work < FEWEST_IDLE || work > MOST_ALIKE) return 0
  const share = 1 / work
  const average = (blocks * share) / active
  const atOnce = Math.min(1, (active * places) / blocks)
  const beyond = SPREAD * Math.sqrt(average * (1 - share)) * atOnce
  return work * Math.min(most, Math.round(average + beyond + 1 / 3))
}

function stayOfWarps(input: TimeInput, block: BlockShape, p: TimeParameters): number {
  const lifeOf = (chain: LatencyChain) => blockLife(input, { chain, work: 1 }, block, p)
  return Math.min(1, lifeOf(input.averageChain) / lifeOf(input.chain))
}

/**
 * How many blocks a place runs one after the other, where a multiprocessor gets so many. The first ones take the places that the occupancy has.
 * A warp of theirs that ends gives its own and its registers to warps of the next blocks, but only when a block ends does the device look for
 * room, and where all end together it starts one for each (own: `earlyEnds.cu`, one warp of a block goes on with a chain of
 * sums: blocks of 256, 512 and 1,024 threads take as many lives as if all did; not kept: 32 blocks whose one thread waits for memory, in two lives).
 */
function roundsOf(most: number, { occupancy, chain, busiest }: TimeInput, stay: number): number {
  const first = occupancy.blocksPerMultiprocessor
  const further = most - first
  if (further <= 0) return 1
  const endTogether = chain.globalWaits === 0 && !busiest
  if (endTogether) return most / first
  return 1 + Math.max(further / laterPlaces(occupancy, stay), Math.min(1, further / first))
}

/**
 * A block starts when all of its warps have room; shared memory and the place of a block are its own to its end (reading:
 * ajayn-Day3-prefix_sum_optimized, one warp of eight works: 32 blocks).
 */
function laterPlaces({ limits, blocksPerMultiprocessor }: Occupancy, stay: number): number {
  const whenOthersEnded = (limit: number) => Math.max(blocksPerMultiprocessor, (limit - 1) / stay + 1)
  const { warps, registers, sharedMemory, blocks } = limits
  return Math.min(whenOthersEnded(warps), whenOthersEnded(registers), sharedMemory, blocks)
}
