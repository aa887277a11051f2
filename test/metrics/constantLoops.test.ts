/** Loops that ptxas writes out whole for what they read from constant memory (machine code of 30 loops, nvcc 13.0, sm_90). */
import { expect, test } from 'vitest'
import { roundsForConstants } from '../../src/analysis/loops/constantLoops.ts'
import { readModule } from '../../src/ir/read.ts'

const KIND = `@kind = private constant [18 x i8] c"warplens.constant\\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr addrspacecast (ptr addrspace(4) @table to ptr), ptr @kind, ptr @kind, i32 1, ptr null }], section "llvm.metadata"`

/** `for (i = 0; test; ++i)` with more in it, and what `roundsForConstants` says of it. */
function roundsOf(test: string, body: string, start = '0') {
  const text = `@table = addrspace(4) externally_initialized global [16384 x float] zeroinitializer, align 16
${KIND}
define ptx_kernel void @k(ptr %a, ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ ${start}, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %added, %loop ]
  %p = getelementptr [16384 x float], ptr addrspace(4) @table, i32 0, i32 %i
  %c = load float, ptr addrspace(4) %p, align 4
${body}
  %next = add nsw i32 %i, 1
  ${test}
  br i1 %more, label %loop, label %done
done:
  store float %added, ptr %out, align 4
  ret void
}`
  const [kernel] = readModule(text, 'k.cu').functions
  return roundsForConstants(kernel!.blocks.find(({ name }) => name === 'loop')!)
}

const SUM = '  %added = fadd contract float %sum, %c'
const PRODUCT = `  %q = getelementptr float, ptr %a, i32 %i
  %v = load float, ptr %q, align 4
  %m = fmul contract float %v, %c
  %added = fadd contract float %m, %sum`
const until = (rounds: number) => `%more = icmp ne i32 %next, ${rounds}`

test('the longer the loop, the larger a part of it has to be such reads', () => {
  expect(roundsOf(until(4096), SUM)).toBe(4096)
  expect(roundsOf(until(1024), PRODUCT)).toBe(1024)
  expect(roundsOf(until(4096), PRODUCT)).toBeUndefined()
})

test('however it asks for its end', () => {
  expect(roundsOf('%odd = or i32 %next, 3\n  %more = icmp ult i32 %odd, 103', SUM)).toBe(100)
  expect(roundsOf('%more = icmp slt i32 %i, 9', SUM, '-3')).toBe(13)
})

test('not where an argument says how far it goes, or where it begins', () => {
  expect(roundsOf('%more = icmp slt i32 %next, %n', SUM)).toBeUndefined()
  expect(roundsOf(until(64), SUM, '%n')).toBeUndefined()
})
