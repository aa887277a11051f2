/** The launch itself and its occupancy: `launch__*` and theoretical warps. MEMORY_MODEL.md section 5. */
import {
  countedFidelity,
  exact,
  type MetricDefinition,
  type MetricInput,
  modelled,
  registerFidelity,
} from '../definition.ts'
import { blocksInGrid, threadsPerBlock } from '../launchCounters.ts'
import type { Occupancy, OccupancyLimiter } from '../occupancy/occupancy.ts'
import { wavesOf } from '../occupancy/occupancy.ts'

const ncu = { vocabulary: 'ncu' } as const

function geometry(
  name: string,
  unit: string,
  definition: string,
  value: (input: MetricInput) => number,
): MetricDefinition {
  return { ...ncu, name: `launch__${name}`, unit, definition, fidelity: exact, value }
}

function fromOccupancy(
  name: string,
  unit: string,
  definition: string,
  value: (occupancy: Occupancy, input: MetricInput) => number,
  fidelity: MetricDefinition['fidelity'] = registerFidelity,
): MetricDefinition {
  return { ...ncu, name, unit, definition, fidelity, value: input => input.occupancy && value(input.occupancy, input) }
}

const limit = (name: string, limiter: OccupancyLimiter, resource: string) =>
  fromOccupancy(
    `launch__occupancy_limit_${name}`,
    'block',
    `Blocks that a multiprocessor can hold by its ${resource} alone.`,
    ({ limits }) => limits[limiter],
    limiter === 'registers' || limiter === 'sharedMemory' ? registerFidelity : countedFidelity,
  )

export const launchMetrics: readonly MetricDefinition[] = [
  geometry('grid_size', '', 'Blocks of the launch.', ({ launch }) => blocksInGrid(launch)),
  geometry('block_size', '', 'Threads of a block.', ({ launch }) => threadsPerBlock(launch)),
  geometry(
    'thread_count',
    'thread',
    'Threads of the launch.',
    ({ launch }) => blocksInGrid(launch) * threadsPerBlock(launch),
  ),
  geometry('sm_count', 'SM', 'Multiprocessors of the device.', ({ device }) => device.multiprocessors),
  geometry(
    'shared_mem_per_block_static',
    'byte/block',
    'Statically sized shared memory of a block.',
    ({ launch }) => launch.staticSharedBytes,
  ),
  geometry(
    'shared_mem_per_block_dynamic',
    'byte/block',
    'Dynamic shared memory of a block, as the launch asks for it.',
    ({ launch }) => launch.dynamicSharedBytes,
  ),
  geometry(
    'shared_mem_per_block_driver',
    'byte/block',
    'Shared memory of a block that the driver keeps for itself.',
    ({ device }) => device.sharedBytesReserved,
  ),
  {
    ...ncu,
    name: 'launch__registers_per_thread',
    unit: 'register/thread',
    definition: 'Registers that the machine compiler gives a thread.',
    fidelity: registerFidelity,
    value: ({ launch }) => launch.registersPerThread,
  },
  fromOccupancy(
    'launch__shared_mem_per_block_allocated',
    'byte/block',
    "Shared memory that a block takes: static, dynamic and the driver's, rounded up to the allocation unit.",
    ({ sharedBytesPerBlock }) => sharedBytesPerBlock,
  ),
  fromOccupancy(
    'launch__shared_mem_config_size',
    'byte',
    'Shared memory of a multiprocessor while the kernel runs: the carve-out that the program prefers or the driver chooses.',
    ({ sharedCarveoutBytes }) => sharedCarveoutBytes,
    modelled,
  ),
  limit('registers', 'registers', 'registers'),
  limit('shared_mem', 'sharedMemory', 'shared memory'),
  limit('blocks', 'blocks', 'places for blocks'),
  limit('warps', 'warps', 'places for warps'),
  fromOccupancy(
    'launch__waves_per_multiprocessor',
    '',
    'Blocks of the grid over the blocks that the whole device holds at once.',
    (occupancy, { launch, device }) =>
      occupancy.blocksPerMultiprocessor === 0 ? 0 : wavesOf(device, occupancy, blocksInGrid(launch)).waves,
  ),
  fromOccupancy(
    'sm__maximum_warps_per_active_cycle_pct',
    '%',
    'Theoretical occupancy: warps that a multiprocessor can hold of this kernel, of those that it can hold at all.',
    ({ theoreticalPercent }) => theoreticalPercent,
  ),
  fromOccupancy(
    'sm__maximum_warps_avg_per_active_cycle',
    'warp',
    'Warps of this kernel that a multiprocessor can hold.',
    ({ warpsPerMultiprocessor }) => warpsPerMultiprocessor,
  ),
]
