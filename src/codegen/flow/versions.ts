/**
 * Versions of a region (barrierRegions.ts) for warps whose lanes are known: which lanes run each block is decided while the
 * kernel is compiled. Conditions on threadIdx alone are computed; conditions on what a warp knows when it comes (bounds checks,
 * mostly) are assumed to hold for all lanes, and asked before the version is entered; conditions that are the same in all lanes
 * stay branches. In such code nothing is masked and nearly nothing is counted; where no version fits, the general code
 * (controlFlow.ts) runs.
 */
import type { BlockLoop } from '../../analysis/execution/orderBlocks.ts'
import { isBarrier } from '../../analysis/execution/splitBarriers.ts'
import { operandsOf, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Instruction, Value } from '../../ir/ir.ts'
import type { KernelContext } from '../kernelContext.ts'
import { classifyCall } from '../operations/intrinsics.ts'
import { branchCondition } from '../values/blockUniform.ts'
import type { BarrierRegion } from './barrierRegions.ts'

export interface Version {
  /** The warps that it is for, inclusive. */
  readonly first: number
  readonly last: number
  /** Lanes with which the region begins. */
  readonly start: number
  /** Blocks that run; `certain`: exactly once, whatever happens. */
  readonly blocks: ReadonlyMap<Block, { readonly mask: number; readonly certain: boolean }>
  /** Branches with one outcome: the lanes for which the condition holds. */
  readonly decided: ReadonlyMap<Block, number>
  /** Conditions that must hold for all lanes, or for none. */
  readonly assumptions: ReadonlyMap<Value, boolean>
  /** Instructions that only decided branches read. */
  readonly skipped: ReadonlySet<Instruction>
}

/** More ranges of warps than this are not worth their code. */
const MOST_RANGES = 8
/** Instructions of all versions of a region. */
const MOST_INSTRUCTIONS = 4000
/** Instructions that a condition may take to be asked beforehand. */
const MOST_ASKED = 24

/** Versions in ascending order of warps, which leave none out; undefined where there is none for some of them. */
export function planVersions(
  context: KernelContext,
  region: BarrierRegion,
  initialMask: (warp: number) => number,
): readonly Version[] | undefined {
  const { geometry, statics, program } = context
  // Passages are counted warp by warp.
  if (program.timesItself) return undefined
  const conditions = region.blocks.map(branchCondition).filter(condition => condition !== undefined)
  const keyOf = (warp: number): string =>
    [initialMask(warp), ...conditions.map(condition => statics.maskOf(condition, warp))].join()
  const ranges: { first: number; last: number }[] = []
  let before = ''
  for (let warp = 0; warp < geometry.warps; warp++) {
    const key = keyOf(warp)
    if (ranges.length > 0 && key === before) ranges.at(-1)!.last = warp
    else ranges.push({ first: warp, last: warp })
    before = key
    if (ranges.length > MOST_RANGES) return undefined
  }
  const count = region.blocks.reduce((sum, block) => sum + block.instructions.length, 0)
  if (count * (ranges.length + 1) > MOST_INSTRUCTIONS) return undefined
  const versions: Version[] = []
  for (const { first, last } of ranges) {
    const version = new Planner(context, region, first, last, initialMask(first)).plan()
    if (!version) return undefined
    versions.push(version)
  }
  // The general code stands beside each version that may not be entered: once is enough.
  return versions.length > 1 && versions.some(({ assumptions }) => assumptions.size > 0) ? undefined : versions
}

/** Edges with equal tokens are taken together, or not at all. */
const ALWAYS = 'always'

class Planner {
  private readonly context: KernelContext
  private readonly region: BarrierRegion
  private readonly first: number
  private readonly last: number
  private readonly start: number
  private readonly index: ReadonlyMap<Block, number>
  private readonly position: ReadonlyMap<Block, number>
  private readonly edges = new Map<Block, { mask: number; token: string; from: Block | undefined }[]>()
  private readonly blocks = new Map<Block, { mask: number; certain: boolean }>()
  private readonly decided = new Map<Block, number>()
  private readonly assumptions = new Map<Value, boolean>()
  private readonly entryTokens = new Map<BlockLoop, string>()

  constructor(context: KernelContext, region: BarrierRegion, first: number, last: number, start: number) {
    this.context = context
    this.region = region
    this.first = first
    this.last = last
    this.start = start
    this.index = new Map(context.program.kernel.blocks.map((block, index) => [block, index]))
    this.position = new Map(region.blocks.map((block, index) => [block, index]))
  }

  plan(): Version | undefined {
    const { first, last, start, blocks, decided, assumptions } = this
    this.edges.set(this.region.start, [{ mask: start, token: ALWAYS, from: undefined }])
    for (const block of this.region.blocks) if (!this.enter(block)) return undefined
    return { first, last, start, blocks, decided, assumptions, skipped: this.findSkipped() }
  }

  private loopsAround(block: Block): readonly BlockLoop[] {
    return this.region.loops.filter(loop => this.isIn(loop, block))
  }

  private isIn({ first, last }: BlockLoop, block: Block): boolean {
    const at = this.index.get(block)!
    return first <= at && at <= last
  }

  /** False where no version can be. */
  private enter(block: Block): boolean {
    const edges = this.edges.get(block)
    if (!edges) return true
    const { mask, token } = this.join(block, edges) ?? { mask: 0, token: '' }
    if (mask === 0) return false
    const around = this.loopsAround(block)
    const headed = around.find(({ first }) => first === this.index.get(block))
    if (headed) this.entryTokens.set(headed, token)
    const own = headed ? `loop ${this.index.get(block)}` : token
    this.blocks.set(block, { mask, certain: own === ALWAYS })
    if (block.instructions.some(isBarrier)) return true
    return this.leave(block, mask, own)
  }

  private join(
    block: Block,
    edges: readonly { mask: number; token: string; from: Block | undefined }[],
  ): { mask: number; token: string } | undefined {
    const [one, ...others] = this.mergeLoopExits(block, edges)
    if (!one) return undefined
    if (others.length === 0) return one
    const rest = new Set([one, ...others].map(({ token }) => token))
    if (rest.size === 1) return { mask: [one, ...others].reduce((mask, edge) => mask | edge.mask, 0), token: one.token }
    if (others.some(({ mask }) => mask !== one.mask)) return undefined
    // All ways of a branch: as surely as the branch itself.
    const [, stem, branch, ways] = /^(.*)\/(\d+) of (\d+):\d+$/.exec(one.token) ?? []
    const isWay = ({ token: other }: { token: string }): boolean =>
      other.replace(/\d+$/, '') === `${stem}/${branch} of ${ways}:`
    if (stem !== undefined && rest.size === Number(ways) && [one, ...others].every(isWay))
      return { mask: one.mask, token: stem }
    return { mask: one.mask, token: `block ${this.index.get(block)}` }
  }

  /** A loop that has one place to go to is left, in the end, as surely as it was entered. */
  private mergeLoopExits(
    block: Block,
    edges: readonly { mask: number; token: string; from: Block | undefined }[],
  ): { mask: number; token: string }[] {
    let rest = [...edges]
    for (const loop of [...this.region.loops].reverse()) {
      if (this.isIn(loop, block)) continue
      const leaving = rest.filter(({ from }) => from !== undefined && this.isIn(loop, from))
      const entry = this.entryTokens.get(loop)
      if (leaving.length === 0 || entry === undefined) continue
      const header = this.context.program.kernel.blocks[loop.first]!
      const { mask } = this.blocks.get(header)!
      const targets = new Set(
        this.region.blocks
          .filter(member => this.isIn(loop, member) && this.blocks.has(member))
          .flatMap(member => successors(terminatorOf(member)).filter(to => !this.isIn(loop, to))),
      )
      if (targets.size !== 1 || leaving.some(edge => edge.mask !== mask)) continue
      rest = [...rest.filter(edge => !leaving.includes(edge)), { mask, token: entry, from: header }]
    }
    return rest
  }

  private leave(block: Block, mask: number, token: string): boolean {
    const condition = branchCondition(block)
    const terminator = terminatorOf(block)
    const ways = [...new Set(successors(terminator))]
    if (!condition || ways.length < 2) return ways.every(way => this.addEdge(block, way, mask, token))
    if (terminator.op === 'condbr') {
      const lanes = this.decide(condition)
      if (lanes !== undefined) {
        this.decided.set(block, lanes)
        const [taken, other] = [mask & lanes, mask & ~lanes]
        const parts = taken !== 0 && other !== 0
        if (parts && this.loopsAround(block).length > 0) return false
        return (
          (taken === 0 || this.addEdge(block, terminator.ifTrue, taken, token)) &&
          (other === 0 || this.addEdge(block, terminator.ifFalse, other, token))
        )
      }
    }
    if (this.context.shapes.shapeOf(condition).kind !== 'uniform') {
      if (terminator.op !== 'condbr' || mask !== -1 || !this.canAsk(condition)) return false
      const expected = this.assumptions.get(condition) ?? this.likely(terminator.ifTrue, terminator.ifFalse)
      this.assumptions.set(condition, expected)
      this.decided.set(block, expected ? -1 : 0)
      return this.addEdge(block, expected ? terminator.ifTrue : terminator.ifFalse, mask, token)
    }
    const stem = `${token}/${this.index.get(block)} of ${ways.length}`
    return ways.every((way, index) => this.addEdge(block, way, mask, `${stem}:${index}`))
  }

  /** The lanes of a condition that the geometry decides alike for all warps of the version. */
  private decide(condition: Value): number | undefined {
    const mask = this.context.statics.maskOf(condition, this.first)
    for (let warp = this.first + 1; warp <= this.last; warp++)
      if (this.context.statics.maskOf(condition, warp) !== mask) return undefined
    return mask
  }

  private addEdge(from: Block, to: Block, mask: number, token: string): boolean {
    if (this.position.get(to)! <= this.position.get(from)!) return this.blocks.get(to)?.mask === mask
    const list = this.edges.get(to) ?? []
    this.edges.set(to, list)
    list.push({ mask, token, from })
    return true
  }

  /** The way on which more code lies. */
  private likely(ifTrue: Block, ifFalse: Block): boolean {
    const [one, other] = [this.reach(ifTrue), this.reach(ifFalse)]
    const weigh = (blocks: ReadonlySet<Block>, without: ReadonlySet<Block>): number =>
      [...blocks].reduce((sum, block) => (without.has(block) ? sum : sum + block.instructions.length), 0)
    return weigh(one, other) >= weigh(other, one)
  }

  private reach(start: Block): ReadonlySet<Block> {
    const seen = new Set<Block>()
    const stack = [start]
    for (let block = stack.pop(); block; block = stack.pop()) {
      if (seen.has(block) || !this.position.has(block)) continue
      seen.add(block)
      if (!block.instructions.some(isBarrier)) stack.push(...successors(terminatorOf(block)))
    }
    return seen
  }

  /** Whether a condition follows, without memory, from what is known when the region begins. */
  private canAsk(condition: Value): boolean {
    const needed = askedInstructions(this.context, this.region, condition)
    return needed !== undefined && needed.length <= MOST_ASKED
  }

  private findSkipped(): Set<Instruction> {
    const { values } = this.context
    const skipped = new Set<Instruction>()
    // What a later region reads is kept at the barrier.
    const kept = new Set([...this.region.saved.values()].flat())
    const isUnread = (instruction: Instruction): boolean =>
      !kept.has(instruction) &&
      values.usersOfValue(instruction).every(user => {
        if (skipped.has(user)) return true
        return terminatorOf(user.block) === user && (this.decided.has(user.block) || !this.blocks.has(user.block))
      })
    for (let changed = true; changed; ) {
      changed = false
      for (const block of this.blocks.keys())
        for (const instruction of block.instructions)
          if (!skipped.has(instruction) && isPure(instruction) && isUnread(instruction)) {
            skipped.add(instruction)
            changed = true
          }
    }
    return skipped
  }
}

/** What has to be computed to ask a condition when a region begins, operands first; undefined where that cannot be. */
export function askedInstructions(
  { shapes }: KernelContext,
  region: BarrierRegion,
  condition: Value,
): readonly Instruction[] | undefined {
  // What the region makes itself is another value by the time the condition is met.
  const members = new Set(region.blocks)
  const restored = new Set<Value>(region.restored.filter(({ block }) => !members.has(block)))
  const found: Instruction[] = []
  const seen = new Set<Value>()
  const visit = (value: Value): boolean => {
    if (value.kind !== 'instruction' || restored.has(value) || seen.has(value)) return true
    const shape = shapes.shapeOf(value)
    if (shape.kind === 'uniform' && shape.invariant && value.op !== 'phi') return true
    if (!isPure(value) || found.length > MOST_ASKED) return false
    seen.add(value)
    if (!operandsOf(value).every(visit)) return false
    found.push(value)
    return true
  }
  return visit(condition) ? found : undefined
}

/** Computed from its operands alone, whenever. */
function isPure(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'phi':
    case 'load':
    case 'store':
    case 'atomicrmw':
    case 'cmpxchg':
    case 'fence':
    case 'alloca':
    case 'br':
    case 'condbr':
    case 'switch':
    case 'ret':
    case 'unreachable':
    case 'extractvalue':
    case 'insertvalue':
    case 'extractelement':
    case 'insertelement':
    case 'shufflevector':
      return false
    case 'call':
      return [
        'thread-index',
        'block-index',
        'block-dimension',
        'grid-dimension',
        'launch-constant',
        'cluster-dimension',
        'lane-index',
      ].includes(classifyCall(instruction).kind)
    default:
      return true
  }
}
