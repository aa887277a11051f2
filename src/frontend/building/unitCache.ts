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

/** The user's files that the compilation of a source may open, each looked for once. */
export function openedFiles(
  files: FileTree,
  search: Pick<FileSearch, 'includes' | 'includeDirs' | 'defines' | 'workingDirectory'>,
): (source: string) => FileTree {
  const read = readerOf(files, search.workingDirectory)
  const found = new Map<string, FileTree>()
  return source => {
    const opened = found.get(source) ?? collectFiles({ ...search, sources: [source], libraryDir: LIBRARY_DIR, read })
    found.set(source, opened)
    return opened
  }
}

/**
 * The identity of what a `clang -cc1` command makes of its source, which `sourceOf` names and which opens what `openedBy` says. What our own
 * sources compile to is of no folder, and serves programs everywhere.
 */
export function unitIdentities(
  openedBy: (source: string) => FileTree,
  headers: FileTree,
  workingDirectory: string,
  sourceOf: (command: readonly string[]) => string,
): (command: readonly string[]) => string {
  const own = JSON.stringify(headers)
  return command => {
    const source = sourceOf(command)
    const world = isOwnSource(source) ? [] : [workingDirectory, openedBy(source)]
    return JSON.stringify([REVISION, CLANG_VERSION, command, ...world]) + own
  }
}
