/** Loops that step by a variable: which of them the machine's compilers write out. */
import { expect, test } from 'vitest'
import { readModule } from '../../src/ir/read.ts'
import { roundsTogether } from '../../src/metrics/writtenOutLoops.ts'

/** Rounds together of `for (row = start; row < n; row += step) s += d[row];` with signed numbers. */
function roundsOf(start: string, step: string, sum = '%t = fadd float %s, %v'): number {
  const { functions } = readModule(
    `define ptx_kernel void @k(ptr %d, ptr %o, i32 %n, i32 %p, i32 %q) {
entry:
  %start = ${start}
  %step = ${step}
  br label %loop
loop:
  %row = phi i32 [ %next, %loop ], [ %start, %entry ]
  %s = phi float [ %t, %loop ], [ 0.0, %entry ]
  %at = getelementptr inbounds float, ptr %d, i32 %row
  %v = load float, ptr %at, align 4
  ${sum}
  %next = add nsw i32 %row, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store float %t, ptr %o, align 4
  ret void
}
`,
    'k.cu',
  )
  return roundsTogether(functions[0]!.blocks.find(({ name }) => name === 'loop')!, 10)
}

test('four rounds where nothing is known of start and step', () => {
  expect(roundsOf('add i32 %p, 0', 'add i32 %q, 0')).toBe(4)
  expect(roundsOf('lshr i32 %p, 5', 'add i32 %q, 0')).toBe(4)
  expect(roundsOf('add i32 %p, 0', 'lshr i32 %q, 5')).toBe(4)
})

test('one where both are quotients by one number, or masked', () => {
  expect(roundsOf('lshr i32 %p, 5', 'lshr i32 %q, 5')).toBe(1)
  expect(roundsOf('udiv i32 %p, 3', 'udiv i32 %q, 3')).toBe(1)
  expect(roundsOf('and i32 %p, 255', 'and i32 %q, 1023')).toBe(1)
  expect(roundsOf('lshr i32 %p, 4', 'lshr i32 %q, 5')).toBe(4)
})

test('one where the loop computes in half precision, which is assembly to nvcc', () => {
  const half = '%h = fptrunc float %v to half\n  %g = fpext half %h to float\n  %t = fadd float %s, %g'
  expect(roundsOf('add i32 %p, 0', 'add i32 %q, 0', half)).toBe(1)
})
