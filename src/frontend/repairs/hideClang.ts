/**
 * `#if defined(__clang__) && defined(__CUDA__)`: what programs have for clang as the CUDA compiler. nvcc, for which they were written,
 * never reads it, and some of it does not compile (the debugging macro of CUB 1.7 and 1.8 outside Thrust). Where clang finds errors, the
 * program is compiled as nvcc sees it: without that name, which nvcc does not define.
 * In: the sources. Out: those of the program's own that ask for the name ask for another one, of the same length, which nobody has. Installed
 * libraries compile as they are: of a mistake in a program with Thrust clang tells once.
 */
import type { FileTree } from '../clang/clang.ts'
import { changeOwn } from '../sources/ownFiles.ts'

/** Undefined where no file of the program's own asks for clang's name. */
export const hideClang = (files: FileTree): FileTree | undefined =>
  changeOwn(files, text => text.replace(/\b__CUDA__\b/g, '__NO_ONE_'))
