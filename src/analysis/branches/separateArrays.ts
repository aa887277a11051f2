/**
 * Stores of what two branches load from different arrays: `if (c) o[i] = a[i]; else o[i] = b[i];`. LLVM here makes one load of a chosen address
 * of the two, and one store. nvcc leaves both branches as they are where one of the loads has the index of the store, the index has a sign,
 * and nothing in front widens it to 64 bits (machine code of 16 kernels, and of 60 of branchStores.ts'). `o[i] = c ? a[i] : b[i]` is one
 * load in both. In: a kernel. Out: such loads and stores in branches again; in loops, and where the branches are still there, they are labelled.
 */
import { branch, jump, offsetPointer } from '../../ir/build.ts'
import { cloneInstruction, dominators, loops, users } from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, StoreInstruction, Value } from '../../ir/ir.ts'
import { decompose, valueNumbering } from '../facts/address.ts'
import { isPlainAccess, mayWrite } from '../facts/memoryEffects.ts'
import { isSharedArray } from '../facts/sharedPlaces.ts'
import { cutAt } from '../rewriting/blocks.ts'
import { isMergedStatement, isUnsigned, widenedIndices, widens } from './branchStores.ts'

interface ChosenLoad {
  readonly store: StoreInstruction
  readonly load: LoadInstruction
  /** The addresses of which it has one. */
  readonly root: Instruction
}

export function separateArrays(func: Func): void {
  const around = loops(func)
  const usersOf = users(func)
  for (const block of [...func.blocks])
    for (const instruction of [...block.instructions]) {
      const found = chosenLoad(instruction, usersOf)
      if (!found) continue
      const isInLoop = around.some(({ blocks }) => blocks.has(block))
      const addresses = found.root.op === 'select' && !isInLoop ? addressesOf(found) : undefined
      if (!addresses) found.store.unsure = true
      else if (areApart(func, found, addresses)) separate(func, found, addresses)
    }
}

function chosenLoad(store: Instruction, usersOf: ReturnType<typeof users>): ChosenLoad | undefined {
  if (store.op !== 'store' || !isMergedStatement(store) || !isPlainAccess(store)) return undefined
  const { value: load, block, pointer } = store
  if (load.kind !== 'instruction' || load.op !== 'load' || load.block !== block || !isPlainAccess(load))
    return undefined
  if (isSharedArray(decompose(pointer).root) || isUnsigned(pointer) || usersOf.get(load)?.length !== 1) return undefined
  const between = block.instructions.slice(block.instructions.indexOf(load), block.instructions.indexOf(store))
  const { root } = decompose(load.pointer)
  if (between.some(mayWrite) || root.kind !== 'instruction' || root.block !== block) return undefined
  return root.op === 'select' || root.op === 'phi' ? { store, load, root } : undefined
}

/** Undefined where both are in one array. */
function addressesOf({ load, root }: ChosenLoad): readonly [Instruction, Instruction] | undefined {
  if (root.op !== 'select') return undefined
  const { block, location, pointer } = load
  const { offset, terms } = decompose(pointer)
  const at = (base: Value): Instruction => ({ ...offsetPointer({ block, location }, base, offset), terms: [...terms] })
  const [one, other] = [at(root.ifTrue), at(root.ifFalse)]
  return decompose(one).root === decompose(other).root ? undefined : [one, other]
}

function areApart(func: Func, { store, load }: ChosenLoad, addresses: readonly Instruction[]): boolean {
  const idOf = valueNumbering()
  const tree = dominators(func)
  const inFront = func.blocks.filter(other => tree.dominates(other, store.block))
  return widenedIndices(store.pointer, idOf).some(
    index =>
      addresses.some(address => widenedIndices(address, idOf).includes(index)) &&
      !widens(inFront, index, idOf, [load, store]),
  )
}

function separate(func: Func, { store, load, root }: ChosenLoad, addresses: readonly Instruction[]): void {
  if (root.op !== 'select') return
  const { block, location } = store
  const behind = cutAt(store, `${block.name}.behind`)
  block.instructions.splice(block.instructions.indexOf(load), 1)
  const [one, other] = addresses.map((address, at): Block => {
    const way: Block = { name: `${block.name}.way${at}`, instructions: [] }
    const pointer = cloneInstruction(address, way)
    const own: LoadInstruction = { ...load, block: way, pointer }
    const stored: StoreInstruction = { ...store, block: way, value: own }
    way.instructions.push(pointer, own, stored, jump({ block: way, location }, behind))
    return way
  })
  block.instructions.push(branch({ block, location }, root.condition, one!, other!))
  func.blocks.splice(func.blocks.indexOf(block) + 1, 0, one!, other!, behind)
}
