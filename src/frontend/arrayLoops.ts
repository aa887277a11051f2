/**
 * Loops whose counter chooses an element of an array of the thread's own (`w[i & 15]`): nvcc writes them out whole up to eight times the
 * size of others, since the array then needs no memory. LLVM has no switch for it. In: a function behind LLVM's passes. Out: where such
 * loops begin in the source, of those that were not written out whole.
 * Source: machine code of 56 kernels of 8 to 220 rounds (nvcc 13.0, sm_90): what is written out ends between 2,900 and 3,450 of nvcc's
 * instructions, where it is 400 for other loops.
 */
import { decompose } from '../analysis/address.ts'
import { phisOf } from '../analysis/blocks.ts'
import { type Loop, loops, operandsOf, terminatorOf } from '../ir/graph.ts'
import type { Block, Func, Instruction, Location, PhiInstruction, Value } from '../ir/ir.ts'
import { LONGEST_LOOP } from './commands.ts'

const LONGEST = 8 * LONGEST_LOOP
/** The counter's step, its test and the branch. */
const COUNTING = 3

export function arrayLoops(func: Func): Location[] {
  return loops(func).flatMap(loop => {
    const counter = loop.children.length === 0 ? counterOf(loop) : undefined
    const [latch] = loop.latches
    const last = latch && terminatorOf(latch)
    if (!counter || last?.op !== 'condbr' || !last.loopStart || !choosesElement(loop, counter.phi)) return []
    const instructions = [...loop.blocks].flatMap(block => block.instructions.filter(({ op }) => op !== 'phi'))
    return (instructions.length - COUNTING) * counter.rounds <= LONGEST ? [last.loopStart] : []
  })
}

/** A counter from a constant to a constant by a constant, and the rounds that there are. */
function counterOf({ header, latches, blocks }: Loop): { phi: PhiInstruction; rounds: number } | undefined {
  const [latch, ...more] = latches
  const last = latch && more.length === 0 ? terminatorOf(latch) : undefined
  if (last?.op !== 'condbr' || last.condition.kind !== 'instruction' || last.condition.op !== 'icmp') return undefined
  const { left, right, predicate } = last.condition
  const isExit = (block: Block) => !blocks.has(block)
  if (right.kind !== 'int' || !(isExit(last.ifTrue) ? /^(eq|[us]ge)$/ : /^(ne|[us]lt)$/).test(predicate))
    return undefined
  for (const phi of phisOf(header)) {
    const next = phi.incoming.find(({ block }) => block === latch)?.value
    const start = phi.incoming.find(({ block }) => block !== latch)?.value
    if (phi.incoming.length !== 2 || start?.kind !== 'int' || next !== left) continue
    if (next.kind !== 'instruction' || next.op !== 'add' || next.left !== phi || next.right.kind !== 'int') continue
    const rounds = Number(BigInt.asIntN(32, right.value - start.value)) / Number(BigInt.asIntN(32, next.right.value))
    if (Number.isInteger(rounds) && rounds > 0) return { phi, rounds }
  }
  return undefined
}

function choosesElement({ blocks }: Loop, counter: PhiInstruction): boolean {
  const isMoved = new Map<Value, boolean>([[counter, true]])
  const moves = (value: Value): boolean => {
    if (value.kind !== 'instruction' || !blocks.has(value.block)) return false
    const known = isMoved.get(value)
    if (known !== undefined) return known
    isMoved.set(value, false)
    const result = value.op !== 'load' && value.op !== 'phi' && operandsOf(value).some(moves)
    isMoved.set(value, result)
    return result
  }
  const isChosen = (each: Instruction): boolean => {
    if (each.op !== 'load' && each.op !== 'store') return false
    const { root, terms } = decompose(each.pointer)
    return root.kind === 'instruction' && root.op === 'alloca' && terms.some(({ index }) => moves(index))
  }
  return [...blocks].some(({ instructions }) => instructions.some(isChosen))
}
