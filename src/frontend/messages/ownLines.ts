/**
 * Lines of the source that clang shows with its messages: those of the copy that it compiled have other types, constants and formats
 * (wideLongs.ts, wideSizes.ts, repairFormats.ts). In: what clang was told of, and the user's files. Out: the same with the user's lines.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { resolvePath } from '../sources/paths.ts'

/** `file:line:column: error: ...`; and a line of it, as clang shows it below. */
const HEADING = /^(.+?):(\d+):\d+: /
const SHOWN = /^( *)(\d+) \| (.*)$/

export function withOwnLines(
  diagnostics: readonly Diagnostic[],
  files: FileTree,
  workingDirectory: string,
): Diagnostic[] {
  const paths = new Map(Object.keys(files).map(path => [resolvePath(workingDirectory, path), path]))
  const lines = new Map<string, readonly string[]>()
  const lineOf = (file: string, line: number): string | undefined => {
    const path = paths.get(resolvePath(workingDirectory, file))
    const text = path === undefined ? undefined : files[path]
    if (path === undefined || typeof text !== 'string') return undefined
    const known = lines.get(path) ?? text.split(/\r?\n/)
    lines.set(path, known)
    return known[line - 1]
  }
  const render = (rendered: string): string => {
    let file: string | undefined
    const shown = rendered.split('\n').map(row => {
      file = HEADING.exec(row)?.[1] ?? file
      const [, indent = '', line = ''] = SHOWN.exec(row) ?? []
      const own = file !== undefined && line ? lineOf(file, Number(line)) : undefined
      return own === undefined ? row : `${indent}${line} | ${own}`
    })
    return shown.join('\n')
  }
  return diagnostics.map(each => (each.rendered === undefined ? each : { ...each, rendered: render(each.rendered) }))
}
