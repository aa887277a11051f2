import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf, HEAP_OFFSET, offsetOf } from '../../src/addressSpace.ts'
import { ALLOCATION_ALIGNMENT, DeviceMemory } from '../../src/runtime/memory/deviceMemory.ts'

const MiB = 1024 * 1024

test('allocations are aligned, disjoint, and reused from the lowest address', () => {
  const memory = new DeviceMemory(64 * MiB)
  const [a, b, c] = [100, 600, 5].map(bytes => memory.allocate(bytes, 'cudaMalloc')!)
  const start = 2 * MiB * Math.ceil(HEAP_OFFSET / (2 * MiB))
  expect([a, b, c]).toEqual([0, 512, 512 + 1024].map(offset => addressOf(start + offset)))
  expect(memory.free(a!)).toBe(true)
  expect(memory.free(b!)).toBe(true)
  expect(memory.allocate(1500, 'cudaMalloc')).toBe(a)
})

test('freeing twice, or in the middle, fails', () => {
  const memory = new DeviceMemory(MiB)
  const address = memory.allocate(1000, 'cudaMalloc')!
  expect(memory.free(address + 4)).toBe(false)
  expect(memory.free(address)).toBe(true)
  expect(memory.free(address)).toBe(false)
})

test('the limit counts rounded sizes; what is freed is free again', () => {
  const memory = new DeviceMemory(4 * ALLOCATION_ALIGNMENT)
  const first = memory.allocate(1, 'cudaMalloc')!
  expect(memory.freeBytes).toBe(3 * ALLOCATION_ALIGNMENT)
  expect(memory.allocate(4 * ALLOCATION_ALIGNMENT, 'cudaMalloc')).toBeUndefined()
  memory.free(first)
  expect(memory.allocate(4 * ALLOCATION_ALIGNMENT, 'cudaMalloc')).toBe(first)
})

test('memory grows no further than the last allocation needs', () => {
  const memory = new DeviceMemory(64 * MiB)
  const before = memory.memory.buffer.byteLength
  const address = memory.allocate(10 * MiB, 'cudaMalloc')!
  const end = offsetOf(address) + 10 * MiB
  expect(before).toBe(HEAP_OFFSET)
  expect(memory.memory.buffer.byteLength).toBeGreaterThanOrEqual(end)
  expect(memory.memory.buffer.byteLength - end).toBeLessThan(65536)
})

test('no allocation reaches device address 0, and large devices have room on both sides of it', () => {
  const memory = new DeviceMemory(8 * 1024 * MiB)
  const half = memory.allocate(1800 * MiB, 'cudaMalloc')!
  const above = memory.allocate(1000 * MiB, 'cudaMalloc')!
  expect(half).toBeGreaterThanOrEqual(0x8000_0000)
  expect(above).toBeGreaterThanOrEqual(65536)
  expect(above).toBeLessThan(0x8000_0000)
  expect(memory.allocationAt(0)).toBeUndefined()
})

test('addresses in words', () => {
  const memory = new DeviceMemory(64 * MiB)
  const address = memory.allocate(4096, 'cudaMalloc')!
  const text = `0x${address.toString(16)}`
  expect(memory.describe(address + 8)).toBe(
    `address 0x${(address + 8).toString(16)} is byte 8 of the 4096-byte allocation at ${text} (cudaMalloc)`,
  )
  expect(memory.describe(address + 4100)).toBe(
    `address 0x${(address + 4100).toString(16)} is 4 bytes past the end of the 4096-byte allocation at ${text} (cudaMalloc)`,
  )
  memory.allocate(100, 'cudaMalloc')
  memory.free(address)
  expect(memory.describe(address + 8)).toBe(
    `address 0x${(address + 8).toString(16)} is byte 8 of the 4096-byte allocation at 0x${address.toString(16)} (cudaMalloc), which was freed before`,
  )
  memory.allocate(1000, 'cudaMalloc')
  expect(memory.describe(address + 1100)).toContain('past the end of the 1000-byte allocation')
  expect(memory.describe(0)).toContain('null pointer')
  expect(memory.describe(0x0080_1390)).toContain('host pointer')
})

test.each([false, true])(
  'any sequence of calls keeps allocations disjoint and the books balanced (guarded: %s)',
  isGuarded => {
    const calls = fc.array(fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: -8, max: -1 })), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(calls, sequence => {
        const memory = new DeviceMemory(256 * 1024)
        memory.isGuarded = isGuarded
        const live: { address: number; bytes: number }[] = []
        for (const call of sequence) {
          if (call > 0) {
            const address = memory.allocate(call, 'cudaMalloc')
            if (address !== undefined) live.push({ address, bytes: call })
          } else {
            const [gone] = live.splice(-call % Math.max(1, live.length), 1)
            if (gone) expect(memory.free(gone.address)).toBe(true)
          }
        }
        live.sort((a, b) => a.address - b.address)
        for (const [index, { address, bytes }] of live.entries()) {
          expect(memory.holds(address, bytes)).toBe(true)
          expect(address % ALLOCATION_ALIGNMENT).toBe(0)
          const next = live[index + 1]
          if (next) expect(address + bytes + (isGuarded ? 1 : 0)).toBeLessThanOrEqual(next.address)
        }
        for (const { address } of live) memory.free(address)
        expect(memory.freeBytes).toBe(memory.capacityBytes)
      }),
      { seed: 7, numRuns: 100 },
    )
  },
)

/** Slab, by number in the order of first use, and offset in it: what an H200's cudaMalloc gave (driver 580.159). */
function placesOf(sizes: readonly number[]): readonly string[] {
  const memory = new DeviceMemory(512 * MiB)
  const slabs: number[] = []
  return sizes.map(bytes => {
    const offset = offsetOf(memory.allocate(bytes, 'cudaMalloc')!)
    const slab = offset - (offset % (2 * MiB))
    if (!slabs.includes(slab)) slabs.push(slab)
    return `${slabs.indexOf(slab)}:${offset - slab}`
  })
}

test('small allocations share slabs of 2 MiB, large ones have their own', () => {
  expect(placesOf([4_000_000, 1024])).toEqual(['0:0', '1:0'])
  expect(placesOf([100, 100, 1000, 513, 200_000, 200_000])).toEqual(
    [0, 512, 1024, 2048, 3072, 203_264].map(offset => `0:${offset}`),
  )
  expect(placesOf([MiB, MiB, 100, MiB + 1, 100])).toEqual(['0:0', `0:${MiB}`, '1:0', '1:512', `1:${MiB + 1024}`])
  expect(placesOf([760_000, 760_000, 760_000, 760_000, 760_000])).toEqual(['0:0', '0:760320', '1:0', '1:760320', '2:0'])
  expect(placesOf([1_520_000, 1_520_000, 1_520_000, 100])).toEqual(['0:0', '1:0', '2:0', '0:1520128'])
  expect(placesOf([2 * MiB, 2 * MiB, 100, 2 * MiB])).toEqual(['0:0', '1:0', '2:0', '3:0'])
})

test('what is freed in a slab is given again; a slab of its own leaves whole slabs', () => {
  const memory = new DeviceMemory(512 * MiB)
  const [a, b] = [1000, 5000, 1000].map(bytes => memory.allocate(bytes, 'cudaMalloc')!)
  memory.free(b!)
  expect([300, 300, 4000].map(bytes => memory.allocate(bytes, 'cudaMalloc')! - a!)).toEqual([1024, 1536, 2048])
  const large = memory.allocate(3 * MiB, 'cudaMalloc')!
  const behind = memory.allocate(2 * MiB, 'cudaMalloc')!
  expect(behind - large).toBe(4 * MiB)
  memory.free(large)
  expect(memory.allocate(4 * MiB, 'cudaMalloc')).toBe(large)
})

test('what is stored past the end of an allocation, and in nobody else’s, is found once', () => {
  const memory = new DeviceMemory(512 * MiB)
  const [first, full, large] = [1000, 1024, 4_000_000].map(bytes => memory.allocate(bytes, 'cudaMalloc')!)
  const overrun = () => memory.overrun().map(({ address }) => address)
  memory.viewOf(first!, 1000).fill(1)
  memory.viewOf(full!, 1024).fill(1)
  expect(overrun()).toEqual([])
  memory.viewOf(first! + 1003, 1).fill(1)
  memory.viewOf(large! + 4_000_000 + 600, 4).fill(1)
  expect(overrun()).toEqual([first, large])
  expect(overrun()).toEqual([])
  memory.free(first!)
  expect(memory.allocate(900, 'cudaMalloc')).toBe(first)
  expect(overrun()).toEqual([])
})
