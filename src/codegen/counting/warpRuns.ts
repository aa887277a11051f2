/**
 * Accesses that all warps of a version (versions.ts) make once are counted a block at a time: their addresses grow by the same
 * step from warp to warp (warpSteps.ts), so that the low bits of the last warp's scalar tell those of all. A site has one such
 * run, with a histogram of its own in the slot; what else it does is counted access by access.
 */
import { I32 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { Version } from '../flow/versions.ts'
import type { KernelContext } from '../kernelContext.ts'
import { HISTOGRAM_BYTES, RUN_STEP_BYTES } from '../slot.ts'
import { pushStep, type WarpStep, warpStepOf } from '../values/warpSteps.ts'
import type { CountGroup } from './countGroups.ts'

/** How a site's run histogram is to be read: each count is of `warps` accesses, by these lanes, a step apart. */
export interface RunUse {
  readonly source: number
  readonly mask: number
  readonly warps: number
  readonly step: WarpStep
}

interface Member {
  readonly use: RunUse
  /** Local with the scalar of the latest warp. */
  readonly latest: number
}

/** The loop over the warps of one version. */
export class WarpRun {
  private readonly context: KernelContext
  private readonly version: Version
  private readonly members: Member[] = []
  /** Local (i64): how often a warp ran the version. */
  readonly count: number
  /** Local: warps that have run the version since the last count; undefined where all of them surely do. */
  private readonly pending: number | undefined
  private readonly isCounted: boolean

  /** `whichRun`: all warps of the version, and that once a block, so that `count` is known without counting; all; or some. */
  constructor(context: KernelContext, version: Version, count: number, whichRun: 'once' | 'all' | 'some') {
    this.context = context
    this.version = version
    this.count = count
    this.isCounted = whichRun !== 'once'
    this.pending = whichRun === 'some' ? context.f.fresh(I32) : undefined
  }

  private get warps(): number {
    return this.version.last - this.version.first + 1
  }

  /** Before the first warp. */
  begin(): void {
    if (this.pending !== undefined) this.context.f.i32(0).set(this.pending)
  }

  /**
   * Takes over the count of a group's first access by these lanes, whose scalar is in `base`; false where it cannot. Some lanes
   * only where all warps surely run the version, or only one does: {@link interrupt} counts accesses by all lanes.
   */
  takes(group: CountGroup, mask: number, base: number): boolean {
    const { context, version } = this
    const { f, runs } = context
    const { access, site } = group.members[0]!
    if (mask !== -1 && this.pending !== undefined && this.warps > 1) return false
    if (!version.blocks.get(group.block)?.certain || runs.some(({ source }) => source === site)) return false
    const step = warpStepOf(context, access.pointer, version.first, version.last)
    if (step === undefined) return false
    const use = { source: site, mask, warps: this.warps, step }
    const latest = f.fresh(I32)
    runs.push(use)
    this.members.push({ use, latest })
    f.get(base).set(latest)
    return true
  }

  /** A warp has run the version. */
  countWarp(): void {
    const { f } = this.context
    if (this.pending !== undefined) f.get(this.pending).i32(1).op(Op.i32_add).set(this.pending)
  }

  /** A warp does not: those before it are counted one by one. */
  interrupt(): void {
    const { f } = this.context
    if (this.pending === undefined) return
    f.get(this.pending).if()
    this.countSingly(this.pending)
    this.addToCount()
    f.i32(0).set(this.pending).end()
  }

  /** After the last warp. */
  end(): void {
    const { f } = this.context
    if (this.pending !== undefined && this.members.length > 0) f.get(this.pending).i32(this.warps).op(Op.i32_eq).if()
    for (const member of this.members) this.countOnce(member)
    if (this.pending !== undefined && this.members.length > 0) {
      f.else().get(this.pending).if()
      this.countSingly(this.pending)
      f.end().end()
    }
    this.addToCount()
  }

  private addToCount(): void {
    if (!this.isCounted) return
    const { f } = this.context
    f.get(this.count)
    if (this.pending === undefined) f.i64(BigInt(this.warps))
    else f.get(this.pending).op(Op.i64_extend_i32_u)
    f.op(Op.i64_add).set(this.count)
  }

  private countOnce({ use, latest }: Member): void {
    const { f, frame, layout } = this.context
    const at = layout.runs + use.source * HISTOGRAM_BYTES
    const bin = f.local(I32)
    f.get(latest).i32(127).op(Op.i32_and).i32(2).op(Op.i32_shl).get(frame.slot).op(Op.i32_add).tee(bin)
    f.get(bin).memory(Op.i32_load, at).i32(1).op(Op.i32_add).memory(Op.i32_store, at)
    f.release(I32, bin)
  }

  private countSingly(times: number): void {
    const { f, frame, layout, helpers } = this.context
    for (const { use, latest } of this.members) {
      f.get(frame.slot)
        .i32(layout.histograms + use.source * HISTOGRAM_BYTES)
        .op(Op.i32_add)
      f.get(latest)
      this.pushRunStep(use)
      f.get(times).call(helpers.countSteps)
    }
  }

  private pushRunStep({ source, step }: RunUse): void {
    const { f, frame, layout } = this.context
    if (step.terms.length === 0) f.i32(step.constant)
    else f.get(frame.slot).memory(Op.i32_load, layout.runSteps + source * RUN_STEP_BYTES)
  }
}

/** Writes the steps that the launch decides to the slot. */
export function emitRunSteps(context: KernelContext): void {
  const { f, frame, layout, runs } = context
  for (const { source, step } of runs) {
    if (step.terms.length === 0) continue
    f.get(frame.slot)
    pushStep(context, step)
    f.memory(Op.i32_store, layout.runSteps + source * RUN_STEP_BYTES)
  }
}
