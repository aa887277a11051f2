/**
 * `if (inside) tile[i] = in[j]; else tile[i] = 0;` is two stores for nvcc, one in each branch, while LLVM makes one of them behind
 * both. nvcc makes one too where the other value is no zero, where the zero is in the first branch, in loops (PTX of 70 pairs of
 * branches), and where the address is no sum. In: a kernel, its blocks with clang's names. Out: such stores back in their branches.
 */
import { loops, terminatorOf, users } from '../ir/graph.ts'
import type { Block, Func, GepInstruction, Instruction, PhiInstruction, StoreInstruction, Value } from '../ir/ir.ts'
import { VOID } from '../ir/types.ts'
import { phisOf } from './blocks.ts'
import { mayWrite } from './memoryEffects.ts'

interface MergedStore {
  readonly store: StoreInstruction
  readonly value: PhiInstruction
  /** Made in the block behind the branches, of values from before. */
  readonly address: GepInstruction | undefined
}

export function separateStores(func: Func): void {
  const inLoops = new Set(loops(func).flatMap(({ blocks }) => [...blocks]))
  for (const block of [...func.blocks]) {
    if (inLoops.has(block)) continue
    const found = mergedStores(block)
    const [first] = found
    if (first) moveBack(func, block, found, edgesOf(first.value)!)
  }
}

/** The stores that a block begins with, of values that are something or zero. */
function mergedStores(block: Block): MergedStore[] {
  const found: MergedStore[] = []
  const isHere = (value: Value) => value.kind === 'instruction' && value.block === block
  for (const instruction of block.instructions) {
    if (instruction.op === 'store') {
      const { value, pointer } = instruction
      const address = pointer.kind === 'instruction' && pointer.block === block ? pointer : undefined
      if (address && (address.op !== 'gep' || [address.base, ...address.terms.map(({ index }) => index)].some(isHere)))
        break
      if (pointer.kind !== 'instruction' || pointer.op !== 'gep') break
      if (instruction.volatile || instruction.atomic || (instruction.location && instruction.location.column > 0)) break
      if (value.kind !== 'instruction' || value.op !== 'phi' || !isHere(value) || !edgesOf(value)) break
      found.push({ store: instruction, value, address: address as GepInstruction | undefined })
    } else if (instruction.op === 'load' || mayWrite(instruction)) break
  }
  return found
}

interface Edges {
  readonly branch: Block
  readonly zero: Block
}

/** Where a value of the first branch and the other's zero come from; undefined for other phis. */
function edgesOf({ incoming, block }: PhiInstruction): Edges | undefined {
  if (incoming.length !== 2) return undefined
  const zero = incoming.find(({ value }) => isZero(value))
  const other = incoming.find(from => from !== zero)
  if (!zero || other?.value.kind !== 'instruction' || other.value.block !== other.block) return undefined
  const last = terminatorOf(other.block)
  if (!/^if\.then/.test(other.block.name) || last.op !== 'br' || last.target !== block) return undefined
  return { branch: other.block, zero: zero.block }
}

function isZero(value: Value): boolean {
  return (
    value.kind === 'zero' ||
    (value.kind === 'int' && value.value === 0n) ||
    (value.kind === 'float' && value.bits === 0n)
  )
}

function moveBack(func: Func, block: Block, stores: readonly MergedStore[], { branch, zero }: Edges): void {
  const otherwise: Block = { name: `${block.name}.zero`, instructions: [] }
  for (const { store, value, address } of stores)
    for (const [from, into] of [
      [branch, branch],
      [zero, otherwise],
    ] as const) {
      const stored = value.incoming.find(each => each.block === from)!.value
      const copies: Instruction[] = address
        ? [{ ...address, block: into, terms: address.terms.map(term => ({ ...term })) }]
        : []
      copies.push({ ...store, block: into, value: stored, pointer: copies[0] ?? store.pointer })
      into.instructions.splice(into === branch ? -1 : into.instructions.length, 0, ...copies)
    }
  const location = stores[0]!.store.location
  otherwise.instructions.push({
    kind: 'instruction',
    op: 'br',
    type: VOID,
    name: '',
    block: otherwise,
    location,
    target: block,
  })
  const last = terminatorOf(zero)
  if (last.op === 'br') last.target = otherwise
  else if (last.op === 'condbr') {
    if (last.ifTrue === block) last.ifTrue = otherwise
    else last.ifFalse = otherwise
  } else if (last.op === 'switch') {
    if (last.fallback === block) last.fallback = otherwise
    for (const each of last.cases) if (each.target === block) each.target = otherwise
  }
  for (const phi of phisOf(block)) for (const from of phi.incoming) if (from.block === zero) from.block = otherwise
  const gone = new Set<Instruction>(stores.map(({ store }) => store))
  block.instructions = block.instructions.filter(instruction => !gone.has(instruction))
  const usersOf = users(func)
  block.instructions = block.instructions.filter(
    instruction =>
      usersOf.has(instruction) ||
      !stores.some(({ value, address }) => instruction === value || instruction === address),
  )
  func.blocks.splice(func.blocks.indexOf(block), 0, otherwise)
}
