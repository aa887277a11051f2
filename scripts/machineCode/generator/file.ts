/** A file of kernels from a seed. */
import { Random } from '../../../test/fuzz/random.ts'
import * as blocks from './blockShapes.ts'
import * as elements from './elementShapes.ts'
import * as loops from './loopShapes.ts'
import * as structures from './structureShapes.ts'
import { KernelWriter } from './writer.ts'

const SHAPES = Object.entries({ ...blocks, ...elements, ...loops, ...structures })
/** Statements in a row have the most forms. */
const OFTEN: Readonly<Record<string, number>> = {
  statements: 6,
  sums: 4,
  neighbours: 2,
  plane: 3,
  vectors: 2,
  bodies: 2,
  reductions: 2,
}

/** Each kernel draws from its own numbers, so that a change of one shape leaves the others' as they are. */
export function generateFile(seed: number, count: number): string {
  const random = new Random(seed)
  const bag = SHAPES.flatMap(shape => Array<typeof shape>(OFTEN[shape[0]] ?? 1).fill(shape))
  const kernels = Array.from({ length: count }, (_, at) => {
    const [shape, write] = random.pick(bag)
    const kernel = new KernelWriter(new Random(random.word()), `${shape}_${seed}_${at}`)
    write(kernel)
    return kernel.text()
  })
  return [`// Seed ${seed}.`, '#include <cuda_fp16.h>', ...kernels, ''].join('\n')
}
