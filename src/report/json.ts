/**
 * The report as JSON text, two spaces of indentation, one newline at the end; what holds nothing but plain values, as a metric or a
 * place of the timeline does, stands on one line. In parts, an element of an array each: a report of thousands of launches is
 * longer than a string may be.
 */
import type { Report } from './model.ts'

export function* jsonParts(report: Report): Generator<string> {
  let before = '{\n'
  for (const [name, value] of Object.entries(report)) {
    yield `${before}  ${JSON.stringify(name)}: `
    if (Array.isArray(value) && value.length > 0) yield* elements(value)
    else yield indented(value, '  ')
    before = ',\n'
  }
  yield '\n}\n'
}

function* elements(values: readonly unknown[]): Generator<string> {
  let before = '[\n'
  for (const value of values) {
    yield `${before}    ${indented(value, '    ')}`
    before = ',\n'
  }
  yield '\n  ]'
}

/** @param blanks before each line but the first */
function indented(value: unknown, blanks: string): string {
  if (!isNested(value) || !Object.values(value).some(isNested)) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const parts = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => (isList ? '' : `${JSON.stringify(name)}: `) + indented(part, `${blanks}  `))
  const [open, close] = isList ? '[]' : '{}'
  return `${open}\n${parts.map(part => `${blanks}  ${part}`).join(',\n')}\n${blanks}${close}`
}

/** Whether a value holds others. */
const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0
