/**
 * What a kernel's block geometry alone decides: values that follow from threadIdx and constants, lane by lane for each warp,
 * computed while the kernel is compiled.
 */
import { WARP_LANES } from '../../addressSpace.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import type { IcmpInstruction, Instruction, Value } from '../../ir/ir.ts'
import { classifyCall } from '../operations/intrinsics.ts'
import { type Geometry, threadIndexTable } from './geometry.ts'
import { is32Bits, narrowIndex, type Shapes } from './shapes.ts'

/** One 32-bit integer a lane; flags as 0 and 1; shared pointers as offsets in the window. */
export type Lanes = Int32Array

const AXES = { x: 0, y: 1, z: 2 } as const

export class StaticLanes {
  private readonly program: KernelProgram
  private readonly geometry: Geometry
  private readonly shapes: Shapes
  private readonly threads: Uint32Array
  private readonly known: Map<Value, Lanes | undefined>[]

  constructor(program: KernelProgram, geometry: Geometry, shapes: Shapes) {
    this.program = program
    this.geometry = geometry
    this.shapes = shapes
    this.threads = threadIndexTable(geometry)
    this.known = Array.from({ length: geometry.warps }, () => new Map())
  }

  /** Undefined where more than the geometry decides. */
  valueOf(value: Value, warp: number): Lanes | undefined {
    const constant = this.shapes.constantOf(value)
    if (constant !== undefined) return new Int32Array(WARP_LANES).fill(constant)
    if (value.kind === 'address') {
      // As generic pointers too: nothing but additions and comparisons with their like is computed of pointers.
      const at = value.target.kind === 'global' ? this.program.shared.offsets.get(value.target) : undefined
      return at !== undefined ? new Int32Array(WARP_LANES).fill(at + value.offset) : undefined
    }
    if (value.kind !== 'instruction') return undefined
    const cache = this.known[warp]!
    if (cache.has(value)) return cache.get(value)
    cache.set(value, undefined)
    const lanes = this.compute(value, warp)
    cache.set(value, lanes)
    return lanes
  }

  /** A condition's lanes as a mask. */
  maskOf(condition: Value, warp: number): number | undefined {
    return this.valueOf(condition, warp)?.reduce((mask, lane, index) => mask | ((lane & 1) << index), 0)
  }

  private compute(instruction: Instruction, warp: number): Lanes | undefined {
    const of = (value: Value): Lanes | undefined => this.valueOf(value, warp)
    const isFlag = instruction.type.kind === 'int' && instruction.type.bits === 1
    switch (instruction.op) {
      case 'call': {
        const kind = classifyCall(instruction)
        if (kind.kind === 'thread-index') {
          const start = (warp * 3 + AXES[kind.axis]) * WARP_LANES
          return Int32Array.from(this.threads.subarray(start, start + WARP_LANES))
        }
        if (kind.kind === 'block-dimension') return new Int32Array(WARP_LANES).fill(this.geometry.block[kind.axis])
        if (kind.kind === 'lane-index') return Int32Array.from({ length: WARP_LANES }, (_, lane) => lane)
        if (kind.kind === 'lane-mask') return Int32Array.from({ length: WARP_LANES }, (_, lane) => kind.lane(lane))
        return undefined
      }
      case 'icmp':
        return is32Bits(instruction.left.type) && instruction.left.type.kind === 'int'
          ? both(of(instruction.left), of(instruction.right), (a, b) => (compare(instruction.predicate, a, b) ? 1 : 0))
          : undefined
      case 'zext':
        return isFlagValue(instruction.value) && is32Bits(instruction.type) ? of(instruction.value) : undefined
      case 'freeze':
        return isFlag || is32Bits(instruction.type) ? of(instruction.value) : undefined
      case 'gep': {
        let sum: Lanes | undefined = of(instruction.base)?.map(lane => lane + instruction.offset)
        for (const { index, scale } of instruction.terms) {
          const narrow = narrowIndex(index)
          sum = is32Bits(narrow.type) ? both(sum, of(narrow), (a, b) => a + Math.imul(b, scale)) : undefined
        }
        return sum
      }
      case 'select': {
        const condition = of(instruction.condition)
        const [ifTrue, ifFalse] = [of(instruction.ifTrue), of(instruction.ifFalse)]
        if (!condition || !ifTrue || !ifFalse || !(isFlag || is32Bits(instruction.type))) return undefined
        return condition.map((lane, index) => (lane & 1 ? ifTrue[index]! : ifFalse[index]!))
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
      case 'xor': {
        if (!isFlag && !is32Bits(instruction.type)) return undefined
        const operation = INTEGER[instruction.op]
        const right = of(instruction.right)
        const isDivision = instruction.op.endsWith('div') || instruction.op.endsWith('rem')
        const isShift = instruction.op === 'shl' || instruction.op === 'lshr' || instruction.op === 'ashr'
        if (!right || (isDivision && right.includes(0)) || (isShift && right.some(by => by < 0 || by > 31)))
          return undefined
        const result = both(of(instruction.left), right, operation)
        return isFlag ? result?.map(lane => lane & 1) : result
      }
      default:
        return undefined
    }
  }
}

function isFlagValue({ type }: Value): boolean {
  return type.kind === 'int' && type.bits === 1
}

function both(
  left: Lanes | undefined,
  right: Lanes | undefined,
  operation: (a: number, b: number) => number,
): Lanes | undefined {
  return left && right && left.map((lane, index) => operation(lane, right[index]!))
}

const INTEGER = {
  add: (a: number, b: number) => a + b,
  sub: (a: number, b: number) => a - b,
  mul: Math.imul,
  shl: (a: number, b: number) => a << b,
  lshr: (a: number, b: number) => a >>> b,
  ashr: (a: number, b: number) => a >> b,
  udiv: (a: number, b: number) => (a >>> 0) / (b >>> 0),
  sdiv: (a: number, b: number) => a / b,
  urem: (a: number, b: number) => (a >>> 0) % (b >>> 0),
  srem: (a: number, b: number) => a % b,
  and: (a: number, b: number) => a & b,
  or: (a: number, b: number) => a | b,
  xor: (a: number, b: number) => a ^ b,
} as const

function compare(predicate: IcmpInstruction['predicate'], a: number, b: number): boolean {
  const [x, y] = predicate.startsWith('u') ? [a >>> 0, b >>> 0] : [a, b]
  switch (predicate) {
    case 'eq':
      return a === b
    case 'ne':
      return a !== b
    case 'ult':
    case 'slt':
      return x < y
    case 'ule':
    case 'sle':
      return x <= y
    case 'ugt':
    case 'sgt':
      return x > y
    default:
      return x >= y
  }
}
