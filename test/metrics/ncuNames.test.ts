/**
 * The names that a user of Nsight Compute types: each has a value, or says why not, or is refused with the nearest ones. The
 * lists are what the sections Speed of Light and Memory Workload Analysis of Nsight Compute 2025.3 ask for, and what the
 * roofline papers do.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { findDevice } from '../../src/devices/devices.ts'
import { computeMetrics } from '../../src/metrics/compute.ts'
import type { LaunchCounters } from '../../src/metrics/launchCounters.ts'
import { findMetric, resolveMetricNames } from '../../src/metrics/names.ts'
import { parseReport } from '../../src/report/schema.ts'
import { emptyCounters } from '../../src/trace.ts'
import { workshop } from '../cli/harness.ts'

const h200 = findDevice('H200')

const floats = { fadd: 1, fmul: 2, ffma: 3, dadd: 4, dmul: 5, dfma: 6 }

/** A launch with round numbers: 132,000 cycles, of which a multiprocessor has work in half. */
const launch: LaunchCounters = {
  sites: [
    {
      ...emptyCounters(),
      ...{ id: 0, space: 'global', op: 'load', width: 4, location: undefined, array: undefined },
      ...{ executed: 1000, threads: 32_000, sectors: 4000, tags: 1000 },
    },
    {
      ...emptyCounters(),
      ...{ id: 1, space: 'shared', op: 'load', width: 4, location: undefined, array: undefined },
      ...{ executed: 1000, threads: 32_000, wavefronts: 3000, wavefrontsIdeal: 1000 },
    },
    {
      ...emptyCounters(),
      ...{ id: 2, space: 'shared', op: 'red', width: 4, location: undefined, array: undefined },
      ...{ executed: 10, threads: 320, wavefronts: 40, wavefrontsIdeal: 10 },
    },
  ],
  blocks: [{ warps: 1000, threads: 32_000, instructions: 10, floats }],
  grid: { x: 132, y: 1, z: 1 },
  block: { x: 256, y: 1, z: 1 },
  staticSharedBytes: 0,
  dynamicSharedBytes: 0,
  caches: {
    l1GlobalLoadSectorHits: 1000,
    l1LocalLoadSectorHits: 0,
    l2ReadSectors: 3000,
    l2ReadSectorHits: 1000,
    l2WriteSectors: 500,
    l2AtomicSectors: 20,
    l2ReductionSectors: 30,
    dramReadBytes: 64_000,
    dramWriteBytes: 32_000,
  },
  time: {
    seconds: 1e-6,
    cycles: 1980,
    averageActiveWarps: 32,
    activeShare: 0.5,
    busy: { issue: 0.25, l1: 0.1, l2: 0.4 },
  },
}

const value = (name: string) => computeMetrics(launch, h200, [name])[name]!.value

describe('values', () => {
  test.each([
    ['gpu__time_duration.avg', 1000],
    ['gpu__time_duration.sum', 1000],
    ['sm__inst_executed.sum', 10_000],
    ['sm__inst_executed.avg', 10_000 / 132],
    ['smsp__inst_executed.avg', 10_000 / 528],
    ['smsp__inst_executed.avg.per_cycle_active', 10_000 / 528 / 990],
    ['l1tex__t_bytes.sum', 128_000],
    ['l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum', 3000],
    ['l1tex__data_pipe_lsu_wavefronts_mem_shared.sum', 3040],
    ['l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum', 2030],
    ['lts__t_sectors.sum', 3550],
    ['lts__t_bytes.sum', 113_600],
    ['lts__t_bytes.sum.per_second', 113_600e6],
    ['lts__t_sectors_srcunit_tex_lookup_miss.sum', 2000],
    ['lts__t_sectors_srcunit_tex_lookup_hit.sum', 1550],
    ['dram__bytes.sum.pct_of_peak_sustained_elapsed', 2],
    ['smsp__sass_thread_inst_executed_op_ffma_pred_on.sum', 96_000],
    ['sm__sass_thread_inst_executed_op_dadd_pred_on.sum', 128_000],
    ['smsp__sass_thread_inst_executed_op_dfma_pred_on.sum.per_cycle_elapsed', 192_000 / 1980],
    ['derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2', 192_000],
    ['flop_count_sp', 32_000 * 9],
    ['flop_count_dp', 32_000 * 21],
    ['flop_count_dp_mul', 160_000],
    ['sm__cycles_active.avg', 990],
    ['sm__cycles_elapsed.sum', 1980 * 132],
    ['sm__cycles_elapsed.avg.per_second', 1.98e9],
    ['sm__throughput.avg.pct_of_peak_sustained_elapsed', 25],
    ['l1tex__throughput.avg.pct_of_peak_sustained_active', 20],
    ['lts__throughput.avg.pct_of_peak_sustained_elapsed', 40],
    ['gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed', 2],
    ['gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed', 40],
    ['sm__warps_active.avg.per_cycle_active', 32],
  ])('%s', (name, expected) => expect(value(name)).toBeCloseTo(expected, 6))

  test('averages of exact counters are exact, rates and sums over what nobody read are not', () => {
    expect(findMetric('l1tex__t_sectors_pipe_lsu_mem_global_op_ld.avg')!.fidelity(h200)).toBe('exact')
    for (const name of ['l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum.per_second', 'l1tex__t_bytes.sum'])
      expect(findMetric(name)!.fidelity(h200)).toBe('modelled')
  })
})

describe('what a user types', () => {
  const withValue = [
    ...['dram__cycles_elapsed.avg.per_second', 'gpc__cycles_elapsed.avg.per_second', 'gpc__cycles_elapsed.max'],
    ...[
      'sm__cycles_active.avg',
      'lts__t_sector_hit_rate.pct',
      'l1tex__t_sector_hit_rate.pct',
      'dram__bytes.sum.per_second',
    ],
    ...[
      'smsp__inst_executed_op_shared_ld.sum',
      'smsp__inst_executed_op_local_st.sum',
      'smsp__inst_executed_op_ldgsts.sum',
    ],
    ...['lts__t_sectors_srcunit_tex_op_atom.sum', 'lts__t_sectors_srcunit_tex_op_read_lookup_miss.sum'],
    ...[
      'dram__sectors_read.sum',
      'dram__bytes_write.sum.per_second',
      'sm__warps_active.avg.pct_of_peak_sustained_active',
    ],
    ...[
      'l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum',
      'sm__sass_thread_inst_executed_op_dmul_pred_on.sum',
    ],
  ]
  test.each(withValue)('%s has a value', name => expect(value(name)).toEqual(expect.any(Number)))

  test.each([
    ['gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed', 'gpu__compute_memory_throughput'],
    ['lts__average_gcomp_input_sector_success_rate.pct', 'not compressed'],
    ['smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio', 'limiter'],
    ['sm__inst_executed_pipe_tensor.sum', 'pipe'],
    ['lts__t_requests_srcunit_tex.sum', 'L2'],
    ['l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_ld.sum', 'L1'],
    ['smsp__sass_thread_inst_executed_op_hfma_pred_on.sum', 'half'],
    ['idc__requests.sum', 'constant'],
  ])('%s has none, and says why', (name, reason) => {
    const [metric] = resolveMetricNames([name])
    expect(metric!.definition).toContain(reason)
    expect(computeMetrics(launch, h200, [name])[name]).toMatchObject({ value: null, fidelity: 'unsupported' })
  })

  test.each([
    ['l1tex__t_sector_pipe_lsu_mem_global_op_ld.sum', 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum'],
    ['lts__t_sector.sum', 'lts__t_sectors.sum'],
    ['gpu__time_durations.sum', 'gpu__time_duration.sum'],
    ['sm__troughput.avg.pct_of_peak_sustained_elapsed', 'sm__throughput.avg.pct_of_peak_sustained_elapsed'],
  ])('%s is refused: did you mean %s', (name, nearest) => {
    expect(() => resolveMetricNames([name])).toThrow(nearest)
  })
})

describe('floating-point operations of a program', () => {
  const source = readFileSync(fileURLToPath(new URL('./programs/flops.cu', import.meta.url)), 'utf8')
  const shop = workshop({ 'flops.cu': source })
  afterAll(() => shop.remove())

  test('are those of its text, the active lanes counted', async () => {
    await shop.run('profile', 'flops.cu', '-o', 'r.json')
    const { launches } = parseReport(readFileSync(`${shop.folder}/r.json`, 'utf8'), 'r.json')
    const counts = (index: number) =>
      Object.keys(floats).map(
        kind => launches[index]!.metrics[`smsp__sass_thread_inst_executed_op_${kind}_pred_on.sum`]!.value,
      )
    // In the order fadd, fmul, ffma, dadd, dmul, dfma.
    expect(counts(0)).toEqual([256, 256, 256, 256, 0, 256])
    expect(counts(1)).toEqual([0, 0, 5 * 128, 0, 0, 0])
  })
})
