/**
 * NVRTC: programs that compile kernels while they run (include/nvrtc.h). What is compiled comes back as the text of deviceCode.ts.
 * A compiler that can be waited for comes from outside; where there is none, a program that compiles is stopped with the reason.
 * Source: NVRTC, "User Interface".
 */
import { capabilityNumber } from '../../devices/devices.ts'
import { UserError } from '../../diagnostic.ts'
import { type NvrtcOptions, readNvrtcOptions } from '../../frontend/building/nvrtcOptions.ts'
import type { RunTimeCode, RunTimeSource } from '../../frontend/runTimeCode.ts'
import { collectFiles } from '../../frontend/sources/includes.ts'
import { resolvePath } from '../../frontend/sources/paths.ts'
import { type CudaContext, type HostFunctions, ProgramStopped } from '../context.ts'
import { type HostFiles, readWhole } from '../host/files.ts'
import { printDeviceCode } from '../program/deviceCode.ts'

/** Compiles while the program waits; `deadline`: performance.now() time at which it gives up, with a {@link ProgramStopped}. */
export type RunTimeCompiler = (source: RunTimeSource, deadline: number) => RunTimeCode

/** nvrtcResult; include/nvrtc.h has the texts. */
const RESULT = {
  success: 0,
  invalidInput: 3,
  invalidProgram: 4,
  invalidOption: 5,
  compilation: 6,
  noNamesAfterCompilation: 8,
  noLoweredNamesBeforeCompilation: 9,
  nameExpressionNotValid: 10,
} as const
type Result = (typeof RESULT)[keyof typeof RESULT]

const DEFAULT_NAME = 'default_program'
const TOOLKIT_FOLDER = /(?:^|\/)cuda(?:-[\d.]+)?(?:\/targets\/[\w-]+)?\/include\/?$/
const NO_COMPILER: ProgramStopped['diagnostic'] = {
  code: 'unsupported-run-time-compilation',
  severity: 'error',
  message:
    'the program compiles code while it runs (nvrtcCompileProgram), which takes a compiler that it can wait for: run it with the command line or warplens/node',
}

interface NvrtcProgram {
  /** As the program gave it; `name` may have a number behind it. */
  readonly givenName: string
  readonly name: string
  readonly text: string
  /** By the names that the source includes them by. */
  readonly headers: ReadonlyMap<string, string>
  readonly nameExpressions: string[]
  /** Addresses of the names that were handed out. */
  readonly loweredTexts: Map<string, number>
  compiled: Compiled | undefined
}

interface Compiled {
  readonly log: string
  /** Undefined where there are errors. */
  readonly image: string | undefined
  readonly isReal: boolean
  readonly lowered: ReadonlyMap<string, string>
}

export function nvrtcCalls(context: CudaContext): HostFunctions {
  const { host, hostMalloc, clock } = context.parts
  const programs = new Map<number, NvrtcProgram>()
  let handles = 0
  const answer =
    <Args extends number[]>(body: (...args: Args) => Result) =>
    (...args: Args): number => {
      context.checkDeadline()
      return clock.excluding(() => body(...args))
    }
  const withProgram = (handle: number, body: (program: NvrtcProgram) => Result): Result => {
    const program = programs.get(handle >>> 0)
    return program === undefined ? RESULT.invalidProgram : body(program)
  }
  const texts = (list: number, count: number): string[] =>
    Array.from({ length: count }, (_, index) => host.text(host.u32(list + 4 * index)))
  /** A text with its NUL, and its size. */
  const sizeOfText = (choose: (compiled: Compiled) => string | undefined) => (handle: number, bytes: number) =>
    withProgram(handle, ({ compiled }) => {
      const text = compiled && choose(compiled)
      if (text === undefined) return RESULT.invalidProgram
      host.setU32(bytes, text === '' ? 0 : utf8(text).length + 1)
      return RESULT.success
    })
  const writeText = (choose: (compiled: Compiled) => string | undefined) => (handle: number, to: number) =>
    withProgram(handle, ({ compiled }) => {
      const text = compiled && choose(compiled)
      if (text === undefined) return RESULT.invalidProgram
      if (text !== '') host.setText(to, text, utf8(text).length + 1)
      return RESULT.success
    })
  const machineCode = ({ image, isReal }: Compiled) => (isReal ? image : image && '')
  return {
    nvrtcCreateProgram: answer(
      (out: number, source: number, name: number, count: number, headers: number, includeNames: number) => {
        if (out === 0 || source === 0 || count < 0) return RESULT.invalidInput
        const text = host.text(source)
        const names = texts(includeNames, count)
        const givenName = name === 0 ? DEFAULT_NAME : host.text(name) || DEFAULT_NAME
        programs.set(++handles, {
          givenName,
          name: context.sources.nameFor(givenName, text),
          text,
          headers: new Map(texts(headers, count).map((header, index) => [names[index] ?? '', header])),
          nameExpressions: [],
          loweredTexts: new Map(),
          compiled: undefined,
        })
        host.setU32(out, handles)
        return RESULT.success
      },
    ),
    nvrtcDestroyProgram: answer((handle: number) => {
      const isKnown = programs.delete(host.u32(handle))
      host.setU32(handle, 0)
      return isKnown ? RESULT.success : RESULT.invalidProgram
    }),
    nvrtcAddNameExpression: answer((handle: number, expression: number) =>
      withProgram(handle, program => {
        if (program.compiled !== undefined) return RESULT.noNamesAfterCompilation
        program.nameExpressions.push(host.text(expression))
        return RESULT.success
      }),
    ),
    nvrtcGetLoweredName: answer((handle: number, expression: number, out: number) =>
      withProgram(handle, ({ compiled, loweredTexts }) => {
        if (compiled === undefined) return RESULT.noLoweredNamesBeforeCompilation
        const name = compiled.lowered.get(host.text(expression))
        if (name === undefined) return RESULT.nameExpressionNotValid
        const address = loweredTexts.get(name) ?? hostMalloc(name.length + 1)
        loweredTexts.set(name, address)
        host.setText(address, name, name.length + 1)
        host.setU32(out, address)
        return RESULT.success
      }),
    ),
    nvrtcCompileProgram: answer((handle: number, count: number, list: number) =>
      withProgram(handle, program => {
        const options = readNvrtcOptions(texts(list, count))
        if ('unknown' in options) {
          const log = `nvrtc: error: invalid value or unrecognized option ${options.unknown}\n`
          program.compiled = { log, image: undefined, isReal: false, lowered: new Map() }
          return RESULT.invalidOption
        }
        for (const option of options.warnings)
          context.mentionOnce(
            `nvrtcCompileProgram's option ${option} is passed over: kernels compute and are counted as without it`,
          )
        program.compiled = compile(context, program, options)
        return program.compiled.image === undefined ? RESULT.compilation : RESULT.success
      }),
    ),
    nvrtcGetPTXSize: answer(sizeOfText(({ image }) => image)),
    nvrtcGetPTX: answer(writeText(({ image }) => image)),
    nvrtcGetCUBINSize: answer(sizeOfText(machineCode)),
    nvrtcGetCUBIN: answer(writeText(machineCode)),
    nvrtcGetProgramLogSize: answer((handle: number, bytes: number) =>
      withProgram(handle, ({ compiled }) => {
        host.setU32(bytes, utf8(compiled?.log ?? '').length + 1)
        return RESULT.success
      }),
    ),
    nvrtcGetProgramLog: answer((handle: number, to: number) =>
      withProgram(handle, ({ compiled }) => {
        const log = compiled?.log ?? ''
        host.setText(to, log, utf8(log).length + 1)
        return RESULT.success
      }),
    ),
  }
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

function compile(context: CudaContext, program: NvrtcProgram, options: NvrtcOptions): Compiled {
  const { device, deadline, compileAtRunTime, files: hostFiles } = context.parts
  if (compileAtRunTime === undefined) throw new ProgramStopped(NO_COMPILER)
  const { name, nameExpressions } = program
  const workingDirectory = hostFiles?.workingDirectory ?? '/work'
  const architecture = capabilityNumber(device)
  const includeDirs = options.includeDirs.filter(directory => !TOOLKIT_FOLDER.test(directory))
  const files = filesOf(program, { ...options, includeDirs }, workingDirectory, hostFiles)
  const source = { name, files, options: { ...options, includeDirs }, nameExpressions, architecture, workingDirectory }
  const { ir, loweredNames, log: written } = compileAtRunTime(source, deadline)
  const log = written.replaceAll(name, program.givenName)
  const failed = (reason: string) => ({ log: log + reason, image: undefined, isReal: false, lowered: new Map() })
  if (ir === undefined) return failed('')
  try {
    return {
      log,
      image: printDeviceCode({ ir, files }, Math.min(options.architecture ?? architecture, architecture)),
      isReal: options.isReal,
      lowered: new Map(
        nameExpressions.flatMap((expression, i) => (loweredNames[i] ? [[expression, loweredNames[i]]] : [])),
      ),
    }
  } catch (error) {
    // What we do not support of it is an error of the compilation, where the program shows its log.
    if (!(error instanceof UserError)) throw error
    return failed(`${error.message}\n`)
  }
}

/** The source, the headers that came with it, and what these include of the program's file system. */
function filesOf(
  { name, text, headers }: NvrtcProgram,
  { includeDirs, includes, defines }: NvrtcOptions,
  workingDirectory: string,
  hostFiles: HostFiles | undefined,
): Record<string, string> {
  const given = new Map([...headers].map(([path, header]) => [resolvePath(workingDirectory, path), header]))
  given.set(resolvePath(workingDirectory, name), text)
  const read = (path: string): string | undefined =>
    given.get(resolvePath(workingDirectory, path)) ?? textOf(hostFiles, path)
  const found = collectFiles({
    sources: [name],
    includes,
    includeDirs: ['.', ...includeDirs],
    defines,
    workingDirectory,
    read,
  })
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

function textOf(files: HostFiles | undefined, path: string): string | undefined {
  const bytes = files && readWhole(files, path)
  return bytes && new TextDecoder().decode(bytes)
}
