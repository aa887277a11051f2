/**
 * Sources that may include what is not there: by far the most frequent error of a program that somebody else wrote, which its other sources
 * need not be compiled to tell. In: the files that a source may open. Out: whether some include leads to none of them. Conditions are
 * not evaluated, and the C library's headers are known by their kind of name only: it is good for an order, not for a message.
 */
import type { FileTree } from '../clang/clang.ts'
import { missingHeader } from '../messages/missingHeaders.ts'
import { isOwn } from './ownFiles.ts'

const INCLUDE = /^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)/gm
/** Without a folder, or in one that C libraries have. */
const SYSTEM = /^(?:(?:arpa|bits|experimental|ext|linux|net|netinet|sys)\/)?[\w.+-]+$/

/** @param headers ours */
export function mayLackHeaders(opened: FileTree, headers: FileTree): boolean {
  const paths = Object.keys(opened)
  const isThere = (name: string): boolean => {
    const plain = name.replace(/^(?:\.{1,2}\/)+/, '')
    return headers[name] !== undefined || paths.some(path => path === plain || path.endsWith(`/${plain}`))
  }
  const isLacking = (name: string, isQuoted: boolean): boolean => {
    if (isThere(name)) return false
    return isQuoted || !SYSTEM.test(name) || missingHeader(`'${name}' file not found`) !== undefined
  }
  return Object.entries(opened).some(
    ([path, text]) =>
      isOwn(path, text) &&
      [...text.matchAll(INCLUDE)].some(([, quoted, angled = '']) => isLacking(quoted ?? angled, quoted !== undefined)),
  )
}
