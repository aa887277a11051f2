/** What the time model is told about a program: waits by dependence, instructions by estimate. Programs are LLVM IR text. */
import { describe, expect, test } from 'vitest'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { readModule } from '../../src/ir/read.ts'
import { blockInstructions, latencyChainOf } from '../../src/metrics/latencyChain.ts'

const HEAD = `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
@tile = internal addrspace(3) global [64 x float] undef, align 4
`

/** One warp runs every block `times[i]` times (once each by default). */
function chain(body: string, times?: readonly number[], output = 'ptr %b') {
  const program = prepareKernel(
    readModule(`${HEAD}define ptx_kernel void @k(ptr %a, ${output}, i32 %n) {\n${body}\n}`, 'k.cu'),
    'k',
  )
  const executions = times ?? program.kernel.blocks.map(() => 1)
  expect(executions).toHaveLength(program.kernel.blocks.length)
  return { program, ...latencyChainOf(program, executions, 1) }
}

const ADDRESS = `entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr %a, i32 %tid
  %q = getelementptr float, ptr %b, i32 %tid`

describe('waits', () => {
  test('a copy waits once', () => {
    expect(
      chain(`${ADDRESS}
  %x = load float, ptr %p, align 4
  store float %x, ptr %q, align 4
  ret void`),
    ).toMatchObject({ globalWaits: 1, sharedWaits: 0, barriers: 0 })
  })

  test('two loads that do not depend on each other are one wait, a gather is two', () => {
    expect(
      chain(`${ADDRESS}
  %x = load float, ptr %p, align 4
  %y = load float, ptr %q, align 4
  %s = fadd float %x, %y
  store float %s, ptr %q, align 4
  ret void`).globalWaits,
    ).toBe(1)
    expect(
      chain(`${ADDRESS}
  %i = load i32, ptr %p, align 4
  %r = getelementptr float, ptr %b, i32 %i
  %x = load float, ptr %r, align 4
  store float %x, ptr %q, align 4
  ret void`).globalWaits,
    ).toBe(2)
  })

  test('loads in two short guarded blocks overlap, as predicated ones do, where a store between them is to other memory', () => {
    const body = `${ADDRESS}
  %c = icmp slt i32 %tid, %n
  br i1 %c, label %one, label %middle
one:
  %x = load float, ptr %p, align 4
  store float %x, ptr %q, align 4
  br label %middle
middle:
  %p2 = getelementptr i8, ptr %p, i32 4096
  %q2 = getelementptr i8, ptr %q, i32 4096
  br i1 %c, label %two, label %end
two:
  %y = load float, ptr %p2, align 4
  store float %y, ptr %q2, align 4
  br label %end
end:
  ret void`
    expect(chain(body, undefined, 'ptr noalias %b').globalWaits).toBe(1)
    // The store may be to the second load's memory: it stays behind.
    expect(chain(body).globalWaits).toBe(2)
  })

  test('a barrier parts two waits; shared memory waits apart', () => {
    expect(
      chain(`${ADDRESS}
  %s = getelementptr float, ptr addrspace(3) @tile, i32 %tid
  %x = load float, ptr %p, align 4
  store float %x, ptr addrspace(3) %s, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %y = load float, ptr addrspace(3) %s, align 4
  store float %y, ptr %q, align 4
  ret void`),
    ).toMatchObject({ globalWaits: 1, sharedWaits: 1, barriers: 1 })
  })

  test('a loop waits every time round', () => {
    const body = `entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %p = getelementptr float, ptr %a, i32 %i
  %x = load float, ptr %p, align 4
  %sum = fadd float %s, %x
  %next = add i32 %i, 1
  %c = icmp slt i32 %next, %n
  br i1 %c, label %loop, label %end
end:
  store float %sum, ptr %b, align 4
  ret void`
    expect(chain(body, [1, 100, 1]).globalWaits).toBe(100)
  })
})

test('instructions: about what the machine compiler makes of a copy (prologue, index, load, store)', () => {
  const { program } = chain(`${ADDRESS}
  %x = load float, ptr %p, align 4
  store float %x, ptr %q, align 4
  ret void`)
  // 11 of 16 that the machine has with its bounds check (limits.json, copy).
  expect(blockInstructions(program)).toEqual([11])
})
