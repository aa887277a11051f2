/** What the time model is told about a program: waits by dependence, instructions by estimate. Programs are LLVM IR text. */
import { describe, expect, test } from 'vitest'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { readModule } from '../../src/ir/read.ts'
import { blockInstructions, latencyChainOf } from '../../src/metrics/time/latencyChain.ts'

const HEAD = `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
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

  test('copies past the registers are waited for where the program says so, less when further ones are on their way', () => {
    const copies = (groups: number) => {
      const asm = (text: string, args: string) => `call void asm sideeffect "${text}", ${args}`
      const copy = asm('cp.async.ca.shared.global [$0], [$1], 4, $2;', '"r,l,r"(i32 %to, ptr %p, i32 4)')
      const wait = asm('cp.async.wait_group $0;', `"r"(i32 ${groups})`)
      return chain(`${ADDRESS}
  %to = ptrtoint ptr addrspace(3) @tile to i32
  ${copy}
  ${copy}
  ${wait}
  %v = load volatile float, ptr addrspace(3) @tile, align 4
  store float %v, ptr %q, align 4
  ret void`)
    }
    expect(copies(0)).toMatchObject({ globalWaits: 1, sharedWaits: 1 })
    expect(copies(1)).toMatchObject({ globalWaits: 0.5, sharedWaits: 1 })
  })

  test('integer multiply-adds of inline assembly stay apart, and a warp alone issues one in two cycles (`register_bench` of unseen25: 128 in 265)', () => {
    const mad = (i: number) =>
      `  %c${i + 4} = call i32 asm sideeffect "mad.lo.u32 $0, $1, $2, $0;", "=r,r,r,0"(i32 %tid, i32 %n, i32 %c${i})`
    const { dependentCycles } = chain(`${ADDRESS}
  %c0 = add i32 %tid, 1
  %c1 = add i32 %tid, 2
  %c2 = add i32 %tid, 3
  %c3 = add i32 %tid, 4
${Array.from({ length: 128 }, (_, i) => mad(i)).join('\n')}
  %s = xor i32 %c128, %c129
  %t = xor i32 %c130, %c131
  %r = xor i32 %s, %t
  store i32 %r, ptr %q, align 4
  ret void`)
    expect(dependentCycles).toBeGreaterThan(255)
    expect(dependentCycles).toBeLessThan(290)
  })

  test('48 words a constant apart are three groups, as there are registers for 16 at once (machine code of `C_48`: 2.8 waits)', () => {
    const place = (i: number) =>
      `  %p${i} = getelementptr i8, ptr %p, i32 ${4000 * i}\n  %x${i} = load float, ptr %p${i}, align 4\n`
    const sum = (i: number) => `  %s${i} = fadd float %${i === 1 ? 'x0' : `s${i - 1}`}, %x${i}\n`
    const rounds = Array.from({ length: 48 }, (_, i) => place(i) + (i > 0 ? sum(i) : ''))
    const { globalWaits } = chain(`${ADDRESS}\n${rounds.join('')}  store float %s47, ptr %q, align 4\n  ret void`)
    expect(globalWaits).toBeCloseTo(3, 9)
  })

  test('loads of what nothing writes go ahead over barriers, four rounds at once; others wait every round (`coefficients`, `plain`)', () => {
    const loop = `entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t = getelementptr [64 x float], ptr addrspace(3) @tile, i32 0, i32 %tid
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s1, %loop ]
  %k = add i32 %i, %tid
  %p = getelementptr float, ptr %a, i32 %k
  %x = load float, ptr %p, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %s1 = fadd float %s, %x
  %i1 = add nsw i32 %i, 32
  %c = icmp slt i32 %i1, %n
  br i1 %c, label %loop, label %end
end:
  %q = getelementptr float, ptr %b, i32 %tid
  store float %s1, ptr %q, align 4
  ret void`
    const runs = (output: string) => {
      const { program } = chain(loop, undefined, output)
      const executions = program.kernel.blocks.map(({ name }) => (/^loop/.test(name) ? 16 : 1))
      return latencyChainOf(program, executions, 1).globalWaits
    }
    expect(runs('ptr noalias %b')).toBe(4)
    expect(runs('ptr %b')).toBe(16)
  })

  test('an address that comes from memory may be one of constant memory and is waited for all the same (`ptrChasingKernel`)', () => {
    const chase = `@table = addrspace(4) externally_initialized global [4 x float] zeroinitializer, align 4
${HEAD}define ptx_kernel void @k(ptr %a, ptr %b) {
  %p = load ptr, ptr %a, align 4
  %q = load ptr, ptr %p, align 4
  %x = load float, ptr %q, align 4
  store float %x, ptr %b, align 4
  ret void
}`
    const program = prepareKernel(readModule(chase, 'k.cu'), 'k')
    expect(latencyChainOf(program, [1], 1).globalWaits).toBe(3)
  })

  test('a load stays behind the store before it to another array of shared memory, if places are found (`prepare_svd_kernel`)', () => {
    const scan = (place: string) => `@in = internal addrspace(3) global [64 x i32] undef, align 4
@out = internal addrspace(3) global [64 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %a) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr [64 x i32], ptr addrspace(3) @in, i32 0, i32 ${place}
  %to = getelementptr [64 x i32], ptr addrspace(3) @out, i32 0, i32 ${place}
  %x = load volatile i32, ptr addrspace(3) %from, align 4
  store volatile i32 %x, ptr addrspace(3) %to, align 4
  %y = load volatile i32, ptr addrspace(3) %from, align 4
  store i32 %y, ptr %a, align 4
  ret void
}`
    const waits = (place: string) =>
      latencyChainOf(prepareKernel(readModule(scan(place), 'k.cu'), 'k'), [1], 1).sharedWaits
    expect(waits('%tid')).toBe(2)
    expect(waits('5')).toBe(1)
  })

  test('loads do not go ahead over a switch of three ways (`chi_kernel`)', () => {
    const body = `${ADDRESS}
  %x = load i32, ptr %p, align 4
  switch i32 %x, label %end [i32 1, label %one i32 2, label %two i32 3, label %three]
one:
  br label %end
two:
  br label %end
three:
  br label %end
end:
  %s = phi i32 [ 0, %entry ], [ 3, %one ], [ 5, %two ], [ 7, %three ]
  %y = load i32, ptr %q, align 4
  %z = add i32 %y, %s
  store i32 %z, ptr %q, align 4
  ret void`
    expect(chain(body).globalWaits).toBe(2)
  })

  test('the same warp goes through an inner loop every round, where a condition that stays lets it in (`bisectKernelLarge`)', () => {
    const nested = (guard: string) => `entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp slt i32 %tid, %n
  %t = getelementptr [64 x float], ptr addrspace(3) @tile, i32 0, i32 %tid
  br label %outer
outer:
  %r = phi i32 [ 0, %entry ], [ %r1, %latch ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %turn = icmp eq i32 %r, %tid
  br i1 ${guard}, label %enter, label %latch
enter:
  %step = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %inner
inner:
  %i = phi i32 [ 0, %enter ], [ %i1, %inner ]
  %x = load volatile float, ptr addrspace(3) %t, align 4
  %i1 = add i32 %i, %step
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %inner, label %latch
latch:
  %r1 = add nsw i32 %r, 1
  %again = icmp slt i32 %r1, %n
  br i1 %again, label %outer, label %end
end:
  ret void`
    /** Eight warps in a block, ten rounds; in each, as many as one warp goes a hundred times through the inner loop. */
    const waits = (guard: string) => {
      const { program } = chain(nested(guard))
      const runs: Readonly<Record<string, number>> = { entry: 8, end: 8, enter: 10, inner: 1000 }
      const executions = program.kernel.blocks.map(({ name }) => runs[name] ?? 80)
      return latencyChainOf(program, executions, 8, { imbalance: 1, warps: 8 }).sharedWaits
    }
    expect(waits('%few')).toBeCloseTo(1000, 6)
    expect(waits('%turn')).toBeCloseTo(125, 6)
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

  /** `for (i = 0; i < n; i += step) sum += a[i * scale]`, with `extra` in each round. */
  const loop = (step: string, { scaled = '%i', extra = '' } = {}) => `entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  ${scaled === '%i' ? '' : '%j = mul i32 %i, 1024'}
  %p = getelementptr float, ptr %a, i32 ${scaled}
  %x = load float, ptr %p, align 4
  %sum = fadd float %s, %x
  ${extra}
  %next = add i32 %i, ${step}
  %c = icmp slt i32 %next, %n
  br i1 %c, label %loop, label %end
end:
  store float %sum, ptr %b, align 4
  ret void`
  const waits = (body: string) => chain(body, [1, 100, 1]).globalWaits

  test('a loop that the machine compiler writes out waits once in four rounds', () => {
    expect(waits(loop('1'))).toBe(25)
    expect(chain(loop('1'), [1, 3, 1]).globalWaits).toBe(1)
  })

  test('one that steps by a variable, or whose index is counted apart, waits every time round', () => {
    expect(waits(loop('%n'))).toBe(100)
    expect(waits(loop('1', { scaled: '%j' }))).toBe(100)
  })

  test('and so does one whose next load may be what it stored', () => {
    const extra = 'store float %sum, ptr %b, align 4'
    expect(waits(loop('1', { extra }))).toBe(100)
    expect(chain(loop('1', { extra }), [1, 100, 1], 'ptr noalias %b').globalWaits).toBe(25)
  })
})

test('what stands behind several short conditions waits with what is around it, longer ways wait by themselves', () => {
  const between = (first: string, work: string) => {
    const text = `${ADDRESS}
  %x = load float, ptr %p, align 4
  %s = getelementptr float, ptr addrspace(3) @tile, i32 %tid
  store float %x, ptr addrspace(3) %s, align 4
  %c = icmp eq i32 %tid, 0
  br i1 %c, label %inner, label %or
or:
  %d = icmp eq i32 %tid, %n
  br i1 %d, label %inner, label %join
inner:
  %l = getelementptr float, ptr %a, i32 %n
  %y = load float, ptr %l, align 4
${work}
  store float ${first}, ptr addrspace(3) @tile, align 4
  br label %join
join:
  %z = load float, ptr %q, align 4
  store float %z, ptr %p, align 4
  ret void`
    const times: Record<string, number> = { entry: 8, join: 8, or: 7, inner: 2 }
    const program = prepareKernel(
      readModule(`${HEAD}define ptx_kernel void @k(ptr %a, ptr %b, i32 %n) {\n${text}\n}`, 'k.cu'),
      'k',
    )
    return latencyChainOf(
      program,
      program.kernel.blocks.map(({ name }) => times[name] ?? 8),
      8,
    ).globalWaits
  }
  expect(between('%y', '')).toBe(1)
  const work = Array.from({ length: 12 }, (_, i) => `  %v${i} = fmul float ${i === 0 ? '%y' : `%v${i - 1}`}, %y`).join(
    '\n',
  )
  expect(between('%v11', work)).toBeGreaterThan(1)
})

describe('the longest warp of a block', () => {
  // A tree over shared memory: as in every reduction, half of the warps go in, then a quarter, at last one.
  const tree = (condition: string) => `entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = getelementptr float, ptr addrspace(3) @tile, i32 %tid
  br label %loop
loop:
  %half = phi i32 [ 128, %entry ], [ %next, %join ]
  ${condition}
  br i1 %c, label %inside, label %join
inside:
  %t = getelementptr float, ptr addrspace(3) %s, i32 %half
  %x = load float, ptr addrspace(3) %t, align 4
  %y = load float, ptr addrspace(3) %s, align 4
  %sum = fadd float %x, %y
  %sum2 = fmul float %sum, %x
  %sum3 = fmul float %sum2, %y
  %sum4 = fmul float %sum3, %y
  store float %sum4, ptr addrspace(3) %s, align 4
  br label %join
join:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = lshr i32 %half, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %end
end:
  ret void`
  const shared = (condition: string) => {
    const program = prepareKernel(
      readModule(`${HEAD}define ptx_kernel void @k(ptr %a, i32 %n) {\n${tree(condition)}\n}`, 'k.cu'),
      'k',
    )
    const times: Record<string, number> = { entry: 8, loop: 64, inside: 15, end: 8 }
    const executions = program.kernel.blocks.map(({ name }) => times[name] ?? 64)
    return latencyChainOf(program, executions, 8, { imbalance: 1, warps: 8 }).sharedWaits
  }

  test('goes in every time where thread numbers decide', () => {
    expect(shared('%c = icmp ult i32 %tid, %half')).toBe(8)
  })

  test('goes in as often as the average one where data decide', () => {
    const data = '%d = load i32, ptr %a, align 4\n  %c = icmp ult i32 %d, %half'
    expect(shared(data)).toBeCloseTo(15 / 8)
  })

  test('goes round no more often than all of them, though it loads more, where arguments decide', () => {
    const rounds = (bound: string) => {
      const text = `entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr %a, i32 %tid
  %data = load i32, ptr %p, align 4
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %a, i32 %i
  %x = load volatile float, ptr %at, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, ${bound}
  br i1 %more, label %loop, label %end
end:
  ret void`
      const program = prepareKernel(
        readModule(`${HEAD}define ptx_kernel void @k(ptr %a, i32 %n) {\n${text}\n}`, 'k.cu'),
        'k',
      )
      const times: Record<string, number> = { entry: 8, end: 8 }
      const executions = program.kernel.blocks.map(({ name }) => times[name] ?? 80)
      return latencyChainOf(program, executions, 8, { imbalance: 2, warps: 8 }).globalWaits
    }
    // One wait in front of the loop, which may be the longest warp's alone.
    expect(rounds('%n')).toBeLessThanOrEqual(12)
    expect(rounds('%data')).toBeGreaterThan(20)
  })

  test('has waits where it never comes to a loop within one that goes by data', () => {
    const text = `entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr %a, i32 %tid
  %data = load i32, ptr %p, align 4
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %at = getelementptr float, ptr %a, i32 %i
  %x = load volatile float, ptr %at, align 4
  %some = icmp sgt i32 %n, 3
  br i1 %some, label %inner, label %latch
inner:
  %j = phi i32 [ 0, %outer ], [ %following, %inner ]
  %y = load volatile float, ptr %a, align 4
  %following = add nsw i32 %j, 1
  %again = icmp slt i32 %following, %n
  br i1 %again, label %inner, label %latch
latch:
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %data
  br i1 %more, label %outer, label %end
end:
  ret void`
    const program = prepareKernel(
      readModule(`${HEAD}define ptx_kernel void @k(ptr %a, i32 %n) {\n${text}\n}`, 'k.cu'),
      'k',
    )
    const executions = program.kernel.blocks.map(({ name }) => ({ outer: 8, latch: 8, inner: 0 })[name] ?? 4)
    expect(latencyChainOf(program, executions, 4, { imbalance: 1, warps: 4 }).globalWaits).toBeCloseTo(3)
  })

  // A loop that one warp of eight comes to: of every block the same, or all of one block in eight.
  const behind = (decides: string) => {
    const text = `entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c = icmp ult i32 ${decides}, %n
  br i1 %c, label %some, label %end
some:
  br label %loop
loop:
  %i = phi i32 [ 0, %some ], [ %next, %loop ]
  %at = phi i32 [ %tid, %some ], [ %found, %loop ]
  %p = getelementptr i32, ptr %a, i32 %at
  %found = load i32, ptr %p, align 4
  store i32 %found, ptr %a, align 4
  %next = add i32 %i, 1
  %more = icmp ne i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void`
    const head = `${HEAD}declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n`
    const program = prepareKernel(
      readModule(`${head}define ptx_kernel void @k(ptr %a, i32 %n) {\n${text}\n}`, 'k.cu'),
      'k',
    )
    const executions = program.kernel.blocks.map(({ name }) => ({ some: 8, loop: 80 })[name] ?? 64)
    return latencyChainOf(program, executions, 64, { imbalance: 1, warps: 8 }).globalWaits
  }

  test('comes to a loop alone where thread numbers decide; where the block’s does, its neighbours come too', () => {
    expect(behind('%tid') / behind('%cta')).toBeGreaterThan(2)
  })

  // The same with nothing between the condition and the loop; four rounds wait together.
  test('so it does where the condition stands right in front of the loop', () => {
    const text = `entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp eq i32 %tid, 0
  br i1 %c, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr [64 x float], ptr addrspace(3) @tile, i32 0, i32 %i
  %v = load volatile float, ptr addrspace(3) %p, align 4
  %next = add i32 %i, 1
  %more = icmp ne i32 %next, %n
  br i1 %more, label %loop, label %last
last:
  store float %v, ptr %a, align 4
  br label %end
end:
  ret void`
    const program = prepareKernel(
      readModule(`${HEAD}define ptx_kernel void @k(ptr %a, i32 %n) {\n${text}\n}`, 'k.cu'),
      'k',
    )
    const executions = program.kernel.blocks.map(({ name }) => ({ loop: 64, last: 1 })[name] ?? 8)
    expect(latencyChainOf(program, executions, 8, { imbalance: 1, warps: 8 }).sharedWaits).toBe(64 / 4)
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

describe('instructions of branches', () => {
  const guarded = (inside: string) =>
    blockInstructions(
      chain(`${ADDRESS}
  %c = icmp slt i32 %tid, %n
  br i1 %c, label %inside, label %join
inside:
${inside}
  br label %join
join:
  store float 0.0, ptr %q, align 4
  ret void`).program,
    )
  const sums = (count: number) =>
    Array.from({ length: count }, (_, i) => `  store volatile float ${i}.0, ptr %p, align 4`).join('\n')

  test('a short conditional block is predicated: all that come to it execute it, nobody jumps', () => {
    // Prologue, two pointers, thread number, two addresses, comparison, and the block itself.
    expect(guarded(sums(3))).toEqual([3 + 2 + 4 + 3, 0, 2])
  })

  test('a long one stands between BSSY and BSYNC', () => {
    // One of the two addresses, and the pointer that it is made from, are needed there alone.
    expect(guarded(sums(12))).toEqual([3 + 1 + 3 + 3, 1 + 12 + 1, 2])
  })
})

test('code that is not in the instruction cache when a warp comes back to it is fetched, a short loop in a long kernel is not', () => {
  const products = (from: string, name: string) =>
    Array.from({ length: 9000 }, (_, i) => `  %${name}${i} = mul i32 ${i === 0 ? from : `%${name}${i - 1}`}, %n`).join(
      '\n',
    )
  const loop = (before: string, inside: string) => `entry:
${before}
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
${inside}
  store volatile i32 %i, ptr %a, align 4
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void`
  const cyclesOf = (body: string, rounds: number) => chain(body, [1, rounds, 1]).dependentCycles
  const round = (body: string) => (cyclesOf(body, 1000) - cyclesOf(body, 1)) / 999
  const longBefore = `${products('%n', 'p')}\n  store volatile i32 %p8999, ptr %b, align 4`
  expect(round(loop(longBefore, ''))).toBeCloseTo(round(loop('', '')), 1)
  const longInside = `${products('%i', 'q')}\n  store volatile i32 %q8999, ptr %b, align 4`
  // A chain of four cycles each hides no line that comes from L2.
  expect(round(loop('', longInside)) / 9000).toBeCloseTo(4 + 6.2, 1)
})

test('loads under predicates are on their way together, however long what stands between them, which nobody jumps to', () => {
  const products = Array.from({ length: 30 }, (_, i) => `  %q${i} = mul i32 ${i ? `%q${i - 1}` : '%n'}, %n`).join('\n')
  const body = (inFirst: string) => `entry:
  %c0 = icmp sgt i32 %n, 3
  br i1 %c0, label %first, label %between
first:
  %v = load i32, ptr %a, align 4
${inFirst}
  br label %between
between:
  %x = phi i32 [ 0, %entry ], [ %v, %first ]
${products}
  %c1 = icmp sgt i32 %q29, 3
  br i1 %c1, label %second, label %end
second:
  %w = load i32, ptr %b, align 4
  br label %end
end:
  %y = phi i32 [ 0, %between ], [ %w, %second ]
  %z = add i32 %x, %y
  store i32 %z, ptr %b, align 4
  ret void`
  expect(chain(body(''), [1, 1, 1, 1, 1]).globalWaits).toBe(1)
  // A block that is too long for a predicate is jumped over.
  const long = Array.from({ length: 12 }, (_, i) => `  %l${i} = mul i32 ${i ? `%l${i - 1}` : '%v'}, %n`).join('\n')
  const jumped = body(`${long}\n  store volatile i32 %l11, ptr %a, align 4`)
  expect(chain(jumped, [1, 1, 1, 1, 1]).globalWaits).toBe(2)
})

test('ways for operands out of the ordinary are code too, which the instruction caches hold', () => {
  const cyclesOf = (operation: string, count: number) => {
    const line = (i: number) => `  %q${i} = ${operation} float ${i ? `%q${i - 1}` : '%x'}, %y`
    const body = Array.from({ length: count }, (_, i) => line(i)).join('\n')
    const text = `  %x = load float, ptr %a, align 4
  %y = load float, ptr %b, align 4
${body}
  store float %q${count - 1}, ptr %a, align 4
  ret void`
    return chain(text, [1]).dependentCycles / count
  }
  // Ten instructions of a quotient are executed, fifteen stand there.
  expect(cyclesOf('fdiv', 500)).toBeCloseTo(60, 0)
  expect(cyclesOf('fdiv', 600)).toBeCloseTo(60 + 10 * 6.2, 0)
  expect(cyclesOf('fmul', 8000)).toBeCloseTo(4, 0)
})
