/**
 * Which files a program needs, found by reading `#include` lines and following them, so that only those are given to clang
 * and hashed for the cache. Conditions are not evaluated: the result may hold more files than one compilation opens, and
 * names that do not resolve are left to clang, which says what is missing. An include of a macro, with arguments or without, is
 * followed when some file or `-D` defines that macro as a quoted or angled name, or as what a macro makes a string of.
 */
import type { FileTree } from '../clang/clang.ts'
import { withBroughtHeaders } from './newerThrust.ts'
import { directoryOf, joinPath, resolvePath } from './paths.ts'

export interface FileSearch {
  /** As the user typed them. */
  readonly sources: readonly string[]
  /** `-include` files. */
  readonly includes?: readonly string[]
  readonly includeDirs: readonly string[]
  /** Where the system keeps headers of CUDA's C++ libraries; nothing else is taken from there. */
  readonly libraryDir?: string
  /** `NAME` or `NAME=value`. */
  readonly defines?: readonly string[]
  readonly workingDirectory: string
  /** The text of a file, undefined where there is none. Paths are as typed or joined from what was typed. */
  readonly read: (path: string) => string | undefined
  /** What all paths of one file have in common, which links make several of; absent where there are none. */
  readonly fileAt?: (path: string) => string
}

/** Where Debian's packages put the headers that clang is then shown in the same place. */
export const LIBRARY_DIR = '/usr/include'

/** All files of the program that `read` knows, by the path that clang will use first. Sources that are missing are left out. */
export function collectFiles(search: FileSearch): FileTree {
  const found: Record<string, string> = {}
  const seen = new Set<string>()
  /** By the file, the path that led to it first. */
  const firstPaths = new Map<string, string>()
  /** Every value of a macro: which definition counts is the preprocessor's matter. */
  const macros = new Map<string, Set<string>>()
  const define = (macro: string, name: string): void => {
    macros.set(macro, (macros.get(macro) ?? new Set()).add(name))
  }
  for (const option of search.defines ?? []) {
    const match = /^(\w+)=["<](.+)[">]$/.exec(option)
    if (match) define(match[1]!, match[2]!)
  }
  /** Macros that make a name of arguments (`BACKEND_HEADER(platform.h)`). */
  const makers = new Map<string, { parameters: readonly string[]; name: string }[]>()
  /** Macros that make a string of what they are given: by `#`, or by another that does. */
  const stringMakers = new Map<string, string | undefined>()
  const makesString = (macro: string, depth = 0): boolean => {
    if (!stringMakers.has(macro) || depth > DEEPEST_MACRO) return false
    const by = stringMakers.get(macro)
    return by === undefined || makesString(by, depth + 1)
  }
  /** Macros that stand for one with its argument (`STRING(CASE/constants.h)`). */
  const uses = new Map<string, Set<string>>()
  /** Macros that stand for a part of a path, as Thrust builds the names of its systems' headers. */
  const parts = new Map<string, Set<string>>()
  const pending: { path: string; text: string }[] = []
  const open = (path: string): boolean => {
    const identity = resolvePath(search.workingDirectory, path)
    if (seen.has(identity)) return true
    // Editors on Windows write a byte order mark in front, behind which no line would begin with `#include`.
    const written = search.read(path)?.replace(/^\uFEFF/, '')
    if (written === undefined) return false
    const file = search.fileAt?.(path) ?? identity
    const first = firstPaths.get(file)
    if (first === undefined) firstPaths.set(file, identity)
    // By another path clang would take it for another file, and `#pragma once` would not hold.
    const text = first === undefined ? withBroughtHeaders(path, written) : `#include "${first}"\n`
    seen.add(identity)
    found[path] = text
    pending.push({ path, text })
    return true
  }
  const openFrom = (directories: readonly string[], name: string): void => {
    const isLibrary = search.libraryDir !== undefined && LIBRARIES.test(name)
    const all = isLibrary ? [...directories, search.libraryDir] : directories
    all.some(directory => open(joinPath(directory, name)))
  }

  const namesOf = (use: string): string[] => {
    const [, macro = use, values] = /^(\w+)\s*\((.*)\)$/.exec(use) ?? []
    if (values === undefined) return [...(macros.get(macro) ?? []), ...[...(uses.get(macro) ?? [])].flatMap(namesOf)]
    if (makesString(macro)) return [values.trim()]
    return (makers.get(macro) ?? []).map(({ parameters, name }) => withArguments(name, parameters, listOf(values)))
  }

  for (const source of search.sources) open(source)
  for (const include of search.includes ?? []) openFrom(['.', ...search.includeDirs], include)
  /** What stands behind `#include`: a macro, or one with its arguments. */
  const included = new Map<string, Set<string>>()
  while (pending.length > 0) {
    const { path, text } = pending.pop()!
    const directory = directoryOf(path)
    for (const [, quoted, angled, macro] of text.matchAll(INCLUDE)) {
      if (quoted !== undefined) openFrom([directory, ...search.includeDirs], quoted)
      else if (angled !== undefined) openFrom(search.includeDirs, angled)
      else if (macro !== undefined) included.set(macro, (included.get(macro) ?? new Set()).add(directory))
    }
    for (const [, name, value] of text.matchAll(NAME_MACRO)) define(name!, value!)
    for (const [, macro, parameters, name] of text.matchAll(NAME_MAKER))
      makers.set(macro!, [...(makers.get(macro!) ?? []), { parameters: listOf(parameters!), name: name! }])
    for (const [, macro, parameter, stringed, by, given] of text.matchAll(STRING_MAKER))
      if (stringed === parameter || given === parameter) stringMakers.set(macro!, by)
    for (const [, macro, use] of text.matchAll(USE_MACRO)) uses.set(macro!, (uses.get(macro!) ?? new Set()).add(use!))
    for (const [, name, value] of text.matchAll(PART_MACRO))
      parts.set(name!, (parts.get(name!) ?? new Set()).add(value!))
    // Again after each batch: a definition may come from a file that another macro led to.
    if (pending.length > 0) continue
    for (const [macro, directories] of included)
      for (const written of namesOf(macro))
        for (const name of expansionsOf(written, parts))
          for (const from of directories) openFrom([from, ...search.includeDirs], name)
  }
  return found
}

/** Reads these files by whatever spelling of their paths: sources of one program reach a header by different ones. */
export function readerOf(files: FileTree, workingDirectory: string): FileSearch['read'] {
  const texts = new Map(Object.entries(files).map(([path, text]) => [resolvePath(workingDirectory, path), text]))
  return path => {
    const text = texts.get(resolvePath(workingDirectory, path))
    return typeof text === 'string' ? text : undefined
  }
}

const listOf = (text: string): string[] => text.split(',').map(each => each.trim())

const withArguments = (name: string, parameters: readonly string[], values: readonly string[]): string =>
  name.replace(/\b[A-Za-z_]\w*\b/g, word => values[parameters.indexOf(word)] ?? word)

/** The name with its macros replaced in every way, itself included. */
function expansionsOf(name: string, parts: ReadonlyMap<string, ReadonlySet<string>>, depth = 0): Set<string> {
  const found = new Set([name])
  if (depth === DEEPEST_MACRO) return found
  for (const [word] of name.matchAll(/\b[A-Za-z_]\w*\b/g))
    for (const value of parts.get(word) ?? []) {
      if (value === word) continue
      for (const expanded of expansionsOf(name.replace(word, value), parts, depth + 1)) found.add(expanded)
    }
  return found
}
const DEEPEST_MACRO = 4

/** Thrust, CUB, and the declarations of OpenCL: headers only, and ours have none of these names. */
const LIBRARIES = /^(thrust|cub|CL)\//

const INCLUDE =
  /^[ \t]*#[ \t]*(?:include|include_next|import)[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|(\w+(?:[ \t]*\([^()\n]*\))?))/gm
const NAME_MACRO = /^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+["<]([^">\n]+)[">]/gm
const NAME_MAKER = /^[ \t]*#[ \t]*define[ \t]+(\w+)\(([\w, \t]*)\)(?:[ \t]|\\\r?\n)+["<]([^">\n]+)[">]/gm
const STRING_MAKER =
  /^[ \t]*#[ \t]*define[ \t]+(\w+)\([ \t]*(\w+)[ \t]*\)[ \t]+(?:#[ \t]*(\w+)|(\w+)\([ \t]*(\w+)[ \t]*\))[ \t]*$/gm
const USE_MACRO = /^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(\w+\([^()\n]*\))[ \t]*(?:\/\/.*)?$/gm
const PART_MACRO = /^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+([\w./]+)[ \t]*(?:\/\/.*)?$/gm
