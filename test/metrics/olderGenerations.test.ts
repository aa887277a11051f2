/**
 * The rules before 7.0, by the documents' own examples: the CUDA C Programming Guides' figures and the seed documents'
 * numbers. Shapes of the seed kernels (a 16 x 16 tile, the 4096 x 4096 transpose) are reduced to the warps they are made of.
 */
import { describe, expect, test } from 'vitest'
import { findDevice } from '../../src/devices/devices.ts'
import { computeMetrics } from '../../src/metrics/compute.ts'
import type { LaunchCounters } from '../../src/metrics/launchCounters.ts'
import { type AccessModelOptions, accessModelFor } from '../../src/metrics/rules/accessModel.ts'
import type { AccessOp, SiteCounters, Space, WarpAccess } from '../../src/trace.ts'
import { addCounters, emptyCounters } from '../../src/trace.ts'

const LANES = Array.from({ length: 32 }, (_, lane) => lane)

/** `address` gives a lane's byte address, or undefined for a lane that is off. */
function access(space: Space, op: AccessOp, width: number, address: (lane: number) => number | undefined): WarpAccess {
  const mask = LANES.reduce((bits, lane) => (address(lane) === undefined ? bits : bits | (1 << lane)), 0) >>> 0
  return { space, op, width, mask, addresses: Uint32Array.from(LANES, lane => address(lane) ?? 0) }
}

const counts = (device: string, a: WarpAccess, options?: AccessModelOptions) =>
  accessModelFor(findDevice(device), options)(a)
const load = (width: number, address: (lane: number) => number | undefined) => access('global', 'load', width, address)
const store = (width: number, address: (lane: number) => number | undefined) =>
  access('global', 'store', width, address)
const read = (width: number, address: (lane: number) => number | undefined) => access('shared', 'load', width, address)
const write = (width: number, address: (lane: number) => number | undefined) =>
  access('shared', 'store', width, address)

describe('1.0 and 1.1: each half-warp in order, or 16 transactions', () => {
  const transactions = (a: WarpAccess) => counts('8800GTX', a).tags
  // Programming Guide 2.3, figures 5-1 to 5-4.
  test.each([
    ['floats in order', load(4, lane => 128 + lane * 4), 2],
    ['floats in order, some lanes off', load(4, lane => (lane % 3 ? 128 + lane * 4 : undefined)), 2],
    ['two lanes swapped', load(4, lane => (lane === 3 ? 16 : lane === 4 ? 12 : lane * 4)), 16 + 1],
    ['misaligned by one word', load(4, lane => 132 + lane * 4), 32],
    ['a hole in the middle', load(4, lane => lane * 4 + (lane % 16 > 7 ? 4 : 0)), 32],
    ['8 bytes in order', load(8, lane => lane * 8), 2],
    ['16 bytes in order', load(16, lane => lane * 16), 4],
    ['bytes', load(1, lane => lane), 32],
    ['only the second half-warp', load(4, lane => (lane < 16 ? undefined : lane * 4)), 1],
  ])('%s', (_, a, expected) => expect(transactions(a)).toBe(expected))

  test('seed document 001: float3 is three loads with a stride of 12 bytes, none coalesced', () => {
    const parts = [0, 4, 8].map(offset => transactions(load(4, lane => lane * 12 + offset)))
    expect(parts).toEqual([32, 32, 32])
  })

  test('seed document 001: by way of shared memory the same bytes are three coalesced loads', () => {
    const parts = [0, 1024, 2048].map(offset =>
      counts(
        '8800GTX',
        load(4, lane => offset + lane * 4),
      ),
    )
    expect(parts.map(({ tags, sectors }) => [tags, sectors])).toEqual([
      [2, 4],
      [2, 4],
      [2, 4],
    ])
  })
})

describe('1.2 and 1.3: the fewest segments, reduced', () => {
  const moved = (a: WarpAccess) => {
    const { tags, sectors } = counts('C1060', a)
    return [tags, sectors * 32]
  }
  // Programming Guide 2.3, figure 5-6 and section 5.1.2.1.
  test.each([
    ['floats in order: a 64-byte transaction a half-warp', load(4, lane => lane * 4), [2, 128]],
    ['two lanes swapped cost nothing', load(4, lane => (lane ^ 1) * 4), [2, 128]],
    ['misaligned within one 128-byte segment', load(4, lane => (lane < 16 ? 4 + lane * 4 : undefined)), [1, 128]],
    ['misaligned across two: 32 and 96 bytes', load(4, lane => (lane < 16 ? 96 + lane * 4 : undefined)), [2, 64]],
    ['one word', load(4, lane => (lane === 5 ? 300 : undefined)), [1, 32]],
    ['shorts in order: 32 bytes a half-warp', load(2, lane => lane * 2), [2, 64]],
    ['bytes in order', load(1, lane => lane), [2, 64]],
    ['float3 parts: 192 bytes touched, 256 moved', load(4, lane => (lane < 16 ? lane * 12 : undefined)), [2, 192]],
    ['stride of 32 words', load(4, lane => lane * 128), [32, 1024]],
  ])('%s', (_, a, expected) => expect(moved(a)).toEqual(expected))
})

describe('2.x and 3.x: 128-byte lines or 32-byte segments', () => {
  // Professional CUDA C Programming, chapter 4: the offset reads of readSegment, Fermi with L1 and without.
  test('an offset of 11 words: 50 % efficient through L1, 80 % past it', () => {
    const shifted = load(4, lane => (lane + 11) * 4)
    expect(counts('M2090', shifted).sectors * 32).toBe(256)
    expect(counts('M2090', shifted, { globalLoadsInL1: false }).sectors * 32).toBe(160)
    expect(counts('K40', shifted).sectors * 32).toBe(160)
    expect(counts('K40', shifted, { globalLoadsInL1: true }).sectors * 32).toBe(256)
    expect(counts('GTX680', shifted, { globalLoadsInL1: true }).sectors * 32).toBe(160)
  })

  test('a coalesced 4-byte load is 1 transaction, 8 bytes 2, 16 bytes 4; stride 32 words 32', () => {
    for (const device of ['C2050', 'K40']) {
      expect(
        [4, 8, 16].map(
          width =>
            counts(
              device,
              load(width, lane => lane * width),
            ).tags,
        ),
      ).toEqual([1, 2, 4])
      expect(
        counts(
          device,
          load(4, lane => lane * 128),
        ).tags,
      ).toBe(32)
    }
  })

  test('a store moves 32-byte segments also where loads move lines', () => {
    expect(
      counts(
        'C2050',
        store(4, lane => (lane === 0 ? 0 : undefined)),
      ).sectors,
    ).toBe(1)
    expect(
      counts(
        'C2050',
        load(4, lane => (lane === 0 ? 0 : undefined)),
      ).sectors,
    ).toBe(4)
  })
})

describe('seed document 004: nvprof on a Quadro P2000', () => {
  const REQUESTS = 524_288 // 4096 x 4096 threads
  const p2000 = findDevice('P2000')
  const model = accessModelFor(p2000)

  function launch(accesses: readonly WarpAccess[]): LaunchCounters {
    const sites = accesses.map((a, id) => {
      const site: SiteCounters = emptyCounters()
      addCounters(site, { executed: REQUESTS, threads: 32 * REQUESTS })
      const once = model(a)
      for (const key of Object.keys(once) as (keyof typeof once)[]) site[key] = (once[key] ?? 0) * REQUESTS
      return { id, space: a.space, op: a.op, width: a.width, location: undefined, array: undefined, ...site }
    })
    const dim = { x: 128, y: 256, z: 1 }
    return { sites, blocks: [], grid: dim, block: { x: 32, y: 16, z: 1 }, staticSharedBytes: 0, dynamicSharedBytes: 0 }
  }

  const nvprof = (accesses: readonly WarpAccess[]) =>
    Object.values(
      computeMetrics(launch(accesses), p2000, [
        'gld_transactions_per_request',
        'gst_transactions_per_request',
        'gld_efficiency',
        'gst_efficiency',
      ]),
    ).map(({ value }) => value!.toFixed(6))

  const row = (lane: number) => lane * 4
  const column = (lane: number) => lane * 4096 * 4

  test('copyGmem: 16.000004, 4, 100 %, 100 %', () => {
    expect(nvprof([load(4, row), store(4, row)])).toEqual(['16.000004', '4.000000', '100.000000', '100.000000'])
  })

  test('naiveGmem: 16.000004, 32, 100 %, 12.5 %', () => {
    expect(nvprof([load(4, row), store(4, column)])).toEqual(['16.000004', '32.000000', '100.000000', '12.500000'])
  })

  test('8-byte stores go by groups of 4 lanes, each in a sector of its own', () => {
    expect(model(store(8, lane => lane * 8)).tags).toBe(8)
    expect(model(store(16, lane => lane * 16)).tags).toBe(16)
  })

  test('shared memory as from 7.0 on: 1 for rows, 32 for columns of a square tile, 16 of the rectangle, padding', () => {
    const tile = (pitch: number) => model(read(4, lane => lane * pitch * 4)).wavefronts
    expect([tile(1), tile(32), tile(33), tile(34)]).toEqual([1, 32, 1, 2])
    // Document 003: 16 rows of 32 columns read by columns, a half-warp a column: IPAD 0, 1 and 2.
    const rectangle = (pitch: number) =>
      model(read(4, lane => ((lane % 16) * pitch + Math.floor(lane / 16)) * 4)).wavefronts
    expect([rectangle(32), rectangle(33), rectangle(34)]).toEqual([16, 2, 1])
  })
})

describe('banks of 1.x: 16, by half-warps', () => {
  const steps = (a: WarpAccess) => counts('C1060', a).wavefronts
  // Seed document 000: a 16 x 16 tile read by columns is a 16-way conflict, 16 x 17 is none.
  test('a column of a 16 x 16 tile: 16-way; of a 16 x 17 tile: none', () => {
    expect(steps(read(4, lane => (lane % 16) * 16 * 4 + Math.floor(lane / 16) * 4))).toBe(32)
    expect(steps(read(4, lane => (lane % 16) * 17 * 4 + Math.floor(lane / 16) * 4))).toBe(2)
  })

  // Programming Guide 2.3, section 5.1.2.5.
  test.each([
    ['one word a lane', read(4, lane => lane * 4), 2],
    ['stride 2', read(4, lane => lane * 8), 4],
    ['stride 3', read(4, lane => lane * 12), 2],
    ['all lanes one word: a broadcast', read(4, () => 64), 2],
    ['chars: four lanes a bank', read(1, lane => lane), 8],
    ['doubles: two requests of stride 2', read(8, lane => lane * 8), 8],
    ['16 bytes: four requests of stride 4', read(16, lane => lane * 16), 32],
    ['a store of one word by all lanes is done once', write(4, () => 0), 2],
    ['a half-warp that is off costs nothing', read(4, lane => (lane < 16 ? lane * 4 : undefined)), 1],
  ])('%s', (_, a, expected) => expect(steps(a)).toBe(expected))
})

describe('banks of 2.x', () => {
  const wavefronts = (a: WarpAccess) => counts('C2050', a).wavefronts
  // Programming Guide 4.2, section F.4.3 and figure F-2.
  test.each([
    ['one word a lane', read(4, lane => lane * 4), 1],
    ['stride 2', read(4, lane => lane * 8), 2],
    ['stride 3', read(4, lane => lane * 12), 1],
    ['chars share words', read(1, lane => lane), 1],
    ['doubles: the two half-warps', read(8, lane => lane * 8), 2],
    ['16 bytes: a 2-way conflict in each quarter-warp', read(16, lane => lane * 16), 8],
  ])('%s', (_, a, expected) => expect(wavefronts(a)).toBe(expected))
})

describe("Kepler's modes (cudaDeviceSetSharedMemConfig)", () => {
  const wavefronts = (a: WarpAccess, sharedBankBytes: 4 | 8) => counts('K40', a, { sharedBankBytes }).wavefronts
  // Professional CUDA C Programming, figures 5-5 to 5-9; Programming Guide 10.2, section H.3.3.
  test.each([
    ['one word a lane', read(4, lane => lane * 4), 1, 1],
    ['doubles', read(8, lane => lane * 8), 1, 1],
    ['stride 2: words i and i + 32 of a 64-word segment', read(4, lane => lane * 8), 1, 1],
    ['stride 4', read(4, lane => lane * 16), 2, 2],
    ['a column of 32 (the book reads 16 on a K40)', read(4, lane => lane * 128), 16, 16],
    ['a column of 33', read(4, lane => lane * 132), 1, 1],
    ['16 bytes', read(16, lane => lane * 16), 2, 2],
  ])('%s', (_, a, four, eight) => {
    expect([wavefronts(a, 4), wavefronts(a, 8)]).toEqual([four, eight])
  })
})
