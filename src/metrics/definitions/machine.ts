/** Everything below L1 and around it: L2, DRAM, instructions, time. All modelled, and absent where no model ran. */
import { type MetricDefinition, type MetricInput, modelled, ratio, unsupported } from '../definition.ts'
import { type CacheTraffic, type LaunchTime, sumSites } from '../launchCounters.ts'

const ncu = { vocabulary: 'ncu' } as const
const SECTOR_BYTES = 32

function fromCaches(
  name: string,
  unit: string,
  definition: string,
  value: (caches: CacheTraffic, input: MetricInput) => number,
  counterpart?: string,
): MetricDefinition {
  return {
    ...ncu,
    name,
    unit,
    definition,
    ...(counterpart && { counterpart }),
    fidelity: modelled,
    value: input => input.launch.caches && value(input.launch.caches, input),
  }
}

function fromTime(
  name: string,
  unit: string,
  definition: string,
  value: (time: LaunchTime, input: MetricInput) => number | undefined,
  counterpart?: string,
): MetricDefinition {
  return {
    ...ncu,
    name,
    unit,
    definition,
    ...(counterpart && { counterpart }),
    fidelity: modelled,
    value: input => input.launch.time && value(input.launch.time, input),
  }
}

function missing(name: string, unit: string, definition: string, counterpart?: string): MetricDefinition {
  return {
    ...ncu,
    name,
    unit,
    definition,
    ...(counterpart && { counterpart }),
    fidelity: unsupported,
    value: () => undefined,
  }
}

const loadSectors = ({ launch }: MetricInput) =>
  sumSites(launch, 'global', ['load'], s => s.sectors) + sumSites(launch, 'local', ['load'], s => s.sectors)

const caches: MetricDefinition[] = [
  fromCaches(
    'l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum',
    'sector',
    'Sectors of global loads found in L1.',
    c => c.l1GlobalLoadSectorHits,
  ),
  fromCaches(
    'l1tex__t_sector_hit_rate.pct',
    '%',
    'Share of the sectors loaded that L1 has.',
    (c, input) => ratio(100 * (c.l1GlobalLoadSectorHits + c.l1LocalLoadSectorHits), loadSectors(input)),
    'global_hit_rate',
  ),
  fromCaches(
    'lts__t_sectors_srcunit_tex_op_read.sum',
    'sector',
    'Sectors that L1 reads from L2.',
    c => c.l2ReadSectors,
    'l2_tex_read_transactions',
  ),
  fromCaches(
    'lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum',
    'sector',
    'Sectors that L1 reads from L2 and L2 has.',
    c => c.l2ReadSectorHits,
  ),
  fromCaches(
    'lts__t_sectors_srcunit_tex_op_write.sum',
    'sector',
    'Sectors that stores write through L1 to L2.',
    c => c.l2WriteSectors,
    'l2_tex_write_transactions',
  ),
  fromCaches(
    'lts__t_sectors_op_read.sum',
    'sector',
    'Sectors read from L2.',
    c => c.l2ReadSectors,
    'l2_read_transactions',
  ),
  fromCaches(
    'lts__t_sectors_op_write.sum',
    'sector',
    'Sectors written to L2.',
    c => c.l2WriteSectors,
    'l2_write_transactions',
  ),
  fromCaches('lts__t_sectors_op_atom.sum', 'sector', 'Sectors of atomics in L2.', c => c.l2AtomicSectors),
  fromCaches('lts__t_sectors_op_red.sum', 'sector', 'Sectors of reductions in L2.', c => c.l2ReductionSectors),
  fromCaches(
    'lts__t_sector_hit_rate.pct',
    '%',
    'Share of the sectors that reach L2 and find it there; stores always do.',
    c => ratio(100 * (c.l2ReadSectorHits + c.l2WriteSectors), c.l2ReadSectors + c.l2WriteSectors),
    'l2_tex_hit_rate',
  ),
  ...(['read', 'write'] as const).flatMap(direction =>
    dramMetrics(
      `_${direction}`,
      direction === 'read' ? 'read from DRAM' : 'written to DRAM',
      c => (direction === 'read' ? c.dramReadBytes : c.dramWriteBytes),
      `dram_${direction}`,
    ),
  ),
  ...dramMetrics('', 'read from DRAM and written to it', dramBytes),
  fromTime(
    'dram__throughput.avg.pct_of_peak_sustained_elapsed',
    '%',
    'Bytes of DRAM a second, of what its data sheet gives.',
    (time, { launch, device }) =>
      launch.caches && (100 * dramBytes(launch.caches)) / time.seconds / (device.memoryBandwidthGBs * 1e9),
  ),
]

function dramBytes({ dramReadBytes, dramWriteBytes }: CacheTraffic): number {
  return dramReadBytes + dramWriteBytes
}

/** `suffix` and `moved` say which way; `nvprof` is the beginning of nvprof's names, where it has them. */
function dramMetrics(
  suffix: string,
  moved: string,
  bytes: (caches: CacheTraffic) => number,
  nvprof?: string,
): MetricDefinition[] {
  const old = (name: string): string | undefined => nvprof && `${nvprof}_${name}`
  return [
    fromCaches(`dram__bytes${suffix}.sum`, 'byte', `Bytes ${moved}.`, bytes, old('bytes')),
    fromCaches(
      `dram__sectors${suffix}.sum`,
      'sector',
      `Sectors ${moved}.`,
      c => bytes(c) / SECTOR_BYTES,
      old('transactions'),
    ),
    fromTime(
      `dram__bytes${suffix}.sum.per_second`,
      'byte/second',
      `Bytes ${moved} a second.`,
      (time, { launch }) => launch.caches && bytes(launch.caches) / time.seconds,
      old('throughput'),
    ),
  ]
}

const instructionsOf = ({ launch }: MetricInput, per: 'warps' | 'threads'): number | undefined => {
  let sum = 0
  for (const block of launch.blocks) {
    if (block.instructions === undefined) return undefined
    sum += block[per] * block.instructions
  }
  return sum
}

const instructions: MetricDefinition[] = [
  {
    ...ncu,
    name: 'smsp__inst_executed.sum',
    counterpart: 'inst_executed',
    unit: 'inst',
    definition: 'Warp-level instructions executed; machine instructions are estimated from the IR.',
    fidelity: modelled,
    value: input => instructionsOf(input, 'warps'),
  },
  {
    ...ncu,
    name: 'smsp__thread_inst_executed.sum',
    unit: 'inst',
    definition: 'Instructions executed, summed over active lanes; machine instructions are estimated from the IR.',
    fidelity: modelled,
    value: input => instructionsOf(input, 'threads'),
  },
  {
    ...ncu,
    name: 'smsp__thread_inst_executed_per_inst_executed.ratio',
    counterpart: 'warp_execution_efficiency',
    unit: '',
    definition: 'Active lanes an instruction, of 32.',
    fidelity: modelled,
    value: input => {
      const threads = instructionsOf(input, 'threads')
      const warps = instructionsOf(input, 'warps')
      return threads === undefined || warps === undefined ? undefined : ratio(threads, warps)
    },
  },
  missing(
    'smsp__sass_average_branch_targets_threads_uniform.pct',
    '%',
    'Share of the branch targets that all lanes of the warp take; predication by the machine compiler hides branches from us.',
    'branch_efficiency',
  ),
  ...['ld', 'st'].map(op =>
    missing(
      `l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_${op}.sum`,
      '',
      'Wavefronts that the L1 tag stage sends on; the rule known for them misses 5 % of the patterns read.',
    ),
  ),
  missing(
    'idc__requests.sum',
    'request',
    'Requests to the constant cache: constant operands are the machine compiler’s choice.',
  ),
]

const time: MetricDefinition[] = [
  fromTime('gpu__time_duration.sum', 'ns', 'Duration of the launch, predicted.', ({ seconds }) =>
    Math.round(seconds * 1e9),
  ),
  fromTime(
    'sm__cycles_elapsed.max',
    'cycle',
    "Multiprocessor cycles from the launch's start to its end.",
    t => t.cycles,
  ),
  fromTime(
    'sm__warps_active.avg.pct_of_peak_sustained_active',
    '%',
    'Achieved occupancy: warps resident on an active multiprocessor, of those that it can hold.',
    ({ averageActiveWarps }, { device }) => (100 * averageActiveWarps) / device.maxWarpsPerMultiprocessor,
    'achieved_occupancy',
  ),
  fromTime(
    'smsp__cycles_active.avg.pct_of_peak_sustained_elapsed',
    '%',
    'Share of the duration in which a multiprocessor has work.',
    ({ activeShare }) => 100 * activeShare,
    'sm_efficiency',
  ),
  fromTime(
    'sm__inst_executed.avg.per_cycle_active',
    'inst/cycle',
    'Warp instructions a cycle and multiprocessor.',
    (t, input) => {
      const executed = instructionsOf(input, 'warps')
      return executed && ratio(executed, t.cycles * t.activeShare * input.device.multiprocessors)
    },
    'ipc',
  ),
]

export const machineMetrics: readonly MetricDefinition[] = [...caches, ...instructions, ...time]
