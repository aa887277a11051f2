/** Occupancy against every launch read on an H200: the four limits and the theoretical occupancy are equal. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findDevice } from '../../src/devices/devices.ts'
import { occupancyOf, wavesOf } from '../../src/metrics/occupancy/occupancy.ts'
import carveout from './readings/carveout.json' with { type: 'json' }

interface Reading {
  readonly kernel: string
  readonly block: readonly number[]
  readonly metrics: Readonly<Record<string, number>>
}

const folder = new URL('../../../shared/truth/h200/', import.meta.url)
const files = ['', 'public/'].flatMap(sub =>
  readdirSync(new URL(sub, folder))
    .filter(name => name.endsWith('.json') && !/patterns|lines/.test(name))
    .map(name => `${sub}${name}`),
)
const h200 = findDevice('H200')

describe('H200', () => {
  test.each(files)('%s', file => {
    const { launches } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { launches: readonly Reading[] }
    expect(launches.length).toBeGreaterThan(0)
    for (const { kernel, block, metrics } of launches) {
      const occupancy = occupancyOf(h200, {
        threads: block.reduce((product, size) => product * size, 1),
        registersPerThread: metrics.launch__registers_per_thread!,
        sharedBytes: metrics.launch__shared_mem_per_block_static! + metrics.launch__shared_mem_per_block_dynamic!,
      })
      const read = {
        registers: metrics.launch__occupancy_limit_registers,
        sharedMemory: metrics.launch__occupancy_limit_shared_mem,
        blocks: metrics.launch__occupancy_limit_blocks,
        warps: metrics.launch__occupancy_limit_warps,
      }
      expect(occupancy.limits, kernel).toEqual(read)
      expect(occupancy.theoreticalPercent, kernel).toBeCloseTo(metrics.sm__maximum_warps_per_active_cycle_pct!, 1)
    }
  })

  test('the carve-out that the driver chooses: 471 of 472 readings', () => {
    const wrong = carveout.launches.filter(([threads, sharedBytes, registersPerThread, , , limit, kib]) => {
      const occupancy = occupancyOf(h200, {
        threads: threads!,
        sharedBytes: sharedBytes!,
        registersPerThread: registersPerThread!,
      })
      return occupancy.sharedCarveoutBytes !== kib! * 1024 || occupancy.limits.sharedMemory !== limit
    })
    expect(wrong.map(([threads, sharedBytes]) => [threads, sharedBytes])).toEqual([[96, 8]])
  })
})

describe('waves', () => {
  test('a grid of one and a half waves leaves half of the second empty', () => {
    const occupancy = occupancyOf(h200, { threads: 256, registersPerThread: 32, sharedBytes: 0 })
    expect(occupancy.blocksPerMultiprocessor).toBe(8)
    expect(wavesOf(h200, occupancy, 132 * 12)).toEqual({ waves: 1.5, tailIdleShare: 0.5 })
  })

  test('a block that fits nowhere', () => {
    const occupancy = occupancyOf(h200, { threads: 1024, registersPerThread: 255, sharedBytes: 0 })
    expect(occupancy.blocksPerMultiprocessor).toBe(0)
    expect(() => wavesOf(h200, occupancy, 1)).toThrow(RangeError)
  })
})

describe('older machines', () => {
  // CUDA C Programming Guide 2.3.1, section 5.2: 16 registers and 256 threads fill a 1.0 multiprocessor's 8K registers twice.
  test('1.x gives registers to blocks', () => {
    const occupancy = occupancyOf(findDevice('8800GTX'), { threads: 256, registersPerThread: 11, sharedBytes: 0 })
    expect(occupancy.limits.registers).toBe(2)
    expect(
      occupancyOf(findDevice('8800GTX'), { threads: 256, registersPerThread: 10, sharedBytes: 0 }).theoreticalPercent,
    ).toBe(100)
  })

  test('Fermi: 48 warps, 8 blocks', () => {
    const occupancy = occupancyOf(findDevice('C2050'), { threads: 192, registersPerThread: 20, sharedBytes: 0 })
    expect(occupancy).toMatchObject({ blocksPerMultiprocessor: 8, theoreticalPercent: 100 })
  })
})
