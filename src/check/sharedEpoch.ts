/**
 * What the threads of one block did in its shared memory since all of them met last, while nobody has touched what another one wrote, nor
 * written what another one touched. Then there is nothing to be found, whatever else orders them, and a tag for each unit of memory says
 * enough: the thread that wrote it, and the thread that read it. In: accesses in order. Out: whether it is still so, and the accesses,
 * for those who look exactly where it is not (sharedRecords.ts).
 */
import { WARP_LANES } from '../addressSpace.ts'
import type { SharedTags, SharedTouch } from './sharedTags.ts'

/** Accesses that are remembered. */
const FIRST_LOGGED = 32
const MOST_LOGGED = 4096
const LOG_WORDS = 5

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export class SharedEpoch {
  private readonly tags: SharedTags
  /** Of each remembered access: its site, key, lanes, base and row. */
  private log = new Int32Array(FIRST_LOGGED * LOG_WORDS)
  private readonly logDistances: Int32Array[] = []
  private logged = 0
  /** Where distances are kept that are no row's. */
  private readonly kept: Int32Array[] = []
  private keptCount = 0
  private readonly loggedTouch: Mutable<SharedTouch>

  constructor(tags: SharedTags) {
    this.tags = tags
    this.loggedTouch = { site: 0, key: 0, lanes: 0, distances: new Int32Array(WARP_LANES), base: 0, row: -1 }
  }

  /** All threads have met. */
  begin(): void {
    this.tags.beginEpoch()
    this.forgetLog()
  }

  /** False where two threads have something to do with each other. Room in the log is the caller's affair. */
  add(touch: SharedTouch, kind: 'read' | 'write' | 'atomic'): boolean {
    if (kind !== 'read' && !this.tags.hasWrites) this.beginWrites()
    if (this.tags.hasWrites && !this.tags.note(kind, touch)) return false
    this.remember(touch)
    return true
  }

  private beginWrites(): void {
    this.tags.hasWrites = true
    for (let index = 0; index < this.logged; index++) this.tags.note('read', this.touchAt(index))
  }

  // ---------------------------------------------------------------- the log

  get isFull(): boolean {
    return this.logged === MOST_LOGGED
  }

  private remember({ site, key, lanes, distances, base, row }: SharedTouch): void {
    const at = this.logged * LOG_WORDS
    if (at === this.log.length) this.log = longer(this.log)
    this.log[at] = site
    this.log[at + 1] = key
    this.log[at + 2] = lanes
    this.log[at + 3] = base
    this.log[at + 4] = row
    if (row >= 0) this.logDistances[this.logged] = distances
    else {
      const own = (this.kept[this.keptCount++] ??= new Int32Array(WARP_LANES))
      for (let lane = 0; lane < WARP_LANES; lane++) own[lane] = distances[lane]!
      this.logDistances[this.logged] = own
    }
    this.logged++
  }

  private touchAt(index: number): SharedTouch {
    const at = index * LOG_WORDS
    const { log, loggedTouch: touch } = this
    touch.site = log[at]!
    touch.key = log[at + 1]!
    touch.lanes = log[at + 2]!
    touch.base = log[at + 3]!
    touch.row = log[at + 4]!
    touch.distances = this.logDistances[index]!
    return touch
  }

  /** Hands the accesses since the epoch's begin, or since the last call, to `take`, in order; each is valid during its call. */
  takeLog(take: (touch: SharedTouch) => void): void {
    // Whether somebody reads what is written later has to be known without the log.
    if (!this.tags.hasWrites) this.beginWrites()
    for (let index = 0; index < this.logged; index++) take(this.touchAt(index))
    this.forgetLog()
  }

  private forgetLog(): void {
    this.logged = 0
    this.keptCount = 0
  }
}

function longer(log: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * log.length)
  longer.set(log)
  return longer
}
