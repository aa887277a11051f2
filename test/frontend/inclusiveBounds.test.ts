/** Loops that count up to their bound and with it, by more than one: marked where nvcc lets them stay (test/cases/machine_bounds.cu was read). */
import { expect, test } from 'vitest'
import { keepInclusiveBounds } from '../../src/frontend/passes/inclusiveBounds.ts'

interface Form {
  /** Stores the counter's first value to `%j`. */
  readonly start?: string
  /** How the bound `%1` is made. */
  readonly bound?: string
  readonly step?: string
  readonly predicate?: string
  readonly type?: string
  readonly linkage?: string
}

/** `for (T j = start; j <= bound; j += step)` as clang writes it. */
const loop = ({
  type = 'i32',
  start = `%call = call i32 @tid()\n  store ${type} %call, ptr %j, align 4`,
  bound = `load ${type}, ptr %n.addr, align 4`,
  step = 'add nsw',
  predicate = 'sle',
  linkage = 'ptx_kernel void',
}: Form = {}) => `define dso_local ${linkage} @k(${type} %n, ${type} %m) !dbg !3 {
entry:
  store ${type} %n, ptr %n.addr, align 4
  store ${type} %m, ptr %m.addr, align 4
  ${start}
  br label %for.cond, !dbg !5

for.cond:                                         ; preds = %for.inc, %entry
  %0 = load ${type}, ptr %j, align 4, !dbg !6
  %1 = ${bound}, !dbg !6
  %cmp = icmp ${predicate} ${type} %0, %1, !dbg !7
  br i1 %cmp, label %for.inc, label %for.end, !dbg !7

for.inc:                                          ; preds = %for.cond
  %3 = load ${type}, ptr %j, align 4, !dbg !8
  %add = ${step} ${type} %3, ${step.endsWith('nsw') ? 32 : 1}, !dbg !8
  store ${type} %add, ptr %j, align 4, !dbg !8
  br label %for.cond, !dbg !9, !llvm.loop !10

for.end:                                          ; preds = %for.cond
  ret void
}

!9 = !{!"llvm.loop.mustprogress"}
!10 = distinct !{!10, !4, !9}
`
const marked = (ir: string) => /^!10 = distinct !\{!10, !4, !9, !11\}$/m.test(keepInclusiveBounds(ir))

test('from a thread number to what may be the greatest number', () => {
  const kept = keepInclusiveBounds(loop())
  expect(kept).toContain('!11 = !{!"llvm.loop.unroll.count", i32 1}\n')
  expect(marked(loop())).toBe(true)
  expect(marked(loop({ bound: 'add nsw i32 %n, 1' }))).toBe(true)
  expect(marked(loop({ bound: 'load i32, ptr %e, align 4' }))).toBe(false)
})

test('not to what is less by how it is made', () => {
  for (const bound of [
    'sub nsw i32 %n, 1',
    'add nsw i32 %n, -1',
    'sdiv i32 %n, 2',
    'and i32 %n, 63',
    'ashr i32 %n, 1',
    'mul nsw i32 2, %n',
  ])
    expect(marked(loop({ bound })), bound).toBe(false)
})

test('not from a constant, nor by one, nor up to a bound without it', () => {
  expect(marked(loop({ start: 'store i32 5, ptr %j, align 4' }))).toBe(false)
  expect(marked(loop().replace('%3, 32', '%3, 1'))).toBe(false)
  expect(marked(loop({ predicate: 'slt' }))).toBe(false)
  expect(marked(loop({ predicate: 'ule' }))).toBe(false)
})

test('of 64 bits: not from what is never negative, also by another variable', () => {
  const from = (definition: string) => ({ type: 'i64', start: `%s = ${definition}\n  store i64 %s, ptr %j, align 8` })
  expect(marked(loop(from('sext i32 %x to i64')))).toBe(true)
  expect(marked(loop(from('zext i32 %x to i64')))).toBe(false)
  const copied =
    '%g = zext i32 %x to i64\n  store i64 %g, ptr %v, align 8\n  %s = load i64, ptr %v, align 8\n  store i64 %s, ptr %j, align 8'
  expect(marked(loop({ type: 'i64', start: copied }))).toBe(false)
})

test('what a function other than a kernel begins and ends with its callers say', () => {
  const given = { start: '%s = load i32, ptr %m.addr, align 4\n  store i32 %s, ptr %j, align 4', linkage: 'void' }
  const called = (first: string, second: string) => `${loop(given)}
define ptx_kernel void @c() {
  call void @k(i32 noundef ${first}, i32 noundef ${second}), !dbg !5
}
`
  expect(marked(called('%a', '%b'))).toBe(true)
  expect(marked(called('100', '%b'))).toBe(false)
  expect(marked(called('%a', '0'))).toBe(false)
})
