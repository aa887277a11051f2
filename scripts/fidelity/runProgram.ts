/**
 * Runs one program as `warplens profile` does and reports its first launches, as many as there are readings; the program is
 * stopped at the next one. In: a program. Out: each launch's metrics, or why there are none.
 */
import type { Device } from '../../src/devices/device.ts'
import { UserError } from '../../src/diagnostic.ts'
import type { Executor } from '../../src/launch.ts'
import { estimateRegisters, livePressure } from '../../src/metrics/occupancy/registers.ts'
import type { PredictedTime } from '../../src/metrics/time/timeInput.ts'
import { createLaunchModels, type RegistersOf } from '../../src/modelTimes.ts'
import type { ClangPool } from '../../src/node/clangPool.ts'
import { createNodeExecutor } from '../../src/node/executor.ts'
import { directoryFiles } from '../../src/node/hostFiles.ts'
import { buildFiles } from '../../src/node/program.ts'
import { type ExecutedRun, executeProgram, type Observer, type Program, reportRun } from '../../src/pipeline.ts'
import { selectMetrics } from '../../src/profile.ts'
import type { LaunchReport } from '../../src/report/model.ts'
import { ProgramStopped } from '../../src/runtime/context.ts'
import type { FidelityProgram } from './programs.ts'
import { Recorder, readRecording, replayLaunches } from './recording.ts'

export interface LaunchPrediction {
  readonly report: LaunchReport
  readonly predicted: PredictedTime | undefined
  readonly registers: number
  readonly pressure: number
}

export interface ProgramPrediction {
  readonly launches: readonly LaunchPrediction[]
  /** Why the program, or the part that has readings, did not run to its end. */
  readonly problem: string | undefined
}

export interface RunSettings {
  readonly clang: ClangPool
  readonly jobs: number
  readonly timeLimitMs: number
  /** Folder where launches are kept as they ran. */
  readonly record?: string | undefined
}

const silent: Observer = { stage: () => {} }

export async function runFidelityProgram(
  program: FidelityProgram,
  { clang, jobs, timeLimitMs, record }: RunSettings,
): Promise<ProgramPrediction> {
  const { device } = program
  program.write?.()
  const onFallback = (kernel: string, reason: string) =>
    void process.stderr.write(`  ${kernel} runs on the interpreter: ${reason}\n`)
  const node = createNodeExecutor({ device, jobs, onFallback })
  const recorder = new Recorder()
  const text: string[] = []
  const keep = (bytes: Uint8Array) => void text.push(Buffer.from(bytes).toString('utf8'))
  try {
    const built = await buildFiles(
      program.sources,
      {
        includeDirs: program.includeDirs,
        defines: program.defines,
        includes: [],
        standard: 'c++17',
        optimize: 2,
        relocatable: program.relocatable ?? false,
        floats: program.floats,
        architecture: 90,
        cache: true,
        clang,
        workingDirectory: program.folder,
        environment: process.env,
      },
      silent,
    )
    let ended = 0
    const result = executeProgram(
      built,
      {
        device,
        executor: stopped(
          record ? recorder.listening(node.executor) : node.executor,
          () => ended >= program.readings.length,
        ),
        onLaunch: () => void ended++,
        args: program.args,
        stdout: () => {},
        stderr: keep,
        files: directoryFiles(program.folder, { readable: program.readable ?? [] }),
        modelTime: 'always',
        ...(record && { onModelled: launch => recorder.expect(launch) }),
        timeLimitMs,
      },
      silent,
    )
    const { launches, fault } = predictionsOf(built, result, device)
    const missing = launches.length < program.readings.length
    const problem = fault ?? (missing ? (text.join('').trim().split('\n').at(-1) ?? 'too few launches') : undefined)
    // Recordings have no grids but the host's.
    if (record && result.launches.every(({ children }) => children.length === 0))
      recorder.save(record, program.name, problem, result.launches)
    return { launches, problem }
  } catch (error) {
    if (error instanceof UserError) return { launches: [], problem: error.message.split('\n')[0] ?? 'refused' }
    throw error
  } finally {
    await node.close()
  }
}

/** The launches that were recorded in `directory`, through the present models; undefined where there are none. */
export function replayFidelityProgram(
  { name, device }: FidelityProgram,
  directory: string,
): ProgramPrediction | undefined {
  const recording = readRecording(directory, name)
  if (!recording) return undefined
  const registersOf: RegistersOf = program => ({ perThread: estimateRegisters(program), source: 'estimated' })
  const models = createLaunchModels(device, registersOf)
  const run = {
    exitCode: 0,
    launches: replayLaunches(recording, models),
    timeline: [],
    sources: new Map<string, string>(),
    models,
    registersOf,
  }
  return { ...predictionsOf({ files: [] }, run, device), problem: recording.problem }
}

function predictionsOf(built: Pick<Program, 'files'>, result: ExecutedRun, device: Device) {
  const metrics = selectMetrics({ metrics: [], sets: [], sections: [] })
  const report = reportRun(built, result, { device, args: [], version: '0' }, { metrics }, silent)
  const stopped = report.launches.findIndex(({ fault }) => fault !== null)
  const whole = stopped < 0 ? report.launches : report.launches.slice(0, stopped)
  const launches = whole.map((launch, index) => {
    const record = result.launches[index]!
    return {
      report: launch,
      predicted: result.models?.of(record)?.predicted,
      registers: estimateRegisters(record.program),
      pressure: livePressure(record.program),
    }
  })
  return { launches, fault: report.launches[stopped]?.fault ?? undefined }
}

/** The launches behind the ones that were read are of no use: the program ends there. */
function stopped(executor: Executor, isEnough: () => boolean): Executor {
  return {
    execute(request) {
      if (!isEnough()) return executor.execute(request)
      throw new ProgramStopped({ code: 'enough', severity: 'note', message: 'all launches with readings have run' })
    },
  }
}
