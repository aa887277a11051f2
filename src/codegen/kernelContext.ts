/** What the parts of the code generator share while one kernel is compiled. */
import type { KernelProgram } from '../analysis/prepare.ts'
import type { Block, CallInstruction, Instruction, Value } from '../ir/ir.ts'
import type { FunctionBuilder } from '../wasm/builder.ts'
import type { GatheredStores } from './accesses/gatheredStores.ts'
import type { HeldWords } from './accesses/heldWords.ts'
import type { CountGroup } from './counting/countGroups.ts'
import type { RunUse, WarpRun } from './counting/warpRuns.ts'
import type { Version } from './flow/versions.ts'
import type { Helpers } from './helpers/helpers.ts'
import type { CallKind } from './operations/intrinsics.ts'
import type { KernelLayout } from './slot.ts'
import type { Geometry } from './values/geometry.ts'
import type { LaneVector } from './values/laneVector.ts'
import type { Lifetimes } from './values/lifetimes.ts'
import type { Shapes } from './values/shapes.ts'
import type { StaticLanes } from './values/staticLanes.ts'
import type { Storage, Values } from './values/storage.ts'

/** Locals of the run function that hold where things are; the first six are its parameters. */
export interface Frame {
  readonly first: number
  readonly last: number
  /** Start of the slot, of the block's shared memory, of the saved warps, of local memory: offsets in device memory. */
  readonly slot: number
  readonly shared: number
  readonly saved: number
  readonly localMemory: number
  readonly block: number
  readonly blockX: number
  readonly blockY: number
  readonly blockZ: number
  readonly gridX: number
  readonly gridY: number
  readonly gridZ: number
  readonly warp: number
  /** Lanes that run the block at hand. */
  readonly mask: number
  readonly sharedBytes: number
  readonly fuel: number
  /** Size of device memory at the start. */
  readonly memoryBytes: number
}

/** A site whose full-warp accesses are counted by the scalar part of the address (slot.ts, HISTOGRAM_BINS). */
export interface HistogramUse {
  readonly site: number
  /** The site whose tables count for this one too: its scalar is `plus` bytes less. */
  readonly source: number
  readonly plus: number
  /** Lanes of the address; those with terms are read from the slot's table at `table`. */
  readonly lanes: LaneVector
  readonly table: number | undefined
}

/** A call that generated code leaves to its host. */
export interface ExternalCall {
  readonly call: CallInstruction
  readonly kind: CallKind['kind']
}

/** Accesses of a site at the same distances. */
export interface CheckedRow {
  readonly site: number
  /** Of each lane from the address that is told. */
  readonly distances: Int32Array
}

/** Numbers of what the checker is told of (launch.ts, SyncPoints). */
export interface CheckedCode {
  readonly points: ReadonlyMap<Instruction, number>
  readonly skips: ReadonlyMap<Block, readonly number[]>
  /** Accesses whose lanes are at fixed distances from each other, in the order of their numbers. */
  readonly rows: CheckedRow[]
  /** By call, as in SyncPoints. */
  readonly others: ReadonlyMap<Instruction, ReadonlySet<Block>>
  /** Pushes the lanes of the warp that wait for one of these blocks, the block at hand apart; set where blocks are emitted. */
  pushOthers: (blocks: ReadonlySet<Block>) => void
}

export interface KernelContext {
  readonly f: FunctionBuilder
  readonly helpers: Helpers
  readonly program: KernelProgram
  readonly geometry: Geometry
  readonly shapes: Shapes
  readonly values: Values
  readonly layout: KernelLayout
  readonly frame: Frame
  /** Counting by the rules of 7.0 and later is compiled in; other rules are asked of the host. */
  readonly modernRules: boolean
  /** Blocks may run on several threads at the same time. */
  readonly mayBeShared: boolean
  /** Accesses can be shown to an observer one by one, while the slot's OBSERVING word says so. */
  readonly observable: boolean
  /** Everything is told to the launch's checker, as it happens (checking.ts). */
  readonly checked: CheckedCode | undefined
  /** False: nothing is counted, neither accesses nor executions; the measure of what counting costs. */
  readonly counting: boolean
  readonly histograms: HistogramUse[]
  /** What is counted a block at a time, one run a site. */
  readonly runs: RunUse[]
  /** Of the block at hand (countGroups.ts). */
  countGroups: ReadonlyMap<Instruction, CountGroup>
  readonly externals: ExternalCall[]
  readonly statics: StaticLanes
  /** Of the region at hand; undefined where values keep their locals. */
  lifetimes: Lifetimes | undefined
  /** Collects where the phis of the code at hand live (regions.ts). */
  newPhis: Storage[] | undefined
  /** The version at hand (versions.ts) and its counters; undefined in general code. */
  version: VersionAtHand | undefined
  /** The loop over the warps of that version: what it counts, and stores, for several of them at once. */
  run: WarpRun | undefined
  gathered: GatheredStores | undefined
  /** Locals with a 2 for changed memory, of the waiting loops that a block is in (suspension.ts); undefined in kernels without. */
  changedBy: ((block: Block) => readonly number[]) | undefined
  /** Of the only warp that runs the region at hand. */
  held: HeldWords | undefined
  readonly columnStores: GatheredStores[]
  /** Of the store at hand: its NaNs are the GPU's already (nan.ts). */
  canonical: Value | undefined
  /** Executions of blocks by masks that were known: added up when the function ends. */
  readonly knownCounts: KnownCount[]
}

export interface VersionAtHand {
  readonly version: Version
  /** Lanes of the block at hand, and the local that counts how often they ran it. */
  readonly mask: number
  readonly count: number
}

/** Local `count` (i64): how often the block ran with these lanes, and the groups counted by it. */
export interface KnownCount {
  readonly block: Block
  readonly mask: number
  readonly count: number
  readonly groups: readonly CountGroup[]
}

/** The lanes that run the block at hand, where they are known while the kernel is compiled. */
export function knownMask({ version }: KernelContext): number | undefined {
  return version?.mask
}
