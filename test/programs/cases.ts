/** Compiles and runs the programs under ../shared/cases as `warplens profile` does, each compiled once a level. */
import { findDevice } from '../../src/devices/devices.ts'
import type { Executor } from '../../src/launch.ts'
import { createClangPool } from '../../src/node/clangPool.ts'
import { buildFiles } from '../../src/node/program.ts'
import { type ExecuteOptions, executeProgram, type Observer, type Program, reportRun } from '../../src/pipeline.ts'
import { selectMetrics } from '../../src/profile.ts'
import type { Report } from '../../src/report/model.ts'
import type { RunResult } from '../../src/runtime/run.ts'
import { sharedFolder } from './readings.ts'

export const device = findDevice('H200')
const silent: Observer = { stage: () => {} }
const clang = createClangPool()
const programs = new Map<string, Promise<Program>>()

export type Level = 0 | 2

/** `path` below ../shared/cases, for example `seeds/transpose.cu`. */
export function compileCase(path: string, optimize: Level): Promise<Program> {
  const key = `${path} -O${optimize}`
  const known = programs.get(key)
  if (known) return known
  const folder = `${sharedFolder}cases/${path.slice(0, path.lastIndexOf('/'))}`
  const program = buildFiles(
    [path.slice(path.lastIndexOf('/') + 1)],
    {
      includeDirs: [],
      defines: [],
      includes: [],
      standard: 'c++17',
      optimize,
      architecture: 90,
      cache: true,
      clang,
      workingDirectory: folder,
      environment: process.env,
    },
    silent,
  )
  programs.set(key, program)
  return program
}

export interface CaseRun {
  readonly stdout: string
  readonly stderr: string
  readonly result: RunResult
  readonly report: Report
}

export function runCase(
  program: Program,
  args: readonly string[],
  executor: Executor,
  options: Partial<ExecuteOptions> = {},
): CaseRun {
  const stdout: Uint8Array[] = []
  const stderr: Uint8Array[] = []
  const result = executeProgram(
    program,
    {
      device,
      executor,
      args,
      stdout: bytes => void stdout.push(bytes.slice()),
      stderr: bytes => void stderr.push(bytes.slice()),
      ...options,
    },
    silent,
  )
  const metrics = selectMetrics({ metrics: [], sets: [], sections: [] })
  const report = reportRun(program, result, { device, args, version: '0' }, { metrics }, silent)
  return { stdout: textOf(stdout), stderr: textOf(stderr), result, report }
}

function textOf(chunks: readonly Uint8Array[]): string {
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Runs launches of up to `most` threads and skips the others, whose counters stay 0: limits.cu wants hours of them. What a
 * skipped kernel would have written is missing, so this is for programs whose launches do not feed each other.
 */
export function limited(executor: Executor, most: number): Executor {
  return {
    execute(request) {
      const { grid, block, program } = request
      const threads = grid.x * grid.y * grid.z * block.x * block.y * block.z
      if (threads <= most) return executor.execute(request)
      const zero = {
        executed: 0,
        threads: 0,
        bytes: 0,
        sectors: 0,
        sectorsIdeal: 0,
        tags: 0,
        wavefronts: 0,
        wavefrontsIdeal: 0,
      }
      return {
        sites: program.sites.map(() => zero),
        blocks: program.kernel.blocks.map(() => ({ warps: 0, threads: 0 })),
        fault: undefined,
      }
    },
  }
}
