/** memcpy, memmove and memset of sizes known only at run time, each thread its own, on both executors. */
import { describe, expect, test } from 'vitest'
import { compareExecutors } from './compare.ts'

const WORDS = 64
const THREADS = 40

/** Each thread works on 256 bytes of its own, with as many bytes as its number. */
function run(call: string, align: number): Uint8Array[] {
  const ir = `declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
declare void @llvm.memmove.p0.p0.i32(ptr, ptr, i32, i1)
declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)
define ptx_kernel void @k(ptr %out, ptr %in) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %byte = trunc i32 %tid to i8
  %start = shl i32 %tid, 8
  %mine = getelementptr i8, ptr %out, i32 %start
  %source = getelementptr i8, ptr %in, i32 %start
  %higher = getelementptr i8, ptr %mine, i32 ${align}
  ${call}
  ret void
}`
  const bytes = Uint8Array.from({ length: THREADS * WORDS * 4 }, (_, i) => (i * 7 + 3) & 255)
  const words = new Uint32Array(bytes.buffer)
  const { buffers, outcome } = compareExecutors({
    ir,
    grid: { x: 1, y: 1, z: 1 },
    block: { x: THREADS, y: 1, z: 1 },
    buffers: [words, words.map(word => ~word)],
  })
  expect(outcome.fault).toBeUndefined()
  return Array.from({ length: THREADS }, (_, thread) => new Uint8Array(buffers[0]!.buffer, thread * 256, 256))
}

const initially = (thread: number): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, i) => ((thread * 256 + i) * 7 + 3) & 255)

describe.each([1, 2, 4, 16])('aligned to %i', align => {
  test('memcpy', () => {
    const results = run(
      `call void @llvm.memcpy.p0.p0.i32(ptr align ${align} %mine, ptr align ${align} %source, i32 %tid, i1 false)`,
      align,
    )
    results.forEach((result, thread) => {
      expect([...result]).toEqual([...initially(thread)].map((byte, i) => (i < thread ? ~byte & 255 : byte)))
    })
  })

  test.each([
    ['up', '%higher', '%mine'],
    ['down', '%mine', '%higher'],
  ])('memmove onto itself, %s', (_, to, from) => {
    const results = run(
      `call void @llvm.memmove.p0.p0.i32(ptr align ${align} ${to}, ptr align ${align} ${from}, i32 %tid, i1 false)`,
      align,
    )
    results.forEach((result, thread) => {
      const wanted = initially(thread)
      if (to === '%mine') wanted.copyWithin(0, align, align + thread)
      else wanted.copyWithin(align, 0, thread)
      expect([...result]).toEqual([...wanted])
    })
  })

  test('memset', () => {
    const results = run(`call void @llvm.memset.p0.i32(ptr align ${align} %mine, i8 %byte, i32 %tid, i1 false)`, align)
    results.forEach((result, thread) => {
      expect([...result]).toEqual([...initially(thread)].map((byte, i) => (i < thread ? thread : byte)))
    })
  })

  test('memset of a large constant size', () => {
    const results = run(`call void @llvm.memset.p0.i32(ptr align ${align} %out, i8 9, i32 5003, i1 false)`, align)
    expect(results.flatMap(result => [...result]).filter(byte => byte === 9).length).toBeGreaterThanOrEqual(5003)
  })
})
