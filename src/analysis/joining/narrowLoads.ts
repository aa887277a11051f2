/**
 * Loads of which one part alone is needed load that part: `f[t] = w[t] & 255;` loads a byte, `i[t] = l[t];` the lower half of eight bytes
 * (LLVM's DAGCombiner, ReduceLoadWidth). In: a kernel with accesses merged and stores joined. Out: such loads narrower, with offsets.
 * Read off the machine code of 77 kernels (26 alike before, 75 with it):
 *
 * - The part is a conversion to a shorter integer, a mask of 8, 16 or 32 bits, what a shift to the right leaves, or both; nothing else
 *   uses the load, and it is in the same block. Parts of a vector that was loaded whole stay.
 * - What is stored as it is needs no shorter load (`b[t] = i[t]`), but of eight bytes it does: two for a byte, else what is stored.
 * - A mask that makes an index stays with its shift, a conversion that only our addresses of 32 bits need is none.
 * - Where a branch asks whether bits of a mask are set (`if (flags[t] & 8)`), the byte or the half that has them all is loaded, but for the
 *   lowest bit alone, and the highest one of 16 and more, which are conversions to shorter integers there (TargetLowering's SimplifySetCC;
 *   machine code of 66 forms, all alike, 20 before).
 * - Several uses that need one part, some of them by a mask, in whatever blocks (CodeGenPrepare's optimizeLoadExt), but where the part is
 *   stored in the block of the load.
 */
import { binary, cast, offsetPointer } from '../../ir/build.ts'
import { operandsOf, users } from '../../ir/graph.ts'
import type { Func, Instruction, LoadInstruction, Value } from '../../ir/ir.ts'
import { alignAt } from '../facts/address.ts'
import { isPlainAccess } from '../facts/memoryEffects.ts'
import { replaceUses } from '../rewriting/blocks.ts'

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
      else if (!part) loadTestedPart(func, load, usersOf)
    }
}

/** What a branch asks for, or what all uses need. */
function loadTestedPart(func: Func, load: LoadInstruction, usersOf: UsersOf): void {
  const tested = testedPart(load, usersOf) ?? demandedPart(load, usersOf)
  if (!tested || alignAt(load.align, tested.offset) * 8 < tested.bits) return
  const { block, location, type } = load
  const place = { block, location }
  const pointer = offsetPointer(place, load.pointer, tested.offset)
  const align = alignAt(load.align, tested.offset)
  const part: LoadInstruction = { ...load, type: { kind: 'int', bits: tested.bits }, pointer, align }
  const whole = cast(place, 'zext', type, part)
  const made: Instruction[] = [pointer, part, whole]
  let value: Instruction = whole
  if (tested.offset > 0) {
    value = binary(place, 'shl', whole, { kind: 'int', type, value: BigInt(8 * tested.offset) })
    made.push(value)
  }
  replaceUses(func.blocks, load, value)
  block.instructions.splice(block.instructions.indexOf(load), 1, ...made)
}

/** The shortest part that has all bits of a mask of which a branch asks whether any is set. */
function testedPart(load: LoadInstruction, usersOf: UsersOf): Pick<Part, 'bits' | 'offset'> | undefined {
  const whole = bitsOf(load)
  const [mask, ...others] = usersOf.get(load) ?? []
  if (others.length > 0 || mask?.op !== 'and' || mask.right.kind !== 'int' || mask.block !== load.block)
    return undefined
  const [test, ...more] = usersOf.get(mask) ?? []
  if (more.length > 0 || test?.op !== 'icmp' || test.block !== load.block || !isZero(test.right)) return undefined
  if ((test.predicate !== 'eq' && test.predicate !== 'ne') || !isAskedBy(test, usersOf)) return undefined
  const bits = BigInt.asUintN(whole, mask.right.value)
  if (bits === 1n) return whole === 64 ? { bits: 32, offset: 0 } : undefined
  const sign = [16, 32].find(each => bits === 1n << BigInt(each - 1))
  if (sign) return sign < whole ? { bits: sign, offset: 0 } : undefined
  for (let width = 8; width < whole; width *= 2)
    for (let low = 0; low < whole; low += width) {
      const own = ((1n << BigInt(width)) - 1n) << BigInt(low)
      if ((bits & ~own) === 0n) return { bits: width, offset: low / 8 }
    }
  return undefined
}

const isZero = (value: Value): boolean => value.kind === 'zero' || (value.kind === 'int' && value.value === 0n)

/** Whether a condition is a branch's, by itself or with others. */
function isAskedBy(condition: Instruction, usersOf: UsersOf): boolean {
  const [user, ...others] = usersOf.get(condition) ?? []
  if (!user || others.length > 0 || user.block !== condition.block) return false
  if (user.op === 'condbr') return true
  const isTogether = user.op === 'and' || user.op === 'or' || user.op === 'select' || user.op === 'xor'
  return isTogether && user.type.kind === 'int' && user.type.bits === 1 && isAskedBy(user, usersOf)
}

/**
 * The lower part that all uses need, of which one has it by a mask. Not of a load with one use in its own block, which is left to the rules
 * above, as there (reading: limits.json, `sharedHistogram`).
 */
function demandedPart(load: LoadInstruction, usersOf: UsersOf): Pick<Part, 'bits' | 'offset'> | undefined {
  const [first, ...more] = usersOf.get(load) ?? []
  if (more.length === 0 && first?.block === load.block && first.op !== 'phi') return undefined
  const whole = bitsOf(load)
  const lowest = (bits: number) => (1n << BigInt(bits)) - 1n
  const met = new Set<Instruction>()
  const pending: Instruction[] = [...(usersOf.get(load) ?? [])]
  let [demanded, widest] = [0n, 0n]
  for (let user = pending.pop(); user; user = pending.pop()) {
    if (met.has(user)) continue
    met.add(user)
    if (user.op === 'phi') pending.push(...(usersOf.get(user) ?? []))
    else if (user.op === 'and' && user.right.kind === 'int') {
      const bits = BigInt.asUintN(whole, user.right.value)
      demanded |= bits
      if (bits > widest) widest = bits
    } else if (user.op === 'shl' && user.right.kind === 'int') demanded |= lowest(whole - Number(user.right.value))
    else if (user.op === 'trunc' && user.type.kind === 'int' && !isUsedBeside(user, load, usersOf))
      demanded |= lowest(user.type.bits)
    else return undefined
  }
  const bits = [8, 16, 32].find(each => each < whole && demanded === lowest(each))
  return bits && widest === demanded ? { bits, offset: 0 } : undefined
}

const isUsedBeside = (part: Instruction, load: LoadInstruction, usersOf: UsersOf): boolean =>
  part.block === load.block && (usersOf.get(part) ?? []).some(({ block }) => block === load.block)

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
