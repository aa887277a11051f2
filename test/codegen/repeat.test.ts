/** Accesses at addresses that are data and repeat their pattern, in steps of lines and of words: counted as if each were new. */
import { expect, test } from 'vitest'
import { compareExecutors } from './compare.ts'

const kernel = (step: number): string => `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
@s = internal addrspace(3) global [2048 x i32] undef, align 4
define ptx_kernel void @k(ptr %out, ptr %in, ptr %table, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %where = getelementptr i32, ptr %table, i32 %t
  %place = load i32, ptr %where
  %mine = getelementptr [2048 x i32], ptr addrspace(3) @s, i32 0, i32 %place
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi i32 [ %b, %0 ], [ %sum2, %loop ]
  %shift = mul i32 %i, ${step}
  %at = add i32 %place, %shift
  %from = getelementptr i32, ptr %in, i32 %at
  %v = load i32, ptr %from
  %cell = getelementptr i32, ptr addrspace(3) %mine, i32 %shift
  store i32 %v, ptr addrspace(3) %cell
  %w = load i32, ptr addrspace(3) %cell
  %old = atomicrmw add ptr addrspace(3) %cell, i32 1 monotonic
  %counted = load i32, ptr addrspace(3) %cell
  %to = getelementptr i32, ptr %out, i32 %at
  %before = atomicrmw add ptr %to, i32 %w monotonic
  %wide = getelementptr i32, ptr %out, i32 4096
  %slot = getelementptr i32, ptr %wide, i32 %at
  store i32 %sum, ptr %slot
  %more.v = add i32 %v, %counted
  %sum2 = add i32 %sum, %more.v
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %last = getelementptr i32, ptr %out, i32 8192
  %mineOut = getelementptr i32, ptr %last, i32 %t
  store i32 %sum2, ptr %mineOut
  ret void
}`

const TABLES = {
  'all apart': (lane: number) => (lane * 37) % 64,
  'pairs of lanes on one word': (lane: number) => 2 * (lane >> 1),
  'one bank': (lane: number) => (lane % 32) * 32 + (lane >> 5),
  backwards: (lane: number) => 63 - lane,
  'one word': () => 5,
}

const cases = Object.keys(TABLES).flatMap(table =>
  [32, 8, 3].flatMap(step => [64, 45].map(threads => ({ table: table as keyof typeof TABLES, step, threads }))),
)

test.each(cases)('$table, steps of $step words, $threads threads', ({ table, step, threads }) => {
  const places = Uint32Array.from({ length: 64 }, (_, lane) => TABLES[table](lane))
  const input = Uint32Array.from({ length: 4096 }, (_, index) => Math.imul(index, 40503) >>> 3)
  const { outcome } = compareExecutors({
    ir: kernel(step),
    grid: { x: 2, y: 1, z: 1 },
    block: { x: threads, y: 1, z: 1 },
    buffers: [new Uint32Array(8192 + 64), input, places],
    values: [27],
  })
  expect(outcome.fault).toBeUndefined()
})
