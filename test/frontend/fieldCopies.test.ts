/** Structures with gaps, copied to and from local variables: member by member (test/cases/machine_members.cu was read). */
import { expect, test } from 'vitest'
import { copyFields } from '../../src/frontend/passes/fieldCopies.ts'

/** `{ int a; float b; char c; double d; }` and `{ double d; int a; }`. */
const NODES = `!1 = !{i64 0, i64 4, !8, i64 4, i64 4, !9, i64 8, i64 1, !10, i64 16, i64 8, !11}
!2 = !{i64 0, i64 8, !11, i64 8, i64 4, !8}
`
const copy = (to: string, from: string, bytes = 24, node = 1) =>
  `  call void @llvm.memcpy.p0.p0.i32(ptr align 8 ${to}, ptr align 8 ${from}, i32 ${bytes}, i1 false), !tbaa.struct !${node}`
const func = (...lines: string[]) => `define void @k(ptr %s, ptr %d) {
entry:
  %l = alloca %struct.G, align 8
${lines.join('\n')}
  ret void
}
${NODES}`
const USE = '  %a = getelementptr inbounds nuw %struct.G, ptr %l, i32 0, i32 0\n  store i32 1, ptr %a, align 8'

test('to a variable whose members are used: a load and a store of each', () => {
  const text = copyFields(func(copy('%l', '%s'), USE))
  expect(text).not.toContain('tbaa.struct !1')
  for (const [type, align, tag] of [
    ['i32', 8, 8],
    ['i32', 4, 9],
    ['i8', 8, 10],
    ['i64', 8, 11],
  ])
    expect(text).toMatch(new RegExp(`load ${type}, ptr %[\\w.]+, align ${align}, !tbaa !${tag}\\n`))
  expect(text).toContain('= getelementptr inbounds i8, ptr %s, i32 16')
})

test('from it, each on its own', () => {
  const text = copyFields(func(USE, copy('%d', '%l')))
  expect(text.match(/call void @llvm\.memcpy/g)).toHaveLength(4)
  expect(text).toContain('i32 1, i1 false), !tbaa !10')
})

test('what only passes through, unless memory is written meanwhile', () => {
  const passing = func(copy('%l', '%s'), copy('%d', '%l'))
  expect(copyFields(passing)).toBe(passing)
  const written = func(copy('%l', '%s'), copy('%s', '%d'), copy('%d', '%l'))
  expect(copyFields(written).match(/tbaa\.struct !1/g)).toHaveLength(1)
})

test('not without a gap between members, nor between two places in memory', () => {
  const behind = func(copy('%l', '%s', 16, 2), USE)
  expect(copyFields(behind)).toBe(behind)
  const plain = func(copy('%d', '%s'), USE)
  expect(copyFields(plain)).toBe(plain)
})

test('not from a variable whose elements are chosen as the kernel runs', () => {
  const chosen = func(
    copy('%l', '%s'),
    '  %x = getelementptr inbounds nuw %struct.G, ptr %l, i32 0, i32 1',
    '  %e = getelementptr inbounds [5 x i32], ptr %x, i32 0, i32 %k',
    copy('%d', '%l'),
  )
  expect(copyFields(chosen)).toContain(copy('%d', '%l'))
  expect(copyFields(chosen)).not.toContain(copy('%l', '%s'))
})

test('of a parameter by value', () => {
  const text = `define void @k(ptr byval(%struct.G) align 8 %g, ptr %d) {\n${copy('%d', '%g')}\n}\n${NODES}`
  expect(copyFields(text).match(/!tbaa !/g)).toHaveLength(4)
})
