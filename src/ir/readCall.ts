/**
 * Reads calls: direct, indirect, of intrinsics and of inline assembly.
 * In: the lexer behind `call`; out: the call, or nothing for intrinsics that only inform an optimiser or a debugger.
 * Inline assembly becomes a call of a declaration named `asm:<text>|<constraints>`, so that later stages know it, or refuse
 * it, by its text. `llvm.fma` and `llvm.fmuladd` (which may fuse, and on a GPU does) become the IR's own fused multiply-add.
 */
import type { CallInstruction, Func, Type, Value } from './ir.ts'
import { decodeEscapes, type Lexer, TOKEN } from './lexer.ts'
import { readParameterAttributes } from './readAttributes.ts'
import type { FunctionContext } from './readContext.ts'
import { type InstructionReader, readContract } from './readInstruction.ts'
import { POINTER } from './types.ts'

/** Beginnings of the names of intrinsics that have no effect on what a program computes. */
const DROPPED = [
  ...['llvm.lifetime.', 'llvm.assume', 'llvm.dbg.', 'llvm.experimental.noalias.scope.decl', 'llvm.donothing'],
  ...['llvm.sideeffect', 'llvm.prefetch', 'llvm.var.annotation', 'llvm.pseudoprobe', 'llvm.invariant.end'],
]

interface Arguments {
  readonly values: Value[]
  readonly byval: (Type | undefined)[]
  readonly aligns: (number | undefined)[]
}

/** `(type attributes value, ...)`; metadata arguments are left out. */
function readArguments(context: FunctionContext): Arguments {
  const { lexer } = context
  const found: Arguments = { values: [], byval: [], aligns: [] }
  lexer.take(TOKEN.open, "'('")
  if (lexer.skip(TOKEN.close)) return found
  do {
    if (lexer.is('metadata')) {
      skipMetadataArgument(context)
      continue
    }
    const type = context.types.read()
    const { byval, align } = readParameterAttributes(lexer, context.types)
    found.values.push(context.readValue(type))
    found.byval.push(byval)
    found.aligns.push(align)
  } while (lexer.skip(TOKEN.comma))
  lexer.take(TOKEN.close, "')'")
  return found
}

function skipMetadataArgument(context: FunctionContext): void {
  const { lexer } = context
  while (lexer.kind !== TOKEN.comma && lexer.kind !== TOKEN.close) {
    if (lexer.kind === TOKEN.end) throw lexer.refuse('unfinished call')
    if (lexer.kind === TOKEN.open) lexer.skipParentheses()
    else lexer.advance()
  }
}

/** The parameter types of a function type, which stands in calls of variadic functions. */
function skipFunctionType(context: FunctionContext): void {
  if (context.lexer.kind === TOKEN.open) context.lexer.skipParentheses()
}

/** `asm flags "text", "constraints"`, the lexer behind `asm`: the name of the declaration that stands for it. */
function readAssembly(context: FunctionContext): string {
  const { lexer } = context
  while (lexer.kind === TOKEN.word) lexer.advance()
  const text = decodeEscapes(lexer.take(TOKEN.string, 'the text of inline assembly'))
  lexer.take(TOKEN.comma, "','")
  return `asm:${text}|${decodeEscapes(lexer.take(TOKEN.string, 'the constraints of inline assembly'))}`
}

/** Attributes and operand bundles behind the arguments. Bundles of anything but assumptions are refused. */
function skipCallAttributes(context: FunctionContext, mayHaveBundles: boolean): void {
  const { lexer } = context
  while (!lexer.startsLine) {
    if (lexer.kind === TOKEN.openSquare) {
      if (!mayHaveBundles) throw lexer.refuse('unsupported operand bundle')
      while (lexer.kind !== TOKEN.closeSquare) {
        if (lexer.kind === TOKEN.end) throw lexer.refuse('unfinished operand bundle')
        lexer.advance()
      }
      lexer.advance()
    } else if (lexer.kind === TOKEN.open) lexer.skipParentheses()
    else if (lexer.kind === TOKEN.attribute || lexer.kind === TOKEN.word) lexer.advance()
    else if (lexer.kind === TOKEN.string || lexer.kind === TOKEN.equals) lexer.advance()
    else return
  }
}

const call: InstructionReader = (context, head) => {
  const { lexer, types, module } = context
  const contract = readContract(context)
  skipConvention(lexer)
  readParameterAttributes(lexer, types)
  if (lexer.is('addrspace')) types.readAddressSpace()
  const type = types.read()
  skipFunctionType(context)
  let callee: Func | Value | undefined
  let assembly: string | undefined
  if (lexer.kind === TOKEN.global) callee = readDirectCallee(context)
  else if (lexer.skipWord('asm')) assembly = readAssembly(context)
  else callee = context.readValue(POINTER)
  const name = callee?.kind === 'function' ? callee.name : ''
  const dropped = name.startsWith('llvm.') && DROPPED.some(prefix => name.startsWith(prefix))
  const { values, byval, aligns } = readArguments(context)
  skipCallAttributes(context, dropped)
  if (dropped) return undefined
  callee ??= module.assembly(
    assembly ?? '',
    type,
    values.map(value => value.type),
  )
  const [left, right, addend] = values
  if (type.kind === 'float' && left && right && addend && /^llvm\.fm(a|uladd)\./.test(name)) {
    return { ...head, type, op: 'fma', left, right, addend }
  }
  const instruction: CallInstruction = { ...head, type, op: 'call', callee, args: values, byval, contract }
  if (aligns.some(align => align !== undefined)) instruction.argumentAligns = aligns
  return instruction
}

function readDirectCallee(context: FunctionContext): Func | Value {
  const { lexer } = context
  const entry = context.module.globals.get(lexer.value)
  if (!entry) throw lexer.refuse(`unknown function @${lexer.value}`)
  if (entry.kind === 'global') throw lexer.refuse('a call of a variable')
  lexer.advance()
  if (entry.kind === 'address' && entry.offset === 0 && entry.target.kind === 'function') return entry.target
  return entry
}

const CONVENTIONS: ReadonlySet<string> = new Set(['ccc', 'fastcc', 'coldcc', 'tailcc', 'ptx_kernel', 'ptx_device'])

/** Takes a calling convention, if one stands here, and gives its word. */
export function skipConvention(lexer: Lexer): string {
  if (lexer.skipWord('cc')) {
    lexer.takeNumber('a calling convention')
    return 'cc'
  }
  if (lexer.kind !== TOKEN.word || !CONVENTIONS.has(lexer.value)) return ''
  const { value } = lexer
  lexer.advance()
  return value
}

/** `tail call`, `musttail call`, `notail call`. */
const markedCall: InstructionReader = (context, head) => {
  context.lexer.takeWord('call')
  return call(context, head)
}

/** Readers by opcode. */
export const CALL_READERS: readonly (readonly [string, InstructionReader])[] = [
  ['call', call],
  ['tail', markedCall],
  ['musttail', markedCall],
  ['notail', markedCall],
]
