/**
 * The waits of an average warp, for the time model, and instructions issued. In: a prepared kernel and how often each of
 * its blocks ran. Out: {@link LatencyChain} and a count; both modelled.
 *
 * The longest path through the dependences of a region is taken, with nominal latencies: loads that do not depend on each
 * other overlap, as the machine compiler's scheduling lets them, but none goes before a store that may be to the same memory. A region is a run of blocks, one behind the other, that were
 * executed equally often: short conditional blocks become predicated instructions of one straight line. Barriers, loops and
 * long conditional blocks end it. Regions follow one another without overlap.
 */
import type { KernelProgram } from '../analysis/prepare.ts'
import { isBarrier } from '../analysis/splitBarriers.ts'
import { successors, terminatorOf } from '../ir/graph.ts'
import type { Block, Instruction } from '../ir/ir.ts'
import { operandsOf } from '../ir/operands.ts'
import { branchCosts } from './branchCosts.ts'
import { issueCosts, type WaitClass, waitClass } from './instructionCosts.ts'
import { longestShares } from './longestWarp.ts'
import { MemoryOrder } from './memoryOrder.ts'
import type { LatencyChain } from './time.ts'
import { roundsTogether } from './writtenOutLoops.ts'

/** How long each wait is when paths are compared; the H200's, only the order matters. */
const nominalCycles: Readonly<Record<WaitClass, number>> = {
  none: 0,
  arithmetic: 4,
  globalLoad: 580,
  sharedLoad: 29,
  barrier: 0, // never on a data path: counted apart
}

interface Path {
  readonly cycles: number
  readonly globalWaits: number
  readonly sharedWaits: number
  readonly dependentInstructions: number
}

const nothing: Path = { cycles: 0, globalWaits: 0, sharedWaits: 0, dependentInstructions: 0 }

function extended(path: Path, wait: WaitClass, cost: number): Path {
  const steps = wait === 'arithmetic' ? cost : 0
  return {
    cycles: path.cycles + (wait === 'arithmetic' ? steps * nominalCycles.arithmetic : nominalCycles[wait]),
    globalWaits: path.globalWaits + (wait === 'globalLoad' ? 1 : 0),
    sharedWaits: path.sharedWaits + (wait === 'sharedLoad' ? 1 : 0),
    dependentInstructions: path.dependentInstructions + steps,
  }
}

/** Adds a block to the paths of its region; the longest path so far. */
function extendPaths(
  paths: Map<Instruction, Path>,
  block: Block,
  program: KernelProgram,
  costs: ReadonlyMap<Instruction, number>,
  order: MemoryOrder<Path>,
  start: Path,
): Path {
  let longest = start
  for (const instruction of block.instructions) {
    let before = nothing
    // A phi of a loop header finds its value of the round before unseen, unless rounds stand together: a round starts at 0.
    for (const operand of operandsOf(instruction)) {
      const path = operand.kind === 'instruction' ? paths.get(operand) : undefined
      if (path && path.cycles > before.cycles) before = path
    }
    if (instruction.op === 'load')
      for (const path of order.before(instruction)) if (path.cycles > before.cycles) before = path
    if (instruction.op === 'store') order.store(instruction, before)
    const cost = costs.get(instruction) ?? 0
    const path = extended(before, waitClass(instruction, program, cost), cost)
    paths.set(instruction, path)
    if (path.cycles > longest.cycles) longest = path
  }
  return longest
}

/** Machine instructions up to which a conditional block is predicated rather than jumped over. */
const PREDICATED_INSTRUCTIONS = 14

interface Region {
  readonly blocks: readonly Block[]
  /** Of its first block, in `program.kernel.blocks`. */
  readonly first: number
  readonly executions: number
  /** Of a loop of one block: how many the machine does together. */
  readonly rounds: number
}

/** Warps that leave a loop in its middle are few. */
const ALIKE = 0.85
const areAlike = (before: number, now: number): boolean => now <= before && now >= ALIKE * before

function regionsOf(program: KernelProgram, executions: readonly number[], instructions: readonly number[]): Region[] {
  const { predicatedBy } = branchCosts(program, issueCosts(program))
  const regions: { blocks: Block[]; first: number; executions: number; rounds: number }[] = []
  const loopHeaders = new Set(program.loops.map(({ first }) => first))
  let open = false
  /** No more rounds stand together than there are. */
  const roundsOf = (index: number): number => {
    const block = program.kernel.blocks[index]!
    const together = loopHeaders.has(index) ? roundsTogether(block, instructions[index]!) : 1
    if (together === 1) return 1
    const entered = program.kernel.blocks.reduce((sum, from, at) => {
      const leadsHere = from !== block && successors(terminatorOf(from)).includes(block)
      return leadsHere ? sum + (executions[at] ?? 0) : sum
    }, 0)
    return Math.max(1, Math.min(together, Math.floor((executions[index] ?? 0) / Math.max(1, entered))))
  }
  for (const [index, block] of program.kernel.blocks.entries()) {
    const count = executions[index] ?? 0
    const last = regions.at(-1)
    const together = roundsOf(index)
    const from = predicatedBy.get(block)
    const isPart = from ? last?.blocks.includes(from) : last !== undefined && areAlike(last.executions, count)
    const joins = open && last?.rounds === 1 && isPart && !loopHeaders.has(index)
    if (joins && instructions[index]! <= PREDICATED_INSTRUCTIONS) last.blocks.push(block)
    else regions.push({ blocks: [block], first: index, executions: count, rounds: together })
    open = !block.instructions.some(isBarrier)
  }
  return regions
}

/** Stack pointer, descriptors, parameters from the constant bank: what kernels that use memory have and the IR does not. */
const PROLOGUE_INSTRUCTIONS = 5

/** Machine instructions of each block of `program.kernel`, estimated, in order; predicated ones stand with their condition. */
export function blockInstructions(program: KernelProgram): number[] {
  const costs = issueCosts(program)
  const { terminators, predicatedBy } = branchCosts(program, costs)
  const { blocks } = program.kernel
  const own = (block: Block) =>
    block.instructions.reduce((sum, one) => sum + (terminators.get(one) ?? costs.get(one) ?? 0), 0)
  const prologue = program.sites.length > 0 ? PROLOGUE_INSTRUCTIONS : 1
  const lengths = blocks.map((block, index) => own(block) + (index === 0 ? prologue : 0))
  for (const [block, from] of predicatedBy) {
    const [at, to] = [blocks.indexOf(block), blocks.indexOf(from)]
    lengths[to]! += lengths[at]!
    lengths[at] = 0
  }
  return lengths
}

/**
 * @param executions warp-level executions of each block of `program.kernel`, in order
 * @param warps warps of the launch
 * @param longest what tells the longest warp of a block from the average one, since the block waits for that one: its accesses
 *   over the average warp's, and how many warps a block has; absent, the average warp's waits are told
 */
export function latencyChainOf(
  program: KernelProgram,
  executions: readonly number[],
  warps: number,
  longest: { readonly imbalance: number; readonly warps: number } = { imbalance: 1, warps: 1 },
): LatencyChain {
  let globalWaits = 0
  let sharedWaits = 0
  let barriers = 0
  let dependentInstructions = 0
  const costs = issueCosts(program)
  const regions = regionsOf(program, executions, blockInstructions(program))
  const parts = regions.map(region => ({ ...region, share: region.executions / warps }))
  const shares = longestShares(parts, program, longest.imbalance, longest.warps)
  for (const [index, region] of regions.entries()) {
    const share = shares[index]!
    if (share === 0) continue
    const paths = new Map<Instruction, Path>()
    const order = new MemoryOrder<Path>(program)
    let path = nothing
    for (let round = 0; round < region.rounds; round++)
      for (const block of region.blocks) path = extendPaths(paths, block, program, costs, order, path)
    for (const block of region.blocks)
      barriers += (region.executions / warps) * block.instructions.filter(isBarrier).length
    globalWaits += (share / region.rounds) * path.globalWaits
    sharedWaits += (share / region.rounds) * path.sharedWaits
    dependentInstructions += (share / region.rounds) * path.dependentInstructions
  }
  return { globalWaits, sharedWaits, barriers, dependentInstructions }
}
