/**
 * Emits a version of a region (versions.ts): blocks in scheduling order, each with lanes that are constants. Blocks that surely
 * run stand in a row; others, and those in loops, wait for a word that says that they are to run.
 */
import { barrierOf } from '../../analysis/execution/splitBarriers.ts'
import { terminatorOf } from '../../ir/graph.ts'
import type { Block } from '../../ir/ir.ts'
import { I32, I64 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { BlockEmitter } from '../instructions/instructions.ts'
import type { KernelContext } from '../kernelContext.ts'
import type { BarrierRegion } from './barrierRegions.ts'
import { type Arrivals, allocatePhisOf, type ControlFlow, phiMoves, retireAfterBlock } from './controlFlow.ts'
import type { Version } from './versions.ts'

export class VersionFlow {
  private readonly context: KernelContext
  private readonly emitter: BlockEmitter
  private readonly control: ControlFlow
  private readonly arrivals: Arrivals | undefined
  private version!: Version

  constructor(context: KernelContext, emitter: BlockEmitter, control: ControlFlow, arrivals: Arrivals | undefined) {
    this.context = context
    this.emitter = emitter
    this.control = control
    this.arrivals = arrivals
  }

  /** One warp; `count` is a local that counts the warps which run the version. */
  emit(region: BarrierRegion, version: Version, count: number): void {
    this.version = version
    const { blocks } = this.context.program.kernel
    const loops = region.loops.filter(({ first }) => version.blocks.has(blocks[first]!))
    this.control.walk(region.blocks, loops, block => this.emitBlock(block, count))
    this.context.version = undefined
  }

  private emitBlock(block: Block, certainCount: number): void {
    const { f, frame, counting, knownCounts } = this.context
    allocatePhisOf(this.context, block)
    const lanes = this.version.blocks.get(block)
    if (!lanes) return
    const waiting = this.control.waitingFor(block)
    if (!lanes.certain) {
      f.block()
      f.get(waiting).op(Op.i32_eqz).brIf(f.depth)
      f.i32(0).set(waiting)
    }
    f.i32(lanes.mask).set(frame.mask)
    const count = lanes.certain ? certainCount : f.fresh(I64)
    if (counting && !lanes.certain) f.get(count).i64(1n).op(Op.i64_add).set(count)
    this.context.version = { version: this.version, mask: lanes.mask, count }
    this.emitter.emitBlock(block)
    if (counting) {
      const groups = [...new Set(this.context.countGroups.values())].filter(group => group.launchBits)
      knownCounts.push({ block, mask: lanes.mask, count, groups })
    }
    const barrier = barrierOf(block)
    if (barrier) this.arrivals!.emitArrival(barrier)
    else this.emitTerminator(block, lanes.mask)
    if (!lanes.certain) f.end()
    retireAfterBlock(this.context, block)
  }

  private emitTerminator(block: Block, mask: number): void {
    const { f, values } = this.context
    const terminator = terminatorOf(block)
    switch (terminator.op) {
      case 'br':
        this.emitEdge(block, terminator.target, mask)
        return
      case 'condbr': {
        const { ifTrue, ifFalse, condition } = terminator
        if (ifTrue === ifFalse) return this.emitEdge(block, ifTrue, mask)
        const decided = this.version.decided.get(block)
        if (decided !== undefined) {
          if (mask & decided) this.emitEdge(block, ifTrue, mask & decided)
          if (mask & ~decided) this.emitEdge(block, ifFalse, mask & ~decided)
          return
        }
        values.scalar(condition)
        f.if()
        this.emitEdge(block, ifTrue, mask)
        f.else()
        this.emitEdge(block, ifFalse, mask)
        f.end()
        return
      }
      case 'switch': {
        const done = f.block()
        for (const target of new Set(terminator.cases.map(({ target: to }) => to))) {
          if (target === terminator.fallback) continue
          const wanted = terminator.cases.filter(({ target: to }) => to === target).map(({ value }) => value)
          this.control.pushIsOneOf(terminator.value, wanted)
          f.if()
          this.emitEdge(block, target, mask)
          f.br(done).end()
        }
        this.emitEdge(block, terminator.fallback, mask)
        f.end()
        return
      }
      case 'unreachable':
        f.op(Op.unreachable)
    }
  }

  private emitEdge(from: Block, to: Block, lanes: number): void {
    const { f } = this.context
    const target = this.version.blocks.get(to)!
    const moves = phiMoves(from, to)
    if (lanes === target.mask) this.control.emitMoves(moves, undefined)
    else if (moves.length > 0) {
      const some = f.local(I32)
      f.i32(lanes).set(some)
      this.control.emitMoves(moves, some)
      f.release(I32, some)
    }
    if (!target.certain) f.i32(target.mask).set(this.control.waitingFor(to))
  }
}
