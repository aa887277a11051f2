/**
 * `npx tsx scripts/machineCode/generate.ts --seed N [--count 30] > FILE.cu`: kernels of the shapes that programs have, drawn at random, to be
 * compared with nvcc's machine code: `npm run machine-code -- --summary FILE.cu`. The same seed gives the same file.
 */
import { parseArgs } from 'node:util'
import { generateFile } from './generator/file.ts'

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '30' } },
})
process.stdout.write(generateFile(Number(values.seed), Number(values.count)))
