/**
 * `extern "C"__global__ void f()`: C++11 reads a word that begins with an underscore behind a literal as its suffix, and clang wants an
 * operator of that name; GCC's preprocessor, which nvcc begins with, reads the macro where one of two underscores is meant (with a warning).
 * In: clang's errors and the sources. Out: the sources with a blank between the two; lines stay where they are.
 */
import type { Diagnostic } from '../../diagnostic.ts'
import type { FileTree } from '../clang/clang.ts'
import { repairAtErrors } from './repairAtErrors.ts'

const SUFFIX = /^string literal with user-defined suffix cannot be used here$|^no matching literal operator for call to/
const LITERAL = /"(?:\\.|[^"\\\n])*"(?:__\w+)?/g
/** CUDA's own macros. */
const SPECIFIER = /^__(?:global|device|host|managed|constant|shared|forceinline|noinline|launch_bounds)__$/

/** The sources with blanks in front of macros that clang takes for suffixes; undefined where it does nowhere. */
export function repairSuffixes(
  files: FileTree,
  errors: readonly Diagnostic[],
  workingDirectory: string,
): FileTree | undefined {
  if (!errors.some(({ message }) => SUFFIX.test(message))) return undefined
  const texts = Object.values(files).filter(text => typeof text === 'string')
  const isMacro = (name: string): boolean => {
    const definition = new RegExp(`^[ \\t]*#[ \\t]*define[ \\t]+${name}\\b`, 'm')
    return SPECIFIER.test(name) || texts.some(text => definition.test(text))
  }
  return repairAtErrors(files, errors, workingDirectory, (text, { line }, { message }) => {
    if (!SUFFIX.test(message)) return undefined
    const lines = text.split('\n')
    const row = lines[line - 1] ?? ''
    const apart = row.replace(LITERAL, literal => {
      const suffixAt = literal.lastIndexOf('"') + 1
      const suffix = literal.slice(suffixAt)
      return suffix !== '' && isMacro(suffix) ? `${literal.slice(0, suffixAt)} ${suffix}` : literal
    })
    return lines.with(line - 1, apart).join('\n')
  })
}
