/**
 * One program: compiled here with a warm compiler, which leaves it in the cache on disk; then run by the command line in a
 * process of its own, which can be killed.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InternalError, UserError } from '../../src/diagnostic.ts'
import type { Clang } from '../../src/frontend/clang/clang.ts'
import { buildFiles } from '../../src/node/program.ts'
import type { CorpusProgram } from './discover.ts'
import { type Ending, judgeCompile, judgeRun, type Verdict } from './judge.ts'
import type { Manifest } from './manifest.ts'
import type { RecordedRun } from './recorded.ts'

export interface CorpusResult extends Verdict {
  readonly name: string
  readonly compileSeconds: number
  readonly runSeconds: number
  readonly exitCode: number | undefined
  readonly stdout: string
  readonly stderr: string
}

/** How a program is run: the sources themselves, or a build of them (`WARPLENS_MAIN`), which starts faster. */
const COMMAND = process.env.WARPLENS_MAIN
  ? [process.env.WARPLENS_MAIN]
  : ['--import', import.meta.resolve('tsx'), fileURLToPath(new URL('../../src/node/main.ts', import.meta.url))]
const OUTPUT_LIMIT = 4 * 1024 * 1024

/** Never throws for what a program does. `flags` are further ones; without a time limit the program is only compiled. */
export async function runCorpusProgram(
  program: CorpusProgram,
  manifest: Manifest,
  root: string,
  clang: Clang,
  flags: readonly string[],
  timeoutSeconds: number | undefined,
  recorded: RecordedRun | undefined,
): Promise<CorpusResult> {
  const start = Date.now()
  const seconds = (from: number): number => (Date.now() - from) / 1000
  const none = { exitCode: undefined, stdout: '', stderr: '', runSeconds: 0 }
  const failedCompile = await compile(program, clang, flags)
  const compileSeconds = seconds(start)
  if (failedCompile) return { name: program.name, compileSeconds, ...none, ...failedCompile }
  if (timeoutSeconds === undefined)
    return { name: program.name, compileSeconds, ...none, status: 'compiled', cause: '' }
  const begin = Date.now()
  const ending = await execute(program, flags, timeoutSeconds)
  const { expectedOutput } = program.settings
  const verdict = judgeRun(ending, program.settings, {
    pass: program.settings.pass ?? manifest.pass,
    fail: program.settings.fail ?? manifest.fail,
    expectedOutput: expectedOutput === undefined ? undefined : readFileSync(join(root, expectedOutput), 'utf8'),
    recorded,
  })
  return { name: program.name, compileSeconds, runSeconds: seconds(begin), ...ending, ...verdict }
}

async function compile(
  program: CorpusProgram,
  clang: Clang,
  flags: readonly string[],
): Promise<(Verdict & { readonly stderr: string }) | undefined> {
  const standard = [...program.flags, ...flags].find(flag => flag.startsWith('-std='))?.slice('-std='.length)
  const optimize = ([0, 1, 2, 3] as const).find(level => flags.includes(`-O${level}`)) ?? 2
  try {
    await buildFiles(
      program.sources,
      {
        includeDirs: program.includeDirs,
        defines: program.defines,
        includes: [],
        standard: standard ?? 'c++17',
        optimize,
        architecture: 90,
        cache: true,
        workingDirectory: program.folder,
        environment: process.env,
        clang,
      },
      { stage: () => {} },
    )
    return undefined
  } catch (error) {
    const stderr = error instanceof Error ? error.message : String(error)
    if (error instanceof UserError) return { ...judgeCompile(error.diagnostics), stderr }
    const what = error instanceof InternalError ? error.message : stderr
    return { status: 'internal error', cause: what.split('\n')[0]?.slice(0, 140) ?? '', stderr }
  }
}

function execute(program: CorpusProgram, flags: readonly string[], timeoutSeconds: number): Promise<Ending> {
  const own = [
    ...program.sources,
    ...program.includeDirs.flatMap(directory => ['-I', directory]),
    ...program.defines.flatMap(define => ['-D', define]),
    ...program.flags,
    ...flags,
    '--color=never',
    '--timeout',
    String(timeoutSeconds),
  ]
  return new Promise(resolve => {
    const child = spawn(process.execPath, [...COMMAND, 'run', ...own, '--', ...program.args], {
      cwd: program.folder,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let killed = false
    // The tool has its own limit; this one is for the tool that hangs.
    const timer = setTimeout(
      () => {
        killed = true
        child.kill('SIGKILL')
      },
      (timeoutSeconds + 20) * 1000,
    )
    const text = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        if (text[name].length < OUTPUT_LIMIT) text[name] += chunk
      })
    child.stdin.on('error', () => {}) // a program need not read its input
    child.stdin.end(program.settings.input ?? '')
    child.on('close', code => {
      clearTimeout(timer)
      resolve({ exitCode: code ?? undefined, ...text, killed })
    })
  })
}
