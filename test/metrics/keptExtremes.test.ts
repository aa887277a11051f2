/** Compare-and-swaps that keep the largest value change their word a few times; those of sums each time. */
import { expect, test } from 'vitest'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { readModule } from '../../src/ir/read.ts'
import { changingSwaps } from '../../src/metrics/time/keptExtremes.ts'

const kernelWith = (replacement: string) => `
target triple = "nvptx-nvidia-cuda"
define ptx_kernel void @k(ptr %p, float %x) {
entry:
  br label %again
again:
  %old = phi i32 [ 0, %entry ], [ %was, %again ]
  %value = bitcast i32 %old to float
  ${replacement}
  %bits = bitcast float %new to i32
  %pair = cmpxchg ptr %p, i32 %old, i32 %bits monotonic monotonic, align 4
  %was = extractvalue { i32, i1 } %pair, 0
  %done = icmp eq i32 %old, %was
  br i1 %done, label %end, label %again
end:
  ret void
}
declare float @llvm.maxnum.f32(float, float)
`

test.each([
  ['%new = call float @llvm.maxnum.f32(float %value, float %x)', 11],
  ['%less = fcmp olt float %x, %value\n  %new = select i1 %less, float %x, float %value', 11],
  ['%new = fadd float %value, %x', 20_000],
  ['%less = fcmp olt float %x, 0.0\n  %new = select i1 %less, float %x, float %value', 20_000],
])('%s', (replacement, changes) => {
  const program = prepareKernel(readModule(kernelWith(replacement), 'k.cu'), 'k')
  expect(Math.round(changingSwaps(program, 20_000))).toBe(changes)
})

test('one that goes on at what it found changes a word once', () => {
  const union = kernelWith('%new = fadd float %value, %x')
    .replace('cmpxchg ptr %p', 'cmpxchg ptr %place')
    .replace('%value = bitcast', '%place = getelementptr i32, ptr %p, i32 %old\n  %value = bitcast')
  expect(changingSwaps(prepareKernel(readModule(union, 'k.cu'), 'k'), 20_000)).toBe(1)
})
