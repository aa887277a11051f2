/**
 * Formats in the user's macros, where one format is for all types that the macro is used with (`#define SHOW(x) printf("%zu\n", x)`):
 * the libraries' `size_t` has 4 bytes and the program's 8, so no length fits both. Each integer with a length of its own is printed as
 * `long long`, and its argument converted. In: the files. Out: a copy; lines stay where they are.
 */
import type { FileTree } from '../clang/clang.ts'
import { changeOwn } from '../sources/ownFiles.ts'
import { closingParenthesis, type Edit, edited, type Part, partsOf, withoutTexts } from '../sources/textEdits.ts'

const DEFINITION = /^[ \t]*#[ \t]*define\b(?:[^\\\n]|\\[^\n]|\\\n)*/gm
const PRINTS = /\b(?:f|s|sn)?printf\s*\(/g
/** What stands before the length, the length, the conversion; `%%` has none. */
const CONVERSION = /%(?:%|([-+ #0']*(\*|\d+)?(?:\.(\*|\d*))?)(hh|h|ll|l|q|j|z|t|L)?([a-zA-Z]))/g
const OTHER_LENGTH = /^[ljzt]$/
const INTEGER = /^[diouxX]$/

/** The files with such formats changed; undefined where there is none. */
export const widenMacroFormats = (files: FileTree): FileTree | undefined => changeOwn(files, widen)

function widen(text: string): string {
  const code = withoutTexts(text)
  const edits: Edit[] = []
  for (const { 0: definition, index } of code.matchAll(DEFINITION)) {
    for (const { 0: call, index: within } of definition.matchAll(PRINTS)) {
      const from = index + within + call.length
      const end = closingParenthesis(code, from)
      if (end !== undefined && end <= index + definition.length) edits.push(...editsOf(text, code, { at: from, end }))
    }
  }
  return edited(text, edits)
}

/** Of one call, whose arguments stand in `list`. */
function editsOf(text: string, code: string, list: Part): Edit[] {
  const parts = partsOf(code, list)
  const format = parts.findIndex(({ at, end }) => isText(code.slice(at, end)) && text.slice(at, end).includes('"'))
  if (format < 0) return []
  const { at, end } = parts[format]!
  const edits: Edit[] = []
  let next = format + 1
  for (const { 0: found, index, ...groups } of text.slice(at, end).matchAll(CONVERSION)) {
    const { 1: flags = '', 2: width, 3: precision, 4: length = '', 5: conversion } = groups
    if (conversion === undefined) continue
    next += [width, precision].filter(each => each === '*').length
    const argument = parts[next++]
    if (argument === undefined || !OTHER_LENGTH.test(length) || !INTEGER.test(conversion)) continue
    if (/__VA_ARGS__|\.\.\./.test(code.slice(argument.at, argument.end))) continue
    edits.push({ at: at + index + 1 + flags.length, length: found.length - flags.length - 2, text: 'll' })
    edits.push({ at: argument.at, length: 0, text: '(long long)(' }, { at: argument.end, length: 0, text: ')' })
  }
  return edits
}

/** Literals, which are blank here, and arguments of the macro made into some. */
const isText = (code: string): boolean => /^(?:\s|\\|#\s*\w+)*$/.test(code)
