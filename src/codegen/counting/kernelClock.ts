/**
 * Between the code of a kernel that times itself and the launch's clock: the code counts in its slot how often each warp comes to each
 * block of the kernel, and tells when a block begins and when its warps have met at a barrier; a reading passes on what was counted.
 */
import type { LaunchClock } from '../../launch.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { KernelContext } from '../kernelContext.ts'

/** What the code tells. */
export const CLOCK_BEGIN = 0
export const CLOCK_MEET = 1

/** Counts a passage of the warp at hand. @param index of the block in `program.kernel.blocks` */
export function countPassage({ f, frame, layout, program }: KernelContext, index: number): void {
  const at = layout.passages + index * 4
  const row = program.kernel.blocks.length * 4
  f.get(frame.slot).get(frame.warp).i32(row).op(Op.i32_mul).op(Op.i32_add)
  f.get(frame.slot).get(frame.warp).i32(row).op(Op.i32_mul).op(Op.i32_add)
  f.memory(Op.i32_load, at).i32(1).op(Op.i32_add).memory(Op.i32_store, at)
}

/** Where a slot has its passages, and of how many warps and blocks of the kernel. */
interface Passages {
  /** Byte offset in the memory. */
  readonly at: number
  readonly warps: number
  readonly blocks: number
}

interface ClockHost {
  /** Whose passages the slot has. */
  readonly currentBlock: () => number
  /** Blocks take turns: the scheduler says when one has ended. */
  readonly isResumable: boolean
}

export class KernelClock {
  readonly #clock: LaunchClock
  readonly #memory: WebAssembly.Memory
  readonly #passages: Passages
  readonly #host: ClockHost
  #words: Uint32Array<ArrayBuffer | SharedArrayBuffer> = new Uint32Array(0)
  #rows: Uint32Array<ArrayBuffer | SharedArrayBuffer>[] = []
  #block: number | undefined
  readonly #begun = new Set<number>()

  constructor(clock: LaunchClock, memory: WebAssembly.Memory, passages: Passages, host: ClockHost) {
    this.#clock = clock
    this.#memory = memory
    this.#passages = passages
    this.#host = host
  }

  /** @param event {@link CLOCK_BEGIN}, {@link CLOCK_MEET} */
  tell(event: number): void {
    if (event === CLOCK_MEET) this.meet()
    else this.#begin(this.#host.currentBlock())
  }

  /** A block begins, or goes on with its next turn. */
  #begin(block: number): void {
    if (this.#block !== undefined && this.#block !== block && !this.#host.isResumable) this.end()
    if (!this.#begun.has(block)) this.#clock.begin(block)
    this.#begun.add(block)
    this.#block = block
  }

  /** All warps of the block at hand have come to a barrier. */
  meet(): void {
    this.pass()
    this.#clock.meet(this.#block!)
  }

  /** The block at hand, if there is one, has ended. */
  end(): void {
    if (this.#block === undefined) return
    this.pass()
    this.#clock.end(this.#block)
    this.#begun.delete(this.#block)
    this.#block = undefined
  }

  /** Passes on what the warps of the block at hand did. */
  pass(): void {
    for (let warp = 0; warp < this.#passages.warps; warp++) this.#advance(warp)
  }

  /** Cycles of the device's clock, as the warp reads it. */
  read(warp: number): number {
    this.#advance(warp)
    return this.#clock.startCycles + this.#clock.cyclesOf(this.#block!, warp)
  }

  /** The warp does nothing for so many cycles. */
  sleep(warp: number, cycles: number): void {
    this.#advance(warp)
    this.#clock.sleep(this.#block!, warp, cycles)
  }

  #advance(warp: number): void {
    const row = this.#rowOf(warp)
    this.#clock.advance(this.#block!, warp, row)
    row.fill(0)
  }

  #rowOf(warp: number): Uint32Array {
    const { at, warps, blocks } = this.#passages
    // Memory that is not shared leaves its views empty when it grows.
    if (this.#words.length === 0) {
      this.#words = new Uint32Array(this.#memory.buffer, at, warps * blocks)
      this.#rows = Array.from({ length: warps }, (_, each) => this.#words.subarray(each * blocks, (each + 1) * blocks))
    }
    return this.#rows[warp]!
  }
}
