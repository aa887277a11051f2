/**
 * Functions of a program's own that pass a format on (`void log(const char *format, ...)` around vfprintf) are told to clang as such, by the
 * attribute that GCC has for it: what their calls print is checked and repaired like printf's (repairFormats.ts). Where one cannot be, `long`
 * and size_t keep the C library's 4 bytes (wideLongs.ts, wideSizes.ts), since a `%ld` may be written for what nobody sees.
 * In: the user's files. Out: the same with attributes; lines stay where they are.
 */
import type { FileTree } from '../clang/clang.ts'
import { beginningOf, behindTemplate } from '../repairs/redeclaredFunctions.ts'
import { changeOwn, isOwn } from '../sources/ownFiles.ts'
import { closingParenthesis, type Edit, edited, partsOf, withoutTexts } from '../sources/textEdits.ts'

const WRITES = /\bv(?:f|s|sn|as|d)?(printf|scanf)\s*\(/g
/** What stands in front of the body of a function with further arguments: its name, its parameters. */
const VARIADIC = /(?<![\w~])(\w+)\s*\(([^()]*),\s*\.\.\.\s*\)\s*(?:(?:const|noexcept)\s*)*$/
const ATTRIBUTE = /\bformat(?:__)?\s*\(/
const FURTHER = /^([\s\S]*),\s*\.\.\.\s*$/
const DIRECTIVE = /^\s*#/
/** `extern "C"`, whose text is blank here. */
const LINKAGE = /extern\b\s*/y
const CLASS = /\b(?:class|struct|union)\b[^()]*$/

interface Wrapper {
  /** Its name and how many parameters it has in front of the further ones. */
  readonly key: string
  /** Undefined where it has one. */
  readonly attribute: string | undefined
}

/** Whether a format may be written by a call that clang takes for no printf. */
export function writesUnseenFormats(text: string): boolean {
  if (text.search(WRITES) < 0) return false
  const code = withoutTexts(text)
  return [...code.matchAll(WRITES)].some(call => {
    const wrapper = wrapperAround(code, call)
    return wrapper === undefined || wrapper.attribute !== undefined
  })
}

export function withSeenFormats(files: FileTree): FileTree {
  const attributes = new Map<string, string>()
  for (const [path, text] of Object.entries(files)) {
    if (!isOwn(path, text) || text.search(WRITES) < 0) continue
    const code = withoutTexts(text)
    for (const call of code.matchAll(WRITES)) {
      const wrapper = wrapperAround(code, call)
      if (wrapper?.attribute === undefined) continue
      const known = attributes.get(wrapper.key) ?? wrapper.attribute
      // A member and a function beside it count differently: neither is told.
      attributes.set(wrapper.key, known === wrapper.attribute ? known : '')
    }
  }
  if (attributes.size === 0) return files
  return changeOwn(files, text => withAttributes(text, attributes)) ?? files
}

/** In front of definitions and declarations: what a call sees. */
function withAttributes(text: string, attributes: ReadonlyMap<string, string>): string {
  const code = withoutTexts(text)
  const edits: Edit[] = []
  const names = new Set([...attributes.keys()].map(key => key.split('/')[0]))
  for (const { 1: name = '', 0: found, index } of code.matchAll(/\b(\w+)\s*\(/g)) {
    const close = names.has(name) ? closingParenthesis(code, index + found.length) : undefined
    if (close === undefined || DIRECTIVE.test(code.slice(code.lastIndexOf('\n', index) + 1, index))) continue
    const parameters = FURTHER.exec(code.slice(index + found.length, close))?.[1]
    if (parameters === undefined || !/\bchar\b/.test(parameters)) continue
    const attribute = attributes.get(keyOf(name, parameters))
    if (!attribute) continue
    const at = behindLinkage(code, behindTemplate(code, beginningOf(code, index)))
    if (!ATTRIBUTE.test(code.slice(at, index))) edits.push({ at, length: 0, text: attribute })
  }
  return edits.length > 0 ? edited(text, edits) : text
}

function behindLinkage(code: string, at: number): number {
  LINKAGE.lastIndex = at
  return at + (LINKAGE.exec(code)?.[0].length ?? 0)
}

/** The function that hands its own format and further arguments to `call`. */
function wrapperAround(code: string, call: RegExpExecArray): Wrapper | undefined {
  const outer: string[] = []
  for (const brace of openBraces(code, call.index)) {
    const begin = beginningOf(code, brace)
    const head = code.slice(begin, brace)
    const found = VARIADIC.exec(head)
    if (!found) {
      outer.push(head)
      continue
    }
    const [, name = '', parameters = ''] = found
    if (ATTRIBUTE.test(head)) return { key: keyOf(name, parameters), attribute: undefined }
    const before = head.slice(0, found.index)
    // Whether a member's definition outside of its class has a `this` is not seen there.
    if (/::\s*$/.test(before) || !/\w/.test(before)) return undefined
    const own = partsIn(parameters)
    const format =
      /\bchar\b[\s\S]*[*\]][\s\S]*?$/.test(own.at(-1) ?? '') && /(\w+)\s*(?:\[\s*\])?\s*$/.exec(own.at(-1)!)?.[1]
    const end = closingParenthesis(code, call.index + call[0].length)
    if (!format || !new RegExp(`\\b${format}\\b`).test(code.slice(call.index, end))) return undefined
    const isMember = outer.some(each => CLASS.test(each)) && !/\bstatic\b/.test(before)
    const position = own.length + (isMember ? 1 : 0)
    return {
      key: keyOf(name, parameters),
      attribute: `__attribute__((format(${call[1]}, ${position}, ${position + 1}))) `,
    }
  }
  return undefined
}

const partsIn = (list: string): string[] =>
  partsOf(list, { at: 0, end: list.length }, '([{<', ')]}>').map(({ at, end }) => list.slice(at, end))

const keyOf = (name: string, parameters: string): string => `${name}/${partsIn(parameters).length}`

/** The places of the braces around a place, the outermost first. */
function openBraces(code: string, at: number): number[] {
  const open: number[] = []
  for (const { 0: brace, index } of code.matchAll(/[{}]/g)) {
    if (index >= at) break
    if (brace === '{') open.push(index)
    else open.pop()
  }
  return open
}
