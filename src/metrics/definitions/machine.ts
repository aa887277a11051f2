/** Everything below L1 and around it: L2, DRAM, instructions. All modelled, and absent where no model ran. */
import { type MetricDefinition, type MetricInput, modelled, ratio, unsupported } from '../definition.ts'
import { allOps, type CacheTraffic, sumSites } from '../launchCounters.ts'
import { fromCaches, fromTime } from './fromModel.ts'

const ncu = { vocabulary: 'ncu' } as const
const SECTOR_BYTES = 32

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

const tagSectors = ({ launch }: MetricInput) =>
  sumSites(launch, 'global', allOps, s => s.sectors) + sumSites(launch, 'local', allOps, s => s.sectors)

const tagStage: MetricDefinition[] = [
  {
    ...ncu,
    name: 'l1tex__t_sectors.sum',
    unit: 'sector',
    definition: 'Sectors that global and local accesses ask L1 for; textures and surfaces are not among them.',
    fidelity: modelled,
    value: tagSectors,
  },
  {
    ...ncu,
    name: 'l1tex__t_bytes.sum',
    unit: 'byte',
    definition: 'Bytes of the sectors that global and local accesses ask L1 for: 32 a sector.',
    fidelity: modelled,
    value: input => SECTOR_BYTES * tagSectors(input),
  },
]

const caches: MetricDefinition[] = [
  fromCaches(
    'l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum',
    'sector',
    'Sectors of global loads found in L1.',
    c => c.l1GlobalLoadSectorHits,
  ),
  fromCaches(
    'l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum',
    'sector',
    'Sectors of global loads not found in L1.',
    (c, { launch }) => sumSites(launch, 'global', ['load'], s => s.sectors) - c.l1GlobalLoadSectorHits,
  ),
  fromCaches(
    'l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum',
    'sector',
    'Sectors of local loads found in L1.',
    c => c.l1LocalLoadSectorHits,
  ),
  fromCaches(
    'l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_miss.sum',
    'sector',
    'Sectors of local loads not found in L1.',
    (c, { launch }) => sumSites(launch, 'local', ['load'], s => s.sectors) - c.l1LocalLoadSectorHits,
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
  ...['', '_srcunit_tex'].flatMap(source => [
    fromCaches(`lts__t_sectors${source}_op_atom.sum`, 'sector', 'Sectors of atomics in L2.', c => c.l2AtomicSectors),
    fromCaches(
      `lts__t_sectors${source}_op_red.sum`,
      'sector',
      'Sectors of reductions in L2.',
      c => c.l2ReductionSectors,
    ),
    fromCaches(
      `lts__t_sectors${source}.sum`,
      'sector',
      'Sectors that the L1s read from L2, write or change in it.',
      l2Sectors,
    ),
    fromCaches(
      `lts__t_bytes${source}.sum`,
      'byte',
      'Bytes of the sectors that the L1s read from L2, write or change in it: 32 a sector.',
      c => SECTOR_BYTES * l2Sectors(c),
    ),
    fromCaches(
      `lts__t_sectors${source}_lookup_miss.sum`,
      'sector',
      'Sectors that L1 reads from L2 and L2 does not have.',
      l2Misses,
    ),
    fromCaches(
      `lts__t_sectors${source}_lookup_hit.sum`,
      'sector',
      'Sectors that reach L2 and find it there; stores and atomics always do.',
      c => l2Sectors(c) - l2Misses(c),
    ),
  ]),
  fromCaches(
    'lts__t_sectors_srcunit_tex_op_read_lookup_miss.sum',
    'sector',
    'Sectors that L1 reads from L2 and L2 does not have.',
    l2Misses,
  ),
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
]

function l2Sectors(c: CacheTraffic): number {
  return c.l2ReadSectors + c.l2WriteSectors + c.l2AtomicSectors + c.l2ReductionSectors
}

function l2Misses({ l2ReadSectors, l2ReadSectorHits }: CacheTraffic): number {
  return l2ReadSectors - l2ReadSectorHits
}

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
      `dram__bytes${suffix}.sum.pct_of_peak_sustained_elapsed`,
      '%',
      `Bytes ${moved} a second, of what DRAM's data sheet gives for both directions.`,
      (time, { launch, device }) =>
        launch.caches && (100 * bytes(launch.caches)) / time.seconds / (device.memoryBandwidthGBs * 1e9),
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
    name: 'sm__inst_executed.sum',
    unit: 'inst',
    definition: 'Warp-level instructions executed; machine instructions are estimated from the IR.',
    fidelity: modelled,
    value: input => instructionsOf(input, 'warps'),
  },
  {
    ...ncu,
    name: 'smsp__thread_inst_executed.sum',
    counterpart: 'thread_inst_executed',
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

const rates: MetricDefinition[] = [
  fromTime(
    'sm__inst_executed.avg.per_cycle_active',
    'inst/cycle',
    'Warp instructions a cycle and multiprocessor while it has work.',
    (t, input) => {
      const executed = instructionsOf(input, 'warps')
      return executed && ratio(executed, t.cycles * t.activeShare * input.device.multiprocessors)
    },
    'ipc',
  ),
  fromTime(
    'sm__inst_executed.avg.per_cycle_elapsed',
    'inst/cycle',
    'Warp instructions a cycle and multiprocessor.',
    (t, input) => {
      const executed = instructionsOf(input, 'warps')
      return executed && ratio(executed, t.cycles * input.device.multiprocessors)
    },
  ),
]

export const machineMetrics: readonly MetricDefinition[] = [...tagStage, ...caches, ...instructions, ...rates]
