/**
 * C++ exceptions of the host program. The toolchain has no unwinder, so nothing can be caught: a throw ends the program as an
 * uncaught one does, with the type and, for a std::exception, its text. Names and layouts: Itanium C++ ABI, "Exception
 * Handling" and "Run-Time Type Information".
 */
import { type HostFunctions, ProgramStopped } from './context.ts'
import { HostFault, type HostMemory } from './hostMemory.ts'

const POINTER_BYTES = 4
/** std::exception's virtual functions: two destructors, then what(). */
const WHAT_SLOT = 2
const STANDARD_EXCEPTION = 'St9exception'
const MAX_BASES = 16

export interface ExceptionParts {
  readonly host: HostMemory
  readonly malloc: (bytes: number) => number
  readonly callHost: (pointer: number, ...args: number[]) => number
}

export function exceptionCalls({ host, malloc, callHost }: ExceptionParts): HostFunctions {
  const textOf = (object: number): string => {
    const vtable = host.u32(object)
    return host.text(callHost(host.u32(vtable + WHAT_SLOT * POINTER_BYTES), object))
  }
  const stop = (message: string, notes: readonly string[]): never => {
    throw new ProgramStopped({ code: 'uncaught-exception', severity: 'error', message, notes })
  }
  return {
    __cxa_allocate_exception: (bytes: number) => malloc(bytes >>> 0),
    __cxa_free_exception: () => undefined,
    __cxa_throw: (object: number, typeInfo: number) => {
      const bases = baseNames(host, typeInfo)
      const what = bases.includes(STANDARD_EXCEPTION) ? `: ${textOf(object)}` : ''
      return stop(`the host program threw an exception of type ${readable(bases[0] ?? 'unknown')}${what}`, [
        'exceptions cannot be caught here (the host toolchain has no unwinder), so a throw ends the program',
      ])
    },
    __cxa_rethrow: () => stop('the host program rethrew an exception', []),
    __cxa_begin_catch: (object: number) => object,
    __cxa_end_catch: () => undefined,
    __cxa_get_exception_ptr: (object: number) => object,
    __gxx_personality_v0: () => 0,
    __gxx_wasm_personality_v0: () => 0,
    _Unwind_Resume: () => stop('the host program resumed an exception', []),
  }
}

/** The mangled name of a type and of its single-inheritance bases: { vtable, name, base } records. */
function baseNames(host: HostMemory, typeInfo: number): string[] {
  const names: string[] = []
  let at = typeInfo
  while (at !== 0 && names.length < MAX_BASES) {
    const name = nameAt(host, at)
    if (name === undefined) break
    names.push(name)
    if (name === STANDARD_EXCEPTION) break
    at = host.holds(at + 2 * POINTER_BYTES, POINTER_BYTES) ? host.u32(at + 2 * POINTER_BYTES) : 0
  }
  return names
}

function nameAt(host: HostMemory, typeInfo: number): string | undefined {
  try {
    const name = host.text(host.u32(typeInfo + POINTER_BYTES))
    return /^[A-Za-z0-9_]+$/.test(name) ? name : undefined
  } catch (error) {
    if (error instanceof HostFault) return undefined
    throw error
  }
}

const FUNDAMENTAL: Record<string, string> = {
  i: 'int',
  j: 'unsigned int',
  l: 'long',
  m: 'unsigned long',
  x: 'long long',
  c: 'char',
  b: 'bool',
  f: 'float',
  d: 'double',
  PKc: 'char const*',
  Pc: 'char*',
}

/** Plain nested names without templates; others stay mangled. */
function readable(mangled: string): string {
  const fundamental = FUNDAMENTAL[mangled]
  if (fundamental !== undefined) return fundamental
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
