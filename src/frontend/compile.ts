/**
 * The front end: a CUDA program's files in; one host WebAssembly module and one LLVM IR text for each CUDA file out.
 * Device and host sides of every file compile at the same time when the {@link Clang} has several threads. Results are
 * cached by everything that they depend on; a cached program never loads clang.
 */
import { type Diagnostic, UserError } from '../diagnostic.ts'
import {
  type Attempt,
  afterErrors,
  afterFormats,
  afterLinking,
  type First,
  firstAttempt,
  isFurther,
  likelierAttempt,
  type Retry,
} from './building/attempts.ts'
import { hostCommand } from './building/commands.ts'
import { compileSides } from './building/compileSides.ts'
import { linkHost } from './building/linkHost.ts'
import { findLongDoubles, joinStaticNames, markingLoops, withCasts } from './building/optimizeDevice.ts'
import { commandOptions, type Plan, planOf } from './building/plan.ts'
import {
  type CompiledUnit,
  type CompileUnit,
  isFormatStop,
  keeping,
  type Precompiling,
  precompiling,
  runClang,
  sourceOf,
} from './building/runClang.ts'
import { withScalarHost } from './building/scalarHost.ts'
import { isOwnSource, openedFiles, unitIdentities } from './building/unitCache.ts'
import { createUnitMemory, rememberingHeaders, type UnitMemory } from './building/unitMemory.ts'
import { CLANG_VERSION, type Clang, type FileTree } from './clang/clang.ts'
import { decodeUtf8, encodeUtf8, nowMs } from './clang/text.ts'
import type { CompileCache, CompiledProgram, CompileInput, CompileResult, DeviceIr } from './compiledProgram.ts'
import { uniqueDiagnostics } from './messages/clangMessages.ts'
import { tellIncludes } from './messages/missingIncludes.ts'
import { findNumberedRegions } from './messages/openmpRegions.ts'
import { withOwnLines } from './messages/ownLines.ts'
import { AS_WRITTEN } from './passes/asWritten.ts'
import { keepShared } from './passes/keepShared.ts'
import { findUncalledBarriers } from './repairs/repairBarriers.ts'
import { findDataModelHazards } from './sizes/dataModel.ts'
import { dataAsWritten, textsAsWritten } from './sizes/literals.ts'
import { findPointerSizes } from './sizes/pointerSizes.ts'
import { tellsLongFromLongLong } from './sizes/repairFormats.ts'
import { apartAsWritten } from './sizes/wideLongs.ts'
import { mayLackHeaders } from './sources/absentHeaders.ts'
import { emptyDeviceSide, mayHaveDeviceCode } from './sources/deviceCode.ts'
import { type VirtualFiles, virtualFiles } from './sources/virtualFiles.ts'

export type {
  CompileCache,
  CompiledProgram,
  CompileInput,
  CompileResult,
  CompileTimings,
  DeviceIr,
} from './compiledProgram.ts'

/** Changes when the meaning of a cached entry does for a reason that the identity does not show. */
const CACHE_REVISION = 66

/** As many as clang tells by itself. */
const MOST_ERRORS = 20

/** Of a `long` that has as many bytes. */
const SAME_LENGTH =
  /^format specifies type '(?:unsigned )?long long(?: \*)?' but the argument has type '.*_BitInt\(64\)/

/**
 * Compiles and links a program.
 * @throws UserError with clang's errors, undefined functions, a missing source or an unknown extension.
 */
export async function compileProgram(
  input: CompileInput,
  compiler: Clang,
  cache?: CompileCache,
): Promise<CompileResult> {
  const clang = withScalarHost(compiler)
  const first = firstAttempt(input)
  const inOwnLines = (diagnostics: readonly Diagnostic[]) =>
    withOwnLines(withApartLongs(diagnostics), input.files, input.workingDirectory ?? '/work')
  try {
    const kept = { cache: cache && rememberingHeaders(cache), memory: createUnitMemory() }
    const likelier = likelierAttempt(input.files, first)
    const result =
      (likelier && (await unlessMistaken(likelier, clang, kept))) ??
      (await compileAs(first.input, clang, kept, likelier ? { ...first.attempt, apart: undefined } : first.attempt))
    return { ...result, diagnostics: inOwnLines(result.diagnostics) }
  } catch (error) {
    throw error instanceof UserError ? new UserError(...inOwnLines(error.diagnostics)) : error
  }
}

/** Undefined where the program has mistakes under these assumptions: others tell them. */
async function unlessMistaken({ input, attempt }: First, clang: Clang, kept: Kept): Promise<CompileResult | undefined> {
  try {
    return await compileAs(input, clang, kept, attempt)
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}

/** What need not be made again: of earlier compilations, and of this one. */
interface Kept {
  readonly cache: CompileCache | undefined
  readonly memory: UnitMemory
}

/** In the words of the user's files, and without formats of `long long` for a `long` that has as many bytes. */
function withApartLongs(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics
    .filter(({ message }) => !SAME_LENGTH.test(message))
    .map(each => ({
      ...each,
      message: apartAsWritten(each.message),
      ...(each.notes && { notes: each.notes.map(apartAsWritten) }),
      ...(each.rendered !== undefined && { rendered: apartAsWritten(each.rendered) }),
    }))
}

/**
 * Under which assumptions it has to be compiled (attempts.ts) is only known once clang has read the program: then all starts again. The
 * result is kept under the first attempt's name too.
 */
async function compileAs(input: CompileInput, clang: Clang, kept: Kept, attempt: Attempt): Promise<CompileResult> {
  const { cache } = kept
  const { relocatable, lateTemplates, formats } = attempt
  const start = nowMs()
  const units = input.sources.map(source => ({
    ...commandOptions(input, source),
    relocatable,
    lateTemplates,
    stopsAtFormats: formats.stop,
  }))
  const plan = planOf(units, input)
  const identity = JSON.stringify(
    [
      CACHE_REVISION,
      CLANG_VERSION,
      plan,
      input.files,
      input.headers,
      input.workingDirectory,
      formats.repair,
      input.relocatable,
      input.floats,
    ],
    bytesAsText,
  )
  const cached = await cache?.load(identity)
  if (cached) {
    return { ...cached, timings: { deviceMs: 0, hostMs: 0, linkMs: 0, totalMs: nowMs() - start, cached: true } }
  }

  const again = async ({ attempt: change, input: changed, warnings = [] }: Retry): Promise<CompileResult> => {
    const { diagnostics, ...rest } = await compileAs({ ...input, ...changed }, clang, kept, { ...attempt, ...change })
    const result = { ...rest, diagnostics: [...diagnostics, ...warnings] }
    await cache?.store(identity, result)
    return result
  }
  const { workingDirectory = '/work' } = input
  const world = virtualFiles(input.files, input.headers, workingDirectory)
  const headers = precompiling(input, cache?.headers)
  const openedBy = openedFiles(input.files, { ...input, includeDirs: input.includeDirs ?? [], workingDirectory })
  const { device, host } = compilersFor(plan, clang, input, openedBy, world, headers, kept)
  const lacking = units.length > 1 ? input.sources.filter(each => mayLackHeaders(openedBy(each), input.headers)) : []
  const compiled = await compileSides(plan, units, device, host, [...attempt.suspects, ...lacking])
  const { devices, hosts, deviceMs, hostMs, failed } = compiled
  const sides = [...devices, ...hosts]
  const told = sides.flatMap(side => side.diagnostics)
  const diagnostics = uniqueDiagnostics([...told.map(asFormatWarning), ...hazardsOf(input.files)])
  const errors = diagnostics.filter(each => each.severity === 'error').slice(0, MOST_ERRORS)
  const suspects = failed === undefined ? attempt.suspects : [failed, ...attempt.suspects]
  let further: UserError | undefined
  for (const retry of afterErrors(errors, input, attempt)) {
    try {
      return await again({ ...retry, attempt: { ...retry.attempt, suspects } })
    } catch (error) {
      if (!retry.mayFail || !(error instanceof UserError)) throw error
      if (isFurther(errors, error)) further ??= error
    }
  }
  if (further) throw further
  const isTold = (each: Diagnostic) =>
    each.severity === 'error' ? errors.includes(each) : !tellsLongFromLongLong(each.message)
  if (errors.length > 0) throw new UserError(...tellIncludes(diagnostics.filter(isTold), input.files, input.headers))
  const messages = sides.map(side => side.messages)
  const reformatted = afterFormats({ messages, stoppedAt: failed, diagnostics }, input, attempt)
  if (reformatted) return again(reformatted)
  const cuda = units.filter(({ language }) => language === 'cuda').map(hostCommand)
  const longDoubles = await Promise.all(
    devices.map((side, index) => findLongDoubles(clang, cuda[index]!, side, input, world, headers)),
  )
  if (longDoubles.flat().length > 0) throw new UserError(...longDoubles.flat())
  const deviceIr: readonly DeviceIr[] = devices.map((side, index) => ({
    file: plan.deviceFiles[index]!,
    text: textsAsWritten(joinStaticNames(decodeUtf8(side.output))),
    ...((relocatable || input.relocatable) && { relocatable: true }),
    ...(input.floats && { floats: input.floats }),
  }))
  const withKept = input.optimize === 0 ? undefined : keepShared(input.files, deviceIr)
  if (withKept) return again({ input: { files: withKept } })

  const finish = async (program: CompiledProgram, linkMs: number): Promise<CompileResult> => {
    await cache?.store(identity, program)
    return { ...program, timings: { deviceMs, hostMs, linkMs, totalMs: nowMs() - start, cached: false } }
  }
  if (input.deviceOnly) return finish({ hostWasm: new Uint8Array(0), deviceIr, diagnostics }, 0)
  const objects = hosts.map(side => side.output)
  const linking = timed(linkHost(clang, plan, objects, input, units, world))
  const link = await linking.catch((error: unknown): Retry => {
    const retry = afterLinking(error, input, attempt)
    if (retry === undefined) throw error
    return retry
  })
  if (!('value' in link)) return again(link)
  const program = {
    hostWasm: dataAsWritten(link.value.wasm),
    deviceIr,
    diagnostics: [...diagnostics, ...link.value.warnings],
  }
  return finish(program, link.ms)
}

/** How the two sides of a source are compiled; what is kept of earlier compilations, or made under other assumptions, is not made again. */
function compilersFor(
  { passes, asWritten }: Plan,
  clang: Clang,
  input: CompileInput,
  openedBy: (source: string) => FileTree,
  world: VirtualFiles,
  headers: Precompiling | undefined,
  { cache, memory }: Kept,
): { readonly device: CompileUnit; readonly host: CompileUnit } {
  const { defines = [], workingDirectory = '/work', sources, deviceOnly } = input
  const identityOf = unitIdentities(openedBy, input.headers, workingDirectory, sourceOf)
  const keeper = cache?.units && { units: cache.units, identityOf }
  const keepUnits = sources.length > 1 ? keeper : undefined
  const compile = (command: readonly string[]) => runClang(clang, command, world, headers)
  const compileDevice =
    passes.length === 0 ? withCasts(compile) : markingLoops(compile, clang, input, cache?.headers, passes)
  const next = asWritten ? [...passes, AS_WRITTEN] : passes
  const compileOwn = keeping(keeper, command => runClang(clang, command, world))
  const compileUsers = memory.once(keeping(keepUnits, compile), openedBy)
  const compileDevices = memory.once(keeping(keepUnits, compileDevice, next), openedBy, next)
  const isHosts = (source: string): boolean =>
    sources.length > 1 && !deviceOnly && !mayHaveDeviceCode(openedBy(source), defines)
  return {
    device: async command =>
      isHosts(sourceOf(command)) ? withoutDeviceCode(sourceOf(command)) : compileDevices(command),
    host: command => (isOwnSource(sourceOf(command)) ? compileOwn : compileUsers)(command),
  }
}

const withoutDeviceCode = (source: string): CompiledUnit => ({
  output: encodeUtf8(emptyDeviceSide(source)),
  messages: '',
  diagnostics: [],
})

/** What a program's text says that means something else here. */
const hazardsOf = (files: FileTree): Diagnostic[] =>
  [findDataModelHazards, findPointerSizes, findUncalledBarriers, findNumberedRegions].flatMap(find => find(files))

/** A fault of a format is an error where clang stops at it (commandFlags.ts). */
function asFormatWarning(diagnostic: Diagnostic): Diagnostic {
  if (!isFormatStop(diagnostic)) return diagnostic
  const { rendered = '' } = diagnostic
  const words = rendered.replace(/: error: /, ': warning: ').replace('[-Werror,-Wformat]', '[-Wformat]')
  return { ...diagnostic, severity: 'warning', rendered: words }
}

interface Timed<T> {
  readonly value: T
  readonly ms: number
}

async function timed<T>(work: Promise<T>): Promise<Timed<T>> {
  const start = nowMs()
  const value = await work
  return { value, ms: nowMs() - start }
}

function bytesAsText(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? { bytes: [...value] } : value
}
