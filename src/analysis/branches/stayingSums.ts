/**
 * Sums of products that nvcc leaves in front of a branch though only one way needs them (sinkValues.ts). In: a block. Out: an
 * answer for each of its instructions. Read off the PTX of 90 kernels:
 *
 * - `a * b + c` where `c` is no constant stays, with what it needs (not `a * b - c`, nor `fmaf`); so does what goes on from such a
 *   sum, or from one with a constant, with a value that is no constant.
 * - Those of an inlined function of one argument do not stay, where its result has one use: it moved as a call, before it was
 *   inlined.
 */
import { operandsOf, terminatorOf } from '../../ir/graph.ts'
import type { BinaryInstruction, Block, Instruction, Location, Value } from '../../ir/ir.ts'
import { decompose } from '../facts/address.ts'
import { isBinary } from '../rewriting/blocks.ts'

type UsersOf = ReadonlyMap<Value, readonly Instruction[]>

export class StayingSums {
  private readonly depth: number
  /** Of each call in the block: its arguments, as far as can be seen, and the uses of its results. */
  private readonly calls = new Map<string, { arguments: Set<Value | string>; uses: number }>()

  private readonly staying = new Set<Instruction>()

  constructor(
    block: Block,
    private readonly usersOf: UsersOf,
  ) {
    this.depth = depthOf(terminatorOf(block).location)
    for (const instruction of block.instructions) this.addToCall(instruction)
    for (const instruction of block.instructions) if (this.stays(instruction)) this.staying.add(instruction)
  }

  has(instruction: Instruction): boolean {
    return this.staying.has(instruction)
  }

  /** Asked of instructions in order, so that what they need is known. */
  private stays(instruction: Instruction): boolean {
    if (!isBinary(instruction) || this.isOfMovedCall(instruction)) return false
    const { op, contract } = instruction
    if (op === 'fadd' && contract && others(instruction).some(value => isProduct(value, instruction))) return true
    const own = others(instruction).filter(value => this.isOwn(value, instruction))
    return own.some(value => isSum(value) || this.staying.has(value))
  }

  /** Of an inlined function of one argument whose result has one use. */
  isOfMovedCall(instruction: Instruction): boolean {
    const call = this.calls.get(this.callOf(instruction) ?? '')
    return call !== undefined && call.arguments.size <= 1 && call.uses <= 1
  }

  private addToCall(instruction: Instruction): void {
    const key = this.callOf(instruction)
    if (key === undefined || isAddress(instruction)) return
    let call = this.calls.get(key)
    if (!call) this.calls.set(key, (call = { arguments: new Set(), uses: 0 }))
    const inputs = instruction.op === 'load' ? [decompose(instruction.pointer).root] : operandsOf(instruction)
    for (const value of inputs) {
      if (isConstant(value) || value.kind === 'int') continue
      if (value.kind !== 'instruction') call.arguments.add(value)
      else if (this.callOf(value) !== key) call.arguments.add(structureOf(value) ?? value)
    }
    const users = this.usersOf.get(instruction) ?? []
    call.uses += users.filter(user => this.callOf(user) !== key).length
  }

  /** Which call of the function that branches here an instruction was inlined with. */
  private callOf({ location }: Instruction): string | undefined {
    let at: Location | undefined = location
    for (let depth = depthOf(location); depth > this.depth; depth--) at = at?.inlinedAt
    return at && at !== location ? `${at.line}:${at.column}` : undefined
  }

  /** An instruction of the same block that nothing else uses. */
  private isOwn(value: Value, user: Instruction): value is Instruction {
    return value.kind === 'instruction' && value.block === user.block && this.usersOf.get(value)?.length === 1
  }
}

/** How many calls around it were inlined. */
function depthOf(location: Location | undefined): number {
  let depth = 0
  for (let at = location?.inlinedAt; at; at = at.inlinedAt) depth++
  return depth
}

/** clang's name of a structure that is passed by value, where this is a member of one. */
const structureOf = ({ name }: Instruction): string | undefined => /^(agg\.tmp\d*)\./.exec(name)?.[1]

const isAddress = ({ op }: Instruction): boolean => op === 'gep'

/** Operands beside which the other one is no constant. */
const others = ({ left, right }: BinaryInstruction): Value[] => [
  ...(isConstant(right) ? [] : [left]),
  ...(isConstant(left) ? [] : [right]),
]

const isProduct = (value: Value, user: Instruction): boolean =>
  value.kind === 'instruction' && value.block === user.block && value.op === 'fmul' && value.contract

const isSum = (value: Instruction): boolean =>
  value.op === 'fadd' && value.contract && (isProduct(value.left, value) || isProduct(value.right, value))

const isConstant = ({ kind }: Value): boolean => kind === 'float' || kind === 'zero'
