/** The heap of device malloc: first fit, neighbours joined, nothing handed out twice. */
import { expect, test } from 'vitest'
import { readModule } from '../../src/ir/read.ts'
import { KernelHeap } from '../../src/runtime/memory/deviceHeap.ts'
import { DeviceMemory } from '../../src/runtime/memory/deviceMemory.ts'

const module = readModule('declare ptr @malloc(i32)', 'test.ll')
const MEGABYTE = 1024 * 1024

function heapOf(bytes: number): KernelHeap {
  const heap = new KernelHeap(module, new DeviceMemory(64 * MEGABYTE))
  expect(heap.resize(bytes)).toBe(true)
  heap.prepare()
  return heap
}

test('blocks are aligned and apart', () => {
  const heap = heapOf(MEGABYTE)
  const [a, b] = [heap.allocate(5), heap.allocate(17)]
  expect(a % 16).toBe(0)
  expect(b).toBe(a + 16)
  expect(heap.allocate(1)).toBe(b + 32)
})

test('freed neighbours are one range again', () => {
  const heap = heapOf(64)
  const blocks = [heap.allocate(16), heap.allocate(16), heap.allocate(16), heap.allocate(16)]
  expect(heap.allocate(1)).toBe(0)
  for (const index of [2, 0, 3, 1]) expect(heap.release(blocks[index]!)).toBeUndefined()
  expect(heap.release(blocks[0]!)).toBe('freed-already')
  expect(heap.release(blocks[0]! + 1)).toBe('not-allocated')
  expect(heap.allocate(64)).toBe(blocks[0])
})

test('the size is fixed once it is in use', () => {
  const heap = heapOf(MEGABYTE)
  expect(heap.resize(2 * MEGABYTE)).toBe(false)
  expect(heap.allocate(2 * MEGABYTE)).toBe(0)
})
