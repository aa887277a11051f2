/** What the runtime tells of a program that is checked (src/check): its memory, its launches, its calls that failed. */
import type { KernelProgram } from '../analysis/prepare.ts'
import type { SourceRange } from '../diagnostic.ts'
import type { Dim3, Fault, LaunchChecker } from '../launch.ts'
import type { AllocationKind } from './memory/deviceMemory.ts'

export interface WatchedAllocation {
  /** Device address. */
  readonly address: number
  readonly bytes: number
  readonly kind: AllocationKind
}

export interface MemoryWatcher {
  allocated(allocation: WatchedAllocation): void
  freed(address: number): void
  /** The host has written so many bytes of device memory, or is about to, or may. */
  wrote(address: number, bytes: number): void
}

export interface WatchedLaunch {
  /** As in LaunchRecord. */
  readonly index: number
  readonly program: KernelProgram
  readonly grid: Dim3
  readonly block: Dim3
  readonly dynamicSharedBytes: number
  /** Host memory that kernels reach. */
  readonly hostRanges: readonly { readonly address: number; readonly bytes: number }[]
  /** Where an address lies, in words. */
  readonly describe: (address: number) => string
  /** It belonged to an allocation, and to none now. */
  readonly isFreed: (address: number) => boolean
}

export interface FailedCall {
  readonly name: string
  readonly error: string
  readonly text: string
  readonly range: SourceRange | undefined
}

/** A call that copies device memory to the host: rows of so many bytes, at these addresses. */
export interface WatchedCopy {
  readonly name: string
  readonly rows: readonly number[]
  readonly rowBytes: number
  readonly range: SourceRange | undefined
  readonly describe: (address: number) => string
}

export interface ProgramChecks extends MemoryWatcher {
  /** Undefined for launches that are not looked at. */
  launch(launch: WatchedLaunch): LaunchChecker | undefined
  /** The launch that was announced last, of those that have not ended. `notes`: where and why it stopped. */
  ended(launch: WatchedLaunch, fault: Fault | undefined, notes: readonly string[]): void
  /** Whether the program goes on as if the kernel had ended by itself. */
  isForgiven(fault: Fault): boolean
  /** About to be made. */
  copies(copy: WatchedCopy): void
  callFailed(call: FailedCall): void
}
