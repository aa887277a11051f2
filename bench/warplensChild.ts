/**
 * Runs one of the benchmark's kernels on generated code, launch by launch, in a process of its own, and prints one line of JSON
 * as the peers do (peers/clock.h): CPU time of all threads and wall time of each launch after the first. With --pieces, N launches do
 * the work of one, and are told as one.
 * Started in this folder; bundled by contenders.ts, so that its threads start as fast as a user's.
 * usage: warplensChild.js KERNEL SIZE REPEATS [--threads N] [--pieces N] [--no-counters] [--checks]
 */
import { parseArgs } from 'node:util'
import { checkTools } from '../src/check/findings.ts'
import { CheckSession } from '../src/check/programChecks.ts'
import { findDevice } from '../src/devices/devices.ts'
import type { Executor } from '../src/launch.ts'
import { createNodeExecutor } from '../src/node/executor.ts'
import { buildFiles } from '../src/node/program.ts'
import { executeProgram } from '../src/pipeline.ts'
import { type Measurement, median } from './measurement.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    threads: { type: 'string', default: '1' },
    pieces: { type: 'string', default: '1' },
    'no-counters': { type: 'boolean', default: false },
    checks: { type: 'boolean', default: false },
  },
})
const [kernel, size, repeats] = positionals
if (!kernel || !size || !repeats)
  throw new Error('usage: warplensChild.js KERNEL SIZE REPEATS [--threads N] [--pieces N] [--no-counters] [--checks]')

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
const checks = values.checks ? new CheckSession({ tools: new Set(checkTools) }) : undefined
const cpuMs: number[] = []
const wallMs: number[] = []
/** CUDA threads of all launches. */
let launched = 0
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
    args: [kernel, size, String(Number(repeats) + 1), values.pieces],
    stdout: bytes => (output += new TextDecoder().decode(bytes)),
    stderr: bytes => process.stderr.write(bytes),
    modelTime: 'never',
    ...(checks && { checks }),
  },
  silent,
)
await close()
const [firstMs = 0, ...later] = cpuMs
const threads = launched / (Number(repeats) + 1)
const wrong = output.trim().endsWith(' OK') && (checks?.finish() ?? []).length === 0 ? 0 : 1
const result: Measurement = { threads, compileMs, firstMs, cpuMs: later, wallMs: wallMs.slice(1), wrong }
console.log(JSON.stringify(result))

/** What reading the clock takes of the time that it tells; a launch of 64 K threads takes little more. */
function clockMs(): number {
  return median(Array.from({ length: 101 }, () => cpuMsSince(process.cpuUsage())))
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Reads the clocks before the first piece and behind the last: they cost as much as a small launch. */
function timed(inner: Executor): Executor {
  const clock = clockMs()
  const pieces = Number(values.pieces)
  let piece = 0
  let start = 0
  let before = process.cpuUsage()
  return {
    execute(request) {
      if (piece === 0) {
        start = performance.now()
        before = process.cpuUsage()
      }
      const outcome = inner.execute(request)
      piece = (piece + 1) % pieces
      if (piece === 0) {
        cpuMs.push(Math.max(0, cpuMsSince(before) - clock))
        wallMs.push(performance.now() - start)
      }
      const { grid, block } = request
      launched += grid.x * grid.y * grid.z * block.x * block.y * block.z
      return outcome
    },
  }
}
