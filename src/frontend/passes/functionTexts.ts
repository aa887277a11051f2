/** What stands in the text of a function of LLVM IR, or of a call. */

/** What ends one function. */
export const END = '\n}\n'

/** Its name, with its `@`; nothing in front of the first. */
export const nameOf = (func: string): string => /^define .*?(@(?:"[^"]+"|[^ (]+))\(/m.exec(func)?.[1] ?? ''

/** Its parameters' names, with their `%`, in order. */
export function parametersOf(func: string): string[] {
  const [, list = ''] = /^define .*?@(?:"[^"]+"|[\w.$]+)\((.*)\)/m.exec(func) ?? []
  return list.split(', ').map(each => / (%[\w.]+)$/.exec(each)?.[1] ?? '')
}

const CALL = /^ +(?:%[\w.]+ = )?(?:tail )?call .*?(@"[^"]+"|@[\w.$]+)\((.*)\)/

export interface CallText {
  /** With its `@`. */
  readonly callee: string
  /** With their types. */
  readonly args: readonly string[]
}

export function callIn(line: string): CallText | undefined {
  const [, callee, list] = CALL.exec(line) ?? []
  return callee === undefined ? undefined : { callee, args: list!.split(', ') }
}

/** What is no negative number, by its definition: nvcc widens it alike with a sign and without (not a thread's number, though it is none). */
export const isNeverNegative = (definition: string): boolean => /^(?:zext|lshr|urem|and i32 .*, \d+)/.test(definition)

/** The name of a value of 32 bits that is handed on; undefined for constants and other types. */
export const narrowValue = (argument: string): string | undefined => /^i32 (?:\w+ )*(%[\w.]+)$/.exec(argument)?.[1]

/** The same for 64 bits, too. */
const namedValue = (argument: string): string | undefined => narrowValue(argument.replace(/^i64/, 'i32'))

/** A kernel's parameter, or one that all callers give something else than a constant. */
export function isGivenAny(func: string, parameter: string, ir: string): boolean {
  if (/^define [^@]*\bptx_kernel\b/m.test(func)) return true
  const name = nameOf(func)
  const at = parametersOf(func).indexOf(parameter)
  const calls = ir.split('\n').flatMap(line => (line.includes(`${name}(`) ? (callIn(line) ?? []) : []))
  const given = calls.filter(({ callee }) => callee === name).map(({ args }) => namedValue(args[at] ?? ''))
  return given.length > 0 && given.every(value => value !== undefined)
}
