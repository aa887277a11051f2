/**
 * The versioned report: what a profile found, as plain data. Every output format (terminal, CSV, Markdown, HTML, JSON) is
 * printed from this and from nothing else. The JSON form is these objects as they stand; `schema.ts` describes it.
 * Same program, same arguments, same device: the same report, byte for byte.
 */

export const REPORT_SCHEMA = 'warplens-report/1'

/** How sure a number is. `exact`: equal to what Nsight Compute reads on the card; `modelled`: our estimate; `unsupported`: no value. */
export type Fidelity = 'exact' | 'modelled' | 'unsupported'

export interface MetricValue {
  /** null when unsupported, or when the quotient has no denominator (no request was made). */
  readonly value: number | null
  /** As Nsight Compute writes units; empty for plain numbers. */
  readonly unit: string
  readonly fidelity: Fidelity
}

export interface Frame {
  readonly file: string
  readonly line: number
  readonly column: number
  /** The source's name of the function that the line stands in. */
  readonly function: string
}

/** `cluster`: shared memory of other blocks of the cluster. */
export type SiteSpace = 'global' | 'shared' | 'local' | 'constant' | 'cluster'
export type SiteOp = 'load' | 'store' | 'atomic' | 'red'

/** One memory instruction of a kernel and its counters, summed over one launch. */
export interface SiteReport {
  /** Empty, 0 and 0 where the compiler left no location. */
  readonly file: string
  readonly line: number
  readonly column: number
  /** The calls that the instruction was inlined through, innermost first. */
  readonly inlinedAt: readonly Frame[]
  readonly space: SiteSpace
  readonly op: SiteOp
  /** Bytes that one lane moves. */
  readonly bytes: number
  /** Name of the array or pointer in the source, or null. */
  readonly array: string | null
  readonly executed: number
  readonly threads: number
  /** Distinct bytes that active lanes touched. */
  readonly bytesTouched: number
  readonly sectors: number
  readonly sectorsIdeal: number
  readonly tags: number
  readonly wavefronts: number
  readonly wavefrontsIdeal: number
  /** Of the counters that depend on the device's rules: bytesTouched, sectors, tags, wavefronts and their ideals. */
  readonly fidelity: Fidelity
  /** Part of the launch's limiter that this instruction keeps busy, 0 to 1: modelled. Without a predicted time absent. */
  readonly limiterShare?: number
}

/** Why a launch takes as long as it is predicted to; its time itself is the metric `gpu__time_duration.sum`. */
export interface LaunchPrediction {
  readonly fidelity: 'modelled'
  readonly us: number
  /** The resource that alone would take longest. */
  readonly limiter: string
  /** Microseconds that each resource alone would take. */
  readonly limitersUs: Readonly<Record<string, number>>
}

export interface LaunchReport {
  readonly index: number
  /** Nsight Compute's full name, for example `void transposeSmem<(int)0>(float *, const float *, int, int)`. */
  readonly kernel: string
  /** The short name, for example `transposeSmem<0>`. */
  readonly name: string
  readonly stream: number
  readonly grid: readonly [number, number, number]
  readonly block: readonly [number, number, number]
  readonly sharedBytes: { readonly static: number; readonly dynamic: number }
  /** By Nsight Compute's name, sorted. */
  readonly metrics: Readonly<Record<string, MetricValue>>
  readonly sites: readonly SiteReport[]
  /** Absent when time was not asked for, and for a launch that stopped early. */
  readonly prediction?: LaunchPrediction
  /** Grids that its kernel launched, and theirs: metrics and sites are of all of them; absent: none. */
  readonly childGrids?: number
  /** Why the launch stopped early; its counters are then those of the part that ran. */
  readonly fault: string | null
}

/** What happened on the device, in the order of the calls. */
export interface TimelineEntry {
  readonly kind: 'kernel' | 'copy' | 'set' | 'other'
  readonly name: string
  readonly stream: number
  /** Microseconds of the device's virtual clock: modelled. */
  readonly startUs: number
  readonly durationUs: number
  readonly bytes: number | null
  /** Index into `launches` of a kernel that was profiled, or null. */
  readonly launch: number | null
}

export interface Finding {
  /** Stable, kebab-case. */
  readonly rule: string
  readonly severity: 'error' | 'warning' | 'note'
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
  readonly evidence: Readonly<Record<string, number | string>>
}

export interface Report {
  readonly schema: typeof REPORT_SCHEMA
  /** Of Warplens. */
  readonly version: string
  readonly device: { readonly name: string; readonly computeCapability: string }
  readonly program: { readonly files: readonly string[]; readonly args: readonly string[]; readonly exitCode: number }
  readonly launches: readonly LaunchReport[]
  readonly timeline: readonly TimelineEntry[]
  readonly findings: readonly Finding[]
}
