/**
 * Stores that the same block overwrites before anything can read them go, as they do on the machine: LLVM here cannot tell that a
 * pointer of the kernel's arguments is no shared memory, and looks no further than some 90 accesses; nvcc knows the memories apart
 * (reading: opt-reduce_v6_multi_add, a sum in shared memory over 128 elements; machine code of 7 sums). In: a kernel whose loads
 * of what was stored before are values already. Out: the same without such stores.
 */
import type { Block, Func, Instruction } from '../../ir/ir.ts'
import { storeBytes } from '../../ir/types.ts'
import { isPlainAccess, mayWrite } from '../facts/memoryEffects.ts'
import { isApart, isInOtherMemory, type MemoryPlace, MemoryPlaces } from '../facts/places.ts'

/** What is written later in the block, and not read before that. */
interface Overwritten {
  readonly place: MemoryPlace
  readonly bytes: number
}

export function dropOverwrittenStores(func: Func): void {
  const places = new MemoryPlaces(func)
  for (const block of func.blocks) dropIn(block, places)
}

function dropIn(block: Block, places: MemoryPlaces): void {
  let later: Overwritten[] = []
  const dead = new Set<Instruction>()
  for (const instruction of block.instructions.toReversed()) {
    if (!isPlainAccess(instruction)) {
      if (mayWrite(instruction)) later = later.filter(({ place }) => isAtomicElsewhere(instruction, place, places))
      continue
    }
    const place = {
      place: places.of(instruction.pointer),
      bytes: storeBytes(instruction.op === 'load' ? instruction.type : instruction.value.type),
    }
    if (instruction.op === 'load') later = later.filter(other => !mayOverlap(place, other))
    else if (later.some(other => covers(other, place))) dead.add(instruction)
    else later.push(place)
  }
  if (dead.size > 0) block.instructions = block.instructions.filter(each => !dead.has(each))
}

/** One in the same memory may be a lock, behind which others read what was stored. */
function isAtomicElsewhere(instruction: Instruction, place: MemoryPlace, places: MemoryPlaces): boolean {
  if (instruction.op !== 'atomicrmw' && instruction.op !== 'cmpxchg') return false
  return isInOtherMemory(places.of(instruction.pointer), place)
}

const startOf = ({ place }: Overwritten): number => place.address.offset
const endOf = (written: Overwritten): number => startOf(written) + written.bytes

const covers = (later: Overwritten, earlier: Overwritten): boolean =>
  later.place.key === earlier.place.key && startOf(later) <= startOf(earlier) && endOf(later) >= endOf(earlier)

function mayOverlap(a: Overwritten, b: Overwritten): boolean {
  if (a.place.key === b.place.key) return startOf(a) < endOf(b) && startOf(b) < endOf(a)
  return !isApart(a.place, b.place)
}
