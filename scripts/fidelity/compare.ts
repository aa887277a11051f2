/** A launch's prediction beside its reading: which exact counters differ, by how much the modelled ones. */
import { occupancyOf } from '../../src/metrics/occupancy/occupancy.ts'
import type { FidelityProgram, Reading } from './programs.ts'
import type { LaunchPrediction } from './runProgram.ts'

/** Instructions, requests, sectors, tags and wavefronts of global and shared loads and stores. */
export const exactCounters: readonly string[] = [
  ...['ld', 'st'].flatMap(op => [
    `smsp__sass_inst_executed_op_global_${op}.sum`,
    `l1tex__t_requests_pipe_lsu_mem_global_op_${op}.sum`,
    `l1tex__t_sectors_pipe_lsu_mem_global_op_${op}.sum`,
    `smsp__sass_inst_executed_op_shared_${op}.sum`,
    `smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_${op}.sum`,
  ]),
  'smsp__sass_l1tex_tags_mem_global.sum',
]

/** Modelled ones, by a name for the table. */
export const modelledCounters = {
  time: 'gpu__time_duration.sum',
  l2Read: 'lts__t_sectors_srcunit_tex_op_read.sum',
  l2Write: 'lts__t_sectors_srcunit_tex_op_write.sum',
  dramRead: 'dram__bytes_read.sum',
  dramWrite: 'dram__bytes_write.sum',
  instructions: 'smsp__inst_executed.sum',
  occupancy: 'sm__warps_active.avg.pct_of_peak_sustained_active',
} as const

export type Modelled = keyof typeof modelledCounters

export interface Difference {
  readonly counter: string
  readonly ours: number
  readonly read: number
  /** Whether the report calls it exact. */
  readonly isLabelledExact: boolean
}

export interface Comparison {
  readonly program: string
  readonly launch: number
  readonly kernel: string
  readonly differences: readonly Difference[]
  readonly modelled: Readonly<Record<Modelled, { readonly ours: number | undefined; readonly read: number }>>
  /** Occupancy limits, with the registers that were read. */
  readonly limitsEqual: boolean
  readonly registers: { readonly ours: number; readonly read: number; readonly pressure: number }
  readonly limiter: string
  /** Seconds that each limit alone would take. */
  readonly limits: Readonly<Record<string, number>>
}

/** Whether the names are one kernel's; those of Thrust and CUB differ from version to version, and so does what they launch. */
export function isReadingOf({ kernel }: Reading, { report }: LaunchPrediction): boolean {
  return bareName(kernel) === bareName(report.name)
}

/** `void space::name<...>(...)` without all but the name; spaces without a name are written in two ways. */
const bareName = (name: string) =>
  /(\w+)\s*$/.exec(name.replace(/<unnamed>::|\(anonymous namespace\)::/g, '').replace(/[<(].*/s, ''))?.[1]

/** @param launch number of a launch that the program has a reading of */
export function compareLaunch(
  { name: program, device, readings }: FidelityProgram,
  launch: number,
  prediction: LaunchPrediction,
): Comparison {
  const { report, predicted } = prediction
  const reading = readings[launch]!
  const wereRead = exactCounters.filter(counter => readings.some(({ metrics }) => counter in metrics))
  const ours = (name: string) => report.metrics[name]?.value ?? undefined
  const read = (name: string) => reading.metrics[name] ?? 0
  const differences = wereRead.flatMap(counter => {
    const value = ours(counter) ?? 0
    if (value === read(counter)) return []
    const isLabelledExact = report.metrics[counter]?.fidelity === 'exact'
    return [{ counter, ours: value, read: read(counter), isLabelledExact }]
  })
  const entries = Object.entries(modelledCounters) as [Modelled, string][]
  const modelled = Object.fromEntries(
    entries.map(([name, metric]) => [name, { ours: ours(metric), read: read(metric) }]),
  ) as Comparison['modelled']
  const registersRead = read('launch__registers_per_thread')
  const { limits } = occupancyOf(device, {
    threads: reading.block.reduce((a, b) => a * b, 1),
    registersPerThread: registersRead,
    sharedBytes: report.sharedBytes.static + report.sharedBytes.dynamic,
  })
  const limitsEqual =
    limits.registers === read('launch__occupancy_limit_registers') &&
    limits.sharedMemory === read('launch__occupancy_limit_shared_mem') &&
    limits.blocks === read('launch__occupancy_limit_blocks') &&
    limits.warps === read('launch__occupancy_limit_warps')
  return {
    program,
    launch,
    kernel: report.name,
    differences,
    modelled,
    limitsEqual,
    registers: { ours: prediction.registers, read: registersRead, pressure: prediction.pressure },
    limiter: predicted?.limiter ?? '-',
    limits: predicted?.limits ?? {},
  }
}
