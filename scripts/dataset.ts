/**
 * `npm run dataset -- DIR OUT.cu [ID...]`: a program that launches kernels of LS-CAT (DIR is a checkout of NTNU-HPC-Lab/LS-CAT), for trying
 * Warplens, or nvcc, on code that nobody chose. Without ids, `--count` of them by `--seed`; the same again for the same seed.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { datasetProgram } from './fidelity/kernelDataset.ts'

interface Options {
  readonly count: number
  readonly seed: number
  readonly size: readonly [number, number]
}

const number = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('a whole number from 1')
  return value
}

const pair = (text: string): readonly [number, number] => {
  const [x, y, ...more] = text.split(',').map(number)
  if (x === undefined || y === undefined || more.length > 0) throw new InvalidArgumentError('two numbers, as 250,190')
  return [x, y]
}

new Command('dataset')
  .argument('<dir>', 'checkout of NTNU-HPC-Lab/LS-CAT')
  .argument('<out>', 'the program to write')
  .argument('[ids...]', 'kernels, as `4901/19`')
  .option('--count <n>', 'how many to draw', number, 20)
  .option('--seed <n>', 'by which to draw', number, 1)
  .option('--size <x,y>', 'elements a side', pair, [250, 190])
  .action((dir: string, out: string, ids: string[], { count, seed, size }: Options) => {
    const chosen = ids.length > 0 ? ids : draw(dir, count, seed)
    writeFileSync(
      out,
      datasetProgram(
        dir,
        chosen.map(id => ({ id, size })),
      ),
    )
    process.stdout.write(`${out}: ${chosen.join(' ')}\n`)
  })
  .parse()

/** One of each repository at most, by a linear congruential generator (Numerical Recipes). */
function draw(dir: string, count: number, seed: number): string[] {
  const kernels = join(dir, 'data/kernels')
  const repositories = readdirSync(kernels).sort((a, b) => Number(a) - Number(b))
  let state = seed
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return Array.from({ length: Math.min(count, repositories.length) }, () => {
    const [repository] = repositories.splice(below(repositories.length), 1) as [string]
    const numbers = readdirSync(join(kernels, repository)).sort((a, b) => Number(a) - Number(b))
    return `${repository}/${numbers[below(numbers.length)]}`
  })
}
