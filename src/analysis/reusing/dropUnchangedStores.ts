/**
 * Stores of what the same block has loaded from the same place go, with loads that nothing else uses: LLVM here was kept from seeing
 * that nobody wrote there meanwhile (frontend/passes/paddedCopies.ts). Halves of an aligned word of eight bytes go together (PTX of 12 kernels).
 * In: a kernel. Out: the same without such stores.
 */
import { users } from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, StoreInstruction } from '../../ir/ir.ts'
import { storeBytes } from '../../ir/types.ts'
import { isPlain, isSameType } from '../facts/knownValues.ts'
import { isPlainAccess, mayWrite } from '../facts/memoryEffects.ts'
import { isApart, isSamePlace, MemoryPlaces } from '../facts/places.ts'

/** Bytes of which nvcc copies all or none, where a structure is aligned to them. */
const UNIT = 8

export function dropUnchangedStores(func: Func): void {
  const places = new MemoryPlaces(func)
  const dropped = new Set<Instruction>()
  for (const block of func.blocks) {
    const stores = block.instructions.filter(each => each.op === 'store')
    const unchanged = new Set(stores.filter(each => isUnchanged(each, block, places)))
    for (const each of unchanged) {
      const partner = partnerOf(each, stores, places)
      if (!partner || unchanged.has(partner)) dropped.add(each)
    }
  }
  if (dropped.size === 0) return
  const usersOf = users(func)
  /** A load that the stores alone used. */
  const isLeft = (each: Instruction): boolean => {
    const using = isPlain(each) ? (usersOf.get(each) ?? []) : []
    return using.length > 0 && using.every(user => dropped.has(user))
  }
  for (const block of func.blocks)
    block.instructions = block.instructions.filter(each => !dropped.has(each) && !isLeft(each))
}

/** Vectors stay whole (takeVectorsApart.ts). */
const isMember = ({ name }: LoadInstruction): boolean => !/^wl\.copy/.test(name)

/** The store of the other half of the aligned word of eight bytes. */
function partnerOf(
  store: StoreInstruction,
  stores: readonly StoreInstruction[],
  places: MemoryPlaces,
): StoreInstruction | undefined {
  const half = UNIT / 2
  if (storeBytes(store.value.type) !== half) return undefined
  const { key, address } = places.of(store.pointer)
  const at = address.offset + (store.align >= UNIT ? half : -half)
  return stores.find(other => {
    if (storeBytes(other.value.type) !== half || Math.max(other.align, store.align) < UNIT) return false
    const place = places.of(other.pointer)
    return place.key === key && place.address.offset === at
  })
}

function isUnchanged(store: StoreInstruction, block: Block, places: MemoryPlaces): boolean {
  const load = store.value
  if (!isPlainAccess(store) || load.kind !== 'instruction' || !isPlain(load) || load.block !== block) return false
  if (!isMember(load)) return false
  const place = places.of(load.pointer)
  if (!isSamePlace(place, places.of(store.pointer)) || !isSameType(load.type, store.value.type)) return false
  const bytes = storeBytes(load.type)
  const between = block.instructions.slice(block.instructions.indexOf(load) + 1, block.instructions.indexOf(store))
  return between.every(each => {
    if (!mayWrite(each)) return true
    if (each.op !== 'store' || !isPlainAccess(each)) return false
    const other = places.of(each.pointer)
    if (other.key !== place.key) return isApart(other, place)
    const [from, start] = [other.address.offset, place.address.offset]
    return from >= start + bytes || start >= from + storeBytes(each.value.type)
  })
}
