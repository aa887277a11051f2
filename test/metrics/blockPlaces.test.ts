/** Which loads go by the number of their block: these alone are a block's own in the cache replay of a plane. */
import { expect, test } from 'vitest'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { readModule } from '../../src/ir/read.ts'

test('a row of the block, a table, a vector that indices from memory choose from, a row that a loop goes along', () => {
  const text = `declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
define ptx_kernel void @k(ptr %a, ptr %table, ptr %index, ptr %b, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %row = mul nsw i32 %y, %n
  %place = add nsw i32 %row, %t
  %p0 = getelementptr i32, ptr %a, i32 %place
  %v0 = load i32, ptr %p0, align 4
  %p1 = getelementptr i32, ptr %table, i32 %t
  %v1 = load i32, ptr %p1, align 4
  %p2 = getelementptr i32, ptr %index, i32 %place
  %i = load i32, ptr %p2, align 4
  %p3 = getelementptr i32, ptr %table, i32 %i
  %v3 = load i32, ptr %p3, align 4
  br label %loop
loop:
  %at = phi i32 [ %row, %entry ], [ %next, %loop ]
  %sum = phi i32 [ %v1, %entry ], [ %more, %loop ]
  %p4 = getelementptr i32, ptr %a, i32 %at
  %v4 = load volatile i32, ptr %p4, align 4
  %more = add i32 %sum, %v4
  %next = add i32 %at, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  %s = add i32 %more, %v0
  %r = add i32 %s, %v3
  store i32 %r, ptr %b, align 4
  ret void
}`
  const { sites } = prepareKernel(readModule(text, 'k.cu'), 'k')
  const loads = sites.filter(({ op }) => op === 'load').map(each => each.blockAxes)
  expect(loads).toEqual([2, 0, 2, 8, 2])
})
