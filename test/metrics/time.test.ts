/**
 * The time model against the H200's readings. Counters and cache traffic come from the readings themselves, so that this
 * measures the model of time alone; the chain of waits of each kernel is read off its source (shared/cases), by rule, not by
 * launch: one wait a load that is used before the next is issued.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findDevice } from '../../src/devices/devices.ts'
import type { CountedSite, LaunchCounters } from '../../src/metrics/launchCounters.ts'
import { occupancyOf } from '../../src/metrics/occupancy/occupancy.ts'
import { predictTime } from '../../src/metrics/time/time.ts'
import type { LatencyChain, PredictedTime } from '../../src/metrics/time/timeInput.ts'
import { timeParametersOf } from '../../src/metrics/time/timeParameters.ts'
import type { AccessOp, Space } from '../../src/trace.ts'
import { emptyCounters } from '../../src/trace.ts'

interface Reading {
  readonly kernel: string
  readonly parameter?: string
  readonly grid: readonly number[]
  readonly block: readonly number[]
  readonly metrics: Readonly<Record<string, number>>
}

const h200 = findDevice('H200')
const readings = (file: string) =>
  (
    JSON.parse(readFileSync(new URL(`../../../shared/truth/h200/${file}`, import.meta.url), 'utf8')) as {
      launches: Reading[]
    }
  ).launches

const warpsOf = ({ grid, block }: Reading) =>
  grid.reduce((a, b) => a * b, 1) * Math.ceil(block.reduce((a, b) => a * b, 1) / 32)

function launchOf(reading: Reading): LaunchCounters {
  const read = (name: string) => reading.metrics[name] ?? 0
  const global = (suffix: string) => read(`l1tex__t_sectors_pipe_lsu_mem_global_op_${suffix}.sum`)
  const requests = (suffix: string) => read(`l1tex__t_requests_pipe_lsu_mem_global_op_${suffix}.sum`)
  const shared = (suffix: string) => read(`smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_${suffix}.sum`)
  const site = (space: Space, op: AccessOp, counters: Partial<CountedSite>): CountedSite => ({
    ...emptyCounters(),
    id: 0,
    space,
    op,
    width: 4,
    location: undefined,
    array: undefined,
    ...counters,
  })
  // The readings give tags for all global accesses together: only naiveGmem stores to more lines than it has requests.
  const storeTags = reading.kernel.startsWith('naiveGmem(') ? global('st') : requests('st')
  const tags = read('smsp__sass_l1tex_tags_mem_global.sum')
  const dim = ([x = 1, y = 1, z = 1]: readonly number[]) => ({ x, y, z })
  return {
    sites: [
      site('global', 'load', {
        executed: requests('ld'),
        sectors: global('ld'),
        tags: requests('ld') === 0 ? 0 : Math.max(requests('ld'), tags - storeTags - requests('red')),
      }),
      site('global', 'store', { executed: requests('st'), sectors: global('st'), tags: storeTags }),
      site('global', 'red', { executed: requests('red'), sectors: global('red') }),
      site('shared', 'load', { wavefronts: shared('ld') }),
      site('shared', 'store', { wavefronts: shared('st') }),
      site('shared', 'red', { wavefronts: shared('atom') }),
    ],
    blocks: [],
    grid: dim(reading.grid),
    block: dim(reading.block),
    staticSharedBytes: read('launch__shared_mem_per_block_static'),
    dynamicSharedBytes: read('launch__shared_mem_per_block_dynamic'),
    registersPerThread: read('launch__registers_per_thread'),
  }
}

/** Waits of an average warp, from the kernels' sources. */
function chainOf(reading: Reading): LatencyChain {
  const { kernel } = reading
  const loads = (reading.metrics['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum'] ?? 0) / warpsOf(reading)
  const chain = (globalWaits: number, rest: Partial<LatencyChain> = {}): LatencyChain => ({
    globalWaits,
    sharedWaits: 0,
    barriers: 0,
    l2Trips: 0,
    prints: 0,
    printUs: 0,
    dependentCycles: 0,
    ...rest,
  })
  if (/nothing|writeOnly/.test(kernel)) return chain(0)
  if (/readOnly/.test(kernel)) return chain(loads) // one load an iteration
  if (/sharedHistogram/.test(kernel)) return chain(loads, { barriers: 2 })
  if (/gather/.test(kernel)) return chain(2) // the index, then the value
  if (/matmul/.test(kernel)) return chain(loads / 2, { sharedWaits: 4 * loads, barriers: loads }) // two tiles a step
  if (/bankLoop/.test(kernel)) return chain(0, { sharedWaits: 2000 })
  if (/fmaLoop/.test(kernel)) return chain(0, { dependentCycles: 16000 })
  if (/^atomics/.test(kernel)) return chain(0)
  if (/Smem|Tile|smem_/.test(kernel)) return chain(1, { sharedWaits: 2, barriers: 1, dependentCycles: 200 })
  return chain(1)
}

/** atomics<distinct>: sectors sent to the most wanted 512 bytes, of 4,194,304 lanes. */
const hottestSlice: Readonly<Record<string, number>> = {
  '1': 4_194_304,
  '32': 1_308_672,
  '1024': 524_288,
  '1048576': 512,
}

function predict(reading: Reading): PredictedTime {
  const launch = launchOf(reading)
  const read = (name: string) => reading.metrics[name] ?? 0
  const occupancy = occupancyOf(h200, {
    threads: reading.block.reduce((a, b) => a * b, 1),
    registersPerThread: launch.registersPerThread!,
    sharedBytes: launch.staticSharedBytes + launch.dynamicSharedBytes,
  })
  const caches = {
    l1GlobalLoadSectorHits: read('l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum'),
    l1LocalLoadSectorHits: 0,
    l2ReadSectors: read('lts__t_sectors_srcunit_tex_op_read.sum'),
    l2ReadSectorHits: read('lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum'),
    l2WriteSectors: read('lts__t_sectors_srcunit_tex_op_write.sum'),
    l2AtomicSectors: 0,
    l2ReductionSectors: read('lts__t_sectors_op_red.sum'),
    dramReadBytes: read('dram__bytes_read.sum'),
    dramWriteBytes: read('dram__bytes_write.sum'),
  }
  const hottestAtomicSlice = /^atomics/.test(reading.kernel) ? hottestSlice[reading.parameter!]! : 0
  const instructions = read('smsp__inst_executed.sum')
  const chain = chainOf(reading)
  return predictTime({ launch, caches, occupancy, chain, averageChain: chain, instructions, hottestAtomicSlice }, h200)
}

const measured = (reading: Reading) => reading.metrics['gpu__time_duration.sum']! / 1e9
const TEN_MICROSECONDS = 1e-5

function ranks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!)
  const rank: number[] = []
  order.forEach((index, position) => {
    rank[index] = position
  })
  return rank
}

function spearman(a: readonly number[], b: readonly number[]): number {
  const [ra, rb] = [ranks(a), ranks(b)]
  const squares = ra.reduce((sum, rank, index) => sum + (rank - rb[index]!) ** 2, 0)
  return 1 - (6 * squares) / (a.length * (a.length ** 2 - 1))
}

describe.each(['limits.json', 'transpose_4096.json'])('%s', file => {
  const launches = readings(file)
  const long = launches.filter(launch => measured(launch) >= TEN_MICROSECONDS)

  test('mean absolute error of launches of 10 us and more below 8 %, none off by 2x', () => {
    const errors = long.map(launch => Math.abs(predict(launch).seconds / measured(launch) - 1))
    expect(errors.reduce((a, b) => a + b, 0) / errors.length).toBeLessThan(0.08)
    for (const launch of long) {
      const factor = predict(launch).seconds / measured(launch)
      expect(factor, launch.kernel).toBeGreaterThan(0.5)
      expect(factor, launch.kernel).toBeLessThan(2)
    }
  })

  test('the order is right: Spearman 0.95 or more', () => {
    const order = spearman(
      long.map(launch => predict(launch).seconds),
      long.map(measured),
    )
    expect(order).toBeGreaterThanOrEqual(0.95)
  })
})

describe('the limiter is named', () => {
  const launches = readings('limits.json')
  test.each([
    ['nothing', '1', 'launch'],
    ['nothing', '16896', 'blockStart'],
    ['copy<float4>', '67108864', 'dram'],
    ['copyLimited', '200', 'latency'],
    ['bankLoop', '32', 'l1AndShared'],
    ['fmaLoop', '4000', 'issue'],
    ['atomics', '1', 'atomicContention'],
    ['atomics', '1048576', 'atomics'],
    ['gather', '8388608', 'l2'],
  ])('%s %s: %s', (kernel, parameter, limiter) => {
    const reading = launches.find(launch => launch.kernel.includes(kernel) && launch.parameter === parameter)!
    expect(predict(reading).limiter).toBe(limiter)
  })
})

test('achieved occupancy: mean error below 20 % over launches of more than one block a multiprocessor', () => {
  const launches = ['limits.json', 'transpose_4096.json']
    .flatMap(readings)
    .filter(({ grid }) => grid.reduce((a, b) => a * b, 1) > h200.multiprocessors)
  const errors = launches.map(launch => {
    const percent = (100 * predict(launch).averageActiveWarps) / h200.maxWarpsPerMultiprocessor
    return Math.abs(percent / launch.metrics['sm__warps_active.avg.pct_of_peak_sustained_active']! - 1)
  })
  expect(errors.reduce((a, b) => a + b, 0) / errors.length).toBeLessThan(0.2)
})

/** Own: pointer chases and streams on an H100 held at 1,590 MHz by the profiler, and free at 1,980. L2's clock stays at 1,710. */
test('at another clock of the multiprocessors L2 and DRAM stay as far away and as fast in time, but for the way within the multiprocessor', () => {
  const h100 = findDevice('H100')
  const [free, held] = [timeParametersOf(h100), timeParametersOf({ ...h100, clockMHz: 1590 })]
  expect(Math.abs(free.dramLatency / 686 - 1)).toBeLessThan(0.02)
  expect(Math.abs(held.dramLatency / 577 - 1)).toBeLessThan(0.02)
  expect(held.l2Latency).toBeLessThan(free.l2Latency)
  expect(held.l1Latency).toBe(free.l1Latency)
  expect(held.l2BytesPerCycle * 1590).toBeCloseTo(free.l2BytesPerCycle * 1980, 6)
  expect(held.atomicSectorCycles / 1590).toBeCloseTo(free.atomicSectorCycles / 1980, 9)
  const { l2ClockMHz: _, ...unknown } = h100
  expect(timeParametersOf({ ...unknown, clockMHz: 1590 }).dramLatency).toBe(free.dramLatency)
})
