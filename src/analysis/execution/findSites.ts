/** Gives every memory instruction of a prepared kernel its sites: one for each space that its address may lie in. */
import { userError } from '../../diagnostic.ts'
import { bytesOfText, textOfBytes } from '../../ir/byteNames.ts'
import { users } from '../../ir/graph.ts'
import type { Func, Instruction, LoadInstruction, Location, Value } from '../../ir/ir.ts'
import { storeBytes } from '../../ir/types.ts'
import type { AccessForm, AccessOp, Site, Space } from '../../trace.ts'
import { decompose } from '../facts/address.ts'
import { blockAxes } from '../facts/blockPlaces.ts'
import { mappedFrom } from '../facts/clusterPointers.ts'
import { blocksOfOneThread } from '../facts/singleThread.ts'
import type { PointerSpace } from '../facts/spaces.ts'
import { isWarpUniform } from '../facts/warpUniform.ts'
import { isInterleaved } from '../lowering/interleaveFragments.ts'

/** Which site an instruction counts for, by the space that the address turns out to be in. A static space has one entry. */
export type SiteIds = { readonly [space in Space]?: number }

export interface Sites {
  readonly sites: readonly Site[]
  readonly siteIds: ReadonlyMap<Instruction, SiteIds>
}

/** `asMachine`: what is one instruction of the machine's own, and counted by nothing, has no sites. */
export function findSites(
  kernel: Func,
  spacesOf: (pointer: Value) => ReadonlySet<PointerSpace>,
  asMachine = true,
): Sites {
  const sites: Site[] = []
  const siteIds = new Map<Instruction, SiteIds>()
  const usersOf = users(kernel)
  const axes = blockAxes(kernel, usersOf)
  const ofOneThread = blocksOfOneThread(kernel)
  for (const block of kernel.blocks) {
    const mayAggregate = !ofOneThread.has(block)
    for (const instruction of block.instructions) {
      const access = accessOf(instruction)
      if (!access || isInterleaved(access.pointer)) continue
      const width = storeBytes(access.type)
      if (![1, 2, 4, 8, 16].includes(width))
        throw userError(
          'unsupported-access',
          `a memory access of ${width} bytes is not supported`,
          instruction.location,
        )
      const spaces = [...spacesOf(access.pointer)].filter(
        (space): space is Space => space !== 'parameter' && space !== 'descriptor',
      )
      const ids: { [space in Space]?: number } = {}
      for (const space of spaces) {
        if (asMachine && (space === 'shared' || space === 'cluster') && isMachineBarrier(instruction.location)) continue
        const unused = isUnused(instruction, usersOf)
        const isReduction = instruction.op === 'atomicrmw' && instruction.operation !== 'xchg' && unused
        const op: AccessOp = isReduction && space === 'global' ? 'red' : access.op
        ids[space] = sites.length
        const form = formOf(instruction, space, { unused, mayAggregate })
        sites.push({
          id: sites.length,
          space,
          op,
          width,
          location: instruction.location,
          array: arrayName(access.pointer),
          ...(form && { form }),
          ...(space === 'shared' &&
            (instruction.op === 'load' || instruction.op === 'store') &&
            instruction.matrixWords !== undefined && { matrixWords: instruction.matrixWords }),
          ...(space === 'global' && instruction.op === 'load' && instruction.passesL1 && { passesL1: true }),
          ...(space === 'global' && instruction.op === 'load' && nearStoreOf(instruction)),
          ...(space === 'global' && { blockAxes: axes.get(access.pointer) ?? 0 }),
        })
      }
      if (Object.keys(ids).length > 0) siteIds.set(instruction, ids)
    }
  }
  return { sites, siteIds }
}

function nearStoreOf({ besideStore, storeDistance }: LoadInstruction): Pick<Site, 'nearStore'> {
  if (!besideStore && storeDistance === undefined) return {}
  return {
    nearStore: { isBeside: besideStore === true, ...(storeDistance !== undefined && { distance: storeDistance }) },
  }
}

/** Nobody reads it; unoptimised code keeps results in local variables that nobody reads. */
function isUnused(instruction: Instruction, usersOf: ReadonlyMap<Value, readonly Instruction[]>): boolean {
  const usesOf = (value: Value): readonly Instruction[] => usersOf.get(value) ?? []
  const isWrittenOnly = (pointer: Value): boolean =>
    pointer.kind === 'instruction' &&
    pointer.op === 'alloca' &&
    usesOf(pointer).every(user => user.op === 'store' && user.value !== pointer)
  return usesOf(instruction).every(
    user => user.op === 'store' && user.pointer !== instruction && isWrittenOnly(user.pointer),
  )
}

/**
 * Part of a cuda::barrier, which is one instruction of its own on the machine (SYNCS), counted by none of our counters; what the
 * program's own function does at the end of a phase is not. Reading: scripts/fidelity/cases/asyncCopies, barrierOnly and barrierToken.
 */
function isMachineBarrier(location: Location | undefined): boolean {
  for (let frame = location; frame; frame = frame.inlinedAt) {
    if (frame.file.endsWith('/cuda/barrier')) return true
    if (!/\/warplens\/device_\w+\.h$/.test(frame.file)) return false
  }
  return false
}

function accessOf(
  instruction: Instruction,
): { op: 'load' | 'store' | 'atomic'; pointer: Value; type: Value['type'] } | undefined {
  switch (instruction.op) {
    case 'load':
      return { op: 'load', pointer: instruction.pointer, type: instruction.type }
    case 'store':
      return { op: 'store', pointer: instruction.pointer, type: instruction.value.type }
    case 'atomicrmw':
      return { op: 'atomic', pointer: instruction.pointer, type: instruction.value.type }
    case 'cmpxchg':
      return { op: 'atomic', pointer: instruction.pointer, type: instruction.expected.type }
    default:
      return undefined
  }
}

/** How the machine does it (trace.ts, AccessForm). Readings: scripts/fidelity/cases/machineCompiler, sharedAdd and others. */
function formOf(
  instruction: Instruction,
  space: Space,
  { unused, mayAggregate }: { readonly unused: boolean; readonly mayAggregate: boolean },
): AccessForm | undefined {
  if (instruction.op === 'load' && instruction.copiedTo && space === 'global') return 'copy'
  if (instruction.op === 'store' && instruction.copied && space === 'shared') return 'copy'
  const isOfWarp = mayAggregate && isAggregated(instruction, unused)
  if (space === 'global' && isOfWarp) return 'aggregated'
  if (space === 'global' && isFloatSum(instruction)) return 'floatSum'
  if (space === 'global' && instruction.op === 'cmpxchg') return 'compare'
  if (space !== 'shared') return undefined
  if (isLoopInShared(instruction)) return isOfWarp ? 'loopOfOne' : 'loop'
  if (instruction.op === 'cmpxchg') return 'compare'
  if (instruction.op !== 'atomicrmw') return undefined
  const { operation, value } = instruction
  return operation === 'add' && unused && value.kind === 'int' && value.value === 1n ? 'increment' : undefined
}

/** Whether an atomic in shared memory is a loop of compare-and-swaps on the machine. */
export function isLoopInShared(instruction: Instruction): boolean {
  if (instruction.op === 'cmpxchg') return storeBytes(instruction.expected.type) < 4
  if (instruction.op !== 'atomicrmw') return false
  const { type } = instruction.value
  if (instruction.operation === 'xchg') return storeBytes(type) < 4
  return type.kind !== 'int' || type.bits !== 32
}

const isFloatSum = (instruction: Instruction): boolean =>
  instruction.op === 'atomicrmw' && instruction.operation === 'fadd'

const SUMS: ReadonlySet<string> = new Set(['add', 'sub'])
const AGGREGATED: ReadonlySet<string> = new Set([...SUMS, 'and', 'or', 'xor', 'min', 'max', 'umin', 'umax'])

/**
 * nvcc reduces over the warp what all lanes do to one address, where it sees that it is one: whole numbers of 32 bits, when the
 * result is used sums only; of 64 bits only sums of a value that all lanes have (nvdisasm of 30 kernels of ptxas 13.0, 9.0).
 */
function isAggregated(instruction: Instruction, unused: boolean): boolean {
  if (instruction.op !== 'atomicrmw' || !isWarpUniform(instruction.pointer)) return false
  const { operation, value } = instruction
  if (value.type.kind !== 'int') return false
  if (value.type.bits === 64) return SUMS.has(operation) && isWarpUniform(value)
  return value.type.bits === 32 && (unused ? AGGREGATED : SUMS).has(operation)
}

/** The array's name in the source: a variable's, a parameter's, a structure member's where LLVM kept it. */
function arrayName(pointer: Value): string | undefined {
  const { root } = decompose(pointer)
  switch (root.kind) {
    case 'address':
      return sourceName(root.target.name)
    case 'parameter':
      return root.name || undefined
    case 'instruction': {
      const own = mappedFrom(root)
      if (own) return arrayName(own)
      return root.op === 'alloca' || root.op === 'load' || root.op === 'phi' ? plainName(root.name) : undefined
    }
    default:
      return undefined
  }
}

/** `_ZZ10kernelNamePiE4tile` (a variable inside a function) and `_ZN2ns1xE` end in a length and a name. */
function sourceName(text: string): string {
  if (!text.startsWith('_Z')) return text
  const mangled = bytesOfText(text)
  for (const match of mangled.matchAll(/\d+/g)) {
    for (let start = match.index; start < match.index + match[0].length; start++) {
      const length = Number(mangled.slice(start, match.index + match[0].length))
      const from = match.index + match[0].length
      const name = mangled.slice(from, from + length)
      if (
        name.length === length &&
        /^[A-Za-z_\x80-\xff][\w\x80-\xff]*$/.test(name) &&
        /^(E?|_\d+|E?_\d+)$/.test(mangled.slice(from + length))
      )
        return textOfBytes(name)
    }
  }
  return text
}

/** LLVM's suffixes (`.addr`, `.coerce`, `.sroa.0`) taken off; temporary names are no names. */
function plainName(name: string): string | undefined {
  const plain = name.replace(/\.(addr|coerce|sroa|copyload|lcssa|exit|i|pn|in|[0-9]+).*$/, '').replace(/\d+$/, '')
  return plain && !/^(arrayidx|incdec|add|call|cond|retval|ref|agg|spec|select|phi|this|p)$/.test(plain)
    ? plain
    : undefined
}
