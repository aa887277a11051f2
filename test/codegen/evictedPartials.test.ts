/**
 * Lanes that part by data: more masks than a site's table of partial accesses holds, at every alignment of the addresses, in global
 * and local memory; and local memory at indices that are data. Counted as the reference interpreter counts them.
 */
import { expect, test } from 'vitest'
import { compareExecutors } from './compare.ts'
import { randomWords } from './floatOperands.ts'

const THREADS = 64
const ROUNDS = 60

const TYPES = { 1: 'i8', 2: 'i16', 4: 'i32', 8: '<2 x i32>', 16: '<4 x i32>' } as const
type Width = keyof typeof TYPES

/** In each round lanes whose word has its last bit set access the same places, a step further than the round before. */
const kernel = (width: Width): string => {
  const type = TYPES[width]
  return `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out, ptr %in, ptr %words, i32 %pitch, i32 %n) {
  %own = alloca [16 x ${type}], align 16
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul i32 %t, %pitch
  %mine = getelementptr i32, ptr %words, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %end ]
  %at = mul i32 %i, ${THREADS}
  %where = getelementptr i32, ptr %mine, i32 %at
  %word = load i32, ptr %where
  %bit = and i32 %word, 1
  %on = icmp eq i32 %bit, 1
  br i1 %on, label %go, label %end
go:
  %element = add i32 %t, %i
  %from = getelementptr ${type}, ptr %in, i32 %element
  %v = load ${type}, ptr %from, align ${width}
  %after = getelementptr ${type}, ptr %from, i32 5
  %w = load ${type}, ptr %after, align ${width}
  %place = add i32 %row, %i
  %to = getelementptr ${type}, ptr %out, i32 %place
  store ${type} %v, ptr %to, align ${width}
  %shared.index = and i32 %i, 15
  %alike = getelementptr ${type}, ptr %own, i32 %shared.index
  store ${type} %w, ptr %alike, align ${width}
  %own.bits = lshr i32 %word, 4
  %own.index = and i32 %own.bits, 15
  %apart = getelementptr ${type}, ptr %own, i32 %own.index
  store ${type} %v, ptr %apart, align ${width}
  %read = load ${type}, ptr %alike, align ${width}
  store ${type} %read, ptr %to, align ${width}
  %sums = getelementptr i32, ptr %words, i32 ${THREADS * ROUNDS}
  %sum = getelementptr i32, ptr %sums, i32 %element
  %unused = atomicrmw add ptr %sum, i32 1 monotonic
  br label %end
end:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}`
}

test.each(Object.keys(TYPES).map(Number) as Width[])('%i bytes', width => {
  const next = randomWords(width)
  const words = Uint32Array.from({ length: THREADS * ROUNDS + 2 * THREADS }, (_, at) =>
    at < THREADS * ROUNDS ? next() : 0,
  )
  const pitch = ROUNDS + 3
  const buffers = [new Uint32Array(THREADS * pitch * 4), Uint32Array.from({ length: 1024 }, next), words]
  const grid = { x: 1, y: 1, z: 1 }
  const block = { x: THREADS, y: 1, z: 1 }
  const input = { ir: kernel(width), grid, block, buffers, values: [pitch, ROUNDS] }
  expect(compareExecutors(input).outcome.fault).toBeUndefined()
  expect(compareExecutors(input, { modernRules: false }).outcome.fault).toBeUndefined()
})

/** Each lane's pointer is to its own array or to the heap, as the word of its thread says. */
const eitherMemory = `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out, ptr %in) {
  %own = alloca [16 x i32], align 16
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr i32, ptr %in, i32 %t
  %word = load i32, ptr %mine
  %index = and i32 %word, 15
  %there = getelementptr i32, ptr %own, i32 %index
  store i32 %t, ptr %there
  %heap = getelementptr i32, ptr %out, i32 %word
  %bit = and i32 %word, 32
  %isOwn = icmp eq i32 %bit, 0
  %p = select i1 %isOwn, ptr %there, ptr %heap
  %v = load i32, ptr %p
  %w = add i32 %v, 7
  store i32 %w, ptr %p
  %r = load i32, ptr %there
  %after = getelementptr i32, ptr %out, i32 64
  %to = getelementptr i32, ptr %after, i32 %t
  store i32 %r, ptr %to
  ret void
}`

test.each(['own', 'heap', 'mixed'])('pointers to either memory: %s', which => {
  const next = randomWords(5)
  const word = (thread: number): number => {
    const isHeap = which === 'heap' || (which === 'mixed' && next() % 2 === 0)
    return isHeap ? 32 + (thread % 32) : next() % 16
  }
  const buffers = [new Uint32Array(128), Uint32Array.from({ length: THREADS }, (_, thread) => word(thread))]
  const shape = { grid: { x: 1, y: 1, z: 1 }, block: { x: THREADS, y: 1, z: 1 } }
  expect(compareExecutors({ ir: eitherMemory, ...shape, buffers }).outcome.fault).toBeUndefined()
})
