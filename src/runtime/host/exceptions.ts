/**
 * A C++ exception that left the host program's main: in words, with its type and, for a std::exception, its text. Throwing
 * and catching themselves are WebAssembly's, and include/warplens/host_exceptions.cpp. Names: Itanium C++ ABI, "Mangling".
 */
import type { Diagnostic } from '../../diagnostic.ts'
import { LENGTH_NOTE } from './hostTraps.ts'

export interface UncaughtException {
  /** As std::type_info::name() has it. */
  readonly typeName: string
  /** what(), for what derives from std::exception. */
  readonly text: string | undefined
}

/** Whether an error that came out of WebAssembly is an exception that the program threw. */
export function isThrownByProgram(error: unknown): boolean {
  return typeof WebAssembly.Exception === 'function' && error instanceof WebAssembly.Exception
}

export function describeUncaught({ typeName, text }: UncaughtException): Diagnostic {
  const what = text === undefined ? '' : `: ${text}`
  const message = `the host program did not catch an exception of type ${readable(typeName)}${what}`
  const notes = typeName === LENGTH_ERROR ? [LENGTH_NOTE] : []
  return { code: 'uncaught-exception', severity: 'error', message, ...(notes.length > 0 && { notes }) }
}

const LENGTH_ERROR = 'St12length_error'

const SHORT_NAMES: Record<string, string> = {
  i: 'int',
  j: 'unsigned int',
  l: 'long',
  m: 'unsigned long',
  x: 'long long',
  DB64_: 'long',
  DU64_: 'unsigned long',
  c: 'char',
  b: 'bool',
  f: 'float',
  d: 'double',
  PKc: 'char const*',
  Pc: 'char*',
  NSt3__212basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEE: 'std::string',
}

/** Plain nested names without templates; others stay mangled. */
function readable(mangled: string): string {
  const short = SHORT_NAMES[mangled]
  if (short !== undefined) return short
  let rest = mangled.replace(/^N(.*)E$/, '$1')
  const parts: string[] = []
  if (rest.startsWith('St')) {
    parts.push('std')
    rest = rest.slice(2)
  }
  for (let match = /^(\d+)/.exec(rest); match !== null; match = /^(\d+)/.exec(rest)) {
    const start = match[1]!.length
    const end = start + Number(match[1])
    parts.push(rest.slice(start, end))
    rest = rest.slice(end)
  }
  return rest === '' && parts.length > 0 ? parts.filter(part => part !== '__2' && part !== '__1').join('::') : mangled
}
