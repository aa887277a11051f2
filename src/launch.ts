/**
 * The contract between the runtime, which decides what is launched, and the executors, which run it:
 * generated WebAssembly (`codegen/`) and the reference interpreter (`reference/`) both implement {@link Executor}.
 */
import type { KernelProgram } from './analysis/prepare.ts'
import type { Block, CallInstruction, Location } from './ir/ir.ts'
import type { AccessModel, Site, SiteCounters, WarpAccess } from './trace.ts'

export interface Dim3 {
  readonly x: number
  readonly y: number
  readonly z: number
}

/**
 * Sees every global and local access of some blocks of a launch, in program order of each warp. Blocks are observed from the
 * first on, one after the other, while `wants` says so.
 */
export interface AccessObserver {
  /** Asked before each block. */
  wants(block: number): boolean
  /** `access.addresses` is only valid during the call. */
  record(block: number, warp: number, access: WarpAccess): void
}

/** Where the threads of a kernel meet (codegen/checking/syncPoints.ts). */
export interface SyncPoints {
  /** Barriers, and calls that name the lanes of their warp that take part. */
  readonly calls: readonly CallInstruction[]
  /** Of each call that names lanes: blocks whose lanes go on with those of the call, before they end. Empty for barriers. */
  readonly others: readonly ReadonlySet<Block>[]
  /** Who comes to `block` has gone around the barrier, one of `calls`, or left the loop that it is in. */
  readonly skips: readonly { readonly block: Block; readonly barrier: number }[]
}

/** One instruction of some lanes of a warp, in one space. */
export interface CheckedAccess {
  readonly site: Site
  readonly block: number
  readonly warp: number
  /** Never 0. */
  readonly lanes: number
  /**
   * Of each of the lanes: global and constant memory, the 32 bits of device addresses; shared memory, offsets in the block's window, local
   * memory in the thread's own, both also beyond their ends and before their starts. Valid during the call.
   */
  readonly addresses: Int32Array
  /** Of a store: whether two lanes store the same. */
  storesSame(lane: number, other: number): boolean
  /** Of a store: whether what the lane stores is there already. */
  keeps(lane: number): boolean
}

/** Where a checker keeps its tags of a block's shared memory (codegen/checking/tagCode.ts). */
export interface TagPlace {
  readonly memory: WebAssembly.Memory
  readonly offset: number
}

/** What may be told later, of what code of the kernel's own looks at. */
export interface KeptKinds {
  readonly reads: boolean
  readonly writes: boolean
  readonly atomics: boolean
}

/** Distances of lanes from an address. */
export interface AddressRow {
  /** Of the launch's rows. */
  readonly index: number
  readonly site: number
  readonly distances: Int32Array
  readonly least: number
  readonly most: number
  /** Each lane's words follow those of the lane before. */
  readonly isRun: boolean
}

export interface WarpLanes {
  readonly warp: number
  readonly lanes: number
}

/**
 * Follows a launch as those must who look for mistakes in it: every access and every meeting of threads, of all blocks, each warp's in
 * program order, and before it happens. Warps of a block take turns, blocks may too.
 */
export interface LaunchChecker {
  readonly points: SyncPoints
  /** The block's shared memory is as nobody wrote it. */
  begin(block: number): void
  end(block: number): void
  access(access: CheckedAccess): void
  /**
   * An access whose lanes' addresses are an address and fixed distances from it, as `access` has them, which is for `expand` to fill: false
   * where the checker needs that, and is told by `access` then.
   */
  accessRow(access: CheckedAccess, address: number, row: AddressRow): boolean
  /** Offsets in device memory between which accesses of a site, of global or constant memory, are nothing to tell of from now on. */
  quietRange(site: Site): { readonly start: number; readonly end: number } | undefined
  /**
   * Blocks come one after the other, and their code looks at the tags itself: what it notes in them it tells later, in order, before anything else
   * that warps do in shared memory, and before lanes meet; not at all where all threads of the block meet first, or it ends.
   */
  shareTags(place: TagPlace, rows: readonly AddressRow[]): void
  keeps(block: number): KeptKinds
  /** Lanes are at a call that names `members`, lane by lane; `others` of their warp are elsewhere, and not only about to end. */
  synchronize(block: number, warp: number, lanes: number, others: number, members: Int32Array, point: number): void
  arrive(block: number, warp: number, lanes: number, point: number): void
  /** Lanes come past one of `points.skips`. */
  pass(block: number, warp: number, lanes: number, skip: number): void
  /** A lane frees what it cannot. */
  free(free: RefusedFree): void
  /**
   * A barrier opens: for all threads of the block, or for those who wait at it and, without waiting, have been there. Says whether what was
   * before it matters no more.
   */
  meet(block: number, waiting?: readonly WarpLanes[], announced?: readonly WarpLanes[]): boolean
}

/**
 * What the kernel's own clock tells: modelled cycles of the device, for each warp by what it executed. Blocks begin in order; several
 * may be under way.
 */
export interface LaunchClock {
  /** Cycles of the device's clock at the launch's start. */
  readonly startCycles: number
  begin(block: number): void
  /** @param passages how often the warp came to each block of `program.kernel.blocks` since the last call, in order */
  advance(block: number, warp: number, passages: Uint32Array): void
  /** The warp does nothing for so many cycles. */
  sleep(block: number, warp: number, cycles: number): void
  /** All warps have come to a barrier. */
  meet(block: number): void
  end(block: number): void
  /** Since the launch's start, with all that the warp was advanced by. */
  cyclesOf(block: number, warp: number): number
}

/** Where kernels allocate with malloc and new. Addresses are device addresses, multiples of 16. */
export interface DeviceHeap {
  /** 0 when there is no room. */
  allocate(bytes: number): number
  /** Undefined where it is done, and for null; an address that is not an allocation's changes nothing. */
  release(address: number): InvalidFree | undefined
}

/** Why an address cannot be freed: it was, and nobody got it since, or the heap never gave it. */
export type InvalidFree = 'freed-already' | 'not-allocated'

/** A lane's call of free or delete that the heap refuses. */
export interface RefusedFree {
  readonly reason: InvalidFree
  /** Numbers of the block in its grid and of the warp in its block. */
  readonly block: number
  readonly warp: number
  readonly lane: number
  /** A device address. */
  readonly address: number
  readonly location: Location | undefined
}

/** Who launches a child grid: numbers of the block in its grid and of the thread in its block, counted as for warps. */
export interface Launcher {
  readonly block: number
  readonly thread: number
}

/** What a running grid launches (runtime/launches/deviceLaunches.ts). Results are cudaError's numbers. */
export interface ChildGrids {
  /** A device address for the arguments of the next launch; 0 when there is no room. */
  parameterBuffer(bytes: number): number
  launch(
    functionAddress: number,
    parameters: number,
    shape: { readonly grid: Dim3; readonly block: Dim3; readonly dynamicSharedBytes: number },
    stream: number,
    launcher: Launcher,
  ): number
  /** Runs what was launched so far. The first `systemBytes` of the memory, which the caller works in, are the same afterwards. */
  synchronize(systemBytes: number): number
  lastError(clear: boolean): number
}

export interface LaunchRequest {
  readonly program: KernelProgram
  readonly grid: Dim3
  readonly block: Dim3
  readonly dynamicSharedBytes: number
  /** Blocks of a cluster along each axis, of which the grid is a multiple; absent: every block is a cluster of its own. */
  readonly cluster?: Dim3 | undefined
  /** The arguments, argument i at `program.parameterOffsets[i]`. */
  readonly parameters: Uint8Array
  /** The device's memory; see addressSpace.ts for its map. */
  readonly memory: WebAssembly.Memory
  /** Device address of each global variable outside shared memory, and a distinct non-zero number for each function. */
  readonly symbols: ReadonlyMap<string, number>
  /** The rules of the chosen device. */
  readonly model: AccessModel
  readonly observer?: AccessObserver
  /** With it the launch runs on one thread. */
  readonly checker?: LaunchChecker
  /** Absent: device malloc finds no room. */
  readonly heap?: DeviceHeap
  /** Absent: the kernel cannot launch. */
  readonly children?: ChildGrids
  /** Called with text that the kernel prints, in block order, then warp order, then program order, lanes ascending. */
  readonly print: (text: string) => void
  /** Absolute time in ms (performance.now) after which the launch stops with a `timeout` fault; Infinity for none. */
  readonly deadline: number
  /** Cycles a second of the device's clock, for clock64 and globaltimer. */
  readonly clockHz: number
  /** Of a kernel that times itself (analysis/execution/clockReads.ts); absent: its clock tells real time. */
  readonly clock?: LaunchClock
}

export type FaultKind =
  | 'illegal-address'
  | 'misaligned-address'
  | 'illegal-instruction'
  | 'trap'
  | 'assert'
  | 'timeout'
  | 'deadlock'
  | 'unsupported'

/** Why a launch stopped. Thread and address are known for all but stops of a whole block. */
export interface Fault {
  readonly kind: FaultKind
  readonly message: string
  readonly block: Dim3
  readonly thread: Dim3 | undefined
  /** Device address; undefined for stops that are no access's, and for accesses outside shared or local memory. */
  readonly address: number | undefined
  readonly accessBytes: number | undefined
  readonly location: Location | undefined
}

/** What goes into the rounds of a launch's loops after their first, in instructions that warps run (of the IR; those of a round's loop). */
export interface LoopWork {
  /** By all blocks of the grid. */
  readonly all: number
  /** By the one that has most. */
  readonly most: number
  /** By the longest warp of each block, from barrier to barrier, over all blocks; absent where warps take turns or wait for each other otherwise. */
  readonly longest?: number
}

export interface LaunchOutcome {
  /** One entry a site of `program.sites`, in order. */
  readonly sites: readonly Readonly<SiteCounters>[]
  /** Warp-level executions of each block of `program.kernel.blocks`, and active lanes summed over them. */
  readonly blocks: readonly { readonly warps: number; readonly threads: number }[]
  readonly fault: Fault | undefined
  /** Absent where nobody watched: without loops, and from the reference interpreter. */
  readonly loopWork?: LoopWork
}

export interface Executor {
  execute(request: LaunchRequest): LaunchOutcome
}
