/**
 * One store for those that all ways into a block end with, to one address: nvcc has a store of its own once however the code around
 * it was copied, and makes one of the stores of three branches and more (`if … else if … else …`; two are LLVM's). Not so
 * (`areApart`; PTX and machine code of 570 such, readings: shfl_scan, rod-srad_v2):
 *
 * - where the two innermost branches store what the source computes in front of them (`x = a[t]; if (x > n) s[t] = x; else s[t] = n;`,
 *   not `if (a[t] > n) s[t] = a[t]; …`, which nvcc does not know to be there yet: 820 forms, machine code);
 * - where the first of two branches that are in one of the outermost two stores zero;
 * - where a branch, but not each, widens the index for an access of its own, unless each stores just what it loads, and unless
 *   one of those stands in an inner branch in front of which the index is widened.
 *
 * - where the second of two branches outside of loops is that of several conditions (`if (x > 0 && a[i] < 5) … else …`, where both stay
 *   branches; not of `||`, nor where both store constants; 75 kernels). In loops some are one and some
 *   are not: they are taken for one, and labelled.
 *
 * Where the condition is one for the warp nvcc leaves them apart, which counts the same. Where each stores what it just loaded, or the
 * same function of it, the load is one too (LowPassRowMulti of LS-CAT). In: a kernel with accesses merged. Out: such stores behind the
 * branches.
 */
import { store } from '../../ir/build.ts'
import {
  cloneInstruction,
  type DominatorTree,
  dominators,
  type Loop,
  loops,
  operandsOf,
  predecessors,
  replaceOperands,
  successors,
  terminatorOf,
  users,
} from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, PhiInstruction, StoreInstruction, Value } from '../../ir/ir.ts'
import { isSameLine } from '../../ir/readMetadata.ts'
import { sameType } from '../../ir/types.ts'
import { type Address, addressKey, coordinateName, decompose, isComputed, valueNumbering } from '../facts/address.ts'
import { mayWrite } from '../facts/memoryEffects.ts'
import { isSharedArray } from '../facts/sharedPlaces.ts'
import { phisOf } from '../rewriting/blocks.ts'
import { foldPhi } from '../rewriting/foldPhis.ts'
import {
  BranchStores,
  branchesOf,
  isConstant,
  isLoad,
  isZero,
  type Way,
  widenedIndices,
  widens,
} from './branchStores.ts'
import { type Flow, isLeftByLanes } from './divergentLoops.ts'
import { areSingleBlocks, sinkCommonCode } from './sinkCommonCode.ts'

export function joinStores(func: Func): void {
  const around = loops(func)
  const before = predecessors(func)
  const tree = dominators(func)
  for (const block of func.blocks) {
    const ways = before.get(block) ?? []
    if (ways.length < 2 || ways.some(way => terminatorOf(way).op !== 'br')) continue
    const two = branchesOf(func, block, tree)
    const loop = around.findLast(({ blocks }) => blocks.has(block))
    const rules = two && new BranchStores(func, tree, two, loop?.blocks)
    // What branches itself nvcc leaves as it is (machine code of 17 kernels), but not loops whose lanes leave them one by one.
    if (two?.ways.some(way => isParted(way, block, around, { tree, before }))) continue
    if (two && rules && areSingleBlocks(two)) {
      const inFront = func.blocks.filter(other => tree.dominates(other, two.head))
      const storedBy = (stores: readonly StoreInstruction[]) => (way: Way) =>
        stores.find(each => each.block === way.from)!.value
      const last = lastStores(ways)
      if (last && rules.areOfTwoArrays(last[0]!.pointer, storedBy(last), last)) continue
      if (last && rules.isDoubtful(last[0]!.pointer, storedBy(last), last)) for (const each of last) each.unsure = true
      sinkCommonCode(func, two, inFront, stores => {
        if (isOneStatement(stores)) return true
        const areUpdated = rules.areUpdatesApart(stores[0]!.pointer, storedBy(stores), stores)
        if (areUpdated !== undefined) return areUpdated ? false : 'made in front'
        if (rules.areApart(stores[0]!.pointer, storedBy(stores), stores)) return false
        // nvcc joins the last of several while they are single ones still, and the others stay (machine code of five of nine kernels).
        if (stores.some(({ ofSeveral }) => ofSeveral)) for (const each of stores) each.unsure = true
        return true
      })
      continue
    }
    for (let stores = lastStores(ways); stores; stores = lastStores(ways)) {
      if (areOfSeveralConditions(before, stores) && isOneAddress(stores) && !isOneStatement(stores)) {
        if (loop || stores.some(isLoadedInFront)) for (const each of stores) each.unsure = true
        if (!loop) break
      }
      const areBranches = rules
        ? !rules.areApart(stores[0]!.pointer, ({ from }) => stores!.find(each => each.block === from)!.value, stores)
        : ways.length > 2 && !areApart(func, tree, before, block, stores)
      if (areBranches && isOneAddress(stores)) {
        if (!rules) loadAgain(before, stores)
        const usersOf = rules ? undefined : users(func)
        const value = join(block, stores, ...addressAt(block, stores[0]!))
        if (usersOf) foldPhi(func.blocks, value, usersOf)
      } else if (isOneStatement(stores))
        join(
          block,
          stores,
          meet(block, stores, ({ pointer }) => pointer),
        )
      else break
    }
  }
}

/** Whether a way parts and meets again; one of several conditions leads to the other way, too. */
function branchesWithin({ blocks }: Way, behind: Block): boolean {
  const own = new Set([...blocks, behind])
  return blocks.length > 1 && blocks.every(each => successors(terminatorOf(each)).every(next => own.has(next)))
}

function isParted(way: Way, behind: Block, around: readonly Loop[], flow: Flow): boolean {
  const own = around.filter(({ header }) => way.blocks.includes(header))
  const outer = own.filter(loop => !own.some(other => other !== loop && other.blocks.has(loop.header)))
  return outer.length > 0 ? !outer.every(loop => isLeftByLanes(loop, flow)) : branchesWithin(way, behind)
}

type Predecessors = ReturnType<typeof predecessors>

/**
 * Whether the second of two branches is that of several conditions, which stayed branches (`if (x > 0 && a[i] < 5) … else …`), and they
 * are more than the stores of what is there already.
 */
function areOfSeveralConditions(before: Predecessors, stores: readonly StoreInstruction[]): boolean {
  const [one, other, ...more] = stores.map(({ block }) => block)
  if (!one || !other || more.length > 0) return false
  const isSecond = (second: Block, first: Block) => {
    const [from, ...others] = before.get(first)!
    const ways = before.get(second)!
    return others.length === 0 && ways.length > 1 && ways.includes(from!) && !/^if\.then/.test(second.name)
  }
  if (!isSecond(one, other) && !isSecond(other, one)) return false
  const ways = new Set([...before.get(one)!, ...before.get(other)!])
  const areStoredBefore = [...ways].some(({ instructions }) => instructions.some(each => each.op === 'store'))
  const values = [one, other].flatMap(({ instructions }) =>
    instructions.flatMap(each => (each.op === 'store' ? [each.value] : [])),
  )
  return areStoredBefore ? !values.every(isConstant) : !values.every(isThere)
}

/** What needs no instruction of the branch's own, whatever the source has there: the thread's number, an argument. */
const isThere = (value: Value): boolean =>
  value.kind !== 'instruction' ||
  (isComputed(value) && operandsOf(value).some(each => coordinateName(each) !== undefined))

/**
 * A variable of the source's, or what each branch reads again: `x = a[t]; if (x > 0 && b[t] > 0) o[t] = x; …` is one store for nvcc, with
 * `o[t] = a[t]` it is two.
 */
const isLoadedInFront = ({ value, block }: StoreInstruction): boolean => isLoad(value) && value.block !== block

/**
 * Where each branch stores what it loads, or reads again, the load is one too, behind them: of an address that depends on the way, so
 * that what was there already is loaded again (machine code of 40 forms).
 */
function loadAgain(before: Predecessors, stores: readonly StoreInstruction[]): void {
  if (!stores.every(({ value }) => isLoad(value)) || new Set(stores.map(({ value }) => value)).size === 1) return
  const isOfSeveralConditions = stores.some(({ block }) => before.get(block)!.length > 1)
  for (const store of stores) {
    const { value, block, readsAgain } = store
    if (!readsAgain || value.kind !== 'instruction' || value.op !== 'load') continue
    const again: LoadInstruction = { ...value, block }
    block.instructions.splice(block.instructions.indexOf(store), 0, again)
    store.value = again
    if (isOfSeveralConditions) again.unsure = true
  }
}

/** Of three branches and more. */
function areApart(
  func: Func,
  tree: DominatorTree,
  before: Predecessors,
  block: Block,
  stores: readonly StoreInstruction[],
): boolean {
  const pairs = innermostPairs(before, stores)
  if (pairs.some(pair => pair.every(isKnownBefore))) return true
  if (stores.every(({ value }) => isLoad(value))) return false
  // Two branches in each of two: it goes by what both begin with, which is not followed here.
  if (pairs.length > 1) for (const each of stores) each.unsure = true
  if (stores.some(store => isZeroInFirst(tree, block, store, stores))) return true
  const [{ pointer }] = stores as [StoreInstruction]
  if (isSharedArray(decompose(pointer).root)) return false
  const idOf = valueNumbering()
  const indices = widenedIndices(pointer, idOf)
  const widensIn = (...blocks: Block[]) => indices.some(index => widens(blocks, index, idOf, stores))
  const widening = stores.filter(store => widensIn(store.block))
  if (widening.length === 0 || widening.length === stores.length) return false
  return !widening.some(store =>
    widensIn(...func.blocks.filter(other => other !== store.block && tree.dominates(other, store.block))),
  )
}

/** The stores of two branches that part last. */
function innermostPairs(before: Predecessors, stores: readonly StoreInstruction[]): StoreInstruction[][] {
  const headOf = ({ block }: StoreInstruction) => (before.get(block)!.length === 1 ? before.get(block)![0] : undefined)
  const heads = new Set(stores.map(headOf).filter(head => head !== undefined))
  return [...heads].map(head => stores.filter(each => headOf(each) === head)).filter(({ length }) => length === 2)
}

/** Whether a store of zero is the first of two branches that are in one of the outermost two, whatever the second has. */
function isZeroInFirst(
  tree: DominatorTree,
  behind: Block,
  { value, block }: StoreInstruction,
  stores: readonly StoreInstruction[],
): boolean {
  if (!isZero(value) || !/^if\.then/.test(block.name)) return false
  const outermost = tree.immediate(behind)
  const around = stores.filter(other => {
    const head = tree.immediate(block)
    return head !== undefined && head !== outermost && tree.dominates(head, other.block)
  })
  const ways = outermost ? successors(terminatorOf(outermost)) : []
  const way = ways.find(each => tree.dominates(each, block))
  const inWay = way ? stores.filter(other => tree.dominates(way, other.block)) : []
  return around.length > 1 && around.length === inWay.length
}

/** Whether the source computes what is stored in front of the branches, and does not read it again in them. */
const isKnownBefore = ({ value, block, readsAgain }: StoreInstruction): boolean =>
  !readsAgain && (value.kind !== 'instruction' || value.block !== block || value.sunk === true)

/** The stores that the blocks end with, if they are of one type. */
function lastStores(blocks: readonly Block[]): StoreInstruction[] | undefined {
  const found: StoreInstruction[] = []
  for (const block of blocks) {
    const last = block.instructions.findLast(each => each.op === 'load' || mayWrite(each))
    if (last?.op !== 'store' || last.volatile || last.atomic || last.copied) return undefined
    const [first = last] = found
    if (!sameType(last.value.type, first.value.type) || !sameType(last.pointer.type, first.pointer.type))
      return undefined
    found.push(last)
  }
  return found
}

/** Whether they are to one address that is known before them, or computed in each in the same way. */
function isOneAddress(stores: readonly StoreInstruction[]): boolean {
  const idOf = valueNumbering()
  const blocks = stores.map(({ block }) => block)
  const isKnown = (value: Value): boolean =>
    value.kind !== 'instruction' ||
    !blocks.includes(value.block) ||
    coordinateName(value) !== undefined ||
    (isComputed(value) && operandsOf(value).every(isKnown))
  const keys = stores.map(({ pointer }) => {
    const address = decompose(pointer)
    return valuesOf(address).every(isKnown) ? `${addressKey(address, idOf)}:${address.offset}` : pointer
  })
  return new Set(keys).size === 1
}

const valuesOf = ({ root, terms }: Address): Value[] => [root, ...terms.map(({ index }) => index)]

function isOneStatement([first, ...others]: readonly StoreInstruction[]): boolean {
  const at = first?.location
  return (
    (at?.column ?? 0) > 0 && others.every(({ location }) => location?.column === at?.column && isSameLine(location, at))
  )
}

/**
 * Returns what the one store stores.
 * @param before what the address is made of behind the branches
 */
function join(
  block: Block,
  stores: readonly StoreInstruction[],
  pointer: Instruction,
  ...before: readonly Instruction[]
): PhiInstruction {
  const [{ location }] = stores as [StoreInstruction]
  const value = meet(block, stores, each => each.value)
  const whole = store({ block, location }, value, pointer, Math.min(...stores.map(({ align }) => align)))
  if (stores.some(({ narrowed }) => narrowed)) whole.narrowed = true
  if (stores.some(({ unsure }) => unsure)) whole.unsure = true
  const phis = pointer.op === 'phi' ? [pointer, value] : [value]
  const others = pointer.op === 'phi' ? [whole] : [...before, pointer, whole]
  const at = phisOf(block).length
  block.instructions.splice(at, 0, ...phis, ...others)
  for (const each of stores) each.block.instructions.splice(each.block.instructions.indexOf(each), 1)
  return value
}

function meet(
  block: Block,
  stores: readonly StoreInstruction[],
  of: (each: StoreInstruction) => Value,
): PhiInstruction {
  const [first] = stores as [StoreInstruction]
  const incoming = stores.map(each => ({ value: of(each), block: each.block }))
  return { kind: 'instruction', op: 'phi', type: of(first).type, name: '', block, location: first.location, incoming }
}

/** The address behind the branches, and what it needs there: coordinates, and what was computed in the store's block. */
function addressAt(
  block: Block,
  { pointer, location, block: from }: StoreInstruction,
): [Instruction, ...Instruction[]] {
  const { root, offset, terms } = decompose(pointer)
  const again = new Map<Value, Instruction>()
  const here = (value: Value): Value => {
    if (value.kind !== 'instruction' || (value.block !== from && coordinateName(value) === undefined)) return value
    const known = again.get(value)
    if (known) return known
    const made = cloneInstruction(value, block)
    replaceOperands(made, here)
    again.set(value, made)
    return made
  }
  const own = terms.map(({ index, scale }) => ({ index: here(index), scale }))
  const place = { kind: 'instruction', name: '', block, location } as const
  return [{ ...place, op: 'gep', type: pointer.type, base: here(root), offset, terms: own }, ...again.values()]
}
