/**
 * The front end on real files: reads the sources, the headers that they include and our own include folder, and compiles
 * with the pool and the cache on disk.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clang, FileTree } from '../frontend/clang.ts'
import type { CompileCache, CompileInput, CompileResult } from '../frontend/compile.ts'
import { compileProgram } from '../frontend/compile.ts'
import { collectFiles } from '../frontend/includes.ts'
import { createClangPool } from './clangPool.ts'
import { createCompileCache } from './compileCache.ts'

/** What a user says about a compilation; the rest is found on disk. */
export type CompileFileOptions = Omit<CompileInput, 'sources' | 'files' | 'headers' | 'workingDirectory'> & {
  /** Default: the process's. */
  readonly workingDirectory?: string
  /** Default: one pool for the process. */
  readonly clang?: Clang
  /** Default: the user's cache folder; null for none. */
  readonly cache?: CompileCache | null
}

let sharedPool: Clang | undefined
let sharedHeaders: FileTree | undefined

/**
 * Compiles files by the paths that the user typed.
 * @throws UserError as {@link compileProgram} does.
 */
export async function compileFiles(
  sources: readonly string[],
  options: CompileFileOptions = {},
): Promise<CompileResult> {
  const { clang, cache, ...rest } = options
  const workingDirectory = posixPath(options.workingDirectory ?? process.cwd())
  const files = collectFiles({
    sources,
    includes: options.includes ?? [],
    includeDirs: options.includeDirs ?? [],
    defines: options.defines ?? [],
    workingDirectory,
    read: path => readText(join(path.startsWith('/') ? '' : workingDirectory, path)),
  })
  sharedHeaders ??= readHeaders()
  const input: CompileInput = { ...rest, sources, files, headers: sharedHeaders, workingDirectory }
  return compileProgram(
    input,
    clang ?? (sharedPool ??= createClangPool()),
    cache === null ? undefined : (cache ?? createCompileCache()),
  )
}

/** Our include/ folder, which lies beside src/ and dist/. */
export function readHeaders(): FileTree {
  const root = fileURLToPath(new URL('../../include', import.meta.url))
  const headers: Record<string, string> = {}
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    headers[posixPath(path.slice(root.length + 1))] = readFileSync(path, 'utf8')
  }
  return headers
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function posixPath(path: string): string {
  return path.replaceAll('\\', '/')
}
