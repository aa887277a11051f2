/**
 * Loops that nvcc writes twice, once for each answer of a condition that the whole warp has alike in all rounds, and of whose loads one
 * copy may need fewer. In: a prepared kernel. Out: whether it has such a loop: one condition at least, also as a part of another one,
 * and two loads of one address on different ways (reading: hec-mergeVS; PTX of 12 loops, which nvcc splits whatever their length and
 * clang's -O2 never does).
 */
import { decompose } from '../../analysis/facts/address.ts'
import { isWarpUniform } from '../../analysis/facts/warpUniform.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { terminatorOf } from '../../ir/graph.ts'
import type { Block, Instruction, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'

export function loadsOfSplitLoops({ kernel, loops }: KernelProgram): Instruction[] {
  return loops.flatMap(({ first, last }) => {
    const blocks = kernel.blocks.slice(first, last + 1)
    const inside = new Set(blocks)
    return blocks.some(block => asksAlike(block, inside)) ? loadedAgain(blocks) : []
  })
}

/** Whether a block of the loop asks what is known in front of it. */
function asksAlike(block: Block, loop: ReadonlySet<Block>): boolean {
  const last = terminatorOf(block)
  if (last.op !== 'condbr' || !loop.has(last.ifTrue) || !loop.has(last.ifFalse)) return false
  const isKnown = (value: Value): boolean =>
    value.kind === 'parameter' || (value.kind === 'instruction' && !loop.has(value.block) && isWarpUniform(value))
  const parts = (value: Value): Value[] =>
    value.kind === 'instruction' && loop.has(value.block) && /^(and|or|select)$/.test(value.op)
      ? operandsOf(value).flatMap(parts)
      : [value]
  return parts(last.condition).some(isKnown)
}

/** Loads of what a load in another block reads too. */
function loadedAgain(blocks: readonly Block[]): Instruction[] {
  const known = new Map<string, Instruction>()
  const again: Instruction[] = []
  const numbers = new Map<Value, number>()
  const idOf = (value: Value): number => {
    const inner = withoutCasts(value)
    if (!numbers.has(inner)) numbers.set(inner, numbers.size)
    return numbers.get(inner)!
  }
  for (const each of blocks.flatMap(({ instructions }) => instructions)) {
    if (each.op !== 'load') continue
    const { root, offset, terms } = decompose(each.pointer)
    const key = [idOf(root), offset, ...terms.map(({ index, scale }) => `${idOf(index)}x${scale}`).sort()].join()
    const other = known.get(key)
    if (other && other.block !== each.block) again.push(each)
    known.set(key, each)
  }
  return again
}

/** What casts are made from, also where ways bring casts of one value. */
function withoutCasts(value: Value): Value {
  if (value.kind !== 'instruction') return value
  if (/^(trunc|[sz]ext|freeze)$/.test(value.op)) return withoutCasts(operandsOf(value)[0]!)
  if (value.op !== 'phi') return value
  const [first, ...others] = value.incoming.map(each => (isCast(each.value) ? withoutCasts(each.value) : each.value))
  return first && others.every(other => other === first) ? first : value
}

const isCast = (value: Value): boolean => value.kind === 'instruction' && /^(trunc|[sz]ext)$/.test(value.op)
