/** The readings of an H200 under ../shared/truth, and the comparison of a launch of ours with one of them. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { LaunchReport } from '../../src/report/model.ts'

/** Beside the repository, in development and in CI. */
export const sharedFolder = fileURLToPath(new URL('../../../shared/', import.meta.url))

if (!existsSync(`${sharedFolder}truth/h200`)) throw new Error(`the readings are missing: ${sharedFolder}truth/h200`)

export interface Reading {
  readonly kernel: string
  readonly grid: readonly number[]
  readonly block: readonly number[]
  /** By Nsight Compute's name; ratios are printed with two decimals, and 0 where nothing was counted. */
  readonly metrics: Readonly<Record<string, number>>
}

/** One row of `ncu --page source`: a memory instruction of the machine code. */
export interface LineReading {
  readonly space: string
  readonly op: string
  readonly bits: number
  readonly executed: number
  readonly threads: number
  readonly tags: number
  readonly sectors: number
  readonly sectors_ideal: number
  readonly conflict_ways: number
}

export interface PatternReading {
  readonly kernel: string
  readonly bytes: number
  readonly pattern: string
  readonly metrics: Readonly<Record<string, number>>
}

export function readLaunches(name: string): readonly Reading[] {
  return readTruth<{ launches: Reading[] }>(name).launches
}

export function readLines(name: string): readonly { kernel: string; lines: Record<string, LineReading[]> }[] {
  return readTruth<{ kernels: { kernel: string; lines: Record<string, LineReading[]> }[] }>(name).kernels
}

export function readPatterns(): readonly PatternReading[] {
  return readTruth<PatternReading[]>('patterns')
}

function readTruth<T>(name: string): T {
  return JSON.parse(readFileSync(`${sharedFolder}truth/h200/${name}.json`, 'utf8'))
}

/** The counters that must be equal, for every launch of every program. */
export const exactCounters: readonly string[] = [
  ...['ld', 'st'].flatMap(op => [
    `smsp__sass_inst_executed_op_global_${op}.sum`,
    `l1tex__t_requests_pipe_lsu_mem_global_op_${op}.sum`,
    `l1tex__t_sectors_pipe_lsu_mem_global_op_${op}.sum`,
    `smsp__sass_average_data_bytes_per_sector_mem_global_op_${op}.ratio`,
    `smsp__sass_inst_executed_op_shared_${op}.sum`,
    `smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_${op}.sum`,
    `smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_${op}.ratio`,
  ]),
  'smsp__sass_l1tex_tags_mem_global.sum',
]

/** `name: ours, theirs` for each counter that differs; a counter that is left out of the reading reads 0. */
export function differences(launch: LaunchReport, reading: Pick<Reading, 'metrics'>, names = exactCounters): string[] {
  return names.flatMap(name => {
    const ours = launch.metrics[name]
    const theirs = reading.metrics[name] ?? 0
    const value = ours?.value ?? 0
    const equal = name.endsWith('.ratio') ? Math.abs(value - theirs) <= 0.005 + 1e-9 : value === theirs
    return equal && ours !== undefined ? [] : [`${name}: ${ours === undefined ? 'missing' : value}, read ${theirs}`]
  })
}

/** `void transposeSmem<(int)0>(float *)` to `transposeSmem<0>`: the readings write literals in two ways. */
export function shortName(kernel: string): string {
  const plain = kernel.replace(/^void /, '').replaceAll(/\((?:unsigned )?(?:int|bool)\)/g, '')
  return plain.slice(0, plain.indexOf('('))
}
