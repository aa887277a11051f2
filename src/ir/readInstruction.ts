/**
 * Reads one instruction's operation and operands, calls and memory accesses excepted (`readCall.ts`, `readMemory.ts`).
 * In: the lexer behind the opcode; out: the instruction, the lexer at its attachments (`, align 4, !dbg !7`) or at the next line.
 * The table at the end is the list of what the reader knows.
 */
import type {
  BinaryOp,
  Block,
  CastOp,
  FloatPredicate,
  Instruction,
  IntPredicate,
  PhiInstruction,
  SwitchInstruction,
  Type,
  Value,
} from './ir.ts'
import { TOKEN } from './lexer.ts'
import { constantIndex } from './readConstants.ts'
import type { FunctionContext } from './readContext.ts'
import { I1, VOID } from './types.ts'

/** The fields that all instructions have, the type excepted. */
export interface InstructionHead {
  readonly kind: 'instruction'
  readonly name: string
  readonly block: Block
  readonly location: undefined
}

/** undefined: the instruction means nothing to execution and is dropped. */
export type InstructionReader = (context: FunctionContext, head: InstructionHead) => Instruction | undefined

// ---------------------------------------------------------------- flags

const NUW = 1
const NSW = 2
const CONTRACT = 4
const DISJOINT = 8
const FLAGS: ReadonlyMap<string, number> = new Map([
  ['nuw', NUW],
  ['nsw', NSW],
  ['contract', CONTRACT],
  ['fast', CONTRACT],
  ['disjoint', DISJOINT],
  ...['exact', 'nneg', 'samesign', 'inbounds', 'nusw', 'nnan', 'ninf', 'nsz', 'arcp', 'afn', 'reassoc'].map(
    (flag): [string, number] => [flag, 0],
  ),
])

function readFlags(context: FunctionContext): number {
  const { lexer } = context
  let flags = 0
  for (;;) {
    const flag = lexer.kind === TOKEN.word ? FLAGS.get(lexer.value) : undefined
    if (flag === undefined) return flags
    flags |= flag
    lexer.advance()
  }
}

/** Fast-math flags: may the operation be contracted? */
export function readContract(context: FunctionContext): boolean {
  return (readFlags(context) & CONTRACT) !== 0
}

// ---------------------------------------------------------------- arithmetic

function binary(op: BinaryOp): InstructionReader {
  return (context, head) => {
    const flags = readFlags(context)
    const type = context.types.read()
    const left = context.readValue(type)
    const right = context.readNext(type)
    const contract = (flags & CONTRACT) !== 0
    const [nuw, nsw] = [(flags & NUW) !== 0, (flags & NSW) !== 0]
    const isDisjoint = (flags & DISJOINT) !== 0
    return { ...head, type, op, left, right, contract, nuw, nsw, ...(isDisjoint && { disjoint: true }) }
  }
}

function cast(op: CastOp): InstructionReader {
  return (context, head) => {
    readFlags(context)
    const value = context.readTypedValue()
    context.lexer.takeWord('to')
    return { ...head, type: context.types.read(), op, value }
  }
}

function unary(op: 'fneg' | 'freeze'): InstructionReader {
  return (context, head) => {
    readFlags(context)
    const value = context.readTypedValue()
    return { ...head, type: value.type, op, value }
  }
}

const INT_PREDICATES: ReadonlyMap<string, IntPredicate> = new Map(
  (['eq', 'ne', 'ugt', 'uge', 'ult', 'ule', 'sgt', 'sge', 'slt', 'sle'] as const).map(name => [name, name]),
)
const FLOAT_PREDICATES: ReadonlyMap<string, FloatPredicate> = new Map(
  (
    [
      ...(['false', 'oeq', 'ogt', 'oge', 'olt', 'ole', 'one', 'ord'] as const),
      ...(['ueq', 'ugt', 'uge', 'ult', 'ule', 'une', 'uno', 'true'] as const),
    ] as const
  ).map(name => [name, name]),
)

function readPredicate<Predicate>(context: FunctionContext, known: ReadonlyMap<string, Predicate>): Predicate {
  const predicate = known.get(context.lexer.value)
  if (predicate === undefined) throw context.lexer.refuse('expected a predicate')
  context.lexer.advance()
  return predicate
}

/** i1, or one i1 for each element of a vector. */
function truthType(type: Type): Type {
  return type.kind === 'vector' ? { kind: 'vector', length: type.length, element: I1 } : I1
}

const icmp: InstructionReader = (context, head) => {
  readFlags(context)
  const predicate = readPredicate(context, INT_PREDICATES)
  const left = context.readTypedValue()
  return { ...head, type: truthType(left.type), op: 'icmp', predicate, left, right: context.readNext(left.type) }
}

const fcmp: InstructionReader = (context, head) => {
  readFlags(context)
  const predicate = readPredicate(context, FLOAT_PREDICATES)
  const left = context.readTypedValue()
  return { ...head, type: truthType(left.type), op: 'fcmp', predicate, left, right: context.readNext(left.type) }
}

const select: InstructionReader = (context, head) => {
  readFlags(context)
  const condition = context.readTypedValue()
  const ifTrue = context.readNextTyped()
  return { ...head, type: ifTrue.type, op: 'select', condition, ifTrue, ifFalse: context.readNextTyped() }
}

const phi: InstructionReader = (context, head) => {
  readFlags(context)
  const { lexer } = context
  const type = context.types.read()
  const incoming: PhiInstruction['incoming'] = []
  do {
    if (lexer.kind !== TOKEN.openSquare) {
      context.giveBackComma()
      break
    }
    lexer.advance()
    const value = context.readValue(type)
    lexer.take(TOKEN.comma, "','")
    const block = context.readBlockName()
    // A switch with several cases for one block: LLVM lists the block once for each, always with the same value.
    if (!incoming.some(other => other.block === block)) incoming.push({ value, block })
    lexer.take(TOKEN.closeSquare, "']'")
  } while (lexer.skip(TOKEN.comma))
  return { ...head, type, op: 'phi', incoming }
}

// ---------------------------------------------------------------- aggregates and vectors

function readIndices(context: FunctionContext): number[] {
  const indices: number[] = []
  while (context.lexer.skip(TOKEN.comma)) {
    if (context.lexer.kind !== TOKEN.integer) {
      context.giveBackComma()
      break
    }
    indices.push(context.lexer.takeNumber('an index'))
  }
  return indices
}

const extractvalue: InstructionReader = (context, head) => {
  const aggregate = context.readTypedValue()
  const indices = readIndices(context)
  let { type } = aggregate
  for (const index of indices) {
    const inner = type.kind === 'struct' ? type.fields[index] : type.kind === 'array' ? type.element : undefined
    if (!inner) throw context.lexer.refuse('an index into what has no elements')
    type = inner
  }
  return { ...head, type, op: 'extractvalue', aggregate, indices }
}

const insertvalue: InstructionReader = (context, head) => {
  const aggregate = context.readTypedValue()
  const value = context.readNextTyped()
  return { ...head, type: aggregate.type, op: 'insertvalue', aggregate, value, indices: readIndices(context) }
}

function elementOf(context: FunctionContext, vector: Value): Type {
  if (vector.type.kind !== 'vector') throw context.lexer.refuse('expected a vector')
  return vector.type.element
}

const extractelement: InstructionReader = (context, head) => {
  const vector = context.readTypedValue()
  const type = elementOf(context, vector)
  return { ...head, type, op: 'extractelement', vector, index: context.readNextTyped() }
}

const insertelement: InstructionReader = (context, head) => {
  const vector = context.readTypedValue()
  const value = context.readNextTyped()
  return { ...head, type: vector.type, op: 'insertelement', vector, value, index: context.readNextTyped() }
}

const shufflevector: InstructionReader = (context, head) => {
  const left = context.readTypedValue()
  const right = context.readNextTyped()
  const indices = context.readNextTyped()
  if (indices.type.kind !== 'vector') throw context.lexer.refuse('expected a vector of indices')
  const { length } = indices.type
  const mask = Array.from({ length }, (_, i): number => {
    if (indices.kind === 'zero') return 0
    if (indices.kind === 'undef') return -1
    const element = indices.kind === 'aggregate' ? indices.elements[i] : undefined
    const index = element && (element.kind === 'undef' ? -1 : constantIndex(element))
    if (index === undefined) throw context.lexer.refuse('unsupported mask of a shufflevector')
    return index
  })
  return {
    ...head,
    type: { kind: 'vector', length, element: elementOf(context, left) },
    op: 'shufflevector',
    left,
    right,
    mask,
  }
}

// ---------------------------------------------------------------- terminators

const br: InstructionReader = (context, head) => {
  if (context.lexer.is('label')) return { ...head, type: VOID, op: 'br', target: context.readLabel() }
  const condition = context.readTypedValue()
  context.lexer.take(TOKEN.comma, "','")
  const ifTrue = context.readLabel()
  context.lexer.take(TOKEN.comma, "','")
  return { ...head, type: VOID, op: 'condbr', condition, ifTrue, ifFalse: context.readLabel() }
}

const switchReader: InstructionReader = (context, head) => {
  const { lexer } = context
  const value = context.readTypedValue()
  lexer.take(TOKEN.comma, "','")
  const fallback = context.readLabel()
  lexer.take(TOKEN.openSquare, "'['")
  const cases: SwitchInstruction['cases'] = []
  while (!lexer.skip(TOKEN.closeSquare)) {
    const constant = context.module.constants.readTyped()
    if (constant.kind !== 'int') throw lexer.refuse('expected a number as a case')
    lexer.take(TOKEN.comma, "','")
    cases.push({ value: constant.value, target: context.readLabel() })
  }
  return { ...head, type: VOID, op: 'switch', value, fallback, cases }
}

const ret: InstructionReader = (context, head) => {
  const type = context.types.read()
  return { ...head, type: VOID, op: 'ret', value: type.kind === 'void' ? undefined : context.readValue(type) }
}

const unreachable: InstructionReader = (_context, head) => ({ ...head, type: VOID, op: 'unreachable' })

// ---------------------------------------------------------------- the table

const BINARY_OPS = [
  ...(['add', 'sub', 'mul', 'udiv', 'sdiv', 'urem', 'srem', 'shl', 'lshr', 'ashr', 'and', 'or', 'xor'] as const),
  ...(['fadd', 'fsub', 'fmul', 'fdiv', 'frem'] as const),
]
const CAST_OPS = [
  ...(['trunc', 'zext', 'sext', 'fptrunc', 'fpext', 'fptoui', 'fptosi', 'uitofp', 'sitofp'] as const),
  ...(['ptrtoint', 'inttoptr', 'bitcast', 'addrspacecast'] as const),
]

/** Readers by opcode, those of `readCall.ts` and `readMemory.ts` excepted. */
export const COMPUTE_READERS: readonly (readonly [string, InstructionReader])[] = [
  ...BINARY_OPS.map((op): [string, InstructionReader] => [op, binary(op)]),
  ...CAST_OPS.map((op): [string, InstructionReader] => [op, cast(op)]),
  ['ptrtoaddr', cast('ptrtoint')],
  ['fneg', unary('fneg')],
  ['freeze', unary('freeze')],
  ['icmp', icmp],
  ['fcmp', fcmp],
  ['select', select],
  ['phi', phi],
  ['extractvalue', extractvalue],
  ['insertvalue', insertvalue],
  ['extractelement', extractelement],
  ['insertelement', insertelement],
  ['shufflevector', shufflevector],
  ['br', br],
  ['switch', switchReader],
  ['ret', ret],
  ['unreachable', unreachable],
]
