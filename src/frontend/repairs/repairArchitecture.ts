/**
 * `#error` where a source knows some processors only, and x86 among them: programs for CUDA run on x86, the host side here does not, and
 * defines none of its macros, so that others take their portable ways. In: clang's errors and the sources. Out: the sources with all of
 * their conditions as on x86. What assembly they have then is refused, but for time stamps (repairTimeStamps.ts).
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { repairAtErrors } from './repairAtErrors.ts'

const MACRO = '__(?:x86_64|amd64)(?:__)?'
const IS_X86 = new RegExp(`\\b(?:defined\\s*\\(\\s*${MACRO}\\s*\\)|(?:defined\\s+)?${MACRO}\\b)`, 'g')
const OF_X86 = new RegExp(`^(\\s*#\\s*)(ifdef|ifndef)\\s+${MACRO}\\b`)
const DIRECTIVE = /^\s*#\s*(if|ifdef|ifndef|elif|else|endif|error)\b/

/** The sources that find themselves on x86 where they end in `#error` else; undefined where none does. */
export function repairArchitecture(
  files: FileTree,
  errors: readonly Diagnostic[],
  workingDirectory: string,
): FileTree | undefined {
  return repairAtErrors(files, errors, workingDirectory, (text, { line }) => {
    const lines = text.split('\n')
    if (directiveOf(lines[line - 1]) !== 'error') return undefined
    if (!conditionsBefore(lines, line - 1).some(condition => asOnX86(condition) !== condition)) return undefined
    return lines.map(asOnX86).join('\n')
  })
}

const directiveOf = (line: string | undefined): string | undefined => DIRECTIVE.exec(line ?? '')?.[1]

const isCondition = (name: string | undefined): boolean => /^(?:el)?if/.test(name ?? '')

function asOnX86(line: string): string {
  if (!isCondition(directiveOf(line))) return line
  return line
    .replace(OF_X86, (_, head: string, name: string) => `${head}if ${name === 'ifdef' ? 1 : 0}`)
    .replace(IS_X86, '1')
}

/** The conditions of the innermost group that this line is in: those that were tried before it. */
function conditionsBefore(lines: readonly string[], error: number): string[] {
  const found: string[] = []
  let depth = 0
  for (const line of lines.slice(0, error).reverse()) {
    const name = directiveOf(line)
    if (name === 'endif') depth++
    else if (depth === 0 && isCondition(name)) found.push(line)
    if (name?.startsWith('if') && depth-- === 0) break
  }
  return found
}
