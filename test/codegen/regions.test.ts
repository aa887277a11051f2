/**
 * Kernels that are compiled region by region, in versions for warps whose lanes are known (barrierRegions.ts, versions.ts):
 * static masks, assumptions that fail, lanes that end early, values that live across barriers. Against the interpreter.
 */
import { describe, expect, test } from 'vitest'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { findBarrierRegions } from '../../src/codegen/flow/barrierRegions.ts'
import { readModule } from '../../src/ir/read.ts'
import { compareExecutors, type Launched } from './compare.ts'

const HEADER = `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.barrier0.popc(i32)
@s = internal addrspace(3) global [256 x i32] undef, align 4
`
const BARRIER = 'call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)'

interface Shape {
  readonly x: number
  readonly y?: number
  readonly blocks?: number
  readonly n?: number
}

function run(body: string, { x, y = 1, blocks = 3, n = 0 }: Shape): Launched {
  const threads = x * y * blocks
  const input = Uint32Array.from({ length: threads + 256 }, (_, index) => Math.imul(index + 1, 2654435761) >>> 4)
  const launched = compareExecutors({
    ir: HEADER + body,
    grid: { x: blocks, y: 1, z: 1 },
    block: { x, y, z: 1 },
    buffers: [new Uint32Array(threads + 256), input],
    values: [n],
  })
  expect(launched.outcome.fault).toBeUndefined()
  return launched
}

function regionsOf(body: string): number | undefined {
  const module = readModule(HEADER + body, 'test.ll')
  return findBarrierRegions(
    prepareKernel(module, 'k'),
    () => false,
    () => false,
  )?.regions.length
}

const ENTRY = `
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %start = mul i32 %b, %size
  %i = add i32 %start, %t
  %from = getelementptr i32, ptr %in, i32 %i
  %to = getelementptr i32, ptr %out, i32 %i
  %mine = getelementptr [256 x i32], ptr addrspace(3) @s, i32 0, i32 %t`

function reduction(steps: readonly number[]): string {
  const parts = steps.map(
    step => `
  %c${step} = icmp ult i32 %t, ${step}
  br i1 %c${step}, label %add${step}, label %after${step}
add${step}:
  %p${step} = getelementptr i32, ptr addrspace(3) %mine, i32 ${step}
  %x${step} = load i32, ptr addrspace(3) %p${step}
  %y${step} = load i32, ptr addrspace(3) %mine
  %z${step} = add i32 %x${step}, %y${step}
  store i32 %z${step}, ptr addrspace(3) %mine
  br label %after${step}
after${step}:
  ${BARRIER}`,
  )
  return `define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {${ENTRY}
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %read, label %join
read:
  %w = load i32, ptr %from
  br label %join
join:
  %v = phi i32 [ %w, %read ], [ 7, %0 ]
  store i32 %v, ptr addrspace(3) %mine
  ${BARRIER}
  ${parts.join('')}
  %first = icmp eq i32 %t, 0
  br i1 %first, label %write, label %end
write:
  %sum = load i32, ptr addrspace(3) @s
  %ob = getelementptr i32, ptr %out, i32 %b
  store i32 %sum, ptr %ob
  br label %end
end:
  ret void
}`
}

describe('a reduction, unrolled', () => {
  const body = reduction([64, 32, 16, 8, 4, 2, 1])
  test('has a region for each barrier', () => expect(regionsOf(body)).toBe(9))
  test.each([
    { x: 128, n: 384 },
    { x: 128, n: 300 },
    { x: 128, n: 0 },
    { x: 80, n: 240 },
    { x: 80, n: 150 },
  ])('$x threads, $n elements', shape => {
    run(body, shape)
  })
})

test('lanes that end before the barrier', () => {
  const body = `define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {${ENTRY}
  %outside = icmp sge i32 %i, %n
  br i1 %outside, label %end, label %go
go:
  %v = load i32, ptr %from
  store i32 %v, ptr addrspace(3) %mine
  ${BARRIER}
  %flip = xor i32 %t, 1
  %other = getelementptr [256 x i32], ptr addrspace(3) @s, i32 0, i32 %flip
  %w = load i32, ptr addrspace(3) %other
  ${BARRIER}
  %sum = add i32 %v, %w
  store i32 %sum, ptr %to
  br label %end
end:
  ret void
}`
  expect(regionsOf(body)).toBe(3)
  for (const n of [0, 2, 32, 50, 96, 130, 192, 500]) run(body, { x: 64, n })
})

test('a loop around barriers carries numbers, doubles and flags', () => {
  const body = `define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {${ENTRY}
  br label %head
head:
  %round = phi i32 [ 0, %0 ], [ %next, %latch ]
  %sum = phi i32 [ 1, %0 ], [ %more, %latch ]
  %real = phi double [ 1.0, %0 ], [ %bigger, %latch ]
  %odd = phi i1 [ false, %0 ], [ %even, %latch ]
  %at = phi ptr [ %from, %0 ], [ %further, %latch ]
  %v = load i32, ptr %at
  store i32 %v, ptr addrspace(3) %mine
  ${BARRIER}
  %shift = add i32 %t, %round
  %wrapped = and i32 %shift, 63
  %other = getelementptr [256 x i32], ptr addrspace(3) @s, i32 0, i32 %wrapped
  %w = load i32, ptr addrspace(3) %other
  ${BARRIER}
  %flag = zext i1 %odd to i32
  %part = add i32 %w, %flag
  %more = add i32 %sum, %part
  %wide = sitofp i32 %w to double
  %bigger = fadd double %real, %wide
  %even = icmp slt i32 %w, %more
  br label %latch
latch:
  %next = add i32 %round, 1
  %further = getelementptr i32, ptr %at, i32 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %head, label %done
done:
  %bits = fptosi double %bigger to i64
  %low = trunc i64 %bits to i32
  %result = add i32 %more, %low
  store i32 %result, ptr %to
  ret void
}`
  expect(regionsOf(body)).toBe(3)
  for (const n of [1, 2, 7]) run(body, { x: 64, n })
})

test('a bounds check on what the loop around the barriers carries', () => {
  const body = `define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {${ENTRY}
  br label %head
head:
  %tile = phi i32 [ 0, %0 ], [ %next, %latch ]
  %sum = phi i32 [ 0, %0 ], [ %more, %latch ]
  %along = add i32 %tile, %t
  %inside = icmp slt i32 %along, %n
  br i1 %inside, label %read, label %keep
read:
  %at = getelementptr i32, ptr %in, i32 %along
  %v = load i32, ptr %at
  br label %keep
keep:
  %part = phi i32 [ %v, %read ], [ 0, %head ]
  store i32 %part, ptr addrspace(3) %mine
  ${BARRIER}
  %flip = xor i32 %t, 3
  %other = getelementptr [256 x i32], ptr addrspace(3) @s, i32 0, i32 %flip
  %w = load i32, ptr addrspace(3) %other
  %more = add i32 %sum, %w
  ${BARRIER}
  br label %latch
latch:
  %next = add i32 %tile, 32
  %again = icmp slt i32 %next, %n
  br i1 %again, label %head, label %done
done:
  store i32 %more, ptr %to
  ret void
}`
  expect(regionsOf(body)).toBe(3)
  for (const n of [32, 40, 96, 100]) run(body, { x: 32, n })
})

test('the result of a counting barrier, read behind the next one', () => {
  const body = `define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {${ENTRY}
  %v = load i32, ptr %from
  %bit = and i32 %v, 1
  %count = call i32 @llvm.nvvm.barrier0.popc(i32 %bit)
  %high = icmp sgt i32 %v, 100000000
  %wide = zext i1 %high to i32
  %count2 = call i32 @llvm.nvvm.barrier0.popc(i32 %wide)
  ${BARRIER}
  %scaled = mul i32 %count, 1000
  %both = add i32 %scaled, %count2
  store i32 %both, ptr %to
  ret void
}`
  expect(regionsOf(body)).toBe(4)
  for (const x of [32, 40, 96]) run(body, { x })
})

test('every other thread, at strides, with an atomic, by rows', () => {
  const body = `define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %part = mul i32 %row, 16
  %cell = add i32 %part, %t
  %blockStart = mul i32 %b, 64
  %i = add i32 %blockStart, %cell
  %mine = getelementptr [256 x i32], ptr addrspace(3) @s, i32 0, i32 %cell
  %from = getelementptr i32, ptr %in, i32 %i
  %to = getelementptr i32, ptr %out, i32 %i
  %v = load i32, ptr %from
  store i32 %v, ptr addrspace(3) %mine
  ${BARRIER}
  %low = and i32 %t, 1
  %isEven = icmp eq i32 %low, 0
  br i1 %isEven, label %even, label %odd
even:
  %twice = shl i32 %cell, 1
  %far = getelementptr [256 x i32], ptr addrspace(3) @s, i32 0, i32 %twice
  store i32 %cell, ptr addrspace(3) %far
  %k = add i32 %v, 3
  br label %meet
odd:
  %last = icmp eq i32 %row, 3
  br i1 %last, label %deep, label %shallow
deep:
  %old = atomicrmw add ptr %out, i32 5 monotonic
  br label %shallow
shallow:
  %m = phi i32 [ %v, %odd ], [ 11, %deep ]
  br label %meet
meet:
  %r = phi i32 [ %k, %even ], [ %m, %shallow ]
  ${BARRIER}
  %seen = load i32, ptr addrspace(3) %mine
  %sum = add i32 %seen, %r
  %behind = getelementptr i32, ptr %to, i32 64
  store i32 %sum, ptr %behind
  ret void
}`
  expect(regionsOf(body)).toBe(3)
  run(body, { x: 16, y: 4 })
})

test('loops and branches that all lanes take together, inside a version', () => {
  const body = `define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {${ENTRY}
  %first = icmp ult i32 %t, 32
  br i1 %first, label %warp, label %rest
warp:
  br label %loop
loop:
  %j = phi i32 [ 0, %warp ], [ %j1, %latch ]
  %acc = phi i32 [ %t, %warp ], [ %acc2, %latch ]
  %bit = and i32 %j, 1
  %isOdd = icmp eq i32 %bit, 1
  br i1 %isOdd, label %a, label %latch
a:
  %x = mul i32 %acc, 3
  br label %latch
latch:
  %acc1 = phi i32 [ %acc, %loop ], [ %x, %a ]
  %acc2 = add i32 %acc1, %j
  %j1 = add i32 %j, 1
  %more = icmp slt i32 %j1, %n
  br i1 %more, label %loop, label %exit
exit:
  switch i32 %n, label %other [
    i32 3, label %three
    i32 5, label %five
  ]
three:
  br label %join
five:
  br label %join
other:
  br label %join
join:
  %plus = phi i32 [ 100, %three ], [ 200, %five ], [ 300, %other ]
  %total = add i32 %acc2, %plus
  br label %rest
rest:
  %value = phi i32 [ %i, %0 ], [ %total, %join ]
  store i32 %value, ptr %to
  ret void
}`
  for (const n of [1, 3, 4, 5]) run(body, { x: 96, n })
})

test('two ways of a switch that meet, a third that does not', () => {
  const body = `define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {${ENTRY}
  switch i32 %n, label %end [
    i32 3, label %three
    i32 5, label %five
  ]
three:
  br label %meet
five:
  br label %meet
meet:
  %value = phi i32 [ 100, %three ], [ 200, %five ]
  store i32 %value, ptr %to
  br label %end
end:
  ret void
}`
  for (const n of [3, 4, 5]) run(body, { x: 64, n })
})

test('warps that may wait at different barriers are not taken apart', () => {
  const body = `define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {${ENTRY}
  %first = icmp ult i32 %t, 32
  br i1 %first, label %one, label %two
one:
  ${BARRIER}
  br label %end
two:
  ${BARRIER}
  br label %end
end:
  store i32 %t, ptr %to
  ret void
}`
  expect(regionsOf(body)).toBeUndefined()
  run(body, { x: 64 })
})
