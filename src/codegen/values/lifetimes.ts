/**
 * How long the values of a region keep their locals: a value that only its own block reads until its last reader was emitted,
 * any other until the last block, in scheduling order, in which it is live; loops that it lives into keep it to their end. Phis
 * have theirs from the first block that writes them.
 */
import { isBarrier } from '../../analysis/execution/splitBarriers.ts'
import { phisOf } from '../../analysis/rewriting/blocks.ts'
import { operandsOf, terminatorOf } from '../../ir/graph.ts'
import type { Block, Instruction, PhiInstruction, Value } from '../../ir/ir.ts'
import { entryOf } from '../entryOf.ts'
import type { BarrierRegion } from '../flow/barrierRegions.ts'

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
        for (const user of usersOf(instruction)) if (user.op === 'phi') needed.add(instruction)
      }
      // Phis of blocks behind read here what they become.
      for (const value of live.get(block) ?? [])
        for (const user of usersOf(value)) if (user.op === 'phi') needed.add(value)
      const around = loops.filter(({ first, last }) => first <= position && position <= last)
      for (const value of needed) {
        keep(value, position)
        if (value.kind !== 'instruction') continue
        const made = this.positions.get(value.block) ?? -1
        for (const { first, last } of around) if (made < first || made > last) keep(value, last)
      }
    })
    for (const [position, block] of region.blocks.entries())
      for (const phi of phisOf(block)) {
        const span = spanOfArrivals(
          position,
          phi.incoming.flatMap(({ block: from }) => this.positions.get(from) ?? []),
          loops,
        )
        keep(phi, span.last)
        entryOf(this.beginnings, region.blocks[span.first]!, (): PhiInstruction[] => []).push(phi)
      }
    for (const [value, position] of end)
      if (!this.isOfItsBlock(value))
        entryOf(this.endings, region.blocks[position]!, (): Instruction[] => []).push(value)
  }

  /** Phis that this block, or one of a loop that begins with it, is the first to write. */
  beforeBlock(block: Block): readonly PhiInstruction[] {
    return this.beginnings.get(block) ?? []
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

  afterBlock(block: Block): readonly Instruction[] {
    return this.endings.get(block) ?? []
  }
}

/** Positions of blocks in scheduling order, both inclusive. */
export interface Span {
  readonly first: number
  readonly last: number
}

/**
 * While what lanes bring to a block is kept, by the positions that they come from: lanes that leave a loop wait behind it while
 * others repeat it, and those that go back to its first block have passed its last before they arrive.
 */
export function spanOfArrivals(position: number, from: readonly number[], loops: readonly Span[]): Span {
  let [first, last] = [Math.min(position, ...from), position]
  for (const loop of loops) {
    const comesFromInside = from.some(at => loop.first <= at && at <= loop.last)
    if (!comesFromInside) continue
    if (position === loop.first) last = Math.max(last, loop.last)
    else if (position < loop.first || position > loop.last) first = Math.min(first, loop.first)
  }
  return { first, last }
}
