/**
 * What a loop reads from shared memory again in each of its rounds and nothing in it writes: nvcc loads it in front of the loop, before
 * it writes the loop out four rounds at a time, so that both loops have it of one load (PTX of 26 kernels; test/cases/machine_shared_apart.cu).
 * LLVM moves some only afterwards, which it knows to be apart from global memory when functions have been inlined, and then to
 * each of the two loops. In: a kernel with LLVM's names (`….epil`, `….prol`: the remaining rounds). Out: one load in front of both.
 */
import { type DominatorTree, dominators, operandsOf, predecessors, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, Value } from '../../ir/ir.ts'
import { addressKey, decomposeLinear, valueNumbering } from '../facts/address.ts'
import { isPlain, isSameType } from '../facts/knownValues.ts'
import { mayWrite } from '../facts/memoryEffects.ts'
import { isRemaining } from '../facts/roundNames.ts'
import { inferSpaces, type PointerSpace } from '../facts/spaces.ts'
import { isAnyBetween, madeIn, moveToEnd, replaceValues } from '../rewriting/blocks.ts'

type SpacesOf = (pointer: Value) => ReadonlySet<PointerSpace>

export function loadForBothLoops(func: Func): void {
  const remaining = func.blocks.filter(isRemaining)
  if (remaining.length === 0) return
  const spacesOf = inferSpaces(func)
  const tree = dominators(func)
  const before = predecessors(func)
  const writing = new Set(
    func.blocks.filter(({ instructions }) => instructions.some(each => mayWriteShared(each, spacesOf))),
  )
  const idOf = valueNumbering()
  const keyOf = (load: LoadInstruction): string => {
    const address = decomposeLinear(load.pointer, value => value)
    return `${addressKey(address, idOf)} + ${address.offset}`
  }
  const loadsOf = (block: Block): LoadInstruction[] => {
    const end = block.instructions.findIndex(each => mayWriteShared(each, spacesOf))
    const loads = block.instructions.slice(0, end < 0 ? undefined : end).filter(isPlain)
    return loads.filter(({ pointer }) => isShared(pointer, spacesOf))
  }
  const byKey = new Map<string, LoadInstruction[]>()
  for (const load of func.blocks.flatMap(loadsOf)) byKey.set(keyOf(load), [...(byKey.get(keyOf(load)) ?? []), load])
  const replaced = new Map<Value, Value>()
  for (const rest of remaining)
    for (const load of loadsOf(rest)) {
      const found = byKey.get(keyOf(load))!.find(same => {
        const { block } = same
        if (replaced.has(same) || block === rest || !isSameType(same.type, load.type)) return false
        const head = headOf(block, rest, tree)
        return (
          head !== undefined &&
          [block, rest].every(end => !isAnyBetween(writing, head, end, before)) &&
          moveTo(head, same, tree)
        )
      })
      if (!found) continue
      replaced.set(load, found)
      rest.instructions.splice(rest.instructions.indexOf(load), 1)
    }
  replaceValues(func.blocks, replaced)
}

const isShared = (pointer: Value, spacesOf: SpacesOf): boolean => {
  const spaces = spacesOf(pointer)
  return spaces.size === 1 && spaces.has('shared')
}

/** Of a store through a pointer that may lead elsewhere, too, LLVM knew more when it moved the loads. */
const mayWriteShared = (instruction: Instruction, spacesOf: SpacesOf): boolean =>
  mayWrite(instruction) && (!('pointer' in instruction) || isShared(instruction.pointer, spacesOf))

/** The block that leads to one of the two and has to be passed on the way to the other. */
function headOf(main: Block, rest: Block, tree: DominatorTree): Block | undefined {
  let head = tree.immediate(rest)
  while (head && !tree.dominates(head, main)) head = tree.immediate(head)
  const next = head && successors(terminatorOf(head))
  return next && head !== main && (next.includes(main) || next.includes(rest)) ? head : undefined
}

/** False where the address is not known there. */
function moveTo(head: Block, load: LoadInstruction, tree: DominatorTree): boolean {
  const address = madeIn(load.block, load.pointer)
  const isThere = (value: Value) => value.kind !== 'instruction' || tree.dominates(value.block, head)
  const moved = new Set<Value>(address)
  const isComplete = [load, ...(address ?? [])].every(each =>
    operandsOf(each).every(value => moved.has(value) || isThere(value)),
  )
  if (!address || !isComplete) return false
  for (const each of [...address, load]) moveToEnd(head, each)
  return true
}
