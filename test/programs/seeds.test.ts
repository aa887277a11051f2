/**
 * The four programs of the seed documents, run whole: they check their own results, and each launch's counters equal what
 * Nsight Compute read on an H200, at -O0 and -O2. Then what the documents themselves found.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { createNodeExecutor } from '../../src/node/executor.ts'
import { referenceExecutor } from '../../src/reference/executor.ts'
import type { LaunchReport, Report } from '../../src/report/model.ts'
import { type CaseRun, compileCase, device, type Level, runCase } from './cases.ts'
import { differences, readLaunches, readLines, shortName } from './readings.ts'

const fast = createNodeExecutor({ device, jobs: 2, threadsAfterMs: 0 })
afterAll(() => fast.close())

const programs: readonly { source: string; args: readonly string[]; readings: string }[] = [
  { source: 'seeds/smem_square.cu', args: [], readings: 'smem_square' },
  { source: 'seeds/smem_rectangle.cu', args: [], readings: 'smem_rectangle' },
  { source: 'seeds/aos_soa.cu', args: [], readings: 'aos_soa' },
  { source: 'seeds/transpose.cu', args: ['1024', '1024'], readings: 'transpose_1024' },
  { source: 'seeds/transpose.cu', args: ['700', '1000'], readings: 'transpose_700x1000' },
  { source: 'seeds/transpose.cu', args: ['4096', '4096'], readings: 'transpose_4096' },
]

/**
 * The readings are of `nvcc -O3`. At -O0 a structure is copied as a whole, 16 bytes at once; optimised code takes its members
 * apart, and the machine moves them in two parts.
 */
const OTHERWISE_UNOPTIMISED = new Set(['accessAligned'])

/** Each program runs once a level; the tests share what it did. */
const runs = new Map<string, Promise<CaseRun>>()
function run(source: string, args: readonly string[], level: Level): Promise<CaseRun> {
  const key = [source, ...args, level].join(' ')
  const known = runs.get(key)
  if (known) return known
  const started = compileCase(source, level).then(program => runCase(program, args, fast.executor))
  runs.set(key, started)
  return started
}

describe.each([0, 2] as const)('-O%d', level => {
  const isToday = ({ readings }: (typeof programs)[number]) =>
    level === 2 || readings !== 'transpose_4096' || process.env.WARPLENS_TEST_NIGHTLY === '1'

  it.each(programs.filter(isToday))(
    '$readings: PASS, and every launch as the H200 read it',
    async ({ source, args, readings }) => {
      const { stdout, stderr, result, report } = await run(source, args, level)
      expect(stderr.replace(/^device 0: .*\n/, '')).toBe('')
      expect(stdout.trimEnd().split('\n').at(-1)).toBe('PASS')
      expect(result.exitCode).toBe(0)
      const expected = readLaunches(readings)
      expect(report.launches).toHaveLength(expected.length)
      const wrong = report.launches.flatMap((launch, i) => {
        const reading = expected[i]!
        expect([launch.name, launch.grid, launch.block]).toEqual([
          shortName(reading.kernel),
          reading.grid,
          reading.block,
        ])
        if (level === 0 && OTHERWISE_UNOPTIMISED.has(launch.name)) return []
        return differences(launch, reading).map(difference => `${launch.name}: ${difference}`)
      })
      expect(wrong).toEqual([])
    },
  )

  it('transpose 1024 x 1024: every source line as the H200 read it', async () => {
    const { report } = await run('seeds/transpose.cu', ['1024', '1024'], level)
    for (const { kernel, lines } of readLines('transpose_1024_lines')) {
      const launch = report.launches.find(({ name }) => name === shortName(kernel))
      expect(launch, kernel).toBeDefined()
      expect(linesOf(launch!), kernel).toEqual(
        Object.entries(lines)
          .flatMap(([line, sites]) =>
            sites.map(site => ({
              line: Number(line),
              what: `${site.space} ${site.op}`.toLowerCase(),
              bytes: site.bits / 8,
              executed: site.executed,
              threads: site.threads,
              tags: site.tags,
              sectors: site.sectors,
              sectorsIdeal: site.sectors_ideal,
              ways: site.conflict_ways,
            })),
          )
          .sort(byLine),
      )
    }
  })
})

describe('the reference interpreter', () => {
  it.each([
    ['seeds/smem_square.cu', []],
    ['seeds/smem_rectangle.cu', []],
    ['seeds/transpose.cu', ['100', '70']],
  ] as const)('%s %j: PASS, with the counters of the generated code', async (source, args) => {
    for (const level of [0, 2] as const) {
      const program = await compileCase(source, level)
      const slow = runCase(program, args, referenceExecutor)
      const quick = runCase(program, args, fast.executor)
      expect(slow.stdout.trimEnd().split('\n').at(-1)).toBe('PASS')
      expect(slow.stdout).toBe(quick.stdout)
      expect(slow.report).toEqual(quick.report)
    }
  })
})

describe('what the documents found', () => {
  const metric = (report: Report, kernel: string, name: string) =>
    report.launches.find(launch => launch.name === kernel)?.metrics[name]?.value
  const nvprof = (report: Report, kernel: string) => ({
    loads: perRequest(report, kernel, 'load'),
    stores: perRequest(report, kernel, 'store'),
  })

  it('003: a square tile takes 1 transaction a request by rows and 32 by columns; padding by 1 mends it', async () => {
    const { report } = await run('seeds/smem_square.cu', [], 2)
    expect(nvprof(report, 'setRowReadRow')).toEqual({ loads: 1, stores: 1 })
    expect(nvprof(report, 'setColReadCol')).toEqual({ loads: 32, stores: 32 })
    expect(nvprof(report, 'setRowReadCol')).toEqual({ loads: 32, stores: 1 })
    expect(nvprof(report, 'setRowReadColPad')).toEqual({ loads: 1, stores: 1 })
    expect(nvprof(report, 'setRowReadColDynPad')).toEqual({ loads: 1, stores: 1 })
  })

  it('003: a rectangle of 32 x 16 takes 16; padding by 2 mends it, by 1 it does not', async () => {
    const { report } = await run('seeds/smem_rectangle.cu', [], 2)
    expect(nvprof(report, 'setRowReadCol')).toEqual({ loads: 16, stores: 1 })
    expect(nvprof(report, 'setRowReadColPad<1>').loads).toBe(2)
    expect(nvprof(report, 'setRowReadColPad<2>')).toEqual({ loads: 1, stores: 1 })
    expect(nvprof(report, 'setRowReadColDynPad<2>')).toEqual({ loads: 1, stores: 1 })
  })

  it('004: the naive transpose stores 32 sectors a request at 12.5 %, the copy 4 at 100 %', async () => {
    const { report } = await run('seeds/transpose.cu', ['4096', '4096'], 2)
    const efficiency = 'smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct'
    const sectors = 'l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio'
    expect(metric(report, 'naiveGmem', efficiency)).toBe(12.5)
    expect(metric(report, 'naiveGmem', sectors)).toBe(32)
    expect(metric(report, 'copyGmem', efficiency)).toBe(100)
    expect(metric(report, 'copyGmem', sectors)).toBe(4)
  })

  it('the worst lines of the transpose are its conflicts and its strided accesses', async () => {
    const { report } = await run('seeds/transpose.cu', ['1024', '1024'], 2)
    const worst = report.findings.slice(0, 4).map(({ line, evidence }) => `${line} ${evidence.kernel}`)
    expect(new Set(worst)).toEqual(
      new Set(['33 naiveGmem', '40 naiveGmemReadCol', '90 transposeTile<32, 0>', '100 smem_cuda_transpose<0>']),
    )
  })
})

interface LineRow {
  readonly line: number
  readonly what: string
}

function linesOf(launch: LaunchReport) {
  return launch.sites
    .filter(site => site.space === 'global' || site.space === 'shared')
    .map(site => ({
      line: site.line,
      what: `${site.space} ${site.op}`,
      bytes: site.bytes,
      executed: site.executed,
      threads: site.threads,
      tags: site.tags,
      sectors: site.sectors,
      sectorsIdeal: site.sectorsIdeal,
      ways: site.wavefronts / site.executed,
    }))
    .sort(byLine)
}

function byLine(a: LineRow, b: LineRow): number {
  return a.line - b.line || (a.what < b.what ? -1 : a.what > b.what ? 1 : 0)
}

/** nvprof's shared_load_transactions_per_request and its twin for stores. */
function perRequest(report: Report, kernel: string, op: 'load' | 'store'): number {
  const sites = report.launches
    .find(launch => launch.name === kernel)
    ?.sites.filter(site => site.space === 'shared' && site.op === op)
  const sum = (of: 'wavefronts' | 'executed') => (sites ?? []).reduce((total, site) => total + site[of], 0)
  return sum('wavefronts') / sum('executed')
}
