/**
 * Inline assembly that names an operand which it does not have (`asm("not.b32 %0, %1, %2;" : "=r"(d) : "r"(a))`). nvcc finds that out where
 * the function is compiled, clang wherever it stands: headers of arithmetic have such functions, which nobody calls. The copy that is
 * compiled has a register of that name, which no instruction takes: what is called is refused by its text.
 * In: clang's errors and the sources. Out: the sources with these registers; lines stay where they are.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { repairAtErrors } from './repairAtErrors.ts'

const NO_OPERAND = /^invalid operand number in inline asm string$/

/** The sources with a register in place of each such operand; undefined where there is none. */
export function repairOperands(
  files: FileTree,
  errors: readonly Diagnostic[],
  workingDirectory: string,
): FileTree | undefined {
  const missing = errors.filter(({ message }) => NO_OPERAND.test(message))
  const backwards = missing.toSorted((a, b) => (b.range?.column ?? 0) - (a.range?.column ?? 0))
  return repairAtErrors(files, backwards, workingDirectory, (text, { line, column }) => {
    const lines = text.split('\n')
    const row = lines[line - 1] ?? ''
    // clang points at the number; its columns count bytes, so that behind others than ASCII's nothing is found.
    const sign = column - 2
    if (!/^%\d/.test(row.slice(sign)) || row[sign - 1] === '%') return undefined
    return lines.with(line - 1, `${row.slice(0, sign)}%${row.slice(sign)}`).join('\n')
  })
}
