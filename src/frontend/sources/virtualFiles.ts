/**
 * The file system that one clang run sees. In: the user's files, by path relative to a working directory or absolute, and
 * our headers. Out: files for {@link Clang.run} and the arguments that make clang find them under the user's own paths.
 *
 * Why not simply put the files where they belong: the package's file system ignores `..`, so `#include "../common/x.h"`
 * fails, and a file reached by two spellings must stay one file for `#pragma once`. So the contents lie under numbers and
 * clang's own virtual file overlay, which resolves `..` properly, maps real paths to them. `-working-directory` makes
 * relative paths work while diagnostics and `__FILE__` keep the user's spelling.
 */
import type { FileTree } from '../clang/clang.ts'
import { repairBarriers } from '../repairs/repairBarriers.ts'
import { repairBuiltins } from '../repairs/repairBuiltins.ts'
import { repairImmediates } from '../repairs/repairImmediates.ts'
import { repairReferences } from '../repairs/repairReferences.ts'
import { repairTimeStamps } from '../repairs/repairTimeStamps.ts'
import { gnuHeaders } from './gnuHeaders.ts'
import { resolvePath } from './paths.ts'
import { withReservedNames } from './reservedNames.ts'
import { type Edit, edited, withoutTexts } from './textEdits.ts'

/** Where our headers lie. */
export const HEADER_ROOT = '/inc'
const OVERLAY = 'overlay.json'

export interface VirtualFiles {
  readonly files: FileTree
  /** To be passed to `clang -cc1`. */
  readonly args: readonly string[]
}

export function virtualFiles(files: FileTree, headers: FileTree, workingDirectory: string): VirtualFiles {
  const tree: Record<string, string | Uint8Array> = {}
  for (const [path, contents] of Object.entries({ ...gnuHeaders, ...withReservedNames(headers) }))
    tree[`${HEADER_ROOT}/${path}`] = contents
  const roots = new Map<string, { type: 'file'; name: string; 'external-contents': string }>()
  for (const [path, contents] of Object.entries(files)) {
    const name = resolvePath(workingDirectory, path)
    if (roots.has(name)) continue
    const stored = `/user/${roots.size}`
    tree[stored] = typeof contents === 'string' ? repairSource(contents) : contents
    roots.set(name, { type: 'file', name, 'external-contents': stored })
  }
  tree[OVERLAY] = JSON.stringify({
    version: 0,
    'case-sensitive': 'true',
    'use-external-names': 'false',
    // clang asserts when its working directory does not exist.
    roots: [{ type: 'directory', name: workingDirectory, contents: [] }, ...roots.values()],
  })
  return { files: tree, args: ['-ivfsoverlay', `/${OVERLAY}`, '-working-directory', workingDirectory] }
}

/** What nvcc accepts and clang does not, or means otherwise, put right. Again on the result, it changes nothing. */
export function repairSource(source: string): string {
  const joined = repairContinuations(repairBuiltins(repairBarriers(repairTimeStamps(source))))
  return repairPragmas(
    repairImmediates(repairAssembly(repairLaunchLists(repairLaunches(repairReferences(repairArrayCasts(joined)))))),
  )
}

/**
 * A backslash in front of a comment that ends its line (`a + \ // why`): GCC, which reads a program for nvcc first, takes the
 * comment away and then the two lines as one. Directives end with the comment, so they keep theirs.
 */
export function repairContinuations(source: string): string {
  if (!/\\[ \t]+\/\//.test(source)) return source
  let isDirective = false
  return source
    .split('\n')
    .map(line => {
      const isPart = isDirective || /^\s*#/.test(line)
      isDirective = isPart && /\\\s*$/.test(line)
      return isPart ? line : line.replace(/\\([ \t]+\/\/[^"]*)$/, ' $1')
    })
    .join('\n')
}

/**
 * nvcc accepts `kernel<< <grid, block>> >(...)` and `kernel<<<grid, block >> >(...)` (what Visual Studio's formatter writes),
 * clang wants `<<<` and `>>>` in one piece. Joins the pieces, keeping every line and the length of the text. A `>> >` is
 * touched only where it closes an opened launch, outside its parentheses, and arguments follow.
 */
export function repairLaunches(source: string): string {
  if (!/<<[ \t]+<|>>\s+>/.test(source)) return source
  const open = /<<([ \t]*)</g
  let result = ''
  let position = 0
  for (let match = open.exec(source); match; match = open.exec(source)) {
    const close = launchEnd(source, open.lastIndex)
    if (!close) continue
    result += `${source.slice(position, match.index)}<<<${match[1]}`
    result += `${source.slice(open.lastIndex, close.index)}>>>${close[1]}`
    position = close.index + close[0].length
    open.lastIndex = position
  }
  return result + source.slice(position)
}

/** The `>>>`, in one piece or two, that closes the launch whose first argument begins at `from`: its blanks are group 1. */
function launchEnd(source: string, from: number): RegExpExecArray | undefined {
  const token = />>(\s*)>(?=\s*\()|[();]/g
  token.lastIndex = from
  let depth = 0
  for (let match = token.exec(source); match; match = token.exec(source)) {
    if (match[0] === ';') return undefined
    if (match[0] === '(') depth++
    else if (match[0] === ')') depth--
    else if (depth === 0) return match
  }
  return undefined
}

/**
 * nvcc takes lists in braces between `<<<` and `>>>` (`kernel<<<blocks, {x, y, 1}, 0, stream>>>()`), clang takes expressions only.
 * Writes the types' names and parentheses (`dim3(x, y, 1)`), keeping every line.
 */
export function repairLaunchLists(source: string): string {
  if (!/<<<[^;]*?\{/.test(source)) return source
  const code = withoutTexts(source)
  const edits: Edit[] = []
  for (let open = code.indexOf('<<<'); open >= 0; open = code.indexOf('<<<', open + 3)) {
    edits.push(...(launchLists(code, open + 3) ?? []))
  }
  return edited(source, edits)
}

const LAUNCH_TYPES = ['dim3', 'dim3', 'size_t', 'cudaStream_t'] as const

/** What replaces the braces around whole arguments up to the closing `>>>`; undefined where none closes what begins at `from`. */
function launchLists(code: string, from: number): Edit[] | undefined {
  const edits: Edit[] = []
  let argument = 0
  let depth = 0
  let isList = false
  let start = from
  for (let at = from; at < code.length; at++) {
    const letter = code[at]!
    if (depth === 0 && code.startsWith('>>>', at)) return edits
    if (letter === ';' && depth === 0) return undefined
    if (letter === ',' && depth === 0) {
      argument++
      start = at + 1
    }
    if ('([{'.includes(letter) && depth++ === 0) {
      isList = letter === '{' && code.slice(start, at).trim() === ''
      if (isList) edits.push({ at, length: 1, text: `${LAUNCH_TYPES[argument] ?? ''}(` })
    }
    if (')]}'.includes(letter) && --depth === 0 && isList) {
      edits.push({ at, length: 1, text: ')' })
      isList = false
    }
  }
  return undefined
}

/**
 * nvcc takes `%name` in the text of an `asm` where nothing else can be meant (`"mov.u64 %0, %globaltimer;"`); clang wants
 * `%%name` for a register. Doubles those percent signs, keeping every line.
 */
export function repairAssembly(source: string): string {
  return source.replace(ASSEMBLY, statement => statement.replace(/(?<!%)%(?=[A-Za-z_])/g, '%%'))
}

/** `asm volatile ( "..." R"(...)"` up to the operands: string literals, raw ones too, with comments and line ends between them. */
const ASSEMBLY =
  /\b(?:asm|__asm__|__asm)\b(?:\s|\b(?:volatile|__volatile__|__volatile)\b)*\(\s*(?:(?:"(?:[^"\\\n]|\\.)*"|\bR"([^()\s\\]{0,16})\([\s\S]*?\)\1")(?:\s|\\\n|\/\*.*?\*\/|\/\/.*\n)*)+/g

/**
 * gcc takes `double (*u)[n2][n1] = (double (*)[n2][n1])p;` where the lengths are variables; to clang the two types are not the
 * same. Casts to the variable's type instead, keeping the length of the text.
 */
export function repairArrayCasts(source: string): string {
  return source.replace(
    ARRAY_CAST,
    (whole, declared: string, _type: string, name: string, _lengths: string, cast: string) => {
      const repaired = `(__typeof__(${name}))`
      return repaired.length <= cast.length ? `${declared}${repaired.padEnd(cast.length)}` : whole
    },
  )
}

const ARRAY_CAST =
  /(\b(\w+)[ \t]*\([ \t]*\*[ \t]*(\w+)[ \t]*\)[ \t]*((?:\[[^\][;]+\])+)[ \t]*=[ \t]*)(\([ \t]*\2[ \t]*\([ \t]*\*[ \t]*\)[ \t]*\4[ \t]*\))/g

/** nvcc takes a pragma that a macro stands for (`#define UNROLL #pragma unroll`); in C++ that is `_Pragma("unroll")`. */
export function repairPragmas(source: string): string {
  return source.replace(
    PRAGMA_MACRO,
    (_, define: string, pragma: string) => `${define}_Pragma("${pragma.replace(/[\\"]/g, '\\$&')}")`,
  )
}

const PRAGMA_MACRO =
  /^([ \t]*#[ \t]*define[ \t]+\w+[ \t]+)#[ \t]*pragma[ \t]+(\w[^\n\r/\\]*?)(?=[ \t]*(?:\/[/*].*)?\r?$)/gm
