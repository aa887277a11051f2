/**
 * Reads instructions that address memory: getelementptr (as base + bytes + sum of index x scale), alloca, load, store, atomics.
 * In: the lexer behind the opcode; out: the instruction with the type's own alignment, which an `align` behind it overrides.
 * Orderings and scopes are skipped: the machine that we run on is sequentially consistent.
 */
import type { AtomicOp, GepInstruction, Type } from './ir.ts'
import { TOKEN } from './lexer.ts'
import { constantIndex, stepInto } from './readConstants.ts'
import type { FunctionContext } from './readContext.ts'
import type { InstructionReader } from './readInstruction.ts'
import { alignOf, I1, sizeOf, VOID } from './types.ts'

const gep: InstructionReader = (context, head) => {
  const { lexer } = context
  let unsigned = false
  for (; lexer.is('inbounds') || lexer.is('nuw') || lexer.is('nusw'); lexer.advance()) unsigned ||= lexer.is('nuw')
  let element: Type | undefined = context.types.read()
  const base = context.readNextTyped()
  if (base.type.kind !== 'pointer') throw lexer.refuse('getelementptr of a vector of pointers is not supported')
  let offset = 0
  const terms: GepInstruction['terms'] = []
  for (let first = true; lexer.skip(TOKEN.comma); first = false) {
    if (lexer.kind === TOKEN.metadata) {
      context.giveBackComma()
      break
    }
    const position = lexer.start
    const index = context.readTypedValue()
    const known = index.kind === 'instruction' || index.kind === 'parameter' ? undefined : constantIndex(index)
    const inner: Type | undefined = first ? element : stepInto(element, known ?? 0)?.element
    if (!inner || index.type.kind !== 'int' || (element.kind === 'struct' && !first && known === undefined)) {
      throw lexer.refuse('unsupported index of getelementptr', position)
    }
    if (known !== undefined) offset += first ? known * sizeOf(element) : stepInto(element, known)!.bytes
    else if (sizeOf(inner) > 0) terms.push({ index, scale: sizeOf(inner) })
    element = inner
  }
  const address = { ...head, type: base.type, op: 'gep', base, offset: offset | 0, terms } as const
  return unsigned ? { ...address, unsigned } : address
}

const alloca: InstructionReader = (context, head) => {
  const { lexer, types } = context
  if (lexer.is('inalloca') || lexer.is('swifterror')) throw lexer.refuse(`unsupported alloca ${lexer.value}`)
  const type = types.read()
  let count = 1
  let space = 0
  while (lexer.skip(TOKEN.comma)) {
    if (lexer.is('addrspace')) space = types.readAddressSpace()
    else if (types.startsType()) {
      const position = lexer.start
      const value = context.readTypedValue()
      const known = value.kind === 'int' ? constantIndex(value) : undefined
      if (known === undefined) throw lexer.refuse('a local array of variable size (alloca) is not supported', position)
      count = known
    } else {
      context.giveBackComma()
      break
    }
  }
  return { ...head, type: types.pointerTo(space), op: 'alloca', bytes: sizeOf(type) * count, align: alignOf(type) }
}

const RELAXED = new Set(['syncscope', 'unordered', 'monotonic'])

/** `[syncscope("...")] [ordering]...`; whether the ordering is more than that of the access itself. */
function readOrdering(context: FunctionContext): { orders?: true } {
  const { lexer } = context
  let orders = false
  while (lexer.kind === TOKEN.word && !lexer.startsLine) {
    orders ||= !RELAXED.has(lexer.value)
    lexer.advance()
    if (lexer.kind === TOKEN.open) lexer.skipParentheses()
  }
  return orders ? { orders } : {}
}

const load: InstructionReader = (context, head) => {
  const atomic = context.lexer.skipWord('atomic')
  const volatile = context.lexer.skipWord('volatile')
  const type = context.types.read()
  const pointer = context.readNextTyped()
  if (atomic) readOrdering(context)
  const plain = { ...head, type, op: 'load', pointer, align: alignOf(type), volatile, atomic } as const
  return volatile || atomic ? { ...plain, passesL1: true } : plain
}

const store: InstructionReader = (context, head) => {
  const atomic = context.lexer.skipWord('atomic')
  const volatile = context.lexer.skipWord('volatile')
  const value = context.readTypedValue()
  const pointer = context.readNextTyped()
  if (atomic) readOrdering(context)
  return { ...head, type: VOID, op: 'store', value, pointer, align: alignOf(value.type), volatile, atomic }
}

const ATOMIC_OPS: ReadonlyMap<string, AtomicOp> = new Map(
  (
    [
      ...(['xchg', 'add', 'sub', 'and', 'nand', 'or', 'xor', 'max', 'min', 'umax', 'umin'] as const),
      ...(['fadd', 'fsub', 'fmax', 'fmin', 'uinc_wrap', 'udec_wrap', 'usub_cond', 'usub_sat'] as const),
    ] as const
  ).map(name => [name, name]),
)

const atomicrmw: InstructionReader = (context, head) => {
  const { lexer } = context
  const volatile = lexer.skipWord('volatile')
  const operation = ATOMIC_OPS.get(lexer.value)
  if (!operation) throw lexer.refuse(`unsupported atomic operation '${lexer.value}'`)
  lexer.advance()
  const pointer = context.readTypedValue()
  const value = context.readNextTyped()
  const order = readOrdering(context)
  const align = sizeOf(value.type)
  return { ...head, ...order, type: value.type, op: 'atomicrmw', operation, pointer, value, align, volatile }
}

const cmpxchg: InstructionReader = (context, head) => {
  context.lexer.skipWord('weak')
  const volatile = context.lexer.skipWord('volatile')
  const pointer = context.readTypedValue()
  const expected = context.readNextTyped()
  const replacement = context.readNextTyped()
  const order = readOrdering(context)
  const type: Type = { kind: 'struct', fields: [expected.type, I1], packed: false }
  return {
    ...head,
    ...order,
    type,
    op: 'cmpxchg',
    pointer,
    expected,
    replacement,
    align: sizeOf(expected.type),
    volatile,
  }
}

const fence: InstructionReader = (context, head) => {
  readOrdering(context)
  return { ...head, type: VOID, op: 'fence' }
}

/** Readers by opcode. */
export const MEMORY_READERS: readonly (readonly [string, InstructionReader])[] = [
  ['getelementptr', gep],
  ['alloca', alloca],
  ['load', load],
  ['store', store],
  ['atomicrmw', atomicrmw],
  ['cmpxchg', cmpxchg],
  ['fence', fence],
]
