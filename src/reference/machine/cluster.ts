/**
 * A cluster while its blocks run, for both executors: where its barrier stands, and whose shared memory an address is in. All blocks of
 * a cluster are resident from the start of the first to the end of the last.
 * Source: PTX ISA, "barrier.cluster"; CUDA C++ Programming Guide, "Distributed Shared Memory".
 */
import { indexIn } from '../../clusters.ts'
import type { Location } from '../../ir/ir.ts'
import type { Dim3, FaultKind, LaunchRequest } from '../../launch.ts'
import { FaultSignal } from './state.ts'

/** A lane's access of a warp that turned out to be of another block's shared memory. */
export interface RemoteAccess {
  readonly verb: 'load' | 'store' | 'atomic' | 'red'
  readonly bytes: number
  readonly align: number
  /** The thread's in its block, by coordinates. */
  readonly thread: Dim3 | undefined
  readonly location: Location | undefined
}

interface Member {
  /** Index in the grid. */
  readonly block: Dim3
  readonly linear: number
  /** Offset of its window in device memory. */
  readonly window: number
  /** For each thread that has arrived, the round of the barrier that it arrived in last. */
  readonly arrived: Map<number, number>
  hasEnded: boolean
  /** The latest access of its memory by another block, and the round of the barrier at that time. */
  touched: { readonly by: Member; readonly access: RemoteAccess; readonly round: number } | undefined
}

export interface ClusterPlaces {
  readonly request: LaunchRequest
  /** Linear indices of the blocks, by rank. */
  readonly blocks: readonly number[]
  /** Offsets of their windows in device memory. */
  readonly windows: readonly number[]
  /** Size of a window. */
  readonly sharedBytes: number
  /**
   * Blocks may wait for each other in other ways than at the barrier: then it alone does not tell whether a block that ends may still be
   * read.
   */
  readonly mayWaitOtherwise: boolean
}

export class Cluster {
  private readonly members: readonly Member[]
  private readonly sharedBytes: number
  private readonly mayWaitOtherwise: boolean
  /** Rounds of the barrier that are complete. */
  private round = 0
  /** Threads that have arrived in this one. */
  private arrivals = 0

  constructor({ request, blocks, windows, sharedBytes, mayWaitOtherwise }: ClusterPlaces) {
    this.sharedBytes = sharedBytes
    this.mayWaitOtherwise = mayWaitOtherwise
    this.members = blocks.map((linear, rank) => ({
      block: indexIn(request.grid, linear),
      linear,
      window: windows[rank]!,
      arrived: new Map<number, number>(),
      hasEnded: false,
      touched: undefined,
    }))
  }

  // ---------------------------------------------------------------- the barrier

  arrive(rank: number, thread: number): void {
    const { arrived } = this.members[rank]!
    if (arrived.get(thread) !== this.round) this.arrivals++
    arrived.set(thread, this.round)
  }

  /** Whether a thread that waits may go on: the round that it arrived in is complete. */
  hasPassed(rank: number, thread: number): boolean {
    const round = this.members[rank]!.arrived.get(thread)
    return round !== undefined && round < this.round
  }

  /**
   * Completes the round if all threads have arrived that have not ended.
   * @param live of each block by rank, the threads; undefined for a block that has not begun
   */
  complete(live: readonly (readonly number[] | undefined)[]): void {
    if (live.includes(undefined)) return
    const threads = live.reduce((sum, ofBlock) => sum + ofBlock!.length, 0)
    if (threads === 0 || this.arrivals < threads) return
    const haveArrived = this.members.every(({ arrived }, rank) =>
      live[rank]!.every(thread => arrived.get(thread) === this.round),
    )
    if (!haveArrived) return
    this.round++
    this.arrivals = 0
  }

  // ---------------------------------------------------------------- distributed shared memory

  /**
   * Notes an access at an offset of device memory's system region that is not in the block's own memory.
   * @throws FaultSignal where no shared memory of the cluster is, and where the block whose it is has ended: its memory is gone
   */
  reach(offset: number, ownRank: number, access: RemoteAccess): void {
    const { bytes, align } = access
    const by = this.members[ownRank]!
    const rank = this.members.findIndex(({ window }) => offset >= window && offset + bytes <= window + this.sharedBytes)
    const target = this.members[rank]
    if (!target) throw faultOf(by, access, `distributed shared memory where no block's is: ${this.whatThereIs}`)
    if (offset % align !== 0) throw misaligned(by, access, offset - target.window)
    if (target.hasEnded)
      throw faultOf(
        by,
        access,
        `${ofWhom(target, rank)}, which has ended: a cluster.sync() before its end keeps it there`,
      )
    target.touched = { by, access, round: this.round }
  }

  private get whatThereIs(): string {
    const size = this.members.length
    return size === 1
      ? 'the launch has no clusters of several blocks'
      : `the cluster has ${size} blocks with ${this.sharedBytes} bytes of shared memory each`
  }

  /** @throws FaultSignal when another block's access may come after the end: nothing but luck puts it in front. */
  end(rank: number): void {
    const member = this.members[rank]!
    member.hasEnded = true
    const { touched } = member
    if (!touched || touched.round < this.round || this.mayWaitOtherwise) return
    const text = `${ofWhom(member, rank)}, which may have ended by then: no cluster.sync() stands between this access and its end`
    throw faultOf(touched.by, touched.access, text)
  }

  /** The linear index of the block of a rank. */
  blockOf(rank: number): number {
    return this.members[rank]!.linear
  }

  get haveAllEnded(): boolean {
    return this.members.every(({ hasEnded }) => hasEnded)
  }
}

function ofWhom({ block }: Member, rank: number): string {
  return `the shared memory of block (${block.x},${block.y},${block.z}), rank ${rank} of its cluster`
}

const faultOf = (by: Member, access: RemoteAccess, place: string): FaultSignal =>
  signal('illegal-address', by, access, `${accessName(access)} of ${place}`)

function misaligned(by: Member, access: RemoteAccess, at: number): FaultSignal {
  const place = `distributed shared memory at 0x${at.toString(16)} of a block's`
  return signal(
    'misaligned-address',
    by,
    access,
    `${accessName(access)} of ${place}, which is not a multiple of ${access.align}`,
  )
}

const accessName = ({ verb, bytes }: RemoteAccess): string => `${bytes}-byte ${verb === 'red' ? 'atomic' : verb}`

function signal(kind: FaultKind, by: Member, { bytes, thread, location }: RemoteAccess, message: string): FaultSignal {
  return new FaultSignal({ kind, message, block: by.block, thread, address: undefined, accessBytes: bytes, location })
}
