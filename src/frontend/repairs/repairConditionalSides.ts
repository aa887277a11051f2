/**
 * `#ifdef __CUDA_ARCH__`, a function of the device, `#else`, the same for the host. nvcc compiles what both sides call it from, since it does
 * not look at the host's functions while it compiles the device's, nor at kernels while it compiles the host's; clang looks at all, and
 * tells of calls of what is the other side's. In the copy that is compiled such a function is both sides', while there is one.
 * In: clang's errors and the sources. Out: the sources with the words in front of these functions' names; lines stay where they are.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { repairAtErrors } from './repairAtErrors.ts'

const NO_FUNCTION = /^no matching (?:member )?function for call to /
const OTHER_SIDE =
  /^(.+):(\d+):(\d+): candidate (?:function|template)\b.*: call to __(device|host)__ function from __(?:host|device|global)__ function$/
/** The definition is both sides' by now, and a declaration in front of it is not. */
const OTHER_DECLARATION = /^__host__ __device__ function '.*' cannot overload __(?:device|host)__ function /
const DECLARED = /^(.+):(\d+):(\d+): previous declaration is here$/
/** Where clang found the text of a macro, behind the place that uses it. */
const IN_MACRO = /^(.+):(\d+):(\d+): expanded from macro /
/** `__host__ __device__`, and nothing in files of other languages, which may include the same header. The other words change nothing behind it. */
export const BOTH_SIDES = '__wl_both'
const BOTH = `${BOTH_SIDES} `
const QUALIFIERS = /(?:\w+(?:<[^<>]*>)?\s*::\s*)*$/

/** The sources with functions of both sides; undefined where clang tells of none that a condition makes one side's. */
export function repairConditionalSides(
  files: FileTree,
  errors: readonly Diagnostic[],
  workingDirectory: string,
): FileTree | undefined {
  const places = errors.flatMap(error => {
    if (NO_FUNCTION.test(error.message)) return placesOf(error, OTHER_SIDE)
    return OTHER_DECLARATION.test(error.message) ? placesOf(error, DECLARED) : []
  })
  if (places.length === 0) return undefined
  const texts = Object.values(files).filter(text => typeof text === 'string')
  const macros = new Set(texts.flatMap(conditionalMacros))
  const backwards = places.toSorted((a, b) => (b.range?.column ?? 0) - (a.range?.column ?? 0))
  return repairAtErrors(files, backwards, workingDirectory, (text, { line, column }) => {
    const lines = text.split('\n')
    const row = lines[line - 1] ?? ''
    // clang's columns count bytes; in front of a function's name there are none but ASCII's.
    const before = row.slice(0, column - 1).replace(QUALIFIERS, '')
    if (before.endsWith(BOTH) || !/^[\w~]/.test(row.slice(before.length))) return undefined
    const specifiers = [...lines.slice(Math.max(0, line - 1 - MOST_LINES), line - 1), before].join('\n')
    const words = /[^;{}]*$/.exec(specifiers)?.[0].match(/\w+/g) ?? []
    const isConditional = isInCondition(lines, line) || words.some(word => macros.has(word))
    if (!isConditional) return undefined
    return lines.with(line - 1, `${before}${BOTH}${row.slice(before.length)}`).join('\n')
  })
}

/** Lines in front of a function's name that may be of its declaration. */
const MOST_LINES = 4

/** Functions that clang tells of in such notes, as errors at the places of their names. */
function placesOf({ notes = [], ...error }: Diagnostic, telling: RegExp): Diagnostic[] {
  return notes.flatMap((note, at) => {
    if (!telling.test(note)) return []
    const others = notes.slice(at + 1).findIndex(each => !IN_MACRO.test(each))
    const last = others === -1 ? notes.at(-1)! : notes[at + others]!
    const [, file = '', line, column] = telling.exec(last) ?? IN_MACRO.exec(last) ?? []
    return { ...error, range: { file, line: Number(line), column: Number(column) } }
  })
}

const DIRECTIVE = /^\s*#\s*(if|ifdef|ifndef|elif|else|endif|define)\b(.*)/

/** Whether a line, counted from 1, is there on one side only. */
function isInCondition(lines: readonly string[], line: number): boolean {
  let open: boolean[] = []
  for (const row of lines.slice(0, line - 1)) open = behind(row, open)
  return open.includes(true)
}

/** Macros that are one thing on one side and another, or nothing, on the other. */
function conditionalMacros(text: string): string[] {
  if (!text.includes(ASKED)) return []
  const found: string[] = []
  let open: boolean[] = []
  for (const row of text.split('\n')) {
    open = behind(row, open)
    const [, name] = (open.includes(true) && /^\s*#\s*define\s+(\w+)/.exec(row)) || []
    if (name !== undefined) found.push(name)
  }
  return found
}

/** For each condition that is open behind a line, whether it asks which side is compiled; `open`: those before it. */
function behind(row: string, open: readonly boolean[]): boolean[] {
  const [, directive, rest = ''] = DIRECTIVE.exec(row) ?? []
  const asks = rest.includes(ASKED)
  if (directive === 'endif') return open.slice(0, -1)
  if (directive?.startsWith('if')) return [...open, asks]
  if (directive === 'elif' && open.length > 0) return open.with(-1, asks || open.at(-1) === true)
  return [...open]
}

const ASKED = '__CUDA_ARCH__'
