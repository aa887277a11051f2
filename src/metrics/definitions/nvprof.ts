/**
 * nvprof's names, with its definitions, which differ by generation where Nsight Compute's do not. MEMORY_MODEL.md
 * sections 3 and 4. Below 7.0 a site's `tags` counter holds what nvprof's `g{ld,st}_transactions` counts on that
 * generation (olderCoalescing.ts), `sectors` the 32-byte units moved.
 */
import type { Device } from '../../devices/device.ts'
import { capabilityNumber } from '../../devices/devices.ts'
import type { AccessOp } from '../../trace.ts'
import { countedFidelity, type MetricDefinition, type MetricInput, modelled, ratio } from '../definition.ts'
import { atomicOps, type LaunchCounters, requestedBytes, sumSites } from '../launchCounters.ts'
import { arithmeticMetrics, flopCounts } from './arithmetic.ts'
import { globalMetrics } from './global.ts'
import { machineMetrics } from './machine.ts'
import { sharedMetrics } from './shared.ts'
import { textureMetrics } from './textures.ts'
import { throughputMetrics } from './throughput.ts'

const SECTOR_BYTES = 32
const isVoltaOrLater = (device: Device) => capabilityNumber(device) >= 70
const isSectoredL1 = (device: Device) => capabilityNumber(device) >= 50 && !isVoltaOrLater(device)

function nvprof(
  name: string,
  unit: string,
  definition: string,
  value: (input: MetricInput) => number | undefined,
  counterpart?: string,
  fidelity: MetricDefinition['fidelity'] = countedFidelity,
): MetricDefinition {
  return { name, vocabulary: 'nvprof', unit, definition, ...(counterpart && { counterpart }), fidelity, value }
}

const executed = (launch: LaunchCounters, ops: readonly AccessOp[]) => sumSites(launch, 'global', ops, s => s.executed)
const sectors = (launch: LaunchCounters, ops: readonly AccessOp[]) => sumSites(launch, 'global', ops, s => s.sectors)
const requested = (launch: LaunchCounters, ops: readonly AccessOp[]) => sumSites(launch, 'global', ops, requestedBytes)

/** What 5.x and 6.x add to a kernel's load transactions, coalesced or not (MEMORY_MODEL.md, the riddle of document 004). */
const LOAD_TRANSACTIONS_A_KERNEL = 2

function transactions({ launch, device }: MetricInput, ops: readonly AccessOp[]): number {
  if (isVoltaOrLater(device)) return sectors(launch, ops)
  const counted = sumSites(launch, 'global', ops, s => s.tags)
  return isSectoredL1(device) && ops.includes('load') && counted > 0 ? counted + LOAD_TRANSACTIONS_A_KERNEL : counted
}

/** Share of the bytes moved that lanes asked for; before 7.0 a broadcast's bytes count once a lane. */
function globalEfficiency({ launch, device }: MetricInput, ops: readonly AccessOp[]): number {
  const useful = isVoltaOrLater(device) ? sumSites(launch, 'global', ops, s => s.bytes) : requested(launch, ops)
  return ratio(100 * useful, SECTOR_BYTES * sectors(launch, ops))
}

const globalNames = (
  [
    { prefix: 'gld', noun: 'load', suffix: 'ld', ops: ['load'] },
    { prefix: 'gst', noun: 'store', suffix: 'st', ops: ['store'] },
  ] as const
).flatMap(({ prefix, noun, suffix, ops }): MetricDefinition[] => [
  nvprof(
    `${prefix}_transactions`,
    '',
    `Global ${noun} transactions, in the generation's own unit: segments (1.x), 128-byte lines (2.x, 3.x), 8-byte units of returned data or sectors a lane group (5.x, 6.x), sectors (7.0 on).`,
    input => transactions(input, ops),
    `l1tex__t_sectors_pipe_lsu_mem_global_op_${suffix}.sum`,
  ),
  nvprof(
    `${prefix}_transactions_per_request`,
    '',
    `Global ${noun} transactions a request.`,
    input => ratio(transactions(input, ops), executed(input.launch, ops)),
    `l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_${suffix}.ratio`,
  ),
  nvprof(
    `${prefix}_efficiency`,
    '%',
    `Global ${noun} bytes asked for, of those moved.`,
    input => globalEfficiency(input, ops),
    `smsp__sass_average_data_bytes_per_sector_mem_global_op_${suffix}.pct`,
  ),
  nvprof(
    `${prefix}_throughput`,
    'byte/second',
    `Global ${noun} bytes moved a second of predicted time.`,
    ({ launch }) => launch.time && (SECTOR_BYTES * sectors(launch, ops)) / launch.time.seconds,
    `l1tex__t_bytes_pipe_lsu_mem_global_op_${suffix}.sum.per_second`,
    modelled,
  ),
  nvprof(
    `${prefix}_requested_throughput`,
    'byte/second',
    `Global ${noun} bytes asked for a second of predicted time.`,
    ({ launch }) => launch.time && requested(launch, ops) / launch.time.seconds,
    undefined,
    modelled,
  ),
])

const localNames = (['load', 'store'] as const).map(noun =>
  nvprof(
    `local_${noun}_transactions_per_request`,
    '',
    `Local ${noun} sectors a request.`,
    ({ launch }) =>
      ratio(
        sumSites(launch, 'local', [noun], s => s.sectors),
        sumSites(launch, 'local', [noun], s => s.executed),
      ),
    undefined,
    modelled,
  ),
)

const wavefronts = (launch: LaunchCounters, ops: readonly AccessOp[]) =>
  sumSites(launch, 'shared', ops, s => s.wavefronts)

/** Bytes that one wavefront can deliver: 32 banks of 4 bytes, 16 banks on 1.x, 32 of 8 on 3.x. */
function wavefrontBytes(device: Device): number {
  const capability = capabilityNumber(device)
  if (capability < 20) return 64
  return capability >= 30 && capability < 40 ? 256 : 128
}

const sharedNames: MetricDefinition[] = [
  ...(['load', 'store'] as const).flatMap(noun => {
    const suffix = noun === 'load' ? 'ld' : 'st'
    return [
      nvprof(
        `shared_${noun}_transactions`,
        '',
        `Shared ${noun} transactions: wavefronts.`,
        ({ launch }) => wavefronts(launch, [noun]),
        `l1tex__data_pipe_lsu_wavefronts_mem_shared_op_${suffix}.sum`,
      ),
      nvprof(
        `shared_${noun}_transactions_per_request`,
        '',
        `Shared ${noun} transactions an instruction: 1 without bank conflicts for accesses of up to 4 bytes.`,
        ({ launch }) =>
          ratio(
            wavefronts(launch, [noun]),
            sumSites(launch, 'shared', [noun], s => s.executed),
          ),
      ),
      nvprof(
        `shared_${suffix}_bank_conflict`,
        '',
        `Shared ${noun} transactions beyond those without bank conflicts (an event of nvprof's).`,
        ({ launch }) => sumSites(launch, 'shared', [noun], s => Math.max(0, s.wavefronts - s.wavefrontsIdeal)),
        `l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_${suffix}.sum`,
      ),
    ]
  }),
  nvprof(
    'shared_efficiency',
    '%',
    'Shared memory bytes asked for, of those that the wavefronts could deliver.',
    ({ launch, device }) => {
      const ops = ['load', 'store'] as const
      const useful = sumSites(launch, 'shared', ops, isVoltaOrLater(device) ? s => s.bytes : requestedBytes)
      return ratio(100 * useful, wavefrontBytes(device) * wavefronts(launch, ops))
    },
    'smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct',
  ),
]

const others: MetricDefinition[] = [
  nvprof(
    'global_hit_rate',
    '%',
    'Share of the sectors of global loads that L1 has.',
    ({ launch }) => launch.caches && ratio(100 * launch.caches.l1GlobalLoadSectorHits, sectors(launch, ['load'])),
    'l1tex__t_sector_hit_rate.pct',
    modelled,
  ),
  nvprof(
    'atomic_transactions',
    '',
    'Sectors sent for global atomics and reductions.',
    ({ launch }) => sectors(launch, atomicOps),
    undefined,
    modelled,
  ),
  nvprof(
    'warp_execution_efficiency',
    '%',
    'Active lanes an instruction, of 32.',
    input => {
      const lanes = find('smsp__thread_inst_executed_per_inst_executed.ratio').value(input)
      return lanes && (100 * lanes) / 32
    },
    'smsp__thread_inst_executed_per_inst_executed.ratio',
    modelled,
  ),
  nvprof(
    'achieved_occupancy',
    '',
    'Warps resident on an active multiprocessor, of those that it can hold: 0 to 1.',
    ({ launch, device }) => launch.time && launch.time.averageActiveWarps / device.maxWarpsPerMultiprocessor,
    'sm__warps_active.avg.pct_of_peak_sustained_active',
    modelled,
  ),
]

const ncuMetrics = [
  ...globalMetrics,
  ...sharedMetrics,
  ...textureMetrics,
  ...machineMetrics,
  ...throughputMetrics,
  ...arithmeticMetrics,
]

function find(name: string): MetricDefinition {
  return ncuMetrics.find(metric => metric.name === name)!
}

const defined = [...globalNames, ...localNames, ...sharedNames, ...others]
const own = new Set(defined.map(({ name }) => name))

/** nvprof names whose definition is that of a metric of Nsight Compute's: the one that names them as its counterpart. */
const renamed = ncuMetrics
  .filter(({ counterpart }) => counterpart !== undefined && !own.has(counterpart))
  .map(
    (metric): MetricDefinition => ({
      ...metric,
      name: metric.counterpart!,
      counterpart: metric.name,
      vocabulary: 'nvprof',
    }),
  )

export const nvprofMetrics: readonly MetricDefinition[] = [
  ...defined,
  ...renamed,
  ...flopCounts,
  {
    ...find('l1tex__t_sector_hit_rate.pct'),
    name: 'tex_cache_hit_rate',
    counterpart: 'l1tex__t_sector_hit_rate.pct',
    vocabulary: 'nvprof',
  },
]
