/** Cycles of L1 for loads that it has, against loops of such loads on an H100 (32 warps, one multiprocessor; read to 1 %). */
import { expect, test } from 'vitest'
import { l1LoadCycles } from '../../src/metrics/caches/l1Loads.ts'

const pattern = (offsetOf: (lane: number) => number, width: number) => {
  const addresses = Uint32Array.from({ length: 32 }, (_, lane) => offsetOf(lane))
  const lines = new Set([...addresses].flatMap(address => [address >>> 7, (address + width - 1) >>> 7])).size
  return l1LoadCycles({ space: 'global', op: 'load', width, mask: -1 >>> 0, addresses }, lines)
}

test.each([
  ['a line', (lane: number) => 4 * lane, 4, 1],
  ['one word', () => 0, 4, 1],
  ['two half lines in the same banks', (lane: number) => 512 * (lane >> 4) + 4 * (lane % 16), 4, 2],
  ['two half lines in banks of their own', (lane: number) => 576 * (lane >> 4) + 4 * (lane % 16), 4, 1],
  ['four sectors in the same banks', (lane: number) => 512 * (lane >> 3) + 4 * (lane % 8), 4, 4],
  ['eight lines in banks of their own', (lane: number) => 528 * (lane >> 2) + 4 * (lane % 4), 4, 2],
  ['a column', (lane: number) => 512 * lane, 4, 32],
  ['a diagonal', (lane: number) => 516 * lane, 4, 8],
  ['a line that begins in the middle of one', (lane: number) => 4 * lane + 64, 4, 1],
  ['every eighth word', (lane: number) => 32 * lane, 4, 8],
  ['two words in one bank', (lane: number) => 512 * (lane >> 4), 4, 2],
  ['8 bytes a lane', (lane: number) => 8 * lane, 8, 2],
  ['16 bytes a lane', (lane: number) => 16 * lane, 16, 4],
  ['8 bytes for all', () => 0, 8, 2],
  ['16 bytes for all', () => 0, 16, 4],
])('%s', (_, offsetOf, width, cycles) => {
  expect(pattern(offsetOf, width)).toBe(cycles)
})

test('local memory lies word by word beside that of the neighbours', () => {
  const load = { space: 'local', op: 'load', mask: -1 >>> 0, addresses: new Uint32Array(32) } as const
  expect(l1LoadCycles({ ...load, width: 4 }, 1)).toBe(1)
  expect(l1LoadCycles({ ...load, width: 8 }, 2)).toBe(2)
  expect(l1LoadCycles({ ...load, width: 4 }, 32)).toBe(8)
})

test('of wide loads the quarters of a warp that load', () => {
  const load = { space: 'global', op: 'load', width: 16, addresses: new Uint32Array(32) } as const
  expect(l1LoadCycles({ ...load, mask: 0xff }, 1)).toBe(1)
  expect(l1LoadCycles({ ...load, mask: 0x101 }, 1)).toBe(2)
})
