/**
 * Kernels whose warps provably always wait at the same barrier are compiled region by region: the code between two barriers,
 * run by one warp of the block after the other. Which barrier comes next is then one number for the whole block, and a warp
 * keeps only what its next region reads. The order of execution is that of warps in turns (barriers.ts).
 */
import { liveIn } from '../../analysis/execution/liveness.ts'
import type { BlockLoop } from '../../analysis/execution/orderBlocks.ts'
import { barrierOf, isBarrier } from '../../analysis/execution/splitBarriers.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { operandsOf, postDominators, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, CallInstruction, Instruction } from '../../ir/ir.ts'
import { branchCondition, findThreadDependent } from '../values/blockUniform.ts'
import { reachableFrom } from './suspensionPlan.ts'

/** What one warp runs from the start of the kernel, or from behind a barrier, to the next barriers or the end. */
export interface BarrierRegion {
  /** The barrier that it begins behind; undefined for the kernel's start. */
  readonly after: CallInstruction | undefined
  readonly start: Block
  /** In scheduling order, from `start` on; blocks that end in a barrier are the last of their way. */
  readonly blocks: readonly Block[]
  /** Loops of the program that lie in the region wholly. */
  readonly loops: readonly BlockLoop[]
  /** Values of earlier regions that this one needs: kept by them, or made again (recomputed.ts). */
  readonly restored: readonly Instruction[]
  /** For each barrier where the region may end: the values that it leaves to later regions. */
  readonly saved: ReadonlyMap<CallInstruction, readonly Instruction[]>
}

export interface AlignedRegions {
  /** The first begins the kernel. */
  readonly regions: readonly BarrierRegion[]
  /** Threads can end while others go on to a barrier. */
  readonly mayEndEarly: boolean
}

/** A kernel without barriers. */
export function wholeKernel({ kernel, loops }: KernelProgram): BarrierRegion {
  const [start] = kernel.blocks
  return { after: undefined, start: start!, blocks: kernel.blocks, loops, restored: [], saved: new Map() }
}

/** Regions together may hold this many times the kernel's instructions, or as many as are no trouble for any kernel. */
const MOST_COPIES = 3
const ALWAYS_FINE = 2000

/** Undefined where warps may wait at different barriers, or where the regions' order would not be the kernel's. */
export function findBarrierRegions(
  program: KernelProgram,
  isHoisted: (instruction: Instruction) => boolean,
  isRecomputed: (instruction: Instruction) => boolean,
): AlignedRegions | undefined {
  const { kernel } = program
  const holders = kernel.blocks.filter(block => barrierOf(block) !== undefined)
  const alignment = alignmentOf(program, new Set(holders))
  if (!alignment) return undefined
  const live = liveIn(kernel)
  const starts: [CallInstruction | undefined, Block][] = [
    [undefined, kernel.blocks[0]!],
    ...holders.map((block): [CallInstruction, Block] => [barrierOf(block)!, successors(terminatorOf(block))[0]!]),
  ]
  const regions: BarrierRegion[] = []
  for (const [after, start] of starts) {
    const region = regionFrom(program, after, start, live, isHoisted, isRecomputed)
    if (!region) return undefined
    regions.push(region)
  }
  const count = (blocks: readonly Block[]): number => blocks.reduce((sum, block) => sum + block.instructions.length, 0)
  const all = regions.reduce((sum, { blocks }) => sum + count(blocks), 0)
  if (all > Math.max(ALWAYS_FINE, MOST_COPIES * count(kernel.blocks))) return undefined
  return { regions, mayEndEarly: alignment.mayEndEarly }
}

/**
 * Threads part only where no way leads to a barrier before they meet again, or where those that go one way end without
 * another barrier.
 */
function alignmentOf(
  program: KernelProgram,
  holders: ReadonlySet<Block>,
): Pick<AlignedRegions, 'mayEndEarly'> | undefined {
  const { kernel } = program
  const depends = findThreadDependent(program)
  const tree = postDominators(kernel)
  let mayEndEarly = false
  for (const block of kernel.blocks) {
    const condition = branchCondition(block)
    if (!condition || !depends(condition)) continue
    const ways = [...new Set(successors(terminatorOf(block)))]
    const meeting = tree.immediate(block)
    const waiting = ways.filter(way => reachableFrom(way, meeting, holders).size > 0)
    if (waiting.length === 0) continue
    const others = ways.filter(way => !waiting.includes(way))
    if (waiting.length > 1 || others.some(way => reachableFrom(way, undefined, holders).size > 0)) return undefined
    mayEndEarly = true
  }
  return { mayEndEarly }
}

function regionFrom(
  program: KernelProgram,
  after: CallInstruction | undefined,
  start: Block,
  live: ReadonlyMap<Block, ReadonlySet<Instruction>>,
  isHoisted: (instruction: Instruction) => boolean,
  isRecomputed: (instruction: Instruction) => boolean,
): BarrierRegion | undefined {
  const { kernel } = program
  const position = new Map(kernel.blocks.map((block, index) => [block, index]))
  const members = reachRegion(start)
  const loops = program.loops.filter(({ first, last }) => {
    const body = kernel.blocks.slice(first, last + 1)
    return body.every(block => members.has(block) && !barrierOf(block))
  })
  const key = walkOrder(position.get(start)!, program.loops)
  const blocks = [...members].sort((a, b) => key(position.get(a)!) - key(position.get(b)!))
  const rank = new Map(blocks.map((block, index) => [block, index]))
  for (const block of blocks) {
    if (barrierOf(block)) continue
    for (const next of successors(terminatorOf(block))) {
      if (rank.get(next)! > rank.get(block)!) continue
      const at = position.get(block)!
      if (!loops.some(({ first, last }) => first === position.get(next) && first <= at && at <= last)) return undefined
    }
  }
  return { after, start, blocks, loops, ...findKept(blocks, after, start, live, isHoisted, isRecomputed) }
}

function reachRegion(start: Block): ReadonlySet<Block> {
  const members = new Set<Block>()
  const stack = [start]
  for (let block = stack.pop(); block; block = stack.pop()) {
    if (members.has(block)) continue
    members.add(block)
    if (!barrierOf(block)) stack.push(...successors(terminatorOf(block)))
  }
  return members
}

/**
 * The order in which a warp that goes on at block `start` walks the blocks (nextBlock of orderBlocks.ts): the rest of the
 * innermost loop around it, that loop again from its first block, the rest of the next loop, and so on.
 */
function walkOrder(start: number, loops: readonly BlockLoop[]): (block: number) => number {
  const around = loops.filter(({ first, last }) => first <= start && start <= last).reverse()
  const most = 1 << 20
  return block => {
    for (const [depth, { first, last }] of around.entries())
      if (first <= block && block <= last) return (2 * depth + (block < start ? 1 : 0)) * most + block
    return 2 * around.length * most + block
  }
}

function findKept(
  blocks: readonly Block[],
  after: CallInstruction | undefined,
  start: Block,
  live: ReadonlyMap<Block, ReadonlySet<Instruction>>,
  isHoisted: (instruction: Instruction) => boolean,
  isRecomputed: (instruction: Instruction) => boolean,
): Pick<BarrierRegion, 'restored' | 'saved'> {
  const members = new Set(blocks)
  const made = new Set<Instruction>(after ? [after] : [])
  const read = new Set<unknown>()
  for (const block of blocks)
    for (const instruction of block.instructions) {
      if (!isBarrier(instruction)) made.add(instruction)
      if (instruction.op !== 'phi') for (const value of operandsOf(instruction)) read.add(value)
      else for (const { block: from, value } of instruction.incoming) if (members.has(from)) read.add(value)
    }
  const saved = new Map<CallInstruction, readonly Instruction[]>()
  const passedOn = new Set<Instruction>()
  for (const block of blocks) {
    const barrier = barrierOf(block)
    if (!barrier) continue
    const later = live.get(successors(terminatorOf(block))[0]!)!
    const kept = [...later].filter(
      value => value !== barrier && made.has(value) && !isHoisted(value) && !isRecomputed(value),
    )
    saved.set(barrier, kept)
    for (const value of kept) passedOn.add(value)
  }
  const restored = [...live.get(start)!].filter(
    value => value !== after && !isHoisted(value) && (read.has(value) || passedOn.has(value)),
  )
  return { restored, saved }
}
