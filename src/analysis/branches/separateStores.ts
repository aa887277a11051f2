/**
 * Stores that nvcc leaves in two branches while LLVM makes one of them behind both (branchStores.ts). In: a kernel, its blocks with
 * clang's names. Out: such stores back in their branches.
 */
import { branch, jump } from '../../ir/build.ts'
import {
  cloneInstruction,
  dominators,
  loops,
  operandsOf,
  replaceOperands,
  terminatorOf,
  users,
} from '../../ir/graph.ts'
import type { Block, Func, Instruction, Location, PhiInstruction, StoreInstruction, Value } from '../../ir/ir.ts'
import { coordinateName, decompose } from '../facts/address.ts'
import { mayWrite } from '../facts/memoryEffects.ts'
import { isSharedArray } from '../facts/sharedPlaces.ts'
import { cutAt, edgeBlock } from '../rewriting/blocks.ts'
import {
  type Branches,
  BranchStores,
  branchesOf,
  isIndexKnown,
  isLoad,
  isMergedStatement,
  isUpdate,
  type Way,
} from './branchStores.ts'

interface MergedStore {
  readonly store: StoreInstruction
  readonly value: PhiInstruction
  /** What the block behind the branches makes the address of, in order, of values from before. */
  readonly address: readonly Instruction[]
}

export function separateStores(func: Func): void {
  for (const block of [...func.blocks]) separateChosen(func, block)
  const around = loops(func)
  for (const block of [...func.blocks]) {
    const found = mergedStores(block)
    if (found.length === 0) continue
    const tree = dominators(func)
    const branches = branchesOf(func, block, tree)
    if (!branches) continue
    const rules = new BranchStores(func, tree, branches, around.findLast(({ blocks }) => blocks.has(block))?.blocks)
    const behind = found.map(({ store, value }, at) =>
      isSharedArray(decompose(store.pointer).root)
        ? found.slice(at + 1).flatMap(later => loadsBehind(later, value))
        : [],
    )
    const isApart = ({ store, value }: MergedStore) => {
      const stored = ({ from }: Way) => value.incoming.find(each => each.block === from)!.value
      return isMergedStatement(store)
        ? rules.areApart(store.pointer, stored)
        : rules.isIndexKnown(store.pointer, stored)
    }
    // Of an arm with a loop nvcc makes the address in the arm, or in front of it, as the source does.
    const hasLoop = around.some(({ header }) => branches.ways.some(({ blocks }) => blocks.includes(header)))
    for (const each of found) {
      const { store, value } = each
      const stored = ({ from }: Way) => value.incoming.find(way => way.block === from)!.value
      if (!isMergedStatement(store)) continue
      if (rules.isDoubtful(store.pointer, stored) || (hasLoop && !isApart(each))) store.unsure = true
    }
    const apart = found.filter((each, at) => isApart(each) || behind[at]!.length > 0)
    if (apart.length > 0) moveBack(func, block, apart, branches, new Set(behind.flat()))
  }
}

/** Stores of a chosen value, the branches gone, where the condition says what the index is. */
function separateChosen(func: Func, block: Block): void {
  const chosen = block.instructions.findLast(
    (each): each is StoreInstruction =>
      each.op === 'store' &&
      isMerged(each.value) &&
      each.value.kind === 'instruction' &&
      each.value.op === 'select' &&
      isIndexKnown(each.value.condition, each.pointer, () => true),
  )
  if (chosen?.value.kind !== 'instruction' || chosen.value.op !== 'select') return
  const { condition, ifTrue, ifFalse } = chosen.value
  const { location, pointer } = chosen
  const usersOf = users(func)
  if ([ifTrue, ifFalse].some(value => isUpdate(func, value, pointer, block, chosen, usersOf))) return
  const behind = cutAt(chosen, `${block.name}.behind`)
  const [one, other] = [ifTrue, ifFalse].map((value, at): Block => {
    const way: Block = { name: `${block.name}.way${at}`, instructions: [] }
    const stored = { ...cloneInstruction(chosen, way), value, location: withoutColumn(location) } as StoreInstruction
    way.instructions.push(stored, jump({ block: way, location }, behind))
    return way
  })
  block.instructions.push(branch({ block, location }, condition, one!, other!))
  func.blocks.splice(func.blocks.indexOf(block) + 1, 0, one!, other!, behind)
  separateChosen(func, block)
}

/**
 * What one of the branches loads for a later store: the store before is then not what the branch ends with, when nvcc joins stores (PTX of
 * six pairs; where the source loads for both before it stores, it is taken for this, too).
 */
const loadsBehind = (later: MergedStore, before: PhiInstruction): Instruction[] =>
  later.value.incoming.flatMap(({ value, block }) => {
    const other = before.incoming.find(way => way.block === block)?.value
    const ofOther = other ? loadsOf(other, block) : []
    return loadsOf(value, block).filter(load => !ofOther.includes(load))
  })

/** The loads of a block that a value is computed from. */
function loadsOf(value: Value, block: Block): Instruction[] {
  if (value.kind !== 'instruction' || value.block !== block || value.op === 'phi') return []
  return isLoad(value) ? [value] : operandsOf(value).flatMap(operand => loadsOf(operand, block))
}

/** The stores that a block begins with, of values that two branches come with. */
function mergedStores(block: Block): MergedStore[] {
  const found: MergedStore[] = []
  for (const instruction of block.instructions) {
    if (instruction.op === 'store') {
      const { value, pointer } = instruction
      const address = madeHere(block, pointer)
      if (!address || pointer.kind !== 'instruction' || pointer.op !== 'gep') break
      if (instruction.volatile || instruction.atomic || !(isMergedStatement(instruction) || isMerged(value))) break
      if (value.kind !== 'instruction' || value.op !== 'phi' || value.block !== block || value.incoming.length !== 2)
        break
      found.push({ store: instruction, value, address })
    } else if (instruction.op === 'load' || mayWrite(instruction)) break
  }
  return found
}

/** Not one statement that was copied (joinStores.ts). */
const withoutColumn = (location: Location | undefined): Location | undefined => location && { ...location, column: 0 }

/** What InstCombine makes of two stores, the one of which may stand before the other's branch. */
const isMerged = (value: Value): boolean => value.kind === 'instruction' && /^storemerge\d*$/.test(value.name)

/** The instructions of a block that a pointer depends on; undefined where some are phis or no plain arithmetic. */
function madeHere(block: Block, pointer: Value): Instruction[] | undefined {
  const needed = new Set<Instruction>()
  const pending: Value[] = [pointer]
  for (let value = pending.pop(); value; value = pending.pop()) {
    if (value.kind !== 'instruction' || value.block !== block || needed.has(value)) continue
    if (!('left' in value) && !('base' in value) && !isCast(value) && coordinateName(value) === undefined)
      return undefined
    needed.add(value)
    pending.push(...operandsOf(value))
  }
  return block.instructions.filter(each => needed.has(each))
}

const isCast = ({ op }: Instruction) => op === 'sext' || op === 'zext' || op === 'trunc' || op === 'freeze'

/** @param behind loads that come after the stores */
function moveBack(
  func: Func,
  block: Block,
  stores: readonly MergedStore[],
  { ways }: Branches,
  behind: ReadonlySet<Instruction>,
): void {
  for (const { from } of ways) {
    const into = terminatorOf(from).op === 'br' ? from : edgeBlock(func, from, block)
    for (const { store, value, address } of stores) {
      const stored = value.incoming.find(each => each.block === into)!.value
      const copyOf = new Map<Value, Value>([[value, stored]])
      const end = into.instructions.length - 1
      const made = into.instructions.indexOf(stored as Instruction)
      const load = into.instructions.findIndex(each => behind.has(each))
      let at = load > made ? load : end
      for (const each of [...address, store]) {
        const copy = cloneInstruction(each, into)
        replaceOperands(copy, operand => copyOf.get(operand) ?? operand)
        copyOf.set(each, copy)
        if (copy.op === 'store') copy.location = withoutColumn(copy.location)
        into.instructions.splice(at++, 0, copy)
      }
    }
  }
  const gone = new Set<Instruction>(stores.map(({ store }) => store))
  block.instructions = block.instructions.filter(instruction => !gone.has(instruction))
  const ofStores = new Set<Instruction>(stores.flatMap(({ value, address }) => [value, ...address]))
  for (let before = -1; before !== block.instructions.length; ) {
    before = block.instructions.length
    const usersOf = users(func)
    block.instructions = block.instructions.filter(each => usersOf.has(each) || !ofStores.has(each))
  }
}
