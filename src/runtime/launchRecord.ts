/** What the runtime hands on about each launch, and the model that gives launches and copies their times. */
import type { KernelProgram } from '../analysis/prepare.ts'
import type { AccessObserver, Dim3, LaunchClock, Launcher, LaunchOutcome } from '../launch.ts'
import type { ChildStream } from '../metrics/deviceCalls/childGrids.ts'
import type { AccessModel } from '../trace.ts'
import type { CopyInfo } from './timeline/timeline.ts'

export interface LaunchRecord {
  /** Position in the order of the host's launches, from 0; a child grid has that of the launch it is part of. */
  readonly index: number
  /** Mangled name. */
  readonly kernel: string
  readonly program: KernelProgram
  readonly grid: Dim3
  readonly block: Dim3
  /** Blocks of a cluster along each axis; absent in launches without clusters. */
  readonly cluster?: Dim3 | undefined
  readonly sharedBytes: { readonly static: number; readonly dynamic: number }
  /** cudaFuncAttributePreferredSharedMemoryCarveout, 0 to 100; absent where the program said nothing. */
  readonly preferredCarveout?: number | undefined
  /** cudaLimitMallocHeapSize; absent: as a device starts. */
  readonly heapBytes?: number
  /** For each argument what the allocation of device memory holds that it points into, by identity; absent where nothing is observed. */
  readonly arguments?: readonly (object | undefined)[]
  /** 0 is the legacy default stream; created streams count from 1 in the order of their creation. */
  readonly stream: number
  readonly outcome: LaunchOutcome
  /** Real time that the simulation took. */
  readonly wallMs: number
  /** What the grid launched, in the order in which it ran: part of this launch, as profilers count it. */
  readonly children: readonly ChildLaunch[]
}

export interface ChildLaunch {
  readonly launch: LaunchRecord
  readonly launcher: Launcher
  readonly stream: ChildStream
}

/** A CUDA array's place; sizes in bytes. */
export interface PlacedArray {
  /** Device address. */
  readonly address: number
  readonly rowBytes: number
  readonly sliceBytes: number
}

/** A launch before it runs. */
export interface ObservedLaunch {
  readonly program: KernelProgram
  readonly grid: Dim3
  readonly block: Dim3
  readonly dynamicSharedBytes: number
  /** As in the record. */
  readonly preferredCarveout?: number | undefined
  /** The arguments, argument i at `program.parameterOffsets[i]`. */
  readonly parameters: Uint8Array
  /** Whether a device address is page-locked memory of the host, which the device reaches over the bus. */
  readonly isHostMemory?: (address: number) => boolean
  /** The allocation of device memory that holds an address. */
  readonly allocationAt?: (address: number) => { readonly address: number; readonly bytes: number } | undefined
  /** The CUDA array that holds an address, as it lies in memory. */
  readonly arrayAt?: (address: number) => PlacedArray | undefined
}

/** A launch of a kernel that times itself. */
export interface ClockedLaunch extends ObservedLaunch {
  readonly model: AccessModel
  /** When it begins, in microseconds of the timeline. */
  readonly startUs: number
}

/** Predicted durations, in microseconds. */
export interface TimeModel {
  /** Told before each launch; the observer, if any, is shown its accesses, and `kernelUs` is asked next. */
  observeLaunch?(launch: ObservedLaunch): AccessObserver | undefined
  /** The clock of a launch that is observed; undefined where no multiprocessor can hold the kernel. */
  clockOf?(launch: ClockedLaunch): (LaunchClock & AccessObserver) | undefined
  /** Of one grid, without what it launches. */
  kernelUs(launch: LaunchRecord): number
  copyUs(copy: CopyInfo): number
}
