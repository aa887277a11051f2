/** Aliasing metadata as nvcc has it: types tell nothing apart, members of one structure at different last steps do. */
import { expect, test } from 'vitest'
import { tellMembersApart } from '../../src/frontend/passes/memberAliases.ts'
import { SourceTypes } from '../../src/ir/readSourceTypes.ts'

const IR = `define void @k() {
  store float 1.0, ptr %p, align 4, !tbaa !10
}

!0 = !{i32 7, !"Dwarf Version", i32 4}
!1 = !{!"Simple C++ TBAA"}
!2 = !{!"omnipotent char", !1, i64 0}
!3 = !{!"float", !2, i64 0}
!4 = !{!"int", !2, i64 0}
!5 = !{!"_ZTS4Pair", !3, i64 0, !3, i64 4}
!6 = !{!"_ZTS3Two", !5, i64 0, !5, i64 8, !4, i64 16}
!7 = !{!"any pointer", !2, i64 0}
!8 = !{!"p1 float", !7, i64 0}
!9 = !{!"_ZTS4Node", !8, i64 0, !4, i64 4}
!10 = !{!3, !3, i64 0}
!11 = !{!4, !4, i64 0}
!12 = !{!5, !3, i64 4}
!13 = !{!6, !3, i64 0}
!14 = !{!6, !3, i64 4}
!15 = !{!6, !3, i64 12}
!16 = !{!6, !4, i64 16}
!17 = !{!9, !4, i64 4}
!18 = !{!8, !8, i64 0}
`

const written = tellMembersApart(IR)
const nodes = new Map([...written.matchAll(/^!(\d+) = (!\{.*\})$/gm)].map(([, node, text]) => [Number(node), text!]))
const types = new SourceTypes(node => nodes.get(node))

/** The chain of parents of an access's scalar type ends here. */
function rootOf(access: number): number {
  let at = Number(/, !(\d+), /.exec(nodes.get(access)!)![1])
  for (;;) {
    const parent = /^!\{!"[^"]*", !(\d+), i64 0\}$/.exec(nodes.get(at)!)?.[1]
    if (parent === undefined) return at
    at = Number(parent)
  }
}

test('scalar types have nothing in common, so that LLVM takes them for the same memory', () => {
  expect(types.memberOf(10)).toBeUndefined()
  expect(rootOf(10)).not.toBe(rootOf(11))
  expect([types.isKnown(10, 4), types.isKnown(11, 4)]).toEqual([true, true])
})

test('members are told by the structure that is named first, the length of the way and its last step', () => {
  const [y, ax, ay, by, c] = [12, 13, 14, 15, 16].map(access => types.memberOf(access))
  expect(ax!.structure).toBe(ay!.structure)
  expect(ax!.place).not.toBe(ay!.place)
  expect(by).toEqual(ay)
  expect(new Set([y, ax, c].map(member => member!.structure)).size).toBe(3)
  expect(rootOf(12)).not.toBe(rootOf(13))
  expect(rootOf(13)).toBe(rootOf(15))
})

test('what has another size on the machine is still known', () => {
  expect([10, 12, 16].map(access => types.isNarrowed(access))).toEqual([false, false, false])
  expect([17, 18].map(access => types.isNarrowed(access))).toEqual([true, true])
})

test('all else stays', () => {
  expect(written.startsWith(IR.slice(0, IR.indexOf('!10 =')))).toBe(true)
  expect(tellMembersApart('!0 = !{i32 7, !"Dwarf Version", i32 4}\n')).toBe('!0 = !{i32 7, !"Dwarf Version", i32 4}\n')
})
