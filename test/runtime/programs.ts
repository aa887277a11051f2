/** Compiles and runs small programs for the tests of this folder. */
import { devices, findDevice } from '../../src/devices/devices.ts'
import { compileProgram } from '../../src/frontend/compile.ts'
import { linkModules } from '../../src/ir/link.ts'
import { readModule } from '../../src/ir/read.ts'
import type { Executor, Fault, LaunchRequest } from '../../src/launch.ts'
import { accessModelFor } from '../../src/metrics/rules/accessModel.ts'
import { type ClangPool, createClangPool } from '../../src/node/clangPool.ts'
import { ownHeaders } from '../../src/node/sources.ts'
import { demangle } from '../../src/report/demangle.ts'
import { type RunOptions, type RunResult, runProgram } from '../../src/runtime/run.ts'
import { emptyCounters } from '../../src/trace.ts'
import { precompiled } from '../precompiled.ts'

export interface Ran {
  readonly result: RunResult
  readonly stdout: string
  readonly stderr: string
  /** Both, in the order of writing. */
  readonly output: string
}

let pool: ClangPool | undefined
/** By files: several tests may run one program. */
const compiled = new Map<string, ReturnType<typeof compileProgram>>()

export function closeClang(): void {
  void pool?.close()
}

/** `program` is one .cu file's text, seen by clang as test.cu, or several files by name. */
export async function runSource(
  program: string | Readonly<Record<string, string>>,
  executor: Executor,
  options: Partial<RunOptions> & { readonly deviceName?: string } = {},
): Promise<Ran> {
  const { hostWasm, deviceIr } = await compileOnce(typeof program === 'string' ? { 'test.cu': program } : program)
  const module = linkModules(
    deviceIr.map(({ text, file }) => readModule(text, file)),
    deviceIr.map(({ file }) => file),
  )
  const device =
    options.deviceName === undefined ? devices.find(({ id }) => id === 'H200')! : findDevice(options.deviceName)
  const written = { stdout: '', stderr: '', output: '' }
  const sink = (name: 'stdout' | 'stderr') => (bytes: Uint8Array) => {
    const text = new TextDecoder().decode(bytes.slice())
    written[name] += text
    written.output += text
  }
  const result = runProgram({
    hostModule: new WebAssembly.Module(hostWasm),
    hostWasm,
    module,
    device,
    model: accessModelFor(device),
    executor,
    fullName: mangled => demangle(mangled).full,
    programName: './test',
    args: [],
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    ...options,
  })
  return { result, ...written }
}

function compileOnce(files: Readonly<Record<string, string>>): ReturnType<typeof compileProgram> {
  pool ??= createClangPool(2)
  const input = { sources: Object.keys(files), files, headers: ownHeaders() }
  const key = JSON.stringify(files)
  const running = compiled.get(key) ?? compileProgram(input, pool, precompiled)
  compiled.set(key, running)
  return running
}

export interface Recorder extends Executor {
  readonly requests: LaunchRequest[]
}

/** Runs nothing and remembers what it was asked. `fault` is what each launch ends in. */
export function recorder(fault?: Fault, onLaunch: (request: LaunchRequest) => void = () => undefined): Recorder {
  const requests: LaunchRequest[] = []
  return {
    requests,
    execute(request) {
      requests.push(request)
      onLaunch(request)
      return { sites: request.program.sites.map(emptyCounters), blocks: [], fault }
    },
  }
}
