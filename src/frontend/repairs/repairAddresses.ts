/**
 * Addresses of `__device__` functions that host code takes: `cudaLaunchKernel((void *)f, ...)`. nvcc has a function of that name on the host,
 * which is good for nothing; clang has none and says so. The copy that is compiled has an address there of which nothing is.
 * In: clang's errors and the sources. Out: the sources with these addresses; lines stay where they are.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { repairAtErrors } from './repairAtErrors.ts'

const REFERENCE = /^reference to __device__ function '(\w+)' in __host__ function$/
/** A call is another matter. */
const NAME = /^(\w+)\b(?!\s*[(<:])/
const NAMESPACES = /(?:\b\w+)?(?:\s*::\s*\w+)*\s*::\s*$/

/** The sources with an address in place of each reference; undefined where clang tells of anything else. */
export function repairAddresses(
  files: FileTree,
  errors: readonly Diagnostic[],
  workingDirectory: string,
): FileTree | undefined {
  if (!errors.every(({ message }) => REFERENCE.test(message))) return undefined
  const backwards = errors.toSorted((a, b) => (b.range?.column ?? 0) - (a.range?.column ?? 0))
  return repairAtErrors(files, backwards, workingDirectory, (text, { line, column }, { message }) => {
    const lines = text.split('\n')
    const row = lines[line - 1] ?? ''
    // clang's columns count bytes; where others than ASCII's stand in front, the name is not found.
    const place = column - 1
    const [, name = ''] = NAME.exec(row.slice(place)) ?? []
    if (name !== REFERENCE.exec(message)?.[1]) return undefined
    const [namespaces = ''] = NAMESPACES.exec(row.slice(0, place)) ?? []
    const before = row.slice(0, place - namespaces.length)
    const behind = row.slice(place + name.length)
    return lines.with(line - 1, `${before}__WARPLENS_DEVICE_FUNCTION__(${namespaces}${name})${behind}`).join('\n')
  })
}
