/**
 * `asm("..." :: "n"(bytes))` with the name of a constant variable: our clang, which is built with assertions, fails one of them, since nothing
 * there takes the variable's value. The copy that is compiled casts the name to its own type, which does. Expressions do so by themselves.
 * Again on the result, it changes nothing.
 */
import { edited } from '../sources/textEdits.ts'

/** A literal in front of a parenthesis is an operand's constraint. */
const IMMEDIATE = /(?<="[ni]"\s*\(\s*(?:\(\s*)?)(?:::\s*)?[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*(?=\s*\))/g
/** Behind the name: two parentheses where two are open, so that it is no cast. */
const OPENED_TWICE = /"\s*\(\s*\(\s*$/
const CLOSED_TWICE = /^\s*\)\s*\)/

export function repairImmediates(source: string): string {
  if (!/"[ni]"\s*\(/.test(source)) return source
  const names = [...source.matchAll(IMMEDIATE)].filter(({ 0: name, index }) => {
    const isTwice = OPENED_TWICE.test(source.slice(Math.max(0, index - 16), index))
    return !isTwice || CLOSED_TWICE.test(source.slice(index + name.length, index + name.length + 16))
  })
  return edited(
    source,
    names.map(({ 0: name, index }) => ({ at: index, length: name.length, text: `(decltype(${name}))(${name})` })),
  )
}
