/** Lanes that part, told from how often blocks ran. */
import { expect, test } from 'vitest'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { readModule } from '../../src/ir/read.ts'
import { divergences } from '../../src/metrics/instructions/divergences.ts'

/** @param times warp-level executions, by the block's name */
function parted(body: string, times: Record<string, number>): number {
  const text = `declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %p, i32 %x, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
${body}
}`
  const prepared = prepareKernel(readModule(text, 'k.cu'), 'k')
  return divergences(
    prepared,
    prepared.kernel.blocks.map(({ name }) => times[name] ?? 0),
  )
}

const way = (name: string, value: number) => `${name}:
  store volatile i32 ${value}, ptr %p, align 4
  br label %end`
const END = `end:
  store volatile i32 9, ptr %p, align 4
  ret void`

test('both ways of a branch: what runs more often than the branch has been parted', () => {
  const body = `  %c = icmp slt i32 %t, %x
  br i1 %c, label %a, label %b
${way('a', 1)}
${way('b', 2)}
${END}`
  expect(parted(body, { entry: 10, a: 10, b: 10, end: 10 })).toBe(10)
  expect(parted(body, { entry: 10, a: 6, b: 4, end: 10 })).toBe(0)
  expect(parted(body, { entry: 10, a: 8, b: 4, end: 10 })).toBe(2)
})

test('a switch: each way beyond the first', () => {
  const body = `  switch i32 %t, label %d [
    i32 1, label %a
    i32 2, label %b
  ]
${way('a', 1)}
${way('b', 2)}
${way('d', 3)}
${END}`
  expect(parted(body, { entry: 5, a: 5, b: 5, d: 5, end: 5 })).toBe(10)
  expect(parted(body, { entry: 5, a: 3, b: 2, end: 5 })).toBe(0)
})

test('a loop that lanes leave one after the other, and an if without else, of which nothing is told', () => {
  const loop = `  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  store volatile i32 %i, ptr %p, align 4
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %t
  br i1 %more, label %loop, label %end
${END}`
  // Lanes come to what is behind together.
  expect(parted(loop, { entry: 1, loop: 8, end: 1 })).toBe(0)
  const branch = `  %c = icmp slt i32 %t, %x
  br i1 %c, label %a, label %end
${way('a', 1)}
${END}`
  expect(parted(branch, { entry: 4, a: 4, end: 4 })).toBe(0)
})
