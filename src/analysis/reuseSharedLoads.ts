/**
 * Loads of shared memory whose value an earlier block has, with writes to other memories between them. In: a kernel. Out: the same
 * without them. clang's own passes leave out most; they cannot tell dynamic shared memory (`extern __shared__`) from what an
 * argument points to, and nvcc can (PTX of 7 kernels; reading: npb-lu, whose `frct[...] = ... rtmp[...]` in five branches load
 * nothing that the block in front has loaded).
 */
import { dominators, predecessors, reversePostOrder } from '../ir/graph.ts'
import type { Block, Func, Instruction, Value } from '../ir/ir.ts'
import { decomposeLinear } from './address.ts'
import { finalOf, replaceValues } from './blocks.ts'
import { isPlain, KnownValues } from './knownValues.ts'
import { mayWrite } from './memoryEffects.ts'
import { inferSpaces, type PointerSpace } from './spaces.ts'

type SpacesOf = (pointer: Value) => ReadonlySet<PointerSpace>

export function reuseSharedLoads(func: Func): void {
  const spacesOf = inferSpaces(func)
  const isLoad = (instruction: Instruction) => isPlain(instruction) && isOnlyShared(spacesOf(instruction.pointer))
  if (func.blocks.reduce((sum, { instructions }) => sum + instructions.filter(isLoad).length, 0) < 2) return
  const tree = dominators(func)
  const before = predecessors(func)
  const replaced = new Map<Value, Value>()
  const knownAtEnd = new Map<Block, KnownValues>()
  const writing = new Set(
    func.blocks.filter(({ instructions }) => instructions.some(each => mayWriteShared(each, spacesOf))),
  )

  /** What is known where a block begins: what its dominator knew, unless a block between the two writes. */
  const knownAtStart = (block: Block): KnownValues => {
    const dominator = tree.immediate(block)
    const known = dominator && knownAtEnd.get(dominator)
    if (!known) return new KnownValues()
    return isAnyBetween(writing, dominator, block, before) ? known.emptied() : known.copy()
  }

  for (const block of reversePostOrder(func)) {
    const known = knownAtStart(block)
    const kept: Instruction[] = []
    for (const instruction of block.instructions) {
      if (isPlain(instruction) && isLoad(instruction)) {
        const address = decomposeLinear(instruction.pointer, value => finalOf(value, replaced))
        const value = known.find(address, instruction.type)
        if (value) {
          replaced.set(instruction, value)
          continue
        }
        known.add(address, instruction)
      } else if (mayWriteShared(instruction, spacesOf)) {
        if (instruction.op === 'store' && !instruction.volatile && !instruction.atomic) {
          const address = decomposeLinear(instruction.pointer, value => finalOf(value, replaced))
          known.store(address, finalOf(instruction.value, replaced))
        } else known.clear()
      }
      kept.push(instruction)
    }
    block.instructions.splice(0, block.instructions.length, ...kept)
    knownAtEnd.set(block, known)
  }
  replaceValues(func.blocks, replaced)
}

const isOnlyShared = (spaces: ReadonlySet<PointerSpace>): boolean => spaces.size === 1 && spaces.has('shared')

/** Barriers and calls included; a plain access of another memory is none. */
function mayWriteShared(instruction: Instruction, spacesOf: SpacesOf): boolean {
  if (!mayWrite(instruction)) return false
  const isPlainStore = instruction.op === 'store' && !instruction.volatile && !instruction.atomic
  return !isPlainStore || spacesOf(instruction.pointer).has('shared')
}

/** Whether one of the blocks is on a way from the one block to the other; the second is where it is in a loop of them, the first never. */
function isAnyBetween(
  blocks: ReadonlySet<Block>,
  from: Block,
  to: Block,
  before: ReadonlyMap<Block, readonly Block[]>,
): boolean {
  const found = new Set<Block>()
  const pending = [...(before.get(to) ?? [])]
  for (let block = pending.pop(); block; block = pending.pop()) {
    if (block === from || found.has(block)) continue
    if (blocks.has(block)) return true
    found.add(block)
    pending.push(...(before.get(block) ?? []))
  }
  return false
}
