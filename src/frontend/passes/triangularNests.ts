/**
 * Loops of a known number of rounds around loops whose number depends on theirs (`for (i = 1; i < 16; i++) for (j = 0; j < i; j++)`): LLVM of today
 * writes the outer one out whole, and then the inner ones, of which each has its own known number. nvcc does so only where all of it is short
 * ({@link MOST}); else the outer loop stays, and the inner one is written out by four as if nothing were known of it (LLVM of today knows that its
 * rounds are few, and lets it be). Loops over the thread's own arrays are written out for their sake (arrayLoops.ts). In: LLVM IR before any pass.
 * Out: the same with such outer loops marked as those that stay, and what is in them as written out by four.
 *
 * Source: PTX of 63 nests of seven kinds and 2 to 16 rounds, and of 140 of five bodies, 6 to 40 rounds and four directions (nvcc 13.0); readings: Rodinia's `lud` (shared loads of `lud_diagonal`: 541).
 */
import { END } from './functionTexts.ts'
import { definitionOf, keepLoops, type LoopText, loopsIn, repeatLoops, saidLoops, storesTo } from './loopTexts.ts'

/** Of LLVM's instructions, rounds of the outer loop times both loops as they stand. */
const MOST = 127
/** What counts, asks and branches in the two loops, and two instructions of arithmetic. */
const COUNTING = 13
/** A load or a store, with its address. */
const ACCESS = 4
/** What is stored at a place that stays in the inner loop is kept in a register as well. */
const KEPT = 4
/** How often an inner loop then stands in a row, where that is not too long. */
const TIMES = 4
const LONGEST = 350
/** More are counted by nobody. */
const MOST_ROUNDS = 1024

const TEST = /^ +%[\w.]+ = icmp (\w+) i32 (\S+), (\S+?)(?:,|$)/m
const VARIABLE = /^load i32, ptr (%[\w.]+),/

export function keepTriangularNests(ir: string): string {
  if (!ir.includes('!llvm.loop !')) return ir
  const said = saidLoops(ir)
  const nests = ir
    .split(END)
    .flatMap(nestsThatStay)
    .filter(({ outer }) => !said.has(outer))
  const kept = keepLoops(ir, new Set(nests.map(({ outer }) => outer)))
  return repeatLoops(kept, new Set(nests.flatMap(({ inner }) => inner)), TIMES)
}

interface Nest {
  /** Its loops' nodes of metadata. */
  readonly outer: string
  /** Those that nvcc writes out {@link TIMES} times. */
  readonly inner: readonly string[]
}

function nestsThatStay(func: string): Nest[] {
  const loops = loopsIn(func)
  return loops.flatMap(outer => {
    const inside = loops.filter(({ start, end }) => outer.start < start && end < outer.end)
    const counter = inside.length > 0 ? counterOf(func, outer) : undefined
    if (!counter) return []
    const dependent = inside.filter(loop => dependsOn(func, loop, counter.name))
    if (dependent.length === 0 || counter.rounds * sizeOf(func, outer, inside) <= MOST) return []
    const inner = dependent.filter(
      loop =>
        !inside.some(({ start, end }) => loop.start < start && end < loop.end) &&
        sizeOf(func, loop, [loop]) * TIMES <= LONGEST,
    )
    return [{ outer: outer.node, inner: inner.map(({ node }) => node) }]
  })
}

const variableIn = (definition: string): string | undefined => VARIABLE.exec(definition)?.[1]
const variableOf = (text: string, value: string): string | undefined => variableIn(definitionOf(text, value) ?? '')

/** The variable that counts a loop's rounds, and how many there are, from a constant to a constant. */
function counterOf(func: string, { start, end, header }: LoopText): { name: string; rounds: number } | undefined {
  const [, predicate, left, bound] = TEST.exec(header) ?? []
  const name = left === undefined ? undefined : variableOf(header, left)
  if (name === undefined || !isNumber(bound!)) return undefined
  const first = storesTo(func.slice(0, start), name).at(-1)
  const [next, ...others] = storesTo(func.slice(start, end), name)
  if (first === undefined || !isNumber(first) || next === undefined || others.length > 0) return undefined
  const [, op, by] =
    /^(add|mul|shl|ashr|sdiv)(?: nsw| nuw| exact)* i32 %[\w.]+, (-?\d+)(?:,|$)/.exec(
      definitionOf(func.slice(start, end), next) ?? '',
    ) ?? []
  if (op === undefined) return undefined
  let value = Number(first)
  for (let rounds = 0; rounds < MOST_ROUNDS; rounds++) {
    if (!holds(predicate!, value, Number(bound))) return { name, rounds }
    value = moved(op, value, Number(by))
  }
  return undefined
}

const isNumber = (text: string): boolean => /^-?\d+$/.test(text)

function holds(predicate: string, value: number, bound: number): boolean {
  switch (predicate) {
    case 'slt':
    case 'ult':
      return value < bound
    case 'sle':
    case 'ule':
      return value <= bound
    case 'sgt':
    case 'ugt':
      return value > bound
    case 'sge':
    case 'uge':
      return value >= bound
    default:
      return predicate === 'ne' && value !== bound
  }
}

function moved(op: string, value: number, by: number): number {
  switch (op) {
    case 'add':
      return value + by
    case 'mul':
      return value * by
    case 'shl':
      return value << by
    case 'ashr':
      return value >> by
    default:
      return Math.trunc(value / by)
  }
}

/** Whether an inner loop begins or ends where the outer one's counter says. */
function dependsOn(func: string, { start, header }: LoopText, counter: string): boolean {
  const [, , left, right] = TEST.exec(header) ?? []
  const own = left === undefined ? undefined : variableOf(header, left)
  if (own === undefined || own === counter) return false
  if (isMadeOf(header, right!, counter)) return true
  const before = func.slice(0, start)
  const first = storesTo(before, own).at(-1)
  return first !== undefined && isMadeOf(before, first, counter)
}

/** Whether a value is made of a variable. */
function isMadeOf(text: string, value: string, variable: string, depth = 4): boolean {
  if (!value.startsWith('%') || depth === 0) return false
  const definition = definitionOf(text, value) ?? ''
  if (variableIn(definition) === variable) return true
  return [...definition.matchAll(/%[\w.]+/g)].some(([operand]) => isMadeOf(text, operand, variable, depth - 1))
}

/** About as LLVM counts both loops; those over the thread's own arrays are none too long. */
function sizeOf(func: string, outer: LoopText, inner: readonly LoopText[]): number {
  const text = func.slice(outer.start, outer.end)
  const isElement = (pointer: string) => / = getelementptr /.test(` = ${definitionOf(text, pointer) ?? ''}`)
  const accesses = [...text.matchAll(/^ +(?:%[\w.]+ = load|store) [^\n]*, ptr (%[\w.]+), align \d+/gm)].filter(
    ([, pointer]) => isElement(pointer!),
  )
  if (accesses.some(([, pointer]) => isOwnArray(func, text, pointer!))) return 0
  const arithmetic = [...text.matchAll(/^ +%[\w.]+ = (?:fadd|fsub|fmul|fdiv|fcmp|select|call) /gm)].length
  const keeps = inner.some(loop => {
    const within = func.slice(loop.start, loop.end)
    const own = variableOf(loop.header, TEST.exec(loop.header)?.[2] ?? '')
    return [...within.matchAll(/^ +store [^\n]*, ptr (%[\w.]+), align \d+/gm)].some(
      ([, pointer]) => isElement(pointer!) && own !== undefined && !isMadeOf(within, pointer!, own, 8),
    )
  })
  return COUNTING + ACCESS * accesses.length + Math.max(0, arithmetic - 2) + (keeps ? KEPT : 0)
}

/** An element of an array that is a variable of the function. */
function isOwnArray(func: string, text: string, pointer: string): boolean {
  const [, base] = /ptr (%[\w.]+)/.exec(definitionOf(text, pointer) ?? '') ?? []
  if (base === undefined) return false
  const definition = definitionOf(func, base) ?? ''
  return /^alloca \[/.test(definition) || (definition.startsWith('getelementptr') && isOwnArray(func, func, base))
}
