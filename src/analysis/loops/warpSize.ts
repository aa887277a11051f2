/**
 * `warpSize`, whose value nvcc's optimiser does not know: loops that step by it are written out as those of any step, loops that begin
 * with it (`for (offset = warpSize / 2; ...)`) are not written out at all, and quotients by it are divisions on the machine too, while ptxas
 * knows what is added to it and multiplied by it (PTX and machine code of 20 kernels, nvcc 13.0; reading: scripts/fidelity/cases/machine_warp_size.json).
 * include/warplens/builtin_variables.h declares it as a variable without a value.
 */
import { intConstant, intrinsicCall } from '../../ir/build.ts'
import { calledName, users } from '../../ir/graph.ts'
import type {
  BinaryInstruction,
  CastInstruction,
  Constant,
  Func,
  Instruction,
  LoadInstruction,
  Value,
} from '../../ir/ir.ts'
import { replaceValues } from '../rewriting/blocks.ts'

/** The variable's name in LLVM's code. */
export const WARP_SIZE_VARIABLE = '__warplens_warp_size'
/** The number of lanes that a warp has in every generation (CUDA C++ Programming Guide, Technical Specifications per Compute Capability). */
export const WARP_SIZE = 32

const REGISTER = 'llvm.nvvm.read.ptx.sreg.warpsize'

/** In: a kernel with calls inlined. Out: the same with a register in place of the variable. */
export function nameWarpSize(kernel: Func): void {
  const read = new Map<Value, Value>()
  for (const block of kernel.blocks)
    block.instructions = block.instructions.map(each => {
      if (!isRead(each)) return each
      const register = intrinsicCall({ block, location: each.location }, REGISTER, each.type, [])
      read.set(each, register)
      return register
    })
  replaceValues(kernel.blocks, read)
}

function isRead(instruction: Instruction): instruction is LoadInstruction {
  if (instruction.op !== 'load' || instruction.pointer.kind !== 'address') return false
  const { target, offset } = instruction.pointer
  return target.name === WARP_SIZE_VARIABLE && offset === 0
}

/** In: a kernel whose loops are as nvcc writes them. Out: the same with the register's value; quotients by it still cost the machine's divisions. */
export function knowWarpSize(kernel: Func): void {
  const reads = kernel.blocks.flatMap(({ instructions }) => instructions.filter(each => calledName(each) === REGISTER))
  if (reads.length === 0) return
  const usersOf = users(kernel)
  const known = new Map<Value, Constant>()
  const pending: Instruction[] = []
  for (const read of reads) {
    known.set(read, intConstant(read.type, WARP_SIZE))
    pending.push(...(usersOf.get(read) ?? []))
  }
  const constantOf = (value: Value): bigint | undefined => {
    const constant = known.get(value) ?? value
    return constant.kind === 'int' ? constant.value : undefined
  }
  for (let user = pending.pop(); user; user = pending.pop()) {
    if (known.has(user)) continue
    const value = isDivision(user) ? undefined : folded(user, constantOf)
    if (value === undefined) continue
    known.set(user, intConstant(user.type, value))
    pending.push(...(usersOf.get(user) ?? []))
  }
  for (const { instructions } of kernel.blocks)
    for (const each of instructions) if (isDivision(each) && known.has(each.right)) each.divides = each.op
  replaceValues(kernel.blocks, known)
  for (const block of kernel.blocks) {
    block.instructions = block.instructions.filter(each => !known.has(each))
    for (const each of block.instructions) {
      if (isDivision(each) && each.divides) useBits(each)
      else if (isCommutative(each) && each.left.kind === 'int') [each.left, each.right] = [each.right, each.left]
    }
  }
}

export type Division = BinaryInstruction & { op: 'udiv' | 'sdiv' | 'urem' | 'srem' }

export const isDivision = (instruction: Instruction): instruction is Division =>
  ['udiv', 'sdiv', 'urem', 'srem'].includes(instruction.op)

const isCommutative = (instruction: Instruction): instruction is BinaryInstruction =>
  ['add', 'mul', 'and', 'or', 'xor'].includes(instruction.op)

/** Quotients and remainders without a sign are bits of the dividend. */
function useBits(division: Division): void {
  const { op, right } = division
  if (right.kind !== 'int' || right.value === 0n || (right.value & (right.value - 1n)) !== 0n) return
  const bits = right.value.toString(2).length - 1
  if (op === 'udiv') Object.assign(division, { op: 'lshr', right: intConstant(right.type, bits) })
  if (op === 'urem') Object.assign(division, { op: 'and', right: intConstant(right.type, right.value - 1n) })
}

/** What an instruction makes of constants. */
function folded(instruction: Instruction, constantOf: (value: Value) => bigint | undefined): bigint | undefined {
  if (isCast(instruction)) {
    const value = constantOf(instruction.value)
    const { type } = instruction.value
    if (value === undefined || type.kind !== 'int' || instruction.type.kind !== 'int') return undefined
    return instruction.op === 'sext' ? BigInt.asIntN(type.bits, value) : value
  }
  if (!('left' in instruction) || instruction.type.kind !== 'int' || instruction.type.bits < 32) return undefined
  const [left, right] = [constantOf(instruction.left), constantOf(instruction.right)]
  if (left === undefined || right === undefined) return undefined
  const { bits } = instruction.type
  switch (instruction.op) {
    case 'add':
      return left + right
    case 'sub':
      return left - right
    case 'mul':
      return left * right
    case 'and':
      return left & right
    case 'or':
      return left | right
    case 'xor':
      return left ^ right
    case 'shl':
      return right < bits ? left << right : undefined
    case 'lshr':
      return right < bits ? left >> right : undefined
    case 'ashr':
      return right < bits ? BigInt.asIntN(bits, left) >> right : undefined
    default:
      return undefined
  }
}

const isCast = (instruction: Instruction): instruction is CastInstruction =>
  instruction.op === 'sext' || instruction.op === 'zext' || instruction.op === 'trunc'
