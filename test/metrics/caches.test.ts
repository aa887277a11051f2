/**
 * The caches on access streams built here, beside what Nsight Compute read for the same kernels (limits.json,
 * transpose_4096.json); the streams are those of shared/cases: copy, strided, naiveGmemReadCol, stencil5.
 */
import { describe, expect, test } from 'vitest'
import { findDevice } from '../../src/devices/devices.ts'
import { AccessTraces } from '../../src/metrics/caches/accessTraces.ts'
import { type BlockOrder, simulateCaches } from '../../src/metrics/caches/caches.ts'
import { footprintOf } from '../../src/metrics/caches/footprint.ts'
import { SectoredCache } from '../../src/metrics/caches/sectoredCache.ts'
import { occupancyOf } from '../../src/metrics/occupancy/occupancy.ts'
import type { WarpAccess } from '../../src/trace.ts'

const h200 = findDevice('H200')
const IN = 0
const OUT = 1 << 30

function access(op: 'load' | 'store' | 'red', address: (lane: number) => number): WarpAccess {
  const addresses = Uint32Array.from({ length: 32 }, (_, lane) => address(lane))
  return { space: 'global', op, width: 4, mask: 0xffff_ffff, addresses }
}

const occupancyFor = (threads: number) => occupancyOf(h200, { threads, registersPerThread: 16, sharedBytes: 0 })

/** One-dimensional kernels of 256 threads; `accesses` gives a warp's accesses from its first global thread. */
function run(blocks: number, gridBlocks: number, accesses: (firstThread: number) => WarpAccess[]) {
  const traces = new AccessTraces()
  for (let block = 0; block < blocks; block++)
    for (let warp = 0; warp < 8; warp++)
      for (const a of accesses(block * 256 + warp * 32)) traces.record(block, warp, a)
  return simulateCaches(h200, occupancyFor(256), traces, gridBlocks)
}

const strided = (stride: number) => (first: number) => [
  access('load', lane => IN + (first + lane) * stride * 4),
  access('store', lane => OUT + (first + lane) * 4),
]

describe('SectoredCache', () => {
  test('sectors miss on their own, the least recently used line goes', () => {
    const cache = new SectoredCache(2 * 128, 2)
    expect(cache.access(1, 0b0001, 0b0001, 0).hit).toBe(0)
    expect(cache.access(1, 0b0011, 0b0011, 0).hit).toBe(0b0001)
    cache.access(2, 0b1000, 0b1000, 0b1000)
    cache.access(1, 0b0001, 0b0001, 0)
    expect(cache.access(3, 1, 1, 0).writtenBack).toBe(0b1000)
    expect(cache.sectorsAt(cache.find(1))).toBe(0b0011)
    expect(cache.sectorsAt(cache.find(2))).toBe(0)
  })
})

describe('H200', () => {
  test('windows of neighbours overlap, but neighbours of a long line run on different multiprocessors; tables are for all', () => {
    const window = (blockAxes: number) => (first: number) => [
      { ...access('load', lane => IN + (first / 4 + lane) * 4), blockAxes },
    ]
    // Eight warps, eight words apart: 11 or so sectors a block, found once each.
    const sectorsABlock = 11
    expect(run(64, 8448, window(1)).l2ReadSectors / 8448).toBeCloseTo(sectorsABlock, 0)
    expect(run(64, 8448, window(0)).l2ReadSectors / 8448).toBeLessThan(sectorsABlock - 1)
  })

  test('copy: every sector read once, nothing hits (copy 1048576 read 131,072 sectors and 4,197,120 bytes)', () => {
    const traffic = run(4096, 4096, strided(1))
    expect(traffic).toMatchObject({
      l1GlobalLoadSectorHits: 0,
      l2ReadSectors: 131_072,
      l2ReadSectorHits: 0,
      l2WriteSectors: 131_072,
      dramReadBytes: 4_194_304,
      dramWriteBytes: 0,
    })
  })

  test('a sample of an eighth gives the same traffic', () => {
    const whole = run(4096, 4096, strided(1))
    expect(run(512, 4096, strided(1))).toMatchObject({
      l2ReadSectors: whole.l2ReadSectors,
      l2WriteSectors: whole.l2WriteSectors,
      dramReadBytes: whole.dramReadBytes,
    })
  })

  test('strided by 16: each sector brings its neighbour, 64 bytes (limits.json: 268.4 MB for 4.19 M sectors)', () => {
    const traffic = run(512, 16_384, strided(16))
    expect(traffic.l2ReadSectors).toBe(4_194_304)
    expect(traffic.dramReadBytes).toBe(268_435_456)
  })

  test('a copy larger than L2 leaves about 19.5 MB dirty (limits.json: copy 8388608 wrote 13.9 of 33.6 MB)', () => {
    const { dramWriteBytes, dramReadBytes } = run(4096, 32_768, strided(1))
    expect(dramReadBytes).toBe(33_554_432)
    expect(dramWriteBytes / 1e6).toBeGreaterThan(11)
    expect(dramWriteBytes / 1e6).toBeLessThan(17)
  })

  test('columns read by blocks of 32 x 16: 7 of 8 sectors hit L1, half of the rest hit L2 (transpose_4096.json)', () => {
    const pitch = 4096
    const traces = new AccessTraces()
    const blocks = 264
    for (let block = 0; block < blocks; block++) {
      const [column, row] = [Math.floor(block / 2) * 16, (block % 2) * 32]
      for (let warp = 0; warp < 16; warp++) {
        traces.record(
          block,
          warp,
          access('load', lane => IN + ((row + lane) * pitch + column + warp) * 4),
        )
        traces.record(
          block,
          warp,
          access('store', lane => OUT + ((column + warp) * pitch + row + lane) * 4),
        )
      }
    }
    const traffic = simulateCaches(h200, occupancyFor(512), traces, blocks)
    const sectors = blocks * 16 * 32
    expect(traffic.l1GlobalLoadSectorHits).toBe((sectors * 7) / 8)
    expect(traffic.l2ReadSectors).toBe(sectors / 8)
    expect(traffic.dramReadBytes).toBe((sectors / 8) * 32)
  })

  test('stencil5: 2 of 3 sectors hit L1 (limits.json: 31.5 of 46.1 M), L2 has what neighbours brought', () => {
    const width = 8192
    const traces = new AccessTraces()
    const [columns, rows] = [256, 16]
    for (let block = 0; block < columns * rows; block++) {
      for (let warp = 0; warp < 8; warp++) {
        const y = Math.floor(block / columns) * 8 + warp + 1
        const x = (block % columns) * 32
        for (const [dx, dy] of [
          [0, 0],
          [-1, 0],
          [1, 0],
          [0, -1],
          [0, 1],
        ] as const) {
          traces.record(
            block,
            warp,
            access('load', lane => 4096 + ((y + dy) * width + x + lane + dx) * 4),
          )
        }
      }
    }
    const traffic = simulateCaches(h200, occupancyFor(256), traces, columns * rows)
    const perAccess = (count: number) => count / (columns * rows * 8)
    expect(perAccess(traffic.l1GlobalLoadSectorHits)).toBeGreaterThan(13)
    expect(perAccess(traffic.l1GlobalLoadSectorHits)).toBeLessThan(17)
    expect(traffic.dramReadBytes / (columns * rows * 8 * 128)).toBeLessThan(1.3)
  })

  /**
   * `mmint` of pipes.cu: blocks of 16 x 16 threads, 64 in a row of the grid. Neighbours read the same rows of one matrix, on other
   * multiprocessors; a table that is found without the block's number is in each L1 once.
   */
  test('of a plane, neighbours of a row do not find in L1 what the others read, but for what all blocks read', () => {
    const grid = { x: 64, y: 64, z: 1 }
    const product = (order: BlockOrder) => {
      const traces = new AccessTraces()
      for (let block = 0; block < 8; block++)
        for (let warp = 0; warp < 8; warp++)
          for (let k = 0; k < 64; k++) {
            const row = access('load', lane => (2 * warp + (lane >> 4)) * 4096 + 4 * k)
            const table = access('load', lane => 2 ** 28 + 4 * (lane + 32 * (k % 8)))
            traces.record(block, warp, { ...row, blockAxes: 2 })
            traces.record(block, warp, { ...table, blockAxes: 0 })
          }
      return simulateCaches(h200, occupancyFor(256), traces, 4096, undefined, 1, order).l2ReadSectors / 4096
    }
    // A block's 16 rows of 256 bytes are 128 sectors, the table 32, of which an eighth is a block's share.
    // Behind the 1,056 that start, blocks of a multiprocessor are any of those of 17 rows: some have one row.
    const different = (17 * (1 - (16 / 17) ** 8)) / 8
    expect(product({ plane: grid })).toBeCloseTo((128 * (1056 + 3040 * different)) / 4096 + 32 / 8, 1)
    expect(product({ plane: grid, isInStep: true })).toBe(128 / 2 + 32 / 8)
    // Of a line of blocks likewise.
    expect(product({})).toBe(128 + 32 / 8)
  })

  /** `mmint` again: 8,430,592 bytes read, of two matrices of 4 MB in allocations of 64 MB each. */
  test('a plane reads rows as often as it has rows of blocks, columns as often as columns', () => {
    const traces = new AccessTraces()
    for (let block = 0; block < 8; block++)
      for (let warp = 0; warp < 8; warp++)
        for (let k = 0; k < 1024; k++) {
          const row = access('load', lane => (2 * warp + (lane >> 4)) * 4096 + 4 * k)
          const column = access('load', lane => 2 ** 28 + k * 4096 + 64 * block + 4 * (lane % 16))
          traces.record(block, warp, { ...row, blockAxes: 2 })
          traces.record(block, warp, { ...column, blockAxes: 1 })
        }
    const grid = { x: 64, y: 64, z: 1 }
    const { dramReadBytes } = simulateCaches(h200, occupancyFor(256), traces, 4096, undefined, 1, {
      plane: grid,
    })
    expect(dramReadBytes).toBe(2 * 4 * 2 ** 20)
    expect(simulateCaches(h200, occupancyFor(256), traces, 4096).dramReadBytes).toBeGreaterThan(2 ** 27)
  })

  test('stores and reductions go to L2, equal addresses of a reduction each', () => {
    const traces = new AccessTraces()
    traces.record(
      0,
      0,
      access('red', () => OUT),
    )
    expect(simulateCaches(h200, occupancyFor(32), traces, 1)).toMatchObject({
      l2ReductionSectors: 32,
      dramReadBytes: 64,
    })
  })
})

test('a machine without caches reads DRAM for every access', () => {
  const c1060 = findDevice('C1060')
  const occupancy = occupancyOf(c1060, { threads: 256, registersPerThread: 10, sharedBytes: 0 })
  const traces = new AccessTraces()
  for (let round = 0; round < 2; round++)
    traces.record(
      0,
      0,
      access('load', lane => IN + lane * 4),
    )
  expect(simulateCaches(c1060, occupancy, traces, 1)).toMatchObject({ l1GlobalLoadSectorHits: 0, dramReadBytes: 256 })
})

test('loads past the L1 ask the L2 each time, and leave nothing in the L1 (cacheOperators.json)', () => {
  const word = (lane: number) => IN + lane * 4
  const passing = (): WarpAccess => ({ ...access('load', word), passesL1: true })
  const plain = () => access('load', word)
  const oneWarp = (...accesses: WarpAccess[]) => {
    const traces = new AccessTraces()
    for (const each of accesses) traces.record(0, 0, each)
    return simulateCaches(h200, occupancyFor(32), traces, 1)
  }
  expect(oneWarp(plain(), plain(), plain())).toMatchObject({ l1GlobalLoadSectorHits: 8, l2ReadSectors: 4 })
  expect(oneWarp(passing(), passing(), passing())).toMatchObject({ l1GlobalLoadSectorHits: 0, l2ReadSectors: 12 })
  expect(oneWarp(plain(), passing(), plain())).toMatchObject({ l1GlobalLoadSectorHits: 0, l2ReadSectors: 12 })
})

test('a warp that goes on and on through one allocation waits for DRAM once, then for L2 (`ptrChasingKernel`)', () => {
  const allocation = { address: IN, bytes: 1 << 18 }
  const [loads, kept] = [200_000, 2048]
  const levelsOf = (allocationAt?: () => typeof allocation) => {
    const traces = new AccessTraces(allocationAt ? { allocationAt } : {})
    for (let turn = 0; turn < loads; turn++)
      traces.record(
        0,
        0,
        access('load', () => IN + ((128 * turn) % allocation.bytes)),
        kept,
      )
    return simulateCaches(h200, occupancyFor(32), traces, 1).loadLevels!
  }
  // The warp is followed behind what is kept of it, and comes to the same lines: more than L1 has room for.
  for (const { l1, l2, dram } of [levelsOf(), levelsOf(() => allocation)]) {
    expect(l1).toBe(0)
    expect(dram).toBeLessThan(0.1)
    expect(l2 + dram).toBeCloseTo(1, 9)
  }
})

/** CUDABench's Chamfer_Distance: each warp compares all of one small array with all of another; 0.1 MB come from DRAM, and nothing again from L2. */
test('loops that read again what they have read find it, though what is kept of a warp ends before', () => {
  const [rounds, words, kept] = [50, 1024, 256]
  const traces = new AccessTraces()
  for (let round = 0; round < rounds; round++)
    for (let at = 0; at < words; at++)
      traces.record(
        0,
        0,
        access('load', () => IN + 4 * at),
        kept,
      )
  const { l2ReadSectors, l1GlobalLoadSectorHits, dramReadBytes, loadLevels } = simulateCaches(
    h200,
    occupancyFor(32),
    traces,
    1,
    { loads: (rounds * words) / kept, stores: 1, atomics: 1 },
  )
  expect(l2ReadSectors).toBe(words / 8)
  expect(dramReadBytes).toBe(4 * words)
  expect(l1GlobalLoadSectorHits).toBe(rounds * words - words / 8)
  expect(loadLevels!.l1).toBeGreaterThan(0.98)
})

/** CUDABench's Softmax: blocks of one row of blocks read the same rows of an array, those of another row others. */
test('rows of a plane that the sample has not seen are read as often as those that it has', () => {
  const plane = { x: 32, y: 128, z: 1 }
  const traces = new AccessTraces()
  for (let block = 0; block < 8; block++)
    for (let warp = 0; warp < 8; warp++)
      for (let at = 0; at < 16; at++)
        traces.record(block, warp, { ...access('load', () => IN + 4096 * warp + 32 * at), blockAxes: 2 })
  const { dramReadBytes } = simulateCaches(h200, occupancyFor(256), traces, plane.x * plane.y, undefined, 1, { plane })
  expect(dramReadBytes).toBe(plane.y * 8 * 16 * 32)
})

/** CUDABench's KNN: each block's threads have the local memory of others that have ended. */
test('local memory comes to DRAM only where all threads that run at once have more than L2', () => {
  const localOf = (words: number) => {
    const traces = new AccessTraces()
    for (let block = 0; block < 8; block++)
      for (let warp = 0; warp < 8; warp++)
        for (let at = 0; at < words; at++)
          traces.record(block, warp, { ...access('store', lane => 4 * (32 * at + lane)), space: 'local' })
    return simulateCaches(h200, occupancyFor(256), traces, 132 * 8 * 100).dramWriteBytes
  }
  expect(localOf(8)).toBe(0)
  expect(localOf(256)).toBeGreaterThan(1e9)
})

/** HeCBench's colorwheel, whose time was no number. */
test('a plane whose blocks fetch nothing but their own local memory', () => {
  const plane = { x: 16, y: 16, z: 1 }
  const traces = new AccessTraces()
  for (let block = 0; block < 8; block++)
    for (let warp = 0; warp < 8; warp++)
      for (const op of ['store', 'load'] as const)
        traces.record(block, warp, { ...access(op, lane => 4 * lane), space: 'local' })
  const localStays = false
  const footprint = footprintOf(traces, { reads: 32, writes: 32 }, 1, Number.POSITIVE_INFINITY, plane, localStays)
  expect(footprint).toMatchObject({ reads: 0, scatteredReads: 0, newShare: 1 })
})

test('a single warp that streams behind a short beginning fetches what it streams', () => {
  const [before, streamed, kept] = [512, 8192, 256]
  const traces = new AccessTraces()
  for (let at = 0; at < before + streamed; at++)
    traces.record(
      0,
      0,
      access('load', () => IN + (at < before ? 4 * (at % 8) : 32 * (at - before + 1))),
      kept,
    )
  const scale = { loads: (before + streamed) / kept, stores: 1, atomics: 1 }
  const { l2ReadSectors, dramReadBytes } = simulateCaches(h200, occupancyFor(32), traces, 1, scale)
  expect(l2ReadSectors / (streamed + 1)).toBeCloseTo(1, 2)
  expect(dramReadBytes / (32 * streamed)).toBeCloseTo(1, 1)
})

/** stores.json, `after`: 256 lines that a block has stored to, whole or in part, and then loads; 100, 0 and 25 % are in L1. */
test('L1 has what was written whole: a line, no word of one, a sector of four', () => {
  const found = (lanes: number) => {
    const traces = new AccessTraces()
    for (let warp = 0; warp < 8; warp++)
      for (const op of ['store', 'load'] as const)
        for (let line = warp; line < 256; line += 8) {
          const each = access(op, lane => OUT + 128 * line + 4 * lane)
          traces.record(0, warp, op === 'store' ? { ...each, mask: 2 ** lanes - 1 } : each)
        }
    return simulateCaches(h200, occupancyFor(256), traces, 1).l1GlobalLoadSectorHits / 1024
  }
  expect([found(31), found(1), found(8)]).toEqual([0.75, 0, 0.25])
  const traces = new AccessTraces()
  for (const op of ['store', 'load'] as const)
    for (let line = 0; line < 256; line++)
      traces.record(
        0,
        0,
        access(op, lane => OUT + 128 * line + 4 * lane),
      )
  expect(simulateCaches(h200, occupancyFor(256), traces, 1).l1GlobalLoadSectorHits).toBe(1024)
})

/** stores.json, `gen`: a word of each sector of 138 MB reads 133 MB and writes 135; whole sectors read nothing. */
test('what is written in part is read from DRAM and written back, but a few megabytes', () => {
  const traffic = (width: number) =>
    run(64, 16_384, first => [{ ...access('store', lane => OUT + 32 * (first + lane)), width }])
  const sectors = 16_384 * 256
  expect(traffic(4).dramReadBytes).toBe(32 * sectors - 5e6)
  expect(traffic(4).dramWriteBytes).toBe(32 * sectors - 5e6)
  const whole = run(64, 16_384, first => [
    { ...access('store', lane => OUT + 32 * (first + lane)), width: 16 },
    { ...access('store', lane => OUT + 32 * (first + lane) + 16), width: 16 },
  ])
  expect(whole.dramReadBytes).toBe(0)
})
