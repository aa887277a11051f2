/** Random kernels: generated code and reference interpreter must agree on memory, counters and block executions. */
import { expect, test } from 'vitest'
import { generateKernel } from '../fuzz/generate.ts'
import { compareExecutors } from './compare.ts'

const SEEDS = Array.from({ length: Number(process.env.FUZZ_SEEDS ?? 12) }, (_, index) => Number(process.env.FUZZ_FIRST ?? 1) + index)

test.each(SEEDS.flatMap(seed => (['ir', 'graph'] as const).map(form => ({ seed, form }))))(
  'seed $seed as $form',
  ({ seed, form }) => {
    const { text, kernel, grid, block, input, outputWords } = generateKernel(seed, { form })
    const { outcome } = compareExecutors({
      ir: text, kernel, grid, block, buffers: [new Uint32Array(outputWords), new Uint32Array(input)], values: [input.length],
    })
    expect(outcome.fault).toBeUndefined()
  },
  120_000,
)
