/**
 * C programs in several files call functions that they never declared, or declared with another result, and every real machine
 * forgives that: `time` among them, whose result is wider than the int that C takes it for. C++ forgives another result, which its
 * mangled names do not tell. WebAssembly does not: such a call traps. The linker says where; the calling file is
 * compiled again with the name of a small function that calls the real one. In: the linker's messages. Out: those functions,
 * and the names to replace, by object.
 */
import type { Diagnostic } from '../../diagnostic.ts'

export interface Adapters {
  /** C. */
  readonly source: string
  /** `-D` values for objects that have to be compiled again. */
  readonly defines: ReadonlyMap<string, readonly string[]>
  /** Calls that stay wrong. */
  readonly warnings: readonly Diagnostic[]
}

export interface ObjectSource {
  readonly text: string
  readonly isC: boolean
}

interface Signature {
  readonly parameters: readonly string[]
  readonly result: string
  readonly object: string
}

const TYPES: Readonly<Record<string, string>> = {
  i32: 'int',
  i64: 'long long',
  f32: 'float',
  f64: 'double',
  void: 'void',
}

/** `sourceOf`: what an object was compiled from; undefined when the linker has nothing to say. */
export function adaptersFor(messages: string, sourceOf: (object: string) => ObjectSource): Adapters | undefined {
  const mismatches = readMismatches(messages)
  if (mismatches.size === 0) return undefined
  const lines: string[] = []
  const defines = new Map<string, string[]>()
  const warnings: Diagnostic[] = []
  for (const [name, signatures] of mismatches) {
    const { identifier, parameters } = sourceNameOf(name)
    const definition = new RegExp(`\\b${identifier}\\s*\\([^;{}]*\\)\\s*\\{`)
    const defining = signatures.filter(({ object }) => !isOfProgram(object) || definition.test(sourceOf(object).text))
    // The linker names the first object that has a name, which is not always where it is defined; C++ knows its declaration.
    const makers = defining.length > 0 ? defining : signatures.filter(({ object }) => !sourceOf(object).isC)
    const maker = makers[0]
    const callers = signatures.filter(signature => signature !== maker)
    const isSimple = maker !== undefined && callers.every(caller => isCallable(maker, caller))
    if (!isSimple || makers.length > 1 || !/^\w+$/.test(name)) {
      const message = `${identifier} is called with other types than it is defined with; the call will stop the program`
      warnings.push({ code: 'signature-mismatch', severity: 'warning', message })
      continue
    }
    for (const [index, caller] of callers.entries()) {
      const alias = `__warplens_call_${identifier}_${index}`
      const linked = parameters === undefined ? alias : `_Z${alias.length}${alias}${parameters}`
      lines.push(...adapter(name, linked, maker, caller))
      defines.set(caller.object, [...(defines.get(caller.object) ?? []), `${identifier}=${alias}`])
    }
  }
  return { source: `${lines.join('\n')}\n`, defines, warnings }
}

/** Of a C++ function in no namespace, the part of its mangled name that the source has, and its parameters' part. */
function sourceNameOf(name: string): { readonly identifier: string; readonly parameters?: string } {
  const [, length, rest = ''] = /^_Z(\d+)(\D\w*)$/.exec(name) ?? []
  if (length === undefined) return { identifier: name }
  return { identifier: rest.slice(0, Number(length)), parameters: rest.slice(Number(length)) }
}

function adapter(name: string, alias: string, maker: Signature, caller: Signature): string[] {
  const listOf = ({ parameters }: Signature): string =>
    parameters.map((type, index) => `${TYPES[type]} p${index}`).join(', ') || 'void'
  const values = maker.parameters.map((_, index) => `p${index}`).join(', ')
  const isSame = maker.result === caller.result
  // As in a register: the low part of an integer is what a caller of another width finds there.
  const isKept = maker.result !== 'void' && (isSame || (isInteger(maker.result) && isInteger(caller.result)))
  const end = caller.result === 'void' || isKept ? '' : ' return 0;'
  return [
    `extern ${TYPES[maker.result]} ${name}(${listOf(maker)});`,
    `${TYPES[caller.result]} ${alias}(${listOf(caller)}) { ${isKept ? 'return ' : ''}${name}(${values});${end} }`,
  ]
}

/** As many arguments, of the same kinds: where nothing declares that `read` takes a size of 8 bytes, calls hand over an int. */
function isCallable(maker: Signature, caller: Signature): boolean {
  const { parameters } = caller
  if (parameters.length !== maker.parameters.length) return false
  return parameters.every((type, index) => {
    const wanted = maker.parameters[index]!
    return type === wanted || (isInteger(type) && isInteger(wanted))
  })
}

const isInteger = (type: string): boolean => type === 'i32' || type === 'i64'

/** Else it is of a library, where a name has one definition. */
const isOfProgram = (object: string): boolean => object.startsWith('/object/')

/** wasm-ld's warnings: a name, then each signature with an object that has it. */
function readMismatches(messages: string): Map<string, Signature[]> {
  const found = new Map<string, Signature[]>()
  let name = ''
  for (const line of messages.split('\n')) {
    const heading = /^wasm-ld: warning: function signature mismatch: (.+)$/.exec(line)
    if (heading) name = heading[1]!
    const detail = /^>>> defined as \((.*)\) -> (\w+) in (\S+)$/.exec(line)
    if (!detail || name === '') continue
    const parameters = detail[1] === '' ? [] : detail[1]!.split(', ')
    found.set(name, [...(found.get(name) ?? []), { parameters, result: detail[2]!, object: detail[3]! }])
  }
  return new Map([...found].filter(([, all]) => all.length > 1 && all.some(({ object }) => isOfProgram(object))))
}
