/**
 * The state that the CUDA calls of one running program share, and the discipline that every call follows:
 * errors stick or are remembered as the real runtime does it, and a fault of an earlier launch surfaces at the next call
 * that a real machine could report it from.
 */
import type { KernelProgram } from '../analysis/prepare.ts'
import type { Device } from '../devices/device.ts'
import { type Diagnostic, formatDiagnostic, type SourceRange, UserError } from '../diagnostic.ts'
import type { Module } from '../ir/ir.ts'
import type { Executor } from '../launch.ts'
import type { AccessModel } from '../trace.ts'
import type { RunTimeCompiler } from './calls/nvrtc.ts'
import { type CudaErrorName, errorCode, namesError } from './cudaErrors.ts'
import { GraphMemory } from './graphs/graphMemory.ts'
import type { HostFiles } from './host/files.ts'
import type { HostClock } from './host/hostClock.ts'
import { HostFault, type HostMemory } from './host/hostMemory.ts'
import type { LaunchRecord, TimeModel } from './launchRecord.ts'
import { KernelHeap } from './memory/deviceHeap.ts'
import type { DeviceMemory } from './memory/deviceMemory.ts'
import type { DeviceImage } from './program/deviceImage.ts'
import type { DeviceSet } from './program/deviceSet.ts'
import { RunTimeSources } from './program/runTimeSources.ts'
import type { ProgramChecks } from './programChecks.ts'
import type { Timeline } from './timeline/timeline.ts'

/** What a CUDA call returns to C: an error's name here, its number there. */
export type CallResult = CudaErrorName
export type HostFunction = (...args: never[]) => number | bigint | undefined
export type HostFunctions = Record<string, HostFunction>

/** Ends the program from inside a call; caught where the host program was started. */
export class ProgramStopped extends Error {
  readonly diagnostic: Diagnostic
  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message)
    this.name = 'ProgramStopped'
    this.diagnostic = diagnostic
  }
}

/** The linked device side; `renamed` tells, for each file of the program, which internal symbols have another name now. */
export type DeviceModule = Module & { readonly renamed?: ReadonlyMap<string, ReadonlyMap<string, string>> }

/** The parts that stay the same while the program runs. */
export interface ContextParts {
  readonly device: Device
  readonly module: DeviceModule
  readonly image: DeviceImage
  readonly devices: DeviceSet
  readonly memory: DeviceMemory
  readonly host: HostMemory
  readonly timeline: Timeline
  readonly clock: HostClock
  readonly times: TimeModel
  readonly executor: Executor
  readonly model: AccessModel
  readonly prepare: (kernel: string) => KernelProgram
  /** Registers a thread, from `--registers` or an estimate; `threads`: of a block, which can have the estimate. */
  readonly registersOf: (program: KernelProgram, threads?: number) => number
  readonly displayName: (mangled: string) => string
  /** The name that tells kernels apart, parameters included. */
  readonly fullName: (mangled: string) => string
  /** performance.now() time at which the program must have ended. */
  readonly deadline: number
  readonly onLaunch: (record: LaunchRecord) => void
  /** Without them a program of many launches does not fill memory. */
  readonly keepLaunches: boolean
  readonly printDevice: (text: string) => void
  /** A line to the program's stderr. */
  readonly warn: (text: string) => void
  /** The line of the program's own that made the call in which `stack` was taken; undefined where that is not known. */
  readonly callSite: (stack: Error) => SourceRange | undefined
  /** Calls a function pointer of the host program. */
  readonly callHost: (pointer: number, ...args: number[]) => number
  /** The host's malloc and free: page-locked memory and strings live in the host's memory. */
  readonly hostMalloc: (bytes: number) => number
  readonly hostFree: (address: number) => void
  readonly files: HostFiles | undefined
  /** Absent where code cannot be compiled while the program runs. */
  readonly compileAtRunTime: RunTimeCompiler | undefined
  /** One kernel of the program's, or of code that it has loaded, ready to run. */
  readonly prepareFrom: (module: Module, kernel: string) => KernelProgram
  /** Of a program that is checked. */
  readonly checks: ProgramChecks | undefined
  /** Texts of the program's own files. */
  readonly sources: ReadonlyMap<string, string>
}

/** Time that a program gets to end by itself once its time limit has passed, in ms. */
const GRACE_MS = 2000
/** Host time of one call, modelled; only its being positive matters (a loop that polls an event must end). */
const CALL_US = 1

export class CudaContext {
  readonly parts: ContextParts
  /** Of all launches so far, also where their records are not kept. */
  launchCount = 0
  /** The mangled name of the last kernel that ended. */
  lastKernel: string | undefined
  readonly launches: LaunchRecord[] = []
  readonly heap: KernelHeap
  readonly graphMemory: GraphMemory
  readonly sources: RunTimeSources
  /** The first fault of a kernel. */
  failure: Diagnostic | undefined
  /** The program knows of the error: it asked for it or for its text, or got it from a call and its source names it. */
  failureSeen = false
  #lastError: CudaErrorName = 'cudaSuccess'
  #sticky: CudaErrorName | undefined
  #pending: CudaErrorName | undefined
  readonly #mentioned = new Set<string>()

  constructor(parts: ContextParts) {
    this.parts = parts
    this.heap = new KernelHeap(parts.module, parts.memory)
    this.graphMemory = new GraphMemory(parts.memory)
    this.sources = new RunTimeSources(parts.sources)
  }

  /**
   * Wraps an API call: deadline, pending and sticky errors before, its own error remembered after.
   * The names of the real runtime's exceptions (cudaGetLastError and its like) are not made with this.
   */
  call<Args extends never[]>(body: (...args: Args) => CallResult): HostFunction {
    return (...args: never[]) => this.parts.clock.excluding(() => this.#run(() => body(...(args as Args))))
  }

  #run(body: () => CallResult): number {
    this.checkDeadline()
    this.parts.devices.begin()
    this.parts.timeline.advanceHost(CALL_US)
    if (this.#pending !== undefined) {
      this.#sticky = this.#pending
      this.#pending = undefined
      if (namesError(this.parts.sources.values(), this.#sticky)) this.failureSeen = true
    }
    const result = this.#sticky ?? invalidAtNull(body)
    // That work goes on is an answer, not an error to remember (read on an H200, CUDA 13).
    if (result !== 'cudaSuccess' && result !== 'cudaErrorNotReady') this.#lastError = result
    return errorCode(result)
  }

  /** A launch ended in a fault: every later call reports it, for good, as after a real one ("sticky"). */
  fault(error: CudaErrorName, diagnostic: Diagnostic): void {
    this.failure ??= diagnostic
    this.#pending = error
    this.parts.warn(formatDiagnostic(diagnostic))
  }

  /** cudaGetLastError and cudaPeekAtLastError: a fault is there again only once another call has met it. */
  lastError(clear: boolean): CudaErrorName {
    const error = this.#lastError
    if (this.#sticky !== undefined && error === this.#sticky) this.failureSeen = true
    if (clear) this.#lastError = 'cudaSuccess'
    return error
  }

  /** Every call fails by what a kernel did before. */
  get hasFault(): boolean {
    return this.#sticky !== undefined
  }

  /** cudaDeviceReset: a fault that the program was told of is over (read on an H100). Whether there was one. */
  forgetFault(): boolean {
    if (this.#sticky === undefined) return false
    this.#sticky = undefined
    this.#lastError = 'cudaSuccess'
    return true
  }

  /** cudaGetErrorString and cudaGetErrorName of this code. */
  explain(code: number): void {
    if (this.#sticky !== undefined && code === errorCode(this.#sticky)) this.failureSeen = true
  }

  keep(record: LaunchRecord): void {
    this.launchCount++
    this.lastKernel = record.kernel
    if (this.parts.keepLaunches) this.launches.push(record)
  }

  /** A call that is declared and not implemented: said once, by name. */
  unsupported(what: string): CallResult {
    this.mentionOnce(`${what} is not supported; it returns cudaErrorNotSupported`)
    return 'cudaErrorNotSupported'
  }

  /** With the line of the first call that it is said of; `where`: for a call that is made somewhere else than its line stands. */
  mentionOnce(message: string, where = () => this.parts.callSite(new Error())): void {
    if (this.#mentioned.has(message)) return
    this.#mentioned.add(message)
    const range = where()
    this.parts.warn(
      formatDiagnostic({ code: 'unsupported-call', severity: 'warning', message, ...(range && { range }) }),
    )
  }

  /** Stops a program whose time is over; one that just got the error of a stopped kernel may still say so. */
  checkDeadline(): void {
    const over = performance.now() - this.parts.deadline
    const isEnding = this.#sticky !== undefined || this.#pending !== undefined
    if (over > (isEnding ? GRACE_MS : 0)) throw outOfTime()
  }
}

/** A null pointer where a call reads or writes is an invalid value; any other address that is not there ends the program. */
function invalidAtNull(body: () => CallResult): CallResult {
  try {
    return body()
  } catch (error) {
    if (error instanceof HostFault && error.address === 0) return 'cudaErrorInvalidValue'
    throw error
  }
}

export function outOfTime(): ProgramStopped {
  const message = 'the program did not end within its time limit'
  return new ProgramStopped({ code: 'timeout', severity: 'error', message })
}

/** Throws a UserError away from the context, for what cannot be told to the program as a CUDA error. */
export function refuse(code: string, message: string): never {
  throw new UserError({ code, severity: 'error', message })
}
