/** Changes to a source's text, found in a copy of it whose comments and literals are blank. */
import type { SourceRange } from '../../diagnostic.ts'

export interface Edit {
  /** Place of the first character that goes, from 0. */
  readonly at: number
  /** How many characters go. */
  readonly length: number
  /** What comes in their place. */
  readonly text: string
}

/** `text` with all edits, which do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  let result = ''
  let position = 0
  for (const edit of edits.toSorted((a, b) => a.at - b.at)) {
    result += text.slice(position, edit.at) + edit.text
    position = edit.at + edit.length
  }
  return result + text.slice(position)
}

/** Comments and the contents of literals become blanks; every character keeps its place. */
export function withoutTexts(text: string): string {
  return text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, part =>
    part.replace(/[^\n]/g, ' '),
  )
}

/** The line and column of a place in a file. */
export function rangeAt(file: string, text: string, at: number): SourceRange {
  const before = text.slice(0, at)
  return { file, line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}

/** What stands around a place up to the next `;`, and from behind the last one or the last brace. */
export function statementAround(code: string, at: number): string {
  const start = Math.max(...[';', '{', '}'].map(end => code.lastIndexOf(end, at))) + 1
  const end = code.indexOf(';', at)
  return code.slice(start, end < 0 ? undefined : end)
}

/** The place of the `)` that closes what begins at `from`. */
export const closingParenthesis = (code: string, from: number): number | undefined => closingOf('()', code, from)

/** The place of the `}` that closes what begins at `from`. */
export const closingBrace = (code: string, from: number): number | undefined => closingOf('{}', code, from)

function closingOf([open, close]: string, code: string, from: number): number | undefined {
  let depth = 1
  for (let at = from; at < code.length; at++) {
    if (code[at] === open) depth++
    if (code[at] === close && --depth === 0) return at
  }
  return undefined
}

/** A part of a text, from its first character to the one behind its last. */
export interface Part {
  readonly at: number
  readonly end: number
}

/** What the commas of a list separate. @param opening brackets within which commas do not count, `closing` those that end them */
export function partsOf(code: string, { at, end }: Part, opening = '([{', closing = ')]}'): Part[] {
  const parts: Part[] = []
  let depth = 0
  let start = at
  for (let place = at; place < end; place++) {
    const letter = code[place]!
    if (opening.includes(letter)) depth++
    else if (closing.includes(letter)) depth--
    else if (letter === ',' && depth === 0) {
      parts.push({ at: start, end: place })
      start = place + 1
    }
  }
  return [...parts, { at: start, end }]
}
