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
import type { Block, Instruction } from '../ir/ir.ts'
import { operandsOf } from '../ir/operands.ts'
import { issueCosts, type WaitClass, waitClass } from './instructionCosts.ts'
import { MemoryOrder } from './memoryOrder.ts'
import type { LatencyChain } from './time.ts'

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
    // A phi of a loop header finds its value of the round before unseen: a round starts at 0.
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
  readonly executions: number
}

function regionsOf(program: KernelProgram, executions: readonly number[], instructions: readonly number[]): Region[] {
  const regions: { blocks: Block[]; executions: number }[] = []
  const loopHeaders = new Set(program.loops.map(({ first }) => first))
  let open = false
  for (const [index, block] of program.kernel.blocks.entries()) {
    const count = executions[index] ?? 0
    const last = regions.at(-1)
    const joins = open && last?.executions === count && !loopHeaders.has(index)
    if (joins && instructions[index]! <= PREDICATED_INSTRUCTIONS) last!.blocks.push(block)
    else regions.push({ blocks: [block], executions: count })
    open = !block.instructions.some(isBarrier)
  }
  return regions
}

/** Stack pointer, descriptors, parameters from the constant bank, exit: what every kernel has and the IR does not. */
const PROLOGUE_INSTRUCTIONS = 5

/** Machine instructions of each block of `program.kernel`, estimated, in order. */
export function blockInstructions(program: KernelProgram): number[] {
  const costs = issueCosts(program)
  return program.kernel.blocks.map(({ instructions }, index) =>
    instructions.reduce((sum, one) => sum + (costs.get(one) ?? 0), index === 0 ? PROLOGUE_INSTRUCTIONS : 0),
  )
}

/**
 * @param executions warp-level executions of each block of `program.kernel`, in order
 * @param warps warps of the launch
 */
export function latencyChainOf(program: KernelProgram, executions: readonly number[], warps: number): LatencyChain {
  let globalWaits = 0
  let sharedWaits = 0
  let barriers = 0
  let dependentInstructions = 0
  const costs = issueCosts(program)
  for (const region of regionsOf(program, executions, blockInstructions(program))) {
    const share = region.executions / warps
    if (share === 0) continue
    const paths = new Map<Instruction, Path>()
    const order = new MemoryOrder<Path>(program)
    let path = nothing
    for (const block of region.blocks) {
      path = extendPaths(paths, block, program, costs, order, path)
      barriers += share * block.instructions.filter(isBarrier).length
    }
    globalWaits += share * path.globalWaits
    sharedWaits += share * path.sharedWaits
    dependentInstructions += (region.executions / warps) * path.dependentInstructions
  }
  return { globalWaits, sharedWaits, barriers, dependentInstructions }
}
