/**
 * Accesses of one block of the kernel that are counted together: their addresses differ by constants, so that the scalar's low 7
 * bits of one tell those of all. Where these bits follow from the launch alone, nothing is counted per access: the block's
 * executions are.
 */
import { operandsOf } from '../../ir/graph.ts'
import type { Block, Instruction, Value } from '../../ir/ir.ts'
import { SPACE } from '../../ir/types.ts'
import { I32 } from '../../wasm/builder.ts'
import { type Access, accessOf, isBypass } from '../accesses/access.ts'
import type { KernelContext } from '../kernelContext.ts'
import { HISTOGRAM_BINS } from '../slot.ts'
import { is32Bits, narrowIndex } from '../values/shapes.ts'

export interface CountGroup {
  readonly members: readonly { readonly access: Access; readonly site: number; readonly plus: number }[]
  readonly block: Block
  /** What the low bits of the first member's scalar are the sum of, when it is the same for the whole launch. */
  readonly launchBits: LaunchBits | undefined
  /** Local: whether the addresses were not as expected; undefined where they cannot be otherwise. */
  irregular: number | undefined
}

/** constant + sum of value x scale, modulo 128, of the pointer's own value. */
export interface LaunchBits {
  readonly constant: number
  readonly terms: readonly { readonly value: Value; readonly scale: number }[]
}

/** The groups of a block's counted accesses whose lanes are fixed; a group has its first access as key too. */
export function groupAccesses(context: KernelContext, block: Block): Map<Instruction, CountGroup> {
  const groups = new Map<string, { members: CountGroup['members'][number][]; pointer: Value }>()
  const ids = new Map<Value, number>()
  for (const instruction of block.instructions) {
    const member = memberOf(context, instruction)
    if (!member) continue
    const { root, plus } = rootOf(member.access.pointer)
    const id = ids.get(root) ?? ids.size
    ids.set(root, id)
    const { width } = member.access
    const spaces = [...context.program.spacesOf(member.access.pointer)].sort().join()
    const rest = ((plus % width) + width) % width
    const key = `${id}/${width}/${rest}/${spaces}`
    const group = groups.get(key) ?? { members: [], pointer: member.access.pointer }
    groups.set(key, group)
    group.members.push({ ...member, plus })
  }
  const found = new Map<Instruction, CountGroup>()
  for (const { members, pointer } of groups.values()) {
    const first = members[0]!.plus
    const relative = members.map(member => ({ ...member, plus: (member.plus - first) | 0 }))
    const group = makeGroup(context, relative, block, launchBitsOf(context, pointer))
    for (const { access } of relative) found.set(access.instruction, group)
  }
  return found
}

/** A group of its own, for an access whose lanes turned out to be fixed. */
export function loneGroup(context: KernelContext, access: Access, block: Block): CountGroup | undefined {
  const site = siteOf(context, access.instruction)
  return site === undefined ? undefined : makeGroup(context, [{ access, site, plus: 0 }], block, undefined)
}

function makeGroup(
  { f, program }: KernelContext,
  members: CountGroup['members'],
  block: Block,
  launchBits: LaunchBits | undefined,
): CountGroup {
  const spaces = program.spacesOf(members[0]!.access.pointer)
  const isOpen = spaces.size > 1 || spaces.has('shared')
  return { members, block, launchBits, irregular: isOpen ? f.local(I32) : undefined }
}

/** Frees what the groups of a block that was emitted needed. */
export function releaseGroups({ f }: KernelContext, groups: ReadonlyMap<Instruction, CountGroup>): void {
  for (const group of new Set(groups.values())) if (group.irregular !== undefined) f.release(I32, group.irregular)
}

function siteOf({ program }: KernelContext, instruction: Instruction): number | undefined {
  const ids = program.siteIds.get(instruction)
  return ids?.global ?? ids?.shared ?? ids?.local ?? ids?.constant
}

function memberOf(context: KernelContext, instruction: Instruction): { access: Access; site: number } | undefined {
  switch (instruction.op) {
    case 'load':
    case 'store':
    case 'atomicrmw':
    case 'cmpxchg': {
      const site = siteOf(context, instruction)
      if (site === undefined || context.shapes.shapeOf(instruction.pointer).kind === 'varying') return undefined
      const access = accessOf(instruction)
      return isBypass(access) ? undefined : { access, site }
    }
    default:
      return undefined
  }
}

/** Through additions of constants to where an address comes from. */
function rootOf(pointer: Value): { root: Value; plus: number } {
  let root = pointer
  let plus = 0
  while (root.kind === 'instruction' && root.op === 'gep' && root.terms.length === 0) {
    plus = (plus + root.offset) | 0
    root = root.base
  }
  return { root, plus }
}

/** More parts than this are not worth adding up. */
const MOST_TERMS = 6

/** The low 7 bits of a uniform or linear value's scalar, if they are the same throughout the launch. */
function launchBitsOf(context: KernelContext, pointer: Value): LaunchBits | undefined {
  const { shapes, program } = context
  let constant = 0
  const terms: { value: Value; scale: number }[] = []
  const add = (value: Value, scale: number): boolean => {
    const known = shapes.constantOf(value)
    if (known !== undefined) {
      constant = (constant + Math.imul(known, scale)) | 0
      return true
    }
    if (value.kind === 'address' && value.target.kind === 'global' && value.target.space === SPACE.shared) {
      const at = program.shared.offsets.get(value.target)
      if (at === undefined) return false
      constant = (constant + Math.imul(at + value.offset, scale)) | 0
      return true
    }
    const shape = shapes.shapeOf(value)
    if (shape.kind === 'varying') return false
    if (shape.zeros < 32 && Math.imul(scale, 1 << shape.zeros) % HISTOGRAM_BINS === 0) return true
    if (shape.zeros >= 32) return true
    if (shape.kind === 'uniform' && shape.invariant) {
      terms.push({ value, scale })
      return terms.length <= MOST_TERMS
    }
    if (value.kind !== 'instruction' || !is32Bits(value.type)) return false
    switch (value.op) {
      case 'gep':
        constant = (constant + Math.imul(value.offset, scale)) | 0
        return (
          add(value.base, scale) &&
          value.terms.every(
            term =>
              is32Bits(narrowIndex(term.index).type) && add(narrowIndex(term.index), Math.imul(term.scale, scale)),
          )
        )
      case 'add':
        return add(value.left, scale) && add(value.right, scale)
      case 'sub':
        return add(value.left, scale) && add(value.right, -scale)
      case 'shl': {
        const by = shapes.constantOf(value.right)
        return by !== undefined && by >= 0 && by < 32 && add(value.left, Math.imul(scale, 1 << by))
      }
      case 'mul': {
        const factor = shapes.constantOf(value.right)
        return factor !== undefined && add(value.left, Math.imul(scale, factor))
      }
      case 'freeze':
      case 'ptrtoint':
      case 'inttoptr':
        return operandsOf(value).every(operand => is32Bits(operand.type) && add(operand, scale))
      default:
        return false
    }
  }
  return add(pointer, 1) ? { constant, terms } : undefined
}
