/**
 * `sizeof` of a variable that is a pointer, which is 4 here and 8 on a machine with a GPU: mostly a mistake for the size of what it points
 * to (`for (i = 1; i < sizeof(d_in); i *= 2)`; reading: s34-sd-scan). In: the user's files. Out: a warning for each line; none where a
 * pointer itself is copied (`cudaMemcpyToSymbol(list, &head, sizeof(head))`).
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { isOwn } from '../sources/ownFiles.ts'
import { closingBrace, closingParenthesis, rangeAt, statementAround, withoutTexts } from '../sources/textEdits.ts'

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
  const declarations = new Map<string, readonly Declaration[]>()
  for (const match of code.matchAll(SIZE)) {
    const name = match[1] ?? match[2]!
    const at = match.index
    if (!declarations.has(name)) declarations.set(name, declarationsOf(name, code))
    const seen = declarations.get(name)!.findLast(({ from, to }) => from <= at && at < to)
    if (!seen?.isPointer || new RegExp(`&\\s*${name}\\b`).test(statementAround(code, at))) continue
    const range = rangeAt(file, code, at)
    if (found.some(other => other.range?.line === range.line)) continue
    found.push({
      code: 'pointer-size',
      severity: 'warning',
      message: `sizeof(${name}) is the size of a pointer, 4 here and 8 on a machine with a GPU`,
      range,
    })
  }
  return found
}

interface Declaration {
  /** Where the name means this. */
  readonly from: number
  readonly to: number
  readonly isPointer: boolean
}

function declarationsOf(name: string, code: string): Declaration[] {
  const declarations = new RegExp(
    `([;{}(,])\\s*(?:${TYPE}(\\s*\\*+${QUALIFIERS}\\s*|\\s+)|(\\*+${QUALIFIERS}\\s*))${name}\\s*([[,;=)])`,
    'g',
  )
  return [...code.matchAll(declarations)].flatMap(found => {
    const [whole, before, type, stars, behind] = found
    const end = found.index + whole.length
    // Of `float *a, *b;` the second has no type.
    if (stars !== undefined && before !== ',') return []
    const isParameter = stars === undefined && (before === '(' || before === ',')
    const body = isParameter ? bodyBehind(code, end, behind === ')') : end
    if (body === undefined) return []
    const isPointer = (stars ?? type!).includes('*') && behind !== '['
    return [{ from: body, to: closingBrace(code, body) ?? code.length, isPointer }]
  })
}

/** Of a parameter: where the block begins behind its list. */
function bodyBehind(code: string, end: number, isLast: boolean): number | undefined {
  const close = isLast ? end - 1 : closingParenthesis(code, end)
  const body = close === undefined ? null : /^\s*\{/.exec(code.slice(close + 1))
  return body === null ? undefined : close! + 1 + body[0].length
}
