/** Random kernels: generated code and reference interpreter must agree on memory, counters and block executions. */
import { expect, test } from 'vitest'
import { generateKernel } from '../fuzz/generate.ts'
import { compareExecutors } from './compare.ts'

const SEEDS = Array.from(
  { length: Number(process.env.FUZZ_SEEDS ?? 12) },
  (_, index) => Number(process.env.FUZZ_FIRST ?? 1) + index,
)

/** `turns`: warps run in turns, as kernels with waiting loops do. */
const WAYS = [
  { form: 'ir', turns: false },
  { form: 'graph', turns: false },
  { form: 'ir', turns: true },
] as const

test.each(SEEDS.flatMap(seed => WAYS.map(way => ({ seed, ...way }))))(
  'seed $seed as $form, in turns: $turns',
  ({ seed, form, turns }) => {
    const { text, kernel, grid, block, input, outputWords } = generateKernel(seed, { form })
    const buffers = [new Uint32Array(outputWords), new Uint32Array(input)]
    const { outcome } = compareExecutors(
      { ir: text, kernel, grid, block, buffers, values: [input.length] },
      { alwaysResumable: turns },
    )
    expect(outcome.fault).toBeUndefined()
  },
  120_000,
)
