/**
 * `const __restrict__ uint32_t *p`: the word stands on the element, which is no pointer. clang says so; nvcc says so of types that the
 * language names, and of a typedef passes the word over. So does the copy that is compiled.
 * In: clang's errors and the sources. Out: the sources with blanks for the words; lines and columns stay where they are.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { repairAtErrors } from './repairAtErrors.ts'

/** "aka": the type is a name for another one. */
const RESTRICTED_ELEMENT = /^restrict requires a pointer or reference \('.*' \(aka '.*'\) is invalid\)$/
const WORD = /^(?:__restrict__|__restrict)\b/

/** The sources without the words that `errors` tell of; undefined where there are none. */
export function repairRestrict(
  files: FileTree,
  errors: readonly Diagnostic[],
  workingDirectory: string,
): FileTree | undefined {
  return repairAtErrors(files, errors, workingDirectory, (text, { line, column }, { message }) => {
    const lines = text.split('\n')
    const row = lines[line - 1] ?? ''
    // clang's columns count bytes; in front of a parameter's type there are none but ASCII's.
    const [word] = (RESTRICTED_ELEMENT.test(message) && WORD.exec(row.slice(column - 1))) || []
    if (word === undefined) return undefined
    return lines
      .with(line - 1, `${row.slice(0, column - 1)}${' '.repeat(word.length)}${row.slice(column - 1 + word.length)}`)
      .join('\n')
  })
}
