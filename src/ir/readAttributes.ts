/**
 * Reads attributes of parameters, calls and functions, and keeps the few that change what we do.
 * In: a lexer at the first attribute (or at what follows when there is none). Attributes that only help an optimiser are skipped
 * whatever their name; those that change how an argument is passed in a way we do not model are refused.
 */
import type { Type } from './ir.ts'
import { type Lexer, TOKEN } from './lexer.ts'
import { startsConstant } from './readConstants.ts'
import type { TypeReader } from './readTypes.ts'

export interface ParameterAttributes {
  /** A structure passed by value. */
  readonly byval?: Type
  readonly align?: number
  readonly noalias?: true
}

const NONE: ParameterAttributes = {}
const KEPT: ReadonlySet<string> = new Set(['noinline', 'convergent', 'alwaysinline', 'noreturn'])
const REFUSED: ReadonlySet<string> = new Set(['inalloca', 'preallocated', 'swiftself', 'swifterror', 'nest'])

/** The attributes between a type and a value (or name); also those before a call's or function's return type. */
export function readParameterAttributes(lexer: Lexer, types: TypeReader): ParameterAttributes {
  if (lexer.kind !== TOKEN.word && lexer.kind !== TOKEN.string) return NONE
  let byval: Type | undefined
  let align: number | undefined
  let noalias = false
  for (;;) {
    if (lexer.kind === TOKEN.string) {
      skipStringAttribute(lexer)
      continue
    }
    if (lexer.kind !== TOKEN.word || startsConstant(lexer.value) || types.startsType()) break
    const word = lexer.value
    if (REFUSED.has(word)) throw lexer.refuse(`unsupported parameter attribute '${word}'`)
    lexer.advance()
    if (word === 'byval') {
      lexer.take(TOKEN.open, "'('")
      byval = types.read()
      lexer.take(TOKEN.close, "')'")
    } else if (word === 'align') align = readAlign(lexer)
    else if (word === 'noalias') noalias = true
    else if (lexer.kind === TOKEN.open) lexer.skipParentheses()
  }
  return { ...(byval && { byval }), ...(align !== undefined && { align }), ...(noalias && { noalias }) }
}

/** `N` or `(N)`, the lexer behind `align`. */
function readAlign(lexer: Lexer): number {
  const inParentheses = lexer.skip(TOKEN.open)
  const align = lexer.takeNumber('an alignment')
  if (inParentheses) lexer.take(TOKEN.close, "')'")
  return align
}

/** `"key"="value"` or `"key"`: gives what stands for it in {@link Func.attributes}. */
function skipStringAttribute(lexer: Lexer): string {
  const key = lexer.take(TOKEN.string, 'an attribute')
  return lexer.skip(TOKEN.equals) ? `${key}=${lexer.take(TOKEN.string, 'a value')}` : key
}

/**
 * The attributes `#N = { ... }` by number: noinline, convergent, alwaysinline, noreturn, `memory(none)` as `readnone`, and
 * NVIDIA's launch limits as `nvvm.maxntid=256`.
 */
export function readAttributeGroups(text: string, lexer: Lexer): Map<string, ReadonlySet<string>> {
  const groups = new Map<string, ReadonlySet<string>>()
  const keyword = '\nattributes #'
  for (let at = text.indexOf(keyword); at !== -1; at = text.indexOf(keyword, at + 1)) {
    lexer.moveTo(at + keyword.length - 1)
    const name = lexer.take(TOKEN.attribute, 'an attribute group')
    lexer.take(TOKEN.equals, "'='")
    lexer.take(TOKEN.openBrace, "'{'")
    const kept = new Set<string>()
    while (lexer.kind === TOKEN.word || lexer.kind === TOKEN.string) readFunctionAttribute(lexer, kept)
    lexer.take(TOKEN.closeBrace, "'}'")
    groups.set(name, kept)
  }
  return groups
}

/** One attribute of a function, a word or a string; adds it to `kept` when it is one that we keep. */
export function readFunctionAttribute(lexer: Lexer, kept: Set<string>): void {
  if (lexer.kind === TOKEN.string) {
    const attribute = skipStringAttribute(lexer)
    if (attribute.startsWith('nvvm.')) kept.add(attribute)
    return
  }
  const word = lexer.value
  lexer.advance()
  if (KEPT.has(word) || word === 'readnone') kept.add(word)
  if (lexer.kind === TOKEN.open) {
    const from = lexer.end
    lexer.skipParentheses()
    if (word === 'memory' && /^\s*none\s*\)/.test(lexer.text.slice(from, from + 16))) kept.add('readnone')
  } else if (word === 'align' || word === 'alignstack') {
    lexer.skip(TOKEN.equals)
    lexer.takeNumber('an alignment')
  }
}
