/**
 * Inline assembly without a comma between two operands (`: "r"(address) "r"(value)`): nvcc takes it, clang wants the comma.
 * In: clang's errors and the sources. Out: the sources with commas in that statement; lines stay where they are.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { edited, statementAround } from '../sources/textEdits.ts'
import { repairAtErrors } from './repairAtErrors.ts'

const NO_COMMA = /^expected '\)'$/
/** The end of one operand and the constraint of the next. */
const OPERANDS = /\)(?=\s*"[=+&%]*\w+"\s*\()/g

/** The sources with the commas that `errors` miss between operands; undefined where they do nowhere. */
export function repairCommas(
  files: FileTree,
  errors: readonly Diagnostic[],
  workingDirectory: string,
): FileTree | undefined {
  return repairAtErrors(files, errors, workingDirectory, (text, { line, column }, { message }) => {
    if (!NO_COMMA.test(message)) return undefined
    const place = text.split('\n', line - 1).reduce((at, row) => at + row.length + 1, 0) + column - 1
    // In front of the constraint that clang points at stand blanks, and the operand that ends there.
    const from = text.slice(0, place).trimEnd().length - 1
    if (text[place] !== '"' || !/\basm\b|\b__asm(?:__)?\b/.test(statementBefore(text, place))) return undefined
    const rest = text.slice(from, text.indexOf(';', place))
    return edited(
      text,
      [...rest.matchAll(OPERANDS)].map(({ index }) => ({ at: from + index + 1, length: 0, text: ',' })),
    )
  })
}

/** The assembly's own text has semicolons and braces: what is in literals does not count. */
const statementBefore = (text: string, place: number): string => {
  const code = text.replace(/"(?:\\.|[^"\\\n])*"/g, literal => `"${' '.repeat(literal.length - 2)}"`)
  return statementAround(code, place)
}
