/** What an earlier launch left in an order of its own makes the counters of later ones modelled, where they go by it. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

const PLACES = 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum'
const COUNT = 'smsp__sass_inst_executed_op_global_ld.sum'

const shop = workshop({
  'order.cu': `
#define I (blockIdx.x * blockDim.x + threadIdx.x)
__device__ int found[256];
__global__ void lists(const int *in, int *list, int *n) { if (in[I] % 3 == 0) list[atomicAdd(n, 1)] = I; }
__global__ void keeps(const int *in, int *n) { if (in[I] % 3 == 0) found[atomicAdd(n, 1)] = I; }
__global__ void copies(const int *list, int *out) { out[I] = 2 * list[I]; }
__global__ void goesBy(const int *list, const float *v, float *out) { out[I] = v[list[I]]; }
__global__ void goesByFound(const float *v, float *out) { out[I] = v[found[I]]; }
__global__ void decides(const int *list, const float *v, float *out) { if (list[I] & 1) out[I] = v[I]; }
__global__ void counts(const int *in, int *bins) { atomicAdd(bins + in[I] % 8, 1); }
__global__ void inserts(const int *in, unsigned *keys) {
  unsigned slot = in[I] % 256;
  while (atomicCAS(keys + slot, ~0u, (unsigned)in[I]) != ~0u) slot = (slot + 1) % 256;
}
__global__ void looksUp(const int *in, const unsigned *keys, float *out) {
  unsigned slot = in[I] % 256;
  while (keys[slot] != in[I] && keys[slot] != ~0u) slot = (slot + 1) % 256;
  out[I] = slot;
}
__global__ void largest(const float *in, int *most) {
  int old = *most;
  while (in[I] > __int_as_float(old)) { int seen = atomicCAS(most, old, __float_as_int(in[I])); if (seen == old) break; old = seen; }
}
int main() {
  int *in, *list, *n, *bins, *copy, *most; unsigned *keys; float *v, *out;
  cudaMallocManaged(&in, 1024); cudaMalloc(&list, 1024); cudaMalloc(&n, 4); cudaMalloc(&bins, 1024); cudaMalloc(&copy, 1024);
  cudaMalloc(&keys, 1024); cudaMalloc(&v, 1024); cudaMalloc(&out, 1024); cudaMalloc(&most, 1024);
  for (int i = 0; i < 256; i++) in[i] = i * 7 % 200;
  cudaMemset(list, 0, 1024); cudaMemset(n, 0, 4); cudaMemset(bins, 0, 1024); cudaMemset(keys, 255, 1024); cudaMemset(v, 0, 1024); cudaMemset(most, 0, 1024);
  goesBy<<<4, 64>>>(list, v, out);
  lists<<<4, 64>>>(in, list, n);
  copies<<<4, 64>>>(list, copy);
  goesBy<<<4, 64>>>(copy, v, out);
  decides<<<4, 64>>>(list, v, out);
  goesBy<<<4, 64>>>(in, v, out);
  counts<<<4, 64>>>(in, bins);
  goesBy<<<4, 64>>>(bins, v, out);
  cudaMemset(n, 0, 4);
  keeps<<<4, 64>>>(in, n);
  goesByFound<<<4, 64>>>(v, out);
  inserts<<<1, 64>>>(in, keys);
  looksUp<<<4, 64>>>(in, keys, out);
  largest<<<4, 64>>>(v, most);
  goesBy<<<4, 64>>>(most, v, out);
  return cudaDeviceSynchronize();
}
`,
})
const labels: string[] = []

beforeAll(async () => {
  const { exitCode, stderr } = await shop.run('profile', '--metrics', `${PLACES},${COUNT}`, '-o', 'o.json', 'order.cu')
  expect(exitCode, stderr).toBe(0)
  const { launches } = parseReport(readFileSync(`${shop.folder}/o.json`, 'utf8'), 'o.json')
  for (const { name, metrics } of launches) {
    const of = (metric: string) => metrics[metric]?.fidelity
    labels.push(`${name} ${of(PLACES)} ${of(COUNT)}`)
  }
}, 120_000)
afterAll(() => shop.remove())

test('each launch is as sure as what it goes by', () => {
  expect(labels.map(each => each.replace(/\(.*?\)/, ''))).toEqual([
    'goesBy exact exact',
    'lists modelled exact',
    'copies exact exact',
    'goesBy modelled exact',
    'decides modelled modelled',
    'goesBy exact exact',
    'counts exact exact',
    'goesBy exact exact',
    'keeps modelled exact',
    'goesByFound modelled exact',
    'inserts modelled modelled',
    'looksUp modelled modelled',
    'largest modelled modelled',
    'goesBy exact exact',
  ])
})
