/**
 * The report as JSON text, two spaces of indentation, one newline at the end. In parts, an element of an array each: a report of
 * thousands of launches is longer than a string may be.
 */
import type { Report } from './model.ts'

export function* jsonParts(report: Report): Generator<string> {
  let before = '{\n'
  for (const [name, value] of Object.entries(report)) {
    yield `${before}  ${JSON.stringify(name)}: `
    if (Array.isArray(value) && value.length > 0) yield* elements(value)
    else yield indented(value, 2)
    before = ',\n'
  }
  yield '\n}\n'
}

function* elements(values: readonly unknown[]): Generator<string> {
  let before = '[\n'
  for (const value of values) {
    yield `${before}    ${indented(value, 4)}`
    before = ',\n'
  }
  yield '\n  ]'
}

/** @param blanks before each line but the first */
function indented(value: unknown, blanks: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(blanks)}`)
}
