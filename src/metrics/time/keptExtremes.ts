/**
 * Compare-and-swaps that change a word less often than they come to it. Those that keep the largest or the smallest of what comes
 * (`atomicCAS(p, old, max(x, old))`, as maxima of floats are written): most write back what was there, and then nobody has to try again. And those
 * that go on at the place that they found (`root = atomicCAS(&parent[root], root, other)` of a union): each changes one word once, at most. In: a kernel, and how many swaps there are at one word. Out: how many change it.
 */
import type { KernelProgram } from '../../analysis/prepare.ts'
import { calledName } from '../../ir/graph.ts'
import type { CmpxchgInstruction, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'

const EXTREME = /^llvm\.(?:[su](?:max|min)|(?:max|min)(?:num|imum))\./

/**
 * Of values in no order every k-th is the largest so far once in k times: the sum of 1 / k.
 * @param swaps that succeed at the word, whatever they write
 */
export function changingSwaps({ kernel, siteIds }: KernelProgram, swaps: number): number {
  const all = kernel.blocks.flatMap(({ instructions }) =>
    instructions.filter((each): each is CmpxchgInstruction => each.op === 'cmpxchg'),
  )
  const inGlobal = all.filter(each => siteIds.get(each)?.global !== undefined)
  if (inGlobal.length === 0) return swaps
  const staying = inGlobal.filter(each => !goesOnElsewhere(each))
  if (staying.length === 0) return Math.min(swaps, 1)
  return staying.every(keepsExtreme) ? Math.min(swaps, 1 + Math.log(Math.max(1, swaps))) : swaps
}

/** Whether what it found says where it tries again. */
function goesOnElsewhere(swap: CmpxchgInstruction): boolean {
  const seen = new Set<Value>()
  const isMadeOf = (value: Value): boolean => {
    if (value === swap) return true
    if (value.kind !== 'instruction' || seen.has(value)) return false
    seen.add(value)
    return operandsOf(value).some(isMadeOf)
  }
  return isMadeOf(swap.pointer)
}

function keepsExtreme({ expected, replacement }: CmpxchgInstruction): boolean {
  const value = without(replacement)
  if (value.kind !== 'instruction') return false
  const isOf = (operands: readonly Value[]) => operands.some(operand => without(operand) === without(expected))
  if (value.op === 'call') return EXTREME.test(calledName(value) ?? '') && isOf(operandsOf(value))
  if (value.op !== 'select' || value.condition.kind !== 'instruction') return false
  const { condition, ifTrue, ifFalse } = value
  if (condition.op !== 'fcmp' && condition.op !== 'icmp') return false
  const compared = operandsOf(condition).map(without)
  return isOf([ifTrue, ifFalse]) && [ifTrue, ifFalse].every(choice => compared.includes(without(choice)))
}

/** The same bits by another type. */
function without(value: Value): Value {
  let bits = value
  while (bits.kind === 'instruction' && (bits.op === 'bitcast' || bits.op === 'freeze')) bits = bits.value
  return bits
}
