/**
 * One access in, its counts out, by the rules of a GPU generation: the {@link AccessModel} that executors are given.
 * The rules themselves are in coalescing.ts and banks.ts (7.0 and later), olderCoalescing.ts and olderBanks.ts (before).
 */
import type { Device } from '../../devices/device.ts'
import { capabilityNumber } from '../../devices/devices.ts'
import { type AccessCounts, type AccessModel, isLoopForm, type WarpAccess } from '../../trace.ts'
import { areInOwnBanks, idealSharedWavefronts, sharedWavefronts } from './banks.ts'
import {
  activeLanes,
  atomicSectorsSent,
  copiedSectors,
  distinctBytes,
  idealSectors,
  linesTouched,
  sectorsTouched,
} from './coalescing.ts'
import { type BankRule, fermiBanks, halfWarpBanks, keplerBanks } from './olderBanks.ts'
import {
  type CoalescingRule,
  linesInL1,
  sectoredLoads,
  sectoredStores,
  segmentedHalfWarps,
  segmentsInL2,
  strictHalfWarps,
} from './olderCoalescing.ts'
import { atomicWavefronts, countAtomicLoop } from './sharedAtomics.ts'

/**
 * Counts of an access that has none of its own: constant memory, and other blocks' shared memory, are counted by executions and threads
 * only.
 */
function noCounts(bytes: number): AccessCounts {
  return { bytes, sectors: 0, sectorsIdeal: 0, tags: 0, wavefronts: 0, wavefrontsIdeal: 0 }
}

const modernBanks: BankRule = access => {
  if (isLoopForm(access.form)) {
    const loop = countAtomicLoop(access)
    return { ...loop, wavefrontsIdeal: idealSharedWavefronts(access, loop.wavefronts) }
  }
  const wavefronts = access.op === 'atomic' ? atomicWavefronts(access) : sharedWavefronts(access)
  return { wavefronts, wavefrontsIdeal: idealSharedWavefronts(access, wavefronts) }
}

function sectorsOf(access: WarpAccess): number {
  if (access.form === 'copy' && access.destinations) return copiedSectors(access, access.destinations)
  return access.op === 'load' || access.op === 'store' ? sectorsTouched(access) : atomicSectorsSent(access)
}

/** Compute capability 7.0 to 9.0 (and later, until readings say otherwise). MEMORY_MODEL.md sections 1 and 2. */
export function countAccess(access: WarpAccess): AccessCounts {
  if (access.space === 'shared' && (access.op === 'load' || access.op === 'store') && areInOwnBanks(access)) {
    const bytes = activeLanes(access.mask) * access.width
    return { bytes, sectors: 0, sectorsIdeal: 0, tags: 0, wavefronts: 1, wavefrontsIdeal: 1 }
  }
  const bytes = distinctBytes(access)
  switch (access.space) {
    case 'constant':
    case 'texture':
    case 'cluster':
      return noCounts(bytes)
    case 'shared':
      return { ...noCounts(bytes), ...modernBanks(access) }
    case 'global':
    case 'local':
      return {
        bytes,
        sectors: sectorsOf(access),
        sectorsIdeal: idealSectors(access.mask, access.width),
        tags: linesTouched(access),
        wavefronts: 0,
        wavefrontsIdeal: 0,
      }
  }
}

/** What a program or the compiler can choose on some generations. */
export interface AccessModelOptions {
  /** 2.x: true unless compiled with `-Xptxas -dlcm=cg`; 3.5 and 3.7: false unless compiled with `-Xptxas -dlcm=ca`. */
  readonly globalLoadsInL1?: boolean
  /** 3.x: `cudaDeviceSetSharedMemConfig`; 4 unless set. */
  readonly sharedBankBytes?: 4 | 8
}

interface OlderRules {
  readonly load: CoalescingRule
  readonly store: CoalescingRule
  readonly banks: BankRule
}

function olderRules(capability: number, { globalLoadsInL1, sharedBankBytes = 4 }: AccessModelOptions): OlderRules {
  if (capability < 12) return { load: strictHalfWarps, store: strictHalfWarps, banks: halfWarpBanks }
  if (capability < 20) return { load: segmentedHalfWarps, store: segmentedHalfWarps, banks: halfWarpBanks }
  if (capability < 30) {
    return { load: globalLoadsInL1 === false ? segmentsInL2 : linesInL1, store: segmentsInL2, banks: fermiBanks }
  }
  if (capability < 50) {
    const inL1 = globalLoadsInL1 === true && capability >= 35
    return { load: inL1 ? linesInL1 : segmentsInL2, store: segmentsInL2, banks: keplerBanks(sharedBankBytes) }
  }
  return { load: sectoredLoads, store: sectoredStores, banks: modernBanks }
}

/** Global and shared memory by the generation's rules; local and constant memory, and atomics, as from 7.0 on. */
function olderModel({ load, store, banks }: OlderRules): AccessModel {
  return access => {
    if (access.space === 'shared') return { ...noCounts(distinctBytes(access)), ...banks(access) }
    if (access.space !== 'global' || access.op === 'atomic' || access.op === 'red') return countAccess(access)
    const { transactions, sectors, sectorsIdeal } = (access.op === 'load' ? load : store)(access)
    return { ...noCounts(distinctBytes(access)), sectors, sectorsIdeal, tags: transactions }
  }
}

/**
 * The rules of a device's generation. From 7.0 on `tags` are 128-byte lines; below, `tags` holds the transactions that
 * nvprof counts on that generation, and `sectors` what moves, in units of 32 bytes.
 */
export function accessModelFor(device: Device, options: AccessModelOptions = {}): AccessModel {
  const capability = capabilityNumber(device)
  return capability >= 70 ? countAccess : olderModel(olderRules(capability, options))
}
