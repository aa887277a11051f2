/**
 * Our parts of the C and C++ libraries that a program is linked with, beside what it says itself. In: what its sources are compiled with.
 * Out: further units, each compiled for all programs alike, and the names of the libraries' functions that ours stand for.
 */
import type { FileTree } from '../clang/clang.ts'
import { HEADER_ROOT } from '../sources/virtualFiles.ts'
import { type CommandOptions, throwsExceptions } from './commandFlags.ts'

/** Below our headers. */
const FILESYSTEM = 'warplens/host_filesystem.cpp'

/** Functions of the compiled C++ library that a program of these units calls ours for. */
export function wrappedFunctions(units: readonly CommandOptions[], headers: FileTree): string[] {
  const source = headers[FILESYSTEM]
  if (typeof source !== 'string' || !units.some(unit => throwsExceptions(unit) && unit.filesystem)) return []
  const constructors = [...source.matchAll(/"(_ZNSt\w+)", "(E\w+)"/g)].flatMap(([, name, parameters]) =>
    ['C1', 'C2'].map(kind => `${name}${kind}${parameters}`),
  )
  return [...[...source.matchAll(/"(_ZNSt\w+E\w*)"/g)].map(([, name = '']) => name), ...constructors]
}

/** Our parts of the C and C++ libraries, linked into programs that need them. */
const RUNTIME_SOURCES = {
  library: { source: `${HEADER_ROOT}/warplens/host_library.cpp`, language: 'c++' },
  threads: { source: `${HEADER_ROOT}/warplens/host_threads.c`, language: 'c' },
  exceptions: { source: `${HEADER_ROOT}/warplens/host_exceptions.cpp`, language: 'c++', exceptions: true },
  filesystem: { source: `${HEADER_ROOT}/${FILESYSTEM}`, language: 'c++', exceptions: true },
  jumps: { source: `${HEADER_ROOT}/warplens/host_jumps.c`, language: 'c', jumps: true },
  sorting: { source: `${HEADER_ROOT}/warplens/host_sorting.c`, language: 'c' },
  threadLocals: { source: `${HEADER_ROOT}/warplens/host_thread_locals.c`, language: 'c' },
} as const

/** Compiled for all programs alike, so that they come with the package. */
const RUNTIME_OPTIONS = {
  standard: 'c++17',
  optimize: 2,
  architecture: 90,
  includeDirs: [],
  includes: [],
  defines: [],
  exceptions: false,
  filesystem: false,
  jumps: false,
  sorting: false,
} as const

/** The further units that a program of these units is linked with. */
export function runtimeUnits(units: readonly CommandOptions[]): CommandOptions[] {
  const { library, threads, exceptions, filesystem, jumps, sorting, threadLocals } = RUNTIME_SOURCES
  const hasJumps = units.some(unit => unit.jumps)
  const chosen: readonly (Partial<CommandOptions> & Pick<CommandOptions, 'source' | 'language'>)[] = [
    library,
    { ...threads, jumps: hasJumps },
    ...(units.some(throwsExceptions) ? [exceptions] : []),
    ...(units.some(unit => throwsExceptions(unit) && unit.filesystem) ? [filesystem] : []),
    ...(hasJumps ? [jumps] : []),
    ...(units.some(unit => unit.sorting) ? [sorting] : []),
    ...(units.some(unit => unit.threadLocals) ? [threadLocals] : []),
  ]
  return chosen.map(source => ({ ...RUNTIME_OPTIONS, ...source }))
}
