/**
 * One access in, its counts out, by the rules of a GPU generation: the {@link AccessModel} that executors are given.
 * The rules themselves are in coalescing.ts and banks.ts (7.0 and later) and olderGenerations.ts (1.0 to 6.x).
 */
import type { Device } from '../devices/device.ts'
import type { AccessCounts, AccessModel, WarpAccess } from '../trace.ts'
import { idealSharedWavefronts, sharedWavefronts } from './banks.ts'
import { atomicSectorsSent, distinctBytes, idealSectors, linesTouched, sectorsTouched } from './coalescing.ts'

/** Counts of an access that has none of its own: constant memory is counted by executions and threads only. */
function noCounts(bytes: number): AccessCounts {
  return { bytes, sectors: 0, sectorsIdeal: 0, tags: 0, wavefronts: 0, wavefrontsIdeal: 0 }
}

/** Compute capability 7.0 to 9.0 (and later, until readings say otherwise). MEMORY_MODEL.md sections 1 and 2. */
export function countAccess(access: WarpAccess): AccessCounts {
  const bytes = distinctBytes(access)
  switch (access.space) {
    case 'constant':
      return noCounts(bytes)
    case 'shared':
      return {
        bytes,
        sectors: 0,
        sectorsIdeal: 0,
        tags: 0,
        wavefronts: sharedWavefronts(access),
        wavefrontsIdeal: idealSharedWavefronts(access),
      }
    case 'global':
    case 'local':
      return {
        bytes,
        sectors: access.op === 'load' || access.op === 'store' ? sectorsTouched(access) : atomicSectorsSent(access),
        sectorsIdeal: idealSectors(access.mask, access.width),
        tags: linesTouched(access),
        wavefronts: 0,
        wavefrontsIdeal: 0,
      }
  }
}

/** The rules of a device's generation. */
export function accessModelFor(device: Device): AccessModel {
  void device
  return countAccess
}
