/**
 * Loops that count in 32 bits up to a bound of 64 (`for (int i = threadIdx.x; i < n; i += 64)` where `n` is an `int64_t`): LLVM of today relies on
 * the counter not wrapping and writes such loops out, nvcc does not, unless the counter begins with what is never negative; nor does ptxas
 * then (machine code of 40 loops). In: LLVM IR before any pass. Out: the same with such loops marked as those that stay.
 */
import { END, isGivenAny, isNeverNegative } from './functionTexts.ts'
import { definitionOf, keepLoops, loopsIn, storesTo } from './loopTexts.ts'

/** A comparison with sign, of what was widened. */
const WIDE_TEST = /^ +%[\w.]+ = icmp s[lg][te] i64 (%[\w.]+), (%[\w.]+)/gm

export function keepWideBounds(ir: string): string {
  if (!ir.includes(' = sext i32 ') || !ir.includes(' = icmp s')) return ir
  return keepLoops(ir, new Set(ir.split(END).flatMap(func => loopsThatStay(func, ir))))
}

/** Their nodes of metadata. */
function loopsThatStay(func: string, ir: string): string[] {
  return loopsIn(func).flatMap(({ node, start, end, header }) => {
    const counter = [...header.matchAll(WIDE_TEST)]
      .map(([, left, right]) => counterOf(header, left!, right!) ?? counterOf(header, right!, left!))
      .find(each => each !== undefined)
    if (counter === undefined || storesTo(func.slice(start, end), counter).length === 0) return []
    const first = firstOf(func.slice(0, start), counter)
    return first === 'any' || (first !== undefined && isGivenAny(func, first, ir)) ? [node] : []
  })
}

/** The variable that one side widens, perhaps with a constant added, where the other has 64 bits by itself. */
function counterOf(block: string, counter: string, bound: string): string | undefined {
  if (/^sext i32 /.test(definitionOf(block, bound) ?? 'sext i32 ')) return undefined
  const [, narrow] = /^sext i32 (%[\w.]+) to i64/.exec(definitionOf(block, counter) ?? '') ?? []
  if (narrow === undefined) return undefined
  const [, sum] = /^(?:add|sub) nsw i32 (%[\w.]+), -?\d+/.exec(definitionOf(block, narrow) ?? '') ?? []
  return /^load i32, ptr (%[\w.]+)/.exec(definitionOf(block, sum ?? narrow) ?? '')?.[1]
}

/**
 * What a loop begins with: nothing that is never negative, or the parameter that says it.
 * @param before the function's text in front of the loop
 */
function firstOf(before: string, counter: string): 'any' | `%${string}` | undefined {
  const value = storesTo(before, counter).at(-1)
  if (value === undefined || !value.startsWith('%')) return undefined
  const definition = definitionOf(before, value)
  if (definition === undefined) return value as `%${string}`
  if (isNeverNegative(definition)) return undefined
  const [, parameter] = /^load i32, ptr (%[\w.]+)\.addr,/.exec(definition) ?? []
  return parameter === undefined ? 'any' : (parameter as `%${string}`)
}
