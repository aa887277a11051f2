/**
 * What programs of today expect of Thrust and the version of Debian's packages (1.17) has not, since version 2 has it: vectors made
 * from lists of values (`thrust::device_vector<int> v{1, 2, 3}`), and function objects of `cuda::std` beside its own. The copy of
 * its headers that is compiled gets them; a newer Thrust stays as it is.
 * In: the files of a compilation. Out: the same, lines where they were.
 */
import type { FileTree } from './clang.ts'

const VECTOR_HEADER = /(?:^|\/)thrust\/(device|host)_vector\.h$/
const FUNCTIONS_HEADER = /(?:^|\/)thrust\/functional\.h$/

export function withNewerThrust(files: FileTree): FileTree {
  const changed = Object.entries(files).flatMap(([path, text]): [string, string][] => {
    if (typeof text !== 'string') return []
    const side = VECTOR_HEADER.exec(path)?.[1]
    if (side !== undefined) return [[path, withLists(text, `${side}_vector`)]]
    return FUNCTIONS_HEADER.test(path) ? [[path, withStandardFunctions(text)]] : []
  })
  return changed.length > 0 ? { ...files, ...Object.fromEntries(changed) } : files
}

function withLists(text: string, name: string): string {
  if (text.includes('initializer_list')) return text
  const list = 'std::initializer_list<value_type> list'
  const functions = [
    `${name}(${list}) : Parent(list.begin(), list.end()) {}`,
    `${name}(${list}, const Alloc &alloc) : Parent(list.begin(), list.end(), alloc) {}`,
    `${name} &operator=(${list}) { Parent::assign(list.begin(), list.end()); return *this; }`,
  ]
  return text.replace(`explicit ${name}(size_type n)`, `${functions.join(' ')} $&`)
}

function withStandardFunctions(text: string): string {
  if (text.includes('cuda/std')) return text
  return text.replace(/\n[ \t]*(?=\n#include)/, '\n#include <cuda/std/functional>')
}
