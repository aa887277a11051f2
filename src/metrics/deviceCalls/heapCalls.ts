/**
 * What malloc, free, new and delete of kernels move, and how long they take. In: a kernel's calls and how often warps and lanes ran
 * each. Out: the requests and sectors of global memory that they add to the kernel's own, and microseconds. All of it is modelled.
 *
 * Source: 22 programs of nine launches on an H200 (own: `heap.cu`; 1 byte to 1 MB, 1 to 256,000 threads), CUDA 13.0. The heap is NVIDIA's own:
 * lists of chunks of one size, walked by one lane after the other. What one lane alone needs is that of a heap that has one chunk of its size (47
 * sequences of calls by one thread on an H100: four loads more for each further chunk, some twenty where a chunk is made); a first launch of many
 * threads with small blocks within a factor of 2; each call takes longer by as much as there are full chunks of its size, which is not
 * modelled (a second and third launch without `free` 3 and 6 times, 1,024 bytes by 33,792 threads 100 times).
 */
import type { KernelProgram } from '../../analysis/prepare.ts'
import { calledName } from '../../ir/graph.ts'
import type { Func } from '../../ir/ir.ts'
import type { BlockCount, LibraryTraffic } from '../launchCounters.ts'

interface Kind {
  /** Microseconds of a warp's call with one lane, for each further lane, and for each lane of other warps, which wait for the lists. */
  readonly firstUs: number
  readonly laneUs: number
  readonly queuedLaneUs: number
  /** Requests of a warp's call with one lane, and for each further lane. */
  readonly loads: number
  readonly loadsPerLane: number
  readonly stores: number
  readonly storesPerLane: number
}

const TAKE: Kind = {
  firstUs: 12,
  laneUs: 2.1,
  queuedLaneUs: 0.13,
  loads: 24,
  loadsPerLane: 6,
  stores: 6,
  storesPerLane: 6.5,
}
const GIVE: Kind = {
  firstUs: 10,
  laneUs: 0.5,
  queuedLaneUs: 0.1,
  loads: 23,
  loadsPerLane: 1.4,
  stores: 0,
  storesPerLane: 0,
}

/** Loads more of each call with a heap of 32 MB and more, where the default is 8 (sequences with 8 to 512 MB: 24, 29, 30, 29, 31 a call). */
const LARGE_HEAP_BYTES = 32 * 1024 * 1024
const LOADS_OF_LARGE_HEAP = 5

const KINDS: ReadonlyMap<string | undefined, Kind> = new Map([
  ['malloc', TAKE],
  ['free', GIVE],
])

interface HeapCall {
  readonly kind: Kind
  /** The place of its block in the kernel. */
  readonly block: number
}

const known = new WeakMap<Func, readonly HeapCall[]>()

function heapCallsOf(kernel: Func): readonly HeapCall[] {
  let calls = known.get(kernel)
  if (!calls) {
    calls = kernel.blocks.flatMap(({ instructions }, block) =>
      instructions.flatMap(instruction => {
        const kind = KINDS.get(calledName(instruction))
        return kind ? [{ kind, block }] : []
      }),
    )
    known.set(kernel, calls)
  }
  return calls
}

/** What a kernel's calls ran for; those that no warp came to are left out. */
function ran({ kernel }: Pick<KernelProgram, 'kernel'>, blocks: readonly BlockCount[]) {
  return heapCallsOf(kernel).flatMap(({ kind, block }) => {
    const count = blocks[block]
    return count && count.warps > 0 ? [{ kind, block, ...count, furtherLanes: count.threads - count.warps }] : []
  })
}

/**
 * Undefined where the kernel has no such calls.
 * @param heapBytes cudaLimitMallocHeapSize, where the program said one
 */
export function heapTraffic(
  program: Pick<KernelProgram, 'kernel'>,
  blocks: readonly BlockCount[],
  heapBytes = 0,
): LibraryTraffic | undefined {
  if (heapCallsOf(program.kernel).length === 0) return undefined
  const more = heapBytes >= LARGE_HEAP_BYTES ? LOADS_OF_LARGE_HEAP : 0
  let [loads, stores] = [0, 0]
  for (const { kind, warps, furtherLanes } of ran(program, blocks)) {
    loads += warps * (kind.loads + more) + furtherLanes * kind.loadsPerLane
    stores += warps * kind.stores + furtherLanes * kind.storesPerLane
  }
  const [loadRequests, storeRequests] = [Math.round(loads), Math.round(stores)]
  return { loadRequests, loadSectors: loadRequests, storeRequests, storeSectors: storeRequests }
}

/**
 * Microseconds that calls add to a launch: those of one warp, one after the other, and of the others' lanes.
 * @param warps of the launch
 */
export function heapMicroseconds(
  program: Pick<KernelProgram, 'kernel'>,
  blocks: readonly BlockCount[],
  warps: number,
): number {
  let us = 0
  for (const { kind, warps: calls, threads, furtherLanes } of ran(program, blocks)) {
    const own = Math.max(1, calls / warps)
    us += own * (kind.firstUs + (kind.laneUs * furtherLanes) / calls)
    us += kind.queuedLaneUs * threads * (1 - own / calls)
  }
  return us
}
