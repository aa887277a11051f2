/**
 * `main(void) { ... }` without its type: clang wants one of every declaration, GCC and nvcc take int for main (nvcc's warning 938).
 * In: clang's errors and the sources. Out: the sources with the word; lines stay where they are.
 */
import type { Diagnostic } from '../diagnostic.ts'
import type { FileTree } from './clang.ts'
import { resolvePath } from './paths.ts'

const NO_TYPE = /^a type specifier is required for all declarations$/
const MAIN = /^main\s*\(/

/** The sources with `int` where `errors` miss the type of main; undefined where they do nowhere. */
export function repairMain(
  files: FileTree,
  errors: readonly Diagnostic[],
  workingDirectory: string,
): FileTree | undefined {
  const untyped = errors.filter(({ message }) => NO_TYPE.test(message))
  if (untyped.length === 0) return undefined
  const result: Record<string, string | Uint8Array> = { ...files }
  let isChanged = false
  for (const [path, text] of Object.entries(files)) {
    if (typeof text !== 'string') continue
    const lines = text.split('\n')
    for (const { range } of untyped) {
      if (!range || resolvePath(workingDirectory, range.file) !== resolvePath(workingDirectory, path)) continue
      const line = lines[range.line - 1] ?? ''
      // clang's columns count bytes; in front of main there are blanks.
      const place = range.column - 1
      if (!MAIN.test(line.slice(place))) continue
      lines[range.line - 1] = `${line.slice(0, place)}int ${line.slice(place)}`
      isChanged = true
    }
    result[path] = lines.join('\n')
  }
  return isChanged ? result : undefined
}
