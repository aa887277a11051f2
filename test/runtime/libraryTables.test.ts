/** The tables that the runtime computes for library headers. */
import { afterAll, expect, test } from 'vitest'
import { referenceExecutor } from '../../src/reference/executor.ts'
import { libraryTable } from '../../src/runtime/program/libraryTables.ts'
import { closeClang, runSource } from './programs.ts'

afterAll(closeClang)

/** Marsaglia's xorwow without its Weyl sequence, on five words. */
function step([v0, v1, v2, v3, v4]: readonly number[]): number[] {
  const t = v0! ^ (v0! >>> 2)
  return [v1!, v2!, v3!, v4!, (v4! ^ (v4! << 4) ^ t ^ (t << 1)) >>> 0]
}

/** State times matrix `index` of a table: the sum of the rows at its bits. */
function times(state: readonly number[], table: Uint32Array, index: number): number[] {
  const sum = new Uint32Array(5)
  for (let bit = 0; bit < 160; bit++)
    if ((state[bit >> 5]! >>> (bit & 31)) & 1)
      for (let word = 0; word < 5; word++) sum[word]! ^= table[index * 800 + bit * 5 + word]!
  return [...sum]
}

const state = [0x12345678, 0x9abcdef0, 0x0f1e2d3c, 0x4b5a6978, 0x87968541]

test('matrix i of the steps is the generator stepped 4^i times', () => {
  const table = libraryTable('__warplens_xorwow_steps_by_fours')!
  let stepped: number[] = state
  for (let count = 0; count < 4 ** 5; count++) {
    for (let index = 0; 4 ** index <= count; index++)
      if (count === 4 ** index) expect(times(state, table, index)).toEqual(stepped)
    stepped = step(stepped)
  }
  expect(times(state, table, 5)).toEqual(stepped)
})

test('the sequences are 2^67 steps apart, and matrix i skips 4^i of them', () => {
  const steps = libraryTable('__warplens_xorwow_steps_by_fours')!
  const sequences = libraryTable('__warplens_xorwow_sequences_by_fours')!
  // The last matrix of the steps skips 4^31 = 2^62 of them, and 32 times that is one sequence.
  let skipped: number[] = state
  for (let time = 0; time < 32; time++) skipped = times(skipped, steps, 31)
  expect(times(state, sequences, 0)).toEqual(skipped)
  let four: number[] = state
  for (let time = 0; time < 4; time++) four = times(four, sequences, 6)
  expect(times(state, sequences, 7)).toEqual(four)
})

test('other names have no table', () => {
  expect(libraryTable('__warplens_xorwow')).toBeUndefined()
})

/** A file with a kernel `name` that skips sequences, and a function `run_name` that prints what its thread 31 draws. */
const drawing = (name: string, rest = '') => `
  #include <curand_kernel.h>
  #include <cstdio>
  __global__ void ${name}(unsigned *out) {
    curandState state;
    curand_init(1, threadIdx.x, 0, &state);
    out[threadIdx.x] = curand(&state);
  }
  void run_${name}() {
    unsigned *numbers, last;
    cudaMalloc(&numbers, 32 * sizeof last);
    ${name}<<<1, 32>>>(numbers);
    cudaMemcpy(&last, numbers + 31, sizeof last, cudaMemcpyDeviceToHost);
    printf("%u\\n", last);
  }
  ${rest}`

test('files of one program share the tables', { timeout: 120_000 }, async () => {
  const main = 'void run_second(); int main() { run_first(); run_second(); }'
  const { stdout } = await runSource({ 'a.cu': drawing('first', main), 'b.cu': drawing('second') }, referenceExecutor)
  expect(stdout).toBe('2551635782\n2551635782\n')
})
