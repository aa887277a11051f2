/**
 * Inline assembly becomes the IR's own instructions: loads and stores are counted like any other, shuffles and barriers are
 * those of CUDA's functions, and everything runs as generated code. In: a kernel with its calls inlined. A piece with
 * labels, branches or instructions of unknown form stays as it is and is refused later by its text.
 *
 * LLVM gives a piece as a call of `asm:<text>|<constraints>`: outputs (`=r`) are operands 0 …, inputs follow; an input that
 * names an output's number (from CUDA's `+r`) starts out in that operand.
 */
import { intConstant } from '../../../ir/build.ts'
import { successors, terminatorOf, users } from '../../../ir/graph.ts'
import type { Block, CallInstruction, Func, Instruction, Type, Value } from '../../../ir/ir.ts'
import { I1 } from '../../../ir/types.ts'
import { finalOf, phisOf, replaceValues } from '../../rewriting/blocks.ts'
import { CarryFlag } from './carryFlag.ts'
import { lowerComputation } from './compute.ts'
import { Emitter, NotLowered } from './emitter.ts'
import { lowerMatrix } from './matrices.ts'
import { MatrixScratch } from './matrixProducts.ts'
import { lowerMemory } from './memory.ts'
import { type PtxStatement, parsePtx } from './text.ts'
import { lowerWarpOperation } from './warp.ts'
import { lowerWmma } from './wmma.ts'

export function lowerAssembly(kernel: Func): void {
  if (!kernel.blocks.some(({ instructions }) => instructions.some(isAssembly))) return
  const usersOf = users(kernel)
  const outputs = new Map<Value, readonly Value[]>()
  const replaced = new Map<Value, Value>()
  const scratch = new MatrixScratch(kernel.blocks[0]!)
  const flag = new CarryFlag()
  for (const block of [...kernel.blocks]) {
    if (!block.instructions.some(isAssembly)) continue
    const blocks = lowerBlock(block, replaced, scratch, flag, (call, values) => {
      outputs.set(call, values)
      return (usersOf.get(call) ?? []).some(user => user.op !== 'extractvalue')
    })
    kernel.blocks.splice(kernel.blocks.indexOf(block) + 1, 0, ...blocks.slice(1))
  }
  scratch.finish()
  flag.finish(kernel, replaced)
  for (const block of kernel.blocks)
    block.instructions = block.instructions.filter(instruction => {
      if (instruction.op !== 'extractvalue') return true
      const value = outputs.get(instruction.aggregate)?.[instruction.indices[0]!]
      if (value) replaced.set(instruction, value)
      return value === undefined
    })
  replaceValues(kernel.blocks, replaced)
  removeUnused(kernel)
}

/** What only a register held that nothing reads: an atomic whose old value is not used is a reduction. */
function removeUnused(kernel: Func): void {
  for (let changed = true; changed; ) {
    const usersOf = users(kernel)
    changed = false
    for (const block of kernel.blocks) {
      const kept = block.instructions.filter(instruction => usersOf.has(instruction) || !PURE.has(instruction.op))
      changed ||= kept.length < block.instructions.length
      block.instructions = kept
    }
  }
}

const PURE: ReadonlySet<Instruction['op']> = new Set([
  ...([
    'trunc',
    'zext',
    'sext',
    'bitcast',
    'ptrtoint',
    'inttoptr',
    'addrspacecast',
    'extractvalue',
    'insertvalue',
  ] as const),
  ...([
    'extractelement',
    'insertelement',
    'select',
    'icmp',
    'fcmp',
    'add',
    'sub',
    'and',
    'or',
    'xor',
    'shl',
    'lshr',
    'ashr',
  ] as const),
])

function isAssembly(instruction: Instruction): instruction is CallInstruction {
  return (
    instruction.op === 'call' && instruction.callee.kind === 'function' && instruction.callee.name.startsWith('asm:')
  )
}

/** The block with all its pieces lowered, and the blocks that it was cut into, in order. */
function lowerBlock(
  block: Block,
  replaced: Map<Value, Value>,
  scratch: MatrixScratch,
  flag: CarryFlag,
  keepsAggregate: (call: CallInstruction, outputs: readonly Value[]) => boolean,
): Block[] {
  const blocks = [block]
  const before = block.instructions
  block.instructions = []
  flag.enter(block)
  for (const instruction of before) {
    const current = blocks.at(-1)!
    const piece = isAssembly(instruction) ? lowerPiece(instruction, current, replaced, scratch, flag) : undefined
    if (!piece) {
      instruction.block = current
      current.instructions.push(instruction)
      continue
    }
    const call = instruction as CallInstruction
    current.instructions.push(...piece.first)
    blocks.push(...piece.blocks)
    const { emitter, outputs } = piece
    if (call.type.kind !== 'struct') {
      if (outputs[0]) replaced.set(call, outputs[0])
    } else if (keepsAggregate(call, outputs)) {
      if (piece.blocks.length === 0) emitter.continueIn(current)
      replaced.set(call, aggregateOf(emitter, call.type, outputs))
    }
  }
  const end = blocks.at(-1)!
  flag.leave(end)
  if (end !== block)
    for (const next of successors(terminatorOf(end)))
      for (const phi of phisOf(next))
        for (const incoming of phi.incoming) if (incoming.block === block) incoming.block = end
  return blocks
}

function aggregateOf(emitter: Emitter, type: Type, outputs: readonly Value[]): Value {
  let aggregate: Value = { kind: 'undef', type }
  outputs.forEach((value, index) => {
    const { place } = emitter
    aggregate = emitter.add({
      kind: 'instruction',
      op: 'insertvalue',
      type,
      name: '',
      ...place,
      aggregate,
      value,
      indices: [index],
    })
  })
  return aggregate
}

interface Piece {
  /** For the end of the block that the piece stands in. */
  readonly first: Instruction[]
  /** Blocks behind it; the last one is open. */
  readonly blocks: Block[]
  readonly outputs: Value[]
  readonly emitter: Emitter
}

function lowerPiece(
  call: CallInstruction,
  block: Block,
  replaced: ReadonlyMap<Value, Value>,
  scratch: MatrixScratch,
  flag: CarryFlag,
): Piece | undefined {
  const callee = call.callee as Func
  const { name } = callee
  const cut = name.lastIndexOf('|')
  const parsed = parsePtx(name.slice('asm:'.length, cut))
  if ('refused' in parsed) {
    callee.refused = parsed.refused
    return undefined
  }
  const operands = operandNumbers(name.slice(cut + 1))
  if (!operands) return undefined
  const first: Instruction[] = []
  const blocks: Block[] = []
  const emitter = new Emitter({ block, location: call.location }, first, word => scratch.variable(word), flag)
  operands.inputs.forEach((operand, index) => {
    const value = finalOf(call.args[index]!, replaced)
    emitter.set(`$${operand}`, value)
    // Beside its copy in the output, a tied input is also an operand of its own number.
    if (operand < operands.outputs) emitter.set(`$${operands.outputs + index}`, value)
  })
  try {
    for (const statement of parsed.statements) {
      callee.refused = statement.line
      lowerStatement(emitter, statement, blocks)
    }
    delete callee.refused
    const types = call.type.kind === 'struct' ? call.type.fields : call.type.kind === 'void' ? [] : [call.type]
    const outputs = types.map((type, index) => emitter.read({ kind: 'register', name: `$${index}` }, type))
    return { first, blocks, outputs, emitter }
  } catch (error) {
    if (error instanceof NotLowered) return undefined
    throw error
  }
}

/** How many outputs there are, and the operand number of each input; nothing where an operand is memory (`*m`). */
function operandNumbers(constraints: string): { outputs: number; inputs: number[] } | undefined {
  const parts = constraints.split(',').filter(part => part !== '' && !part.startsWith('~'))
  if (parts.some(part => part.includes('*'))) return undefined
  const outputs = parts.filter(part => part.startsWith('=')).length
  const inputs = parts.slice(outputs).map((part, index) => (/^\d+$/.test(part) ? Number(part) : outputs + index))
  return { outputs, inputs }
}

function lowerStatement(emitter: Emitter, statement: PtxStatement, blocks: Block[]): void {
  emitter.guarded = (condition, lower) => lowerGuarded(emitter, condition, lower, blocks)
  const lower = (): void => {
    if (lowerMemory(emitter, statement) || lowerMatrix(emitter, statement) || lowerWmma(emitter, statement)) return
    if (lowerWarpOperation(emitter, statement)) return
    lowerComputation(emitter, statement)
  }
  const { guard } = statement
  if (!guard) return lower()
  const held = emitter.read({ kind: 'register', name: guard.register }, I1)
  const condition = guard.negated ? emitter.binary('xor', held, intConstant(I1, 1)) : held
  if (hasEffect(statement)) lowerGuarded(emitter, condition, lower, blocks)
  else {
    const before = emitter.snapshot()
    const carry = statement.opcode.includes('cc') ? emitter.carry : undefined
    lower()
    for (const [name, value] of emitter.snapshot()) {
      const old = before.get(name)
      if (old && old !== value) emitter.set(name, emitter.select(condition, value, emitter.convert(old, value.type)))
    }
    if (carry) emitter.carry = emitter.select(condition, emitter.carry, carry)
  }
}

function hasEffect({ opcode }: PtxStatement): boolean {
  return !/^(mov|cvt|setp|selp|add|addc|sub|subc|mul|mad|madc|fma|min|max|abs|neg|not|and|or|xor|shl|shr)$/.test(
    opcode[0] ?? '',
  )
}

/** `@p` before a load, store, shuffle …: a branch around it, and a phi for each register that it writes. */
function lowerGuarded(emitter: Emitter, condition: Value, lower: () => void, blocks: Block[]): void {
  const head = emitter.place.block
  const headOut = emitter.out
  const body: Block = { name: `${head.name}.guarded`, instructions: [] }
  const next: Block = { name: `${head.name}.guard`, instructions: [] }
  const before = emitter.snapshot()
  emitter.continueIn(body)
  lower()
  emitter.branch(next)
  const changed = [...emitter.snapshot()].filter(([name, value]) => before.get(name) !== value)
  emitter.resume(head, headOut)
  const phis = changed.map(([name, value]) => {
    const old = before.get(name)
    return { name, value, old: old ? emitter.convert(old, value.type) : ({ kind: 'undef', type: value.type } as const) }
  })
  emitter.branchIf(condition, body, next)
  emitter.continueIn(next)
  for (const { name, value, old } of phis) {
    const incoming = [
      { value: old, block: head },
      { value, block: body },
    ]
    emitter.set(
      name,
      emitter.add({ kind: 'instruction', op: 'phi', type: value.type, name: '', ...emitter.place, incoming }),
    )
  }
  blocks.push(body, next)
}
