/**
 * Meetings of threads that are none (synccheck): barriers that some threads of the block go around, and calls for lanes of a warp that are
 * not there. In: what a block's threads come to, in order. Out: findings; and to those who ask about hazards, who has met whom.
 */
import { isBarrier } from '../analysis/splitBarriers.ts'
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
  private readonly findings: SyncFindings
  /** Since the last barrier: who came to each point, by warp. */
  private readonly arrived = new Map<number, Map<number, number>>()
  /** By skip and warp: lanes that were at its barrier since they last came past. */
  private readonly wasThere = new Map<number, Map<number, number>>()
  /** By barrier and warp: lanes that came past without. */
  private readonly skipped = new Map<number, Map<number, number>>()
  private readonly pending = new Map<number, Pending[]>()

  constructor(points: SyncPoints, findings: SyncFindings) {
    this.points = points
    this.findings = findings
  }

  arrive(warp: number, lanes: number, point: number): void {
    addLanes(lanesAt(this.arrived, point), warp, lanes)
    this.points.skips.forEach(({ barrier }, skip) => {
      if (barrier !== point) return
      addLanes(lanesAt(this.wasThere, skip), warp, lanes)
      removeLanes(lanesAt(this.skipped, point), warp, lanes)
    })
  }

  pass(warp: number, lanes: number, skip: number): void {
    const there = lanesAt(this.wasThere, skip)
    const around = lanes & ~(there.get(warp) ?? 0)
    removeLanes(there, warp, lanes)
    if (around !== 0) addLanes(lanesAt(this.skipped, this.points.skips[skip]!.barrier), warp, around)
  }

  /** Whether anybody was there: a meeting of nobody is none of the program's. */
  get hasArrivals(): boolean {
    return this.arrived.size > 0
  }

  /** A barrier of the whole block opens. */
  meetAll(): void {
    const [first, ...others] = [...this.arrived].filter(([point]) => isPlainBarrier(this.points.calls[point]!))
    if (first) {
      const there = someOf(first[1])
      for (const [point, lanes] of others)
        if (lineOf(this.points.calls[point]!) !== lineOf(this.points.calls[first[0]]!))
          this.findings.apart(first[0], there, point, someOf(lanes))
      for (const [point, lanes] of [first, ...others]) {
        const around = [...(this.skipped.get(point) ?? [])].find(([, some]) => some !== 0)
        if (around) this.findings.wentAround(point, someOf(lanes), { warp: around[0], lanes: around[1] })
      }
    }
    this.forget()
  }

  /** Some threads have met. */
  forget(): void {
    this.arrived.clear()
    this.skipped.clear()
  }

  synchronize(warp: number, lanes: number, others: number, members: Int32Array, point: number): void {
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
      this.pending.set(warp, left)
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

function lanesAt(all: Map<number, Map<number, number>>, key: number): Map<number, number> {
  let found = all.get(key)
  if (!found) all.set(key, (found = new Map()))
  return found
}

function addLanes(byWarp: Map<number, number>, warp: number, lanes: number): void {
  byWarp.set(warp, (byWarp.get(warp) ?? 0) | lanes)
}

function removeLanes(byWarp: Map<number, number>, warp: number, lanes: number): void {
  const before = byWarp.get(warp)
  if (before !== undefined) byWarp.set(warp, before & ~lanes)
}

function someOf(byWarp: ReadonlyMap<number, number>): WarpLanes {
  const [warp, lanes] = [...byWarp][0]!
  return { warp, lanes }
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
