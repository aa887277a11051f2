/** What `run` and `profile` share: compile the files, run the program with this process's streams and files. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { deviceFromJson } from '../devices/customDevice.ts'
import type { Device } from '../devices/device.ts'
import { capabilityNumber, findDevice } from '../devices/devices.ts'
import { userError } from '../diagnostic.ts'
import { type ExecutedRun, type ExecuteOptions, executeProgram, type Program } from '../pipeline.ts'
import { demangle } from '../report/demangle.ts'
import { renderDiagnostic } from '../report/diagnosticText.ts'
import type { Colors } from '../report/format.ts'
import { chooseExecutor } from './chooseExecutor.ts'
import { directoryFiles, type RefusedAccess } from './hostFiles.ts'
import type { CommonOptions } from './options.ts'
import { buildFiles } from './program.ts'
import { Progress } from './progress.ts'
import { createRunTimeCompiler } from './runTimeCompiler.ts'
import { colorsFor, type Stream, type Terminal } from './terminal.ts'
import { startTimeLimit } from './timeLimit.ts'

export interface Session {
  readonly device: Device
  readonly program: Program
  readonly result: ExecutedRun
}

/** Where the program's own standard output goes; undefined for nowhere. */
export type ProgramOutput = Stream | undefined

/**
 * @throws UserError for the user's mistakes and for what is not supported; a program that fails gives a result.
 */
export async function runSession(
  files: readonly string[],
  args: readonly string[],
  options: CommonOptions,
  terminal: Terminal,
  output: ProgramOutput,
  progress: Progress,
  modelling: Pick<ExecuteOptions, 'modelTime' | 'measuredRegisters' | 'keepLaunches' | 'checks'> = {},
): Promise<Session> {
  const device = readDevice(options.device, terminal.workingDirectory)
  const limit = startTimeLimit(options.timeoutSeconds && 1000 * options.timeoutSeconds)
  const architecture = capabilityNumber(device)
  const asWritten = modelling.checks !== undefined
  const program = await buildFiles(files, { ...options, ...terminal, architecture, limit, asWritten }, progress)
  progress.add('  device side', program.timings.deviceMs)
  progress.add('  host side', program.timings.hostMs)
  progress.add('  link', program.timings.linkMs)
  if (!options.quiet) warn(program, terminal, colorsFor(options.color, terminal.stderr, terminal.environment), progress)
  const executor = await chooseExecutor(options, device, (kernel, reason) => {
    if (options.quiet) return
    progress.clear()
    const name = demangle(kernel).short
    terminal.stderr.write(`warplens: ${name} runs on the slow interpreter: ${reason}\n`)
  })
  const compiler = createRunTimeCompiler({ cache: options.cache, environment: terminal.environment })
  try {
    const result = executeProgram(
      program,
      {
        device,
        executor: executor.executor,
        args,
        env: definedOnly(terminal.environment),
        stdin: terminal.stdin,
        stdout: bytes => show(bytes, output, progress),
        stderr: bytes => show(bytes, terminal.stderr, progress),
        files: directoryFiles(terminal.workingDirectory, {
          readable: options.readable,
          onRefused: (path, access) => tellRefused(path, access, options, terminal, progress),
        }),
        onLaunch: record => {
          progress.add('  kernels', record.wallMs)
          progress.step(`run: ${record.index + 1} launches`)
        },
        ...modelling,
        deviceCount: options.deviceCount,
        compileAtRunTime: compiler.compile,
        ...(options.memoryBytes !== undefined && { memoryBytes: options.memoryBytes }),
        ...limit.runOptions(),
        ...(options.seed !== undefined && { seed: options.seed }),
      },
      progress,
    )
    return { device, program, result }
  } finally {
    await Promise.all([executor.close(), compiler.close()])
  }
}

export function newProgress(options: CommonOptions, terminal: Terminal): Progress {
  return new Progress(terminal.stderr, terminal.stderr.isTerminal && !options.quiet)
}

function show(bytes: Uint8Array, stream: ProgramOutput, progress: Progress): void {
  if (stream === undefined) return
  progress.clear()
  stream.write(bytes)
}

/** The program itself says at most that a file cannot be opened, and many crash instead. */
function tellRefused(
  path: string,
  access: RefusedAccess,
  { quiet }: CommonOptions,
  { stderr }: Terminal,
  progress: Progress,
): void {
  if (quiet) return
  progress.clear()
  const rule =
    access === 'read'
      ? `was not read: --allow-read ${path} allows it`
      : `was not ${access === 'write' ? 'opened' : 'changed'}: a program writes only inside it`
  stderr.write(`warplens: ${path} lies outside the working directory and ${rule}\n`)
}

function warn(program: Program, terminal: Terminal, colors: Colors, progress: Progress): void {
  if (program.diagnostics.length > 0) progress.clear()
  for (const diagnostic of program.diagnostics) terminal.stderr.write(`${renderDiagnostic(diagnostic, colors)}\n`)
}

/** A known GPU's name, or a JSON file. */
export function readDevice(name: string, workingDirectory: string): Device {
  if (!name.toLowerCase().endsWith('.json')) return findDevice(name)
  let text: string
  try {
    text = readFileSync(resolve(workingDirectory, name), 'utf8')
  } catch {
    throw userError('no-such-file', `--device ${name}: no such file`)
  }
  return deviceFromJson(text, name)
}

function definedOnly(environment: Terminal['environment']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
