/**
 * Where the kernel's frame lies on the engine's stack. V8 keeps it at multiples of 8 bytes, and vectors that it spills there
 * at multiples of 16 from the frame: half of the time every fourth of them lies across two cache lines, and the kernel takes
 * 15 to 60 % longer (measured: mandel 45 ms and 51 to 76, matmul 37 and 50). It depends on all frames above, which nobody can
 * see. So a kernel has two ways in, whose frames differ by 8 bytes; pieces of a launch are timed in pairs, one each way, and
 * the way that won more pairs is kept for a while.
 */
import { type Callable, type FunctionBuilder, I64, type ModuleBuilder, type ValueType } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'

export const WAYS_IN = ['run', 'runShifted'] as const

/** Exports both ways into a function without results. */
export function exportWaysIn(module: ModuleBuilder, body: Callable, params: readonly ValueType[]): void {
  const forward = (f: FunctionBuilder): void => {
    params.forEach((_, index) => f.get(index))
    f.call(body)
  }
  forward(module.function(params, [], WAYS_IN[0]))
  // A value that is still wanted behind the call takes 8 bytes of the frame.
  const shifted = module.function(params, [], WAYS_IN[1])
  const kept = shifted.local(I64)
  shifted.get(0).op(Op.i64_extend_i32_u).set(kept)
  forward(shifted)
  shifted.get(kept).i64(-1n).op(Op.i64_eq).if().op(Op.unreachable).end()
}

const PAIRS = 4
/** Pieces between trials: few at first, when the engine still compiles the kernel and what calls it, and each has its frames. */
const SHORTEST_GAP = 16
const LONGEST_GAP = 512

/** Decides for a kernel, piece by piece. */
export class WayIn {
  private chosen = 0
  /** Of the trial under way; negative before the next. */
  private piece = 0
  private gap = SHORTEST_GAP
  /** Pairs that the shifted way won, less those that it lost. */
  private lead = 0
  private first = 0

  /** Index into {@link WAYS_IN} for the next piece. */
  next(): number {
    // First one way, first the other: a trend in the pieces helps neither.
    return this.piece < 0 ? this.chosen : (this.piece ^ (this.piece >> 1)) & 1
  }

  /** What the piece took, in milliseconds a block. */
  took(time: number): void {
    if (this.piece >= 0) {
      if ((this.piece & 1) === 0) this.first = time
      else {
        const isFasterNow = time < this.first
        this.lead += isFasterNow === (this.next() === 1) ? 1 : -1
      }
    }
    this.piece++
    if (this.piece === 2 * PAIRS) this.decide()
  }

  private decide(): void {
    const chosen = this.lead === 0 ? this.chosen : this.lead > 0 ? 1 : 0
    this.gap = chosen === this.chosen ? Math.min(2 * this.gap, LONGEST_GAP) : SHORTEST_GAP
    this.chosen = chosen
    this.lead = 0
    this.piece = -this.gap
  }
}
