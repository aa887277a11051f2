/**
 * What warps read behind the accesses that are kept of them. Of some warps with more accesses than are kept all loads are looked at, and
 * of these no more than which sectors are new to the warp: loops that read again what they have read before look, in what is kept
 * of them, like streams, and single threads that stream behind a short beginning look like none.
 */
import type { WarpAccess } from '../../trace.ts'
import { type SectorMask, sectorsIn, withNeighbours } from './sectoredCache.ts'

/** Warps that are followed. */
export const MOST_WARPS = 6
/** Loads of one warp that are looked at; it goes on like the later half of these. */
const MOST_LOADS = 200_000

/** Sectors that are new to a warp: those that it asks for, and with their neighbours, as L2 fetches them. */
interface News {
  asked: number
  fetched: number
}

interface Followed {
  readonly sectors: Map<number, SectorMask>
  readonly found: News
  /** As it was behind the kept loads, and at half of the others that are looked at. */
  readonly kept: News
  half: News
  /** That are not kept. */
  loads: number
}

export class LaterLoads {
  readonly #followed = new Map<object, Followed>()

  isBegun(warp: object): boolean {
    return this.#followed.has(warp)
  }

  /** Whether there is room to follow one more warp. */
  get hasRoom(): boolean {
    return this.#followed.size < MOST_WARPS
  }

  /** Begins with the lines that the warp's kept loads touched. */
  begin(warp: object, kept: Iterable<readonly [line: number, sectors: SectorMask]>): void {
    const sectors = new Map<number, SectorMask>()
    const found = { asked: 0, fetched: 0 }
    for (const [line, mask] of kept) add(sectors, found, line, mask)
    this.#followed.set(warp, { sectors, found, kept: { ...found }, half: { ...found }, loads: 0 })
  }

  /** A load that is not kept. */
  add(warp: object, { mask, addresses }: WarpAccess): void {
    const followed = this.#followed.get(warp)
    if (!followed || ++followed.loads > MOST_LOADS) return
    const { sectors: known, found } = followed
    let last = -1
    let sectors = 0
    for (let lane = 0; lane < addresses.length; lane++) {
      if (!((mask >>> lane) & 1)) continue
      const line = addresses[lane]! >>> 7
      if (line !== last) {
        if (last >= 0) add(known, found, last, sectors)
        last = line
        sectors = 0
      }
      sectors |= 1 << ((addresses[lane]! >>> 5) & 3)
    }
    if (last >= 0) add(known, found, last, sectors)
    if (followed.loads === MOST_LOADS / 2) followed.half = { ...found }
  }

  /** What is new to a warp in all its loads over what is new in its kept ones; undefined where no warp was followed. */
  growth(of: keyof News): number | undefined {
    let [kept, all] = [0, 0]
    for (const { kept: first, found, half, loads } of this.#followed.values()) {
      const beyond = Math.max(0, loads - MOST_LOADS)
      kept += first[of]
      all += found[of] + (beyond * (found[of] - half[of])) / (MOST_LOADS / 2)
    }
    return kept === 0 ? undefined : all / kept
  }
}

function add(known: Map<number, SectorMask>, found: News, line: number, sectors: SectorMask): void {
  const before = known.get(line) ?? 0
  const after = before | sectors
  if (after === before) return
  known.set(line, after)
  found.asked += sectorsIn(after & ~before)
  found.fetched += sectorsIn(withNeighbours(after) & ~withNeighbours(before))
}
