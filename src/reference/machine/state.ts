/**
 * What the interpreter keeps while it runs: a block with its windows of memory, a warp of 32 lanes, and one frame for each
 * function that some of the warp's lanes are in. Data and small types only; warp.ts and grid.ts move it on.
 */
import type { BlockLoop } from '../../analysis/execution/orderBlocks.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import type { Block, Func, Instruction, Location } from '../../ir/ir.ts'
import type { Dim3, Fault, FaultKind, LaunchChecker, LaunchRequest } from '../../launch.ts'
import type { SiteCounters } from '../../trace.ts'
import type { Bits } from '../arithmetic/values.ts'
import type { Cluster } from './cluster.ts'
import type { DeviceMemory } from './memory.ts'

/** Lanes that execute together, ascending. */
export type Lanes = readonly number[]

/**
 * `ready`: goes on at its program counter. `waiting`: gave way in a loop that waits for somebody else.
 * `barrier`: arrived at one. `calling`: is in a frame that was opened after this one. `returned`: waits for the others of the
 * frame to return. `absent`: not in this frame, or the thread has ended.
 */
export type LaneStatus = 'absent' | 'ready' | 'waiting' | 'barrier' | 'calling' | 'returned'

/** One instruction, ready to run. `transfers`: lanes do not simply go on with the next step. */
export interface Step {
  readonly instruction: Instruction
  readonly transfers: boolean
  run(warp: WarpState, frame: Frame, lanes: Lanes): void
}

/** A function as steps, block after block. */
export interface Code {
  readonly func: Func
  readonly steps: readonly Step[]
  /** Index of each block's first step (phis have none), and for each step its block. */
  readonly blockStart: readonly number[]
  readonly blockOf: readonly number[]
  readonly loops: readonly BlockLoop[]
  readonly registerCount: number
  /** Register of each parameter, and local bytes of one activation (0 for the kernel, whose locals have fixed places). */
  readonly parameterSlots: readonly number[]
  readonly frameBytes: number
  /** Where an activation has the copy of each by-value parameter. */
  readonly byvalOffsets: readonly (number | undefined)[]
}

export interface Frame {
  readonly code: Code
  /** By register, then lane. */
  readonly registers: Bits[][]
  readonly status: LaneStatus[]
  /** Index of each lane's next step. */
  readonly pc: number[]
  /** Where the walk over the blocks stands (see orderBlocks.ts). */
  cursor: number
  readonly caller: Caller | undefined
  /** Offset in local memory of each lane's activation. */
  readonly localBase: number[]
  /** What was true at the last back edge to each block: see progress.ts. */
  readonly backEdges: Map<number, BackEdgeRecord>
}

export interface Caller {
  readonly frame: Frame
  /** Register that takes the result, or -1. */
  readonly resultSlot: number
  readonly resumeAt: number
  /** Results of the lanes that have returned. */
  readonly results: Bits[]
}

export interface BackEdgeRecord {
  readonly lanes: Lanes
  readonly changes: number
  readonly phis: readonly Bits[]
}

export interface WarpState {
  readonly launch: LaunchState
  readonly block: BlockState
  /** Index in the block. */
  readonly index: number
  /** Live activations, callers before their callees. */
  readonly frames: Frame[]
  /** Thread coordinates by lane; shorter than 32 in a partial warp. */
  readonly threads: readonly Dim3[]
  /** Lanes whose thread has not ended. */
  liveLanes: number
  /** Barrier that each lane in status `barrier` waits at. */
  readonly barriers: (BarrierWait | undefined)[]
  /** What the warp's threads printed, in order. */
  printed: string
  /** Counts what makes a waiting loop worth another iteration: changes of memory, readings of the clock. */
  changes: number
  /** Back edges, and volatile or atomic accesses, since `changes` was `quietSince`. */
  quietBackEdges: number
  quietLooks: number
  quietSince: number
  /** A loop is presumed to wait. `interrupted`: the other warps get a turn at once. */
  interrupted: boolean
  undecided: boolean
  /** Bytes of each lane's stack in use by functions that were called, not inlined. */
  readonly stackUsed: number[]
}

export type BarrierResult = 'none' | 'count' | 'and' | 'or'

export interface BarrierWait {
  readonly id: number
  /** Threads that must arrive; undefined for all of the block. */
  readonly count: number | undefined
  readonly result: BarrierResult
  readonly predicate: boolean
  readonly frame: Frame
  readonly resultSlot: number
  readonly instruction: Instruction
  readonly isOfCluster?: true
}

export interface BlockState {
  readonly linear: number
  readonly index: Dim3
  /** Offsets in the device memory. */
  readonly sharedBase: number
  readonly localBase: number
  readonly cluster: Cluster
  /** In the cluster. */
  readonly rank: number
  /** Arrivals without waiting (bar.arrive), by barrier. */
  readonly arrivals: Map<number, number>
  /** The same with their threads. */
  announcers: { readonly id: number; readonly thread: number }[]
}

/** The parts of the local memory of one thread, in bytes. */
export interface LocalLayout {
  /** Allocas of the kernel at 0, then copies of by-value parameters, then the stack of called functions. */
  readonly parametersAt: number
  readonly stackAt: number
  readonly stackBytes: number
  readonly threadBytes: number
}

/** Of a launch that is checked: whom to tell, and the numbers of what (launch.ts, SyncPoints). */
export interface LaunchChecks {
  readonly checker: LaunchChecker
  readonly points: ReadonlyMap<Instruction, number>
  readonly skips: ReadonlyMap<Block, readonly number[]>
}

export interface LaunchState {
  readonly request: LaunchRequest
  readonly program: KernelProgram
  readonly memory: DeviceMemory
  readonly counters: SiteCounters[]
  readonly blockCounts: { warps: number; threads: number }[]
  readonly sharedBytes: number
  readonly threadsPerBlock: number
  readonly warpsPerBlock: number
  readonly local: LocalLayout
  /** Pointers of the kernel may lead to the shared memory of other blocks of the cluster. */
  readonly reachesOtherBlocks: boolean
  codeOf(func: Func): Code
  /** The function that a device function pointer stands for. */
  functionAt(address: number): Func | undefined
  /** Blocks whose accesses the request's observer wants to see. */
  readonly observed: Set<number>
  readonly checks: LaunchChecks | undefined
  /** Warp instructions executed so far: the clock. */
  steps: number
}

/** Stops the launch; caught by the executor. */
export class FaultSignal extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.message)
    this.name = 'FaultSignal'
    this.fault = fault
  }
}

/** The number of a lane's thread in its block. */
export const threadOf = ({ index }: WarpState, lane: number): number => index * 32 + lane

export interface FaultDetail {
  readonly address?: number | undefined
  readonly accessBytes?: number
  readonly location?: Location | undefined
}

/** A fault of one lane at an instruction. */
export function laneFault(
  warp: WarpState,
  lane: number,
  kind: FaultKind,
  message: string,
  { address, accessBytes, location }: FaultDetail,
): FaultSignal {
  return new FaultSignal({
    kind,
    message,
    block: warp.block.index,
    thread: warp.threads[lane],
    address,
    accessBytes,
    location,
  })
}
