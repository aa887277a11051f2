/**
 * Document 004's timings on a Quadro P2000: naive 4.4511 ms, shared 2.3309 ms, copy 1.3557 ms for a 4096 x 4096 transpose
 * in blocks of 32 x 16. The order must hold, and naive and shared be met within 25 % in units of the copy.
 */
import { expect, test } from 'vitest'
import { findDevice } from '../../src/devices/devices.ts'
import type { CountedSite } from '../../src/metrics/launchCounters.ts'
import { occupancyOf } from '../../src/metrics/occupancy/occupancy.ts'
import { predictTime } from '../../src/metrics/time/time.ts'
import type { LatencyChain } from '../../src/metrics/time/timeInput.ts'
import { emptyCounters } from '../../src/trace.ts'

const p2000 = findDevice('P2000')
const WARPS = 524_288
const BYTES = 4096 * 4096 * 4

function seconds(
  storeLinesAWarp: number,
  conflictWays: number,
  instructionsAWarp: number,
  chain: LatencyChain,
): number {
  const site = (counters: Pick<CountedSite, 'space' | 'op'> & Partial<CountedSite>): CountedSite => ({
    ...emptyCounters(),
    id: 0,
    width: 4,
    location: undefined,
    array: undefined,
    ...counters,
  })
  const storeSectors = Math.max(4, storeLinesAWarp) * WARPS
  const launch = {
    sites: [
      site({ space: 'global', op: 'load', executed: WARPS, sectors: 4 * WARPS, tags: WARPS }),
      site({ space: 'global', op: 'store', executed: WARPS, sectors: storeSectors, tags: storeLinesAWarp * WARPS }),
      site({ space: 'shared', op: 'load', executed: WARPS, wavefronts: conflictWays * WARPS }),
      site({ space: 'shared', op: 'store', executed: WARPS, wavefronts: Math.min(1, conflictWays) * WARPS }),
    ],
    blocks: [],
    grid: { x: 128, y: 256, z: 1 },
    block: { x: 32, y: 16, z: 1 },
    staticSharedBytes: conflictWays > 0 ? 2048 : 0,
    dynamicSharedBytes: 0,
    registersPerThread: 16,
  }
  const caches = {
    l1GlobalLoadSectorHits: 0,
    l1LocalLoadSectorHits: 0,
    l2ReadSectors: 4 * WARPS,
    l2ReadSectorHits: 0,
    l2WriteSectors: storeSectors,
    l2AtomicSectors: 0,
    l2ReductionSectors: 0,
    dramReadBytes: BYTES,
    dramWriteBytes: BYTES,
  }
  const occupancy = occupancyOf(p2000, { threads: 512, registersPerThread: 16, sharedBytes: launch.staticSharedBytes })
  const instructions = instructionsAWarp * WARPS
  return predictTime(
    { launch, caches, occupancy, chain, averageChain: chain, instructions, hottestAtomicSlice: 0 },
    p2000,
  ).seconds
}

const simple = { globalWaits: 1, sharedWaits: 0, barriers: 0, l2Trips: 0, prints: 0, printUs: 0, dependentCycles: 0 }
const tiled = { globalWaits: 1, sharedWaits: 2, barriers: 1, l2Trips: 0, prints: 0, printUs: 0, dependentCycles: 200 }

test('naive : shared : copy', () => {
  // Instructions a warp: smsp__inst_executed.sum of transpose_4096.json over its warps.
  const [naive, shared, copy] = [seconds(32, 0, 23, simple), seconds(1, 16, 63, tiled), seconds(1, 0, 22, simple)]
  expect(naive).toBeGreaterThan(shared)
  expect(shared).toBeGreaterThan(copy)
  const within = (ratio: number, read: number) => expect(Math.abs(ratio / read - 1)).toBeLessThan(0.25)
  within(naive / copy, 4.4511 / 1.3557)
  within(shared / copy, 2.3309 / 1.3557)
  within(naive / shared, 4.4511 / 2.3309)
  // The times themselves are nearer than their ratios need.
  within(copy, 1.3557e-3)
})
