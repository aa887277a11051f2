/**
 * Runs one of the benchmark's kernels on generated code, launch by launch, in a process of its own, and prints one line of JSON
 * as the peers do (peers/clock.h): CPU time of all threads and wall time of each launch after the first.
 * Started in this folder; bundled by contenders.ts, so that its threads start as fast as a user's.
 * usage: warplensChild.js KERNEL SIZE REPEATS [--threads N] [--no-counters]
 */
import { parseArgs } from 'node:util'
import { findDevice } from '../src/devices/devices.ts'
import type { Executor } from '../src/launch.ts'
import { createNodeExecutor } from '../src/node/executor.ts'
import { buildFiles } from '../src/node/program.ts'
import { executeProgram } from '../src/pipeline.ts'
import type { Measurement } from './measurement.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    threads: { type: 'string', default: '1' },
    'no-counters': { type: 'boolean', default: false },
  },
})
const [kernel, size, repeats] = positionals
if (!kernel || !size || !repeats)
  throw new Error('usage: warplensChild.js KERNEL SIZE REPEATS [--threads N] [--no-counters]')

const silent = { stage: () => {} }
const program = await buildFiles(
  ['peers/speed.cu'],
  {
    includeDirs: [],
    defines: [],
    includes: [],
    standard: 'c++17',
    optimize: 2,
    architecture: 90,
    cache: true,
    workingDirectory: process.cwd(),
    environment: process.env,
  },
  silent,
)

const device = findDevice('H200')
const cpuMs: number[] = []
const wallMs: number[] = []
let threads = 0
let compileMs = 0
let output = ''
const { executor, close } = createNodeExecutor({
  device,
  jobs: Number(values.threads),
  counters: !values['no-counters'],
  onCompile: (_, milliseconds) => (compileMs += milliseconds),
})
executeProgram(
  program,
  {
    device,
    executor: timed(executor),
    args: [kernel, size, String(Number(repeats) + 1)],
    stdout: bytes => (output += new TextDecoder().decode(bytes)),
    stderr: bytes => process.stderr.write(bytes),
    modelTime: 'never',
  },
  silent,
)
await close()
const [firstMs = 0, ...later] = cpuMs
const wrong = output.trim().endsWith(' OK') ? 0 : 1
const result: Measurement = { threads, compileMs, firstMs, cpuMs: later, wallMs: wallMs.slice(1), wrong }
console.log(JSON.stringify(result))

function timed(inner: Executor): Executor {
  return {
    execute(request) {
      const start = performance.now()
      const before = process.cpuUsage()
      const outcome = inner.execute(request)
      const { user, system } = process.cpuUsage(before)
      cpuMs.push((user + system) / 1000)
      wallMs.push(performance.now() - start)
      const { grid, block } = request
      threads = grid.x * grid.y * grid.z * block.x * block.y * block.z
      return outcome
    },
  }
}
