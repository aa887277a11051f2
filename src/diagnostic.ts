/**
 * What can go wrong, as values. Whatever a user can cause is a {@link Diagnostic}: a stable code, a severity, a message
 * that says what to do, and where in the source. A bug of ours is an {@link InternalError}; nothing else is thrown on purpose.
 */

export type Severity = 'error' | 'warning' | 'note'

/** A place in a source file; line and column count from 1, column 0 means "the whole line". */
export interface SourceRange {
  readonly file: string
  readonly line: number
  readonly column: number
}

export interface Diagnostic {
  /** Stable, kebab-case, for example `unsupported-intrinsic`. */
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly range?: SourceRange
  readonly notes?: readonly string[]
  /** What a compiler printed for it: heading, source line, caret, notes. Shown instead of our own form. */
  readonly rendered?: string
}

/** The user's mistake, or a limit of ours that the user can meet: carries one or more diagnostics. Exit code 2 (or 3 at run time). */
export class UserError extends Error {
  readonly diagnostics: readonly Diagnostic[]
  constructor(...diagnostics: Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join('\n'))
    this.name = 'UserError'
    this.diagnostics = diagnostics
  }
}

/** A bug of ours: exit code 70. */
export class InternalError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InternalError'
  }
}

/** Shorthand for the most common case, one error. */
export function userError(code: string, message: string, range?: SourceRange, notes?: readonly string[]): UserError {
  return new UserError({ code, severity: 'error', message, ...(range && { range }), ...(notes && { notes }) })
}

/** `file:line:column: error: message`, notes on lines of their own: the form that compilers print and editors parse. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  if (diagnostic.rendered !== undefined) return diagnostic.rendered
  const { range } = diagnostic
  const where = range ? `${range.file}:${range.line}${range.column > 0 ? `:${range.column}` : ''}: ` : ''
  const notes = (diagnostic.notes ?? []).map(note => `\n  note: ${note}`).join('')
  return `${where}${diagnostic.severity}: ${diagnostic.message}${notes}`
}
