import { expect, test } from 'vitest'
import { repairVariables } from '../../src/analysis/rewriting/repairVariables.ts'
import { checkFunction } from '../../src/ir/check.ts'
import { operandsOf } from '../../src/ir/graph.ts'
import { readModule } from '../../src/ir/read.ts'

/** `%v` is read in the loop's body alone, before its second definition there: the head has to bring both. */
const LOOP_BODY = `define i32 @f(i1 %c, i32 %n) {
entry:
  %v = add i32 %n, 1
  br label %head
head:
  br i1 %c, label %body, label %end
body:
  %read = add i32 %v, 2
  br label %inner
inner:
  br i1 %c, label %back, label %other
back:
  %again = add i32 %n, 3
  br label %head
other:
  br label %head
end:
  ret i32 %n
}
`

test('a value that is read first behind the head of a loop comes around the loop', () => {
  const func = readModule(LOOP_BODY, 'k.cu').functions[0]!
  const block = (name: string) => func.blocks.find(each => each.name === name)!
  const [v] = block('entry').instructions
  const [again] = block('back').instructions
  const definitions = new Map([
    [block('entry'), v!],
    [block('back'), again!],
  ])
  repairVariables(func, new Map([[v!, { type: v!.type, definitions }]]))
  const [phi] = block('head').instructions
  const incoming = phi?.op === 'phi' ? phi.incoming.map(({ block: from, value }) => [from.name, value]) : []
  expect(incoming).toEqual(
    expect.arrayContaining([
      ['entry', v],
      ['back', again],
      ['other', phi],
    ]),
  )
  expect(incoming).toHaveLength(3)
  expect(operandsOf(block('body').instructions[0]!)).toContain(phi)
  checkFunction(func)
})
