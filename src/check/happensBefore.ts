/**
 * What comes before what in a block. Each warp has a time, a number that grows where its threads meet others; what a thread did at a time
 * is ordered before what another one does now where that one has met the first since. In: the meetings, as they happen. All warps have the
 * same time after a barrier of the whole block, so that most questions are one comparison with `floor`. Times go on from one block to the
 * next that has the same object: what the one before did is before everything.
 */
import { WARP_LANES } from '../addressSpace.ts'
import type { WarpLanes } from '../launch.ts'

export class HappensBefore {
  /** Times up to this one lie before a barrier of the whole block, or before it. */
  floor = 0
  /** Times up to this one lie before the block. */
  start = 0
  /** Of each warp. */
  readonly now: Int32Array
  private readonly warps: number
  /** Of each warp, the times of its own that its lanes all have met after. */
  private readonly warpFloor: Int32Array
  /** seen[w * warps + v]: the time of warp v that warp w has met; only in blocks where not all meet. */
  private seen: Int32Array | undefined
  /** Of warps of which not all lanes met: [lane * 32 + other], the time of the other that the lane has met. */
  private readonly lanesSeen = new Map<number, Int32Array>()
  /** By place in shared memory: what those who released it had seen. */
  private readonly released = new Map<number, Int32Array>()

  constructor(warps: number) {
    this.warps = warps
    this.now = new Int32Array(warps)
    this.warpFloor = new Int32Array(warps)
    this.begin()
  }

  /** A block begins. */
  begin(): void {
    this.meetAll()
    this.start = this.floor
    this.released.clear()
  }

  meetAll(): void {
    let latest = 0
    for (const time of this.now) if (time > latest) latest = time
    this.floor = latest
    this.now.fill(latest + 1)
    this.seen = undefined
    this.lanesSeen.clear()
  }

  /** Those who wait go on after all that they and the others did. */
  meet(waiting: readonly WarpLanes[], announced: readonly WarpLanes[]): void {
    const joined = new Int32Array(this.warps)
    for (const { warp } of [...waiting, ...announced]) this.mergeInto(joined, warp)
    for (const { warp } of waiting) this.acquire(warp, joined)
    for (const warp of new Set([...waiting, ...announced].map(entry => entry.warp))) this.now[warp]!++
  }

  /** All lanes of the warp that there are. */
  meetWarp(warp: number): void {
    this.warpFloor[warp] = this.now[warp]!++
    this.lanesSeen.delete(warp)
  }

  /** Some lanes of the warp; each group by itself. */
  meetLanes(warp: number, groups: Iterable<number>): void {
    let seen = this.lanesSeen.get(warp)
    if (!seen) this.lanesSeen.set(warp, (seen = new Int32Array(WARP_LANES * WARP_LANES)))
    const time = this.now[warp]!
    for (const group of groups) {
      const joined = new Int32Array(WARP_LANES)
      for (let lane = 0; lane < WARP_LANES; lane++) {
        if (!((group >>> lane) & 1)) continue
        for (let other = 0; other < WARP_LANES; other++)
          joined[other] = Math.max(joined[other]!, seen[lane * WARP_LANES + other]!)
        joined[lane] = time
      }
      for (let lane = 0; lane < WARP_LANES; lane++) if ((group >>> lane) & 1) seen.set(joined, lane * WARP_LANES)
    }
    this.now[warp]!++
  }

  /** An atomic operation at a place that others know what was done before it by: after theirs, and before theirs to come. */
  pass(place: number, warp: number, acquires: boolean, releases: boolean): void {
    const before = this.released.get(place)
    if (acquires && before) this.acquire(warp, before)
    if (!releases) return
    const joined = before ?? new Int32Array(this.warps)
    this.mergeInto(joined, warp)
    this.released.set(place, joined)
  }

  /** After {@link pass}: what the warp does from now on is not part of what it released. */
  advance(warp: number): void {
    this.now[warp]!++
  }

  private mergeInto(joined: Int32Array, warp: number): void {
    const { seen, warps } = this
    if (seen)
      for (let other = 0; other < warps; other++) joined[other] = Math.max(joined[other]!, seen[warp * warps + other]!)
    joined[warp] = Math.max(joined[warp]!, this.now[warp]!)
  }

  private acquire(warp: number, joined: Int32Array): void {
    const { warps } = this
    this.seen ??= new Int32Array(warps * warps)
    const { seen } = this
    for (let other = 0; other < warps; other++)
      seen[warp * warps + other] = Math.max(seen[warp * warps + other]!, joined[other]!)
    this.warpFloor[warp] = Math.max(this.warpFloor[warp]!, joined[warp]!)
  }

  /** What a lane of a warp did at a time, before what a lane of a warp does now. */
  isOrdered(earlierWarp: number, earlierLane: number, time: number, warp: number, lane: number): boolean {
    if (time <= this.floor) return true
    if (earlierWarp !== warp) return this.seen !== undefined && this.seen[warp * this.warps + earlierWarp]! >= time
    if (earlierLane === lane || time <= this.warpFloor[warp]!) return true
    const seen = this.lanesSeen.get(warp)
    return seen !== undefined && seen[lane * WARP_LANES + earlierLane]! >= time
  }
}
