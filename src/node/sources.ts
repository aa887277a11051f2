/** From the file system to the front end: the user's files that a program needs, and our own headers. */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Diagnostic, userError } from '../diagnostic.ts'
import type { FileTree } from '../frontend/clang/clang.ts'
import { collectFiles, LIBRARY_DIR } from '../frontend/sources/includes.ts'

export interface SourceSearch {
  /** As typed. */
  readonly sources: readonly string[]
  readonly includes: readonly string[]
  readonly includeDirs: readonly string[]
  readonly defines: readonly string[]
  readonly workingDirectory: string
}

/**
 * Every file of the user's that the compilation may open, by the path that diagnostics will show.
 * @throws UserError `no-such-file` for a source that is not there.
 */
export function readSources(search: SourceSearch): FileTree {
  const { sources, workingDirectory } = search
  for (const source of sources) {
    if (source.trim() === '')
      throw userError(
        'no-such-file',
        `"${source}" is no file's name; name a .cu file (a shell's variable may be empty)`,
      )
    const kind = kindOf(resolve(workingDirectory, source))
    if (kind === 'directory') throw userError('not-a-file', `${source} is a folder; name the .cu files in it`)
    if (kind === 'missing') throw userError('no-such-file', `${source}: no such file`)
  }
  return collectFiles({
    ...search,
    libraryDir: LIBRARY_DIR,
    read: path => readText(resolve(workingDirectory, path)),
    fileAt: path => realpathSync(resolve(workingDirectory, path)),
  })
}

/**
 * The include folders that are searched: not the system's own, as with other compilers (its C library is another than ours), and
 * not those of a CUDA toolkit, which makefiles name and nvcc does not need.
 */
export function searchedFolders({ includeDirs, workingDirectory }: Omit<SourceSearch, 'sources'>): {
  readonly folders: readonly string[]
  readonly warnings: readonly Diagnostic[]
} {
  const isIn = (directory: string, name: string): boolean =>
    kindOf(resolve(workingDirectory, directory, name)) === 'file'
  const isToolkit = (directory: string): boolean =>
    isIn(directory, 'cuda_runtime_api.h') && ['crt/host_config.h', 'host_config.h'].some(name => isIn(directory, name))
  const own = includeDirs.filter(directory => resolve(workingDirectory, directory) !== LIBRARY_DIR)
  return {
    folders: own.filter(directory => !isToolkit(directory)),
    warnings: own.filter(isToolkit).map(directory => ({
      code: 'toolkit-folder',
      severity: 'warning',
      message: `-I ${directory}: not searched, since CUDA's headers are Warplens's own`,
    })),
  }
}

/** A warning for each include folder that is not there: compilers pass over them, and makefiles name folders of other systems. */
export function missingFolders({ includeDirs, workingDirectory }: Omit<SourceSearch, 'sources'>): Diagnostic[] {
  return includeDirs
    .filter(directory => kindOf(resolve(workingDirectory, directory)) !== 'directory')
    .map(directory => ({
      code: 'no-such-folder',
      severity: 'warning',
      message: `-I ${directory}: no such folder`,
    }))
}

/** What cannot be reached (a file taken for a folder, a folder that nobody may enter) is missing too. */
function kindOf(path: string): 'file' | 'directory' | 'missing' {
  try {
    return statSync(path).isDirectory() ? 'directory' : 'file'
  } catch {
    return 'missing'
  }
}

function readText(path: string): string | undefined {
  if (kindOf(path) !== 'file') return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // no permission: for the compiler the file is not there
  }
}

/** The package's folder: the nearest one above this file that has a package.json. */
export function packageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url))
  while (kindOf(join(directory, 'package.json')) !== 'file') directory = dirname(directory)
  return directory
}

let headers: FileTree | undefined

/** Our CUDA headers, by path inside include/. */
export function ownHeaders(): FileTree {
  if (headers) return headers
  const root = join(packageRoot(), 'include')
  const files: Record<string, string> = {}
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    files[relative(root, path).split(sep).join('/')] = readFileSync(path, 'utf8')
  }
  headers = files
  return files
}

/** The folder of the headers that the build precompiled (scripts/build.mjs). */
export function shippedHeaders(): string {
  return join(packageRoot(), 'dist', 'headers')
}

/** As package.json says. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }
  return version
}
