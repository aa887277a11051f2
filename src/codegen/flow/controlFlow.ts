/**
 * The blocks of a kernel as structured WebAssembly. Each block has a mask of lanes that wait for it; the code walks the blocks
 * in scheduling order (analysis/execution/orderBlocks.ts), runs those whose mask is not empty, and repeats a loop's run of blocks while
 * lanes wait for its first. A branch moves lanes from mask to mask and writes the phis of its target. Any control flow,
 * irreducible included, takes this one form.
 */
import type { BlockLoop } from '../../analysis/execution/orderBlocks.ts'
import { workOfRound } from '../../analysis/execution/roundWork.ts'
import { barrierOf } from '../../analysis/execution/splitBarriers.ts'
import { phisOf } from '../../analysis/rewriting/blocks.ts'
import { predecessors, terminatorOf } from '../../ir/graph.ts'
import type { Block, CallInstruction, Instruction, PhiInstruction, Value } from '../../ir/ir.ts'
import { activeLanes } from '../../metrics/rules/coalescing.ts'
import { I32, I64, V128 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import { tellArrival, tellPassage } from '../checking/checking.ts'
import type { CountGroup } from '../counting/countGroups.ts'
import { countPassage } from '../counting/kernelClock.ts'
import { burnFuel } from '../counting/loopWork.ts'
import { entryOf } from '../entryOf.ts'
import type { BlockEmitter } from '../instructions/instructions.ts'
import type { KernelContext, KnownCount } from '../kernelContext.ts'
import { halvesOf, heldAs, leavesOf } from '../operations/operations.ts'
import { HISTOGRAM_BYTES } from '../slot.ts'
import { spanOfArrivals } from '../values/lifetimes.ts'
import { GROUPS, type Storage } from '../values/storage.ts'
import { NO_STEP } from '../values/warpSteps.ts'
import type { Suspension } from './suspension.ts'

/** Whoever keeps warps that wait: lanes of `frame.mask` have come to the barrier. */
export interface Arrivals {
  emitArrival(call: CallInstruction): void
}

export interface PhiMove {
  readonly phi: PhiInstruction
  readonly value: Value
}

/** What the phis of `to` become on the edge from `from`. */
export function phiMoves(from: Block, to: Block): readonly PhiMove[] {
  return phisOf(to).flatMap((phi): PhiMove[] => {
    const incoming = phi.incoming.find(({ block }) => block === from)
    return incoming && incoming.value.kind !== 'undef' && incoming.value !== phi ? [{ phi, value: incoming.value }] : []
  })
}

export class ControlFlow {
  private readonly context: KernelContext
  private readonly emitter: BlockEmitter
  private readonly barriers: Arrivals | undefined
  private readonly suspension: Suspension | undefined
  private readonly blocks: readonly Block[]
  private readonly index: ReadonlyMap<Block, number>
  private readonly before: ReadonlyMap<Block, Block[]>
  /** Lanes that wait for each block. */
  readonly waiting: readonly number[]
  /** Groups whose full-warp accesses are as many as their block's executions by all lanes. */
  private readonly countedByBlock = new Map<Block, Map<number, CountGroup>>()

  constructor(
    context: KernelContext,
    emitter: BlockEmitter,
    barriers: Arrivals | undefined,
    suspension: Suspension | undefined,
  ) {
    this.context = context
    this.emitter = emitter
    this.barriers = barriers
    this.suspension = suspension
    this.blocks = context.program.kernel.blocks
    this.index = new Map(this.blocks.map((block, index) => [block, index]))
    this.before = predecessors(context.program.kernel)
    const mayResume = suspension !== undefined || this.blocks.some(block => barrierOf(block) !== undefined)
    this.waiting = mayResume || context.checked ? context.f.many(I32, this.blocks.length) : this.shareWaiting()
  }

  /** Locals of blocks that nobody waits for at the same time are the same: each is 0 when its block has run. */
  private shareWaiting(): number[] {
    const { f, program } = this.context
    const spans = this.blocks.map((block, index) =>
      spanOfArrivals(
        index,
        (this.before.get(block) ?? []).map(from => this.index.get(from)!),
        program.loops,
      ),
    )
    const order = [...spans.keys()].sort((a, b) => spans[a]!.first - spans[b]!.first)
    const lasts: { readonly local: number; last: number }[] = []
    const waiting: number[] = []
    for (const index of order) {
      const { first, last } = spans[index]!
      let free = lasts.find(({ last: end }) => end < first)
      if (!free) lasts.push((free = { local: f.local(I32), last }))
      free.last = last
      waiting[index] = free.local
    }
    return waiting
  }

  waitingFor(block: Block): number {
    return this.waiting[this.index.get(block)!]!
  }

  /**
   * One warp through these blocks and the loops among them; where there are no lifetimes, phis must have storage. The masks of
   * the blocks where it begins must be set; all masks are empty at the end.
   */
  emitWarp(blocks: readonly Block[], loops: readonly BlockLoop[]): void {
    this.walk(blocks, loops, block => this.emitBlock(block, this.index.get(block)!))
  }

  /** Blocks in order, each loop's as often as its first waits. */
  walk(blocks: readonly Block[], loops: readonly BlockLoop[], emitBlock: (block: Block) => void): void {
    const { f } = this.context
    const open: { loop: BlockLoop; label: number }[] = []
    blocks.forEach(block => {
      const index = this.index.get(block)!
      for (const loop of loops) if (loop.first === index) open.push({ loop, label: f.loop() })
      emitBlock(block)
      for (let innermost = open.at(-1); innermost?.loop.last === index; innermost = open.at(-1)) {
        open.pop()
        this.repeat(innermost.loop, innermost.label)
      }
    })
  }

  /** The end of a loop: again, while lanes wait for its first block. */
  private repeat(loop: BlockLoop, label: number): void {
    const { f } = this.context
    const { first } = loop
    f.get(this.waiting[first]!).if()
    burnFuel(this.context, workOfRound(this.blocks, loop, this.context.program.loops))
    if (this.suspension) {
      this.suspension.emitGiveWay(loop, this.waiting[first]!)
      f.get(this.waiting[first]!).brIf(label)
    } else f.br(label)
    f.end().end()
  }

  /** In memory: locals that live as long as the function would take the registers of the versions' loops (measured: 15 %). */
  private countExecution(index: number): void {
    const { f, frame, layout } = this.context
    const at = layout.fullExecutions + index * 8
    f.get(frame.mask).i32(-1).op(Op.i32_eq).if()
    f.get(frame.slot).get(frame.slot).memory(Op.i64_load, at).i64(1n).op(Op.i64_add).memory(Op.i64_store, at)
    f.else()
    this.addToCounters(
      index,
      () => f.i64(1n),
      () => f.get(frame.mask).op(Op.i32_popcnt).op(Op.i64_extend_i32_u),
    )
    f.end()
  }

  /** More executions of a block, and the threads of all of them. */
  private addToCounters(index: number, pushExecutions: () => void, pushThreads: () => void): void {
    const { f, frame, layout } = this.context
    for (const [word, push] of [pushExecutions, pushThreads].entries()) {
      const at = layout.blockCounters + index * 16 + word * 8
      f.get(frame.slot).get(frame.slot).memory(Op.i64_load, at)
      push()
      f.op(Op.i64_add).memory(Op.i64_store, at)
    }
  }

  private emitBlock(block: Block, index: number): void {
    const { f, frame } = this.context
    const waiting = this.waiting[index]!
    allocatePhisOf(this.context, block)
    const skip = f.block()
    f.get(waiting).op(Op.i32_eqz).brIf(skip)
    f.get(waiting).set(frame.mask).i32(0).set(waiting)
    const counts = this.context.counting && !this.context.checked
    if (counts) this.countExecution(index)
    if (this.context.program.timesItself) countPassage(this.context, index)
    if (this.context.checked) this.context.checked.pushOthers = blocks => this.pushOthers(index, blocks)
    tellPassage(this.context, block)
    this.emitter.emitBlock(block)
    if (counts) for (const group of this.context.countGroups.values()) if (group.launchBits) this.countByBlock(group)
    const barrier = barrierOf(block)
    this.suspension?.emitActivity(block)
    if (barrier) tellArrival(this.context, barrier)
    if (!barrier) this.emitTerminator(block)
    else if (!this.suspension) this.barriers!.emitArrival(barrier)
    else if (!this.suspension.emitBarrier(barrier)) this.emitTerminator(block)
    f.end()
    retireAfterBlock(this.context, block)
  }

  private pushOthers(index: number, blocks: ReadonlySet<Block>): void {
    const { f } = this.context
    f.i32(0)
    this.blocks.forEach((block, other) => {
      if (other !== index && blocks.has(block)) f.get(this.waiting[other]!).op(Op.i32_or)
    })
  }

  private emitTerminator(block: Block): void {
    const { f, values, frame, shapes } = this.context
    const terminator = terminatorOf(block)
    switch (terminator.op) {
      case 'br':
        this.emitEdge(block, terminator.target, frame.mask)
        return
      case 'condbr': {
        if (terminator.ifTrue === terminator.ifFalse) return this.emitEdge(block, terminator.ifTrue, frame.mask)
        if (shapes.shapeOf(terminator.condition).kind === 'uniform') {
          values.scalar(terminator.condition)
          f.if()
          this.emitEdge(block, terminator.ifTrue, frame.mask)
          f.else()
          this.emitEdge(block, terminator.ifFalse, frame.mask)
          f.end()
          return
        }
        const [taken, other] = f.many(I32, 2)
        values.bits(terminator.condition)
        f.get(frame.mask).op(Op.i32_and).set(taken)
        f.get(frame.mask).get(taken).op(Op.i32_xor).set(other)
        this.emitWays(block, [
          { target: terminator.ifTrue, lanes: taken },
          { target: terminator.ifFalse, lanes: other },
        ])
        f.release(I32, taken, other)
        return
      }
      case 'switch':
        return this.emitSwitch(block, terminator)
      case 'unreachable':
        // The reference interpreter says where.
        f.op(Op.unreachable)
        return
      case 'ret':
        return
    }
  }

  private emitSwitch(block: Block, terminator: Instruction & { op: 'switch' }): void {
    const { f, frame } = this.context
    const cases = new Map<Block, bigint[]>()
    for (const { value, target } of terminator.cases)
      if (target !== terminator.fallback) cases.set(target, [...(cases.get(target) ?? []), value])
    const rest = f.local(I32)
    f.get(frame.mask).set(rest)
    const ways = [...cases].map(([target, values]) => {
      const lanes = f.local(I32)
      this.pushLanesOf(terminator.value, values, lanes)
      f.get(frame.mask).op(Op.i32_and).set(lanes)
      f.get(rest).get(lanes).op(Op.i32_xor).set(rest)
      return { target, lanes }
    })
    ways.push({ target: terminator.fallback, lanes: rest })
    this.emitWays(block, ways)
    f.release(I32, ...ways.map(({ lanes }) => lanes))
  }

  /** Pushes whether a uniform value is one of these. */
  pushIsOneOf(value: Value, wanted: readonly bigint[]): void {
    const { f, values } = this.context
    f.i32(0)
    for (const one of wanted) {
      values.scalar(value)
      if (heldAs(value.type)?.kind === 'i64') f.i64(one).op(Op.i64_eq)
      else f.i32(Number(BigInt.asIntN(32, one))).op(Op.i32_eq)
      f.op(Op.i32_or)
    }
  }

  /** Pushes which lanes have one of the values; `scratch` is a local to use. */
  private pushLanesOf(value: Value, wanted: readonly bigint[], scratch: number): void {
    const { f, values, shapes } = this.context
    const isWide = heldAs(value.type)?.kind === 'i64'
    if (shapes.shapeOf(value).kind === 'uniform') {
      f.i32(0)
      this.pushIsOneOf(value, wanted)
      f.op(Op.i32_sub)
      return
    }
    f.i32(0).set(scratch)
    for (let group = 0; group < GROUPS; group++) {
      f.v128([0, 0, 0, 0])
      for (const one of wanted) {
        for (let half = 0; half < (isWide ? 2 : 1); half++) {
          values.vector(value, group, half)
          if (isWide) f.i64(one).op(Op.i64x2_splat).op(Op.i64x2_eq)
          else
            f.i32(Number(BigInt.asIntN(32, one)))
              .op(Op.i32x4_splat)
              .op(Op.i32x4_eq)
        }
        if (isWide) f.shuffle32(0, 2, 4, 6)
        f.op(Op.v128_or)
      }
      f.op(Op.i32x4_bitmask)
        .i32(group * 4)
        .op(Op.i32_shl)
        .get(scratch)
        .op(Op.i32_or)
        .set(scratch)
    }
    f.get(scratch)
  }

  /**
   * The edges of one branch, each for the lanes that take it. Edges back to a loop's first block come last, those of inner loops
   * after those of outer ones: they overwrite phis that the other edges read.
   */
  private emitWays(block: Block, ways: readonly { readonly target: Block; readonly lanes: number }[]): void {
    const { f } = this.context
    const rank = (target: Block): number => (this.isBackEdge(block, target) ? 1 + this.index.get(target)! : 0)
    for (const { target, lanes } of [...ways].sort((a, b) => rank(a.target) - rank(b.target))) {
      f.get(lanes).if()
      this.emitEdge(block, target, lanes)
      f.end()
    }
  }

  /** Moves the lanes in local `lanes` along one edge: phis first, then the mask. */
  private emitEdge(from: Block, to: Block, lanes: number): void {
    const { f } = this.context
    const target = this.waiting[this.index.get(to)!]!
    const moves = phiMoves(from, to)
    if (this.isBackEdge(from, to)) this.suspension?.emitPhiChanges(to, moves, lanes)
    else this.suspension?.emitEntry(to)
    const needsBlend = moves.some(({ phi }) =>
      this.context.values.storagesOf(phi).some(({ kind }) => kind === 'vectors' || kind === 'bits'),
    )
    if (!needsBlend || this.isOnlyWay(from, to)) this.emitMoves(moves, undefined)
    else if (this.isBackEdge(from, to)) this.emitMoves(moves, lanes)
    else {
      // Nobody waits there yet: nobody's values can be overwritten.
      f.get(target).op(Op.i32_eqz).if()
      this.emitMoves(moves, undefined)
      f.else()
      this.emitMoves(moves, lanes)
      f.end()
    }
    f.get(target).get(lanes).op(Op.i32_or).set(target)
  }

  private isBackEdge(from: Block, to: Block): boolean {
    return this.index.get(to)! <= this.index.get(from)!
  }

  /**
   * Lanes reach the target by this edge alone, all at once. True for the only latch of a loop, unless it stands in a loop
   * further in, which lanes leave one by one; lanes that left the loop have their values in the phis of its exits.
   */
  private isOnlyWay(from: Block, to: Block): boolean {
    if (this.leavesLoop(from, to)) return false
    const ways = this.before.get(to)!
    if (this.isBackEdge(from, to)) return ways.filter(way => this.isBackEdge(way, to)).length === 1
    return ways.length === 1
  }

  private leavesLoop(from: Block, to: Block): boolean {
    const [start, end] = [this.index.get(from)!, this.index.get(to)!]
    return this.context.program.loops.some(
      ({ first, last }) => first <= start && start <= last && !(first <= end && end <= last),
    )
  }

  /**
   * Writes phis all at once: everything is read before anything is written. With `lanes`, only those of that local change.
   */
  emitMoves(moves: readonly PhiMove[], lanes: number | undefined): void {
    const { f, values } = this.context
    const masks = lanes === undefined ? [] : f.many(V128, GROUPS)
    masks.forEach((mask, group) => {
      values.laneMask(() => f.get(lanes!), group)
      f.set(mask)
    })
    const writes: (() => void)[] = []
    for (const { phi, value } of moves)
      values.storagesOf(phi).forEach((storage, leaf) => this.emitMove(phi, storage, value, leaf, lanes, masks, writes))
    for (const write of writes.reverse()) write()
    f.release(V128, ...masks)
  }

  private emitMove(
    phi: PhiInstruction,
    storage: Storage,
    value: Value,
    leaf: number,
    lanes: number | undefined,
    masks: readonly number[],
    writes: (() => void)[],
  ): void {
    const { f, values } = this.context
    switch (storage.kind) {
      case 'scalar':
      case 'linear':
        values.scalar(value, leaf)
        writes.push(() => f.set(storage.local))
        return
      case 'bits':
        values.bits(value, leaf)
        if (lanes !== undefined) {
          f.get(lanes).op(Op.i32_and).get(storage.local).get(lanes).i32(-1).op(Op.i32_xor).op(Op.i32_and).op(Op.i32_or)
        }
        writes.push(() => f.set(storage.local))
        return
      case 'vectors': {
        const held = heldAs(leavesOf(phi.type)[leaf]!)!
        const halves = halvesOf(held)
        storage.locals.forEach((local, position) => {
          const group = Math.floor(position / halves)
          const half = position % halves
          values.vector(value, group, half, leaf)
          if (lanes !== undefined) {
            f.get(local).get(masks[group]!)
            if (halves === 2) {
              f.get(masks[group]!)
              if (half === 0) f.shuffle32(0, 0, 1, 1)
              else f.shuffle32(2, 2, 3, 3)
            }
            f.op(Op.v128_bitselect)
          }
          writes.push(() => f.set(local))
        })
      }
    }
  }

  /** Adds the executions by all lanes, and those of versions, to the slot's counters. */
  emitCounters(): void {
    const { f, frame, layout, knownCounts } = this.context
    const known = new Map<Block, KnownCount[]>()
    for (const count of knownCounts) entryOf(known, count.block, (): KnownCount[] => []).push(count)
    const full = f.local(I64)
    for (const [index, block] of this.blocks.entries()) {
      const at = layout.fullExecutions + index * 8
      f.get(frame.slot).memory(Op.i64_load, at).set(full)
      f.get(frame.slot).i64(0n).memory(Op.i64_store, at)
      for (const count of known.get(block) ?? []) this.emitKnownCount(count, full)
      this.addToCounters(
        index,
        () => f.get(full),
        () => f.get(full).i64(5n).op(Op.i64_shl),
      )
      for (const group of this.countedByBlock.get(block)?.values() ?? [])
        this.addToHistogram(layout.histograms, group, full)
    }
    f.release(I64, full)
  }

  private countByBlock(group: CountGroup): void {
    const groups = entryOf(this.countedByBlock, group.block, () => new Map<number, CountGroup>())
    groups.set(group.members[0]!.site, group)
  }

  /** Executions with known lanes join the others; accesses by some lanes go to the host, which counts each combination once. */
  private emitKnownCount({ block, mask, count, groups }: KnownCount, full: number): void {
    const { f, helpers } = this.context
    const index = this.index.get(block)!
    if (mask === -1) {
      f.get(full).get(count).op(Op.i64_add).set(full)
      for (const group of groups) this.countByBlock(group)
      return
    }
    this.addToCounters(
      index,
      () => f.get(count),
      () =>
        f
          .get(count)
          .i64(BigInt(activeLanes(mask)))
          .op(Op.i64_mul),
    )
    for (const group of groups) {
      if (this.emitRunCount(group, mask, count)) continue
      f.get(count).op(Op.i64_eqz).op(Op.i32_eqz).if()
      f.i32(group.members[0]!.site).i32(mask)
      this.pushLaunchBin(group)
      f.get(count).op(Op.i32_wrap_i64).call(helpers.host.countTimes)
      f.end()
    }
  }

  /** Adds executions by some lanes to the site's run (warpRuns.ts), if it has none of another kind. */
  private emitRunCount(group: CountGroup, mask: number, count: number): boolean {
    const { layout, runs } = this.context
    const source = group.members[0]!.site
    if (runs.some(run => run.source === source)) return false
    runs.push({ source, mask, warps: 1, step: NO_STEP })
    this.addToHistogram(layout.runs, group, count)
    return true
  }

  private pushLaunchBin({ launchBits }: CountGroup): void {
    const { f, values } = this.context
    const { constant, terms } = launchBits!
    f.i32(constant)
    for (const { value, scale } of terms) {
      values.scalar(value)
      f.i32(scale).op(Op.i32_mul).op(Op.i32_add)
    }
    f.i32(127).op(Op.i32_and)
  }

  /** `histograms`: where those of all sites begin, one each; `count`: local (i64) with how often the group was accessed. */
  private addToHistogram(histograms: number, group: CountGroup, count: number): void {
    const { f, frame } = this.context
    const at = histograms + group.members[0]!.site * HISTOGRAM_BYTES
    const bin = f.local(I32)
    this.pushLaunchBin(group)
    f.i32(2).op(Op.i32_shl).get(frame.slot).op(Op.i32_add).tee(bin)
    f.get(bin).memory(Op.i32_load, at).get(count).op(Op.i32_wrap_i64).op(Op.i32_add).memory(Op.i32_store, at)
    f.release(I32, bin)
  }
}

/** Where phis get their storage block by block: that of those which this block is the first to write. */
export function allocatePhisOf({ lifetimes, values, newPhis }: KernelContext, block: Block): void {
  for (const phi of lifetimes?.beforeBlock(block) ?? []) {
    if (values.isStored(phi)) continue
    const storages = values.allocate(phi)
    newPhis?.push(...storages)
  }
}

/** Frees what no later block reads. */
export function retireAfterBlock({ lifetimes, values }: KernelContext, block: Block): void {
  for (const value of lifetimes?.afterBlock(block) ?? []) if (values.isStored(value)) values.retire(value)
}

/** Asks the host now and then whether time is up. */
/** Pushes the lanes with which the warp at hand begins. */
export function pushInitialMask({ f, frame, geometry }: KernelContext): void {
  if (geometry.lastMask === -1) f.i32(-1)
  else
    f.i32(geometry.lastMask)
      .i32(-1)
      .get(frame.warp)
      .i32(geometry.warps - 1)
      .op(Op.i32_eq)
      .op(Op.select)
}
