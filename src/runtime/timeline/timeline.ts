/**
 * Virtual time: what the host, the copy engines and the GPU would do when. The program itself runs eagerly and in order;
 * this clock models how the real machine would overlap it (CUDA C++ Programming Guide, "Asynchronous Concurrent Execution"):
 * work of one stream in order, streams beside each other, the legacy default stream as a barrier among blocking streams,
 * one copy engine a direction, kernels side by side while their blocks fit the device together.
 * All times are microseconds since the start of the program.
 */

export type CopyDirection = 'host-to-host' | 'host-to-device' | 'device-to-host' | 'device-to-device'

export interface CopyInfo {
  readonly direction: CopyDirection
  readonly bytes: number
  /** Whether the host side is page-locked. */
  readonly pinned: boolean
}

export type TimelineEntry =
  | {
      readonly kind: 'kernel'
      readonly launch: number
      readonly stream: number
      readonly startUs: number
      readonly endUs: number
    }
  | {
      readonly kind: 'copy'
      readonly copy: CopyInfo
      readonly stream: number
      readonly startUs: number
      readonly endUs: number
    }
  | {
      readonly kind: 'memset'
      readonly bytes: number
      readonly stream: number
      readonly startUs: number
      readonly endUs: number
    }

export const LEGACY_STREAM = 0

interface StreamClock {
  readyUs: number
  readonly blocking: boolean
  readonly device: number
}

interface Running {
  readonly endUs: number
  readonly share: number
}

export class Timeline {
  readonly entries: TimelineEntry[] = []
  /** The simulated device whose default stream is meant by {@link LEGACY_STREAM}, and which new streams belong to. */
  device = 0
  /** Where the host is. */
  #hostUs = 0
  readonly #legacy = new Map<number, StreamClock>()
  readonly #streams = new Map<number, StreamClock>()
  readonly #engineReadyUs = new Map<`${CopyDirection} ${number}`, number>()
  readonly #running = new Map<number, Running[]>()

  get hostUs(): number {
    return this.#hostUs
  }

  /** The host is busy for that long (a call's own cost). */
  advanceHost(us: number): void {
    this.#hostUs += us
  }

  addStream(stream: number, blocking: boolean): void {
    this.#streams.set(stream, { readyUs: this.#hostUs, blocking, device: this.device })
  }

  removeStream(stream: number): void {
    this.#streams.delete(stream)
  }

  hasStream(stream: number): boolean {
    return stream === LEGACY_STREAM || this.#streams.has(stream)
  }

  /** share: the part of the device that the kernel's blocks fill, 0 to 1. */
  addKernel(launch: number, stream: number, durationUs: number, share: number): void {
    const { device } = this.#clock(stream)
    let startUs = this.#earliest(stream)
    let running = (this.#running.get(device) ?? []).filter(kernel => kernel.endUs > startUs)
    while (running.reduce((sum, kernel) => sum + kernel.share, 0) + share > 1 && running.length > 0) {
      startUs = Math.min(...running.map(kernel => kernel.endUs))
      running = running.filter(kernel => kernel.endUs > startUs)
    }
    const endUs = startUs + durationUs
    this.#running.set(device, [...running, { endUs, share }])
    this.#finish(stream, endUs)
    this.entries.push({ kind: 'kernel', launch, stream, startUs, endUs })
  }

  addCopy(copy: CopyInfo, stream: number, durationUs: number): void {
    const engine = `${copy.direction} ${this.#clock(stream).device}` as const
    const startUs = Math.max(this.#earliest(stream), this.#engineReadyUs.get(engine) ?? 0)
    const endUs = startUs + durationUs
    this.#engineReadyUs.set(engine, endUs)
    this.#finish(stream, endUs)
    this.entries.push({ kind: 'copy', copy, stream, startUs, endUs })
  }

  addMemset(bytes: number, stream: number, durationUs: number): void {
    const startUs = this.#earliest(stream)
    this.#finish(stream, startUs + durationUs)
    this.entries.push({ kind: 'memset', bytes, stream, startUs, endUs: startUs + durationUs })
  }

  /** When all work so far in the stream is done: what an event recorded now will read. */
  readyUs(stream: number): number {
    return this.#earliest(stream)
  }

  /** Later work of the stream starts no sooner. */
  delayStream(stream: number, untilUs: number): void {
    this.#finish(stream, Math.max(untilUs, this.#clock(stream).readyUs))
  }

  waitForHost(untilUs: number): void {
    this.#hostUs = Math.max(this.#hostUs, untilUs)
  }

  synchronizeStream(stream: number): void {
    this.waitForHost(this.#pendingUs(stream))
  }

  synchronizeDevice(): void {
    for (const clock of this.#clocksOf(this.device)) this.waitForHost(clock.readyUs)
  }

  isIdle(stream: number): boolean {
    return this.#pendingUs(stream) <= this.#hostUs
  }

  #clock(stream: number): StreamClock {
    return this.#streams.get(stream) ?? this.#legacyOf(this.device)
  }

  #legacyOf(device: number): StreamClock {
    const clock = this.#legacy.get(device) ?? { readyUs: 0, blocking: true, device }
    this.#legacy.set(device, clock)
    return clock
  }

  #clocksOf(device: number): StreamClock[] {
    return [this.#legacyOf(device), ...[...this.#streams.values()].filter(clock => clock.device === device)]
  }

  #pendingUs(stream: number): number {
    const own = this.#clock(stream)
    let us = own.readyUs
    if (stream === LEGACY_STREAM)
      for (const other of this.#clocksOf(own.device)) if (other.blocking) us = Math.max(us, other.readyUs)
    return us
  }

  #earliest(stream: number): number {
    const own = this.#clock(stream)
    const legacy = own.blocking ? this.#legacyOf(own.device).readyUs : 0
    return Math.max(this.#hostUs, this.#pendingUs(stream), legacy)
  }

  #finish(stream: number, us: number): void {
    this.#clock(stream).readyUs = us
  }
}
