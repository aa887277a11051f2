/**
 * Cycles, and how busy the machine is: what Nsight Compute's "Speed of Light" shows. Modelled: the time model's. A hundred
 * percent is DRAM's data sheet, and elsewhere what a kernel was measured to reach (docs/time-model.md), where Nsight Compute
 * takes what the hardware could do at most.
 */
import type { Device } from '../../devices/device.ts'
import { exact, type MetricDefinition, type MetricInput, modelled, ratio } from '../definition.ts'
import type { CacheTraffic, LaunchTime } from '../launchCounters.ts'
import { fromTime } from './fromModel.ts'

const ncu = { vocabulary: 'ncu' } as const

/** A launch has one duration: its roll-ups are all the same. */
const durations = ['sum', 'avg', 'max', 'min'].map(rollup =>
  fromTime(`gpu__time_duration.${rollup}`, 'ns', 'Duration of the launch, predicted.', ({ seconds }) =>
    Math.round(seconds * 1e9),
  ),
)

const perMultiprocessor = (rollup: string): boolean => rollup !== 'sum'

const cycles = ['max', 'avg', 'min', 'sum'].flatMap(rollup => [
  fromTime(
    `sm__cycles_elapsed.${rollup}`,
    'cycle',
    perMultiprocessor(rollup)
      ? "Multiprocessor cycles from the launch's start to its end."
      : "Cycles from the launch's start to its end, summed over the multiprocessors.",
    (time, { device }) => time.cycles * (perMultiprocessor(rollup) ? 1 : device.multiprocessors),
    rollup === 'sum' ? 'elapsed_cycles_sm' : undefined,
  ),
])

const activeCycles = (time: LaunchTime): number => time.cycles * time.activeShare

const active = [
  fromTime(
    'sm__cycles_active.avg',
    'cycle',
    'Cycles in which a multiprocessor has work, averaged over them.',
    activeCycles,
  ),
  fromTime(
    'sm__cycles_active.sum',
    'cycle',
    'Cycles in which a multiprocessor has work, summed over them.',
    (time, { device }) => activeCycles(time) * device.multiprocessors,
    'active_cycles',
  ),
  fromTime(
    'gpc__cycles_elapsed.max',
    'cycle',
    "Cycles of the multiprocessors' clock from the launch's start to its end.",
    time => time.cycles,
  ),
  ...['sm', 'smsp'].map(unit =>
    fromTime(
      `${unit}__cycles_active.avg.pct_of_peak_sustained_elapsed`,
      '%',
      'Share of the duration in which a multiprocessor has work.',
      ({ activeShare }) => 100 * activeShare,
      unit === 'smsp' ? 'sm_efficiency' : undefined,
    ),
  ),
]

function clock(name: string, definition: string, megahertz: (device: Device) => number): MetricDefinition {
  return {
    ...ncu,
    name,
    unit: 'cycle/second',
    definition,
    fidelity: modelled,
    value: ({ device }) => 1e6 * megahertz(device),
  }
}

const clocks = [
  ...['gpc', 'sm', 'smsp'].map(unit =>
    clock(
      `${unit}__cycles_elapsed.avg.per_second`,
      "The multiprocessors' clock: the device's boost clock.",
      d => d.clockMHz,
    ),
  ),
  clock('dram__cycles_elapsed.avg.per_second', "DRAM's clock, as its data sheet has it.", d => d.memoryClockMHz),
]

const occupancy = [
  fromTime(
    'sm__warps_active.avg.pct_of_peak_sustained_active',
    '%',
    'Achieved occupancy: warps resident on an active multiprocessor, of those that it can hold.',
    ({ averageActiveWarps }, { device }) => (100 * averageActiveWarps) / device.maxWarpsPerMultiprocessor,
    'achieved_occupancy',
  ),
  fromTime(
    'sm__warps_active.avg.per_cycle_active',
    'warp',
    'Warps resident on an active multiprocessor.',
    ({ averageActiveWarps }) => averageActiveWarps,
  ),
  fromTime(
    'smsp__warps_active.avg.per_cycle_active',
    'warp',
    'Warps resident on a partition of an active multiprocessor.',
    ({ averageActiveWarps }, { device }) => averageActiveWarps / device.partitions,
  ),
  {
    ...ncu,
    name: 'smsp__warps_active.avg.peak_sustained',
    unit: 'warp',
    definition: 'Warps that a partition of a multiprocessor can hold.',
    fidelity: exact,
    value: ({ device }: MetricInput) => device.maxWarpsPerMultiprocessor / device.partitions,
  } satisfies MetricDefinition,
]

const ELAPSED = 'avg.pct_of_peak_sustained_elapsed'
const ACTIVE = 'avg.pct_of_peak_sustained_active'

const percent = (share: number): number => 100 * Math.min(1, share)
const dramBytes = ({ dramReadBytes, dramWriteBytes }: CacheTraffic): number => dramReadBytes + dramWriteBytes

function dramShare({ seconds }: LaunchTime, { launch, device }: MetricInput): number | undefined {
  return launch.caches && dramBytes(launch.caches) / seconds / (device.memoryBandwidthGBs * 1e9)
}

const speedOfLight = [
  fromTime(
    `sm__throughput.${ELAPSED}`,
    '%',
    'Compute throughput: share of the duration in which the multiprocessors issue instructions.',
    ({ busy }) => percent(busy.issue),
  ),
  fromTime(
    `l1tex__throughput.${ELAPSED}`,
    '%',
    'Share of the duration in which L1 and shared memory are busy with wavefronts and lines.',
    ({ busy }) => percent(busy.l1),
  ),
  fromTime(
    `l1tex__throughput.${ACTIVE}`,
    '%',
    'Share of the time in which a multiprocessor has work that its L1 and shared memory are busy.',
    ({ busy, activeShare }) => percent(ratio(busy.l1, activeShare)),
  ),
  fromTime(
    `lts__throughput.${ELAPSED}`,
    '%',
    'Share of the duration in which L2 is busy: bytes read, lines written, atomics, whichever is most.',
    ({ busy }) => percent(busy.l2),
  ),
  ...['dram__throughput', 'gpu__dram_throughput'].map(base =>
    fromTime(`${base}.${ELAPSED}`, '%', 'Bytes of DRAM a second, of what its data sheet gives.', (time, input) => {
      const share = dramShare(time, input)
      return share === undefined ? undefined : percent(share)
    }),
  ),
  ...['gpu__compute_memory_throughput', 'sm__memory_throughput'].map(base =>
    fromTime(
      `${base}.${ELAPSED}`,
      '%',
      base.startsWith('gpu')
        ? 'Memory throughput: the largest of the throughputs of L1 and shared memory, L2 and DRAM.'
        : "The throughput of a multiprocessor's part of the memory system: L1 and shared memory.",
      (time, input) => {
        if (!base.startsWith('gpu')) return percent(time.busy.l1)
        const share = dramShare(time, input)
        return share === undefined ? undefined : percent(Math.max(time.busy.l1, time.busy.l2, share))
      },
    ),
  ),
]

export const throughputMetrics: readonly MetricDefinition[] = [
  ...durations,
  ...cycles,
  ...active,
  ...clocks,
  ...occupancy,
  ...speedOfLight,
]
