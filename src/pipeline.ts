/**
 * The stages, in order: compile, read, link, check, load, run, metrics, report. The only file that knows all of them.
 * In: a program's files and what to run it with. Out: what it did, and the report. No host of its own: clang, the cache,
 * the executor, streams and files come from outside, so that Node and a browser share every line of this.
 */
import type { Device } from './devices/device.ts'
import type { Diagnostic } from './diagnostic.ts'
import type { Clang } from './frontend/clang.ts'
import { type CompileCache, type CompileInput, type CompileTimings, compileProgram } from './frontend/compile.ts'
import { checkModule } from './ir/check.ts'
import type { Module } from './ir/ir.ts'
import { linkModules } from './ir/link.ts'
import { readModule } from './ir/read.ts'
import { accessModelFor } from './metrics/accessModel.ts'
import { buildReport, type ProfileSelection } from './profile.ts'
import { demangle } from './report/demangle.ts'
import type { Report } from './report/model.ts'
import { type RunOptions, type RunResult, runProgram } from './runtime/run.ts'

/** Told where the work is; the names are for people. */
export interface Observer {
  stage(name: string): void
}

/** A compiled program: can be run any number of times. */
export interface Program {
  readonly hostModule: WebAssembly.Module
  /** The bytes of `hostModule`: its debug information gives lines to crashes. */
  readonly hostWasm: Uint8Array
  readonly deviceModule: Module
  /** The sources, as typed. */
  readonly files: readonly string[]
  /** Text of the user's files, by the names that locations use. */
  readonly sources: ReadonlyMap<string, string>
  /** Warnings of the compiler. */
  readonly diagnostics: readonly Diagnostic[]
  readonly timings: CompileTimings
}

export type ExecuteOptions = Omit<RunOptions, 'hostModule' | 'module' | 'model' | 'programName'>

/** compile, read, link, check. @throws UserError for what is wrong with the source. */
export async function buildProgram(
  input: CompileInput,
  clang: Clang,
  cache: CompileCache | undefined,
  observer: Observer,
): Promise<Program> {
  observer.stage('compile')
  const compiled = await compileProgram(input, clang, cache)
  const hostModule = await WebAssembly.compile(compiled.hostWasm)
  observer.stage('read device code')
  const modules = compiled.deviceIr.map(({ text, file }) => readModule(text, file))
  const deviceModule = linkModules(modules)
  checkModule(deviceModule)
  const { diagnostics, timings } = compiled
  const { hostWasm } = compiled
  return { hostModule, hostWasm, deviceModule, files: input.sources, sources: textFiles(input), diagnostics, timings }
}

/** load, run. The program's exit code, output and failure are its own; @throws UserError for what we do not support. */
export function executeProgram(program: Program, options: ExecuteOptions, observer: Observer): RunResult {
  observer.stage('run')
  const { hostModule, hostWasm, deviceModule: module, files } = program
  return runProgram({
    ...options,
    hostModule,
    hostWasm,
    displayName: mangled => demangle(mangled).short,
    module,
    model: accessModelFor(options.device),
    programName: nameOf(files),
  })
}

/** metrics, report. */
export function reportRun(
  program: Program,
  result: RunResult,
  options: { readonly device: Device; readonly args: readonly string[]; readonly version: string },
  selection: ProfileSelection,
  observer: Observer,
): Report {
  observer.stage('report')
  return buildReport(result, { ...options, files: program.files }, selection)
}

function textFiles({ files }: CompileInput): Map<string, string> {
  return new Map(Object.entries(files).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** argv[0]: `./transpose` for `src/transpose.cu`. */
function nameOf(files: readonly string[]): string {
  const base = files[0]?.replace(/^.*\//, '').replace(/\.[^.]*$/, '')
  return `./${base || 'program'}`
}
