/**
 * Emits a kernel region by region (barrierRegions.ts): for each block, round after round, the region behind the barrier where
 * the block waits, warp after warp. What later regions of a warp need stays in memory, at a place for each value (savedValues.ts).
 */
import { liveIn } from '../../analysis/execution/liveness.ts'
import { isBarrier } from '../../analysis/execution/splitBarriers.ts'
import { phisOf } from '../../analysis/rewriting/blocks.ts'
import { operandsOf } from '../../ir/graph.ts'
import type { Block, CallInstruction, Instruction, Value } from '../../ir/ir.ts'
import { I32, I64 } from '../../wasm/builder.ts'
import { ByteWriter } from '../../wasm/bytes.ts'
import { Op } from '../../wasm/opcodes.ts'
import { GatheredStores } from '../accesses/gatheredStores.ts'
import { HeldWords } from '../accesses/heldWords.ts'
import { tellMeeting } from '../checking/checking.ts'
import { CLOCK_MEET } from '../counting/kernelClock.ts'
import { burnFuel, LongestWarp } from '../counting/loopWork.ts'
import { WarpRun } from '../counting/warpRuns.ts'
import type { BlockEmitter } from '../instructions/instructions.ts'
import type { KernelContext } from '../kernelContext.ts'
import { Lifetimes } from '../values/lifetimes.ts'
import type { Storage } from '../values/storage.ts'
import { BarrierReductions, reductionOf } from './barrierReductions.ts'
import type { AlignedRegions, BarrierRegion } from './barrierRegions.ts'
import { type ControlFlow, pushInitialMask } from './controlFlow.ts'
import { RegionOrder } from './regionOrder.ts'
import { readBy, SavedValues } from './savedValues.ts'
import { VersionFlow } from './versionFlow.ts'
import { askedInstructions, planVersions, type Version } from './versions.ts'
import { type Bound, boundsOf, pushAllHold } from './warpBounds.ts'

/** Instructions of a version that stands there twice, once without questions. */
const MOST_TWICE = 400

/** What goes on around the warps of a version. */
interface WarpLoop {
  readonly run: WarpRun
  readonly gathered: GatheredStores | undefined
  /** Local: no warp needs to ask whether it can run the version. */
  readonly allHold: number | undefined
  /** No warp of any block needs to ask. */
  readonly isSure: boolean
}

export class Regions {
  private readonly context: KernelContext
  private readonly emitter: BlockEmitter
  private readonly regions: readonly BarrierRegion[]
  private readonly mayEndEarly: boolean
  private readonly live: ReadonlyMap<Block, ReadonlySet<Instruction>>
  private readonly order: RegionOrder
  private readonly reductions: BarrierReductions
  private readonly saved: SavedValues
  readonly bytesPerWarp: number
  /** Start of the warp's memory; the region to run, the one to run next (0: the block has ended). */
  private readonly savedWarp: number
  private readonly current: number
  private readonly next: number
  private atHand: BarrierRegion | undefined
  private held: HeldWords | undefined
  /** Of the region at hand, where warps go round loops in it. */
  private longest: LongestWarp | undefined
  /** Counts of versions that all their warps surely run, once a block. */
  private readonly blockCounts: { readonly count: number; readonly warps: number }[] = []

  constructor(context: KernelContext, emitter: BlockEmitter, { regions, mayEndEarly }: AlignedRegions) {
    this.context = context
    this.emitter = emitter
    this.regions = regions
    this.mayEndEarly = mayEndEarly
    this.order = new RegionOrder(regions, mayEndEarly)
    this.reductions = new BarrierReductions(context, [...this.order.numbers.keys()])
    this.live = liveIn(context.program.kernel)
    this.savedWarp = context.f.local(I32)
    this.current = context.f.local(I32)
    this.next = context.f.local(I32)
    this.saved = new SavedValues(context, emitter, regions, this.savedWarp)
    this.bytesPerWarp = this.saved.bytesPerWarp
  }

  /** All rounds of one block. */
  emitBlock(control: ControlFlow): void {
    const { f } = this.context
    if (this.regions.length === 1) {
      this.emitRegion(this.regions[0]!, control)
      return
    }
    if (this.order.isChain()) {
      this.reductions.emitFirstRound()
      this.regions.forEach((region, index) => {
        if (index > 0) this.emitNextRound()
        this.emitRegion(region, control)
      })
      return
    }
    f.i32(0).set(this.current)
    this.reductions.emitFirstRound()
    const rounds = f.loop()
    f.i32(0).set(this.next)
    const done = f.block()
    const labels = this.regions.map(() => f.block()).reverse()
    f.get(this.current).brTable(labels, labels[0]!)
    this.regions.forEach((region, index) => {
      f.end()
      this.emitRegion(region, control)
      if (index + 1 === this.regions.length) return
      if (this.order.onlyNext(region) !== index + 1) f.br(done)
      else {
        this.emitNextRound()
        f.i32(0).set(this.next)
      }
    })
    f.end()
    this.emitNextRound()
    f.get(this.next).tee(this.current).if()
    // A kernel can go from barrier to barrier for ever.
    burnFuel(this.context, this.workOfRound())
    f.br(rounds).end()
    f.end()
  }

  /** All warps have come to a barrier. */
  private emitNextRound(): void {
    const { f, helpers, program } = this.context
    this.reductions.emitNextRound()
    if (program.timesItself) f.i32(CLOCK_MEET).call(helpers.host.clock)
    tellMeeting(this.context)
  }

  /** Of all warps from one barrier to the next, whichever that is. */
  private workOfRound(): number {
    const instructions = this.regions.flatMap(({ blocks }) => blocks.map(block => block.instructions.length))
    const all = instructions.reduce((sum, length) => sum + length, 0)
    return this.context.geometry.warps * Math.ceil(all / this.regions.length)
  }

  /** What is known of the blocks' number alone, when the function ends. */
  emitBlockCounts(): void {
    const { f, frame } = this.context
    for (const { count, warps } of this.blockCounts)
      f.get(frame.block)
        .get(frame.first)
        .op(Op.i32_sub)
        .op(Op.i64_extend_i32_u)
        .i64(BigInt(warps))
        .op(Op.i64_mul)
        .set(count)
  }

  private initialMask(warp: number): number {
    const { warps, lastMask } = this.context.geometry
    return warp === warps - 1 ? lastMask : -1
  }

  private emitRegion(region: BarrierRegion, control: ControlFlow): void {
    const { context } = this
    const { geometry } = context
    this.atHand = region
    const versions = context.checked ? undefined : planVersions(context, region, warp => this.initialMask(warp))
    const held = this.heldThrough(region, versions)
    this.longest = region.loops.length > 0 ? new LongestWarp(context) : undefined
    this.longest?.beginWay()
    if (versions) this.emitVersions(region, control, versions, held)
    else this.emitWarps(0, geometry.warps - 1, () => this.emitGeneral(region, control))
    this.longest?.endWay()
  }

  private emitVersions(
    region: BarrierRegion,
    control: ControlFlow,
    versions: readonly Version[],
    held: HeldWords | undefined,
  ): void {
    const { context } = this
    for (const version of versions) {
      const count = context.f.fresh(I64)
      if (this.isIdle(region, version)) this.emitIdle(region, version, control, count)
      else {
        const mayFail = this.asksMask(region) || version.assumptions.size > 0
        const isOnce = !mayFail && this.order.once.has(region)
        if (isOnce) this.blockCounts.push({ count, warps: version.last - version.first + 1 })
        const run = new WarpRun(context, version, count, isOnce ? 'once' : mayFail ? 'some' : 'all')
        const gathered = GatheredStores.plan(context, region, version)
        // What a warp that has ended kept for later is of another block.
        const asks = version.assumptions.size > 0 && version.last > version.first && !this.asksMask(region)
        const bounds = asks ? boundsOf(context, version) : undefined
        const allHold = bounds && context.f.fresh(I32)
        if (bounds && this.isSmall(version)) {
          const sure = new WarpRun(context, version, context.f.fresh(I64), 'all')
          this.setWarp(version.first)
          this.pushAllHold(region, bounds)
          context.f.if()
          this.emitLoop(region, version, control, { run: sure, gathered, allHold: undefined, isSure: true })
          context.f.else()
          this.emitLoop(region, version, control, { run, gathered: undefined, allHold: undefined, isSure: false })
          context.f.end()
        } else {
          context.held = held
          this.emitLoop(region, version, control, { run, gathered, allHold, isSure: !mayFail }, () => {
            if (!bounds) return
            this.pushAllHold(region, bounds)
            context.f.set(allHold!)
          })
          context.held = undefined
        }
      }
    }
  }

  /** What the only warp that runs the region has in locals; others that run lose it all. */
  private heldThrough(region: BarrierRegion, versions: readonly Version[] | undefined): HeldWords | undefined {
    const active = versions?.filter(version => !this.isIdle(region, version))
    if (active?.length === 0) return undefined
    const [only, ...others] = active ?? []
    const suits = only && others.length === 0 && this.order.isChain() && HeldWords.suits(this.context, only)
    if (!suits || this.held?.warp !== only.first) {
      this.held?.forget()
      this.held = suits ? new HeldWords(this.context, only.first) : undefined
    }
    return this.held
  }

  /** A version's loop over its warps; `before` is computed for the first. */
  private emitLoop(
    region: BarrierRegion,
    version: Version,
    control: ControlFlow,
    loop: WarpLoop,
    before: () => void = () => {},
  ): void {
    const { run, gathered } = loop
    run.begin()
    gathered?.begin()
    this.emitWarps(version.first, version.last, () => this.emitVersion(region, version, control, loop), before)
    run.end()
    gathered?.writePending()
  }

  /** Its code may stand there twice. */
  private isSmall({ blocks }: Version): boolean {
    return [...blocks.keys()].reduce((sum, block) => sum + block.instructions.length, 0) <= MOST_TWICE
  }

  private setWarp(warp: number): void {
    const { f, frame } = this.context
    f.i32(warp).set(frame.warp)
    f.get(frame.saved)
      .i32(warp * this.bytesPerWarp)
      .op(Op.i32_add)
      .set(this.savedWarp)
  }

  /** `body` for each of these warps; `before` is computed for the first. */
  private emitWarps(first: number, last: number, body: () => void, before: () => void = () => {}): void {
    const { f, frame } = this.context
    this.setWarp(first)
    before()
    const warp = (): void => {
      this.longest?.beginWarp()
      body()
      this.longest?.endWarp()
    }
    if (first === last) return warp()
    const warps = f.loop()
    warp()
    f.get(this.savedWarp).i32(this.bytesPerWarp).op(Op.i32_add).set(this.savedWarp)
    f.get(frame.warp).i32(1).op(Op.i32_add).tee(frame.warp).i32(last).op(Op.i32_le_u).brIf(warps)
    f.end()
  }

  private emitGeneral(region: BarrierRegion, control: ControlFlow): void {
    const { f } = this.context
    const waiting = control.waitingFor(region.start)
    f.block()
    const skip = f.depth
    this.pushStartMask(region)
    f.tee(waiting).op(Op.i32_eqz).brIf(skip)
    this.forgetWaiting()
    this.emitFresh(() => {
      for (const value of region.restored) this.saved.restore(value)
      if (region.after) this.reductions.emitResult(region.after)
      this.context.lifetimes = this.lifetimesOf(region)
      control.emitWarp(region.blocks, region.loops)
      this.context.lifetimes = undefined
    })
    f.end()
  }

  /**
   * Code in whose beginning no phi has a value. Lanes that do not run keep what its locals had before, which nobody sees; the engine,
   * which cannot know that, would keep it in registers through the whole function (measured: a matmul took 8 % longer).
   */
  private emitFresh(emit: () => void): void {
    const { context } = this
    const { f, values } = context
    const before = f.code
    const phis: Storage[] = []
    f.code = new ByteWriter()
    context.newPhis = phis
    values.scoped(emit)
    context.newPhis = undefined
    const code = f.code.result()
    f.code = before
    const [bits, vectors] = [new Set<number>(), new Set<number>()]
    for (const storage of phis)
      if (storage.kind === 'bits') bits.add(storage.local)
      else if (storage.kind === 'vectors') for (const local of storage.locals) vectors.add(local)
    for (const local of bits) f.i32(0).set(local)
    for (const local of vectors) f.v128([0, 0, 0, 0]).set(local)
    f.code.bytes(code)
  }

  /** Pushes the warp's lanes that begin the region. */
  private pushStartMask(region: BarrierRegion): void {
    if (region.after && this.mayEndEarly) this.context.f.get(this.savedWarp).memory(Op.i32_load, 0)
    else pushInitialMask(this.context)
  }

  /** Lanes that end, or do not come to the next barrier, do not wait. */
  private forgetWaiting(): void {
    if (this.mayEndEarly) this.context.f.get(this.savedWarp).i32(0).memory(Op.i32_store, 0)
  }

  private asksMask(region: BarrierRegion): boolean {
    return region.after !== undefined && this.mayEndEarly
  }

  private emitVersion(
    region: BarrierRegion,
    version: Version,
    control: ControlFlow,
    { run, gathered, allHold, isSure }: WarpLoop,
  ): void {
    const { context } = this
    const { f, values } = context
    const asksMask = this.asksMask(region)
    const mayFail = !isSure
    const done = mayFail ? f.block() : 0
    if (mayFail) {
      f.block()
      if (asksMask) {
        this.pushStartMask(region)
        f.i32(version.start).op(Op.i32_ne).brIf(f.depth)
      }
      const failed = f.depth
      if (allHold !== undefined) f.get(allHold).op(Op.i32_eqz).if()
      values.scoped(() => this.ask(region, version, failed))
      if (allHold !== undefined) f.end()
    }
    this.forgetWaiting()
    this.emitFresh(() => {
      const read = readBy(region, version)
      for (const value of region.restored) if (read.has(value)) this.saved.restore(value)
      if (region.after) this.reductions.emitResult(region.after)
      context.lifetimes = this.lifetimesOf(region)
      context.run = run
      context.gathered = gathered
      new VersionFlow(context, this.emitter, control, this).emit(region, version, run.count)
      context.run = undefined
      context.gathered = undefined
      context.lifetimes = undefined
      run.countWarp()
    })
    if (!mayFail) return
    f.br(done).end()
    run.interrupt()
    gathered?.writePending()
    this.emitGeneral(region, control)
    f.end()
  }

  private lifetimesOf(region: BarrierRegion): Lifetimes {
    const { program, values } = this.context
    return new Lifetimes(region, program.kernel.blocks, this.live, value => values.usersOfValue(value))
  }

  /** Pushes whether no warp of the version needs to ask. */
  private pushAllHold(region: BarrierRegion, bounds: readonly Bound[]): void {
    const { context } = this
    context.values.scoped(() => {
      this.compute(
        region,
        bounds.flatMap(({ moving, fixed }) => [moving, fixed]),
      )
      pushAllHold(context, bounds)
    })
  }

  /** Computes what can be asked when the region begins. */
  private compute(region: BarrierRegion, asked: readonly Value[]): void {
    const needed = new Set<Instruction>()
    for (const value of asked)
      for (const instruction of askedInstructions(this.context, region, value)!) needed.add(instruction)
    const operands = new Set<Value>([...asked, ...[...needed].flatMap(instruction => operandsOf(instruction))])
    for (const value of region.restored) if (operands.has(value)) this.saved.restore(value)
    if (region.after && operands.has(region.after)) this.reductions.emitResult(region.after)
    for (const instruction of needed) this.emitter.emitHoisted(instruction)
  }

  /** Leaves for the general code where an assumption does not hold. */
  private ask(region: BarrierRegion, version: Version, failed: number): void {
    const { f, values } = this.context
    this.compute(region, [...version.assumptions.keys()])
    for (const [condition, expected] of version.assumptions) {
      values.bits(condition)
      f.i32(expected ? -1 : 0)
        .op(Op.i32_ne)
        .brIf(failed)
    }
  }

  /** Nothing to compute, nothing to keep: only the block's executions are counted. */
  private isIdle(region: BarrierRegion, version: Version): boolean {
    if (version.assumptions.size > 0 || this.mayEndEarly) return false
    return [...version.blocks].every(([block, { certain }]) => {
      if (!certain || phisOf(block).length > 0) return false
      const saved = block.instructions.flatMap(instruction =>
        isBarrier(instruction) ? region.saved.get(instruction)! : [],
      )
      if (saved.length > 0) return false
      return block.instructions.every(
        instruction =>
          instruction === block.instructions.at(-1) ||
          (isBarrier(instruction) && reductionOf(instruction) === undefined) ||
          version.skipped.has(instruction) ||
          this.emitter.isHoisted(instruction),
      )
    })
  }

  private emitIdle(region: BarrierRegion, version: Version, control: ControlFlow, count: number): void {
    const { f } = this.context
    const warps = version.last - version.first + 1
    if (this.order.once.has(region)) this.blockCounts.push({ count, warps })
    else f.get(count).i64(BigInt(warps)).op(Op.i64_add).set(count)
    new VersionFlow(this.context, this.emitter, control, this).emit(region, version, count)
  }

  /** The lanes of `frame.mask` have come to a barrier. */
  emitArrival(call: CallInstruction): void {
    const { f, frame } = this.context
    f.i32(this.order.numbers.get(call)!).set(this.next)
    if (this.mayEndEarly) f.get(this.savedWarp).get(frame.mask).memory(Op.i32_store, 0)
    for (const value of this.atHand!.saved.get(call)!) this.saved.save(value)
    this.reductions.emitContribution(call)
  }
}
