/**
 * Which kernels need their lanes to stop at different places, and what that takes. Ordinary kernels suspend whole warps at one
 * barrier at a time (barriers.ts). Kernels with loops that wait for others, with barriers that some lanes of a warp pass while
 * others do not, with named and counted barriers, and those whose blocks meet or reach each other in clusters are resumable: lanes stop at a point, their values go to memory lane by
 * lane, and the scheduler (scheduler.ts) decides which point of which warp of which block runs next.
 */
import { liveIn } from '../../analysis/execution/liveness.ts'
import type { BlockLoop } from '../../analysis/execution/orderBlocks.ts'
import { isBarrier } from '../../analysis/execution/splitBarriers.ts'
import { findWaitingLoops } from '../../analysis/execution/waitingLoops.ts'
import { reachesOtherBlocks } from '../../analysis/facts/clusterPointers.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { phisOf } from '../../analysis/rewriting/blocks.ts'
import { operandsOf, postDominators, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, CallInstruction, Instruction, Value } from '../../ir/ir.ts'
import { type CallKind, classifyCall } from '../operations/intrinsics.ts'
import type { Shapes } from '../values/shapes.ts'

/** A place where lanes stop, and the block where they go on. The entry is the point with index 0. */
export type SuspensionPoint =
  | { readonly kind: 'entry'; readonly resume: Block; readonly live: readonly Instruction[] }
  | {
      readonly kind: 'barrier'
      readonly resume: Block
      readonly live: readonly Instruction[]
      readonly call: CallInstruction
      readonly barrier: CallKind & { kind: 'barrier' }
    }
  | { readonly kind: 'loop'; readonly resume: Block; readonly live: readonly Instruction[]; readonly loop: BlockLoop }

export interface SuspensionPlan {
  readonly points: readonly SuspensionPoint[]
  /**
   * Values that lanes which stopped at different times have in different versions: each lane needs its own, whatever their
   * shape says. All others live at a point are fixed: computed from the thread's identity and the launch alone.
   */
  readonly apart: ReadonlySet<Value>
}

/**
 * Undefined for kernels that need nothing of it, unless `always`. `shapes`: those of the kernel before anything is kept apart.
 */
export function planSuspension(program: KernelProgram, shapes: Shapes, always = false): SuspensionPlan | undefined {
  const loops = findWaitingLoops(program)
  const barriers = program.kernel.blocks.flatMap(block => block.instructions.filter(isBarrier))
  const isPlain = barriers.every(call => barrierKind(call).isPlain)
  const isAlone = !reachesOtherBlocks(program.kernel)
  if (!always && loops.size === 0 && isPlain && isAlone && !barriersCross(program, shapes)) return undefined
  const fixed = findFixed(program)
  const live = liveIn(program.kernel)
  const points: SuspensionPoint[] = [{ kind: 'entry', resume: program.kernel.blocks[0]!, live: [] }]
  for (const call of barriers) {
    const resume = successors(terminatorOf(call.block))[0]!
    const barrier = barrierKind(call)
    if (barrier.waits)
      points.push({
        kind: 'barrier',
        call,
        barrier,
        resume,
        live: [...live.get(resume)!].filter(value => value !== call),
      })
  }
  for (const loop of program.loops) {
    const resume = program.kernel.blocks[loop.first]!
    if (loops.has(loop)) points.push({ kind: 'loop', loop, resume, live: [...phisOf(resume), ...live.get(resume)!] })
  }
  return { points, apart: findApart(points, fixed) }
}

function barrierKind(call: CallInstruction): CallKind & { kind: 'barrier' } {
  return classifyCall(call) as CallKind & { kind: 'barrier' }
}

/**
 * Whether lanes of one warp can wait at two barriers at a time: one lies on a way out of a branch that may divide the warp,
 * before the ways meet, and the other on another way or behind. Or at one barrier in two rounds of a loop: lanes on the other way
 * come to it in a later round only, while the first wait.
 */
function barriersCross({ kernel }: KernelProgram, shapes: Shapes): boolean {
  const holders = new Set(kernel.blocks.filter(block => block.instructions.some(isBarrier)))
  if (holders.size === 0) return false
  const tree = postDominators(kernel)
  const position = new Map(kernel.blocks.map((block, index) => [block, index]))
  const isForward = (from: Block, to: Block): boolean => position.get(from)! < position.get(to)!
  return kernel.blocks.some(block => {
    const terminator = terminatorOf(block)
    const condition =
      terminator.op === 'condbr' ? terminator.condition : terminator.op === 'switch' ? terminator.value : undefined
    if (!condition || shapes.shapeOf(condition).kind === 'uniform') return false
    const ways = successors(terminator)
    const meeting = tree.immediate(block)
    return ways.some(way => {
      const near = reachableFrom(way, meeting, holders)
      if (near.size === 0) return false
      return ways.some(other => {
        if (other === way) return false
        const inThisRound = reachableFrom(other, undefined, holders, isForward)
        const isApart = (far: Block): boolean => near.size > 1 || !near.has(far) || !inThisRound.has(far)
        return [...reachableFrom(other, undefined, holders)].some(isApart)
      })
    })
  })
}

/** The blocks of `wanted` that can be reached without passing `stop`, by edges that may be taken. */
export function reachableFrom(
  start: Block,
  stop: Block | undefined,
  wanted: ReadonlySet<Block>,
  mayTake: (from: Block, to: Block) => boolean = () => true,
): Set<Block> {
  const seen = new Set<Block>()
  const stack = [start]
  for (let block = stack.pop(); block; block = stack.pop()) {
    if (block === stop || seen.has(block)) continue
    const from = block
    seen.add(from)
    stack.push(...successors(terminatorOf(from)).filter(to => mayTake(from, to)))
  }
  return new Set([...seen].filter(block => wanted.has(block)))
}

/** Values that are the same whenever the thread computes them. */
function findFixed({ kernel, spacesOf }: KernelProgram): ReadonlySet<Value> {
  const fixed = new Set<Value>()
  const isFixed = (value: Value): boolean => value.kind !== 'instruction' || fixed.has(value)
  for (const block of kernel.blocks)
    for (const instruction of block.instructions) {
      if (!isRepeatable(instruction, spacesOf) || !operandsOf(instruction).every(isFixed)) continue
      fixed.add(instruction)
    }
  return fixed
}

function isRepeatable(instruction: Instruction, spacesOf: KernelProgram['spacesOf']): boolean {
  switch (instruction.op) {
    case 'phi':
    case 'store':
    case 'atomicrmw':
    case 'cmpxchg':
    case 'fence':
      return false
    case 'load': {
      const spaces = [...spacesOf(instruction.pointer)]
      return (
        !instruction.volatile &&
        !instruction.atomic &&
        spaces.every(space => space === 'parameter' || space === 'constant')
      )
    }
    case 'call':
      return isRepeatableCall(classifyCall(instruction))
    default:
      return true
  }
}

/** Gives the same whenever it is called, and touches no memory. */
export function isRepeatableCall(kind: CallKind): boolean {
  switch (kind.kind) {
    case 'thread-index':
    case 'block-index':
    case 'block-dimension':
    case 'grid-dimension':
    case 'launch-constant':
    case 'cluster-dimension':
    case 'lane-index':
    case 'lane-mask':
    case 'pure':
      return true
    case 'warp-scalar':
      return kind.register === 'warpid' || kind.register === 'smid'
    default:
      return false
  }
}

/** Aggregates share the storage of their parts (instructions.ts): what one of them needs, all need. */
function findApart(points: readonly SuspensionPoint[], fixed: ReadonlySet<Value>): ReadonlySet<Value> {
  const apart = new Set<Value>()
  const stack: Value[] = points.flatMap(point => (point.kind === 'barrier' ? [...point.live, point.call] : point.live))
  for (let value = stack.pop(); value; value = stack.pop()) {
    if (value.kind !== 'instruction' || fixed.has(value) || apart.has(value)) continue
    apart.add(value)
    switch (value.op) {
      case 'extractvalue':
      case 'insertvalue':
      case 'extractelement':
      case 'insertelement':
      case 'shufflevector':
        stack.push(...operandsOf(value))
    }
  }
  return apart
}
