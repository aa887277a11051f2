/** Diagnostics for a terminal: as `formatDiagnostic` writes them, with the severity in colour. */
import type { Diagnostic } from '../diagnostic.ts'
import type { Colors } from './format.ts'

export function renderDiagnostic(diagnostic: Diagnostic, colors: Colors): string {
  const { range, severity, message, notes = [], rendered } = diagnostic
  const where = range ? `${range.file}:${range.line}${range.column > 0 ? `:${range.column}` : ''}: ` : ''
  const paint = severity === 'error' ? colors.red : severity === 'warning' ? colors.yellow : colors.cyan
  if (rendered !== undefined)
    return rendered.replace(
      /^(.*?)(fatal error:|error:|warning:)/,
      (_, place: string, word: string) => colors.bold(place) + paint(word),
    )
  return `${colors.bold(where)}${paint(`${severity}:`)} ${message}${notes.map(note => `\n  note: ${note}`).join('')}`
}
