/**
 * `#if defined __GLIBC__`: what programs have for the GNU C library, with which nvcc's host compiler comes. Copies of GNU's own sources
 * (`getopt.c`) leave themselves out by it, and do not compile as C++ otherwise. The C library here has other headers, which ask for the name
 * themselves: where clang finds errors, the program's own files alone see it.
 * In: the sources. Out: those of the program's own ask for names of the same length, which `GLIBC_DEFINES` gives.
 */
import type { FileTree } from '../clang/clang.ts'
import { changeOwn } from '../sources/ownFiles.ts'

const NAMES: Readonly<Record<string, { readonly shown: string; readonly value: number }>> = {
  __GLIBC__: { shown: '__GLIBC_W', value: 2 },
  __GLIBC_MINOR__: { shown: '__GLIBC_MINOR_W', value: 39 },
  __GNU_LIBRARY__: { shown: '__GNU_LIBRARY_W', value: 6 },
}

export const GLIBC_DEFINES: readonly string[] = Object.values(NAMES).map(({ shown, value }) => `${shown}=${value}`)

/** Undefined where no file of the program's own asks for the library's name. */
export const showGlibc = (files: FileTree): FileTree | undefined =>
  changeOwn(files, text =>
    text.replace(/\b(?:__GLIBC__|__GLIBC_MINOR__|__GNU_LIBRARY__)\b/g, name => NAMES[name]!.shown),
  )
