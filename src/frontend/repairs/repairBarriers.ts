/**
 * `__syncthreads;`, the call forgotten: for nvcc an expression without effect, for clang an error, as it is one of its builtin
 * functions. The copy that is compiled has an expression of the same length, and the user a warning.
 * Again on the result, it changes nothing.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { edited, rangeAt, withoutTexts } from '../sources/textEdits.ts'

const MENTIONED = /\b__syncthreads\s*;/
/** As a statement of its own, not as a value. */
const UNCALLED = /(?<=[;{})]\s*|\belse\s*)\b__syncthreads(?=\s*;)/g
const NOTHING = '(void)0'.padEnd('__syncthreads'.length)

export function repairBarriers(source: string): string {
  if (!MENTIONED.test(source)) return source
  const calls = withoutTexts(source).matchAll(UNCALLED)
  return edited(
    source,
    [...calls].map(({ 0: name, index }) => ({ at: index, length: name.length, text: NOTHING })),
  )
}

/** A warning for each; headers of libraries are not looked at. */
export function findUncalledBarriers(files: FileTree): Diagnostic[] {
  return Object.entries(files).flatMap(([file, text]) => {
    if (typeof text !== 'string' || file.startsWith('/usr/') || !MENTIONED.test(text)) return []
    const code = withoutTexts(text)
    return [...code.matchAll(UNCALLED)].map(
      ({ index }): Diagnostic => ({
        code: 'uncalled-barrier',
        severity: 'warning',
        message: '__syncthreads without () is no call: no thread waits here, with nvcc either',
        range: rangeAt(file, code, index),
      }),
    )
  })
}
