/**
 * Loops along a row or column of a matrix that read what the round before has, at sums of variables (`a[c * N + k] += a[c * N + k - 1]`). nvcc
 * does not find it; ptxas does from one round to the next where clang wrote out rounds that do not divide by four, between which the loop may be
 * left, and where it writes such loops out once more, by the registers that addresses are in. In: a kernel. Out: the same without the former loads;
 * those of which it is not known here how often they are made are marked.
 *
 * Own reading: machine_recurrences (24 loops over matrices of 256 columns; a row of 255 rounds loads 324 times, a column 262 times, of 254
 * rounds 381 and 255 times; with a division, which is a call, 829 and 574 times as here). What is known: bounds of the run time, by columns of
 * a constant width and by rows of one of the run time.
 */
import { isFromOutside, type Loop, loops, predecessors } from '../../ir/graph.ts'
import type { Block, Func, LoadInstruction, Value } from '../../ir/ir.ts'
import { storeBytes } from '../../ir/types.ts'
import { MemoryPlaces } from '../facts/places.ts'
import { replaceValues } from '../rewriting/blocks.ts'
import { foundAtEnd, isCounted, loadsInFront, type Surroundings } from './carryOverRounds.ts'
import { isLeftAtConstant, roundsInChain } from './knownRounds.ts'

export function reuseRoundsOfSums(func: Func): void {
  let around: Surroundings | undefined
  const replaced = new Map<Value, Value>()
  for (const loop of loops(func)) {
    const rounds = roundsInChain(loop)
    if (!rounds) continue
    around ??= { before: predecessors(func), places: new MemoryPlaces(func) }
    for (const { load, value } of readBefore(loop, rounds, around)) {
      if (load.block === loop.header) load.unsure = true
      else {
        replaced.set(load, value)
        load.block.instructions.splice(load.block.instructions.indexOf(load), 1)
      }
    }
  }
  replaceValues(func.blocks, replaced)
}

interface Known {
  readonly load: LoadInstruction
  readonly value: Value
}

function readBefore({ header, blocks, latches }: Loop, rounds: readonly Block[], around: Surroundings): Known[] {
  const { places } = around
  const isKnown = rounds.length > 1 || isLeftAtConstant(latches[0]!)
  return rounds.flatMap((block, index) => {
    const before = rounds.at(index - 1)!
    return loadsInFront(block, places).flatMap(load => {
      const place = places.of(load.pointer)
      const { terms } = place.address
      if (terms.length < 2 || !isCounted(place, blocks, header)) return []
      const isInRow = terms.some(({ index, scale }) => isFromOutside(index, blocks) && scale > storeBytes(load.type))
      if (!isKnown && !isInRow) return []
      const value = foundAtEnd(before, places.onWay(place, before, block), load, around, header)
      return value && value.kind !== 'meeting' && value !== load ? [{ load, value }] : []
    })
  })
}
