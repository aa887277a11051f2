import { expect, test } from 'vitest'
import { Timeline } from '../../src/runtime/timeline/timeline.ts'

const copy = { direction: 'host-to-device', bytes: 100, pinned: true } as const

function startsOf(timeline: Timeline): number[] {
  return timeline.entries.map(entry => entry.startUs)
}

test('one stream runs in order, the host does not wait', () => {
  const timeline = new Timeline()
  timeline.addCopy(copy, 0, 10)
  timeline.addKernel(0, 0, 5, 1)
  expect(startsOf(timeline)).toEqual([0, 10])
  expect(timeline.hostUs).toBe(0)
  timeline.synchronizeDevice()
  expect(timeline.hostUs).toBe(15)
})

test('two streams overlap a copy with a kernel; copies of one direction take turns', () => {
  const timeline = new Timeline()
  timeline.addStream(1, true)
  timeline.addStream(2, true)
  timeline.addCopy(copy, 1, 10)
  timeline.addCopy(copy, 2, 10)
  timeline.addKernel(0, 1, 10, 1)
  timeline.addKernel(1, 2, 10, 1)
  expect(startsOf(timeline)).toEqual([0, 10, 10, 20])
})

test('small kernels share the device, large ones take turns', () => {
  const timeline = new Timeline()
  for (const stream of [1, 2, 3]) timeline.addStream(stream, true)
  timeline.addKernel(0, 1, 10, 0.5)
  timeline.addKernel(1, 2, 20, 0.5)
  timeline.addKernel(2, 3, 10, 0.5)
  expect(startsOf(timeline)).toEqual([0, 0, 10])
})

test('the legacy default stream waits for blocking streams, and they for it; non-blocking ones do not', () => {
  const timeline = new Timeline()
  timeline.addStream(1, true)
  timeline.addStream(2, false)
  timeline.addKernel(0, 1, 10, 0.1)
  timeline.addKernel(1, 0, 10, 0.1)
  timeline.addKernel(2, 1, 10, 0.1)
  timeline.addKernel(3, 2, 10, 0.1)
  expect(startsOf(timeline)).toEqual([0, 10, 20, 0])
})

test('an event makes another stream wait', () => {
  const timeline = new Timeline()
  timeline.addStream(1, true)
  timeline.addStream(2, true)
  timeline.addKernel(0, 1, 30, 0.1)
  timeline.delayStream(2, timeline.readyUs(1))
  timeline.addKernel(1, 2, 5, 0.1)
  expect(startsOf(timeline)).toEqual([0, 30])
  timeline.synchronizeStream(2)
  expect(timeline.hostUs).toBe(35)
  expect(timeline.isIdle(0)).toBe(true)
})
