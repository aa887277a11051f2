/**
 * What one source of a program compiles to for one side, kept by everything that it depends on: of a program of many files only
 * those that a change reaches are compiled again, and programs that share files share the work.
 */
import { CLANG_VERSION, type FileTree } from '../clang/clang.ts'
import { collectFiles, type FileSearch, LIBRARY_DIR, readerOf } from '../sources/includes.ts'
import { HEADER_ROOT } from '../sources/virtualFiles.ts'

export interface Unit {
  /** An object, or text of LLVM IR. */
  readonly output: Uint8Array
  /** What clang said: warnings. */
  readonly messages: string
}

/** `identity` is a text that determines the unit; implementations hash it. Neither call throws. */
export interface UnitCache {
  load(identity: string): Promise<Unit | undefined>
  store(identity: string, unit: Unit): Promise<void>
}

/** Whether a source is ours, the same for all programs. */
export const isOwnSource = (source: string): boolean => source.startsWith(`${HEADER_ROOT}/`)

/** Changes when the meaning of a kept unit does for a reason that the identity does not show. */
const REVISION = 18

/**
 * The identity of what a `clang -cc1` command makes of its source, which `sourceOf` names, in a world of these files. What our own
 * sources compile to is of no folder, and serves programs everywhere.
 */
export function unitIdentities(
  files: FileTree,
  headers: FileTree,
  search: Pick<FileSearch, 'includes' | 'includeDirs' | 'defines' | 'workingDirectory'>,
  sourceOf: (command: readonly string[]) => string,
): (command: readonly string[]) => string {
  const read = readerOf(files, search.workingDirectory)
  const own = JSON.stringify(headers)
  return command => {
    const sources = [sourceOf(command)]
    if (isOwnSource(sources[0]!)) return JSON.stringify([REVISION, CLANG_VERSION, command]) + own
    const opened = collectFiles({ ...search, sources, libraryDir: LIBRARY_DIR, read })
    return JSON.stringify([REVISION, CLANG_VERSION, command, search.workingDirectory, opened]) + own
  }
}
