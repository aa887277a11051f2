/**
 * Loops that step by a variable (`int stride = blockDim.x * gridDim.x; for (int i = index; i < n; i += stride)`) as nvcc writes them out
 * where lanes of a warp have different numbers of rounds: four or two at a time, the rest in front, or behind where some value of the loop
 * starts as a constant integer. Lanes with eight rounds and lanes with seven then make eleven requests, not eight. In: a kernel, as
 * unrollLoops.ts takes it. Out: the same with such code beside each such loop, for warps whose rests differ; the others run the
 * loop as it is, which counts the same. Read off the PTX of 51 loops for the rule, and of 38 more for its lengths; readings:
 * `fill_with_stride` of a course's (35 stores for 32).
 *
 * The counter has a sign, so that it does not wrap (`i += blockDim.x` has none: nvcc leaves such a loop alone), and nobody can tell
 * whether the loop ends: it has no atomics, barriers or calls.
 */
import { binary, branch, compare, intConstant, intrinsicCall, jump, type Place, select } from '../../ir/build.ts'
import { cloneInstruction, operandsOf, replaceOperands, successors, terminatorOf, users } from '../../ir/graph.ts'
import type {
  BinaryInstruction,
  Block,
  Func,
  IcmpInstruction,
  Instruction,
  PhiInstruction,
  StoreInstruction,
  Type,
  Value,
} from '../../ir/ir.ts'
import { I1 } from '../../ir/types.ts'
import { isPlainAccess, mayWrite } from '../facts/memoryEffects.ts'
import { isWarpUniform } from '../facts/warpUniform.ts'
import { meetingOf, phisOf, redirect } from '../rewriting/blocks.ts'

/** Of LLVM's instructions, with which four rounds were written out together, and two: 51 and 59, 91 and 99. */
const LONGEST_OF_FOUR = 55
const LONGEST_OF_TWO = 95

interface SteppedLoop {
  readonly block: Block
  readonly entry: Block
  readonly exit: Block
  readonly phis: readonly PhiInstruction[]
  readonly bound: Value
  readonly step: Value
  /** The counter's second value, of which `next < bound` asks for a second round. */
  readonly start: Value
  /** Rounds that nvcc does together. */
  readonly together: 2 | 4
}

export function unrollSteps(func: Func): void {
  for (const block of [...func.blocks]) {
    // Looked for after the loops before are written out: the end of one may be the entry of the next.
    const loop = findLoop(func, block)
    if (loop) writeOut(func, loop)
  }
}

function findLoop(func: Func, block: Block): SteppedLoop | undefined {
  const last = terminatorOf(block)
  if (last.op !== 'condbr' || last.ifTrue !== block || last.ifFalse === block || last.staysLoop) return undefined
  const [entry, ...more] = func.blocks.filter(from => from !== block && successors(terminatorOf(from)).includes(block))
  if (!entry || more.length > 0) return undefined
  const test = last.condition
  if (test.kind !== 'instruction' || test.op !== 'icmp' || test.block !== block || test.predicate !== 'slt')
    return undefined
  const stepped = variableStep(test, block)
  if (stepped?.next.type.kind !== 'int' || stepped.next.type.bits !== 32) return undefined
  const { counter, step } = stepped
  const { right: bound } = test
  const start = incoming(counter, entry)
  const phis = phisOf(block)
  const together = roundsTogether(block.instructions.length - phis.length)
  if (!start || !together || (isWarpUniform(start) && isWarpUniform(bound))) return undefined
  const isPlain = (each: Instruction) => isPlainAccess(each) || (!mayWrite(each) && !isTogether(each))
  if (!block.instructions.some(isPlainAccess) || !block.instructions.every(isPlain)) return undefined
  // Functions of mathematics have another length for nvcc.
  if (block.instructions.some(({ location }) => location?.library !== undefined)) return undefined
  return { block, entry, exit: last.ifFalse, phis, bound, step, start, together }
}

export interface VariableStep {
  readonly counter: PhiInstruction
  readonly next: BinaryInstruction
  readonly step: Value
}

/**
 * `i += step` with signed numbers, an unknown step and a bound that stays: nvcc itself writes such a loop out, since `i` does not
 * wrap, provided that nobody could tell if it never ended. Source: PTX of 51 loops of our own. It does not where the loop has assembly, as all
 * arithmetic in half precision is for nvcc (cuda_fp16.h; PTX of 9 more loops), nor where start and step are
 * quotients by one number, or masks: a warp a row, `for (row = tid / 32; row < n; row += blockDim.x / 32)` (PTX of 30 more;
 * reading: llm-matmul_backward_bias_4).
 */
export function variableStep(
  { predicate, left: next, right: bound }: IcmpInstruction,
  block: Block,
): VariableStep | undefined {
  if (next.kind !== 'instruction' || next.op !== 'add' || !next.nsw || isInside(bound, block)) return undefined
  if (predicate !== 'slt' && predicate !== 'sgt') return undefined
  if (block.instructions.some(isHalfArithmetic)) return undefined
  const isCounter = (value: Value): value is PhiInstruction =>
    value.kind === 'instruction' && value.op === 'phi' && incoming(value, block) === next
  const [counter, step] = isCounter(next.left) ? [next.left, next.right] : [next.right, next.left]
  if (!isCounter(counter) || isInside(step, block) || step.kind === 'int') return undefined
  const isApart = counter.incoming.every(({ value, block: from }) => from === block || !areAlike(value, step))
  return isApart ? { counter, next, step } : undefined
}

const isHalfArithmetic = (instruction: Instruction): boolean =>
  !['load', 'store', 'phi', 'bitcast', 'select', 'extractelement', 'insertelement', 'shufflevector'].includes(
    instruction.op,
  ) && [instruction, ...operandsOf(instruction)].some(({ type }) => isHalf(type))

function isHalf(type: Type): boolean {
  return type.kind === 'vector' ? isHalf(type.element) : type.kind === 'float' && type.bits === 16
}

const isInside = (value: Value, block: Block): boolean => value.kind === 'instruction' && value.block === block

/** Quotients of numbers without a sign by one constant, or parts of numbers that constants mask. */
function areAlike(start: Value, step: Value): boolean {
  if (start.kind !== 'instruction' || step.kind !== 'instruction' || start.op !== step.op) return false
  if (start.op !== 'lshr' && start.op !== 'udiv' && start.op !== 'and') return false
  const [divisor, other] = [start.right, (step as typeof start).right]
  if (divisor.kind !== 'int' || other.kind !== 'int') return false
  return start.op === 'and' || divisor.value === other.value
}

/** What lanes do together they cannot do apart. */
const isTogether = (each: Instruction): boolean =>
  each.op === 'call' && (each.callee.kind !== 'function' || each.callee.attributes.has('convergent'))

const roundsTogether = (instructions: number): 2 | 4 | undefined =>
  instructions <= LONGEST_OF_FOUR ? 4 : instructions <= LONGEST_OF_TWO ? 2 : undefined

const incoming = (phi: PhiInstruction, from: Block): Value | undefined =>
  phi.incoming.find(({ block }) => block === from)?.value

/** What the loop's phis would have next, and what is used behind it. */
interface State {
  readonly phis: readonly Value[]
  readonly results: readonly Value[]
}

/**
 * entry -> count -> (rests alike) -> the loop itself -> join -> exit
 *                -> ask -> (rest) -> ask -> (groups) -> done -> join
 */
function writeOut(func: Func, loop: SteppedLoop): void {
  const { block, entry, exit, phis, together } = loop
  const { location } = terminatorOf(block)
  const usersOf = users(func)
  const results = block.instructions.filter(each => usersOf.get(each)?.some(user => user.block !== block))
  const named = (suffix: string): Block => ({ name: block.name + suffix, instructions: [] })
  const [count, done, join] = [named('.steps'), named('.stepped'), named('.join')]
  const { rest, groups, isAlike } = countRounds({ block: count, location }, loop)

  const isBehind = phis.some(phi => incoming(phi, entry)!.kind === 'int' && !isInMemory(phi, loop, usersOf))
  const stages = [
    { left: rest, rounds: 1 },
    { left: groups, rounds: together },
  ].map((stage, at) => ({
    ...stage,
    ask: named(`.ask${at}`),
    body: named(`.rounds${at}`),
  }))
  if (isBehind) stages.reverse()
  let state: State = {
    phis: phis.map(phi => incoming(phi, entry)!),
    results: results.map(({ type }) => ({ kind: 'undef', type })),
  }
  count.instructions.push(branch({ block: count, location }, isAlike, block, stages[0]!.ask))
  for (const [at, { left, rounds, ask, body }] of stages.entries()) {
    const next = stages[at + 1]?.ask ?? done
    const place = { block: ask, location }
    const any = compare(place, 'ne', left, intConstant(left.type, 0))
    ask.instructions.push(any, branch(place, any, body, next))
    const after = repeat(loop, results, { ask, body, next, left, rounds, state })
    state = meet({ block: next, location }, [ask, state], [body, after])
  }
  done.instructions.push(jump({ block: done, location }, join))
  for (const phi of phis) for (const from of phi.incoming) if (from.block === entry) from.block = count
  const last: State = { phis: [], results }
  const behind = meet({ block: join, location }, [done, { ...state, phis: [] }], [block, last]).results
  join.instructions.push(jump({ block: join, location }, exit))
  redirect(entry, block, count)
  redirect(block, exit, join)
  for (const phi of phisOf(exit)) for (const from of phi.incoming) if (from.block === block) from.block = join
  const moved = new Map<Value, Value>(results.map((result, index) => [result, behind[index]!]))
  for (const other of func.blocks)
    if (other !== block)
      for (const instruction of other.instructions) replaceOperands(instruction, value => moved.get(value) ?? value)
  const made = stages.flatMap(({ ask, body }) => [ask, body])
  func.blocks.splice(func.blocks.indexOf(block), 0, count, ...made, done)
  func.blocks.splice(func.blocks.indexOf(block) + 1, 0, join)
}

/**
 * Whether nvcc does not know yet what a phi starts with: it is a sum in memory, stored before the loop and behind it (PTX of eight sums in
 * shared memory).
 */
function isInMemory(phi: PhiInstruction, { block, entry }: SteppedLoop, usersOf: ReturnType<typeof users>): boolean {
  if (phi.inMemory) return true
  const sum = incoming(phi, block)!
  const start = incoming(phi, entry)!
  const isStored = (value: Value, user: Instruction): user is StoreInstruction =>
    user.op === 'store' && (user.value === value || isSameConstant(user.value, value))
  const ends = (usersOf.get(sum) ?? []).filter(({ op }) => op === 'phi')
  const behind = [sum, ...ends]
    .flatMap(value => (usersOf.get(value) ?? []).filter(user => isStored(value, user)))
    .filter(store => store.block !== block)
  return behind.some(({ pointer }) =>
    usersOf.get(pointer)?.some(user => isStored(start, user) && user.pointer === pointer),
  )
}

const isSameConstant = (a: Value, b: Value): boolean => a.kind === 'int' && b.kind === 'int' && a.value === b.value

/** How many rounds a lane has, whole groups and the rest, and whether all lanes have the same rest. */
function countRounds(place: Place, { start, step, bound, together }: SteppedLoop) {
  const { instructions } = place.block
  const add = <T extends Instruction>(instruction: T): T => {
    instructions.push(instruction)
    return instruction
  }
  const { type } = start
  const constant = (value: number) => intConstant(type, value)
  const second = add(binary(place, 'add', start, step))
  const isMore = add(compare(place, 'slt', second, bound))
  const left = add(binary(place, 'sub', bound, second))
  const before = add(binary(place, 'sub', left, constant(1)))
  const steps = add(binary(place, 'udiv', before, step))
  const all = add(binary(place, 'add', steps, constant(2)))
  const rounds = add(select(place, isMore, all, constant(1)))
  const rest = add(binary(place, 'and', rounds, constant(together - 1)))
  const groups = add(binary(place, 'lshr', rounds, constant(Math.log2(together))))
  const alike = Array.from({ length: Math.log2(together) }, (_, bit) => {
    const one = add(binary(place, 'and', rest, constant(1 << bit)))
    const isSet = add(compare(place, 'ne', one, constant(0)))
    return add(intrinsicCall(place, 'llvm.nvvm.vote.uni', I1, [isSet]))
  })
  const isAlike = alike.reduce<Value>((a, b) => (a === b ? a : add(binary(place, 'and', a, b))), alike[0]!)
  return { rest, groups, isAlike }
}

interface Stage {
  readonly ask: Block
  readonly body: Block
  readonly next: Block
  /** How often the body runs. */
  readonly left: Value
  readonly rounds: number
  readonly state: State
}

/** Fills the body of a stage: a loop of its own of copies, one behind the other. */
function repeat(
  loop: SteppedLoop,
  results: readonly Instruction[],
  { ask, body, next, left, rounds, state }: Stage,
): State {
  const { block, phis } = loop
  const location = terminatorOf(block).location
  const place = { block: body, location }
  const own: PhiInstruction[] = phis.map(phi => ({ ...phi, block: body, incoming: [] }))
  const counter: PhiInstruction = {
    kind: 'instruction',
    op: 'phi',
    type: left.type,
    name: '',
    ...place,
    incoming: [],
  }
  body.instructions.push(counter, ...own)
  let values: readonly Value[] = own
  let found: readonly Value[] = results
  for (let round = 0; round < rounds; round++) {
    const copies = new Map<Value, Value>(phis.map((phi, index) => [phi, values[index]!]))
    const final = (value: Value): Value => copies.get(value) ?? value
    for (const instruction of block.instructions.slice(phis.length, -1)) {
      const copy = cloneInstruction(instruction, body)
      replaceOperands(copy, final)
      copies.set(instruction, copy)
      body.instructions.push(copy)
    }
    values = phis.map(phi => final(incoming(phi, block)!))
    found = results.map(final)
  }
  const fewer = binary(place, 'sub', counter, intConstant(left.type, 1))
  const isMore = compare(place, 'ne', fewer, intConstant(left.type, 0))
  body.instructions.push(fewer, isMore, branch(place, isMore, body, next))
  counter.incoming.push({ value: left, block: ask }, { value: fewer, block: body })
  own.forEach((phi, index) => {
    phi.incoming.push({ value: state.phis[index]!, block: ask }, { value: values[index]!, block: body })
  })
  return { phis: values, results: found }
}

function meet(place: Place, [from, a]: readonly [Block, State], [other, b]: readonly [Block, State]): State {
  const join = (first: Value, second: Value) => meetingOf(place, [from, first], [other, second])
  return {
    phis: a.phis.map((value, index) => join(value, b.phis[index]!)),
    results: a.results.map((value, index) => join(value, b.results[index]!)),
  }
}
