/** What device printf moves, against readings of one warp's call with formats of 52 to 512 characters (readings/longPrints.json). */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from '../../src/report/model.ts'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

type Row = readonly [characters: number, args: number, loads: number, stores: number, us: number]
const readings = JSON.parse(readFileSync(new URL('./readings/longPrints.json', import.meta.url), 'utf8')) as {
  launches: readonly Row[]
}

const nameOf = ([characters, args]: Row) => `says_${characters}_${args}`

function kernelOf(row: Row): string {
  const [characters, args] = row
  const numbers = '%d '.repeat(args)
  const format = `${numbers}${'x'.repeat(characters - 1 - numbers.length)}\\n`
  return `__global__ void ${nameOf(row)}() { int t = threadIdx.x; printf("${format}"${', t'.repeat(args)}); (void)t; }`
}

const MANY = 40_000
const shop = workshop({
  'prints.cu': `#include <cstdio>
${readings.launches.map(kernelOf).join('\n')}
__global__ void many() { printf("a\\n"); }
int main() {
${readings.launches.map(row => `  ${nameOf(row)}<<<1, 32>>>();`).join('\n')}
  many<<<${MANY / 32}, 32>>>();
  return cudaDeviceSynchronize();
}
`,
})
afterAll(() => shop.remove())

let report: Report
beforeAll(async () => {
  await shop.run('profile', '-o', 'r.json', '--quiet', 'prints.cu')
  report = parseReport(readFileSync(`${shop.folder}/r.json`, 'utf8'), 'r.json')
}, 120_000)

const LOADS = 'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum'
const STORES = 'l1tex__t_requests_pipe_lsu_mem_global_op_st.sum'
const metricsOf = (name: string) => report.launches.find(launch => launch.name === name)!.metrics

test.each(readings.launches)('%i characters, %i arguments', (...row) => {
  const [, , loads, stores, us] = row
  const metrics = metricsOf(nameOf(row))
  expect([metrics[LOADS]!.value, metrics[STORES]!.value]).toEqual([loads, stores])
  const time = metrics['gpu__time_duration.sum']!.value! / 1000
  expect(time / us).toBeGreaterThan(0.6)
  expect(time / us).toBeLessThan(1.2)
})

test('how much texts of three and more packets may hold was not read', () => {
  const exact = readings.launches.filter(row => metricsOf(nameOf(row))[STORES]!.fidelity === 'exact')
  const isShort = ([characters, args]: Row) => characters < 400 || (characters === 400 && args < 8)
  expect(exact).toEqual(readings.launches.filter(isShort))
})

test('where the buffer is full, loads are no longer called exact', () => {
  const metrics = metricsOf('many')
  expect([metrics[LOADS]!.fidelity, metrics[STORES]!.fidelity]).toEqual(['modelled', 'exact'])
  // 49,152 threads took 65.8 ms, 32,768 took 10 ms.
  expect(metrics['gpu__time_duration.sum']!.value! / 1e6).toBeGreaterThan(10)
})
