/**
 * Loads of which one part alone is needed load that part: `f[t] = w[t] & 255;` loads a byte, `i[t] = l[t];` the lower half of eight bytes
 * (LLVM's DAGCombiner, ReduceLoadWidth). In: a kernel with accesses merged and stores joined. Out: such loads narrower, with offsets.
 * Read off the machine code of 77 kernels (26 alike before, 75 with it):
 *
 * - The part is a conversion to a shorter integer, a mask of 8, 16 or 32 bits, what a shift to the right leaves, or both; nothing else
 *   uses the load, and it is in the same block. Parts of a vector that was loaded whole stay.
 * - What is stored as it is needs no shorter load (`b[t] = i[t]`), but of eight bytes it does: two for a byte, else what is stored.
 * - A mask that makes an index stays with its shift, a conversion that only our addresses of 32 bits need is none.
 */
import { operandsOf, users } from '../ir/graph.ts'
import type { Func, Instruction, LoadInstruction, Value } from '../ir/ir.ts'
import { alignAt } from './address.ts'
import { replaceUses } from './blocks.ts'
import { cast, offsetPointer } from './build.ts'
import { isPlainAccess } from './memoryEffects.ts'

interface Part {
  /** What is the part, of its own type. */
  readonly result: Instruction
  readonly bits: number
  /** In bytes. */
  readonly offset: number
  readonly isSigned?: true
}

type UsersOf = ReturnType<typeof users>

export function narrowLoads(func: Func): void {
  const usersOf = users(func)
  for (const block of func.blocks)
    for (const load of block.instructions.filter(isWide)) {
      const part = partOf(load, usersOf)
      if (part && alignAt(load.align, part.offset) * 8 >= part.bits) narrow(func, load, part)
    }
}

function isWide(instruction: Instruction): instruction is LoadInstruction {
  if (instruction.op !== 'load' || !isPlainAccess(instruction)) return false
  return bitsOf(instruction) > 8 && !instruction.copiedTo && !instruction.matrixWords
}

/** Of an integer of 8, 16, 32 or 64 bits, else 0. */
const bitsOf = ({ type }: Value): number => (type.kind === 'int' && isRound(type.bits) ? type.bits : 0)
const isRound = (bits: number): boolean => bits === 8 || bits === 16 || bits === 32 || bits === 64

function partOf(load: LoadInstruction, usersOf: UsersOf): Part | undefined {
  const onlyUser = (value: Instruction): Instruction | undefined => {
    const [user, ...others] = usersOf.get(value) ?? []
    return others.length === 0 && user?.block === load.block && user.op !== 'phi' ? user : undefined
  }
  let value: Instruction = load
  let user = onlyUser(load)
  const isExtended = user?.op === 'zext'
  if (user && isExtended) {
    value = user
    user = onlyUser(user)
  }
  if (!user) return undefined
  const whole = bitsOf(load)
  const shift = shiftOf(user, value)
  if (shift === undefined) return lowPart(user, value, whole, 0, usersOf)
  if (user.op === 'shl') {
    const back = onlyUser(user)
    const isBack = back?.op === 'ashr' && shiftOf(back, user) === shift
    return isBack && isRound(whole - shift) && !isExtended
      ? { result: back, bits: whole - shift, offset: 0, isSigned: true }
      : undefined
  }
  if (shift % 8 !== 0 || shift >= whole) return undefined
  const next = onlyUser(user)
  const low = next && lowPart(next, user, whole - shift, shift / 8, usersOf)
  if (low) return low
  return user.op === 'lshr' && isRound(whole - shift)
    ? { result: user, bits: whole - shift, offset: shift / 8 }
    : undefined
}

function shiftOf(user: Instruction, value: Instruction): number | undefined {
  if (user.op !== 'lshr' && user.op !== 'ashr' && user.op !== 'shl') return undefined
  return user.left === value && user.right.kind === 'int' ? Number(user.right.value) : undefined
}

/** What a conversion or a mask leaves of a value's lower bits. */
function lowPart(
  user: Instruction,
  value: Instruction,
  available: number,
  offset: number,
  usersOf: UsersOf,
): Part | undefined {
  if (user.op === 'and') {
    if (user.left !== value || user.right.kind !== 'int') return undefined
    const bits = [8, 16, 32].find(each => (user.right as { value?: bigint }).value === 2n ** BigInt(each) - 1n)
    if (!bits || bits >= available + (offset > 0 ? 1 : 0) || isInAddress(user, usersOf)) return undefined
    return { result: user, bits, offset }
  }
  const bits = bitsOf(user)
  if (user.op !== 'trunc' || bits === 0 || bits > available) return undefined
  if ((usersOf.get(user) ?? []).every(each => each.op === 'store')) {
    if (bitsOf(value) === 64) return { result: user, bits: Math.max(bits, 16), offset }
    return bits > 8 && offset > 0 ? { result: user, bits, offset } : undefined
  }
  // Of the source, not of an address here.
  return /^conv/.test(user.name) || !isInAddress(user, usersOf) ? { result: user, bits, offset } : undefined
}

function isInAddress(value: Instruction, usersOf: UsersOf, depth = 4): boolean {
  const isPart = (user: Instruction) =>
    user.op === 'gep' ||
    (depth > 0 && /^(add|sub|mul|shl|or|[sz]ext|trunc)$/.test(user.op) && isInAddress(user, usersOf, depth - 1))
  return (usersOf.get(value) ?? []).some(isPart)
}

function narrow(func: Func, load: LoadInstruction, { result, bits, offset, isSigned }: Part): void {
  const { block, location } = load
  const place = { block, location }
  const made: Instruction[] = []
  const push = <T extends Instruction>(instruction: T): T => {
    made.push(instruction)
    return instruction
  }
  const pointer = offset > 0 ? push(offsetPointer(place, load.pointer, offset)) : load.pointer
  const type = { kind: 'int', bits } as const
  const part = push({ ...load, type, pointer, align: alignAt(load.align, offset) } as LoadInstruction)
  const width = bitsOf(result)
  const op = width < bits ? 'trunc' : isSigned ? 'sext' : 'zext'
  const value = width === bits ? part : push(cast(place, op, result.type, part))
  replaceUses(func.blocks, result, value)
  block.instructions.splice(block.instructions.indexOf(load), 0, ...made)
  for (let each: Value = result; each.kind === 'instruction'; ) {
    block.instructions.splice(block.instructions.indexOf(each), 1)
    if (each === load) break
    each = operandsOf(each)[0]!
  }
}
