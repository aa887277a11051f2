/**
 * Loads whose value is already in a register. In: a kernel, its loops written out four rounds at a time as nvcc writes them.
 * Out: the same without loads that read what the same block stored or loaded before, as the machine compiler leaves them out
 * between the rounds, and without loads that read what the round before loaded (`a[i] * a[i + 1]`), which it keeps over the
 * round in loops that write nothing.
 * Readings: scripts/fidelity/cases/machineCompiler, loopCarried (126 loads in 99 rounds) and loopNeighbour (101 in 100).
 */
import { successors, terminatorOf } from '../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, PhiInstruction, Value } from '../ir/ir.ts'
import { type Address, decomposeLinear } from './address.ts'
import { becomePhi, finalOf, phisOf, replaceValues } from './blocks.ts'
import { load, offsetPointer } from './build.ts'
import { isPlain, KnownValues } from './knownValues.ts'
import { mayWrite } from './memoryEffects.ts'

export function reuseLoads(func: Func): void {
  const replaced = new Map<Value, Value>()
  for (const block of func.blocks) reuseInBlock(block, replaced)
  for (const block of func.blocks) carryOverRounds(func, block, replaced)
  replaceValues(func.blocks, replaced)
}

function reuseInBlock(block: Block, replaced: Map<Value, Value>): void {
  const known = new KnownValues()
  const addressOf = (pointer: Value) => decomposeLinear(pointer, value => finalOf(value, replaced))
  const kept: Instruction[] = []
  for (const instruction of block.instructions) {
    if (isPlain(instruction)) {
      const address = addressOf(instruction.pointer)
      const value = known.find(address, instruction.type)
      if (value) {
        replaced.set(instruction, value)
        continue
      }
      known.add(address, instruction)
    } else if (instruction.op === 'store' && !instruction.volatile && !instruction.atomic) {
      known.store(addressOf(instruction.pointer), instruction.value)
    } else if (mayWrite(instruction)) known.clear()
    kept.push(instruction)
  }
  block.instructions = kept
}

/** Loops of one block that write nothing: what the round before loaded behind this address is kept. */
function carryOverRounds(func: Func, block: Block, replaced: Map<Value, Value>): void {
  if (!successors(terminatorOf(block)).includes(block) || block.instructions.some(mayWrite)) return
  const before = func.blocks.filter(from => from !== block && successors(terminatorOf(from)).includes(block))
  const [entry] = before
  if (!entry || before.length > 1 || successors(terminatorOf(entry)).length > 1) return
  const known = new KnownValues()
  const addressOf = (pointer: Value) => decomposeLinear(pointer, value => finalOf(value, replaced))
  const loads = block.instructions.filter(isPlain)
  for (const instruction of loads) known.add(addressOf(instruction.pointer), instruction)
  for (const instruction of loads) {
    const address = addressOf(instruction.pointer)
    const step = stepOf(address, block, entry)
    if (!step) continue
    const value = known.find({ ...address, offset: address.offset + step.bytes }, instruction.type)
    if (!value || value === instruction) continue
    replaced.set(instruction, keepOverRound(instruction, value, address, { block, entry, start: step.start }))
  }
}

/** How far the address moves in a round, and the counter's first value; undefined where it is not one counter that moves it. */
function stepOf(address: Address, block: Block, entry: Block): { bytes: number; start: Map<Value, Value> } | undefined {
  const start = new Map<Value, Value>()
  let bytes = 0
  for (const phi of phisOf(block)) {
    const scale = address.terms.reduce((sum, term) => (term.index === phi ? sum + term.scale : sum), 0)
    if (scale === 0) continue
    const next = incomingFrom(phi, block)
    const first = incomingFrom(phi, entry)
    if (!first || next?.kind !== 'instruction' || next.op !== 'add' || next.left !== phi || next.right.kind !== 'int')
      return undefined
    bytes += scale * Number(BigInt.asIntN(32, next.right.value))
    start.set(phi, first)
  }
  const isFixed = (value: Value) => value.kind !== 'instruction' || value.block !== block || start.has(value)
  const fixed = address.terms.every(({ index }) => isFixed(index)) && isFixed(address.root)
  return bytes > 0 && fixed ? { bytes, start } : undefined
}

const incomingFrom = (phi: PhiInstruction, from: Block): Value | undefined =>
  phi.incoming.find(({ block }) => block === from)?.value

interface Loop {
  readonly block: Block
  readonly entry: Block
  readonly start: ReadonlyMap<Value, Value>
}

/** The load moves in front of the loop, for the first round; a phi has its value in the others. */
function keepOverRound(
  instruction: LoadInstruction,
  value: Value,
  { root, offset, terms }: Address,
  { block, entry, start }: Loop,
): PhiInstruction {
  const place = { block: entry, location: instruction.location }
  const base = offsetPointer(place, root, offset)
  base.terms = terms.map(({ index, scale }) => ({ index: start.get(index) ?? index, scale }))
  const first = load(place, instruction.type, base, instruction.align)
  entry.instructions.splice(entry.instructions.length - 1, 0, base, first)
  return becomePhi(instruction, [
    { value: first, block: entry },
    { value, block },
  ])
}
