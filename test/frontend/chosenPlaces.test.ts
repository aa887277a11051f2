/** Choices between two places in LLVM IR: which become one load of a chosen pointer. What nvcc does: test/cases/machine_chosen.cu. */
import { expect, test } from 'vitest'
import { keepChosenPlaces, openPlaces } from '../../src/frontend/passes/chosenPlaces.ts'

const element = (name: string, base: string, index: string) =>
  `  %${name} = getelementptr inbounds float, ptr ${base}, i32 ${index}\n`

function choice(one: string, other: string, how = 'load float', behind = ''): string {
  return `define void @k(ptr %a, ptr %b, i32 %i, i32 %j, i1 %c) {
entry:
  br i1 %c, label %cond.true, label %cond.false

cond.true:                                        ; preds = %entry
${one}  %1 = ${how}, ptr %p, align 4, !dbg !1
  br label %cond.end

cond.false:                                       ; preds = %entry
${other}  %2 = ${how}, ptr %q, align 4, !dbg !2
  br label %cond.end

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi contract float [ %1, %cond.true ], [ %2, %cond.false ], !dbg !3
  store float %cond, ptr %a, align 4
${behind}  ret void
}
`
}

test('one load of a phi of pointers, which the passes do not look through', () => {
  const text = keepChosenPlaces(choice(element('p', '%a', '%i'), element('q', '%a', '%j')))
  expect(text).toContain(`  %wl.place0 = phi ptr [ %p, %cond.true ], [ %q, %cond.false ], !dbg !3
  %wl.chosen1 = call ptr @llvm.strip.invariant.group.p0(ptr %wl.place0), !dbg !3
  %cond = load float, ptr %wl.chosen1, align 4, !dbg !1
`)
  expect(text.match(/load float/g)).toHaveLength(1)
  expect(openPlaces(text)).toContain('%wl.chosen1 = getelementptr i8, ptr %wl.place0, i32 0\n')
})

test.each([
  ['two arrays', choice(element('p', '%a', '%i'), element('q', '%b', '%i')), true],
  ['an array and an index', choice(element('p', '%a', '%i'), element('q', '%b', '%j')), false],
  ['the first element', choice(element('p', '%a', '0'), element('q', '%b', '0')), false],
  ['other elements', choice(element('p', '%a', '2'), element('q', '%b', '2')), true],
  ['volatile', choice(element('p', '%a', '%i'), element('q', '%b', '%i'), 'load volatile float'), false],
  [
    'a value that is used again',
    choice(element('p', '%a', '%i'), element('q', '%b', '%i'), 'load float', '  store float %1, ptr %b, align 4\n'),
    false,
  ],
])('%s', (_, text, isChosen) => {
  expect(keepChosenPlaces(text) !== text).toBe(isChosen)
})

test('if and else that set one variable, with more behind them', () => {
  const branches = (behind: string, others = '') => `define void @k(ptr %a, i32 %i, i32 %j, i1 %c) {
entry:
  %m = alloca float, align 4
${others}  br i1 %c, label %if.then, label %if.else

if.then:
${element('p', '%a', '%i')}  %1 = load float, ptr %p, align 4
  store float %1, ptr %m, align 4
  br label %if.end

if.else:
${element('q', '%a', '%j')}  %2 = load float, ptr %q, align 4
  store float %2, ptr %m, align 4
  br label %if.end

if.end:
${behind}  br label %end

end:
  ret void
}
`
  const more = '  %3 = load float, ptr %m, align 4\n  store float %3, ptr %a, align 4\n'
  const text = keepChosenPlaces(branches(more))
  expect(text).toContain('  store ptr %p, ptr %wl.place0, align 4')
  expect(text).toContain(
    '  %wl.value3 = load float, ptr %wl.chosen2, align 4\n  store float %wl.value3, ptr %m, align 4',
  )
  expect(keepChosenPlaces(branches(''))).toBe(branches(''))
  const escaping = branches(more, '  call void @f(ptr %m)\n')
  expect(keepChosenPlaces(escaping)).toBe(escaping)
})
