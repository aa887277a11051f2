/** The work of loops, all blocks' and the busiest one's: what the time model takes for how unevenly it lies on blocks. */
import { expect, test } from 'vitest'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { createGeneratedExecutor } from '../../src/codegen/executor.ts'
import { readModule } from '../../src/ir/read.ts'
import { launchOn } from './compare.ts'

/** Each block goes round as often as its word says; a round is seven instructions, with the barrier eight. */
const kernel = (barrier: string): string => `
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @k(ptr %rounds, ptr %out) {
entry:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %p = getelementptr i32, ptr %rounds, i32 %block
  %n = load i32, ptr %p, align 4
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi i32 [ 1, %entry ], [ %z, %loop ]
  %y = mul i32 %x, 3
  %z = xor i32 %y, %i
  ${barrier}
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr i32, ptr %out, i32 %block
  store i32 %z, ptr %q, align 4
  ret void
}`

const WARPS = 2
/** The third is more than fuel for one look at the clock. */
const ROUNDS = [1, 5, 200_000, 40]

function run(ir: string, alwaysResumable: boolean) {
  const program = prepareKernel(readModule(ir, 'test.ll'), 'k')
  const { outcome } = launchOn(createGeneratedExecutor({ alwaysResumable }), program, {
    ir,
    grid: { x: ROUNDS.length, y: 1, z: 1 },
    block: { x: 32 * WARPS, y: 1, z: 1 },
    buffers: [new Uint32Array(ROUNDS), new Uint32Array(32 * WARPS)],
  })
  expect(outcome.fault).toBeUndefined()
  return outcome.loopWork!
}

test.each([false, true])('rounds after the first, resumable: %s', alwaysResumable => {
  const work = ROUNDS.map(rounds => WARPS * (rounds - 1) * 7)
  expect(run(kernel(''), alwaysResumable)).toEqual({
    all: work.reduce((sum, one) => sum + one),
    most: Math.max(...work),
    // One warp of each block is like the other.
    ...(!alwaysResumable && { longest: work.reduce((sum, one) => sum + one) / WARPS }),
  })
})

test('the longest warp of each block, from barrier to barrier', () => {
  // Warps 0 and 1 go round once and three times, and behind the barrier the other way round.
  const loop = (name: string, rounds: string, next: string) => `
  br label %${name}
${name}:
  %i.${name} = phi i32 [ 0, %${name === 'first' ? 'entry' : 'between'} ], [ %next.${name}, %${name} ]
  %next.${name} = add i32 %i.${name}, 1
  %more.${name} = icmp ult i32 %next.${name}, ${rounds}
  br i1 %more.${name}, label %${name}, label %${next}`
  const { all, longest } = run(
    `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @k(ptr %rounds, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = lshr i32 %t, 5
  %twice = shl i32 %warp, 1
  %up = add i32 %twice, 1
  %down = sub i32 3, %twice
  ${loop('first', '%up', 'between')}
between:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ${loop('second', '%down', 'end')}
end:
  %q = getelementptr i32, ptr %out, i32 %t
  store i32 %next.second, ptr %q, align 4
  ret void
}`,
    false,
  )
  // A round is four instructions; two further ones in each loop, by one of the two warps.
  expect(all).toBe(ROUNDS.length * 2 * 2 * 4)
  expect(longest).toBe(all)
})

test('rounds from barrier to barrier: as much more as there are more of them', () => {
  const { all, most } = run(kernel('call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)'), false)
  const rounds = ROUNDS.reduce((sum, one) => sum + one)
  expect(most / all).toBeCloseTo(200_000 / rounds, 4)
})

test('without loops nobody watches', () => {
  expect(run('define ptx_kernel void @k(ptr %rounds, ptr %out) {\n  ret void\n}', false)).toBeUndefined()
})
