/** Copies of vectors: as one load and one store, also to and from elements of a thread's own array, which then is in registers. */
import { expect, test } from 'vitest'
import { copyVectors } from '../../src/frontend/passes/vectorCopies.ts'

/** A `float4`. */
const NODES = `!1 = !{i64 0, i64 4, !3, i64 4, i64 4, !3, i64 8, i64 4, !3, i64 12, i64 4, !3}
!3 = !{!4, !4, i64 0}
!4 = !{!"float", !5, i64 0}
`
const copy = (toAlign: number, to: string, fromAlign: number, from: string) =>
  `  call void @llvm.memcpy.p0.p0.i32(ptr align ${toAlign} ${to}, ptr align ${fromAlign} ${from}, i32 16, i1 false), !tbaa.struct !1`
const func = (...lines: string[]) => `define void @k(ptr %p, ptr %q) {
entry:
  %own = alloca [8 x float], align 4
  %element = getelementptr inbounds [8 x float], ptr %own, i32 0, i32 4
${lines.join('\n')}
  ret void
}
${NODES}`

test('between places that are aligned to it', () => {
  expect(copyVectors(func(copy(16, '%q', 16, '%p')))).toMatch(
    /load <4 x float>, ptr %p, align 16\n.*store <4 x float> .*, ptr %q, align 16\n/,
  )
})

test('to elements of an array of its own, whatever that is aligned to', () => {
  expect(copyVectors(func(copy(4, '%element', 16, '%p')))).toMatch(/store <4 x float> .*, ptr %element, align 4\n/)
  expect(copyVectors(func(copy(16, '%p', 4, '%own')))).toMatch(/load <4 x float>, ptr %own, align 4\n/)
})

test('not from memory that is not known to be aligned', () => {
  for (const call of [copy(4, '%element', 4, '%p'), copy(4, '%q', 16, '%p')])
    expect(copyVectors(func(call))).toBe(func(call))
})
