/** What one thread's loops leave in memory is what the host's do (serialLoops.ts). */
import { afterAll, expect, test } from 'vitest'
import { workshop } from '../cli/harness.ts'
import { serialLoops } from './serialLoops.ts'

const SEEDS = process.env.WARPLENS_TEST_NIGHTLY === '1' ? 20 : 1

const shop = workshop()
afterAll(() => shop.remove())

test.each(Array.from({ length: SEEDS }, (_, at) => at + 1))('seed %d', { timeout: 120_000 }, async seed => {
  shop.write(`loops${seed}.cu`, serialLoops(seed))
  const { stdout } = await shop.run('run', `loops${seed}.cu`)
  expect(stdout).toBe('0 differ, cudaSuccess\n')
})
