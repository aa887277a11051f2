/**
 * Sources mended where clang says what is wrong, for those of its errors that nvcc does not have. In: the sources, clang's errors, and a
 * repair of one of them. Out: the sources with what could be repaired; undefined where nothing could.
 */
import type { Diagnostic, SourceRange } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { resolvePath } from '../sources/paths.ts'
import { repairSource } from '../sources/virtualFiles.ts'

/** @param repair of a source's text, as clang sees it, at one error's place; undefined where that is none of its errors, or cannot be helped */
export function repairAtErrors(
  files: FileTree,
  errors: readonly Diagnostic[],
  workingDirectory: string,
  repair: (text: string, range: SourceRange, error: Diagnostic) => string | undefined,
): FileTree | undefined {
  const names = new Map(Object.keys(files).map(path => [resolvePath(workingDirectory, path), path]))
  const result: Record<string, string | Uint8Array> = { ...files }
  let isChanged = false
  for (const error of errors) {
    const { range } = error
    const path = range && names.get(resolvePath(workingDirectory, range.file))
    const text = path === undefined ? undefined : result[path]
    if (!range || path === undefined || typeof text !== 'string') continue
    const before = repairSource(text)
    const repaired = repair(before, range, error)
    if (repaired === undefined || repaired === before) continue
    result[path] = repaired
    isChanged = true
  }
  return isChanged ? result : undefined
}
