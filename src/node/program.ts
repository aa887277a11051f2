/** A program of the file system, compiled: reads its files, runs the compiler on threads, keeps results in the cache. */
import { resolve } from 'node:path'
import { UserError } from '../diagnostic.ts'
import type { Language } from '../frontend/building/commandFlags.ts'
import type { Clang } from '../frontend/clang/clang.ts'
import type { CompileCache } from '../frontend/compile.ts'
import type { FloatMode } from '../ir/floatMode.ts'
import { buildProgram, type Observer, type Program } from '../pipeline.ts'
import { createClangPool } from './clangPool.ts'
import {
  createCompileCache,
  createHeaderCache,
  createShippedHeaderCache,
  createUnitCache,
  defaultCacheDirectory,
  shippedFirst,
} from './compileCache.ts'
import { missingFolders, ownHeaders, readSources, searchedFolders, shippedHeaders } from './sources.ts'
import { startTimeLimit, type TimeLimit } from './timeLimit.ts'

export interface BuildOptions {
  readonly includeDirs: readonly string[]
  readonly defines: readonly string[]
  readonly includes: readonly string[]
  /** Of all sources, whatever their names. */
  readonly language?: Language | undefined
  readonly standard: string
  readonly optimize: 0 | 1 | 2 | 3
  /** Compute capability times ten: what `__CUDA_ARCH__ / 10` says. */
  readonly architecture: number
  readonly cache: boolean
  /** For checks: what threads access is what the program says. */
  readonly asWritten?: boolean
  /** As `nvcc -rdc=true`. */
  readonly relocatable?: boolean
  /** As nvcc's `-use_fast_math` and its like. */
  readonly floats?: FloatMode | undefined
  readonly workingDirectory: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** A warm compiler to use; without one, threads are started and ended again, which frees their memory. */
  readonly clang?: Clang
  /** When to give up; never without one. */
  readonly limit?: TimeLimit
}

/** @throws UserError for files that are missing, sources that do not compile, and compiling beyond the limit. */
export async function buildFiles(
  sources: readonly string[],
  options: BuildOptions,
  observer: Observer,
): Promise<Program> {
  const { workingDirectory, limit = startTimeLimit(undefined) } = options
  const searched = searchedFolders(options)
  const includeDirs = searched.folders
  const files = readSources({ ...options, includeDirs, sources })
  const warnings = [...searched.warnings, ...missingFolders(options)]
  const input = {
    ...options,
    includeDirs,
    sources,
    files,
    headers: ownHeaders(),
    workingDirectory: resolve(workingDirectory),
  }
  const pool = options.clang ? undefined : createClangPool()
  try {
    const program = await limit.compile(buildProgram(input, options.clang ?? pool!, cacheFor(options), observer))
    return { ...program, diagnostics: [...warnings, ...program.diagnostics] }
  } catch (error) {
    throw error instanceof UserError ? new UserError(...warnings, ...error.diagnostics) : error
  } finally {
    await pool?.close()
  }
}

/** What the package ships is used even where nothing is to be kept. */
export function cacheFor({ cache, environment }: Pick<BuildOptions, 'cache' | 'environment'>): CompileCache {
  const shipped = { headers: createShippedHeaderCache(shippedHeaders()), units: createUnitCache(shippedHeaders()) }
  if (!cache) {
    const { headers, units } = shipped
    return {
      load: async () => undefined,
      store: async () => {},
      headers: shippedFirst(headers),
      units: shippedFirst(units),
    }
  }
  const directory = defaultCacheDirectory(environment)
  return {
    ...createCompileCache(directory),
    headers: shippedFirst(shipped.headers, createHeaderCache(directory)),
    units: shippedFirst(shipped.units, createUnitCache(directory)),
  }
}
