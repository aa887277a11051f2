/**
 * `main(void) { ... }` without its type: clang wants one of every declaration, GCC and nvcc take int for main (nvcc's warning 938).
 * In: clang's errors and the sources. Out: the sources with the word; lines stay where they are.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { repairAtErrors } from './repairAtErrors.ts'

const NO_TYPE = /^a type specifier is required for all declarations$/
const MAIN = /^main\s*\(/

/** The sources with `int` where `errors` miss the type of main; undefined where they do nowhere. */
export function repairMain(
  files: FileTree,
  errors: readonly Diagnostic[],
  workingDirectory: string,
): FileTree | undefined {
  return repairAtErrors(files, errors, workingDirectory, (text, { line, column }, { message }) => {
    const lines = text.split('\n')
    const row = lines[line - 1] ?? ''
    // clang's columns count bytes; in front of main there are blanks.
    const place = column - 1
    if (!NO_TYPE.test(message) || !MAIN.test(row.slice(place))) return undefined
    return lines.with(line - 1, `${row.slice(0, place)}int ${row.slice(place)}`).join('\n')
  })
}
