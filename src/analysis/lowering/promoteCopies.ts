/**
 * Local variables that structures are copied into and out of become values, as nvcc has them: it copies a structure member by
 * member, which scalar replacement takes apart; clang's memcpy keeps the variable in memory where the copies stand in different
 * blocks (machine code: a `float4` fetched into an array of registers under a condition, stored to shared memory under
 * another one; reading: opt-sgemm_v1). In: a kernel with memcpy. Out: variables of which nothing is known but such copies and
 * loads and stores of whole members at constant places are gone.
 */
import { cast, load, offsetPointer, type Place, store } from '../../ir/build.ts'
import { predecessors, users } from '../../ir/graph.ts'
import type { AllocaInstruction, Block, Func, Instruction, Type, Value } from '../../ir/ir.ts'
import { sameType, storeBytes } from '../../ir/types.ts'
import { alignAt, decompose } from '../facts/address.ts'
import { isCopy, isPlainAccess } from '../facts/memoryEffects.ts'
import { replaceValues } from '../rewriting/blocks.ts'
import { Reader } from '../rewriting/repairVariables.ts'

/** Larger ones would be more registers than a thread has. */
const MOST_BYTES = 1024
const WORD = 4

/** One member: what is loaded and stored at an offset, always whole. */
interface Member {
  readonly offset: number
  readonly bytes: number
  readonly type: Type
}

/** Returns the loads that it made of structures that are aligned as their members, no more. */
export function promoteCopies(kernel: Func): ReadonlySet<Instruction> {
  const loads = new Set<Instruction>()
  const variables = kernel.blocks.flatMap(({ instructions }) => instructions.filter(each => each.op === 'alloca'))
  let usersOf = users(kernel)
  for (const variable of variables) {
    const members = membersOf(variable, usersOf)
    if (!members) continue
    promote(kernel, variable, members, loads)
    usersOf = users(kernel)
  }
  return loads
}

/** The members by offset; undefined where the variable has to stay. */
function membersOf(
  variable: AllocaInstruction,
  usersOf: ReadonlyMap<Value, Instruction[]>,
): readonly Member[] | undefined {
  const { bytes: size } = variable
  if (size > MOST_BYTES || variable.interleaved !== undefined) return undefined
  const members = new Map<number, Member>()
  const copies: { readonly from: number; readonly to: number }[] = []
  const add = (offset: number, type: Type): boolean => {
    const bytes = storeBytes(type)
    const known = members.get(offset)
    if (!known) members.set(offset, { offset, bytes, type })
    return isScalar(type) && (!known || known.bytes === bytes)
  }
  const isFine = (pointer: Value, offset: number): boolean =>
    (usersOf.get(pointer) ?? []).every(user => {
      if (user.op === 'gep') return user.terms.length === 0 && isFine(user, offset + user.offset)
      if (user.op === 'bitcast' || user.op === 'addrspacecast') return isFine(user, offset)
      if (isPlainAccess(user))
        return user.op === 'load' ? add(offset, user.type) : user.value !== pointer && add(offset, user.value.type)
      if (!isCopy(user)) return false
      const [to, from, length, volatile] = user.args as [Value, Value, Value, Value]
      const isPlain = length.kind === 'int' && !(volatile.kind === 'int' && volatile.value !== 0n)
      if (!isPlain || rootOf(to) === rootOf(from)) return false
      copies.push({ from: offset, to: offset + Number(length.value) })
      return true
    })
  if (!isFine(variable, 0) || copies.length === 0) return undefined
  for (const { from, to } of copies) if (!fill(members, from, Math.min(to, size))) return undefined
  const sorted = [...members.values()].sort((a, b) => a.offset - b.offset)
  const isApart = sorted.every((member, i) => i === 0 || sorted[i - 1]!.offset + sorted[i - 1]!.bytes <= member.offset)
  const isWhole = (member: Member): boolean =>
    copies.every(({ from, to }) => {
      const end = member.offset + member.bytes
      return end <= from || member.offset >= to || (member.offset >= from && end <= to)
    })
  return isApart && sorted.every(isWhole) ? sorted : undefined
}

const rootOf = (pointer: Value): Value => decompose(pointer).root

function isScalar(type: Type): boolean {
  return (type.kind === 'int' && type.bits % 8 === 0) || type.kind === 'float' || type.kind === 'pointer'
}

/** Words where only copies go; false where a gap is no word. */
function fill(members: Map<number, Member>, from: number, to: number): boolean {
  for (let at = from; at < to; at += members.get(at)!.bytes) {
    if (members.has(at)) continue
    if (at % WORD !== 0 || at + WORD > to) return false
    members.set(at, { offset: at, bytes: WORD, type: { kind: 'int', bits: 8 * WORD } })
  }
  return true
}

function promote(kernel: Func, variable: AllocaInstruction, members: readonly Member[], loads: Set<Instruction>): void {
  const added = new Set<Instruction>()
  const before = predecessors(kernel)
  const states = members.map(member => {
    const definitions = new Map<Block, Value>()
    return { ...member, definitions, reader: new Reader({ type: member.type, definitions }, before, added) }
  })
  type State = (typeof states)[number]
  const inside = (offset: number, bytes: number): State[] =>
    states.filter(state => state.offset >= offset && state.offset < offset + bytes)
  const placeOf = (pointer: Value): number | undefined => {
    const { root, offset } = decompose(pointer)
    return root === variable ? offset : undefined
  }
  /** What is read before anything is written in a block, to be known when all blocks have been seen. */
  const early: { readonly standIn: Value; readonly state: State; readonly block: Block }[] = []
  const replaced = new Map<Value, Value>()
  for (const block of kernel.blocks) {
    const out: Instruction[] = []
    const read = (state: State): Value => {
      const known = state.definitions.get(block)
      if (known) return known
      const standIn: Value = { kind: 'undef', type: state.type }
      early.push({ standIn, state, block })
      return standIn
    }
    const write = (state: State, place: Place, value: Value): void => {
      state.definitions.set(block, convert(place, value, state.type, out))
    }
    for (const instruction of block.instructions) {
      const place: Place = { block, location: instruction.location }
      if (instruction.op === 'load' || instruction.op === 'store') {
        const at = placeOf(instruction.pointer)
        if (at === undefined) out.push(instruction)
        else {
          const [state] = inside(at, 1) as [State]
          if (instruction.op === 'store') write(state, place, instruction.value)
          else replaced.set(instruction, convert(place, read(state), instruction.type, out))
        }
      } else if (isCopy(instruction)) {
        const [to, from, length] = instruction.args as [Value, Value, Value]
        const bytes = length.kind === 'int' ? Number(length.value) : 0
        const aligns = instruction.argumentAligns ?? []
        const target = placeOf(to)
        const source = placeOf(from)
        if (target !== undefined)
          for (const state of inside(target, bytes)) {
            const at = state.offset - target
            const pointer = offsetPointer(place, from, at)
            const value = load(place, state.type, pointer, alignAt(aligns[1], at))
            out.push(pointer, value)
            if ((aligns[1] ?? 1) <= state.bytes) loads.add(value)
            write(state, place, value)
          }
        else if (source !== undefined)
          for (const state of inside(source, bytes)) {
            const at = state.offset - source
            const pointer = offsetPointer(place, to, at)
            out.push(pointer, store(place, read(state), pointer, alignAt(aligns[0], at)))
          }
        else out.push(instruction)
      } else out.push(instruction)
    }
    block.instructions = out
  }
  for (const { standIn, state, block } of early) replaced.set(standIn, state.reader.atStart(block))
  for (const block of kernel.blocks)
    block.instructions = block.instructions.filter(each => each !== variable && !isPlaceOf(each, variable))
  replaceValues(kernel.blocks, replaced)
}

const isPlaceOf = (instruction: Instruction, variable: Value): boolean =>
  (instruction.op === 'gep' || instruction.op === 'bitcast' || instruction.op === 'addrspacecast') &&
  rootOf(instruction) === variable

/** The bits of a value as another type of the same size. */
function convert(place: Place, value: Value, type: Type, out: Instruction[]): Value {
  const from = value.type
  if (sameType(from, type)) return value
  const bits: Type = { kind: 'int', bits: 8 * storeBytes(type) }
  const push = (op: 'bitcast' | 'ptrtoint' | 'inttoptr', to: Type, operand: Value): Value => {
    const made = cast(place, op, to, operand)
    out.push(made)
    return made
  }
  const plain = from.kind === 'int' ? value : push(from.kind === 'pointer' ? 'ptrtoint' : 'bitcast', bits, value)
  return type.kind === 'int' ? plain : push(type.kind === 'pointer' ? 'inttoptr' : 'bitcast', type, plain)
}
