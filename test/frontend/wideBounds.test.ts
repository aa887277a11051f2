/** Loops whose counter of 32 bits is compared with a bound of 64: marked where nvcc lets them stay (test/cases/machine_signs.cu was read). */
import { expect, test } from 'vitest'
import { keepWideBounds } from '../../src/frontend/passes/wideBounds.ts'

/** `for (int i = start; i < bound; i += 64)` as clang writes it. */
const loop = (
  start: string,
  test: string,
  linkage = 'ptx_kernel void',
) => `define dso_local ${linkage} @k(i64 %n, i32 %m) !dbg !3 {
entry:
  store i64 %n, ptr %n.addr, align 8
  store i32 %m, ptr %m.addr, align 4
  ${start}
  br label %for.cond, !dbg !5

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load i32, ptr %i, align 4, !dbg !6
${test}
  br i1 %cmp, label %for.inc, label %for.end, !dbg !7

for.inc:                                          ; preds = %for.cond
  %3 = load i32, ptr %i, align 4, !dbg !8
  %add = add nsw i32 %3, 64, !dbg !8
  store i32 %add, ptr %i, align 4, !dbg !8
  br label %for.cond, !dbg !9, !llvm.loop !10

for.end:                                          ; preds = %for.cond
  ret void
}

!9 = !{!"llvm.loop.mustprogress"}
!10 = distinct !{!10, !4, !9}
`
const THREAD = '%call = call i32 @tid()\n  store i32 %call, ptr %i, align 4'
const WIDE = `  %conv = sext i32 %0 to i64, !dbg !6
  %1 = load i64, ptr %n.addr, align 8, !dbg !6
  %cmp = icmp slt i64 %conv, %1, !dbg !7`
const isMarked = (ir: string) => /^!10 = distinct !\{!10, !4, !9, !11\}$/m.test(keepWideBounds(ir))

test('from a thread number up to a bound of 64 bits', () => {
  const marked = keepWideBounds(loop(THREAD, WIDE))
  expect(marked).toContain('!10 = distinct !{!10, !4, !9, !11}\n!11 = !{!"llvm.loop.unroll.disable"}\n')
})

test('with a constant added to the counter', () => {
  const next = WIDE.replace('%conv = sext i32 %0', '%more = add nsw i32 %0, 1, !dbg !6\n  %conv = sext i32 %more')
  expect(isMarked(loop(THREAD, next))).toBe(true)
})

test('not from what is never negative, nor from a constant', () => {
  const masked = '%call = call i32 @tid()\n  %low = and i32 %call, 31, !dbg !5\n  store i32 %low, ptr %i, align 4'
  expect(isMarked(loop(masked, WIDE))).toBe(false)
  expect(isMarked(loop('store i32 0, ptr %i, align 4', WIDE))).toBe(false)
})

test('not where the bound was widened, too, or is the one that is', () => {
  const narrow = WIDE.replace(
    '%1 = load i64, ptr %n.addr, align 8',
    '%w = load i32, ptr %m.addr, align 4\n  %1 = sext i32 %w to i64',
  )
  expect(isMarked(loop(THREAD, narrow))).toBe(false)
  const counter = narrow.replace('%conv = sext i32 %0 to i64', '%conv = load i64, ptr %j, align 8')
  expect(isMarked(loop(THREAD, counter))).toBe(false)
})

test('what a function other than a kernel begins with its callers say', () => {
  const given = '%g = load i32, ptr %m.addr, align 4\n  store i32 %g, ptr %i, align 4'
  const called = (value: string) => `${loop(given, WIDE, 'void')}
define ptx_kernel void @c() {
  call void @k(i64 %x, i32 noundef ${value}), !dbg !5
}
`
  expect(isMarked(loop(given, WIDE))).toBe(true)
  expect(isMarked(called('%t'))).toBe(true)
  expect(isMarked(called('0'))).toBe(false)
})
