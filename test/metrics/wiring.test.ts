/** Time through the whole command: the program's own events, the pages, both executors, registers from the machine compiler. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'
import { sharedFolder } from '../programs/readings.ts'

const overlap = readFileSync(fileURLToPath(new URL('./programs/overlap.cu', import.meta.url)), 'utf8')
const seed = (name: string) => readFileSync(`${sharedFolder}cases/seeds/${name}`, 'utf8')
const shop = workshop({
  'overlap.cu': overlap,
  'transpose.cu': seed('transpose.cu'),
  'smem_square.cu': seed('smem_square.cu'),
  'registers.txt': `ptxas info    : Compiling entry function '_Z4workPfi' for 'sm_90'
ptxas info    : Used 64 registers, used 0 barriers\n`,
})
afterAll(() => shop.remove())

describe('overlap: copies beside kernels', () => {
  test('events: four streams are fastest, many small copies slowest', async () => {
    const { stdout, exitCode } = await shop.run('run', 'overlap.cu')
    expect(exitCode).toBe(0)
    const ms = Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map(line => line.split(' ')),
    ) as Record<string, string>
    const [one, four, small] = ['one', 'four', 'small'].map(name => Number(ms[name]))
    expect(four).toBeLessThan(one! / 2)
    expect(small).toBeGreaterThan(2 * one!)
  })

  test('the trace says by how much things overlap', async () => {
    const factor = async (way: string) => {
      const { stdout } = await shop.run('profile', 'overlap.cu', '--print-gpu-trace', '--', way)
      return Number(/([\d.]+) times as fast/.exec(stdout.replaceAll('\n', ' '))?.[1])
    }
    expect(await factor('one')).toBeLessThanOrEqual(1)
    expect(await factor('four')).toBeGreaterThan(1.3)
  })
})

const LOOP = `__global__ void work(float *p, const int *rounds, int) {
  float sum = 0;
  for (int i = 0; i < *rounds; i++) sum += sqrtf(p[threadIdx.x] + i);
  p[threadIdx.x] = sum;
}
int main() {
  float *p; int *rounds;
  cudaMalloc(&p, 128); cudaMallocManaged(&rounds, 4);
  for (int i = 0; i < 24; i++) {
    *rounds = i % 6 == 4 ? 500 : 50;
    work<<<1, 32>>>(p, rounds, i);
    cudaDeviceSynchronize();
  }
}`

test('launches that did the same take the same time, others theirs', async () => {
  shop.write('loop.cu', LOOP)
  await shop.run('profile', '-o', 'loop.json', 'loop.cu')
  const { launches } = parseReport(readFileSync(`${shop.folder}/loop.json`, 'utf8'), 'loop.json')
  const us = launches.slice(12).map(({ prediction }) => prediction?.us ?? 0)
  expect(us[4]).toBeGreaterThan(2 * us[0]!)
  expect(us).toEqual(us.map((_, index) => us[index % 6 === 4 ? 4 : 0]))
})

describe('predictions in the report', () => {
  const report = async (...args: string[]) => {
    await shop.run('profile', '-o', 'r.json', ...args)
    return parseReport(readFileSync(`${shop.folder}/r.json`, 'utf8'), 'r.json')
  }

  test('the same from the generated code and from the reference interpreter, and labelled', async () => {
    const [fast, slow] = [
      await report('transpose.cu', '--', '96', '64'),
      await report('transpose.cu', '--executor', 'reference', '--', '96', '64'),
    ]
    expect(slow).toEqual(fast)
    for (const { prediction, metrics } of fast.launches) {
      expect(prediction).toMatchObject({ fidelity: 'modelled' })
      for (const name of ['gpu__time_duration.sum', 'lts__t_sectors_op_read.sum', 'dram__bytes_read.sum'])
        expect(metrics[name]).toMatchObject({ fidelity: 'modelled', value: expect.any(Number) })
    }
  })

  test('--no-time: no prediction, no value', async () => {
    const { launches } = await report('transpose.cu', '--no-time', '--', '96', '64')
    expect(launches[0]).not.toHaveProperty('prediction')
    expect(launches[0]!.metrics['gpu__time_duration.sum']).toMatchObject({ value: null, fidelity: 'unsupported' })
  })

  test('registers: estimated, stated, or from a listing', async () => {
    const name = 'launch__registers_per_thread'
    const read = async (...flags: string[]) => (await report('overlap.cu', ...flags)).launches[0]!.metrics[name]
    expect(await read()).toMatchObject({ fidelity: 'modelled' })
    expect(await read('--registers', '40')).toMatchObject({ value: 40, fidelity: 'exact' })
    expect(await read('--registers', 'registers.txt')).toMatchObject({ value: 64, fidelity: 'exact' })
    const wrong = await shop.run('profile', 'overlap.cu', '--registers', 'overlap.cu')
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('lists no kernel')])
  })

  test('the details page tells time and limiter, the source page each line’s part', async () => {
    const details = await shop.run('profile', 'transpose.cu', '-k', 'naiveGmem', '--', '256', '256')
    expect(details.stdout).toMatch(/Predicted time, and what limits it/)
    expect(details.stdout).toMatch(/naiveGmem\s+~[\d.]+ us\s+\w+/)
    const source = await shop.run('profile', 'transpose.cu', '--page', 'source', '--', '256', '256')
    expect(source.stdout).toMatch(/~\d+%/)
  })

  test('a Quadro P2000 in the order of document 003 (that of 004: fidelity/p2000.test.ts)', async () => {
    const { launches } = await report('smem_square.cu', '--device', 'P2000')
    const tiles = new Map(launches.map(({ name, prediction }) => [name, prediction!.us]))
    const order = ['setColReadCol', 'setRowReadCol', 'setRowReadColPad', 'setRowReadRow'].map(name => tiles.get(name)!)
    expect(order).toEqual([...order].sort((a, b) => b - a))
  })
})
