/**
 * `T array[n] = {...}` with a length that is only known when the program runs: GCC, nvcc's host compiler, has it; clang has
 * arrays of such lengths, but not their values. Where clang says so, the copy that is compiled declares the array and sets its
 * elements behind it (include/warplens/initialize_array.h, which every source begins with).
 * In: clang's errors and the sources. Out: the sources with such arrays; lines stay where they are.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { closingBrace, withoutTexts } from '../sources/textEdits.ts'
import { repairAtErrors } from './repairAtErrors.ts'

const NOT_INITIALIZED = 'variable-sized object may not be initialized'

/** The sources with every array of which `errors` tell; undefined where none can be helped. */
export function repairArrays(
  files: FileTree,
  errors: readonly Diagnostic[],
  workingDirectory: string,
): FileTree | undefined {
  // From the last to the first: what is inserted moves what is behind it.
  const backwards = [...errors].sort((a, b) => (b.range?.column ?? 0) - (a.range?.column ?? 0))
  return repairAtErrors(files, backwards, workingDirectory, (text, { line, column }, { message }) =>
    message === NOT_INITIALIZED ? repairAt(text, line, column) : undefined,
  )
}

/** `line` and `column` (of bytes; both from 1) are those of the array's first length. */
function repairAt(text: string, line: number, column: number): string | undefined {
  const lines = text.split('\n')
  const row = lines[line - 1]
  if (row === undefined) return undefined
  const inRow = new TextDecoder().decode(new TextEncoder().encode(row).subarray(0, column - 1)).length
  const at = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0) + inRow

  const code = withoutTexts(text)
  const open = code.lastIndexOf('[', at)
  const start = Math.max(...[';', '{', '}', '('].map(end => code.lastIndexOf(end, open))) + 1
  const declared = /^([\s\S]*?)([A-Za-z_]\w*)\s*$/.exec(code.slice(start, open))
  const lengths = /^(?:\[[^\]]*\]\s*)+/.exec(code.slice(open))
  if (!declared || !lengths || declared[1]!.includes(',')) return undefined
  const behind = open + lengths[0].length
  const list = behind + /^=?\s*/.exec(code.slice(behind))![0].length
  const end = endOfList(code, list)
  if (end === undefined || !/^\s*;/.test(code.slice(end))) return undefined

  const [, type = '', name = ''] = declared
  const dimensions = lengths[0].split('[').length - 1
  const part = (depth: number): string => name + '[0]'.repeat(depth)
  const bytes = Array.from({ length: dimensions + 1 }, (_, depth) => `sizeof(${part(depth)})`).join(', ')
  const call = `; ::__warplens::initializeArray<${dimensions}>(0, &${part(dimensions)}, {${bytes}}, `
  const writable = text.slice(start, start + type.length).replace(CONSTANT_ELEMENTS, word => ' '.repeat(word.length))
  return (
    text.slice(0, start) +
    writable +
    text.slice(start + type.length, behind) +
    call +
    text.slice(list, end) +
    ')' +
    text.slice(end)
  )
}

/** The `const` of the elements themselves, not of what they point to. */
const CONSTANT_ELEMENTS = /\bconst\b(?![^*]*\*)/g

/** The place behind the list that begins at `from`; undefined where none does. */
function endOfList(code: string, from: number): number | undefined {
  const close = code[from] === '{' ? closingBrace(code, from + 1) : undefined
  return close === undefined ? undefined : close + 1
}
