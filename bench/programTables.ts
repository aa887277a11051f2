/**
 * What a user waits for: whole runs of the command line from a built package, by the wall and by CPU time, with their memory;
 * and the time from IR to ready code, kernel by kernel.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { prepareKernel } from '../src/analysis/prepare.ts'
import { compileKernel } from '../src/codegen/compileKernel.ts'
import { geometryOf } from '../src/codegen/values/geometry.ts'
import type { Module } from '../src/ir/ir.ts'
import { readModule } from '../src/ir/read.ts'
import { createClangPool } from '../src/node/clangPool.ts'
import { buildFiles } from '../src/node/program.ts'
import { largeKernel } from './largeKernel.ts'
import { digits, median, table } from './measurement.ts'

const ROOT = join(import.meta.dirname, '..')
const COMMAND = join(ROOT, 'dist/node/main.js')
const EXAMPLE = 'examples/transpose.cu'

interface ProgramRun {
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakMiB: number
  readonly stages: string
}

/** One run of the built command line; the child reports its own resources as it ends. */
function runCommand(args: readonly string[], cacheDirectory: string): ProgramRun {
  const start = performance.now()
  const hook = `data:text/javascript,process.on('exit',()=>{const u=process.resourceUsage();process.stderr.write('\\nRESOURCES '+JSON.stringify({cpu:(u.userCPUTime+u.systemCPUTime)/1000,rss:u.maxRSS/1024})+'\\n')})`
  const { status, stderr } = spawnSync(process.execPath, ['--import', hook, COMMAND, ...args], {
    encoding: 'utf8',
    cwd: ROOT,
    env: { ...process.env, WARPLENS_CACHE_DIR: cacheDirectory },
    maxBuffer: 1 << 28,
  })
  const wallMs = performance.now() - start
  const resources = /RESOURCES (.*)/.exec(stderr)?.[1]
  if (status !== 0 || !resources) throw new Error(`warplens ${args.join(' ')} failed: ${stderr}`)
  const { cpu, rss } = JSON.parse(resources) as { cpu: number; rss: number }
  return { wallMs, cpuMs: cpu, peakMiB: rss, stages: stderr.replace(/\n?RESOURCES .*\n/, '').trim() }
}

/** Nothing cached, and all of it cached; `profile` of the README's example. Memory of the cached run has no compiler in it. */
export function startTable(rounds: number, progress: (text: string) => void): string {
  const rows: string[][] = []
  const cold: ProgramRun[] = []
  const cached: ProgramRun[] = []
  for (let round = 0; round < rounds; round++) {
    progress(`start-up, round ${round + 1} of ${rounds}`)
    const cache = mkdtempSync(join(tmpdir(), 'warplens-cache-'))
    cold.push(runCommand(['profile', EXAMPLE], cache))
    cached.push(runCommand(['profile', EXAMPLE], cache))
    rmSync(cache, { recursive: true })
  }
  for (const [name, runs] of [
    ['nothing cached', cold],
    ['result cached', cached],
  ] as const)
    rows.push([
      name,
      ...(['wallMs', 'cpuMs', 'peakMiB'] as const).map(key => digits(median(runs.map(run => run[key])))),
    ])
  const version = runCommand(['--version'], tmpdir())
  rows.push(['--version', digits(version.wallMs), digits(version.cpuMs), digits(version.peakMiB)])
  return table([`profile ${EXAMPLE}`, 'wall, ms', 'CPU, ms', 'peak, MiB'], rows)
}

/** The compiler alone, its threads kept: the second program that one process compiles. Wall milliseconds. */
export async function warmCompiler(progress: (text: string) => void): Promise<string> {
  progress('compiler: cold and warm')
  const clang = createClangPool()
  const times: number[] = []
  for (let run = 0; run < 3; run++) {
    const start = performance.now()
    await buildFiles([EXAMPLE], buildOptions(ROOT, clang, [`RUN=${run}`]), silent)
    times.push(performance.now() - start)
  }
  await clang.close()
  return table(
    ['Compiling the example', 'wall, ms'],
    [
      ['first of a process', digits(times[0]!)],
      ['second, compiler warm', digits(times[1]!)],
      ['third', digits(times[2]!)],
    ],
  )
}

/** `warplens profile FILE -- 4096 4096` from the cache, with where its time goes. */
export function wholeRun(file: string, progress: (text: string) => void): string {
  const cache = mkdtempSync(join(tmpdir(), 'warplens-cache-'))
  progress(`whole program: ${file}`)
  const cold = runCommand(['profile', file, '--verbose', '--', '4096', '4096'], cache)
  const warm = runCommand(['profile', file, '--verbose', '--', '4096', '4096'], cache)
  rmSync(cache, { recursive: true })
  const line = ({ wallMs, cpuMs, peakMiB }: ProgramRun): string =>
    `${digits(wallMs / 1000)} s wall, ${digits(cpuMs / 1000)} s CPU, ${digits(peakMiB)} MiB at most`
  return `Nothing cached: ${line(cold)}.\n\n${fenced(cold.stages)}\n\nResult cached: ${line(warm)}.\n\n${fenced(warm.stages)}`
}

function fenced(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``
}

const silent = { stage: () => {} }

function buildOptions(
  workingDirectory: string,
  clang: ReturnType<typeof createClangPool>,
  defines: readonly string[] = [],
) {
  return {
    includeDirs: [],
    defines,
    includes: [],
    standard: 'c++17',
    optimize: 2,
    architecture: 90,
    cache: defines.length === 0,
    workingDirectory,
    environment: process.env,
    clang,
  } as const
}

interface KernelTimes {
  readonly kernel: string
  readonly instructions: number
  readonly bytes: number
  readonly prepareMs: number
  readonly generateMs: number
  readonly baselineMs: number
  readonly optimizeMs: number
}

/**
 * Kernel by kernel, wall milliseconds: analysis, generation, and V8's baseline compiler, after which the kernel runs; and apart,
 * since it works in the background of the run, its optimising compiler on all of the module at once. Each file's kernels are compiled three times; the
 * median counts, since a process's first kernel also pays for the generator's own start.
 */
export async function compileTable(
  files: readonly { readonly folder: string; readonly file: string }[],
  progress: (text: string) => void,
): Promise<string> {
  const clang = createClangPool()
  const modules: Module[] = []
  for (const { folder, file } of files)
    modules.push((await buildFiles([file], buildOptions(folder, clang), silent)).deviceModule)
  await clang.close()
  for (const shape of ['straight', 'branching'] as const)
    for (const instructions of [5_000, 20_000]) modules.push(readModule(largeKernel(instructions, shape), 'large.ll'))
  const all = modules.flatMap(module => kernelsOf(module).map(name => timeKernel(module, name, progress)))
  const rows = all.map(({ kernel, instructions, bytes, prepareMs, generateMs, baselineMs, optimizeMs }) => [
    kernel,
    String(instructions),
    String(bytes),
    digits(prepareMs),
    digits(generateMs),
    digits(baselineMs),
    digits(prepareMs + generateMs + baselineMs),
    digits(optimizeMs),
  ])
  const times = ['prepare, ms', 'generate, ms', 'baseline code, ms', 'ready: sum, ms', 'optimised behind that, ms']
  return table(['Kernel', 'IR instructions', 'bytes', ...times], rows)
}

function kernelsOf(module: Module): string[] {
  return module.functions.filter(({ isKernel, blocks }) => isKernel && blocks.length > 0).map(({ name }) => name)
}

/** Why the engine does not take the module; it then runs on the reference interpreter. */
function compileFailure(bytes: Uint8Array): string | undefined {
  try {
    new WebAssembly.Module(bytes)
    return undefined
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) return error.message
    throw error
  }
}

function timeKernel(module: Module, name: string, progress: (text: string) => void): KernelTimes {
  progress(`compile: ${name}`)
  const geometry = geometryOf({ x: 32, y: 8, z: 1 })
  const symbols = new Map(module.globals.map((global, index) => [global.name, 0x10000 + 4096 * index]))
  const times = Array.from({ length: 3 }, () => {
    const start = performance.now()
    const program = prepareKernel(module, name)
    const prepared = performance.now()
    const { bytes } = compileKernel(program, geometry, symbols)
    const generated = performance.now()
    setFlagsFromString('--no-wasm-lazy-compilation')
    // The same bytes again would be found compiled.
    setFlagsFromString('--no-wasm-native-module-cache-enabled')
    const failure = compileFailure(bytes)
    if (failure) progress(`${name}: ${failure}`)
    const baseline = performance.now()
    setFlagsFromString('--no-liftoff')
    const optimizeFailure = failure ?? compileFailure(bytes)
    setFlagsFromString('--liftoff')
    setFlagsFromString('--wasm-lazy-compilation')
    const instructions = program.kernel.blocks.reduce((sum, block) => sum + block.instructions.length, 0)
    return {
      bytes: bytes.length,
      instructions,
      prepareMs: prepared - start,
      generateMs: generated - prepared,
      baselineMs: failure === undefined ? baseline - generated : Number.NaN,
      optimizeMs: optimizeFailure === undefined ? performance.now() - baseline : Number.NaN,
    }
  })
  const middle = (key: 'prepareMs' | 'generateMs' | 'baselineMs' | 'optimizeMs'): number =>
    median(times.map(time => time[key]))
  const { bytes, instructions } = times[0]!
  return {
    kernel: name,
    instructions,
    bytes,
    prepareMs: middle('prepareMs'),
    generateMs: middle('generateMs'),
    baselineMs: middle('baselineMs'),
    optimizeMs: middle('optimizeMs'),
  }
}
