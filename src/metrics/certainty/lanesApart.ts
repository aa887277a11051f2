/**
 * Blocks that lanes of a warp may run apart on the machine although the executors let them meet there. In: a prepared kernel. Out:
 * those blocks. ptxas lets lanes wait for each other where all ways out of a branch meet, and at one place before at most (machine
 * code of 35 kernels: BSSY, BSYNC, BREAK). They do not wait, so how many of them run together depends on when they come:
 *
 * - behind a loop that is left on several ways, before all of these meet: `for (...) if (a[i] == x) { found[n] = i; break; }` stores once
 *   for each round in which lanes find something (reading: hec-mr, whose requests and instructions differ); where the loop's last block
 *   alone leads they wait;
 * - where some ways out of a branch meet before others of them do (reading: generatingTriangles of hec-marchingCubes).
 */
import { isWarpUniform } from '../../analysis/facts/warpUniform.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { dominators, predecessors, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block } from '../../ir/ir.ts'

export function blocksApart({ kernel, loops }: KernelProgram): ReadonlySet<Block> {
  const { blocks } = kernel
  const position = new Map(blocks.map((block, index) => [block, index]))
  const onwards = (block: Block) =>
    successors(terminatorOf(block)).filter(to => position.get(to)! > position.get(block)!)
  const before = predecessors(kernel)
  const apart = new Set<Block>()
  for (const { first, last } of loops)
    for (const block of behindLoop(blocks.slice(first, last + 1), onwards, before)) apart.add(block)
  const tree = dominators(kernel)
  const early = new Map<Block, Block[]>()
  for (const block of blocks) {
    const from = before.get(block)!.filter(each => position.get(each)! < position.get(block)!)
    const branch = from.length > 1 ? tree.immediate(block) : undefined
    if (!branch || !isDivergent(branch) || isEnd(block) || !passesBy(branch, block, onwards)) continue
    early.set(branch, [...(early.get(branch) ?? []), block])
  }
  for (const meetings of early.values())
    for (const meeting of meetings.slice(0, -1))
      for (const block of blocks) if (tree.dominates(meeting, block)) apart.add(block)
  return apart
}

function behindLoop(
  loop: readonly Block[],
  onwards: (block: Block) => readonly Block[],
  before: ReadonlyMap<Block, readonly Block[]>,
): Block[] {
  const inside = new Set(loop)
  const targets = [...new Set(loop.flatMap(onwards))].filter(block => !inside.has(block) && !isEnd(block))
  const reached = new Map(targets.map(target => [target, reachedFrom(target, onwards)]))
  const leaving = loop.filter(block => onwards(block).some(to => !inside.has(to)))
  if (targets.length < 2 || !leaving.some(isDivergent)) return []
  const isOfLatch = (target: Block) =>
    before.get(target)!.every(from => inside.has(from) && successors(terminatorOf(from)).includes(loop[0]!))
  const others = targets.filter(target => !isOfLatch(target))
  const behind = new Set(others.flatMap(target => [...reached.get(target)!]))
  return [...behind].filter(block => !targets.every(target => reached.get(target)!.has(block)))
}

/** Whether a way from the branch that avoids the meeting leads to what is behind the meeting, but for the end of the kernel. */
function passesBy(branch: Block, meeting: Block, onwards: (block: Block) => readonly Block[]): boolean {
  const behind = reachedFrom(meeting, onwards)
  behind.delete(meeting)
  const around = reachedFrom(branch, block => (block === meeting ? [] : onwards(block)))
  return [...around].some(block => behind.has(block))
}

/** What is reached from a block, itself included and the end of the kernel left out. */
function reachedFrom(start: Block, next: (block: Block) => readonly Block[]): Set<Block> {
  const reached = new Set([start])
  for (const block of reached) for (const to of next(block)) if (!isEnd(to)) reached.add(to)
  return reached
}

const isEnd = ({ instructions }: Block): boolean => instructions.every(({ op }) => op === 'ret' || op === 'phi')

function isDivergent(block: Block): boolean {
  const last = terminatorOf(block)
  if (last.op === 'condbr') return !isWarpUniform(last.condition)
  return last.op === 'switch' && !isWarpUniform(last.value)
}
