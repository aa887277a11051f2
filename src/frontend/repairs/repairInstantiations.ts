/**
 * `template float f<float>(float);` and `template <> float f(float x) { ... }` of a template that is `__device__`, without that word: to
 * nvcc they are what their template is; clang finds no template that fits. The copy that is compiled has the template's words.
 * In: clang's errors and the sources. Out: the sources with the words; lines stay where they are.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { resolvePath } from '../sources/paths.ts'
import { withoutTexts } from '../sources/textEdits.ts'
import { beginningOf, behindTemplate, MACRO, WORD } from './redeclaredFunctions.ts'
import { repairAtErrors } from './repairAtErrors.ts'

const NO_TEMPLATE =
  /^(?:explicit instantiation of '.*' does not refer to a function template\b|no function template matches function template specialization ')/
const CANDIDATE = /^(.+?):(\d+):(\d+): note: candidate template ignored: target attributes do not match/m

/** The sources with the words that `errors` miss; undefined where they do nowhere. */
export function repairInstantiations(
  files: FileTree,
  errors: readonly Diagnostic[],
  workingDirectory: string,
): FileTree | undefined {
  const texts = new Map(Object.entries(files).map(([path, text]) => [resolvePath(workingDirectory, path), text]))
  const wordsAt = (file: string, line: number, column: number): string => {
    const text = texts.get(resolvePath(workingDirectory, file))
    return typeof text === 'string' ? wordsOf(withoutTexts(text), line, column) : ''
  }
  const backwards = errors.toSorted((a, b) => (b.range?.column ?? 0) - (a.range?.column ?? 0))
  return repairAtErrors(files, backwards, workingDirectory, (text, { line, column }, { message, rendered = '' }) => {
    const [, file = '', row, place] = (NO_TEMPLATE.test(message) && CANDIDATE.exec(rendered)) || []
    const words = wordsAt(file, Number(row), Number(place))
    if (words === '') return undefined
    const code = withoutTexts(text)
    const at = placeOf(code, line, column)
    const start = behindTemplate(code, beginningOf(code, at))
    const isBare = !code
      .slice(start, at)
      .match(/\w+/g)
      ?.some(word => WORD.test(word))
    const behind = start + (/^(?:extern\s+)?template\b/.exec(code.slice(start, at))?.[0].length ?? 0)
    return isBare ? `${text.slice(0, behind)} ${words} ${text.slice(behind)}` : undefined
  })
}

/** The attributes in front of a declaration's name, in its file's words. */
function wordsOf(code: string, line: number, column: number): string {
  const at = placeOf(code, line, column)
  const macros = new Set([...code.matchAll(MACRO)].map(([, name = '']) => name))
  const words = code.slice(beginningOf(code, at), at).match(/\w+/g) ?? []
  return words.filter(word => WORD.test(word) || macros.has(word)).join(' ')
}

/** clang's columns count bytes; in front of such names there are none but ASCII's. */
function placeOf(code: string, line: number, column: number): number {
  const before = code.split('\n').slice(0, line - 1)
  return before.reduce((sum, row) => sum + row.length + 1, 0) + column - 1
}
