/**
 * `npm run fidelity [-- --public DIR]`: every launch with a reading of a card, measured and predicted side by side, and the
 * summary. `--check` fails when a figure is worse than in scripts/fidelity/figures.json, `--write` keeps the new ones.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Table from 'cli-table3'
import { Command } from 'commander'
import { createClangPool } from '../src/node/clangPool.ts'
import { type Comparison, compareLaunch, isReadingOf, type Modelled } from './fidelity/compare.ts'
import { type Figures, worseFigures } from './fidelity/figures.ts'
import {
  type FidelityProgram,
  listMachinePrograms,
  listOwnPrograms,
  listQuickPrograms,
  type PublicSet,
  publicSets,
} from './fidelity/programs.ts'
import { replayFidelityProgram, runFidelityProgram } from './fidelity/runProgram.ts'
import { type Summary, summarize } from './fidelity/summary.ts'

interface Options {
  readonly public?: string
  readonly filter?: string
  readonly jobs: string
  readonly timeout: string
  readonly check?: true
  readonly quick?: true
  readonly write?: true
  readonly json?: string
  readonly record?: string
  readonly replay?: string
}

const figuresFile = fileURLToPath(new URL('./fidelity/figures.json', import.meta.url))

new Command('fidelity')
  .option('--public <dir>', 'folder with the repositories cuda-samples and PolyBench-ACC')
  .option('-f, --filter <regex>', 'only programs whose name matches')
  .option('-j, --jobs <n>', 'threads that run blocks', '2')
  .option('-t, --timeout <seconds>', "a program's time limit", '300')
  .option('--quick', 'only the few programs that the tests compare')
  .option('--check', 'fail when a figure is worse than the committed one')
  .option('--write', 'keep the figures')
  .option('--json <file>', 'write all comparisons')
  .option('--record <dir>', 'keep what the launches did, for --replay')
  .option('--replay <dir>', 'run nothing: recorded launches through the present models')
  .action(main)
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    process.exitCode = 2
  })

async function main(options: Options): Promise<void> {
  const wanted = new RegExp(options.filter ?? '')
  const own = options.quick ? [] : listOwnPrograms().filter(({ name }) => wanted.test(name))
  const machine = options.quick ? [] : listMachinePrograms().filter(({ name }) => wanted.test(name))
  const quick = options.quick ? listQuickPrograms().filter(({ name }) => wanted.test(name)) : []
  const publicOnes =
    options.public === undefined ? [] : publicSets.map(set => [set.name, listed(set, options.public!, wanted)] as const)
  const sets: Figures = {}
  const all: Comparison[] = []
  const problems: string[] = []
  for (const [name, programs] of [['quick', quick], ['shared', own], ['machine', machine], ...publicOnes] as const) {
    if (programs.length === 0) continue
    const found = await compareAll(programs, options, problems)
    all.push(...found)
    sets[name] = summarize(found)
  }
  printTable(all)
  for (const problem of problems) process.stdout.write(`no launch: ${problem}\n`)
  for (const [name, summary] of Object.entries(sets)) printSummary(name, summary)
  if (options.json) writeFileSync(options.json, JSON.stringify(all))
  if (options.write) writeFileSync(figuresFile, `${JSON.stringify({ ...readFigures(), ...sets }, null, 2)}\n`)
  if (options.check) {
    const worse = worseFigures(readFigures(), sets)
    for (const line of worse) process.stdout.write(`worse than before: ${line}\n`)
    if (worse.length > 0) process.exitCode = 1
  }
}

function listed(set: PublicSet, directory: string, wanted: RegExp): FidelityProgram[] {
  return set.list(directory).filter(({ name }) => wanted.test(name))
}

function readFigures(): Figures {
  return JSON.parse(readFileSync(figuresFile, 'utf8'))
}

async function compareAll(
  programs: readonly FidelityProgram[],
  { jobs, timeout, json, record, replay }: Options,
  problems: string[],
): Promise<Comparison[]> {
  const clang = createClangPool()
  const comparisons: Comparison[] = []
  for (const program of programs) {
    const start = performance.now()
    const settings = { clang, jobs: Number(jobs), timeLimitMs: 1000 * Number(timeout), record }
    const { launches, problem } = replay
      ? (replayFidelityProgram(program, replay) ?? { launches: [], problem: 'not recorded' })
      : await runFidelityProgram(program, settings)
    if (problem) problems.push(`${program.name}: ${problem}`)
    const other = launches.findIndex((launch, i) => program.readings[i] && !isReadingOf(program.readings[i], launch))
    if (other >= 0)
      problems.push(`${program.name}: launch ${other} is ${launches[other]!.report.name}, another kernel was read`)
    const own = launches.flatMap((launch, i) => {
      const reading = program.readings[i]
      return reading && isReadingOf(reading, launch) ? [compareLaunch(program, i, launch)] : []
    })
    comparisons.push(...own)
    const exact = own.filter(({ differences }) => differences.length === 0).length
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    if (json) writeFileSync(json, JSON.stringify(comparisons))
    for (const line of own.flatMap(differenceLines)) process.stderr.write(`  ${line}\n`)
    process.stderr.write(
      `${program.name}: ${exact} of ${program.readings.length} exact, ${seconds} s ${problem ?? ''}\n`,
    )
  }
  await clang.close()
  return comparisons
}

function printTable(comparisons: readonly Comparison[]): void {
  const heads = [
    'launch',
    'exact',
    'time us',
    'read',
    '%',
    'limiter',
    'L2 rd %',
    'L2 wr %',
    'DRAM rd %',
    'DRAM wr %',
    'regs',
    'read',
  ]
  const table = new Table({ head: heads, style: { head: [], border: [], compact: true } })
  const percent = (comparison: Comparison, name: Modelled) => {
    const { ours, read } = comparison.modelled[name]
    if (ours === undefined) return 'n/a'
    return read === 0 ? (ours === 0 ? '0' : `+${ours}`) : (100 * (ours / read - 1)).toFixed(0)
  }
  for (const comparison of comparisons) {
    const { time } = comparison.modelled
    table.push([
      `${comparison.program}[${comparison.launch}] ${comparison.kernel}`.slice(0, 60),
      comparison.differences.length === 0 ? 'yes' : `${comparison.differences.length} differ`,
      time.ours === undefined ? 'n/a' : (time.ours / 1000).toFixed(1),
      (time.read / 1000).toFixed(1),
      percent(comparison, 'time'),
      comparison.limiter,
      percent(comparison, 'l2Read'),
      percent(comparison, 'l2Write'),
      percent(comparison, 'dramRead'),
      percent(comparison, 'dramWrite'),
      comparison.registers.ours,
      comparison.registers.read,
    ])
  }
  process.stdout.write(`${table.toString()}\n`)
  for (const line of comparisons.flatMap(differenceLines)) process.stdout.write(`${line}\n`)
}

function differenceLines({ program, launch, kernel, differences }: Comparison): string[] {
  return differences.map(
    ({ counter, ours, read, isLabelledExact }) =>
      `${program}[${launch}] ${kernel}: ${counter} ${ours}, read ${read}${isLabelledExact ? '' : ' (labelled modelled)'}`,
  )
}

function printSummary(name: string, summary: Summary): void {
  process.stdout.write(`\n${name}: ${JSON.stringify(summary, null, 2)}\n`)
}
