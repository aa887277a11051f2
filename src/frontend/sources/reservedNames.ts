/**
 * Our headers with names that no macro of a program's has: a program may say `#define N 1024` or `-DT=float` and include them
 * afterwards, and they call template parameters and types T and N, as people do. In: our headers. Out: the same with reserved names for
 * those of one capital letter, which programs were seen to define. Other letters are pieces of names (`cublas##S##gemm`).
 */
import type { FileTree } from '../clang/clang.ts'
import { edited, withoutTexts } from './textEdits.ts'

/** Up to the first parameter that is a list itself, and behind one. */
const PARAMETERS = /\btemplate\s*<[^(){};]*/g
const PARAMETER = /\b(?:class|typename|int|unsigned|bool|size_t)(?:\s+|\s*\.\.\.\s*)([A-Z])(?!\w)/g
/** A type's own name. */
const TYPE = /\b(?:typedef\b[^;{}]*\s|using\s+(?=[A-Z]\s*=))()([A-Z])(?=\s*[;=])/g
/** Whether a macro of ours makes names of the letter. */
const isPiece = (code: string, letter: string): boolean =>
  new RegExp(`^\\w+\\((?:[^()]*,\\s*)?${letter}\\s*[,)]`, 'm').test(code)
const renamed = new WeakMap<FileTree, FileTree>()

export function withReservedNames(headers: FileTree): FileTree {
  const known = renamed.get(headers)
  if (known !== undefined) return known
  const result = Object.fromEntries(
    Object.entries(headers).map(([path, text]) => [path, typeof text === 'string' ? withReserved(text) : text]),
  )
  renamed.set(headers, result)
  return result
}

/** Text of clang's about our headers, in their own words. */
export const headersAsWritten = (text: string): string => text.replace(/\b_([A-Z])_w\b/g, '$1')

function withReserved(text: string): string {
  const code = withoutTexts(text)
  const lists = [...code.matchAll(PARAMETERS)].map(([list]) => list).join('\n')
  const found = [...lists.matchAll(PARAMETER), ...code.matchAll(TYPE)]
  const own = new Set(found.map(([, parameter, type = parameter]) => type!))
  for (const letter of own) if (isPiece(code, letter)) own.delete(letter)
  if (own.size === 0) return text
  const letters = [...code.matchAll(new RegExp(`(?<![\\w.])[${[...own].join('')}](?!\\w)`, 'g'))]
  return edited(
    text,
    letters.map(({ 0: letter, index }) => ({ at: index, length: 1, text: `_${letter}_w` })),
  )
}
