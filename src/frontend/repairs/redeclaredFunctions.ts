/**
 * Functions that are declared with `__device__`, or a macro that has it, and defined without: nvcc says so (warning 20037) and takes the
 * definition for the device function; to clang it is another one, of the host, and the declared one is defined nowhere. And members that are declared without and
 * defined with `__device__`, which is for both sides then (warning 20039); to clang there is no such member. The copy that is compiled has the words.
 * In: the user's files. Out: the same with the words, lines stay where they are.
 */
import type { FileTree } from '../clang/clang.ts'
import { isOwn } from '../sources/ownFiles.ts'
import { extensionOf } from '../sources/paths.ts'
import { closingParenthesis, type Edit, edited, partsOf, withoutTexts } from '../sources/textEdits.ts'

interface Declaration {
  readonly file: string
  readonly name: string
  /** The innermost class or namespace around it; '' is none. */
  readonly scope: string
  readonly parameters: readonly string[]
  /** `__device__`, with `__host__` where it stands there too. */
  readonly words: string
}

export const WORD = /\b__(?:device|global|host)__\b/
/** What a declaration begins behind. */
const BEFORE = /[;{}]|^[ \t]*#.*$|\b(?:public|private|protected)\s*:/gm
const NAMED = /(~?\w+|\boperator\s*[^\s\w(]+)\s*$/
/** Between the parameters and what follows: `const`, `noexcept`, `-> T`. */
const BEHIND = /\s*(?:\b(?:const|noexcept|override|final)\b\s*)*(?:->[^;{}()]*)?/y
const INCLUDED = /^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"/gm
const SOURCES_OF_PLAIN_CPP = ['.cpp', '.cc', '.cxx', '.c']

export function withRedeclaredFunctions(files: FileTree): FileTree {
  return withDeviceMembers(withDeviceDefinitions(files))
}

function withDeviceDefinitions(files: FileTree): FileTree {
  const own = Object.entries(files).filter((entry): entry is [string, string] => isOwn(...entry))
  if (!own.some(([, text]) => text.includes('__device__'))) return files
  const texts = own.map(([file, text]) => ({ file, text, code: withoutTexts(text) }))
  const marks = marksOf(texts.map(({ code }) => code))
  const declared = new Map<string, Declaration[]>()
  for (const { file, code } of texts)
    for (const found of declarationsIn(file, code, marks))
      declared.set(found.name, [...(declared.get(found.name) ?? []), found])
  if (declared.size === 0) return files
  const changed = texts.flatMap(({ file, text, code }): [string, string][] => {
    if (SOURCES_OF_PLAIN_CPP.includes(extensionOf(file))) return []
    const includes = new Set([...text.matchAll(INCLUDED)].map(([, name = '']) => baseOf(name)))
    const isSeen = (other: string): boolean => other === file || includes.has(baseOf(other))
    const edits = editsOf(code, marks, name => declared.get(name)?.filter(each => isSeen(each.file)) ?? [])
    return edits.length > 0 ? [[file, edited(text, edits)]] : []
  })
  return changed.length > 0 ? { ...files, ...Object.fromEntries(changed) } : files
}

/** `A::f(`, `A<T>::A(`. */
const MEMBER = /\b(\w+)\s*(?:<(?:[^<>]|<[^<>]*>)*>)?\s*::\s*(~?\w+|operator\s*[^\s\w(]+)\s*\(/g
/** Macros that have such a word. */
export const MACRO = /^[ \t]*#[ \t]*define[ \t]+(\w+).*\b__(?:device|global|host)__\b/gm
const ON_BOTH_SIDES = '__host__ __device__ '
/** The host has such a function where it uses it: nvcc makes its calls of device functions, which nobody gets to, the program's end. */
const DEFINED_ON_BOTH_SIDES = '__WARPLENS_REDECLARED__ '

function withDeviceMembers(files: FileTree): FileTree {
  const own = Object.entries(files).filter((entry): entry is [string, string] => isOwn(...entry))
  if (!own.some(([, text]) => text.includes('__device__'))) return files
  const texts = own.map(([file, text]) => {
    const code = withoutTexts(text)
    let scopeAt: ReturnType<typeof scopesOf> | undefined
    return { file, text, code, scopeAt: (at: number) => (scopeAt ??= scopesOf(code))(at) }
  })
  const macros = new Set(texts.flatMap(({ code }) => [...code.matchAll(MACRO)].map(([, name = '']) => name)))
  const edits = new Map<string, Edit[]>()
  const add = (file: string, at: number, text: string): void => {
    const known = edits.get(file) ?? []
    if (!known.some(each => each.at === at)) edits.set(file, [...known, { at, length: 0, text }])
  }
  for (const { file, text, code } of texts) {
    const includes = new Set([...text.matchAll(INCLUDED)].map(([, name = '']) => baseOf(name)))
    for (const definition of deviceMembersIn(code)) {
      const seen = texts.filter(other => other.file === file || includes.has(baseOf(other.file)))
      for (const other of seen) {
        const at = declarationWithoutWords(other, definition, macros)
        if (at === undefined) continue
        add(other.file, at, ON_BOTH_SIDES)
        add(file, definition.start, definition.isInline ? ON_BOTH_SIDES : DEFINED_ON_BOTH_SIDES)
      }
    }
  }
  const changed = texts.flatMap(({ file, text }): [string, string][] => {
    const found = edits.get(file)
    return found ? [[file, edited(text, found)]] : []
  })
  return changed.length > 0 ? { ...files, ...Object.fromEntries(changed) } : files
}

interface MemberDefinition {
  readonly scope: string
  readonly name: string
  readonly parameters: readonly string[]
  /** Behind `template <...>`. */
  readonly start: number
  readonly isInline: boolean
}

/** Members that are defined with `__device__` outside of their classes. */
function* deviceMembersIn(code: string): Generator<MemberDefinition> {
  if (!code.includes('__device__')) return
  for (const { 0: found, index, 1: scope = '', 2: name = '' } of code.matchAll(MEMBER)) {
    const begin = beginningOf(code, index)
    const before = code.slice(begin, index)
    if (!/\b__device__\b/.test(before) || /[=(]/.test(before.replace(/^\s*template\s*<[^{}]*?>/, ''))) continue
    const open = index + found.length
    const close = closingParenthesis(code, open)
    if (close === undefined || !/^[{:](?!:)/.test(code.slice(endOf(code, close + 1)))) continue
    const isInline = /\b(?:inline|__forceinline__|__inline__|template)\b/.test(before)
    const parameters = parametersOf(code.slice(open, close))
    yield { scope, name, parameters, start: behindTemplate(code, begin), isInline }
  }
}

/** The place in front of the declaration in the class, where that has no such word. */
function declarationWithoutWords(
  { code, scopeAt }: { readonly code: string; readonly scopeAt: ReturnType<typeof scopesOf> },
  { scope, name, parameters }: MemberDefinition,
  macros: ReadonlySet<string>,
): number | undefined {
  if (!new RegExp(`\\b(?:class|struct)\\b[^;{}()]*\\b${scope}\\b`).test(code)) return undefined
  const named = new RegExp(`(?<![\\w~])${name.replace(/[^\w~]/g, '\\$&')}\\s*\\(`, 'g')
  for (const { 0: found, index } of code.matchAll(named)) {
    if (scopeAt(index) !== scope) continue
    const open = index + found.length
    const close = closingParenthesis(code, open)
    if (close === undefined || code[endOf(code, close + 1)] !== ';') continue
    if (!isSame(parameters, parametersOf(code.slice(open, close)))) continue
    const begin = beginningOf(code, index)
    const words = code.slice(begin, index).match(/\w+/g) ?? []
    if (words.some(word => WORD.test(word) || word === 'friend' || macros.has(word))) return undefined
    return behindTemplate(code, begin)
  }
  return undefined
}

/** `__device__` and what a program's macros have it in, each with the words that it stands for. */
type Marks = ReadonlyMap<string, string>

function marksOf(codes: readonly string[]): Marks {
  const marks = new Map([['__device__', '__device__']])
  for (const code of codes) {
    for (const { 0: line, 1: name = '' } of code.matchAll(MACRO)) if (line.includes('__device__')) marks.set(name, line)
  }
  return marks
}

const oneOf = (marks: Marks): RegExp => new RegExp(`\\b(?:${[...marks.keys()].join('|')})\\b`, 'g')

/** Of functions that are defined elsewhere. */
function* declarationsIn(file: string, code: string, marks: Marks): Generator<Declaration> {
  let scopeAt: ReturnType<typeof scopesOf> | undefined
  let last = 0
  for (const { 0: mark, index } of code.matchAll(oneOf(marks))) {
    const open = code.indexOf('(', index)
    if (open < last || open < 0) continue
    last = open
    const name = NAMED.exec(code.slice(index, open))?.[1]
    const close = closingParenthesis(code, open + 1)
    if (name === undefined || close === undefined) continue
    if (/[;{}=]/.test(code.slice(index, open)) || code[endOf(code, close + 1)] !== ';') continue
    scopeAt ??= scopesOf(code)
    const scope = scopeAt(index)
    if (scope === undefined) continue
    const before = beginningOf(code, index)
    const isHost = /\b__host__\b/.test(code.slice(before, open) + marks.get(mark))
    const words = isHost ? '__host__ __device__' : '__device__'
    yield { file, name, scope, parameters: parametersOf(code.slice(open + 1, close)), words }
  }
}

function editsOf(code: string, marks: Marks, declaredAs: (name: string) => readonly Declaration[]): Edit[] {
  const edits: Edit[] = []
  const marked = new RegExp(oneOf(marks).source)
  let scopeAt: ReturnType<typeof scopesOf> | undefined
  for (const { 0: found, index, 1: name = '' } of code.matchAll(/\b(\w+)\s*\(/g)) {
    const declared = declaredAs(name)
    if (declared.length === 0) continue
    const open = index + found.length
    const close = closingParenthesis(code, open)
    if (close === undefined || !/^[{:](?!:)/.test(code.slice(endOf(code, close + 1)))) continue
    const start = beginningOf(code, index)
    const before = code.slice(start, index)
    if (!isDeclaration(before) || marked.test(before) || before.includes('__global__')) continue
    const isHost = before.includes('__host__')
    scopeAt ??= scopesOf(code)
    const qualifier = /(\w+)\s*(?:<(?:[^<>]|<[^<>]*>)*>)?\s*::\s*$/.exec(before)?.[1]
    const scope = qualifier ?? scopeAt(index)
    const parameters = parametersOf(code.slice(open, close))
    const same = declared.find(each => each.scope === scope && isSame(each.parameters, parameters))
    // The host's own function beside the device's is another one, to both compilers.
    if (same && !(isHost && same.words === '__device__'))
      edits.push({ at: behindTemplate(code, start), length: 0, text: `${isHost ? '__device__' : same.words} ` })
  }
  return edits
}

/** A type, at least, and nothing that stands in expressions. */
const isDeclaration = (before: string): boolean =>
  /[\w>*&]\s*(?:[\w<>,\s]*::\s*)?$/.test(before) &&
  before.trim() !== '' &&
  /^[\s\w:<>,*&=[\]]*$/.test(before) &&
  !/\b(?:return|else|new|case|throw|using|typedef|do|goto)\b/.test(before)

const endOf = (code: string, from: number): number => {
  BEHIND.lastIndex = from
  return from + (BEHIND.exec(code)?.[0].length ?? 0)
}

/** The place behind what ends in front of `at`. */
export function beginningOf(code: string, at: number): number {
  const from = Math.max(0, at - 1000)
  let start = from
  for (const { 0: text, index } of code.slice(from, at).matchAll(BEFORE)) start = from + index + text.length
  return start
}

/** Behind `template <...>`, in front of the first word. */
export function behindTemplate(code: string, from: number): number {
  const blank = /\s*/y
  blank.lastIndex = from
  const start = from + blank.exec(code)![0].length
  const template = /template\s*</y
  template.lastIndex = start
  if (!template.test(code)) return start
  let depth = 1
  let at = template.lastIndex
  for (; depth > 0 && at < code.length; at++) depth += code[at] === '<' ? 1 : code[at] === '>' ? -1 : 0
  return behindTemplate(code, at)
}

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The last such word: those in front are template parameters. */
const SCOPE = /^[\s\S]*\b(?:class|struct|union|namespace)\b(?:\s|__\w+(?:\([^()]*\))?)*(\w*)[^;{}()]*$/
/** `extern "C"`, whose text is blank here. */
const LINKAGE = /\bextern\s*$/

/** The name of the innermost class or namespace around a place; undefined in a function's body and other braces. */
function scopesOf(code: string): (at: number) => string | undefined {
  const places: { readonly at: number; readonly scope: string | undefined }[] = [{ at: 0, scope: '' }]
  const stack: (string | undefined)[] = ['']
  for (const { 0: brace, index } of code.matchAll(/[{}]/g)) {
    if (brace === '}') {
      if (stack.length > 1) stack.pop()
    } else {
      const outer = stack.at(-1)
      const head = code.slice(beginningOf(code, index), index)
      const named = SCOPE.exec(head)?.[1]
      stack.push(outer === undefined || LINKAGE.test(head) ? outer : (named ?? undefined))
    }
    places.push({ at: index, scope: stack.at(-1) })
  }
  return at => {
    let [low, high] = [0, places.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (places[middle]!.at < at) low = middle
      else high = middle
    }
    return places[low]!.scope
  }
}

function parametersOf(list: string): string[] {
  const parts = partsOf(list, { at: 0, end: list.length }, '([{<', ')]}>').map(({ at, end }) => list.slice(at, end))
  const types = parts.map(part => (part.replace(/=.*$/s, '').match(/\w+|[^\s\w]/g) ?? []).join(' '))
  return types.length === 1 && /^(?:void)?$/.test(types[0]!) ? [] : types
}

/** A parameter's name may be missing, or another one. */
const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length &&
  left.every((type, index) => spellings(type).some(each => spellings(right[index]!).includes(each)))

const BUILT_IN = /^(?:unsigned|signed|int|long|short|char|float|double|bool|const|volatile|auto)$/

function spellings(parameter: string): string[] {
  const words = withoutOwnConst(parameter.split(' '))
  const last = words.at(-1)!
  const canBeName = words.length > 1 && /^\w+$/.test(last) && !BUILT_IN.test(last) && words.at(-2) !== ':'
  return [words.join(' '), ...(canBeName ? [words.slice(0, -1).join(' ')] : [])]
}

/** A parameter's own `const` is no part of its function's type: what stands behind its last `*`, or anywhere where there is none. */
function withoutOwnConst(words: readonly string[]): string[] {
  const star = words.findLastIndex(word => /[*&[]/.test(word))
  return words.filter((word, index) => word !== 'const' || index < star)
}
