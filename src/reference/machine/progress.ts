/**
 * Loops that wait for somebody else: a lane of the same warp, another warp, another block. Such a loop is recognised by
 * what it does, not by how it looks: between two arrivals over back edges at one block, the same lanes have the same phis
 * and nothing in memory has changed; then every further iteration would do the same for ever, unless somebody else acts.
 * Its lanes give way. Reading the clock counts as a change. (Everything else that a loop could use was computed before it
 * was entered, and entering anew forgets the record.) A loop that counts its attempts is never proven to wait; after
 * {@link MANY_LOOKS} volatile or atomic accesses in a row that changed nothing it is presumed to.
 */
import { type Bits, sameBits } from '../arithmetic/values.ts'
import type { Frame, Lanes, WarpState } from './state.ts'

/** Iterations without an effect before looking closer: keeps the cost away from ordinary loops. */
const SUSPICIOUS = 8
const MANY_LOOKS = 1 << 13

export function noteBackEdge(warp: WarpState, frame: Frame, target: number, lanes: Lanes, phis: readonly Bits[]): void {
  if (warp.quietSince !== warp.changes) {
    warp.quietSince = warp.changes
    warp.quietBackEdges = 0
    warp.quietLooks = 0
  }
  warp.quietBackEdges++
  if (warp.quietBackEdges < SUSPICIOUS) return
  if (warp.quietLooks >= MANY_LOOKS) {
    // First the other warps get a turn; if that did not help, the other lanes of this one.
    warp.undecided = true
    if (warp.quietLooks >= 2 * MANY_LOOKS) giveWay(frame, target, lanes)
    else warp.interrupted = true
    warp.quietLooks += MANY_LOOKS
    return
  }
  const before = frame.backEdges.get(target)
  if (before && before.changes === warp.changes && sameBits(before.lanes, lanes) && sameBits(before.phis, phis))
    giveWay(frame, target, lanes)
  else frame.backEdges.set(target, { lanes, changes: warp.changes, phis })
}

export function noteLoopEntry(frame: Frame, target: number): void {
  frame.backEdges.delete(target)
}

function giveWay(frame: Frame, target: number, lanes: Lanes): void {
  frame.backEdges.delete(target)
  for (const lane of lanes) frame.status[lane] = 'waiting'
}
