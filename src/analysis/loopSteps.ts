/** How addresses move in a loop of one block. */
import { successors, terminatorOf } from '../ir/graph.ts'
import type { Block, PhiInstruction, Value } from '../ir/ir.ts'
import { type Address, decompose } from './address.ts'
import { phisOf } from './blocks.ts'

export interface LoopStep {
  /** A round. */
  readonly bytes: number
  /** The first values of the counters that move it. */
  readonly start: ReadonlyMap<Value, Value>
}

/** The block in front of a loop of one block; undefined where it is none, or has several. */
export function entryOf(block: Block): Block | undefined {
  if (!successors(terminatorOf(block)).includes(block)) return undefined
  const before = new Set(phisOf(block).flatMap(({ incoming }) => incoming.map(way => way.block)))
  before.delete(block)
  return before.size === 1 ? [...before][0] : undefined
}

/** Undefined where the address does not move, or otherwise than by counters. */
export function stepOf(address: Address, block: Block, entry: Block): LoopStep | undefined {
  const start = new Map<Value, Value>()
  let bytes = 0
  for (const phi of phisOf(block)) {
    const isRoot = address.root === phi
    const scale = address.terms.reduce((sum, term) => (term.index === phi ? sum + term.scale : sum), 0)
    if (scale === 0 && !isRoot) continue
    const next = incomingFrom(phi, block)
    const step = next && addedTo(phi, next)
    const first = incomingFrom(phi, entry)
    if (!first || typeof step !== 'number') return undefined
    bytes += isRoot ? step : scale * step
    start.set(phi, first)
  }
  const isFixed = (value: Value) => value.kind !== 'instruction' || value.block !== block || start.has(value)
  const fixed = address.terms.every(({ index }) => isFixed(index)) && isFixed(address.root)
  return bytes !== 0 && fixed ? { bytes, start } : undefined
}

/**
 * What a round adds to a counter, or in bytes to a pointer: a number, or the value that it adds (of which a pointer may go a multiple);
 * undefined where it adds neither.
 */
export function addedTo(phi: PhiInstruction, next: Value): number | Value | undefined {
  if (phi.type.kind === 'pointer') {
    const { root, offset, terms } = decompose(next)
    return root === phi && terms.length <= 1 ? (terms[0]?.index ?? offset) : undefined
  }
  if (next.kind !== 'instruction' || (next.op !== 'add' && next.op !== 'sub') || next.left !== phi) return undefined
  if (next.right.kind !== 'int') return next.right
  const added = Number(BigInt.asIntN(32, next.right.value))
  return next.op === 'sub' ? -added : added
}

const incomingFrom = (phi: PhiInstruction, from: Block): Value | undefined =>
  phi.incoming.find(({ block }) => block === from)?.value
