/**
 * Words of a structure that are known from before it is copied: `if (a[i].key > a[j].key) { T x = a[i]; a[i] = a[j]; a[j] = x; }` loads each key
 * once. nvcc copies such a structure member by member and finds the keys in registers; clang copies words, which LLVM does not
 * take for the members that they are. Aligned structures are vectors, and loaded again (machine code of 9 kernels).
 * In: a kernel whose copies are words. Out: those that were loaded before, and not written since, are what was loaded.
 */
import { cast } from '../../ir/build.ts'
import { dominators } from '../../ir/graph.ts'
import type { Func, Instruction, LoadInstruction, Value } from '../../ir/ir.ts'
import { sameType, storeBytes } from '../../ir/types.ts'
import { isPlainAccess } from '../facts/memoryEffects.ts'
import { MemoryPlaces } from '../facts/places.ts'
import { isBefore, mayWriteBetween, replaceValues } from '../rewriting/blocks.ts'

const WORD = 4

/** `parts`: the loads that copies became (promoteCopies.ts, splitAccesses.ts). */
export function reuseWords(func: Func, parts: ReadonlySet<Instruction>): void {
  if (parts.size === 0) return
  const places = new MemoryPlaces(func)
  const tree = dominators(func)
  const known = new Map<string, LoadInstruction[]>()
  for (const load of wordsOf(func)) {
    const { address, key } = places.of(load.pointer)
    const place = `${key} ${address.offset}`
    known.set(place, [...(known.get(place) ?? []), load])
  }
  const replaced = new Map<Value, Value>()
  for (const loads of known.values())
    for (const load of loads.filter(each => parts.has(each))) {
      const earlier = loads.find(
        each => !parts.has(each) && isBefore(each, load, tree) && !mayWriteBetween(func, each, load),
      )
      if (!earlier) continue
      const { block, location, type } = load
      const made = sameType(earlier.type, type) ? [] : [cast({ block, location }, 'bitcast', type, earlier)]
      block.instructions.splice(block.instructions.indexOf(load), 1, ...made)
      replaced.set(load, made[0] ?? earlier)
    }
  replaceValues(func.blocks, replaced)
}

const wordsOf = (func: Func): LoadInstruction[] =>
  func.blocks.flatMap(({ instructions }) =>
    instructions.filter((each): each is LoadInstruction => each.op === 'load' && isPlainAccess(each) && isWord(each)),
  )

const isWord = ({ type }: LoadInstruction): boolean =>
  (type.kind === 'int' || type.kind === 'float') && (storeBytes(type) === WORD || storeBytes(type) === 2 * WORD)
