/**
 * How long the values of a region keep their locals: a value that only its own block reads until its last reader was emitted,
 * any other until the last block, in scheduling order, in which it is live; loops that it lives into keep it to their end. A
 * phi has its locals from the first block that writes it.
 */
import { phisOf } from '../analysis/blocks.ts'
import { isBarrier } from '../analysis/splitBarriers.ts'
import { operandsOf, terminatorOf } from '../ir/graph.ts'
import type { Block, Instruction, PhiInstruction, Value } from '../ir/ir.ts'
import type { BarrierRegion } from './barrierRegions.ts'

export class Lifetimes {
  private readonly endings = new Map<Block, Instruction[]>()
  private readonly beginnings = new Map<Block, PhiInstruction[]>()
  private readonly usersOf: (value: Value) => readonly Instruction[]
  private readonly positions: ReadonlyMap<Block, number>
  /** Readers of a block's own value that were not emitted yet. */
  private readonly waiting = new Map<Value, Set<Instruction>>()

  constructor(
    region: BarrierRegion,
    allBlocks: readonly Block[],
    live: ReadonlyMap<Block, ReadonlySet<Instruction>>,
    usersOf: (value: Value) => readonly Instruction[],
  ) {
    this.usersOf = usersOf
    this.positions = new Map(region.blocks.map((block, position) => [block, position]))
    const end = new Map<Instruction, number>()
    const begin = new Map<Value, number>()
    for (const phi of region.blocks.flatMap(phisOf)) {
      const places = [phi.block, ...phi.incoming.map(({ block }) => block)].flatMap(
        block => this.positions.get(block) ?? [],
      )
      begin.set(phi, Math.min(...places))
      end.set(phi, Math.max(...places))
      add(this.beginnings, region.blocks[Math.min(...places)]!, phi)
    }
    const keep = (value: Value, position: number): void => {
      if (value.kind === 'instruction') end.set(value, Math.max(position, end.get(value) ?? 0))
    }
    const loops = region.loops.map(({ first, last }) => ({
      first: this.positions.get(allBlocks[first]!)!,
      last: this.positions.get(allBlocks[last]!)!,
    }))
    region.blocks.forEach((block, position) => {
      const needed = new Set<Value>(live.get(block))
      for (const instruction of block.instructions) {
        if (instruction.op !== 'phi') for (const value of operandsOf(instruction)) needed.add(value)
        if (isBarrier(instruction)) for (const value of region.saved.get(instruction) ?? []) needed.add(value)
        if (instruction.op === 'phi' || usersOf(instruction).some(({ op }) => op === 'phi')) needed.add(instruction)
      }
      // Phis of blocks behind read here what they become.
      for (const value of live.get(block) ?? [])
        for (const user of usersOf(value)) if (user.op === 'phi') needed.add(value)
      const around = loops.filter(({ first, last }) => first <= position && position <= last)
      for (const value of needed) {
        keep(value, position)
        if (value.kind !== 'instruction') continue
        const made = begin.get(value) ?? this.positions.get(value.block) ?? -1
        for (const { first, last } of around) if (made < first || made > last) keep(value, last)
      }
    })
    for (const [value, position] of end) {
      if (!this.isOfItsBlock(value)) add(this.endings, region.blocks[position]!, value)
    }
  }

  /** Read by nothing but instructions of its own block that are emitted in order; phis are written in other blocks. */
  private isOfItsBlock(value: Instruction): boolean {
    if (value.op === 'phi') return false
    return this.usersOf(value).every(
      user => user.block === value.block && user.op !== 'phi' && !isBarrier(user) && user !== terminatorOf(value.block),
    )
  }

  /** The values that nobody reads any more when this instruction has been emitted. */
  afterInstruction(instruction: Instruction): readonly Instruction[] {
    const done: Instruction[] = []
    if (this.usersOf(instruction).length === 0) done.push(instruction)
    for (const value of new Set(operandsOf(instruction))) {
      if (value.kind !== 'instruction' || !this.positions.has(value.block) || !this.isOfItsBlock(value)) continue
      const rest = this.waiting.get(value) ?? new Set(this.usersOf(value))
      this.waiting.set(value, rest)
      rest.delete(instruction)
      if (rest.size === 0) done.push(value)
    }
    return done
  }

  /** The phis that the block is the first to write, or to read. */
  beforeBlock(block: Block): readonly PhiInstruction[] {
    return this.beginnings.get(block) ?? []
  }

  afterBlock(block: Block): readonly Instruction[] {
    return this.endings.get(block) ?? []
  }
}

function add<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
