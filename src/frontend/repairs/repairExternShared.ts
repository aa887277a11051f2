/**
 * `extern __shared__ int last;`: one value, not an array whose size the launch gives. nvcc takes it for a static variable (warning 20044),
 * clang for an error. The copy that is compiled has blanks for `extern`.
 * In: clang's errors and the sources. Out: the sources without these words; lines and columns stay where they are.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { repairAtErrors } from './repairAtErrors.ts'

const EXTERNAL = /^__shared__ variable '.*' cannot be 'extern'$/
/** The last one in front of where the error is, or the first behind: the words may stand in either order. */
const BEFORE = /\bextern\b(?!.*\bextern\b)/
const BEHIND = /\bextern\b/

/** The sources without the words that `errors` tell of; undefined where there are none. */
export function repairExternShared(
  files: FileTree,
  errors: readonly Diagnostic[],
  workingDirectory: string,
): FileTree | undefined {
  return repairAtErrors(files, errors, workingDirectory, (text, { line, column }, { message }) => {
    if (!EXTERNAL.test(message)) return undefined
    const lines = text.split('\n')
    const row = lines[line - 1] ?? ''
    const [before, behind] = [row.slice(0, column - 1), row.slice(column - 1)]
    const blank = (part: string, word: RegExp): string => part.replace(word, found => ' '.repeat(found.length))
    const repaired = BEFORE.test(before) ? blank(before, BEFORE) + behind : before + blank(behind, BEHIND)
    return lines.with(line - 1, repaired).join('\n')
  })
}
