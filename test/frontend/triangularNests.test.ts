/** Loops around loops whose number of rounds depends on theirs: which outer ones nvcc lets stay (PTX of 63 nests, nvcc 13.0). */
import { expect, test } from 'vitest'
import { keepTriangularNests } from '../../src/frontend/passes/triangularNests.ts'

/** `for (int i = 0; i < rounds; i++) for (int j = <first>; j < <bound>; j++) body` as clang writes it. */
const nest = (
  rounds: number,
  first: string,
  bound: string,
  body: string,
) => `define dso_local ptx_kernel void @k(ptr %p) !dbg !3 {
entry:
  %own = alloca [16 x float], align 4
  store i32 0, ptr %i, align 4
  br label %for.cond, !dbg !5

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load i32, ptr %i, align 4, !dbg !6
  %cmp = icmp slt i32 %0, ${rounds}, !dbg !6
  br i1 %cmp, label %for.body, label %for.end, !dbg !7

for.body:                                         ; preds = %for.cond
  %1 = load i32, ptr %i, align 4, !dbg !6
  store i32 ${first}, ptr %j, align 4
  br label %for.cond1, !dbg !5

for.cond1:                                        ; preds = %for.inc1, %for.body
  %2 = load i32, ptr %j, align 4, !dbg !6
  %3 = load i32, ptr %i, align 4, !dbg !6
  %cmp1 = icmp slt i32 %2, ${bound}, !dbg !6
  br i1 %cmp1, label %for.inc1, label %for.inc, !dbg !7

for.inc1:                                         ; preds = %for.cond1
${body}
  %8 = load i32, ptr %j, align 4, !dbg !8
  %add1 = add nsw i32 %8, 1, !dbg !8
  store i32 %add1, ptr %j, align 4, !dbg !8
  br label %for.cond1, !dbg !9, !llvm.loop !11

for.inc:                                          ; preds = %for.cond1
  %9 = load i32, ptr %i, align 4, !dbg !8
  %add = add nsw i32 %9, 1, !dbg !8
  store i32 %add, ptr %i, align 4, !dbg !8
  br label %for.cond, !dbg !9, !llvm.loop !10

for.end:                                          ; preds = %for.cond
  ret void
}

!9 = !{!"llvm.loop.mustprogress"}
!10 = distinct !{!10, !4, !9}
!11 = distinct !{!11, !4, !9}
`
const SUM = `  %4 = load i32, ptr %j, align 4
  %q = getelementptr inbounds float, ptr %p, i32 %4
  %5 = load float, ptr %q, align 4
  %6 = load float, ptr %s, align 4
  %7 = fadd contract float %6, %5
  store float %7, ptr %s, align 4`
const UPDATE = `${SUM}
  %r = getelementptr inbounds float, ptr %p, i32 %3
  %t = load float, ptr %r, align 4
  %u = fmul contract float %t, %5
  %v = getelementptr inbounds float, ptr %p, i32 %3
  %w = load float, ptr %v, align 4
  %x = fsub contract float %w, %u
  store float %x, ptr %v, align 4`
const stays = (ir: string) => /^!10 = distinct !\{!10, !4, !9, !12\}$/m.test(keepTriangularNests(ir))

test.each([
  ['a sum of 6 rounds', nest(6, '0', '%3', SUM), false],
  ['of 8', nest(8, '0', '%3', SUM), true],
  ['from the outer counter on', nest(8, '%1', '8', SUM), true],
  ['three rounds of an update in place', nest(3, '0', '%3', UPDATE), false],
  ['four', nest(4, '0', '%3', UPDATE), true],
  ['inner rounds that are known', nest(16, '0', '8', UPDATE), false],
  ["the thread's own array", nest(16, '0', '%3', SUM.replace('ptr %p', 'ptr %own')), false],
])('%s', (_, ir, isKept) => {
  expect(stays(ir)).toBe(isKept)
})

test('inner loops of nests that stay are written out by four, but long ones', () => {
  const byFour = (body: string) =>
    /^!11 = distinct !\{!11, !4, !9, !13\}$/m.test(keepTriangularNests(nest(16, '0', '%3', body)))
  expect(keepTriangularNests(nest(16, '0', '%3', SUM))).toContain('!13 = !{!"llvm.loop.unroll.count", i32 4}')
  expect(byFour(SUM)).toBe(true)
  expect(byFour(UPDATE)).toBe(true)
  expect(byFour(Array(6).fill(UPDATE).join('\n'))).toBe(false)
})

test('a program that says itself how the loop is written out', () => {
  const said = nest(16, '0', '%3', SUM)
    .replace('!{!10, !4, !9}', '!{!10, !4, !9, !8}')
    .concat('!8 = !{!"llvm.loop.unroll.full"}\n')
  expect(keepTriangularNests(said)).toBe(said)
})
