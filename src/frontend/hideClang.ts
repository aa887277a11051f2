/**
 * `#if defined(__clang__) && defined(__CUDA__)`: what programs have for clang as the CUDA compiler. nvcc, for which they were written,
 * never reads it, and some of it does not compile (the debugging macro of CUB 1.7 and 1.8 outside Thrust). Where clang finds errors, the
 * program is compiled as nvcc sees it: without that name, which nvcc does not define.
 * In: the sources. Out: those that ask for the name ask for another one, of the same length, which nobody has.
 */
import type { FileTree } from './clang.ts'

const NAME = /\b__CUDA__\b/g

/** The sources with the name of nobody; undefined where none asks for clang's. */
export function hideClang(files: FileTree): FileTree | undefined {
  const hidden = Object.entries(files).map(([path, text]) => [
    path,
    typeof text === 'string' ? text.replace(NAME, '__NO_ONE_') : text,
  ])
  return hidden.some(([path, text]) => text !== files[path as string]) ? Object.fromEntries(hidden) : undefined
}
