/**
 * Innermost loops with a known, large number of rounds (`for (int k = 1; k < N; k++)`), of which nvcc writes out the largest power of two that divides
 * it, or four and leaves between them; LLVM of today also three, where three divides it. In: LLVM IR before any pass. Out: the same
 * with such loops marked as those that are written out two or four times.
 *
 * Source: PTX of 21 numbers of rounds, 100 to 1,029 (nvcc 13.0); own reading: machine_recurrences (254 rounds two at a time, 255 four).
 */
import { END } from './functionTexts.ts'
import { definitionOf, type LoopText, loopsIn, repeatLoops, storesTo } from './loopTexts.ts'

/** Shorter ones may be written out whole. */
const FEWEST_ROUNDS = 200
/** Of LLVM's instructions: three rounds together, and four of nvcc's. */
const LONGEST_HERE = 200
const LONGEST_THERE = 148

const TEST =
  /^ +(%[\w.]+) = icmp ([su][lg][te]|ne) (i32|i64) (%[\w.]+), (-?\d+)\b.*\n +br i1 \1, label %[\w.]+, label (%[\w.]+)/m

export function repeatKnownCounts(ir: string): string {
  const [twice, fourTimes] = [new Set<string>(), new Set<string>()]
  for (const func of ir.split(END)) {
    const all = loopsIn(func)
    for (const loop of all) {
      const isInnermost = !all.some(other => other !== loop && other.start > loop.start && other.end < loop.end)
      const rounds = isInnermost ? roundsOf(func, loop) : undefined
      if (rounds === undefined || rounds < FEWEST_ROUNDS || rounds % 3 !== 0 || rounds % 4 === 0) continue
      const size = sizeOf(func, loop)
      if (size === undefined || 3 * size > LONGEST_HERE || readsShared(func, loop)) continue
      const times = rounds % 2 !== 0 && 4 * size <= LONGEST_THERE ? fourTimes : twice
      times.add(loop.node)
    }
  }
  return repeatLoops(repeatLoops(ir, twice, 2), fourTimes, 4)
}

/** How shared memory joins over rounds is known of those that are not left between them (analysis/loops/knownRounds.ts). */
const readsShared = (func: string, { start, end }: LoopText): boolean => func.slice(start, end).includes('addrspace(3)')

/** Undefined where it is not known, or the loop may be left elsewhere. */
function roundsOf(func: string, { start, end, header }: LoopText): number | undefined {
  const [, , predicate, type, left, right, exit] = TEST.exec(header) ?? []
  if (predicate === undefined) return undefined
  const inside = func.slice(start, end)
  if (inside.split(`label ${exit}`).length > 2 || /^ +ret\b/m.test(inside)) return undefined
  const [, counter] = new RegExp(`^load ${type}, ptr (%[\\w.]+),`).exec(definitionOf(header, left!) ?? '') ?? []
  if (counter === undefined) return undefined
  const first = storesTo(func.slice(0, start), counter, type).at(-1)
  const [stored, ...others] = storesTo(inside, counter, type)
  if (first === undefined || !/^-?\d+$/.test(first) || stored === undefined || others.length > 0) return undefined
  const [, step] =
    new RegExp(`^add (?:n[us]w )*${type} %[\\w.]+, (-?\\d+)\\b`).exec(definitionOf(inside, stored) ?? '') ?? []
  if (step === undefined || step === '0') return undefined
  const more = /[lg]e$/.test(predicate) ? Math.sign(Number(step)) : 0
  const rounds = Math.ceil((Number(right) + more - Number(first)) / Number(step))
  return rounds > 0 ? rounds : undefined
}

/** About how many instructions it has when variables are in registers; undefined where it calls what is not known. */
function sizeOf(func: string, { start, end }: LoopText): number | undefined {
  const inside = func.slice(start, end)
  if (/^ +(?:%[\w.]+ = )?(?:tail )?call (?!.*@(?:llvm\.|.*__fetch_builtin_))/m.test(inside)) return undefined
  const variables = new Set([...func.matchAll(/^ +(%[\w.]+) = alloca /gm)].map(([, name]) => name))
  const isOfVariable = (line: string): boolean => {
    const [, pointer] = /^ +(?:%[\w.]+ = load|store) .*?ptr (%[\w.]+), align/.exec(line) ?? []
    return pointer !== undefined && variables.has(pointer)
  }
  return inside.split('\n').filter(line => /^ +(?:%|store)/.test(line) && !isOfVariable(line)).length
}
