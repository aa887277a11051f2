/**
 * `size_t` with the 8 bytes that programs for a GPU give it. clang's has 4 on both our sides (decision 2 of
 * docs/architecture.md), the libraries' interfaces too; so the copy of the user's files that is compiled says
 * `unsigned long long`, under a name of the same length, which keeps lines and columns. `n * sizeof(float)` goes along: it has 64
 * bits there, and here it would wrap at 4 GiB with no word said.
 *
 * Pointers keep 4 bytes, and so does what the C++ library calls size_t. Functions of ours that take a size by its address have both
 * (include/warplens/wide_sizes.h), `std::max(n, v.size())` too (include/__algorithm), and a template's parameter that is deduced
 * from `std::array<T, N>` stays the library's. Where a program needs the two to be one type elsewhere, clang refuses the copy, and
 * the files are compiled with 4 bytes (building/attempts.ts). `a.size() * n` has 64 bits all the same.
 */
import type { FileTree } from '../clang/clang.ts'
import { changeOwn, isOwn } from '../sources/ownFiles.ts'
import { type Edit, edited, withoutTexts } from '../sources/textEdits.ts'
import { writesUnseenFormats } from './seenFormats.ts'
import { isCondition } from './wideLongs.ts'

/** For every source, used or not, as in wideLongs.ts; in C++ the type is one of include/warplens/wide_sizes.h. */
export const wideSizeDefines = (isC: boolean): readonly string[] => [
  ...(isC ? [`${SIZE}=unsigned long long`] : []),
  `${SIZEOF}=(${SIZE})sizeof`,
  `${LARGEST}=((${SIZE})~0ULL)`,
]

const SIZE = '__sz8t'
const SIZEOF = '__szof'
const LARGEST = '__szmax_'

/** `size_t` by itself or out of a namespace std, not a member of something else, nor what `using` brings in. */
const TYPE = /(?<![\w.>]|::\s*)(?:(?:::\s*)?(?:\w+\s*::\s*)*?std\s*::\s*|::\s*)?\bsize_t\b/y
const BROUGHT_IN = /\busing\s+(?:::\s*)?(?:\w+\s*::\s*)*$/
/** Parameters whose type the language sets: of allocations, and of literals (`operator""_x(const char *, size_t)`, its text blank here). */
const OF_OPERATOR =
  /\boperator\s+(?:(?:new|delete)\s*(?:\[\s*\]\s*)?\([^()]*|\w+\s*\(\s*const\s+(?:char|wchar_t|char(?:8|16|32)_t)\s*\*[^(),]*,\s*)$/
/** A list of indices is the C++ library's (`std::index_sequence<I...>`), and no size of anything. */
const LIST = /^\s*\.\.\./
const LISTS_INDICES = /\bindex_sequence\b/
/** A template's parameter, of which the library's own templates have to be the type for `std::array<T, N>` to be deduced. */
const IS_PARAMETER = /\btemplate\s*<[^{};()]*$/
const PARAMETER = /^\s+(\w+)\s*[,>=][^{};]*/
const OWN_TYPE = /\btypedef\b[^;{}]*\bsize_t\s*;|\busing\s+size_t\b|#\s*define\s+size_t\b/
const PRODUCT = /\*\s*sizeof\b(?!\s*\.\.\.)|\bsizeof\b(?!\s*\.\.\.)(?=\s*\((?:[^()]|\([^()]*\))*\)\s*\*(?![*)>,]))/g
/** What a container says of its size, and the `*` beside it. */
const SIZE_OF_CONTAINER = /(?<![\w.:]|->)(?:\w+(?:\[[^[\]]*\]|\([^()]*\))*(?:\.|->))+(?:size|length)\s*\(\s*\)/g
const TIMES_BEFORE = /[\w)\]]\s*\*\s*$/
const TIMES_BEHIND = /^\s*\*(?![*=)>,])/
const LIMIT = /\bSIZE_MAX\b/g
/** Callers may hand over what is the C++ library's, or `sizeof` by itself. */
const TAKEN_FROM_LIST = /\bva_arg\s*\([^,()]*,\s*(?:std\s*::\s*)?size_t\b/
/** What the C++ library finds nowhere is its own largest size, and `-1` in no more than 4 bytes. */
const FOUND = /(?:\b(\w+)(?:\s*\[[^\]]*\])?\s*=(?!=)|\breturn\b)(?=[^;{}]*\bfind\w*\s*\()/g
const IS_NOWHERE =
  /(?:\b(\w+)(?:\s*\[[^\]]*\])?|(\)))\s*[!=]=\s*\(?\s*(?:(?:std\s*::\s*)?size_t\s*\)\s*\(?)?\s*-\s*1\b/g
/** CUB's own headers take sizes of temporary storage by reference; those of a user's own folder change along. */
const TAKES_REFERENCES = /#\s*include\s*<cub\//
const FORMATS_SIZE = /%[-+ #0-9.*]*(?:z|l)[diouxX]/
/** In C clang lets a pointer to 8 bytes go where the C library or ours writes 4. */
function takesAddresses(path: string, text: string): boolean {
  if (!path.endsWith('.c')) return false
  const names = [...text.matchAll(/\bsize_t\s+([\w\s,=]+);/g)].flatMap(([, list = '']) =>
    list.split(',').map(each => each.trim().split(/\W/)[0]!),
  )
  return names.some(name => new RegExp(String.raw`&\s*${name}\b`).test(text))
}

/** The files with 8-byte `size_t`; undefined where there is none, or where what is not seen relies on 4. */
export function widenSizes(files: FileTree): FileTree | undefined {
  const own = Object.entries(files).filter((entry): entry is [string, string] => isOwn(...entry))
  const some = (pattern: RegExp): boolean => own.some(([, text]) => pattern.test(text))
  if (some(OWN_TYPE) || (some(TAKES_REFERENCES) && !hasOwnCub(files)) || findsNowhere(own.map(([, text]) => text)))
    return undefined
  if (some(TAKEN_FROM_LIST) || own.some(([path, text]) => takesAddresses(path, text))) return undefined
  if (some(FORMATS_SIZE) && own.some(([, text]) => writesUnseenFormats(text))) return undefined
  return changeOwn(files, widen)
}

/** Whether the declaration behind a parameter's type has the parameter as the size of one of the library's arrays. */
function isDeduced(behind: string): boolean {
  const [declaration, name] = PARAMETER.exec(behind) ?? []
  return !!declaration && new RegExp(String.raw`\b(?:array\s*<[^()]*,|bitset\s*<)\s*${name}\s*>`).test(declaration)
}

/** Whether what is found is compared with -1: by the name that it was given, or as what a function or a condition gives. */
function findsNowhere(texts: readonly string[]): boolean {
  const found = new Set<string | undefined>()
  for (const text of texts) for (const [, name] of text.matchAll(FOUND)) found.add(name)
  return texts.some(text =>
    [...text.matchAll(IS_NOWHERE)].some(({ 1: name, 2: closed, index }) =>
      closed
        ? found.has(undefined) || /=[^;{}=]*\bfind\w*\s*\([^;{}]*$/.test(text.slice(Math.max(0, index - 200), index))
        : found.has(name),
    ),
  )
}

const hasOwnCub = (files: FileTree): boolean =>
  Object.keys(files).some(path => !path.startsWith('/usr/') && path.endsWith('cub/cub.cuh'))

/** Whether libcu++ of CCCL 3 is among them, where a folder of the program's has it. */
export const hasOwnLibcu = (files: FileTree): boolean =>
  Object.keys(files).some(path => !path.startsWith('/usr/') && path.includes('/cuda/std/__cccl/'))

/** Text of clang's about a widened file, in the words of the user's. */
export const sizesAsWritten = (text: string): string =>
  text
    .replace(/\b__sz8t\b/g, 'size_t')
    .replace(/\b__szof\b/g, 'sizeof')
    .replace(/\b__warplens_wide\(([^()]*\(\))\)/g, '$1')
    .replace(/\b__szmax_/g, 'SIZE_MAX')

/**
 * Each `size_t` of TYPE, with its namespaces. Looked for from the name backwards: from each word on forwards it takes the square of a
 * line's words, 13 s for the headers of a CUB of the program's own.
 */
function* typesIn(code: string): Generator<RegExpExecArray> {
  let end = 0
  for (const { index } of code.matchAll(/\bsize_t\b/g)) {
    for (let at = Math.max(end, qualifiedFrom(code, index)); at <= index; at++) {
      TYPE.lastIndex = at
      const type = TYPE.exec(code)
      if (!type) continue
      yield type
      end = TYPE.lastIndex
      break
    }
  }
}

/** Where `a::b::` in front of `at` begins. */
function qualifiedFrom(code: string, at: number): number {
  const back = (from: number, of: RegExp): number => {
    let start = from
    while (start > 0 && of.test(code[start - 1]!)) start--
    return start
  }
  for (let start = at; ; ) {
    const colons = back(start, /\s/) - 2
    if (colons < 0 || !code.startsWith('::', colons)) return start
    const word = back(colons, /\s/)
    start = back(word, /\w/)
    if (start === word) return colons
  }
}

function widen(text: string, path: string): string {
  if (!/\bsize_t\b|\bsizeof\b|\bSIZE_MAX\b|\b(?:size|length)\s*\(/.test(text)) return text
  const code = withoutTexts(text)
  const edits: Edit[] = []
  const listsIndices = LISTS_INDICES.test(code)
  for (const { 0: found, index } of typesIn(code)) {
    if (listsIndices && LIST.test(code.slice(index + found.length, index + found.length + 20))) continue
    const before = code.slice(Math.max(0, index - 80), index)
    if (BROUGHT_IN.test(before) || OF_OPERATOR.test(before)) continue
    if (IS_PARAMETER.test(before) && isDeduced(code.slice(index + found.length, index + found.length + 800))) continue
    edits.push({ at: index, length: found.length, text: SIZE.padStart(found.length) })
  }
  for (const { 0: found, index } of code.matchAll(PRODUCT)) {
    const at = index + found.length - SIZEOF.length
    if (!isCondition(code, index)) edits.push({ at, length: SIZEOF.length, text: SIZEOF })
  }
  const containers = path.endsWith('.c') ? [] : code.matchAll(SIZE_OF_CONTAINER)
  for (const { 0: found, index } of containers) {
    const end = index + found.length
    if (!TIMES_BEFORE.test(code.slice(Math.max(0, index - 20), index)) && !TIMES_BEHIND.test(code.slice(end, end + 20)))
      continue
    edits.push({ at: index, length: 0, text: '__warplens_wide(' }, { at: end, length: 0, text: ')' })
  }
  for (const { index } of code.matchAll(LIMIT)) edits.push({ at: index, length: LARGEST.length, text: LARGEST })
  return edited(text, edits)
}
