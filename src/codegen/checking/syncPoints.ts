/**
 * Where a kernel's threads meet, for those who check it (launch.ts, LaunchChecker). In: a prepared kernel. Out: its barriers and the calls
 * that name the lanes of a warp, numbered, and for barriers behind branches on which threads may differ the blocks where those who
 * took the other way come past.
 */
import { isPause } from '../../analysis/execution/splitBarriers.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { postDominators, predecessors, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, CallInstruction, Instruction, Value } from '../../ir/ir.ts'
import type { SyncPoints } from '../../launch.ts'
import { reachableFrom } from '../flow/suspensionPlan.ts'
import { classifyCall } from '../operations/intrinsics.ts'
import { branchCondition, findThreadDependent } from '../values/blockUniform.ts'

const known = new WeakMap<KernelProgram, SyncPoints>()

export function syncPointsOf(program: KernelProgram): SyncPoints {
  const made = known.get(program)
  if (made) return made
  const calls = program.kernel.blocks.flatMap(({ instructions }) => instructions.filter(isSyncPoint))
  const before: ReadonlyMap<Block, readonly Block[]> = predecessors(program.kernel)
  const others = calls.map(call => (isBarrierPoint(call) ? new Set<Block>() : findOthers(call.block, before)))
  const points: SyncPoints = { calls, others, skips: findSkips(program, calls) }
  known.set(program, points)
  return points
}

function isSyncPoint(instruction: Instruction): instruction is CallInstruction {
  if (instruction.op !== 'call' || isPause(instruction)) return false
  return isBarrierPoint(instruction) || membersOf(instruction) !== undefined
}

export function isBarrierPoint(call: CallInstruction): boolean {
  return call.callee.kind === 'function' && call.callee.blocks.length === 0 && classifyCall(call).kind === 'barrier'
}

/** The lanes that have to take part, as the program names them; undefined for calls that name none. */
export function membersOf({ callee, args }: CallInstruction): Value | undefined {
  if (callee.kind !== 'function') return undefined
  const { name } = callee
  if (/^llvm\.nvvm\.(bar\.warp\.sync|shfl\.sync\.|vote\.(\w+\.)?sync|match\.)/.test(name)) return args[0]
  return name.startsWith('llvm.nvvm.redux.sync.') ? args[1] : undefined
}

/** Whether it orders the accesses of its lanes. */
export function ordersMemory({ callee }: CallInstruction): boolean {
  return callee.kind === 'function' && callee.name.startsWith('llvm.nvvm.bar.warp.sync')
}

/** Blocks from which a way leads to one that also follows `block`, other than the end. Who is elsewhere goes his own way to his end. */
function findOthers(block: Block, before: ReadonlyMap<Block, readonly Block[]>): Set<Block> {
  const reach = (from: readonly Block[], next: (block: Block) => readonly Block[]): Set<Block> => {
    const found = new Set<Block>()
    const stack = [...from]
    for (let at = stack.pop(); at; at = stack.pop()) {
      if (found.has(at)) continue
      found.add(at)
      stack.push(...next(at))
    }
    return found
  }
  const behind = reach(successors(terminatorOf(block)), at => successors(terminatorOf(at)))
  return reach(
    [...behind].filter(at => !isEnd(at)),
    at => before.get(at) ?? [],
  )
}

/** Ways around a barrier of the whole block that lead back to what its threads do: where they do. */
function findSkips(program: KernelProgram, calls: readonly CallInstruction[]): SyncPoints['skips'] {
  const { kernel } = program
  const skips: { block: Block; barrier: number }[] = []
  const barriers = calls.flatMap((call, barrier) => {
    if (!isBarrierPoint(call)) return []
    const kind = classifyCall(call)
    return kind.kind === 'barrier' && kind.isPlain && !kind.isOfCluster ? [{ call, barrier }] : []
  })
  if (barriers.length === 0) return skips
  const depends = findThreadDependent(program)
  const tree = postDominators(kernel)
  const holders = new Set(barriers.map(({ call }) => call.block))
  for (const block of kernel.blocks) {
    const condition = branchCondition(block)
    const meeting = condition && depends(condition) ? tree.immediate(block) : undefined
    if (!meeting || isEnd(meeting)) continue
    // A way that is parted again around a barrier has a branch of its own there.
    const onWays = successors(terminatorOf(block)).map(way => reachableFrom(way, meeting, holders))
    for (const { call, barrier } of barriers) {
      const isKnown = skips.some(skip => skip.block === meeting && skip.barrier === barrier)
      const isOnSome = onWays.some(near => near.has(call.block)) && !onWays.every(near => near.has(call.block))
      if (isOnSome && !isKnown) skips.push({ block: meeting, barrier })
    }
  }
  return skips
}

/** Threads that are there have ended. */
function isEnd(block: Block): boolean {
  return block.instructions.every(({ op }) => op === 'ret' || op === 'phi')
}
