/**
 * clang's printed diagnostics as {@link Diagnostic} values. In: standard error of one or more runs. Out: one value for each
 * error and warning, with its place, its notes, and clang's own rendering (source line, caret, include chain) kept whole.
 * Host and device compile the same text, so the same message usually arrives twice: it is reported once.
 */
import type { Diagnostic, Severity } from '../../diagnostic.ts'
import { dataModelNote } from '../sizes/dataModel.ts'
import { isFixLine } from '../sizes/repairFormats.ts'
import {
  builtinVariableMessage,
  inCudasWords,
  type PrintedNote,
  usersNotes,
  withoutOurProposal,
} from './headerNotes.ts'
import { missingHeader } from './missingHeaders.ts'

const HEADING = /^(?:(.+?):(\d+):(\d+): )?(fatal error|error|warning|note|remark): (.*)$/
const INCLUDED = /^In file included from .+:\d+:$|^ {17}from .+:\d+[:,]$/
const SUMMARY = /^\d+ (?:error|warning)s?(?: and \d+ errors?)? generated(?: when compiling for [^.]+)?\.$/

interface Block {
  readonly file: string | undefined
  readonly line: number
  readonly column: number
  readonly severity: Severity
  readonly message: string
  readonly notes: PrintedNote[]
  /** Without those of its notes. */
  readonly lines: string[]
}

/** Parses what `clang -cc1` printed. Text that is no diagnostic (an assertion, say) becomes one error of its own. */
export function parseClangMessages(text: string): Diagnostic[] {
  const blocks: Block[] = []
  let preamble: string[] = []
  const stray: string[] = []
  for (const line of inCudasWords(text).split('\n')) {
    const heading = HEADING.exec(line)
    if (heading) {
      const [, file, row, column, kind, message = ''] = heading
      const last = blocks.at(-1)
      if (kind === 'note' && last) {
        const place = file === undefined ? '' : `${file}:${row}:${column}: `
        last.notes.push({ file, place, message, lines: [...preamble, line] })
      } else {
        const severity = kind === 'warning' ? 'warning' : kind === 'note' || kind === 'remark' ? 'note' : 'error'
        const lines = [...preamble, line]
        blocks.push({ file, line: Number(row ?? 0), column: Number(column ?? 0), severity, message, notes: [], lines })
      }
      preamble = []
    } else if (INCLUDED.test(line)) preamble.push(line)
    else if (SUMMARY.test(line) || line === '' || isFixLine(line)) continue
    else if (blocks.length > 0) (blocks.at(-1)!.notes.at(-1) ?? blocks.at(-1)!).lines.push(line)
    else stray.push(line)
  }
  const diagnostics = blocks.flatMap(block => toDiagnostic(block) ?? [])
  if (stray.length > 0 && !diagnostics.some(({ severity }) => severity === 'error')) {
    diagnostics.push({ code: 'compiler', severity: 'error', message: stray.join('\n') })
  }
  return diagnostics
}

/** Drops repetitions: same place, severity and message. */
export function uniqueDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Map<string, Diagnostic>()
  for (const diagnostic of diagnostics) {
    const { range, severity, message } = diagnostic
    const key = JSON.stringify([range?.file, range?.line, range?.column, severity, message])
    if (!seen.has(key)) seen.set(key, diagnostic)
  }
  return [...seen.values()]
}

/** What to add to an error that comes from a kernel, or its launch, in a source that is C++ by its name. */
function kernelInPlainSource(message: string, file: string | undefined, lines: readonly string[]): string | undefined {
  const isBuiltin = /^use of undeclared identifier '(?:threadIdx|blockIdx|blockDim|gridDim|warpSize)'$/.test(message)
  const isLaunch = message === 'expected expression' && lines.some(line => line.includes('<<<'))
  if (!isBuiltin && !(isLaunch && /\.(?:cpp|cc|cxx|c)$/.test(file ?? ''))) return undefined
  return 'kernels are compiled in .cu files only: rename the source, or pass -x cu, as with nvcc'
}

/** What to add to an error that assembly for another processor causes. */
function foreignAssembly(message: string): string | undefined {
  const isForeign =
    /^(?:invalid (?:input|output) constraint '.*'|unknown register name '.*') in asm$/.test(message) ||
    /^invalid instruction(?:, did you mean:.*)?$/.test(message)
  return isForeign
    ? 'assembly is that of PTX in kernels; on the host side, which is WebAssembly, there is none'
    : undefined
}

/** What to add to an error of an array that a machine of 64 bits has room for. */
function tooLargeHere(message: string): string | undefined {
  const isTooLarge =
    /^array is too large \(/.test(message) || /^size of array element of type .* is too large/.test(message)
  return isTooLarge
    ? 'host and device memory are 4 GiB each here, and one array has to be smaller than that'
    : undefined
}

/** Undefined: it says again what another does. */
function toDiagnostic(block: Block): Diagnostic | undefined {
  const { file, line, column, severity } = block
  const told = builtinVariableMessage(block.message, block.notes)
  if (told === undefined) return undefined
  const { message, lines } = withoutOurProposal(
    told,
    block.lines.map(text => text.replace(block.message, told)),
  )
  const printed = usersNotes(message, block.notes)
  const notes = printed.map(note => note.place + note.message)
  lines.push(...printed.flatMap(note => note.lines))
  const flag = /^(.*) \[-W([^\]]+)\]$/.exec(message)
  const missing = missingHeader(message)
  if (missing) {
    notes.push(missing.note)
    lines.push(`note: ${missing.note}`)
  }
  const note =
    severity === 'error'
      ? (foreignAssembly(message) ??
        kernelInPlainSource(message, file, lines) ??
        tooLargeHere(message) ??
        dataModelNote(message, lines.join('\n')))
      : undefined
  if (note) {
    notes.push(note)
    lines.push(`note: ${note}`)
  }
  return {
    // A warning's flag is a stable name; clang's errors have none.
    code:
      missing?.code ??
      (flag?.[2] === undefined ? 'compiler' : `compiler-${flag[2].split(',').at(-1)!.replace(/^-W/, '')}`),
    severity,
    message: flag?.[1] ?? message,
    ...(file !== undefined && { range: { file, line, column } }),
    ...(notes.length > 0 && { notes }),
    rendered: lines.join('\n'),
  }
}
