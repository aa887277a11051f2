/**
 * Reads the body of a function: blocks, instructions and what is attached to them.
 * In: the lexer behind the `{` of a definition; out: the function's blocks, in the order of the text.
 *
 * Locations: an instruction's is its `!dbg`. A store's `!dbg` points at the `=`; where the address was computed on the same
 * line of the same call, the store gets the location of that computation, which is the subscript expression (FRONTEND.md).
 * The line never changes by that.
 */
import type { CopiedMember, Func, Instruction, Location, SourceMember, Value } from './ir.ts'
import { TOKEN } from './lexer.ts'
import { isTerminator } from './operands.ts'
import { CALL_READERS } from './readCall.ts'
import { FunctionContext, type ModuleContext } from './readContext.ts'
import { COMPUTE_READERS, type InstructionHead, type InstructionReader } from './readInstruction.ts'
import { isKeptLoop, loopStart } from './readLoopNotes.ts'
import { MEMORY_READERS } from './readMemory.ts'
import { isSameLine } from './readMetadata.ts'
import { storeBytes } from './types.ts'

const READERS: ReadonlyMap<string, InstructionReader> = new Map([
  ...COMPUTE_READERS,
  ...MEMORY_READERS,
  ...CALL_READERS,
])

/** Fills `func.blocks`. Throws UserError `unsupported-ir` for what is not understood. */
export function readBody(module: ModuleContext, func: Func): void {
  const context = new FunctionContext(module, func)
  const { lexer } = module
  let open = false
  for (;;) {
    if (lexer.kind === TOKEN.label) {
      if (open) throw lexer.refuse('a block without an end')
      context.beginBlock(lexer.value)
      open = true
      lexer.advance()
    } else if (lexer.kind === TOKEN.closeBrace) {
      break
    } else if (lexer.kind === TOKEN.attribute && lexer.value.startsWith('dbg_')) {
      lexer.skipLine()
    } else {
      if (!open) {
        if (func.blocks.length > 0) throw lexer.refuse('an instruction outside of a block')
        context.beginBlock(context.block.name)
        open = true
      }
      const instruction = readInstruction(context)
      if (instruction && isTerminator(instruction)) open = false
    }
  }
  if (open || func.blocks.length === 0) throw lexer.refuse('a block without an end')
  context.finish()
}

function readInstruction(context: FunctionContext): Instruction | undefined {
  const { lexer } = context
  let name = ''
  if (lexer.kind === TOKEN.local) {
    name = lexer.value
    lexer.advance()
    lexer.take(TOKEN.equals, "'='")
  }
  const reader = lexer.kind === TOKEN.word ? READERS.get(lexer.value) : undefined
  if (!reader) {
    throw lexer.refuse(
      lexer.kind === TOKEN.word ? `unsupported instruction '${lexer.value}'` : 'expected an instruction',
    )
  }
  lexer.advance()
  const head: InstructionHead = { kind: 'instruction', name, block: context.block, location: undefined }
  const instruction = reader(context, head)
  const { align, location, narrowed, hasSourceType, member, copied, staysLoop, start, passesL1 } = readAttachments(
    context,
    instruction && accessedBytes(instruction),
  )
  if (!lexer.startsLine) throw lexer.refuse('expected the end of the instruction')
  if (!instruction) return undefined
  if (instruction.type.kind === 'void') {
    if (name !== '') throw lexer.refuse(`%${name} has no value`)
  } else if (name === '') {
    throw lexer.refuse('a value without a name')
  }
  if (align !== undefined && 'align' in instruction) instruction.align = align
  if (narrowed && (instruction.op === 'load' || instruction.op === 'store')) instruction.narrowed = true
  if (hasSourceType && (instruction.op === 'load' || instruction.op === 'store')) instruction.hasSourceType = true
  if (member && (instruction.op === 'load' || instruction.op === 'store')) instruction.member = member
  if (copied && instruction.op === 'call') instruction.copiedMembers = copied
  if (passesL1 && instruction.op === 'load') instruction.passesL1 = true
  if (staysLoop && instruction.op === 'condbr') instruction.staysLoop = true
  if (start && (instruction.op === 'condbr' || instruction.op === 'br')) instruction.loopStart = start
  instruction.location = instruction.op === 'store' ? storeLocation(instruction.pointer, location) : location
  context.add(instruction)
  return instruction
}

function storeLocation(pointer: Value, location: Location | undefined): Location | undefined {
  const address = pointer.kind === 'instruction' && pointer.op === 'gep' ? pointer.location : undefined
  return location && address && address.column > 0 && isSameLine(address, location) ? address : location
}

interface Attachments {
  readonly align: number | undefined
  readonly location: Location | undefined
  readonly narrowed: boolean
  readonly hasSourceType: boolean
  readonly member: SourceMember | undefined
  readonly copied: readonly CopiedMember[] | undefined
  readonly staysLoop: boolean
  readonly start: Location | undefined
  /** `__builtin_nontemporal_load`, which our headers have for `__ldcg` and its kind. */
  readonly passesL1: boolean
}

function accessedBytes(instruction: Instruction): number {
  if (instruction.op === 'load') return storeBytes(instruction.type)
  return instruction.op === 'store' ? storeBytes(instruction.value.type) : Number.POSITIVE_INFINITY
}

/** `, align 4, !dbg !12, !tbaa !5` */
function readAttachments(context: FunctionContext, bytes = 0): Attachments {
  const { lexer } = context
  let narrowed = false
  let hasSourceType = false
  let member: SourceMember | undefined
  let copied: readonly CopiedMember[] | undefined
  let staysLoop = false
  let start: Location | undefined
  let passesL1 = false
  let align: number | undefined
  let location: Location | undefined
  while (context.skipComma()) {
    if (lexer.skipWord('align')) align = lexer.takeNumber('an alignment')
    else if (lexer.is('addrspace')) context.types.readAddressSpace()
    else {
      const kind = lexer.take(TOKEN.metadata, 'metadata')
      const node = lexer.take(TOKEN.metadata, 'metadata')
      if (lexer.kind === TOKEN.open) lexer.skipParentheses()
      if (kind === 'dbg' && node !== '') location = context.module.locations.location(Number(node))
      else if (kind === 'nontemporal') passesL1 = true
      else if (kind.startsWith('tbaa')) {
        const { sourceTypes } = context.module
        narrowed ||= sourceTypes.isNarrowed(Number(node))
        hasSourceType ||= sourceTypes.isKnown(Number(node), bytes)
        member ??= sourceTypes.memberOf(Number(node))
        if (kind === 'tbaa.struct') copied = sourceTypes.membersOf(Number(node))
      } else if (kind === 'llvm.loop') {
        const { locations } = context.module
        const textOf = (id: number) => locations.text(id)
        staysLoop = isKeptLoop(Number(node), textOf)
        const first = loopStart(Number(node), textOf)
        start = first === undefined ? undefined : locations.location(first)
      }
    }
  }
  return { align, location, narrowed, hasSourceType, member, copied, staysLoop, start, passesL1 }
}
