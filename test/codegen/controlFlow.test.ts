/** Branches of a divided warp whose edges write and read the same phis; code that a program declares unreachable. */
import { expect, test } from 'vitest'
import { DEBUG_INFO_OF_K } from '../ir/samples.ts'
import { compareExecutors, type Launched } from './compare.ts'

function launch(body: string): Launched {
  return compareExecutors({
    ir: `declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
${body}
}`,
    grid: { x: 1, y: 1, z: 1 },
    block: { x: 32, y: 1, z: 1 },
    buffers: [new Uint32Array(32)],
  })
}

const run = (body: string): Uint32Array => launch(body).buffers[0]!

const STORE = `
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %r, ptr %to, align 4
  ret void`

test('lanes leave a loop with its phi while others take the way back, which comes first in the branch', () => {
  const out = run(`  %step = or i32 %tid, 1
  br label %loop
loop:
  %i = phi i32 [ 5, %entry ], [ %j, %loop ]
  %j = add i32 %i, %step
  %more = icmp ult i32 %j, 40
  br i1 %more, label %loop, label %done
done:
  %r = phi i32 [ %i, %loop ]${STORE}`)
  expect([...out.slice(0, 4)]).toEqual([39, 39, 38, 38])
})

test('a switch with ways back to two loops and out of both', () => {
  run(`  br label %outer
outer:
  %a = phi i32 [ 0, %entry ], [ %b, %inner ]
  %turn = phi i32 [ 0, %entry ], [ %turn1, %inner ]
  %turn1 = add i32 %turn, 1
  br label %inner
inner:
  %b = phi i32 [ %a, %outer ], [ %c, %inner ]
  %n = phi i32 [ %turn, %outer ], [ %m, %inner ]
  %c = add i32 %b, 3
  %m = add i32 %n, 1
  %x = mul i32 %m, 7
  %y = add i32 %x, %tid
  %end = icmp ugt i32 %turn, 6
  %z = urem i32 %y, 5
  %s = select i1 %end, i32 9, i32 %z
  switch i32 %s, label %inner [ i32 0, label %outer i32 1, label %outer i32 9, label %done ]
done:
  %ab = mul i32 %a, 1000
  %r = add i32 %ab, %b${STORE}`)
})

test('who reaches what is declared unreachable is stopped: some lanes, all lanes, none', () => {
  const reaching = (condition: string): Launched =>
    launch(`
  %c = icmp ${condition}
  br i1 %c, label %never, label %end
never:
  unreachable
end:
  ret void`)
  for (const condition of ['eq i32 %tid, 5', 'ult i32 %tid, 99'])
    expect(reaching(condition).outcome.fault).toMatchObject({ kind: 'trap' })
  expect(reaching('ugt i32 %tid, 99').outcome.fault).toBeUndefined()
  expect(
    launch(`
  %loaded = load i32, ptr %out, align 4
  %c = icmp ne i32 %loaded, 7
  br i1 %c, label %never, label %end
never:
  unreachable
end:
  ret void`).outcome.fault,
  ).toMatchObject({ kind: 'trap' })
  expect(launch('  unreachable').outcome.fault).toMatchObject({ kind: 'trap' })
})

test('a store whose place LLVM dropped, as of two branches, is where what it stores is', () => {
  const { outcome } = compareExecutors({
    ir: `declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out) !dbg !3 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !4
  %c = icmp ult i32 %tid, 7, !dbg !4
  br i1 %c, label %some, label %end, !dbg !4
some:
  %own = getelementptr i32, ptr %out, i32 %tid, !dbg !5
  %loaded = load i32, ptr %own, align 4, !dbg !6
  br label %end, !dbg !6
end:
  %value = phi i32 [ %loaded, %some ], [ 0, %entry ], !dbg !7
  %odd = getelementptr i8, ptr %out, i32 1, !dbg !7
  store i32 %value, ptr %odd, align 4, !dbg !7
  ret void, !dbg !7
}
${DEBUG_INFO_OF_K}
!4 = !DILocation(line: 2, column: 1, scope: !3)
!5 = !DILocation(line: 3, column: 1, scope: !3)
!6 = !DILocation(line: 4, column: 9, scope: !3)
!7 = !DILocation(line: 0, scope: !3)`,
    grid: { x: 1, y: 1, z: 1 },
    block: { x: 32, y: 1, z: 1 },
    buffers: [new Uint32Array(32)],
  })
  expect(outcome.fault).toMatchObject({ kind: 'misaligned-address', location: { file: 'k.cu', line: 4, column: 0 } })
})
