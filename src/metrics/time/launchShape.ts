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
  const { launch, occupancy, busiest } = input
  const blocks = blocksInGrid(launch)
  const active = Math.min(device.multiprocessors, blocks)
  const most = Math.ceil(blocks / active)
  const warps = warpsPerBlock(threadsPerBlock(launch))
  const stay = stayOfWarps(input, { blocks, warps }, p)
  const places = placesOf(occupancy, stay)
  return {
    blocks,
    warps,
    active,
    // One of them has at least the block with most work.
    imbalance: (Math.max(most, busiest?.work ?? 1) * active) / blocks,
    places,
    rounds: Math.max(1, most / places),
    stay,
  }
}

function stayOfWarps(input: TimeInput, block: BlockShape, p: TimeParameters): number {
  if (!input.averageChain) return 1
  const lifeOf = (chain: LatencyChain) => blockLife(input, { chain, work: 1 }, block, p)
  return Math.min(1, lifeOf(input.averageChain) / lifeOf(input.chain))
}

/**
 * A warp that ends gives its place and its registers to warps of the next block, which starts when all of its warps have some; shared
 * memory and the place of a block are its own to its end (reading: ajayn-Day3-prefix_sum_optimized, one warp of eight works: 32 blocks).
 */
function placesOf({ limits, blocksPerMultiprocessor }: Occupancy, stay: number): number {
  const whenOthersEnded = (limit: number) => Math.max(blocksPerMultiprocessor, (limit - 1) / stay + 1)
  const { warps, registers, sharedMemory, blocks } = limits
  return Math.min(whenOthersEnded(warps), whenOthersEnded(registers), sharedMemory, blocks)
}
