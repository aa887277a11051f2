/**
 * Code that a program compiles while it runs (NVRTC): one source as text in; its device side, what the compiler said, and the names that
 * its entities have behind the compiler out. The device side is compiled as that of a program's own files, and cached like it.
 */
import { type Diagnostic, formatDiagnostic, UserError } from '../diagnostic.ts'
import type { NvrtcOptions } from './building/nvrtcOptions.ts'
import type { Clang, FileTree } from './clang/clang.ts'
import { type CompileCache, compileProgram, type DeviceIr } from './compile.ts'
import { resolvePath } from './sources/paths.ts'

/** Everything in it can be sent to another thread. */
export interface RunTimeSource {
  /** What diagnostics and reports call the source. */
  readonly name: string
  /** The source and every other file that it may open, by path. */
  readonly files: FileTree
  readonly options: NvrtcOptions
  /** As the program wrote them: `&scale<float>`, `kernels::table`. */
  readonly nameExpressions: readonly string[]
  /** Of the device that it is compiled for, where the options name none. */
  readonly architecture: number
  readonly workingDirectory: string
}

export interface RunTimeCode {
  /** Undefined where there are errors. */
  readonly ir: readonly DeviceIr[] | undefined
  /** In the order of the source's; undefined for what was dropped. */
  readonly loweredNames: readonly (string | undefined)[]
  /** What nvrtcGetProgramLog says. */
  readonly log: string
}

/** Variables of ours whose values are what the name expressions name. */
const LOWERED = '__warplens_lowered_'
const LOWERED_VARIABLE = new RegExp(`^@${LOWERED}(\\d+) = [^@\\n]*@("[^"]+"|[\\w$.]+).*\\n`, 'gm')
const UNDEFINES = '/nvrtc/undefines.h'

/** Never rejects for what is wrong with the source: that is in the log. */
export async function compileRunTimeCode(
  source: RunTimeSource,
  ownHeaders: FileTree,
  clang: Clang,
  cache: CompileCache | undefined,
): Promise<RunTimeCode> {
  const { name, options, nameExpressions } = source
  try {
    const { deviceIr, diagnostics } = await compileProgram(
      {
        deviceOnly: true,
        sources: [name],
        files: withoutOurs(filesOf(source), ownHeaders, source),
        headers: ownHeaders,
        language: 'cuda',
        includeDirs: ['.', ...options.includeDirs],
        defines: options.defines,
        includes: [
          'warplens/run_time_code.h',
          ...(options.deviceByDefault ? ['warplens/device_by_default.h'] : []),
          ...(options.undefines.length > 0 ? [UNDEFINES] : []),
          ...options.includes,
        ],
        standard: options.standard,
        floats: options.floats,
        architecture: Math.min(options.architecture ?? source.architecture, source.architecture),
        workingDirectory: source.workingDirectory,
      },
      clang,
      cache,
    )
    const { ir, names } = takeLoweredNames(deviceIr)
    return { ir, loweredNames: nameExpressions.map((_, index) => names.get(index)), log: logOf(name, diagnostics) }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { ir: undefined, loweredNames: [], log: logOf(name, error.diagnostics) }
  }
}

/** The source with what asks for its name expressions behind it, on lines that no other line is counted from. */
function filesOf({ name, files, options, nameExpressions }: RunTimeSource): FileTree {
  const questions = nameExpressions.map(
    (expression, index) =>
      `#line 1 "name expression ${JSON.stringify(expression).slice(1, -1)}"\n__device__ const void *${LOWERED}${index} = (const void *)&${expression.trim().replace(/^&/, '')};\n`,
  )
  return {
    ...files,
    [name]: [files[name], ...questions].join('\n'),
    ...(options.undefines.length > 0 && {
      [UNDEFINES]: options.undefines.map(macro => `#undef ${macro}\n`).join(''),
    }),
  }
}

/** Programs bring CUDA's headers along, of a toolkit or empty ones: ours are in their place, as in a program's own files. */
function withoutOurs(
  files: FileTree,
  ownHeaders: FileTree,
  { name, options, workingDirectory }: RunTimeSource,
): FileTree {
  const folders = ['.', ...options.includeDirs].map(folder => resolvePath(workingDirectory, folder))
  const isOurs = (path: string): boolean => {
    const full = resolvePath(workingDirectory, path)
    return folders.some(folder => full.startsWith(`${folder}/`) && full.slice(folder.length + 1) in ownHeaders)
  }
  return Object.fromEntries(Object.entries(files).filter(([path]) => path === name || !isOurs(path)))
}

/** The device side without the variables that the names were asked with, and the names. */
function takeLoweredNames(deviceIr: readonly DeviceIr[]): { ir: DeviceIr[]; names: Map<number, string> } {
  const names = new Map<number, string>()
  const ir = deviceIr.map(({ text, ...one }) => ({
    ...one,
    text: text.replace(LOWERED_VARIABLE, (_, index: string, symbol: string) => {
      names.set(Number(index), symbol.replace(/^"|"$/g, ''))
      return ''
    }),
  }))
  return { ir, names }
}

/** `name:line:column: error: message`, with what clang prints before and behind it. */
const HEADING = /^(.+?):(\d+):\d+: (?:fatal )?(error|warning|note): (.*)$/gm
const MISSING_FILE = /^'([^']+)' file not found$/

/**
 * As NVRTC's log has its lines and ends: programs read it. Jitify finds out so which headers a source needs, and hands them over in the
 * next compilation.
 */
function logOf(name: string, diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const texts = diagnostics.map(each => `${formatDiagnostic(each).replace(HEADING, asNvrtc)}\n`)
  if (errors.length === 0) return texts.join('')
  const kind = errors.some(({ message }) => MISSING_FILE.test(message)) ? 'catastrophic error' : 'error'
  const count = `${errors.length} ${kind}${errors.length === 1 ? '' : 's'}`
  return `${texts.join('')}\n${count} detected in the compilation of "${name}".\n`
}

function asNvrtc(_: string, file: string, line: string, severity: string, message: string): string {
  const missing = MISSING_FILE.exec(message)?.[1]
  return missing === undefined
    ? `${file}(${line}): ${severity}: ${message}`
    : `${file}(${line}): catastrophic error: cannot open source file "${missing}"`
}
