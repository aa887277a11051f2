/**
 * What a condition says of an index, used in the loads of shared memory that it guards: behind `if (threadIdx.x == 0)` nvcc loads `s[0]` and
 * `s[1]` for `s[threadIdx.x]` and `s[threadIdx.x + 1]`, which are neighbours of one line then (mergeAccesses.ts). In: a kernel. Out: such
 * loads of constant places. Read off the machine code of 33 kernels (13 alike before, 28 with it).
 */
import { dominators, predecessors, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Func, GepInstruction, Instruction, LoadInstruction, Terminator, Value } from '../../ir/ir.ts'
import { decomposeLinear, valueNumbering } from '../facts/address.ts'
import { isPlainAccess } from '../facts/memoryEffects.ts'
import { inSecondRound, isOfLaterRound } from '../facts/roundNames.ts'
import { isSharedArray } from '../facts/sharedPlaces.ts'

interface Equality {
  readonly index: number
  readonly value: number
}

export function useKnownIndices(func: Func): void {
  const tree = dominators(func)
  const before = predecessors(func)
  const idOf = valueNumbering()
  const names = new Set(func.blocks.flatMap(({ instructions }) => instructions.map(({ name }) => name)))
  for (const head of func.blocks) {
    for (const way of new Set(successors(terminatorOf(head)))) {
      if (before.get(way)!.length !== 1) continue
      const known = equalitiesOf(terminatorOf(head), way, idOf, names)
      if (known.length === 0) continue
      for (const block of func.blocks)
        if (tree.dominates(way, block))
          for (const load of block.instructions.filter(isSharedLoad)) {
            // The last round's, where its condition has become one with that behind the loop (reading: histogram's mergeHistogram64Kernel).
            const ofRounds = load.pointer.kind === 'instruction' && isOfRounds(load.pointer, names)
            if (!ofRounds) useKnown(load, known, idOf)
          }
    }
  }
}

/** Of a loop that was written out: `threadIdx.x < k` of its last round is no equality for nvcc (reading: loopHalving). */
const isOfRounds = ({ name }: Instruction, names: ReadonlySet<string>): boolean =>
  isOfLaterRound(name) || names.has(inSecondRound(name))

/** What is known of whole numbers on one of the ways; `names` of all instructions. */
function equalitiesOf(
  last: Terminator,
  way: Block,
  idOf: (value: Value) => number,
  names: ReadonlySet<string>,
): Equality[] {
  const found: Equality[] = []
  const add = (value: Value, known: bigint) => {
    // `u / 32 == 0` is `u < 32` by then.
    if (value.kind === 'instruction' && value.op !== 'lshr' && value.op !== 'udiv')
      found.push({ index: idOf(value), value: Number(BigInt.asIntN(32, known)) })
  }
  if (last.op === 'switch') {
    const [only, ...others] = last.cases.filter(({ target }) => target === way)
    if (only && others.length === 0 && last.fallback !== way) add(last.value, only.value)
    return found
  }
  if (last.op !== 'condbr' || last.ifTrue === last.ifFalse) return found
  const { condition, ifTrue } = last
  const take = (value: Value): void => {
    if (value.kind !== 'instruction') return
    if (value.op === 'and' && way === ifTrue) for (const part of [value.left, value.right]) take(part)
    const isBoth = value.op === 'select' && value.ifFalse.kind === 'int' && value.ifFalse.value === 0n
    if (isBoth && way === ifTrue) for (const part of [value.condition, value.ifTrue]) take(part)
    if (
      value.op === 'icmp' &&
      !isOfRounds(value, names) &&
      value.predicate === (way === ifTrue ? 'eq' : 'ne') &&
      value.right.kind === 'int'
    )
      add(value.left, value.right.value)
  }
  take(condition)
  return found
}

function isSharedLoad(instruction: Instruction): instruction is LoadInstruction {
  return instruction.op === 'load' && isPlainAccess(instruction) && !instruction.copiedTo && !instruction.matrixWords
}

function useKnown(load: LoadInstruction, known: readonly Equality[], idOf: (value: Value) => number): void {
  const { root, offset, terms } = decomposeLinear(load.pointer, value => value)
  if (!isSharedArray(root)) return
  let constant = offset
  const rest = terms.filter(({ index, scale }) => {
    const equality = known.find(each => each.index === idOf(index))
    if (equality) constant += equality.value * scale
    return !equality
  })
  if (rest.length === terms.length) return
  const { block, location, pointer } = load
  const place = { kind: 'instruction', name: '', block, location } as const
  const made: GepInstruction = {
    ...place,
    op: 'gep',
    type: pointer.type,
    base: root,
    offset: constant | 0,
    terms: rest,
  }
  block.instructions.splice(block.instructions.indexOf(load), 0, made)
  load.pointer = made
}
