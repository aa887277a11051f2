/** The shared memory carve-out that a program asks for takes its bytes from L1: less of what is read again is found there. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { findDevice } from '../../src/devices/devices.ts'
import { occupancyOf } from '../../src/metrics/occupancy/occupancy.ts'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

const source = readFileSync(fileURLToPath(new URL('./programs/carveout.cu', import.meta.url)), 'utf8')
const shop = workshop({ 'carveout.cu': source })
afterAll(() => shop.remove())

test('hit rate falls with cudaFuncSetAttribute(kernel, preferred carve-out, 100)', async () => {
  await shop.run('profile', 'carveout.cu', '-o', 'r.json')
  const { launches } = parseReport(readFileSync(`${shop.folder}/r.json`, 'utf8'), 'r.json')
  const values = (name: string) => launches.map(({ metrics }) => metrics[name]!.value!)
  expect(values('launch__shared_mem_config_size').map(bytes => bytes / 1024)).toEqual([8, 8, 132, 228])
  const [driver, least, half, most] = values('l1tex__t_sector_hit_rate.pct')
  expect([driver, least, half]).toEqual([50, 50, 50])
  expect(most).toBeLessThan(10)
  const reads = values('lts__t_sectors_srcunit_tex_op_read.sum')
  expect(reads[3]! / reads[0]!).toBeGreaterThan(1.8)
})

test('a preference is rounded up to a size that there is, and a block fits whatever is preferred', () => {
  const carveout = (device: string, preferredCarveout: number, sharedBytes = 0) =>
    occupancyOf(findDevice(device), { threads: 256, registersPerThread: 32, sharedBytes, preferredCarveout })
      .sharedCarveoutBytes / 1024
  // CUDA C++ Programming Guide: half of Volta's 96 KB is none of its sizes, 64 KB is the next.
  expect(carveout('V100', 50)).toBe(64)
  expect(carveout('H200', 0)).toBe(8)
  expect(carveout('H200', 0, 40 * 1024)).toBe(64)
  expect(carveout('H200', 100)).toBe(228)
  // Shared memory of its own: nothing to choose.
  expect(carveout('P2000', 0)).toBe(96)
})
