/** Lanes, warps and blocks that wait for each other: generated code gives what the reference interpreter gives. */
import { describe, expect, test } from 'vitest'
import { compareExecutors, type Launched, type LaunchInput } from './compare.ts'

const DECLARATIONS = `declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1)
declare void @llvm.nvvm.membar.gl()
`

function run(body: string, grid: number, block: number, words: number, more: Partial<LaunchInput> = {}): Launched {
  return compareExecutors({
    ir: `${DECLARATIONS}${body}`,
    grid: { x: grid, y: 1, z: 1 },
    block: { x: block, y: 1, z: 1 },
    buffers: [new Uint32Array(words)],
    sameCounts: false,
    ...more,
  })
}

describe('lanes of a warp', () => {
  const spinLock = (head: string, counter: string, attempt: string): string => `
define ptx_kernel void @k(ptr %out) {
entry:
  %count = getelementptr i8, ptr %out, i32 4
  br label %spin
spin:
  ${head}
  ${attempt}
  ${counter}
  br i1 %got, label %critical, label %spin
critical:
  %v = load volatile i32, ptr %count, align 4
  %w = add i32 %v, 1
  store volatile i32 %w, ptr %count, align 4
  %old = atomicrmw xchg ptr %out, i32 0 monotonic, align 4
  ret void
}`
  const swap =
    '%pair = cmpxchg ptr %out, i32 0, i32 1 monotonic monotonic, align 4\n  %got = extractvalue { i32, i1 } %pair, 1'

  test('a spin lock', () => {
    const { buffers } = run(spinLock('', '', swap), 3, 64, 2)
    expect([...buffers[0]!]).toEqual([0, 192])
  })

  test('a spin lock by exchange', () => {
    const exchange = '%was = atomicrmw xchg ptr %out, i32 1 monotonic, align 4\n  %got = icmp eq i32 %was, 0'
    const { buffers } = run(spinLock('', '', exchange), 3, 64, 2)
    expect([...buffers[0]!]).toEqual([0, 192])
  })

  test('a spin lock that counts its attempts', () => {
    const { buffers } = run(spinLock('%n = phi i32 [ 0, %entry ], [ %m, %spin ]', '%m = add i32 %n, 1', swap), 2, 4, 2)
    expect([...buffers[0]!]).toEqual([0, 8])
  })

  test('each lane takes the lock several times, with values of its own kept all the while', () => {
    const { buffers } = run(
      `
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %sum = getelementptr i8, ptr %out, i32 4
  %own = getelementptr i32, ptr %sum, i32 %tid
  br label %again
again:
  %i = phi i32 [ 0, %entry ], [ %j, %critical ]
  %mine = phi i64 [ 1, %entry ], [ %next, %critical ]
  %scaled = mul i32 %i, 3
  br label %spin
spin:
  ${swap}
  br i1 %got, label %critical, label %spin
critical:
  %v = load volatile i32, ptr %sum, align 4
  %w = add i32 %v, %scaled
  store volatile i32 %w, ptr %sum, align 4
  call void @llvm.nvvm.membar.gl()
  %old = atomicrmw xchg ptr %out, i32 0 monotonic, align 4
  %wide = zext i32 %tid to i64
  %more64 = add i64 %mine, %wide
  %next = mul i64 %more64, 3
  %j = add i32 %i, 1
  %limit = and i32 %tid, 3
  %more = icmp ule i32 %j, %limit
  br i1 %more, label %again, label %done
done:
  %low = trunc i64 %next to i32
  %at = getelementptr i8, ptr %own, i32 4
  store i32 %low, ptr %at, align 4
  ret void
}`,
      2,
      40,
      50,
    )
    // Per four lanes: 0, 0 + 3, 0 + 3 + 6, 0 + 3 + 6 + 9.
    expect(buffers[0]![1]).toBe(2 * 10 * 30)
  })

  test('the critical section inside the loop', () => {
    const { buffers } = run(
      `
define ptx_kernel void @k(ptr %out) {
entry:
  br label %try
try:
  %was = atomicrmw xchg ptr %out, i32 1 monotonic, align 4
  %got = icmp eq i32 %was, 0
  br i1 %got, label %critical, label %latch
critical:
  %count = getelementptr i8, ptr %out, i32 4
  %v = load volatile i32, ptr %count, align 4
  %w = add i32 %v, 1
  store volatile i32 %w, ptr %count, align 4
  %old = atomicrmw xchg ptr %out, i32 0 monotonic, align 4
  br label %latch
latch:
  %done = phi i1 [ true, %critical ], [ false, %try ]
  br i1 %done, label %exit, label %try
exit:
  ret void
}`,
      2,
      64,
      2,
    )
    expect([...buffers[0]!]).toEqual([0, 128])
  })

  test('lane 0 waits for lane 31', () => {
    const { buffers } = run(
      `@flag = internal addrspace(3) global i32 undef, align 4
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %wait, label %other
wait:
  %v = load volatile i32, ptr addrspace(3) @flag, align 4
  %unset = icmp eq i32 %v, 0
  br i1 %unset, label %wait, label %join
other:
  %last = icmp eq i32 %tid, 31
  br i1 %last, label %write, label %join
write:
  store volatile i32 7, ptr addrspace(3) @flag, align 4
  br label %join
join:
  %x = phi i32 [ %v, %wait ], [ 1, %other ], [ 2, %write ]
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %x, ptr %to, align 4
  ret void
}`,
      1,
      32,
      32,
    )
    expect([...buffers[0]!]).toEqual([7, ...Array.from({ length: 30 }, () => 1), 2])
  })
})

describe('blocks', () => {
  const flag = (writer: number): string => `
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

  test('wait for a later one', () => {
    const { buffers } = run(flag(39), 40, 64, 40)
    expect([...buffers[0]!.slice(0, 39)]).toEqual(Array.from({ length: 39 }, () => 9))
  })

  /** A graph's nodes that wait for their neighbours write their state in every round, mostly the same one. */
  test('a loop that writes what is there already gives way at once', () => {
    const { buffers } = run(
      `
define ptx_kernel void @k(ptr %out) {
entry:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %out, i32 %block
  %next = getelementptr i8, ptr %at, i32 4
  %own = getelementptr i32, ptr %out, i32 %tid
  %bytes = getelementptr i8, ptr %own, i32 256
  %wide = getelementptr i64, ptr %out, i32 %tid
  %words = getelementptr i8, ptr %wide, i32 512
  %step = zext i32 %tid to i64
  br label %round
round:
  %v = load volatile i32, ptr %next, align 4
  %isSet = icmp ne i32 %v, 0
  %low = trunc i32 %v to i8
  store volatile i8 %low, ptr %bytes, align 1
  %long = add i64 %step, 1
  store volatile i64 %long, ptr %words, align 8
  %state = select i1 %isSet, i32 %v, i32 0
  store volatile i32 %state, ptr %at, align 4
  br i1 %isSet, label %exit, label %round
exit:
  ret void
}`,
      20,
      32,
      256,
      { buffers: [new Uint32Array(256).fill(5, 20, 21)], fewerThan: 1000 },
    )
    expect([...buffers[0]!.slice(0, 21)]).toEqual(Array.from({ length: 21 }, () => 5))
  })

  test('a flag that nobody sets is a deadlock at the line of the loop', () => {
    expect(run(flag(99), 4, 32, 4).outcome.fault).toMatchObject({ kind: 'deadlock', block: { x: 0, y: 0, z: 0 } })
  })

  /** One thread a block arrives and waits; the others wait at the block's barrier. Rounds of exchange across the grid. */
  test('grid-wide barriers in a loop', () => {
    const { buffers, outcome } = run(
      `@tile = internal addrspace(3) global [64 x i32] undef, align 4
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %leader = icmp eq i32 %tid, 0
  %data = getelementptr i8, ptr %out, i32 256
  %base = mul i32 %block, 64
  %index = add i32 %base, %tid
  %mine = getelementptr i32, ptr %data, i32 %index
  store i32 %index, ptr %mine, align 4
  br label %round
round:
  %r = phi i32 [ 0, %entry ], [ %next, %open ]
  %acc = phi i32 [ 0, %entry ], [ %sum, %open ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %leader, label %arrive, label %behind
arrive:
  %old = atomicrmw add ptr %out, i32 1 seq_cst, align 4
  %r1 = add i32 %r, 1
  %goal = mul i32 %r1, %blocks
  br label %spin
spin:
  %n = load volatile i32, ptr %out, align 4
  %more = icmp ult i32 %n, %goal
  br i1 %more, label %spin, label %behind
behind:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o = add i32 %index, 64
  %all = mul i32 %blocks, 64
  %from = urem i32 %o, %all
  %their = getelementptr i32, ptr %data, i32 %from
  %v = load volatile i32, ptr %their, align 4
  %sum = add i32 %acc, %v
  br label %open
open:
  %next = add i32 %r, 1
  %again = icmp ult i32 %next, 5
  br i1 %again, label %round, label %done
done:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %end = add i32 %index, %all
  %to = getelementptr i32, ptr %data, i32 %end
  store i32 %sum, ptr %to, align 4
  ret void
}`,
      9,
      64,
      64 + 2 * 9 * 64,
    )
    expect(outcome.fault).toBeUndefined()
    expect(buffers[0]![0]).toBe(45)
  })

  test('hand a value from block to block', () => {
    const { buffers } = run(
      `
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %b1 = sub i32 %blocks, 1
  ; the last block is first in the chain
  %rank = sub i32 %b1, %block
  %isFirst = icmp eq i32 %rank, 0
  br i1 %isFirst, label %start, label %poll
poll:
  %p = sub i32 %rank, 1
  %before = getelementptr i32, ptr %out, i32 %p
  %v = load atomic i32, ptr %before acquire, align 4
  %unset = icmp eq i32 %v, 0
  br i1 %unset, label %poll, label %start
start:
  %in = phi i32 [ 100, %entry ], [ %v, %poll ]
  %sum = add i32 %in, %rank
  %mine = getelementptr i32, ptr %out, i32 %rank
  store atomic i32 %sum, ptr %mine release, align 4
  ret void
}`,
      20,
      32,
      20,
    )
    expect(buffers[0]![19]).toBe(100 + (19 * 20) / 2)
  })
})

describe('barriers', () => {
  test('named, with counts: producers arrive, consumers wait', () => {
    const { buffers, outcome } = run(
      `@box = internal addrspace(3) global [32 x i32] undef, align 4
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = and i32 %tid, 31
  %place = getelementptr i32, ptr addrspace(3) @box, i32 %lane
  %c = icmp ult i32 %tid, 32
  br i1 %c, label %consume, label %produce
produce:
  store i32 %tid, ptr addrspace(3) %place, align 4
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 3, i32 64)
  br label %exit
consume:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 3, i32 64)
  %v = load i32, ptr addrspace(3) %place, align 4
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %to, align 4
  br label %exit
exit:
  ret void
}`,
      2,
      64,
      64,
      { sameCounts: true },
    )
    expect(outcome.fault).toBeUndefined()
    expect(buffers[0]![5]).toBe(37)
  })

  test('one of their own for each pair of warps, by a number known at run time', () => {
    const { outcome } = run(
      `@box = internal addrspace(3) global [128 x i32] undef, align 4
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pair = lshr i32 %tid, 6
  %id = add i32 %pair, 1
  %place = getelementptr i32, ptr addrspace(3) @box, i32 %tid
  store i32 %tid, ptr addrspace(3) %place, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 %id, i32 64)
  %o = xor i32 %tid, 63
  %other = getelementptr i32, ptr addrspace(3) @box, i32 %o
  %v = load i32, ptr addrspace(3) %other, align 4
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %to, align 4
  ret void
}`,
      1,
      128,
      128,
      { sameCounts: true },
    )
    expect(outcome.fault).toBeUndefined()
  })

  test('different ones on the two sides of a branch within a warp', () => {
    const { buffers, outcome } = run(
      `@box = internal addrspace(3) global [64 x i32] undef, align 4
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr addrspace(3) @box, i32 %tid
  %bit = and i32 %tid, 1
  %odd = icmp eq i32 %bit, 1
  br i1 %odd, label %left, label %right
left:
  %a = mul i32 %tid, 7
  store i32 %a, ptr addrspace(3) %place, align 4
  %n = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %odd)
  %l = add i32 %n, %a
  br label %join
right:
  %b = mul i32 %tid, 11
  store i32 %b, ptr addrspace(3) %place, align 4
  %any = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %odd)
  %z = zext i1 %any to i32
  %r = add i32 %z, %b
  br label %join
join:
  %x = phi i32 [ %l, %left ], [ %r, %right ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o = xor i32 %tid, 1
  %other = getelementptr i32, ptr addrspace(3) @box, i32 %o
  %v = load i32, ptr addrspace(3) %other, align 4
  %sum = add i32 %x, %v
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %sum, ptr %to, align 4
  ret void
}`,
      1,
      64,
      64,
    )
    expect(outcome.fault).toBeUndefined()
    expect(buffers[0]![1]).toBe(32 + 7)
  })

  test('one that nobody else reaches is a deadlock', () => {
    const { outcome } = run(
      `define ptx_kernel void @k(ptr %out) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  ret void
}`,
      1,
      32,
      1,
    )
    expect(outcome.fault).toMatchObject({ kind: 'deadlock', thread: { x: 0, y: 0, z: 0 } })
  })
})
