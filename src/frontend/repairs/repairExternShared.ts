/**
 * `extern __shared__ int last;`, which is no array: nvcc takes it for a variable of the block as any other ("extern declaration … is treated as a
 * static definition", 20044-D), clang refuses it. In: clang's errors and the sources. Out: the sources with blanks for the word; lines and
 * columns stay where they are.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { repairAtErrors } from './repairAtErrors.ts'

const EXTERN_SHARED = /^__shared__ variable '.*' cannot be 'extern'$/
/** The last one in front of the variable, in its own statement. */
const WORD = /\bextern\b(?=[^;{}]*$)/

/** The sources without the words that `errors` tell of; undefined where there are none. */
export function repairExternShared(
  files: FileTree,
  errors: readonly Diagnostic[],
  workingDirectory: string,
): FileTree | undefined {
  const told = errors.filter(({ message }) => EXTERN_SHARED.test(message))
  return repairAtErrors(files, told, workingDirectory, (text, { line, column }) => {
    const lines = text.split('\n')
    const row = lines[line - 1] ?? ''
    const before = row.slice(0, column - 1)
    if (!WORD.test(before)) return undefined
    return lines.with(line - 1, before.replace(WORD, '      ') + row.slice(column - 1)).join('\n')
  })
}
