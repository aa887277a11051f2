/**
 * OpenMP's parallel regions run on one thread (include/omp.h). A region that divides its work by the number of threads is complete
 * all the same; one whose threads each have work of their own, told apart by their numbers, is not, and a warning says so.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { withoutTexts } from '../sources/textEdits.ts'

/** A region whose body every thread runs: neither a loop nor sections, which are shared out. */
const REGION = /^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]+parallel\b(?![^\n]*\b(?:for|sections)\b)/gm
const NUMBERED = /\bomp_get_thread_num\s*\(/
const COUNTED = /\bomp_get_num_threads\s*\(/
const ASKS_FOR_MANY = /\bomp_set_num_threads\s*\(|\bnum_threads\s*\((?!\s*1\s*\))/

/** A warning for the first such region of a file. */
export function findNumberedRegions(files: FileTree): Diagnostic[] {
  return Object.entries(files).flatMap(([file, text]) => {
    if (typeof text !== 'string' || file.startsWith('/usr/') || !text.includes('omp_get_thread_num')) return []
    const code = withoutTexts(text)
    const region = [...code.matchAll(REGION)][0]
    if (!region || !NUMBERED.test(code) || (COUNTED.test(code) && !ASKS_FOR_MANY.test(code))) return []
    const before = code.slice(0, region.index)
    return [
      {
        code: 'openmp-one-thread',
        severity: 'warning',
        message:
          'OpenMP regions run on one thread here: omp_get_thread_num() is 0, and what threads of other numbers would do is not done',
        range: { file, line: before.split('\n').length, column: 0 },
      },
    ]
  })
}
