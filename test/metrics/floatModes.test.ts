/**
 * nvcc's -use_fast_math, -ftz, -prec-div, -prec-sqrt and -fmad: results, and what the machine issues. Sources: an H200 ran the same kernels
 * under each flag (nvcc 13.0, sm_90), 4,096 pairs of numbers, a quarter of the first ones subnormal; `smsp__inst_executed` of each under -use_fast_math.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import type { FloatChoices } from '../../src/ir/floatMode.ts'
import { runFile } from '../../src/node/index.ts'
import { workshop } from '../cli/harness.ts'

/** What is exact, or rounded rightly, in every mode. */
const EXACT: Readonly<Record<string, string>> = {
  add: 'x + y',
  mul: 'x * y',
  mad: 'x * y + x',
  sub: 'x - y',
  mn: 'fminf(x, y)',
  mx: 'fmaxf(x, y)',
  ab: 'fabsf(x)',
  ng: '-x',
  fl: 'floorf(x)',
  rn: 'rintf(x)',
  lt: 'x < y ? 1.0f : 2.0f',
  eq: 'x == 0.0f ? y : x',
  ct: '(float)(int)x',
  st: '__saturatef(x)',
  frn: '__frcp_rn(x)',
  fdn: '__fdiv_rn(x, y)',
  fm: 'fmodf(x, y)',
  copy: 'copysignf(x, y)',
  third: 'x / 3.0f',
}
/** What -use_fast_math makes shorter, and the machine instructions of each; a second operand is four more. */
const APPROXIMATE: Readonly<Record<string, readonly [expression: string, instructions: number]>> = {
  quotient: ['x / y', 5],
  reciprocal: ['1.0f / x', 1],
  root: ['sqrtf(x)', 1],
  inverse_root: ['1.0f / sqrtf(x)', 1],
  by_constant: ['x / 3.0f', 1],
  sine: ['sinf(x)', 2],
  cosine: ['cosf(x)', 2],
  tangent: ['tanf(x)', 5],
  exponential: ['expf(x)', 2],
  power_of_two: ['exp2f(x)', 1],
  logarithm: ['logf(x)', 2],
  binary_logarithm: ['log2f(x)', 1],
  power: ['powf(x, y)', 6],
  hyperbolic: ['tanhf(x)', 1],
  added: ['x / y + x', 5],
}

const kernels = (expressions: Readonly<Record<string, string>>): string =>
  Object.entries(expressions)
    .map(
      ([name, expression]) =>
        `__global__ void k_${name}(const float *a, const float *b, float *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i], y = b[i];
  o[i] = ${expression};
}\n`,
    )
    .join('')

const EXACT_PROGRAM = `#include <cstdio>
#include <cmath>
#include <cstring>
${kernels(EXACT)}
#define N 4096
typedef void (*Kernel)(const float *, const float *, float *);
int main() {
  static float a[N], b[N], o[N];
  unsigned s = 1;
  for (int i = 0; i < N; i++) {
    s = s * 1664525u + 1013904223u;
    unsigned u = s;
    s = s * 1664525u + 1013904223u;
    unsigned v = s;
    if (i % 4 == 0) u = u & 0x807fffff;
    else if (i % 4 == 1) {
      u = (u & 0x807fffff) | ((110 + (u >> 24) % 34) << 23);
      v = (v & 0x807fffff) | ((110 + (v >> 24) % 34) << 23);
    } else if (i % 8 == 2) {
      u = (u & 0x807fffff) | ((1 + (u >> 24) % 24) << 23);
      v = (v & 0x807fffff) | ((1 + (v >> 24) % 24) << 23);
    }
    memcpy(a + i, &u, 4);
    memcpy(b + i, &v, 4);
  }
  a[1] = 0, b[1] = -0.0f, a[2] = INFINITY, a[3] = NAN, a[5] = 1e-40f, b[5] = 3e38f;
  float *da, *db, *out;
  cudaMalloc(&da, sizeof a), cudaMalloc(&db, sizeof b), cudaMalloc(&out, sizeof o);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  const char *names[] = {${Object.keys(EXACT)
    .map(name => `"${name}"`)
    .join(', ')}};
  Kernel all[] = {${Object.keys(EXACT)
    .map(name => `k_${name}`)
    .join(', ')}};
  for (int k = 0; k < int(sizeof all / sizeof *all); k++) {
    all[k]<<<N / 128, 128>>>(da, db, out);
    cudaMemcpy(o, out, sizeof o, cudaMemcpyDeviceToHost);
    unsigned h = 2166136261u, w;
    for (int i = 0; i < N; i++) memcpy(&w, o + i, 4), h = (((h << 5) | (h >> 27)) ^ w) * 16777619u;
    printf("%s %08x ", names[k], h);
  }
}
`

const expressions = Object.fromEntries(Object.entries(APPROXIMATE).map(([name, [expression]]) => [name, expression]))
const APPROXIMATE_PROGRAM = `#include <cmath>
${kernels({ ...expressions, copy: 'x' })}
int main() {
  float *a, *o;
  cudaMalloc(&a, 4096), cudaMalloc(&o, 4096);
  cudaMemset(a, 0, 4096);
${Object.keys({ copy: 0, ...expressions })
  .map(name => `  k_${name}<<<1, 32>>>(a, a, o);\n`)
  .join('')}  return cudaDeviceSynchronize();
}
`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'warplens-floats-'))
  writeFileSync(join(folder, 'exact.cu'), EXACT_PROGRAM)
  writeFileSync(join(folder, 'values.cu'), VALUES)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Bits of 4,096 results of each kernel, hashed, as the H200 has them. */
const HASHES: Readonly<Record<string, readonly [choices: FloatChoices, hashes: string]>> = {
  plain: [
    {},
    'add 97c861f9 mul a82c7f1d mad a153daf8 sub 6eb7e323 mn bd9ccae3 mx e24f8ac9 ab eada5e33 ng 53dd5456 fl df053abf rn 47fb12f0 lt 5439c066 eq eaf07f56 ct 0017b0bb st fd0e9a7b frn 4eb9985c fdn c8cbe598 fm fea15b80 copy 869d981d third a306b923',
  ],
  fast: [
    { useFastMath: true },
    'add 1aa8a29e mul 3106b6ce mad f42b6856 sub 42fce46a mn 32e1076b mx c709f0fa ab ae3d4592 ng c0d1a85e fl 8124cc50 rn 47fb12f0 lt cc601cfb eq 2151750f ct 0017b0bb st f8a880c1 frn d694df7d fdn ea01c3b1 fm 71951f18 copy 869d981d third 36ba49d4',
  ],
  flushing: [
    { ftz: true },
    'add 1aa8a29e mul 3106b6ce mad f42b6856 sub 42fce46a mn 32e1076b mx c709f0fa ab ae3d4592 ng c0d1a85e fl 8124cc50 rn 47fb12f0 lt cc601cfb eq 2151750f ct 0017b0bb st f8a880c1 frn d694df7d fdn ea01c3b1 fm 71951f18 copy 869d981d third 0270c203',
  ],
  unfused: [
    { fmad: false },
    'add 97c861f9 mul a82c7f1d mad 2af98677 sub 6eb7e323 mn bd9ccae3 mx e24f8ac9 ab eada5e33 ng 53dd5456 fl df053abf rn 47fb12f0 lt 5439c066 eq eaf07f56 ct 0017b0bb st fd0e9a7b frn 4eb9985c fdn c8cbe598 fm fea15b80 copy 869d981d third a306b923',
  ],
}

it.each(Object.entries(HASHES))('%s: every bit is the H200’s', async (_, [floats, hashes]) => {
  const { stdout } = await runFile('exact.cu', { workingDirectory: folder, floats })
  expect(stdout.trim()).toBe(hashes)
})

it('-use_fast_math: the machine’s instructions of quotients, roots and functions', async () => {
  const shop = workshop({ 'approximate.cu': APPROXIMATE_PROGRAM })
  const flags = ['-use_fast_math', '--metrics', 'smsp__inst_executed.sum', '--csv']
  const { stdout } = await shop.run('profile', 'approximate.cu', ...flags)
  shop.remove()
  const counts = [...stdout.matchAll(/"k_(\w+)\(.*"inst","([\d.]+)"/g)].map(
    ([, name, count]) => [name, Number(count)] as const,
  )
  const copied = counts[0]![1]
  const others = counts.slice(1).map(([name, count]) => [name, Math.round(count - copied)])
  expect(others).toEqual(Object.entries(APPROXIMATE).map(([name, [, instructions]]) => [name, instructions]))
})

/** Corners, with what an H200 gives: the sine of a small angle is cut off, a tanh is not flushed, a negative base has no power. */
const VALUES = `#include <cstdio>
#include <cmath>
__global__ void values(const float *x, float *o) {
  o[0] = sinf(x[0]), o[1] = cosf(x[0]), o[2] = tanhf(x[1]), o[3] = powf(x[2], 2.0f), o[4] = 1.0f / x[3];
  o[5] = x[4] / x[3], o[6] = sqrtf(x[1]), o[7] = logf(x[1]), o[8] = expf(x[5]), o[9] = sinf(x[6]);
}
int main() {
  float h[] = {1e-9f, 1e-39f, -2.0f, 2e38f, 1e38f, -88.0f, 1e12f}, o[10], *x, *y;
  cudaMalloc(&x, sizeof h), cudaMalloc(&y, sizeof o);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  values<<<1, 1>>>(x, y);
  cudaMemcpy(o, y, sizeof o, cudaMemcpyDeviceToHost);
  for (float v : o) printf("%.6g ", v);
}
`

test.each<[string, FloatChoices, string]>([
  ['-use_fast_math', { useFastMath: true }, '0 1 1e-39 nan 0 0 0 -inf 0 0'],
  ['-ftz=true', { ftz: true }, '1e-09 1 0 4 0 0.5 0 -inf 0 -0.020803'],
  [
    '-use_fast_math -ftz=false',
    { useFastMath: true, ftz: false },
    '0 1 1e-39 nan 5e-39 0 3.16228e-20 -89.8008 6.05461e-39 0',
  ],
])('%s: corners', async (_, floats, wanted) => {
  const { stdout } = await runFile('values.cu', { workingDirectory: folder, floats })
  expect(stdout.trim()).toBe(wanted)
})
