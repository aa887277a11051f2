/**
 * Loops that count up to a bound and with it, by more than one (`for (int j = threadIdx.x; j <= n; j += 32)`): where the bound may be the greatest
 * number there is, nvcc cannot tell how many rounds there are and lets them stay; LLVM of today counts them in a wider type and writes them out.
 * From a constant on both write them out, and so do both by steps of one. In: LLVM IR before any pass. Out: the same with such loops marked as those
 * that are written out once; ptxas writes them out more often then (analysis/loops/unrollLoops.ts).
 *
 * Source: machine code of 321 loops of four types, with starts, steps and bounds of 20 kinds (nvcc 13.0).
 */
import { END, isGivenAny, isNeverNegative } from './functionTexts.ts'
import { definitionOf, type LoopText, loopsIn, repeatLoops, storesTo } from './loopTexts.ts'

const TEST = /^ +%[\w.]+ = icmp sle (i32|i64) (%[\w.]+), (%[\w.]+)/m

export function keepInclusiveBounds(ir: string): string {
  if (!ir.includes(' = icmp sle ')) return ir
  return repeatLoops(ir, new Set(ir.split(END).flatMap(func => loopsThatStay(func, ir))), 1)
}

/** Their nodes of metadata. */
function loopsThatStay(func: string, ir: string): string[] {
  return loopsIn(func).flatMap(loop => {
    const [, type, left, right] = TEST.exec(loop.header) ?? []
    const counter = left === undefined ? undefined : variableIn(definitionOf(loop.header, left))
    if (counter === undefined || !isByMoreThanOne(func, loop, type!, counter)) return []
    const before = func.slice(0, loop.start)
    const value = (name: string) => valueIn(before, type!, name)
    const start = value(counter)
    if (start === undefined || !isAny(start, func, ir)) return []
    if (type === 'i64' && isNeverNegative(start)) return []
    const limit = definitionOf(loop.header, right!)
    const variable = variableIn(limit)
    const bound = variable === undefined ? limit : value(variable)
    return bound !== undefined && isAny(bound, func, ir) && mayBeGreatest(bound) ? [loop.node] : []
  })
}

const variableIn = (definition = ''): string | undefined => /^load i(?:32|64), ptr (%[\w.]+),/.exec(definition)?.[1]

/** Its only change in the loop. */
function isByMoreThanOne(func: string, { start, end }: LoopText, type: string, counter: string): boolean {
  const inside = func.slice(start, end)
  const [stored, ...others] = storesTo(inside, counter, type)
  if (stored === undefined || others.length > 0) return false
  const [, step] = new RegExp(`^add nsw ${type} %[\\w.]+, (\\d+)`).exec(definitionOf(inside, stored) ?? '') ?? []
  return step !== undefined && step !== '1'
}

/** How what a variable has in front of the loop was made: a definition, a constant, or the name of a parameter. */
function valueIn(before: string, type: string, variable: string): string | undefined {
  const stored = storesTo(before, variable, type).at(-1)
  if (stored === undefined || !stored.startsWith('%')) return stored
  const definition = definitionOf(before, stored)
  const copied = variableIn(definition)
  if (definition === undefined || copied === undefined) return definition ?? stored
  const at = before.lastIndexOf(`\n  ${stored} = `)
  return valueIn(before.slice(0, at), type, copied) ?? definition
}

/** Whether a value is no constant, nor a parameter that is one for some caller. */
function isAny(value: string, func: string, ir: string): boolean {
  if (/^-?\d+$/.test(value)) return false
  return !value.startsWith('%') || isGivenAny(func, value, ir)
}

/** What is less than its type's greatest number by how it is made: a quotient, a multiple, less than another, widened. */
const mayBeGreatest = (definition: string): boolean =>
  !/^(?:sub nsw \w+ %[\w.]+, \d|add nsw \w+ %[\w.]+, -|(?:sdiv|srem|ashr|lshr|udiv|urem|mul nsw|shl nsw|zext|sext|and)\b)/.test(
    definition,
  )
