/** Remainders that are masks here and divisions on the machine: told from masks that the source writes. */
import { expect, test } from 'vitest'
import { markKeptRemainders } from '../../src/analysis/loops/keptRemainders.ts'
import { readModule } from '../../src/ir/read.ts'

const SOURCE = [
  'if (tid % (2 * s) == 0) x += y;',
  'if ((tid & (2 * s - 1)) == 0) x += y;',
  'if ((tid % (2 * s)) != 0) x += y;',
]

/** A loop that doubles `%s`; its mask has the place of the source, or none. @param divisor what is one more than the mask */
function divisionOf(place: string | undefined, divisor = 'shl i32 %s, 1') {
  const [line, column] = place?.split(':') ?? []
  const module = readModule(
    `define ptx_kernel void @k(ptr %a, i32 %n, i32 %tid) !dbg !4 {
entry:
  br label %loop
loop:
  %s = phi i32 [ 1, %entry ], [ %d, %loop ]
  %d = ${divisor}
  %m = add i32 %d, -1
  %r = and i32 %m, %tid${place === undefined ? '' : ', !dbg !5'}
  store i32 %r, ptr %a, align 4
  %c = icmp ult i32 %d, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !2, producer: "clang", isOptimized: true, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "k.cu", directory: "/")
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "k", scope: !2, file: !2, line: 1, type: !3, unit: !1)
!5 = !DILocation(line: ${line ?? 1}, column: ${column ?? 1}, scope: !4)
`,
    'k.cu',
  )
  markKeptRemainders(module, new Map([['k.cu', SOURCE.join('\n')]]))
  const masks = module.functions[0]!.blocks.flatMap(block => block.instructions).filter(one => one.op === 'and')
  expect(masks).toHaveLength(1)
  const [mask] = masks
  return mask?.op === 'and' ? mask.divides : undefined
}

const columnOf = (line: number, text: string) => `${line}:${SOURCE[line - 1]!.indexOf(text) + 1}`

test('a mask that stands where the source has a remainder divides, without a sign', () => {
  expect(divisionOf(columnOf(1, '%'))).toBe('urem')
})

test('of a remainder with a sign clang keeps the place where it is compared with zero', () => {
  expect(divisionOf(columnOf(1, '=='))).toBe('srem')
  expect(divisionOf(columnOf(3, '!='))).toBe('srem')
})

test('a mask that the source writes is one, so is one of no known place', () => {
  expect(divisionOf(columnOf(2, '&'))).toBeUndefined()
  expect(divisionOf(undefined)).toBeUndefined()
})

test('a power of two that nvcc sees too is a mask there as well', () => {
  expect(divisionOf(columnOf(1, '%'), 'shl i32 1, %n')).toBeUndefined()
})
