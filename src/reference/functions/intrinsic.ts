/** The kinds of functions that the device program may call without defining them; the tables of them are in intrinsics*.ts. */
import type { Location, Type } from '../../ir/ir.ts'
import type { Bits } from '../arithmetic/values.ts'
import type { BarrierResult, Lanes, WarpState } from '../machine/state.ts'

/** What the call says: the name and the types that an overloaded intrinsic is used with. */
export interface Signature {
  readonly name: string
  readonly result: Type
  readonly parameters: readonly Type[]
}

export type Intrinsic =
  /** No effect that a program could observe here (hints, fences, lifetime marks). */
  | { readonly kind: 'ignored' }
  /** A function of its arguments. */
  | { readonly kind: 'pure'; evaluate(args: readonly Bits[]): Bits }
  /** Depends on the thread or acts on it: special registers, printing, faults. */
  | {
      readonly kind: 'thread'
      evaluate(warp: WarpState, lane: number, args: readonly Bits[], at: Location | undefined): Bits
    }
  /** Lanes exchange values: `args[i]` belongs to `lanes[i]`, as does result i. */
  | { readonly kind: 'warp'; evaluate(lanes: Lanes, args: readonly (readonly Bits[])[]): Bits[] }
  /** Works on what lanes' arguments point to (matrix.ts). */
  | { readonly kind: 'fragments'; run(warp: WarpState, lanes: Lanes, args: readonly (readonly Bits[])[]): void }
  | { readonly kind: 'barrier'; arrive(args: readonly Bits[]): Arrival }
  /** The thread ends. */
  | { readonly kind: 'exit' }

export interface Arrival {
  readonly id: number
  readonly count: number | undefined
  readonly waits: boolean
  readonly result: BarrierResult
  readonly predicate: boolean
  /** At the barrier of the cluster (cluster.ts), which has no number, count or result. */
  readonly isOfCluster?: true
}

export const IGNORED: Intrinsic = { kind: 'ignored' }

export function pure(evaluate: (args: readonly Bits[]) => Bits): Intrinsic {
  return { kind: 'pure', evaluate }
}
