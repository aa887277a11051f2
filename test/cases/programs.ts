/**
 * Runs the programs of this folder, each at -O0 and -O2, on generated code and on the reference interpreter; each test file
 * runs a part of them, so that they run side by side. What a program must do stands in the comments that open it:
 *   // stdout: LINE                                      all lines that it prints, in order
 *   // stderr: TEXT                                      its messages contain this
 *   // exit: N                                           default 0
 *   // args: A B
 *   // standard: c++20                                   default c++17
 *   // count: KERNEL SPACE OP COUNTER = N                the counter, summed over the launches and sites of that kernel
 *   // reference: off                                    too slow there
 *   // reference: nightly                                there by `npm run test:nightly` only
 *   // levels: 2                                         not at -O0: too slow
 *   // levels: nightly                                   -O0 by `npm run test:nightly` only: it is about calls, not about code
 *   // devices: 2                                        how many the program finds
 *   // needs: FILE                                       skipped where that file is not installed
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { findDevice } from '../../src/devices/devices.ts'
import type { Executor } from '../../src/launch.ts'
import { createClangPool } from '../../src/node/clangPool.ts'
import { createNodeExecutor } from '../../src/node/executor.ts'
import { directoryFiles } from '../../src/node/hostFiles.ts'
import { buildFiles } from '../../src/node/program.ts'
import { createRunTimeCompiler } from '../../src/node/runTimeCompiler.ts'
import { executeProgram, type Program } from '../../src/pipeline.ts'
import { referenceExecutor } from '../../src/reference/executor.ts'
import type { LaunchRecord } from '../../src/runtime/launchRecord.ts'
import type { SiteCounters } from '../../src/trace.ts'

/** Which programs a test file runs: the first part whose names these begin with; every program is of one. */
const PARTS = {
  thrust: /^(?:thrust|cub|cuda_std)(?:_|\.)/,
  libraries: /^(?:cu[a-z]+|fft|random)(?:_|\.)/,
  host: /^(?:host|graphs?|textures?|device)(?:_|\.)/,
  machine: /^machine_/,
  language: /^/,
} as const

function programsOf(part: keyof typeof PARTS): string[] {
  const partOf = (name: string) => Object.entries(PARTS).find(([, names]) => names.test(name))![0]
  return readdirSync(folder).filter(name => name.endsWith('.cu') && partOf(name) === part)
}

const folder = fileURLToPath(new URL('.', import.meta.url))
const device = findDevice('H200')
const isNightly = process.env.WARPLENS_TEST_NIGHTLY === '1'
/** Whether what a program leaves out, always or but for the nightly run, runs now. */
const isToday = (when: string): boolean => when === 'nightly' && isNightly
const slow = { timeout: 500_000 }
const silent = { stage: () => {} }
const clang = createClangPool()
const generated = createNodeExecutor({ device, jobs: 1 })
const compiler = createRunTimeCompiler({ cache: true, environment: process.env })
const temporary: string[] = []
const temporaryFolder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'warplens-cases-'))
  temporary.push(path)
  return path
}
afterAll(async () => {
  for (const path of temporary) rmSync(path, { recursive: true, force: true })
  await generated.close()
  await compiler.close()
  await clang.close()
})

interface Expected {
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
  readonly counts: readonly string[]
  readonly exitCode: number
  readonly args: readonly string[]
  readonly standard: string
  readonly onReference: boolean
  readonly unoptimised: boolean
  readonly deviceCount: number
  readonly needs: readonly string[]
}

function expectationsOf(text: string): Expected {
  const values = (key: string) =>
    [...text.matchAll(new RegExp(`^// ${key}:(?: (.*))?$`, 'gm'))].map(match => match[1] ?? '')
  return {
    stdout: values('stdout'),
    stderr: values('stderr'),
    counts: values('count'),
    exitCode: Number(values('exit')[0] ?? 0),
    args: (values('args')[0] ?? '').split(' ').filter(arg => arg !== ''),
    standard: values('standard')[0] ?? 'c++17',
    onReference: values('reference').every(isToday),
    unoptimised: values('levels').every(isToday),
    needs: values('needs'),
    deviceCount: Number(values('devices')[0] ?? 1),
  }
}

/** `KERNEL SPACE OP COUNTER = N` with what was counted in place of N. */
function counted(expectation: string, launches: readonly LaunchRecord[]): string {
  const [what = ''] = expectation.split(' = ')
  const [kernel = '', space, op, counter] = what.split(' ')
  const sums = launches
    .filter(launch => launch.kernel.includes(kernel))
    .flatMap(({ program, outcome }) =>
      program.sites
        .filter(site => site.space === space && site.op === op)
        .map(site => outcome.sites[site.id]![counter as keyof SiteCounters] ?? 0),
    )
  return `${what} = ${sums.reduce((sum, value) => sum + value, 0)}`
}

/** The tests of one part. */
export function testPrograms(part: keyof typeof PARTS): void {
  describe.each(programsOf(part))('%s', testProgram)
}

function testProgram(name: string): void {
  const expected = expectationsOf(readFileSync(join(folder, name), 'utf8'))
  const build = (optimize: 0 | 2) =>
    buildFiles(
      [name],
      {
        includeDirs: [],
        defines: [],
        includes: [],
        standard: expected.standard,
        optimize,
        architecture: 90,
        cache: true,
        clang,
        workingDirectory: folder,
        environment: process.env,
      },
      silent,
    )
  let optimized: Promise<Program> | undefined
  const run = async (optimize: 0 | 2, executor: Executor) => {
    const program = await (optimize === 0 ? build(0) : (optimized ??= build(2)))
    let stdout = ''
    let stderr = ''
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes.slice())
    const result = executeProgram(
      program,
      {
        device,
        executor,
        args: expected.args,
        deviceCount: expected.deviceCount,
        stdout: bytes => (stdout += text(bytes)),
        stderr: bytes => (stderr += text(bytes)),
        files: directoryFiles(temporaryFolder()),
        compileAtRunTime: compiler.compile,
        timeLimitMs: 400_000,
      },
      silent,
    )
    const lines = stdout.split('\n').slice(0, stdout.endsWith('\n') ? -1 : undefined)
    const missing = expected.stderr.filter(part => !stderr.includes(part))
    const counts = expected.counts.map(count => counted(count, result.launches))
    const unexpected = expected.stderr.length === 0 ? stderr : ''
    expect({ lines, missing, unexpected, counts, exitCode: result.exitCode }).toEqual({
      lines: expected.stdout,
      missing: [],
      unexpected: '',
      counts: expected.counts,
      exitCode: expected.exitCode,
    })
  }
  const missing = expected.needs.filter(file => !existsSync(file))
  if (missing.length > 0) {
    it.skip(`${missing.join(', ')} is not installed`, () => {})
    return
  }
  afterAll(() => {
    optimized = undefined
  })
  it('-O2', slow, () => run(2, generated.executor))
  if (expected.unoptimised) it('-O0', slow, () => run(0, generated.executor))
  if (expected.onReference) it('-O2 on the reference interpreter', slow, () => run(2, referenceExecutor))
}
