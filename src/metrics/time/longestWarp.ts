/**
 * How often the longest warp of a block runs each part of a kernel; a block lives as long as that warp. In: how often the
 * average warp runs it (counted), how uneven the accesses of a block's warps are (from the sample), how many warps it has.
 * Out: runs of the longest warp, an estimate.
 *
 * Counters tell of the average warp only. Two things tell more: what the accesses of the sample's warps show, and a condition
 * on thread numbers alone (`if (threadIdx.x < stride)`), by which the same warp goes in every time, or one for it.
 */
import { workOfRound } from '../../analysis/execution/roundWork.ts'
import { isProgramBarrier } from '../../analysis/execution/splitBarriers.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { calledName, isFromOutside, predecessors, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'

/** Blocks of a kernel that were run equally often, one behind the other. */
export interface Part {
  readonly blocks: readonly Block[]
  /** Of its first block, in `program.kernel.blocks`. */
  readonly first: number
  /** Of the average warp. */
  readonly share: number
}

export type Loop = KernelProgram['loops'][number]

/** Of a block, by its number in `program.kernel.blocks`. */
type Place = Pick<Part, 'first'>

export const isIn = ({ first }: Place, loop: Loop): boolean => first >= loop.first && first <= loop.last

const smallest = (around: readonly Loop[]): Loop | undefined =>
  [...around].sort((a, b) => a.last - a.first - (b.last - b.first))[0]

/** The smallest of the loops around it. */
export const innermost = ({ loops }: KernelProgram, place: Place): Loop | undefined =>
  smallest(loops.filter(loop => isIn(place, loop)))

/** The innermost of the loops that a loop is in. */
const loopAround = ({ loops }: KernelProgram, { first, last }: Loop): Loop | undefined =>
  smallest(loops.filter(loop => loop.first <= first && last <= loop.last && loop.last - loop.first > last - first))

/** Warps that leave something in its middle are few. */
export const ALIKE = 0.85

/** Whether the same warps come to a loop in every round of the one around it: what keeps the others away stays as it is. */
function isEnteredAlike(
  { kernel }: KernelProgram,
  loop: Loop,
  outer: Loop,
  shareOf: ReadonlyMap<Block, number>,
  comingTo: ReadonlyMap<Block, readonly Block[]>,
): boolean {
  const within = new Set(kernel.blocks.slice(outer.first, outer.last + 1))
  const own = new Set(kernel.blocks.slice(loop.first, loop.last + 1))
  const share = (block: Block) => shareOf.get(block) ?? 0
  const often = share(kernel.blocks[outer.first]!)
  const outside = (block: Block) => comingTo.get(block)!.filter(from => !own.has(from))
  let [block, ...others] = outside(kernel.blocks[loop.first]!)
  while (block && others.length === 0 && within.has(block)) {
    if (share(block) >= ALIKE * often) return true
    const next = outside(block)
    const [before] = next
    if (before && share(block) < ALIKE * share(before)) {
      const last = terminatorOf(before)
      if (last.op !== 'condbr' || !isInvariant(last.condition, within)) return false
    }
    ;[block, ...others] = next
  }
  return false
}

/** Whether a condition is found before a loop of these blocks and stays; of conditions that are joined, whether one of them is. */
function isInvariant(condition: Value, within: ReadonlySet<Block>): boolean {
  if (condition.kind !== 'instruction') return false // a constant, or an argument: it keeps no warp away from the others
  const isOutside = (value: Value) => isFromOutside(value, within)
  if (isOutside(condition)) return true
  if (['and', 'or', 'select'].includes(condition.op) && condition.type.kind === 'int' && condition.type.bits === 1)
    return operandsOf(condition).some(operand => isInvariant(operand, within))
  return condition.op === 'icmp' && operandsOf(condition).every(isOutside)
}

/** Global and local memory: what the sample shows. */
function hasAccess({ blocks }: Part, { siteIds }: KernelProgram): boolean {
  return blocks.some(({ instructions }) =>
    instructions.some(instruction => {
      const sites = siteIds.get(instruction)
      return sites?.global !== undefined || sites?.local !== undefined
    }),
  )
}

/** Whether a value comes from memory, so that nobody knows which warps agree about it. */
export function isData(value: Value, seen = new Set<Value>()): boolean {
  if (value.kind !== 'instruction' || seen.has(value)) return false
  seen.add(value)
  switch (value.op) {
    case 'load':
    case 'atomicrmw':
    case 'cmpxchg':
      return true
    case 'call':
      if (value.callee.kind !== 'function' || !isArithmetic(value.callee.name)) return true
  }
  return operandsOf(value).some(operand => isData(operand, seen))
}

/** Of what is called: reads registers, or no more than its arguments (`llvm.smax`). */
const isArithmetic = (name: string) => name.startsWith('llvm.nvvm.read.ptx.sreg') || /^llvm\.(?!nvvm|mem)/.test(name)

/** Whether thread numbers, arguments and counters decide who comes to a block. */
export function isDecidedByThread(program: KernelProgram, block: Block): boolean {
  return program.kernel.blocks.every(from => {
    const last = terminatorOf(from)
    return !successors(last).includes(block) || last.op !== 'condbr' || !isData(last.condition)
  })
}

/** Whether a value can differ within a block: it comes from the thread's number, from memory, from other lanes, or from the way there. */
function tellsThreadsApart(value: Value, seen = new Set<Value>()): boolean {
  if (value.kind !== 'instruction' || seen.has(value)) return false
  seen.add(value)
  if (['load', 'atomicrmw', 'cmpxchg', 'phi'].includes(value.op)) return true
  if (value.op === 'call' && !isOfBlock(calledName(value) ?? '')) return true
  return operandsOf(value).some(operand => tellsThreadsApart(operand, seen))
}

/** Whether all warps of a block go round a loop equally often: its counter and its bounds come from arguments, constants, the block's number. */
function hasRoundsOfBlock({ kernel }: KernelProgram, { first, last }: Loop): boolean {
  const headers = new Set([kernel.blocks[first]!])
  const within = new Set(kernel.blocks.slice(first, last + 1))
  return [...within].every(block => {
    const end = terminatorOf(block)
    if (successors(end).every(next => within.has(next))) return true
    return end.op === 'condbr' && isOfBlockIn(end.condition, headers)
  })
}

function isOfBlockIn(value: Value, headers: ReadonlySet<Block>, seen = new Set<Value>()): boolean {
  if (value.kind !== 'instruction' || seen.has(value)) return true
  seen.add(value)
  if (value.op === 'phi' ? !headers.has(value.block) : ['load', 'atomicrmw', 'cmpxchg'].includes(value.op)) return false
  if (value.op === 'call' && !isOfBlock(calledName(value) ?? '')) return false
  return operandsOf(value).every(operand => isOfBlockIn(operand, headers, seen))
}

/** Of what is called: the block's number and the sizes, or no more than its arguments. */
const isOfBlock = (name: string) => isArithmetic(name) && !/\.sreg\.(?:tid|laneid|warpid|lanemask)/.test(name)

/**
 * How many times as often as the average one a warp can come to a loop that few enter: conditions that are one for a block keep whole
 * blocks away, and tell none of its warps apart.
 * @param entered how often the average warp comes in
 * @param often how often it comes by what is around the loop
 */
function entriesOfFew(
  inside: ReadonlySet<Block>,
  entering: readonly Block[],
  entered: number,
  often: number,
  shareOf: ReadonlyMap<Block, number>,
  comingTo: ReadonlyMap<Block, readonly Block[]>,
): number {
  const share = (block: Block) => shareOf.get(block) ?? 0
  const [only, ...others] = entering
  const passed = new Set<Block>(inside)
  let times = 1
  let now = entered
  let block = others.length === 0 ? only : undefined
  while (block && now < often && !passed.has(block)) {
    passed.add(block)
    // What is passed on the way may be a loop by itself, whose rounds keep nobody away.
    const came = Math.min(share(block), often)
    if (came > now) {
      const last = terminatorOf(block)
      const isOfAll = last.op === 'condbr' && !tellsThreadsApart(last.condition)
      if (!isOfAll) times *= came / now
      now = came
    }
    const [before, ...further] = new Set(comingTo.get(block)!.filter(from => !passed.has(from)))
    block = further.length === 0 ? before : undefined
  }
  return now < often ? (times * often) / now : times
}

/**
 * The blocks of a loop, those from which warps come in, and how often the average warp does: as often as it leaves, where a condition right in
 * front of the loop keeps warps away and nobody else comes to what is behind it.
 */
function entryTo(
  { blocks }: KernelProgram['kernel'],
  { first, last }: Loop,
  shareOf: ReadonlyMap<Block, number>,
  comingTo: ReadonlyMap<Block, readonly Block[]>,
): { inside: ReadonlySet<Block>; entering: readonly Block[]; entered: number } {
  const inside = new Set(blocks.slice(first, last + 1))
  const entering = comingTo.get(blocks[first]!)!.filter(from => !inside.has(from))
  const share = (some: Iterable<Block>) => [...some].reduce((sum, block) => sum + (shareOf.get(block) ?? 0), 0)
  const behind = new Set(
    [...inside].flatMap(block => successors(terminatorOf(block))).filter(next => !inside.has(next)),
  )
  const isBehindLoopOnly = [...behind].every(next => comingTo.get(next)!.every(from => inside.has(from)))
  const entered = isBehindLoopOnly ? Math.min(share(entering), share(behind)) : share(entering)
  return { inside, entering, entered }
}

/** A block's longest warp beside its average one. */
export interface LongestWarp {
  /** Accesses of the one over those of the other. */
  readonly imbalance: number
  /** Likewise what the rounds of loops after the first take (codegen/counting/loopWork.ts); absent where nobody has watched. */
  readonly loops?: number
  /** Of a block. */
  readonly warps: number
  /** Share of the grid's blocks that access memory: what only some warps come to, and these blocks alone, no other block has; absent: all. */
  readonly workingBlocks?: number
  /** That an average warp is meant, which waits for the longest one at barriers and has its own runs behind the last; absent: the longest one. */
  readonly isAverage?: boolean
}

/**
 * @param shareOf runs of each block by the average warp
 * @returns for each part the longest warp's runs
 */
export function longestShares(
  parts: readonly Part[],
  shareOf: ReadonlyMap<Block, number>,
  program: KernelProgram,
  { imbalance, loops: unevenLoops = 1, warps, workingBlocks = 1 }: LongestWarp,
): number[] {
  const { kernel } = program

  const comingTo = predecessors(kernel)
  /** How often the average block has what some warps come to, at most, over how often the average warp comes. */
  const mostInBlock = (comers: number): number =>
    comers === 0 || comers > workingBlocks ? warps : Math.min(warps, Math.max(1, workingBlocks / comers))

  const rounds = new Map<Loop, number>()
  /** Rounds of the longest of the warps that come to the loop at all. */
  const roundsOf = (loop: Loop): number => {
    const before = rounds.get(loop)
    if (before !== undefined) return before
    const header = kernel.blocks[loop.first]!
    const share = shareOf.get(header) ?? 0
    const outer = loopAround(program, loop)
    const often = outer ? (shareOf.get(kernel.blocks[outer.first]!) ?? 0) : 1
    const { inside, entering, entered } = entryTo(kernel, loop, shareOf, comingTo)
    const areFew = entered > 0 && entered < often && (!outer || isEnteredAlike(program, loop, outer, shareOf, comingTo))
    const ofOuter = outer && often > 0 ? roundsOf(outer) / often : 1
    const times = areFew ? entriesOfFew(inside, entering, entered, often, shareOf, comingTo) : 1
    const found = share * Math.min(ofOuter * times, outer ? warps : mostInBlock(entered))
    rounds.set(loop, found)
    return found
  }

  /** What the longest of the warps that come to the loop has more of it than the average warp of a block. */
  const ofFew = (loop: Loop): number => {
    const share = shareOf.get(kernel.blocks[loop.first]!) ?? 0
    return share > 0 ? roundsOf(loop) / share : 1
  }

  /** Rounds each time that a warp comes to the loop, where all of a block go round as often; undefined where they need not. */
  const roundsOfAll = (loop: Loop): number | undefined => {
    if (!hasRoundsOfBlock(program, loop)) return undefined
    const { entered } = entryTo(kernel, loop, shareOf, comingTo)
    return entered === 0 ? 1 : (shareOf.get(kernel.blocks[loop.first]!) ?? 0) / entered
  }
  const ofAll = new Map(program.loops.map(loop => [loop, roundsOfAll(loop)]))

  const estimates = parts.map(part => {
    const { share } = part
    const loop = innermost(program, part)
    const most = Math.max(share, loop ? roundsOf(loop) : share > workingBlocks ? 1 : workingBlocks)
    const ofComers = loop ? share * ofFew(loop) : share
    const byThread = isDecidedByThread(program, part.blocks[0]!) ? Math.min(most, share * warps) : ofComers
    const around = loop ? parts.filter(other => isIn(other, loop)) : [part]
    const accesses = Math.max(0, ...around.filter(other => hasAccess(other, program)).map(other => other.share))
    const measured = imbalance * Math.min(share, accesses)
    const times = program.loops.filter(other => isIn(part, other)).map(other => ofAll.get(other))
    // One that no warp goes round has none, and its product with one of unknown rounds is no number.
    const ofOne = times.includes(undefined)
      ? Number.POSITIVE_INFINITY
      : times.reduce((product: number, each) => product * each!, 1)
    return Math.max(byThread, Math.min(Math.max(most, ofOne), measured))
  })

  return withUnevenLoops(parts, estimates, shareOf, program, comingTo, {
    uneven: unevenLoops,
    isOpen: loop => ofAll.get(loop) === undefined,
  })
}

/**
 * The estimates, and what is missing in them of the rounds that the longest warp was seen to go: in loops whose rounds can differ within
 * a block. Loops around barriers, which all go round alike, nobody has watched.
 */
function withUnevenLoops(
  parts: readonly Part[],
  estimates: readonly number[],
  shareOf: ReadonlyMap<Block, number>,
  program: KernelProgram,
  comingTo: ReadonlyMap<Block, readonly Block[]>,
  { uneven, isOpen }: { readonly uneven: number; readonly isOpen: (loop: Loop) => boolean },
): number[] {
  const { kernel, loops } = program
  /** Of the average warp: the part of its rounds that are not first ones, their work, and that of the longest warp as it is estimated. */
  const watched = loops.flatMap(loop => {
    const at = parts.findIndex(({ first, blocks }) => first <= loop.first && loop.first < first + blocks.length)
    const share = shareOf.get(kernel.blocks[loop.first]!) ?? 0
    const { inside, entered } = entryTo(kernel, loop, shareOf, comingTo)
    if (at < 0 || share === 0 || [...inside].some(({ instructions }) => instructions.some(isProgramBarrier))) return []
    const further = Math.max(0, share - entered) / share
    const round = workOfRound(kernel.blocks, loop, loops)
    return [{ loop, further, work: share * further * round, estimated: estimates[at]! * further * round }]
  })
  const open = watched.filter(({ loop }) => isOpen(loop))
  const workOf = (of: typeof watched) => of.reduce((sum, { work }) => sum + work, 0)
  const missing = uneven * workOf(watched) - watched.reduce((sum, { estimated }) => sum + estimated, 0)
  if (missing <= 0 || workOf(open) === 0) return [...estimates]
  const more = new Map(open.map(({ loop, further }) => [loop, (further * missing) / workOf(open)]))
  return parts.map((part, at) => {
    const loop = innermost(program, part)
    return estimates[at]! + part.share * ((loop && more.get(loop)) ?? 0)
  })
}
