/**
 * Loads and stores whose place in the source LLVM dropped when it took them out of a loop, or made one of two. Loads get that of the
 * first instruction that uses what they load, the expression that they stand in; stores that of what they store.
 * In: a kernel, for loads before its calls are inlined, for stores at the end. Out: the same with those locations.
 */
import { users } from '../../ir/graph.ts'
import type { Func, Instruction, Location, Value } from '../../ir/ir.ts'

/** Casts and sums of addresses between an access and what stands in the source. */
const LONGEST_WAY = 8

export function findLostPlaces(func: Func): void {
  let usersOf: ReturnType<typeof users> | undefined
  for (const { instructions } of func.blocks)
    for (const instruction of instructions)
      if (instruction.op === 'load' && !hasPlace(instruction)) {
        usersOf ??= users(func)
        instruction.location = placeOfUse(instruction, usersOf) ?? instruction.location
        instruction.isMoved = true
      }
}

/**
 * At the end: until then a place that is missing says that LLVM made one store of two (separateStores.ts). No column goes on saying so
 * (metrics/certainty/doubts.ts).
 */
export function findLostStorePlaces(func: Func): void {
  for (const { instructions } of func.blocks)
    for (const instruction of instructions)
      if (instruction.op === 'store' && !hasPlace(instruction)) {
        const place = placeOfSource(instruction.value) ?? placeOfSource(instruction.pointer)
        if (place) instruction.location = { ...place, column: 0 }
      }
}

/** Of a value that branches give, the first that has a place. */
function placeOfSource(value: Value): Location | undefined {
  if (value.kind !== 'instruction') return undefined
  const sources = value.op === 'phi' ? [value, ...value.incoming.map(({ value: given }) => given)] : [value]
  const found = sources.find(source => source.kind === 'instruction' && hasPlace(source))
  return found?.kind === 'instruction' && found.location ? withoutLibrary(found.location) : undefined
}

const hasPlace = ({ location }: Instruction): boolean => location !== undefined && location.line > 0

function placeOfUse(value: Instruction, usersOf: ReturnType<typeof users>): Location | undefined {
  const seen = new Set([value])
  let now = [value]
  for (let step = 0; step < LONGEST_WAY && now.length > 0; step++) {
    const next = now.flatMap(one => usersOf.get(one) ?? []).filter(user => !seen.has(user))
    const found = next.find(hasPlace)?.location
    if (found) return withoutLibrary(found)
    for (const user of next) seen.add(user)
    now = next
  }
  return undefined
}

/** The load is no part of the function of mathematics that its value goes to. */
function withoutLibrary({ library: _, ...place }: Location): Location {
  return place
}
