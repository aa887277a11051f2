/** Where the program chooses elements by an index without sign: told behind the passes, marked by the reader of the IR. */
import { expect, test } from 'vitest'
import { tellIndexKinds } from '../../src/frontend/passes/indexKinds.ts'

const before = `  %a = getelementptr inbounds nuw float, ptr %m, i32 %x, !dbg !7
  %b = getelementptr inbounds float, ptr %m, i32 %i, !dbg !8
  %c = getelementptr inbounds nuw %struct.S, ptr %s, i32 0, i32 1, !dbg !9
  %d = getelementptr inbounds nuw [4 x float], ptr %r, i32 0, i32 %x, !dbg !10
  %e = getelementptr inbounds float, ptr %d, i32 %i, !dbg !10
!7 = !DILocation(line: 3, column: 5, scope: !2)
!8 = !DILocation(line: 3, column: 9, scope: !2)
!9 = !DILocation(line: 4, column: 5, scope: !2)
!10 = !DILocation(line: 5, scope: !2)
`

test('variable indices only, and places where all are without sign', () => {
  expect(tellIndexKinds(before, 'ir')).toBe('ir\n; unsigned indices: 3:5\n')
})

test('not of 64 bits, which are not widened', () => {
  const wide = before.replace('  %a = ', '  %x = trunc i64 %add to i32, !dbg !7\n  %a = ')
  expect(tellIndexKinds(wide, 'ir')).toBe('ir\n; wide indices: 3:5\n')
})

test('nothing where none is', () => {
  expect(tellIndexKinds(before.replace(/ nuw/g, ''), 'ir')).toBe('ir')
})
