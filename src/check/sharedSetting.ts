/** What the checks of shared memory know of a kernel, and what they find. */
import type { CheckedAccess } from '../launch.ts'
import type { Site } from '../trace.ts'
import type { TagMemory } from './sharedTags.ts'
import type { SiteFacts } from './siteFacts.ts'

/** The letters are in the order of the accesses: WAR is a write after a read. */
export type HazardKind = 'RAW' | 'WAR' | 'WAW'

export interface Hazard {
  readonly kind: HazardKind
  readonly earlierSite: number
  readonly earlierWarp: number
  readonly earlierLane: number
  /** Both leave the same in memory. */
  readonly isSame: boolean
  /** Lanes of one instruction. */
  readonly isAtOnce: boolean
}

export interface SharedFindings {
  readonly outside: ((access: CheckedAccess, lane: number) => void) | undefined
  readonly hazard: ((access: CheckedAccess, lane: number, hazard: Hazard) => void) | undefined
  readonly unwritten: ((access: CheckedAccess, lane: number) => void) | undefined
}

export interface SharedSetting {
  readonly bytes: number
  /** log2 of a unit's bytes. */
  readonly unitLog2: number
  readonly sites: readonly Site[]
  readonly facts: readonly SiteFacts[]
  /** Some atomics tell threads what others did. */
  readonly hasLocks: boolean
  readonly findings: SharedFindings
  readonly memory: TagMemory
}
