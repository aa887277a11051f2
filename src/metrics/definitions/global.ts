/** Global and local memory in the L1 cache: requests, sectors, tags, efficiency. MEMORY_MODEL.md sections 1 and 4. */
import type { AccessOp } from '../../trace.ts'
import { countedFidelity, type MetricDefinition, modelled, ratio } from '../definition.ts'
import { allOps, atomicOps, type LaunchCounters, sumSites } from '../launchCounters.ts'

const ncu = { vocabulary: 'ncu' } as const
const SECTOR_BYTES = 32

const loadsAndStores = [
  { suffix: 'ld', noun: 'load', nvprofPrefix: 'gld', ops: ['load'] },
  { suffix: 'st', noun: 'store', nvprofPrefix: 'gst', ops: ['store'] },
] as const satisfies readonly { suffix: string; noun: string; nvprofPrefix: string; ops: readonly AccessOp[] }[]

const atomics = [
  { suffix: 'atom', noun: 'atomic', ops: ['atomic'] },
  { suffix: 'red', noun: 'reduction (an atomic whose result is unused)', ops: ['red'] },
] as const satisfies readonly { suffix: string; noun: string; ops: readonly AccessOp[] }[]

const sectors = (launch: Pick<LaunchCounters, 'sites'>, ops: readonly AccessOp[]) =>
  sumSites(launch, 'global', ops, s => s.sectors)
const bytes = (launch: Pick<LaunchCounters, 'sites'>, ops: readonly AccessOp[]) =>
  sumSites(launch, 'global', ops, s => s.bytes)
/** Copies to shared memory past the registers (LDGSTS) are requests, sectors and tags, but no loads to the instruction's counters. */
const withoutCopies = ({ sites }: Pick<LaunchCounters, 'sites'>) => ({
  sites: sites.filter(({ form }) => form !== 'copy'),
})
const copies = ({ sites }: Pick<LaunchCounters, 'sites'>) => ({ sites: sites.filter(({ form }) => form === 'copy') })
const executed = (launch: Pick<LaunchCounters, 'sites'>, ops: readonly AccessOp[]) =>
  sumSites(launch, 'global', ops, s => s.executed)

/** What printf and malloc add to them (prints.ts, heapCalls.ts): requests and sectors, but no instructions of the kernel. */
const added = (
  { library }: Pick<LaunchCounters, 'library'>,
  ops: readonly AccessOp[],
  what: 'Requests' | 'Sectors',
): number =>
  (ops.includes('load') ? library?.[`load${what}`] : ops.includes('store') ? library?.[`store${what}`] : 0) ?? 0

const requestsMade = (launch: LaunchCounters, ops: readonly AccessOp[]) =>
  executed(launch, ops) + added(launch, ops, 'Requests')
const sectorsMoved = (launch: LaunchCounters, ops: readonly AccessOp[]) =>
  sectors(launch, ops) + added(launch, ops, 'Sectors')

const perOperation = loadsAndStores.flatMap(({ suffix, noun, nvprofPrefix, ops }): MetricDefinition[] => [
  {
    ...ncu,
    name: `smsp__sass_inst_executed_op_global_${suffix}.sum`,
    unit: 'inst',
    definition: `Warp-level global ${noun} instructions executed with at least one active lane.`,
    fidelity: countedFidelity,
    value: ({ launch }) => executed(withoutCopies(launch), ops),
  },
  {
    ...ncu,
    name: `smsp__inst_executed_op_global_${suffix}.sum`,
    counterpart: `inst_executed_global_${noun}s`,
    unit: 'inst',
    definition: `Warp-level global ${noun} instructions executed.`,
    fidelity: countedFidelity,
    value: ({ launch }) => executed(withoutCopies(launch), ops),
  },
  {
    ...ncu,
    name: `l1tex__t_requests_pipe_lsu_mem_global_op_${suffix}.sum`,
    counterpart: `global_${noun}_requests`,
    unit: 'request',
    definition: `Requests to the L1 tag stage for global ${noun}s: warp instructions with an active lane.`,
    fidelity: countedFidelity,
    value: ({ launch }) => requestsMade(launch, ops),
  },
  {
    ...ncu,
    name: `l1tex__t_sectors_pipe_lsu_mem_global_op_${suffix}.sum`,
    counterpart: `${nvprofPrefix}_transactions`,
    unit: 'sector',
    definition: `Distinct 32-byte sectors that the active lanes of each global ${noun} touch, summed.`,
    fidelity: countedFidelity,
    value: ({ launch }) => sectorsMoved(launch, ops),
  },
  {
    ...ncu,
    name: `l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_${suffix}.ratio`,
    counterpart: `${nvprofPrefix}_transactions_per_request`,
    unit: 'sector/request',
    definition: `Sectors a global ${noun} request: 4 when 32 lanes move 4 contiguous, aligned bytes each, 32 at worst.`,
    fidelity: countedFidelity,
    value: ({ launch }) => ratio(sectorsMoved(launch, ops), requestsMade(launch, ops)),
  },
  {
    ...ncu,
    name: `smsp__sass_average_data_bytes_per_sector_mem_global_op_${suffix}.ratio`,
    unit: 'byte/sector',
    definition: `Distinct bytes that global ${noun}s touch in each sector moved, of 32.`,
    fidelity: countedFidelity,
    value: ({ launch }) => ratio(bytes(withoutCopies(launch), ops), sectors(withoutCopies(launch), ops)),
  },
  {
    ...ncu,
    name: `smsp__sass_average_data_bytes_per_sector_mem_global_op_${suffix}.pct`,
    counterpart: `${nvprofPrefix}_efficiency`,
    unit: '%',
    definition: `Share of the bytes in the sectors moved that global ${noun}s touch.`,
    fidelity: countedFidelity,
    value: ({ launch }) =>
      ratio(100 * bytes(withoutCopies(launch), ops), SECTOR_BYTES * sectors(withoutCopies(launch), ops)),
  },
  {
    ...ncu,
    name: `l1tex__t_bytes_pipe_lsu_mem_global_op_${suffix}.sum`,
    unit: 'byte',
    definition: `Bytes of the sectors that global ${noun}s move: 32 a sector.`,
    fidelity: countedFidelity,
    value: ({ launch }) => SECTOR_BYTES * sectorsMoved(launch, ops),
  },
  {
    ...ncu,
    name: `l1tex__t_bytes_pipe_lsu_mem_global_op_${suffix}.sum.per_second`,
    counterpart: `${nvprofPrefix}_throughput`,
    unit: 'byte/second',
    definition: `Bytes of the sectors that global ${noun}s move, over the predicted duration.`,
    fidelity: modelled,
    value: ({ launch }) => launch.time && (SECTOR_BYTES * sectorsMoved(launch, ops)) / launch.time.seconds,
  },
])

const atomicMetrics = atomics.flatMap(({ suffix, noun, ops }): MetricDefinition[] => [
  {
    ...ncu,
    name: `l1tex__t_requests_pipe_lsu_mem_global_op_${suffix}.sum`,
    counterpart: suffix === 'atom' ? 'global_atomic_requests' : 'global_reduction_requests',
    unit: 'request',
    definition: `Global memory requests of the kind ${noun}.`,
    fidelity: countedFidelity,
    value: ({ launch }) => executed(launch, ops),
  },
  {
    ...ncu,
    name: `l1tex__t_sectors_pipe_lsu_mem_global_op_${suffix}.sum`,
    unit: 'sector',
    definition: `Sectors sent for global memory requests of the kind ${noun}: each as often as its most wanted address is hit.`,
    // Up to 2 sectors low on a warp that touches more than four lines: metrics/rules/coalescing.ts.
    fidelity: modelled,
    value: ({ launch }) => sectors(launch, ops),
  },
])

const asynchronous: MetricDefinition[] = [
  {
    ...ncu,
    name: 'smsp__inst_executed_op_ldgsts.sum',
    unit: 'inst',
    definition: 'Warp-level copies from global to shared memory past the registers (LDGSTS: cp.async, memcpy_async).',
    fidelity: countedFidelity,
    value: ({ launch }) => executed(copies(launch), ['load']),
  },
  ...[
    { suffix: 'access', what: 'through the L1', isPast: false },
    { suffix: 'bypass', what: 'past the L1 (cp.async.cg, of 16 bytes a lane)', isPast: true },
  ].map(
    ({ suffix, what, isPast }): MetricDefinition => ({
      ...ncu,
      name: `smsp__sass_inst_executed_op_ldgsts_cache_${suffix}.sum`,
      unit: 'inst',
      definition: `Warp-level copies from global to shared memory ${what}.`,
      fidelity: countedFidelity,
      value: ({ launch }) =>
        sumSites(copies(launch), 'global', ['load'], s => ((s.passesL1 === true) === isPast ? s.executed : 0)),
    }),
  ),
]

const totals: MetricDefinition[] = [
  ...asynchronous,
  {
    ...ncu,
    name: 'smsp__sass_inst_executed_op_global.sum',
    unit: 'inst',
    definition: 'Warp-level global memory instructions executed: loads, stores, atomics and reductions.',
    fidelity: modelled,
    value: ({ launch }) => executed(withoutCopies(launch), allOps),
  },
  {
    ...ncu,
    name: 'smsp__sass_inst_executed_op_global_atom.sum',
    unit: 'inst',
    definition: 'Warp-level global atomics executed whose result is used.',
    fidelity: modelled,
    value: ({ launch }) => executed(launch, ['atomic']),
  },
  {
    ...ncu,
    name: 'smsp__inst_executed_op_global_red.sum',
    counterpart: 'inst_executed_global_reductions',
    unit: 'inst',
    definition: 'Warp-level global reduction instructions executed.',
    fidelity: countedFidelity,
    value: ({ launch }) => executed(launch, ['red']),
  },
  ...['smsp', 'sm'].map(
    (unit): MetricDefinition => ({
      ...ncu,
      name: `${unit}__sass_l1tex_tags_mem_global.sum`,
      unit: '',
      definition: 'Distinct 128-byte lines that the active lanes of each global access touch, summed: L1 tag look-ups.',
      fidelity: countedFidelity,
      value: ({ launch }) => sumSites(launch, 'global', allOps, s => s.tags),
    }),
  ),
  {
    ...ncu,
    name: 'memory_l1_tag_requests_global',
    unit: '',
    definition: 'L1 tag requests of global accesses, as on the source page.',
    fidelity: countedFidelity,
    value: ({ launch }) => sumSites(launch, 'global', allOps, s => s.tags),
  },
  {
    ...ncu,
    name: 'memory_l2_theoretical_sectors_global',
    unit: 'sector',
    definition: 'Sectors that global accesses ask for, before any cache hit.',
    fidelity: countedFidelity,
    value: ({ launch }) => sectors(launch, allOps),
  },
  {
    ...ncu,
    name: 'memory_l2_theoretical_sectors_global_ideal',
    unit: 'sector',
    definition: "Sectors if each access's bytes were contiguous and aligned: ceil(active lanes x width / 32).",
    fidelity: countedFidelity,
    value: ({ launch }) => sumSites(launch, 'global', allOps, s => s.sectorsIdeal),
  },
  {
    ...ncu,
    name: 'derived__memory_l2_theoretical_sectors_global_excessive',
    unit: 'sector',
    definition: 'Sectors beyond the ideal: what coalescing could save. 0 at least.',
    fidelity: countedFidelity,
    value: ({ launch }) => sumSites(launch, 'global', allOps, s => Math.max(0, s.sectors - s.sectorsIdeal)),
  },
]

/** A local access of 8 or 16 bytes is 2 or 4 requests of interleaved words: read on an H200. */
const localRequests = (launch: LaunchCounters, ops: readonly AccessOp[]) =>
  sumSites(launch, 'local', ops, s => s.executed * Math.max(1, s.width / 4))

const local = loadsAndStores.flatMap(({ suffix, noun, ops }): MetricDefinition[] => [
  {
    ...ncu,
    name: `smsp__sass_inst_executed_op_local_${suffix}.sum`,
    counterpart: `inst_executed_local_${noun}s`,
    unit: 'inst',
    definition: `Warp-level local memory ${noun} instructions; what the machine compiler spills is not known here.`,
    fidelity: modelled,
    value: ({ launch }) => sumSites(launch, 'local', ops, s => s.executed),
  },
  {
    ...ncu,
    name: `smsp__inst_executed_op_local_${suffix}.sum`,
    unit: 'inst',
    definition: `Warp-level local memory ${noun} instructions executed; what the machine compiler spills is not known here.`,
    fidelity: modelled,
    value: ({ launch }) => sumSites(launch, 'local', ops, s => s.executed),
  },
  {
    ...ncu,
    name: `l1tex__t_requests_pipe_lsu_mem_local_op_${suffix}.sum`,
    counterpart: `local_${noun}_requests`,
    unit: 'request',
    definition: `Requests for local ${noun}s: one for each 4-byte word of the access.`,
    fidelity: modelled,
    value: ({ launch }) => localRequests(launch, ops),
  },
  {
    ...ncu,
    name: `l1tex__t_sectors_pipe_lsu_mem_local_op_${suffix}.sum`,
    counterpart: `local_${noun}_transactions`,
    unit: 'sector',
    definition: `Sectors that local ${noun}s touch, the lanes' words being interleaved.`,
    fidelity: modelled,
    value: ({ launch }) => sumSites(launch, 'local', ops, s => s.sectors),
  },
])

const localTotal: MetricDefinition = {
  ...ncu,
  name: 'memory_l2_theoretical_sectors_local',
  unit: 'sector',
  definition: 'Sectors that local accesses ask for, before any cache hit.',
  fidelity: modelled,
  value: ({ launch }) =>
    sumSites(launch, 'local', [...loadsAndStores.flatMap(({ ops }) => ops), ...atomicOps], s => s.sectors),
}

export const globalMetrics: readonly MetricDefinition[] = [
  ...perOperation,
  ...atomicMetrics,
  ...totals,
  ...local,
  localTotal,
]
