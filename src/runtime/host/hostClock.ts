/**
 * The clock that the host program reads: real time for its own computing, virtual time for everything of CUDA and for
 * sleeping. So a program that times its kernels with the host's clock sees the modelled GPU, not our simulation of it.
 */
import type { Timeline } from '../timeline/timeline.ts'

export class HostClock {
  readonly #timeline: Timeline
  readonly #startMs = performance.now()
  readonly #epochMs = Date.now()
  #insideMs = 0
  #depth = 0

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  /** Runs a CUDA call; its real time does not count. */
  excluding<Result>(body: () => Result): Result {
    if (this.#depth > 0) return body()
    const start = performance.now()
    this.#depth++
    try {
      return body()
    } finally {
      this.#depth--
      this.#insideMs += performance.now() - start
    }
  }

  sleepUs(us: number): void {
    this.#timeline.advanceHost(us)
  }

  /** Microseconds since the start of the program. */
  elapsedUs(): number {
    return (performance.now() - this.#startMs - this.#insideMs) * 1000 + this.#timeline.hostUs
  }

  /** Microseconds since 1970. */
  epochUs(): number {
    return this.#epochMs * 1000 + this.elapsedUs()
  }
}
