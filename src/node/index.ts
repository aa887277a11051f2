/** `warplens/node`: programs of the file system in one call. */
import { capabilityNumber } from '../devices/devices.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { type FloatChoices, floatModeOf } from '../ir/floatMode.ts'
import { type ExecutedRun, executeProgram, type Observer, type Program, reportRun } from '../pipeline.ts'
import { selectMetrics } from '../profile.ts'
import type { Report } from '../report/model.ts'
import { createNodeExecutor } from './executor.ts'
import { directoryFiles } from './hostFiles.ts'
import { buildFiles } from './program.ts'
import { createRunTimeCompiler } from './runTimeCompiler.ts'
import { readDevice } from './session.ts'
import { packageVersion } from './sources.ts'
import { startTimeLimit } from './timeLimit.ts'

export { createClangPool } from './clangPool.ts'
export { createCompileCache } from './compileCache.ts'

/** All optional; the defaults are the command line's. */
export interface FileOptions {
  readonly args?: readonly string[]
  /** Default the process's; relative paths start here, and the program sees no file outside it but `readable` ones. */
  readonly workingDirectory?: string
  /** Files and folders outside the working directory that the program may read. */
  readonly readable?: readonly string[]
  readonly device?: string
  readonly includeDirs?: readonly string[]
  /** `NAME` or `NAME=value`. */
  readonly defines?: readonly string[]
  readonly standard?: string
  readonly optimize?: 0 | 1 | 2 | 3
  /** As `nvcc -rdc=true`. */
  readonly relocatable?: boolean
  /** As nvcc's `-use_fast_math`, `-ftz`, `-prec-div`, `-prec-sqrt` and `-fmad`. */
  readonly floats?: FloatChoices
  /** Threads that run blocks. */
  readonly jobs?: number
  /** Of compiling and running. */
  readonly timeoutMs?: number
  readonly stdin?: string
  /** False: compile again, and keep nothing. */
  readonly cache?: boolean
}

export interface FileRun {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** Why the program failed, where we know better than its exit code. */
  readonly failure?: Diagnostic
}

/** @throws UserError for what is wrong with the source or not supported. */
export async function runFile(files: string | readonly string[], options: FileOptions = {}): Promise<FileRun> {
  return (await runProgramFiles(files, options)).run
}

/**
 * Runs the program and reports every launch. `metrics`: names as for `--metrics`, all when left out.
 * @throws UserError for what is wrong with the source or not supported, and for unknown metrics.
 */
export async function profileFile(
  files: string | readonly string[],
  options: FileOptions & { readonly metrics?: readonly string[] } = {},
): Promise<FileRun & { readonly report: Report }> {
  const metrics = selectMetrics({ metrics: options.metrics ?? [], sets: [], sections: [] })
  const { run, program, result, device } = await runProgramFiles(files, options)
  const context = { device, args: options.args ?? [], version: packageVersion() }
  return { ...run, report: reportRun(program, result, context, { metrics }, silent) }
}

const silent: Observer = { stage: () => {} }

async function runProgramFiles(files: string | readonly string[], options: FileOptions) {
  const workingDirectory = options.workingDirectory ?? process.cwd()
  const device = readDevice(options.device ?? 'H200', workingDirectory)
  const limit = startTimeLimit(options.timeoutMs)
  const program: Program = await buildFiles(
    typeof files === 'string' ? [files] : files,
    {
      includeDirs: options.includeDirs ?? [],
      defines: options.defines ?? [],
      includes: [],
      standard: options.standard ?? 'c++17',
      optimize: options.optimize ?? 2,
      relocatable: options.relocatable ?? false,
      floats: floatModeOf(options.floats ?? {}),
      architecture: capabilityNumber(device),
      cache: options.cache ?? true,
      workingDirectory,
      environment: process.env,
      limit,
    },
    silent,
  )
  const stdout: Uint8Array[] = []
  const stderr: Uint8Array[] = []
  const { executor, close } = createNodeExecutor({ device, ...(options.jobs !== undefined && { jobs: options.jobs }) })
  const compiler = createRunTimeCompiler({ cache: options.cache ?? true, environment: process.env })
  let input = new TextEncoder().encode(options.stdin ?? '')
  try {
    const result: ExecutedRun = executeProgram(
      program,
      {
        device,
        executor,
        args: options.args ?? [],
        stdin: capacity => {
          const part = input.subarray(0, capacity)
          input = input.subarray(part.length)
          return part
        },
        stdout: bytes => void stdout.push(bytes.slice()),
        stderr: bytes => void stderr.push(bytes.slice()),
        compileAtRunTime: compiler.compile,
        files: directoryFiles(workingDirectory, { readable: options.readable ?? [] }),
        ...limit.runOptions(),
      },
      silent,
    )
    const run: FileRun = {
      exitCode: result.exitCode,
      stdout: Buffer.concat(stdout).toString('utf8'),
      stderr: Buffer.concat(stderr).toString('utf8'),
      ...(result.failure && { failure: result.failure }),
    }
    return { run, program, result, device }
  } finally {
    await Promise.all([close(), compiler.close()])
  }
}
