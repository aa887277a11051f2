/**
 * `Base<T>::f<3>(x)` without the word `template`: clang takes `<` for "less" and says so where the template is used; nvcc's front
 * end finds out by itself that a template is meant. The copy that is compiled has the word.
 * In: clang's errors and the sources. Out: the sources with the words; lines stay where they are.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { withoutTexts } from '../sources/textEdits.ts'
import { repairAtErrors } from './repairAtErrors.ts'

/** In front of a function, and of a type. */
const MISSING =
  /^(?:missing 'template' keyword prior to dependent template name '(\w+)'|use 'template' keyword to treat '(\w+)' as a dependent template name)$/
/** Without the word the name is that of functions, which nothing calls: the line tells which. */
const NOT_CALLED = /^reference to overloaded function could not be resolved; did you mean to call it\?$/
const QUALIFIED = />\s*::\s*(\w+)\s*</
/** Lines that one qualified name may take. */
const MOST_LINES = 3

/** The sources with every such word that `errors` tell of; undefined where none can be helped. */
export function repairTemplates(
  files: FileTree,
  errors: readonly Diagnostic[],
  workingDirectory: string,
): FileTree | undefined {
  return repairAtErrors(files, errors, workingDirectory, (text, { line }, { message }) => {
    const [, member, type] = MISSING.exec(message) ?? []
    const here = NOT_CALLED.test(message) ? QUALIFIED.exec(withoutTexts(text).split('\n')[line - 1] ?? '') : undefined
    const name = member ?? type ?? here?.[1]
    return name === undefined ? undefined : withTheWord(text, line, name)
  })
}

/** The word before every `name<` of a member from that line on that has none: as often as the line has it, it is the same one. */
function withTheWord(text: string, line: number, name: string): string {
  const lines = text.split('\n')
  const code = withoutTexts(text).split('\n')
  const qualified = new RegExp(`(?:::|\\.|->)(\\s*)${name}\\s*<`, 'g')
  for (let at = line - 1; at < Math.min(lines.length, line - 1 + MOST_LINES); at++) {
    const places = [...(code[at] ?? '').matchAll(qualified)].map(match => match.index + match[0].indexOf(name))
    for (const place of places.reverse()) lines[at] = `${lines[at]!.slice(0, place)}template ${lines[at]!.slice(place)}`
    if (places.length > 0) break
  }
  return lines.join('\n')
}
