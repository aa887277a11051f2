/** Divergence, barriers, waiting and calls: which lanes run together, and that everything that can go on does. */
import { describe, expect, test } from 'vitest'
import { launch } from './launch.ts'

const DECLARATIONS = `declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32, i1)
declare i32 @llvm.nvvm.activemask()
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
`

function words(count: number, value: (i: number) => number = () => 0): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => value(i))
}

describe('divergence', () => {
  test('lanes that leave a loop wait for those that stay, and store together', () => {
    const out = words(32)
    const result = launch(
      `${DECLARATIONS}
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %i, %tid
  br i1 %more, label %loop, label %done
done:
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %next, ptr %to, align 4
  ret void
}`,
      { buffers: [out] },
    )
    expect([...out]).toEqual(Array.from({ length: 32 }, (_, i) => i + 1))
    expect(result.sites[0]).toMatchObject({ executed: 1, threads: 32 })
    const [, loop, done] = result.blocks
    expect(loop).toEqual({ warps: 32, threads: (32 * 33) / 2 })
    expect(done).toEqual({ warps: 1, threads: 32 })
  })

  test('both sides of a branch run for their lanes, then all meet; phis are taken at once', () => {
    const out = words(64)
    const result = launch(
      `${DECLARATIONS}
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = and i32 %tid, 1
  %c = icmp eq i32 %odd, 0
  br i1 %c, label %even, label %loop
even:
  %e = call i32 @llvm.nvvm.activemask()
  br label %join
loop:
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %a, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %again = icmp ult i32 %j, 2
  br i1 %again, label %loop, label %join
join:
  %v = phi i32 [ %e, %even ], [ %a, %loop ]
  %m = call i32 @llvm.nvvm.activemask()
  %at = shl i32 %tid, 1
  %to = getelementptr i32, ptr %out, i32 %at
  store i32 %v, ptr %to, align 4
  %to2 = getelementptr i8, ptr %to, i32 4
  store i32 %m, ptr %to2, align 4
  ret void
}`,
      { buffers: [out] },
    )
    expect(result.fault).toBeUndefined()
    expect([...out.slice(0, 4)]).toEqual([0x5555_5555, 0xffff_ffff, 2, 0xffff_ffff])
  })

  test('a switch sends lanes three ways', () => {
    const out = words(32)
    launch(
      `${DECLARATIONS}
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %tid, label %other [ i32 3, label %three i32 5, label %join ]
three:
  br label %join
other:
  br label %join
join:
  %v = phi i32 [ 5, %entry ], [ 3, %three ], [ 9, %other ]
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %to, align 4
  ret void
}`,
      { buffers: [out] },
    )
    expect([...out.slice(2, 7)]).toEqual([9, 3, 9, 5, 9])
  })
})

describe('barriers', () => {
  const exchange = `@tile = internal addrspace(3) global [256 x i32] undef, align 4
${DECLARATIONS}
define ptx_kernel void @k(ptr %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %live = icmp ult i32 %tid, %n
  br i1 %live, label %work, label %exit
work:
  %mine = getelementptr [256 x i32], ptr addrspace(3) @tile, i32 0, i32 %tid
  store i32 %tid, ptr addrspace(3) %mine, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %last = sub i32 %n, 1
  %mirror = sub i32 %last, %tid
  %other = getelementptr [256 x i32], ptr addrspace(3) @tile, i32 0, i32 %mirror
  %v = load i32, ptr addrspace(3) %other, align 4
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %to, align 4
  br label %exit
exit:
  ret void
}`

  test('warps wait for one another', () => {
    const out = words(128)
    const result = launch(exchange, { block: 128, buffers: [out], values: [128] })
    expect(result.fault).toBeUndefined()
    expect([...out]).toEqual(Array.from({ length: 128 }, (_, i) => 127 - i))
  })

  test('threads that ended count as arrived', () => {
    const out = words(128)
    const result = launch(exchange, { block: 128, buffers: [out], values: [50] })
    expect(result.fault).toBeUndefined()
    expect([...out.slice(0, 50)]).toEqual(Array.from({ length: 50 }, (_, i) => 49 - i))
  })

  test('reductions count and combine over the block', () => {
    const out = words(128)
    launch(
      `${DECLARATIONS}
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 37
  %n = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %c)
  %d = icmp ult i32 %tid, 64
  %all = call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 %d)
  %z = zext i1 %all to i32
  %sum = add i32 %n, %z
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %sum, ptr %to, align 4
  ret void
}`,
      { block: 64, buffers: [out] },
    )
    expect([...out.slice(0, 64)]).toEqual(Array.from({ length: 64 }, () => 38))
  })

  test('named barriers with a count: producers arrive, consumers wait', () => {
    const out = words(64)
    const result = launch(
      `@box = internal addrspace(3) global i32 undef, align 4
${DECLARATIONS}
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 32
  br i1 %c, label %consume, label %produce
produce:
  store i32 77, ptr addrspace(3) @box, align 4
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 3, i32 64)
  br label %exit
consume:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 3, i32 64)
  %v = load i32, ptr addrspace(3) @box, align 4
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %to, align 4
  br label %exit
exit:
  ret void
}`,
      { block: 64, buffers: [out] },
    )
    expect(result.fault).toBeUndefined()
    expect(out[5]).toBe(77)
  })

  test('a barrier that nobody else reaches is a deadlock', () => {
    const result = launch(
      `${DECLARATIONS}
define ptx_kernel void @k() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  ret void
}`,
      { block: 32 },
    )
    expect(result.fault).toMatchObject({ kind: 'deadlock', thread: { x: 0, y: 0, z: 0 } })
  })
})

describe('waiting', () => {
  const spinLock = (head: string, counter: string): string => `${DECLARATIONS}
define ptx_kernel void @k(ptr %out) {
entry:
  %count = getelementptr i8, ptr %out, i32 4
  br label %spin
spin:
  ${head}
  %pair = cmpxchg ptr %out, i32 0, i32 1 monotonic monotonic, align 4
  %got = extractvalue { i32, i1 } %pair, 1
  ${counter}
  br i1 %got, label %critical, label %spin
critical:
  %v = load volatile i32, ptr %count, align 4
  %w = add i32 %v, 1
  store volatile i32 %w, ptr %count, align 4
  %old = atomicrmw xchg ptr %out, i32 0 monotonic, align 4
  ret void
}`

  test('a spin lock within a warp, where the winner waits behind the loop', () => {
    const out = words(2)
    const result = launch(spinLock('', ''), { grid: 3, block: 64, buffers: [out] })
    expect(result.fault).toBeUndefined()
    expect([...out]).toEqual([0, 192])
  })

  test('a spin lock that counts its attempts, which never proves that it waits', () => {
    const out = words(2)
    const head = '%n = phi i32 [ 0, %entry ], [ %m, %spin ]'
    const result = launch(spinLock(head, '%m = add i32 %n, 1'), { block: 2, buffers: [out] })
    expect(result.fault).toBeUndefined()
    expect([...out]).toEqual([0, 2])
  })

  const flag = (writer: number): string => `${DECLARATIONS}
define ptx_kernel void @k(ptr %out) {
entry:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %writes = icmp eq i32 %block, ${writer}
  br i1 %writes, label %write, label %wait
write:
  store volatile i32 9, ptr %out, align 4
  br label %exit
wait:
  %v = load volatile i32, ptr %out, align 4
  %unset = icmp eq i32 %v, 0
  br i1 %unset, label %wait, label %done
done:
  %at = getelementptr i32, ptr %out, i32 %block
  store i32 %v, ptr %at, align 4
  br label %exit
exit:
  ret void
}`

  test('blocks wait for a later block', () => {
    const out = words(40)
    const result = launch(flag(39), { grid: 40, block: 32, buffers: [out] })
    expect(result.fault).toBeUndefined()
    expect([...out.slice(0, 39)]).toEqual(Array.from({ length: 39 }, () => 9))
  })

  test('a flag that nobody sets is a deadlock, at the line of the loop', () => {
    const result = launch(flag(99), { grid: 4, block: 32, buffers: [words(4)] })
    expect(result.fault).toMatchObject({ kind: 'deadlock', block: { x: 0, y: 0, z: 0 } })
    expect(result.fault?.message).toContain('loop')
  })

  test('a grid-wide barrier', () => {
    const out = words(10)
    const result = launch(
      `${DECLARATIONS}
define ptx_kernel void @k(ptr %out) {
entry:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %arrived = atomicrmw add ptr %out, i32 1 monotonic, align 4
  br label %wait
wait:
  %n = load volatile i32, ptr %out, align 4
  %more = icmp ult i32 %n, 9
  br i1 %more, label %wait, label %done
done:
  %at = getelementptr i32, ptr %out, i32 %block
  %place = getelementptr i8, ptr %at, i32 4
  store i32 %n, ptr %place, align 4
  ret void
}`,
      { grid: 9, block: 1, buffers: [out] },
    )
    expect(result.fault).toBeUndefined()
    expect([...out]).toEqual(Array.from({ length: 10 }, () => 9))
  })

  test('a loop that only changes registers is not taken for one that waits', () => {
    const out = words(32)
    const result = launch(
      `${DECLARATIONS}
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = mul i32 %tid, 100
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i2, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j2, %inner ]
  %j2 = add i32 %j, 1
  %same = icmp ult i32 %j2, 3
  br i1 %same, label %inner, label %latch
latch:
  %i2 = add i32 %i, 1
  %more = icmp ult i32 %i2, %n
  br i1 %more, label %outer, label %done
done:
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %i2, ptr %to, align 4
  ret void
}`,
      { buffers: [out] },
    )
    expect(result.sites[0]).toMatchObject({ executed: 1, threads: 32 })
    expect(out[31]).toBe(3100)
  })

  test('a loop that watches the clock ends', () => {
    const result = launch(`${DECLARATIONS}
define ptx_kernel void @k() {
entry:
  %start = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  br label %wait
wait:
  %now = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  %passed = sub i64 %now, %start
  %more = icmp ult i64 %passed, 10000
  br i1 %more, label %wait, label %done
done:
  ret void
}`)
    expect(result.fault).toBeUndefined()
  })

  test('an endless loop ends at the deadline', () => {
    const result = launch(
      `define ptx_kernel void @k(ptr %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  br label %loop
}`,
      { buffers: [words(1)], deadline: 0 },
    )
    expect(result.fault).toMatchObject({ kind: 'timeout' })
  })
})

describe('calls', () => {
  test('recursion, with locals of its own in each activation', () => {
    const out = words(32)
    const result = launch(
      `${DECLARATIONS}
define i32 @fib(i32 %n) noinline {
entry:
  %slot = alloca i32, align 4
  store i32 %n, ptr %slot, align 4
  %small = icmp ult i32 %n, 2
  br i1 %small, label %leaf, label %branch
leaf:
  ret i32 %n
branch:
  %n1 = sub i32 %n, 1
  %a = call i32 @fib(i32 %n1)
  %kept = load i32, ptr %slot, align 4
  %n2 = sub i32 %kept, 2
  %b = call i32 @fib(i32 %n2)
  %sum = add i32 %a, %b
  ret i32 %sum
}
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = and i32 %tid, 7
  %v = call i32 @fib(i32 %n)
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %to, align 4
  ret void
}`,
      { buffers: [out] },
    )
    expect(result.fault).toBeUndefined()
    expect([...out.slice(0, 8)]).toEqual([0, 1, 1, 2, 3, 5, 8, 13])
    expect(result.sites.at(-1)).toMatchObject({ executed: 1, threads: 32 })
  })

  test('endless recursion overflows the stack', () => {
    const result = launch(`
define i32 @f(i32 %n) noinline {
  %slot = alloca [64 x i32], align 4
  %m = add i32 %n, 1
  %v = call i32 @f(i32 %m)
  %w = add i32 %v, 1
  ret i32 %w
}
define ptx_kernel void @k() {
  %v = call i32 @f(i32 0)
  ret void
}`)
    expect(result.fault).toMatchObject({ kind: 'illegal-address' })
    expect(result.fault?.message).toContain('stack')
  })

  test('calls through pointers, different ones in one warp', () => {
    const out = words(32)
    const result = launch(
      `${DECLARATIONS}
define i32 @double(i32 %x) {
  %y = shl i32 %x, 1
  ret i32 %y
}
define i32 @square(i32 %x) {
  %y = mul i32 %x, %x
  ret i32 %y
}
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = and i32 %tid, 1
  %c = icmp eq i32 %odd, 0
  %f = select i1 %c, ptr @double, ptr @square
  %v = call i32 %f(i32 %tid)
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %to, align 4
  ret void
}`,
      { buffers: [out] },
    )
    expect(result.fault).toBeUndefined()
    expect([...out.slice(0, 6)]).toEqual([0, 1, 4, 9, 8, 25])
    expect(result.sites[0]).toMatchObject({ executed: 1, threads: 32 })
  })

  test('a pointer to nothing is an illegal instruction', () => {
    const result = launch(
      `define ptx_kernel void @k(i32 %f) {
  %p = inttoptr i32 %f to ptr
  %v = call i32 %p(i32 1)
  ret void
}`,
      { values: [0] },
    )
    expect(result.fault).toMatchObject({ kind: 'illegal-instruction' })
  })
})
