/**
 * Splits LLVM IR text into tokens, one at a time and without regular expressions, since the time to read counts as compile time.
 * In: the text. Out: the current token in the lexer's fields; `advance` moves to the next one and stops for good at the end.
 * Comments and white space are skipped; whether a line began before the token is kept, because it ends instructions.
 * The lexical rules are those of LLVM's `LLLexer.cpp`.
 */
import { type SourceRange, type UserError, userError } from '../diagnostic.ts'
import { textOfBytes } from './byteNames.ts'

/** Kinds of tokens; punctuation's kind is its character code. Plain numbers, so that comparing does not narrow `kind`. */
export const TOKEN = {
  end: 0,
  /** Keywords, types, opcodes, attributes; also `...`. */
  word: 1,
  /** `%name`, `@name`, `$name`, `!name`, `#12`; `value` is the name without sigil and quotes. A lone `!` has the name ''. */
  local: 2,
  global: 3,
  comdat: 4,
  metadata: 5,
  attribute: 6,
  integer: 7,
  /** Decimal with a point, or `0x` with its digits. */
  float: 8,
  /** `value` is the text between the quotes, escapes untouched. */
  string: 9,
  /** A name and its colon: a block's label or a metadata field. */
  label: 10,
  comma: 44,
  open: 40,
  close: 41,
  openSquare: 91,
  closeSquare: 93,
  openBrace: 123,
  closeBrace: 125,
  less: 60,
  greater: 62,
  equals: 61,
  star: 42,
  bar: 124,
}

const NEWLINE = 10
const QUOTE = 34
const HASH = 35
const DOLLAR = 36
const PLUS = 43
const MINUS = 45
const POINT = 46
const ZERO = 48
const NINE = 57
const COLON = 58
const SEMICOLON = 59
const BACKSLASH = 92

/** Characters of names: letters, digits and `$ - . _`. */
const IN_NAME = new Uint8Array(128)
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789$-._') {
  IN_NAME[character.charCodeAt(0)] = 1
}
const SIGILS = new Map<number, number>([
  [37, TOKEN.local],
  [64, TOKEN.global],
  [DOLLAR, TOKEN.comdat],
  [33, TOKEN.metadata],
  [HASH, TOKEN.attribute],
])

export class Lexer {
  readonly text: string
  /** One of {@link TOKEN}. */
  kind: number = TOKEN.end
  /** The token's text for words and numbers, the bare name or contents for the others; '' for punctuation. */
  value = ''
  /** The token's extent in the text. */
  start = 0
  end = 0
  /** A line break lies between the token before and this one. */
  startsLine = true
  /** Finds the source location of the instruction around a position of the text, for messages. */
  locate: (position: number) => SourceRange | undefined = () => undefined

  constructor(text: string, position = 0) {
    this.text = text
    this.end = position
  }

  /** Moves to the token at or after a position; `position` is taken to be the beginning of a line. */
  moveTo(position: number): void {
    this.end = position
    this.advance()
    this.startsLine = true
  }

  advance(): void {
    const { text } = this
    let at = this.end
    this.startsLine = false
    let code = text.charCodeAt(at)
    for (; ; code = text.charCodeAt(at)) {
      if (code === 32 || code === 9 || code === 13) at++
      else if (code === NEWLINE) {
        this.startsLine = true
        at++
      } else if (code === SEMICOLON) at = endOfLine(text, at)
      else break
    }
    this.start = at
    if (at >= text.length) this.finish(TOKEN.end, at, '')
    else if (IN_NAME[code] === 1) this.scanName(at, code)
    else if (code === QUOTE) this.scanString(at)
    else if (code === PLUS) this.scanWord(at + 1)
    else {
      const sigil = SIGILS.get(code)
      if (sigil === undefined) this.finish(code, at + 1, '')
      else this.scanSigil(sigil, at + 1)
    }
  }

  private finish(kind: number, end: number, value: string): void {
    this.kind = kind
    this.end = end
    this.value = value
  }

  /** A word, a number, or a label. `$` begins a comdat's name instead. */
  private scanName(at: number, first: number): void {
    const { text } = this
    const digit = first === MINUS ? text.charCodeAt(at + 1) : first
    if (first === DOLLAR) this.scanSigil(TOKEN.comdat, at + 1)
    else if (digit >= ZERO && digit <= NINE) this.scanNumber(at)
    else this.scanWord(at)
  }

  private scanNumber(at: number): void {
    const { text } = this
    let end = at + 1
    let kind: number = TOKEN.integer
    for (let code = text.charCodeAt(end); IN_NAME[code] === 1 || code === PLUS; code = text.charCodeAt(++end)) {
      if (code === MINUS || code === PLUS) {
        const exponent = text.charCodeAt(end - 1) | 32
        if (exponent !== 101 || kind !== TOKEN.float) break
      } else if (code === POINT || code === 120) kind = TOKEN.float
    }
    if (text.charCodeAt(end) === COLON) this.finish(TOKEN.label, end + 1, text.slice(at, end))
    else this.finish(kind, end, text.slice(at, end))
  }

  private scanWord(from: number): void {
    const { text } = this
    let end = from
    while (IN_NAME[text.charCodeAt(end)] === 1) end++
    const value = text.slice(this.start, end)
    if (text.charCodeAt(end) === COLON) this.finish(TOKEN.label, end + 1, value)
    else this.finish(TOKEN.word, end, value)
  }

  private scanString(at: number): void {
    const close = this.closingQuote(at)
    const value = this.text.slice(at + 1, close)
    if (this.text.charCodeAt(close + 1) === COLON) this.finish(TOKEN.label, close + 2, decodeName(value))
    else this.finish(TOKEN.string, close + 1, value)
  }

  private scanSigil(kind: number, from: number): void {
    const { text } = this
    if (text.charCodeAt(from) === QUOTE) {
      const close = this.closingQuote(from)
      this.finish(kind, close + 1, decodeName(text.slice(from + 1, close)))
      return
    }
    let end = from
    for (let code = text.charCodeAt(end); IN_NAME[code] === 1 || code === BACKSLASH; code = text.charCodeAt(end)) end++
    this.finish(kind, end, text.slice(from, end))
  }

  private closingQuote(open: number): number {
    const close = this.text.indexOf('"', open + 1)
    return close === -1 ? this.text.length : close
  }

  // ---------------------------------------------------------------- conveniences of the readers

  /** Is the current token this word? */
  is(word: string): boolean {
    return this.kind === TOKEN.word && this.value === word
  }

  /** Skips the token when it is this word. */
  skipWord(word: string): boolean {
    if (this.kind !== TOKEN.word || this.value !== word) return false
    this.advance()
    return true
  }

  /** Skips the token when it is of this kind. */
  skip(kind: number): boolean {
    if (this.kind !== kind) return false
    this.advance()
    return true
  }

  /** Takes a token of this kind and gives its value. Throws UserError `unsupported-ir` when it is another one. */
  take(kind: number, what: string): string {
    if (this.kind !== kind) throw this.refuse(`expected ${what}`)
    const { value } = this
    this.advance()
    return value
  }

  takeWord(word: string): void {
    if (!this.skipWord(word)) throw this.refuse(`expected '${word}'`)
  }

  /** Takes an integer below 2^53. */
  takeNumber(what: string): number {
    return Number(this.take(TOKEN.integer, what))
  }

  /** Skips from the current `(` to behind the `)` that closes it. */
  skipParentheses(): void {
    let depth = 0
    do {
      if (this.kind === TOKEN.open) depth++
      else if (this.kind === TOKEN.close) depth--
      else if (this.kind === TOKEN.end) throw this.refuse('missing )')
      this.advance()
    } while (depth > 0)
  }

  /** Moves to the first token of the next line. */
  skipLine(): void {
    this.moveTo(endOfLine(this.text, this.start))
  }

  /** The error for text that is not understood, with the line of IR, and the source line where it is known. */
  refuse(message: string, position = this.start): UserError {
    let line = 1
    for (let i = this.text.indexOf('\n'); i !== -1 && i < position; i = this.text.indexOf('\n', i + 1)) line++
    const begin = position === 0 ? 0 : this.text.lastIndexOf('\n', position - 1) + 1
    const excerpt = this.text.slice(begin, Math.min(endOfLine(this.text, position), begin + 300)).trim()
    const at =
      position >= this.text.length
        ? 'the end of the input'
        : `'${this.text.slice(position, position + 20).split('\n')[0]}'`
    return userError('unsupported-ir', `cannot read the device code: ${message} at ${at}`, this.locate(position), [
      `line ${line} of the LLVM IR: ${excerpt}`,
    ])
  }
}

/** Where the line around a position ends: its line break, or the end of the text. */
export function endOfLine(text: string, position: number): number {
  const end = text.indexOf('\n', position)
  return end === -1 ? text.length : end
}

/** Replaces `\\` and two-digit hexadecimal escapes; each character of the result is one byte. */
export function decodeEscapes(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(\\|[0-9a-fA-F]{2})/g, (_, code: string) =>
    code === '\\' ? '\\' : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** The same of a name or a path: text. */
export const decodeName = (text: string): string => textOfBytes(decodeEscapes(text))
