/** Copies against what was measured on an H200's host, and against document 004's profile of a Quadro P2000. */
import { expect, test } from 'vitest'
import { findDevice } from '../../src/devices/devices.ts'
import { copyMicroseconds } from '../../src/metrics/time/copyTime.ts'

const h200 = findDevice('H200')
const MiB = 2 ** 20

test.each([
  ['host-to-device', 4, true, 3.68],
  ['host-to-device', 2 ** 16, true, 4.8],
  ['host-to-device', MiB, true, 22.82],
  ['host-to-device', 256 * MiB, true, 4839],
  ['device-to-host', 16 * MiB, true, 305.9],
  ['host-to-device', 4, false, 6.66],
  ['host-to-device', MiB, false, 78],
  ['host-to-device', 16 * MiB, false, 991],
  ['device-to-host', 256 * MiB, false, 14_956],
  ['device-to-device', 4, false, 5.63],
  ['device-to-device', 16 * MiB, false, 10.2],
  ['device-to-device', 256 * MiB, false, 129.6],
] as const)('%s, %i bytes, pinned %s: %f us within 30 %', (direction, bytes, pinned, measuredUs) => {
  const factor = copyMicroseconds({ direction, bytes, pinned }, h200) / measuredUs
  expect(factor).toBeGreaterThan(0.7)
  expect(factor).toBeLessThan(1.3)
})

test('document 004: 64 MiB to a P2000 in 7.742 ms and back in 6.876 ms, pageable', () => {
  const bytes = 4096 * 4096 * 4
  const us = copyMicroseconds({ direction: 'host-to-device', bytes, pinned: false }, findDevice('P2000'))
  expect(us / 7742).toBeGreaterThan(0.8)
  expect(us / 7742).toBeLessThan(1.2)
})

test('many small copies cost more than one large one', () => {
  const copy = (bytes: number) => copyMicroseconds({ direction: 'host-to-device', bytes, pinned: true }, h200)
  expect(1024 * copy(1024)).toBeGreaterThan(20 * copy(MiB))
})
