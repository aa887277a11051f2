/** Instructions on scalars: of the warp, and the scalar parts of linear values (shapes.ts). */
import { DEVICE_BASE } from '../../addressSpace.ts'
import { InternalError } from '../../diagnostic.ts'
import { operandsOf } from '../../ir/graph.ts'
import type { AllocaInstruction, BinaryInstruction, GepInstruction, Instruction, Value } from '../../ir/ir.ts'
import { SPACE } from '../../ir/types.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { KernelContext } from '../kernelContext.ts'
import { heldAs, operationOf } from '../operations/operations.ts'
import { emitScalar } from '../operations/scalarOperations.ts'
import { narrowIndex } from '../values/shapes.ts'
import type { Storage } from '../values/storage.ts'

export function emitScalarInstruction(context: KernelContext, instruction: Instruction): void {
  const { f, values, shapes, helpers } = context
  if (instruction.op === 'gep' && instruction.terms.length === 0 && shareBase(context, instruction)) return
  const storages = values.allocate(instruction)
  const [storage] = storages
  if (storage === undefined) return
  const operands = operandsOf(instruction)
  const isLinear =
    shapes.shapeOf(instruction).kind === 'linear' ||
    operands.some(value => values.storagesOf(value)[0]?.kind === 'linear')
  if (instruction.op === 'gep') pushGep(context, instruction)
  else if (instruction.op === 'addrspacecast') pushSpaceCast(context, instruction.value, instruction)
  else if (isLinear && isPartwise(instruction)) pushPartwise(context, instruction)
  else {
    const operation = operationOf(instruction)
    if (!operation) throw new InternalError(`${instruction.op} has no scalar form`)
    emitScalar(f, helpers, operation, operand => values.scalar(operation.operands[operand]!))
  }
  f.set((storage as Storage & { kind: 'scalar' }).local)
}

/** An address at a constant distance from another needs no local of its own. */
function shareBase(context: KernelContext, instruction: GepInstruction): boolean {
  const { values } = context
  const base = values.storageOf(instruction.base)
  if (base.kind !== 'scalar' && base.kind !== 'linear') return false
  values.alias(instruction, [{ ...base, plus: ((base.plus ?? 0) + instruction.offset) | 0 }])
  return true
}

/** Pushes the scalar part of an address. */
function pushGep(context: KernelContext, { base, offset, terms }: GepInstruction): void {
  const { f, values } = context
  values.scalar(base)
  if (offset !== 0) f.i32(offset | 0).op(Op.i32_add)
  for (const { index, scale } of terms) {
    pushIndex(context, index, value => values.scalar(value))
    if (scale !== 1) f.i32(scale | 0).op(Op.i32_mul)
    f.op(Op.i32_add)
  }
}

export function pushIndex(context: KernelContext, index: Value, push: (value: Value) => void): void {
  const { f } = context
  const narrow = narrowIndex(index)
  push(narrow)
  const held = heldAs(narrow.type)
  if (held?.kind === 'i64') f.op(Op.i32_wrap_i64)
  else if (held?.kind === 'i32' && held.bits < 32)
    f.i32(32 - held.bits)
      .op(Op.i32_shl)
      .i32(32 - held.bits)
      .op(Op.i32_shr_s)
}

/** Shared memory pointers are offsets in the window; as generic pointers they are device addresses. */
function pushSpaceCast(context: KernelContext, value: Value, to: Value): void {
  const { f, values, frame } = context
  values.scalar(value)
  const from = value.type.kind === 'pointer' ? value.type.space : 0
  const space = to.type.kind === 'pointer' ? to.type.space : 0
  if (from === space || (from !== SPACE.shared && space !== SPACE.shared)) return
  f.get(frame.shared)
    .i32(DEVICE_BASE | 0)
    .op(Op.i32_add)
    .op(from === SPACE.shared ? Op.i32_add : Op.i32_sub)
}

/** An operation on the scalar parts of linear operands; shapes.ts decided that the lanes follow. */
function pushPartwise(
  context: KernelContext,
  instruction: BinaryInstruction | (Instruction & { op: 'freeze' | 'ptrtoint' | 'inttoptr' | 'select' }),
): void {
  const { f, values } = context
  switch (instruction.op) {
    case 'freeze':
    case 'ptrtoint':
    case 'inttoptr':
      return values.scalar(instruction.value)
    case 'select':
      values.scalar(instruction.ifTrue)
      values.scalar(instruction.ifFalse)
      values.scalar(instruction.condition)
      f.op(Op.select)
      return
  }
  values.scalar(instruction.left)
  // The constant bits that or and xor change lie below the scalar's: they are in the lanes.
  if (instruction.op === 'or' || instruction.op === 'xor') return
  values.scalar(instruction.right)
  const opcodes = {
    add: Op.i32_add,
    sub: Op.i32_sub,
    mul: Op.i32_mul,
    shl: Op.i32_shl,
    lshr: Op.i32_shr_u,
    udiv: Op.i32_div_u,
    urem: Op.i32_rem_u,
    and: Op.i32_and,
  }
  const opcode = opcodes[instruction.op as keyof typeof opcodes]
  if (opcode === undefined) throw new InternalError(`${instruction.op} of a linear value`)
  f.op(opcode)
}

export function alloca(context: KernelContext, instruction: AllocaInstruction): void {
  const { f, values, program, frame, geometry } = context
  const [storage] = values.allocate(instruction)
  const isInterleaved = instruction.interleaved !== undefined
  const start = isInterleaved ? program.localBytes * 32 * geometry.warps : 0
  f.get(frame.localMemory)
    .get(frame.warp)
    .i32(isInterleaved ? program.fragmentBytes : program.localBytes * 32)
    .op(Op.i32_mul)
    .op(Op.i32_add)
  f.i32((DEVICE_BASE + start + program.allocaOffsets.get(instruction)!) | 0).op(Op.i32_add)
  f.set((storage as Storage & { kind: 'linear' }).local)
}

function isPartwise(instruction: Instruction): instruction is BinaryInstruction {
  return [
    'add',
    'sub',
    'mul',
    'shl',
    'lshr',
    'udiv',
    'urem',
    'and',
    'or',
    'xor',
    'freeze',
    'ptrtoint',
    'inttoptr',
    'select',
  ].includes(instruction.op)
}
