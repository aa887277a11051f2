/**
 * Who takes part in the speed comparison, and how each is started: every contender is a program that runs one kernel some
 * times and prints one line of JSON ({@link Measurement}). Peers that are not installed (install-peers.sh) are left out.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import type { Measurement } from './measurement.ts'

export interface BenchKernel {
  readonly name: string
  /** Edge of square problems, else elements. */
  readonly size: number
  /**
   * What Oclgrind gets instead, since it would take minutes: a smaller problem, or `rows` rows of work-groups of the same one.
   * Compared by time a thread. Default: the same.
   */
  readonly slow?: { readonly size: number; readonly rows?: number }
}

export const KERNELS: readonly BenchKernel[] = [
  { name: 'transpose_naive', size: 4096, slow: { size: 4096, rows: 1 } },
  { name: 'transpose_tile', size: 4096, slow: { size: 4096, rows: 1 } },
  { name: 'transpose_tile_pad', size: 4096, slow: { size: 4096, rows: 1 } },
  { name: 'vecadd', size: 1 << 24, slow: { size: 1 << 16 } },
  { name: 'matmul', size: 512, slow: { size: 512, rows: 1 } },
  { name: 'reduce', size: 1 << 24, slow: { size: 1 << 16 } },
  { name: 'mandel', size: 1024, slow: { size: 128 } },
]

export type ContenderName = 'C++ -O3' | 'PoCL' | 'Oclgrind' | 'Warplens'

export interface Contender {
  readonly name: ContenderName
  /** @throws where the program fails or its result is wrong. */
  run(kernel: BenchKernel, repeats: number, threads: number): Measurement
}

const PEERS = join(import.meta.dirname, 'peers')

/** Builds the peers into a temporary folder; says on standard error what is missing. */
export function findContenders(): Contender[] {
  const folder = mkdtempSync(join(tmpdir(), 'warplens-bench-'))
  const contenders: Contender[] = []
  const native = join(folder, 'native')
  const host = join(folder, 'host')
  if (built('g++', ['-O3', '-march=native', '-pthread', '-o', native, join(PEERS, 'native.cpp')]))
    contenders.push({
      name: 'C++ -O3',
      run: ({ name, size }, repeats, threads) =>
        measure(native, [name, String(size), String(repeats), String(threads)]),
    })
  if (built('g++', ['-x', 'c', '-O2', '-o', host, join(PEERS, 'host.c'), '-lOpenCL', '-lm'])) {
    // A cache of its own, so that the first launch of each kernel shows what compiling costs.
    const environment = { POCL_CACHE_DIR: join(folder, 'pocl') }
    if (existsSync('/etc/OpenCL/vendors/pocl.icd'))
      contenders.push({
        name: 'PoCL',
        run: ({ name, size }, repeats, threads) =>
          measure(host, [PEERS, name, String(size), String(repeats)], {
            ...environment,
            OCL_ICD_VENDORS: 'pocl.icd',
            POCL_MAX_PTHREAD_COUNT: String(threads),
          }),
      })
    if (spawnSync('oclgrind', ['--version']).status === 0)
      contenders.push({
        name: 'Oclgrind',
        run: ({ name, size, slow = { size } }, _, threads) => {
          const rows = slow.rows === undefined ? [] : [String(slow.rows)]
          return measure('oclgrind', [
            `--num-threads`,
            String(threads),
            host,
            PEERS,
            name,
            String(slow.size),
            '0',
            ...rows,
          ])
        },
      })
  }
  const found = new Set(contenders.map(({ name }) => name))
  for (const peer of ['C++ -O3', 'PoCL', 'Oclgrind'] as const)
    if (!found.has(peer)) console.error(`bench: no ${peer} here; bench/install-peers.sh installs it`)
  contenders.push({ name: 'Warplens', run: (kernel, repeats, threads) => runWarplens(kernel, repeats, threads) })
  return contenders
}

export interface WarplensVariant {
  readonly counters?: boolean
  /** Everything that `warplens check` looks for. */
  readonly checks?: boolean
  /** Launches that do the work of one, each on its part of the arrays. Default 1. */
  readonly pieces?: number
  /** Extra flags for Node, V8's for example. */
  readonly nodeFlags?: readonly string[]
}

export function runWarplens(
  { name, size }: BenchKernel,
  repeats: number,
  threads: number,
  { counters = true, checks = false, pieces = 1, nodeFlags = [] }: WarplensVariant = {},
): Measurement {
  const options = [
    ...['--threads', String(threads), '--pieces', String(pieces)],
    ...(counters ? [] : ['--no-counters']),
    ...(checks ? ['--checks'] : []),
  ]
  const args = [...nodeFlags, bundledChild(), name, String(size), String(repeats), ...options]
  return measure(process.execPath, args, {}, import.meta.dirname)
}

let child: string | undefined

/** The child with its worker threads, bundled as scripts/build.mjs does: what users run. */
function bundledChild(): string {
  if (child) return child
  const root = join(import.meta.dirname, '..')
  const outdir = join(root, 'dist/bench')
  buildSync({
    absWorkingDir: root,
    entryPoints: ['bench/warplensChild.ts', 'src/node/kernelWorker.ts', 'src/node/clangWorker.ts'],
    entryNames: '[name]',
    outdir,
    bundle: true,
    format: 'esm',
    packages: 'external',
    platform: 'node',
    target: 'es2023',
  })
  child = join(outdir, 'warplensChild.js')
  return child
}

function built(compiler: string, args: readonly string[]): boolean {
  const { status, stderr } = spawnSync(compiler, args, { encoding: 'utf8' })
  if (status !== 0) console.error(`bench: ${compiler} ${args.at(-1)}: ${(stderr ?? 'not found').split('\n')[0]}`)
  return status === 0
}

function measure(
  program: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  cwd?: string,
): Measurement {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    ...(cwd && { cwd }),
    env: { ...process.env, ...environment },
  })
  const line = stdout?.trim().split('\n').at(-1)
  if (status !== 0 || !line?.startsWith('{')) throw new Error(`${program} ${args.join(' ')} failed: ${stdout}${stderr}`)
  return JSON.parse(line) as Measurement
}
