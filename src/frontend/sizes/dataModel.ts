/**
 * Where 4-byte pointers (ILP32, decision 2 of docs/architecture.md), and `size_t` and `long` where they could not be widened
 * (wideSizes.ts, wideLongs.ts), show in a program's source and its result may differ from a machine's with 8: their sizes printed,
 * asserted or compared with 8. clang's own warnings tell of constants that do not fit (commandFlags.ts, WARNINGS).
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { isOwn } from '../sources/ownFiles.ts'
import { rangeAt, statementAround, withoutTexts } from '../sources/textEdits.ts'

const SIZED =
  /\bsizeof\s*\(\s*((?:const\s+)?(?:(?:unsigned\s+|signed\s+)?long(?:\s+int)?|(?:std::)?(?:s?size_t|u?intptr_t|ptrdiff_t)|(?:struct\s+)?[A-Za-z_][\w:]*(?:\s*\*)+))\s*\)/g
const NOTE =
  'pointers have 4 bytes in Warplens, on both sides, and size_t where a program needs the libraries to have the same'
const PRINTS = /\b(?:f|s|sn)?printf\s*\(|\b(?:cout|cerr)\b|\b(?:static_)?assert\s*\(/
const IS_EIGHT = /\)\s*[!=]=\s*8\b|\b8\s*[!=]=\s*sizeof/
/** An assertion that clang evaluated, or its older spelling. */
const FAILED = /static assertion failed|array (?:size is negative|with a negative size)/

/** A warning for each such line of the user's files; headers of libraries are not looked at. */
export function findDataModelHazards(files: FileTree): Diagnostic[] {
  return Object.entries(files).flatMap(([file, text]) =>
    isOwn(file, text) && text.includes('sizeof') ? hazardsOf(file, text) : [],
  )
}

function hazardsOf(file: string, text: string): Diagnostic[] {
  const code = withoutTexts(text)
  const found: Diagnostic[] = []
  for (const match of code.matchAll(SIZED)) {
    const statement = statementAround(code, match.index)
    if (!PRINTS.test(statement) && !IS_EIGHT.test(statement)) continue
    const range = rangeAt(file, code, match.index)
    if (found.some(other => other.range?.line === range.line)) continue
    found.push({
      code: 'data-model',
      severity: 'warning',
      message: `${match[0].replace(/\s+/g, ' ')} is 4 here, and 8 on a machine with a GPU`,
      range,
      notes: [NOTE],
    })
  }
  return found
}

/** What to add to an error that may come from the data model. */
export function dataModelNote(message: string, rendered: string): string | undefined {
  if (!FAILED.test(message)) return undefined
  return new RegExp(SIZED.source).test(rendered) ? `${NOTE}; on a machine with a GPU they have 8` : undefined
}
