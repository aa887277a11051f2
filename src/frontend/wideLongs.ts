/**
 * `long` with the 8 bytes that programs for Linux give it. clang's `long` has 4 on both our sides (decision 2 of
 * docs/architecture.md), the C library's interfaces too; so the copy of the user's files that is compiled says `long long`,
 * under a name of the same length, which keeps lines and columns. What goes by the width of `long` goes along: constants with
 * L, LONG_MAX, `ulong`, CUDA's long2, strtol and its like.
 *
 * Pointers keep 4 bytes; `size_t` is wideSizes.ts's. Where a program takes `long` for the libraries' size_t, or tells `long` and
 * `long long` apart, clang refuses the copy, and the files are compiled as they are (compile.ts).
 */
import type { FileTree } from './clang.ts'
import { type Edit, edited, withoutTexts } from './textEdits.ts'

/** Defined for every source, used or not: clang's command is then the same, and so are precompiled headers. */
export const WIDE_LONG_DEFINES: readonly string[] = [
  '__ll=long long',
  // As `long(x)` calls for one word.
  '__lf=decltype(0LL)',
  '__ull=unsigned long long',
]

const WORDS = 'unsigned|signed|int|const|volatile|long|double'
/** `long` with the words of its type around it. */
const TYPE = new RegExp(String.raw`\b(?:(?:${WORDS})\s+)*long\b(?:\s+(?:${WORDS})\b)*`, 'g')
/** An integer constant of type long: `1L`, `0xFFul`, `7lu`. */
const CONSTANT = /(?<![\w.']|[eEpP][+-])(0[xX][\da-fA-F']+|0[bB][01']+|\d[\d']*)([uU]?[lL]|[lL][uU])(?![\w.])/g
const LIMIT = /\bU?LONG_(?:MAX|MIN)\b/g
const VECTOR = /\b(?:make_)?u?long[1-4]\b/g
const FUNCTION =
  /\b(?:strto|ato|sto)(?:ul|l)\b|\bl(?:abs|rint|rintf|round|roundf)\b|\b__builtin_(?:popcount|clz|ctz|ffs|parity)l\b/g
const ULONG = /\bulong\b/g
const DEFINES_ULONG = /\btypedef\b[^;{}]*\bulong\s*;|\busing\s+ulong\b|#\s*define\s+ulong\b/
/** Functions that pass a format on: clang does not see what it is for, so that repairFormats.ts finds nothing. */
export const WRITES_FORMATS_ITSELF = /\bv(?:f|s|sn|as|d)?(?:printf|scanf)\s*\(/
const FORMATS_LONG = /%[-+ #0-9.*]*l[diouxX]/

/** The files with 8-byte `long`; undefined where there is none, or where a format may be written for what is not seen. */
export function widenLongs(files: FileTree): FileTree | undefined {
  const own = Object.entries(files).filter((entry): entry is [string, string] => isOwn(...entry))
  const some = (pattern: RegExp): boolean => own.some(([, text]) => pattern.test(text))
  if (some(WRITES_FORMATS_ITSELF) && some(FORMATS_LONG)) return undefined
  const ulong = some(DEFINES_ULONG) ? '__uln' : '__ull'
  return changeOwn(files, text => widen(text, ulong))
}

/** Text of clang's about a widened file, in the words of the user's. */
export const asWritten = (text: string): string =>
  vectorsAsWritten(text.replace(/\b__l[lf]\b/g, 'long').replace(/\b__ul[ln]\b/g, 'ulong'))

/** `long2` and `make_long2` for the names that they have there. */
export const vectorsAsWritten = (text: string): string =>
  text.replace(/(?<!\w)(make_)?__(u?)ll(?=[1-4]\b)/g, '$1$2long')

/** Whether a file is the user's, and text. */
export const isOwn = (path: string, text: string | Uint8Array): text is string =>
  typeof text === 'string' && !path.startsWith('/usr/')

/** The files with the user's changed; undefined where none is. */
export function changeOwn(files: FileTree, change: (text: string) => string): FileTree | undefined {
  const changed = Object.entries(files).flatMap(([path, text]) => {
    if (!isOwn(path, text)) return []
    const now = change(text)
    return now === text ? [] : [[path, now] as const]
  })
  return changed.length > 0 ? { ...files, ...Object.fromEntries(changed) } : undefined
}

function widen(text: string, ulong: string): string {
  if (!/long|LONG_|\d[uU]?[lL]|\bstrto|\batol|stou?l|lrint|lround|\b__builtin_\w+l\b/.test(text)) return text
  const edits: Edit[] = []
  const code = withoutTexts(text)
  const edit = (pattern: RegExp, replace: (found: string) => string): void => {
    for (const { 0: found, index } of code.matchAll(pattern)) {
      const replaced = replace(found)
      if (replaced !== found) edits.push({ at: index, length: found.length, text: replaced })
    }
  }
  for (const { 0: type, index } of code.matchAll(TYPE)) {
    const words = type.split(/\s+/)
    if (words.includes('double') || words.filter(word => word === 'long').length !== 1) continue
    const isCalled = words.length === 1 && /^\s*[({]/.test(code.slice(index + 4))
    edits.push({ at: index + type.search(/\blong\b/), length: 4, text: isCalled ? '__lf' : '__ll' })
  }
  edit(CONSTANT, constant => constant.replace(/[lL]/, '$&$&'))
  edit(LIMIT, name => name.replace('LONG', 'LLONG'))
  edit(VECTOR, name => name.replace(/(u?)long/, '__$1ll'))
  edit(FUNCTION, name => name.replace(/^l/, 'll').replace(/^(?!ll)(.*)l$/, '$1ll'))
  edit(ULONG, () => ulong)
  return edited(text, edits)
}
