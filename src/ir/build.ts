/** Small makers of instructions and constants, for passes that write code. */
import type {
  BinaryInstruction,
  BinaryOp,
  Block,
  CallInstruction,
  CastInstruction,
  CastOp,
  CondBrInstruction,
  Constant,
  Func,
  GepInstruction,
  IcmpInstruction,
  Instruction,
  IntPredicate,
  LoadInstruction,
  Location,
  SelectInstruction,
  StoreInstruction,
  Type,
  Value,
} from './ir.ts'
import { I1, I32, VOID } from './types.ts'

export interface Place {
  readonly block: Block
  readonly location: Location | undefined
}

export function intConstant(type: Type, value: number | bigint): Constant {
  const bits = type.kind === 'int' ? type.bits : 32
  return { kind: 'int', type, value: BigInt.asUintN(bits, BigInt(value)) }
}

export function binary(place: Place, op: BinaryOp, left: Value, right: Value): BinaryInstruction {
  return {
    kind: 'instruction',
    op,
    type: left.type,
    name: '',
    ...place,
    left,
    right,
    contract: false,
    nuw: false,
    nsw: false,
  }
}

export function compare(place: Place, predicate: IntPredicate, left: Value, right: Value): IcmpInstruction {
  return { kind: 'instruction', op: 'icmp', type: I1, name: '', ...place, predicate, left, right }
}

/** A call of an intrinsic, or of a single instruction of assembly, by its name. */
export function intrinsicCall(place: Place, name: string, type: Type, args: readonly Value[]): CallInstruction {
  const callee: Func = {
    kind: 'function',
    name,
    returnType: type,
    parameters: args.map((arg, index) => ({ kind: 'parameter', type: arg.type, name: '', index })),
    variadic: false,
    isKernel: false,
    attributes: new Set(),
    blocks: [],
    location: undefined,
  }
  const byval = args.map(() => undefined)
  return { kind: 'instruction', op: 'call', type, name: '', ...place, callee, args: [...args], byval, contract: false }
}

export function cast(place: Place, op: CastOp, type: Type, value: Value): CastInstruction {
  return { kind: 'instruction', op, type, name: '', ...place, value }
}

export function offsetPointer(place: Place, base: Value, offset: number): GepInstruction {
  return { kind: 'instruction', op: 'gep', type: base.type, name: '', ...place, base, offset, terms: [] }
}

/** A branch from the place's block, its end. */
export function jump(place: Place, target: Block): Instruction {
  return { kind: 'instruction', op: 'br', type: VOID, name: '', ...place, target }
}

/** A jump from the place's block to one of two, its end. */
export function branch(place: Place, condition: Value, ifTrue: Block, ifFalse: Block): CondBrInstruction {
  return { kind: 'instruction', op: 'condbr', type: VOID, name: '', ...place, condition, ifTrue, ifFalse }
}

export function select(place: Place, condition: Value, ifTrue: Value, ifFalse: Value): SelectInstruction {
  return { kind: 'instruction', op: 'select', type: ifTrue.type, name: '', ...place, condition, ifTrue, ifFalse }
}

export function load(place: Place, type: Type, pointer: Value, align: number, volatile = false): LoadInstruction {
  return { kind: 'instruction', op: 'load', type, name: '', ...place, pointer, align, volatile, atomic: false }
}

export function store(place: Place, value: Value, pointer: Value, align: number, volatile = false): StoreInstruction {
  return {
    kind: 'instruction',
    op: 'store',
    type: VOID,
    name: '',
    ...place,
    value,
    pointer,
    align,
    volatile,
    atomic: false,
  }
}

export function extractElement(place: Place, vector: Value, index: number, type: Type): Instruction {
  return { kind: 'instruction', op: 'extractelement', type, name: '', ...place, vector, index: intConstant(I32, index) }
}

export function insertElement(place: Place, vector: Value, value: Value, index: number): Instruction {
  return {
    kind: 'instruction',
    op: 'insertelement',
    type: vector.type,
    name: '',
    ...place,
    vector,
    value,
    index: intConstant(I32, index),
  }
}

export function vectorOf(element: Type, length: number): Type {
  return { kind: 'vector', element, length }
}

/** A vector built from scalars, as a chain of insertions appended to `out`. */
export function buildVector(place: Place, values: readonly Value[], out: Instruction[]): Value {
  const type = vectorOf(values[0]!.type, values.length)
  let vector: Value = { kind: 'undef', type }
  values.forEach((value, index) => {
    const next = insertElement(place, vector, value, index)
    out.push(next)
    vector = next
  })
  return vector
}
