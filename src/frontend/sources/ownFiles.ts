/** Which of a program's files are the user's own, and a copy of the files in which those are changed. */
import type { FileTree } from '../clang/clang.ts'

/** Whether a file is the user's, and text. */
export const isOwn = (path: string, text: string | Uint8Array): text is string =>
  typeof text === 'string' && !path.startsWith('/usr/')

/** The files with the user's changed; undefined where none is. */
export function changeOwn(files: FileTree, change: (text: string, path: string) => string): FileTree | undefined {
  const changed = Object.entries(files).flatMap(([path, text]) => {
    if (!isOwn(path, text)) return []
    const now = change(text, path)
    return now === text ? [] : [[path, now] as const]
  })
  return changed.length > 0 ? { ...files, ...Object.fromEntries(changed) } : undefined
}
