/** How often a loop goes round that counts from a constant to a constant, however it asks (`(k | 12) < 1020`): found by going round. */
import { terminatorOf } from '../../ir/graph.ts'
import type { Block, Instruction, Value } from '../../ir/ir.ts'
import { addedTo } from './loopSteps.ts'

/** Of more nobody asks. */
const MOST_ROUNDS = 1 << 15
/** What indices are made of, out of counters. */
export const COUNTING: ReadonlySet<Instruction['op']> = new Set([
  'add',
  'sub',
  'mul',
  'shl',
  'and',
  'or',
  'zext',
  'sext',
  'trunc',
])

const counted = new WeakMap<Block, number | undefined>()

/** The rounds of a loop with one way back; undefined where something else than its counters says when it ends, or there are too many. */
export function roundsByCounters(header: Block, latch: Block): number | undefined {
  if (!counted.has(latch)) counted.set(latch, goRound(header, latch))
  return counted.get(latch)
}

function goRound(header: Block, latch: Block): number | undefined {
  const last = terminatorOf(latch)
  if (last.op !== 'condbr' || (last.ifTrue !== header) === (last.ifFalse !== header)) return undefined
  const test = last.condition
  if (test.kind !== 'instruction' || test.op !== 'icmp') return undefined
  const counters = header.instructions.flatMap(phi => {
    if (phi.op !== 'phi' || phi.incoming.length !== 2) return []
    const start = phi.incoming.find(({ block }) => block !== latch)?.value
    const next = phi.incoming.find(({ block }) => block === latch)?.value
    const step = next && addedTo(phi, next)
    return start?.kind === 'int' && typeof step === 'number'
      ? [{ phi, start: BigInt.asIntN(32, start.value), step }]
      : []
  })
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const values = new Map<Value, bigint>(counters.map(({ phi, start, step }) => [phi, start + BigInt(step * round)]))
    const [left, right] = [resultOf(test.left, values), resultOf(test.right, values)]
    if (left === undefined || right === undefined) return undefined
    if (holds(test.predicate, left, right) !== (last.ifTrue === header)) return round + 1
  }
  return undefined
}

/** In 32 bits, with a sign. */
function resultOf(value: Value, counters: ReadonlyMap<Value, bigint>): bigint | undefined {
  if (value.kind === 'int') return BigInt.asIntN(32, value.value)
  const counter = counters.get(value)
  if (counter !== undefined) return BigInt.asIntN(32, counter)
  if (value.kind !== 'instruction' || !('left' in value && 'right' in value)) return undefined
  const [left, right] = [resultOf(value.left, counters), resultOf(value.right, counters)]
  if (left === undefined || right === undefined) return undefined
  switch (value.op) {
    case 'add':
      return BigInt.asIntN(32, left + right)
    case 'sub':
      return BigInt.asIntN(32, left - right)
    case 'mul':
      return BigInt.asIntN(32, left * right)
    case 'or':
      return left | right
    case 'and':
      return left & right
    default:
      return undefined
  }
}

function holds(predicate: string, left: bigint, right: bigint): boolean {
  const [a, b] = predicate.startsWith('u') ? [BigInt.asUintN(32, left), BigInt.asUintN(32, right)] : [left, right]
  switch (predicate.replace(/^[su]/, '')) {
    case 'lt':
      return a < b
    case 'le':
      return a <= b
    case 'gt':
      return a > b
    case 'ge':
      return a >= b
    case 'eq':
      return a === b
    default:
      return a !== b
  }
}
