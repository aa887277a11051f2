/**
 * Which memory each pointer of a kernel can point to, from where it comes (ARCHITECTURE.md, decision 8). clang leaves almost
 * all pointers generic; like nvcc we take kernel arguments and pointers inside by-value structures as global, and follow the
 * rest to its variable. What comes out of memory or of integers can be anything: classified at run time.
 */
import { operandsOf } from '../../ir/graph.ts'
import type { Func, Instruction, Value } from '../../ir/ir.ts'
import type { Space } from '../../trace.ts'
import { isClusterPointer, reachesOtherBlocks } from './clusterPointers.ts'

/**
 * `parameter`: the kernel's argument buffer, read through the constant bank and not a memory access that is counted. `descriptor`: what
 * the texture unit knows of a texture (include/warplens/device_texture.h).
 */
export type PointerSpace = Space | 'parameter' | 'descriptor'

const IN_ANY_KERNEL: readonly PointerSpace[] = ['global', 'shared', 'local', 'constant']

const SPACE_OF: Readonly<Record<number, PointerSpace | undefined>> = {
  1: 'global',
  3: 'shared',
  4: 'constant',
  5: 'local',
  101: 'parameter',
  102: 'texture',
  103: 'descriptor',
}

/** Returns, for any pointer of the function, the spaces that it may point to; never empty. */
export function inferSpaces(kernel: Func): (pointer: Value) => ReadonlySet<PointerSpace> {
  const known = new Map<Value, Set<PointerSpace>>()
  const anywhere: readonly PointerSpace[] = reachesOtherBlocks(kernel) ? [...IN_ANY_KERNEL, 'cluster'] : IN_ANY_KERNEL
  const spacesOf = (value: Value): ReadonlySet<PointerSpace> => {
    // Before its type, which is clang's: that takes constants in global memory for __constant__ ones.
    if (value.kind === 'address')
      return new Set([value.target.kind === 'global' ? (SPACE_OF[value.target.space] ?? 'global') : 'global'])
    if (value.type.kind === 'pointer' && value.type.space !== 0) {
      const space = SPACE_OF[value.type.space]
      if (space) return new Set([space])
    }
    switch (value.kind) {
      case 'parameter':
        return new Set([value.byval ? 'parameter' : 'global'])
      case 'expression':
        return value.operands.length === 1 ? spacesOf(value.operands[0]!) : new Set(anywhere)
      case 'instruction':
        return known.get(value) ?? new Set()
      default:
        return new Set()
    }
  }
  for (let changed = true; changed; ) {
    changed = false
    for (const block of kernel.blocks) {
      for (const instruction of block.instructions) {
        if (!carriesPointer(instruction)) continue
        const before = known.get(instruction)
        const next = transfer(instruction, spacesOf, anywhere)
        if (before && next.size === before.size) continue
        known.set(instruction, next)
        changed = true
      }
    }
  }
  return pointer => {
    const found = spacesOf(pointer)
    return found.size > 0 ? found : new Set<PointerSpace>(['global'])
  }
}

function carriesPointer({ type, op }: Instruction): boolean {
  return type.kind === 'pointer' || op === 'ptrtoint' || (type.kind === 'int' && type.bits >= 32)
}

/** @param anywhere what a pointer of unknown origin may point to */
function transfer(
  instruction: Instruction,
  spacesOf: (value: Value) => ReadonlySet<PointerSpace>,
  anywhere: readonly PointerSpace[],
): Set<PointerSpace> {
  if (isClusterPointer(instruction)) return new Set<PointerSpace>(['shared', 'cluster'])
  switch (instruction.op) {
    case 'gep':
      return new Set(spacesOf(instruction.base))
    case 'phi':
    case 'select':
    case 'freeze':
    case 'bitcast':
    case 'addrspacecast':
    case 'ptrtoint':
    case 'inttoptr':
    case 'add':
    case 'sub':
    case 'and':
    case 'or':
    case 'zext':
    case 'trunc': {
      const operands = instruction.op === 'select' ? [instruction.ifTrue, instruction.ifFalse] : operandsOf(instruction)
      const all = new Set(operands.flatMap(operand => [...spacesOf(operand)]))
      if (all.size === 0 && instruction.op === 'inttoptr') return new Set(anywhere)
      return all
    }
    case 'alloca':
      return new Set<PointerSpace>(['local'])
    case 'load': {
      if (instruction.type.kind !== 'pointer') return new Set()
      const from = spacesOf(instruction.pointer)
      return new Set(from.size === 1 && (from.has('parameter') || from.has('constant')) ? ['global'] : anywhere)
    }
    case 'call':
      if (instruction.callee.kind === 'function' && instruction.callee.name === 'malloc')
        return new Set<PointerSpace>(['global'])
      return new Set(instruction.type.kind === 'pointer' ? anywhere : [])
    default:
      return new Set(instruction.type.kind === 'pointer' ? anywhere : [])
  }
}
