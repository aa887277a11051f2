/** What the source has where an instruction comes from, for rules that IR does not show. Places are those of clang's debug information. */
import type { Location } from '../../ir/ir.ts'

export type LinesOf = (file: string) => readonly string[] | undefined

/** @param sources text by the names that locations use */
export function linesOf(sources: ReadonlyMap<string, string>): LinesOf {
  const split = new Map<string, readonly string[]>()
  return file => {
    const text = sources.get(file)
    if (text !== undefined && !split.has(file)) split.set(file, text.split('\n'))
    return split.get(file)
  }
}

/** A use further down than this is of something else. */
const MOST_LINES = 40

/**
 * The expression that names the memory which is read there, without spaces: `a[i]`, `p->x`, `*p`. clang's place is where a subscript's
 * array begins, a member's name, or the asterisk. undefined for plain variables and what is not seen to be such an expression.
 */
export function memoryTextAt(location: Location | undefined, lines: LinesOf): string | undefined {
  const line = location && lines(location.file)?.[location.line - 1]
  if (!location || line === undefined) return undefined
  const column = location.column - 1
  const dereferenced = /^\*\s*[A-Za-z_]\w*/.exec(line.slice(column))
  if (dereferenced) return withoutSpaces(dereferenced[0])
  const start = postfixStart(line, column)
  const end = postfixEnd(line, column)
  const text = withoutSpaces(line.slice(start, end))
  return /^[A-Za-z_]\w*(\[|->|\.)/.test(text) && /\[|->/.test(text) ? text : undefined
}

/** The column behind that expression; of one with an asterisk, behind its name. */
export function endOfMemoryText(location: Location, lines: LinesOf): number {
  const line = lines(location.file)?.[location.line - 1] ?? ''
  const asterisk = /^\*\s*/.exec(line.slice(location.column - 1))?.[0].length ?? 0
  return postfixEnd(line, location.column - 1 + asterisk) + 1
}

/** Whether `text` is read between two places: it occurs from `from` to the end of `to`'s line, and not only as what is assigned to. */
export function readsText(from: Location, to: Location, text: string, lines: LinesOf): boolean {
  if (to.file !== from.file || to.line < from.line || to.line > from.line + MOST_LINES) return false
  return isReadIn(codeBetween(from, to.line, lines), text)
}

/** Whether `text` is read from a place to the end of its statement. */
export function readsInStatement(from: Location, text: string, lines: LinesOf): boolean {
  return isReadIn(statementFrom(from, lines), text)
}

/** Whether what is assigned at a place is an element or a member. */
export function readsMemory(assignment: Location, lines: LinesOf): boolean {
  return /^=[^=]*(\[|->)/.test(statementFrom(assignment, lines))
}

function statementFrom(from: Location, lines: LinesOf): string {
  const [statement = ''] = codeBetween(from, from.line + MOST_LINES, lines).split(';')
  return statement
}

/** Up to the end of a line, without spaces and comments. */
function codeBetween(from: Location, lastLine: number, lines: LinesOf): string {
  const [first = '', ...others] = lines(from.file)?.slice(from.line - 1, lastLine) ?? []
  const between = [first.slice(from.column - 1), ...others].join('\n')
  return withoutSpaces(between.replace(/\/\/.*$/gm, ''))
}

function isReadIn(code: string, text: string): boolean {
  for (let at = code.indexOf(text); at >= 0; at = code.indexOf(text, at + 1)) {
    const isPart = /[\w.>]$/.test(code.slice(0, at)) || /^[\w[]/.test(code.slice(at + text.length))
    const isTarget = /^=(?!=)/.test(code.slice(at + text.length))
    if (!isPart && !isTarget) return true
  }
  return false
}

const withoutSpaces = (text: string): string => text.replace(/\s+/g, '')

/** Where a name with its subscripts and members ends. */
function postfixEnd(line: string, from: number): number {
  let at = from + (/^[A-Za-z_]\w*/.exec(line.slice(from))?.[0].length ?? 1)
  for (;;) {
    const rest = line.slice(at)
    const member = /^\s*(\.|->)\s*[A-Za-z_]\w*/.exec(rest)
    if (member) at += member[0].length
    else if (/^\s*\[/.test(rest)) {
      const close = closingBracket(line, line.indexOf('[', at))
      if (close === undefined) return at
      at = close + 1
    } else return at
  }
}

/** Where the expression begins whose member's name stands at `from`. */
function postfixStart(line: string, from: number): number {
  const before = /([A-Za-z_]\w*)((?:\[[^[\]]*\]|\.[A-Za-z_]\w*|->[A-Za-z_]\w*)*)(\.|->)$/.exec(line.slice(0, from))
  return before ? before.index : from
}

function closingBracket(line: string, open: number): number | undefined {
  let depth = 0
  for (let at = open; at < line.length; at++) {
    if (line[at] === '[') depth++
    if (line[at] === ']' && --depth === 0) return at
  }
  return undefined
}
