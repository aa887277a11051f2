/**
 * The three micro programs, at -O0 and -O2: one-warp patterns (1,438 launches), speed kernels, kernels bound by one limit.
 * Counters as Nsight Compute read them on an H200.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { createNodeExecutor } from '../../src/node/executor.ts'
import { referenceExecutor } from '../../src/reference/executor.ts'
import { compileCase, device, limited, runCase } from './cases.ts'
import { differences, exactCounters, readLaunches, readPatterns } from './readings.ts'

const fast = createNodeExecutor({ device, jobs: 2, threadsAfterMs: 0 })
afterAll(() => fast.close())

const levels = [0, 2] as const

describe('patterns.cu', () => {
  const names = [...exactCounters, 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum']

  it.each(levels)('all 1,438 launches as the H200 read them, at -O%d', async level => {
    const { result, report } = runCase(await compileCase('micro/patterns.cu', level), [], fast.executor)
    expect(result.exitCode).toBe(0)
    const readings = readPatterns()
    expect(report.launches).toHaveLength(readings.length)
    const wrong = report.launches.flatMap((launch, i) => {
      const reading = readings[i]!
      const found = differences(launch, reading, names)
      return found.length === 0 ? [] : [`${launch.name} ${reading.pattern}: ${found.join('; ')}`]
    })
    expect(wrong).toEqual([])
  })
})

describe('speed.cu', () => {
  const runs = [
    ['transpose_naive', '128'],
    ['transpose_tile', '128'],
    ['transpose_tile_pad', '128'],
    ['vecadd', '65536'],
    ['matmul', '64'],
    ['reduce', '65536'],
    ['mandel', '64'],
  ] as const

  it.each(levels)('every kernel says OK, at -O%d', async level => {
    const program = await compileCase('micro/speed.cu', level)
    for (const [kernel, size] of runs) {
      const { stdout, result } = runCase(program, [kernel, size], fast.executor)
      expect([stdout, result.exitCode]).toEqual([`${kernel} ${size} OK\n`, 0])
    }
  })

  it('the reference interpreter agrees, in results and counters', async () => {
    for (const level of levels) {
      const program = await compileCase('micro/speed.cu', level)
      for (const [kernel, size] of [
        ['matmul', '32'],
        ['reduce', '2048'],
        ['transpose_tile_pad', '64'],
        ['mandel', '16'],
      ] as const) {
        const slow = runCase(program, [kernel, size], referenceExecutor)
        expect(slow.stdout).toBe(`${kernel} ${size} OK\n`)
        expect(slow.report).toEqual(runCase(program, [kernel, size], fast.executor).report)
      }
    }
  })
})

describe('limits.cu', () => {
  // Unoptimised, most of a minute.
  it.each(process.env.WARPLENS_TEST_NIGHTLY === '1' ? levels : ([2] as const))(
    'the launches that are not too large, at -O%d',
    async level => {
      // Larger ones want a gigabyte and hours of simulated work.
      const mostThreads = 4 << 20
      const program = await compileCase('micro/limits.cu', level)
      const { result, report, stderr } = runCase(program, ['1'], limited(fast.executor, mostThreads))
      expect([stderr, result.exitCode]).toEqual(['', 0])
      const readings = readLaunches('limits')
      expect(report.launches).toHaveLength(readings.length)
      const wrong = report.launches.flatMap((launch, i) => {
        const { grid, block } = launch
        const threads = grid[0] * grid[1] * grid[2] * block[0] * block[1] * block[2]
        // The readings are of `nvcc -O3`: its unrolled loops join shared loads that unoptimised code makes one by one.
        if (threads > mostThreads || (level === 0 && launch.name === 'matmul')) return []
        return differences(launch, readings[i]!).map(difference => `${i} ${launch.name}: ${difference}`)
      })
      expect(wrong).toEqual([])
    },
    900_000,
  )
})
