/**
 * `npm run corpus -- DIR`: runs every program below a folder and prints what became of each, and the causes of failure by
 * count. A manifest (scripts/corpus/*.json) gives arguments, include folders and what is out of scope. For developers: public
 * code is fetched outside the repository for it.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import Table from 'cli-table3'
import { Command } from 'commander'
import { createClangPool } from '../src/node/clangPool.ts'
import { type CorpusProgram, discoverPrograms } from './corpus/discover.ts'
import type { Status } from './corpus/judge.ts'
import { defaultManifest, readManifest } from './corpus/manifest.ts'
import { type RecordedRun, readRecordedRuns } from './corpus/recorded.ts'
import { type CorpusResult, runCorpusProgram } from './corpus/runProgram.ts'

interface Options {
  readonly manifest?: string
  readonly filter?: string
  readonly jobs: string
  readonly timeout?: string
  readonly output?: string
  readonly logs?: string
  readonly recorded?: string
  readonly compileOnly?: true
  readonly flag: readonly string[]
}

const collect = (value: string, before: readonly string[]): string[] => [...before, value]

new Command('corpus')
  .argument('<dir>', 'the folder of a suite')
  .option('-m, --manifest <file>', 'arguments, include folders and exclusions of the suite')
  .option('-f, --filter <regex>', 'only programs whose path matches')
  .option('-j, --jobs <n>', 'programs at a time', '2')
  .option('-t, --timeout <seconds>', "a program's time limit (default: the manifest's, else 60)")
  .option('-o, --output <file>', 'write the results as JSON')
  .option('-l, --logs <dir>', "keep each program's output")
  .option('-r, --recorded <file>', 'outputs of a real GPU to compare with')
  .option('--compile-only', 'run nothing')
  .option('--flag <flag>', 'a flag for warplens run, as --flag=-O0 (repeatable)', collect, [])
  .action(runCorpus)
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 2
  })

async function runCorpus(directory: string, options: Options): Promise<void> {
  const root = resolve(directory)
  const manifest = options.manifest ? readManifest(options.manifest) : defaultManifest(basename(root))
  const programs = discoverPrograms(root, manifest, options.filter ? new RegExp(options.filter) : undefined)
  const timeout = options.compileOnly ? undefined : Number(options.timeout ?? manifest.timeoutSeconds)
  const recorded = options.recorded ? readRecordedRuns(options.recorded) : new Map<string, RecordedRun>()
  const clang = createClangPool()
  const results = new Map<string, CorpusResult>()
  const waiting = programs.filter(({ excluded }) => excluded === undefined)
  const work = async (): Promise<void> => {
    for (let program = waiting.shift(); program; program = waiting.shift()) {
      const result = await runCorpusProgram(
        program,
        manifest,
        root,
        clang,
        options.flag,
        timeout,
        recorded.get(program.name),
      )
      results.set(program.name, result)
      if (options.logs) keepLog(options.logs, result)
      process.stderr.write(`${result.status.padEnd(14)} ${result.name}  ${result.cause}\n`)
    }
  }
  await Promise.all(Array.from({ length: Number(options.jobs) }, work))
  await clang.close()
  process.stdout.write(report(programs, results))
  if (options.output) writeFileSync(options.output, `${JSON.stringify(record(manifest, programs, results), null, 2)}\n`)
}

function report(programs: readonly CorpusProgram[], results: ReadonlyMap<string, CorpusResult>): string {
  const table = new Table({
    head: ['program', 'status', 'exit', 'compile s', 'run s', 'cause'],
    style: { head: [], border: [], compact: true },
  })
  const counts = new Map<Status, number>()
  const causes = new Map<string, string[]>()
  for (const { name, excluded } of programs) {
    const result = results.get(name)
    const status = result?.status ?? 'excluded'
    counts.set(status, (counts.get(status) ?? 0) + 1)
    if (!result) {
      table.push([name, status, '', '', '', excluded ?? ''])
      continue
    }
    if (result.cause !== '') {
      const key = `${status}: ${result.cause}`
      causes.set(key, [...(causes.get(key) ?? []), name])
    }
    const { compileSeconds, runSeconds } = result
    table.push([name, status, result.exitCode ?? '', compileSeconds.toFixed(1), runSeconds.toFixed(1), result.cause])
  }
  const byCount = [...causes].sort(([, a], [, b]) => b.length - a.length)
  const lines = byCount.map(
    ([cause, names]) =>
      `${String(names.length).padStart(4)}  ${cause}\n${names.map(name => `        ${name}\n`).join('')}`,
  )
  const summary = [...counts].map(([status, count]) => `${count} ${status}`).join(', ')
  return `${table.toString()}\n\n${lines.join('')}\n${programs.length} programs: ${summary}\n`
}

/** What docs/support.md is made from: no times and no paths of this machine, so that it changes only when a result does. */
function record(
  manifest: { readonly suite: string; readonly source: string },
  programs: readonly CorpusProgram[],
  results: ReadonlyMap<string, CorpusResult>,
): unknown {
  return {
    suite: manifest.suite,
    source: manifest.source,
    programs: programs.map(({ name, excluded }) => {
      const result = results.get(name)
      return { name, status: result?.status ?? 'excluded', cause: result?.cause ?? excluded ?? '' }
    }),
  }
}

function keepLog(directory: string, result: CorpusResult): void {
  mkdirSync(directory, { recursive: true })
  const { name, status, cause, exitCode, stdout, stderr } = result
  const text = `${status}: ${cause}\nexit code ${exitCode}\n--- stdout\n${stdout}\n--- stderr\n${stderr}\n`
  writeFileSync(join(directory, `${name.replaceAll('/', '__')}.log`), text)
}
