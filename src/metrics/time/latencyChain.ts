/**
 * The waits of an average warp, for the time model, and instructions issued. In: a prepared kernel and how often each of
 * its blocks ran. Out: {@link LatencyChain} and a count; both modelled.
 *
 * The longest path through the dependences of a region is taken (regionPaths.ts). A region is a run of blocks, one behind the
 * other, that were executed equally often: short conditional blocks become predicated instructions of one straight line.
 * Barriers, loops and long conditional blocks end it. Regions follow one another without overlap; to the path come the branch that
 * leads to a region and the jump back from it (latencies.ts).
 */
import { isWithinLookup } from '../../analysis/calls/lookups.ts'
import { clockReadOf, readsClock } from '../../analysis/execution/clockReads.ts'
import { isProgramBarrier } from '../../analysis/execution/splitBarriers.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { type DominatorTree, dominators, predecessors, terminatorOf, users } from '../../ir/graph.ts'
import type { Block, Instruction, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'
import { printMicroseconds } from '../deviceCalls/prints.ts'
import { argumentLoads } from '../instructions/argumentLoads.ts'
import {
  branchCosts,
  PREDICATED_WITH_LOADS,
  PREDICATED_INSTRUCTIONS as PREDICATED_WITHOUT,
} from '../instructions/branchCosts.ts'
import { allIssued, type PartsIssued, partsOfCalls } from '../instructions/callWays.ts'
import { furtherCode } from '../instructions/codeSize.ts'
import { roundsAhead } from '../instructions/convergentLoops.ts'
import { isPrint, issueCosts, PRINT } from '../instructions/instructionCosts.ts'
import {
  BARRIER,
  BRANCH,
  CLOCK_READING,
  coldJump,
  cyclesOfFarFetching,
  cyclesOfFetching,
  FETCH_FIRST,
  JUMP,
  pipeCycles,
  SHORTEST_ROUND,
  STORE,
} from '../instructions/latencies.ts'
import { callCosts, callCycles, callOf } from '../instructions/mathCalls.ts'
import { blockPipes, type NarrowPipes } from '../instructions/narrowPipes.ts'
import { roundsTogether } from '../instructions/writtenOutLoops.ts'
import { estimateRegisters } from '../occupancy/registers.ts'
import { waitsForCopies } from './asyncCopies.ts'
import { BLOCK_FENCE, fenceScope, fenceTrips } from './fences.ts'
import { LoadsInFlight } from './loadsInFlight.ts'
import { ALIKE, isDecidedByThread, type LongestWarp, longestShares } from './longestWarp.ts'
import { type Path, RegionPaths } from './regionPaths.ts'
import type { LatencyChain } from './timeInput.ts'

/** Machine instructions up to which a conditional block is predicated rather than jumped over. */
const PREDICATED_INSTRUCTIONS = 14

/** The same of several of them that hang together (machine code of `stencil_register` of unseen28). */
const MOST_OF_SHORT_WAYS = 16

interface Region {
  readonly blocks: readonly Block[]
  /** Of its first block, in `program.kernel.blocks`. */
  readonly first: number
  readonly executions: number
  /** Of a loop of one block: how many the machine does together. */
  readonly rounds: number
}

const areAlike = (before: number, now: number): boolean => now <= before && now >= ALIKE * before

/** A kernel and how often each block ran. */
interface Runs {
  readonly program: KernelProgram
  readonly executions: ReadonlyMap<Block, number>
  readonly comingTo: ReadonlyMap<Block, readonly Block[]>
  /** Instructions of all blocks in front of one, of those that lanes came to. */
  readonly issuedBefore: readonly number[]
  /** Likewise, of each block. */
  readonly pipes: readonly NarrowPipes[]
}

function regionsOf(
  { program, executions, comingTo }: Runs,
  predicatedBy: ReadonlyMap<Block, Block>,
  instructions: readonly number[],
): Region[] {
  const regions: { blocks: Block[]; first: number; executions: number; rounds: number }[] = []
  const loopHeaders = new Set(program.loops.map(({ first }) => first))
  let open = false
  /** No more rounds stand together than there are. */
  const roundsOf = (index: number): number => {
    const block = program.kernel.blocks[index]!
    const together = loopHeaders.has(index) ? roundsTogether(block, instructions[index]!) : 1
    if (together === 1) return 1
    const from = new Set(comingTo.get(block)!.filter(other => other !== block))
    const entered = [...from].reduce((sum, other) => sum + executions.get(other)!, 0)
    return Math.max(1, Math.min(together, Math.floor(executions.get(block)! / Math.max(1, entered))))
  }
  const { blocks } = program.kernel
  const isShort = (index: number): boolean => {
    const isGlobalLoad = (one: Instruction) => one.op === 'load' && program.siteIds.get(one)?.global !== undefined
    const most = blocks[index]!.instructions.some(isGlobalLoad) ? PREDICATED_WITH_LOADS : PREDICATED_WITHOUT
    return instructions[index]! <= most
  }
  /** One of several conditional blocks that hang together (`if (a || b) if (c)`), all of them so short that none is jumped over. */
  const isOfShortWays = (index: number, { blocks: within, executions: times }: Region): boolean => {
    if (executions.get(blocks[index]!) === 0) return false
    if (!comingTo.get(blocks[index]!)!.every(other => within.includes(other))) return false
    let length = 0
    for (let at = index; at < blocks.length; at++) {
      if (at > index && areAlike(times, executions.get(blocks[at]!)!)) return true
      length += instructions[at]!
      if (length > MOST_OF_SHORT_WAYS || !isShort(at) || loopHeaders.has(at)) return false
    }
    return false
  }
  /** Whether nobody jumps to a block: who comes there has gone by the region's last blocks, one behind the other or under a predicate. */
  const isStraightOn = (block: Block, within: readonly Block[]): boolean => {
    const from = comingTo.get(block)!
    const predicated = from.filter(other => predicatedBy.has(other))
    const isPassed = (other: Block) =>
      predicated.includes(other) ||
      predicated.some(one => predicatedBy.get(one) === other) ||
      (from.length === 1 && terminatorOf(other).op === 'br')
    return from.every(other => within.includes(other) && isPassed(other))
  }
  for (const [index, block] of program.kernel.blocks.entries()) {
    const count = executions.get(block)!
    const last = regions.at(-1)
    const together = roundsOf(index)
    const from = predicatedBy.get(block)
    const isOneWay = isBehindLookup(block, comingTo)
    const isPart = from ? last?.blocks.includes(from) : last !== undefined && areAlike(last.executions, count)
    const isWay = open && last !== undefined && isOfShortWays(index, last)
    const joins = open && last?.rounds === 1 && (isOneWay || ((isPart || isWay) && !loopHeaders.has(index)))
    const isShortEnough = instructions[index]! <= PREDICATED_INSTRUCTIONS || isStraightOn(block, last?.blocks ?? [])
    if (joins && (isOneWay || isShortEnough)) last.blocks.push(block)
    else regions.push({ blocks: [block], first: index, executions: count, rounds: together })
    open = !block.instructions.some(isProgramBarrier) && !partsWays(block) && !clockReadOf(block)
  }
  return regions
}

/**
 * Where a switch leads to three places or more, ptxas has branches and moves no load in front of them (machine code of 31 loops with switches
 * and chains of comparisons; of three comparisons that count in variables, not in an array, it makes straight code, which LLVM here does not tell).
 */
const FEWEST_WAYS = 3

function partsWays(block: Block): boolean {
  const last = terminatorOf(block)
  return (
    last.op === 'switch' && !isWithinLookup(last) && new Set(last.cases.map(({ target }) => target)).size >= FEWEST_WAYS
  )
}

/** Part of a lookup, or what comes behind one: its ways are the texture unit's, of which each warp goes one. */
function isBehindLookup(block: Block, comingTo: Runs['comingTo']): boolean {
  if (block.instructions.every(isWithinLookup)) return true
  const from = comingTo.get(block)!
  return from.length > 0 && from.every(other => isWithinLookup(terminatorOf(other)))
}

/** Stack pointer, descriptors, the first number from the constant bank: what kernels that use memory have and the IR does not, but for their pointers. */
const PROLOGUE_INSTRUCTIONS = 3

/**
 * Machine instructions of each block of `program.kernel`, estimated, in order; predicated ones stand with their condition.
 * @param parts of calls that are issued, as `partsOfCalls` has them
 */
export function blockInstructions(program: KernelProgram, parts: PartsIssued = allIssued): number[] {
  const costs = issueCosts(program)
  const { terminators, predicatedBy } = branchCosts(program, costs)
  const { blocks } = program.kernel
  const own = (block: Block) => {
    const partsHere = parts.get(block)
    const partOf = ({ location }: Instruction) => (location && partsHere?.get(location)) ?? 1
    return block.instructions.reduce((sum, one) => sum + partOf(one) * (terminators.get(one) ?? costs.get(one) ?? 0), 0)
  }
  const prologue = program.sites.length > 0 ? PROLOGUE_INSTRUCTIONS : 1
  const pointers = argumentLoads(program)
  const lengths = blocks.map((block, index) => own(block) + (pointers.get(block) ?? 0) + (index === 0 ? prologue : 0))
  for (const [block, from] of predicatedBy) {
    const [at, to] = [blocks.indexOf(block), blocks.indexOf(from)]
    lengths[to]! += lengths[at]!
    lengths[at] = 0
  }
  return lengths
}

interface Known {
  readonly costs: ReadonlyMap<Instruction, number>
  readonly predicatedBy: ReadonlyMap<Block, Block>
  readonly usersOf: ReturnType<typeof users>
  readonly comingTo: ReadonlyMap<Block, readonly Block[]>
  readonly registers: number
  readonly lengths: readonly number[]
  /** Of all blocks in front of one, without what printf takes elsewhere. */
  readonly lengthsBefore: readonly number[]
  /** Likewise of the code that stands there, executed or not. */
  readonly codeBefore: readonly number[]
  readonly ahead: ReturnType<typeof roundsAhead>
  readonly tree: DominatorTree
}

const known = new WeakMap<KernelProgram, Known>()

/** What does not depend on how often blocks ran, once a kernel. */
function knownOf(program: KernelProgram): Known {
  const before = known.get(program)
  if (before) return before
  const lengths = blockInstructions(program)
  const costs = issueCosts(program)
  const ownLengths = withoutPrints(program, lengths)
  const further = furtherCode(program.kernel)
  const found: Known = {
    costs,
    predicatedBy: branchCosts(program, costs).predicatedBy,
    usersOf: users(program.kernel),
    comingTo: predecessors(program.kernel),
    registers: estimateRegisters(program),
    lengths,
    lengthsBefore: sumsBefore(ownLengths),
    codeBefore: sumsBefore(ownLengths.map((length, at) => length + further[at]!)),
    ahead: roundsAhead(program, lengths),
    tree: dominators(program.kernel),
  }
  known.set(program, found)
  return found
}

function issuedIn(program: KernelProgram, executions: readonly number[]): Pick<Runs, 'issuedBefore' | 'pipes'> {
  const parts = partsOfCalls(program, executions)
  const { lengthsBefore } = knownOf(program)
  const pipes = blockPipes(program, parts)
  if (parts.size === 0) return { issuedBefore: lengthsBefore, pipes }
  return { issuedBefore: sumsBefore(withoutPrints(program, blockInstructions(program, parts))), pipes }
}

const withoutPrints = ({ kernel }: KernelProgram, lengths: readonly number[]): number[] =>
  kernel.blocks.map(({ instructions }, at) => lengths[at]! - PRINT * instructions.filter(isPrint).length)

function sumsBefore(numbers: readonly number[]): number[] {
  let sum = 0
  return [0, ...numbers.map(number => (sum += number))]
}

/** For a block that is executed under a predicate, the one with its condition. */
export const predicatedBlocks = (program: KernelProgram): ReadonlyMap<Block, Block> => knownOf(program).predicatedBy

/**
 * @param executions warp-level executions of each block of `program.kernel`, in order
 * @param warps warps of the launch
 * @param longest what tells the longest warp of a block from the average one, since the block waits for that one: its accesses
 *   over the average warp's, the work of its loops likewise, and how many warps a block has; absent, the average warp's waits are told
 */
export function latencyChainOf(
  program: KernelProgram,
  executions: readonly number[],
  warps: number,
  longest: LongestWarp = { imbalance: 1, warps: 1 },
): LatencyChain {
  let globalWaits = 0
  let [lookups, lookupCycles] = [0, 0]
  let sharedWaits = 0
  let barriers = 0
  let l2Trips = 0
  let [prints, printUs] = [0, 0]
  let cycles = 0
  let coldCycles = 0
  /** Instructions since the last region that a warp came to. */
  let skipped = 0
  const { costs, predicatedBy, lengths, lengthsBefore, ahead, comingTo } = knownOf(program)
  const wholeCalls = callCosts(program.kernel, costs, executions)
  const lengthOf = ({ first, last }: BlockRange) => lengthsBefore[last + 1]! - lengthsBefore[first]!
  const runs: Runs = {
    program,
    executions: new Map(program.kernel.blocks.map((block, at) => [block, executions[at] ?? 0])),
    comingTo,
    ...issuedIn(program, executions),
  }
  const regions = regionsOf(runs, predicatedBy, lengths)
  const parts = regions.map(region => ({ ...region, share: region.executions / warps }))
  /** Warps of a block among which one can be the one for which a condition on thread numbers holds. */
  const sharers = Math.max(1, longest.warps / longest.imbalance)
  const { workingBlocks = 1 } = longest
  const shareOfBlocks = new Map([...runs.executions].map(([block, times]) => [block, times / warps]))
  const longestOnes = longestShares(parts, shareOfBlocks, program, longest)
  const waiting = longest.isAverage ? inFrontOfBarriers(program.kernel.blocks, comingTo) : undefined
  const goesItsOwnWay = (block: Block): boolean => waiting !== undefined && !waiting.has(block)
  const shares = parts.map(({ blocks: [block], share }, at) => (goesItsOwnWay(block!) ? share : longestOnes[at]!))
  for (const [index, region] of regions.entries()) {
    const share = shares[index]!
    const own = { first: region.first, last: region.first + region.blocks.length - 1 }
    if (share === 0) {
      skipped += lengthOf(own)
      continue
    }
    const calls = callCycles(region.blocks, costs, wholeCalls)
    const shareOf = (block: Block) => {
      const average = runs.executions.get(block)! / region.executions
      if (goesItsOwnWay(block)) return Math.min(1, average)
      if (!isDecidedByThread(program, block)) return Math.min(1, average)
      return Math.min(average > workingBlocks ? 1 : workingBlocks, average * sharers)
    }
    const { path, flow, busy, issued, fetching: far, furtherWaits } = onceThrough(runs, region, calls, shareOf)
    for (const block of region.blocks)
      barriers += (region.executions / warps) * block.instructions.filter(isProgramBarrier).length
    const times = share / region.rounds
    globalWaits += (times * (path.globalWaits + furtherWaits)) / ahead(region.blocks)
    lookups += times * path.lookups
    lookupCycles += times * path.lookupCycles
    sharedWaits += times * path.sharedWaits
    l2Trips += times * path.l2Trips
    const all = region.blocks.flatMap(block => block.instructions)
    cycles += times * (path.dependentCycles + Math.max(0, busy - path.cycles) + far + flow)
    const fetching = Math.max(busy, FETCH_FIRST * issued)
    coldCycles += Math.min(1, times) * (coldJump(skipped) + Math.max(0, fetching - Math.max(busy, path.cycles)))
    skipped = 0
    const fences = all.map(fenceScope)
    l2Trips += share * fences.reduce((sum, scope) => sum + fenceTrips(scope), 0)
    cycles += share * BLOCK_FENCE * fences.filter(scope => scope === 'block').length
    globalWaits += share * all.reduce((sum, one) => sum + waitsForCopies(one), 0)
    const printed = all.filter(isPrint)
    prints += Math.max(1, share) * printed.length
    printUs += Math.max(1, share) * printed.reduce((sum, call) => sum + printMicroseconds(call), 0)
  }
  return {
    globalWaits,
    lookups,
    lookupCycles,
    sharedWaits,
    barriers,
    l2Trips,
    prints,
    printUs,
    dependentCycles: cycles,
    coldCycles,
  }
}

/** The blocks from which a warp comes to a barrier of its block, still or again. */
function inFrontOfBarriers(blocks: readonly Block[], comingTo: Runs['comingTo']): ReadonlySet<Block> {
  const found = new Set(blocks.filter(({ instructions }) => instructions.some(isProgramBarrier)))
  for (const block of found) for (const before of comingTo.get(block)!) found.add(before)
  return found
}

/** What a warp waits for each time that it comes to a block, with those that stand in one line with it; cycles of an H200. */
export interface BlockWaits {
  readonly globalWaits: number
  readonly sharedWaits: number
  readonly l2Trips: number
  readonly dependentCycles: number
  /** Cycles that a partition of a multiprocessor takes for it. */
  readonly issue: number
}

const NO_WAITS: BlockWaits = { globalWaits: 0, sharedWaits: 0, l2Trips: 0, dependentCycles: 0, issue: 0 }

/** Cycles from an instruction of a partition to its next, where it has warps enough (own: `clocks.cu`, `chains` of two to eight warps each). */
const SLOT = 1.06

/** Rounds that loops are taken to have, where nobody knows them yet. */
const ROUNDS = 32

/** Cycles from one reading of the clock to the next, at least (own: `clocks.cu`, `empty64`). */
const READING = 2

/**
 * The waits of each block of `program.kernel`, in order, for those who count one warp's passages (warpClocks.ts): those of a region stand
 * with its first block. A reading of the clock does not wait for what was begun before it: that wait comes with the block behind.
 */
export function waitsOfBlocks(program: KernelProgram): readonly BlockWaits[] {
  const { costs, predicatedBy, lengths, comingTo } = knownOf(program)
  const { blocks } = program.kernel
  const executions = blocks.map((_, at) =>
    program.loops.reduce((times, { first, last }) => (first <= at && at <= last ? times * ROUNDS : times), 1),
  )
  const runs: Runs = {
    program,
    executions: new Map(blocks.map((block, at) => [block, executions[at]!])),
    comingTo,
    ...issuedIn(program, executions),
  }
  const wholeCalls = callCosts(program.kernel, costs, executions)
  const waits = blocks.map(() => NO_WAITS)
  let owed = NO_WAITS
  for (const region of regionsOf(runs, predicatedBy, lengths)) {
    const calls = callCycles(region.blocks, costs, wholeCalls)
    const { path, begun, flow, busy, issued, fetching, pipes, furtherWaits } = onceThrough(runs, region, calls, () => 1)
    const isRead = region.blocks.some(block => clockReadOf(block) !== undefined)
    const until = isRead ? begun : path
    const fences = region.blocks.flatMap(({ instructions }) => instructions.map(fenceScope))
    const blockFences = fences.filter(scope => scope === 'block').length
    const each = 1 / region.rounds
    waits[region.first] = {
      globalWaits: owed.globalWaits + each * (until.globalWaits + furtherWaits),
      sharedWaits: owed.sharedWaits + each * until.sharedWaits,
      l2Trips: owed.l2Trips + each * until.l2Trips + fences.reduce((sum, scope) => sum + fenceTrips(scope), 0),
      dependentCycles: Math.max(
        isRead ? READING : 0,
        owed.dependentCycles +
          each * (until.dependentCycles + Math.max(0, busy - path.cycles) + fetching + flow) +
          BLOCK_FENCE * blockFences,
      ),
      issue: each * Math.max(SLOT * issued, pipes),
    }
    owed = !isRead
      ? NO_WAITS
      : {
          globalWaits: path.globalWaits - begun.globalWaits,
          sharedWaits: path.sharedWaits - begun.sharedWaits,
          l2Trips: path.l2Trips - begun.l2Trips,
          dependentCycles: path.dependentCycles - begun.dependentCycles,
          issue: 0,
        }
  }
  return waits
}

/** What a warp does in one passage of a region, all of its rounds. */
interface Passage {
  readonly path: Path
  /** Of the path, what is over when the last instruction begins. */
  readonly begun: Path
  /** Cycles of {@link flowCycles}. */
  readonly flow: number
  /** Cycles in which it issues, one warp alone. */
  readonly busy: number
  /** Machine instructions. */
  readonly issued: number
  /** Cycles for which nothing is issued, since code is on its way from L2. */
  readonly fetching: number
  /** Cycles that pipes narrower than a warp take. */
  readonly pipes: number
  /** Waits for loads beyond those of the path (loadsInFlight.ts). */
  readonly furtherWaits: number
}

function onceThrough(
  runs: Runs,
  region: Region,
  calls: ReturnType<typeof callCycles>,
  shareOf: (block: Block) => number,
): Passage {
  const { program, comingTo, issuedBefore } = runs
  const { costs, usersOf, registers, codeBefore, tree } = knownOf(program)
  const loads = new LoadsInFlight(registers)
  const paths = new RegionPaths(program, costs, usersOf, calls, loads, shareOf, { comingTo, tree })
  paths.add(region.blocks, region.rounds)
  const path = paths.longest
  const own = { first: region.first, last: region.first + region.blocks.length - 1 }
  const issued = region.rounds * (issuedBefore[own.last + 1]! - issuedBefore[own.first]!)
  const around = comingBackTo(program, own)
  const code = codeBefore[around.last + 1]! - codeBefore[around.first]!
  const all = region.blocks.flatMap(block => block.instructions)
  const stores =
    region.rounds * all.filter(one => program.siteIds.get(one)?.global !== undefined && one.op === 'store').length
  const pipesOf = (_: Block, at: number) => pipeCycles(runs.pipes[region.first + at]!)
  const pipes = region.rounds * region.blocks.map(pipesOf).reduce((sum, each) => sum + each, 0)
  return {
    path,
    begun: paths.begun,
    flow:
      flowCycles(runs, region, region.first === 0, path.cycles) + (usesReading(region, comingTo) ? CLOCK_READING : 0),
    busy: Math.max(cyclesOfFetching(code) * issued, STORE * stores, pipes),
    issued,
    fetching: cyclesOfFarFetching(code) * issued,
    pipes,
    furtherWaits: loads.furtherWaits,
  }
}

/** Whether it begins with what a reading of the clock just gave. */
function usesReading({ blocks }: Region, comingTo: Runs['comingTo']): boolean {
  const readings = new Set(comingTo.get(blocks[0]!)!.map(clockReadOf))
  const isReading = (value: Value) => value.kind === 'instruction' && readings.has(value)
  return blocks[0]!.instructions.some(one => !readsClock(one) && operandsOf(one).some(isReading))
}

interface BlockRange {
  readonly first: number
  readonly last: number
}

/** The code that a warp goes through before it comes there again: the innermost loop, or all of the kernel. */
function comingBackTo({ loops, kernel }: KernelProgram, { first, last }: BlockRange): BlockRange {
  const around = loops.findLast(loop => loop.first <= first && last <= loop.last)
  return around ?? { first: 0, last: kernel.blocks.length - 1 }
}

/** What a region takes beside its longest path: the branch that leads to it, the jump back from it. */
function flowCycles({ program, executions, comingTo }: Runs, region: Region, isFirst: boolean, path: number): number {
  const [begin] = region.blocks
  const last = region.first + region.blocks.length - 1
  const isWithin = (block: number) => block >= region.first && block <= last
  const loop = program.loops.find(({ last: end }) => isWithin(end))
  const barriers = region.blocks.reduce(
    (sum, { instructions }) => sum + instructions.filter(isProgramBarrier).length,
    0,
  )
  const back = !loop ? 0 : isWithin(loop.first) ? Math.max(JUMP, SHORTEST_ROUND - path - barriers * BARRIER) : JUMP
  const isHeader = program.loops.some(({ first }) => first === region.first)
  const comingFrom = [...new Set(comingTo.get(begin!))]
  if (isWithinCall(begin!, comingFrom) || isBehindLookup(begin!, comingTo)) return 0
  if (isFirst || isHeader || comingFrom.length === 0) return back
  const isChosen = comingFrom.every(from => region.executions < ALIKE * executions.get(from)!)
  const isBehindBranch = comingFrom.every(from => terminatorOf(from).op === 'condbr')
  return back + (isChosen || isBehindBranch ? BRANCH : comingFrom.length > 1 ? JUMP : 0)
}

/** Whether a call of mathematics goes on there: it has its own cycles, branches and all. */
function isWithinCall({ instructions }: Block, comingFrom: readonly Block[]): boolean {
  const callsOf = (some: readonly Instruction[]) => some.flatMap(one => callOf(one) ?? [])
  const calls = new Set(callsOf(instructions))
  return calls.size > 0 && comingFrom.some(from => callsOf(from.instructions).some(call => calls.has(call)))
}
