/**
 * Stores that the same block overwrites before anything can read them go, as they do on the machine: LLVM here cannot tell that a
 * pointer of the kernel's arguments is no shared memory, and looks no further than some 90 accesses; nvcc knows the memories apart
 * (reading: opt-reduce_v6_multi_add, a sum in shared memory over 128 elements; machine code of 7 sums). In: a kernel whose loads
 * of what was stored before are values already. Out: the same without such stores.
 */
import type { Block, Func, Instruction, Value } from '../ir/ir.ts'
import { storeBytes } from '../ir/types.ts'
import { addressKey, decomposeLinear, valueNumbering } from './address.ts'
import { isPlainAccess, mayWrite } from './memoryEffects.ts'
import { inferSpaces, type PointerSpace } from './spaces.ts'

/** What is written later in the block, and not read before that. */
interface Overwritten {
  readonly base: string
  readonly offset: number
  readonly bytes: number
  readonly spaces: ReadonlySet<PointerSpace>
}

export function dropOverwrittenStores(func: Func): void {
  const spacesOf = inferSpaces(func)
  for (const block of func.blocks) dropIn(block, spacesOf)
}

function dropIn(block: Block, spacesOf: (pointer: Value) => ReadonlySet<PointerSpace>): void {
  const idOf = valueNumbering()
  let later: Overwritten[] = []
  const dead = new Set<Instruction>()
  for (const instruction of block.instructions.toReversed()) {
    if (!isPlainAccess(instruction)) {
      if (mayWrite(instruction)) later = later.filter(place => isAtomicElsewhere(instruction, place.spaces, spacesOf))
      continue
    }
    const address = decomposeLinear(instruction.pointer, value => value)
    const place = {
      base: addressKey(address, idOf),
      offset: address.offset,
      bytes: storeBytes(instruction.op === 'load' ? instruction.type : instruction.value.type),
      spaces: spacesOf(instruction.pointer),
    }
    if (instruction.op === 'load') later = later.filter(other => !mayOverlap(place, other))
    else if (later.some(other => covers(other, place))) dead.add(instruction)
    else later.push(place)
  }
  if (dead.size > 0) block.instructions = block.instructions.filter(each => !dead.has(each))
}

function isAtomicElsewhere(
  instruction: Instruction,
  spaces: ReadonlySet<PointerSpace>,
  spacesOf: (pointer: Value) => ReadonlySet<PointerSpace>,
): boolean {
  if (instruction.op !== 'atomicrmw' && instruction.op !== 'cmpxchg') return false
  return ![...spacesOf(instruction.pointer)].some(space => spaces.has(space))
}

const covers = (later: Overwritten, earlier: Overwritten): boolean =>
  later.base === earlier.base &&
  later.offset <= earlier.offset &&
  later.offset + later.bytes >= earlier.offset + earlier.bytes

function mayOverlap(a: Overwritten, b: Overwritten): boolean {
  if (a.base === b.base) return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes
  return [...a.spaces].some(space => b.spaces.has(space))
}
