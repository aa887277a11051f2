/** Names: both vocabularies resolve, unknown ones get suggestions, and the values equal the H200's readings. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findDevice } from '../../src/devices/devices.ts'
import { UserError } from '../../src/diagnostic.ts'
import { computeMetrics } from '../../src/metrics/compute.ts'
import type { CountedSite, LaunchCounters } from '../../src/metrics/launchCounters.ts'
import {
  findMetric,
  metricDefinitions,
  metricSections,
  metricSets,
  metricsOfSection,
  metricsOfSet,
  resolveMetricNames,
} from '../../src/metrics/names.ts'
import { emptyCounters } from '../../src/trace.ts'

const truth = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../shared/truth/h200/${name}`, import.meta.url), 'utf8')) as unknown
const h200 = findDevice('H200')

interface LineRow {
  readonly space: 'Global' | 'Shared'
  readonly op: 'Load' | 'Store'
  readonly bits: number
  readonly executed: number
  readonly threads: number
  readonly tags: number
  readonly sectors: number
  readonly sectors_ideal: number
  readonly conflict_ways: number
}

interface Reading {
  readonly kernel: string
  readonly grid: readonly number[]
  readonly block: readonly number[]
  readonly metrics: Readonly<Record<string, number>>
}

const { launches } = truth('transpose_1024.json') as { launches: readonly Reading[] }
const { kernels } = truth('transpose_1024_lines.json') as {
  kernels: readonly { kernel: string; lines: Readonly<Record<string, readonly LineRow[]>> }[]
}

function siteOf(row: LineRow, id: number): CountedSite {
  const width = row.bits / 8
  return {
    ...emptyCounters(),
    id,
    space: row.space === 'Global' ? 'global' : 'shared',
    op: row.op === 'Load' ? 'load' : 'store',
    width,
    location: undefined,
    array: undefined,
    executed: row.executed,
    threads: row.threads,
    bytes: row.threads * width, // no two lanes of the transpose's kernels share an address
    sectors: row.sectors,
    sectorsIdeal: row.sectors_ideal,
    tags: row.tags,
    wavefronts: row.conflict_ways * row.executed,
    wavefrontsIdeal: row.space === 'Shared' ? row.executed * Math.ceil(width / 4) : 0,
  }
}

function launchOf(reading: Reading, rows: readonly LineRow[]): LaunchCounters {
  const dim = ([x = 1, y = 1, z = 1]: readonly number[]) => ({ x, y, z })
  return {
    sites: rows.map(siteOf),
    blocks: [],
    grid: dim(reading.grid),
    block: dim(reading.block),
    staticSharedBytes: reading.metrics.launch__shared_mem_per_block_static!,
    dynamicSharedBytes: reading.metrics.launch__shared_mem_per_block_dynamic!,
    registersPerThread: reading.metrics.launch__registers_per_thread!,
    registersSource: 'measured',
  }
}

describe('launches of the transpose, from their lines', () => {
  test.each(launches.map((launch, index) => [launch.kernel, launch, kernels[index]!] as const))(
    '%s',
    (name, launch, lines) => {
      expect(lines.kernel.replaceAll('(int)', '')).toBe(name)
      const known = Object.keys(launch.metrics).filter(metric => findMetric(metric))
      const computed = computeMetrics(launchOf(launch, Object.values(lines.lines).flat()), h200, known)
      const exact = known.filter(metric => computed[metric]!.fidelity === 'exact')
      expect(exact.length).toBeGreaterThan(25)
      for (const metric of exact) {
        expect(computed[metric]!.value, metric).toBeCloseTo(launch.metrics[metric]!, 2)
      }
    },
  )

  test('every counter of the readings has a definition', () => {
    const names = new Set(launches.flatMap(launch => Object.keys(launch.metrics)))
    expect([...names].filter(name => !findMetric(name))).toEqual([])
  })
})

describe('resolveMetricNames', () => {
  const resolved = (...patterns: string[]) => resolveMetricNames(patterns).map(({ name }) => name)

  test('both vocabularies, in order, each once', () => {
    const sectors = 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum'
    expect(resolved('gld_efficiency', sectors, 'gld_efficiency')).toEqual(['gld_efficiency', sectors])
  })

  test('a base name gives its roll-ups', () => {
    expect(resolved('smsp__sass_average_data_bytes_per_sector_mem_global_op_ld')).toEqual([
      'smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio',
      'smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct',
    ])
  })

  test('a regular expression', () => {
    expect(resolved('regex:^gst_.*request$')).toEqual(['gst_transactions_per_request'])
  })

  test.each([
    ['nonsense', 'unknown metric'],
    ['regex:^nothing$', 'no metric matches'],
    ['regex:(', 'not a regular expression'],
  ])('%s is refused', (pattern, message) => {
    expect(() => resolved(pattern)).toThrow(UserError)
    expect(() => resolved(pattern)).toThrow(message)
  })

  test('a slip of the pen gets the right suggestion', () => {
    expect(() => resolved('gld_eficiency')).toThrow('did you mean gld_efficiency,')
  })
})

describe('tables', () => {
  test('names are unique, sentences end', () => {
    const names = metricDefinitions.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { definition } of metricDefinitions) expect(definition).toMatch(/\.$/)
  })

  test('counterparts exist', () => {
    const dangling = metricDefinitions.filter(
      ({ counterpart }) => counterpart !== undefined && !findMetric(counterpart),
    )
    expect(dangling.map(({ name }) => name)).toEqual([])
  })

  test('sets and sections name metrics that exist', () => {
    for (const name of [...Object.values(metricSets), ...Object.values(metricSections)].flat()) {
      expect(findMetric(name), name).toBeDefined()
    }
    expect(metricsOfSet('Basic').length).toBeGreaterThan(5)
    expect(metricsOfSection('occupancy').length).toBeGreaterThan(4)
    expect(() => metricsOfSet('huge')).toThrow('basic, memory, full')
  })

  test('what no model gave has no value and says so', () => {
    const computed = computeMetrics(launchOf(launches[0]!, []), h200, ['gpu__time_duration.sum', 'branch_efficiency'])
    expect(Object.values(computed)).toEqual([
      { value: null, unit: 'ns', fidelity: 'unsupported' },
      { value: null, unit: '%', fidelity: 'unsupported' },
    ])
  })

  test('only the device that was measured is exact', () => {
    const metric = findMetric('gld_transactions')!
    expect(metric.fidelity(h200)).toBe('exact')
    expect(metric.fidelity(findDevice('A100'))).toBe('modelled')
  })
})
