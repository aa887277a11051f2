/**
 * Unoptimised code loads and stores structures as one value (what functions return, for example). The machine moves their
 * members: each access of a structure or array becomes one access a member, each choice between two of them one choice a
 * member. Runs before splitAccesses.
 */
import { load, offsetPointer, type Place, store } from '../../ir/build.ts'
import type { Func, Instruction, Type, Value } from '../../ir/ir.ts'
import { alignOf, fieldOffsets, sizeOf } from '../../ir/types.ts'
import { replaceUses } from '../rewriting/blocks.ts'

/** A scalar or vector inside of an aggregate. */
export interface Member {
  readonly type: Type
  readonly indices: readonly number[]
  readonly offset: number
}

export function splitAggregates(func: Func): void {
  for (const block of func.blocks) {
    const out: Instruction[] = []
    const replaced = new Map<Instruction, Value>()
    for (const access of block.instructions) {
      const place: Place = { block, location: access.location }
      if (access.op === 'load' && isAggregate(access.type)) {
        const { type, pointer, align } = access
        const loadMember = (member: Member): Instruction => {
          const at = offsetPointer(place, pointer, member.offset)
          const value = load(place, member.type, at, alignAt(align, member), access.volatile)
          out.push(at, value)
          return value
        }
        replaced.set(access, assemble(place, type, loadMember, out))
      } else if (access.op === 'select' && isAggregate(access.type)) {
        const { condition, ifTrue, ifFalse } = access
        const chooseMember = ({ type, indices }: Member): Instruction => {
          const [yes, no] = [extract(place, ifTrue, type, indices), extract(place, ifFalse, type, indices)]
          const value: Instruction = {
            ...{ kind: 'instruction', op: 'select', type, name: '', ...place },
            ...{ condition, ifTrue: yes, ifFalse: no },
          }
          out.push(yes, no, value)
          return value
        }
        replaced.set(access, assemble(place, access.type, chooseMember, out))
      } else if (access.op === 'store' && isAggregate(access.value.type)) {
        const aggregate = access.value
        for (const { type, indices, offset } of membersOf(aggregate.type)) {
          const value = extract(place, aggregate, type, indices)
          const at = offsetPointer(place, access.pointer, offset)
          const align = alignAt(access.align, { type, offset })
          out.push(value, at, store(place, value, at, align, access.volatile))
        }
      } else out.push(access)
    }
    block.instructions = out
    for (const [from, to] of replaced) replaceUses(func.blocks, from, to)
  }
}

/** The whole of the members' values; `out` gets the instructions. */
function assemble(place: Place, type: Type, valueFor: (member: Member) => Value, out: Instruction[]): Value {
  let aggregate: Value = { kind: 'undef', type }
  for (const member of membersOf(type)) {
    const value = valueFor(member)
    const { indices } = member
    aggregate = { kind: 'instruction', op: 'insertvalue', type, name: '', ...place, aggregate, value, indices }
    out.push(aggregate)
  }
  return aggregate
}

function extract(place: Place, aggregate: Value, type: Type, indices: readonly number[]): Instruction {
  return { kind: 'instruction', op: 'extractvalue', type, name: '', ...place, aggregate, indices }
}

function isAggregate({ kind }: Type): boolean {
  return kind === 'struct' || kind === 'array'
}

/** The scalars and vectors of an aggregate, in their order. */
export function membersOf(type: Type, indices: readonly number[] = [], offset = 0): Member[] {
  if (type.kind === 'struct') {
    const offsets = fieldOffsets(type)
    return type.fields.flatMap((field, index) => membersOf(field, [...indices, index], offset + offsets[index]!))
  }
  if (type.kind === 'array') {
    const { element } = type
    return Array.from({ length: type.length }, (_, index) =>
      membersOf(element, [...indices, index], offset + index * sizeOf(element)),
    ).flat()
  }
  return [{ type, indices, offset }]
}

/** What an access of the whole promises for a member; never more than the member's own alignment. */
function alignAt(align: number, { type, offset }: Pick<Member, 'type' | 'offset'>): number {
  let promised = Math.max(1, align)
  while (offset % promised !== 0) promised /= 2
  return Math.min(promised, alignOf(type))
}
