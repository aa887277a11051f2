/**
 * `sizeof` of a variable that is a pointer, which is 4 here and 8 on a machine with a GPU: mostly a mistake for the size of what it points
 * to (`for (i = 1; i < sizeof(d_in); i *= 2)`; reading: s34-sd-scan). In: the user's files. Out: a warning for each line; none where a
 * pointer itself is copied (`cudaMemcpyToSymbol(list, &head, sizeof(head))`).
 */
import type { Diagnostic } from '../diagnostic.ts'
import type { FileTree } from './clang.ts'
import { closingBrace, closingParenthesis, withoutTexts } from './textEdits.ts'
import { isOwn } from './wideLongs.ts'

const SIZE = /\bsizeof\s*(?:\(\s*([A-Za-z_]\w*)\s*\)|\s([A-Za-z_]\w*)\b(?!\s*(?:\[|->|\.|\()))/g
const TYPE =
  '(?:(?:const|volatile|unsigned|signed|struct|static|register)\\s+)*[A-Za-z_][\\w:]*(?:<[^<>;{}]*>)?(?:\\s+(?:const|int|char|long|short|double))*'
const QUALIFIERS = '(?:\\s*(?:const|volatile|restrict|__restrict(?:__)?))*'

export function findPointerSizes(files: FileTree): Diagnostic[] {
  return Object.entries(files).flatMap(([file, text]) =>
    isOwn(file, text) && text.includes('sizeof') ? sizesIn(file, withoutTexts(text)) : [],
  )
}

function sizesIn(file: string, code: string): Diagnostic[] {
  const found: Diagnostic[] = []
  for (const match of code.matchAll(SIZE)) {
    const name = match[1] ?? match[2]!
    const start = Math.max(...[';', '{', '}'].map(end => code.lastIndexOf(end, match.index))) + 1
    const end = code.indexOf(';', match.index)
    const statement = code.slice(start, end < 0 ? undefined : end)
    if (new RegExp(`&\\s*${name}\\b`).test(statement) || !isPointer(name, match.index, code)) continue
    const before = code.slice(0, match.index)
    const line = before.split('\n').length
    if (found.some(({ range }) => range?.line === line)) continue
    found.push({
      code: 'pointer-size',
      severity: 'warning',
      message: `sizeof(${name}) is the size of a pointer, 4 here and 8 on a machine with a GPU`,
      range: { file, line, column: match.index - before.lastIndexOf('\n') },
    })
  }
  return found
}

/** Whether the last declaration of a variable that a place can see is a pointer's. */
function isPointer(name: string, at: number, code: string): boolean {
  const declarations = new RegExp(
    `([;{}(,])\\s*(?:${TYPE}(\\s*\\*+${QUALIFIERS}\\s*|\\s+)|(\\*+${QUALIFIERS}\\s*))${name}\\s*([[,;=)])`,
    'g',
  )
  let last = false
  for (const found of code.slice(0, at).matchAll(declarations)) {
    const [whole, before, type, stars, behind] = found
    const end = found.index + whole.length
    // Of `float *a, *b;` the second has no type.
    if (stars !== undefined && before !== ',') continue
    const isParameter = stars === undefined && (before === '(' || before === ',')
    if (isParameter ? !isInBody(code, end, behind === ')', at) : !isInBlock(code, end, at)) continue
    last = (stars ?? type!).includes('*') && behind !== '['
  }
  return last
}

/** Of a parameter: in the block behind its list. */
function isInBody(code: string, end: number, isLast: boolean, at: number): boolean {
  const close = isLast ? end - 1 : closingParenthesis(code, end)
  if (close === undefined) return false
  const body = /^\s*\{/.exec(code.slice(close + 1))
  const start = close + 1 + (body?.[0].length ?? 0)
  return body !== null && start <= at && at < (closingBrace(code, start) ?? -1)
}

/** Of a variable: before the end of the block around it. */
const isInBlock = (code: string, end: number, at: number): boolean => at < (closingBrace(code, end) ?? code.length)
