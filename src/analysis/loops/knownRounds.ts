/**
 * Loops of a known number of rounds that nvcc does not write out whole. LLVM here writes out up to four rounds of them; nvcc the
 * largest power of two that divides their number and is no longer than 150 of its size, and ptxas then all of them where that is short.
 * In: a loop. Out: how many of our rounds are one there. Only how shared memory joins depends on it: `tile[threadIdx.y][k]` over 64
 * columns is 16 loads of 16 bytes, not 32 of 8. PTX and machine code of 130 loops of 40 to 1,024 rounds (nvcc 13.0, sm_90).
 */
import { type Loop, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Value } from '../../ir/ir.ts'
import { addedTo } from '../facts/loopSteps.ts'
import { machineSize } from '../facts/machineSize.ts'
import { phisOf } from '../rewriting/blocks.ts'

/** Of LLVM's instructions, what nvcc writes out in parts. */
const LONGEST_PART = 148
const MOST_ROUNDS = 32
/** How far from it an estimate of a round may be. */
const UNSURE = 1.25
/** About how many instructions ptxas surely writes out whole, and in a round of ours. */
const LONGEST_WHOLE = 500
const LONGEST_ROUND = 45

export interface KnownRounds {
  /** How many of our rounds are one of the machine's; Infinity where all are. */
  readonly times: number
  /** Whether it may be otherwise. */
  readonly isUnsure: boolean
}

/** Undefined where nothing is known of the number, or nothing is written out here. */
export function knownRounds(loop: Loop): KnownRounds | undefined {
  const { header, latches, blocks } = loop
  if (blocks.size > 1 || latches[0] !== header) return undefined
  const count = countOf(loop)
  const perRound = copiesOf(header)
  if (count === undefined || perRound < 2) return undefined
  if ((count * perRound) % 4 !== 0) return { times: 1, isUnsure: true }
  const size = sizeOf(header) / perRound
  const together = (of: number) => divisorOf(count * perRound, LONGEST_PART / of) / perRound
  const times = together(size)
  if (times > 1) return { times, isUnsure: together(size * UNSURE) <= 1 }
  if (together(size / UNSURE) > 1) return { times: 1, isUnsure: true }
  const length = machineSize(header, true)
  const callsLibrary = header.instructions.some(({ location }) => location?.library !== undefined)
  const isWhole = !callsLibrary && length <= LONGEST_ROUND && count * length <= LONGEST_WHOLE
  return perRound === 4 ? { times: isWhole ? Number.POSITIVE_INFINITY : 1, isUnsure: !isWhole } : undefined
}

/**
 * The blocks of a loop one after the other, more than one where clang wrote out rounds that do not divide by four: each is left for the next one
 * or by a counter's last value. Undefined where it is another loop.
 */
export function roundsInChain({ header, latches, blocks, children }: Loop): Block[] | undefined {
  if (children.length > 0 || latches.length !== 1) return undefined
  const rounds = [header]
  for (let block = header; block !== latches[0]; rounds.push(block)) {
    const next = successors(terminatorOf(block)).filter(each => blocks.has(each))
    if (next.length !== 1 || !isLeftAtConstant(block)) return undefined
    block = next[0]!
  }
  return rounds
}

/** Whether a branch compares with a constant. */
export function isLeftAtConstant(block: Block): boolean {
  const last = terminatorOf(block)
  if (last.op !== 'condbr' || last.condition.kind !== 'instruction') return false
  return last.condition.op === 'icmp' && last.condition.right.kind === 'int'
}

/** Whether ptxas writes out all that clang has not: about so short. */
export function isWrittenOutWhole(loop: Loop): boolean {
  const count = loop.blocks.size === 1 ? countOf(loop) : undefined
  return count !== undefined && count * machineSize(loop.header, true) <= LONGEST_WHOLE
}

/** Of our rounds of a loop with one way back; undefined where it is no constant. */
export function countOf({ header, latches }: Pick<Loop, 'header' | 'latches'>): number | undefined {
  const [latch] = latches
  const last = terminatorOf(latch!)
  if (last.op !== 'condbr' || last.condition.kind !== 'instruction' || last.condition.op !== 'icmp') return undefined
  const { predicate, left, right } = last.condition
  if (!['eq', 'ne'].includes(predicate) || right.kind !== 'int') return undefined
  for (const phi of phisOf(header)) {
    const next = phi.incoming.find(({ block }) => block === latch)?.value
    const start = phi.incoming.find(({ block }) => block !== latch)?.value
    const step = next && addedTo(phi, next)
    if (next !== left || start?.kind !== 'int' || typeof step !== 'number') continue
    const count = (numberOf(right) - numberOf(start)) / step
    return Number.isInteger(count) && count > 0 ? count : undefined
  }
  return undefined
}

const numberOf = (value: Value & { kind: 'int' }): number => Number(BigInt.asIntN(32, value.value))

/** How many rounds of the source are one: LLVM numbers the copies. */
function copiesOf(block: Block): number {
  const last = terminatorOf(block)
  const name = last.op === 'condbr' && last.condition.kind === 'instruction' ? last.condition.name : ''
  return Number(/\.(\d+)$/.exec(name)?.[1] ?? 0) + 1
}

/** The largest power of two up to a limit that divides a number. */
function divisorOf(count: number, limit: number): number {
  let found = 1
  while (2 * found <= Math.min(limit, MOST_ROUNDS) && count % (2 * found) === 0) found *= 2
  return found
}

/** About as LLVM there counts: without what counts the rounds. */
function sizeOf({ instructions }: Block): number {
  const free = new Set(['phi', 'condbr', 'icmp', 'or', 'bitcast', 'freeze'])
  return instructions.filter(each => !free.has(each.op) && !(each.op === 'gep' && each.terms.length === 0)).length
}
