/**
 * Loops whose counter chooses an element of an array of the thread's own (`w[i & 15]`): nvcc writes them out whole up to seven times the
 * size of others, since the array then needs no memory. LLVM has no switch for it. In: a function behind LLVM's passes. Out: where such
 * loops begin in the source, of those that were not written out whole.
 * Source: machine code of 56 kernels of 8 to 220 rounds (nvcc 13.0, sm_90), and PTX of seven bodies of 9 to 58 instructions: whole up to
 * 269 and 41 rounds, and between.
 */
import { decompose } from '../../analysis/facts/address.ts'
import { phisOf } from '../../analysis/rewriting/blocks.ts'
import { calledName, type Loop, loops, operandsOf, terminatorOf } from '../../ir/graph.ts'
import type { Block, Func, Instruction, Location, PhiInstruction, Value } from '../../ir/ir.ts'

/** Instructions; all seven end between 2,421 and 2,430. */
const LONGEST = 2425
/** The counter's test and the branch. */
const COUNTING = 2

export function arrayLoops(func: Func): Location[] {
  return loops(func).flatMap(loop => {
    const counter = loop.children.length === 0 ? counterOf(loop) : undefined
    const [latch] = loop.latches
    const last = latch && terminatorOf(latch)
    if (!counter || last?.op !== 'condbr' || !last.loopStart || !choosesElement(loop, counter.phi)) return []
    const instructions = [...loop.blocks].flatMap(block => block.instructions.filter(({ op }) => op !== 'phi'))
    const size = instructions.reduce((sum, each) => sum + sizeOf(each), 0)
    return (size - COUNTING) * counter.rounds <= LONGEST ? [last.loopStart] : []
  })
}

/**
 * What nvcc's LLVM has for one of today's: a rotation is two shifts and an or (PTX of bodies with none, two, six and ten of them: whole up to
 * 134, 93, 57 and 41 rounds), a minimum a comparison and a choice.
 */
function sizeOf(instruction: Instruction): number {
  const name = calledName(instruction) ?? ''
  if (/^llvm\.fsh[lr]\./.test(name)) return 3
  return /^llvm\.[su](?:min|max)\./.test(name) ? 2 : 1
}

/** A counter from a constant to a constant by a constant, and the rounds that there are. */
function counterOf({ header, latches, blocks }: Loop): { phi: PhiInstruction; rounds: number } | undefined {
  const [latch, ...more] = latches
  const last = latch && more.length === 0 ? terminatorOf(latch) : undefined
  if (last?.op !== 'condbr' || last.condition.kind !== 'instruction') return undefined
  if (last.condition.op === 'phi') return secondRoundOf(last.condition, header)
  if (last.condition.op !== 'icmp') return undefined
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

/** Of two rounds LLVM only asks whether this is the second. */
function secondRoundOf(phi: PhiInstruction, header: Block): { phi: PhiInstruction; rounds: number } | undefined {
  const isAsked = phi.block === header && phi.incoming.length === 2
  return isAsked && phi.incoming.every(({ value }) => value.kind === 'int') ? { phi, rounds: 2 } : undefined
}

function choosesElement({ header, blocks }: Loop, counter: PhiInstruction): boolean {
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
    if (isOwnArray(root)) return terms.some(({ index }) => moves(index))
    // The elements of two rounds are pointers of their own.
    const isOfRound = root.kind === 'instruction' && root.op === 'phi' && root.block === header
    return isOfRound && root.incoming.every(({ value }) => isOwnArray(decompose(value).root))
  }
  return [...blocks].some(({ instructions }) => instructions.some(isChosen))
}

const isOwnArray = (root: Value): boolean => root.kind === 'instruction' && root.op === 'alloca'
