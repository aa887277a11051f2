/**
 * Meetings of threads that are none (synccheck): barriers that some threads of the block go around, and calls for lanes of a warp that are
 * not there. In: what a block's threads come to, in order. Out: findings; and to those who ask about hazards, who has met whom.
 */
import { isBarrier } from '../analysis/execution/splitBarriers.ts'
import type { CallInstruction } from '../ir/ir.ts'
import type { SyncPoints, WarpLanes } from '../launch.ts'

export interface SyncFindings {
  /** A barrier opened with `lanes` of `warp` at it, while lanes of another warp, or the same, went around it. */
  readonly wentAround: (point: number, there: WarpLanes, elsewhere: WarpLanes) => void
  /** Threads of one block wait at two barriers of the source. */
  readonly apart: (point: number, there: WarpLanes, other: number, elsewhere: WarpLanes) => void
  /** Lanes that a call does not name make it. */
  readonly notNamed: (point: number, at: WarpLanes, members: number) => void
  /** Lanes that a call names have not made it. */
  readonly missing: (point: number, at: WarpLanes, missing: number, members: number) => void
}

/** Lanes that others of their warp have named, and that may make the same call still. */
interface Pending {
  readonly point: number
  readonly lanes: number
  readonly members: number
  missing: number
}

export class SyncChecks {
  private readonly points: SyncPoints
  private readonly warps: number
  private readonly findings: SyncFindings
  /** By point and warp: who came there since the last barrier. */
  private readonly arrived: Int32Array
  private arrivals = 0
  /** By skip and warp: lanes that came past since the last barrier and have not come to its own since. */
  private readonly skipped: Int32Array
  /** The skips of each point. */
  private readonly skipsOf: readonly (readonly number[])[]
  private readonly isPlain: readonly boolean[]
  private readonly pending = new Map<number, Pending[]>()

  constructor(points: SyncPoints, warps: number, findings: SyncFindings) {
    this.points = points
    this.warps = warps
    this.findings = findings
    this.isPlain = points.calls.map(isPlainBarrier)
    this.arrived = new Int32Array(points.calls.length * warps)
    this.skipped = new Int32Array(points.skips.length * warps)
    this.skipsOf = points.calls.map((_, point) =>
      points.skips.flatMap(({ barrier }, skip) => (barrier === point ? [skip] : [])),
    )
  }

  /** Another block begins. */
  begin(): void {
    this.forget()
    this.pending.clear()
  }

  arrive(warp: number, lanes: number, point: number): void {
    const { warps } = this
    this.arrivals++
    this.arrived[point * warps + warp]! |= lanes
    for (const skip of this.skipsOf[point]!) this.skipped[skip * warps + warp]! &= ~lanes
  }

  pass(warp: number, lanes: number, skip: number): void {
    this.skipped[skip * this.warps + warp]! |= lanes
  }

  /** Whether anybody was there: a meeting of nobody is none of the program's. */
  get hasArrivals(): boolean {
    return this.arrivals > 0
  }

  /** A barrier of the whole block opens. */
  meetAll(): void {
    const { calls } = this.points
    let first: { readonly point: number; readonly there: WarpLanes } | undefined
    for (let point = 0; point < calls.length; point++) {
      const there = this.someOf(this.arrived, point)
      if (!there || !this.isPlain[point]) continue
      if (first && lineOf(calls[point]!) !== lineOf(calls[first.point]!))
        this.findings.apart(first.point, first.there, point, there)
      first ??= { point, there }
      for (const skip of this.skipsOf[point]!) {
        const around = this.someOf(this.skipped, skip)
        if (around) this.findings.wentAround(point, there, around)
      }
    }
    this.forget()
  }

  /** Some threads have met. */
  forget(): void {
    this.arrivals = 0
    this.arrived.fill(0)
    this.skipped.fill(0)
  }

  private someOf(lanes: Int32Array, index: number): WarpLanes | undefined {
    const { warps } = this
    for (let warp = 0; warp < warps; warp++) {
      const some = lanes[index * warps + warp]!
      if (some !== 0) return { warp, lanes: some }
    }
    return undefined
  }

  synchronize(warp: number, lanes: number, others: number, members: Int32Array, point: number): void {
    if (lanes === -1 && this.pending.size === 0 && members.every(named => named === -1)) return
    const name = calledName(this.points.calls[point]!)
    let seen = 0
    for (let lane = 0; lane < 32; lane++) {
      if (!((lanes >>> lane) & 1) || (seen >>> lane) & 1) continue
      const named = members[lane]!
      // Those who name the same lanes are one call.
      let group = 0
      for (let other = lane; other < 32; other++)
        if ((lanes >>> other) & 1 && members[other] === named) group |= 1 << other
      seen |= group
      if (group & ~named) this.findings.notNamed(point, { warp, lanes: group & ~named }, named)
      const missing = named & others & ~lanes
      const waiting = this.pending.get(warp) ?? []
      for (const each of waiting)
        if (each.members === named && calledName(this.points.calls[each.point]!) === name) each.missing &= ~group
      const left = waiting.filter(each => {
        if (each.missing === 0) return false
        if ((each.lanes & group) === 0) return true
        this.tellMissing(warp, each)
        return false
      })
      if (missing !== 0 && !isCompleted(waiting, named, missing))
        left.push({ point, lanes: group, members: named, missing })
      if (left.length > 0) this.pending.set(warp, left)
      else this.pending.delete(warp)
    }
  }

  /** The block has ended: nobody makes a call any more. */
  end(): void {
    for (const [warp, waiting] of this.pending)
      for (const each of waiting) if (each.missing) this.tellMissing(warp, each)
  }

  private tellMissing(warp: number, { point, lanes, missing, members }: Pending): void {
    this.findings.missing(point, { warp, lanes }, missing, members)
  }
}

/** The missing ones have made the call before, and were waited for. */
function isCompleted(waiting: readonly Pending[], members: number, missing: number): boolean {
  return waiting.some(each => each.members === members && each.missing === 0 && (missing & ~each.lanes) === 0)
}

const calledName = ({ callee }: CallInstruction): string => (callee.kind === 'function' ? callee.name : '')

/** Barrier 0 of the whole block, in its spellings without a number of threads. */
function isPlainBarrier(call: CallInstruction): boolean {
  if (!isBarrier(call) || /\.cluster|arrive/.test(calledName(call))) return false
  const [id, ...rest] = call.args
  const isZero = calledName(call).includes('barrier0')
  const isIdZero = isZero || id?.kind === 'zero' || (id?.kind === 'int' && id.value === 0n)
  const isCounted = !isZero && !/\.red\./.test(calledName(call)) && rest.length > 0
  return isIdZero && !isCounted && !/\.count$/.test(calledName(call))
}

function lineOf({ location }: CallInstruction): string {
  return location ? `${location.file}:${location.line}:${location.column}` : ''
}
