/**
 * Loops that ptxas writes out whole for the sake of constant memory: with a known number of rounds, what `table[k]` reads becomes an operand at a
 * known place. In: a loop of one block. Out: how many of our rounds it has, where all of them stand one behind the other.
 *
 * Source: machine code of 30 loops (nvcc 13.0, sm_90). Written out were 1,500 rounds of `s += table[k] * a[k]` but not 2,048; of 13 instructions with
 * two reads 128 but not 256; of sums alone 12,000. So the longer, the larger a part of it are such reads: {@link MOST} by that part. Loops
 * with barriers are written out too, those of several blocks and `#pragma unroll 1` are not.
 */
import { terminatorOf } from '../../ir/graph.ts'
import type { Block, LoadInstruction, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'
import { SPACE } from '../../ir/types.ts'
import { addressKey, decomposeLinear, valueNumbering } from '../facts/address.ts'
import { COUNTING, roundsByCounters } from '../facts/countedRounds.ts'
import { addedTo } from '../facts/loopSteps.ts'
import { machineSize } from '../facts/machineSize.ts'

/** Instructions of all rounds, were all of them reads of constant memory. */
const MOST = 32_000

/** A counter's addition, its comparison, the branch. */
const COUNTING_SIZE = 3

const known = new WeakMap<Block, number | undefined>()

/** Undefined where it stays a loop. */
export function roundsForConstants(block: Block): number | undefined {
  if (!known.has(block)) known.set(block, find(block))
  return known.get(block)
}

function find(block: Block): number | undefined {
  const last = terminatorOf(block)
  if (last.op !== 'condbr' || last.staysLoop || (last.ifTrue !== block) === (last.ifFalse !== block)) return undefined
  const rounds = roundsByCounters(block, block)
  if (rounds === undefined) return undefined
  const reads = block.instructions.filter((each): each is LoadInstruction => each.op === 'load' && isTable(each))
  const idOf = valueNumbering()
  const words = new Set<string>()
  const tables = new Set<string>()
  /** Loops around it are written out with it where they choose the place, too. */
  const all = new Map<Block, number>()
  for (const read of reads) {
    const loops = loopsOf(read)
    if (!loops?.has(block)) continue
    const address = decomposeLinear(read.pointer, value => value)
    const table = addressKey(address, idOf)
    tables.add(table)
    words.add(`${table} ${address.offset}`)
    for (const [header, count] of loops) all.set(header, count)
  }
  if (words.size === 0) return undefined
  const times = [...all.values()].reduce((product, count) => product * count, 1)
  const size = machineSize(block, true) - COUNTING_SIZE - tables.size
  return (times * size * size) / words.size <= MOST ? rounds : undefined
}

/** Whether the number of the round says the place in constant memory that is read, where the loop is written out for such reads. */
export const isKnownInRound = (load: LoadInstruction): boolean =>
  isTable(load) && loopsOf(load)?.has(load.block) === true

function isTable({ pointer }: LoadInstruction): boolean {
  const { root } = decomposeLinear(pointer, value => value)
  return root.kind === 'address' && root.target.kind === 'global' && root.target.space === SPACE.constant
}

/** The loops whose counters alone say a place, by their headers with their rounds; undefined where something else does. */
function loopsOf({ pointer }: LoadInstruction): Map<Block, number> | undefined {
  const found = new Map<Block, number>()
  const { terms } = decomposeLinear(pointer, value => value)
  return terms.every(({ index }) => isOfCounters(index, found)) ? found : undefined
}

function isOfCounters(value: Value, found: Map<Block, number>): boolean {
  if (value.kind === 'int') return true
  if (value.kind !== 'instruction') return false
  if (value.op !== 'phi') return COUNTING.has(value.op) && operandsOf(value).every(part => isOfCounters(part, found))
  const start = value.incoming.find(({ value: from }) => from.kind === 'int')
  const back = value.incoming.find(({ value: from }) => from.kind !== 'int')
  if (value.incoming.length !== 2 || !start || !back || typeof addedTo(value, back.value) !== 'number') return false
  const count = roundsByCounters(value.block, back.block)
  if (count === undefined) return false
  found.set(value.block, count)
  return true
}
