/**
 * Definitions of the command line (`-D`). In: NAME or NAME=value. Out: flags for those that headers are read by, and for the others a file
 * that comes behind our headers, whose path is its contents, so that a command says all that it depends on.
 */
import type { FileTree } from '../clang/clang.ts'

export function userFlags({ defines }: { readonly defines: readonly string[] }): string[] {
  return defines.filter(define => EARLY.test(define)).map(define => `-D${define}`)
}

/** Definitions that headers are read by. */
const EARLY = /^(?:_|NDEBUG\b|WARPLENS_|CUDA|CURAND|CU[BDR]?_|THRUST_|CCCL_|LIBCUDACXX_|NV_)/
/** A file whose contents are its name. */
const DEFINITIONS = '/definitions/'

/**
 * The other definitions of the command line, as a file that comes behind our headers: they say T and N themselves, and `-DT=float`
 * would be read in them. Undefined where there are none.
 */
export function lateDefinitions(defines: readonly string[]): string | undefined {
  const lines = defines
    .filter(define => !EARLY.test(define))
    .map(define => {
      const [, name = define, value = ' 1'] = /^([^=]*)(?:=([\s\S]*))?$/.exec(define) ?? []
      return `#define ${name} ${value.trimStart()}\n`
    })
  return lines.length > 0 ? DEFINITIONS + encodeURIComponent(lines.join('')) : undefined
}

/** The files of definitions that a command reads. */
export function definitionFiles(command: readonly string[]): FileTree {
  const paths = command.filter(each => each.startsWith(DEFINITIONS))
  return Object.fromEntries(paths.map(path => [path, decodeURIComponent(path.slice(DEFINITIONS.length))]))
}

/** What clang says, with the place that the user knows. */
export const definitionsAsWritten = (text: string): string =>
  text.replace(/\/definitions\/[^\s:'"]*/g, '<command line>')
