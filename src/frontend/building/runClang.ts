/**
 * One source through clang, for one side. In: a command and the files that clang sees. Out: what it wrote and what it said, as diagnostics in
 * the words of the user's files; whoever has errors among them has no output to go by. Headers come precompiled where they can, and units
 * that are kept are not compiled again.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import { type Clang, CRASHED } from '../clang/clang.ts'
import type { CompileInput } from '../compiledProgram.ts'
import { parseClangMessages } from '../messages/clangMessages.ts'
import { sharedAsWritten } from '../passes/keepShared.ts'
import { asWritten } from '../sizes/wideLongs.ts'
import { sizesAsWritten } from '../sizes/wideSizes.ts'
import { LIBRARY_DIR } from '../sources/includes.ts'
import { headersAsWritten } from '../sources/reservedNames.ts'
import { type StandardHeaders, standardHeadersOf } from '../sources/standardHeaders.ts'
import type { VirtualFiles } from '../sources/virtualFiles.ts'
import { withoutFormatStops } from './commandFlags.ts'
import { GPU_BINARY_STUB } from './commands.ts'
import { definitionFiles, definitionsAsWritten } from './definitions.ts'
import { type HeaderCache, type HeaderSources, runPrecompiled } from './precompiledHeaders.ts'
import type { Unit, UnitCache } from './unitCache.ts'

/** The headers that a command's source includes, where they can be read beforehand. */
export interface Precompiling {
  readonly cache: HeaderCache
  readonly sources: HeaderSources
  standard(source: string): StandardHeaders | undefined
}

export function precompiling(input: CompileInput, cache: HeaderCache | undefined): Precompiling | undefined {
  if (cache === undefined) return undefined
  const { includeDirs = [], workingDirectory = '/work' } = input
  const search = { ...input, includeDirs, workingDirectory }
  const libraries = Object.fromEntries(
    Object.entries(input.files).filter(([path]) => path.startsWith(`${LIBRARY_DIR}/`)),
  )
  const found = new Map<string, StandardHeaders | undefined>()
  return {
    cache,
    sources: { own: input.headers, libraries },
    standard(source) {
      if (!found.has(source)) found.set(source, standardHeadersOf(source, input.files, search))
      return found.get(source)
    },
  }
}

const inUsersWords = (messages: string): string =>
  sizesAsWritten(asWritten(sharedAsWritten(definitionsAsWritten(headersAsWritten(messages)))))

export type CompiledUnit = Unit & { readonly diagnostics: Diagnostic[] }
export type CompileUnit = (command: readonly string[]) => Promise<CompiledUnit>

/** Keeps units of one world of files. */
export interface UnitKeeper {
  readonly units: UnitCache
  readonly identityOf: (command: readonly string[]) => string
}

/** The same, but for units that are kept; those without errors are kept then. `next`: what `compile` runs behind the command. */
export function keeping(
  keeper: UnitKeeper | undefined,
  compile: CompileUnit,
  next: readonly string[] = [],
): CompileUnit {
  if (keeper === undefined) return compile
  const { units, identityOf } = keeper
  return async command => {
    // Where a format does not fit, clang stops or goes on; what has no such format comes out the same.
    const going = withoutFormatStops(command)
    const identity = identityOf([...going, ...next])
    const kept = await units.load(identity)
    if (kept && (going === command || !FORMAT_FAULT.test(kept.messages)))
      return { ...kept, diagnostics: parseClangMessages(inUsersWords(kept.messages)) }
    const unit = await compile(command)
    const { output, messages } = unit
    if (!hasErrors(unit)) await units.store(identity, { output, messages })
    return unit
  }
}

const FORMAT_FAULT = /: warning: .*\[-Wformat\]$/m

/** Messages of an assertion name the place in clang's sources. */
const crashed = (file: string, messages: string): Diagnostic => ({
  code: 'compiler-crash',
  severity: 'error',
  message: `clang itself fails over this file, by no mistake of the program; with -O1 or -O0 it may not: ${messages.trim()}`,
  range: { file, line: 1, column: 0 },
})

export const stopped = (exitCode: number, messages: string): Diagnostic => ({
  code: 'compiler',
  severity: 'error',
  message: `clang stopped with status ${exitCode}: ${messages}`,
})

export const hasErrors = ({ diagnostics }: CompiledUnit): boolean =>
  diagnostics.some(({ severity }) => severity === 'error')

/** clang stopped at a format that does not fit (commandFlags.ts), which is no error of the program. */
export const isFormatStop = ({ code, severity }: Diagnostic): boolean =>
  code === 'compiler-format' && severity === 'error'

/** The path of what a `clang -cc1` command compiles. */
export const sourceOf = (command: readonly string[]): string => command[command.indexOf('-x') + 2] ?? ''

export async function runClang(
  clang: Clang,
  command: readonly string[],
  world: VirtualFiles,
  headers?: Precompiling,
): Promise<CompiledUnit> {
  const [tool = '', mode = '', ...rest] = command
  const files = { ...world.files, ...definitionFiles(command), [GPU_BINARY_STUB]: `${sourceOf(command)}\0` }
  const standard = headers?.standard(sourceOf(command))
  const quick =
    headers &&
    standard &&
    (await runPrecompiled(clang, command, standard, headers.sources, { ...world, files }, headers.cache))
  const { exitCode, stdout, stderr } = quick ?? (await clang.run([tool, mode, ...world.args, ...rest], files))
  const diagnostics = parseClangMessages(inUsersWords(stderr))
  if (stdout.length > LARGEST_OBJECT || (exitCode !== 0 && /^LLVM ERROR: out of memory/m.test(stderr))) {
    return { output: stdout, diagnostics: [tooLarge(sourceOf(command))], messages: stderr }
  }
  if (exitCode === CRASHED) {
    return { output: stdout, diagnostics: [crashed(sourceOf(command), stderr)], messages: stderr }
  }
  if (exitCode !== 0 && !diagnostics.some(({ severity }) => severity === 'error')) {
    diagnostics.push(stopped(exitCode, stderr))
  }
  return { output: stdout, diagnostics, messages: stderr }
}

/** Objects hold static arrays zero by zero, and writing one takes nine times its size: of 700 MB not all of it comes out of clang's 4 GB. */
const LARGEST_OBJECT = 0x2400_0000

const tooLarge = (file: string): Diagnostic => ({
  code: 'static-arrays',
  severity: 'error',
  message:
    'clang runs out of memory: static arrays, of the host and __device__ ones together, can have 512 MB at most; allocate larger ones with malloc, cudaMalloc or cudaMallocManaged',
  range: { file, line: 1, column: 0 },
})
