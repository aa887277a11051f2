/**
 * What a kernel's code computes again and the machine's does not. In: a kernel. Out: the instructions that give what one before them has
 * given already, and the divisions whose divisor has been inverted already. LLVM writes loops out behind its last search for equal
 * values, nvcc searches again (machine code: of a life's nine neighbours at `(x + dx + w) % w` six remainders are computed, not eighteen).
 */
import { lookupOf } from '../../analysis/calls/lookups.ts'
import { coordinateName } from '../../analysis/facts/address.ts'
import { type Division, isDivision, WARP_SIZE } from '../../analysis/loops/warpSize.ts'
import { dominators, isFromOutside, type Loop, loops, reversePostOrder } from '../../ir/graph.ts'
import type { Block, Func, Instruction, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'
import { formatType } from '../../ir/types.ts'

const COMMUTATIVE = new Set<Instruction['op']>(['add', 'mul', 'and', 'or', 'xor', 'fadd', 'fmul'])
const PURE = new Set<Instruction['op']>([
  ...COMMUTATIVE,
  'sub',
  'shl',
  'lshr',
  'ashr',
  'udiv',
  'sdiv',
  'urem',
  'srem',
  'fsub',
  'fdiv',
  'fma',
  'fneg',
  'select',
  'sext',
  'zext',
  'trunc',
  'fpext',
  'fptrunc',
  'fptosi',
  'fptoui',
  'sitofp',
  'uitofp',
])

/** How much of a division there is to do: its divisor has been inverted before; its quotient is there, of which it is the rest. */
export type DividedBefore = 'inverted' | 'divided'

export interface RepeatedWork {
  readonly repeated: ReadonlySet<Instruction>
  readonly divisions: ReadonlyMap<Instruction, DividedBefore>
}

export function repeatedWork(func: Func): RepeatedWork {
  const repeated = new Set<Instruction>()
  const divisions = new Map<Instruction, DividedBefore>()
  const tree = dominators(func)
  const innermost = innermostLoops(func)
  const numbers = new Map<Value, Value>()
  const seen = new Map<string, { readonly first: Instruction; readonly block: Block }[]>()
  const ids = new Map<Value | string, number>()
  const idOf = (value: Value): number => {
    const plain = value.kind === 'instruction' && value.op === 'freeze' && !lookupOf(value) ? value.value : value
    const key = keyOf(numbers.get(plain) ?? plain)
    let id = ids.get(key)
    if (id === undefined) ids.set(key, (id = ids.size))
    return id
  }
  const before = (key: string, instruction: Instruction): Instruction | undefined => {
    const found = seen.get(key)
    const earlier = found?.find(({ block }) => tree.dominates(block, instruction.block))
    if (earlier) return earlier.first
    const entry = { first: instruction, block: instruction.block }
    if (found) found.push(entry)
    else seen.set(key, [entry])
    return undefined
  }
  for (const block of reversePostOrder(func))
    for (const instruction of block.instructions) {
      if (instruction.location?.library || !isPure(instruction)) continue
      const parts = operandsOf(instruction).map(idOf)
      if (COMMUTATIVE.has(instruction.op)) parts.sort((a, b) => a - b)
      const what = coordinateName(instruction) ?? `${instruction.op} ${formatType(instruction.type)} ${parts.join()}`
      const first = before(what, instruction)
      if (first) {
        repeated.add(instruction)
        numbers.set(instruction, first)
        continue
      }
      const division = divisionOf(instruction)
      if (!division) continue
      const { op, dividend, divisor } = division
      const of = (what: string) => `${op[0]} ${formatType(instruction.type)} ${what}`
      const right = divisor === 'warpSize' ? divisor : idOf(divisor)
      const quotient = before(of(`${idOf(dividend)} over ${right}`), instruction)
      const inverse = before(of(`over ${right}`), instruction)
      const loop = innermost.get(block)
      const isOutside = loop && (divisor === 'warpSize' || isFromOutside(divisor, loop.blocks))
      if (quotient) divisions.set(instruction, 'divided')
      else if (inverse || isOutside) divisions.set(instruction, 'inverted')
    }
  return { repeated, divisions }
}

interface UnknownDivision {
  readonly op: Division['op']
  readonly dividend: Value
  readonly divisor: Value | 'warpSize'
}

/** By something that is not known: by `warpSize` too, whose quotients and remainders may be shifts and masks here (analysis/loops/warpSize.ts). */
function divisionOf(instruction: Instruction): UnknownDivision | undefined {
  if (isDivision(instruction)) {
    const { op, left, right } = instruction
    const by = right.kind === 'instruction' && right.op === 'freeze' ? right.value : right
    const isWarpSize = by.kind === 'int' && by.value === BigInt(WARP_SIZE) && (by !== right || instruction.divides)
    if (isWarpSize) return { op, dividend: left, divisor: 'warpSize' }
    return right.kind === 'int' ? undefined : { op, dividend: left, divisor: right }
  }
  if (!('divides' in instruction) || !instruction.divides || instruction.right.kind !== 'int') return undefined
  const { op, left, right, divides } = instruction
  const isWarpSize = right.value === (op === 'and' ? BigInt(WARP_SIZE - 1) : BigInt(Math.log2(WARP_SIZE)))
  return isWarpSize ? { op: divides, dividend: left, divisor: 'warpSize' } : undefined
}

/** Coordinates of threads are read once, and constants are the same wherever they stand. */
function keyOf(value: Value): Value | string {
  if (value.kind === 'int') return `${value.value}`
  if (value.kind === 'float') return `${Object.is(value.value, -0) ? '-0' : value.value}f`
  return coordinateName(value) ?? value
}

const isPure = (instruction: Instruction): boolean =>
  (PURE.has(instruction.op) && !('inMad' in instruction && instruction.inMad)) ||
  (instruction.op === 'call' && coordinateName(instruction) !== undefined)

function innermostLoops(func: Func): ReadonlyMap<Block, Loop> {
  const found = new Map<Block, Loop>()
  for (const loop of loops(func)) for (const block of loop.blocks) found.set(block, loop)
  return found
}
