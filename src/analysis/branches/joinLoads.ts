/**
 * Loads of one address on both ways of a branch that ptxas makes straight code of: it makes them once, for the lanes of both. In: a
 * kernel, stores joined and loads where ptxas has them. Out: the same with such loads in front of the branch.
 * Read off the machine code of 240 kernels (sm_90, ptxas 13.0; reading: hec-reaction, `if (i == 0) ... else if (i == last) ... else`):
 *
 * - Each way is one block that nothing else leads to, and both end at one place. A way of more than 18 instructions stays a branch (without addresses that both ways have; machine code of 24 lengths, all but one),
 *   of more than 6 where shared memory is loaded; so does one with a division, a root or another function that branches.
 * - Wherever in the two ways the loads stand: `M[t-1] - M[t]` and `M[t+1] - 2 * M[t] + M[t-1]` are three loads.
 * - Where the kernel ends behind both and one of them stores, each ends on its own: they stay branches (`if (i >= k) o[i] = x[i - k] + x[i]; else
 *   o[i] = x[i];`, 70 kernels). Else stores of the ways do not matter (25 kernels), but that the way that is taken where the condition fails comes first: what it
 *   stores may be what the other one loads.
 * - Not where the block in front writes (a store, a barrier) what is loaded; what nothing in the kernel writes (LDG.CONSTANT) always.
 */
import { calledName, predecessors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, Value } from '../../ir/ir.ts'
import { addressKey, decomposeLinear, valueNumbering } from '../facts/address.ts'
import { constantMemory } from '../facts/constantLoads.ts'
import { isSameType } from '../facts/knownValues.ts'
import { isApproximate } from '../facts/machineBranches.ts'
import { factorsOf } from '../facts/machineSize.ts'
import { isPlainAccess, mayWrite } from '../facts/memoryEffects.ts'
import { inferSpaces } from '../facts/spaces.ts'
import { madeIn, moveToEnd, replaceValues } from '../rewriting/blocks.ts'

const LONGEST = 18
const LONGEST_WITH_SHARED = 6

/** Functions that are an instruction or two. */
const SHORT_CALL =
  /^llvm\.(fma|fmuladd|fabs|minnum|maxnum|minimum|maximum|abs|[su]min|[su]max|ctpop|ctlz|cttz|bitreverse|fsh[lr]|copysign|assume|lifetime)|^llvm\.nvvm\.(ex2|lg2|rcp|rsqrt|sin|cos|f[ma]|read)\b.*|^llvm\.nvvm\..*approx/

export function joinLoads(func: Func): void {
  const before = predecessors(func)
  const spacesOf = inferSpaces(func)
  const isConstant = constantMemory(func)
  const idOf = valueNumbering()
  const replaced = new Map<Value, Value>()

  const placeOf = ({ pointer }: LoadInstruction): string => {
    const address = decomposeLinear(pointer, value => value)
    return `${addressKey(address, idOf)}+${address.offset}`
  }
  const hasShared = ({ instructions }: Block): boolean =>
    instructions.some(each => each.op === 'load' && spacesOf(each.pointer).has('shared'))
  /** What the block computes addresses from, but for what is added to them. */
  const arraysOf = ({ instructions }: Block): ReadonlySet<string> =>
    new Set(
      instructions
        .filter(each => each.op === 'gep' && each.terms.length > 0)
        .map(each =>
          addressKey(
            decomposeLinear(each, value => value),
            idOf,
          ),
        ),
    )
  /** The two ways of a branch, where ptxas makes straight code of it. */
  const waysOf = (head: Block): readonly [Block, Block] | undefined => {
    const last = terminatorOf(head)
    if (last.op !== 'condbr' || last.ifTrue === last.ifFalse) return undefined
    const ways = [last.ifTrue, last.ifFalse] as const
    const ends = ways.map(terminatorOf).map(end => (end.op === 'br' ? end.target : undefined))
    if (!ends[0] || ends[0] !== ends[1] || ways.includes(ends[0])) return undefined
    if (
      ways.some(
        way => before.get(way)!.length !== 1 || way.instructions.some(each => mayWrite(each) && each.op !== 'store'),
      )
    )
      return undefined
    if (ends[0].instructions.length === 1 && ways.some(way => way.instructions.some(mayWrite))) return undefined
    const longest = ways.some(hasShared) ? LONGEST_WITH_SHARED : LONGEST
    const [first, second] = ways.map(arraysOf)
    const both = [...first!].filter(each => second!.has(each)).length
    return ways.every(way => lengthOf(way) - both <= longest) ? ways : undefined
  }

  for (const head of func.blocks) {
    const ways = waysOf(head)
    if (!ways) continue
    const isQuiet = !head.instructions.some(mayWrite)
    const storesFirst = ways[1].instructions.some(mayWrite)
    const [first, second] = ways.map(way => loadsOf(way, load => isConstant(load.pointer)))
    for (const load of first!) {
      if ((!isQuiet || storesFirst) && !isConstant(load.pointer)) continue
      const other = second!.find(
        each => each.align === load.align && isSameType(each.type, load.type) && placeOf(each) === placeOf(load),
      )
      const needed = other && madeIn(load.block, load.pointer)
      if (!needed || replaced.has(other)) continue
      for (const each of [...needed, load]) moveToEnd(head, each)
      other.block.instructions.splice(other.block.instructions.indexOf(other), 1)
      replaced.set(other, load)
    }
  }
  replaceValues(func.blocks, replaced)
}

/** Loads of a block that nothing in front of them in it may have written. */
function loadsOf({ instructions }: Block, isConstant: (load: LoadInstruction) => boolean): LoadInstruction[] {
  const written = instructions.findIndex(mayWrite)
  return instructions.filter(
    (each, at): each is LoadInstruction =>
      each.op === 'load' && isPlainAccess(each) && !each.copiedTo && (written < 0 || at < written || isConstant(each)),
  )
}

/** Instructions of the machine, about; infinite for what ptxas does not make straight code of. */
export function lengthOf({ instructions }: Block): number {
  const products = new Set<Value>(instructions.flatMap(factorsOf))
  return instructions.reduce((sum, each) => sum + (products.has(each) ? 0 : lengthOfOne(each)), 0)
}

function lengthOfOne(instruction: Instruction): number {
  switch (instruction.op) {
    case 'br':
    case 'bitcast':
    case 'freeze':
    case 'addrspacecast':
      return 0
    case 'gep':
      return instruction.terms.length > 0 ? 1 : 0
    case 'load':
    case 'store':
      return isPlainAccess(instruction) ? 1 : Number.POSITIVE_INFINITY
    case 'fdiv':
      return isApproximate(instruction) ? 1 : Number.POSITIVE_INFINITY
    case 'frem':
    case 'sdiv':
    case 'udiv':
    case 'srem':
    case 'urem':
    case 'atomicrmw':
    case 'cmpxchg':
    case 'fence':
      return Number.POSITIVE_INFINITY
    case 'call':
      return SHORT_CALL.test(calledName(instruction) ?? '') ? 1 : Number.POSITIVE_INFINITY
    default:
      return 1
  }
}
