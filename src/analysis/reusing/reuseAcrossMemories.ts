/**
 * Loads of shared memory, and of global, whose value an earlier load has, with writes to other memories between them. In: a kernel.
 * Out: the same without them. clang's own passes leave out most; they cannot tell dynamic shared memory (`extern __shared__`) from
 * what an argument points to, nor atomics and stores of shared memory from writes to what arguments point to, and nvcc can (PTX of 17
 * kernels; readings: npb-lu, whose `frct[...] = ... rtmp[...]` in five branches load nothing that the block in front has loaded;
 * llm-layernorm_backward_2, which adds what it loads to shared sums and uses it again).
 */
import { dominators, predecessors, reversePostOrder } from '../../ir/graph.ts'
import type { Block, Func, Instruction, Value } from '../../ir/ir.ts'
import { type Address, decomposeLinear } from '../facts/address.ts'
import { isPlain, KnownValues } from '../facts/knownValues.ts'
import { isRelaxedAtomic, mayWrite } from '../facts/memoryEffects.ts'
import { inferSpaces, type PointerSpace } from '../facts/spaces.ts'
import { finalOf, isAnyBetween, phisOf, replaceValues } from '../rewriting/blocks.ts'

type SpacesOf = (pointer: Value) => ReadonlySet<PointerSpace>

export function reuseAcrossMemories(func: Func): void {
  reuseOf('shared', func)
  reuseOf('global', func)
}

function reuseOf(memory: 'shared' | 'global', func: Func): void {
  const spacesOf = inferSpaces(func)
  const isLoad = (instruction: Instruction) => isPlain(instruction) && isOnly(memory, spacesOf(instruction.pointer))
  const loads = func.blocks.reduce((sum, { instructions }) => sum + instructions.filter(isLoad).length, 0)
  // Of shared memory a load may also have what was stored.
  if (loads < (memory === 'shared' ? 1 : 2)) return
  const tree = dominators(func)
  const before = predecessors(func)
  const replaced = new Map<Value, Value>()
  const knownAtEnd = new Map<Block, KnownValues>()
  const writesHere = (instruction: Instruction) => mayWriteTo(memory, instruction, spacesOf)
  const writing = new Set(func.blocks.filter(({ instructions }) => instructions.some(writesHere)))
  const writesElsewhere = (instruction: Instruction) => mayWrite(instruction) && !writesHere(instruction)
  const writingElsewhere = new Set(func.blocks.filter(({ instructions }) => instructions.some(writesElsewhere)))

  /** What is known where a block begins: what its dominator knew, unless a block between the two writes. */
  const knownAtStart = (block: Block): KnownValues => {
    const dominator = tree.immediate(block)
    const known = dominator && knownAtEnd.get(dominator)
    if (!known) return new KnownValues()
    return isAnyBetween(writing, dominator, block, before) ? known.emptied() : known.copy()
  }

  /** Phis of what all ways into the block have loaded from one place, and know at their ends: clang moves loads in front of them. */
  const addMeetings = (block: Block, known: KnownValues): void => {
    for (const phi of phisOf(block)) {
      const ways = phi.incoming.map(({ value, block: from }) => {
        const loaded = finalOf(value, replaced)
        if (!(loaded.kind === 'instruction' && isPlain(loaded) && isLoad(loaded))) return undefined
        const address = decomposeLinear(loaded.pointer, each => finalOf(each, replaced))
        return knownAtEnd.get(from)?.find(address, phi.type) === loaded ? address : undefined
      })
      const [address] = ways
      const isSame = (other: Address | undefined) =>
        other?.offset === address?.offset && other && known.keyOf(other) === known.keyOf(address!)
      if (address && ways.every(isSame)) known.add(address, phi)
    }
  }

  /** Loads that nothing was written between are clang's: of global memory it leaves those that nvcc leaves. */
  const isAcross = (earlier: Value, later: Instruction): boolean => {
    if (memory === 'shared') return true
    if (earlier.kind !== 'instruction') return false
    const behind = earlier.block.instructions.slice(earlier.block.instructions.indexOf(earlier))
    if (earlier.block === later.block) return behind.slice(0, behind.indexOf(later)).some(writesElsewhere)
    const { instructions } = later.block
    return (
      behind.some(writesElsewhere) ||
      instructions.slice(0, instructions.indexOf(later)).some(writesElsewhere) ||
      isAnyBetween(writingElsewhere, earlier.block, later.block, before)
    )
  }

  for (const block of reversePostOrder(func)) {
    const known = knownAtStart(block)
    addMeetings(block, known)
    const left = new Set<Instruction>()
    for (const instruction of block.instructions) {
      if (isPlain(instruction) && isLoad(instruction)) {
        const address = decomposeLinear(instruction.pointer, value => finalOf(value, replaced))
        const value = known.find(address, instruction.type)
        if (value && isAcross(value, instruction)) {
          replaced.set(instruction, value)
          left.add(instruction)
          continue
        }
        known.add(address, instruction)
      } else if (writesHere(instruction)) {
        if (instruction.op === 'store' && !instruction.volatile && !instruction.atomic) {
          const address = decomposeLinear(instruction.pointer, value => finalOf(value, replaced))
          if (memory === 'shared') known.store(address, finalOf(instruction.value, replaced))
          else known.overwrite(address, instruction.value.type)
        } else known.clear()
      }
    }
    block.instructions = block.instructions.filter(instruction => !left.has(instruction))
    knownAtEnd.set(block, known)
  }
  replaceValues(func.blocks, replaced)
}

const isOnly = (memory: PointerSpace, spaces: ReadonlySet<PointerSpace>): boolean =>
  spaces.size === 1 && spaces.has(memory)

/** Barriers and calls included; an access of another memory is none. */
function mayWriteTo(memory: PointerSpace, instruction: Instruction, spacesOf: SpacesOf): boolean {
  if (!mayWrite(instruction)) return false
  const isPlainStore = instruction.op === 'store' && !instruction.volatile && !instruction.atomic
  return !(isPlainStore || isRelaxedAtomic(instruction)) || spacesOf(instruction.pointer).has(memory)
}
