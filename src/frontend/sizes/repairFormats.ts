/**
 * Format strings of printf and scanf for 4-byte `long`. Programs are written for 8-byte ones: `%ld` prints an int64_t there and
 * would take half of it here, and each further argument from the wrong place. clang finds the mismatches and says what would be
 * right ("fix-it"); where only the length of an integer differs, the copy that is compiled gets the length of the argument.
 * In: clang's messages and the sources. Out: the sources with repaired formats; lines stay where they are.
 */
import type { FileTree } from '../clang/clang.ts'
import { resolvePath } from '../sources/paths.ts'
import { repairSource } from '../sources/virtualFiles.ts'

interface Edit {
  readonly file: string
  readonly line: number
  /** In bytes, the first is 1; `to` is behind the last. */
  readonly from: number
  readonly to: number
  readonly text: string
}

const HEADING = /^(?:.+:\d+:\d+: )?(?:fatal error|error|warning|note|remark): (.*)$/
const FIX = /^fix-it:"(.*)":\{(\d+):(\d+)-(\d+):(\d+)\}:"(.*)"$/
const FORMAT_WARNING = /\[(?:-Werror,)?-Wformat\]$/
/** A conversion of an integer: what stands before its length, the length, the conversion. */
const INTEGER = /^(%[-+ #0']*(?:\*|\d+)?(?:\.(?:\*|\d*))?)(hh|h|ll|l|q|j|z|t)?([diouxXc])$/

/** Lines of `-fdiagnostics-parseable-fixits`, which are not for people. */
export function isFixLine(line: string): boolean {
  return FIX.test(line)
}

const MISMATCH =
  /^format specifies type '([^']+)'(?: \(aka '([^']+)'\))? but the argument has type '([^']+)'(?: \(aka '([^']+)'\))?/

/** Whether a message is of nothing but the length that `long` has here: what was repaired, had the source compiled. */
export function tellsLongFromLongLong(message: string): boolean {
  const [, specified, specifiedAs = specified, given, givenAs = given] = MISMATCH.exec(message) ?? []
  if (specifiedAs === undefined || givenAs === undefined) return false
  const plain = (type: string): string => type.replace(/\blong long\b/, 'long')
  return specifiedAs !== givenAs && plain(specifiedAs) === plain(givenAs)
}

/** The sources with every format of which clang knows the right length; undefined where there is none. */
export function repairFormats(
  files: FileTree,
  messages: readonly string[],
  workingDirectory: string,
): FileTree | undefined {
  const names = new Map(Object.keys(files).map(path => [resolvePath(workingDirectory, path), path]))
  const edits = new Map<string, Edit[]>()
  for (const edit of messages.flatMap(editsIn)) {
    const path = names.get(resolvePath(workingDirectory, edit.file))
    if (path === undefined || typeof files[path] !== 'string') continue
    const known = edits.get(path) ?? []
    if (!known.some(({ line, from }) => line === edit.line && from === edit.from)) edits.set(path, [...known, edit])
  }
  let isChanged = false
  const result: Record<string, string | Uint8Array> = { ...files }
  for (const [path, list] of edits) {
    const before = repairSource(String(files[path]))
    result[path] = apply(before, list)
    isChanged ||= result[path] !== before
  }
  return isChanged ? result : undefined
}

function editsIn(messages: string): Edit[] {
  const edits: Edit[] = []
  let isFormat = false
  for (const line of messages.split('\n')) {
    const heading = HEADING.exec(line)
    if (heading) isFormat = FORMAT_WARNING.test(heading[1] ?? '')
    const fix = FIX.exec(line)
    if (!fix || !isFormat || fix[2] !== fix[4]) continue
    const [, file = '', row, from, , to, text = ''] = fix
    edits.push({ file, line: Number(row), from: Number(from), to: Number(to), text })
  }
  return edits
}

function apply(source: string, edits: readonly Edit[]): string {
  const lines = source.split('\n')
  for (const { line, from, to, text } of [...edits].sort((a, b) => b.from - a.from)) {
    const bytes = new TextEncoder().encode(lines[line - 1] ?? '')
    const part = (start: number, end: number): string => new TextDecoder().decode(bytes.subarray(start, end))
    const replacement = withLengthOf(part(from - 1, to - 1), text)
    if (replacement !== undefined) lines[line - 1] = part(0, from - 1) + replacement + part(to - 1, bytes.length)
  }
  return lines.join('\n')
}

/** `before` with the length that `after` has: signs and bases stay the program's own. */
function withLengthOf(before: string, after: string): string | undefined {
  const old = INTEGER.exec(before)
  const right = INTEGER.exec(after)
  return old && right ? `${old[1]}${right[2] ?? ''}${old[3]}` : undefined
}
