/**
 * `long` with the 8 bytes that programs for Linux give it. clang's `long` has 4 on both our sides (decision 2 of
 * docs/architecture.md), the C library's interfaces too; so the copy of the user's files that is compiled says `long long`,
 * under a name of the same length, which keeps lines and columns. What goes by the width of `long` goes along: constants with
 * L, LONG_MAX, `ulong`, CUDA's long2, strtol and its like.
 *
 * Where a program tells `long` and `long long` apart (both specialise a template, or overload a function), the copy says `_BitInt(64)`
 * instead: a type of its own, below `long long` in the order of conversions as `long` is on Linux, with the libraries' functions for it
 * (include/warplens/apart_longs.h). There int64_t goes along, which is `long` on Linux, and formats have the length `ll`.
 *
 * Pointers keep 4 bytes; `size_t` is wideSizes.ts's. Where a program takes `long` for the libraries' size_t, clang refuses the copy, and
 * the files are compiled as they are (building/attempts.ts).
 */
import type { FileTree } from '../clang/clang.ts'
import { changeOwn, isOwn } from '../sources/ownFiles.ts'
import { type Edit, edited, withoutTexts } from '../sources/textEdits.ts'
import { writesUnseenFormats } from './seenFormats.ts'

/** Defined for every source, used or not: clang's command is then the same, and so are precompiled headers. */
export const WIDE_LONG_DEFINES: readonly string[] = [
  '__ll=long long',
  // As `long(x)` calls for one word.
  '__lf=decltype(0LL)',
  '__ull=unsigned long long',
  // Apart from `long long`.
  '__la=_BitInt(64)',
  '__lz=decltype((_BitInt(64))0)',
  '__ula=unsigned _BitInt(64)',
  '__i64la=decltype((_BitInt(64))0)',
  '__u64la_=decltype((unsigned _BitInt(64))0)',
]

/** Names of one length for what the copy says. */
interface Spelling {
  readonly long: string
  readonly called: string
  readonly ulong: string
  /** A constant of type long, its suffix in the user's letters. */
  readonly constant: (digits: string, suffix: string) => string
  readonly limit: (name: string) => string
}

const JOINED: Spelling = {
  long: '__ll',
  called: '__lf',
  ulong: '__ull',
  constant: (digits, suffix) => digits + suffix.replace(/[lL]/, '$&$&'),
  limit: name => name.replace('LONG', 'LLONG'),
}
const APART: Spelling = {
  long: '__la',
  called: '__lz',
  ulong: '__ula',
  constant: (digits, suffix) => `${digits}${/u/i.test(suffix) ? '_wul' : '_wl'}`,
  limit: name => `((${name.startsWith('U') ? '__ula' : '__la'})${name.replace('LONG', 'LLONG')})`,
}

const WORDS = 'unsigned|signed|int|const|volatile|long|double'
/** `long` with the words of its type around it. */
const TYPE = new RegExp(String.raw`\b(?:(?:${WORDS})\s+)*long\b(?:\s+(?:${WORDS})\b)*`, 'g')
/** An integer constant of type long: `1L`, `0xFFul`, `7lu`. */
const CONSTANT = /(?<![\w.']|[eEpP][+-])(0[xX][\da-fA-F']+|0[bB][01']+|\d[\d']*)([uU]?[lL]|[lL][uU])(?![\w.])/g
const LIMIT = /\bU?LONG_(?:MAX|MIN)\b/g
const VECTOR = /\b(?:make_)?u?long[1-4]\b/g
const FUNCTION =
  /\b(?:strto|ato|sto)(?:ul|l)\b|\bwcsto(?:ul|l)\b|\bl(?:abs|div(?:_t)?|rint[fl]?|round[fl]?)\b|\b__builtin_(?:popcount|clz|ctz|ffs|parity)l\b/g
const UNDERLYING = /\benum\s+(?:class\s+|struct\s+)?\w*\s*:\s*$/
const FIXED = /(?<![\w.>:])(?:(?:::\s*)?std\s*::\s*|::\s*)?u?int64_t\b/g
/** An operand of 64 bits of an assembly statement, up to its parenthesis. */
const WIDE_OPERAND = /"[=+&%]*l"\s*(?=\()/g
/** A conversion of a `long` or a `size_t`, in a literal. */
const FORMAT = /%[-+ #0-9.*']*[lz][diouxX](?![A-Za-z])/g
const ULONG = /\bulong\b/g
const DEFINES_ULONG = /\btypedef\b[^;{}]*\bulong\s*;|\busing\s+ulong\b|#\s*define\s+ulong\b/
const FORMATS_LONG = /%[-+ #0-9.*]*l[diouxX]/

/** The files with 8-byte `long`; undefined where there is none, or where a format may be written for what is not seen. */
export const widenLongs = (files: FileTree): FileTree | undefined => widenAs(files, JOINED)

/** The same, and it is not `long long`. */
export const widenLongsApart = (files: FileTree): FileTree | undefined => widenAs(files, APART)

function widenAs(files: FileTree, spelling: Spelling): FileTree | undefined {
  const own = Object.entries(files).filter((entry): entry is [string, string] => isOwn(...entry))
  const some = (pattern: RegExp): boolean => own.some(([, text]) => pattern.test(text))
  if (some(FORMATS_LONG) && own.some(([, text]) => writesUnseenFormats(text))) return undefined
  const ulong = some(DEFINES_ULONG) ? '__uln' : spelling.ulong
  return changeOwn(files, (text, path) => widen(text, ulong, path.endsWith('.c') ? JOINED : spelling))
}

/** Text of clang's about a widened file, in the words of the user's. */
export const asWritten = (text: string): string =>
  vectorsAsWritten(
    text
      .replace(/\b__l[lfaz]\b/g, 'long')
      .replace(/\b__ul[lna]\b/g, 'ulong')
      .replace(/\b__i64la\b/g, 'int64_t')
      .replace(/\b__u64la_/g, 'uint64_t'),
  )

/** What clang calls `long` where it is apart. */
export const apartAsWritten = (text: string): string => text.replace(/_BitInt\(64\)/g, 'long')

/** `long2` and `make_long2` for the names that they have there. */
export const vectorsAsWritten = (text: string): string =>
  text.replace(/(?<!\w)(make_)?__(u?)ll(?=[1-4]\b)/g, '$1$2long')

function widen(text: string, ulong: string, spelling: Spelling): string {
  if (!/long|LONG_|\d[uU]?[lL]|\bstrto|\batol|stou?l|lrint|lround|\b__builtin_\w+l\b|int64_t/.test(text)) return text
  const edits: Edit[] = []
  const code = withoutTexts(text)
  const isApart = spelling === APART
  const edit = (pattern: RegExp, replace: (found: string, at: number) => string): void => {
    for (const { 0: found, index } of code.matchAll(pattern)) {
      const replaced = replace(found, index)
      if (replaced !== found) edits.push({ at: index, length: found.length, text: replaced })
    }
  }
  for (const { 0: type, index } of code.matchAll(TYPE)) {
    const words = type.split(/\s+/)
    if (words.includes('double') || words.filter(word => word === 'long').length !== 1) continue
    const isCalled = words.length === 1 && /^\s*[({]/.test(code.slice(index + 4))
    // Not a type that an enumeration may lie in.
    const { long, called } = UNDERLYING.test(code.slice(Math.max(0, index - 80), index)) ? JOINED : spelling
    edits.push({ at: index + type.search(/\blong\b/), length: 4, text: isCalled ? called : long })
    if (long === APART.long && words.includes('int'))
      edits.push({ at: index + type.search(/\bint\b/), length: 3, text: '   ' })
  }
  const spelled = (at: number): Spelling => (isCondition(code, at) ? JOINED : spelling)
  edit(CONSTANT, (constant, at) => {
    const [, digits = '', suffix = ''] = /^(.*?)([uUlL]+)$/.exec(constant)!
    return spelled(at).constant(digits, suffix)
  })
  edit(LIMIT, (name, at) => spelled(at).limit(name))
  if (isApart) {
    edit(FIXED, (name, at) => {
      const before = code.slice(Math.max(0, at - 80), at)
      if (/\busing\s+$/.test(before)) return name
      const [unsigned, signed] = UNDERLYING.test(before) ? [JOINED.ulong, JOINED.long] : ['__u64la_', '__i64la']
      return (name.endsWith('uint64_t') ? unsigned : signed).padStart(name.length)
    })
    edits.push(...wideOperands(text, code))
    for (const { 0: found, index } of text.matchAll(FORMAT))
      if (code[index] === ' ') edits.push({ at: index, length: found.length, text: found.replace(/[lz](?=.$)/, 'll') })
  }
  edit(VECTOR, name => name.replace(/(u?)long/, '__$1ll'))
  edit(FUNCTION, name => name.replace(/^l/, 'll').replace(/^(?!ll)(.*)l$/, '$1ll'))
  edit(ULONG, () => ulong)
  return edited(text, edits)
}

/** Operands of assembly as `long long`, the only type of 64 bits that clang takes there (include/warplens/apart_longs.h). */
function wideOperands(text: string, code: string): Edit[] {
  return [...text.matchAll(WIDE_OPERAND)].flatMap(({ 0: constraint, index }) => {
    const open = index + constraint.length
    // A literal of the code, and not a comment's.
    if (code[index] !== ' ' || code[open] !== '(') return []
    const close = closingOf(code, open)
    if (close === undefined) return []
    return [
      { at: open, length: 1, text: `(${/[=+]/.test(constraint) ? '__wl_results' : '__wl_operand'}(` },
      { at: close, length: 1, text: '))' },
    ]
  })
}

function closingOf(code: string, open: number): number | undefined {
  let depth = 0
  for (let at = open; at < code.length; at++) {
    if (code[at] === '(') depth++
    else if (code[at] === ')' && --depth === 0) return at
  }
  return undefined
}

/** By its name and its sign, what is there for `long` and what for `long long`. */
const twinsOf = (around: (type: string) => string): readonly [RegExp, RegExp] => [
  new RegExp(around(String.raw`long(?:\s+int)?`), 'g'),
  new RegExp(around(String.raw`long\s+long(?:\s+int)?`), 'g'),
]
const TWINS = [
  twinsOf(type => String.raw`\btemplate\s*<[^<>;{}]*>[^;{}()]*?\b(\w+)\s*<\s*(unsigned\s+|signed\s+)?${type}\s*[,>]`),
  twinsOf(
    type => String.raw`\b(\w+)\s*\(\s*(?:const\s+)?(unsigned\s+|signed\s+)?${type}\s*&?\s*\w+\s*\)\s*(?:const\s*)?\{`,
  ),
]

/** Whether the files have one thing for `long` and another for `long long`: a specialisation each, or a function each of one parameter. */
export function tellsLongsApart(files: FileTree): boolean {
  return Object.entries(files).some(entry => {
    if (!isOwn(...entry)) return false
    const [, text] = entry
    const named = (pattern: RegExp) =>
      new Set([...(text as string).matchAll(pattern)].map(([, name, sign = '']) => `${sign.trim()} ${name}`))
    return TWINS.some(([ofLong, ofLongLong]) => {
      const twins = named(ofLongLong)
      return [...named(ofLong)].some(name => twins.has(name))
    })
  })
}

/** In a condition of the preprocessor, where there are no types. */
export const isCondition = (code: string, at: number): boolean =>
  /^[ \t]*#[ \t]*(?:el)?if/.test(code.slice(code.lastIndexOf('\n', at) + 1, at))
