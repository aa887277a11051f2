/**
 * The stages, in order: compile, read, link, check, load, run, metrics, report. The only file that knows all of them.
 * In: a program's files and what to run it with. Out: what it did, and the report. No host of its own: clang, the cache,
 * the executor, streams and files come from outside, so that Node and a browser share every line of this.
 */
import { readsClock } from './analysis/execution/clockReads.ts'
import type { KernelProgram } from './analysis/prepare.ts'
import { readDeviceSide } from './deviceSide.ts'
import type { Device } from './devices/device.ts'
import type { Diagnostic } from './diagnostic.ts'
import { withEqualRowsOnce } from './equalRows.ts'
import type { Clang } from './frontend/clang/clang.ts'
import { type CompileCache, type CompileInput, type CompileTimings, compileProgram } from './frontend/compile.ts'
import type { Module } from './ir/ir.ts'
import { estimateRegisters, mostRegisters } from './metrics/occupancy/registers.ts'
import { accessModelFor } from './metrics/rules/accessModel.ts'
import { createLaunchModels, type LaunchModels, type Registers, type RegistersOf } from './modelTimes.ts'
import { buildReport, type ProfileSelection } from './profile.ts'
import { demangle } from './report/demangle.ts'
import type { Report } from './report/model.ts'
import type { ObservedLaunch, TimeModel } from './runtime/launchRecord.ts'
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

export interface ExecuteOptions
  extends Omit<RunOptions, 'hostModule' | 'module' | 'sources' | 'model' | 'programName' | 'times' | 'registersOf'> {
  /** Predict each launch's traffic and time, which costs a little of every launch. By default where the program reads times. */
  readonly modelTime?: 'always' | 'whenRead' | 'never'
  /** What the machine compiler says of a kernel (mangled name), where the user knows; estimated without it. */
  readonly measuredRegisters?: (kernel: string) => number | undefined
  /** Told of each launch that is modelled, before it runs. */
  readonly onModelled?: (launch: ObservedLaunch) => void
}

/** A run with what its report needs beside the launches. */
export interface ExecutedRun extends RunResult {
  readonly models?: LaunchModels
  readonly registersOf: RegistersOf
}

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
  const { files, workingDirectory = '/work' } = input
  const { module: deviceModule, sources } = readDeviceSide(compiled.deviceIr, files, workingDirectory)
  const { diagnostics, timings } = compiled
  const { hostWasm } = compiled
  return { hostModule, hostWasm, deviceModule, files: input.sources, sources, diagnostics, timings }
}

function toldTo(onModelled: (launch: ObservedLaunch) => void, models: LaunchModels): TimeModel {
  return {
    ...models,
    observeLaunch(launch) {
      onModelled(launch)
      return models.observeLaunch?.(launch)
    },
  }
}

/** load, run. The program's exit code, output and failure are its own; @throws UserError for what we do not support. */
export function executeProgram(program: Program, options: ExecuteOptions, observer: Observer): ExecutedRun {
  observer.stage('run')
  const { hostModule, hostWasm, deviceModule: module, files } = program
  const { modelTime = 'whenRead', measuredRegisters = () => undefined, onModelled, ...rest } = options
  const registersOf = registerCounter(options.device, measuredRegisters)
  const models =
    modelTime === 'always' || (modelTime === 'whenRead' && (readsTimes(hostModule) || readsClocks(module)))
      ? createLaunchModels(options.device, registersOf)
      : undefined
  const result = runProgram({
    ...rest,
    executor: withEqualRowsOnce(options.executor),
    ...(models && { times: onModelled ? toldTo(onModelled, models) : models }),
    registersOf: (kernel, threads) => registersOf(kernel, threads).perThread,
    hostModule,
    hostWasm,
    displayName: mangled => demangle(mangled).short,
    fullName: mangled => demangle(mangled).full,
    module,
    sources: program.sources,
    model: accessModelFor(options.device),
    programName: nameOf(files),
  })
  return { ...result, ...(models && { models }), registersOf }
}

/** Whether the program asks how long its launches took: nobody else pays for the prediction of `run`. */
function readsTimes(hostModule: WebAssembly.Module): boolean {
  return WebAssembly.Module.imports(hostModule).some(({ name }) => /^cudaEventElapsedTime/.test(name))
}

/** Whether a kernel asks how long something took. */
function readsClocks({ functions }: Module): boolean {
  return functions.some(({ blocks }) => blocks.some(({ instructions }) => instructions.some(readsClock)))
}

function registerCounter(device: Device, measured: (kernel: string) => number | undefined): RegistersOf {
  const known = new WeakMap<KernelProgram, Registers>()
  const ofKernel = (program: KernelProgram): Registers => {
    const before = known.get(program)
    if (before) return before
    const stated = measured(program.kernel.name)
    const registers: Registers =
      stated === undefined
        ? { perThread: estimateRegisters(program), source: 'estimated' }
        : { perThread: stated, source: 'measured' }
    known.set(program, registers)
    return registers
  }
  return (program, threads) => {
    const registers = ofKernel(program)
    if (threads === undefined || registers.source === 'measured') return registers
    return { ...registers, perThread: Math.min(registers.perThread, mostRegisters(device, threads)) }
  }
}

/** metrics, report. */
export function reportRun(
  program: Pick<Program, 'files'>,
  result: ExecutedRun,
  options: { readonly device: Device; readonly args: readonly string[]; readonly version: string },
  selection: ProfileSelection,
  observer: Observer,
): Report {
  observer.stage('report')
  const { models, registersOf } = result
  return buildReport(result, { ...options, files: program.files, registersOf, ...(models && { models }) }, selection)
}

/** argv[0]: `./transpose` for `src/transpose.cu`. */
function nameOf(files: readonly string[]): string {
  const base = files[0]?.replace(/^.*\//, '').replace(/\.[^.]*$/, '')
  return `./${base || 'program'}`
}
