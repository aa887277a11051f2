/**
 * `template <class T> int A<T>::f(int x = 0) { ... }`: a default value that a member of a class template gets only where it is defined,
 * behind the class. clang takes none there, nvcc does. The copy that is compiled has it in the class.
 * In: clang's errors and the sources. Out: the sources with the values moved; lines stay where they are.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { isOwn } from '../sources/ownFiles.ts'
import { resolvePath } from '../sources/paths.ts'
import { closingBrace, closingParenthesis, edited, type Part, partsOf, withoutTexts } from '../sources/textEdits.ts'
import { repairSource } from '../sources/virtualFiles.ts'

const ADDED = /^default arguments cannot be added to an out-of-line definition of a member of a class template/

interface Default {
  /** Of the class; the arguments of a specialisation without blanks, '' of the template itself. */
  readonly name: string
  readonly specialization: string
  readonly member: string
  readonly count: number
  /** Which parameter it is of, and `= value`. */
  readonly index: number
  readonly value: string
}

/** The sources with every such value of which `errors` tell; undefined where none can be helped. */
export function repairDefaults(
  files: FileTree,
  errors: readonly Diagnostic[],
  workingDirectory: string,
): FileTree | undefined {
  const names = new Map(Object.keys(files).map(path => [resolvePath(workingDirectory, path), path]))
  const result: Record<string, string | Uint8Array> = { ...files }
  let isChanged = false
  // From the last to the first: what goes moves what is behind it.
  for (const { message, range } of [...errors].sort((a, b) => (b.range?.column ?? 0) - (a.range?.column ?? 0))) {
    const path = range && ADDED.test(message) ? names.get(resolvePath(workingDirectory, range.file)) : undefined
    const text = path === undefined ? undefined : result[path]
    if (!range || path === undefined || typeof text !== 'string') continue
    const source = repairSource(text)
    const found = defaultAt(source, range.line, range.column)
    if (found === undefined) continue
    result[path] = edited(source, [{ at: found.at, length: found.end - found.at, text: '' }])
    for (const [other, contents] of Object.entries(result))
      if (isOwn(other, contents)) result[other] = withDefault(contents, found.value)
    isChanged = true
  }
  return isChanged ? result : undefined
}

/** `line` and `column` are those of the parameter's name, or of its type where it has none. */
function defaultAt(text: string, line: number, column: number): (Part & { readonly value: Default }) | undefined {
  const code = withoutTexts(text)
  const before = code.split('\n', line - 1).join('\n').length + (line > 1 ? 1 : 0)
  const place = before + column - 1
  let depth = 1
  let open = place - 1
  for (; open >= 0; open--) {
    depth += code[open] === '(' ? -1 : code[open] === ')' ? 1 : 0
    if (depth === 0) break
  }
  const close = closingParenthesis(code, open + 1)
  const named = /(\w+)\s*(<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>)\s*::\s*(~?\w+|operator\s*\S+?)\s*$/.exec(
    code.slice(0, open),
  )
  if (open < 0 || close === undefined || named === null) return undefined
  const parts = partsOf(code, { at: open + 1, end: close })
  const index = parts.findIndex(({ at, end }) => at <= place && place < end)
  const part = parts[index]
  const equals = part && code.slice(part.at, part.end).indexOf('=')
  if (part === undefined || equals === undefined || equals < 0) return undefined
  const at = part.at + equals
  const [, name = '', list = '', member = ''] = named
  const value = { name, specialization: withoutBlanks(list), member, count: parts.length, index }
  return { at, end: part.end, value: { ...value, value: text.slice(at, part.end) } }
}

/** With the value in the class, where the text has it. */
function withDefault(text: string, wanted: Default): string {
  if (!text.includes(wanted.name) || !text.includes(wanted.member)) return text
  const code = withoutTexts(text)
  const heads = [
    ...code.matchAll(new RegExp(`\\b(?:class|struct)\\s+(?:\\w+\\s+)*${wanted.name}\\s*([^;{}()]*)\\{`, 'g')),
  ]
  const specialized = heads.filter(({ 1: behind = '' }) => withoutBlanks(behind).startsWith(wanted.specialization))
  // `A<T>::f` is a member of the template itself.
  const general = heads.filter(({ 1: behind = '' }) => !behind.startsWith('<'))
  const [head] = specialized.length > 0 ? specialized : general
  const body = head && head.index + head[0].length
  const end = body && closingBrace(code, body)
  if (body === undefined || end === undefined) return text
  const call = new RegExp(`(?<![\\w.>:])${wanted.member.replace(/[^\w\s]/g, '\\$&')}\\s*\\(`, 'g')
  for (const { 0: found, index } of code.slice(body, end).matchAll(call)) {
    const open = body + index + found.length
    const close = closingParenthesis(code, open)
    const parts = close === undefined ? [] : partsOf(code, { at: open, end: close })
    const part = parts[wanted.index]
    if (parts.length !== wanted.count || part === undefined || code.slice(part.at, part.end).includes('=')) continue
    return edited(text, [{ at: part.end, length: 0, text: ` ${wanted.value}` }])
  }
  return text
}

const withoutBlanks = (text: string): string => text.replace(/\s/g, '')
