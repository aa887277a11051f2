/**
 * What execution reports: memory sites, warp accesses, and the counters kept for each site.
 * Executors (generated code and the reference interpreter) produce these; metrics and reports consume them.
 * The meaning of each counter is MEMORY_MODEL.md sections 1 and 2.
 */
import type { Location } from './ir/ir.ts'

/**
 * The memory that a site addresses. `generic` sites are resolved at run time into others. `texture`: texels, which the machine's texture
 * unit reads and writes (include/warplens/device_texture.h): observers see them, and no counter is kept. `cluster`: shared memory of
 * another block of the cluster (distributed shared memory); `shared` is the block's own alone.
 */
export type Space = 'global' | 'shared' | 'local' | 'constant' | 'texture' | 'cluster'

/** `red` is an atomic whose result is unused (the machine's RED). */
export type AccessOp = 'load' | 'store' | 'atomic' | 'red'

/**
 * How the machine does an access, where that is not the usual way. In shared memory: `increment`, an atomic that adds 1 and
 * whose result nobody reads (ATOMS.POPC.INC: all lanes of an address at once); `compare`, a compare-and-swap (ATOMS.CAS);
 * `loop`, an atomic that the machine does not have there, a load and a compare-and-swap until it succeeds; `loopOfOne`, the same by one
 * lane for its warp, with the sum of them all (sums of 64 bits, one value at one address: machine code, ptxas 13.0). `copy`: the load and
 * the store of one copy from global to shared memory past the registers (LDGSTS, PTX's cp.async). In global memory: `aggregated`, an
 * atomic of whole numbers whose address is the same for all lanes, which the machine compiler adds up over the warp first; `floatSum`, an
 * atomic sum of floats or doubles.
 */
export type AccessForm = 'increment' | 'compare' | 'loop' | 'loopOfOne' | 'copy' | 'aggregated' | 'floatSum'

/** Whether the machine has a loop of compare-and-swaps for an atomic in shared memory. */
export const isLoopForm = (form: AccessForm | undefined): boolean => form === 'loop' || form === 'loopOfOne'

/** What a global load has to do with a store to its line. */
export interface NearStore {
  /** Bytes from the load to the nearest store that goes out while it is on its way; absent: none (analysis/execution/besideStores.ts). */
  readonly distance?: number
  /** It stands just in front of a store to its own line (analysis/execution/besideStores.ts). */
  readonly isBeside: boolean
}

/** One memory instruction of a kernel as the GPU would have it, in one address space. */
export interface Site {
  readonly id: number
  readonly space: Space
  readonly op: AccessOp
  /** Bytes that one lane moves: 1, 2, 4, 8 or 16. */
  readonly width: number
  readonly location: Location | undefined
  /** Name in the source of the array or pointer that is accessed, where it is known. */
  readonly array: string | undefined
  readonly form?: AccessForm
  /** A global load that asks the L2, whatever the L1 has (ir.ts, LoadInstruction). */
  readonly passesL1?: true
  /** Of a global load that is on its way when a store to its line goes out. */
  readonly nearStore?: NearStore
  /** Of a site of global memory: from what of the number of its block its address comes, as bits (analysis/facts/blockPlaces.ts). */
  readonly blockAxes?: number
  /** A shared load or store that is one of so many words of one LDSM or STSM (PTX, ldmatrix, stmatrix), which the counters have by themselves. */
  readonly matrixWords?: number
}

/** One warp-level access: what a rule needs to know to count it. */
export interface WarpAccess {
  readonly space: Space
  readonly op: AccessOp
  readonly width: number
  /** Bit l set: lane l takes part. Never 0. */
  readonly mask: number
  /**
   * 32 byte addresses; those of inactive lanes are meaningless. Global, constant, cluster: device addresses (only the
   * low bits matter to the rules). Shared: offsets in the block's window. Local: interleaved physical addresses
   * (word w of lane l at (32 w + l) x 4), as the hardware lays local memory out.
   */
  readonly addresses: Uint32Array
  readonly form?: AccessForm | undefined
  readonly passesL1?: true | undefined
  readonly nearStore?: NearStore | undefined
  readonly blockAxes?: number | undefined
  /** Of a copy: where in the block's window the lanes' bytes go. */
  readonly destinations?: Uint32Array
}

/** Sums over the executions of one site. All are exact integers below 2^53. */
export interface SiteCounters {
  /** Warp-level executions with at least one active lane. */
  executed: number
  /** Active lanes. */
  threads: number
  /** Distinct bytes that the active lanes touched (a broadcast counts its bytes once). */
  bytes: number
  /** Distinct 32-byte sectors; for `red`, by the reduction rule of MEMORY_MODEL.md section 1. 0 for shared. */
  sectors: number
  /** ceil(active lanes x width / 32). 0 for shared. */
  sectorsIdeal: number
  /** Distinct 128-byte lines. 0 for shared. */
  tags: number
  /** Shared memory wavefronts; 0 elsewhere. */
  wavefronts: number
  /** Wavefronts that the same active lanes would need without bank conflicts; 0 outside shared memory. */
  wavefrontsIdeal: number
  /** Rounds of the loops that stand for atomics (form `loop`): each is one load and one compare-and-swap. */
  attempts?: number
  /** Wavefronts of the loads of these rounds; those of the compare-and-swaps are `wavefronts`. */
  attemptWavefronts?: number
}

/** What one access adds to the model-dependent counters. */
export type AccessCounts = Omit<SiteCounters, 'executed' | 'threads'>

/** A GPU generation's rules as a pure function: one access in, its counts out. */
export type AccessModel = (access: WarpAccess) => AccessCounts

/**
 * What one lane that speaks for its warp sends: one sector a time. Reading: scripts/fidelity/cases/machineCompiler,
 * globalUniform (1 sector from 32, 20 and 1 lanes; of floats 32, 20 and 1).
 */
export function countAggregated(
  sites: readonly Site[],
  counters: readonly Readonly<SiteCounters>[],
): readonly Readonly<SiteCounters>[] {
  if (!sites.some(({ form }) => form === 'aggregated')) return counters
  return counters.map((counted, index) =>
    sites[index]?.form === 'aggregated' ? { ...counted, sectors: counted.executed } : counted,
  )
}

export function emptyCounters(): SiteCounters {
  return { executed: 0, threads: 0, bytes: 0, sectors: 0, sectorsIdeal: 0, tags: 0, wavefronts: 0, wavefrontsIdeal: 0 }
}

/** Adds `from` to `into`, field by field. */
export function addCounters(into: SiteCounters, from: Partial<SiteCounters>): void {
  for (const key of Object.keys(from) as (keyof SiteCounters)[]) into[key] = (into[key] ?? 0) + (from[key] ?? 0)
}
