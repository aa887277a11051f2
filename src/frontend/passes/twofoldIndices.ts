/**
 * Variables without sign that choose elements, and choose others with one where they are handed on: an argument of a function that takes an
 * `int`, a copy (`unsigned i = ...; c[i] + laplacian(c, i)`). nvcc widens the two otherwise and loads an element of both kinds twice, where LLVM
 * sees one (mixedIndices.ts; PTX of a dozen; readings: `s37-ace`, `s37-che`). In: functions as clang writes them, before any pass. Out: where
 * the elements without sign stand.
 */
import { type CallText, callIn, isNeverNegative, nameOf, narrowValue, parametersOf } from './functionTexts.ts'
import { ELEMENT } from './indexKinds.ts'

const LOADED = /^ +(%[\w.]+) = load i32, ptr (%[\w.]+),/
const SUM = /^ +(%[\w.]+) = (?:add|sub|mul|shl)(?: nuw| nsw)* i32 (\S+), (\S+?)(?:,|$)/
const COPIED = /^ +store i32 (%[\w.]+), ptr (%[\w.]+),/
const INDEX = / i32 (%[\w.]+), !dbg !(\d+)$/
const DEFINED = /^ +(%[\w.]+) = (.*)/
const ELEMENT_LINE = new RegExp(ELEMENT.source)

interface Uses {
  readonly parameters: readonly string[]
  /** By variable, where it chooses elements without sign. */
  readonly unsigned: Map<string, Set<string>>
  /** Variables that choose elements with one. */
  readonly signed: Set<string>
  readonly copies: { readonly from: string; readonly to: string }[]
  readonly calls: { readonly callee: string; readonly at: number; readonly from: string }[]
  /** Variables that are never negative. */
  readonly natural: ReadonlySet<string>
}

/** Numbers of the locations of such elements. */
export function twofoldIndices(functions: readonly string[]): Set<string> {
  const uses = new Map(functions.map(func => [nameOf(func), usesIn(func)]))
  let isChanged = true
  while (isChanged) {
    isChanged = false
    for (const { signed, copies, calls } of uses.values()) {
      const before = signed.size
      for (const { from, to } of copies) if (signed.has(to)) signed.add(from)
      for (const { callee, at, from } of calls) {
        const target = uses.get(callee)
        const parameter = target?.parameters[at]
        if (parameter !== undefined && target!.signed.has(`${parameter}.addr`)) signed.add(from)
      }
      isChanged ||= signed.size > before
    }
  }
  const found = new Set<string>()
  for (const { unsigned, signed, natural } of uses.values())
    for (const [variable, locations] of unsigned)
      if (signed.has(variable) && !natural.has(variable)) for (const location of locations) found.add(location)
  return found
}

function usesIn(func: string): Uses {
  const parameters = parametersOf(func)
  /** What a value is a variable of, and what it is made of. */
  const loaded = new Map<string, string>()
  const madeOf = new Map<string, readonly string[]>()
  const never = new Set<string>()
  const stored = new Map<string, string[]>()
  const uses = {
    parameters,
    unsigned: new Map<string, Set<string>>(),
    signed: new Set<string>(),
    copies: [] as Uses['copies'],
    calls: [] as Uses['calls'],
  }
  const variablesOf = (value: string): readonly string[] => madeOf.get(value) ?? []
  for (const line of func.split('\n')) {
    const load = LOADED.exec(line)
    if (load) {
      loaded.set(load[1]!, load[2]!)
      madeOf.set(load[1]!, [load[2]!])
      continue
    }
    const sum = SUM.exec(line)
    if (sum) madeOf.set(sum[1]!, [...variablesOf(sum[2]!), ...variablesOf(sum[3]!)])
    const defined = DEFINED.exec(line)
    if (defined && isNeverNegative(defined[2]!)) never.add(defined[1]!)
    const copy = COPIED.exec(line)
    if (copy) {
      const [, value, to] = copy
      stored.set(to!, [...(stored.get(to!) ?? []), value!])
      const from = loaded.get(value!)
      if (from !== undefined && from !== to) uses.copies.push({ from, to: to! })
    }
    const call = callIn(line)
    if (call) addCall(call, loaded, uses.calls)
    const index = line.includes(' = getelementptr ') ? INDEX.exec(line) : null
    if (!index) continue
    const [, flags = ''] = ELEMENT_LINE.exec(line) ?? []
    for (const variable of variablesOf(index[1]!))
      if (!flags.includes('nuw')) uses.signed.add(variable)
      else uses.unsigned.set(variable, (uses.unsigned.get(variable) ?? new Set()).add(index[2]!))
  }
  const natural = [...stored].filter(([, values]) => values.every(value => never.has(value))).map(([to]) => to)
  return { ...uses, natural: new Set(natural) }
}

function addCall({ callee, args }: CallText, loaded: ReadonlyMap<string, string>, calls: Uses['calls']): void {
  for (const [at, each] of args.entries()) {
    const from = loaded.get(narrowValue(each) ?? '')
    if (from !== undefined) calls.push({ callee, at, from })
  }
}
