/** The commands on a small program: what goes to which stream, which launches and metrics are shown, the files that are written. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseReport } from '../../src/report/schema.ts'
import { type Outcome, workshop } from './harness.ts'

const program = `#include <cstdio>
#include <cuda_runtime.h>

template <int STRIDE>
__global__ void strided(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * STRIDE] = in[i];
}

__global__ void conflicting(float *out) {
  __shared__ float tile[32 * 16];
  tile[threadIdx.x * 16] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x * 16];
}

int main(int argc, char **argv) {
  float *in, *out;
  cudaMalloc(&in, 1 << 16);
  cudaMalloc(&out, 1 << 16);
  cudaMemset(in, 0, 1 << 16);
  strided<1><<<4, 64>>>(out, in);
  strided<8><<<4, 64>>>(out, in);
  strided<8><<<4, 64>>>(out, in);
  conflicting<<<1, 32>>>(out);
  printf("arguments:");
  for (int i = 1; i < argc; i++) printf(" [%s]", argv[i]);
  printf("\\n");
  fprintf(stderr, "to stderr\\n");
  return cudaDeviceSynchronize() != cudaSuccess;
}
`

/** A kernel in a header beside the program and one in a folder of its own; \`% stride\` is a division on the machine. */
const withHeaders = {
  'main.cu': `#include "tree.cuh"
#include "../kernels/copy.cuh"
int main() {
  int *out;
  cudaMalloc(&out, 4096);
  tree<<<1, 256>>>(out);
  copied<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}
`,
  'tree.cuh': `#include "../kernels/copy.cuh"
__global__ void tree(int *out) {
  int t = threadIdx.x;
  for (int stride = 1; stride < 256; stride *= 2) {
    if (t % (2 * stride) == 0) out[t] += out[t + stride];
    __syncthreads();
  }
}
`,
  'copy.cuh': `#pragma once
__global__ void copied(int *out) {
  out[threadIdx.x + 64] = out[threadIdx.x];
}
`,
}

const shop = workshop({
  'small.cu': program,
  'small.cpp': program,
  'app/main.cu': withHeaders['main.cu'],
  'app/tree.cuh': withHeaders['tree.cuh'],
  'kernels/copy.cuh': withHeaders['copy.cuh'],
  'whole.cu': [withHeaders['copy.cuh'], withHeaders['tree.cuh'], withHeaders['main.cu']]
    .map(text => text.replace(/^#.*\n/gm, ''))
    .join(''),
})
afterAll(() => shop.remove())

const lineWith = ({ stdout }: Outcome, part: string) => stdout.split('\n').find(line => line.includes(part)) ?? ''

describe('run', () => {
  it("a line of nvcc's from a makefile: what changes nothing here is passed over, what would is not", async () => {
    const flags =
      '-arch=sm_80 -gencode arch=compute_80,code=sm_80 --extended-lambda -Xcompiler -fopenmp -lineinfo -lcublas -dc -isystem . -t0 -Xcudafe --diag_suppress=1 -MD -MF small.d --resource-usage -o small'
    const outcome = await shop.run(
      'run',
      ...flags.split(' '),
      '-O3',
      '-std=c++17',
      '-include',
      'cstdint',
      '-rdc=true',
      '-rdc',
      'true',
      'small.cu',
      '--',
      '-lineinfo',
    )
    expect(outcome).toEqual({ exitCode: 0, stdout: 'arguments: [-lineinfo]\n', stderr: 'to stderr\n' })
    const changing = await shop.run('run', '-G', 'small.cu')
    expect(changing.stderr).toContain("nvcc's -G is not supported")
    expect(changing.exitCode).toBe(2)
  })

  it.each([['-x', 'cu'], ['-x=cu']])('%s compiles kernels in a source that is C++ by its name', async (...flag) => {
    const outcome = await shop.run('run', ...flag, 'small.cpp')
    expect(outcome).toEqual({ exitCode: 0, stdout: 'arguments:\n', stderr: 'to stderr\n' })
  })

  it('is the program: its arguments, its two streams, its exit code', async () => {
    const outcome = await shop.run('run', 'small.cu', '--', 'a b', '--csv', '--')
    expect(outcome).toEqual({ exitCode: 0, stdout: 'arguments: [a b] [--csv] [--]\n', stderr: 'to stderr\n' })
  })

  it('--verbose prints where the time goes', async () => {
    const { stderr } = await shop.run('run', 'small.cu', '--verbose')
    expect(stderr).toMatch(/compile +\d+ ms/)
    expect(stderr).toMatch(/total +\d+ ms/)
  })
})

describe('profile', () => {
  let page: Outcome
  beforeAll(async () => {
    page = await shop.run('profile', 'small.cu')
  })

  it('shows the program’s output, then a row a launch, then the worst lines', () => {
    const { exitCode, stdout } = page
    expect(exitCode).toBe(0)
    expect(stdout.startsWith('arguments:\n')).toBe(true)
    expect(lineWith(page, '0 strided<1>').trim().split(/\s+/)).toEqual([
      '0',
      'strided<1>',
      '4·64',
      '16',
      '4',
      '4',
      '100',
      '100',
      '-',
      '0',
    ])
    expect(lineWith(page, '1-2 strided<8>').trim().split(/\s+/)).toEqual([
      '1-2',
      'strided<8>',
      '4·64',
      '16',
      '4',
      '32',
      '100',
      '12.5',
      '-',
      '224',
    ])
    expect(lineWith(page, '3 conflicting')).toMatch(/ 16 +30$/)
    expect(stdout.indexOf('small.cu:7')).toBeGreaterThan(0)
    expect(stdout.indexOf('small.cu:7')).toBeLessThan(stdout.indexOf('small.cu:12'))
    expect(stdout).toContain('out[i * STRIDE] = in[i];')
  })

  it('prints the same a second time', async () => {
    expect(await shop.run('profile', 'small.cu')).toEqual(page)
  })

  it('--quiet leaves the report alone', async () => {
    const { stdout } = await shop.run('profile', 'small.cu', '--quiet')
    expect(stdout).not.toContain('arguments:')
    expect(stdout).toContain('strided<1>')
  })

  it('--csv keeps standard output a table, the program’s output goes to standard error', async () => {
    const outcome = await shop.run(
      'profile',
      'small.cu',
      '--csv',
      '--metrics',
      'gld_efficiency,smsp__sass_l1tex_tags_mem_global.sum',
    )
    const rows = outcome.stdout.trimEnd().split('\n')
    expect(rows).toHaveLength(1 + 4 * 2)
    expect(rows.every(row => row.startsWith('"'))).toBe(true)
    expect(rows[2]).toBe(
      '"0","void strided<(int)1>(float *, const float *)","0","(64, 1, 1)","(4, 1, 1)","H200","9.0","smsp__sass_l1tex_tags_mem_global.sum","","16","exact"',
    )
    expect(outcome.stderr).toContain('arguments:')
  })

  it('-k, --launch-skip and --launch-count choose launches', async () => {
    const names = async (...args: string[]) => {
      const { stdout } = await shop.run('profile', 'small.cu', '--csv', '--metrics', 'gld_efficiency', ...args)
      return stdout
        .trimEnd()
        .split('\n')
        .slice(1)
        .map(row => /^"(\d+)"/.exec(row)?.[1])
    }
    expect(await names('-k', 'strided')).toEqual(['0', '1', '2'])
    expect(await names('-k', 'regex:^conf')).toEqual(['3'])
    expect(await names('-k', 'strided', '--launch-skip', '1')).toEqual(['1', '2'])
    expect(await names('-k', 'strided', '--launch-skip', '1', '--launch-count', '1')).toEqual(['1'])
    expect(await names('-k', 'strided<1>')).toEqual(['0'])
    expect(await names('-f', '--target-processes', 'all', '-k', 'strided', '-s', '1', '-c', '1')).toEqual(['1'])
  })

  it('a choice of no launch is a mistake in the command, not a program without kernels', async () => {
    const unknown = await shop.run('profile', 'small.cu', '-k', 'nobody')
    expect(unknown.exitCode).toBe(2)
    expect(unknown.stdout).not.toContain('No kernel was launched')
    expect(unknown.stderr).toMatch(/-k nobody: no such kernel was launched\n {2}note: launched were strided<1>, /)
    const skipped = await shop.run('profile', 'small.cu', '-k', 'strided', '--launch-skip', '9', '-o', 'none.json')
    expect(skipped.exitCode).toBe(2)
    expect(skipped.stderr).toContain('--launch-skip 9 leaves none of the 3 launches of -k strided')
    expect(existsSync(join(shop.folder, 'none.json'))).toBe(false)
  })

  it('--page source puts the costs beside the text', async () => {
    const outcome = await shop.run('profile', 'small.cu', '--page', 'source', '-k', 'strided', '--launch-skip', '1')
    expect(lineWith(outcome, 'out[i * STRIDE]').trim().split(/\s+/).slice(0, 3)).toEqual(['4', '32', '448'])
  })

  it('the text of included files stands there too, and tells what it tells of a single one', async () => {
    const outcome = await shop.run('profile', 'app/main.cu', '--page', 'source')
    expect(lineWith(outcome, 'out[t] +=')).not.toBe('')
    expect(lineWith(outcome, 'out[threadIdx.x + 64] =')).not.toBe('')
    const instructions = async (file: string) => {
      const { stdout } = await shop.run('profile', file, '--metrics', 'smsp__inst_executed.sum', '--csv')
      return stdout
        .split('\n')
        .filter(line => line.includes('smsp__inst_executed.sum'))
        .map(line => line.split('","')[9])
    }
    expect(await instructions('app/main.cu')).toEqual(await instructions('whole.cu'))
  })

  it('--print-summary per-kernel and --print-gpu-trace have their pages', async () => {
    const summary = await shop.run(
      'profile',
      'small.cu',
      '--print-summary',
      'per-kernel',
      '--metrics',
      'gst_efficiency',
    )
    expect(summary.stdout).toContain('strided<(int)8>(float *, const float *) (4, 1, 1)x(64, 1, 1), Invocations: 2')
    const trace = await shop.run('profile', 'small.cu', '--print-gpu-trace')
    expect(trace.stdout).toContain('[CUDA memset]')
    expect(lineWith(trace, 'conflicting')).toContain('2048B')
    expect(trace.stdout).toMatch(/Regs +SSMem +DSMem +Size +Throughput/)
    expect(lineWith(trace, 'conflicting')).toMatch(/ ~\d\d +2048B/)
  })

  it('-o writes the report in the form that the extension names, and prints no page', async () => {
    const outcome = await shop.run('profile', 'small.cu', '-o', 'r.json', '-o', 'r.html', '-o', 'r.md', '-o', 'r.csv')
    expect(outcome.exitCode).toBe(0)
    expect(outcome.stdout).toBe('arguments:\n')
    expect(outcome.stderr).toContain('Wrote r.json')
    const read = (name: string) => readFileSync(join(shop.folder, name), 'utf8')
    const report = parseReport(read('r.json'), 'r.json')
    expect(report.launches.map(({ name }) => name)).toEqual(['strided<1>', 'strided<8>', 'strided<8>', 'conflicting'])
    const store = report.launches[1]?.sites.find(({ op }) => op === 'store')
    expect(store).toMatchObject({
      file: 'small.cu',
      line: 7,
      space: 'global',
      bytes: 4,
      executed: 8,
      threads: 256,
      sectors: 256,
      sectorsIdeal: 32,
      fidelity: 'exact',
    })
    expect(report.program).toEqual({ files: ['small.cu'], args: [], exitCode: 0 })
    expect(read('r.html')).toContain('strided&lt;8&gt;')
    expect(read('r.md')).toContain('| strided&lt;8&gt; |')
    expect(read('r.csv').split('\n')[0]).toContain('"Metric Name"')
    const compressed = await shop.run('profile', 'small.cu', '-o', 'c.json.gz')
    expect(compressed.exitCode).toBe(0)
    expect(gunzipSync(readFileSync(join(shop.folder, 'c.json.gz'))).toString()).toBe(read('r.json'))
  })

  it('the reference interpreter gives the same report', async () => {
    expect(await shop.run('profile', 'small.cu', '--executor', 'reference')).toEqual(page)
  })
})

it('names of files, kernels and arrays may have letters beyond ASCII', async () => {
  const text = `namespace räume {
template <class T> __global__ void größe(T *müll) { müll[threadIdx.x * 2] = 1; }
}
__constant__ float größen[4];
__global__ void füllt(float *müll) {
  __shared__ float flächen[64];
  flächen[threadIdx.x * 2] = größen[threadIdx.x % 4];
  __syncthreads();
  müll[threadIdx.x * 8] = flächen[62 - threadIdx.x * 2];
}
int main() {
  float *d;
  cudaMalloc(&d, 4096);
  räume::größe<float><<<1, 32>>>(d);
  füllt<<<1, 32>>>(d);
}
`
  shop.write('Übung ☃.cu', text)
  const { stdout, stderr, exitCode } = await shop.run('profile', 'Übung ☃.cu')
  expect(exitCode, stderr).toBe(0)
  expect(stdout).toMatch(/^0 größe<float> +1·32 /m)
  expect(stdout).toMatch(/Übung ☃\.cu:2 {2}global store of müll in größe<float>\n +.*müll\[threadIdx\.x \* 2\] = 1;/)
  expect(stdout).toMatch(/Übung ☃\.cu:7 {2}shared store of flächen in füllt\n/)
  const one = await shop.run('profile', 'Übung ☃.cu', '-k', 'größe', '--page', 'raw')
  expect(one.stdout).toContain('void räume::größe<float>(T1 *)')
})

describe('tables', () => {
  it('devices lists GPUs, and one in full', async () => {
    const all = await shop.run('devices')
    expect(all.stdout).toMatch(/^H200 +9\.0 +132 /m)
    const one = await shop.run('devices', 'h200')
    expect(one.stdout).toMatch(/multiprocessors +132/)
    expect((await shop.run('devices', 'H2000')).exitCode).toBe(2)
  })

  it('metrics lists metrics, and one in full', async () => {
    const all = await shop.run('metrics')
    expect(all.stdout).toMatch(/^gld_efficiency +% /m)
    const one = await shop.run('metrics', 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum')
    expect(one.stdout).toContain('unit: sector')
    expect(one.stdout).toContain('exact')
    expect((await shop.run('metrics', 'nonsense')).exitCode).toBe(2)
  })

  it('--version and --help go to standard output', async () => {
    expect((await shop.run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    const help = await shop.run('profile', '--help')
    expect(help.exitCode).toBe(0)
    expect(help.stdout).toContain('--launch-count')
    for (const line of help.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })
})
