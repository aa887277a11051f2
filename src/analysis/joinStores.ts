/**
 * One store for those that all ways into a block end with, to one address: nvcc has a store of its own once however the code around
 * it was copied, and makes one of the stores of three branches and more (`if … else if … else …`; two are LLVM's), but not where one
 * of them stores zero, and not in loops (PTX of 70 pairs of branches; reading: shfl_scan). In: a kernel with accesses merged.
 * Out: such stores behind the branches.
 */
import { loops, predecessors, terminatorOf } from '../ir/graph.ts'
import type { Block, Func, Instruction, PhiInstruction, StoreInstruction, Value } from '../ir/ir.ts'
import { isSameLine } from '../ir/readMetadata.ts'
import { sameType } from '../ir/types.ts'
import { type Address, addressKey, decompose, valueNumbering } from './address.ts'
import { store } from './build.ts'
import { phisOf } from './blocks.ts'
import { mayWrite } from './memoryEffects.ts'

export function joinStores(func: Func): void {
  const inLoops = new Set(loops(func).flatMap(({ blocks }) => [...blocks]))
  const before = predecessors(func)
  for (const block of func.blocks) {
    const ways = before.get(block) ?? []
    if (ways.length < 2 || ways.some(way => terminatorOf(way).op !== 'br')) continue
    for (let stores = lastStores(ways); stores; stores = lastStores(ways)) {
      const areBranches = ways.length > 2 && !inLoops.has(block) && !stores.some(({ value }) => isZero(value))
      if (areBranches && isOneAddress(stores)) join(block, stores, addressAt(block, stores[0]!))
      else if (isOneStatement(stores))
        join(
          block,
          stores,
          meet(block, stores, ({ pointer }) => pointer),
        )
      else break
    }
  }
}

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

/** Whether they are to one address that is known before them. */
function isOneAddress(stores: readonly StoreInstruction[]): boolean {
  const idOf = valueNumbering()
  const blocks = stores.map(({ block }) => block)
  const isBefore = (value: Value) => value.kind !== 'instruction' || !blocks.includes(value.block)
  const keys = stores.map(({ pointer }) => {
    const address = decompose(pointer)
    return valuesOf(address).every(isBefore) ? `${addressKey(address, idOf)}:${address.offset}` : pointer
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

function isZero(value: Value): boolean {
  return (
    value.kind === 'zero' ||
    (value.kind === 'int' && value.value === 0n) ||
    (value.kind === 'float' && value.bits === 0n)
  )
}

function join(block: Block, stores: readonly StoreInstruction[], pointer: Instruction): void {
  const [{ location }] = stores as [StoreInstruction]
  const value = meet(block, stores, each => each.value)
  const whole = store({ block, location }, value, pointer, Math.min(...stores.map(({ align }) => align)))
  if (stores.some(({ narrowed }) => narrowed)) whole.narrowed = true
  const phis = pointer.op === 'phi' ? [pointer, value] : [value]
  const others = pointer.op === 'phi' ? [whole] : [pointer, whole]
  const at = phisOf(block).length
  block.instructions.splice(at, 0, ...phis, ...others)
  for (const each of stores) each.block.instructions.splice(each.block.instructions.indexOf(each), 1)
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

function addressAt(block: Block, { pointer, location }: StoreInstruction): Instruction {
  const { root, offset, terms } = decompose(pointer)
  const type = pointer.type
  return { kind: 'instruction', op: 'gep', type, name: '', block, location, base: root, offset, terms: [...terms] }
}
