/**
 * The longest path through the dependences of a straight run of blocks. In: its blocks one after the other, what their
 * instructions cost. Out: what a warp waits for on that path, one after the other.
 *
 * Loads that do not depend on each other overlap, as the machine compiler's scheduling lets them, but none goes before a store or an atomic
 * that may be to the same memory, nor before a quotient, a root or a function that branches on the machine: a load that stands
 * behind one in the program waits for all that it waits for.
 */
import { lookupOf } from '../../analysis/calls/lookups.ts'
import { readsClock } from '../../analysis/execution/clockReads.ts'
import { hasBranches } from '../../analysis/facts/machineBranches.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { type DominatorTree, terminatorOf, type users } from '../../ir/graph.ts'
import type { Block, Instruction, Location } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'
import { isAtomic } from '../certainty/fromAtomics.ts'
import { type WaitClass, waitClass } from '../instructions/instructionCosts.ts'
import { fusedOperand } from '../instructions/joinedInstructions.ts'
import { ALU, dependentCycles } from '../instructions/latencies.ts'
import { callOf } from '../instructions/mathCalls.ts'
import { machineCall } from '../instructions/mathCosts.ts'
import { matrixCostOf } from '../instructions/matrixCosts.ts'
import { type FragmentAccess, FragmentPaths, fragmentAccess } from './fragmentPaths.ts'
import type { LoadsInFlight } from './loadsInFlight.ts'
import { MemoryOrder } from './memoryOrder.ts'

/** How long each wait is when paths are compared; the H200's, only the order matters. */
const nominalCycles = { globalLoad: 580, lookup: 650, sharedLoad: 29, atomic: 560 } as const

const isOfMemory = (wait: WaitClass): wait is keyof typeof nominalCycles => wait in nominalCycles

export interface Path {
  readonly cycles: number
  readonly globalWaits: number
  /** Of these, for the texture unit, and the cycles that it takes for them. */
  readonly lookups: number
  readonly lookupCycles: number
  readonly sharedWaits: number
  readonly l2Trips: number
  /** Without those of the waits for memory. */
  readonly dependentCycles: number
  /** The function of mathematics that it ends in; all of its cycles are in. */
  readonly call?: Location
}

export const noPath: Path = {
  cycles: 0,
  globalWaits: 0,
  lookups: 0,
  lookupCycles: 0,
  sharedWaits: 0,
  l2Trips: 0,
  dependentCycles: 0,
}

/**
 * @param own cycles of the instruction, where it does not wait for memory; of a lookup those of the texture unit
 * @param share of the times that a warp comes by, those in which it does wait
 */
function extended(path: Path, wait: WaitClass, own: number, share: number, call: Location | undefined): Path {
  const memory = isOfMemory(wait) ? share * nominalCycles[wait] : 0
  return {
    cycles: path.cycles + memory + own,
    globalWaits: path.globalWaits + (wait === 'globalLoad' || wait === 'lookup' ? share : 0),
    lookups: path.lookups + (wait === 'lookup' ? share : 0),
    lookupCycles: path.lookupCycles + (wait === 'lookup' ? share * own : 0),
    sharedWaits: path.sharedWaits + (wait === 'sharedLoad' ? share : 0),
    l2Trips: path.l2Trips + (wait === 'atomic' ? share : 0),
    dependentCycles: path.dependentCycles + (wait === 'lookup' ? 0 : own),
    ...(call && { call }),
  }
}

const longer = (a: Path, b: Path | undefined): Path => (b && b.cycles > a.cycles ? b : a)

/** Of all of the kernel. */
export interface Ways {
  readonly comingTo: ReadonlyMap<Block, readonly Block[]>
  readonly tree: DominatorTree
}

export class RegionPaths {
  private readonly program: KernelProgram
  private readonly costs: ReadonlyMap<Instruction, number>
  private readonly usersOf: ReturnType<typeof users>
  private readonly calls: ReadonlyMap<Location, number>
  private readonly loads: LoadsInFlight
  private readonly shareOf: (block: Block) => number
  private readonly ways: Ways
  private readonly order: MemoryOrder<Path>
  private readonly fragments = new FragmentPaths<Path>(longer)
  private readonly paths = new Map<Instruction, Path>()
  longest = noPath
  /** To the end of the last operation that nothing was moved across, and of what stands before it. */
  private parting = noPath
  /** To where the last instruction so far could begin. */
  begun = noPath
  /** To where a warp knows that it comes to a block: conditions that its predicate is made of. */
  private readonly known = new Map<Block, Path>()
  /** To the end of each call of this round: its instructions may stand among those of others. */
  private readonly ends = new Map<Location, Path>()

  /**
   * @param costs machine instructions of each instruction
   * @param calls cycles that the region has of each call of a function of mathematics
   * @param loads is told each load from global memory
   * @param shareOf of the times that a warp comes by a block, those in which its predicate holds: 0 to 1
   * @param ways by which a warp comes to a block
   */
  constructor(
    program: KernelProgram,
    costs: ReadonlyMap<Instruction, number>,
    usersOf: ReturnType<typeof users>,
    calls: ReadonlyMap<Location, number>,
    loads: LoadsInFlight,
    shareOf: (block: Block) => number,
    ways: Ways,
  ) {
    this.program = program
    this.costs = costs
    this.usersOf = usersOf
    this.calls = calls
    this.loads = loads
    this.shareOf = shareOf
    this.ways = ways
    this.order = new MemoryOrder<Path>(program, longer)
  }

  /** The region's blocks, one behind the other; `rounds` times, for a loop whose rounds stand together. */
  add(blocks: readonly Block[], rounds: number): void {
    const last = new Map<Location, Instruction>()
    for (const { instructions } of blocks)
      for (const instruction of instructions) {
        const call = callOf(instruction)
        if (call) last.set(call, instruction)
      }
    for (let round = 0; round < rounds; round++) {
      this.ends.clear()
      this.order.round = round
      for (const block of blocks) {
        this.known.set(block, this.conditionsOf(block))
        this.addBlock(block, last)
      }
    }
  }

  /** The condition of the branch that leads to a block alone; where ways meet, those of the block where they part. */
  private conditionsOf(block: Block): Path {
    const from = this.ways.comingTo.get(block)!.filter(other => other !== block && this.known.has(other))
    const [only] = from
    if (only === undefined) return noPath
    if (from.length > 1) return this.known.get(this.ways.tree.immediate(block)!) ?? noPath
    const conditions = operandsOf(terminatorOf(only)).map(value =>
      value.kind === 'instruction' ? this.paths.get(value) : undefined,
    )
    return conditions.reduce<Path>(longer, this.known.get(only)!)
  }

  private addBlock(block: Block, lastOfCalls: ReadonlyMap<Location, Instruction>): void {
    const share = this.shareOf(block)
    for (const instruction of block.instructions) {
      const path = this.pathOf(instruction, share)
      this.paths.set(instruction, path)
      // Nobody waits for a reading that is not used.
      if (!readsClock(instruction)) this.longest = longer(this.longest, path)
      const call = callOf(instruction)
      const parts = call
        ? branches(call) && lastOfCalls.get(call) === instruction
        : hasBranches(instruction) && (this.costs.get(instruction) ?? 0) > 0
      if (parts) this.parting = longer(longer(this.parting, path), this.begun)
    }
  }

  private pathOf(instruction: Instruction, share: number): Path {
    const { program, order } = this
    const cost = this.costs.get(instruction) ?? 0
    let before = this.operandPath(instruction, cost)
    const call = callOf(instruction)
    if (call) {
      this.begun = longer(this.begun, before)
      return this.pathInCall(call, before)
    }
    before = longer(before, this.parting)
    const fragments = fragmentAccess(instruction)
    if (fragments) return this.pathInFragments(instruction, fragments, before)
    const isWrite = instruction.op === 'store' || isAtomic(instruction)
    // Under a predicate: nobody loads or stores before it is known.
    if (instruction.op === 'load' || isWrite) before = longer(before, this.known.get(instruction.block))
    if (instruction.op === 'load') before = order.before(before, instruction)
    if (isWrite) order.write(instruction, before)
    this.begun = longer(this.begun, before)
    const wait = waitClass(instruction, program, cost, (this.usersOf.get(instruction) ?? []).length > 0)
    const own = wait === 'arithmetic' ? dependentCycles(instruction, cost) : (lookupOf(instruction)?.cycles ?? 0)
    const path = extended(before, wait, own, share, undefined)
    if (instruction.op === 'load' && wait === 'globalLoad') this.loads.add(instruction, path.globalWaits)
    return path
  }

  /**
   * A phi of a loop header finds its value of the round before unseen, unless rounds stand together: a round starts at 0. What a product
   * takes along waits for the product's instruction.
   */
  private operandPath(instruction: Instruction, cost: number): Path {
    const product = cost <= 1 ? fusedOperand(instruction, this.usersOf) : undefined
    let before = noPath
    for (const operand of operandsOf(instruction)) {
      const path = operand.kind === 'instruction' ? this.paths.get(operand) : undefined
      before = longer(
        before,
        path && product && operand !== product ? extended(path, 'arithmetic', ALU, 1, undefined) : path,
      )
    }
    return before
  }

  /** A product of matrices, or what only a register holds on the machine. */
  private pathInFragments(instruction: Instruction, access: FragmentAccess, from: Path): Path {
    const before = this.fragments.before(from, access)
    this.begun = longer(this.begun, before)
    const { latency = 0 } = matrixCostOf(instruction) ?? {}
    const path = latency > 0 ? extended(before, 'arithmetic', latency, 1, undefined) : before
    this.fragments.write(access, path)
    return path
  }

  /** A call is one step, which begins when all that it needs is there, and those before it that branch have ended. */
  private pathInCall(call: Location, before: Path): Path {
    const known = this.ends.get(call)
    if (known && before.call === call) return longer(known, before)
    let start = before
    if (!known) {
      start = longer(start, this.parting)
      for (const [other, end] of this.ends) if (branches(other)) start = longer(start, end)
    }
    const path = longer(extended(start, 'none', this.calls.get(call)!, 1, call), known)
    this.ends.set(call, path)
    return path
  }
}

const branches = (call: Location): boolean => machineCall(call.library)!.hasBranches
