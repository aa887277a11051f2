/**
 * `s[t] = 0; if (i < n) s[t] = in[i];` is one store: ptxas moves what is stored to shared memory in front of a branch into the other way,
 * and then makes one of the stores of both ways behind them. It does so where the branch stores to just the places that were stored to
 * since the last barrier or load of shared memory, in the same order, where the branch is one block without loads of shared memory and
 * without divisions, and nothing else is stored in between; not where the kernel ends behind the branch, unless LLVM there has made a block of
 * the other way before (for the wider index that the branch and the code behind it need). Machine code of 111
 * kernels. In: a kernel with accesses merged. Out: such stores behind the branches.
 */
import { cast, store } from '../../ir/build.ts'
import { predecessors, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Func, Instruction, PhiInstruction, StoreInstruction, Value } from '../../ir/ir.ts'
import { sameType, storeBytes } from '../../ir/types.ts'
import { addressKey, decompose, valueNumbering } from '../facts/address.ts'
import { partsMachineCode } from '../facts/machineBranches.ts'
import { isPlainAccess, mayWrite } from '../facts/memoryEffects.ts'
import { isAccess } from '../facts/places.ts'
import { isSharedArray } from '../facts/sharedPlaces.ts'
import { inferSpaces } from '../facts/spaces.ts'
import { phisOf } from '../rewriting/blocks.ts'
import { widenedIndices } from './branchStores.ts'

/** A block that may be passed over, `way`, and what is around it. */
interface Detour {
  readonly head: Block
  readonly way: Block
  readonly behind: Block
}

export function joinDefaultStores(func: Func): void {
  const before = predecessors(func)
  const spacesOf = inferSpaces(func)
  const usesShared: Uses = each => isAccess(each) && spacesOf(each.pointer).has('shared')
  const only = (block: Block): Block | undefined =>
    before.get(block)?.length === 1 ? before.get(block)![0] : undefined
  for (const way of func.blocks) {
    const head = only(way)
    const [behind, ...others] = successors(terminatorOf(way))
    if (!head || !behind || others.length > 0 || terminatorOf(head).op !== 'condbr') continue
    const isDetour = before.get(behind)!.length === 2 && before.get(behind)!.includes(head)
    if (isDetour) joinIn({ head, way, behind }, usesShared)
  }
}

type Uses = (instruction: Instruction) => boolean

/** A barrier, or a call that may see what is stored. */
const mayAct = (each: Instruction): boolean => !isAccess(each) && mayWrite(each)

function joinIn(detour: Detour, usesShared: Uses): void {
  const { head, way, behind } = detour
  const first = lastSharedStores(head, usesShared)
  const second = way.instructions.filter(isSharedStore)
  if (second.length === 0 || !areSamePlaces(first, second)) return
  const isOther = (each: Instruction) => !isSharedStore(each) && (usesShared(each) || mayAct(each))
  if (way.instructions.some(each => isOther(each) || partsMachineCode(each))) return
  if (isEnd(behind) && !isOtherWayABlock(detour)) return
  const phis: PhiInstruction[] = []
  const stores = second.map((each, at) => {
    const { value, pointer, align } = first[at]!
    const place = { block: behind, location: each.location }
    const incoming = [
      { value, block: head },
      { value: inTypeOf(value, each, way), block: way },
    ]
    const either: PhiInstruction = { kind: 'instruction', op: 'phi', type: value.type, name: '', ...place, incoming }
    phis.push(either)
    return store(place, either, pointer, Math.min(align, each.align))
  })
  behind.instructions.splice(phisOf(behind).length, 0, ...phis, ...stores)
  const gone = new Set<Instruction>([...first, ...second])
  for (const block of [head, way]) block.instructions = block.instructions.filter(each => !gone.has(each))
}

/** Those that nothing but loads of other memory, or such a store, follows, up to where shared memory is used otherwise. */
function lastSharedStores({ instructions }: Block, usesShared: Uses): StoreInstruction[] {
  const stores: StoreInstruction[] = []
  for (const each of instructions.toReversed()) {
    if (isSharedStore(each)) stores.unshift(each)
    else if (mayWrite(each) || usesShared(each)) break
  }
  return stores
}

const isSharedStore = (each: Instruction): each is StoreInstruction =>
  each.op === 'store' && isPlainAccess(each) && !each.copied && isSharedArray(decompose(each.pointer).root)

function areSamePlaces(first: readonly StoreInstruction[], second: readonly StoreInstruction[]): boolean {
  const idOf = valueNumbering()
  const place = ({ pointer }: StoreInstruction) => {
    const address = decompose(pointer)
    return `${addressKey(address, idOf)}:${address.offset}`
  }
  const isSame = (a: StoreInstruction, b: StoreInstruction) =>
    place(a) === place(b) && storeBytes(a.value.type) === storeBytes(b.value.type) && isNumber(a) && isNumber(b)
  const isNumber = ({ value: { type } }: StoreInstruction) => type.kind !== 'pointer'
  return first.length === second.length && first.every((each, at) => isSame(each, second[at]!))
}

/** What the branch stores, as what is stored in front of it (`float2` zeros are one integer). */
function inTypeOf({ type }: Value, { value, location }: StoreInstruction, way: Block): Value {
  if (sameType(type, value.type)) return value
  const converted = cast({ block: way, location }, 'bitcast', type, value)
  way.instructions.splice(-1, 0, converted)
  return converted
}

/** The kernel ends there, or in the block that it leads to. */
function isEnd(block: Block): boolean {
  const last = terminatorOf(block)
  return last.op === 'ret' || (last.op === 'br' && last.target.instructions[0]!.op === 'ret')
}

/** Whether an index is widened to 64 bits in the branch and behind it: LLVM there then widens it on the other way, too. */
function isOtherWayABlock({ head, way, behind }: Detour): boolean {
  const idOf = valueNumbering()
  const widened = (block: Block) =>
    block.instructions.flatMap(each =>
      (each.op === 'load' || each.op === 'store') && !isSharedArray(decompose(each.pointer).root)
        ? widenedIndices(each.pointer, idOf)
        : [],
    )
  const before = new Set(widened(head))
  const own = new Set(widened(way))
  return widened(behind).some(index => own.has(index) && !before.has(index))
}
