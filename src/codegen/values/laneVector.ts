/**
 * What differs between the lanes of a warp in a value of the form `base + lanes`, when it is the same for every warp of a
 * launch: a constant vector, plus constant vectors times scalars that a launch fixes (a pitch, say). Most addresses of most
 * kernels are of this form; they are loaded, stored and counted without looking at single lanes (ARCHITECTURE.md, decision 4).
 */
import { WARP_LANES } from '../../addressSpace.ts'
import type { Value } from '../../ir/ir.ts'

export interface LaneTerm {
  /** Factors multiplied together; all are uniform and the same for the whole launch. */
  readonly scale: readonly Value[]
  readonly lanes: Int32Array
}

export interface LaneVector {
  readonly constant: Int32Array
  readonly terms: readonly LaneTerm[]
  /** Equal vectors have equal keys. */
  readonly key: string
}

const ids = new WeakMap<Value, number>()
let nextId = 0
function idOf(value: Value): number {
  let id = ids.get(value)
  if (id === undefined) ids.set(value, (id = nextId++))
  return id
}

export function laneVector(constant: Int32Array, terms: readonly LaneTerm[] = []): LaneVector {
  const merged = new Map<string, LaneTerm>()
  for (const term of terms) {
    const scale = [...term.scale].sort((a, b) => idOf(a) - idOf(b))
    const key = scale.map(idOf).join('*')
    const before = merged.get(key)
    merged.set(key, { scale, lanes: before ? combine(before.lanes, term.lanes, (a, b) => a + b) : term.lanes })
  }
  const kept = [...merged]
    .filter(([, { lanes }]) => lanes.some(lane => lane !== 0))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const key = [constant.join(','), ...kept.map(([scale, { lanes }]) => `${scale}:${lanes.join(',')}`)].join('+')
  return { constant, terms: kept.map(([, term]) => term), key }
}

export function lanesFrom(laneAt: (lane: number) => number): LaneVector {
  return laneVector(Int32Array.from({ length: WARP_LANES }, (_, lane) => laneAt(lane)))
}

export const NO_LANES = lanesFrom(() => 0)

export function isConstant(lanes: LaneVector): boolean {
  return lanes.terms.length === 0
}

export function isZero(lanes: LaneVector): boolean {
  return isConstant(lanes) && lanes.constant.every(lane => lane === 0)
}

export function addLanes(a: LaneVector, b: LaneVector): LaneVector {
  return laneVector(
    combine(a.constant, b.constant, (x, y) => x + y),
    [...a.terms, ...b.terms],
  )
}

export function scaleLanes(lanes: LaneVector, factor: number): LaneVector {
  const scaled = (vector: Int32Array): Int32Array => vector.map(lane => Math.imul(lane, factor))
  return laneVector(
    scaled(lanes.constant),
    lanes.terms.map(term => ({ ...term, lanes: scaled(term.lanes) })),
  )
}

/** lanes x (a scalar that the launch fixes). */
export function scaleLanesBy(lanes: LaneVector, factor: Value): LaneVector {
  const none = new Int32Array(WARP_LANES)
  const terms = lanes.terms.map(term => ({ scale: [...term.scale, factor], lanes: term.lanes }))
  return laneVector(none, [...terms, { scale: [factor], lanes: lanes.constant }])
}

export function mapLanes(lanes: LaneVector, map: (lane: number) => number): LaneVector {
  return laneVector(lanes.constant.map(map))
}

function combine(a: Int32Array, b: Int32Array, op: (x: number, y: number) => number): Int32Array {
  return a.map((lane, index) => op(lane, b[index]!))
}
