/**
 * The form that each value of a kernel takes across a warp, found for one block geometry by an optimistic fixpoint:
 *   uniform   one scalar for all lanes; `invariant` when it is the same for the whole launch
 *   linear    a scalar plus a lane vector that is the same in every warp (laneVector.ts); 32-bit integers and pointers
 *   varying   32 independent lanes
 * `zeros` counts the low bits of the scalar that are known to be 0: it lets divisions and masks by powers of two go through.
 */
import { findMeetingBlocks } from '../../analysis/execution/divergence.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { terminatorOf } from '../../ir/graph.ts'
import type {
  BinaryInstruction,
  Block,
  CallInstruction,
  GepInstruction,
  Instruction,
  Type,
  Value,
} from '../../ir/ir.ts'
import { SPACE } from '../../ir/types.ts'
import { classifyCall } from '../operations/intrinsics.ts'
import type { Axis, Geometry } from './geometry.ts'
import {
  addLanes,
  isConstant,
  isZero,
  type LaneVector,
  lanesFrom,
  mapLanes,
  NO_LANES,
  scaleLanes,
  scaleLanesBy,
} from './laneVector.ts'

export type Shape =
  | { readonly kind: 'uniform'; readonly invariant: boolean; readonly zeros: number }
  | { readonly kind: 'linear'; readonly lanes: LaneVector; readonly zeros: number }
  | { readonly kind: 'varying' }

export interface Shapes {
  shapeOf(value: Value): Shape
  /** The integer that a value is known to be for this geometry. */
  constantOf(value: Value): number | undefined
  /** Loops whose lanes may leave at different times, and blocks where diverged lanes meet: their phis keep lanes apart. */
  readonly meeting: ReadonlySet<Block>
}

const VARYING: Shape = { kind: 'varying' }
const ALL_ZEROS = 32

function uniform(invariant: boolean, zeros = 0): Shape {
  return { kind: 'uniform', invariant, zeros: Math.min(zeros, ALL_ZEROS) }
}

function linear(lanes: LaneVector, zeros: number): Shape {
  return isZero(lanes)
    ? uniform(false, zeros)
    : { kind: 'linear', lanes, zeros: Math.max(0, Math.min(zeros, ALL_ZEROS)) }
}

export interface ShapeOptions {
  /** Values that are kept lane by lane whatever they look like (suspensionPlan.ts). */
  readonly apart?: ReadonlySet<Value>
  /** Low bits that are 0 in all pointers that are arguments. */
  readonly pointerZeros?: number
  /** Device address of each global variable outside shared memory. */
  readonly symbols?: ReadonlyMap<string, number>
}

export function findShapes(program: KernelProgram, geometry: Geometry, options: ShapeOptions = {}): Shapes {
  const { apart = new Set<Value>(), pointerZeros = 0, symbols } = options
  const { kernel, loops } = program
  const shapes = new Map<Value, Shape>()
  const constants = new Map<Value, number>()
  let meeting: ReadonlySet<Block> = new Set()

  const constantOf = (value: Value): number | undefined => {
    if (value.kind === 'int' && value.type.kind === 'int' && value.type.bits <= 32)
      return Number(BigInt.asIntN(32, value.value))
    if (value.kind === 'zero' && value.type.kind === 'int') return 0
    return constants.get(value)
  }
  // Undefined while an instruction has not been reached: the optimistic start of the fixpoint.
  const known = (value: Value): Shape | undefined => {
    if (value.kind === 'instruction') return shapes.get(value)
    return uniform(true, zerosOfConstant(value))
  }
  /** Shared memory begins at a multiple of all that is asked for. */
  const zerosOfConstant = (value: Value): number => {
    if (value.kind === 'parameter') return value.type.kind === 'pointer' && !value.byval ? pointerZeros : 0
    if (value.kind === 'address' && value.target.kind === 'global') {
      const { target, offset } = value
      const at = target.space === SPACE.shared ? program.shared.offsets.get(target) : symbols?.get(target.name)
      return at === undefined ? 0 : trailingZeros(at + offset)
    }
    const constant = constantOf(value)
    return constant === undefined ? 0 : trailingZeros(constant)
  }

  for (let changed = true; changed; ) {
    changed = false
    for (const block of kernel.blocks) {
      for (const instruction of block.instructions) {
        const before = shapes.get(instruction)
        const next = apart.has(instruction) ? VARYING : join(before, transfer(instruction, block))
        if (next === undefined || sameShape(before, next)) continue
        shapes.set(instruction, next)
        changed = true
      }
    }
    const divergent = kernel.blocks.filter(block => branchShape(block)?.kind !== 'uniform')
    meeting = findMeetingBlocks(kernel.blocks, loops, divergent)
  }
  // Another round, should the last marking of meeting blocks have come after its phis: the loop above ends only when a
  // whole round, with that marking, changed nothing.
  return { shapeOf: value => known(value) ?? VARYING, constantOf, meeting }

  function branchShape(block: Block): Shape | undefined {
    const terminator = terminatorOf(block)
    const condition =
      terminator.op === 'condbr' ? terminator.condition : terminator.op === 'switch' ? terminator.value : undefined
    return condition ? (known(condition) ?? uniform(false)) : uniform(true)
  }

  function transfer(instruction: Instruction, block: Block): Shape | undefined {
    switch (instruction.op) {
      case 'phi':
        return transferPhi(
          instruction.incoming.map(({ value }) => value),
          block,
        )
      case 'select': {
        const condition = known(instruction.condition)
        const arms = meet([instruction.ifTrue, instruction.ifFalse])
        if (!condition || !arms) return undefined
        if (condition.kind !== 'uniform') return VARYING
        return arms.kind === 'uniform' ? { ...arms, invariant: arms.invariant && condition.invariant } : arms
      }
      case 'add':
      case 'sub':
      case 'mul':
      case 'shl':
      case 'lshr':
      case 'ashr':
      case 'udiv':
      case 'sdiv':
      case 'urem':
      case 'srem':
      case 'and':
      case 'or':
      case 'xor':
        return transferInteger(instruction)
      case 'gep':
        return transferAddress(instruction)
      case 'alloca':
        return linear(
          lanesFrom(lane => lane * (instruction.interleaved ?? program.localBytes)),
          2,
        )
      case 'freeze':
      case 'ptrtoint':
      case 'inttoptr':
      case 'addrspacecast':
        return is32Bits(instruction.type) && is32Bits(instruction.value.type)
          ? known(instruction.value)
          : plain([instruction.value])
      case 'load': {
        const pointer = known(instruction.pointer)
        if (!pointer) return undefined
        if (pointer.kind !== 'uniform') return VARYING
        const spaces = program.spacesOf(instruction.pointer)
        const isParameter = spaces.size === 1 && spaces.has('parameter')
        return uniform(isParameter && pointer.invariant && !instruction.volatile)
      }
      case 'call':
        return transferCall(instruction)
      case 'atomicrmw':
      case 'cmpxchg':
        return VARYING
      case 'store':
      case 'fence':
      case 'br':
      case 'condbr':
      case 'switch':
      case 'ret':
      case 'unreachable':
        return uniform(false)
      default:
        return plain(operands(instruction))
    }
  }

  /** Uniform when all operands are; nothing is known of the bits. */
  function plain(values: readonly Value[]): Shape | undefined {
    let invariant = true
    for (const value of values) {
      const shape = known(value)
      if (!shape) return undefined
      if (shape.kind !== 'uniform') return VARYING
      invariant &&= shape.invariant
    }
    return uniform(invariant)
  }

  /** The one shape of several values that are never mixed within a warp. */
  function meet(values: readonly Value[]): Shape | undefined {
    let result: Shape | undefined
    for (const value of values) result = join(result, known(value))
    return result
  }

  function transferPhi(values: readonly Value[], block: Block): Shape | undefined {
    const different = new Set(values.filter(value => value.kind !== 'undef'))
    if (meeting.has(block) && different.size > 1) return values.some(value => known(value)) ? VARYING : undefined
    const shape = meet([...different])
    if (meeting.has(block) && shape?.kind === 'uniform') return isFixedIn(values) ? shape : VARYING
    if (meeting.has(block) && shape?.kind === 'linear') return VARYING
    return shape?.kind === 'uniform' ? { ...shape, invariant: false } : shape
  }

  /** A value from outside every loop that the lanes could have left at different times: only constants are surely so. */
  function isFixedIn(values: readonly Value[]): boolean {
    return values.every(value => value.kind !== 'instruction' || shapeIsInvariant(value))
  }

  function shapeIsInvariant(value: Value): boolean {
    const shape = known(value)
    return shape?.kind === 'uniform' && shape.invariant
  }

  function transferInteger(instruction: BinaryInstruction): Shape | undefined {
    const left = known(instruction.left)
    const right = known(instruction.right)
    if (!left || !right) return undefined
    const leftConstant = constantOf(instruction.left)
    const rightConstant = constantOf(instruction.right)
    if (leftConstant !== undefined && rightConstant !== undefined && is32Bits(instruction.type)) {
      const folded = foldInteger(instruction.op, leftConstant, rightConstant)
      if (folded !== undefined) constants.set(instruction, folded)
    }
    const constant = constants.get(instruction)
    if (constant !== undefined) return uniform(true, trailingZeros(constant))
    if (left.kind === 'varying' || right.kind === 'varying') return VARYING
    if (!is32Bits(instruction.type)) return plain([instruction.left, instruction.right])
    if (left.kind === 'uniform' && right.kind === 'uniform')
      return uniform(left.invariant && right.invariant, zerosOf(instruction, left.zeros, right.zeros, rightConstant))
    return linearResult(instruction, left, right, rightConstant, leftConstant)
  }

  function linearResult(
    { op, left: leftValue, right: rightValue }: BinaryInstruction,
    left: Shape & { kind: 'uniform' | 'linear' },
    right: Shape & { kind: 'uniform' | 'linear' },
    rightConstant: number | undefined,
    leftConstant: number | undefined,
  ): Shape {
    const leftLanes = left.kind === 'linear' ? left.lanes : NO_LANES
    const rightLanes = right.kind === 'linear' ? right.lanes : NO_LANES
    switch (op) {
      case 'add':
        return linear(addLanes(leftLanes, rightLanes), Math.min(left.zeros, right.zeros))
      case 'sub':
        return linear(addLanes(leftLanes, scaleLanes(rightLanes, -1)), Math.min(left.zeros, right.zeros))
      case 'shl':
        if (rightConstant === undefined || rightConstant < 0 || rightConstant > 31) return VARYING
        return linear(scaleLanes(leftLanes, 1 << rightConstant), left.zeros + rightConstant)
      case 'mul': {
        const zeros = left.zeros + right.zeros
        if (rightConstant !== undefined) return linear(scaleLanes(leftLanes, rightConstant), zeros)
        if (leftConstant !== undefined) return linear(scaleLanes(rightLanes, leftConstant), zeros)
        if (left.kind === 'linear' && right.kind === 'uniform' && right.invariant)
          return linear(scaleLanesBy(leftLanes, rightValue), zeros)
        if (right.kind === 'linear' && left.kind === 'uniform' && left.invariant)
          return linear(scaleLanesBy(rightLanes, leftValue), zeros)
        return VARYING
      }
      case 'udiv':
      case 'urem':
      case 'lshr':
      case 'and':
      case 'or':
      case 'xor': {
        // Bits of the scalar and of the lanes do not overlap: the operation works on each part alone.
        if (left.kind !== 'linear' || rightConstant === undefined || !fitsBelow(left)) return VARYING
        const map = partwise(op, rightConstant, left)
        return map === undefined ? VARYING : linear(mapLanes(left.lanes, map.lane), map.zeros)
      }
      default:
        return VARYING
    }
  }

  function transferAddress(instruction: GepInstruction): Shape | undefined {
    let result = known(instruction.base)
    if (!result) return undefined
    for (const { index, scale } of instruction.terms) {
      const shape = known(narrowIndex(index))
      if (!shape) return undefined
      if (shape.kind === 'varying' || result.kind === 'varying' || !is32Bits(narrowIndex(index).type)) {
        result =
          shape.kind === 'uniform' && result.kind === 'uniform' ? uniform(shape.invariant && result.invariant) : VARYING
        continue
      }
      const zeros = Math.min(result.zeros, shape.zeros + trailingZeros(scale))
      if (shape.kind === 'uniform' && result.kind === 'uniform')
        result = uniform(shape.invariant && result.invariant, zeros)
      else {
        const before: LaneVector = result.kind === 'linear' ? result.lanes : NO_LANES
        const added: LaneVector = shape.kind === 'linear' ? scaleLanes(shape.lanes, scale) : NO_LANES
        result = linear(addLanes(before, added), zeros)
      }
    }
    if (result.kind === 'varying') return result
    return { ...result, zeros: Math.min(result.zeros, trailingZeros(instruction.offset)) }
  }

  function transferCall(call: CallInstruction): Shape | undefined {
    const kind = classifyCall(call)
    switch (kind.kind) {
      case 'thread-index': {
        const index = geometry.threadIndex[kind.axis]
        return index.kind === 'table'
          ? VARYING
          : linear(index.lanes, index.scalar.divisor === 1 ? index.trailingZeros : 0)
      }
      case 'block-dimension':
        constants.set(call, geometry.block[kind.axis as Axis])
        return uniform(true, trailingZeros(geometry.block[kind.axis]))
      case 'grid-dimension':
      case 'launch-constant':
      case 'cluster-dimension':
        return uniform(true)
      case 'block-index':
      case 'warp-scalar':
        return uniform(false)
      case 'lane-index':
        return linear(
          lanesFrom(lane => lane),
          ALL_ZEROS,
        )
      case 'lane-mask':
        return linear(lanesFrom(kind.lane), ALL_ZEROS)
      case 'barrier':
        return uniform(false)
      case 'vote':
        return plain(kind.uniformOperands)?.kind === 'uniform' ? uniform(false) : VARYING
      case 'agreement':
        // Who has a lane's own number differs from lane to lane.
        return kind.agreement.what !== 'any' && plain([kind.agreement.members])?.kind === 'uniform'
          ? uniform(false)
          : VARYING
      case 'pure':
        return plain(call.args)
      default:
        return VARYING
    }
  }

  function operands(instruction: Instruction): readonly Value[] {
    switch (instruction.op) {
      case 'fneg':
        return [instruction.value]
      case 'fma':
        return [instruction.left, instruction.right, instruction.addend]
      case 'icmp':
      case 'fcmp':
      case 'fadd':
      case 'fsub':
      case 'fmul':
      case 'fdiv':
      case 'frem':
      case 'shufflevector':
        return [instruction.left, instruction.right]
      case 'extractvalue':
        return [instruction.aggregate]
      case 'insertvalue':
        return [instruction.aggregate, instruction.value]
      case 'extractelement':
        return [instruction.vector, instruction.index]
      case 'insertelement':
        return [instruction.vector, instruction.value, instruction.index]
      case 'trunc':
      case 'zext':
      case 'sext':
      case 'fptrunc':
      case 'fpext':
      case 'fptoui':
      case 'fptosi':
      case 'uitofp':
      case 'sitofp':
      case 'bitcast':
        return [instruction.value]
      default:
        return []
    }
  }
}

/** Sign and zero extensions of an index change nothing modulo 2^32. */
export function narrowIndex(index: Value): Value {
  if (index.kind === 'instruction' && (index.op === 'sext' || index.op === 'zext') && is32Bits(index.value.type))
    return index.value
  return index
}

export function is32Bits(type: Type): boolean {
  return type.kind === 'pointer' || (type.kind === 'int' && type.bits === 32)
}

/** The lane part is constant and lies below the scalar's known zero bits, so that scalar + lanes = scalar | lanes. */
function fitsBelow({ lanes, zeros }: Shape & { kind: 'linear' }): boolean {
  const limit = zeros >= 31 ? 0x7fffffff : (1 << zeros) - 1
  return isConstant(lanes) && lanes.constant.every(lane => lane >= 0 && lane <= limit)
}

/** How an operation with a constant acts on the lanes of a value whose scalar and lanes do not overlap. */
function partwise(
  op: BinaryInstruction['op'],
  constant: number,
  { zeros }: Shape & { kind: 'linear' },
): { lane: (lane: number) => number; zeros: number } | undefined {
  const isPower = constant > 0 && (constant & (constant - 1)) === 0
  const log2 = 31 - Math.clz32(constant)
  switch (op) {
    case 'udiv':
      return isPower && log2 <= zeros ? { lane: lane => Math.floor(lane / constant), zeros: zeros - log2 } : undefined
    case 'urem':
      return isPower ? { lane: lane => lane % constant, zeros } : undefined
    case 'lshr':
      return constant >= 0 && constant <= Math.min(31, zeros)
        ? { lane: lane => lane >>> constant, zeros: zeros - constant }
        : undefined
    case 'and':
      return { lane: lane => lane & constant & lowBits(zeros), zeros: zeros }
    case 'or':
      return (constant & ~lowBits(zeros)) === 0 ? { lane: lane => lane | constant, zeros } : undefined
    case 'xor':
      return (constant & ~lowBits(zeros)) === 0 ? { lane: lane => lane ^ constant, zeros } : undefined
    default:
      return undefined
  }
}

function lowBits(count: number): number {
  return count >= 32 ? -1 : (1 << count) - 1
}

function trailingZeros(value: number): number {
  return value === 0 ? ALL_ZEROS : 31 - Math.clz32(value & -value)
}

function zerosOf({ op }: BinaryInstruction, left: number, right: number, rightConstant: number | undefined): number {
  switch (op) {
    case 'add':
    case 'sub':
    case 'or':
    case 'xor':
      return Math.min(left, right)
    case 'and':
      return Math.max(left, right)
    case 'mul':
      return left + right
    case 'shl':
      return rightConstant === undefined ? left : left + Math.max(0, rightConstant)
    case 'lshr':
      return rightConstant === undefined ? 0 : Math.max(0, left - Math.max(0, rightConstant))
    default:
      return 0
  }
}

function foldInteger(op: BinaryInstruction['op'], left: number, right: number): number | undefined {
  const shift = right >>> 0
  switch (op) {
    case 'add':
      return (left + right) | 0
    case 'sub':
      return (left - right) | 0
    case 'mul':
      return Math.imul(left, right)
    case 'shl':
      return shift > 31 ? 0 : left << shift
    case 'lshr':
      return shift > 31 ? 0 : (left >>> shift) | 0
    case 'and':
      return left & right
    case 'or':
      return left | right
    case 'xor':
      return left ^ right
    case 'udiv':
      return right === 0 ? undefined : ((left >>> 0) / (right >>> 0)) | 0
    case 'urem':
      return right === 0 ? undefined : ((left >>> 0) % (right >>> 0)) | 0
    default:
      return undefined
  }
}

function join(a: Shape | undefined, b: Shape | undefined): Shape | undefined {
  if (!a || !b) return a ?? b
  if (a.kind === 'varying' || b.kind === 'varying') return VARYING
  if (a.kind === 'uniform' && b.kind === 'uniform')
    return uniform(a.invariant && b.invariant, Math.min(a.zeros, b.zeros))
  if (a.kind === 'linear' && b.kind === 'linear')
    return a.lanes.key === b.lanes.key ? linear(a.lanes, Math.min(a.zeros, b.zeros)) : VARYING
  return VARYING
}

function sameShape(a: Shape | undefined, b: Shape): boolean {
  if (a?.kind !== b.kind) return false
  if (a.kind === 'uniform' && b.kind === 'uniform') return a.invariant === b.invariant && a.zeros === b.zeros
  if (a.kind === 'linear' && b.kind === 'linear') return a.lanes.key === b.lanes.key && a.zeros === b.zeros
  return true
}
