/**
 * `warplens profile`: runs the program and reports its launches. The program's own standard output comes first on standard
 * output, as with ncu; with --csv it goes to standard error, so that the table stands alone; with --quiet it is not shown.
 * With -o the report goes to files and no page is printed, as with `ncu -o`.
 */
import { accessSync, closeSync, constants, existsSync, openSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type UserError, userError } from '../diagnostic.ts'
import { reportRun } from '../pipeline.ts'
import { type ProfileSelection, selectMetrics } from '../profile.ts'
import { demangle } from '../report/demangle.ts'
import type { Report } from '../report/model.ts'
import { csvParts, fileParts, pageParts } from '../report/pages.ts'
import type { LaunchRecord } from '../runtime/launchRecord.ts'
import { exitCodes, programExitCode } from './failure.ts'
import type { ProfileOptions } from './options.ts'
import { readRegisters } from './registers.ts'
import { newProgress, type ProgramOutput, runSession } from './session.ts'
import { packageVersion } from './sources.ts'
import { colorsFor, reportWidth, type Terminal } from './terminal.ts'

export async function profileCommand(
  files: readonly string[],
  args: readonly string[],
  options: ProfileOptions,
  terminal: Terminal,
): Promise<number> {
  // Before the compiler: a misspelt metric or folder must not cost its time, or the program's.
  const selection = selectionOf(options)
  for (const { path } of options.output) checkWritable(path, terminal.workingDirectory)
  const measured = options.registers && {
    measuredRegisters: readRegisters(options.registers, terminal.workingDirectory),
  }
  const progress = newProgress(options, terminal)
  try {
    const session = await runSession(files, args, options, terminal, outputOf(options, terminal), progress, {
      modelTime: options.time ? 'always' : 'never',
      ...measured,
    })
    const { program, result, device } = session
    const report = reportRun(program, result, { device, args, version: packageVersion() }, selection, progress)
    const sources = new Map([...program.sources, ...result.sources])
    progress.finish()
    if (report.launches.length === 0 && result.launches.length > 0) throw nothingChosen(result.launches, options)
    if (options.output.length > 0) writeFiles(report, sources, options, terminal)
    else for (const text of inChunks(pageOf(report, sources, options, terminal))) terminal.stdout.write(text)
    if (!options.quiet && result.exitCode !== 0)
      terminal.stderr.write(`warplens: the program ended with exit code ${result.exitCode}\n`)
    return programExitCode(result) === 0 ? exitCodes.fine : exitCodes.programFailed
  } finally {
    progress.finish()
    if (options.verbose) terminal.stderr.write(progress.summary())
  }
}

function selectionOf(options: ProfileOptions): ProfileSelection {
  const { kernel, launchSkip, launchCount } = options
  return {
    metrics: selectMetrics(options),
    launchSkip,
    launchCount,
    ...(kernel && { kernel: kernel.matches }),
  }
}

/** An empty report would say of a misspelt name that no kernel ran. */
function nothingChosen(launches: readonly LaunchRecord[], options: ProfileOptions): UserError {
  const { kernel, launchSkip, launchCount } = options
  const names = launches.map(launch => demangle(launch.kernel))
  const matching = kernel ? names.filter(kernel.matches).length : names.length
  if (kernel && matching === 0) {
    const known = [...new Set(names.map(({ short }) => short))]
    const list = known.slice(0, MOST_NAMES).join(', ') + (known.length > MOST_NAMES ? ', ...' : '')
    const message = `-k ${kernel.text}: no such kernel was launched`
    return userError('no-such-kernel', message, undefined, [`launched were ${list}`])
  }
  const which = kernel ? ` of -k ${kernel.text}` : ''
  const count = Number.isFinite(launchCount) ? ` and --launch-count ${launchCount}` : ''
  const leave = count === '' ? 'leaves' : 'leave'
  const message = `--launch-skip ${launchSkip}${count} ${leave} none of the ${matching} launch${matching === 1 ? '' : 'es'}${which}`
  return userError('no-launch-chosen', message)
}

const MOST_NAMES = 20

function outputOf({ csv, quiet }: ProfileOptions, terminal: Terminal): ProgramOutput {
  if (quiet) return undefined
  return csv ? terminal.stderr : terminal.stdout
}

function pageOf(
  report: Report,
  sources: ReadonlyMap<string, string>,
  options: ProfileOptions,
  { stdout, environment }: Terminal,
): Iterable<string> {
  if (options.csv) {
    const csv = csvParts(report, options.page)
    if (csv === undefined)
      throw userError('no-csv', `--csv has no form for this page; the details, raw and source pages have one`)
    return csv
  }
  const colors = colorsFor(options.color, stdout, environment)
  return pageParts(report, options.page, { width: reportWidth(stdout), colors, sources, units: options.units })
}

/** Characters that are written at once, at least. */
const CHUNK = 65_536
/** That are compressed at once: files of a gigabyte then take as few bytes as in one piece. */
const COMPRESSED_CHUNK = 1 << 24
/** Bytes from which on a file's size is told, and what makes it smaller. */
const LARGE_FILE = 100_000_000

function* inChunks(parts: Iterable<string>, size = CHUNK): Generator<string> {
  let chunk = ''
  for (const part of parts) {
    chunk += part
    if (chunk.length < size) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

/** @throws UserError where the file cannot be written for a reason that is there before */
function checkWritable(path: string, workingDirectory: string): void {
  const file = resolve(workingDirectory, path)
  const folder = dirname(file)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw userError('cannot-write', `-o ${path}: no such folder: ${dirname(path)}`)
  try {
    accessSync(existsSync(file) ? file : folder, constants.W_OK)
  } catch (error) {
    throw cannotWrite(path, error)
  }
}

function cannotWrite(path: string, error: unknown): UserError {
  const reason = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
  return userError('cannot-write', `-o ${path}: cannot be written${reason}`)
}

function writeFiles(
  report: Report,
  sources: ReadonlyMap<string, string>,
  { output, quiet }: ProfileOptions,
  { stderr, workingDirectory }: Terminal,
): void {
  for (const { path, format, isCompressed } of output) {
    let bytes = 0
    try {
      bytes = writeParts(resolve(workingDirectory, path), fileParts(report, format, sources), isCompressed)
    } catch (error) {
      throw cannotWrite(path, error)
    }
    if (quiet) continue
    stderr.write(`Wrote ${path}\n`)
    if (bytes > LARGE_FILE)
      stderr.write(
        `warplens: ${path} has ${Math.round(bytes / 1e6)} MB, of ${report.launches.length} launches: ${path}.gz would have a small part of that, and -k, --launch-skip, --launch-count and --metrics choose what is written\n`,
      )
  }
}

/** How many bytes it wrote. Compressed pieces one behind the other are a file of gzip's (RFC 1952, 2.2). */
function writeParts(path: string, parts: Iterable<string>, isCompressed: boolean): number {
  const file = openSync(path, 'w')
  let bytes = 0
  try {
    for (const text of inChunks(parts, isCompressed ? COMPRESSED_CHUNK : CHUNK)) {
      const piece = isCompressed ? gzipSync(text) : Buffer.from(text)
      writeFileSync(file, piece)
      bytes += piece.length
    }
  } finally {
    closeSync(file)
  }
  return bytes
}
